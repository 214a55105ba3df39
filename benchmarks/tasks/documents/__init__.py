"""What is read of files, and how it is cut."""
