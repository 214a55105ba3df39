"""A number, or a short text such as an address, that a document states about a company and a period."""

from __future__ import annotations

from dataclasses import field
from decimal import Decimal
from typing import Literal

from .anchor import Anchor, first_page
from .period import Period
from .records import dataclass

Basis = Literal["reported", "restated", "adjusted", "pro forma", "forecast"]
Consolidation = Literal["", "consolidated", "parent"]
SourceKind = Literal["table", "xbrl", "prose"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One stated value, exactly as printed and as a number.

    ``value`` is the printed number with its sign (parentheses are negative), ``scale`` what it is to be
    multiplied by (1000000 under "in millions"), so the amount is ``value * scale`` in ``unit`` ("USD", "CNY",
    "%", "shares", "USD/share", "people", "" when unknown). ``value`` is None for facts that are words.
    ``start`` and ``end`` are offsets of the cell or the sentence in the document's text.
    """

    company: str
    metric: str
    """Canonical name from the metric list ("revenue"); empty where the list has none."""
    label: str
    """The name as written, with its parents in a table ("Current assets > Inventories")."""
    period: Period | None
    text: str
    """The value as printed: "(1,234)", "12.5 %", "1 Main Street"."""
    value: Decimal | None = None
    unit: str = ""
    scale: Decimal = Decimal(1)
    dimensions: tuple[tuple[str, str], ...] = ()
    """What narrows it, as (axis, member): ("segment", "Cloud"), ("region", "Asia")."""
    basis: Basis = "reported"
    consolidation: Consolidation = ""
    source_kind: SourceKind = "prose"
    source: str = ""
    """The document's key."""
    anchors: tuple[Anchor, ...] = ()
    start: int = 0
    end: int = 0
    table: int | None = None
    """Ordinal of the table in the document, with ``row`` and ``column`` of the cell."""
    row: int | None = None
    column: int | None = None
    confidence: float = 1.0
    id: str = field(default="", compare=False)

    @property
    def amount(self) -> Decimal | None:
        """The value in its unit with the scale multiplied in; None for a fact in words."""
        return None if self.value is None else self.value * self.scale

    @property
    def own_label(self) -> str:
        """The name of its own row as written, without the parents: "Inventories"."""
        return self.label.rpartition(" > ")[2]

    @property
    def page(self) -> int | None:
        """The first page it stands on, from 1."""
        return first_page(self.anchors)
