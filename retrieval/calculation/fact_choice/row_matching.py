"""Finds rows by how a question names them where no list of metrics has the name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, permutations
from math import log

from ....core.fact import Fact
from ....core.names import is_chinese
from ....core.patterns import on_demand
from ....core.records import dataclass
from ....core.words import search_words
from ....ingest.facts.metrics import MetricList, plain_label
from ....ingest.facts.table_context import TO_COME
from ...question.figures.operands import Operand, content_words

_LEAST_COVERED = 0.99
"""Share of the question's words, by weight, that a row has to hold: with less another row may be meant."""
_CHANGE = on_demand(r"\b(?:net )?(?:changes?|increase|decrease)\b")
_CHANGED = on_demand(r"\b(?:increase|decrease|change|growth)s?$|(?:增长|下降|增减|变动)(?:率|额|幅度|比例)?$")
"""At the end of a label: "Membership fees increase" is no answer to how large the fees were."""
_BEGIN = on_demand(r"\b(?:beginning|start|opening|brought forward)\b|期初|年初")
_END = on_demand(r"\b(?:end|ending|closing|carried forward)\b|期末|年末")
_PER = on_demand(r"\bper (?!cent\b)(?:\w+ )??(\w+)")
"""Of each: "per share"."""
_OPPOSITES = ((_BEGIN, _END), (_END, _BEGIN))
_FORMS = (on_demand(r"\b(\w{4,}?)[ai]ble\b"), on_demand(r"\b(\w{4,}?)ed\b"))
"""Options that are exercisable are not those exercised, though both words have one stem."""
_TOTAL = on_demand(r"total\b|合计|总计", re.IGNORECASE)
_FLOW = on_demand(
    r"\b(?:did|does|do|has|have)\b.{1,80}?\b"
    r"(?:spend|spent|pay|invest|invested|earn|earned|sell|sold|generate|generated|borrow|borrowed|raise|raised)\b",
    re.IGNORECASE,
)
"""Asks by a verb for what came or went over a time."""
_TO_COME = on_demand(r"\b(?:due|expect|estimate|schedule|future|upcoming|matur)", re.IGNORECASE)
_UNASKED = 0.01
"""What a row loses by parents that the question does not name: of two like rows the one without counts."""
_OF_ANOTHER_KIND = frozenset(search_words("average weighted percent percentage rate change increase decrease"))
"""Words of a column's head that make another quantity of a row: the average deposits, what they changed by."""
_OF_CHANGES = frozenset(search_words("percent percentage rate change increase"))
_GROWS = re.compile(r"\bgr(?:ow|ew)\w*\b", re.IGNORECASE)
"""Asked so, what is under the head "% change" is the very thing."""
_FOOTNOTE = on_demand(r"(?<=[a-z]{4})[1-9](?=\s*(?:\(|$))")
"""The mark of a note that was printed raised: "Order intake1"."""
_STATED = 0.02
"""What a row gains that states the very metric asked: of the amounts and their shares of the total, the amounts."""
_UNIT = on_demand(r"\((?:[^()\s]{1,8}|[^()]{1,12}/[^()]{1,12})\)")
"""In a label, what need not be asked for: "AISC (A$/oz)"."""
_FAR = 0.5
"""Beyond this share of the words said by its table alone a row comes behind others: "diluted ... per share" of "Net
income"."""
_LEAST_OWN = 0.5
"""Share of the row's own words that the question has to name."""
_OTHER_NAME = 0.8
"""Counted of the own words of a row that is called by another name of the metric asked: "Net sales" for revenue."""
_FURTHER_WORD = 0.01
"""What such a row loses by each of its words: of "Memberships" and "Paid memberships" the plain one counts."""
_LONG_NAME = 2
"""Words of a metric's name by which a table says what it is about: "sales" alone stands in too many."""


