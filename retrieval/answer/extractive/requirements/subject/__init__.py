"""Whom and what a question names, in English and in Chinese: an answer has to speak of it."""
