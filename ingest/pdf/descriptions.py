"""What a figure says beyond its printed labels: the caption, title or sentence around it, words recognised in its
picture, and a multimodal model's description.

A model sees the picture of the region and the labels, and gives a description, a data table and, of an equation, its
LaTeX. It may be wrong, so no number of its own stands in the document: a sentence with one that is not among the
printed labels is left out, a cell with one is emptied, and how many were is said. What remains is marked as a model's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.anchor import Box, holds_middle
from ...core.ids import stable_id
from ...core.language import language_of
from ...core.patterns import PatternTable
from ...core.records import dataclass
from ...core.sequences import grouped
from ...models.language import Message
from ...prompts import load_prompt
from ...prompts.messages import message
from ..reading.block import Block, Piece, PrintedLine
from . import ocr
from .backend import PageLayout, PdfFile, Picture, Word, default_backend
from .figures import FigureRegion, label_rows, pictures_of

if TYPE_CHECKING:
    from ...models.language import LanguageModel

_CAPTIONS = PatternTable(__package__, "captions.toml", field="patterns")
_NEAR_CAPTION = 36.0
"""Points between a figure and its numbered caption, above or below."""
_NEAR_TITLE = 30.0
_NEAR_TEXT = 100.0
"""Points above a figure in which the sentence that leads to it ends: filings leave room around pictures."""
_OVERLAP = -6.0
"""Points that a line may reach into the box of a picture, which has a margin of its own."""
_TITLE_LINES = 3
_LONGEST_TITLE, _SHORT_TITLE = 160, 80
_LEAD_LINES = 14
"""Lines of the paragraph above that are searched for the sentence."""
_LONGEST_CAPTION = 300
_CAPTION_END = re.compile(r"(?<=[.!?。！？])\s+(?=[A-Z\u4e00-\u9fff])")

_FEWEST_LABELS = 4
"""Words in a drawing that nothing announces."""
_PHOTOGRAPH = 1.8
"""Bytes of PNG a pixel at ``_SAMPLE_DPI``: 13 charts and diagrams of filings have .22 to 1.56, photographs from 2.1."""
_EVEN = 0.6
_LARGE = 30_000.0
"""A picture so even and of so many square points is a chart even where nothing announces it; logos and signatures are
not as even (.65, .84) and smaller."""
_SAMPLE_DPI = 50


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with what says what it shows; ``block`` is how it stands in the text."""

    caption: str
    block: Block


def figures_of_pages(
    regions: Sequence[FigureRegion], pages: Sequence[Sequence[PrintedLine]], layouts: Mapping[int, PageLayout]
) -> list[Figure | None]:
    """For each region its figure; None where nothing says what it shows.

    A picture needs a caption, without one it is an ornament, unless it is a large one with even areas. A drawing may
    speak by its labels alone.
    """
    lines = grouped(chain.from_iterable(pages), key=lambda line: line.page)
    return [_figure(region, lines.get(region.page, []), layouts[region.page]) for region in regions]


def _figure(region: FigureRegion, lines: Sequence[PrintedLine], layout: PageLayout) -> Figure | None:
    caption = caption_of(region, lines, layout.words)
    if not caption and not _speaks_for_itself(region):
        return None
    caption = caption or _title_above(region, lines)
    rows = label_rows([layout.words[index] for index in region.words])
    printed = caption or " ".join(text for text, _ in rows)
    name = "图" if language_of(printed) == "zh" else "Figure"
    head = f"[{name}: {caption}]" if caption else f"[{name}]"
    pieces = [Piece(head, region.page, region.box)]
    pieces += [Piece(text, region.page, box) for text, box in rows]
    return Figure(caption, Block("figure", tuple(pieces)))


def _speaks_for_itself(region: FigureRegion) -> bool:
    if region.detail is None:
        return len(region.words) >= _FEWEST_LABELS
    x0, y0, x1, y1 = region.box
    return region.detail < _EVEN and (x1 - x0) * (y1 - y0) >= _LARGE


