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


def is_ciphered(words: Sequence[Word]) -> bool:
    """True where a good part of a page's words has signs within that no word has: "6I>DC" for "tion"."""
    long = [word.text for word in words if len(word.text) >= _LEAST_LETTERS]
    if len(long) < _LEAST_WORDS:
        return False
    return sum(map(bool, map(_WITHIN.search, long))) > _MOST * len(long)
