"""From a page's words to clean blocks in reading order: lines, columns, cleaning rules, headings, paragraphs."""
