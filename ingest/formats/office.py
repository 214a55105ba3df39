"""What Word, Excel and PowerPoint files have in common, archives of XML parts, opened with care: nothing is written to
disk, and what would unpack to too much is refused before it does.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from ...core.errors import DocumentError
from ...core.records import dataclass
from ..document import Table
from ..reading.assemble import assemble, markdown_lines, page_ranges
from ..reading.block import Block, Piece
from .registry import Content, Evidence, FileContent, Member, Reader

MAGIC = b"PK\x03\x04"
_EMPTY_MAGIC = b"PK\x05\x06"
_MOST_FILES = 20_000
_MOST_BYTES = 1_500_000_000
"""Bytes that all parts of one archive may unpack to: ten times the largest deal folder that was seen."""
_MOST_RATIO = 200
"""How often its size a part above ``_HARMLESS`` may unpack to: text packs to a tenth, a bomb to a thousandth."""
_HARMLESS = 20_000_000
_ENCRYPTED = 0x1
BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
"""What a damaged archive raises, when it is opened or when a part is read."""


def open_archive(data: bytes, path: Path) -> zipfile.ZipFile:
    """An archive whose parts may be read: their number and sizes are within bounds.

    Sizes in its directory can be trusted: reading a part stops at the size stated. Raises DocumentError.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except BROKEN as error:
        raise _damaged(path) from error
    parts = archive.infolist()
    if len(parts) > _MOST_FILES:
        raise DocumentError(f"an archive of {len(parts):,} files; at most {_MOST_FILES:,} are read", where=str(path))
    total = sum(part.file_size for part in parts)
    swollen = next(filter(_is_swollen, parts), None)
    if total > _MOST_BYTES or swollen:
        what = f"{swollen.filename!r} in it" if swollen else "it"
        raise DocumentError(
            f"not unpacked: {what} would grow to {(swollen.file_size if swollen else total) / 1e6:,.0f} MB",
            where=str(path),
            hint="Unpack it yourself if you trust it, and add the folder",
        )
    return archive


def read_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, path: Path) -> bytes:
    """The bytes of a part. Raises DocumentError: encrypted or damaged."""
    if part.flag_bits & _ENCRYPTED:
        raise DocumentError(
            "encrypted: it takes a password", where=f"{path}/{part.filename}", hint="Unpack it and add the folder"
        )
    try:
        return archive.read(part)
    except BROKEN as error:
        raise _damaged(path / part.filename) from error


def _is_swollen(part: zipfile.ZipInfo) -> bool:
    return part.file_size > _HARMLESS and part.file_size > _MOST_RATIO * max(1, part.compress_size)


def _damaged(path: Path) -> DocumentError:
    return DocumentError("the archive is damaged", where=str(path), hint="Get a fresh copy of the file")


def _members(file: FileContent) -> Sequence[Member]:
    """All files in it, in order of name; names that lead out of it and what systems add are passed over."""
    archive = open_archive(file.data, file.path)
    parts = sorted(_files(archive), key=lambda part: part.filename)
    return [Member(_name(part), partial(read_part, archive, part, file.path)) for part in parts]


