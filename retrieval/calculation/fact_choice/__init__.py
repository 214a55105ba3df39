"""Which stored facts stand for a figure that is asked for."""
