"""PDF files as documents: see :mod:`..pdf.reader` for how pages are read."""

from __future__ import annotations

from ..reading.assemble import assemble, page_ranges
from .registry import Content, Evidence, FileContent, Reader

_HEADER_WITHIN = 1024
"""Bytes in which the PDF standard lets the header stand."""
_ARCHIVE = b"PK\x03\x04"


def _is_pdf(file: FileContent) -> bool:
    if file.given_text is not None:
        return False
    if file.suffix == ".pdf":
        return True
    return b"%PDF-" in file.data[:_HEADER_WITHIN] and not file.data.startswith(_ARCHIVE)


def _read_pdf(file: FileContent) -> Content:
    from ..pdf.reader import read_pdf

    with file.on_disk() as path:
        read = read_pdf(path, progress=file.progress, deadline=file.deadline)
        blocks = file.describe(path, read.blocks) if file.describe else read.blocks
    laid = assemble(blocks)
    pages = page_ranges(laid.lines, read.page_count, len(laid.text), read.sizes)
    evidence = Evidence(info=read.info, running=read.running, large=read.large)
    return Content(
        text=laid.text,
        segments=laid.segments,
        pages=pages,
        lines=laid.lines,
        tables=laid.tables,
        dropped=read.dropped,
        failed=read.failed,
        evidence=evidence,
        notes=read.notes,
    )


PDF = Reader("PDF", (".pdf",), _is_pdf, _read_pdf, rank=10)
