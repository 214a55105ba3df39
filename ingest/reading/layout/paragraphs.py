"""Which lines belong to one paragraph or list, by what is usual on their page: what goes on, what starts anew."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from enum import Enum, auto

from ....core.records import dataclass
from ..block import PrintedLine
from ..line_rules import is_protected

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
_FEWEST_NUMBERS = 2
_NUMBER_SHARE = 0.3
"""Words of a row that are numbers, and their share."""


class LineStart(Enum):
    """How a line goes on after the line before it."""

    GOES_ON = auto()
    """With the same sentence or paragraph."""
    NEW_LINE = auto()
    """On a line of its own in the same paragraph or list."""
    NEW_BLOCK = auto()


def line_start(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> LineStart:
    """How ``line`` goes on after ``before``; ``geometry`` is that of the line's page."""
    neighbours = _Neighbours(before, line, geometry)
    for applies, start in _RULES:
        if applies(neighbours):
            return start
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


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """Two lines, one after the other in reading order: what the rules ask of them."""

    before: PrintedLine
    line: PrintedLine
    geometry: Geometry

    def change_type(self) -> bool:
        """Of another size, or bold after plain."""
        sizes_differ_by = abs(self.before.size - self.line.size)
        return sizes_differ_by > _SAME_SIZE or self.before.bold != self.line.bold

    def change_type_and_place(self) -> bool:
        return self.change_type() and self.stand_apart()

    def are_items(self) -> bool:
        return self.starts_item() and is_list_item(self.before.text)

    def starts_item(self) -> bool:
        return is_list_item(self.line.text)

    def run_over(self) -> bool:
        """A sentence runs over the end of the page or column."""
        if self.before.place == self.line.place:
            return False
        return _goes_on_elsewhere(self.before.text, self.line.text)

    def stand_apart(self) -> bool:
        """A gap, a column or a page lies between them, or their order turns back up the page."""
        line = self.line
        if self.before.place != line.place:
            return True
        step = line.bottom - self.before.bottom
        pitch = self.geometry.pitches.get(round(line.size), _USUAL_PITCH * line.height)
        return not -line.height <= step <= pitch + _GAP * line.height

    def keep_to_themselves(self) -> bool:
        """One of them is a row of a table that was not recognised, a unit line or a column head."""
        return _is_row_or_head(self.before) or _is_row_or_head(self.line)

    def break_early(self) -> bool:
        """The second line's first word would have fitted at the end of the first line."""
        before, line = self.before, self.line
        end_of_column = max(self.geometry.rights.get(before.place, 0.0), line.right)
        blank = 1
        return before.right + (blank + _first_unit(line.text)) * line.character_width < end_of_column

    def break_early_after_clause(self) -> bool:
        return self.clause_ended() and self.break_early()

    def clause_ended(self) -> bool:
        return _CLAUSE_END.search(self.before.text) is not None

    def indent_after_clause(self) -> bool:
        """The second line begins farther to the right, after the end of a clause."""
        indent = self.line.left - self.before.left
        return indent > _INDENT * self.line.size and self.clause_ended()


_RULES = (
    (_Neighbours.change_type_and_place, LineStart.NEW_BLOCK),
    (_Neighbours.change_type, LineStart.NEW_LINE),
    (_Neighbours.are_items, LineStart.NEW_LINE),
    (_Neighbours.starts_item, LineStart.NEW_BLOCK),
    (_Neighbours.run_over, LineStart.GOES_ON),
    (_Neighbours.stand_apart, LineStart.NEW_BLOCK),
    (_Neighbours.keep_to_themselves, LineStart.NEW_LINE),
    (_Neighbours.break_early_after_clause, LineStart.NEW_BLOCK),
    (_Neighbours.break_early, LineStart.NEW_LINE),
    (_Neighbours.indent_after_clause, LineStart.NEW_BLOCK),
)
"""In order: the first rule that applies says how the second line starts; without one it goes on."""


def _goes_on_elsewhere(before: str, after: str) -> bool:
    """True where a sentence that has not ended may go on with ``after``."""
    if ends_sentence(before):
        return False
    if HAN.match(before[-1:]):
        return len(before) > _LONG_CHINESE and HAN.match(after[:1]) is not None
    if after[:1].islower() or before.endswith((",", "-")):
        return True
    return len(before) > _LONG and after[:1] in "($"


def _is_row_or_head(line: PrintedLine) -> bool:
    return line.spaced or _is_row_of_numbers(line.text) or is_protected(line.text)


def _is_row_of_numbers(text: str) -> bool:
    if sum(map(str.isdigit, text)) < _FEWEST_NUMBERS:
        return False
    words = text.split()
    numbers = sum(map(_is_number, words))
    return numbers >= max(_FEWEST_NUMBERS, _NUMBER_SHARE * len(words))


def _is_number(word: str) -> bool:
    return _NUMBER.match(word) is not None


def _first_unit(text: str) -> int:
    """Characters that cannot be parted at the start of a line: one of Chinese, else a word with its blank."""
    if HAN.match(text):
        return 1
    first_word, _, _ = text.partition(" ")
    return len(first_word) + 1


_ALMOST = 2.0
"""A line that ends so many times its type size before the right end of its column still counts as full."""
_PITCH_REACH = 2.2
"""Heights of a line; base lines farther apart belong to different paragraphs."""
_OUTLIERS = 12
"""One line in so many may stick out to the right of its column."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """The right ends of a page's columns and the pitch of its lines, in points."""

    rights: dict[tuple[int, int], float]
    """Page and column -> where full lines end."""
    pitches: dict[int, float]
    """Type size -> the usual distance of two base lines in it."""

    @classmethod
    def of(cls, lines: Sequence[PrintedLine]) -> Geometry:
        """Learn what is usual from the page's lines, in reading order."""
        return cls(_right_ends(lines), _pitches(lines))

    def is_full(self, line: PrintedLine) -> bool:
        """True where the line reaches the right end of its column."""
        return line.right > self.rights[line.place] - _ALMOST * line.size

    def has_no_room(self, line: PrintedLine, following: str) -> bool:
        """True where the first word of the ``following`` line would not have fitted at the end of the line."""
        first_word, *_ = following.split(maxsplit=1)
        return line.right + line.character_width * (1 + len(first_word)) > self.rights[line.place]


def _right_ends(lines: Sequence[PrintedLine]) -> dict[tuple[int, int], float]:
    ends: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for line in lines:
        ends[line.place].append(line.right)
    rights = {}
    for place, values in ends.items():
        sticking_out = len(values) // _OUTLIERS
        rights[place] = sorted(values)[-1 - sticking_out]
    return rights


def _pitches(lines: Sequence[PrintedLine]) -> dict[int, float]:
    steps: defaultdict[int, list[float]] = defaultdict(list)
    for before, line in itertools.pairwise(lines):
        step = line.bottom - before.bottom
        is_near = 0 < step < _PITCH_REACH * line.height
        if is_near and before.place == line.place:
            steps[round(line.size)].append(step)
    return {size: _commonest(values) for size, values in steps.items()}


def _commonest(steps: Sequence[float]) -> float:
    """The commonest step, to half a point: paragraphs' gaps are rarer than lines'."""
    halves = Counter(round(step * 2) / 2 for step in steps)
    return halves.most_common(1)[0][0]
