"""Answers a question in numbers from the facts of the store, or declines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ...core.period import Period
from ...core.scope import Scope
from ...kg.store import DocumentRecord, Store
from ...kg.timeline import public_by
from ..question.figures.asked import Asked
from ..question.figures.llm_parser import Reading
from ..question.figures.operands import Operand, content_words
from ..question.figures.request import read_numbers, single_periods
from ..question.plan import QuestionPlan, understand
from ..question.question import Question
from ..question.scope.figure_documents import of_companies
from ..question.vocabulary.expression import IncomputableError
from ..question.vocabulary.formulas import FormulaList
from ..question.vocabulary.vocabulary import Vocabulary
from ..search.index.corpus import corpus_of
from .arithmetic.calculator import Calculator, MissingError, UnclearError
from .arithmetic.comparison import write_between
from .arithmetic.operations import combine, extreme
from .arithmetic.series import metric_series
from .fact_choice.book import FactBook
from .fact_choice.choosing import lacks_scale
from .fact_choice.row_matching import Row
from .fact_choice.selection import pick_periods, pick_rows
from .formatting import Numbering, describe_cell, shown_number, shown_value, write_figure, write_verdict
from .notes import write_notes
from .result import Figure, NumberAnswer, Outcome

_MOST_FIGURES = 12
_GUESSED = 0.5
"""Confidence of facts whose period no head states."""
_TOTAL = re.compile(r"\btotal\b|合计|总计", re.IGNORECASE)
_TOGETHER = re.compile(r"\b(?:both|combined|altogether|together|across|between)\b", re.IGNORECASE)
_RELATIVE = ("%", "x", "days")
"""Units of figures that stay the same in whatever scale both sides are printed."""
_TWO_SIDES = ("share", "ratio", "difference")
_SAYS_AVERAGE = re.compile(r"average|平均")
_SAYS_AND = re.compile(r"\band\b|&|,|和|及|与|、")
_SAYS_CALCULATED = re.compile(r"average|\bmean\b|rate|ratio|\b(?:in|de)crease|\bchange|平均|变动")
_LAST = ("percent change", "change", "trend", "same")
"""Operations that look back one period where only one is named."""


def answer_numbers(plan: QuestionPlan) -> NumberAnswer | None:
    """The answer in numbers, every component cited; None where the facts do not give one beyond doubt."""
    return explain_numbers(plan).answer


def explain_numbers(plan: QuestionPlan, reading: Reading | None = None) -> Outcome:
    """As :func:`answer_numbers`, with what was understood and, where it declines, why.

    ``reading`` names the figures where a model has read the question.
    """
    formulas, own, groups = plan.vocabulary.formulas, plan.figure_documents, plan.figure_groups
    asked = plan.figures if reading is None else reading.applied(plan.figures, formulas)
    if asked.route in ("text", "general"):
        return Outcome(asked, declined=asked.reason)
    if asked.statistic is not None:
        from .arithmetic.aggregates import answer_statistic

        is_within = plan.scope is not None and not plan.scope.is_open
        return answer_statistic(plan.store, asked, formulas, plan.selection.sources if is_within else None)
    if not own:
        reason = "too many documents may be meant" if plan.selection.sources else "no document fits"
        return Outcome(asked, declined=reason)
    if 1 < len(groups) <= _MOST_FIGURES:
        outcome = _each(plan, asked)
    else:
        outcome = _answer(_book(plan, own), asked, own, formulas)
    return replace(outcome, sources=tuple(record.source for record in own))


def calculate_figure(
    store: Store,
    what: str,
    vocabulary: Vocabulary,
    *,
    companies: Sequence[str] = (),
    periods: Sequence[Period] = (),
) -> Outcome:
    """A figure by its name: a metric, a formula, "growth of revenue".

    Without a period, that of the documents; declined where they are of several, since any may be meant.
    """
    question = " ".join((what, *(period.label for period in periods)))
    scope = Scope(companies=tuple(companies)) if companies else None
    plan = understand(question, store, corpus_of(store).catalogue, vocabulary, scope)
    catalogue, formulas = plan.catalogue, vocabulary.formulas
    records = [catalogue.by_source[source] for source in plan.selection.sources]
    own = of_companies(catalogue, records, companies)
    asked = replace(read_numbers(plan.asked, _names(own), formulas), statistic=None, route="calculation")
    if not own:
        return Outcome(asked, declined="no document of that company")
    if len({key for record in own for key in catalogue.companies.keys(record)}) > 1:
        return _left_open(store, asked, periods, formulas)
    return _answer(_book(plan, own), asked, own, formulas)


def _left_open(store: Store, asked: Asked, periods: Sequence[Period], formulas: FormulaList) -> Outcome:
    """Of several companies that may be meant, those whose tables state all that it takes."""
    names = dict.fromkeys(operand.name for operand in asked.operands)
    if not names:
        return Outcome(asked, declined="no figure is named")
    if not all(names):
        return Outcome(asked, declined="name one company")
    lines = [metric_series(store, name, formulas, periods=periods) for name in names]
    stated = set[str].intersection(*({line.company for line in own} for own in lines))
    declined = "name one company" if stated else "no company states what it takes"
    return Outcome(asked, declined=declined, companies=tuple(sorted(stated)))


def _book(plan: QuestionPlan, records: Sequence[DocumentRecord]) -> FactBook:
    published = {record.source: public_by(record) for record in records}
    preference = plan.selection.preference
    return FactBook(plan.store, tuple(published), plan.vocabulary.metrics, preference, published)


def _each(plan: QuestionPlan, asked: Asked) -> Outcome:
    """The same asked of each company, with its own periods; all of them have to state it."""
    figures: list[Figure] = []
    formulas = plan.vocabulary.formulas
    firsts: list[Asked] = []
    for records in plan.figure_groups:
        key = next(iter(plan.catalogue.companies.keys(records[0])), "")  # "": of no certain company
        own = plan.with_own_periods(_for_one(asked, plan.by_company.get(key)), key)
        firsts.append(own)
        outcome = _answer(_book(plan, records), own, records, formulas)
        if outcome.answer is None:
            return replace(outcome, declined=f"{_whose(records)}: {outcome.declined}")
        figures += [replace(figure, company=_whose(records)) for figure in outcome.answer.figures]
    return Outcome(firsts[0], write_answer(figures, firsts[0], formulas))


def _for_one(asked: Asked, question: Question | None) -> Asked:
    """What is asked of one company: its own periods, and no list ("respectively" may be of the companies)."""
    periods = asked.periods if question is None else single_periods(question)
    return replace(asked, periods=periods, respective=False)


def _whose(records: Sequence[DocumentRecord]) -> str:
    """The company of a group of documents; where none is certain, the name of the first document."""
    return next(iter(records[0].companies), records[0].source.rpartition("/")[2])


def _answer(book: FactBook, asked: Asked, records: Sequence[DocumentRecord], formulas: FormulaList) -> Outcome:
    of_rows = asked.pick is not None and asked.pick.over == "rows"
    if not (asked.operands or of_rows or asked.formula) or (asked.operation == "count" and asked.pick is None):
        return Outcome(asked, declined="no figure is named")
    asked = _as_labelled(book, asked)
    if asked.nested:
        return Outcome(asked, declined="a calculation in several steps")
    try:
        figures = _figures(Calculator(book, formulas), asked, records)
        _check_scales(figures, asked.operation)
    except MissingError as missing:
        return Outcome(asked, declined=f"no fact states {missing}", missing=missing.names)
    except UnclearError as unclear:
        return Outcome(asked, declined=f"not clear: {unclear}")
    except IncomputableError as error:
        return Outcome(asked, declined=f"cannot be calculated: {error}")
    if not figures or len(figures) > _MOST_FIGURES or (asked.respective and len(figures) < 2):
        return Outcome(asked, declined="no single figure is asked")
    return Outcome(asked, write_answer(figures, asked, formulas))


def _check_scales(figures: Sequence[Figure], operation: str) -> None:
    """An amount of which no one knows whether it is in thousands is not given; a ratio within its table is."""
    for figure in figures:
        without = [part.fact for part in figure.components if lacks_scale(part.fact)]
        relative = figure.unit in _RELATIVE or operation in ("which period", "which row", "same")
        tables = {(part.fact.source, part.fact.table) for part in figure.components}
        if without and not (relative and len(tables) == 1):
            raise UnclearError(f"{describe_cell(without[0])} stands in a table that does not state its scale")


def write_answer(figures: Sequence[Figure], asked: Asked, formulas: FormulaList) -> NumberAnswer:
    """The answer that states these figures."""
    numbering = Numbering()
    if asked.question.wishes.only_number and len(figures) == 1:
        lines = [f"{shown_value(figures[0], asked)} {numbering.marks(figures[0])}"]
        return _as_answer(lines, figures, asked, numbering, formulas)
    several = len({figure.company for figure in figures if figure.company}) > 1
    lines = [write_figure(figure, asked, formulas, numbering, several=several) for figure in figures]
    write = write_between if asked.between else write_verdict
    lines = [line for line in (write(figures, asked, formulas, numbering), *lines) if line]
    return _as_answer(lines, figures, asked, numbering, formulas)


def _as_answer(
    lines: Sequence[str], figures: Sequence[Figure], asked: Asked, numbering: Numbering, formulas: FormulaList
) -> NumberAnswer:
    first = figures[0]
    value, scale = shown_number(first, asked) if first.value is not None else (None, Decimal(1))
    notes = write_notes(figures, asked, formulas)
    return NumberAnswer("\n".join(lines), value, first.unit, scale, numbering.citations(), tuple(figures), asked, notes)


def _figures(calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Figure]:
    periods = _periods(calculator, asked, records)
    if asked.formula is not None:
        return [calculator.defined(asked.formula, period) for period in periods]
    if asked.pick is not None:
        pick = pick_periods if asked.pick.over == "periods" else pick_rows
        return pick(calculator, asked, periods)
    calculate = _WAYS.get(asked.operation, _combined)
    return calculate(calculator, asked, periods)


def _stated(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """The figures themselves, each once; their sum where a total is asked that no row states."""
    figures: dict[object, Figure] = {}
    for operand in asked.operands:
        figures |= {figure.components or figure: figure for figure in _over(calculator, operand, periods)}
    stated = list(figures.values())
    return [combine("sum", stated)] if _sums_up(asked, stated) else stated


def _extreme(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    return [extreme(_over(calculator, asked.operands[0], periods), lowest=asked.lowest)]


def _between_ends(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    ends = [periods[0], periods[-1]]
    return [combine(asked.operation, _over(calculator, operand, ends)) for operand in asked.operands]


def _sides(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    sides = len(asked.operands)
    if sides == 1 and asked.operation == "difference" and len(periods) == 2:
        return [combine("change", _over(calculator, asked.operands[0], periods))]
    if sides != 2:
        raise MissingError("the two sides of the comparison")
    return _combined(calculator, asked, periods)


def _combined(calculator: Calculator, asked: Asked, periods: Sequence[Period]) -> list[Figure]:
    """Several figures of each period, or one figure over all periods."""
    if len(asked.operands) == 1:
        return [combine(asked.operation, _over(calculator, asked.operands[0], periods))]
    of_periods = ([calculator.figure(operand, period) for operand in asked.operands] for period in periods)
    return [combine(asked.operation, figures) for figures in of_periods]


_WAYS = {
    "value": _stated,
    "trend": _stated,
    "same": _stated,
    "which period": _extreme,
    "change": _between_ends,
    "percent change": _between_ends,
    "cagr": _between_ends,
    "share": _sides,
    "ratio": _sides,
    "difference": _sides,
}
"""Operation -> how its figures are calculated; all others combine what is named."""


def _sums_up(asked: Asked, figures: Sequence[Figure]) -> bool:
    """ "The total X in 2018 and 2019" adds up what no row gives as a total."""
    said = asked.operation == "value" and len(asked.operands) == 1 and len(figures) > 1 and not asked.respective
    if not (said and _TOTAL.search(asked.question.trimmed)) or any(figure.unit == "%" for figure in figures):
        return False
    labels = [part.fact.label.rpartition(" > ")[2] for figure in figures for part in figure.components]
    return _TOGETHER.search(asked.question.trimmed) is not None or not any(_TOTAL.search(label) for label in labels)


def _as_labelled(book: FactBook, asked: Asked) -> Asked:
    """The question with words that belong to the name of a row that it writes out.

    "Average life expectancy" is no average, "Amortization and depreciation" is one figure.
    """
    joined = len(asked.operands) > 1 and asked.operation not in _TWO_SIDES
    if not (joined or asked.nested or asked.operation == "average"):
        return asked
    rows = book.rows.find_verbatim(asked.question.trimmed)
    if asked.operation == "average" and (row := _first(rows, _SAYS_AVERAGE)):
        return replace(asked, operation="value", operands=(row,), nested=False)
    if joined and (row := _first(rows, _SAYS_AND)) and _holds(row, asked.operands):
        return replace(asked, operands=(row,))
    if asked.nested and (row := _first(rows, _SAYS_CALCULATED)) and len(asked.operands) == 1:
        return replace(asked, operands=(row,), nested=False)
    return asked


def _first(rows: Sequence[Row], pattern: re.Pattern[str]) -> Operand | None:
    row = next((row for row in rows if pattern.search(row.label)), None)
    return Operand(row.label, words=content_words(row.label)) if row else None


def _holds(row: Operand, operands: Sequence[Operand]) -> bool:
    """True where the row's name has a word of each operand, and all of their words."""
    held = set(row.words)
    words = [set(content_words(operand.text)) for operand in operands]
    return all(held & own for own in words) and held.issuperset(set().union(*words))


