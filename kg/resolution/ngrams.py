"""Words and character trigrams of names: how alike two spellings are. Shared by the engines."""

from __future__ import annotations

import re
import unicodedata

from ...core.names import is_chinese

_WORD = re.compile(r"[^\W_]+")


def name_grams(name: str) -> list[str]:
    """The words of a name and the trigrams of each (pairs in Chinese), each once.

    >>> name_grams("Acme Inc")
    ['acme', 'acm', 'cme', 'inc']
    >>> name_grams("京东方")
    ['京东方', '京东', '东方']
    """
    grams: dict[str, None] = {}
    for word in _WORD.findall(unicodedata.normalize("NFKC", name).casefold()):
        size = 2 if is_chinese(word) else 3
        grams[word] = None
        grams.update(dict.fromkeys(word[i : i + size] for i in range(len(word) - size + 1)))
    return list(grams)


def likeness(one: str, other: str) -> float:
    """Dice coefficient of the grams of two names, 0 to 1.

    >>> likeness("Acme Inc", "ACME, Inc."), likeness("Acme", "Bolt")
    (1.0, 0.0)
    """
    a, b = set(name_grams(one)), set(name_grams(other))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
