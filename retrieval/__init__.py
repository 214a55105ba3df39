"""From a question to scope, ranked evidence, context and a cited answer."""
