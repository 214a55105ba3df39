"""Tables: found on pages by geometry, read from Markdown or raw page text, written as Markdown."""
