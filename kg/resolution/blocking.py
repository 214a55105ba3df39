"""What a name shares with its other spellings, as numbers that an engine keeps in an index: one look-up for each."""

from __future__ import annotations

from hashlib import blake2b

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
