"""A first load: a workspace as CSV files for ``neo4j-admin database import full``, many times faster than the driver.

The files hold what the driver would have written. The server that starts on the imported database gets its indexes
when the workspace is first opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ....models.embedders import SpaceVectors
from ...graph import Merge
from ...resolution.clusters import components, pair
from ...schema import Schema
from ...storage.copying import read_bundle
from ...storage.preparation import names_in
from ...store import Bundle, GraphPart, Store
from . import second_space
from .facts import fact_rows, written_row
from .rows import (
    LAYOUT,
    Sentences,
    age,
    chunk_rows,
    content_row,
    document_row,
    entity_row,
    extraction_id,
    extraction_row,
    mean_vectors,
    mention_places,
    merge_row,
    pair_key,
    sentences_of,
    statement_places,
    statement_row,
)

if TYPE_CHECKING:
    import numpy as np

ARGUMENTS = "import.args"
"""File with the arguments: ``neo4j-admin database import full neo4j @import.args``."""

_OPTIONS = ("--array-delimiter=U+001F", "--multiline-fields=true")
_BETWEEN = "\x1f"
"""Stands between the items of a list: a name may hold any printed sign."""

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
    "Statement": "id:ID(Statement) head tail chunk start:long end:long text anchors page:long period period_label "
    "modality extractor metadata document published confidence:double extraction relation vector:float[]",
    "Driver": "id:ID(Driver) document chunk extraction company company_key segment metric label direction "
    "outlook:boolean period period_label period_end start:long end:long text anchors page:long published "
    "confidence:double extractor data",
    "Cause": "id:ID(Cause) driver text sign:long category role amount:double unit",
    "CauseClass": "name:ID(CauseClass)",
    "Extraction": "id:ID(Extraction) document extractor rejected:byte[]",
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
    "RELATIONS": ":START_ID(Entity) :END_ID(Entity) :TYPE document published confidence:double extraction relation "
    "statement period modality",
}

Parts = tuple[Bundle, Sequence[GraphPart]]
"""A document, and all parts of its graph; the one in the bundle counts only among them."""


def write_import(store: Store, folder: Path, schema: Schema) -> Mapping[str, int]:
    """A whole workspace of any engine as files, losing nothing; counts what was written."""
    return write_files(_stored(store), store.merges(), folder, schema)


def write_files(
    documents: Iterable[Parts],
    merges: Iterable[Merge],
    folder: Path,
    schema: Schema,
    *,
    meanings: bool = True,
) -> Mapping[str, int]:
    """Documents as files; ``meanings=False`` leaves out the vectors of statements and entities."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        files = {name: stack.enter_context(_File(folder, name, head)) for name, head in (NODES | RELATIONSHIPS).items()}
        load = _Load(files, schema, meanings)
        for bundle, parts in documents:
            load.add(bundle, parts)
        load.finish(list(merges))
    (folder / ARGUMENTS).write_text("\n".join([*_OPTIONS, *_file_options(folder), ""]), encoding="utf-8")
    counted = {"Document": "documents", "Chunk": "chunks", "Entity": "entities", "RELATIONS": "relations"}
    return {name: files[label].rows for label, name in counted.items()}


def _stored(store: Store) -> Iterator[Parts]:
    for record in store.documents():
        bundle = read_bundle(store, record.source, GraphPart(""))
        if bundle is not None:
            yield bundle, store.parts(record.source)


def _file_options(folder: Path) -> Iterator[str]:
    for label in NODES:
        yield f"--nodes={label}={folder.absolute() / label}.csv"
    for name, head in RELATIONSHIPS.items():
        kind = "" if ":TYPE" in head else f"{name}="
        yield f"--relationships={kind}{folder.absolute() / name}.csv"