_PLACE = on_demand(
    r"\b(?:u\.? ?s\.?|united states|americas?|europe\w{0,2}|emea|asia\w{0,2}|pacific|china|japan|international"
    r"|domestic|foreign|overseas|outside)\b|境内|境外|国内|国外|地区",
    re.IGNORECASE,
)
_CROSSED = frozenset(("segment", "region"))
_ABBREVIATED = 3
"""Letters by which the name of a region is told: "Int'l"."""
Tables = Mapping[tuple[str, int | None], frozenset[str]]
"""(source, ordinal of the table) -> the words that say what the table is about."""


@dataclass(frozen=True, slots=True)
class Row:
    """Facts under one label of a table, with the label's own words, and those of its parents, segment, column and
    table."""

    label: str
    own: frozenset[str]
    around: frozenset[str]
    facts: tuple[Fact, ...]
    parents: frozenset[str] = frozenset()
    """Those of ``around`` that stand in the row's own parents and columns."""
    kinds: frozenset[str] = frozenset()
    """Those of :data:`_OF_ANOTHER_KIND` that stand in the heads above it."""
    stems: frozenset[str] = frozenset()
    """All search terms of its label, parents and columns, and of its table those that tell a metric."""
    is_total: bool = False
    """It is a total of all that its table is about, and says no more: "Total"."""

    @property
    def said(self) -> frozenset[str]:
        """The words of its label, of its sections and columns, and of the metrics that it states."""
        return self.own | self.parents | words_of(" ".join(sorted(self.metrics)))

    @property
    def is_of_part(self) -> bool:
        """True where its facts are narrowed to a segment, a region or a column."""
        return any(fact.dimensions for fact in self.facts)

    @property
    def kinds_of_parts(self) -> frozenset[str]:
        """By what its facts are narrowed: "segment", "region"."""
        return frozenset(kind for fact in self.facts for kind, _ in fact.dimensions)

    @property
    def metrics(self) -> frozenset[str]:
        """The known metrics that its facts state."""
        return frozenset(fact.metric for fact in self.facts if fact.metric)

    @property
    def is_balance(self) -> bool:
        """True where its facts are of days."""
        return all(fact.period is not None and fact.period.is_instant for fact in self.facts)

    @property
    def is_to_come(self) -> bool:
        """True where its facts are of years in which something falls due or is expected."""
        return self.facts[0].label.startswith(TO_COME)

    def states(self, metric: str) -> bool:
        """True where a fact of the row states the metric, by its canonical name; never for ""."""
        return bool(metric) and any(fact.metric == metric for fact in self.facts)

    def is_called(self, name: str) -> bool:
        """True where its label holds the words of the name, in whatever number: "revenue" of "Alliance revenues"."""
        return set(search_words(name)) <= set(search_words(self.label))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an operand says of the row that is meant."""

    text: str
    """Its words in plain form, as labels have them."""
    words: frozenset[str]
    stems: frozenset[str]
    """All its search terms, words of asking and of reporting too."""
    metric: str
    metric_words: frozenset[str]
    """Words that name the metric, however the row itself is labelled."""
    metric_stems: frozenset[str]
    """All search terms of the metric's name as it is written."""
    total: bool
    change: bool
    """It is asked how a figure moved, not what it was."""
    flow: bool
    """It is asked what was spent or earned over a time: what stood in the books on a day is no answer."""
    to_come: bool
    """It is asked what falls due or is expected."""

    @classmethod
    def of(cls, operand: Operand) -> _Wanted:
        text = plain_label(operand.text)
        return cls(
            text=text,
            words=frozenset(content_words(operand.text)),
            stems=frozenset(search_words(operand.text)) | (_OF_CHANGES if _GROWS.search(operand.text) else frozenset()),
            metric=operand.name,
            metric_words=words_of(operand.written) if operand.name else frozenset(),
            metric_stems=frozenset(search_words(operand.written)),
            total=_TOTAL.search(operand.text) is not None,
            change=_CHANGE.search(text) is not None or _CHANGED.search(text) is not None,
            flow=_FLOW.search(operand.text) is not None,
            to_come=operand.due or _TO_COME.search(operand.text) is not None,
        )

    def may_be(self, label: str) -> bool:
        """False for a row of the other end of the period, or of how the figure moved where that is not asked."""
        if _is_of_other_end(self.text, label) or _is_of_other_form(self.text, label):
            return False
        return self.change or not _tells_change(label)


