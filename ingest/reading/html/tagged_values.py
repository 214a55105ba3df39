"""Tagged elements -> values with offsets in the laid out text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...tagged import TaggedValue
from ..assemble import Assembled
from ..block import Block
from .inline_xbrl import NUMBER, WORDS, Context, InlineXbrl, shown_at
from .visible import visible_text

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
