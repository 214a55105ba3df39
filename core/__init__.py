"""The vocabulary that every layer shares: pure data, no input or output, imports nothing of ours."""