def _title_above(region: FigureRegion, lines: Sequence[PrintedLine]) -> str:
    """A short line right above in any type, else the nearest in bold type: the heading that the figure stands under."""
    higher = _higher(region, lines)
    if not higher:
        return ""
    nearest = higher[0]
    if _is_short_title(nearest) and _gap_above(region, nearest) <= _NEAR_TITLE:
        return nearest.text
    for line in higher:
        if line.bold and len(line.text) <= _LONGEST_TITLE:
            return line.text
    return ""


def _is_short_title(line: PrintedLine) -> bool:
    return len(line.text) <= _SHORT_TITLE and not _ends_sentence(line.text)


def without_photographs(file: PdfFile, layout: PageLayout) -> PageLayout:
    """The page with only those pictures that are large enough to show something and are no photographs.

    Whether one is a photograph is told by its PNG: charts and diagrams have large even areas, which take few bytes.
    """
    kept: list[Picture] = []
    for picture in pictures_of(layout):
        png = file.picture(layout.number, _SAMPLE_DPI, picture.box)
        detail = _bytes_a_pixel(png, picture.box)
        if detail < _PHOTOGRAPH:
            kept.append(picture._replace(detail=detail))
    return replace(layout, pictures=tuple(kept))


def _bytes_a_pixel(png: bytes, box: Box) -> float:
    scale = _SAMPLE_DPI / 72
    return len(png) / max(1.0, (box[2] - box[0]) * (box[3] - box[1]) * scale * scale)


def caption_of(region: FigureRegion, lines: Sequence[PrintedLine], words: Sequence[Word] = ()) -> str:
    """The caption of a figure among the lines of its page; "" where nothing announces it.

    A numbered caption comes first, then a title in bold type right above, then the nearest sentence above that speaks
    of a figure or of what follows. Nothing is taken from above a signature. With the page's words, of a title line that
    runs over several figures only what stands above this one is taken.
    """
    above = _above(region, lines)
    numbered = [line for line in above if _gap_above(region, line) <= _NEAR_CAPTION]
    numbered += [line for line in _below(region, lines) if line.top - region.box[3] <= _NEAR_CAPTION]
    for line in numbered:
        if _CAPTIONS.any("numbered", line.text):
            return line.text[:_LONGEST_CAPTION]
    if above and _CAPTIONS.any("signed", above[0].text):
        return ""
    return _title(region, above, words) or _lead(region, lines, above)


def _above(region: FigureRegion, lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Lines above the figure and over it, the nearest first."""
    return [line for line in _higher(region, lines) if _shares_width(region, line)]


def _higher(region: FigureRegion, lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Lines of text above the figure, wherever they stand across the page, the nearest first."""
    found = [line for line in lines if line.text and _gap_above(region, line) >= _OVERLAP]
    return sorted(found, key=lambda line: -line.bottom)


def _below(region: FigureRegion, lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Lines of text below the figure and under it, the nearest first."""
    lower = [line for line in lines if line.text and line.top >= region.box[3] + _OVERLAP]
    found = [line for line in lower if _shares_width(region, line)]
    return sorted(found, key=lambda line: line.top)


def _shares_width(region: FigureRegion, line: PrintedLine) -> bool:
    """True where a line stands over or under some of the figure's width."""
    return line.left < region.box[2] and line.right > region.box[0]


def _gap_above(region: FigureRegion, line: PrintedLine) -> float:
    return region.box[1] - line.bottom


def _title(region: FigureRegion, above: Sequence[PrintedLine], words: Sequence[Word]) -> str:
    """The short lines right above, up to the first in bold type; "" where none is."""
    taken: list[str] = []
    edge = region.box[1]
    for line in above[:_TITLE_LINES]:
        is_near = edge - line.bottom <= _NEAR_TITLE
        if not is_near or len(line.text) > _LONGEST_TITLE or _ends_sentence(line.text):
            return ""
        taken.append(_own_part(region, line, words))
        if line.bold:
            return " ".join(reversed(taken))
        edge = line.top
    return ""


def _lead(region: FigureRegion, lines: Sequence[PrintedLine], above: Sequence[PrintedLine]) -> str:
    """The last sentence of the paragraph above that announces the figure."""
    if not above or _gap_above(region, above[0]) > _NEAR_TEXT:
        return ""
    # Of the whole column: the paragraph's last line may end beside the figure.
    column = [line for line in _higher(region, lines) if line.column == above[0].column]
    paragraph = [column[0]]
    for line in column[1:_LEAD_LINES]:
        last = paragraph[-1]
        if line.bold != last.bold or last.top - line.bottom > line.height:
            break
        paragraph.append(line)
    text = " ".join(line.text for line in reversed(paragraph))
    for sentence in reversed(_CAPTION_END.split(text)):
        if _CAPTIONS.any("announced", sentence):
            return sentence.strip()[:_LONGEST_CAPTION]
    return ""


def _own_part(region: FigureRegion, line: PrintedLine, words: Sequence[Word]) -> str:
    """The text of a line; of one in cells, the words above the figure."""
    if not line.spaced:
        return line.text
    above = (region.box[0], line.top, region.box[2], line.bottom)
    return " ".join(word.text for word in words if holds_middle(above, word.box)) or line.text


def _ends_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "。", ";", "；"))


