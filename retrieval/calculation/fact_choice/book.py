"""The facts that a question may use: of the documents selected, read when first needed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from decimal import Decimal
from functools import cached_property
from itertools import chain, groupby

from ....core.fact import Basis, Consolidation, Fact
from ....core.names import is_chinese
from ....core.patterns import on_demand
from ....core.period import Period
from ....core.quantity import is_currency
from ....core.records import dataclass
from ....core.sequences import runs
from ....core.words import search_words
from ....ingest.document import Table
from ....ingest.facts.metrics import UNNAMED, MetricList, plain_label
from ....kg.store import FactQuery, Store
from ....kg.timeline import superseded_facts
from ...question.figures.operands import Operand, content_words
from ...search.index.corpus import corpus_of
from .choosing import Choice, Closes, agree, aligned, choose, is_part, period_fit, read_closes, row_label
from .row_matching import Match, Row, Rows, words_of

_MOST_FACTS = 50_000
_UNLIKE = 3
"""A figure so many times higher or lower than those of the tables is another one."""
_OF_SENTENCE = 0.3
"""What a figure that prose alone states is set back by behind one of a table."""
_AS_NEAR = 0.05
"""Rows nearly as near to the words asked, such as one under another head, tell which of two values is meant."""
_OF_WHOLE = Decimal("0.5")
"""Below this share of the company's own figure the total of a table is that of a segment."""
_TOTAL = on_demand(r"total\b|合计|总计", re.IGNORECASE)
_OF_METRICS = frozenset(search_words("income cash flow"))
"""Words of metrics that are left out of what a question names, since statements are called by them."""
_LEAD = on_demand(
    r"(?<![^\n.。;；])(?=[^\n.。;；]*\b(?:following|below|follows|as of|ended|table)\b)[^\n.。;；]*[.:：]?\Z"
    r"|(?<![^\n.。])[^\n.。]*[:：]\Z",
    re.IGNORECASE,
)
"""The sentence that leads to what comes next."""
_LINE_END = on_demand(r"[.:：。][ \t]{0,9}(?=\n)")
"""The end of a sentence at the end of a line: "vs." within one ends none."""
_LONGEST_LEAD = 400
_GAAP_MEASURE = on_demand(r" (?:non )?gaap (?:financial )?measure$")
"""Behind the name of a figure, in plain form: "Free cash flow, non-GAAP measure"."""
_LEAST_PAGES = 2
_FIRST_RAW = 1_000_000
"""Ordinals from here on are those of tables that were read from plain lines: the document counts none."""
_WIDEST_GAP = 160
"""Characters between two rows of such a table: a head of a section, no paragraph."""
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
    basis: Basis = "reported"
    """The basis that the question asks for: "as adjusted"."""
    consolidation: Consolidation = "consolidated"
    """Whose statements it asks for: those of the group, else of the parent alone."""

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
        return self._read_facts()

    def _read_facts(self) -> list[Fact]:
        return self.store.facts(FactQuery(sources=self.sources, limit=_MOST_FACTS)) if self.sources else []

    @cached_property
    def rows(self) -> Rows:
        """Every row by its words."""
        return corpus_of(self.store).rows(self.sources, self.metrics, self._read_rows)

    def _read_rows(self) -> Rows:
        every = self._read_facts()  # anew: other questions read these rows, and what this one read may be stale
        about: dict[tuple[str, int | None], frozenset[str]] = {}
        raw: dict[str, int] = {}
        for source in self.sources:
            text = self.store.text(source)
            for ordinal, table in enumerate(self.store.tables(source)):
                about[source, ordinal] = table_words(table, text)
            for ordinal, facts in enumerate(_raw_tables(every, source), _FIRST_RAW):
                about[source, ordinal] = raw_table_words(facts, text)
                raw.update(dict.fromkeys((fact.id for fact in facts), ordinal))
        return Rows(every, about, self.metrics, raw)

    @cached_property
    def closes(self) -> Closes:
        """When the fiscal periods of the documents end."""
        self.load(_CALENDAR)
        return read_closes(chain.from_iterable(map(self.of, _CALENDAR)))

    def metric(self, name: str, period: Period, written: str = "") -> Choice | None:
        """The figure of a metric as a whole; of rows that state it, the one named as ``written``."""
        facts = [*self.of(name), *self._printed_as(name)]
        labels = [plain_label(written)]
        if not written:
            labels.append(self._usual_chinese_name(name))
        choice = self._choose(facts, period, labels=labels)
        if choice is None:
            return self._stand_in(name, period)
        if not choice.sure:
            choice = self._settled(choice, facts, period, written)
        if not choice.sure:
            choice = self._by_pages(choice, facts, period)
        return choice if _is_plausible(choice.fact, facts) else None

    def _printed_as(self, name: str) -> Iterator[Fact]:
        """Facts of the metric that stands for another whose rows are printed with the other's name: of a company
        without other holders "Net earnings" are tagged as those of its shareholders."""
        stand_in = self.metrics.metrics.get(name, UNNAMED).stand_in
        for fact in self.of(stand_in) if stand_in else ():
            if self.metrics.get(fact.own_label).name == name:
                yield fact

    def _stand_in(self, name: str, period: Period) -> Choice | None:
        """The figure of the metric that stands for another where a report tells only that one, under its own name."""
        metric = self.metrics.metrics.get(name)
        other = self.metric(metric.stand_in, period) if metric is not None and metric.stand_in else None
        return replace(other, settled=True) if other is not None else None

    def _settled(self, choice: Choice, facts: Sequence[Fact], period: Period, written: str) -> Choice:
        """Of rows of one table that state an amount, such as "Net sales" and "Total revenue", the one with the name
        asked, else the one whose name holds its words, else the one total; the choice as it is where none tells."""
        stated = (choice.fact, *choice.others)
        tables = {(fact.source, fact.table) for fact in stated}
        if not _is_in(choice.fact, "money") or len(tables) > 1:
            return choice
        for label in _telling_labels(list(map(row_label, stated)), plain_label(written)):
            found = self._choose([fact for fact in facts if row_label(fact) == label], period)
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
        rows = [fact for fact in found if _is_in(fact, unit) and _GAAP_MEASURE.sub("", row_label(fact)) == wanted]
        unqualified = [fact for fact in rows if "(" not in fact.own_label]
        choice = self._choose(unqualified or rows, period)
        return choice if choice is not None and choice.sure else None

    def row(self, operand: Operand, period: Period, beside: Fact | None = None) -> tuple[Choice, float] | None:
        """The figure of the row that an operand names in its own words, and how near the names are; with ``beside`` of
        a row or column that stands in the table of that fact."""
        matches = sorted(self.rows.find(operand), key=_rank, reverse=True)
        if beside is not None:
            matches = [match for match in matches if _is_beside(match.row, beside)]
        for rank, equally_near in groupby(matches, key=_rank):
            group = list(equally_near)
            facts = list(chain.from_iterable(match.row.facts for match in group))
            choice = self._choose(_stating(operand.name, facts), period, parts=True)
            if choice is None or self._is_of_unit(choice.fact, operand, period):
                continue
            if not choice.sure:
                near = (match.row.facts for match in matches if _rank(match) >= rank - _AS_NEAR)
                choice = self._by_pages(choice, list(chain.from_iterable(near)), period)
            return choice, min(1.0, group[0].score)
        return None

    def _is_of_unit(self, fact: Fact, operand: Operand, period: Period) -> bool:
        """True for a part of a segment where the company's is asked: the total of its table is far below the whole."""
        if not operand.name or not set(content_words(fact.own_label)).issuperset(operand.words):
            return False
        whole = self.metric(operand.name, period)
        least = abs(_OF_WHOLE * aligned(whole.fact)) if whole is not None else Decimal(0)
        place = (fact.source, fact.table, fact.period)
        beside = [other for other in self.of(operand.name) if (other.source, other.table, other.period) == place]
        totals = [abs(aligned(other)) for other in beside if _TOTAL.match(other.own_label)]
        return bool(totals) and max(totals) < least

    def _by_pages(self, choice: Choice, facts: Iterable[Fact], period: Period) -> Choice:
        """Of values that are as well supported the one that twice as many pages state as any other, two at least: the
        statements and the notes repeat a figure of the whole company. The choice as it is where none is."""
        stating = [fact for fact in facts if period_fit(fact, period, self.closes)]
        stated = (choice.fact, *choice.others)
        pages = [len({(fact.source, fact.page) for fact in stating if agree(fact, value)}) for value in stated]
        most = max(pages)
        others = sorted(pages)[:-1]
        if most < _LEAST_PAGES or (others and 2 * others[-1] > most):
            return choice
        best = stated[pages.index(most)]
        rest = tuple(fact for fact in stated if fact is not best)
        return replace(choice, fact=best, amount=aligned(best), others=rest, sure=True, settled=True)

    def _choose(
        self, facts: Sequence[Fact], period: Period, *, labels: Collection[str] = (), parts: bool = False
    ) -> Choice | None:
        """The best of these facts, by the documents' calendars, their fit, and what later ones state anew."""
        superseded: Collection[str] = ()
        if len(self.sources) > 1:
            superseded = superseded_facts(facts, self.published, agree)
        return choose(
            facts,
            period,
            self.closes,
            self.preference,
            parts=parts,
            labels=labels,
            superseded=superseded,
            basis=self.basis,
            consolidation=self.consolidation,
        )

    def _usual_chinese_name(self, metric: str) -> str:
        """The first Chinese name in the list: what formulas mean."""
        for plain, name in self.metrics.names.items():
            if name == metric and is_chinese(plain):
                return plain
        return ""

    def longer_spans(self, metric: str, period: Period) -> list[str]:
        """The labels of longer spans that end with a quarter and for which the metric is stated: cash flow statements
        of quarterly reports count from the beginning of the year."""
        if period.unit != "quarter":
            return []
        spans: dict[str, None] = {}
        for fact in self.of(metric):
            own = fact.period
            if own is None or is_part(fact):
                continue
            if own.unit in ("half", "nine months") and own.last_day == period.last_day:
                spans[own.label] = None
        return list(spans)

    def periods_of(self, facts: Iterable[Fact], *, parts: bool = False) -> list[Period]:
        """Years, or the days of balances, for which there is a fact, ascending; with ``parts`` also of a segment."""
        found: dict[int, Period] = {}
        for fact in facts:
            period = fact.period
            if period is None or period.unit not in ("year", "day"):
                continue
            if parts or not is_part(fact):
                found.setdefault(period.year, period)
        return sorted(found.values(), key=lambda period: period.sort_key)


