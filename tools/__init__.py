"""What developers run from a clone; not installed."""
