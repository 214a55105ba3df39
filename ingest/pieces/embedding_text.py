"""What of a text an embedding model is given: words, not the columns of numbers beside them."""

from __future__ import annotations

import re

from ..lines import VALUE

_BLANKS = re.compile(r"(?:\\n|\s)+")
_INSIDE_CHINESE = re.compile("(?<=[\u2e80-\u9fff\uff00-\uffef]) (?=[\u2e80-\u9fff\uff00-\uffef])")
_LEADER = re.compile(r"(?:[.…_]\s?){4,}")
_YEAR = re.compile(r"(?:19|20)\d\d\D?")
_MOSTLY = 0.3
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
    plain = _LEADER.sub(" ", text) if "..." in text or "…" in text or "___" in text else text
    words = _BLANKS.sub(" ", plain).strip().split(" ")
    values = sum(1 for word in words if _is_value(word))
    if values >= max(2, _MOSTLY * len(words)):
        kept = [word for word in words if _YEAR.fullmatch(word) or not _is_value(word)]
        words = kept if any(c.isalpha() for word in kept for c in word) else words
    line = " ".join(words)
    return line if line.isascii() else _INSIDE_CHINESE.sub("", line)


def _is_value(word: str) -> bool:
    """Also true for the borders of cells in plain text."""
    return VALUE.fullmatch(word) is not None or not word.strip("|:-")
