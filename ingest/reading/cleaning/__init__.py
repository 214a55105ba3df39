"""Cleaning: running headers, page numbers, contents pages, disclaimers and chart labels are dropped or marked."""
