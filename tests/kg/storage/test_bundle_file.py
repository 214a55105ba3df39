"""A bundle's file: nothing lost, the same bytes for the same document, and every damage said as one error."""

from __future__ import annotations

import io
import json
import random
import zipfile
from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from cliquerag.core.anchor import Anchor
from cliquerag.core.errors import DocumentError
from cliquerag.core.period import Period
from cliquerag.ingest.document import Coverage
from cliquerag.kg.drivers import Cause
from cliquerag.kg.graph import Statement
from cliquerag.kg.storage.bundle_file import (
    MANIFEST,
    read_bundle_bytes,
    read_bundle_file,
    read_manifest,
    write_bundle,
)
from cliquerag.kg.storage.records import Forms, LayoutError, layout_of
from cliquerag.kg.store import Bundle
from cliquerag.models.embedders import SpaceVectors
from support.bundles import bundle, driver, fact, merge


@pytest.fixture
def given() -> Bundle:
    """A document with something in every field, lone surrogates and Chinese among it."""
    made = bundle(
        "b/年报.pdf",
        "[Acme Inc.] supplies [Bolt] with steel",
        "营业收入增长 [Acme]",
        facts=[fact("b/年报.pdf", "revenue", "-1.50", 10**6)],
        merges=[merge("Acme", "Acme Inc.")],
    )
    coverage = Coverage(3, {2: "an image"}, 40, dropped={"header": 2}, reader="PDF", notes=("hidden",))
    told = driver(made.chunks[0])
    causes = (Cause("volume", 1, 7, 1, "volume", causes=(Cause("price", 2, 4, -1),)),)
    graph = replace(made.graph, drivers=(replace(told, causes=causes),))
    document = replace(made.document, coverage=coverage, metadata=replace(made.document.metadata, title="\ud800"))
    facts = tuple(replace(known, anchors=(Anchor(2, ((1.5, 2, 3, 4),), "B4"),)) for known in made.facts)
    return replace(made, document=document, graph=graph, facts=facts)


def test_nothing_is_lost(given: Bundle) -> None:
    read = read_bundle_bytes(write_bundle(given, "key"), "here")
    assert read.document == given.document and read.document.coverage == given.document.coverage
    for name in ("chunks", "words", "heading_words", "facts", "graph", "embedder", "versions"):
        assert getattr(read, name) == getattr(given, name), name
    assert read.facts[0].value == Decimal("-1.50") and str(read.facts[0].value) == "-1.50"
    assert np.array_equal(read.vectors, given.vectors) and read.vectors.dtype == np.float32
    cosines = (read.sentence_vectors * given.sentence_vectors).sum(axis=1)
    assert cosines.min() > 0.999 and read.sentence_vectors.shape == given.sentence_vectors.shape


def test_written_again_it_has_the_same_bytes(given: Bundle) -> None:
    first = write_bundle(given, "key")
    assert write_bundle(read_bundle_bytes(first, "here"), "key") == first
    assert write_bundle(replace(given, ingested=None), "key") == first
    assert write_bundle(given, "other") != first


def test_it_says_nothing_of_when_and_where(given: Bundle) -> None:
    with zipfile.ZipFile(io.BytesIO(write_bundle(given, "key"))) as archive:
        members = archive.infolist()
        assert {member.date_time for member in members} == {(1980, 1, 1, 0, 0, 0)}
        assert {member.create_system for member in members} == {3}
        assert "ingested" not in json.loads(archive.read(MANIFEST))


def test_the_vectors_of_a_second_encoder_are_kept_apart(given: Bundle) -> None:
    random = np.random.default_rng(3)
    chunks, sentences = (
        random.standard_normal((len(rows), 24), np.float32) for rows in (given.vectors, given.sentence_vectors)
    )
    beside = SpaceVectors("other", chunks, sentences / np.linalg.norm(sentences, axis=1, keepdims=True))
    for own in (given, replace(given, vectors=None, sentence_vectors=None, embedder="")):
        read = read_bundle_bytes(write_bundle(replace(own, multilingual=beside), "key"), "here")
        assert read.embedder == own.embedder and (read.vectors is None) == (own.vectors is None)
        assert read.multilingual.embedder == "other" and np.array_equal(read.multilingual.chunks, chunks)
        assert (read.multilingual.sentences * beside.sentences).sum(axis=1).min() > 0.999


