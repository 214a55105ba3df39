"""Quotes in words: sentences on a line, rows of tables with the scale, period or column of their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from ....core.language import Language, language_of
from ....core.patterns import on_demand
from ....core.words import search_words
from ....kg.store import FactQuery
from ....prompts.messages import message
from ..citations import Citations, with_marks
from .completion import introduced, parts_of_sentence
from .quotables import cells_of, is_row, table_head

if TYPE_CHECKING:
    from ....core.fact import Fact
    from ....ingest.document import Table
    from ....kg.store import Store
    from ...question.question import Question
    from .sentence_scoring import Quote

_CELLS = 4
_FACTS = 20_000
"""More than any filing holds."""
_HEAD = 60
"""Characters of a column's head that are shown."""
_MOST_PERCENT = 1000
"""A larger number in a column of percentages is an amount among them."""
_SCALES = {10**3: "thousand", 10**4: "ten_thousand", 10**6: "million", 10**8: "hundred_million", 10**9: "billion"}
_UNITS = ("CNY", "USD", "HKD")
"""Currencies that some languages write behind a value."""
_TELLING = on_demand(
    r"(?<![^|])(?:(?![A-Za-z]{3})[^|])*[A-Za-z]{3}[^|]*\s[A-Za-z]{3}|^(?=[^\d|]*$)[^|]*[\u4e00-\u9fff、]{3}"
)
"""A cell of words: two of them, or three characters in Chinese and no figure ("减少3.96个百分点")."""
LONGEST = 420
"""Characters of a quoted sentence; a longer one is cut at a clause."""
_LONGEST_WHOLE = 600
"""The same of one whose parts stand on two pages."""
_BEGUN = "… "
"""Before a part of a sentence that is too long to be quoted whole."""
_IN_BRACKETS = on_demand(r"[(（][^()（）]*[)）]")
_CLAUSE_MARKS = ",;:，；："
_TICK = on_demand(r"[√☑✓✔]\s*(?=[\u4e00-\u9fff])")
_OPEN_BOX = on_demand(r"[□☐]\s*[\u4e00-\u9fff]\S*")
_APPLIES = on_demand(r"[√☑✓✔]\s*适用(?=\s|$)")


def write_extract(store: Store, quotes: Sequence[Quote], citations: Citations, asked: Question | None = None) -> str:
    """The quotes as text, a line each, every one with its citation; of a row the cells that the question names.

    Behind a sentence that introduces a list stand the items of it; a sentence that is parted is one line.
    """
    lines: list[str] = []
    said: list[Quote] = []
    for quote, parts in chain.from_iterable(_with_list(store, quote) for quote in quotes):
        if _is_among(quote, said):  # with the list or the part before it
            continue
        text, cited = _line(store, quote, parts, asked)
        said += cited
        numbers = [citations.cite(part.evidence, part.text, part.start, part.end) for part in cited]
        lines.append(with_marks(text, numbers))
    return "\n".join(lines)


def _with_list(store: Store, quote: Quote) -> Iterator[tuple[Quote, Sequence[Quote]]]:
    """A quote and the items of the list that it introduces, each with the parts of which its sentence is made."""
    yield quote, parts_of_sentence(store, quote)
    for item in introduced(store, quote):
        yield item, [item]


def _is_among(quote: Quote, said: Sequence[Quote]) -> bool:
    """True where what is said already covers the middle of a quote: a bullet before it is none of its words."""
    middle = (quote.start + quote.end) // 2
    return any(one.start < middle < one.end for one in said if one.evidence.source == quote.evidence.source)


def _line(store: Store, quote: Quote, parts: Sequence[Quote], asked: Question | None) -> tuple[str, Sequence[Quote]]:
    """A quote in words and what is cited for it: with the other parts of its sentence, where all are short enough."""
    if is_row(quote.evidence, quote.text):
        return readable_row(store, quote, asked), [quote]
    whole = " ".join(part.text for part in parts)
    if len(parts) > 1 and len(whole) <= _LONGEST_WHOLE:
        return " ".join(whole.split()), parts
    begun = _BEGUN if parts[0] is not quote else ""
    return f"{begun}{readable(quote.text)}", [quote]


