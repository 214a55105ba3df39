"""Facts from sentences: "revenue rose 12 % to $3.4 billion in fiscal 2023", "实现营业收入11.75亿元"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...core.fact import Fact
from ...core.period import Period
from ...core.period_text import PeriodMention
from ...core.quantity import Quantity
from ...core.quantity_text import find_quantities
from ..document import Document
from ..sentences import split_text
from .column_heads import basis_of
from .context import FactContext
from .metric_mentions import MetricMention, find_metrics
from .metrics import Metric

_NEAR = 40
"""The same where only "of" stands before the value: further off it belongs to another noun."""
_REACH = 110
"""Characters between a metric and its value."""
_IS = re.compile(
    r"(?:\b(?:was|were|is|are|of|to|at|totall?ed|reached|equall?ed|exceeded|approximated|amounted\s+to|came\s+in\s+at)|[:：为达至约是])"
    r"\s*(?:approximately|about|nearly|over|more\s+than|a\s+record|record|almost|到|约|人民币)?\s*[(]?$|^\s*[(]?\s*$|^(?:总额|合计|金额)?(?:为|约|人民币)?$",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:by|up|down|rose|grew|increased?|decreased?|declined?|fell|higher|lower|growth\s+of|(?:in|de)crease\s+of|gain\s+of|change\s+of|"
    r"reduction\s+of|decline\s+of)\s*(?:approximately|about|nearly|a|an)?\s*$|(?:增长|下降|增加|减少|上升|同比|降低|增幅|降幅)(?:了|约)?$",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?:compared\s+(?:to|with)|versus|vs\.?|from|against|上年同期(?:为)?|up from|down from)\s*$", re.IGNORECASE
)
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
_BASE, _NARROWED, _ASSUMED = 0.75, 0.6, 0.6
_SMALL = 1_000_000
"""An amount below it, without a scale, is not what a company that reports in millions states."""
_AFTER_VALUE = 48
"""Characters after a value within which the period named is the value's own."""


def prose_facts(document: Document, context: FactContext) -> Iterator[Fact]:
    """Facts of all paragraphs and list items, in order."""
    starts = [mention.start for mention in context.mentions]
    for segment in document.segments:
        if segment.kind not in ("paragraph", "list"):
            continue
        text = document.text[segment.start : segment.end]
        if not any(char.isdigit() for char in text):
            continue
        for piece in split_text(text, shortest=0):
            sentence = text[piece.start : piece.end]
            if any(char.isdigit() for char in sentence):
                offset = segment.start + piece.start
                first, last = bisect_left(starts, offset), bisect_left(starts, offset + len(sentence))
                found = _Sentence(sentence, offset, context.mentions[first:last], context)
                for fact in found.facts():
                    yield _placed(fact, document, offset, len(sentence))


def _placed(fact: Fact, document: Document, offset: int, length: int) -> Fact:
    end = offset + length
    return replace(fact, source=document.source, start=offset, end=end, anchors=document.anchors(offset, end))


