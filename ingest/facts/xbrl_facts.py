"""Facts from the values that a filing tags itself (inline XBRL), and what they replace."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache

from ...core.fact import Consolidation, Fact
from ...core.period import Period, Unit
from ...core.quantity import parse_quantity
from ...core.rules import load_rules
from ..document import Document, TaggedValue
from .context import FactContext

_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_LENGTHS: tuple[tuple[int, int, Unit], ...] = (
    (27, 36, "month"),
    (80, 100, "quarter"),
    (170, 192, "half"),
    (260, 285, "nine months"),
    (350, 380, "year"),
)
"""Days of the spans that have a name, 52/53-week years and their quarters among them."""
_MAX_TEXT = 300
_PARENT = "ParentCompanyMember"


def xbrl_facts(document: Document, context: FactContext) -> Iterator[Fact]:
    """One fact a tagged value; what it says of period, unit and scale is exact."""
    for tagged in document.tagged:
        if tagged.value is None and not 0 < len(tagged.text) <= _MAX_TEXT:
            continue
        unit, scale = _unit(tagged)
        is_loss = _is_loss(tagged, context)
        yield Fact(
            company=context.company,
            metric=_metric(tagged, context),
            label=_words(tagged.concept),
            period=_period(tagged.first_day, tagged.last_day, context) or context.period,
            text=tagged.text,
            value=-abs(tagged.value) if is_loss and tagged.value is not None else tagged.value,
            unit=unit,
            scale=scale,
            dimensions=tuple((_axis(axis), _words(member, "Member")) for axis, member in tagged.dimensions),
            consolidation=_consolidation(tagged),
            source_kind="xbrl",
            source=document.source,
            anchors=document.anchors(tagged.start, tagged.end),
            start=tagged.start,
            end=tagged.end,
        )


def with_tagged(read: Sequence[Fact], tagged: Sequence[Fact]) -> list[Fact]:
    """All facts, where a number is tagged only the tagged one: it takes the cell and label of what it replaces."""
    starts = [fact.start for fact in tagged]
    placed = list(tagged)
    kept = []
    for fact in read:
        inside = range(bisect_left(starts, fact.start), bisect_right(starts, fact.end))
        same = _first_same(fact, tagged, inside)
        if same is None:
            kept.append(fact)
        elif fact.source_kind == "table":
            placed[same] = _in_cell(tagged[same], fact)
    return [*kept, *placed]


def _first_same(fact: Fact, tagged: Sequence[Fact], inside: range) -> int | None:
    """The first of some tagged facts that states the same within the place of another."""
    for n in inside:
        if tagged[n].end <= fact.end and _same_number(fact, tagged[n]):
            return n
    return None


def _same_number(fact: Fact, tagged: Fact) -> bool:
    """True for the same number, whatever its sign, or for the same words."""
    if fact.value is None or tagged.value is None:
        return fact.value is tagged.value and fact.text == tagged.text
    return abs(fact.value) == abs(tagged.value)


def _in_cell(tagged: Fact, cell: Fact) -> Fact:
    """A concept of the filer's own is known by the label of its row."""
    metric = tagged.metric or ("" if tagged.dimensions else cell.metric)
    is_loss = bool(metric) and not tagged.metric and _is_printed_loss(cell)
    return replace(
        tagged,
        metric=metric,
        value=cell.value if is_loss else tagged.value,
        label=cell.label,
        text=cell.text,
        basis=cell.basis,
        consolidation=tagged.consolidation or cell.consolidation,
        start=cell.start,
        end=cell.end,
        table=cell.table,
        row=cell.row,
        column=cell.column,
    )


def _is_printed_loss(cell: Fact) -> bool:
    """True for a cell that is negative by its label alone: "Net loss 520"."""
    printed = parse_quantity(cell.text)
    return printed is not None and cell.value is not None and cell.value < 0 < printed.value


def _period(first: date | None, last: date | None, context: FactContext) -> Period | None:
    """A day, or a span by its length, under the name that the fiscal calendar gives it."""
    if last is None:
        return None
    if first is None:
        return Period.instant(last)
    unit = _length((last - first).days + 1)
    if unit == "month":
        return Period(unit, last.year, last.month, end=last, start=first)
    if unit == "span":
        return Period(unit, first.year, end=last, start=first)
    named = context.named(Period(unit, last.year, fiscal=True, end=last, start=first))
    return replace(named, start=first)


def _length(days: int) -> Unit:
    for low, high, unit in _LENGTHS:
        if low <= days <= high:
            return unit
    return "span"


def _metric(tagged: TaggedValue, context: FactContext) -> str:
    """By the concept, else by its words where the filer has one of its own."""
    name = tagged.concept.rpartition(":")[2]
    if name in _rules("concepts"):
        return _rules("concepts")[name]
    return context.metrics.get(_words(name)).name


def _is_loss(tagged: TaggedValue, context: FactContext) -> bool:
    """True for a concept of the filer's own that names only a loss ("NetLossPerShare"): it is tagged without a sign."""
    name = tagged.concept.rpartition(":")[2]
    return name not in _rules("concepts") and context.metrics.names_loss(_words(name))


def _unit(tagged: TaggedValue) -> tuple[str, Decimal]:
    """Unit and scale as facts name them: shares of one are printed as per cent where their power is -2."""
    if tagged.unit == "pure" and tagged.power == -2:
        return "%", Decimal(1)
    name, _, below = tagged.unit.partition("/")
    unit = _rules("units").get(name.lower(), name)
    return f"{unit}/{below.removesuffix('s')}" if below else unit, Decimal(10) ** tagged.power


def _consolidation(tagged: TaggedValue) -> Consolidation:
    return "parent" if any(member.endswith(_PARENT) for _, member in tagged.dimensions) else ""


def _axis(name: str) -> str:
    local = name.rpartition(":")[2]
    return _rules("axes").get(local) or _words(local, "Axis").lower()


def _words(name: str, ending: str = "") -> str:
    """The words of a name in camel case, without prefix and ending.

    >>> _words("acme:CloudServicesMember", "Member"), _words("us-gaap:NetIncomeLoss")
    ('Cloud Services', 'Net Income Loss')
    """
    return " ".join(_CAMEL.split(name.rpartition(":")[2].removesuffix(ending)))


@cache
def _rules(table: str) -> Mapping[str, str]:
    rules: Mapping[str, str] = load_rules(__package__, "xbrl.toml")[table]
    return rules
