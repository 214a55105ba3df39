"""Facts from sentences: "revenue rose 12 % to $3.4 billion in fiscal 2023", "实现营业收入11.75亿元"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ...core.fact import Fact
from ...core.patterns import one_of
from ...core.period import Period
from ...core.period_text import PeriodMention
from ...core.quantity import Quantity
from ...core.quantity_text import find_quantities
from ..document import Document
from ..sentences import split_text
from .basis import basis_of
from .context import FactContext
from .metric_mentions import MetricMention, find_metrics
from .metrics import Metric

_REACH = 110
"""Characters between a metric and its value."""
_NEAR = 40
"""The same where only "of" stands before the value: further off it belongs to another noun."""
_VERB = one_of(
    "was|were|is|are",
    "of|to|at",
    "totall?ed|reached|equall?ed|exceeded|approximated",
    r"amounted\s+to|came\s+in\s+at",
)
_ABOUT = one_of(
    "approximately|about|nearly|almost",
    r"over|more\s+than",
    r"a\s+record|record",
    "到|约|人民币",
)
_IS = re.compile(
    one_of(
        rf"(?:\b{_VERB}|[:：为达至约是])\s*{_ABOUT}?\s*[(]?$",
        r"^\s*[(]?\s*$",
        "^(?:总额|合计|金额)?(?:为|约|人民币)?$",
    ),
    re.IGNORECASE,
)
"""All that stands between a metric and its value."""
_MOVED = one_of(
    "by|up|down",
    "rose|grew|fell",
    "increased?|decreased?|declined?",
    "higher|lower",
    rf"{one_of('growth', '(?:in|de)crease', 'gain', 'change', 'reduction', 'decline')}\s+of",
)
_CHANGE = re.compile(
    one_of(
        rf"\b{_MOVED}\s*(?:approximately|about|nearly|a|an)?\s*$",
        "(?:增长|下降|增加|减少|上升|同比|降低|增幅|降幅)(?:了|约)?$",
    ),
    re.IGNORECASE,
)
"""Before an amount by which something moved."""
_AGAINST = re.compile(
    one_of(
        r"compared\s+(?:to|with)",
        r"versus|vs\.?",
        "from|against|up from|down from",
        "上年同期(?:为)?",
    )
    + r"\s*$",
    re.IGNORECASE,
)
"""Before the value of another period."""
_DISTANCE = re.compile(r"\s*(?:higher|lower|more|less|better|worse|above|below|short)\b(?! or )", re.IGNORECASE)
"""After an amount: "free cash flow was $5 million lower than net income" tells by how much, not what it was."""
_OF_METRIC = re.compile(r"\s*(?:of|in)\s+(?:\w+\s+){0,2}$", re.IGNORECASE)
_PART_OF_STAFF = re.compile(r"\bunion|\bcollective|\bconstitut|\brepresented by", re.IGNORECASE)
_EMPLOYS = re.compile(r"\bemploy|\bheadcount|\bworkforce", re.IGNORECASE)
_LISTED = re.compile(r"\s*(?:,|and|,\s*and|、|和|及|以及|与)\s*", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_EACH = "分别"
"""The Chinese word for it stands before the values."""
_CUT = re.compile(r";|；|。|\bwhile\b|\bwhereas\b|\boffset\b", re.IGNORECASE)
_OTHER_PERIOD = re.compile(r"\d|;|compared|versus|from")
"""Between a value and a period that is not its own."""
_DIGIT = re.compile(r"\d")
_MONEY = re.compile(r"[A-Z]{3}")
_UNITS = {
    "percent": re.compile("%"),
    "people": re.compile("(?:people)?"),
    "shares": re.compile("shares"),
    "ratio": re.compile("x?"),
    "count": re.compile("x?"),
    "per share": re.compile("[A-Z]{3}(?:/.+)?"),
}
"""Kind of metric -> units that its values have; all others have those of money."""
_BASE, _NARROWED = 0.75, 0.6
"""Confidence of a fact of the whole company, and of one that is narrowed to a part of it."""
_EARLIER, _ASSUMED = 0.9, 0.6
"""Factors of it where the period is the last one named before the metric, and where it is the document's."""
_ASSUMED_SCALE = 0.8
"""The same where the scale is the document's usual one."""
_SMALL = 1_000_000
"""An amount below it, without a scale, is not what a company that reports in millions states."""
_BEFORE_VALUE = 30
"""Characters before a value in which it is called a change."""
_AFTER_VALUE = 48
"""Characters after a value within which the period named is the value's own."""


