"""The figure that a question asks for: metrics, operation, periods."""
