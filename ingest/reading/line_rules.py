"""Rules on single lines: what none may drop, lines that say nothing, labels of charts, boilerplate of filings."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache

from ...core.patterns import PatternTable
from ...core.rules import load_rules
from .block import PrintedLine

CLEANING = PatternTable(__package__, "cleaning.toml", field="patterns")
"""The patterns of each cleaning rule, by the rule's name."""

_LONGEST_PROTECTED = 160
"""Characters; unit lines and column heads are shorter."""


@lru_cache(maxsize=8192)
def is_protected(text: str) -> bool:
    """True for unit lines and column heads of periods: no rule may drop them.

    >>> is_protected("单位：元 币种：人民币"), is_protected("Year Ended December 31,"), is_protected("Apple Inc.")
    (True, True, False)
    """
    if len(text) >= _LONGEST_PROTECTED:
        return False
    return CLEANING.any("unit_line", text) or CLEANING.any("period_line", text)


_FEWEST_LETTERS = 8
"""A repeated line with fewer letters may be a value or a short label that is meant twice."""


def is_symbol_line(text: str) -> bool:
    """True for a line without a letter or digit; check boxes say something and stay.

    >>> is_symbol_line("______"), is_symbol_line("☒"), is_symbol_line("—")
    (True, False, True)
    """
    if any(map(str.isalnum, text)):
        return False
    return not CLEANING.any("exempt_symbol", text)


def symbol_lines(lines: Sequence[PrintedLine]) -> list[int]:
    """Positions of lines of symbols alone; a table's place is none."""
    return [at for at, line in enumerate(lines) if line.table is None and is_symbol_line(line.text)]


def repeated_lines(lines: Sequence[PrintedLine]) -> list[int]:
    """Positions of lines that say again what the line just before said; numbers may repeat, text seldom does."""
    repeated = []
    for at, (before, line) in enumerate(itertools.pairwise(lines), start=1):
        if before.text == line.text and _may_not_repeat(line.text):
            repeated.append(at)
    return repeated


def _may_not_repeat(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters >= _FEWEST_LETTERS and not is_protected(text)


_LONGEST_CAPTION = 180
_FEWEST_LABELS = 4
_LABEL = re.compile(r"^[($€£¥-]*\d[\d,.]*\s*[%xX倍)]*$")
_NOT_DIGIT = re.compile(r"[^\d.]")
_NUMBER = re.compile(r"(?!(?:19|20)\d\d$)\d+(?:\.\d+)?")
"""Any but a year: years stand in equal steps in every table."""


def is_caption(text: str) -> bool:
    """True for a chart's caption or source line."""
    return len(text) < _LONGEST_CAPTION and CLEANING.any("caption", text)


def axis_labels(texts: Sequence[str]) -> list[int]:
    """Positions of a chart's axis labels: four and more lines of single numbers in equal steps; years are none.

    >>> axis_labels(["Sales", "0%", "5%", "10%", "15%", "2021", "2020", "2019", "2018"])
    [1, 2, 3, 4]
    """
    values = list(map(_label_value, texts))
    steps = [after - before for before, after in itertools.pairwise(values)]
    labels: list[int] = []
    start = 0
    while start < len(values):
        end = _end_of_equal_steps(steps, start)
        if end - start >= _FEWEST_LABELS:
            labels += range(start, end)
        start = end
    return labels


def _label_value(text: str) -> float:
    """The number of a line that may be an axis label, one in brackets is negative; nan for any other line."""
    stripped = text.strip()
    if not _LABEL.match(stripped):
        return math.nan
    digits = _NOT_DIGIT.sub("", stripped).strip(".")
    if not _NUMBER.fullmatch(digits):
        return math.nan
    value = float(digits)
    return -value if stripped[0] in "(-" else value


def _end_of_equal_steps(steps: Sequence[float], start: int) -> int:
    """The end of the run of lines from ``start`` that are as far apart from each other: after ``start`` at least."""
    end = start
    while end < len(steps) and _is_same_step(steps[end], steps[start]):
        end += 1
    return end + 1


def _is_same_step(step: float, first: float) -> bool:
    """False also for no step at all, and next to a line without a number: nan is equal to nothing."""
    return step != 0 and abs(step - first) <= 1e-6 * max(1.0, abs(first))


_SHORTEST_DISCLAIMER = 60
_LONGEST_TITLE = 120
_LONGEST_BLOCK = 10
"""Lines of a contact block."""
_LONGEST_CONTACT_LINE = 90
_LINES_BETWEEN_CONTACTS = 3
"""Names and addresses may stand between two telephone numbers; more lines than these end the block."""


def boilerplate_rule(text: str, *, on_cover: bool, in_disclaimer: bool = False) -> str:
    """The name of the rule by which a paragraph is boilerplate; "" for one that is not.

    ``on_cover`` is true on the first pages, where filings print their check-mark sentences, ``in_disclaimer`` under
    the title of a disclaimer.
    """
    if on_cover and is_cover_boilerplate(text):
        return "cover boilerplate"
    if in_disclaimer or is_disclaimer(text):
        return "disclaimer"
    return ""


def is_disclaimer(text: str) -> bool:
    """True for a paragraph that limits liability and says nothing about the company."""
    if len(text) <= _SHORTEST_DISCLAIMER:
        return False
    lower = text.lower()
    has_word = any(word in lower for word in _disclaimer_words())
    return has_word and CLEANING.any("disclaimer", text)


@cache
def _disclaimer_words() -> tuple[str, ...]:
    """Words in lower case of which every disclaimer has one: looking for them is quicker than the patterns."""
    return tuple(load_rules(__package__, "cleaning.toml")["disclaimer"]["words"])


def is_disclaimer_title(text: str) -> bool:
    """True for a heading whose section is a disclaimer ("Safe Harbor", 免责声明)."""
    return len(text) < _LONGEST_TITLE and CLEANING.any("disclaimer_title", text.strip(" :：.•*"))


def is_cover_boilerplate(text: str) -> bool:
    """True for the check-mark sentences on the first pages of SEC filings."""
    return CLEANING.any("cover_boilerplate", text.strip())


def contact_block(texts: Sequence[str], start: int) -> int:
    """Lines from ``start`` that form a contact block: a title with telephone numbers or addresses below; 0 if none.

    >>> contact_block(["Investor Contact:", "Jane Doe", "jane@acme.com", "Sales rose."], 0)
    3
    """
    title, *following = texts[start : start + _LONGEST_BLOCK]
    if not CLEANING.any("contact_title", title.strip()):
        return 0
    length = int(CLEANING.any("contact_line", title))
    for count, text in enumerate(following, start=2):
        if len(text) > _LONGEST_CONTACT_LINE:
            break
        if CLEANING.any("contact_line", text):
            length = count
        elif length and count - length > _LINES_BETWEEN_CONTACTS:
            break
    return length
