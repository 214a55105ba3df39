"""Text recognition: how much of pages that are pictures comes back, and what it costs.

Pages of real filings are drawn as pictures and read again: their own words are the truth. Words of both are put in
lines from top to bottom; the share of characters is 1 - edit distance / length, without white space.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.limits import NO_DEADLINE
from cliquerag.ingest.pdf import ocr
from cliquerag.ingest.pdf.backend import Word
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend

MINUTES = 10
FOLDER = "."
"""Of several data sets."""
RESOLUTIONS = (150, 200)
FILINGS = {"English": "financebench/pdfs_dev/*.pdf", "Chinese": "zh_annual_reports/*.pdf"}
PAGES = 8
"""Of each language."""
NUMBER = re.compile(r"(?<!\d)(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,40}\.\d+)")


def run(folder: Path) -> Report:
    """Pages spread over the filings below ``folder``."""
    rows: list[Row] = []
    pages = {language: _pages(folder, pattern) for language, pattern in FILINGS.items()}
    for dpi in RESOLUTIONS:
        for language, places in pages.items():
            rows += _measured(language, dpi, places)
    return Report("ocr", tuple(rows), notes=(f"{ocr.processors()} processors; certainty from {ocr.LEAST_CERTAIN}",))


def _pages(folder: Path, pattern: str) -> list[tuple[Path, int]]:
    """Pages with many words, as (file, page), evenly from the files."""
    files = sorted(folder.glob(pattern))
    each = -(-PAGES // max(1, len(files)))
    found: list[tuple[Path, int]] = []
    for path in files[:PAGES]:
        pdf = PyMuPdfBackend().open(path)
        step = max(1, pdf.page_count // (each + 1))
        found += [(path, number) for number in range(step, pdf.page_count, step)[:each]]
        pdf.close()
    return found[:PAGES]


def _measured(language: str, dpi: int, places: Sequence[tuple[Path, int]]) -> list[Row]:
    shares, whole, printed, spent = [], 0, 0, 0.0
    for path, number in places:
        pdf = PyMuPdfBackend().open(path)
        truth = pdf.page(number).words
        begin = time.process_time()
        read = ocr.recognise(pdf, [number], NO_DEADLINE, dpi=dpi).words.get(number, ())
        spent += time.process_time() - begin
        pdf.close()
        said, found = in_lines(truth), in_lines(read)
        shares.append(1 - distance("".join(said.split()), "".join(found.split())) / max(1, len("".join(said.split()))))
        numbers = Counter(NUMBER.findall(said))
        printed += numbers.total()
        whole += (numbers & Counter(NUMBER.findall(found))).total()
    name = f"{language}, {dpi} dpi"
    return [
        Row(name, "share of characters", sum(shares) / len(shares), n=len(places)),
        Row(name, "share of characters, worst page", min(shares), n=len(places)),
        Row(name, "numbers whole", whole / max(1, printed), n=printed),
        Row(name, "s CPU a page", spent / len(places), n=len(places)),
    ]


def in_lines(words: Sequence[Word]) -> str:
    """The words in lines from top to bottom, each from left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box[1] + word.box[3]):
        middle = (word.box[1] + word.box[3]) / 2
        if lines and abs(middle - _middle(lines[-1])) < 0.5 * (word.box[3] - word.box[1]):
            lines[-1].append(word)
        else:
            lines.append([word])
    return "\n".join(" ".join(word.text for word in sorted(line, key=lambda word: word.box[0])) for line in lines)


def _middle(line: Sequence[Word]) -> float:
    return sum(word.box[1] + word.box[3] for word in line) / (2 * len(line))


def distance(one: str, other: str) -> int:
    """Edit distance (Levenshtein), a row of the table at a time.

    >>> distance("kitten", "sitting")
    3
    """
    codes = np.array([ord(letter) for letter in other], dtype=np.int32)
    steps = np.arange(len(other) + 1)
    row = steps.copy()
    for at, letter in enumerate(one, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (codes != ord(letter)))
        row = np.minimum.accumulate(np.concatenate(([at], best)) - steps) + steps
    return int(row[-1])