def _over(calculator: Calculator, operand: Operand, periods: Sequence[Period]) -> list[Figure]:
    return [calculator.figure(operand, period) for period in periods]


def _periods(calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Period]:
    """The periods to look at: as asked, else the document's own; with the one before where that is meant."""
    periods = list(asked.periods)
    if _is_over_known_periods(asked):
        periods = _known_periods(calculator, asked.operands[0])
    if not periods:
        periods = _own_periods(calculator, asked, records)
    if len(periods) == 1 and _looks_back(asked):
        return [periods[0].shifted(-1), periods[0]]
    return periods


def _is_over_known_periods(asked: Asked) -> bool:
    """True where the question leaves open among which periods it chooses, or over which it takes the average."""
    if asked.pick is not None and asked.pick.over == "periods":
        return len(asked.periods) < 2
    return not asked.periods and asked.operation in ("which period", "average")


def _looks_back(asked: Asked) -> bool:
    """True where one period is named and the one before it is needed, too."""
    is_average = asked.operation == "average" and len(asked.operands) == 1
    is_change = asked.operation in _LAST or (asked.pick is not None and bool(asked.pick.change))
    return is_change or is_average or asked.before


def _own_periods(calculator: Calculator, asked: Asked, records: Sequence[DocumentRecord]) -> list[Period]:
    """The period of the documents that fit best where they are of one; else the only one that their figures have."""
    preference = calculator.book.preference
    best = [record for record in records if not preference.get(record.source)]
    own = [record.period for record in best if record.period]
    are_one = len({period.label for period in own}) == 1
    return own[:1] if are_one else _only_periods(calculator, asked, several=bool(own))


