"""Pages whose fonts do not say which letters they draw: their text layer is a cipher, their picture is not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .backend import Word

IS_CIPHER = "no text: its fonts do not say which letters they draw"
_LEAST_WORDS = 20
"""Words on a page from which a share of them tells something."""
_LEAST_LETTERS = 4
_WITHIN = re.compile(r"\w[:;<>=?@\\^~{}|]+\w|\(cid:\d|[\ufffd\ue000-\uf8ff]")
"""Signs within a word that no writing puts there, glyph numbers, and letters of no alphabet."""
_MOST = 0.25
"""Share of such words. Among 2,500 pages of annual reports the readable ones have at most .05, ciphers .7 and more."""


_FEWEST_LETTERS = 30
_MOST_UNKNOWN, _MOST_CONTROL = 0.3, 0.03
"""Shares of a page's characters, however few words they are in; printed pages have none, or a few marks of lists."""


def is_ciphered(words: Sequence[Word]) -> bool:
    """True where a good part of a page's words has signs within that no word has: "6I>DC" for "tion".

    Or where its characters are unknown ones (so PyMuPDF gives them) or control codes (so PDFium does).
    """
    if _has_no_letters("".join(word.text for word in words)):
        return True
    long = [word.text for word in words if len(word.text) >= _LEAST_LETTERS]
    if len(long) < _LEAST_WORDS:
        return False
    return sum(map(bool, map(_WITHIN.search, long))) > _MOST * len(long)


def _has_no_letters(printed: str) -> bool:
    if len(printed) < _FEWEST_LETTERS:
        return False
    unknown = sum(letter == "\ufffd" or "\ue000" <= letter <= "\uf8ff" for letter in printed)
    control = sum(letter < " " for letter in printed)
    return unknown > _MOST_UNKNOWN * len(printed) or control > _MOST_CONTROL * len(printed)
