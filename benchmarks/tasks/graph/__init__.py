"""What is extracted: names, relations, causes."""
