"""A document that was read, as one file: what reading hands to loading, on one machine or between a thousand.

The file is a ZIP of JSON members, vectors beside them as plain numbers. A ZIP, since every language and every shell
opens it, it names its parts, checks each of them (CRC-32), and has its index at the end: a file that was cut off is
noticed. It says nothing of when or where it was made, so that the same document, read by the same versions, gives the
same bytes everywhere.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...core.errors import DocumentError
from ...core.fact import Fact
from ...core.ids import content_hash
from ...core.records import dataclass
from ...ingest.chunk import Chunk
from ...ingest.document import Document, Metadata
from ...models.embedders import SpaceVectors
from ..store import Bundle, GraphPart
from .codec import dumps, split_sentences, unpack_sentences
from .preparation import check
from .records import Forms, LayoutError, layout_of

if TYPE_CHECKING:
    import numpy as np

FORMAT = 2
"""Rises when the members change; what they hold says its own layout."""
ENDING = ".bundle"
MANIFEST, TEXT, VECTORS, SENTENCES = "manifest.json", "text.txt", "vectors.f32", "sentences.i8"
VECTORS_BESIDE, SENTENCES_BESIDE = "multilingual_vectors.f32", "multilingual_sentences.i8"
_RECORDS: Mapping[str, Any] = {
    "document.json": Document,
    "chunks.json": tuple[Chunk, ...],
    "words.json": tuple[tuple[str, ...], ...],
    "facts.json": tuple[Fact, ...],
    "graph.json": GraphPart,
}
_ROOTS = (Document, Chunk, Fact, GraphPart)
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The first moment that a ZIP knows: members have to carry one."""
_UNIX, _MODE = 3, 0o600 << 16
_LARGEST_MEMBER = 4 << 30
"""Bytes of a member when unpacked; beyond, the file is no bundle of ours but one that is to fill the memory."""
_READ_AGAIN = "Delete it and read the document again"
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, IndexError, ValueError, TypeError, AttributeError,
            ArithmeticError, NotImplementedError, RuntimeError)  # fmt: skip
"""What a file that was cut off, or whose bytes have changed, raises somewhere on the way."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a bundle says of itself; read without the rest."""

    source: str
    content_hash: str
    about: str
    """Hash of the metadata; see :func:`metadata_hash`."""
    key: str
    """Hash of what the bundle was made from: file, source, versions, settings."""
    versions: Mapping[str, str]
    embedder: str
    dim: int
    multilingual: str
    """The encoder of many languages, where the document has its vectors."""
    multilingual_dim: int
    layout: Mapping[str, list[str]]


def write_bundle(bundle: Bundle, key: str) -> bytes:
    """The bytes of a bundle's file; equal bundles give equal bytes. Raises ValueError for one that contradicts itself.

    ``ingested`` is not written: a document is stored when it is loaded. Sentence vectors are written in the one byte a
    number that every store keeps of them; chunk vectors are written whole.
    """
    check(bundle)
    manifest = Manifest(
        source=bundle.document.source,
        content_hash=bundle.document.content_hash,
        about=metadata_hash(bundle.document.metadata),
        key=key,
        versions=dict(bundle.versions),
        embedder=bundle.embedder,
        dim=0 if bundle.vectors is None else int(bundle.vectors.shape[1]),
        multilingual="" if bundle.multilingual is None else bundle.multilingual.embedder,
        multilingual_dim=0 if bundle.multilingual is None else int(bundle.multilingual.chunks.shape[1]),
        layout=layout_of(*_ROOTS),
    )
    named = {name: getattr(manifest, name) for name in Manifest.__slots__}
    records = {
        "document.json": replace(bundle.document, text=""),
        "chunks.json": bundle.chunks,
        "words.json": (bundle.words, bundle.heading_words),
        "facts.json": bundle.facts,
        "graph.json": bundle.graph,
    }
    file, forms = io.BytesIO(), Forms(manifest.layout)
    with zipfile.ZipFile(file, "w") as archive:
        _add(archive, MANIFEST, _encoded(dumps({"format": FORMAT, **named})))
        _add(archive, TEXT, _encoded(bundle.document.text))
        for name, kind in _RECORDS.items():
            plain = forms.of(kind).write(records[name])
            if name == "chunks.json":
                _without_texts(plain, bundle.document.text)
            _add(archive, name, _encoded(dumps(plain)))
        _add_vectors(archive, bundle)
    return file.getvalue()


def metadata_hash(metadata: Metadata) -> str:
    """Tells whether two documents are said to be about the same."""
    return content_hash(_encoded(dumps(Forms(layout_of(Metadata)).of(Metadata).write(metadata))))


def read_manifest(path: Path) -> Manifest:
    """What a bundle's file says of itself. Raises DocumentError for one that is damaged or not ours."""
    with _Opened(path) as opened:
        return opened.manifest


def read_bundle_file(path: Path) -> Bundle:
    """The bundle of a file. Raises DocumentError for one that is damaged, not ours, or of another version."""
    with _Opened(path) as opened:
        return opened.bundle()


def read_bundle_bytes(data: bytes, where: str) -> Bundle:
    """The same of bytes at hand; ``where`` is what errors name."""
    with _Opened(io.BytesIO(data), where) as opened:
        return opened.bundle()