@dataclass(frozen=True, slots=True)
class Match:
    """A row and how near it is to the words asked, 0..1; 1 where it stands word for word in the question."""

    row: Row
    score: float
    far: float = 0.0
    """Share of the words asked that only its table says, not the row, its sections and its columns."""

    @property
    def rank(self) -> float:
        """How near it is beside other rows: of two rows of a table the one that says more itself."""
        return self.score - (self.far > _FAR)


class Rows:
    """The rows of some documents, found by words. ``tables`` tells what each table is about."""

    def __init__(
        self,
        facts: Iterable[Fact],
        tables: Tables,
        metrics: MetricList,
        raw: Mapping[str, int],
    ) -> None:
        """``raw`` gives the ordinals of tables that were read from plain lines, by the ids of their facts."""
        self._metrics = metrics
        found: dict[tuple[str, tuple[tuple[str, str], ...], str, int | None], list[Fact]] = {}
        for fact in facts:
            table = raw.get(fact.id, fact.table)
            found.setdefault((fact.label, fact.dimensions, fact.source, table), []).append(fact)
        self.rows: list[Row] = []
        for (label, parts, source, table), own in found.items():
            self.rows.append(_row(label, parts, own, tables.get((source, table), frozenset())))
        counted: Counter[str] = Counter()
        for row in self.rows:
            counted.update(row.own | row.around)
        self._weight: Mapping[str, float] = {word: 1 + log(len(self.rows) / n) for word, n in counted.items()}
        self._unknown = 1 + log(max(1, len(self.rows)))

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, operand: Operand) -> list[Match]:
        """Rows that are meant, best first; several where they cannot be told apart.

        Where rows state the metric asked for in columns of the company's parts, no row is meant that only bears the
        name of a part.
        """
        wanted = _Wanted.of(operand)
        matches: list[Match] = []
        for row in self.rows:
            if row.is_total and not wanted.total and not _is_total_of(row, wanted):
                continue
            match = self._match(row, wanted)
            if match is not None:
                matches.append(match)
        if any(match.row.states(operand.name) and match.row.is_of_part for match in matches):
            matches = [
                match for match in matches if match.row.states(operand.name) or match.row.is_called(operand.written)
            ]
        return sorted(matches, key=lambda match: -match.rank)

    def find_verbatim(self, text: str) -> list[Row]:
        """Rows whose whole label stands in the text, the longest first."""
        plain = plain_label(text)
        found = [row for row in self.rows if _contains(plain, row.label)]
        return sorted(found, key=lambda row: -len(row.label))

    def _is_about(self, row: Row, metric: str) -> bool:
        """True where the row states the metric, or what stands around it says so: "iPhone" in a table of net sales."""
        return row.states(metric) or any(name <= row.around for name in _long_names(self._metrics, metric))

    def _match(self, row: Row, wanted: _Wanted) -> Match | None:
        """The row with its score; None where it is not the one that is wanted."""
        if _is_ruled_out(row, wanted):
            return None
        told = wanted.metric_words if self._is_about(row, wanted.metric) else frozenset[str]()
        if not told and not _names_metric(row, wanted):
            return None
        verbatim = _contains(wanted.text, row.label) or _is_total_of(row, wanted)
        covered = self._share(wanted.words, row.own | row.around | told, without=float(verbatim))
        if covered < _LEAST_COVERED:
            return None
        own = self._own_share(row, wanted, verbatim=verbatim)
        if own < _LEAST_OWN and not verbatim:
            return None
        length = min(1.0, len(row.label) / max(1, len(wanted.text)))
        is_whole = verbatim and (not row.is_total or wanted.words <= row.parents)
        score = 1.0 + length if is_whole else 0.9 * own + 0.1 * length
        far = 1 - self._share(wanted.words - wanted.metric_words, row.said, without=1.0)
        return Match(row, score + _STATED * bool(told) - self._unasked(row, wanted, told), far)

    def _unasked(self, row: Row, wanted: _Wanted, told: frozenset[str]) -> float:
        """What a row loses for the words above it that nobody asks for, and for a kind of amount that is not asked."""
        others = self._share(row.parents, row.parents - wanted.words - told, without=0.0)
        return _UNASKED * (others + (not row.kinds <= wanted.stems))

    def _own_share(self, row: Row, wanted: _Wanted, *, verbatim: bool) -> float:
        """The share of the row's own words that are wanted; most of them where it has another name of the metric."""
        called = wanted.words | _one_word_names(self._metrics, wanted.metric)
        share = self._share(row.own, called, without=float(verbatim))
        if wanted.metric and self._metrics.get(row.label).name == wanted.metric:
            return max(share, _OTHER_NAME - _FURTHER_WORD * len(row.own))
        return share

    def _share(self, words: frozenset[str], held: frozenset[str], *, without: float) -> float:
        """The share by weight of the words that are held; ``without`` where there are no words."""
        total = self._sum(words)
        return self._sum(words & held) / total if total else without

    def _sum(self, words: Iterable[str]) -> float:
        return sum(self._weight.get(word, self._unknown) for word in words)


