"""Reading: CPU a page of real filings, read alone and added, the numbers that come through whole, memory of an add.

A number is whole where the text has it, separators and decimals included, as often as the pages print it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.pdf.pymupdf_backend import PyMuPdfBackend
from cliquerag.ingest.read import read_document

MINUTES = 1
FOLDER = "financebench"
PAGES = 250
NUMBER = re.compile(r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+\.\d+(?![\d.]))")
# The child reports its own peak: the parent's memory is none of it.
ADD = """
import resource, sys
from cliquerag import Workspace
with Workspace(sys.argv[2]) as workspace:
    workspace.add(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
ADD_ALL = """
import sys, time
from cliquerag import Workspace
with Workspace(sys.argv[1], embedder="none") as workspace:
    for path in sys.argv[2:]:
        begin = time.process_time()
        workspace.add(path)
        print(time.process_time() - begin)
"""


def run(folder: Path) -> Report:
    """Every PDF under ``folder/pdfs_*``; words alone, then the whole reader with cleaning and tables."""
    files = sorted(folder.glob("pdfs_*/*.pdf"))
    pages, words, printed = _words(files)
    begin = time.process_time()
    texts = [read_document(path, source=path.name).text for path in files]
    whole = time.process_time() - begin
    kept = sum((found & Counter(NUMBER.findall(text))).total() for found, text in zip(printed, texts, strict=True))
    numbers = sum(found.total() for found in printed)
    rows = (
        Row("words with boxes", "ms CPU a page", 1000 * words / pages, n=pages),
        Row("document (cleaning, headings, tables)", "ms CPU a page", 1000 * whole / pages, n=pages),
        *_adding(files),
        Row("numbers with separators or decimals", "share that is whole", kept / max(1, numbers), n=numbers),
        Row(f"add of {PAGES} pages", "peak MB", _peak_memory(files)),
    )
    return Report("reading", rows, notes=(f"{len(files)} filings; load {os.getloadavg()[0]:.1f}.",))


def _words(files: list[Path]) -> tuple[int, float, list[Counter[str]]]:
    """Pages, CPU seconds and the printed numbers of each file."""
    pages, spent, printed = 0, 0.0, []
    for path in files:
        begin = time.process_time()
        pdf = PyMuPdfBackend().open(path)
        layouts = [pdf.page(number) for number in range(1, pdf.page_count + 1)]
        pdf.close()
        spent += time.process_time() - begin
        pages += len(layouts)
        printed.append(Counter(n for layout in layouts for word in layout.words for n in NUMBER.findall(word.text)))
    return pages, spent, printed


def _adding(files: list[Path]) -> Iterator[Row]:
    """Every filing into one workspace, the encoder left out; the first one too, for which patterns are compiled."""
    import pymupdf

    pages: list[int] = []
    for path in files:
        with pymupdf.open(path) as pdf:
            pages.append(len(pdf))
    with tempfile.TemporaryDirectory() as scratch:
        command = (sys.executable, "-c", ADD_ALL, f"sqlite:///{scratch}/w.db", *map(str, files))
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    first, *others = map(float, told)
    yield Row("add without the encoder", "ms CPU a page", 1000 * sum(others) / sum(pages[1:]), n=sum(pages[1:]))
    yield Row("add without the encoder", "ms CPU a page, the first filing", 1000 * first / pages[0], n=pages[0])


def _peak_memory(files: list[Path]) -> float:
    import pymupdf

    with tempfile.TemporaryDirectory() as scratch, pymupdf.open() as whole:
        for path in files:
            with pymupdf.open(path) as part:
                whole.insert_pdf(part, to_page=min(len(part), PAGES - len(whole)) - 1)
            if len(whole) >= PAGES:
                break
        target = Path(scratch) / "filing.pdf"
        whole.save(target)
        command = (sys.executable, "-c", ADD, str(target), f"sqlite:///{scratch}/w.db")
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])
