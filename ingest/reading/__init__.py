"""From a page's words to clean blocks in reading order, and from blocks to one text with offsets."""
