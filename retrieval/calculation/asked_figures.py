"""The figures that a question asks for: of which periods, and how its operation combines them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from ...core.fact import Fact
from ...core.patterns import on_demand
from ...core.period import Period
from ...core.period_text import find_periods
from ...core.sequences import among
from ...kg.store import DocumentRecord
from ..question.figures.asked import Asked
from ..question.figures.operands import Operand, content_words
from .calculator import Calculator, MissingError, UnclearError
from .fact_choice.choosing import is_part
from .operations import combine, extreme
from .result import Figure, components_of, is_balance_of_day
from .selection import pick_periods, pick_rows

_STAFF = "employees"
_ROUNDED = 1
"""Percentage points by which rounded shares miss a hundred."""
_GUESSED = 0.5
"""Confidence of facts whose period no head states."""
_TOTAL = on_demand(r"\btotal\b|合计|总计", re.IGNORECASE)
_GROWTH = on_demand(
    r"\b(?:growth|change|comparable|comps?|like[- ]for[- ]like|lfl|same[- ]\w+|organic|constant[- ]currency)\b"
    r"|同店|同比|增长率|增速",
    re.IGNORECASE,
)
"""In the name of a percentage: it says how much something grew."""
_COMPARABLE = on_demand(r"\b(?:comparable|same[- ]store|like[- ]for[- ]like|organic)\b|同店", re.IGNORECASE)
"""Figures that are printed as their growth alone: their increase is the percentage itself."""
_AT_END = on_demand(
    r"\b(?:year|period)[- ]end\b|\bend of (?:the )?(?:year|fiscal|FY|20\d\d)|年末|期末|年底", re.IGNORECASE
)
"""Asks what stood in the books on the last day of a period."""
_TOGETHER = on_demand(r"\b(?:both|combined|altogether|together|across|between)\b", re.IGNORECASE)
_EVERY_PERIOD = on_demand(
    r"\b(?:all|both|each of)\s(?:the\s)?(?:\w{1,6}\s)?(?:(?:fiscal|financial)\s)?(?:years|periods|quarters|FYs)\b"
    r"|\bacross\s(?:the\s)?(?:\w{1,6}\s)?(?:years|periods|quarters)\b|各年|历年|各期",
    re.IGNORECASE,
)
"""Where no period is named: all for which the figure is known."""
_WHICH_QUARTER = on_demand(r"\bwhich (?:fiscal |financial )?quarter\b|哪一?个?季度", re.IGNORECASE)
_EACH_YEAR = on_demand(
    r"\b(?:annual(?!\s(?:reports?|filings?|10-?k))|yearly|(?:each|every|per|a) year|year[- ](?:over|on)[- ]year)\b"
    r"|每年|逐年",
    re.IGNORECASE,
)
"""Asks for what moved in each year of several; an annual report is a document."""
_BOTH = on_demand(r"\bboth\b", re.IGNORECASE)
"""Of the periods that are known the last two."""
_DEVELOPED = on_demand(r"\b(?:trend|develop|evol|histor|trajector)|变化|趋势|历年", re.IGNORECASE)
"""Asks for the course over all years; whether and why something moved is of the last two."""
_COMPARED_WITH = on_demand(
    r"\b(?:compar\w{1,5}\s(?:to|with)|versus|vs\.?|than|since|against|from)\s(?:[a-z’']{1,12}\s){0,3}$"
    r"|(?:与|和|跟|同|比|较|自|从)$",
    re.IGNORECASE,
)
"""Before a period that something is compared with."""
_LEFT_OPEN = ("which period", "average")
"""Operations over all periods that are known where none is named."""
_LAST = ("percent change", "change", "trend", "same")
"""Operations that look back one period where only one is named."""


def asked_figures(calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Figure]:
    """The figures, each with its components. Raises MissingError, UnclearError, IncomputableError."""
    if asked.due:
        return _falling_due(calculator, asked)
    periods = _periods(calculator, asked, records)
    if asked.formula is not None:
        return [calculator.defined(asked.formula, period) for period in periods]
    if asked.pick is not None:
        pick = pick_periods if asked.pick.over == "periods" else pick_rows
        return pick(calculator, asked, periods)
    calculate = _WAYS.get(asked.operation, _combined)
    figures = calculate(calculator, asked, periods)
    return [combine(asked.outer, figures)] if asked.outer else figures


def _stated(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """The figures themselves, each once; their sum where a total is asked that no row states."""
    figures: dict[object, Figure] = {}
    for operand in asked.operands:
        for figure in _over_or_at_end(calculator, asked, operand, periods):
            figures[figure.components or figure] = figure
    stated = list(figures.values())
    if _sums_up(asked, stated):
        return [combine("sum", stated)]
    return stated


def _falling_due(calculator: Calculator, asked: Asked) -> list[Figure]:
    """What falls due in the years asked: of a row by its words, for it is no balance of those years; else as named."""
    by_words = [replace(operand, name="", words=content_words(operand.text), due=True) for operand in asked.operands]
    try:
        figures = _stated(calculator, replace(asked, operands=tuple(by_words)), asked.due)
    except LookupError:
        figures = _stated(calculator, asked, asked.due)
    if any(map(is_balance_of_day, components_of(figures))):
        raise MissingError("what falls due")
    return figures


def _extreme(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    if _WHICH_QUARTER.search(asked.question.trimmed):
        periods = _quarters_of(periods)
    return [extreme(_over(calculator, asked.operands[0], periods), lowest=asked.lowest)]


def _quarters_of(periods: Sequence[Period]) -> list[Period]:
    """The four quarters of each year; quarters as they are."""
    quarters: list[Period] = []
    for period in periods:
        numbers = range(1, 5) if period.unit == "year" else [period.number]
        quarters += [Period("quarter", period.year, number, fiscal=True) for number in numbers]
    return quarters


def _between_ends(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """What moved from the first period to the last; as it is printed where a row of percentages says how it moved."""
    ends = [periods[0], periods[-1]]
    of_one = len(asked.periods) < 2
    found: list[Figure] = []
    for operand in asked.operands:
        may_be_printed = of_one and (asked.operation == "percent change" or _COMPARABLE.search(operand.text))
        stated = _printed_growth(calculator, operand, ends[-1]) if may_be_printed else None
        if stated is not None:
            found.append(stated)
        elif _EACH_YEAR.search(asked.question.trimmed):
            found += [combine(asked.operation, pair) for pair in pairwise(_over(calculator, operand, periods))]
        else:
            found.append(combine(asked.operation, _over(calculator, operand, ends)))
    return found


def _printed_growth(calculator: Calculator, operand: Operand, period: Period) -> Figure | None:
    """The printed percentage that is growth itself, by its name or by the words asked: "comparable sales".

    What is asked of growth is taken from a column of changes, which any other question passes over.
    """
    figure = calculator.figure(replace(operand, text=f"{operand.text} growth"), period)
    names = " | ".join((operand.text, *(heads(part.fact) for part in figure.components)))
    is_growth = figure.unit == "%" and not figure.formula and _GROWTH.search(names) is not None
    return figure if is_growth else None


def heads(fact: Fact) -> str:
    """What stands over and before a fact: its row with its sections, and its column."""
    return " | ".join((fact.label, *(member for _, member in fact.dimensions)))


def _sides(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """Two figures set against each other; the difference of one figure between two periods is its change."""
    if len(asked.operands) == 2:
        return _combined(calculator, asked, periods)
    is_change = asked.operation == "difference" and len(asked.operands) == 1
    if is_change and len(periods) == 2:
        return [combine("change", _over(calculator, asked.operands[0], periods))]
    raise MissingError("the two sides of the comparison")


def _shares(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """One figure as a share of another; as it is printed where a table states the shares of all parts."""
    if len(asked.operands) != 2:
        return _sides(calculator, asked, periods)
    return [_share(calculator, asked.operands, period) for period in periods]


def _share(calculator: Calculator, operands: Sequence[Operand], period: Period) -> Figure:
    """A part as a share of the whole, from the table of the whole where that states both.

    Raises UnclearError for a part in another unit than the whole, or for more than a whole that words narrow: it is of
    something else.
    """
    part_of, whole_of = operands
    try:
        whole = calculator.figure(whole_of, period)
    except LookupError:
        part = calculator.figure(part_of, period)
        if _is_share_of_whole(calculator, part):
            return part
        raise
    if part_of.name and whole_of.name and _is_of_part(whole, whole_of):
        text = f"{part_of.text} {whole_of.text.replace(whole_of.written, '')}"
        part_of = replace(part_of, words=(*part_of.words, *whole_of.words), text=text)
    part = _part(calculator, whole, part_of, whole_of, period)
    if _is_share_of_whole(calculator, part):
        return part
    is_more = whole_of.words and abs(part.number) > abs(whole.number)
    if is_more or part.unit != whole.unit:
        raise UnclearError(part_of.text)
    return combine("share", [part, whole])


def _part(calculator: Calculator, whole: Figure, part_of: Operand, whole_of: Operand, period: Period) -> Figure:
    """The figure of a part; one that names no figure of its own is of what the whole is: "subscription" of revenue."""
    part = _beside(calculator, whole, part_of, whole_of, period)
    metrics = ("", whole_of.name, whole.components[0].fact.metric)
    is_other = any(is_part(one.fact) and one.fact.metric not in metrics for one in part.components)
    if (is_other and not part_of.name) or part.components[0].fact.id == whole.components[0].fact.id:
        raise UnclearError(part_of.text)  # goodwill of a segment is none of its revenue
    return part


def _beside(calculator: Calculator, whole: Figure, part_of: Operand, whole_of: Operand, period: Period) -> Figure:
    if not part_of.name and whole_of.name and not whole_of.words:
        text = f"{part_of.text} {whole_of.written}"
        same = replace(part_of, text=text, name=whole_of.name, written=whole_of.written)
        with suppress(LookupError):
            return calculator.beside(whole, same, period)
    return calculator.beside(whole, part_of, period)


def _is_of_part(figure: Figure, operand: Operand) -> bool:
    """True for the figure of a segment or product where the question narrows a metric to it."""
    return any(is_part(part.fact) or part.fact.metric != operand.name for part in figure.components)


def _is_share_of_whole(calculator: Calculator, figure: Figure) -> bool:
    """True for a percentage that adds up to a hundred with the others of its column, with a total or without."""
    facts = [part.fact for part in figure.components]
    if len(facts) != 1 or facts[0].unit != "%" or facts[0].source_kind != "table":
        return False
    place = _column_of(facts[0])
    column = [fact for fact in calculator.book.all_facts if fact.unit == "%" and _column_of(fact) == place]
    total = sum((fact.value for fact in column if fact.value is not None), Decimal(0))
    return len(column) > 1 and any(abs(total - whole) <= _ROUNDED for whole in (100, 200))


def _column_of(fact: Fact) -> tuple[str, int | None, int | None]:
    return fact.source, fact.table, fact.column


def _combined(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """Several figures of each period, or one figure over all periods."""
    if len(asked.operands) == 1:
        return [combine(asked.operation, _over(calculator, asked.operands[0], periods))]
    combined: list[Figure] = []
    for period in periods:
        figures = [calculator.figure(operand, period) for operand in asked.operands]
        combined.append(combine(asked.operation, figures))
    return combined


_WAYS = {
    "value": _stated,
    "trend": _stated,
    "same": _stated,
    "sign": _stated,
    "which period": _extreme,
    "change": _between_ends,
    "percent change": _between_ends,
    "cagr": _between_ends,
    "share": _shares,
    "ratio": _sides,
    "difference": _sides,
}
"""Operation -> how its figures are calculated; all others combine what is named."""


def _over(calculator: Calculator, operand: Operand, periods: Sequence[Period]) -> list[Figure]:
    """The figure of each period. Raises UnclearError where one cell would be that of two years."""
    figures = _of_one_row(calculator, operand, periods)
    cells: dict[tuple[str, ...], int] = {}
    for period, figure in zip(periods, figures, strict=True):
        cell = tuple(part.fact.id for part in figure.components)
        if cell and cells.setdefault(cell, period.year) != period.year:
            raise UnclearError(operand.text)
    return figures


def _of_one_row(calculator: Calculator, operand: Operand, periods: Sequence[Period]) -> list[Figure]:
    """The figure of each period. Raises UnclearError where rows of several names state it, none of all periods."""
    figures = [calculator.figure(operand, period) for period in periods]
    names = [] if operand.name else _names_of_rows(figures)
    if len(names) < 2:
        return figures
    for name in names:
        found = [calculator.sure_figure(replace(operand, text=name, words=content_words(name)), at) for at in periods]
        of_one = list(filter(None, found))
        if len(of_one) == len(periods) and _names_of_rows(of_one) == [name]:
            return of_one
    raise UnclearError(operand.text)


def _names_of_rows(figures: Sequence[Figure]) -> list[str]:
    """The names of the rows that figures stand in, each once."""
    return list(dict.fromkeys(part.fact.own_label for figure in figures for part in figure.components))


def _over_or_at_end(calculator: Calculator, asked: Asked, operand: Operand, periods: Sequence[Period]) -> list[Figure]:
    """The figure of each period; what is asked "at year end" may stand under the day alone, or under its quarter."""
    try:
        return _over(calculator, operand, periods)
    except MissingError:
        if not _AT_END.search(asked.question.trimmed):
            raise
        return _over(calculator, operand, [Period.instant(period.last_day) for period in periods])


def _sums_up(asked: Asked, figures: Sequence[Figure]) -> bool:
    """ "The total X in 2018 and 2019" adds up what no row gives as a total."""
    is_of_one_thing = asked.operation == "value" and len(asked.operands) == 1
    if not is_of_one_thing or asked.respective or len(figures) < 2:
        return False
    text = asked.question.trimmed
    if not _TOTAL.search(text) or any(figure.unit == "%" for figure in figures):
        return False
    return not any(map(_is_total, figures)) or _TOGETHER.search(text) is not None


def _is_total(figure: Figure) -> bool:
    """True where a row of a total states a part of the figure."""
    return any(_TOTAL.search(part.fact.own_label) for part in figure.components)


def _periods(calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Period]:
    """The periods to look at: as asked, else the document's own; with the one before where that is meant."""
    periods = list(asked.periods)
    named = asked.operands or (tuple(asked.formula.operands.values()) if asked.formula else ())
    if named and _is_over_known_periods(asked):
        periods = _last(calculator.known_periods(named[0]), asked)
    if not periods:
        periods = _as_last_told(calculator, asked) or _own_periods(calculator, asked, records)
    if len(periods) == 1 and _looks_back(asked):
        return _up_to_own(periods[0], calculator, asked, records) or [periods[0].shifted(-1), periods[0]]
    return periods