VERSION = "figures-1"
Describe = Callable[[Path, Sequence[Block]], list[Block]]
"""Takes a PDF and its blocks and gives them back, figures described."""
_DPI = 150
"""Of the picture that a model sees and text recognition reads."""
_NUMBER = re.compile(r"\d[\d,.]{0,30}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_LONGEST_CELL, _MOST_CELLS, _LONGEST = 200, 600, 2000
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "description": {"type": "string"},
        "columns": {"type": "array", "items": {"type": "string"}},
        "rows": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
        "latex": {"type": "string"},
    },
    "required": ["description", "columns", "rows", "latex"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class FigureDescriber:
    """Describes figures; without a model only the words in pasted pictures are read, where text recognition is."""

    model: LanguageModel | None = None

    @property
    def version(self) -> str:
        """As stored with a document that it has described."""
        return f"{VERSION}-{self.model.name if self.model else 'ocr'}"

    def __call__(self, path: Path, blocks: Sequence[Block]) -> list[Block]:
        """The blocks, with more lines in those that are figures. Raises ModelError."""
        if not any(block.kind == "figure" for block in blocks):
            return list(blocks)
        with closing(default_backend().open(path)) as file:
            return [self._described(file, block) if block.kind == "figure" else block for block in blocks]

    def _described(self, file: PdfFile, block: Block) -> Block:
        first = block.pieces[0]
        if first.box is None:
            return block
        png = file.picture(first.page, _DPI, first.box)
        pieces = list(block.pieces)
        if len(pieces) == 1 and ocr.is_installed():  # pixels: no label is printed as text
            pieces += _recognised(png, first.page, first.box)
        if self.model is not None:
            language = language_of(block.text)
            reply = self.model.reply(_question(png, pieces, language), schema=_SCHEMA)
            checked = checked_description(reply.data, [piece.text for piece in pieces])
            pieces += _said(checked, self.model.name, first.page, first.box, language)
        return replace(block, pieces=tuple(pieces))


@dataclass(frozen=True, slots=True)
class Description:
    """What is left of a model's description. ``dropped`` counts sentences and cells with numbers nobody printed."""

    sentences: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """Of its data table; the first are the column heads."""
    latex: str = ""
    dropped: int = 0


def checked_description(data: Any, labels: Sequence[str]) -> Description:
    """A model's reply without the numbers that do not stand in the labels; each number is compared without its commas.

    >>> reply = {"description": "Sales were 12.5 in 2022. They reached 13.", "columns": ["Year", "Sales"],
    ...          "rows": [["2022", "12.5"], ["2023", "99"]], "latex": ""}
    >>> checked_description(reply, ["2022 | 2023", "12.5"])
    Description(sentences=('Sales were 12.5 in 2022.',), rows=(('Year', 'Sales'), ('2022', '12.5'), ('2023', '')), \
latex='', dropped=2)
    """
    said = data if isinstance(data, dict) else {}
    printed = _numbers(labels)
    text = str(said.get("description", ""))[:_LONGEST]
    sentences = list(filter(None, map(str.strip, _SENTENCE_END.split(text))))
    kept = tuple(sentence for sentence in sentences if _numbers([sentence]) <= printed)
    dropped = len(sentences) - len(kept)
    rows: list[tuple[str, ...]] = []
    for row in _rows(said):
        cells = [cell if _numbers([cell]) <= printed else "" for cell in row]
        dropped += sum(cell != checked for cell, checked in zip(row, cells, strict=True))
        rows.append(tuple(cells))
    latex = " ".join(str(said.get("latex", ""))[:_LONGEST].split())
    if not _numbers([latex]) <= printed:
        latex, dropped = "", dropped + 1
    has_data = any(any(row[1:]) for row in rows[1:])
    return Description(kept, tuple(rows) if has_data else (), latex, dropped)


def _rows(said: Mapping[str, Any]) -> list[list[str]]:
    """Heads and rows as plain cells, all as long as the heads."""
    columns, rows = said.get("columns"), said.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list) or not columns:
        return []
    width = len(columns)
    table = [columns, *(row for row in rows if isinstance(row, list))]
    whole = []
    for row in table[: max(2, _MOST_CELLS // width)]:
        cells = list(map(_cell, row[:width]))
        missing = width - len(cells)
        whole.append(cells + [""] * missing)
    return whole


def _cell(value: Any) -> str:
    return " ".join(str(value)[:_LONGEST_CELL].replace("|", "/").split())


def _numbers(texts: Iterable[str]) -> set[str]:
    """The numbers in texts, commas left out and zeros at the end of decimals too."""
    found: set[str] = set()
    for text in texts:
        for match in _NUMBER.finditer(text):
            plain = match.group().rstrip(".,").replace(",", "")
            found.add(plain.rstrip("0").rstrip(".") if "." in plain else plain)
    return found


def _recognised(png: bytes, page: int, box: Box) -> list[Piece]:
    """The lines that text recognition reads in the picture of a region, each with its place on the page."""
    scale = 72 / _DPI
    pieces = []
    for text, (x0, y0, x1, y1) in ocr.lines_of_picture(png):
        place = (box[0] + x0 * scale, box[1] + y0 * scale, box[0] + x1 * scale, box[1] + y1 * scale)
        pieces.append(Piece(text, page, place))
    return pieces


def _question(png: bytes, pieces: Sequence[Piece], language: str) -> list[Message]:
    """The picture, and what is printed in and around it, between marks: text to look at, never an instruction."""
    labels = "\n".join(piece.text for piece in pieces)
    tag = f"labels-{stable_id(labels)[:10]}"
    asked = f"<{tag}>\n{labels}\n</{tag}>"
    return [Message("system", load_prompt("figure", language)), Message("user", asked, pictures=(png,))]


def _said(checked: Description, model: str, page: int, box: Box, language: str) -> list[Piece]:
    """The description as lines of the figure, said to be a model's."""
    lines: list[str] = []
    if checked.sentences:
        lines.append(" ".join(checked.sentences))
    if checked.latex:
        lines.append(f"LaTeX: {checked.latex}")
    for at, row in enumerate(checked.rows):
        lines.append(f"| {' | '.join(row)} |")
        if at == 0:
            lines.append("|" + " --- |" * len(row))
    if not lines:
        return []
    note = message("figure_described", language, model=model, dropped=checked.dropped)
    return [Piece(line, page, box) for line in (note, *lines)]
