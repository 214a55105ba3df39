"""Entities by what their name shares with other spellings of it: exact and of one cost in a store of any size."""

from __future__ import annotations

from collections.abc import Iterable

from ...graph import Entity
from ...resolution.blocking import spelling_blocks
from ...resolution.matching import LARGEST_BLOCK
from ...storage.codec import dumps
from .connection import Database


def block_numbers(type: str, name: str, name_key: str) -> str:
    """The blocks of a stored entity, as a JSON list.

    >>> block_numbers("company", "Wal-Mart", "wal mart") == block_numbers("company", "Walmart", "walmart")
    True
    """
    return dumps(spelling_blocks(Entity("", name, type, name_key)))


def index_spellings(db: Database, id: int, entity: Entity) -> None:
    """Have a stored entity found by :func:`near_names`."""
    rows = ((number, id) for number in spelling_blocks(entity))
    db.run_many("INSERT OR IGNORE INTO entity_block (block, entity) VALUES (?, ?)", rows)


def forget_spellings(db: Database, entities: Iterable[tuple[int, Entity]]) -> None:
    """Entities that are gone are found no more."""
    rows = ((number, id) for id, entity in entities for number in spelling_blocks(entity))
    db.run_many("DELETE FROM entity_block WHERE block = ? AND entity = ?", rows)


def near_names(db: Database, entities: Iterable[Entity]) -> set[int]:
    """Stored entities whose names may be other spellings of these; what very many share is a form, not a name."""
    query = "SELECT entity FROM entity_block WHERE block = ? LIMIT ?"
    numbers = dict.fromkeys(number for entity in entities for number in spelling_blocks(entity))
    groups = (db.rows(query, (number, LARGEST_BLOCK + 1)) for number in numbers)
    return {id for group in groups if len(group) <= LARGEST_BLOCK for (id,) in group}