def _last(known: list[Period], asked: Asked) -> list[Period]:
    """Those of the last years that are asked of; what moved over two years moved from the year before them."""
    if asked.last_years:
        return known[-(asked.last_years + (asked.over_time in _LAST)) :]
    return known[-2:] if _BOTH.search(asked.question.trimmed) else known


def _up_to_own(then: Period, calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Period]:
    """From the only period named to the documents' own, where the figure is compared with the one named; else none."""
    text = asked.question.trimmed
    mentions = find_periods(text)
    if not mentions or not _COMPARED_WITH.search(text, 0, mentions[0].start):
        return []
    try:
        own = _own_periods(calculator, asked, records)[-1]
    except MissingError:
        return []
    is_later = own.unit == then.unit and own.sort_key > then.sort_key
    return [then, own] if is_later else []


def _is_over_known_periods(asked: Asked) -> bool:
    """True where the question leaves open among which periods it chooses, or over which it takes the average."""
    if asked.pick is not None and asked.pick.over == "periods":
        return len(asked.periods) < 2
    if asked.periods or asked.over_time in _LEFT_OPEN:
        return not asked.periods
    text = asked.question.trimmed
    is_course = asked.over_time == "trend" and _DEVELOPED.search(text) is not None
    return asked.last_years > 0 or is_course or _EVERY_PERIOD.search(text) is not None