class _Load:
    """Writes documents one after the other; entities and merges, which documents share, come last."""

    def __init__(self, files: Mapping[str, _File], schema: Schema, meanings: bool) -> None:
        self.files, self._schema, self._meanings = files, schema, meanings
        self._entities: dict[str, dict[str, Any]] = {}
        self._mentions: Counter[str] = Counter()
        self._given: dict[tuple[str, str], list[str]] = {}
        self._about: list[tuple[str, str]] = []
        self._classes: set[str] = set()
        self._documents = 0
        self._embedder, self._dim = "", 0
        self._beside: SpaceVectors | None = None

    def add(self, bundle: Bundle, parts: Sequence[GraphPart]) -> None:
        source = bundle.document.source
        self._documents += 1
        if bundle.vectors is not None:
            self._embedder, self._dim = bundle.embedder, bundle.vectors.shape[1]
        self._beside = bundle.multilingual or self._beside
        self.files["Document"].write(document_row(bundle, self._documents) | {"pending": None})
        self.files["Content"].write(content_row(bundle))
        self._join("HOLDS", source, source)
        self._add_chunks(source, bundle)
        for row in fact_rows(source, bundle.facts):
            key = f"{source}\n{row['number']}"
            self.files["Fact"].write({":ID": key, **row})
            self._join("STATES", source, key)
        sentences = sentences_of(bundle) if self._meanings else {}
        said: set[str] = set()
        for part in parts:
            self._add_part(source, part, sentences)
            self._add_statements(source, part, sentences, said)
            said |= {statement.id for statement in part.statements}
            self._add_drivers(source, part)
        self._add_names(source, parts)

    def _add_chunks(self, source: str, bundle: Bundle) -> None:
        vectors: Sequence[Any] = [None] * len(bundle.chunks) if bundle.vectors is None else bundle.vectors.tolist()
        previous = ""
        for row, vector in zip(chunk_rows(bundle), vectors, strict=True):
            self.files["Chunk"].write({**row, "vector": vector})
            self._join("HAS_CHUNK", source, row["id"])
            if previous:
                self._join("NEXT", previous, row["id"])
            previous = row["id"]

    def finish(self, merges: Sequence[Merge]) -> None:
        """The workspace, and entities in their clusters."""
        workspace = {"name": "CliqueRAG", "version": self._documents, "documents": self._documents}
        workspace |= {"stamp_sum": self._documents * (self._documents + 1) // 2, "imported": True, "layout": LAYOUT}
        workspace |= {"embedder": self._embedder, "dim": self._dim, **second_space.workspace_row(self._beside)}
        self.files["Workspace"].write(workspace)
        for group in components(self._entities, [pair(merge) for merge in merges if not merge.undone]):
            names = {self._entities[id]["name"] for id in group}
            for id in group:
                row = self._entities[id]
                self.files["Entity"].write(
                    {
                        **row,
                        "mentions": self._mentions[id],
                        "cluster": min(group),
                        "aliases": sorted(names - {row["name"]}),
                    }
                )
                for block in row["blocks"]:
                    self.files["Spelling"].write({":ID": f"{block}\n{id}", "block": block, "entity": id})
        for number, merge in enumerate(merges):
            self._add_merge(number, merge)
        for driver, company in self._about:
            if company in self._entities:
                self._join("ABOUT", driver, company)
        for name in sorted(self._classes):
            self.files["CauseClass"].write({"name": name})

    def _add_part(self, source: str, part: GraphPart, sentences: Mapping[str, Sentences]) -> None:
        extraction = extraction_id(source, part.extractor)
        self.files["Extraction"].write(extraction_row(source, part))
        self._join("READ_BY", source, extraction)
        meant = mean_vectors(mention_places(part.mentions), sentences)
        for entity in part.entities:
            if entity.id not in self._entities:
                row = entity_row(entity, self._schema)
                known = {
                    "id": entity.id,
                    ":LABEL": _BETWEEN.join(row["labels"]),
                    "blocks": row["blocks"],
                    "made": age(self._documents, len(self._entities)),
                    "vector": meant.get(entity.id),
                }
                self._entities[entity.id] = {**row["properties"], **known}
        for m in {(m.chunk, m.start, m.end, m.entity): m for m in part.mentions}.values():
            self._join("MENTIONS", m.chunk, m.entity, start=m.start, end=m.end, name=m.name, extraction=extraction)
        for merge in part.merges:
            self._given.setdefault(pair(merge), []).append(extraction)

    def _add_statements(
        self, source: str, part: GraphPart, sentences: Mapping[str, Sentences], known: Collection[str]
    ) -> None:
        """Relationships of every part, but one node for what two extractors found alike."""
        said = {s.id: s for s in part.statements}
        vectors = mean_vectors(statement_places(said.values()), sentences)
        for id, statement in said.items():
            row = statement_row(statement, source, extraction_id(source, part.extractor), self._schema)
            if id not in known:
                self.files["Statement"].write({**row["properties"], "vector": vectors.get(id)})
                self._join("FROM", id, statement.chunk)
            self._join("RELATIONS", statement.head, statement.tail, **{":TYPE": row["type"]}, **row["relation"])

    def _add_drivers(self, source: str, part: GraphPart) -> None:
        extraction = extraction_id(source, part.extractor)
        for driver in part.drivers:
            row = written_row(driver, source, extraction)
            self.files["Driver"].write(row["properties"])
            self._join("EXPLAINS", source, driver.id)
            self._join("DRIVER_FROM", driver.id, driver.chunk, **{":TYPE": "FROM"})
            self._about.append((driver.id, row["entity"]))
            for cause in row["causes"]:
                properties = cause["properties"]
                self.files["Cause"].write(properties)
                pushed = {"sign": properties["sign"], "role": properties["role"]}
                if cause["parent"] is None:
                    self._join("CAUSED_BY", driver.id, properties["id"], **pushed)
                else:
                    self._join("BEHIND", cause["parent"], properties["id"], **{":TYPE": "CAUSED_BY"}, **pushed)
                if properties["category"]:
                    self._classes.add(properties["category"])
                    self._join("OF_CLASS", properties["id"], properties["category"])

    def _add_names(self, source: str, parts: Sequence[GraphPart]) -> None:
        places = {(m.entity, m.chunk, m.start, m.end) for part in parts for m in part.mentions}
        counts = dict.fromkeys(sorted({name for part in parts for name in names_in(part)}), 0)
        for entity, *_ in places:
            counts[entity] += 1
        for entity, mentions in counts.items():
            self._join("NAMES", source, entity, mentions=mentions)
            self._mentions[entity] += mentions

    def _add_merge(self, number: int, merge: Merge) -> None:
        givers = self._given.get(pair(merge), [])
        row = merge_row(merge, bool(givers), number)["properties"] | {"undone": merge.undone}
        key = pair_key(*pair(merge))
        self.files["Merge"].write({"pair": key, **row})
        for extraction in dict.fromkeys(givers):
            self._join("GIVES", extraction, key)
        if not merge.undone:
            self._join("SAME_AS", merge.entity, merge.into, reason=merge.reason)

    def _join(self, file: str, one: str, other: str, /, **properties: object) -> None:
        self.files[file].write({":START_ID": one, ":END_ID": other, **properties})


class _File:
    """One CSV file; counts its rows. Also a context manager."""

    def __init__(self, folder: Path, name: str, head: str) -> None:
        self.rows = 0
        columns = [column.partition(":") for column in head.split()]
        self._columns = [(name or f":{kind.partition('(')[0]}", _WRITERS.get(kind, _text)) for name, _, kind in columns]
        self._file = (folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
        self._file.write(",".join(head.split()) + "\n")

    def write(self, row: Mapping[str, Any]) -> None:
        values = [(row.get(name), write) for name, write in self._columns]
        self._file.write(",".join(["" if value is None else write(value) for value, write in values]) + "\n")
        self.rows += 1

    def __enter__(self) -> _File:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _text(value: Any) -> str:
    return '"' + str(value).replace('"', '""') + '"'


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _texts(values: Sequence[str]) -> str:
    return _text(_BETWEEN.join(values))


def _longs(values: Sequence[int]) -> str:
    return _BETWEEN.join(map(str, values))


def _bytes(data: bytes) -> str:
    """Signed numbers, looked up all at once: they are three fifths of the files."""
    import numpy as np

    padded = _signed()[np.frombuffer(data, np.uint8)].tobytes()
    return padded.translate(None, b"\0").decode("ascii")[: -len(_BETWEEN)]


@cache
def _signed() -> np.ndarray:
    """Each byte as a signed number with what stands between two, fixed width."""
    import numpy as np

    numbers = (byte if byte < 128 else byte - 256 for byte in range(256))
    return np.array([f"{number}{_BETWEEN}".encode() for number in numbers], np.bytes_)


def _floats(values: Sequence[float]) -> str:
    """Nine digits give back every float32."""
    return _BETWEEN.join(["%.9g"] * len(values)) % tuple(values)


_WRITERS: dict[str, Callable[[Any], str]] = {
    "long": str,
    "double": repr,
    "boolean": _boolean,
    "string[]": _texts,
    "long[]": _longs,
    "byte[]": _bytes,
    "float[]": _floats,
}
