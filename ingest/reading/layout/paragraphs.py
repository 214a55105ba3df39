"""Lines -> paragraphs: what goes on, what starts anew, hyphens at line ends."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache

from ....core.rules import load_rules
from ..block import Piece, PrintedLine
from ..cleaning import is_protected

_BULLET = re.compile(r"^([•●▪■◦‣∙○➢➤◆◇□*]|[-–—]\s)\s*\S|^\(?([a-z]|[ivx]{1,4}|\d{1,2})\)\s")
_SENTENCE_END = re.compile(r"[.!?。！？：:；;][\"'”’)）]*$")
_CLAUSE_END = re.compile(r"[。！？：；.!?:][\"'”’)）]*$")
_NUMBER = re.compile(r"^[$€£¥(（-]*\d[\d,.]*[)%）]*$|^[—–-]+$")
_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_HYPHEN = re.compile(r"([^\W\d_]{2,})-$")
_WORD_START = re.compile(r"^([^\W\d_]+)")
_SOFT_HYPHEN = "\u00ad"


@cache
def _keeps_hyphen() -> frozenset[str]:
    """First parts of compounds that keep their hyphen ("long-term")."""
    return frozenset(load_rules(__package__, "hyphens.toml")["hyphen"]["keep"].split())


class Relation(Enum):
    """How a line stands to the one before it."""

    JOIN = auto()
    LINE = auto()
    """A new line of the same paragraph or list."""
    NEW = auto()


@dataclass(frozen=True, slots=True)
class Geometry:
    """What is usual on the page: right end of the lines of each column, distance of base lines by type size."""

    rights: dict[tuple[int, int], float]
    pitches: dict[int, float]

    @classmethod
    def of(cls, lines: Sequence[PrintedLine]) -> Geometry:
        ends: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
        steps: defaultdict[int, list[float]] = defaultdict(list)
        for line in lines:
            if line.box:
                ends[line.page, line.column].append(line.box[2])
        for before, line in itertools.pairwise(lines):
            if before.box and line.box and (before.page, before.column) == (line.page, line.column):
                step = line.box[3] - before.box[3]
                if 0 < step < 2.2 * (line.box[3] - line.box[1]):
                    steps[round(line.size)].append(step)
        rights = {place: sorted(values)[-1 - len(values) // 12] for place, values in ends.items()}
        return cls(rights, {size: _usual(values) for size, values in steps.items()})

    def is_full(self, line: PrintedLine) -> bool:
        """True where the line reaches the right end of its column."""
        return bool(line.box) and line.box[2] > self.rights[line.page, line.column] - 2 * line.size  # type: ignore[index]

    def has_no_room(self, line: PrintedLine, following: str) -> bool:
        """True where the first word of the ``following`` line would not have fitted at the end of the line."""
        if not line.box or not line.text:
            return False
        a_char = (line.box[2] - line.box[0]) / len(line.text)
        word = following.split(maxsplit=1)[0] if following.strip() else ""
        return line.box[2] + a_char * (1 + len(word)) > self.rights[line.page, line.column]


def _usual(steps: Sequence[float]) -> float:
    """The commonest step, to half a point: paragraphs' gaps are rarer than lines'."""
    return Counter(round(step * 2) / 2 for step in steps).most_common(1)[0][0]


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


def relation(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> Relation:
    """How ``line`` goes on after ``before``."""
    if abs(before.size - line.size) > 0.7 or before.bold != line.bold:
        return Relation.NEW if _gap_or_turn(before, line, geometry) else Relation.LINE
    if is_list_item(line.text):
        return Relation.LINE if is_list_item(before.text) else Relation.NEW
    if (before.page, before.column) != (line.page, line.column):
        return Relation.JOIN if _unfinished(before.text, line.text) else Relation.NEW
    if _gap_or_turn(before, line, geometry):
        return Relation.NEW
    if _is_row(before) or _is_row(line) or is_protected(before.text) or is_protected(line.text):
        return Relation.LINE
    if _ends_early(before, line, geometry):
        return Relation.NEW if _CLAUSE_END.search(before.text) else Relation.LINE
    if _is_indented(before, line) and _CLAUSE_END.search(before.text):
        return Relation.NEW
    return Relation.JOIN


def _gap_or_turn(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> bool:
    if (before.page, before.column) != (line.page, line.column) or not before.box or not line.box:
        return True
    height = line.box[3] - line.box[1]
    step = line.box[3] - before.box[3]
    usual = geometry.pitches.get(round(line.size), 1.3 * height)
    return step > usual + 0.35 * height or step < -height


def _unfinished(before: str, after: str) -> bool:
    """True where a sentence runs over the page or column."""
    if _SENTENCE_END.search(before):
        return False
    if _HAN.match(before[-1:]):
        return bool(_HAN.match(after[:1])) and len(before) > 20
    return after[:1].islower() or before.endswith((",", "-")) or (after[:1] in "($" and len(before) > 40)


def _is_row(line: PrintedLine) -> bool:
    """True for a line that looks like a row of a table that was not recognised."""
    if line.spaced:
        return True
    if sum(map(str.isdigit, line.text)) < 2:
        return False
    words = line.text.split()
    numbers = sum(bool(_NUMBER.match(word)) for word in words)
    return numbers >= 2 and numbers >= 0.3 * len(words)


def _ends_early(before: PrintedLine, line: PrintedLine, geometry: Geometry) -> bool:
    """True where the next line's first word would have fitted at the end of the line before."""
    if not before.box or not line.box or not line.text:
        return False
    right = max(geometry.rights.get((before.page, before.column), 0.0), line.box[2])
    per_char = (line.box[2] - line.box[0]) / len(line.text)
    first = 1 if _HAN.match(line.text) else len(line.text.split(" ", 1)[0]) + 1
    return before.box[2] + (first + 1) * per_char < right