def members_of_one_row(rows: Iterable[Row]) -> frozenset[tuple[object, ...]]:
    """Source, table and member of what a table tags the rows of one label alone with: "CN" of "China"."""
    facts = [row.facts[0] for row in rows if row.facts[0].source_kind == "xbrl"]
    tags = {(fact.source, fact.table, member, fact.label) for fact in facts for _, member in fact.dimensions}
    counted = Counter(tag[:3] for tag in tags)
    return frozenset(place for place, labels in counted.items() if labels == 1)


def _is_total_of(row: Row, wanted: _Wanted) -> bool:
    """True for the total of a section that is named by all that is asked: "Total" under "Load factor"."""
    return row.is_total and bool(wanted.words) and wanted.words <= row.parents


def _is_ruled_out(row: Row, wanted: _Wanted) -> bool:
    """True for a row of another time, of another metric, or of a part that is not asked for."""
    if (wanted.flow and not wanted.metric and row.is_balance) or (row.is_to_come and not wanted.to_come):
        return True
    is_other = _states_another(row, wanted) or _is_narrower(row, wanted) or _is_of_another_measure(row, wanted)
    return not wanted.may_be(row.label) or is_other


def _is_of_another_measure(row: Row, wanted: _Wanted) -> bool:
    """True for a whole amount where one for each share is asked, and the other way round: "FFO", "FFO per share"."""
    if row.states(wanted.metric):
        return False
    asked, told = (frozenset(_PER.findall(text)) for text in (wanted.text, row.label))
    is_for_each = bool(told) or any("/" in fact.unit for fact in row.facts)
    return not is_for_each if asked else bool(told)


def _is_narrower(row: Row, wanted: _Wanted) -> bool:
    """True for a row of one region of a product or segment, where no region is asked: "Comirnaty, Int'l".

    A region has many names ("domestic" is the United States), so any place in the question will do.
    """
    if not row.kinds_of_parts >= _CROSSED or _PLACE.search(wanted.text):
        return False
    regions = {member for fact in row.facts for kind, member in fact.dimensions if kind == "region"}
    asked = {stem[:_ABBREVIATED] for stem in wanted.stems}
    return any(asked.isdisjoint(word[:_ABBREVIATED] for word in search_words(region)) for region in regions)


