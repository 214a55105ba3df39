"""A workspace for other programs: an OpenAI-compatible chat endpoint, and tools for agents over MCP."""
