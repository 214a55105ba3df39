"""A section of a report without a model: the answer in quotations, and a table of the sections that were read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.scope import Scope
from ..core.words import question_words, search_words
from ..retrieval.search.evidence import Citation
from .parts import Cell, Grid, Paragraph, Section

if TYPE_CHECKING:
    from ..ingest.chunk import Chunk
    from ..retrieval.answer.joint import JointCitations
    from ..retrieval.search.evidence import Evidence
    from ..workspace import Workspace

_MOST_ROWS, _MOST_COLUMNS = 12, 6
_FEWEST_ROWS = 2
_LEAST_WORDS = 2
"""Words of the question that a table has to hold to be shown."""


def quoted_section(
    workspace: Workspace,
    question: str,
    subject: str,
    scope: Scope | None,
    kept: Sequence[Evidence],
    numbers: JointCitations,
) -> Section | None:
    """What the documents of the relevant sections say in their own words; None where they do not answer."""
    if not kept:
        return None
    sources = tuple(dict.fromkeys(section.source for section in kept))
    given = scope or Scope()
    narrowed = Scope(given.companies, given.periods, given.kinds, given.sources or sources, given.as_of)
    answer = workspace.ask(question, scope=narrowed)
    if "not found" in answer.trace or not answer.citations:
        return None
    paragraph = Paragraph(numbers.renumbered(answer))
    asked = set(question_words(question)) - set(search_words(subject))
    grid = _table(workspace, asked, kept, numbers)
    return Section(question, (paragraph,), (grid,) if grid else ())


def _table(workspace: Workspace, asked: set[str], kept: Sequence[Evidence], numbers: JointCitations) -> Grid | None:
    """The first table of a relevant section that holds words of the question beside the company's name."""
    for section in kept:
        for chunk in workspace.store.chunks_of(section.source):
            is_within = section.start <= chunk.start and chunk.end <= section.end
            if not is_within or chunk.kind != "table":
                continue
            if len(asked & set(search_words(chunk.text))) >= _LEAST_WORDS:
                return _grid(chunk, section.source, numbers)
    return None


def _grid(chunk: Chunk, source: str, numbers: JointCitations) -> Grid | None:
    """A table as it is printed, its first rows and columns; each row cites its own line."""
    rows: list[tuple[Cell, ...]] = []
    head: tuple[str, ...] = ()
    at = chunk.start
    for line in chunk.text.splitlines(keepends=True):
        start, at = at, at + len(line)
        cells = [" ".join(cell.split()) for cell in line.strip().strip("|").split("|")][:_MOST_COLUMNS]
        is_row = line.strip().startswith("|") and any(cells) and not set(line.strip()) <= set("|-: ")
        if not is_row:
            continue
        if not head:
            head = tuple(cells)
            continue
        if len(rows) == _MOST_ROWS:
            break
        said = " ".join(line.split())
        number = numbers.number(Citation(0, source, said, chunk.page, chunk.anchors, start, start + len(line.rstrip())))
        first, *others = [*cells, *[""] * (len(head) - len(cells))][: len(head)]
        rows.append((Cell(first, (number,)), *(Cell(text) for text in others)))
    title = chunk.headings[-1] if chunk.headings else ""
    return Grid(title, head, tuple(rows)) if len(rows) >= _FEWEST_ROWS else None
