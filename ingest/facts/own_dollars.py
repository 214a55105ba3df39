"""A bare "$" in a report in Australian or Canadian dollars is one of those."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...core.fact import Fact
from ..document import Document

_DOLLARS = ("AUD", "CAD", "NZD", "HKD", "SGD")
_AMERICAN = re.compile(r"US\$|\bUSD\b|\b(?:U\.S\.|US|United\s+States)\s*(?:\$|dollars?)", re.IGNORECASE)


def in_own_dollars(facts: Sequence[Fact], document: Document) -> Iterator[Fact]:
    """The facts in the dollar that the document reports in, but for those that are printed as American ones."""
    own = document.metadata.currency
    for fact in facts:
        unit, _, per = fact.unit.partition("/")
        if own not in _DOLLARS or unit != "USD" or _AMERICAN.search(_printed(fact, document)):
            yield fact
        else:
            yield replace(fact, unit=f"{own}/{per}" if per else own)


def _printed(fact: Fact, document: Document) -> str:
    """What is printed of the unit: in the value and its name, in a table also above it and over its columns."""
    said = f"{fact.text} {fact.label}"
    if fact.table is None or fact.table >= len(document.tables):
        return said
    table = document.tables[fact.table]
    heads = " ".join(cell for row in table.rows[: table.header_rows] for cell in row)
    return f"{said} {table.unit} {table.title} {heads}"
