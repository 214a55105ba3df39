"""What people look at: answers, chunks, tables, graphs and charts as pages and files."""
