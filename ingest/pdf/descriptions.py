"""What a figure says beyond its printed labels: words recognised in its picture, and a multimodal model's description.

A model sees the picture of the region and the labels, and gives a description, a data table and, of an equation, its
LaTeX. It may be wrong, so no number of its own stands in the document: a sentence with one that is not among the
printed labels is left out, a cell with one is emptied, and how many were is said. What remains is marked as a model's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.anchor import Box
from ...core.ids import stable_id
from ...core.language import language_of
from ...models.language import Message
from ...prompts import load_prompt
from ...prompts.messages import message
from ..reading.block import Block, Piece
from . import ocr
from .backend import PdfFile, default_backend

if TYPE_CHECKING:
    from ...models.language import LanguageModel

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
