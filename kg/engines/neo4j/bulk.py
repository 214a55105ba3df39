"""A first load: a workspace as CSV files for ``neo4j-admin database import full``, many times faster than the driver.

The files hold what the driver would have written. The server that starts on the imported database gets its indexes
when the workspace is first opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import closing
from dataclasses import field
from datetime import date
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ....core.errors import StoreError
from ....core.records import dataclass
from ...as_of import as_of, view_of
from ...graph import Merge
from ...resolution.clusters import components, pair
from ...schema import Schema
from ...storage.copying import read_bundle
from ...storage.preparation import names_in
from ...store import Bundle, GraphPart, Store
from . import second_space
from .csv_files import BETWEEN, CsvFiles, start_files, write_arguments
from .facts import fact_rows, written_row
from .rows import (
    LAYOUT,
    Sentences,
    age,
    chunk_rows,
    content_row,
    document_row,
    entity_row,
    extraction_code,
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

Parts = tuple[Bundle, Sequence[GraphPart]]
"""A document, and all parts of its graph; the one in the bundle counts only among them."""

_IN_MEMORY = "sqlite://"
Documents = Callable[[int, int], Iterable[Parts]]
"""From one number up to another, counted from 0 in an order of its own. It travels to the processes that read them."""


def write_import(store: Store, folder: Path, schema: Schema, workers: int = 1) -> Mapping[str, int]:
    """A whole workspace of any engine as files, losing nothing; counts what was written.

    With ``workers`` above 1 as many processes open it, but for one in memory, which has no other readers.
    """
    sources = [record.source for record in store.documents()]
    looked_at, day = view_of(store)
    documents: Documents = partial(_reopened, looked_at.url, day, schema, sources)
    if workers == 1 or looked_at.url == _IN_MEMORY:
        documents, workers = partial(_stored, store, sources), 1
    return write_files(documents, len(sources), store.merges(), folder, schema, workers=workers)


def write_files(
    documents: Documents,
    count: int,
    merges: Iterable[Merge],
    folder: Path,
    schema: Schema,
    *,
    meanings: bool = True,
    workers: int = 1,
) -> Mapping[str, int]:
    """Documents as files; ``meanings=False`` leaves out the vectors of statements and entities.

    Each of ``workers`` processes reads a share of the documents and writes files of its own, which neo4j-admin reads
    one after the other: put together they are the files of one process.
    """
    folder.mkdir(parents=True, exist_ok=True)
    start_files(folder)
    bounds = [count * share // workers for share in range(workers + 1)]
    shares = [
        (documents, begin, end, CsvFiles(folder, share), schema, meanings)
        for share, (begin, end) in enumerate(pairwise(bounds))
    ]
    shared = _Shared()
    for found in _written(shares):
        shared.join(found)
    with CsvFiles(folder, 0) as files:
        _finish(files, shared, list(merges))
        shared.rows += files.rows
    write_arguments(folder)
    counted = {"Document": "documents", "Chunk": "chunks", "Entity": "entities", "RELATIONS": "relations"}
    return {name: shared.rows[label] for label, name in counted.items()}


def _stored(store: Store, sources: Sequence[str], begin: int, end: int) -> Iterator[Parts]:
    for source in sources[begin:end]:
        bundle = read_bundle(store, source, GraphPart(""))
        if bundle is not None:
            yield bundle, store.parts(source)


def _reopened(
    url: str, day: date | None, schema: Schema, sources: Sequence[str], begin: int, end: int
) -> Iterator[Parts]:
    from ..opening import open_store

    with closing(open_store(url, create=False, schema=schema)) as store:
        yield from _stored(as_of(store, day), sources, begin, end)


@dataclass(slots=True)
class _Shared:
    """What documents share: it is written when all are in."""

    documents: int = 0
    stamps: int = 0
    """The sum of their numbers."""
    last: int = 0
    encoders: dict[str, Any] = field(default_factory=dict)
    """What the workspace says of them."""
    entities: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Their rows, but for what is known when all documents are in."""
    mentions: Counter[str] = field(default_factory=Counter)
    given: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """The extractions that give a merge, by its pair."""
    about: list[tuple[str, str]] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    rows: Counter[str] = field(default_factory=Counter)
    """Of each file."""

    def join(self, later: _Shared) -> None:
        """Add what later documents share; an entity keeps the row of its first one."""
        self.documents += later.documents
        self.stamps += later.stamps
        self.last = max(self.last, later.last)
        self.encoders |= later.encoders
        for id, row in later.entities.items():
            self.entities.setdefault(id, row)
        self.mentions += later.mentions
        for merged, extractions in later.given.items():
            self.given.setdefault(merged, []).extend(extractions)
        self.about += later.about
        self.classes |= later.classes
        self.rows += later.rows


