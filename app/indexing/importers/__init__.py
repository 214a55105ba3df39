"""Other programs' working directories as documents of ours."""
