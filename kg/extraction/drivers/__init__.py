"""Reads drivers: what moved a figure, from sentences in English and Chinese and from the remarks of tables."""