def _row(label: str, parts: Sequence[tuple[str, str]], facts: Sequence[Fact], table: frozenset[str]) -> Row:
    """``table`` are the words that say what its table is about."""
    parents, _, own = label.rpartition(" > ")
    own = _FOOTNOTE.sub("", own)
    words = words_of(_UNIT.sub(" ", own)) or words_of(own)
    members = [member for _, member in parts]
    above = words_of(" ".join([parents.replace(" > ", " "), *members]))
    around = above | words_of(own) | words_of(" ".join(sorted({fact.metric for fact in facts})))
    is_total = not words and _TOTAL.match(own) is not None
    if words or is_total:
        around |= table
    kinds = _OF_ANOTHER_KIND.intersection(search_words(" ".join((*members, parents.replace("%", " percent ")))))
    stems = frozenset(search_words(" ".join((label, *members)))) | around
    return Row(plain_label(own), words, around, tuple(facts), above, kinds, stems, is_total)


def _names_of(metrics: MetricList, metric: str) -> Iterator[frozenset[str]]:
    """The words of each name of a metric; none for ""."""
    return (words_of(plain) for plain, name in metrics.names.items() if metric and name == metric)


@lru_cache(maxsize=1_000)
def _long_names(metrics: MetricList, metric: str) -> tuple[frozenset[str], ...]:
    """The words of each name of the metric that has some."""
    return tuple(words for words in _names_of(metrics, metric) if len(words) >= _LONG_NAME)


@lru_cache(maxsize=1_000)
def _one_word_names(metrics: MetricList, metric: str) -> frozenset[str]:
    """The words each of which names the metric: "sales" and "turnover" of revenue."""
    return frozenset(chain.from_iterable(words for words in _names_of(metrics, metric) if len(words) == 1))


@lru_cache(maxsize=50_000)
def words_of(text: str) -> frozenset[str]:
    return frozenset(content_words(text))


def _names_metric(row: Row, wanted: _Wanted) -> bool:
    """True where the row, or its table, has all words of the metric's name: "net sales" are no "net income"."""
    return not wanted.metric or wanted.metric_stems <= row.stems


def _states_another(row: Row, wanted: _Wanted) -> bool:
    """True for a row that states another known metric than the one asked, and does not name the asked one either.

    "Operating income" is no operating cash flow, though it holds the word "operating".
    """
    if not wanted.metric or row.states(wanted.metric) or not row.metrics:
        return False
    return not wanted.metric_stems.issubset(search_words(" ".join(fact.label for fact in row.facts[:1])))


def _is_of_other_end(text: str, label: str) -> bool:
    """True for a balance at the beginning where that at the end is asked, and the other way round."""
    return any(asked.search(text) and other.search(label) for asked, other in _OPPOSITES)


def _is_of_other_form(text: str, label: str) -> bool:
    """True for a row of what was done where what may be is asked, and the other way round."""
    asked, told = ({form: set(form.findall(said)) for form in _FORMS} for said in (text, label))
    return any((asked[a] - asked[b]) & (told[b] - told[a]) for a, b in permutations(_FORMS))


def _tells_change(label: str) -> bool:
    """True for a row that tells how a figure moved, not what it was."""
    return _CHANGE.match(label) is not None or _CHANGED.search(label) is not None


def _contains(text: str, label: str) -> bool:
    """True where the label's words stand in the text in this order, next to each other."""
    if is_chinese(label):
        return label in text
    at = text.find(label) if label else -1
    while at >= 0:
        end = at + len(label)
        before, after = text[max(0, at - 1) : at], text[end : end + 1]
        if not _is_plain(before) and not _is_plain(after):
            return True
        at = text.find(label, at + 1)
    return False


def _is_plain(char: str) -> bool:
    """True for a letter or digit that a word would go on with; False for "" at either end."""
    return char.isascii() and char.isalnum()
