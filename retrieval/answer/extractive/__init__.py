"""Answers without a language model: quoted sentences."""
