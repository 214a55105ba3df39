"""The facts that a question may use: of the documents selected, read when first needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from ....core.fact import Fact
from ....core.names import is_chinese
from ....core.period import Period
from ....ingest.facts.metrics import MetricList, plain_label
from ....kg.store import FactQuery, Store
from ....kg.timeline import superseded_facts
from ...question.figures.operands import Operand
from .choosing import Choice, agree, choose, is_part
from .periods import Closes, read_closes
from .row_matching import Rows, table_words

_MOST_FACTS = 50_000
_UNLIKE = 3
"""A figure so many times higher or lower than those of the tables is another one."""
_CALENDAR = ("revenue", "net income", "cash from operations", "operating income", "gross profit")
"""Metrics over spans that nearly every report states: their periods show its calendar."""


@dataclass
class FactBook:
    """Facts of ``sources``; ``preference`` is 0 for the document that fits the question best, less for others.

    ``published`` gives their days: of a figure that a later document states anew, the later value counts.
    """

    store: Store
    sources: tuple[str, ...]
    metrics: MetricList
    preference: Mapping[str, float] = field(default_factory=dict)
    published: Mapping[str, date] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_metric: dict[str, list[Fact]] = {}

    @classmethod
    def holding(cls, store: Store, facts: Iterable[Fact], names: Iterable[str], metrics: MetricList) -> FactBook:
        """A book of facts at hand, the only ones of these metrics; nothing is read from the store."""
        book = cls(store, (), metrics)
        book._by_metric = {metric: [] for metric in names}
        for fact in facts:
            book._by_metric[fact.metric].append(fact)
        return book

    def load(self, metrics: Iterable[str]) -> None:
        """Read the facts of several metrics at once."""
        wanted = tuple(sorted(set(metrics) - self._by_metric.keys()))
        if not wanted or not self.sources:
            return
        self._by_metric |= {metric: [] for metric in wanted}
        for fact in self.store.facts(FactQuery(metrics=wanted, sources=self.sources, limit=_MOST_FACTS)):
            self._by_metric[fact.metric].append(fact)

    def of(self, metric: str) -> Sequence[Fact]:
        """All facts of a metric, parts of it too."""
        self.load((metric,))
        return self._by_metric.get(metric, ())

    @cached_property
    def all_facts(self) -> list[Fact]:
        """Every fact of the documents."""
        if not self.sources:
            return []
        return self.store.facts(FactQuery(sources=self.sources, limit=_MOST_FACTS))

    @cached_property
    def rows(self) -> Rows:
        """Every row by its words."""
        about: dict[tuple[str, int | None], frozenset[str]] = {
            (source, ordinal): table_words(table, text)
            for source in self.sources
            for text in (self.store.text(source),)
            for ordinal, table in enumerate(self.store.tables(source))
        }
        return Rows(self.all_facts, about)

    @cached_property
    def closes(self) -> Closes:
        """When the fiscal periods of the documents end."""
        self.load(_CALENDAR)
        return read_closes(fact for metric in _CALENDAR for fact in self._by_metric.get(metric, ()))

    def metric(self, name: str, period: Period, written: str = "") -> Choice | None:
        """The figure of a metric as a whole; of rows that state it, the one named as ``written``."""
        labels = (plain_label(written), self._usual_chinese_name(name))
        facts = self.of(name)
        wanted = labels[: 1 if written else 2]
        superseded = self._superseded(facts)
        choice = choose(facts, period, self.closes, self.preference, labels=wanted, superseded=superseded)
        if choice is not None and not choice.sure:
            choice = self._settled(choice, facts, period, written)
        return choice if choice is None or _is_plausible(choice.fact, facts) else None

    def _settled(self, choice: Choice, facts: Sequence[Fact], period: Period, written: str) -> Choice:
        """Of rows of one table that state an amount, such as "Net sales" and "Total revenue", the one with the name
        asked, else the one whose name holds its words, else the one total; the choice as it is where none tells."""
        stated = (choice.fact, *choice.others)
        tables = {(fact.source, fact.table) for fact in stated}
        if not _is_in(choice.fact, "money") or len(tables) > 1:
            return choice
        for label in _telling_labels(list(map(row_label, stated)), plain_label(written)):
            own = [fact for fact in facts if row_label(fact) == label]
            found = choose(own, period, self.closes, self.preference, superseded=self._superseded(own))
            if found is not None and found.sure:
                return replace(found, settled=True)
        return choice

    def named(self, written: str, period: Period, unit: str) -> Choice | None:
        """The figure of a row named just so, in the unit wanted: a ratio, or an amount, that the report itself prints.

        Amounts are taken from tables only: a sentence may tell by how much the figure differs from another.
        """
        if not self.sources:
            return None
        wanted = plain_label(written)
        found = self.store.facts(FactQuery(sources=self.sources, label=written, limit=_MOST_FACTS))
        facts = [f for f in found if _is_in(f, unit) and row_label(f) == wanted]
        choice = choose(facts, period, self.closes, self.preference, superseded=self._superseded(facts))
        return choice if choice is not None and choice.sure else None

    def row(self, operand: Operand, period: Period) -> tuple[Choice, float] | None:
        """The figure of the row that an operand names in its own words, and how near the names are."""
        matches = self.rows.find(operand)
        for score in dict.fromkeys(match.score for match in matches):
            facts = [fact for match in matches if match.score == score for fact in match.row.facts]
            superseded = self._superseded(facts)
            choice = choose(facts, period, self.closes, self.preference, parts=True, superseded=superseded)
            if choice is not None:
                return choice, min(1.0, score)
        return None

    def _usual_chinese_name(self, metric: str) -> str:
        """The first Chinese name in the list: what formulas mean."""
        names = self.metrics.names.items()
        return next((plain for plain, name in names if name == metric and is_chinese(plain)), "")

    def _superseded(self, facts: Iterable[Fact]) -> Mapping[str, Fact]:
        return superseded_facts(facts, self.published, agree) if len(self.sources) > 1 else {}

    def periods_of(self, facts: Iterable[Fact], *, parts: bool = False) -> list[Period]:
        """Years, or the days of balances, for which there is a fact, ascending; with ``parts`` also of a segment."""
        found: dict[str, Period] = {}
        for fact in facts:
            period = fact.period
            if period is not None and period.unit in ("year", "day") and (parts or not is_part(fact)):
                found.setdefault(str(period.last_day.year if period.is_instant else period.year), period)
        return sorted(found.values(), key=lambda period: period.sort_key)


def row_label(fact: Fact) -> str:
    """The name of a fact's own row in plain form."""
    return plain_label(fact.label.rpartition(" > ")[2])


