"""What is printed around a figure to say what it shows: a numbered caption, a title, or the sentence above it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ...core.anchor import Box, holds_middle
from ...core.language import language_of
from ...core.patterns import PatternTable
from ...core.sequences import grouped
from ..reading.block import Block, Piece, PrintedLine
from .backend import PageLayout, PdfFile, Picture, Word
from .figures import FigureRegion, label_rows, pictures_of

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
_LONGEST = 300
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+(?=[A-Z\u4e00-\u9fff])")

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
            return line.text[:_LONGEST]
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
    for sentence in reversed(_SENTENCE_END.split(text)):
        if _CAPTIONS.any("announced", sentence):
            return sentence.strip()[:_LONGEST]
    return ""


def _own_part(region: FigureRegion, line: PrintedLine, words: Sequence[Word]) -> str:
    """The text of a line; of one in cells, the words above the figure."""
    if not line.spaced:
        return line.text
    above = (region.box[0], line.top, region.box[2], line.bottom)
    return " ".join(word.text for word in words if holds_middle(above, word.box)) or line.text


def _ends_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "。", ";", "；"))
