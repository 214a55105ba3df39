"""Answers a question in numbers from the facts of the store, or declines; with notes on facts that disagree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from operator import attrgetter

from ...core.anchor import Placed, at_place, place_name, short_name
from ...core.fact import Consolidation, Fact
from ...core.language import Language
from ...core.patterns import on_demand
from ...core.period import Period
from ...core.quantity import is_currency
from ...core.scope import Scope
from ...ingest.facts.table_context import stated_basis
from ...kg.store import DocumentRecord, Store
from ...kg.timeline import publication_days
from ...prompts.messages import message
from ..question.figures.asked import Asked, Reading
from ..question.figures.operands import Operand, content_words
from ..question.figures.request import read_numbers
from ..question.listed_parts import asks_of_each
from ..question.plan import QuestionPlan, understand
from ..question.question import Question
from ..question.scope.catalogue import by_company, of_companies
from ..question.scope.periods import single_periods
from ..question.vocabulary.expression import IncomputableError
from ..question.vocabulary.vocabulary import FormulaList, Vocabulary
from ..search.index.corpus import corpus_of
from .aggregates import metric_series
from .asked_figures import asked_figures, heads
from .calculator import Calculator, MissingError, UnclearError
from .fact_choice.book import FactBook
from .fact_choice.choosing import lacks_scale, row_label
from .fact_choice.row_matching import Row
from .formatting import (
    Numbering,
    describe_cell,
    in_chinese,
    shown_number,
    shown_value,
    write_between,
    write_figure,
    write_verdict,
)
from .result import Component, Figure, NumberAnswer, Outcome, components_of

_MOST_FIGURES, _MOST_PARTS = 12, 60
"""Of an answer; a figure may have more parts ("by product") than anybody asks figures at once."""
_RELATIVE = ("%", "x", "days")
"""Units of figures that stay the same in whatever scale both sides are printed."""
_COMPARING = ("which period", "which row", "same")
_TWO_SIDES = ("share", "ratio", "difference")
_SAYS_AVERAGE = on_demand(r"average|平均")
_PARENT_ALONE = on_demand("(?<!归属于)(?<!归属)(?<!归)母公司(?!所有者|股东|普通股)")
"""Of a question for a figure of the parent's own statements, not for the part of the profit that its owners have."""
_HOW_MANY = on_demand(r"how many (?!(?:us |u\.s\. )?(?:dollars|euros?|pounds|yen|yuan)\b)", re.IGNORECASE)
_RATIO = on_demand(r"\b(?:ratio|margin|yield|percentage)s?\b|(?<!exchange )(?<!run )\brates?\b(?! base)", re.IGNORECASE)
"""Asks for a part of something: an amount that is called so is named with the word."""
_MONEY = on_demand(r"[$€£¥/]")
_SAYS_AND = on_demand(r"\band\b|&|,|和|及|与|、")
_SAYS_CALCULATED = on_demand(r"average|\bmean\b|rate|ratio|\b(?:in|de)crease|\bchange|平均|变动")


def answer_numbers(plan: QuestionPlan) -> NumberAnswer | None:
    """The answer in numbers, every component cited; None where the facts do not give one beyond doubt."""
    return explain_numbers(plan).answer


def explain_numbers(plan: QuestionPlan, reading: Reading | None = None) -> Outcome:
    """As :func:`answer_numbers`, with what was understood and, where it declines, why.

    ``reading`` names the figures where a model has read the question.
    """
    formulas = plan.vocabulary.formulas
    asked = plan.figures if reading is None else reading.applied(plan.figures, formulas)
    if asked.route in ("text", "general"):
        return Outcome(asked, declined=asked.reason)
    if asked.statistic is not None:
        return _statistic(plan, asked)
    own = plan.documents_with_names or plan.figure_documents
    if not own:
        reason = "too many documents may be meant" if plan.selection.sources else "no document fits"
        return Outcome(asked, declined=reason)
    of_several = 1 < len(by_company(plan.catalogue, own)) <= _MOST_FIGURES
    outcome = _each(plan, asked) if of_several else _of_one(_book(plan, own), asked, own, formulas)
    return replace(outcome, sources=tuple(record.source for record in own))


def _statistic(plan: QuestionPlan, asked: Asked) -> Outcome:
    from .aggregates import answer_statistic

    return answer_statistic(plan.store, asked, plan.vocabulary.formulas, sources_in_scope(plan))


