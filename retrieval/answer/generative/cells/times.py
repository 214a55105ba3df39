"""The amounts of a sentence, of which time each is, and whether two figures may be of one time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import pairwise

from .....core.period import Period
from .....core.period_text import PeriodMention, find_periods, period_places
from .....core.quantity import Quantity, find_quantities, scale_power
from .....core.records import dataclass
from .....core.sequences import first as first_of
from .....core.sequences import without
from ..wording import WORDING

_BARE = re.compile(r"(?<![\w.,/-])\d{2,4}(?![\w/]|-(?!(?:day|week|month)\b)|[.,]\d)")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SPELLED = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})(?=\s(?:more|fewer|less)\b)", re.IGNORECASE)
"""The size of a change in words; other numbers in words are counts of things that a sentence lists."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DAY = re.compile(rf"\b{_MONTH}\s$|^\s{_MONTH}\b", re.IGNORECASE)
"""Before or behind the day of a date without a year: "June 30 and December 31, 2019"."""
_LONGEST_MONTH = 11
_SCALE_BEHIND = re.compile(r"\s?(thousand|million|billion)\b", re.IGNORECASE)
_CENTS = re.compile(r"\s?(?:cents?\b|¢)", re.IGNORECASE)
_OF_A_DOLLAR = re.compile(
    r"\s?(?:cents?|pence|¢)\s(?:of|in|on|from|for|out of)\s(?:the|each|every|a|one)\s"
    r"(?:\w{1,12}\s)?(?:dollar|euro|pound|yuan|yen)\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s{0,3}(?:to|[-–—至到~])\s{0,3}", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s(?:\w{2,13}\s)?[$€£]?$|[在介]于?$", re.IGNORECASE)
_OTHER_END = re.compile(r"\s{1,3}and\s{1,3}[$€£]?|[与和至]", re.IGNORECASE)
"""Around the first end of "between 500 and 520 million"."""


def figures_of(text: str) -> list[Quantity]:
    """The amounts of a sentence, with bare whole numbers ("914") that are no year and no date."""
    found = [_with_scale_behind(figure, text) for figure in find_quantities(text)]
    taken = [(figure.start, figure.end) for figure in found]
    taken += period_places(text)
    for match in _BARE.finditer(text):
        is_inside = any(start <= match.start() < end for start, end in taken)
        if not is_inside and not _YEAR.fullmatch(match[0]) and not _is_day(match):
            found.append(_bare(match))
    found.extend(_spelled(match) for match in _SPELLED.finditer(text))
    found = [_in_dollars(figure, text) for figure in found]
    return _with_range_units(sorted(found, key=lambda figure: figure.start), text)


def _spelled(match: re.Match[str]) -> Quantity:
    """ "Four fewer than in 2021"."""
    return Quantity(match[0], Decimal(_NUMBERS.index(match[0].lower()) + 2), start=match.start())


def _in_dollars(figure: Quantity, text: str) -> Quantity:
    """ "21 cents" is $0.21; of each dollar they are 21%."""
    if not figure.unit and _OF_A_DOLLAR.match(text, figure.end):
        return replace(figure, unit="%")
    if figure.unit or figure.scale != 1 or not _CENTS.match(text, figure.end):
        return figure
    return replace(figure, value=figure.value.scaleb(-2), unit="USD")


def _with_range_units(figures: Sequence[Quantity], text: str) -> list[Quantity]:
    """ "15 to 20 percent", "$60 million - 61 million": the ends of a range have one unit and one scale."""
    whole = list(figures)
    for place, (first, last) in enumerate(pairwise(figures)):
        if not is_range(first, last, text):
            continue
        scale = last.scale if first.scale == 1 else first.scale
        whole[place] = replace(first, unit=first.unit or last.unit, scale=scale)
        value = abs(last.value) if last.text.startswith(("-", "−", "–")) else last.value
        whole[place + 1] = replace(
            last, value=value, unit=last.unit or first.unit, scale=first.scale if last.scale == 1 else last.scale
        )
    return whole


def is_range(first: Quantity, last: Quantity, text: str) -> bool:
    """True where nothing but "to" or a dash stands between two figures of no other unit, or "between" them."""
    if len({first.unit, last.unit} - {""}) > 1:
        return False
    end = first.start + len(first.text)
    if _OTHER_END.fullmatch(text[end : last.start]):
        return _BETWEEN.search(text[: first.start]) is not None
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
    enclosed = text[match.start() - 1 : match.end() + 1] == f"({match[0]})"
    behind = _SCALE_BEHIND.match(text, match.end() + 1) if enclosed else None
    if behind is None:
        return Quantity(match[0], value, start=match.start())
    scale = Decimal(10) ** scale_power(behind[1])
    return Quantity(f"({match[0]})", -value, scale=scale, start=match.start() - 1)


def _with_scale_behind(figure: Quantity, text: str) -> Quantity:
    """ "(45.6) million": the scale stands behind the brackets of a negative figure."""
    behind = _SCALE_BEHIND.match(text, figure.end)
    if behind is None or figure.scale != 1:
        return figure
    return replace(figure, scale=Decimal(10) ** scale_power(behind[1]))


_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_CLAUSE = re.compile(
    r";|；|。|，|, (?:while|whereas|but|and|which)\b|\b(?:while|whereas|compared (?:with|to)|up from|down from)\b",
    re.IGNORECASE,
)
_OTHER_TIME = re.compile(r"\b(?:from|to|than)\b|[转变]为|[增降升减]至|较")
_IS_LABEL = re.compile(r"[:：]\s{0,3}")
"""Between a period and the figure that it heads."""
_FROM = re.compile(r"\bfrom\s$|[由从]$", re.IGNORECASE)
_ENDS_REACH = re.compile(r"\d|[;；:：)）]")
"""Between a period and a figure behind it that may be of another time."""
_NEXT_IN_LIST = re.compile(r"\)[^()]{0,60}[,;(]|, (?:and )?[A-Z][\w&.'’-]{1,30} ")
"""Something else begins behind a figure: "A (for $2 million), B and C (both in 2019)", "A for $2 million, B in 2019".
"""
_ENDS_CLAUSE = re.compile(r"[,;；，)]|\b(?:and|but|which)\b")
_LONGEST_ATTACHED = 60
_LEADS = 15
"""Characters of "For the year ended" before the period that a sentence begins with."""
_BEFORE, _BEHIND = 80, 40
"""Characters around a figure or a period that say what it is."""
_NEXT_FIGURE = re.compile(r"[,;，；\d]|\b(?:compared|versus|vs|over|than|from|against|up|down|flat)\b")
_SOME_TIME_OF = re.compile(
    r"\b(?:early|late|mid|(?<!year )(?<!months )(?<!quarter )(?<!weeks )(?:ended|closed|finished)"
    r"|(?:beginning|start|end|middle|course|(?:first|last) months|(?:each|every) (?:quarter|month)|quarters) of)"
    r"(?:\s(?:in|the year))?[\s-]$"
    r"|(?:年初|年中|年底)$",
    re.IGNORECASE,
)
_PARTS_OF_YEAR = ("quarter", "half", "nine months")
_SLASHES = frozenset("/／")
_AND = re.compile(r"\s{0,3}(?:,|and|&|, and|、|和|及)\s{0,3}(?:in |during |for )?")


@dataclass(frozen=True, slots=True)
class FigureTime:
    """When a figure of a sentence is of."""

    periods: tuple[Period, ...] = ()
    is_sure: bool = True
    """False where the period is only the last one that the sentence named before, among several."""
    said: tuple[Period, ...] = ()
    """All periods of the sentence that figures may be of."""
    dates: tuple[Period, ...] = ()
    """Dates beside the figure that are no time of it: "due February 2023", "the December 2020 plan"."""

    @property
    def years(self) -> set[int]:
        """The years of its periods; where they are not sure, of all that the sentence says."""
        possible = self.periods if self.is_sure else (*self.periods, *self.said)
        return set().union(*map(years_of, possible))


def times_agree(one: FigureTime, other: FigureTime) -> bool:
    """True where nothing speaks against one time: the periods agree, or one of them is not sure and may be another.

    >>> first = FigureTime((Period.parse("2022"),), False, (Period.parse("2021"), Period.parse("2022")))
    >>> times_agree(first, FigureTime((Period.parse("2021"),)))
    True
    """
    if same_time(one.periods, other.periods):
        return True
    if one.is_sure and other.is_sure:
        return False
    return not one.years.isdisjoint(other.years)


def same_time(claimed: Sequence[Period], printed: Sequence[Period]) -> bool:
    """True where a claimed period may be one of the printed ones, or nothing is known of either.

    >>> same_time([Period.parse("2019")], [Period.parse("December 31, 2019")])
    True
    >>> same_time([Period.parse("Q2 2019")], [Period.parse("2019")])
    False
    """
    if not claimed or not printed:
        return True
    return any(_agree(one, other) for one in claimed for other in _of_its_length(one, printed))


def _of_its_length(claimed: Period, printed: Sequence[Period]) -> Sequence[Period]:
    """Of "fiscal 2022, October 30, 2021" over a column the year, where a year is claimed; else all."""
    return [period for period in printed if period.unit == claimed.unit] or printed


def _agree(one: Period, other: Period) -> bool:
    if not years_of(one) & years_of(other):
        return False
    if one.is_instant and other.is_instant:
        return (one.last_day.year, one.last_day.month) == (other.last_day.year, other.last_day.month)
    if one.is_instant or other.is_instant or "span" in (one.unit, other.unit):
        return True
    if other.unit == "month":  # "repaid in the first quarter" of what was repaid in March
        return one.unit == "year" or (one.unit, one.number) in (
            ("quarter", (other.number + 2) // 3),
            ("month", other.number),
        )
    return (one.unit, one.number) == (other.unit, other.number)


def years_of(period: Period) -> set[int]:
    """Years by which it may be called: one that ends in the first weeks of a year is of the year before, too."""
    if period.unit == "span":
        return set(range(period.year, period.last_year + 1))
    years = {period.year}
    if period.end is not None:
        years.add(period.end.year)
        if period.end.month == 1:
            years.add(period.end.year - 1)
    return years


# --- the figures of a sentence


def times_of_figures(text: str, figures: Sequence[Quantity]) -> list[FigureTime]:
    """The time of each figure of a sentence: the period behind it before the next figure, else the last before it.

    With "respectively" the figures and the periods go in pairs. A sentence of one period gives it to all.
    """
    if not figures:
        return []
    mentions = [_as_meant(text, mention) for mention in _whole_years(text, find_periods(text))]
    paired = _in_pairs(text, figures, mentions)
    times = _same_within_ranges(text, figures, _times_one_by_one(text, figures, mentions))
    for place, figure in enumerate(paired):
        times[figures.index(figure)] = FigureTime((mentions[place % len(mentions)].period,))
    return times


def _whole_years(text: str, mentions: Sequence[PeriodMention]) -> list[PeriodMention]:
    """Without the first half of "2018/2019": a fiscal year is called by the year in which it ends."""
    halves = [one for one, other in pairwise(mentions) if text[one.end : other.start] in _SLASHES]
    return without(mentions, halves)


def _times_one_by_one(text: str, figures: Sequence[Quantity], mentions: Sequence[PeriodMention]) -> list[FigureTime]:
    passing = [mention for mention in mentions if _is_in_passing(text, mention)]
    timed = _with_shape(without(mentions, passing))
    ends = [*(figure.start for figure in figures[1:]), len(text)]
    times = []
    for figure, until in zip(figures, ends, strict=True):
        dates = _dates_behind(text, figure, until, passing) or _dates_ahead(text, figure, passing)
        times.append(replace(_time_of(text, figure, until, timed), dates=dates))
    return times


def _same_within_ranges(text: str, figures: Sequence[Quantity], times: Sequence[FigureTime]) -> list[FigureTime]:
    """Both ends of "5 to 7 million in 2023" are of one time; those of "from 5 to 7 million" need not be."""
    settled = list(times)
    for place, (first, last) in enumerate(pairwise(figures)):
        if is_range(first, last, text) and not _FROM.search(text[: first.start]):
            settled[place] = settled[place + 1]
    return settled


def _as_meant(text: str, mention: PeriodMention) -> PeriodMention:
    """ "Early 2023" is some time of that year, a day or a quarter of it, too."""
    period = mention.period
    if period.unit != "year" or not _SOME_TIME_OF.search(text[max(0, mention.start - _BEFORE) : mention.start]):
        return mention
    year = date(period.year, 12, 31)
    return replace(mention, period=replace(period, unit="span", end=year))


def _is_in_passing(text: str, mention: PeriodMention) -> bool:
    """True for a date that is no time of figures: when something falls due, or part of a name ("2025 Notes")."""
    before = text[max(0, mention.start - _BEHIND) : mention.start]
    return WORDING.any("passing_before", before) or WORDING.any("passing_behind", text[mention.end :][:_BEHIND])


def _dates_behind(text: str, figure: Quantity, until: int, passing: Sequence[PeriodMention]) -> tuple[Period, ...]:
    behind = [mention for mention in passing if figure.end <= mention.start < until]
    return tuple(mention.period for mention in behind if not _ENDS_CLAUSE.search(text[figure.end : mention.start]))


def _dates_ahead(text: str, figure: Quantity, passing: Sequence[PeriodMention]) -> tuple[Period, ...]:
    """Of "notes due 2026 amounted to" a figure, in whose clause no other figure stands before it."""
    ahead = [mention for mention in passing if mention.end <= figure.start]
    return tuple(mention.period for mention in ahead if not _ENDS_REACH.search(text[mention.end : figure.start]))


def _with_shape(mentions: Sequence[PeriodMention]) -> list[PeriodMention]:
    """A year beside one quarter is that quarter, too: "the three months ended June 30, 2023 against 5 in 2022"."""
    shapes = {(one.period.unit, one.period.number) for one in mentions if one.period.unit in _PARTS_OF_YEAR}
    if len(shapes) != 1:
        return list(mentions)
    unit, number = shapes.pop()
    found = []
    for mention in mentions:
        period = mention.period
        is_short = period.unit == "year" and mention.end - mention.start == len(str(period.year))
        found.append(replace(mention, period=Period(unit, period.year, number)) if is_short else mention)
    return found


def _in_pairs(text: str, figures: Sequence[Quantity], mentions: Sequence[PeriodMention]) -> Sequence[Quantity]:
    """The figures that go with the periods one by one: "5 and 7 in 2022 and 2021, respectively"; () where none do.

    Rates and amounts are told apart: the fair value of "the 4.625% notes was 5 and 7".
    """
    kinds = ([figure for figure in figures if (figure.unit == "%") is is_rate] for is_rate in (False, True))
    return first_of((chosen for chosen in (figures, *kinds) if _go_in_pairs(text, chosen, mentions)), ())


def _go_in_pairs(text: str, figures: Sequence[Quantity], mentions: Sequence[PeriodMention]) -> bool:
    """True for as many periods, together, as figures, or figures several times as many."""
    if len(mentions) < 2 or not figures or len(figures) % len(mentions):
        return False
    if not _RESPECTIVELY.search(text) and not _are_listed(text, figures, mentions):
        return False
    return not any(mentions[0].start < figure.start < mentions[-1].start for figure in figures)


def _are_listed(text: str, figures: Sequence[Quantity], mentions: Sequence[PeriodMention]) -> bool:
    """True for "$108 million and $611 million in 2022 and 2023", where nothing says "respectively"."""
    if len(figures) != len(mentions):
        return False
    between = [text[one.start + len(one.text) : other.start] for one, other in pairwise(figures)]
    between += [text[one.end : other.start] for one, other in pairwise(mentions)]
    return all(map(_AND.fullmatch, between))


def _time_of(text: str, figure: Quantity, until: int, mentions: Sequence[PeriodMention]) -> FigureTime:
    """The time of one figure, behind which the next one begins at ``until``."""
    said = tuple(mention.period for mention in mentions)
    labels = [mention for mention in mentions if _IS_LABEL.fullmatch(text[mention.end : figure.start])]
    if labels:  # "(2022: $4 million)"
        return FigureTime((labels[-1].period,), True, said)
    mentions = [mention for mention in mentions if _may_be_of(text, figure, mention)]
    behind = next((mention for mention in mentions if figure.end <= mention.start < until), None)
    if behind is not None and _is_attached(text[figure.end : behind.start]):
        return FigureTime((behind.period,), True, said)
    if is_compared(text, figure):
        return FigureTime((), True, said)
    if len(mentions) == 1:
        return FigureTime(_of_the_only(text, figure, behind, mentions[0]), True, said)
    ahead = _last_ahead(text, figure, mentions)
    if ahead is None:
        return FigureTime((), True, said)
    return FigureTime((ahead.period,), _reaches(text, ahead, figure), said)


def _may_be_of(text: str, figure: Quantity, mention: PeriodMention) -> bool:
    """False for a period that heads another figure, and for when the cause was of a change from this figure.

    "Fell to 91% from 98%, because in 2022 ...": what something changed from is older.
    """
    if text[mention.end : mention.end + 1] in (":", "："):
        return False
    return not (is_base(text, figure) and WORDING.any("cause", text[figure.end : mention.start]))


def _last_ahead(text: str, figure: Quantity, mentions: Sequence[PeriodMention]) -> PeriodMention | None:
    """The last period before a figure, but for those in brackets that do not hold it."""
    ahead = [mention for mention in mentions if mention.end <= figure.start]
    return next((mention for mention in reversed(ahead) if not _is_closed(text, mention, figure)), None)


def _of_the_only(text: str, figure: Quantity, behind: PeriodMention | None, only: PeriodMention) -> tuple[Period, ...]:
    """The only period of a sentence; none where it stands behind the figure, in another clause or comparison."""
    if only.start < figure.start:
        return (only.period,)
    in_other_clause = behind is None and _CLAUSE.search(text[figure.end :])
    if in_other_clause or WORDING.any("compared_with", text[: only.start][-_BEHIND:]):
        return ()
    return (only.period,)


def _reaches(text: str, mention: PeriodMention, figure: Quantity) -> bool:
    """True where a period before a figure is surely its own: no other figure between, nor a comma unless it leads."""
    between = text[mention.end : figure.start]
    if _ENDS_REACH.search(between):
        return False
    return "," not in between or mention.start <= _LEADS


def _is_attached(between: str) -> bool:
    """True where nothing but small words stands between a figure and the period behind it."""
    if len(between) >= _LONGEST_ATTACHED or _CLAUSE.search(between) or _NEXT_IN_LIST.search(between):
        return False
    return _OTHER_TIME.search(between) is None


def _is_closed(text: str, mention: PeriodMention, figure: Quantity) -> bool:
    """True for a period in brackets that do not hold the figure: "$5 million (2022: $4 million) and $7 million"."""
    between = text[mention.end : figure.start]
    closes = between.find(")")
    return closes >= 0 and "(" not in between[:closes]


def is_compared(text: str, figure: Quantity) -> bool:
    """True for a figure of "a year earlier": which one that is depends on what it is compared with."""
    before = text[max(0, figure.start - 30) : figure.start]
    around = text[max(0, figure.start - 30) : figure.end + _BEHIND]
    return is_aside(text, figure) or WORDING.any("compared", before) or WORDING.any("relative", around)


def is_aside(text: str, figure: Quantity) -> bool:
    """True for an amount alone in brackets, that of the time before: "$5 million at Home ($4 million)"."""
    if figure.unit == "%":
        return False
    end = figure.start + len(figure.text)
    is_inside = text[figure.start - 1 : end + 1] == f"({figure.text})"
    return is_inside or figure.text.startswith(("($", "(€", "(£"))


def is_base(text: str, figure: Quantity) -> bool:
    """True for a figure that another one is compared with: "up from $201", "$65 million a year earlier".

    What is said of the same thing once more, "$44.8 million or $0.58 per share", goes with it.
    """
    before, behind = text[max(0, figure.start - _BEFORE) : figure.start], text[figure.end : figure.end + _BEHIND]
    if WORDING.any("compared", before[-30:]) or WORDING.any("compared_far", before):
        return True
    ends = [behind[: match.start()] for match in WORDING.each("relative", behind)]
    return not all(_NEXT_FIGURE.search(end) or WORDING.any("compared_with", end) for end in ends)
