"""What other spellings of a name share with it: trigrams for likeness, and blocks that an engine keeps in an index."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from ...core.names import is_chinese
from ..graph import Entity
from .matching import blocks

_BYTES = 6
"""Of a block's hash: two that meet by chance cost a look, since the names themselves are compared."""


def spelling_blocks(entity: Entity) -> list[int]:
    """The blocks of an entity within its type but the first, its key, which has an index of its own.

    >>> one, other = Entity("1", "Wal-Mart", "company"), Entity("2", "Walmart", "company")
    >>> spelling_blocks(one) == spelling_blocks(other)
    True
    """
    return list(dict.fromkeys(_number(f"{entity.type}\0{block}") for block in blocks(entity)[1:]))


def _number(block: str) -> int:
    return int.from_bytes(blake2b(block.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest(), "big")


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