def sources_in_scope(plan: QuestionPlan) -> Sequence[str] | None:
    """The documents that the user limits the question to; None where it may be about all."""
    is_within = plan.scope is not None and not plan.scope.is_open
    return plan.selection.sources if is_within else None


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
    records = catalogue.records_from(plan.selection.sources)
    own = of_companies(catalogue, records, companies)
    asked = replace(read_numbers(plan.asked, _names(own), formulas), statistic=None, route="calculation")
    if not own:
        return Outcome(asked, declined="no document of that company")
    if len(set(chain.from_iterable(map(catalogue.companies.keys, own)))) > 1:
        return _left_open(store, asked, periods, formulas)
    return _answer(_book(plan, own), asked, own, formulas)


def _left_open(store: Store, asked: Asked, periods: Sequence[Period], formulas: FormulaList) -> Outcome:
    """Of several companies that may be meant, those whose tables state all that it takes."""
    names = dict.fromkeys(operand.name for operand in asked.operands)
    if not names:
        return Outcome(asked, declined="no figure is named")
    if not all(names):
        return Outcome(asked, declined="name one company")
    stated = set[str].intersection(*(_who_states(store, name, formulas, periods) for name in names))
    declined = "name one company" if stated else "no company states what it takes"
    return Outcome(asked, declined=declined, companies=tuple(sorted(stated)))


def _who_states(store: Store, name: str, formulas: FormulaList, periods: Sequence[Period]) -> set[str]:
    return {line.company for line in metric_series(store, name, formulas, periods=periods)}


def _book(plan: QuestionPlan, records: Sequence[DocumentRecord]) -> FactBook:
    published = publication_days(records)
    preference = plan.selection.preference
    basis = stated_basis(plan.asked.trimmed) or "reported"
    whose: Consolidation = "parent" if _PARENT_ALONE.search(plan.asked.trimmed) else "consolidated"
    return FactBook(plan.store, tuple(published), plan.vocabulary.metrics, preference, published, basis, whose)


def _each(plan: QuestionPlan, asked: Asked) -> Outcome:
    """The same asked of each company, with its own periods; all of them have to state it, unless every company there is
    may be meant: then a note says who does not."""
    figures: list[Figure] = []
    absent: list[str] = []
    of_all = asks_of_each(plan.asked.trimmed, asked.language)
    formulas = plan.vocabulary.formulas
    firsts: list[Asked] = []
    for records in plan.figure_groups:
        key = next(iter(plan.catalogue.companies.keys(records[0])), "")  # "": of no certain company
        own = plan.with_own_periods(_for_one(asked, plan.by_company.get(key)), key)
        outcome = _answer(_book(plan, records), own, records, formulas)
        if outcome.answer is None and outcome.missing and of_all:
            absent.append(_whose(records))
            continue
        if outcome.answer is None:
            return replace(outcome, declined=f"{_whose(records)}: {outcome.declined}")
        firsts.append(own)
        figures += [replace(figure, company=_whose(records)) for figure in outcome.answer.figures]
    if not figures:
        return Outcome(asked, declined="no company states what it takes")
    answer = write_answer(figures, firsts[0], formulas)
    if absent:
        note = message("figures_not_stated", asked.language, names=", ".join(absent))
        answer = replace(answer, notes=(*answer.notes, note))
    return Outcome(firsts[0], answer)


def _for_one(asked: Asked, question: Question | None) -> Asked:
    """What is asked of one company: its own periods, and no list ("respectively" may be of the companies)."""
    periods = asked.periods if question is None else single_periods(question)
    return replace(asked, periods=periods, respective=False)


def _whose(records: Sequence[DocumentRecord]) -> str:
    """The company of a group of documents; where none is certain, the name of the first document."""
    return next(iter(records[0].companies), records[0].source.rpartition("/")[2])


def _of_one(book: FactBook, asked: Asked, records: Sequence[DocumentRecord], formulas: FormulaList) -> Outcome:
    """Of several figures asked of one company those that it states, with a note on the others."""
    whole = _answer(book, asked, records, formulas)
    is_list = asked.operation == "value" and not asked.outer and len(asked.operands) > 1
    if not (whole.missing and is_list and all(operand.name for operand in asked.operands)):
        return whole
    each = [
        _answer(book, replace(asked, operands=(operand,), respective=False), records, formulas)
        for operand in asked.operands
    ]
    figures = [figure for outcome in each if outcome.answer for figure in outcome.answer.figures]
    absent = [outcome.asked.operands[0].written for outcome in each if outcome.missing]
    if not figures or len(figures) + len(absent) < len(each):
        return whole
    answer = write_answer(figures, asked, formulas)
    note = message("figures_not_stated", asked.language, names=", ".join(absent))
    return replace(whole, answer=replace(answer, notes=(note, *answer.notes)), declined="")


