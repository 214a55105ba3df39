"""Tables of the ICDAR 2013 competition: are neighbouring cells read as neighbours?

Measure: adjacency relations (Goebel et al. 2012). For every cell the next filled cell to the right and below, as
(text, text, direction) without white space and case, compared over all tables of a document, so that missed and false
tables count. The figures are means over documents.
"""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Table
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend
from cliquerag.ingest.tables.finder import find_tables

from ...ours import OURS

MINUTES = 1
Grid = Mapping[tuple[int, int], tuple[int, str]]
"""(row, column) -> (which cell covers it, its text)."""
Relations = Counter[tuple[str, str, str]]
Score = tuple[float, float, float]
"""Precision, recall, F1 of one document."""


def run(folder: Path) -> Report:
    """Read every PDF that has a structure file beside it."""
    files = [path for path in sorted(folder.rglob("*.pdf")) if _gold_file(path).is_file()]
    if not files:
        raise UsageError("no PDFs with structure files", where=str(folder))
    gold = [gold_relations(_gold_file(path)) for path in files]
    scores: dict[str, list[Score]] = {}
    notes = [f"{len(files)} documents"]
    for name, reader in _systems().items():
        began = time.process_time()
        found = [reader(path) for path in files]
        notes.append(f"{name}: {time.process_time() - began:.1f} s CPU")
        scores[name] = [_score(right, read) for right, read in zip(gold, found, strict=True)]
    return Report("icdar2013_tables", tuple(_rows(scores)), tuple(notes))


def gold_relations(path: Path) -> Relations:
    """The relations of all tables in a structure file."""
    relations: Relations = Counter()
    for region in ET.parse(path).getroot().iter("region"):
        grid: dict[tuple[int, int], tuple[int, str]] = {}
        for number, cell in enumerate(region.iter("cell")):
            row, column = int(cell.attrib["start-row"]), int(cell.attrib["start-col"])
            last_row, last_column = int(cell.get("end-row") or row), int(cell.get("end-col") or column)
            value = (number, _plain(cell.findtext("content")))
            grid.update({(r, c): value for r in range(row, last_row + 1) for c in range(column, last_column + 1)})
        relations += grid_relations(grid)
    return relations


def table_relations(table: Table) -> Relations:
    """The relations of a table that was read."""
    width = len(table.rows[0]) if table.rows else 0
    grid = {(r, c): (r * width + c, _plain(text)) for r, row in enumerate(table.rows) for c, text in enumerate(row)}
    for row, column, last_row, last_column in table.spans:
        value = grid[row, column]
        grid.update({(r, c): value for r in range(row, last_row + 1) for c in range(column, last_column + 1)})
    return grid_relations(grid)


def grid_relations(grid: Grid) -> Relations:
    """Each filled cell with the next filled cell to its right and below."""
    relations: Relations = Counter()
    seen = set()
    size = (max((r for r, _ in grid), default=0), max((c for _, c in grid), default=0))
    for place, (cell, text) in grid.items():
        for step in ((0, 1), (1, 0)) if text else ():
            following = _next(grid, size, place, step, cell)
            if following is not None and (cell, following[0], step) not in seen:
                seen.add((cell, following[0], step))
                relations[text, following[1], "right" if step[1] else "below"] += 1
    return relations


def _next(
    grid: Grid, size: tuple[int, int], place: tuple[int, int], step: tuple[int, int], cell: int
) -> tuple[int, str] | None:
    row, column = place[0] + step[0], place[1] + step[1]
    while row <= size[0] and column <= size[1]:
        other = grid.get((row, column))
        if other and other[0] != cell and other[1]:
            return other
        row, column = row + step[0], column + step[1]
    return None


def _rows(scores: Mapping[str, Sequence[Score]]) -> Iterator[Row]:
    """Means of each system, then ours against the best of the others."""
    for place, metric in enumerate(("precision", "recall", "F1")):
        values = {system: [score[place] for score in found] for system, found in scores.items()}
        for system, one in values.items():
            yield Row.mean(system, metric, one)
        best = max((values[system] for system in values if system != OURS), key=sum)
        yield Row.difference(OURS, metric, values[OURS], best, "best baseline")


def _score(gold: Relations, found: Relations) -> Score:
    right = sum((gold & found).values())
    precision = right / found.total() if found else 0.0
    recall = right / gold.total() if gold else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if right else 0.0


def _systems() -> dict[str, Callable[[Path], Relations]]:
    """Ours, PyMuPDF's own finder, and pdfplumber where it is installed."""
    systems: dict[str, Callable[[Path], Relations]] = {OURS: _ours, "PyMuPDF find_tables": _pymupdf}
    try:
        import pdfplumber  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        return systems
    return {**systems, "pdfplumber": _pdfplumber}


def _ours(path: Path) -> Relations:
    file = PyMuPdfBackend().open(path)
    try:
        found = find_tables([file.page(number + 1) for number in range(file.page_count)])
    finally:
        file.close()
    return sum((table_relations(one.table) for one in found), Counter())


def _pymupdf(path: Path) -> Relations:
    import pymupdf

    with pymupdf.open(path) as document, redirect_stdout(StringIO()):  # it advertises there
        tables = [table.extract() for page in document for table in page.find_tables().tables]
    return sum((_of_rows(rows) for rows in tables), Counter())


def _pdfplumber(path: Path) -> Relations:
    import pdfplumber

    relations: Relations = Counter()
    with pdfplumber.open(path) as document:
        for page in document.pages:
            for rows in page.extract_tables():
                relations += _of_rows(rows)
    return relations


def _of_rows(rows: Sequence[Sequence[str | None]]) -> Relations:
    return table_relations(Table(tuple(tuple(cell or "" for cell in row) for row in rows)))


def _gold_file(path: Path) -> Path:
    return path.with_name(f"{path.stem}-str.xml")


def _plain(text: str | None) -> str:
    return re.sub(r"[\s\u00a0\u00ad]+", "", text or "").lower()