def readable(sentence: str) -> str:
    """A sentence on one line, cut at a clause where it is long.

    >>> readable("Revenue\\n rose.")
    'Revenue rose.'
    """
    text = ticked(" ".join(sentence.split()))
    if len(text) <= LONGEST:
        return text
    last_clause = max(text.rfind(mark, LONGEST // 2, LONGEST) for mark in _CLAUSE_MARKS)
    end = last_clause if last_clause > 0 else LONGEST
    return f"{text[:end].rstrip(f'{_CLAUSE_MARKS} ')} …"


def ticked(text: str) -> str:
    """A Chinese form's boxes read: what is ticked stays, what is not goes, "applicable" says nothing.

    >>> ticked("√适用 □不适用 收入减少5%。"), ticked("□本年度有重大诉讼 √本年度无重大诉讼")
    ('收入减少5%。', '本年度无重大诉讼')
    """
    if not (_TICK.search(text) and _OPEN_BOX.search(text)):
        return text
    return " ".join(_TICK.sub("", _APPLIES.sub(" ", _OPEN_BOX.sub(" ", text))).split())


def readable_row(store: Store, quote: Quote, asked: Question | None) -> str:
    """A table's row with the periods of its values and their scale: the cells whose columns the question names, if any.

    Where several values are of one period, each is named by the head of its column instead.
    """
    head = table_head(quote.evidence)
    in_words = words_row(quote.text, head, asked)
    if in_words:
        return in_words
    source = quote.evidence.source
    of_document = store.facts(FactQuery(sources=(source,), limit=_FACTS))
    facts = [fact for fact in of_document if quote.start <= fact.start < quote.end]
    table = _table_at(store, source, quote.start)
    if facts:
        return facts_row(facts, asked, table)
    row = table_row(head, quote.text, asked)
    unit = table.unit.strip("()（） ") if table else ""
    return f"{row}, {unit}" if unit else row


def _named(heads: Sequence[str], asked: Question | None, label: str) -> list[int]:
    """The columns that a question names best, by words of their heads that not all heads have; all where it names none.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> asked = read_question("What did Acme's Transmission segment earn in 2024?")
    >>> _named(["Distribution 2024", "Transmission 2024", "Total 2024"], asked, "Operating income")
    [1]
    """
    every = list(range(len(heads)))
    if asked is None:
        return every
    wanted = {*search_words(asked.trimmed), *map(str, asked.years)} - set(search_words(label))
    terms = [set(search_words(head)) for head in heads]
    common = set.intersection(*terms) if len(terms) > 1 else set[str]()
    worth = [len((own - common) & wanted) for own in terms]
    most = max(worth, default=0)
    return [number for number in every if worth[number] == most]


def _table_at(store: Store, source: str, at: int) -> Table | None:
    """The table of a document that holds this offset."""
    for table in store.tables(source):
        if table.start <= at < table.end:
            return table
    return None


def words_row(row: str, head: str = "", asked: Question | None = None) -> str:
    """A row that tells in words, as its cells in order: who holds which office since when; "" for a row of figures.

    Of one whose columns the question names, the cells there: "Term Loan B: 3.25% (Margin)".

    >>> words_row("| Jane Roe | 59 | Chief Executive Officer since 2017 |"), words_row("| Net revenue | 3,412 | 14 % |")
    ('Jane Roe, 59, Chief Executive Officer since 2017', '')
    """
    name, *cells = filter(None, cells_of(row))
    if not any(map(_TELLING.search, cells)):
        return ""
    said = set(search_words(asked.trimmed)) if asked is not None else set[str]()
    named: list[str] = []
    for over, cell in zip(cells_of(head)[1:], cells_of(row)[1:], strict=False):
        words = set(search_words(_IN_BRACKETS.sub("", over)))
        if cell and words and words <= said:
            named.append(f"{cell} ({over})")
    return f"{name}: {'; '.join(named)}" if named else ", ".join((name, *cells))


def facts_row(facts: Sequence[Fact], asked: Question | None, table: Table | None = None) -> str:
    """The facts of one row as words: "Inventories: 172.3 million (2024-12-31)"."""
    label = facts[0].own_label
    periods = [str(fact.period) if fact.period else "" for fact in facts]
    heads = [f"{period} {_column_head(table, fact)}" for period, fact in zip(periods, facts, strict=True)]
    name = label if facts[0].metric else _name(facts[0].label)
    language = language_of(name)
    notes = _notes(facts, table)
    values = [_value(facts[number], notes[number], language) for number in _named(heads, asked, label)]
    return f"{name}: {'; '.join(values[:_CELLS])}"


def _notes(facts: Sequence[Fact], table: Table | None) -> list[str]:
    """What tells the values of a row apart: their periods, or the heads of their columns where periods repeat."""
    periods = [str(fact.period) if fact.period else "" for fact in facts]
    if len(set(periods)) == len(periods):
        return periods
    heads = [_column_head(table, fact) for fact in facts]
    if len(set(heads)) < len(heads) or "" in heads:
        return periods
    return heads


def _name(label: str) -> str:
    """A row by its name and that of the section it stands in, which says what the row is of."""
    *_, section, name = ("", *label.split(" > "))
    is_heading = section.isupper() or len(section) >= _HEAD
    return name if is_heading or not section else f"{section.rstrip(':：')}, {name}"


def table_row(head: str, row: str, asked: Question | None) -> str:
    """A row of a Markdown table as words, under the heads of its columns.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> table_row("| | 2025 | 2024 |", "| Net revenue | 3,412 | 2,987 |", read_question("Net revenue in 2024?"))
    'Net revenue: 2,987 (2024)'
    """
    name, *cells = cells_of(row)
    heads = [over for over, _ in zip_longest(cells_of(head)[1:], cells, fillvalue="")][: len(cells)]
    filled = [(over, cell) for over, cell in zip(heads, cells, strict=True) if cell]
    meant = (filled[number] for number in _named([over for over, _ in filled], asked, name))
    shown = "; ".join([f"{cell} ({over})" if over else cell for over, cell in meant][:_CELLS])
    return f"{name}: {shown}" if shown else name


def _value(fact: Fact, note: str, language: Language) -> str:
    """A value as printed, with its scale in words and, in parentheses, its period or column."""
    known = _SCALES.get(int(fact.scale))
    other = f" × {fact.scale:,f}" if fact.scale > 1 else ""
    scale = message(f"scale_{known}", language) if known else other
    behind = f" ({note})" if note else ""
    return f"{fact.text}{scale}{_unit(fact, language)}{behind}"


def _unit(fact: Fact, language: Language) -> str:
    """The unit behind a value: a percent sign where none is printed, a currency where the language writes it."""
    if fact.unit in _UNITS:
        return message(f"unit_{fact.unit}", language)
    if fact.unit != "%" or "%" in fact.text:
        return ""
    is_share = fact.value is not None and abs(fact.value) < _MOST_PERCENT
    return " %" if is_share else ""


def _column_head(table: Table | None, fact: Fact) -> str:
    """The heads over a fact's cell, from the outermost; a head over several columns stands in the first of them."""
    if table is None or fact.column is None:
        return ""
    *outer, innermost = table.rows[: table.header_rows] or [()]
    said = [_last_written(row[1 : fact.column + 1]) for row in outer]
    said.append(_last_written(innermost[fact.column : fact.column + 1]))
    text = ", ".join(dict.fromkeys(filter(None, said)))
    return text if len(text) <= _HEAD else text[: _HEAD - 1].rstrip() + "…"


def _last_written(cells: Sequence[str]) -> str:
    for cell in reversed(cells):
        if cell.strip():
            return cell.strip()
    return ""