def _answer(book: FactBook, asked: Asked, records: Sequence[DocumentRecord], formulas: FormulaList) -> Outcome:
    if not _names_figure(asked):
        return Outcome(asked, declined="no figure is named")
    asked = _as_labelled(book, asked)
    if asked.outer is None:
        return Outcome(asked, declined="a calculation in several steps")
    try:
        figures = asked_figures(Calculator(book, formulas), asked, records)
        _check_kinds(figures, asked)
        _check_scales(figures, asked.operation)
    except MissingError as missing:
        return Outcome(asked, declined=f"no fact states {missing}", missing=missing.names)
    except UnclearError as unclear:
        return Outcome(asked, declined=f"not clear: {unclear}")
    except IncomputableError as error:
        return Outcome(asked, declined=f"cannot be calculated: {error}")
    fewest = 2 if asked.respective else 1
    most = _MOST_PARTS if asked.operation == "each row" else _MOST_FIGURES
    if not fewest <= len(figures) <= most:
        return Outcome(asked, declined="no single figure is asked")
    return Outcome(asked, write_answer(figures, asked, formulas))


def _names_figure(asked: Asked) -> bool:
    """True where a figure, a formula or the rows of a table are named; what is only counted is no figure."""
    if asked.pick is None and asked.operation == "count":
        return False
    picks_rows = asked.pick is not None and asked.pick.over == "rows"
    return bool(asked.operands) or asked.formula is not None or picks_rows


def _check_kinds(figures: Sequence[Figure], asked: Asked) -> None:
    """An amount of money is no answer to how many there are, nor a ratio; how often one is above a mark is counted."""
    facts = [part.fact for part in components_of(figures)]
    asks_number = asked.pick is None and _HOW_MANY.match(asked.question.trimmed) is not None
    if asks_number and any(is_currency(fact.unit) or _MONEY.search(f"{fact.text} {fact.unit}") for fact in facts):
        raise UnclearError(f"{figures[0].name} is no number of things")
    asks_ratio = asked.operation == "value" and any(_RATIO.search(operand.text) for operand in asked.operands)
    if asks_ratio and any(is_currency(figure.unit) and not _is_called_ratio(figure) for figure in figures):
        raise UnclearError(f"{figures[0].name} is no ratio")


def _is_called_ratio(figure: Figure) -> bool:
    return any(_RATIO.search(heads(part.fact)) for part in figure.components)


def _check_scales(figures: Sequence[Figure], operation: str) -> None:
    """An amount of which no one knows whether it is in thousands is not given; a ratio within its table is."""
    for figure in figures:
        without = [part.fact for part in figure.components if lacks_scale(part.fact)]
        if without and not _is_free_of_scale(figure, operation):
            raise UnclearError(f"{describe_cell(without[0])} stands in a table that does not state its scale")


def _is_free_of_scale(figure: Figure, operation: str) -> bool:
    """True for what is the same in any scale: a ratio, or a comparison, within one table."""
    if figure.unit not in _RELATIVE and operation not in _COMPARING:
        return False
    tables = {(part.fact.source, part.fact.table) for part in figure.components}
    return len(tables) == 1


def write_answer(figures: Sequence[Figure], asked: Asked, formulas: FormulaList) -> NumberAnswer:
    """The answer that states these figures."""
    numbering = Numbering()
    if asked.question.wishes.only_number and len(figures) == 1:
        only = f"{shown_value(figures[0], asked)} {numbering.marks(figures[0])}"
        return _as_answer([only], figures, asked, numbering, formulas)
    companies = {figure.company for figure in figures if figure.company}
    of_each = asks_of_each(asked.question.trimmed, asked.language)  # one company alone is named, too
    write = write_between if asked.between else write_verdict
    lines: list[str] = []
    for figure in figures:
        lines.append(write_figure(figure, asked, formulas, numbering, several=len(companies) + of_each > 1))
    verdict = write(figures, asked, formulas, numbering)
    if verdict:
        lines.insert(0, verdict)
    return _as_answer(lines, figures, asked, numbering, formulas)


def _as_answer(
    lines: Sequence[str], figures: Sequence[Figure], asked: Asked, numbering: Numbering, formulas: FormulaList
) -> NumberAnswer:
    first = figures[0]
    value, scale = shown_number(first, asked) if first.value is not None else (None, Decimal(1))
    notes = write_notes(figures, asked, formulas)
    return NumberAnswer("\n".join(lines), value, first.unit, scale, numbering.citations(), tuple(figures), asked, notes)


