"""Inline XBRL 1.1 in a parsed page: contexts, units and the tagged values, before they have offsets.

The HTML parser lowers the names of elements and attributes: ``ix:nonFraction`` is "ix:nonfraction" here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from ....core.rules import load_rules
from .visible import visible_text

NUMBER, WORDS = "ix:nonfraction", "ix:nonnumeric"
_ZERO = ("zerodash", "fixedzero", "numdash")
_COMMA = ("commadecimal", "dotcomma", "spacecomma", "numcomma")
"""Endings of formats whose decimal mark is a comma."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a value holds for: a day or a span, and the members that narrow it."""

    first_day: date | None
    last_day: date | None
    dimensions: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class InlineXbrl:
    """Contexts, units and continuations of all parts of a filing, by id."""

    contexts: dict[str, Context] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    continuations: dict[str, Any] = field(default_factory=dict)

    def learn(self, root: Any) -> None:
        """Take up the resources of one part."""
        for resources in root.iter("ix:resources"):
            for element in resources.iter():
                kind = _local(element)
                if kind == "context":
                    self.contexts.setdefault(element.get("id", ""), _context(element))
                elif kind == "unit":
                    self.units.setdefault(element.get("id", ""), _unit(element))
        for element in root.iter("ix:continuation"):
            self.continuations.setdefault(element.get("id", ""), element)

    def number(self, element: Any) -> Decimal | None:
        """The value of an ix:nonFraction as printed, with its sign; None for nil and for what is no number."""
        if element.get("xsi:nil") == "true":
            return None
        form = element.get("format", "").rpartition(":")[2].lower().replace("-", "")
        value = parse_number(visible_text(element), form)
        return -value if value is not None and element.get("sign") == "-" else value

    def whole_text(self, element: Any) -> str:
        """The text of an ix:nonNumeric with its continuations, in their order."""
        parts, seen = [visible_text(element)], set[str]()
        following = element.get("continuedat", "")
        while following in self.continuations and following not in seen:
            seen.add(following)
            element = self.continuations[following]
            parts.append(visible_text(element))
            following = element.get("continuedat", "")
        return " ".join(part for part in parts if part)


def tagged_elements(element: Any) -> Iterator[Any]:
    """The tagged values inside an element, in order."""
    yield from element.iter(NUMBER, WORDS)


def shown_at(text: str, shown: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a tagged text stands within ``text[start:end]``: whole numbers only, with the brackets around them.

    >>> shown_at("Loss (12) of 1,012", "12", 0, 18)
    (5, 9)
    """
    words = r"\s+".join(map(re.escape, shown.split()))
    if not words:
        return None
    found = re.compile(rf"(?<![\w.,]){words}(?!\w|[.,]\d)").search(text, start, end)
    if found is None:
        return None
    first, last = found.span()
    if first > start and last < end and text[first - 1] == "(" and text[last] == ")":
        return first - 1, last + 1
    return first, last


def parse_number(text: str, form: str = "") -> Decimal | None:
    """A number in one of the formats of the transformation registries, named without prefix and hyphens.

    >>> parse_number("1.234,5", "numcommadecimal"), parse_number("—", "fixedzero"), parse_number("two", "numwordsen")
    (Decimal('1234.5'), Decimal('0'), Decimal('2'))
    """
    if form.endswith(_ZERO):
        return Decimal(0)
    if form == "numwordsen":
        count = _number_words().get(text.strip().lower())
        return None if count is None else Decimal(count)
    mark = "," if form.endswith(_COMMA) else "."
    plain = re.sub(rf"[^\d{re.escape(mark)}]", "", text).replace(mark, ".")
    return Decimal(plain) if re.fullmatch(r"\d+(?:\.\d*)?|\.\d+", plain) else None


@cache
def _number_words() -> dict[str, int]:
    words = load_rules(__package__, "words.toml")["xbrl"]
    return {word: n for n, word in enumerate(words["numbers"].split())} | dict.fromkeys(words["nothing"].split(), 0)


def _local(element: Any) -> str:
    return element.tag.rpartition(":")[2] if isinstance(element.tag, str) else ""


def _texts(element: Any, *names: str) -> list[str]:
    return ["".join(e.itertext()).strip() for e in element.iter() if _local(e) in names]


def _context(element: Any) -> Context:
    first, last = _texts(element, "startdate"), _texts(element, "enddate", "instant")
    dimensions = tuple(
        (member.get("dimension", ""), " ".join("".join(member.itertext()).split()))
        for member in element.iter()
        if _local(member) in ("explicitmember", "typedmember")
    )
    return Context(_day(first), _day(last, closes=True), dimensions)


def _day(texts: Sequence[str], closes: bool = False) -> date | None:
    """A day; where a period ends at an hour, midnight is the end of the day before."""
    try:
        day = date.fromisoformat(texts[0][:10]) if texts else None
    except ValueError:
        return None
    midnight = closes and day is not None and texts[0][10:].startswith("T00:00:00")
    return day - timedelta(1) if day is not None and midnight else day


def _unit(element: Any) -> str:
    above: list[str] = []
    below: list[str] = []
    for child in element.iter():
        if _local(child) == "measure":
            name = "".join(child.itertext()).strip().rpartition(":")[2]
            (below if _local(child.getparent()) == "unitdenominator" else above).append(name)
    return "/".join("*".join(names) for names in (above, below) if names)
