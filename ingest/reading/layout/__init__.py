"""PDF layout: words with boxes -> lines in reading order -> headings, paragraphs and lists."""
