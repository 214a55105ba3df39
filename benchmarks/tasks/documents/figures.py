"""Figures as units: are the charts and diagrams of filings found, in the right place, with what says what they show?

Labelled by eye on drawn pages (``figures.jsonl``): every figure of the 13 filings of FinanceBench's dev half, 60 pages
of an annual report that draws its charts, and three reports that nothing was tuned on. A figure is found where its box
and a found one share half of their union; its caption is right where one of the printed texts that may name it is part
of the found one, or where nothing printed does. Logos, signatures, photographs and tables are none.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.core.anchor import Box
from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.pdf.backend import PdfBackend
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend
from cliquerag.ingest.pdf.reader import read_pdf
from cliquerag.ingest.reading.block import Block

MINUTES = 2
FOLDER = "."
"""Of several data sets: their paths are in the labels."""
LABELS = Path(__file__).with_name("figures.jsonl")
_SAME_PLACE = 0.5
"""Intersection over union."""


def run(folder: Path, backend: PdfBackend | None = None) -> Report:
    """Read the labelled files below ``folder``; PyMuPDF unless another library is given."""
    labelled = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    there = [file for file in labelled if (folder / file["file"]).is_file()]
    if not there:
        raise UsageError("none of the labelled PDFs", where=str(folder))
    marks: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
    extra: defaultdict[str, int] = defaultdict(int)
    began = time.process_time()
    for file in there:
        first, last = file["pages"]
        blocks = read_pdf(folder / file["file"], backend or PyMuPdfBackend()).blocks
        found = [block for block in blocks if block.kind == "figure" and first <= block.pieces[0].page <= last]
        for figure in file["figures"]:
            marks[file["part"]].append(_marks(figure, found))
        extra[file["part"]] += sum(not any(_is_at(figure, block) for figure in file["figures"]) for block in found)
    rows = [row for part, found in marks.items() for row in _rows(part, found, extra[part])]
    spent = f"{time.process_time() - began:.1f} s CPU to read them whole"
    return Report("figures", tuple(rows), notes=(f"{len(there)} of {len(labelled)} files", spent))


def _rows(part: str, marks: Sequence[tuple[float, float, float]], extra: int) -> list[Row]:
    found, captions, overlaps = zip(*marks, strict=True)
    right = sum(found)
    return [
        Row(part, "recall", right / len(found), n=len(found)),
        Row(part, "precision", right / max(1, right + extra), n=int(right) + extra),
        Row(part, "captions right, of those found", sum(captions) / max(1, right), n=int(right)),
        Row(part, "overlap of boxes, of those found", sum(overlaps) / max(1, right), n=int(right)),
    ]


def _marks(figure: Mapping[str, Any], found: Sequence[Block]) -> tuple[float, float, float]:
    """Whether it was found, whether its caption is right, and how much the boxes overlap."""
    for block in found:
        if not _is_at(figure, block):
            continue
        caption = block.pieces[0].text.lower()
        names = [name.lower() for name in figure["captions"]]
        is_right = not names or any(name in caption for name in names)
        return 1.0, float(is_right), overlap(tuple(figure["box"]), block.pieces[0].box or (0, 0, 0, 0))
    return 0.0, 0.0, 0.0


def _is_at(figure: Mapping[str, Any], block: Block) -> bool:
    first = block.pieces[0]
    if first.box is None or first.page != figure["page"]:
        return False
    return overlap(tuple(figure["box"]), first.box) >= _SAME_PLACE


def overlap(one: Box, other: Box) -> float:
    """Intersection over union of two boxes.

    >>> overlap((0, 0, 2, 1), (1, 0, 3, 1))
    0.3333333333333333
    """
    across = max(0.0, min(one[2], other[2]) - max(one[0], other[0]))
    down = max(0.0, min(one[3], other[3]) - max(one[1], other[1]))
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - across * down
    return across * down / union if union else 0.0
