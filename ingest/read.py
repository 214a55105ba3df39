"""From a file, or from text at hand, to a :class:`~.document.Document`: the reader is chosen by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..core.errors import DocumentError
from ..core.ids import content_hash
from .about.given import DocumentHints
from .about.metadata import find_metadata
from .document import Coverage, Document
from .formats.content import Content, Evidence
from .formats.encoding import decode
from .formats.html import is_html, read_html
from .formats.markdown import is_markdown, read_markdown
from .formats.text import read_plain
from .formats.transcript import is_transcript, read_transcript
from .reading.assemble import assemble, page_ranges

VERSION = "parse-5"
"""Grows when the same bytes would be read differently; stored with every document."""

SUFFIXES = frozenset((".pdf", ".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml"))
"""Endings by which files are picked from a folder; a file named by itself is read whatever its ending."""

NO_HINTS = DocumentHints()


def supported(path: Path) -> bool:
    """True for a file that a walk through a folder should read, by its ending.

    >>> supported(Path("10-K.PDF")), supported(Path("~$10-K.docx")), supported(Path(".DS_Store"))
    (True, False, False)
    """
    return path.suffix.lower() in SUFFIXES and not path.name.startswith((".", "~$"))


def read_document(
    path: Path,
    *,
    source: str,
    hints: DocumentHints = NO_HINTS,
    progress: Callable[[int, int], None] | None = None,
) -> Document:
    """Read a file. ``hints`` stand above what the document says of itself.

    ``progress`` is called with pages read and their count (PDF only). Raises DocumentError: no such file, empty,
    encrypted, truncated, without text, binary.
    """
    data = read_bytes(path)
    if _is_pdf(data, path):
        return _pdf_document(path, data, source, hints, progress)
    text = decode(data, where=str(path))
    return replace(_text_document(text, source, hints, path.suffix.lower()), content_hash=content_hash(data))


def read_text(
    text: str | Sequence[str],
    *,
    source: str,
    hints: DocumentHints = NO_HINTS,
) -> Document:
    """Read text at hand: one string, or one string a page. The name in ``source`` counts like a file name.

    The document's text is the given text itself (pages are joined by a blank line), so that offsets hold for the
    caller; only HTML is rewritten. Raises DocumentError where there is no text.
    """
    pages = [text] if isinstance(text, str) else list(text)
    if not any(page.strip() for page in pages):
        raise DocumentError("there is no text in it", where=source)
    digest = content_hash("\f".join(pages).encode("utf-8", "surrogatepass"))
    if isinstance(text, str):
        document = _text_document(text, source, hints, "")
    else:
        content = read_plain(pages)
        document = _document(source, content, hints)
    return replace(document, content_hash=digest)


def read_bytes(path: Path) -> bytes:
    """All of a file. Raises DocumentError: no such file, empty, unreadable, endless, of a name that cannot be kept."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise DocumentError("its name is not in UTF-8", where=ascii(str(path)), hint="Rename the file") from None
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise DocumentError("not a regular file, but a pipe or a device", where=str(path))
        data = path.read_bytes()
    except FileNotFoundError:
        raise DocumentError("no such file", where=str(path)) from None
    except IsADirectoryError:
        raise DocumentError("a folder, not a file", where=str(path)) from None
    except OSError as error:
        raise DocumentError(f"cannot be read ({error.strerror})", where=str(path)) from error
    if not data.strip(b"\0 \t\r\n"):
        raise DocumentError("the file is empty", where=str(path), hint="Get a fresh copy of the file")
    return data


def _is_pdf(data: bytes, path: Path) -> bool:
    return b"%PDF-" in data[:1024] or path.suffix.lower() == ".pdf"


def _text_document(text: str, source: str, hints: DocumentHints, suffix: str) -> Document:
    if is_html(text) or suffix in (".html", ".htm", ".xhtml"):
        return _document(source, read_html(text), hints)
    for page_break in ("\f", "<PAGE>"):  # the second in EDGAR's text filings
        pages = text.split(page_break)
        while len(pages) > 1 and not pages[-1].strip():  # a break may end the last page, too
            pages.pop()
        if len(pages) > 1:
            return _document(source, read_plain(pages, page_break), hints)
    if is_transcript(text):
        return _document(source, read_transcript(text), hints)
    if suffix in (".md", ".markdown") or is_markdown(text):
        return _document(source, read_markdown(text), hints)
    return _document(source, read_plain(text), hints)


def _pdf_document(
    path: Path, data: bytes, source: str, hints: DocumentHints, progress: Callable[[int, int], None] | None
) -> Document:
    from .pdf.reader import read_pdf

    content = read_pdf(path, progress=progress)
    laid = assemble(content.blocks)
    pages = page_ranges(laid.lines, content.page_count, len(laid.text), content.sizes)
    evidence = Evidence(info=content.info, running=content.running, large=content.large)
    text = Content(laid.text, laid.segments, pages, laid.lines, laid.tables, content.dropped, content.failed, evidence)
    return replace(_document(source, text, hints), content_hash=content_hash(data))


def _document(source: str, content: Content, hints: DocumentHints) -> Document:
    _check_readable(content, source)
    coverage = Coverage(
        pages=len(content.pages),
        pages_failed=dict(content.failed),
        characters=len(content.text),
        segments=len(content.segments),
        tables=len(content.tables),
        dropped=dict(content.dropped),
    )
    metadata = find_metadata(content.text, content.segments, source, hints, content.evidence)
    return Document(
        source=source,
        text=content.text,
        segments=content.segments,
        metadata=metadata,
        pages=content.pages,
        lines=content.lines,
        tables=content.tables,
        coverage=coverage,
        tagged=content.tagged,
    )


def _check_readable(content: Content, source: str) -> None:
    """Raises DocumentError where nothing would be found of the document."""
    text = content.text
    if not text.strip():
        raise DocumentError("there is no text in it", where=source)
    if not any(map(str.isalnum, text)):
        raise DocumentError("nothing could be read: it has marks only, no words or numbers", where=source)
    if not content.segments:
        raise DocumentError(
            "nothing could be read: all its lines are running headers, page numbers or symbols", where=source
        )