def _looks_back(asked: Asked) -> bool:
    """True where one period is named and the one before it is needed, too."""
    if asked.before or asked.over_time in _LAST:
        return True
    if asked.pick is not None and asked.pick.change:
        return True
    return asked.over_time == "average" and len(asked.operands) == 1


def _own_periods(calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Period]:
    """The period of the documents that fit best where they are of one and state the figure, as far as others might;
    else the only one that their figures have."""
    preference = calculator.book.preference
    own: list[Period] = []
    for record in records:
        fits_best = not preference.get(record.source)
        if fits_best and record.period:
            own.append(record.period)
    are_all = len(own) == len(records)
    if len({period.label for period in own}) == 1 and (are_all or _are_stated(calculator, asked, own[0])):
        return [_stated_part(calculator, asked, own[0])]
    return _only_periods(calculator, asked, several=bool(own))


def _stated_part(calculator: Calculator, asked: Asked, own: Period) -> Period:
    """The period itself; of a year the last quarter where rows that are no metric ("Average Order Value") state only
    quarters."""
    last = Period("quarter", own.year, 4, fiscal=True)
    may_be_last = own.unit == "year" and {operand.name for operand in asked.operands} == {""}
    is_last = may_be_last and not _are_stated(calculator, asked, own) and _are_stated(calculator, asked, last)
    return last if is_last else own


