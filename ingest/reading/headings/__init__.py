"""Headings and their levels: numbered ("Item 7."), announced by bookmarks or contents, or set apart by type."""