def test_without_vectors(given: Bundle) -> None:
    bare = replace(given, vectors=None, sentence_vectors=None, embedder="")
    read = read_bundle_bytes(write_bundle(bare, "key"), "here")
    assert read.vectors is None and read.sentence_vectors is None and read.chunks == given.chunks


def test_a_bundle_that_contradicts_itself_is_not_written(given: Bundle) -> None:
    with pytest.raises(ValueError, match="one row a chunk"):
        write_bundle(replace(given, vectors=given.vectors[:1]), "key")


def test_every_cut_is_noticed(given: Bundle, tmp_path) -> None:
    data = write_bundle(given, "key")
    path = tmp_path / "x.bundle"
    for length in (0, 1, 30, len(data) // 3, len(data) // 2, len(data) - 30, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(DocumentError, match=r"x\.bundle: the bundle is damaged") as raised:
            read_bundle_file(path)
        assert "Delete it and read the document again" in raised.value.hint


def test_changed_bytes_are_noticed_or_change_nothing(given: Bundle) -> None:
    data, dice = write_bundle(given, "key"), random.Random(3)
    noticed = 0
    for _ in range(300):
        changed = bytearray(data)
        changed[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
        try:
            read = read_bundle_bytes(bytes(changed), "x.bundle")
        except DocumentError as error:
            assert str(error).startswith("x.bundle: ")
            noticed += 1
        else:  # a byte that means nothing: a date, a right
            assert write_bundle(read, "key") == data
    assert noticed > 250


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": 99}, "its format is not the one"),
        ({"layout": {"Chunk": ["id", "colour"]}}, "of another version of CliqueRAG"),
        ({"layout": {}}, "of another version of CliqueRAG"),
        ({"colour": "red"}, "damaged"),
        ({"dim": 7}, "damaged"),
        ({"source": None}, "damaged"),
        ({"versions": 3, "layout": []}, "damaged"),
    ],
)
def test_a_manifest_of_another_kind(given: Bundle, change, says) -> None:
    data = rewritten(write_bundle(given, "key"), change)
    with pytest.raises(DocumentError, match=says):
        read_bundle_bytes(data, "x.bundle")


def test_what_is_no_bundle(tmp_path) -> None:
    other = tmp_path / "office.bundle"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(DocumentError, match="this is no bundle of CliqueRAG"):
        read_manifest(other)
    with pytest.raises(DocumentError, match="there is no such bundle"):
        read_manifest(tmp_path / "gone.bundle")
    with pytest.raises(DocumentError, match="cannot be read"):
        read_manifest(tmp_path)


def rewritten(data: bytes, change) -> bytes:
    """The file with other entries in its manifest."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            if member.filename == MANIFEST:
                content = json.dumps({**json.loads(content), **change}).encode()
            new.writestr(member, content)
    return file.getvalue()


def test_a_field_that_the_writer_did_not_know_has_its_default() -> None:
    layout = {name: list(fields) for name, fields in layout_of(Statement).items()}
    plain = (
        Forms(layout)
        .of(Statement)
        .write(Statement("1", "a", "r", "b", "d", "c", 0, 1, "text", published=date(2020, 1, 2)))
    )
    place = layout["Statement"].index("modality")
    del layout["Statement"][place], plain[place]
    read = Forms(layout).of(Statement).read(plain)
    assert read.modality == "asserted" and read.published == date(2020, 1, 2)


def test_a_field_without_default_has_to_be_there() -> None:
    layout = {**layout_of(Period), "Period": ["unit"]}
    with pytest.raises(LayoutError, match="no field 'year'"):
        Forms(layout).of(Period)
