"""Which lines belong to one paragraph or list: what goes on, what starts anew."""

from __future__ import annotations

import re
from enum import Enum, auto

from ..block import PrintedLine
from ..cleaning import is_protected
from .geometry import Geometry

HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
"""A Chinese character or sign."""

_BULLET = re.compile(r"^([•●▪■◦‣∙○➢➤◆◇□*]|[-–—]\s)\s*\S|^\(?([a-z]|[ivx]{1,4}|\d{1,2})\)\s")
_SENTENCE_END = re.compile(r"[.!?。！？：:；;][\"'”’)）]*$")
_CLAUSE_END = re.compile(r"[。！？：；.!?:][\"'”’)）]*$")
_NUMBER = re.compile(r"^[$€£¥(（-]*\d[\d,.]*[)%）]*$|^[—–-]+$")

_SAME_SIZE = 0.7
"""Points by which the type of one paragraph may differ from line to line."""
_USUAL_PITCH = 1.3
"""Heights of a line from base line to base line, where the page does not tell."""
_GAP = 0.35
"""Heights of a line on top of the pitch from which a gap parts two paragraphs."""
_INDENT = 0.9
"""Type sizes by which a first line is indented."""
_LONG_CHINESE = 20
_LONG = 40
"""Characters of a line that is more than a label: its sentence may run over the page."""
_NUMBER_SHARE = 0.3
"""Share of a row's words that are numbers, two at least."""


class LineStart(Enum):
    """How a line goes on after the line before it."""

    GOES_ON = auto()
    """With the same sentence or paragraph."""
    NEW_LINE = auto()
    """On a line of its own in the same paragraph or list."""
    NEW_BLOCK = auto()


def line_start(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> LineStart:
    """How ``line`` goes on after ``before``; ``geometry`` is that of the line's page."""
    if _is_other_type(before, line):
        return LineStart.NEW_BLOCK if _is_set_off(before, line, geometry) else LineStart.NEW_LINE
    if is_list_item(line.text):
        return LineStart.NEW_LINE if is_list_item(before.text) else LineStart.NEW_BLOCK
    if before.place != line.place:
        return LineStart.GOES_ON if _runs_over(before.text, line.text) else LineStart.NEW_BLOCK
    if _is_set_off(before, line, geometry):
        return LineStart.NEW_BLOCK
    if _keeps_to_itself(before) or _keeps_to_itself(line):
        return LineStart.NEW_LINE
    clause_ended = bool(_CLAUSE_END.search(before.text))
    if _ends_early(before, line, geometry):
        return LineStart.NEW_BLOCK if clause_ended else LineStart.NEW_LINE
    if clause_ended and _is_indented(before, line):
        return LineStart.NEW_BLOCK
    return LineStart.GOES_ON


def is_list_item(text: str) -> bool:
    """True for a line that starts with a bullet or (a), (1), (iv).

    >>> is_list_item("• Net sales rose"), is_list_item("(a) the merger"), is_list_item("-5.2")
    (True, True, False)
    """
    return bool(_BULLET.match(text))


def ends_sentence(text: str) -> bool:
    """True where the line ends as a sentence or a lead-in does.

    >>> ends_sentence("in 2023."), ends_sentence("as follows:"), ends_sentence("see the")
    (True, True, False)
    """
    return bool(_SENTENCE_END.search(text))


def _is_other_type(before: PrintedLine, line: PrintedLine) -> bool:
    return abs(before.size - line.size) > _SAME_SIZE or before.bold != line.bold


def _is_set_off(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> bool:
    """True where a gap, a column or a page lies between the lines, or their order turns back up the page."""
    if before.place != line.place:
        return True
    step = line.bottom - before.bottom
    pitch = geometry.pitches.get(round(line.size), _USUAL_PITCH * line.height)
    return not -line.height <= step <= pitch + _GAP * line.height


def _runs_over(before: str, after: str) -> bool:
    """True where a sentence runs over the page or column."""
    if ends_sentence(before):
        return False
    if HAN.match(before[-1:]):
        return len(before) > _LONG_CHINESE and HAN.match(after[:1]) is not None
    if after[:1].islower() or before.endswith((",", "-")):
        return True
    return len(before) > _LONG and after[:1] in "($"


def _keeps_to_itself(line: PrintedLine) -> bool:
    """True for rows of tables that were not recognised, for unit lines and for column heads."""
    return line.spaced or _is_row_of_numbers(line.text) or is_protected(line.text)


def _is_row_of_numbers(text: str) -> bool:
    if sum(map(str.isdigit, text)) < 2:
        return False
    words = text.split()
    numbers = sum(bool(_NUMBER.match(word)) for word in words)
    return numbers >= max(2, _NUMBER_SHARE * len(words))


def _ends_early(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> bool:
    """True where the next line's first word would have fitted at the end of the line before."""
    end_of_column = max(geometry.rights.get(before.place, 0.0), line.right)
    blank = 1
    return before.right + (_first_unit(line.text) + blank) * line.character_width < end_of_column


def _first_unit(text: str) -> int:
    """Characters that cannot be parted at the start of a line: one of Chinese, else a word with its blank."""
    if HAN.match(text):
        return 1
    return len(text.split(" ", 1)[0]) + 1


def _is_indented(before: PrintedLine, line: PrintedLine) -> bool:
    return line.left - before.left > _INDENT * line.size
