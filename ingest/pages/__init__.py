"""What kind of page a page is, and which section it belongs to."""
