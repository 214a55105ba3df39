"""From a document to what is embedded and searched of it, with vectors."""

from __future__ import annotations

import numpy as np
import pytest
from cliquerag.core.period import Period
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document, Metadata, Segment
from cliquerag.ingest.index_text import IndexOptions

SENTENCES = ("Sales in the east rose by 5%, and our costs in the west fell by 2%.", "We lease the mill from the town.")
TEXT = " ".join(SENTENCES)
DOCUMENT = Document(
    "a.txt",
    TEXT,
    (Segment("paragraph", 0, len(TEXT), headings=("Results",)),),
    metadata=Metadata(companies=("Acme Inc.",), kind="10-K", period=Period("year", 2023, fiscal=True)),
)


class Letters:
    """Vectors by the letters of a text; keeps what it was asked. Its tokens are the words."""

    name, dim = "letters", 26

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        vectors = np.array([self._counts(text) for text in texts], np.float32).reshape(len(texts), 26)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    def token_states(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        starts = [at for at in range(len(text)) if text[at] != " " and (at == 0 or text[at - 1] == " ")]
        words = text.split()
        offsets = np.array([(at, at + len(word)) for at, word in zip(starts, words, strict=True)], np.int64)
        return offsets, np.array([self._counts(word) for word in words], np.float32)

    @staticmethod
    def _counts(text: str) -> list[float]:
        return [1e-3 + text.lower().count(chr(97 + letter)) for letter in range(26)]


def _made(embedder: Letters, texts: str = "plain", vectors: str = "mean"):
    return make_chunks(DOCUMENT, make_chunker("fixed"), embedder, IndexOptions.of(texts, vectors))


def test_propositions_have_a_vector_each_and_point_to_their_printed_sentence() -> None:
    embedder = Letters()
    result = _made(embedder, "propositions")
    (chunk,) = result.chunks
    assert embedder.asked == [
        "FY2023: Sales in the east rose by 5%.",
        "FY2023: Acme's costs in the west fell by 2%.",
        "FY2023: Acme lease the mill from the town.",
    ]
    first, second = (0, len(SENTENCES[0])), (len(SENTENCES[0]) + 1, len(TEXT))
    assert chunk.sentences == (first, first, second) and chunk.printed == (first, second)
    assert result.sentence_vectors is not None and result.vectors is not None
    assert len(result.sentence_vectors) == 3
    halves = result.sentence_vectors[:2].sum(0)
    mean = halves / np.linalg.norm(halves) + result.sentence_vectors[2]
    assert np.allclose(result.vectors[0], mean / np.linalg.norm(mean), atol=1e-6)
    assert chunk.text == TEXT and "Acme" not in chunk.text and "Acme" in chunk.index_text


def test_names_go_into_vectors_and_words_alike() -> None:
    embedder = Letters()
    (chunk,) = _made(embedder, "names").chunks
    assert embedder.asked[1] == "Acme lease the mill from the town."
    assert (
        chunk.index_text
        == "Sales in the east rose by 5%, and Acme's costs in the west fell by 2%. Acme lease the mill from the town."
    )
    assert chunk.text == TEXT


def test_a_context_line_is_embedded_once_for_all_chunks_under_it() -> None:
    embedder = Letters()
    plain, result = _made(Letters()), _made(embedder, "context")
    line = "Acme Inc. | 10-K | FY2023 | Results"
    assert embedder.asked.count(line) == 1
    assert result.chunks[0].index_text == f"{line}\n{TEXT}"
    assert result.vectors is not None and plain.vectors is not None
    assert not np.allclose(result.vectors, plain.vectors, atol=1e-3)
    assert np.array_equal(result.sentence_vectors, plain.sentence_vectors)


@pytest.mark.parametrize(
    ("texts", "vectors", "passage"),
    [
        ("plain", "text", TEXT),
        ("plain", "meta", f"Acme Inc. | 10-K | FY2023 | Results | {TEXT}"),
        ("context", "text", f"Acme Inc. | 10-K | FY2023 | Results | {TEXT}"),
    ],
)
def test_the_text_of_a_chunk_is_embedded_with_what_stands_over_it(texts: str, vectors: str, passage: str) -> None:
    embedder = Letters()
    _made(embedder, texts, vectors)
    assert embedder.asked[-1] == passage


def test_late_vectors_mix_the_states_of_a_chunks_tokens() -> None:
    mean, late, whole = (_made(Letters(), vectors=kind).vectors for kind in ("mean", "late:0.5", "late:1"))
    states = Letters().token_states(TEXT)[1].sum(axis=0)
    assert mean is not None and late is not None and whole is not None
    assert np.allclose(whole[0], states / np.linalg.norm(states), atol=1e-6)
    between = mean[0] + whole[0]
    assert np.allclose(late[0], between / np.linalg.norm(between), atol=1e-6)


def test_without_an_embedder_words_are_enriched_all_the_same() -> None:
    result = make_chunks(DOCUMENT, make_chunker("fixed"), None, IndexOptions.of("names+context+propositions"))
    assert result.vectors is None and result.chunks[0].index_text.startswith("Acme Inc. | 10-K | FY2023 | Results\n")
