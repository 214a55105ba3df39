"""The figures of sentences as cells, with the period that each is of; values that stand alone on their line, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from ....core.period import Period
from ....core.period_text import PeriodMention, find_periods
from ....core.quantity import Quantity, find_quantities, scale_power
from ....core.words import search_words
from ....ingest.sentences import split_text
from .cell import Cell
from .table_scale import scale_of_lines

_BARE = re.compile(r"(?<![\w.,/-])\d{2,4}(?![\w/-]|[.,]\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY = re.compile(rf"\b{_MONTH}\s$|^\s{_MONTH}\b", re.IGNORECASE)
"""Before or behind the day of a date without a year: "June 30 and December 31, 2019"."""
_LONGEST_MONTH = 11
_SCALE_BEHIND = re.compile(r"\s?(thousand|million|billion)\b", re.IGNORECASE)
_OF_NO_FIGURE = re.compile(r"[^\s$€£¥()\d.,%—–-]")
_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_CLAUSE = re.compile(
    r";|；|。|，|, (?:while|whereas|but|and|which)\b|\b(?:while|whereas|compared (?:with|to)|up from|down from)\b",
    re.IGNORECASE,
)
_OTHER_TIME = re.compile(r"\b(?:from|to|than)\b")
_LONGEST_ATTACHED = 60
_RELATIVE = re.compile(
    r"\b(?:a|one|the) year (?:earlier|before|ago)"
    r"|\b(?:prior|previous|preceding|last)[ -](?:year|quarter|period)|上年|上期|去年|年初",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:from|versus|vs\.?|against|compared (?:with|to)|than)\W{1,3}[$€£¥A-Z]{0,3}$"
    r"|(?:较|(?<![同环])比|由|从)[^，。]{0,6}$",
    re.I,
)
"""Before a figure of another time than the one that the sentence names."""
_RANGE = re.compile(r"\s{0,3}(?:to|[-–—至到~])\s{0,3}", re.IGNORECASE)
_NEXT_FIGURE = re.compile(r"[,;，；\d]|\b(?:compared|versus|vs|over|than|from|against|up|down|flat)\b")
_COMPARED_FAR = re.compile(
    r"(?:\b(?:up|down|increas\w{0,3}|decreas\w{0,3}|rose|fell|grew|declin\w{1,3}|higher|lower|improv\w{1,5})\s(?:\w{1,9}\s)?from"
    r"|\b(?:compar(?:ed|es|ing) (?:with|to)|versus|vs\.?|than|over (?:the|last|prior)))"
    r"\s(?:[^\s,;\d]{1,20}\s|(?:19|20)\d\d\s){0,8}(?:[$€£¥]?\d[\d.,]{0,12}\s(?:(?:million|billion|thousand)\s)?or\s)?$",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s$|[由从]$", re.IGNORECASE)
_COMPARED_WITH = re.compile(
    r"\b(?:compar(?:ed|ing|ison) (?:with|to)|versus|vs\.?|over|against|than|relative to|from)\s(?:\w{1,12}[\s-]){0,3}$"
    r"|(?:较|(?<![同环])比|由|从)$",
    re.IGNORECASE,
)
"""Before a period that others are compared with."""
_WORDS_OF_LAST = 2
_AND = re.compile(r",?\s(?:and|&)\s|,\s|、|和|及")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of figures with the words of the last line above it that has some."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class _Apart:
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


def prose_cells(text: str) -> Iterator[Cell]:
    """The figures of a text without tables, in order."""
    stacked = list(_stacked_lines(text))
    for sentence in split_text(text, shortest=0, longest=10_000):
        said = text[sentence.start : sentence.end]
        figures = figures_of(said)
        apart = _told_apart(said, figures)
        words = frozenset(search_words(said)) if figures else frozenset()
        for figure, periods, named in zip(figures, periods_of_figures(said, figures), apart, strict=True):
            start = sentence.start + figure.start
            end = start + len(figure.text)  # "$" may stand on a line of its own
            line = next((line for line in stacked if line.start < end <= line.end), None)
            if line is not None:
                yield _stacked_cell(figure, start, line, text)
            else:
                yield _said_cell(figure, start, said, words, periods, named)


def _said_cell(
    figure: Quantity, start: int, said: str, words: frozenset[str], periods: tuple[Period, ...], named: _Apart
) -> Cell:
    is_row = " | " in said  # a row of a table that is quoted alone, without its head
    is_plain = figure.scale == 1 and (is_row or not figure.unit)
    return Cell(
        figure.value, None if is_plain else figure.scale, figure.unit, figure.text, start, start + len(figure.text),
        said, words, periods=periods, is_stacked=is_row, own=named.own, others=named.others,
    )  # fmt: skip


def _stacked_cell(figure: Quantity, start: int, line: _Line, text: str) -> Cell:
    """Its column, and so its period, is not known; its scale may be said in a line of units."""
    scale, currency = scale_of_lines((), "", text)
    is_rate = figure.unit == "%"
    return Cell(
        figure.value, Decimal(1) if is_rate else scale, figure.unit or currency, figure.text, start,
        start + len(figure.text), line.label, frozenset(search_words(line.label)), is_stacked=True,
    )  # fmt: skip


def _stacked_lines(text: str) -> Iterator[_Line]:
    at, label = 0, ""
    for line in text.splitlines(keepends=True):
        if _has_figures_alone(line):
            yield _Line(at, at + len(line), label)
        elif any(char.isalpha() for char in line):
            label = line.strip()
        at += len(line)


def _has_figures_alone(line: str) -> bool:
    """True for what a PDF leaves of a row of a table."""
    return not _OF_NO_FIGURE.search(line) and any(char.isdigit() for char in line)


def _told_apart(said: str, figures: Sequence[Quantity]) -> list[_Apart]:
    """Of "A and B were 5 and 7, respectively": for each figure the words that only it is said of, and the others' own.

    The words behind the last thing named are of all: "federal and state tax credits were".
    """
    nothing = [_Apart() for _ in figures]
    if len(figures) < 2 or not _RESPECTIVELY.search(said):
        return nothing
    parts = _AND.split(said[: figures[0].start])[-len(figures) :]
    if len(parts) != len(figures) or find_periods(" ".join(parts)):
        return nothing
    parts[-1] = " ".join(parts[-1].split()[:_WORDS_OF_LAST])
    named = [frozenset(search_words(part)) for part in parts]
    shared = frozenset.intersection(*named)
    found = []
    for own in named:
        rest = frozenset().union(*named) - own
        found.append(_Apart(own - shared, rest))
    return found


def figures_of(text: str) -> list[Quantity]:
    """The amounts of a sentence, with bare whole numbers ("914") that are no year and no date."""
    found = [_with_scale_behind(figure, text) for figure in find_quantities(text)]
    taken = [(figure.start, figure.end) for figure in found]
    taken += [(mention.start, mention.end) for mention in find_periods(text)]
    for match in _BARE.finditer(text):
        is_inside = any(start <= match.start() < end for start, end in taken)
        if not is_inside and not _YEAR.fullmatch(match[0]) and not _is_day(match):
            found.append(_bare(match))
    return _with_range_units(sorted(found, key=lambda figure: figure.start), text)


def _with_range_units(figures: Sequence[Quantity], text: str) -> list[Quantity]:
    """ "15 to 20 percent", "$60 million - 61 million": the ends of a range have one unit and one scale."""
    whole = list(figures)
    for place, (first, last) in enumerate(pairwise(figures)):
        if not _is_range(first, last, text):
            continue
        scale = last.scale if first.scale == 1 else first.scale
        whole[place] = replace(first, unit=first.unit or last.unit, scale=scale)
        value = abs(last.value) if last.text.startswith(("-", "−", "–")) else last.value
        whole[place + 1] = replace(
            last, value=value, unit=last.unit or first.unit, scale=first.scale if last.scale == 1 else last.scale
        )
    return whole


def _is_range(first: Quantity, last: Quantity, text: str) -> bool:
    """True where nothing but "to" or a dash stands between two figures of no other unit."""
    if first.unit and last.unit and first.unit != last.unit:
        return False
    end = first.start + len(first.text)
    return _RANGE.fullmatch(text[end : last.start]) is not None or _is_dashed(text[end : last.start], last)


def _is_dashed(between: str, last: Quantity) -> bool:
    return not between.strip() and last.text.startswith(("-", "−", "–"))


def _is_day(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - _LONGEST_MONTH) : match.start()]
    behind = match.string[match.end() : match.end() + _LONGEST_MONTH]
    return len(match[0]) <= 2 and (_DAY.search(before) is not None or _DAY.search(behind) is not None)


def _bare(match: re.Match[str]) -> Quantity:
    """A whole number without a sign of its own; "(168) million" is negative and has its scale behind the brackets."""
    text, value = match.string, Decimal(match[0])
    enclosed = text[match.start() - 1 : match.start()] == "(" and text[match.end() : match.end() + 1] == ")"
    behind = _SCALE_BEHIND.match(text, match.end() + 1) if enclosed else None
    if behind is None:
        return Quantity(match[0], value, start=match.start())
    scale = Decimal(10) ** scale_power(behind[1])
    return Quantity(f"({match[0]})", -value, scale=scale, start=match.start() - 1)


def _with_scale_behind(figure: Quantity, text: str) -> Quantity:
    """ "(45.6) million": the scale stands behind the brackets of a negative figure."""
    behind = _SCALE_BEHIND.match(text, figure.end)
    if behind is None or figure.scale != 1 or not figure.text.endswith(")"):
        return figure
    return replace(figure, scale=Decimal(10) ** scale_power(behind[1]))


def periods_of_figures(text: str, figures: Sequence[Quantity]) -> list[tuple[Period, ...]]:
    """The period of each figure of a sentence: the one behind it before the next figure, else the last before it.

    With "respectively" the figures and the periods go in pairs. A sentence of one period gives it to all.
    """
    mentions = [mention for mention in find_periods(text) if not _is_within(mention, figures)]
    if not mentions or not figures:
        return [()] * len(figures)
    if _go_in_pairs(text, figures, mentions):
        return [(mentions[place % len(mentions)].period,) for place in range(len(figures))]
    ends = [figure.start for figure in figures[1:]] + [len(text)]
    periods = [_period_of(text, figure, until, mentions) for figure, until in zip(figures, ends, strict=True)]
    for place, (first, last) in enumerate(pairwise(figures)):
        if _is_range(first, last, text) and not _FROM.search(text[: first.start]):
            periods[place] = periods[place + 1]
    return periods


def _go_in_pairs(text: str, figures: Sequence[Quantity], mentions: Sequence[PeriodMention]) -> bool:
    """True for "5 and 7 in 2022 and 2021, respectively": as many periods, together, as figures."""
    if len(mentions) < 2 or len(figures) % len(mentions) or not _RESPECTIVELY.search(text):
        return False
    return not any(mentions[0].start < figure.start < mentions[-1].start for figure in figures)


def _is_within(mention: PeriodMention, figures: Sequence[Quantity]) -> bool:
    return any(figure.start <= mention.start < figure.end for figure in figures)


def _period_of(text: str, figure: Quantity, until: int, mentions: Sequence[PeriodMention]) -> tuple[Period, ...]:
    """The period of one figure, behind which the next one begins at ``until``."""
    behind = next((mention for mention in mentions if figure.end <= mention.start < until), None)
    heads_the_next = behind is not None and text[behind.end : behind.end + 1] == ":"
    if behind is not None and not heads_the_next and _is_attached(text[figure.end : behind.start]):
        return (behind.period,)
    if len(mentions) == 1:
        is_of_others = mentions[0].start > figure.start and _COMPARED_WITH.search(text[: mentions[0].start][-40:])
        return () if is_of_others else _unless_relative(text, figure, (mentions[0].period,))
    ahead = [mention.period for mention in mentions if mention.end <= figure.start]
    return _unless_relative(text, figure, tuple(ahead[-1:]))


def _is_attached(between: str) -> bool:
    """True where nothing but small words stands between a figure and the period behind it."""
    if len(between) >= _LONGEST_ATTACHED or _CLAUSE.search(between):
        return False
    return _OTHER_TIME.search(between) is None


def _unless_relative(text: str, figure: Quantity, periods: tuple[Period, ...]) -> tuple[Period, ...]:
    """Nothing for a figure of "a year earlier": which one that is depends on what it is compared with."""
    before = text[max(0, figure.start - 30) : figure.start]
    around = text[max(0, figure.start - 30) : figure.end + 40]
    return () if _COMPARED.search(before) or _RELATIVE.search(around) else periods


def is_base(text: str, figure: Quantity) -> bool:
    """True for a figure that another one is compared with: "up from $201", "$65 million a year earlier".

    What is said of the same thing once more, "$44.8 million or $0.58 per share", goes with it.
    """
    before, behind = text[max(0, figure.start - 80) : figure.start], text[figure.end : figure.end + 40]
    if _COMPARED.search(before[-30:]) or _COMPARED_FAR.search(before):
        return True
    said = _RELATIVE.search(behind)
    return said is not None and not _NEXT_FIGURE.search(behind[: said.start()])
