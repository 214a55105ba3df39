"""Which passages and pages a question finds."""
