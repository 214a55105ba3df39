"""Answers to "why": the sentences of the stored drivers that fit the figure, direction and period asked."""

from __future__ import annotations

from collections.abc import Sequence

from ....core.names import is_chinese
from ....core.orders import gives_orders
from ....core.records import dataclass
from ....core.sequences import share
from ....core.words import search_words, without_numbers
from ....kg.drivers import Driver, DriverQuery, in_periods
from ...question.figures.operands import find_names
from ...question.plan import QuestionPlan
from ...search.evidence import Evidence
from .sentence_scoring import Quote

_MOST_DOCUMENTS = 40
"""A question that leaves more documents open is not about one figure."""
_MOST_DRIVERS = 5_000
_MOST_QUOTES = 3
_METRIC, _LABEL, _DIRECTION, _WHOLE = 1.0, 1.0, 0.3, 0.2
"""Worth of the metric asked, of all words of the figure's name, of the direction asked, and of the whole company where
no part of it is asked for."""
_CERTAIN = 0.5
"""Of the confidence in a driver."""
_OF_THE_WHOLE = frozenset(search_words("overall total consolidated net group company"))
_OPPOSITE = {"up": "down", "down": "up"}
_LOSS = frozenset(search_words("loss losses 亏损"))
_LEAST = 1.3
_LEAST_SHARED = 0.7
"""Share of the words of a figure's name that a question has to hold where the metric list does not know the figure."""
_NEAR = 0.25
"""Drivers whose scores differ by less answer too: a figure may have been explained for several parts."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question for causes asks about."""

    metrics: frozenset[str]
    words: frozenset[str]
    direction: str
    part: frozenset[str] = frozenset()
    """Words that narrow the figure: a segment, a product, a region."""


def fitting_drivers(plan: QuestionPlan) -> list[Driver]:
    """The drivers that answer a question for causes, best first; none for another question.

    The figure has to be the one asked: by its metric, or by the words of its name.
    """
    sources = plan.own_selection.certain
    if not plan.asked.explains or not 0 < len(sources) <= _MOST_DOCUMENTS:
        return []
    stored = plan.store.drivers(DriverQuery(sources=sources, limit=_MOST_DRIVERS))
    asked = _asked(plan)
    ranked: list[tuple[float, Driver]] = []
    for driver in _of_periods(plan, stored):
        score = _score(driver, asked)
        if score >= _LEAST and not gives_orders(driver.text):
            ranked.append((score, driver))
    ranked.sort(key=lambda pair: -pair[0])
    best: dict[str, Driver] = {}
    for score, driver in ranked:
        if score >= ranked[0][0] - _NEAR:
            best.setdefault(driver.text, driver)  # a report may say the same twice
    return list(best.values())[:_MOST_QUOTES]


def cause_quotes(plan: QuestionPlan, drivers: Sequence[Driver]) -> list[Quote]:
    """The sentences of drivers, each as a part of its passage."""
    ids = [driver.chunk for driver in drivers]
    passages = {chunk.id: chunk for chunk in plan.store.chunks(ids)}
    quotes: list[Quote] = []
    for driver in drivers:
        chunk = passages.get(driver.chunk)
        if chunk is None:
            continue
        item = Evidence(
            kind="chunk" if chunk.kind == "text" else chunk.kind,
            text=chunk.text,
            score=driver.confidence,
            source=driver.document,
            id=chunk.id,
            page=driver.page,
            anchors=driver.anchors,
            start=chunk.start,
            end=chunk.end,
            headings=chunk.headings,
        )
        quotes.append(Quote(item, driver.text, driver.start, driver.end))
    return quotes


def cause_evidence(drivers: Sequence[Driver], texts: Sequence[Evidence]) -> list[Evidence]:
    """Drivers for a model's context: only those whose sentence no passage there holds."""
    found: list[Evidence] = []
    for driver in drivers:
        if any(_holds(item, driver) for item in texts):
            continue
        item = Evidence(
            kind="relation",
            text=driver.text,
            score=driver.confidence,
            source=driver.document,
            id=driver.id,
            page=driver.page,
            anchors=driver.anchors,
            start=driver.start,
            end=driver.end,
        )
        found.append(item)
    return found


def _holds(item: Evidence, driver: Driver) -> bool:
    return item.source == driver.document and item.start <= driver.start and driver.end <= item.end


def _of_periods(plan: QuestionPlan, drivers: Sequence[Driver]) -> list[Driver]:
    """Those of the periods asked; of the years asked where the document names its periods otherwise."""
    asked = plan.asked.periods
    exact = in_periods(drivers, asked)
    if exact or not asked:
        return exact
    years = set(plan.asked.years)
    return [driver for driver in drivers if driver.period is not None and driver.period.year in years]


def _asked(plan: QuestionPlan) -> _Asked:
    from ....kg.extraction.drivers.model import direction_of

    text = plan.asked.trimmed
    part: set[str] = set()
    if not is_chinese(text):  # Chinese words of asking stay with a figure's name
        for operand in plan.figures.operands:
            part.update(operand.words if operand.name else ())
    return _Asked(
        metrics=frozenset(find_names(text, plan.vocabulary.formulas).names),
        words=frozenset(search_words(text)),
        direction=direction_of(text),
        part=frozenset(part),
    )


def _score(driver: Driver, asked: _Asked) -> float:
    """How well a driver fits; below ``_LEAST`` where its figure is another one or went the other way."""
    label = _label_words(driver)
    segment = frozenset(search_words(driver.segment))
    direction = _as_asked(driver, asked)
    goes_other_way = bool(asked.direction and direction) and asked.direction != direction
    is_of_other_part = bool(asked.part) and asked.part.isdisjoint(label | segment)
    if goes_other_way or is_of_other_part:
        return 0.0
    score = _figure_score(driver, label, asked)
    if not score:
        return 0.0
    if direction and asked.direction:
        score += _DIRECTION
    score += _CERTAIN * driver.confidence
    asks_segment = not segment or not segment.isdisjoint(asked.words)
    return score + _WHOLE * asks_segment


def _label_words(driver: Driver) -> frozenset[str]:
    """The words of the figure's name that tell it from others."""
    words = without_numbers(search_words(driver.label))
    return words - _OF_THE_WHOLE


def _figure_score(driver: Driver, label: frozenset[str], asked: _Asked) -> float:
    """How well the driver's figure is the one asked, by its metric or by the words of its name; 0 for another one."""
    shared = share(label & asked.words, label)
    if driver.metric and driver.metric in asked.metrics:
        return _METRIC + _LABEL * shared
    names_another = bool(driver.metric) and bool(asked.metrics)
    if names_another or shared < _LEAST_SHARED:
        return 0.0
    return _LABEL * shared


def _as_asked(driver: Driver, asked: _Asked) -> str:
    """How the figure asked went: a loss that rose is an income that fell."""
    label = frozenset(search_words(driver.label))
    is_loss = not label.isdisjoint(_LOSS) and asked.words.isdisjoint(_LOSS)
    return _OPPOSITE.get(driver.direction, driver.direction) if is_loss else driver.direction
