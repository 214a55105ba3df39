"""What moved a figure: the stored drivers that fit the figure, direction and period asked, and the passages that tell
them; for "whom did it hurt" those with a cause of the class asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Literal

from ....core.names import company_key, is_chinese
from ....core.orders import gives_orders
from ....core.patterns import PatternTable, on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import share
from ....core.words import search_words, without_numbers
from ....kg.drivers import Cause, Driver, DriverQuery, in_periods
from ....kg.graph import Entity
from ...question import vocabulary
from ...question.figures.operands import find_names
from ...question.plan import QuestionPlan, once_a_plan
from ..chunk_evidence import load_passages
from ..scoring import Candidate
from .base import Findings, SearchRequest, retriever

_RULES_OF = vocabulary.__name__
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
_PARTS = ("segment", "product")
"""Types of entities that are a part of a company."""
_INITIAL = on_demand(r"\b[A-Z]")
_LEAST_LETTERS = 3
_CAPITALS = on_demand(r"[A-Z][\w&]{0,30}(?:[ -][A-Z][\w&]{0,30}){2,6}")
"""A name of three words and more: "Quaker Foods North America", which a report may call QFNA."""
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
    named: frozenset[str] = frozenset()
    """Words of the parts of the company that the graph knows by the names in the question."""


@once_a_plan
def fitting_drivers(plan: QuestionPlan) -> list[Driver]:
    """The drivers that answer a question for causes, best first; none for another question.

    The figure has to be the one asked: by its metric, or by the words of its name; where companies are asked for, the
    cause has to be of the class asked.
    """
    affected = read_affected(plan)
    if affected is not None:
        return affected_drivers(plan, affected)
    sources = plan.own_selection.certain
    if not plan.asked.explains or not 0 < len(sources) <= _MOST_DOCUMENTS:
        return []
    stored = plan.store.drivers(DriverQuery(sources=sources, limit=_MOST_DRIVERS))
    asked = _asked(plan, frozenset(driver.segment.lower() for driver in stored))
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


@retriever("cause")
def cause_passages(request: SearchRequest) -> Findings:
    """The passages that say what moved the figure asked."""
    told = [
        Candidate(driver.chunk, driver.document, (driver.document, at), driver.confidence)
        for at, driver in enumerate(fitting_drivers(request.plan)[:_MOST_QUOTES])
    ]
    return Findings(passages=load_passages(request.plan.store, request.query, told))


def _of_periods(plan: QuestionPlan, drivers: Sequence[Driver]) -> list[Driver]:
    """Those of the periods asked; of the years asked where the document names its periods otherwise."""
    asked = plan.asked.periods
    exact = in_periods(drivers, asked)
    if exact or not asked:
        return exact
    years = set(plan.asked.years)
    return [driver for driver in drivers if driver.period is not None and driver.period.year in years]


def _asked(plan: QuestionPlan, known: frozenset[str]) -> _Asked:
    """``known`` are the parts of companies that drivers are of, in small letters."""
    from ....kg.extraction.drivers.model import direction_of

    text = plan.asked.trimmed
    parts = [link for link in plan.linked if link.entity.type in _PARTS]
    named = chain.from_iterable((link.written, *_names_of(link.entity)) for link in parts)
    letters = known.intersection(map(_letters, _CAPITALS.findall(text)))
    part = set(letters)
    if not is_chinese(text):  # Chinese words of asking stay with a figure's name
        for operand in plan.figures.operands:
            part.update(operand.words if operand.name else ())
    formulas = plan.vocabulary.formulas
    metrics = find_names(text, formulas).names
    if not metrics and is_chinese(text):  # a short name: 经营现金流
        metrics = find_names(plan.vocabulary.synonyms.expand(text).text, formulas).names
    return _Asked(
        metrics=frozenset(metrics),
        words=_with_places(search_words(text)),
        direction=direction_of(text),
        part=_with_places(part),
        named=frozenset(search_words(" ".join((*named, *letters)))),
    )


def _names_of(part: Entity) -> Iterator[str]:
    """The names of a part of a company, and the letters by which a report may call it: "QFNA"."""
    yield from (part.name, *part.aliases, _letters(part.name))


def _letters(name: str) -> str:
    """The first letters of a name, in small ones; "" of a short name."""
    letters = "".join(_INITIAL.findall(name)).lower()
    return letters if len(letters) >= _LEAST_LETTERS else ""


def _with_places(words: Iterable[str]) -> frozenset[str]:
    """Search words, and the places whose adjectives are among them: "european" and "europ"."""
    own = frozenset(words)
    return own.union(*(places for adjective, places in _places().items() if adjective in own))


@cache
def _places() -> Mapping[str, Sequence[str]]:
    rows: Mapping[str, str] = load_rules(_RULES_OF, "causes.toml")["places"]
    return {search_words(adjective)[0]: search_words(places) for adjective, places in rows.items()}


def _score(driver: Driver, asked: _Asked) -> float:
    """How well a driver fits; below ``_LEAST`` where its figure is another one or went the other way."""
    label = _label_words(driver)
    segment = frozenset(search_words(driver.segment))
    direction = _as_asked(driver, asked)
    goes_other_way = bool(asked.direction and direction) and asked.direction != direction
    is_of_other_part = bool(asked.part) and asked.part.isdisjoint(label | segment)
    if asked.named:
        is_of_other_part |= asked.named.isdisjoint((*search_words(driver.text), *segment))
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


# --- whom a cause hurt or helped


Way = Literal["hurt", "helped", "moved"]
_WORDS = PatternTable(_RULES_OF, "causes.toml")
_WAYS: tuple[Way, ...] = ("hurt", "helped", "moved")
_MOST_COMPANIES = 8
_OF_A_COMPANY = 2
"""Sentences that a company is told with."""


@dataclass(frozen=True, slots=True)
class AffectedRequest:
    """The class of causes asked about ("currency"), what it did to those asked for, and to which figures of theirs."""

    category: str
    way: Way
    metrics: frozenset[str] = frozenset()
    """Empty: any figure."""


def read_affected(plan: QuestionPlan) -> AffectedRequest | None:
    """What a question for the companies that a cause moved asks; None for any other question."""
    request = None if plan.companies else asked_of_causes(plan.asked.trimmed)
    if request is None:
        return None
    return replace(request, metrics=frozenset(find_names(plan.asked.trimmed, plan.vocabulary.formulas).names))


def asked_of_causes(text: str) -> AffectedRequest | None:
    """The same by the words of a question alone, in which no company is named.

    >>> request = asked_of_causes("Whom did currency hurt in 2022?")
    >>> request.category, request.way
    ('currency', 'hurt')
    >>> asked_of_causes("Who is the CFO of Acme?") is None
    True
    """
    if not _WORDS.any("whom", text):
        return None
    way = next((way for way in _WAYS if _WORDS.any(way, text)), None)
    if way is None:
        return None
    from ....kg.extraction.drivers.readings import category_of  # of what reads documents, few questions need it

    category = category_of(text)
    return AffectedRequest(category, way) if category else None


def affected_drivers(plan: QuestionPlan, request: AffectedRequest) -> list[Driver]:
    """Drivers with such a cause, company by company: the company with most of them first, each with its surest."""
    query = DriverQuery(sources=plan.own_selection.sources, categories=(request.category,), limit=_MOST_DRIVERS)
    by_company: dict[str, list[Driver]] = {}
    for driver in in_periods(plan.store.drivers(query), plan.asked.periods):
        is_meant = not request.metrics or driver.metric in request.metrics
        if is_meant and _was_moved(driver, request) and not gives_orders(driver.text):
            by_company.setdefault(company_key(driver.company), []).append(driver)
    ranked = sorted(by_company.values(), key=lambda own: -len(own))[:_MOST_COMPANIES]
    found: list[Driver] = []
    for own in ranked:
        own.sort(key=_sureness, reverse=True)
        sentences: dict[str, Driver] = {}
        for driver in own:
            sentences.setdefault(driver.text, driver)
        found.extend(list(sentences.values())[:_OF_A_COMPANY])
    return found


def _was_moved(driver: Driver, request: AffectedRequest) -> bool:
    """True where a cause of the class moved the figure the way that is asked: a higher cost hurts."""
    done = {_did_to(driver, cause) for cause in driver.all_causes() if cause.category == request.category}
    return bool(done) if request.way == "moved" else request.way in done


def _did_to(driver: Driver, cause: Cause) -> Way:
    """What a cause did to the company; "moved" where the sentence does not tell whether it raised the figure."""
    if not cause.sign:
        return "moved"
    is_burden = _WORDS.any("burden", driver.label) and not _WORDS.any("good", driver.label)
    is_good = (cause.sign > 0) != is_burden
    return "helped" if is_good else "hurt"


def _sureness(driver: Driver) -> tuple[bool, bool, float]:
    """Known figures first, then those whose movement is told, then by confidence."""
    return bool(driver.metric), driver.change is not None or driver.percent is not None, driver.confidence