_Share = tuple[Documents, int, int, CsvFiles, Schema, bool]


def _written(shares: Sequence[_Share]) -> Iterable[_Shared]:
    if len(shares) == 1:
        return [_write_share(*shares[0])]
    with ProcessPoolExecutor(len(shares), get_context("spawn")) as pool:
        try:
            return list(pool.map(_write_share, *zip(*shares, strict=True)))
        except BrokenExecutor as error:
            hint = "Try again with fewer workers: the memory may have run out"
            raise StoreError("a process that makes the files has ended", hint=hint) from error


def _write_share(
    documents: Documents, begin: int, end: int, files: CsvFiles, schema: Schema, meanings: bool
) -> _Shared:
    with files:
        writer = _Writer(files, schema, meanings)
        for number, (bundle, parts) in enumerate(documents(begin, end), begin + 1):
            writer.add(number, bundle, parts)
        writer.shared.rows += files.rows
    return writer.shared


class _Writer:
    """Writes documents one after the other, and notes what they share."""

    def __init__(self, files: CsvFiles, schema: Schema, meanings: bool) -> None:
        self._files, self._schema, self._meanings = files, schema, meanings
        self.shared = _Shared()

    def add(self, number: int, bundle: Bundle, parts: Sequence[GraphPart]) -> None:
        """Document ``number``, counted from 1."""
        files, shared, source = self._files, self.shared, bundle.document.source
        shared.documents, shared.stamps, shared.last = shared.documents + 1, shared.stamps + number, number
        if bundle.vectors is not None:
            shared.encoders |= {"embedder": bundle.embedder, "dim": bundle.vectors.shape[1]}
        shared.encoders |= second_space.workspace_row(bundle.multilingual)
        files.write("Document", document_row(bundle, number) | {"pending": None})
        files.write("Content", content_row(bundle))
        files.join("HOLDS", source, source)
        self._add_chunks(source, bundle)
        for row in fact_rows(source, bundle.facts):
            key = f"{source}\n{row['number']}"
            files.write("Fact", {":ID": key, **row})
            files.join("STATES", source, key)
        sentences = sentences_of(bundle) if self._meanings else {}
        self._add_entities(number, parts, sentences)
        said: set[str] = set()
        for part in parts:
            self._add_part(source, part)
            self._add_statements(source, part, sentences, said)
            said |= {statement.id for statement in part.statements}
            self._add_drivers(source, part)
        self._add_names(source, parts)

    def _add_entities(self, number: int, parts: Sequence[GraphPart], sentences: Mapping[str, Sentences]) -> None:
        place = 0
        for part in parts:
            new = {entity.id for entity in part.entities} - self.shared.entities.keys()
            meant = mean_vectors(mention_places(m for m in part.mentions if m.entity in new), sentences)
            for entity in part.entities:
                place += 1
                if entity.id in new:
                    row = entity_row(entity, self._schema)
                    known = {
                        "id": entity.id,
                        ":LABEL": BETWEEN.join(row["labels"]),
                        "blocks": row["blocks"],
                        "made": age(number, place),
                        "vector": meant.get(entity.id),
                    }
                    self.shared.entities[entity.id] = {**row["properties"], **known}

    def _add_statements(
        self,
        source: str,
        part: GraphPart,
        sentences: Mapping[str, Sentences],
        known: Collection[str],
    ) -> None:
        """Relationships of every part, but one node for what two extractors found alike."""
        said = {s.id: s for s in part.statements}
        vectors = mean_vectors(statement_places(said.values()), sentences)
        for id, statement in said.items():
            row = statement_row(statement, source, extraction_code(source, part.extractor), self._schema)
            if id not in known:
                self._files.write("Statement", {**row["properties"], "vector": vectors.get(id)})
                self._files.join("FROM", id, statement.chunk)
            self._files.join("RELATIONS", statement.head, statement.tail, **{":TYPE": row["type"]}, **row["relation"])

    def _add_chunks(self, source: str, bundle: Bundle) -> None:
        vectors: Sequence[Any] = [None] * len(bundle.chunks) if bundle.vectors is None else bundle.vectors.tolist()
        previous = ""
        for row, vector in zip(chunk_rows(bundle), vectors, strict=True):
            self._files.write("Chunk", {**row, "vector": vector})
            self._files.join("HAS_CHUNK", source, row["id"])
            if previous:
                self._files.join("NEXT", previous, row["id"])
            previous = row["id"]

    def _add_part(self, source: str, part: GraphPart) -> None:
        extraction = extraction_id(source, part.extractor)
        self._files.write("Extraction", extraction_row(source, part))
        self._files.join("READ_BY", source, extraction)
        code = extraction_code(source, part.extractor)
        for m in {(m.chunk, m.start, m.end, m.entity): m for m in part.mentions}.values():
            self._files.join("MENTIONS", m.chunk, m.entity, start=m.start, end=m.end, name=m.name, extraction=code)
        for merge in part.merges:
            self.shared.given.setdefault(pair(merge), []).append(extraction)

    def _add_drivers(self, source: str, part: GraphPart) -> None:
        extraction = extraction_id(source, part.extractor)
        for driver in part.drivers:
            row = written_row(driver, source, extraction)
            self._files.write("Driver", row["properties"])
            self._files.join("EXPLAINS", source, driver.id)
            self._files.join("DRIVER_FROM", driver.id, driver.chunk, **{":TYPE": "FROM"})
            self.shared.about.append((driver.id, row["entity"]))
            for cause in row["causes"]:
                properties = cause["properties"]
                self._files.write("Cause", properties)
                pushed = {"sign": properties["sign"], "role": properties["role"]}
                if cause["parent"] is None:
                    self._files.join("CAUSED_BY", driver.id, properties["id"], **pushed)
                else:
                    self._files.join("BEHIND", cause["parent"], properties["id"], **{":TYPE": "CAUSED_BY"}, **pushed)
                if properties["category"]:
                    self.shared.classes.add(properties["category"])
                    self._files.join("OF_CLASS", properties["id"], properties["category"])

    def _add_names(self, source: str, parts: Sequence[GraphPart]) -> None:
        places = {(m.entity, m.chunk, m.start, m.end) for part in parts for m in part.mentions}
        counts = dict.fromkeys(sorted({name for part in parts for name in names_in(part)}), 0)
        for entity, *_ in places:
            counts[entity] += 1
        for entity, mentions in counts.items():
            self._files.join("NAMES", source, entity, mentions=mentions)
            self.shared.mentions[entity] += mentions


