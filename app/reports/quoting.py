"""A section of a report without a model: the answer in quotations, and a table of the sections that were read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..core.language import language_of
from ..core.scope import Scope
from ..core.words import question_words, search_words
from ..retrieval.search.evidence import Citation
from .parts import Cell, Grid, Paragraph, Section
from .wording import whole_sentences

if TYPE_CHECKING:
    from ..ingest.chunk import Chunk
    from ..retrieval.answer.multi_part import JointCitations
    from ..retrieval.search.evidence import Answer, Evidence
    from ..workspace import Workspace

_MOST_ROWS, _MOST_COLUMNS = 12, 6
_FEWEST_ROWS = 2
_MOST_SENTENCES = 10
_WITH_FIGURE = 1.0
"""Worth of a figure in a sentence, in words of the question."""
_FIGURE = re.compile(r"[$€£¥]\s?\d|\d\s?(?:%|percent|million|billion|亿|万)|\d[\d,]{3,}")
_YEAR = re.compile(r"(?:19|20)\d\d")
"""Stands in half of all sentences, and says nothing of what they are about."""
_LEAST_WORDS = 2
"""Words of the question that a table or a sentence has to hold to be shown; the title over a sentence adds its own."""


def quoted_section(
    workspace: Workspace,
    question: str,
    subject: str,
    scope: Scope | None,
    kept: Sequence[Evidence],
    numbers: JointCitations,
    words: int,
) -> Section | None:
    """What the documents of the relevant sections say, in about so many words; None where they do not answer."""
    if not kept:
        return None
    sources = tuple(dict.fromkeys(section.source for section in kept))
    given = scope or Scope()
    narrowed = Scope(given.companies, given.periods, given.kinds, given.sources or sources, given.as_of)
    answer = workspace.ask(question, scope=narrowed)
    if "not found" in answer.trace or not answer.citations:
        return None
    topic = set(question_words(question)) - set(search_words(subject))
    asked = {word for word in topic if not _YEAR.fullmatch(word)}
    paragraphs = [Paragraph(numbers.renumbered(answer))]
    more = _sentences_on(workspace, asked, kept, answer, words)
    paragraphs.extend(Paragraph(f"{one.text} [{numbers.number(one)}]") for one in more)
    grid = _table(workspace, asked, kept, numbers)
    return Section(question, tuple(paragraphs), (grid,) if grid else ())


def _sentences_on(
    workspace: Workspace, asked: set[str], kept: Sequence[Evidence], answer: Answer, words: int
) -> list[Citation]:
    """Sentences of the relevant sections that hold most of what is asked, those with figures first, ``words`` in all.

    An answer quotes what fits the question best; a report also shows what stands around it.
    """
    found: list[tuple[float, int, Citation]] = []
    said = " ".join(citation.text for citation in answer.citations)
    for place, section in enumerate(kept):
        for weight, cited in _weighed_sentences(workspace, section, asked):
            if cited.text not in said:
                found.append((-weight, place, cited))
    found.sort(key=_best_first)
    chosen: dict[str, Citation] = {}
    left = words - len(answer.text.split())
    for _, _, cited in found:
        left -= len(cited.text.split())
        if left < 0 or len(chosen) == _MOST_SENTENCES:
            break
        chosen.setdefault(cited.text, cited)
    return sorted(chosen.values(), key=_in_place)


def _weighed_sentences(workspace: Workspace, section: Evidence, asked: set[str]) -> Iterator[tuple[float, Citation]]:
    """The sentences of a section that hold words of the question, each with how much it says of it."""
    for chunk in _chunks_within(workspace, section, "text"):
        titled = asked & set(search_words(" ".join(chunk.headings[-1:])))
        for quote in whole_sentences(chunk, language_of(chunk.text)):
            shared = asked & set(search_words(quote.text))
            if shared and len(shared) + len(titled) >= _LEAST_WORDS:
                has_figure = _FIGURE.search(quote.text) is not None
                cited = Citation(0, section.source, quote.text, chunk.page, chunk.anchors, quote.start, quote.end)
                yield len(shared) + _WITH_FIGURE * has_figure, cited


def _chunks_within(workspace: Workspace, section: Evidence, kind: str) -> Iterator[Chunk]:
    """The chunks of that kind ("text", "table") of which a section consists."""
    for chunk in workspace.store.chunks_of(section.source):
        is_within = section.start <= chunk.start and chunk.end <= section.end
        if is_within and chunk.kind == kind:
            yield chunk


def _best_first(found: tuple[float, int, Citation]) -> tuple[float, int, int]:
    weight, place, cited = found
    return weight, place, cited.start


def _in_place(cited: Citation) -> tuple[str, int]:
    return cited.source, cited.start


def _table(workspace: Workspace, asked: set[str], kept: Sequence[Evidence], numbers: JointCitations) -> Grid | None:
    """The first table of a relevant section that holds words of the question beside the company's name."""
    for section in kept:
        for chunk in _chunks_within(workspace, section, "table"):
            if len(asked & set(search_words(chunk.text))) < _LEAST_WORDS:
                continue
            grid = _grid(chunk, asked, section.source, numbers)
            if grid is not None:
                return grid
    return None


def _cells_of(line: str) -> list[str]:
    """The first cells of a line of a table in Markdown; none of another line, and of the rule under its heads."""
    printed = line.strip()
    if not printed.startswith("|") or set(printed) <= set("|-: "):
        return []
    cells = printed.strip("|").split("|")
    return [" ".join(cell.split()) for cell in cells[:_MOST_COLUMNS]]


def _grid(chunk: Chunk, asked: set[str], source: str, numbers: JointCitations) -> Grid | None:
    """The rows of a table that name what is asked, its first columns; each row cites its own line."""
    rows: list[tuple[Cell, ...]] = []
    head: tuple[str, ...] = ()
    at = chunk.start
    for line in chunk.text.splitlines(keepends=True):
        start, at = at, at + len(line)
        cells = _cells_of(line)
        if not any(cells):
            continue
        if not head:
            head = tuple(cells)
            continue
        if asked.isdisjoint(search_words(cells[0])) or not any(cells[1:]):
            continue
        if len(rows) == _MOST_ROWS:
            break
        said = " ".join(line.split())
        number = numbers.number(Citation(0, source, said, chunk.page, chunk.anchors, start, start + len(line.rstrip())))
        missing = len(head) - len(cells)
        first, *others = [*cells[: len(head)], *[""] * missing]
        rows.append((Cell(first, (number,)), *(Cell(text) for text in others)))
    title = chunk.headings[-1] if chunk.headings else ""
    return Grid(title, head, tuple(rows)) if len(rows) >= _FEWEST_ROWS else None
