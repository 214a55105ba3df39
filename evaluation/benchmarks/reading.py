"""Reading: CPU a page of real filings, and the peak memory of adding a filing of 250 pages."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ...ingest.pdf.pymupdf_backend import PyMuPdfBackend
from ...ingest.read import read_document
from ..benchmark import Report, Row

MINUTES = 1
FOLDER = "financebench"
PAGES = 250
# The child reports its own peak: the parent's memory is none of it.
ADD = """
import resource, sys
from cliquerag import Workspace
with Workspace(sys.argv[2]) as workspace:
    workspace.add(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def run(folder: Path) -> Report:
    """Every PDF under ``folder/pdfs_*``; words alone, then the whole reader with cleaning and tables."""
    files = sorted(folder.glob("pdfs_*/*.pdf"))
    pages, words = _words(files)
    begin = time.process_time()
    for path in files:
        read_document(path, source=path.name)
    whole = time.process_time() - begin
    rows = (
        Row("words with boxes", "ms CPU a page", 1000 * words / pages, n=pages),
        Row("document (cleaning, headings, tables)", "ms CPU a page", 1000 * whole / pages, n=pages),
        Row(f"add of {PAGES} pages", "peak MB", _peak_memory(files)),
    )
    return Report("reading", rows, notes=(f"{len(files)} filings; load {os.getloadavg()[0]:.1f}.",))


def _words(files: list[Path]) -> tuple[int, float]:
    pages, begin = 0, time.process_time()
    for path in files:
        pdf = PyMuPdfBackend().open(path)
        for number in range(1, pdf.page_count + 1):
            pdf.page(number)
        pages += pdf.page_count
        pdf.close()
    return pages, time.process_time() - begin


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