def _telling_labels(labels: Sequence[str], name: str) -> Iterator[str]:
    """Of the rows' labels the one that is the name asked, that holds its words, that is a total: each where it alone
    is."""
    words = set(name.split())
    exact = [label for label in labels if label == name]
    named = [label for label in labels if words and words.issubset(label.split())]
    totals = [label for label in labels if label.startswith("total ")]
    for meant in (exact, named, totals):
        if len(meant) == 1:
            yield meant[0]


def _is_in(fact: Fact, unit: str) -> bool:
    """True for a fact in the unit of a formula, where amounts of money have the unit "money"."""
    if unit == "money":
        return len(fact.unit) == 3 and fact.unit.isupper() and fact.source_kind == "table"
    return fact.unit == unit


def _is_plausible(fact: Fact, stated: Iterable[Fact]) -> bool:
    """False for a sentence about a part of the figure, or about a time to come, where the document has tables of it."""
    if fact.source_kind != "prose":
        return True
    whole = [f for f in stated if f.source == fact.source and f.source_kind != "prose" and f.amount and not is_part(f)]
    if not whole or fact.amount is None or fact.period is None:
        return True
    near = any(1 / _UNLIKE <= abs(fact.amount / f.amount) <= _UNLIKE for f in whole if f.amount)
    return near and any(f.period is not None and f.period.last_day >= fact.period.last_day for f in whole)
