"""Facts from sentences: "revenue rose 12 % to $3.4 billion in fiscal 2023", "实现营业收入11.75亿元"; whose a figure is
where that is not the company of the document; and the number of shares that the cover of a filing tells.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise

from ...core.fact import Fact
from ...core.names import name_key
from ...core.orders import stands_in_orders
from ...core.patterns import on_demand
from ...core.period import Period
from ...core.period_text import PeriodMention
from ...core.quantity import Quantity, find_quantities
from ...core.records import dataclass
from ...core.rules import load_rules
from ..document import Document, Span
from ..sentences import split_text
from .context import FactContext
from .metric_mentions import MetricMention, StatedValues, find_metrics
from .metrics import Metric
from .table_context import basis_of

_PART_OF_STAFF = re.compile(
    r"\bunion|\bcollective|\bconstitut|\brepresented by"
    r"|\btime(?: \w{1,12}){0,2} and (?:approximately |about |some )?\d[\d,]{0,9} (?:part|full)[- ]time",
    re.IGNORECASE,
)
"""Counts that are not of the whole staff: "55,000 full-time and 17,000 part-time employees"."""
_COUNT = re.compile(r"[\d,]+\s{1,3}(?=\D)")
"""The number before the words for what is counted."""
_OWN_STAFF = re.compile(
    r"\b(?:we|company|group|bank|corporation|partnership|firm)\s(?:currently\s|also\s)?(?:employ(?:s|ed)?|had|have|has)\b"
    r"|\bour\s(?:[\w-]{1,20}\s){0,2}(?:employees|headcount|workforce|staff|team|people)\b|员工|职工",
    re.IGNORECASE,
)
"""In a sentence without a date: it counts the company's own staff, not that of firms which a law is about."""
_EMPLOYS = re.compile(r"\bemploy|\bheadcount|\bworkforce", re.IGNORECASE)
_NET = re.compile(r"\b(net|gross)\s{1,3}$", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_EACH = "分别"
"""The Chinese word for it stands before the values."""
_OTHER_PERIOD = re.compile(r"\d|[;，。；比较]|compared|versus|from")
"""Between a value and a period that is not its own."""
_ANOTHER = re.compile(r"[$€£¥%]|\b(?:compared|versus|vs|from|than|and \d)\b", re.IGNORECASE)
"""Between values and periods of other ones."""
_OWN_VALUE = re.compile(r"\s{0,3}[:：]\s{0,3}[^\s\w]{0,2}\d")
"""Behind a period that has a value of its own: "4,870 people (2022: 4,712)"."""
_AHEAD = re.compile(
    r"\b(?:expects?|anticipates?|intends?|forecasts?|project(?:s|ing)|guid(?:es?|ing) to|will"
    r"|(?:plans?|aims?|targets?|targeting) (?:to|for)"
    r"|(?:we|company|group|management|board) (?:now |currently |also )?(?:plans?|projects?|targets?|estimates?))\b"
    r"|预计|预测|力争|有望|(?<![虚模比草])拟|(?<![超合于及到])预期(?!信用)|计划(?=实现|达|投|\d|营|全年)|目标[为是]|将(?=实现|达)",
    re.IGNORECASE,
)
"""Before a figure that is meant to be, and is none of the accounts."""
_WAS = re.compile(r"\b(?:was|were)\b", re.IGNORECASE)
"""Between a metric and its value: so it was, whatever the rest of the sentence expects."""
_AND = re.compile(r"\s*(?:,|and|,\s*and|、|和|及|以及|与)\s*", re.IGNORECASE)
_TO_HIGHER = re.compile(r"\s{0,3}(?:to|[-–—])\s{0,3}(?:[A-Z]{0,3}[$€£¥]|[A-Z]{3}\s)?\s?\d")
_FROM = re.compile(r"\bfrom\s{1,3}(?:[a-z]{1,9}\s{1,3}){0,2}$", re.IGNORECASE)
_OF_OTHERS = re.compile(r"\b(?:their|your|his|her|(?:customer|client|tenant|competitor)s['’]?)\s{1,3}$", re.IGNORECASE)
"""Before a value that is not the company's: "clients add to their $20 billion of backlog"."""
_DIGIT = re.compile(r"\d")
_BASE, _NARROWED = 0.75, 0.6
"""Confidence of a fact of the whole company, and of one that is narrowed to a part of it."""
_EARLIER, _ASSUMED = 0.9, 0.6
"""Factors of it where the period is the last one named before the metric, and where it is the document's."""
_ASSUMED_SCALE = 0.8
"""The same where the scale is the document's usual one."""
_SMALL = 1_000_000
"""An amount below it, without a scale, is not what a company that reports in millions states."""
_AFTER_VALUE = 48
"""Characters after a value within which the period named is the value's own."""


def prose_facts(document: Document, context: FactContext, rows: Sequence[Span] = ()) -> Iterator[Fact]:
    """Facts of all paragraphs and list items, in order; what stands in ``rows`` of tables is no sentence."""
    starts = [mention.start for mention in context.mentions]
    rows = sorted(rows)
    ends = [end for _, end in rows]
    for offset, text in _sentences_with_digits(document):
        end = offset + len(text)
        next_row = rows[bisect_right(ends, offset) :][:1]
        if next_row and next_row[0][0] < end:
            continue
        periods = context.mentions[bisect_left(starts, offset) : bisect_left(starts, end)]
        stated = list(_Sentence(text, offset, periods, context).facts())
        if not stated or stands_in_orders(document.text, offset, end):
            continue
        anchors = document.anchors(offset, end)
        for fact in stated:
            yield replace(fact, source=document.source, start=offset, end=end, anchors=anchors)


def _sentences_with_digits(document: Document) -> Iterator[tuple[int, str]]:
    """Where each sentence of the running text begins, and the sentence."""
    for segment in document.segments:
        text = document.text[segment.start : segment.end]
        is_asked = segment.part == "question"  # by whoever asks in a call, who states nothing for the company
        if segment.kind not in ("paragraph", "list") or is_asked or not _DIGIT.search(text):
            continue
        for piece in split_text(text, shortest=0):
            sentence = text[piece.start : piece.end]
            if _DIGIT.search(sentence):
                yield segment.start + piece.start, sentence


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    offset: int
    periods: Sequence[PeriodMention]
    """With offsets in the document."""
    context: FactContext

    def facts(self) -> Iterator[Fact]:
        """Facts of the metrics that it names, in order, then of the staff."""
        metrics = find_metrics(self.text, self.context.metrics)
        speaks_of_staff = _EMPLOYS.search(self.text) is not None
        if not metrics and not speaks_of_staff:
            return
        values = StatedValues(self.text)
        limits = [*(following.start for following in metrics[1:]), len(self.text)]
        for mention, limit in zip(metrics, limits, strict=False):
            yield from self._of_metric(mention, limit, values)
        if speaks_of_staff and not _PART_OF_STAFF.search(self.text):
            yield from self._of_staff(values)

    def _of_metric(self, mention: MetricMention, limit: int, values: StatedValues) -> Iterator[Fact]:
        """The value of a metric, with those of other periods; ``limit`` is where the next metric is named."""
        value = values.value_of(mention, limit)
        if value is None or self._is_ahead(mention, value) or _is_no_figure(self.text, value, values.lower_of(value)):
            return
        values.use(value)
        listed = values.listed_with(value)
        if self._is_one_a_period(listed) or _EACH in self.text[mention.end : value.start]:
            values.use(*listed)
            yield from self._one_a_period(mention, listed)
            return
        yield self._fact(mention, value, *self._period(mention, value))
        other = values.next_like(value, limit)
        if other is not None and self._named_after(other):
            values.use(other)
            yield self._fact(mention, other, *self._period(mention, other))

    def _of_staff(self, values: StatedValues) -> Iterator[Fact]:
        """ "We had approximately 156,000 employees": the first count of people, or one a period where several are."""
        first = values.first_of("people")
        if first is None or values.changes(first.start):
            return
        number = _COUNT.match(self.text, first.start, first.end)
        named = number.end() if number else first.start
        mention = MetricMention(named, first.end, self.context.metrics.metrics["employees"])
        listed = values.listed_with(first)
        if len(listed) == 1 or not self._is_one_a_period(listed):
            period, certainty = self._period(mention, first)
            if certainty > _ASSUMED or _OWN_STAFF.search(self.text):
                yield self._fact(mention, first, period, certainty)
            return
        counts = [replace(quantity, unit=quantity.unit or "people") for quantity in listed]
        yield from self._one_a_period(mention, counts)

    def _is_ahead(self, mention: MetricMention, value: Quantity) -> bool:
        """True for what is expected: "we expect revenue of $5 billion"."""
        is_stated = _WAS.search(self.text, mention.end, max(mention.end, value.start)) is not None
        return not is_stated and _AHEAD.search(self.text, 0, value.start) is not None

    def _is_one_a_period(self, listed: Sequence[Quantity]) -> bool:
        """True for "respectively", and for as many values as periods, one beside the other: "In 2022 and 2021 ... 9 and
        8"."""
        if _RESPECTIVELY.search(self.text):
            return True
        ends = [(period.start - self.offset, period.end - self.offset) for period in self.periods]
        are_listed = all(_AND.fullmatch(self.text, first[1], second[0]) for first, second in pairwise(ends))
        return are_listed and len(listed) == len(ends) > 1

    def _one_a_period(self, mention: MetricMention, listed: Sequence[Quantity]) -> Iterator[Fact]:
        """ "$17 million and $22 million for fiscal 2022 and 2021, respectively": one value a period, or nothing."""
        periods = self.periods if len(listed) == len(self.periods) else self._named_behind(listed)
        if len(listed) == len(periods):
            for quantity, named in zip(listed, periods, strict=True):
                yield self._fact(mention, quantity, named.period, 1.0)

    def _named_behind(self, listed: Sequence[Quantity]) -> Sequence[PeriodMention]:
        """As many periods right behind the values, before the next ones: "9 and 8 for Q2 and H1, compared to 7"."""
        end = self.offset + listed[-1].end
        behind = [period for period in self.periods if period.start >= end][: len(listed)]
        between = self.text[listed[-1].end : behind[-1].start - self.offset] if behind else ""
        return [] if _ANOTHER.search(between) else behind

    def _fact(self, mention: MetricMention, quantity: Quantity, period: Period | None, certainty: float) -> Fact:
        metric = mention.metric
        named = self.text[mention.start : mention.end]
        is_loss = self.context.metrics.names_loss(named)
        scale, guess = self._scale(quantity, metric)
        qualified = _NET.search(self.text, 0, mention.start)  # "net capital spending" is not capital spending
        words = (mention.narrowed, qualified[1] if qualified else "", named, mention.party)
        label = " ".join(filter(None, words))
        basis = basis_of(label)
        part = mention.part or other_owner(self.text, mention.start, self.context.company)
        is_narrowed = bool(part) and basis == "reported"
        is_price = metric.kind == "per share" and "/" not in quantity.unit
        return Fact(
            company=self.context.company,
            metric=metric.name,
            label=label,
            period=self._dated(period, metric),
            text=quantity.text,
            value=-abs(quantity.value) if is_loss else quantity.value,
            unit=f"{quantity.unit}/share" if is_price else quantity.unit,
            scale=scale,
            dimensions=(("segment", part),) if is_narrowed else (),
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
            if _OWN_VALUE.match(self.text, mention.end - self.offset):
                return None
            if is_near and not _OTHER_PERIOD.search(self.text, quantity.end, start):
                return mention.period
        return None

    def _dated(self, period: Period | None, metric: Metric) -> Period | None:
        """Balances stand at a date, flows over a period, under the name that the fiscal calendar gives it."""
        if period is None:
            return None
        dated = self.context.dated(period)
        return self.context.balance_day(dated) if metric.balance else dated


def _is_no_figure(text: str, value: Quantity, lower: Quantity | None) -> bool:
    """True for what others have, and an end of "$130 million to $150 million"; not of "from 130 to 150"."""
    is_of_others = _OF_OTHERS.search(text, 0, value.start) is not None
    is_end = lower is not None or _TO_HIGHER.match(text, value.end) is not None
    return is_of_others or (is_end and not _FROM.search(text, 0, (lower or value).start))


_NAME = r"(?:[A-Z][\w&.-]{0,30})(?:\s(?:of\s|and\s|&\s)?[A-Z][\w&.-]{0,30}){0,5}"
_HAS = (
    "had|has|reported|generated|posted|recorded|achieved|recogni[sz]ed|earned|contributed|delivered|produced|made"
    "|accounted for|brought in"
)
_OWNER = re.compile(
    rf"(?<![\w-])(?P<name>{_NAME})(?:['’]s?\s|\s(?:\([^()]{{1,40}}\)\s|alone\s|itself\s)?(?:{_HAS})\s)(?:[a-z]{{1,15}}\s){{0,4}}$"
)
"""A name right before a figure's: "Dunmore Glass's revenue", "Dunmore Glass had net revenue"."""
_CHINESE_OWNER = re.compile(
    r"(?:子公司|孙公司|参股公司|联营公司|合营公司|合营企业|联营企业)(?P<name>[\u4e00-\u9fffA-Za-z（）()]{2,40}?)"
    r"(?:[（(][^（）()]{1,20}[）)])?(?:(?:本|报告)期|\d{4}年度?)?(?:实现|录得|取得|完成|的)[\u4e00-\u9fff]{0,6}$"
)
_REACH = 160
"""Characters before the name of a figure in which its owner may be named."""


def other_owner(text: str, start: int, company: str) -> str:
    """The company, business or product whose figure is named at ``start``; "" where it is that of ``company``.

    >>> text = "Dunmore Glass's revenue was $41.5 million"
    >>> other_owner(text, text.index("revenue"), "Dunmore Group plc")
    'Dunmore Glass'
    >>> text = "In 2023 Dunmore's revenue was $389.0 million"
    >>> other_owner(text, text.index("revenue"), "Dunmore Group plc")
    ''
    """
    before = text[max(0, start - _REACH) : start]
    found = _OWNER.search(before) or _CHINESE_OWNER.search(before)
    if found is None or not company:
        return ""
    name = found["name"].strip()
    if name.isupper():  # initials may be the company's own
        return ""
    words = set(name_key(name).split()) - _words_for_all()
    own = set(name_key(company).split()) | set(company.lower().split())
    is_own = words <= own or name in company
    return "" if is_own else name


@cache
def _words_for_all() -> frozenset[str]:
    """Words before a figure that are nobody's name: "the Company", "In March"."""
    return frozenset(load_rules(__package__, "prose.toml")["owners"]["nobody"])


# --- the cover

_CHECK_MARK = on_demand(r"\bcheck\s+mark\b", re.IGNORECASE)
"""Every form of the SEC asks for some on its cover; the number of shares is told behind the last."""
_NEAR_THE_BEGINNING = 60_000
"""Characters in which a cover ends: an annual report may have a letter to shareholders before it."""
_COVER = 2_500
"""Characters behind the last check mark in which the number stands."""
_BEGINS = on_demand(
    r"(?<=[\w)]\.)\s{1,4}(?=[A-Z])|\n\s{0,4}(?=(?:As\s(?:of|at)|At|The\s(?:number|aggregate|registrant)|There\swere|Number\sof"
    r"|Indicate\sthe)\b)"
)
"""Between two statements; covers often have no full stops."""
_OUTSTANDING = on_demand(
    r"\b(?:shares|stock)\b[^;]{0,250}\boutstanding\b|\boutstanding\b[^;]{0,100}\bshares\b", re.IGNORECASE
)
_OF_SOME = on_demand(
    r"\bnon-?\s?affiliates?\b|\bmarket\s+value\b|\brestricted\b|\boptions?\b|\bwarrants\b|\bpreferred\b|\bpreference\b"
    r"|\bdepositary\b|\bunits\b|\brepurchas|\bgranted\b|\bvest|\bconver[ts]|\bexercis|\bsold\b|\bnotes\b|\bprincipal\s+amount\b"
    r"|\brecord\s+date\b",
    re.IGNORECASE,
)
"""Words of a statement on the shares of some holders, on rights to shares, on a deal or on another paper."""
_ASIDE = on_demand(
    r"\b(?:deducting|excluding|exclusive\sof|of\swhich|including|representing|treasury)\b", re.IGNORECASE
)
"""Behind it stand shares that are no class of their own."""
_CLASS = on_demand(r"\b(?:Class|Series)\s[A-Z]\b")
_FEWEST = 100_000
"""No filer has fewer; smaller numbers are par values, days and percentages."""
_SURE = 0.9


def cover_facts(document: Document, context: FactContext) -> Iterator[Fact]:
    """ "As of January 25, 2018, there were 433,948,461 shares of the registrant's common stock outstanding": a fact of
    that day for all shares, or one for each class."""
    for start, end in _statements(document.text):
        days = [named for named in context.mentions if start <= named.start < end and named.period.unit == "day"]
        counts = _counts(document.text[start:end])
        if not days or not counts:
            continue
        anchors = document.anchors(start, end)
        for named, count in counts.items():
            yield Fact(
                company=context.company,
                metric="shares outstanding",
                label=f"Shares outstanding > {named}" if named else "Shares outstanding",
                period=days[0].period,
                text=count.text,
                value=count.value,
                unit="shares",
                scale=count.scale,
                dimensions=(("class", named),) if named else (),
                source=document.source,
                start=start,
                end=end,
                anchors=anchors,
                confidence=_SURE,
            )
        return


def _statements(text: str) -> Iterator[Span]:
    """The sentences behind the cover's last check mark that speak of all shares outstanding."""
    marks = list(_CHECK_MARK.finditer(text, 0, _NEAR_THE_BEGINNING))
    if not marks:
        return
    first, last = marks[-1].end(), min(len(text), marks[-1].end() + _COVER)
    borders = [first, *(found.end() for found in _BEGINS.finditer(text, first, last)), last]
    for start, end in pairwise(borders):
        said = text[start:end]
        if _OUTSTANDING.search(said) and not _OF_SOME.search(said):
            yield start, end


def _counts(text: str) -> dict[str, Quantity]:
    """Class -> its shares, "" for those of the whole company; none where it is not told which number is which."""
    aside = _ASIDE.search(text)
    counted = [one for one in find_quantities(text[: aside.start()] if aside else text) if _is_count(one)]
    if len(counted) < 2:
        return {"": counted[0]} if counted else {}
    places = [0, *(count.end for count in counted), len(text)]
    stands_before = _CLASS.search(text, 0, counted[0].start) is not None
    counts: dict[str, Quantity] = {}
    for at, count in enumerate(counted):
        start, end = (places[at], count.start) if stands_before else (count.end, places[at + 2])
        named = _CLASS.search(text, start, end)
        counts.setdefault(" ".join(named[0].split()) if named else "", count)
    is_told = len(counts) == len(counted) and counted[-1] is counts.get("", counted[-1])
    return counts if is_told and _add_up(counts) else {}


def _is_count(quantity: Quantity) -> bool:
    return quantity.unit in ("", "shares") and quantity.amount >= _FEWEST


def _add_up(counts: dict[str, Quantity]) -> bool:
    """True where the number of no class, if there is one, is the sum of the others."""
    total = counts.get("")
    return total is None or total.amount == sum(one.amount for named, one in counts.items() if named)