def _finish(files: CsvFiles, shared: _Shared, merges: Sequence[Merge]) -> None:
    """The workspace, and entities in their clusters."""
    workspace = {"name": "CliqueRAG", "version": shared.last, "documents": shared.documents, "embedder": "", "dim": 0}
    workspace |= {"stamp_sum": shared.stamps, "imported": True, "layout": LAYOUT}
    files.write("Workspace", workspace | shared.encoders)
    for group in components(shared.entities, [pair(merge) for merge in merges if not merge.undone]):
        names = {shared.entities[id]["name"] for id in group}
        for id in group:
            row = shared.entities[id]
            among = {"cluster": min(group), "aliases": sorted(names - {row["name"]})}
            files.write("Entity", {**row, **among, "mentions": shared.mentions[id]})
            for block in row["blocks"]:
                files.write("Spelling", {":ID": f"{block}\n{id}", "block": block, "entity": id})
    for number, merge in enumerate(merges):
        _add_merge(files, number, merge, shared.given.get(pair(merge), []))
    for driver, company in shared.about:
        if company in shared.entities:
            files.join("ABOUT", driver, company)
    for name in sorted(shared.classes):
        files.write("CauseClass", {"name": name})


def _add_merge(files: CsvFiles, number: int, merge: Merge, givers: Sequence[str]) -> None:
    row = merge_row(merge, bool(givers), number)["properties"] | {"undone": merge.undone}
    key = pair_key(*pair(merge))
    files.write("Merge", {"pair": key, **row})
    for extraction in dict.fromkeys(givers):
        files.join("GIVES", extraction, key)
    if not merge.undone:
        files.join("SAME_AS", merge.entity, merge.into, reason=merge.reason)
