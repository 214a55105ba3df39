"""An answer as it is laid out: lines of text with links to what they cite, calculations with their cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..core.records import dataclass
from ..retrieval.search.evidence import Answer, Citation
from .sheets import Place

if TYPE_CHECKING:
    from ..core.fact import Fact
    from .sheets import SheetReader

_TOKEN = re.compile(r"\[(?P<number>\d{1,4})\]|(?<![A-Za-z\d])(?P<figure>\d[\d.,]{0,30}\d)(?![A-Za-z])")
"""A citation, or a figure of two digits and more that is no part of a name such as BNT162b2."""
_FEWEST_DIGITS = 3
_BULLETS = re.compile(r"[\ue000-\uf8ff]")
"""Signs of fonts of symbols, in which bullets are printed: no other font has them."""
_YEAR = re.compile(r"(?:19|20)\d\d")


class Piece(NamedTuple):
    """A run of an answer's text; ``number`` is the citation that it leads to, 0 for none."""

    text: str
    number: int = 0
    is_figure: bool = False


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer; ``formula`` for one that calculates."""

    pieces: tuple[Piece, ...]
    formula: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A citation that is a figure of a table."""

    citation: Citation
    fact: Fact


def answer_lines(answer: Answer) -> list[AnswerLine]:
    """The lines of an answer. A figure leads to the citation of its line that prints it."""
    by_number = {citation.number: citation for citation in answer.citations}
    searches = [part["trace"] for part in answer.trace.get("parts", ())] or [answer.trace]
    routes = [search.get("numbers", {}).get("route") for search in searches]
    calculates = any(route in ("calculation", "mixed", "look-up") for route in routes)
    lines = []
    for line in _BULLETS.sub("•", answer.text).split("\n"):
        if line.strip():
            is_formula = calculates and line.count(" = ") >= 2
            lines.append(AnswerLine(tuple(_pieces(line, by_number)), is_formula))
    return lines


def _pieces(line: str, by_number: dict[int, Citation]) -> Iterator[Piece]:
    cited = [by_number[n] for n in map(int, re.findall(r"\[(\d{1,4})\]", line)) if n in by_number]
    at = 0
    for match in _TOKEN.finditer(line):
        number = _cited_by(match, by_number, cited)
        if number:
            if match.start() > at:
                yield Piece(line[at : match.start()])
            yield Piece(match["figure"] or str(number), number, bool(match["figure"]))
            at = match.end()
    if at < len(line):
        yield Piece(line[at:])


def _cited_by(match: re.Match[str], by_number: dict[int, Citation], cited: Sequence[Citation]) -> int:
    """The citation that a token leads to; 0 for none."""
    if match["number"]:
        number = int(match["number"])
        return number if number in by_number else 0
    figure = match["figure"]
    is_day_or_year = figure.isdigit() and (len(figure) < _FEWEST_DIGITS or _YEAR.fullmatch(figure))
    if is_day_or_year:
        return 0
    return next((citation.number for citation in cited if figure in citation.text), 0)


def cells_of(answer: Answer, reader: SheetReader) -> list[Cell]:
    """The figures that a calculation was made from."""
    cells = []
    for citation in answer.citations:
        fact = reader.fact_at(citation.source, citation.start, citation.end)
        if fact and fact.table is not None:
            cells.append(Cell(citation, fact))
    return cells


def place_of(item: Citation) -> Place:
    """Where a citation leads."""
    return Place(item.source, item.page, item.start, item.end)


def as_line(text: str) -> str:
    """A statement to be read in a line: of a row of a table its cells, of a list no bullet.

    >>> as_line("| Paxlovid | COVID-19 | 76 | — |"), as_line("• Bavencio is sold.")
    ('Paxlovid · COVID-19 · 76 · —', 'Bavencio is sold.')
    """
    text = " ".join(text.split())
    if text.startswith("|") and text.endswith("|"):
        return " · ".join(cell.strip() for cell in text.strip("|").split("|") if cell.strip())
    return text.lstrip("•*· ")


def without_markers(text: str) -> str:
    """The text of an answer without its [n].

    >>> without_markers("Revenue rose [1][2].")
    'Revenue rose.'
    """
    return re.sub(r" ?(?:\[\d{1,4}\])+", "", text)