def _as_last_told(calculator: Calculator, asked: Asked) -> list[Period]:
    """The last day for which a number of shares or of staff is told: reports count them behind their own period."""
    counts = calculator.book.metrics.counts_shares
    of_day = asked.operation == "value" and all(
        operand.name == _STAFF or counts(operand.name) for operand in asked.operands
    )
    return _common_periods(calculator, asked.operands)[-1:] if of_day else []


def _are_stated(calculator: Calculator, asked: Asked, period: Period) -> bool:
    """True where every figure named is known of the period, and of the one before it where that is needed."""
    periods = [period.shifted(-1), period] if _looks_back(asked) else [period]
    return all(calculator.sure_figure(operand, at) for operand in asked.operands for at in periods)


def _only_periods(calculator: Calculator, asked: Asked, *, several: bool) -> list[Period]:
    """Where neither the question nor the documents say when: the one period of the figures, or the two to compare; of
    documents of several periods the last, years before parts of them."""
    if asked.pick is not None:
        return _newest(calculator, 2 if asked.pick.change else 1)
    common = _common_periods(calculator, asked.operands)
    needed = 2 if asked.over_time in _LAST else 1
    if several:
        years = [period for period in common if period.unit == "year"]
        common = (years or common)[-needed:]
    if len(common) != needed:
        raise MissingError("a period")
    return common


def _common_periods(calculator: Calculator, operands: Sequence[Operand]) -> list[Period]:
    """The periods for which every figure is known."""
    if not operands:
        return []
    common, *others = list(map(calculator.known_periods, operands))
    for known in others:
        common = among(common, known)
    return common


def _newest(calculator: Calculator, count: int) -> list[Period]:
    """The last periods that the tables of the documents state."""
    facts = [fact for fact in calculator.book.all_facts if fact.source_kind == "table"]
    sure = [fact for fact in facts if fact.confidence > _GUESSED]
    return calculator.book.periods_of(sure or facts, parts=True)[-count:]
