"""An answer without a language model: the sentences of the evidence that answer best, quoted and cited."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from ..core.names import is_chinese
from ..core.quantity_text import find_quantities
from ..core.words import search_words
from ..kg.store import FactQuery
from .citing import Citations, with_marks
from .quotes import TEXT_KINDS, Quote, table_head

if TYPE_CHECKING:
    from ..core.fact import Fact
    from ..kg.store import Store

MOST = 4
"""Sentences of an answer: more is reading, not answering."""
LONGEST = 420
"""Characters of a quoted sentence; a longer one is cut at a clause."""
_WORTH = 0.75
"""Share of the best score that a further sentence needs."""
_WORDS_WORTH, _NEW_WORDS = 0.9, 0.1
"""A further sentence holds nearly as much of the question as the best one, or a word that none before it holds."""
_ALIKE = 0.7
"""Share of words in common from which two sentences say the same."""
_LEAST_WORDS = 0.4
"""Share of the question's words that the best sentence needs where there are no vectors."""
_LEAST_SIMILARITY = 0.45
"""Similarity that the best sentence of an answerable question has: on filings 49 in 50 questions are above."""
_MANY_WORDS, _SOME_SIMILARITY = 0.6, 0.35
"""So many of the question's words make up for less similarity: names and measures that the model does not know."""
_CELLS = 4
_SCALES = {
    10**3: ("thousand", "千"),
    10**4: ("ten thousand", "万"),
    10**6: ("million", "百万"),
    10**8: ("hundred million", "亿"),
    10**9: ("billion", "十亿"),
}
_FACTS = 20_000
"""More than any filing holds."""


def is_weak(quotes: Sequence[Quote]) -> bool:
    """True where no sentence is near enough to the question: the best one is about something else."""
    if not any(quote.similarity for quote in quotes):
        return not any(quote.words >= _LEAST_WORDS for quote in quotes)
    return not any(
        quote.similarity >= _LEAST_SIMILARITY
        or (quote.words >= _MANY_WORDS and quote.similarity >= _SOME_SIMILARITY)
        or (quote.words >= _MANY_WORDS and quote.evidence.kind not in TEXT_KINDS)
        for quote in quotes
    )


def best_quotes(quotes: Sequence[Quote], most: int = MOST) -> list[Quote]:
    """The best sentences that differ from each other, best first."""
    chosen: list[Quote] = []
    for quote in quotes:
        if len(chosen) == most or (chosen and quote.score < _WORTH * chosen[0].score):
            break
        if not chosen or (_adds(quote, chosen) and not any(_alike(quote, other) for other in chosen)):
            chosen.append(quote)
    return chosen


def _adds(quote: Quote, chosen: Sequence[Quote]) -> bool:
    """True where a further sentence says as much about the question as the best one, or about another part of it.

    A figure that was found in a table or among the facts is not explained by prose that only shares its words.
    """
    if _is_figure(chosen[0]) and not _is_figure(quote):
        return False
    said = {word for other in chosen for word in other.held}
    new = sum(weight for word, weight in quote.held.items() if word not in said)
    total = sum(chosen[0].held.values()) or 1.0
    return quote.words >= _WORDS_WORTH * chosen[0].words or new >= _NEW_WORDS * total


def write_extract(store: Store, quotes: Sequence[Quote], citations: Citations, years: Sequence[int] = ()) -> str:
    """The quotes as text, a line each, every one with its citation."""
    lines = []
    for quote in quotes:
        number = citations.cite(quote.evidence, quote.text, quote.start, quote.end)
        text = readable_row(store, quote, years) if _is_row(quote) else readable(quote.text)
        lines.append(with_marks(text, [number]))
    return "\n".join(lines)


def readable(sentence: str) -> str:
    """A sentence on one line, cut at a clause where it is long.

    >>> readable("Revenue\\n rose.")
    'Revenue rose.'
    """
    text = " ".join(sentence.split())
    if len(text) <= LONGEST:
        return text
    cut = max(text.rfind(mark, LONGEST // 2, LONGEST) for mark in ",;:，；：")
    return text[: cut if cut > 0 else LONGEST].rstrip(",;:，；： ") + " …"


def readable_row(store: Store, quote: Quote, years: Sequence[int] = ()) -> str:
    """A table's row with the periods of its values and their scale, of the years asked for if any are."""
    source = quote.evidence.source
    facts = [f for f in store.facts(FactQuery(sources=(source,), limit=_FACTS)) if quote.start <= f.start < quote.end]
    if facts:
        return facts_row(facts, years)
    row = table_row(table_head(quote.evidence), quote.text, years)
    unit = next((t.unit.strip("()（） ") for t in store.tables(source) if t.start <= quote.start < t.end), "")
    return f"{row}, {unit}" if unit else row


def facts_row(facts: Sequence[Fact], years: Sequence[int] = ()) -> str:
    """The facts of one row as words: "Inventories: 172.3 million (2024-12-31)"."""
    asked = [fact for fact in facts if fact.period and fact.period.year in years]
    name = facts[0].label.rpartition(" > ")[2]
    return f"{name}: {'; '.join(_value(fact, is_chinese(name)) for fact in (asked or facts)[:_CELLS])}"


def _value(fact: Fact, chinese: bool) -> str:
    """A value as printed, with its scale in words and its period."""
    words = _SCALES.get(int(fact.scale), ("", ""))[chinese]
    scale = words if chinese or not words else f" {words}"
    unit = {"CNY": "元", "USD": "美元", "HKD": "港元"}.get(fact.unit, "") if chinese else ""
    return f"{fact.text}{scale}{unit}" + (f" ({fact.period})" if fact.period else "")


def _is_figure(quote: Quote) -> bool:
    return _is_row(quote) or quote.evidence.kind == "fact"


def _is_row(quote: Quote) -> bool:
    return quote.evidence.kind == "table" and quote.text.lstrip().startswith("|")


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


def _amounts(text: str) -> set[Decimal]:
    """The printed numbers of a text, whatever their unit: the same figure is found in prose, tables and facts."""
    return {abs(quantity.value) for quantity in find_quantities(text)}


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line else [""]


def _alike(one: Quote, other: Quote) -> bool:
    if one.evidence.source == other.evidence.source and one.start < other.end and other.start < one.end:
        return True
    if _is_figure(one):
        return not _amounts(one.text).isdisjoint(_amounts(other.text))
    first, second = set(search_words(one.text)), set(search_words(other.text))
    return len(first & second) >= _ALIKE * min(len(first), len(second)) if first and second else one.text == other.text
