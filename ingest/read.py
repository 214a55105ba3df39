"""From a file, or from text at hand, to a :class:`~.document.Document`: the reader is chosen by content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.errors import DocumentError
from ..core.ids import content_hash
from .about.given import DocumentHints
from .about.metadata import find_metadata
from .document import Coverage, Document
from .files import read_bytes
from .formats.registry import Content, FileContent, reader_of, suffixes
from .formats.text import read_plain
from .limits import NO_LIMITS, ReadingLimits

if TYPE_CHECKING:
    from .pdf.descriptions import Describe

VERSION = "parse-26"
"""Grows when the same bytes would be read differently; stored with every document."""

NO_HINTS = DocumentHints()


def supported(path: Path) -> bool:
    """True for a file that a walk through a folder should read, by its ending.

    >>> supported(Path("10-K.PDF")), supported(Path("~$10-K.docx")), supported(Path(".DS_Store"))
    (True, False, False)
    """
    return path.suffix.lower() in suffixes() and not path.name.startswith((".", "~$"))


def read_document(
    path: Path,
    *,
    source: str,
    hints: DocumentHints = NO_HINTS,
    progress: Callable[[int, int], None] | None = None,
    limits: ReadingLimits = NO_LIMITS,
    describe: Describe | None = None,
) -> Document:
    """Read a file. ``hints`` stand above what the document says of itself.

    ``progress`` is called with pages read and their count, ``describe`` with the figures (PDF only). Raises
    DocumentError: no such file, empty, encrypted, truncated, without text, binary, or beyond the limits.
    """
    deadline = limits.deadline(path)
    data = read_bytes(path, limits)
    file = FileContent(data, path, progress=progress, deadline=deadline, describe=describe)
    reader = reader_of(file)
    content = reader.read(file)
    deadline.check()
    limits.check_text(len(content.text), path)
    document = _document(source, content, hints, reader.name)
    deadline.check()
    return replace(document, content_hash=content_hash(data))


def read_text(
    text: str | Sequence[str],
    *,
    source: str,
    hints: DocumentHints = NO_HINTS,
) -> Document:
    """Read text at hand: one string, or one string a page. The name in ``source`` counts like a file name.

    The document's text is the given text itself (pages are joined by a blank line), so that offsets hold for the
    caller; only HTML and formats with marks of their own (subtitles, JSON, messages) are rewritten. Raises
    DocumentError where there is no text.
    """
    pages = [text] if isinstance(text, str) else list(text)
    if not any(page.strip() for page in pages):
        raise DocumentError("there is no text in it", where=source)
    digest = content_hash("\f".join(pages).encode("utf-8", "surrogatepass"))
    if not isinstance(text, str):
        return replace(_document(source, read_plain(pages), hints, "pages"), content_hash=digest)
    file = FileContent(b"", Path(), given_text=text)
    reader = reader_of(file)
    return replace(_document(source, reader.read(file), hints, reader.name), content_hash=digest)


def _document(source: str, content: Content, hints: DocumentHints, reader: str) -> Document:
    _check_readable(content, source)
    coverage = Coverage(
        pages=len(content.pages),
        pages_failed=dict(content.failed),
        characters=len(content.text),
        segments=len(content.segments),
        tables=len(content.tables),
        figures=sum(segment.kind == "figure" for segment in content.segments),
        dropped=dict(content.dropped),
        reader=reader,
        notes=content.notes,
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
