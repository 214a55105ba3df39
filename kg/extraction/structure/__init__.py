"""What the structure of a document states without a verb: tables, lists, signatures, headings, fixed forms."""
