"""The rules of tables.toml: which columns a kind of table has, and what its rows state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from ....core.records import dataclass
from ....core.rules import load_rules
from ...triple import Triple
from .filing import Filing


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    cell: str
    head: re.Pattern[str] | None
    at: int | None
    by_cells: bool
    carry: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement in terms of columns: "name/company subsidiary_of filer/company"."""

    head: str
    head_type: str
    relation: str
    tail: str
    tail_type: str

    @classmethod
    def parse(cls, text: str) -> Claim:
        """Read the form that the rule files use; a quoted end is a text of its own."""
        quoted = text.split("'")
        words = text.split() if len(quoted) == 1 else [*quoted[0].split(), f"'{quoted[1]}'{quoted[2]}"]
        head, relation, tail = words
        (name, kind), (other, other_kind) = head.split("/"), tail.split("/")
        return cls(name, kind, relation, other, other_kind)

    def of_item(
        self, filing: Filing, item: str, start: int, end: int, details: Mapping[str, str] | None = None
    ) -> Triple:
        """What is stated of an item that stands there: an end that is no "item" is the filer."""
        head = item if self.head == "item" else filing.filer
        tail = item if self.tail == "item" else filing.filer
        return filing.said((head, self.head_type), self.relation, (tail, self.tail_type), (start, end), details)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table, as the rules describe it."""

    name: str
    about: re.Pattern[str]
    unless: re.Pattern[str] | None
    heads: str
    """The type of the names that stand over the columns."""
    rows: re.Pattern[str] | None
    columns: tuple[_Column, ...]
    claims: tuple[Claim, ...]
    details: tuple[str, ...]
    needs: tuple[str, ...]
    joined: bool
    value: bool
    dated: bool
    once: bool
    """One row says all that the table says."""


@dataclass(frozen=True, slots=True)
class Pair:
    label: re.Pattern[str]
    about: re.Pattern[str] | None
    cell: re.Pattern[str] | None
    claim: Claim
    role: str


@cache
def table_kinds() -> tuple[Kind, ...]:
    return tuple(map(_kind, load_rules(__package__, "tables.toml")["tables"]))


def _kind(rule: Mapping[str, Any]) -> Kind:
    columns = rule.get("columns", {})
    return Kind(
        name=rule["name"],
        about=re.compile(rule["about"], re.IGNORECASE),
        unless=_pattern(rule, "unless"),
        heads=rule.get("heads", ""),
        rows=_pattern(rule, "rows"),
        columns=tuple(_column(name, about) for name, about in columns.items()),
        claims=tuple(map(Claim.parse, rule["says"])),
        details=tuple(rule.get("details", ())),
        needs=tuple(rule.get("needs", ())),
        joined=rule.get("joined", False),
        value=rule.get("value", False),
        dated=rule.get("dated", False),
        once=rule.get("once", False),
    )


def _column(name: str, about: Mapping[str, Any]) -> _Column:
    return _Column(
        name=name,
        cell=about["cell"],
        head=_pattern(about, "head"),
        at=about.get("at"),
        by_cells=about.get("by", False),
        carry=about.get("carry", False),
    )


@cache
def pair_rules() -> tuple[Pair, ...]:
    rules = load_rules(__package__, "tables.toml")["pairs"]
    return tuple(
        Pair(
            label=re.compile(rule["label"]),
            about=_pattern(rule, "about"),
            cell=_pattern(rule, "cell"),
            claim=Claim.parse(rule["says"]),
            role=rule.get("role", ""),
        )
        for rule in rules
    )


def _pattern(rule: Mapping[str, Any], key: str) -> re.Pattern[str] | None:
    return re.compile(rule[key], re.IGNORECASE) if key in rule else None
