"""Document texts in compressed blocks: a chunk is read without the rest of its document."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from ...storage.codec import dumps
from .connection import Database

BLOCK_CHARACTERS = 16_384


def pack_text(text: str) -> list[tuple[int, bytes]]:
    """(ordinal, compressed text) of each block."""
    return [(i, _pack_block(text, i)) for i in range(-(-len(text) // BLOCK_CHARACTERS))]


def read_text(db: Database, document: int) -> str:
    """The whole text."""
    rows = db.rows("SELECT text FROM block WHERE document = ? ORDER BY ordinal", (document,))
    return "".join(_unpack_block(text) for (text,) in rows)


def read_spans(db: Database, wanted: Sequence[tuple[int, int, int]]) -> list[str]:
    """The text of each (document, start, end); each block is read once."""
    keys = {(document, i) for document, start, end in wanted for i in _blocks(start, end)}
    query = """SELECT document, ordinal, text FROM json_each(?) AS k
      JOIN block ON document = json_extract(k.value, '$[0]') AND ordinal = json_extract(k.value, '$[1]')"""
    blocks = {(d, i): _unpack_block(text) for d, i, text in db.rows(query, (dumps(sorted(keys)),))}
    return [_cut(blocks, document, start, end) for document, start, end in wanted]


def _pack_block(text: str, ordinal: int) -> bytes:
    start = ordinal * BLOCK_CHARACTERS
    return zlib.compress(text[start : start + BLOCK_CHARACTERS].encode("utf-8", "surrogatepass"))


def _unpack_block(data: bytes) -> str:
    return zlib.decompress(data).decode("utf-8", "surrogatepass")


def _blocks(start: int, end: int) -> range:
    return range(start // BLOCK_CHARACTERS, max(end - 1, start) // BLOCK_CHARACTERS + 1)


def _cut(blocks: dict[tuple[int, int], str], document: int, start: int, end: int) -> str:
    numbers = _blocks(start, end)
    text = "".join(blocks.get((document, i), "") for i in numbers)
    offset = numbers.start * BLOCK_CHARACTERS
    return text[start - offset : end - offset]