def table_words(table: Table, text: str = "") -> frozenset[str]:
    """Words of its title, heading and first column's head, of the totals that its other rows are parts of, and of the
    sentence in ``text`` that leads to it."""
    first_cells = [row[0] for row in table.rows if row]
    heads = [row[0] for row in table.rows[: table.header_rows] if row]
    names = first_cells[len(heads) :]
    said = [table.title, *table.headings[-1:], *heads]
    said.extend(filter(_TOTAL.match, names))
    said.extend(names[-1:])
    lead = _LEAD.search(text[max(0, table.start - _LONGEST_LEAD) : table.start].rstrip())
    if lead is not None:
        said.append(lead[0])
    return _table_words(" ".join(said))


def _table_words(text: str) -> frozenset[str]:
    """The words that say what a table is about, with those of metrics that elsewhere say nothing."""
    return words_of(text) | _OF_METRICS.intersection(search_words(text))


def raw_table_words(facts: Sequence[Fact], text: str) -> frozenset[str]:
    """As :func:`table_words`, for a table that was read from plain lines: what metrics its totals and the sentence
    that leads to it name. ``facts`` are those of the table, in the order of the text."""
    before = text[max(0, facts[0].start - _LONGEST_LEAD) : facts[0].start]
    ends = [found.end() for found in _LINE_END.finditer(before)]
    told = before[: ends[-1]] if ends else ""  # heads of columns follow
    said = [fact.own_label for fact in facts if _TOTAL.match(fact.own_label)]
    lead = _LEAD.search(told.rstrip())
    if lead is not None:
        said.append(lead[0])
    return _table_words(" ".join(dict.fromkeys(said)))


