"""Extraction without a model: names by spelling and word lists, relations by patterns kept as data."""

from .extractor import RulesExtractor, guess_language

__all__ = ["RulesExtractor", "guess_language"]