def _only_periods(calculator: Calculator, asked: Asked, *, several: bool) -> list[Period]:
    """Where neither the question nor the documents say when: the one period of the figures, or the two to compare."""
    if asked.pick is not None:
        return _newest(calculator, 2 if asked.pick.change else 1)
    known = [] if several else [_known_periods(calculator, operand) for operand in asked.operands]
    common = [p for p in known[0] if all(p in other for other in known)] if known else []
    if len(common) != (2 if asked.operation in _LAST else 1):
        raise MissingError("a period")
    return common


def _newest(calculator: Calculator, count: int) -> list[Period]:
    """The last periods that the tables of the documents state."""
    facts = [fact for fact in calculator.book.all_facts if fact.source_kind == "table"]
    sure = [fact for fact in facts if fact.confidence > _GUESSED]
    return calculator.book.periods_of(sure or facts, parts=True)[-count:]


def _known_periods(calculator: Calculator, operand: Operand) -> list[Period]:
    if operand.name and not operand.words:
        return calculator.book.periods_of(calculator.book.of(operand.name))
    matches = calculator.book.rows.find(operand)
    return calculator.book.periods_of((fact for match in matches[:1] for fact in match.row.facts), parts=True)


def _names(records: Sequence[DocumentRecord]) -> list[str]:
    return list(dict.fromkeys(name for record in records for name in record.companies))
