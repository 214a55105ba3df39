"""Quotes in words: sentences on a line, rows of tables with the scale, period or column of their values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.names import is_chinese
from ....kg.store import FactQuery
from ..citations import Citations, with_marks
from .quotables import is_row, table_head

if TYPE_CHECKING:
    from ....core.fact import Fact
    from ....ingest.table import Table
    from ....kg.store import Store
    from .scoring import Quote

_CELLS = 4
_FACTS = 20_000
"""More than any filing holds."""
_HEAD = 60
"""Characters of a column's head that are shown."""
_MOST_PERCENT = 1000
"""A larger number in a column of percentages is an amount among them."""
_SCALES = {
    10**3: ("thousand", "千"),
    10**4: ("ten thousand", "万"),
    10**6: ("million", "百万"),
    10**8: ("hundred million", "亿"),
    10**9: ("billion", "十亿"),
}
_TELLING = re.compile(r"[A-Za-z]{3,}[^|]*\s[A-Za-z]{3,}|^[^\d|]*[\u4e00-\u9fff、]{3,}[^\d|]*$")
"""A cell of words: two of them, or three characters in Chinese and no figure ("减少3.96个百分点")."""
_UNITS = {"CNY": "元", "USD": "美元", "HKD": "港元"}
LONGEST = 420
"""Characters of a quoted sentence; a longer one is cut at a clause."""
_TICK = re.compile(r"[√☑✓✔]\s*(?=[\u4e00-\u9fff])")
_OPEN_BOX = re.compile(r"[□☐]\s*[\u4e00-\u9fff]\S*")
_APPLIES = re.compile(r"[√☑✓✔]\s*适用(?=\s|$)")


def write_extract(store: Store, quotes: Sequence[Quote], citations: Citations, years: Sequence[int] = ()) -> str:
    """The quotes as text, a line each, every one with its citation."""
    lines = []
    for quote in quotes:
        number = citations.cite(quote.evidence, quote.text, quote.start, quote.end)
        row = is_row(quote.evidence, quote.text)
        lines.append(with_marks(readable_row(store, quote, years) if row else readable(quote.text), [number]))
    return "\n".join(lines)


def readable(sentence: str) -> str:
    """A sentence on one line, cut at a clause where it is long.

    >>> readable("Revenue\\n rose.")
    'Revenue rose.'
    """
    text = ticked(" ".join(sentence.split()))
    if len(text) <= LONGEST:
        return text
    cut = max(text.rfind(mark, LONGEST // 2, LONGEST) for mark in ",;:，；：")
    return text[: cut if cut > 0 else LONGEST].rstrip(",;:，；： ") + " …"


def ticked(text: str) -> str:
    """A Chinese form's boxes read: what is ticked stays, what is not goes, "applicable" says nothing.

    >>> ticked("√适用 □不适用 收入减少5%。"), ticked("□本年度有重大诉讼 √本年度无重大诉讼")
    ('收入减少5%。', '本年度无重大诉讼')
    """
    if not (_TICK.search(text) and _OPEN_BOX.search(text)):
        return text
    return " ".join(_TICK.sub("", _APPLIES.sub(" ", _OPEN_BOX.sub(" ", text))).split())


def readable_row(store: Store, quote: Quote, years: Sequence[int] = ()) -> str:
    """A table's row with the periods of its values and their scale, of the years asked for if any are.

    Where several values are of one period, each is named by the head of its column instead.
    """
    if said := words_row(quote.text):
        return said
    source = quote.evidence.source
    facts = [f for f in store.facts(FactQuery(sources=(source,), limit=_FACTS)) if quote.start <= f.start < quote.end]
    table = next((t for t in store.tables(source) if t.start <= quote.start < t.end), None)
    if facts:
        return facts_row(facts, years, table)
    row = table_row(table_head(quote.evidence), quote.text, years)
    unit = table.unit.strip("()（） ") if table else ""
    return f"{row}, {unit}" if unit else row


def words_row(row: str) -> str:
    """A row that tells in words, as its cells in order: who holds which office since when; "" for a row of figures.

    >>> words_row("| Jane Roe | 59 | Chief Executive Officer since 2017 |"), words_row("| Net revenue | 3,412 | 14 % |")
    ('Jane Roe, 59, Chief Executive Officer since 2017', '')
    """
    _, *cells = (found := [cell for cell in _cells(row) if cell])
    return ", ".join(found) if any(_TELLING.search(cell) for cell in cells) else ""


def facts_row(facts: Sequence[Fact], years: Sequence[int] = (), table: Table | None = None) -> str:
    """The facts of one row as words: "Inventories: 172.3 million (2024-12-31)"."""
    asked = [fact for fact in facts if fact.period and fact.period.year in years] or list(facts)
    name = facts[0].label.rpartition(" > ")[2] if facts[0].metric else _name(facts[0].label)
    periods = [str(fact.period) for fact in asked]
    heads = [_column_head(table, fact) for fact in asked] if len(set(periods)) < len(periods) else []
    shown = (
        heads if heads and len(set(heads)) == len(heads) and all(heads) else [p if p != "None" else "" for p in periods]
    )
    values = [_value(fact, note, is_chinese(name)) for fact, note in zip(asked, shown, strict=True)]
    return f"{name}: {'; '.join(values[:_CELLS])}"


def _name(label: str) -> str:
    """A row by its name and that of the section it stands in, which says what the row is of."""
    *_, section, name = ("", *label.split(" > "))
    return f"{section.rstrip(':：')}, {name}" if section and not section.isupper() and len(section) < _HEAD else name


def table_row(head: str, row: str, years: Sequence[int] = ()) -> str:
    """A row of a Markdown table as words, under the heads of its columns.

    >>> table_row("| | 2025 | 2024 |", "| Net revenue | 3,412 | 2,987 |", [2024])
    'Net revenue: 2,987 (2024)'
    """
    heads, (name, *cells) = _cells(head), _cells(row)
    pairs = [(heads[i] if i < len(heads) else "", cell) for i, cell in enumerate(cells, 1) if cell]
    asked = [pair for pair in pairs if any(str(year) in pair[0] for year in years)]
    shown = "; ".join(f"{cell} ({head})" if head else cell for head, cell in (asked or pairs)[:_CELLS])
    return f"{name}: {shown}" if shown else name


def _value(fact: Fact, note: str, chinese: bool) -> str:
    """A value as printed, with its scale in words and, in parentheses, its period or column."""
    words = _SCALES.get(int(fact.scale), ("", ""))[chinese]
    scale = words if chinese or not words else f" {words}"
    unit = _UNITS.get(fact.unit, "") if chinese else ""
    if fact.unit == "%" and "%" not in fact.text and fact.value is not None and abs(fact.value) < _MOST_PERCENT:
        unit = " %"
    return f"{fact.text}{scale}{unit}" + (f" ({note})" if note else "")


def _column_head(table: Table | None, fact: Fact) -> str:
    """The heads over a fact's cell, from the outermost; a head over several columns stands in the first of them."""
    if table is None or fact.column is None:
        return ""
    said = []
    for row in table.rows[: table.header_rows]:
        cells = row[1 : fact.column + 1] if row is not table.rows[table.header_rows - 1] else row[fact.column :][:1]
        said.append(next((cell.strip() for cell in reversed(cells) if cell.strip()), ""))
    text = ", ".join(dict.fromkeys(filter(None, said)))
    return text if len(text) <= _HEAD else text[: _HEAD - 1].rstrip() + "…"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line else [""]
