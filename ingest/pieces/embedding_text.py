"""What of a text an embedding model is given: words, not the columns of numbers beside them."""

from __future__ import annotations

import re

from ..lines import VALUE

_BLANKS = re.compile(r"(?:\\n|\s)+")
_INSIDE_CHINESE = re.compile("(?<=[\u2e80-\u9fff\uff00-\uffef]) (?=[\u2e80-\u9fff\uff00-\uffef])")
_LEADER = re.compile(r"(?:[.…_]\s?){4,}")
_LEADER_BEGINS = ("...", "…", "___")
_YEAR = re.compile(r"(?:19|20)\d\d\D?")
_MANY_VALUES = 0.3
"""Prose has under a tenth of its words as numbers, a row of a table over a third."""


def embedding_text(text: str) -> str:
    """A sentence on one line, without dot leaders and, if it is a row of a table, without its values; years stay.

    >>> embedding_text("Total revenue\\n$\\n1,234\\n1,100")
    'Total revenue'
    >>> embedding_text("Revenue rose 12% to $3.4 billion in 2023, mostly in Asia.")
    'Revenue rose 12% to $3.4 billion in 2023, mostly in Asia.'
    >>> embedding_text("营业\\n收入 1,234.5 1,100.0")
    '营业收入'
    """
    plain = _BLANKS.sub(" ", _without_leaders(text)).strip()
    words = plain.split(" ")
    if _is_table_row(words):
        words = _without_values(words)
    line = " ".join(words)
    if line.isascii():
        return line
    return _INSIDE_CHINESE.sub("", line)


def _without_leaders(text: str) -> str:
    """Without the dots that lead from an entry to its page number."""
    for sign in _LEADER_BEGINS:
        if sign in text:
            return _LEADER.sub(" ", text)
    return text


def _is_table_row(words: list[str]) -> bool:
    values = sum(map(_is_value, words))
    return values >= max(2, _MANY_VALUES * len(words))


def _without_values(words: list[str]) -> list[str]:
    """The names and years of a row; all of it where no name is left."""
    kept = list(filter(_is_name_or_year, words))
    has_name = any(map(str.isalpha, "".join(kept)))
    return kept if has_name else words


def _is_name_or_year(word: str) -> bool:
    return _YEAR.fullmatch(word) is not None or not _is_value(word)


def _is_value(word: str) -> bool:
    """Also true for the borders of cells in plain text."""
    if VALUE.fullmatch(word):
        return True
    return not word.strip("|:-")
