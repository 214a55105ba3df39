"""Inline XBRL 1.1 in a parsed page: contexts, units and the tagged values, before they have offsets.

The HTML parser lowers the names of elements and attributes: ``ix:nonFraction`` is "ix:nonfraction" here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

from ....core.records import dataclass
from ....core.rules import load_rules
from ...document import TaggedValue
from ..assemble import Assembled
from ..block import Block
from .visible import visible_text

NUMBER, WORDS = "ix:nonfraction", "ix:nonnumeric"
_ZERO = ("zerodash", "fixedzero", "numdash")
"""Endings of formats for nothing at all."""
_COMMA = ("commadecimal", "dotcomma", "spacecomma", "numcomma")
"""Endings of formats whose decimal mark is a comma."""
_NUMBER_IN_WORDS = "numwordsen"
_DECIMAL = re.compile(r"\d+(?:\.\d*)?|\.\d+")


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
            for element in _named(resources, "context"):
                self.contexts.setdefault(element.get("id", ""), _context(element))
            for element in _named(resources, "unit"):
                self.units.setdefault(element.get("id", ""), _unit(element))
        for element in root.iter("ix:continuation"):
            self.continuations.setdefault(element.get("id", ""), element)

    def number(self, element: Any) -> Decimal | None:
        """The value of an ix:nonFraction as printed, with its sign; None for nil and for what is no number."""
        if element.get("xsi:nil") == "true":
            return None
        form = element.get("format", "").rpartition(":")[2].lower().replace("-", "")
        value = parse_number(visible_text(element), form)
        if value is None:
            return None
        return -value if element.get("sign") == "-" else value

    def whole_text(self, element: Any) -> str:
        """The text of an ix:nonNumeric with its continuations, in their order."""
        parts = [visible_text(element)]
        seen: set[str] = set()
        following = element.get("continuedat", "")
        while following in self.continuations and following not in seen:
            seen.add(following)
            element = self.continuations[following]
            parts.append(visible_text(element))
            following = element.get("continuedat", "")
        return " ".join(filter(None, parts))


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
    around = text[max(start, first - 1) : first] + text[last : min(end, last + 1)]
    is_in_brackets = around == "()"
    return (first - 1, last + 1) if is_in_brackets else (first, last)


def parse_number(text: str, form: str = "") -> Decimal | None:
    """A number in one of the formats of the transformation registries, named without prefix and hyphens.

    >>> parse_number("1.234,5", "numcommadecimal"), parse_number("—", "fixedzero"), parse_number("two", "numwordsen")
    (Decimal('1234.5'), Decimal('0'), Decimal('2'))
    """
    if form.endswith(_ZERO):
        return Decimal(0)
    if form == _NUMBER_IN_WORDS:
        return _number_words().get(text.strip().lower())
    mark = "," if form.endswith(_COMMA) else "."
    plain = re.sub(rf"[^\d{re.escape(mark)}]", "", text).replace(mark, ".")
    return Decimal(plain) if _DECIMAL.fullmatch(plain) else None


@cache
def _number_words() -> dict[str, Decimal]:
    words = load_rules(__package__, "words.toml")["xbrl"]
    numbers = {word: Decimal(number) for number, word in enumerate(words["numbers"].split())}
    return numbers | dict.fromkeys(words["nothing"].split(), Decimal(0))


def _context(element: Any) -> Context:
    return Context(
        first_day=_first_day(_texts(element, "startdate")),
        last_day=_last_day(_texts(element, "enddate", "instant")),
        dimensions=tuple(map(_dimension, _named(element, "explicitmember", "typedmember"))),
    )


def _dimension(member: Any) -> tuple[str, str]:
    """The axis and the member on it."""
    return member.get("dimension", ""), " ".join(_text(member).split())


def _first_day(texts: Sequence[str]) -> date | None:
    """The day that the first of the texts begins with; None where there is none."""
    if not texts:
        return None
    try:
        return date.fromisoformat(texts[0][:10])
    except ValueError:
        return None


def _last_day(texts: Sequence[str]) -> date | None:
    """The same for the end of a period: where it ends at an hour, midnight is the end of the day before."""
    day = _first_day(texts)
    if day is None:
        return None
    ends_at_midnight = texts[0][10:].startswith("T00:00:00")
    return day - timedelta(1) if ends_at_midnight else day


def _unit(element: Any) -> str:
    """A unit as it is read: "USD", "USD/shares"."""
    above: list[str] = []
    below: list[str] = []
    for measure in _named(element, "measure"):
        is_below = _local_name(measure.getparent()) == "unitdenominator"
        names = below if is_below else above
        names.append(_text(measure).rpartition(":")[2])
    products = ("*".join(above), "*".join(below))
    return "/".join(filter(None, products))


def _named(element: Any, *names: str) -> Iterator[Any]:
    """The elements inside with one of the local names, in order."""
    for inner in element.iter():
        if _local_name(inner) in names:
            yield inner


def _local_name(element: Any) -> str:
    """An element's name without its prefix; comments have none."""
    return element.tag.rpartition(":")[2] if isinstance(element.tag, str) else ""


def _texts(element: Any, *names: str) -> list[str]:
    return list(map(_text, _named(element, *names)))


def _text(element: Any) -> str:
    return "".join(element.itertext()).strip()


_TEXT_BLOCK = ("TextBlock", "Policy", "Abstract")
"""Endings of concepts that tag whole notes."""


def place_tags(xbrl: InlineXbrl, blocks: Sequence[Block], laid: Assembled) -> tuple[TaggedValue, ...]:
    """The tagged values that are seen, in order; ``blocks`` are those that were laid out, one a segment."""
    values: list[TaggedValue] = []
    for block, segment in zip(blocks, laid.segments, strict=True):
        values += _of_block(xbrl, block, laid.text, segment.start, segment.end)
    return tuple(values)


def _of_block(xbrl: InlineXbrl, block: Block, text: str, start: int, end: int) -> Iterator[TaggedValue]:
    """Values stand in the order of their elements; one inside another begins where that begins."""
    at = start
    for element in block.tags:
        place = shown_at(text, visible_text(element), at, end)
        if place is None:
            continue
        first, last = place
        has_nested = next(element.iterdescendants(NUMBER, WORDS), None) is not None
        at = first if has_nested else last
        value = _value(xbrl, element, text, place)
        if value is not None:
            yield value


def _value(xbrl: InlineXbrl, element: Any, text: str, place: tuple[int, int]) -> TaggedValue | None:
    """The tagged value that stands at a place in the text; None for whole notes and for what is no number."""
    concept = element.get("name", "")
    if concept.endswith(_TEXT_BLOCK):
        return None
    start, end = place
    number = None
    if element.tag == NUMBER:
        shown = text[start:end]
        number = xbrl.number(element)
        if number is None:
            return None
    else:
        shown = xbrl.whole_text(element)
    context = xbrl.contexts.get(element.get("contextref", ""), Context(None, None))
    return TaggedValue(
        concept=concept,
        start=start,
        end=end,
        text=shown,
        value=number,
        power=_power(element.get("scale", "0")),
        unit=xbrl.units.get(element.get("unitref", ""), ""),
        first_day=context.first_day,
        last_day=context.last_day,
        dimensions=context.dimensions,
    )


def _power(scale: str) -> int:
    try:
        return int(scale)
    except ValueError:
        return 0
