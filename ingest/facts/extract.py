"""All facts of a document: of its tables, also those in raw page text, of its sentences, and of the values that
a filing tags itself (inline XBRL), with what these replace.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache, partial
from itertools import accumulate, chain, filterfalse
from operator import attrgetter, itemgetter

from ...core.fact import Consolidation, Fact
from ...core.ids import stable_id
from ...core.period import Period, Unit
from ...core.quantity import parse_quantity
from ...core.records import replace
from ...core.rules import load_rules
from ..document import Document, Span, Table, TaggedValue, cell_spans
from ..tables.raw_text import RawTable, from_text_lines
from .column_heads import Column, read_columns
from .context import FactContext
from .metrics import MetricList
from .prose_facts import cover_facts, prose_facts
from .row_labels import sides
from .table_facts import table_facts

_CERTAINTY = 0.85
"""Columns are told by order alone."""
_FEWEST_CONTENTS = 8
"""Rising whole numbers, none above the number of pages, that make a table a list of contents."""


RawFound = tuple[Table, list[list[Span]]]
"""A table of raw page text, and for each row the span from its label to its last value, the same for all its cells."""


def raw_tables(document: Document) -> Iterator[RawFound]:
    """The tables in every page's lines, for a document whose reader tells none apart."""
    if document.tables:
        return
    before = Table(())
    for page in document.pages:
        lines, starts = _lines(document.text, page.start, page.end)
        for found in from_text_lines(lines):
            spans = _spans(found, lines, starts)
            table = _going_on(before, replace(found.table, start=spans[0][0][0], end=spans[-1][0][1]))
            before = table
            yield table, spans


def _going_on(before: Table, table: Table) -> Table:
    """The table with the unit and the title of the one before where it goes on with it: the same heads, no own unit."""
    heads = _heads(table)
    if table.unit or not heads or heads != _heads(before):
        return table
    return replace(table, unit=before.unit, title=table.title or before.title)


def _heads(table: Table) -> list[tuple[str, ...]]:
    return [row[1:] for row in table.heads]


def raw_table_facts(document: Document, context: FactContext, found: Sequence[RawFound]) -> Iterator[Fact]:
    """Facts of raw tables; ``start`` and ``end`` are those of the row."""
    for table, spans in found:
        columns = read_columns(table, context)
        for fact in table_facts(document, table, None, context, columns, spans):
            yield replace(fact, confidence=fact.confidence * _CERTAINTY)


def _lines(text: str, start: int, end: int) -> tuple[list[str], list[int]]:
    """The lines of ``text[start:end]`` and where each begins."""
    lines = text[start:end].split("\n")
    lengths = (len(line) + 1 for line in lines[:-1])
    return lines, list(accumulate(lengths, initial=start))


def _spans(found: RawTable, lines: list[str], starts: list[int]) -> list[list[Span]]:
    """For each row the span from its label to its last value, the same for all its cells."""
    head = (starts[found.first], starts[found.first] + len(lines[found.first]))
    spans = [head] * found.table.header_rows
    for first, last in zip(found.row_lines, found.row_ends, strict=True):
        spans.append((starts[first], starts[last] + len(lines[last])))
    return [[span] * found.table.width for span in spans]


_DOLLARS = ("AUD", "CAD", "NZD", "HKD", "SGD", "TWD")
_AMERICAN = re.compile(r"US\$|\bUSD\b|\b(?:U\.S\.|US|United\s+States)\s*(?:\$|dollars?)", re.IGNORECASE)


def in_own_dollars(facts: Sequence[Fact], document: Document) -> Iterator[Fact]:
    """The facts in the dollar that the document reports in, but for those that are printed as American ones."""
    own = document.metadata.currency
    for fact in facts:
        unit, _, per = fact.unit.partition("/")
        if own not in _DOLLARS or unit != "USD" or _AMERICAN.search(_printed(fact, document)):
            yield fact
        else:
            yield replace(fact, unit=f"{own}/{per}" if per else own)


def _printed(fact: Fact, document: Document) -> str:
    """What is printed of the unit: in the value and its name, in a table also above it and over its columns."""
    said = f"{fact.text} {fact.label}"
    if fact.table is None or fact.table >= len(document.tables):
        return said
    table = document.tables[fact.table]
    heads = " ".join(chain.from_iterable(table.rows[: table.header_rows]))
    return f"{said} {table.unit} {table.title} {heads}"


_DIVIDED = ("revenue", "operating income")
"""Figures that companies tell of each of their parts."""
_OF_ALL = re.compile(r"\b(?:consolidated|(?:total )?company|group)\b", re.IGNORECASE)
_AROUND_NAME = re.compile(
    r"^(?:(?:operating )?results (?:of|for) (?:operations (?:of|for) )?(?:the |our )?)|\s{0,9}[(（].*"
    r"|\s{1,9}(?:was|were|are) as follows.*|(?:\s{1,9}(?:operating|reportable))?\s{1,9}(?:segment|division)s?\s{0,9}$",
    re.IGNORECASE | re.DOTALL,
)