class _Opened:
    """A bundle's file while it is read; whatever is wrong with it leaves as one error that says so."""

    def __init__(self, file: Path | io.BytesIO, where: str = "") -> None:
        self._file, self._where = file, where or str(file)

    def __enter__(self) -> _Opened:
        try:
            self._archive = zipfile.ZipFile(self._file)
            self.manifest = self._read_manifest()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if hasattr(self, "_archive"):
            self._archive.close()
        if isinstance(error, DocumentError):
            raise error
        if isinstance(error, FileNotFoundError):
            raise DocumentError("there is no such bundle", where=self._where) from error
        if isinstance(error, OSError):
            raise DocumentError(f"the bundle cannot be read ({error.strerror})", where=self._where) from error
        if isinstance(error, LayoutError):
            what = f"the bundle is of another version of CliqueRAG: {error}"
            raise DocumentError(what, where=self._where, hint="Read the document again by this version") from error
        if isinstance(error, _DAMAGED):
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise DocumentError(f"the bundle is damaged ({reason})", where=self._where, hint=_READ_AGAIN) from error

    def bundle(self) -> Bundle:
        """All of it."""
        manifest, forms = self.manifest, Forms(self.manifest.layout)
        readers = {name: forms.of(kind).read for name, kind in _RECORDS.items()}
        text = self._member(TEXT).decode("utf-8", "surrogatepass")
        plain = {name: json.loads(self._member(name)) for name in _RECORDS}
        _with_texts(plain["chunks.json"], text, manifest.layout["Chunk"])
        values = {name: read(plain[name]) for name, read in readers.items()}
        words, heading_words = values["words.json"]
        vectors, sentences = self._vectors()
        bundle = Bundle(
            document=replace(values["document.json"], text=text),
            chunks=values["chunks.json"],
            words=words,
            heading_words=heading_words,
            facts=values["facts.json"],
            graph=values["graph.json"],
            vectors=vectors,
            sentence_vectors=sentences,
            embedder=manifest.embedder,
            multilingual=self._beside(),
            versions=manifest.versions,
        )
        check(bundle)
        return bundle

    def _read_manifest(self) -> Manifest:
        if MANIFEST not in self._archive.namelist():
            raise DocumentError("this is no bundle of CliqueRAG", where=self._where)
        given = json.loads(self._member(MANIFEST))
        if given.pop("format") != FORMAT:
            raise LayoutError("its format is not the one that is read here")
        manifest = Manifest(**given)
        about = (manifest.source, manifest.content_hash, manifest.about, manifest.key)
        texts = (*about, manifest.embedder, manifest.multilingual)
        numbers = (manifest.dim, manifest.multilingual_dim)
        if not all(isinstance(text, str) for text in texts) or not all(isinstance(count, int) for count in numbers):
            raise ValueError("its manifest holds other values than a manifest does")
        return manifest

    def _vectors(self) -> tuple[np.ndarray | None, np.ndarray | None]:
        import numpy as np

        dim = self.manifest.dim
        if not dim:
            return None, None
        rows = np.frombuffer(self._member(VECTORS), "<f4").reshape(-1, dim).astype(np.float32)
        return rows, unpack_sentences(self._member(SENTENCES), dim)

    def _beside(self) -> SpaceVectors | None:
        import numpy as np

        dim = self.manifest.multilingual_dim
        if not dim:
            return None
        rows = np.frombuffer(self._member(VECTORS_BESIDE), "<f4").reshape(-1, dim).astype(np.float32)
        return SpaceVectors(self.manifest.multilingual, rows, unpack_sentences(self._member(SENTENCES_BESIDE), dim))

    def _member(self, name: str) -> bytes:
        if self._archive.getinfo(name).file_size > _LARGEST_MEMBER:
            raise ValueError(f"{name} says that it is larger than any bundle's")
        return self._archive.read(name)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, compression: int = zipfile.ZIP_DEFLATED) -> None:
    """Add a member that says nothing of when or on what system it was made."""
    member = zipfile.ZipInfo(name, _EPOCH)
    member.compress_type, member.create_system, member.external_attr = compression, _UNIX, _MODE
    archive.writestr(member, data)


def _add_vectors(archive: zipfile.ZipFile, bundle: Bundle) -> None:
    beside = bundle.multilingual
    if bundle.vectors is not None:
        _add_space(archive, bundle, (VECTORS, bundle.vectors), (SENTENCES, bundle.sentence_vectors))
    if beside is not None:
        _add_space(archive, bundle, (VECTORS_BESIDE, beside.chunks), (SENTENCES_BESIDE, beside.sentences))


def _add_space(
    archive: zipfile.ZipFile, bundle: Bundle, chunks: tuple[str, np.ndarray], sentences: tuple[str, np.ndarray | None]
) -> None:
    """The vectors of a space, each with the name of its member."""
    import numpy as np

    (name, vectors), (sentence_name, rows) = chunks, sentences
    _add(archive, name, np.ascontiguousarray(vectors, "<f4").tobytes(), zipfile.ZIP_STORED)
    packed = b"" if rows is None else b"".join(split_sentences(rows, bundle.chunks))
    _add(archive, sentence_name, packed, zipfile.ZIP_STORED)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _without_texts(chunks: list[list[Any]], text: str) -> None:
    """Chunks without the text that is the document's at their place; an index text that is the same goes too."""
    names = layout_of(Chunk)["Chunk"]
    start, end, own, index = map(names.index, ("start", "end", "text", "index_text"))
    for chunk in chunks:
        if chunk[index] == chunk[own]:
            chunk[index] = None
        if chunk[own] == text[chunk[start] : chunk[end]]:
            chunk[own] = None


def _with_texts(chunks: list[list[Any]], text: str, names: list[str]) -> None:
    """The chunks of :func:`_without_texts` with their texts."""
    start, end, own, index = map(names.index, ("start", "end", "text", "index_text"))
    for chunk in chunks:
        if chunk[own] is None:
            chunk[own] = text[chunk[start] : chunk[end]]
        if chunk[index] is None:
            chunk[index] = chunk[own]