def _stating(metric: str, facts: list[Fact]) -> list[Fact]:
    """Of amounts and their shares under one label the amounts."""
    own = [fact for fact in facts if fact.metric == metric]
    return own if own and metric else facts


def _is_beside(row: Row, fact: Fact) -> bool:
    """True for another row under the same heads, or the same row under others, in the table of a fact."""
    other = row.facts[0]
    place, own = ((one.source, one.page, one.table) for one in (fact, other))
    is_other = (other.label, other.dimensions) != (fact.label, fact.dimensions)
    return place == own and is_other and (other.label == fact.label or _heads(other) == _heads(fact))


def _heads(fact: Fact) -> tuple[tuple[str, str], ...]:
    """What narrows a fact beside its own row, whose name may be that of a part: "Subscription" under revenue."""
    return tuple((kind, member) for kind, member in fact.dimensions if member != fact.own_label)


def _rank(match: Match) -> float:
    """How near a row is to the words asked; a sentence, which may speak of a part alone, comes behind a table."""
    return match.rank - _OF_SENTENCE * all(fact.source_kind == "prose" for fact in match.row.facts)


def _raw_tables(facts: Iterable[Fact], source: str) -> list[list[Fact]]:
    """The facts of a document's tables that were read from plain lines, those of each table: its rows stand close."""
    own = [fact for fact in facts if fact.source == source and fact.source_kind == "table" and fact.table is None]
    own.sort(key=lambda fact: fact.start)
    return runs(own, _is_next_row)


