"""Periods that a question asks about and no document of the company does: said in the answer, never passed over."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse, product
from typing import TYPE_CHECKING

from .....core.orders import gives_orders
from .....core.period import Period
from .....core.period_text import periods_in
from .....core.records import dataclass
from .....core.scope import Scope
from .....kg.store import FactQuery
from .....prompts.messages import message
from ....question.scope.document_filter import years_covered
from ....question.scope.preference import document_year, is_report, last_day
from ...generative.prompts import defuse, fill
from ..quotables import is_row, table_head
from ..sentence_scoring import Quote
from .base import Requirement

if TYPE_CHECKING:
    from .....core.fact import Fact
    from .....kg.store import DocumentRecord
    from ....question.plan import QuestionPlan

_NEAR = 1
"""Years between a document and the period asked up to which its sentences are quoted, with the gap named."""
_ANNUAL = ("10-K", "20-F", "annual report")
_MOST_STORED = 4
_MOST_FACTS = 20_000
"""More than any filing holds."""


@dataclass(frozen=True, slots=True)
class PeriodGap:
    """A company whose documents are all of other periods than those asked.

    ``sources`` are its documents, ``stored`` their periods, oldest first, ``years_off`` the distance of the nearest.
    """

    company: str
    asked: tuple[Period, ...]
    stored: tuple[str, ...]
    sources: frozenset[str]
    years_off: int


def find_gaps(plan: QuestionPlan) -> list[PeriodGap]:
    """One gap for each company named, in the scope or else in the question, that has no document of a period asked."""
    scope = plan.scope or Scope()
    if not plan.asked.periods or scope.periods or scope.sources:
        return []
    gaps = []
    for key in _companies_asked(plan, scope):
        periods = plan.by_company.get(key, plan.asked).periods
        gap = _gap(plan.catalogue.by_company.get(key, ()), periods)
        if gap is not None:
            gaps.append(gap)
    return gaps


def _companies_asked(plan: QuestionPlan, scope: Scope) -> Sequence[str]:
    """The keys of the companies that the scope names, else of those in the question."""
    return plan.catalogue.companies.given(scope.companies) or plan.companies


def _gap(records: Sequence[DocumentRecord], asked: tuple[Period, ...]) -> PeriodGap | None:
    """None where one of the documents speaks of an asked period, or may, because no one knows what it is about."""
    are_dated = all(record.period is not None and is_report(record) for record in records)
    if not records or not are_dated:
        return None
    if any(_speaks_of_any(record, asked) for record in records):
        return None
    own = sorted(records, key=last_day)
    return PeriodGap(
        company=_safe_name(own[-1]),
        asked=asked,
        stored=tuple(dict.fromkeys(str(record.period) for record in own)),
        sources=frozenset(record.source for record in own),
        years_off=min(_years_off(record, asked) for record in own),
    )


def _safe_name(record: DocumentRecord) -> str:
    """The first name of its company that gives no orders: metadata may be planted."""
    return next(filterfalse(gives_orders, record.companies), "-")


def _years_off(record: DocumentRecord, asked: Sequence[Period]) -> int:
    return min(abs((document_year(record) or 0) - period.year) for period in asked)


def _speaks_of_any(record: DocumentRecord, asked: Sequence[Period]) -> bool:
    return any(_speaks_of(record, period) for period in asked)


def _speaks_of(record: DocumentRecord, asked: Period) -> bool:
    """True where a document is of a period or prints it beside its own; a quarter stands beside a quarter."""
    own = record.period
    if own is None or own.overlaps(asked):
        return True
    if own.end is not None and own.end.year == asked.year:
        return True
    if asked.unit == "year" and _is_within_year(record, own):
        return False
    return asked.year in years_covered(record)


def _is_within_year(record: DocumentRecord, own: Period) -> bool:
    """True for the report of one of the first three quarters: it does not print a year."""
    return own.unit == "quarter" and own.number < 4 and record.kind not in _ANNUAL


class PeriodRequirement(Requirement):
    """The gaps of one question, put to quotes: which of them may answer, and what is said before them.

    Where a figure is asked for (``asks_figure``), prose that does not name its period does not answer either.
    """

    def __init__(self, plan: QuestionPlan, *, asks_figure: bool = False) -> None:
        self._plan = plan
        self._asks_figure = asks_figure
        self._gaps = find_gaps(plan)
        self._of: dict[str, PeriodGap] = {}
        for gap in self._gaps:
            self._of.update(dict.fromkeys(gap.sources, gap))
        self._facts: dict[str, list[Fact]] = {}

    def applies(self) -> bool:
        """True where a company has no document of a period asked."""
        return bool(self._gaps)

    def holds(self, quote: Quote) -> bool:
        """True for a quote that may answer: it names the asked period, or is prose of a year beside it."""
        gap = self._of.get(quote.evidence.source)
        if gap is None or self._names(quote, gap.asked):
            return True
        if quote.is_figure or self._asks_figure:
            return False
        return gap.years_off <= _NEAR

    def message(self, quotes: Sequence[Quote]) -> str:
        """Which periods have no document, before quotes of other periods."""
        return self.written(quotes)

    def written(self, quotes: Sequence[Quote], *, before_quotes: bool = True) -> str:
        """What to say before these quotes, a line a company; without quotes of it, which periods are stored instead.

        ``before_quotes=False`` says it as a remark of its own. "" where nothing is to be said: an outlook speaks of a
        year that has no report yet.
        """
        lines = [self._written_of(gap, quotes, before_quotes=before_quotes) for gap in self._gaps]
        return "\n".join(filter(None, lines))

    def _written_of(self, gap: PeriodGap, quotes: Sequence[Quote], *, before_quotes: bool) -> str:
        own = [quote for quote in quotes if quote.evidence.source in gap.sources]
        if any(self._names(quote, gap.asked) for quote in own):
            return ""
        key = "from_other_period" if own and before_quotes else "no_such_period"
        return message(key, self._plan.language, **self._values(gap))

    def told(self) -> list[str]:
        """What a model has to know before it answers: a note a company."""
        return [fill("missing_period", self._plan.language, **self._values(gap)) for gap in self._gaps]

    def _values(self, gap: PeriodGap) -> dict[str, str]:
        return {"periods": ", ".join(map(str, gap.asked)), "company": defuse(gap.company), "stored": _stored(gap)}

    def _names(self, quote: Quote, asked: Sequence[Period]) -> bool:
        """True where a quote states one of the periods: "Q1 2022" is no statement on 2022, a day of 2022 is one."""
        text = f"{quote.text} {table_head(quote.evidence)}"
        if not any(str(period.year) in text for period in asked):
            return False
        of_row = self._periods_of_row(quote) if is_row(quote.evidence, quote.text) else []
        said = of_row or periods_in(text)
        return any(_is_of(period, wanted) for period, wanted in product(said, asked))

    def _periods_of_row(self, quote: Quote) -> list[Period]:
        """The periods of the facts in a table's row: its head may name the last day of a quarter only."""
        source = quote.evidence.source
        if source not in self._facts:
            self._facts[source] = self._plan.store.facts(FactQuery(sources=(source,), limit=_MOST_FACTS))
        own = [fact for fact in self._facts[source] if quote.start <= fact.start < quote.end]
        return [fact.period for fact in own if fact.period]


def _is_of(said: Period, asked: Period) -> bool:
    if (said.unit, said.year, said.number) == (asked.unit, asked.year, asked.number):
        return True
    return said.is_instant and said.overlaps(asked)  # of several years ("2014 to 2016") nothing is said on one


def _stored(gap: PeriodGap) -> str:
    if len(gap.stored) <= _MOST_STORED:
        return ", ".join(gap.stored)
    return f"{gap.stored[0]} … {gap.stored[-1]}"
