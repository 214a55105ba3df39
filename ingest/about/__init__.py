"""Whom and when a document is about."""