def _is_next_row(table: Sequence[Fact], fact: Fact) -> bool:
    is_near = fact.start - table[-1].end <= _WIDEST_GAP
    return is_near and fact.page == table[-1].page


def _telling_labels(labels: Sequence[str], name: str) -> Iterator[str]:
    """Of the rows' labels the one that is the name asked, that holds its words, that is a total: each where it alone
    is."""
    exact = [label for label in labels if label == name]
    totals = [label for label in labels if label.startswith("total ")]
    for meant in (exact, _with_words_of(name, labels), totals):
        if len(meant) == 1:
            yield meant[0]


def _with_words_of(name: str, labels: Sequence[str]) -> list[str]:
    """The labels that hold all words of the name."""
    words = set(name.split())
    if not words:
        return []
    return [label for label in labels if words.issubset(label.split())]


def _is_in(fact: Fact, unit: str) -> bool:
    """True for a fact in the unit of a formula, where amounts of money have the unit "money"."""
    if unit != "money":
        return fact.unit == unit
    return is_currency(fact.unit) and fact.source_kind == "table"


def _is_plausible(fact: Fact, stated: Iterable[Fact]) -> bool:
    """False for a sentence about a part of the figure, or about a time to come, where the document has tables of it."""
    if fact.source_kind != "prose":
        return True
    whole = [other for other in stated if other.source == fact.source and _states_whole_in_table(other)]
    if not whole or fact.amount is None or fact.period is None:
        return True
    last_day = fact.period.last_day
    is_past = any(other.period is not None and other.period.last_day >= last_day for other in whole)
    return is_past and any(_is_of_like_size(fact, other) for other in whole)


def _states_whole_in_table(fact: Fact) -> bool:
    return fact.source_kind != "prose" and bool(fact.amount) and not is_part(fact)


def _is_of_like_size(one: Fact, other: Fact) -> bool:
    """True where neither amount is so many times the other that they must be of different things."""
    if one.amount is None or not other.amount:
        return False
    return 1 / _UNLIKE <= abs(one.amount / other.amount) <= _UNLIKE
