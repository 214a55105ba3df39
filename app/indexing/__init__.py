"""From files to a store: reading, bundling, one transaction a document, reports of what was done."""