@dataclass(slots=True)
class _Sentence:
    text: str
    offset: int
    periods: Sequence[PeriodMention]
    """With offsets in the document."""
    context: FactContext

    def facts(self) -> Iterator[Fact]:
        metrics = find_metrics(self.text, self.context.metrics)
        if not metrics and not _EMPLOYS.search(self.text):
            return
        quantities = find_quantities(self.text)
        if not quantities:
            return
        used: set[int] = set()
        for n, mention in enumerate(metrics):
            limit = metrics[n + 1].start if n + 1 < len(metrics) else len(self.text)
            chosen = self._value(mention, limit, quantities, used)
            if chosen is not None:
                used.add(chosen.start)
                if _RESPECTIVELY.search(self.text) or _EACH in self.text[mention.end : chosen.start]:
                    yield from self._respectively(mention, self._listed(chosen, quantities), used)
                else:
                    yield self._fact(mention, chosen)
                    yield from self._compared(mention, chosen, limit, quantities, used)
        if _EMPLOYS.search(self.text) and not _PART_OF_STAFF.search(self.text):
            yield from self._staff(quantities, used)

    def _value(
        self, mention: MetricMention, limit: int, quantities: Sequence[Quantity], used: set[int]
    ) -> Quantity | None:
        """The first quantity after the metric that is its value, not a change; else one right before it."""
        for quantity in quantities:
            between = self.text[mention.end : quantity.start]
            if quantity.start < mention.end or quantity.start in used:
                continue
            if quantity.start > limit or len(between) > _REACH or _CUT.search(between):
                break
            if _DISTANCE.match(self.text[quantity.end :]):
                continue
            near = len(between) <= _NEAR or not between.rstrip().lower().endswith("of")
            if _suits(quantity, mention.metric) and near and not _CHANGE.search(between) and _IS.search(between):
                return quantity
        for quantity in quantities:
            between = self.text[quantity.end : mention.start]
            if quantity.end <= mention.start and quantity.start not in used and _OF_METRIC.fullmatch(between):
                before = self.text[max(0, quantity.start - 30) : quantity.start]
                if _suits(quantity, mention.metric) and not _CHANGE.search(before):
                    return quantity
        return None

    def _respectively(self, mention: MetricMention, listed: Sequence[Quantity], used: set[int]) -> Iterator[Fact]:
        """ "$17 million and $22 million for fiscal 2022 and 2021, respectively": one value a period, or nothing."""
        used.update(quantity.start for quantity in listed)
        if len(listed) == len(self.periods):
            for quantity, named in zip(listed, self.periods, strict=True):
                yield self._fact(mention, quantity, named.period)

    def _listed(self, value: Quantity, quantities: Sequence[Quantity]) -> list[Quantity]:
        """The values that are listed with one, itself included: "5, 6 and 7"."""
        listed = [value]
        for quantity in quantities:
            if quantity.start > value.start and _LISTED.fullmatch(self.text[listed[-1].end : quantity.start]):
                listed.append(quantity)
        for quantity in reversed(quantities):
            if quantity.end <= value.start and _LISTED.fullmatch(self.text[quantity.end : listed[0].start]):
                listed.insert(0, quantity)
        return listed

    def _compared(
        self, mention: MetricMention, value: Quantity, limit: int, quantities: Sequence[Quantity], used: set[int]
    ) -> Iterator[Fact]:
        """ "... compared with $3.1 billion in fiscal 2022": the other period's value."""
        for quantity in quantities:
            if value.end <= quantity.start < limit and quantity.unit == value.unit and quantity.start not in used:
                if _AGAINST.search(self.text[value.end : quantity.start]) and self._named_after(quantity):
                    used.add(quantity.start)
                    yield self._fact(mention, quantity)
                return

    def _staff(self, quantities: Sequence[Quantity], used: set[int]) -> Iterator[Fact]:
        """ "We had approximately 156,000 employees": the first count of people, or one a period where several are."""
        first = next((q for q in quantities if q.unit == "people" and q.start not in used), None)
        if first is None or _CHANGE.search(self.text[: first.start]):
            return
        mention = MetricMention(first.start, first.end, self.context.metrics.metrics["employees"])
        listed = self._listed(first, quantities) if _RESPECTIVELY.search(self.text) else [first]
        if len(listed) > 1:
            counts = [replace(quantity, unit=quantity.unit or first.unit) for quantity in listed]
            yield from self._respectively(mention, counts, used)
        else:
            yield self._fact(mention, first)

    def _fact(self, mention: MetricMention, quantity: Quantity, named: Period | None = None) -> Fact:
        period, certainty = (named, 1.0) if named else self._period(mention, quantity)
        label = self.text[mention.start : mention.end]
        narrowed = mention.narrowed
        per_share = mention.metric.kind == "per share" and "/" not in quantity.unit
        basis = basis_of(f"{narrowed} {label}")
        scale, guess = self._scale(quantity, mention.metric)
        dimensions = (("segment", narrowed),) if narrowed and basis == "reported" else ()
        return Fact(
            company=self.context.company,
            metric=mention.metric.name,
            label=f"{narrowed} {label}".strip(),
            period=_dated(period, mention.metric, self.context),
            text=quantity.text,
            value=quantity.value,
            unit=f"{quantity.unit}/share" if per_share else quantity.unit,
            scale=scale,
            dimensions=dimensions,
            basis=basis,
            source_kind="prose",
            confidence=(_NARROWED if dimensions else _BASE) * certainty * guess,
        )

    def _scale(self, quantity: Quantity, metric: Metric) -> tuple[Decimal, float]:
        """A bare "$1,396" for a metric of a whole company is in the document's usual scale; how sure that is."""
        bare = quantity.scale == 1 and metric.kind == "money" and "." not in quantity.text
        if bare and self.context.scale > 1 and abs(quantity.value) < _SMALL:
            return self.context.scale, 0.8
        return quantity.scale, 1.0

    def _period(self, mention: MetricMention, quantity: Quantity) -> tuple[Period | None, float]:
        """The period named right after the value, else the last one before the metric, else the document's."""
        after = self._named_after(quantity)
        if after is not None:
            return after, 1.0
        before = [p.period for p in self.periods if p.end - self.offset <= max(mention.start, quantity.start)]
        if before:
            return before[-1], 0.9
        return self.context.period, _ASSUMED

    def _named_after(self, quantity: Quantity) -> Period | None:
        end = self.offset + quantity.end
        for mention in self.periods:
            between = self.text[quantity.end : mention.start - self.offset]
            if 0 <= mention.start - end <= _AFTER_VALUE and not re.search(r"\d|;|compared|versus|from", between):
                return mention.period
        return None


def _suits(quantity: Quantity, metric: Metric) -> bool:
    """True where the value's unit is one the metric can have."""
    unit = quantity.unit
    if metric.kind == "percent":
        return unit == "%"
    if metric.kind == "people":
        return unit == "people" or (not unit and quantity.value == quantity.value.to_integral())
    if metric.kind == "shares":
        return unit == "shares"
    if metric.kind in ("ratio", "count"):
        return unit in ("x", "")
    currency = len(unit.partition("/")[0]) == 3 and unit[:1].isupper()
    return currency and (metric.kind == "per share" or "/" not in unit)


def _dated(period: Period | None, metric: Metric, context: FactContext) -> Period | None:
    if period is None:
        return None
    if period.unit == "year" and period.end is None:
        period = context.fiscal_year(period.year)
    period = context.named(period)
    if metric.balance and period.unit in ("year", "quarter", "half", "nine months"):
        return Period.instant(period.end or period.last_day)
    return period
