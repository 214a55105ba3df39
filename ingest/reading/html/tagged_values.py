"""Tagged elements -> values with offsets in the laid out text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...tagged import TaggedValue
from ..assemble import Assembled
from ..block import Block
from .inline_xbrl import NUMBER, Context, InlineXbrl, shown_at
from .visible import visible_text

_TEXT_BLOCK = ("TextBlock", "Policy", "Abstract")
"""Endings of concepts that tag whole notes."""


def place_tags(xbrl: InlineXbrl, blocks: Sequence[Block], laid: Assembled) -> tuple[TaggedValue, ...]:
    """The tagged values that are seen, in order; ``blocks`` are those that were laid out, one a segment."""
    return tuple(
        value
        for block, segment in zip(blocks, laid.segments, strict=True)
        for value in _of_block(xbrl, block, laid.text, segment.start, segment.end)
    )


def _of_block(xbrl: InlineXbrl, block: Block, text: str, start: int, end: int) -> Iterator[TaggedValue]:
    """Values stand in the order of their elements; one inside another begins where that begins."""
    at = start
    for element in block.tags:
        place = shown_at(text, visible_text(element), at, end)
        if place is None:
            continue
        nested = next(element.iterdescendants("ix:nonfraction", "ix:nonnumeric"), None) is not None
        at = place[0] if nested else place[1]
        value = _value(xbrl, element, text, place)
        if value is not None:
            yield value


def _value(xbrl: InlineXbrl, element: Any, text: str, place: tuple[int, int]) -> TaggedValue | None:
    concept = element.get("name", "")
    context = xbrl.contexts.get(element.get("contextref", ""), Context(None, None))
    number = xbrl.number(element) if element.tag == NUMBER else None
    if (number is None) == (element.tag == NUMBER) or concept.endswith(_TEXT_BLOCK):
        return None
    return TaggedValue(
        concept=concept,
        start=place[0],
        end=place[1],
        text=text[slice(*place)] if number is not None else xbrl.whole_text(element),
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
