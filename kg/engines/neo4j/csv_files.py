"""The CSV files that ``neo4j-admin database import full`` reads: their columns, their values, its arguments."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BufferedWriter
from pathlib import Path
from types import TracebackType
from typing import Any

ARGUMENTS = "import.args"
"""File with the arguments: ``neo4j-admin database import full neo4j @import.args``."""

_OPTIONS = ("--array-delimiter=U+001F", "--multiline-fields=true")
BETWEEN = "\x1f"
"""Stands between the items of a list: a name may hold any printed sign."""

_PACKED = ":byte[]"
"""Of columns with bytes. They are written, and so stored, as base64 text: as a list of numbers each byte takes four
letters, and neo4j-admin makes it by itself."""

# The columns of each file; a name without a type is text.
NODES = {
    "Workspace": "name:ID(Workspace) version:long stamp_sum:long documents:long embedder dim:long layout:long "
    "multilingual_embedder multilingual_dim:long imported:boolean",
    "Document": "source:ID(Document) stamp:long title companies:string[] tickers:string[] kind period period_label "
    "published ingested language content_hash versions how pages:long chunks:long sentences:long tables:long "
    "facts:long tokens:long vectors:boolean pending:boolean multilingual:boolean bytes:long",
    "Content": "document:ID(Content) text:byte[] page_list:byte[] line_list:byte[] table_list:byte[] chunk_list:byte[] "
    "terms:byte[] chunk_vectors:byte[] multilingual_vectors:byte[]",
    "Chunk": "id:ID(Chunk) document ordinal:long start:long end:long text kind tokens:long value:double page:long "
    "headings:string[] speaker extras:byte[] words heading_words sentences:byte[] "
    "multilingual_sentences:byte[] vector:float[]",
    "Fact": ":ID(Fact) id number:long document company company_key metric label period_label period_end text "
    "amount:double digits unit dimensions page:long start:long table:long row:long column:long confidence:double data",
    "Entity": "id:ID(Entity) name type key context grams blocks:long[] cluster aliases:string[] made:long "
    "mentions:long vector:float[] :LABEL",
    "Spelling": ":ID(Spelling) block:long entity",
    "Statement": "id:ID(Statement) head tail chunk document confidence:double relation text page:long period_label "
    "modality extraction data vector:float[]",
    "Driver": "id:ID(Driver) document chunk extraction company company_key segment metric label direction "
    "outlook:boolean period period_label period_end start:long end:long text anchors page:long published "
    "confidence:double extractor data",
    "Cause": "id:ID(Cause) driver text sign:long category role amount:double unit",
    "CauseClass": "name:ID(CauseClass)",
    "Extraction": "id:ID(Extraction) code document extractor rejected:byte[]",
    "Merge": "pair:ID(Merge) id entity into low high reason score:double undone:boolean given:boolean made:long",
}
RELATIONSHIPS = {
    "HOLDS": ":START_ID(Document) :END_ID(Content)",
    "HAS_CHUNK": ":START_ID(Document) :END_ID(Chunk)",
    "NEXT": ":START_ID(Chunk) :END_ID(Chunk)",
    "STATES": ":START_ID(Document) :END_ID(Fact)",
    "READ_BY": ":START_ID(Document) :END_ID(Extraction)",
    "NAMES": ":START_ID(Document) :END_ID(Entity) mentions:long",
    "MENTIONS": ":START_ID(Chunk) :END_ID(Entity) start:long end:long name extraction",
    "FROM": ":START_ID(Statement) :END_ID(Chunk)",
    "EXPLAINS": ":START_ID(Document) :END_ID(Driver)",
    "DRIVER_FROM": ":START_ID(Driver) :END_ID(Chunk) :TYPE",
    "ABOUT": ":START_ID(Driver) :END_ID(Entity)",
    "CAUSED_BY": ":START_ID(Driver) :END_ID(Cause) sign:long role",
    "BEHIND": ":START_ID(Cause) :END_ID(Cause) :TYPE sign:long role",
    "OF_CLASS": ":START_ID(Cause) :END_ID(CauseClass)",
    "GIVES": ":START_ID(Extraction) :END_ID(Merge)",
    "SAME_AS": ":START_ID(Entity) :END_ID(Entity) reason",
    "RELATIONS": ":START_ID(Entity) :END_ID(Entity) :TYPE document published confidence:double relation "
    "statement period modality",
}


def start_files(folder: Path) -> None:
    """Files that have their columns and no rows; those of an earlier export go, which may have had more shares."""
    for name, head in (NODES | RELATIONSHIPS).items():
        for path in _files_of(folder, name):
            path.unlink()
        columns = ",".join(head.replace(_PACKED, "").split())
        _file(folder, name, 0).write_text(columns + "\n", encoding="utf-8", newline="")


def write_arguments(folder: Path) -> None:
    """What neo4j-admin has to be told of the files of a folder, beside them."""
    options = list(_OPTIONS)
    for name, head in (NODES | RELATIONSHIPS).items():
        kind = "" if ":TYPE" in head else f"{name}="
        option = "--nodes" if name in NODES else "--relationships"
        options.append(f"{option}={kind}{','.join(str(path.absolute()) for path in _files_of(folder, name))}")
    (folder / ARGUMENTS).write_text("\n".join([*options, ""]), encoding="utf-8")


def _files_of(folder: Path, name: str) -> list[Path]:
    """The files of a label or type, that of each share, in their order."""
    return [*folder.glob(f"{name}.csv"), *sorted(folder.glob(f"{name}.[0-9]*.csv"))]


def _file(folder: Path, name: str, share: int) -> Path:
    return folder / (f"{name}.{share:03}.csv" if share else f"{name}.csv")


class CsvFiles:
    """The files of one share of the documents: a context manager. Only those of share 0 begin with their columns."""

    def __init__(self, folder: Path, share: int) -> None:
        self.rows: Counter[str] = Counter()
        self._folder, self._share = folder, share
        self._open: dict[str, BufferedWriter] = {}

    def write(self, name: str, row: Mapping[str, Any]) -> None:
        """A row of a file; what it has no value for stays empty."""
        value_of = row.get
        values = ["" if (value := value_of(column)) is None else write(value) for column, write in _columns(name)]
        if name not in self._open:
            self._open[name] = _file(self._folder, name, self._share).open("ab")
        self._open[name].write((",".join(values) + "\n").encode())
        self.rows[name] += 1

    def join(self, name: str, one: str, other: str, /, **properties: object) -> None:
        """A relationship between two nodes, by what their files have as id."""
        self.write(name, {":START_ID": one, ":END_ID": other, **properties})

    def __enter__(self) -> CsvFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._open.values():
            file.close()


@cache
def _columns(file: str) -> Sequence[tuple[str, Callable[[Any], str]]]:
    """The keys of a file's rows, and how each value is written."""
    columns = [column.partition(":") for column in (NODES | RELATIONSHIPS)[file].split()]
    return [(name or f":{kind.partition('(')[0]}", _WRITERS.get(kind, _text)) for name, _, kind in columns]


def _text(value: Any) -> str:
    return '"' + str(value).replace('"', '""') + '"'


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _texts(values: Sequence[str]) -> str:
    return _text(BETWEEN.join(values))


def _longs(values: Sequence[int]) -> str:
    return BETWEEN.join(map(str, values))


def _bytes(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _floats(values: Sequence[float]) -> str:
    """Seven digits, off by a sixteen-millionth at most: Java reads such a number in 30 ns, one of nine in 83."""
    return BETWEEN.join(["%.7g"] * len(values)) % tuple(values)


_WRITERS: dict[str, Callable[[Any], str]] = {
    "long": str,
    "double": repr,
    "boolean": _boolean,
    "string[]": _texts,
    "long[]": _longs,
    "byte[]": _bytes,
    "float[]": _floats,
}