def _as_labelled(book: FactBook, asked: Asked) -> Asked:
    """The question with words that belong to the name of a row that it writes out.

    "Average life expectancy" is no average, "Amortization and depreciation" is one figure.
    """
    names_several = len(asked.operands) > 1 and asked.operation not in _TWO_SIDES
    is_average = asked.operation == "average"
    if not (names_several or is_average or asked.outer is None):
        return asked
    rows = book.rows.find_verbatim(asked.question.trimmed)
    if is_average:
        row = _first(rows, _SAYS_AVERAGE)
        if row is not None:
            return replace(asked, operation="value", operands=(row,), outer="")
    if names_several:
        row = _first(rows, _SAYS_AND)
        if row is not None and _holds(row, asked.operands):
            return replace(asked, operands=(row,))
    if asked.outer is None and len(asked.operands) == 1:
        row = _first(rows, _SAYS_CALCULATED)
        if row is not None:
            return replace(asked, operands=(row,), outer="")
    return asked


def _first(rows: Sequence[Row], pattern: re.Pattern[str]) -> Operand | None:
    for row in rows:
        if pattern.search(row.label):
            return Operand(row.label, words=content_words(row.label))
    return None


def _holds(row: Operand, operands: Sequence[Operand]) -> bool:
    """True where the row's name has a word of each operand, and all of their words."""
    held = set(row.words)
    words = [set(content_words(operand.text)) for operand in operands]
    return all(held & own for own in words) and held.issuperset(set().union(*words))


def _names(records: Sequence[DocumentRecord]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(map(attrgetter("companies"), records))))


def write_notes(figures: Sequence[Figure], asked: Asked, formulas: FormulaList) -> tuple[str, ...]:
    """Where facts disagree: which value was chosen, and what else is stated where; and what is a forecast."""
    notes: list[str] = []
    for part in components_of(figures):
        if part.fact.basis == "forecast":
            notes.append(message("is_forecast", asked.language, name=describe_cell(part.fact)))
        other = _told_apart(part)
        if other is not None:
            notes.append(_note(part, other, asked, formulas))
    return tuple(dict.fromkeys(notes))


def _told_apart(part: Component) -> Fact | None:
    """The first fact of another value that has to be named: one stated anew, or one that contradicts."""
    for other in part.others:
        differs = part.anew or _contradicts(other, part.fact)
        if differs and _same_unit(other, part.fact):
            return other
    return None


def _note(part: Component, other: Fact, asked: Asked, formulas: FormulaList) -> str:
    known = (part.fact.source, other.source)
    language = asked.language
    return message(
        "value_taken",
        language,
        name=in_chinese(part.name, formulas) if asked.chinese else part.name,
        text=_on_one_line(part.fact.text),
        here=shown_place(short_name(part.fact.source, known), part.fact, language),
        why=_why(part, other, language),
        there=shown_place(short_name(other.source, known), other, language),
        other=_on_one_line(other.text),
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _contradicts(other: Fact, chosen: Fact) -> bool:
    """True where both say that they are the same figure: a part of it, or a sentence about something near, does not."""
    if _on_one_line(other.text) == _on_one_line(chosen.text):  # the same, read in another scale
        return False
    if other.source_kind == "prose" or row_label(other) != row_label(chosen):
        return False
    return other.dimensions == chosen.dimensions


def _same_unit(one: Fact, other: Fact) -> bool:
    """True where two values can be compared: a share of sales does not contradict sales, nor euros dollars."""
    units = {one.unit, other.unit}
    if len(units) == 1:
        return True
    return "" in units and "%" not in units


def shown_place(source: str, item: Placed, language: Language) -> str:
    """Where something stands in a document of this name: the place, or else the page, that is known of it."""
    if place_name(item):
        return at_place(source, item)
    return message("page_of", language, source=source, page=item.page) if item.page else source


def _why(part: Component, other: Fact, language: Language) -> str:
    chosen = part.fact
    if part.anew and chosen.source != other.source:
        return message("taken_anew", language)
    if chosen.basis != other.basis:
        return message("taken_for_basis", language, basis=chosen.basis, other=other.basis)
    if chosen.consolidation == "consolidated" and other.consolidation != "consolidated":
        return message("taken_consolidated", language)
    if chosen.source != other.source:
        return message("taken_fitting", language)
    if chosen.source_kind != other.source_kind:
        return message(f"taken_from_{chosen.source_kind}", language)
    return message("taken_supported", language)
