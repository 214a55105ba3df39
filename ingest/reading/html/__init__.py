"""HTML pages and filings: visible lines, tables, and values tagged with inline XBRL."""