_NO_PART = re.compile(
    r"\b(?:total|consolidated|unallocated|eliminat\w+|corporate|income|earnings|premiums)\b"
    r"|^(?:all )?(?:others?|services|products|international)$",
    re.IGNORECASE,
)
"""Of what is named beside the parts, of a kind of figure, and of a part whose name heads passages on anything."""


def part_names(facts: Sequence[Fact]) -> dict[str, str]:
    """The parts of the company, two at least, of which a figure is told, by the letters of their names."""
    names: dict[str, str] = {}
    for fact in facts:
        if fact.metric in _DIVIDED and fact.source_kind != "prose":
            members = filterfalse(_NO_PART.search, map(itemgetter(1), filter(_is_segment, fact.dimensions)))
            names |= {_letters(member): member for member in members}
    return names if len(names) > 1 else {}


def _is_segment(dimension: tuple[str, str]) -> bool:
    return dimension[0] == "segment"


def of_headed_parts(facts: Sequence[Fact], names: Mapping[str, str], document: Document) -> list[Fact]:
    """The facts; what stands under the name of a part of the company is the part's: "Aerospace" over "Revenue"."""
    starts = list(map(attrgetter("start"), document.segments))
    found = list(facts)
    for n, fact in enumerate(facts if names and starts else ()):
        if fact.dimensions or fact.source_kind == "xbrl":
            continue
        heads = list(document.segments[max(0, bisect_right(starts, fact.start) - 1)].headings[-1:])
        if fact.table is not None:
            heads[:0] = map(attrgetter("title"), document.tables[fact.table :][:1])
        part = next(filter(None, map(partial(_part_of, names=names), heads)), "")
        if part and _letters(part) not in _letters(fact.label) and not _OF_ALL.search(fact.own_label):
            found[n] = replace(fact, dimensions=(("segment", part),))
    return found


def _part_of(head: str, names: Mapping[str, str]) -> str:
    """The part that a heading names and nothing else."""
    return names.get(_letters(_AROUND_NAME.sub("", head)), "")


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


VERSION = "30"
"""Of this step: a stored document read by another version is read again."""


def extract_facts(document: Document, metrics: MetricList | None = None) -> list[Fact]:
    """Facts of tables, prose and tagged values, in the order of the text, each with its place.

    The document's metadata give the company and, where a table or sentence names none, the period; ``metrics`` the
    names to look for, the shipped ones by default.
    """
    context = FactContext.of(document, metrics)
    raw = list(raw_tables(document))
    rows = [row[0] for _, spans in raw for row in spans if row]
    read = [
        *raw_table_facts(document, context, raw),
        *_of_tables(document, context),
        *prose_facts(document, context, rows),
        *cover_facts(document, context),
    ]
    facts = with_tagged(list(in_own_dollars(read, document)), list(xbrl_facts(document, context)))
    facts = of_headed_parts(facts, part_names(facts), document)
    facts.sort(key=lambda fact: (fact.start, fact.end))
    return [replace(fact, id=stable_id("fact", VERSION, document.source, n)) for n, fact in enumerate(facts)]


def _of_tables(document: Document, context: FactContext) -> Iterator[Fact]:
    """A table without heads and title goes on with the columns of the one before, if it has as many."""
    columns: Sequence[Column] = ()
    for ordinal, table in enumerate(document.tables):
        if _is_contents(table, len(document.pages)):
            continue
        is_bare = not table.heads and not table.title
        goes_on = is_bare and 0 < len(columns) == table.width
        columns = columns if goes_on else read_columns(table, context)
        spans = cell_spans(document.text, table.start, table.end)
        for half, of_half in sides(table, columns):
            yield from table_facts(document, half, ordinal, context, of_half, spans)


def _is_contents(table: Table, pages: int) -> bool:
    """True for a list of contents, whose numbers are pages of the document and rise from row to row."""
    columns = [list(filter(None, column)) for column in zip(*table.body, strict=True)]
    numbers = [column for column in columns if column and all(map(str.isdecimal, column))]
    if sum(map(len, numbers)) < _FEWEST_CONTENTS or len(numbers) < len(columns) // 2:
        return False
    return all(_are_pages(list(map(int, column)), pages) for column in numbers)


def _are_pages(numbers: Sequence[int], pages: int) -> bool:
    return list(numbers) == sorted(numbers) and numbers[0] > 0 and numbers[-1] <= pages


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
    """A concept of the filer's own is known by the label of its row; what is tagged as told at a day and stands in the
    row of a later year falls due then."""
    metric = tagged.metric or ("" if tagged.dimensions else cell.metric)
    is_loss = bool(metric) and not tagged.metric and _is_printed_loss(cell)
    return replace(
        tagged,
        metric=metric,
        value=cell.value if is_loss else tagged.value,
        label=cell.label,
        period=cell.period if _falls_due(tagged.period, cell.period) else tagged.period,
        text=cell.text,
        basis=cell.basis,
        consolidation=tagged.consolidation or cell.consolidation,
        start=cell.start,
        end=cell.end,
        table=cell.table,
        row=cell.row,
        column=cell.column,
    )


def _falls_due(told: Period | None, printed: Period | None) -> bool:
    if told is None or printed is None or not told.is_instant:
        return False
    return printed.unit == "year" and printed.last_day > told.last_day


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