def _files(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    for part in archive.infolist():
        pieces = PurePosixPath(_name(part)).parts
        leads_out = not pieces or ".." in pieces or pieces[0] == "/"
        of_system = any(piece.startswith((".", "~$", "__MACOSX")) for piece in pieces)
        if not (part.is_dir() or leads_out or of_system):
            yield part


def _name(part: zipfile.ZipInfo) -> str:
    """Its path with slashes; Chinese names that Windows packs come in GBK, which zipfile takes for code page 437."""
    name = part.filename.replace("\\", "/")
    is_utf8 = bool(part.flag_bits & 0x800)
    if is_utf8 or name.isascii():
        return name
    try:
        return name.encode("cp437").decode("gbk")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return name


def _read_archive(file: FileContent) -> Content:
    names = [member.name for member in _members(file)]
    raise DocumentError(
        f"an archive of {len(names)} files", where=str(file.path), hint="`cliquerag add` reads what is in it"
    )


ZIP = Reader(
    "ZIP archive",
    (".zip",),
    lambda file: file.data.startswith((MAGIC, _EMPTY_MAGIC)),
    _read_archive,
    rank=29,
    members=_members,
)
"""Asked after the office formats, which are such archives."""


_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Begins Word, Excel and PowerPoint files of before 2007, and new ones that a password protects."""
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_CELL_END = re.compile(r"(?<!\\)\|")
_MACRO_TYPES = re.compile(rb"application/vnd\.ms-[a-z]{1,20}\.[a-z]{1,20}\.macroEnabled\.main\+xml")
_MACROS = ("vbaProject.bin", "vbaData.xml")
_RELATIONSHIP = re.compile(rb"<Relationship\b[^>]{0,4000}>")


@dataclass(frozen=True, slots=True)
class OfficeFile:
    """An office file that was looked through: safe to hand to a library."""

    data: bytes
    """The file; one with macros under the type of one without, so that libraries take it. Macros are never run."""
    notes: tuple[str, ...]


def has_part(file: FileContent, name: str) -> bool:
    """True for an office file whose main part has that name: "word/document.xml"."""
    if not file.data.startswith(MAGIC):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            return any(part.filename.replace("\\", "/") == name for part in archive.infolist())
    except BROKEN:
        return False


def is_old_office(file: FileContent, suffixes: Sequence[str]) -> bool:
    """True for an office file of before 2007, or an encrypted one, with one of the endings."""
    return file.data.startswith(_OLD_OFFICE) and file.suffix in suffixes


def open_office(file: FileContent, main_type: bytes) -> OfficeFile:
    """Look through an office file before a library opens it; ``main_type`` is that of its main part without macros.

    Raises DocumentError: old or encrypted, damaged, a bomb of any kind.
    """
    if file.data.startswith(_OLD_OFFICE):
        raise DocumentError(
            "an office file of before 2007, or one that a password protects",
            where=str(file.path),
            hint="Open it and save it as .docx, .xlsx or .pptx without a password",
        )
    archive = open_archive(file.data, file.path)
    external = 0
    for part in archive.infolist():
        if part.filename.endswith((".xml", ".rels")):
            xml = read_part(archive, part, file.path)
            _check_declarations(xml, part.filename, file)
            if part.filename.endswith(".rels"):
                external += _links_to_files(xml)
    has_macros = any(part.filename.endswith(_MACROS) for part in archive.infolist())
    notes = []
    if has_macros:
        notes.append("it has macros, which are not run")
    if external:
        notes.append(f"{external} links to other files are not followed")
    data = _without_macro_type(archive, main_type, file) if has_macros or file.suffix.endswith("m") else file.data
    return OfficeFile(data, tuple(notes))


def _check_declarations(xml: bytes, name: str, file: FileContent) -> None:
    """Raises DocumentError for document types and entities: no office program writes them, XML bombs are made of them.

    In UTF-16 every other byte is zero.
    """
    if _DECLARATION.search(xml) or (b"\0" in xml[:200] and _DECLARATION.search(xml.replace(b"\0", b""))):
        raise DocumentError(f"not read: {name} declares XML entities, as attacks do", where=str(file.path))


def _links_to_files(relationships: bytes) -> int:
    """How many other files it would load: linked workbooks, templates, pictures; not the links that people click."""
    external = 0
    for relationship in _RELATIONSHIP.findall(relationships):
        external += b'"External"' in relationship and b"/hyperlink" not in relationship
    return external


def _without_macro_type(archive: zipfile.ZipFile, main_type: bytes, file: FileContent) -> bytes:
    """The same file whose main part is said to have no macros."""
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as plain:
        for part in archive.infolist():
            data = read_part(archive, part, file.path)
            if part.filename == "[Content_Types].xml":
                data = _MACRO_TYPES.sub(main_type, data)
            plain.writestr(part.filename, data)
    return copy.getvalue()


def stored_evidence(title: Any, author: Any, subject: Any, *, unless: str) -> Evidence:
    """What a file says of itself, but for what the library writes that makes such files (``unless``)."""
    stored = {"title": title, "author": author, "subject": subject}
    info: dict[str, str] = {}
    for name, value in stored.items():
        if value and value != unless:
            info[name] = str(value)
    return Evidence(info=info)


def damaged(file: FileContent, program: str, error: Exception) -> DocumentError:
    """What is said of a file that the library cannot make sense of."""
    return DocumentError(
        f"damaged, or no {program} file ({type(error).__name__})",
        where=str(file.path),
        hint=f"Open it in {program} and save it anew",
    )


Place = Callable[[int, int], str]
"""The name of the place of a cell, by row and column of its table."""


def table_block(table: Table, page: int, place: Place) -> Block:
    """A table as it stands in the text, each cell with the name of its place."""
    above, lines = markdown_lines(table)
    pieces = [Piece(text, page) for text in above if text.strip()]
    below_heads = table.header_rows - 2  # the first line holds all heads, the second is the rule
    for number, line in enumerate(lines):
        row = max(0, table.header_rows - 1) if number < 2 else number + below_heads
        pieces += _cell_pieces(line, page, row, place)
    return Block("table", tuple(pieces), table=table)


def _cell_pieces(line: str, page: int, row: int, place: Place) -> list[Piece]:
    """A row of Markdown cut before each of its bars, the last bar left with the last cell."""
    bars = [match.start() for match in _CELL_END.finditer(line)]
    cells: list[Piece] = []
    for column, start in enumerate(bars[:-1]):
        end = len(line) if column == len(bars) - 2 else bars[column + 1]
        cells.append(Piece(line[start:end], page, joint="" if column else "\n", place=place(row, column)))
    return cells


def paragraph(text: str, page: int, place: str = "", level: int = 0) -> Block:
    """A paragraph, or a heading where a level is given."""
    return Block("heading" if level else "paragraph", (Piece(text, page, place=place),), level=level)


def content_of(
    blocks: Sequence[Block], pages: int, evidence: Evidence, notes: Sequence[str], failed: dict[int, str] | None = None
) -> Content:
    """The blocks laid out as one text with as many pages."""
    laid = assemble(blocks)
    return Content(
        text=laid.text,
        segments=laid.segments,
        pages=page_ranges(laid.lines, pages, len(laid.text)),
        lines=laid.lines,
        tables=laid.tables,
        failed=failed or {},
        evidence=evidence,
        notes=tuple(notes),
    )
