"""Other engines beside ours: run as their authors ship them, measured and asked in the same way."""