def prose_facts(document: Document, context: FactContext) -> Iterator[Fact]:
    """Facts of all paragraphs and list items, in order."""
    starts = [mention.start for mention in context.mentions]
    for offset, text in _sentences_with_digits(document):
        end = offset + len(text)
        periods = context.mentions[bisect_left(starts, offset) : bisect_left(starts, end)]
        for fact in _Sentence(text, offset, periods, context).facts():
            anchors = document.anchors(offset, end)
            yield replace(fact, source=document.source, start=offset, end=end, anchors=anchors)


def _sentences_with_digits(document: Document) -> Iterator[tuple[int, str]]:
    """Where each sentence of the running text begins, and the sentence."""
    for segment in document.segments:
        text = document.text[segment.start : segment.end]
        if segment.kind not in ("paragraph", "list") or not _DIGIT.search(text):
            continue
        for piece in split_text(text, shortest=0):
            sentence = text[piece.start : piece.end]
            if _DIGIT.search(sentence):
                yield segment.start + piece.start, sentence


@dataclass(slots=True)
class _Sentence:
    text: str
    offset: int
    periods: Sequence[PeriodMention]
    """With offsets in the document."""
    context: FactContext
    quantities: Sequence[Quantity] = ()
    unused: dict[int, Quantity] = field(default_factory=dict)
    """Those that are no fact yet, by their start."""

    def facts(self) -> Iterator[Fact]:
        metrics = find_metrics(self.text, self.context.metrics)
        speaks_of_staff = _EMPLOYS.search(self.text) is not None
        if not metrics and not speaks_of_staff:
            return
        self.quantities = find_quantities(self.text)
        self.unused = {quantity.start: quantity for quantity in self.quantities}
        limits = [*(following.start for following in metrics[1:]), len(self.text)]
        for mention, limit in zip(metrics, limits, strict=False):
            yield from self._of_metric(mention, limit)
        if speaks_of_staff and not _PART_OF_STAFF.search(self.text):
            yield from self._of_staff()

    def _of_metric(self, mention: MetricMention, limit: int) -> Iterator[Fact]:
        """The value of a metric, with those of other periods; ``limit`` is where the next metric is named."""
        value = self._value_after(mention, limit) or self._value_before(mention)
        if value is None:
            return
        del self.unused[value.start]
        if _RESPECTIVELY.search(self.text) or _EACH in self.text[mention.end : value.start]:
            yield from self._one_a_period(mention, self._listed(value))
            return
        yield self._fact(mention, value)
        other = self._compared(value, limit)
        if other is not None:
            del self.unused[other.start]
            yield self._fact(mention, other)

    def _of_staff(self) -> Iterator[Fact]:
        """ "We had approximately 156,000 employees": the first count of people, or one a period where several are."""
        people = (quantity for quantity in self.unused.values() if quantity.unit == "people")
        first = next(people, None)
        if first is None or _CHANGE.search(self.text[: first.start]):
            return
        mention = MetricMention(first.start, first.end, self.context.metrics.metrics["employees"])
        listed = self._listed(first) if _RESPECTIVELY.search(self.text) else [first]
        if len(listed) == 1:
            yield self._fact(mention, first)
            return
        counts = [replace(quantity, unit=quantity.unit or first.unit) for quantity in listed]
        yield from self._one_a_period(mention, counts)

    def _value_after(self, mention: MetricMention, limit: int) -> Quantity | None:
        """The first quantity after the metric that is its value, not a change."""
        for quantity in self._unused_within(mention.end, min(limit, mention.end + _REACH)):
            between = self.text[mention.end : quantity.start]
            if _CUT.search(between):
                return None
            is_distance = _DISTANCE.match(self.text, quantity.end)
            if _says_is(between) and _suits(quantity, mention.metric) and not is_distance:
                return quantity
        return None

    def _value_before(self, mention: MetricMention) -> Quantity | None:
        """The quantity right before the metric: "$5 million of revenue"."""
        for quantity in self._unused_within(0, mention.start):
            before = self.text[max(0, quantity.start - _BEFORE_VALUE) : quantity.start]
            is_its = _OF_METRIC.fullmatch(self.text, quantity.end, mention.start)
            if is_its and _suits(quantity, mention.metric) and not _CHANGE.search(before):
                return quantity
        return None

    def _unused_within(self, first: int, last: int) -> list[Quantity]:
        """The quantities that are no fact yet and begin from one place to another."""
        return [quantity for start, quantity in self.unused.items() if first <= start <= last]

    def _one_a_period(self, mention: MetricMention, listed: Sequence[Quantity]) -> Iterator[Fact]:
        """ "$17 million and $22 million for fiscal 2022 and 2021, respectively": one value a period, or nothing."""
        for quantity in listed:
            self.unused.pop(quantity.start, None)
        if len(listed) == len(self.periods):
            for quantity, named in zip(listed, self.periods, strict=True):
                yield self._fact(mention, quantity, named.period)

    def _listed(self, value: Quantity) -> list[Quantity]:
        """The values that are listed with one, itself included: "5, 6 and 7"."""
        at = self.quantities.index(value)
        listed = [value]
        for quantity in self.quantities[at + 1 :]:
            if _LISTED.fullmatch(self.text, listed[-1].end, quantity.start):
                listed.append(quantity)
        for quantity in reversed(self.quantities[:at]):
            if _LISTED.fullmatch(self.text, quantity.end, listed[0].start):
                listed.insert(0, quantity)
        return listed

    def _compared(self, value: Quantity, limit: int) -> Quantity | None:
        """ "... compared with $3.1 billion in fiscal 2022": the next value of the unit, if of another period."""
        following = self._unused_within(value.end, limit - 1)
        alike = next((quantity for quantity in following if quantity.unit == value.unit), None)
        if alike is None or not _AGAINST.search(self.text[value.end : alike.start]):
            return None
        return alike if self._named_after(alike) else None

    def _fact(self, mention: MetricMention, quantity: Quantity, named: Period | None = None) -> Fact:
        metric = mention.metric
        period, certainty = (named, 1.0) if named else self._period(mention, quantity)
        scale, guess = self._scale(quantity, metric)
        label = f"{mention.narrowed} {self.text[mention.start : mention.end]}".strip()
        basis = basis_of(label)
        is_narrowed = mention.narrowed and basis == "reported"
        is_price = metric.kind == "per share" and "/" not in quantity.unit
        return Fact(
            company=self.context.company,
            metric=metric.name,
            label=label,
            period=self._dated(period, metric),
            text=quantity.text,
            value=quantity.value,
            unit=f"{quantity.unit}/share" if is_price else quantity.unit,
            scale=scale,
            dimensions=(("segment", mention.narrowed),) if is_narrowed else (),
            basis=basis,
            source_kind="prose",
            confidence=(_NARROWED if is_narrowed else _BASE) * certainty * guess,
        )

    def _scale(self, quantity: Quantity, metric: Metric) -> tuple[Decimal, float]:
        """A bare "$1,396" for a metric of a whole company is in the document's usual scale; how sure that is."""
        is_bare = quantity.scale == 1 and "." not in quantity.text
        is_small = metric.kind == "money" and abs(quantity.value) < _SMALL
        if is_bare and is_small and self.context.scale > 1:
            return self.context.scale, _ASSUMED_SCALE
        return quantity.scale, 1.0

    def _period(self, mention: MetricMention, quantity: Quantity) -> tuple[Period | None, float]:
        """The period named right after the value, else the last one before the metric, else the document's."""
        after = self._named_after(quantity)
        if after is not None:
            return after, 1.0
        known = self.offset + max(mention.start, quantity.start)
        before = [period for period in self.periods if period.end <= known]
        if before:
            return before[-1].period, _EARLIER
        return self.context.period, _ASSUMED

    def _named_after(self, quantity: Quantity) -> Period | None:
        """The period that is named right after a value."""
        for mention in self.periods:
            start = mention.start - self.offset
            is_near = 0 <= start - quantity.end <= _AFTER_VALUE
            if is_near and not _OTHER_PERIOD.search(self.text, quantity.end, start):
                return mention.period
        return None

    def _dated(self, period: Period | None, metric: Metric) -> Period | None:
        """Balances stand at a date, flows over a period, under the name that the fiscal calendar gives it."""
        if period is None:
            return None
        period = self.context.named(self.context.with_close(period))
        return self.context.balance_day(period) if metric.balance else period


def _suits(quantity: Quantity, metric: Metric) -> bool:
    """True where the value's unit is one the metric can have; people are counted in whole numbers."""
    if metric.kind == "people" and not quantity.unit:
        return quantity.value == quantity.value.to_integral()
    return _UNITS.get(metric.kind, _MONEY).fullmatch(quantity.unit) is not None


def _says_is(between: str) -> bool:
    """True for words between a metric and its value, False for those of a change."""
    is_far_of = len(between) > _NEAR and between.rstrip().lower().endswith("of")
    if is_far_of or _CHANGE.search(between):
        return False
    return _IS.search(between) is not None
