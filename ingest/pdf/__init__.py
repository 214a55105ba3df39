"""PDF: words, rulings and pictures from a library, guarded, read to blocks and pages."""
