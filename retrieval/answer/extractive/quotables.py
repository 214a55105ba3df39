"""Pieces of evidence cut into what can be quoted: sentences, rows of tables, statements of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ....core.patterns import on_demand
from ....core.records import dataclass
from ....ingest.sentences import split_text
from ...search.evidence import Evidence
from ...search.index.spaces import sentence_cosines_in_spaces

if TYPE_CHECKING:
    import numpy as np

    from ....kg.store import Store

TEXT_KINDS = frozenset({"chunk", "table", "figure"})
Span = tuple[int, int, float]
"""Start and end in the document's text, similarity to the question."""
_BEFORE_SENTENCE: Mapping[str, str] = {"community": "\n", "relation": ": "}
"""What stands before the sentence in a piece of the graph."""
_ONLY_BOXES = on_demand(r"\s*[√☑✓✔]\s*适用\s*[□☐]\s*不适用\s*")
"""A Chinese form's line that says that something follows, and nothing else."""
_RULE = on_demand(r"\|[|\s:-]+")
_SENTENCE = 60
"""Characters from which a lone cell is a sentence and not the name of a section."""
ROW = 0.5
"""Share of a table piece's similarity that each of its rows has: the piece stands for several."""


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """What the store knows of a chunk: its sentences with their similarity, and its content value."""

    spans: tuple[Span, ...] = ()
    value: float = 1.0


def stored_chunks(
    store: Store, evidence: Sequence[Evidence], vector: np.ndarray | None, beside: np.ndarray | None = None
) -> dict[str, StoredChunk]:
    """Id -> the chunk, for the evidence that is text; ``vector`` and ``beside`` are the question's in either space."""
    ids = [item.id for item in evidence if item.kind in TEXT_KINDS and item.id]
    chunks = store.chunks(ids)
    cosines = sentence_cosines_in_spaces(store, [chunk.id for chunk in chunks], vector, beside)
    found: dict[str, StoredChunk] = {}
    for chunk in chunks:
        own = cosines.get(chunk.id)
        spans = _unlike(chunk.printed) if own is None else _similar(chunk.sentences, own)
        found[chunk.id] = StoredChunk(spans, chunk.value)
    return found


def quotable(item: Evidence, stored: Sequence[Span], similarity: float = 0.0) -> list[tuple[str, int, int, float]]:
    """(text, start, end, similarity) of each sentence, row or statement of a piece of evidence.

    ``similarity`` is that of a statement, of which the store has no vector.
    """
    if item.kind not in TEXT_KINDS:
        return [(statement(item), item.start, item.end, similarity)]
    spans = [span for span in stored if item.start <= span[0] and span[1] <= item.end]
    if not spans:
        spans = [(item.start + own.start, item.start + own.end, 0.0) for own in split_text(item.text)]
    if item.kind == "table":
        spans = list(chain.from_iterable(_rows(item, *span) for span in spans))
    found = [(item.text[start - item.start : end - item.start], start, end, cosine) for start, end, cosine in spans]
    return [span for span in found if not _ONLY_BOXES.fullmatch(span[0])]


def is_row(item: Evidence, text: str) -> bool:
    """True for a row of a table, as against the lines around it."""
    return item.kind == "table" and text.lstrip().startswith("|")


def table_head(item: Evidence) -> str:
    """The column heads of a table, which every row of it speaks of; "" for all else.

    >>> table_head(Evidence("table", "Sales\\n| | 2024 |\\n| --- | --- |\\n| Net | 5 |", 1.0, "x"))
    '| | 2024 |'
    """
    if item.kind != "table":
        return ""
    before = ""
    for line in item.text.splitlines():
        if not line.lstrip().startswith("|"):
            continue
        if _is_rule(line):
            return before
        before = line
    return ""


def table_lead(item: Evidence) -> str:
    """What stands over a table: its title or the sentence that introduces it, and its column heads; "" for all else.

    >>> table_lead(Evidence("table", "Our customers:\\n| | 2024 |\\n| --- | --- |\\n| Acme | 5 % |", 1.0, "x"))
    'Our customers: | | 2024 |'
    """
    if item.kind != "table":
        return ""
    over = item.text[: max(0, item.text.find("|"))]
    return " ".join(f"{over} {table_head(item)}".split())


def row_section(item: Evidence, start: int) -> str:
    """The row without values under which a table's row at this offset stands ("Gross margin percentage:"); else "".

    >>> table = "| | 2024 |\\n| --- | --- |\\n| Margin: | |\\n| Services | 70 % |"
    >>> row_section(Evidence("table", table, 1.0, "x"), table.index("| Services"))
    'Margin:'
    """
    for line in reversed(item.text[: max(0, start - item.start)].splitlines()):
        if not line.lstrip().startswith("|") or _is_rule(line):
            return ""
        name, *cells = cells_of(line)
        if name and not any(cells):
            return name
    return ""


def _is_rule(line: str) -> bool:
    """True for the line of dashes between a table's heads and its rows."""
    return _RULE.fullmatch(line.strip()) is not None


def cells_of(line: str) -> list[str]:
    """The cells of a row of a table as it is written; one that is empty for "".

    >>> cells_of("| Net revenue | 3,412 |")
    ['Net revenue', '3,412']
    """
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def statement(item: Evidence) -> str:
    """What a piece of the graph says: of a relation and a report's claim the sentence that says it, else its text."""
    if item.kind not in _BEFORE_SENTENCE:
        return item.text
    return item.text.partition(_BEFORE_SENTENCE[item.kind])[2] or item.text


def _rows(item: Evidence, start: int, end: int, cosine: float) -> list[Span]:
    """The rows of a table in one embedded piece of it."""
    rows: list[Span] = []
    at = start
    for line in item.text[start - item.start : end - item.start].splitlines(keepends=True):
        text = line.rstrip()
        if _says_something(text) and text != table_head(item):
            rows.append((at, at + len(text), ROW * cosine))
        at += len(line)
    return rows or [(start, end, cosine)]


def _says_something(line: str) -> bool:
    """True for a named row with a value, or with a name so long that it is a sentence; not for rules and heads."""
    if not line.lstrip().startswith("|") or _is_rule(line):
        return False
    name, *cells = line.strip().strip("|").split("|")
    if not name.strip():
        return False
    return any(map(str.strip, cells)) or len(name) >= _SENTENCE


def _similar(spans: Sequence[tuple[int, int]], cosines: np.ndarray) -> tuple[Span, ...]:
    if len(cosines) != len(spans):
        return _unlike(spans)
    found: dict[tuple[int, int], float] = {}
    for place, cosine in zip(spans, cosines, strict=True):  # a sentence is as similar as the best of its propositions
        found[place] = max(0.0, found.get(place, 0.0), float(cosine))
    return tuple((start, end, cosine) for (start, end), cosine in found.items())


def _unlike(spans: Sequence[tuple[int, int]]) -> tuple[Span, ...]:
    """Sentences of which no vector tells how similar they are to the question."""
    return tuple((start, end, 0.0) for start, end in spans)
