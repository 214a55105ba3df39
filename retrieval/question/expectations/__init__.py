"""What an answer has to be: its type, an office, a time to come."""