def _is_indented(before: PrintedLine, line: PrintedLine) -> bool:
    return bool(before.box and line.box) and line.box[0] - before.box[0] > 0.9 * line.size  # type: ignore[index]


def joint(before: str, after: str) -> str:
    """What stands between two lines of one sentence: nothing after a hyphen or between Chinese, else a blank.

    >>> joint("归属于上市公司股东", "的净利润"), joint("net", "sales"), joint("long-", "term")
    ('', ' ', '')
    """
    if before.endswith(_SOFT_HYPHEN) or (before.endswith("-") and _WORD_START.match(after) and before[-2:-1].isalpha()):
        return ""
    return "" if _HAN.match(before[-1:]) and _HAN.match(after[:1]) else " "


class Joiner:
    """Joins lines to pieces; knows the document's words, so that a hyphen at a line's end is undone or kept."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts
        self._words: frozenset[str] | None = None

    def pieces(self, lines: Sequence[tuple[PrintedLine, Relation]]) -> tuple[Piece, ...]:
        """One piece a line; the first line's relation is ignored."""
        result: list[Piece] = []
        for index, (line, how) in enumerate(lines):
            follower = lines[index + 1] if index + 1 < len(lines) else None
            text = line.text.replace(_SOFT_HYPHEN, "") if not line.text.endswith(_SOFT_HYPHEN) else line.text
            between = joint(lines[index - 1][0].text, text) if index and how is Relation.JOIN else "\n"
            if follower and follower[1] is Relation.JOIN and self.is_broken_word(text, follower[0].text):
                text = text[:-1]
            result.append(Piece(text.replace(_SOFT_HYPHEN, ""), line.page, line.box, between))
        return tuple(result)

    def is_broken_word(self, before: str, after: str) -> bool:
        """True where the hyphen at the end of ``before`` was put there by the line break alone."""
        if before.endswith(_SOFT_HYPHEN):
            return True
        head, tail = _HYPHEN.search(before), _WORD_START.match(after)
        if not head or not tail or not tail[1].islower():
            return False
        first, second = head[1].lower(), tail[1].lower()
        if first + second in self._vocabulary:
            return True
        return (
            first not in _keeps_hyphen()
            and f"{first}-{second}" not in self._vocabulary
            and not before[: head.start()].endswith("-")
        )

    @property
    def _vocabulary(self) -> frozenset[str]:
        if self._words is None:
            found = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
            self._words = frozenset(word.lower() for text in self._texts for word in found.findall(text))
        return self._words
