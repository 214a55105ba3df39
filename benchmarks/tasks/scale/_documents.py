"""Invented filings of ten chunks, as an ingest would hand them to a store: made fast, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from cliquerag.core.anchor import Anchor
from cliquerag.core.fact import Fact
from cliquerag.core.ids import stable_id
from cliquerag.core.period import Period
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Document, Line, Metadata
from cliquerag.kg.graph import Entity, Mention, Statement
from cliquerag.kg.store import Bundle, GraphPart

if TYPE_CHECKING:
    import numpy as np

CHUNKS = 10
DIM = 384
SENTENCES = 12
_SENTENCE_WORDS = 22
_TERM_SHARE = 0.6
"""Of the words of a text, what full-text search keeps: no stop words, no numbers."""

_VOCABULARY = 60_000
_COMPANY_DOCUMENTS = 12
_OWN_NAMES, _COMMON_NAMES = 40, 2_000
_MENTIONS, _FACTS = 8, 20
HUB = "Holding 0"
"""An end of one in twenty-five of all relations."""
_TOPICS = 2_000
_RELATIONS = ("supplies", "acquires", "competes_with", "leads", "launches", "invests_in")


@dataclass(frozen=True)
class Filings:
    """Twelve filings a company; words and common names follow Zipf's law, vectors lie around topics."""

    seed: int = 7
    statements: int = 12
    """A filing, between entities that it mentions."""

    @cached_property
    def _words(self) -> tuple[np.ndarray, np.ndarray]:
        import numpy as np

        rng = np.random.default_rng(self.seed)
        letters = np.array(list("etaoinshrdlucmfwypvbgk"))
        words = np.array(["".join(rng.choice(letters, 3 + rank % 8)) + str(rank) for rank in range(_VOCABULARY)])
        shares = 1 / np.arange(1, _VOCABULARY + 1) ** 0.95
        return words, np.cumsum(shares / shares.sum())

    @cached_property
    def _topics(self) -> np.ndarray:
        import numpy as np

        return np.random.default_rng(self.seed).standard_normal((_TOPICS, DIM), np.float32)

    def query(self, terms: int = 12) -> list[str]:
        """Search terms of a question, common and rare: ranks spread evenly on a logarithmic scale."""
        import numpy as np

        words, _ = self._words
        return [str(words[int(rank)]) for rank in np.geomspace(30, _VOCABULARY / 2, terms)]

    def bundle(self, number: int) -> Bundle:
        """Filing ``number``, ready to store."""
        import numpy as np

        rng = np.random.default_rng([self.seed, number])
        words, shares = self._words
        drawn = words[np.searchsorted(shares, rng.random((CHUNKS * SENTENCES, _SENTENCE_WORDS)))]
        source = f"company-{number // _COMPANY_DOCUMENTS}/filing-{number}.pdf"
        sentences = [" ".join(row).capitalize() + "." for row in drawn]
        chunks = _chunks(source, sentences)
        terms = drawn.reshape(CHUNKS, -1)[:, : int(SENTENCES * _SENTENCE_WORDS * _TERM_SHARE)]
        topic = self._topics[rng.integers(_TOPICS)]
        text = "\n\n".join(chunk.text for chunk in chunks)
        lines = tuple(
            Line(a, b, 1 + i // 4, _box(k)) for i, c in enumerate(chunks) for k, (a, b) in enumerate(c.sentences)
        )
        return Bundle(
            document=Document(source, text, (), _metadata(number), lines=lines, content_hash=stable_id(number)),
            chunks=chunks,
            words=tuple(" ".join(row) for row in terms),
            heading_words=tuple(" ".join(row[:4]) for row in terms),
            facts=tuple(_fact(source, number, i, rng) for i in range(_FACTS)),
            graph=_graph(source, number, chunks, sentences, rng, self.statements),
            vectors=_around(topic, rng, CHUNKS),
            sentence_vectors=_around(topic, rng, CHUNKS * SENTENCES),
            embedder="benchmark",
        )


def _chunks(source: str, sentences: list[str]) -> tuple[Chunk, ...]:
    chunks, start = [], 0
    for ordinal in range(CHUNKS):
        own = sentences[ordinal * SENTENCES : (ordinal + 1) * SENTENCES]
        spans, at = [], start
        for sentence in own:
            spans.append((at, at + len(sentence)))
            at += len(sentence) + 1
        text = " ".join(own)
        boxes = tuple(_box(k) for k in range(SENTENCES))
        chunks.append(
            Chunk(
                id=stable_id("chunk", source, ordinal),
                document=source,
                ordinal=ordinal,
                start=start,
                end=start + len(text),
                text=text,
                headings=("Item 7", "Management's discussion", f"Part {ordinal}"),
                anchors=(Anchor(1 + ordinal // 4, boxes),),
                tokens=len(text) // 4,
                sentences=tuple(spans),
                index_text=text,
            )
        )
        start += len(text) + 2
    return tuple(chunks)


def _box(line: int) -> tuple[float, float, float, float]:
    return (72.0, 90.5 + 13.2 * line, 540.25, 101.7 + 13.2 * line)


def _metadata(number: int) -> Metadata:
    company, year = number // _COMPANY_DOCUMENTS, 2010 + number % _COMPANY_DOCUMENTS
    return Metadata(
        title=f"Annual report {year}",
        companies=(f"Company {company} Inc.",),
        kind="10-K",
        period=Period("year", year, fiscal=True),
        published=date(year + 1, 2, 1),
        how={"companies": "cover page", "period": "cover page"},
    )


def _fact(source: str, number: int, ordinal: int, rng: np.random.Generator) -> Fact:
    value = int(rng.integers(1, 10**6))
    return Fact(
        company=f"Company {number // _COMPANY_DOCUMENTS} Inc.",
        metric=f"metric {ordinal}",
        label=f"Current assets > Line {ordinal}",
        period=Period("year", 2010 + number % _COMPANY_DOCUMENTS, fiscal=True),
        text=f"{value:,}",
        value=Decimal(value),
        unit="USD",
        scale=Decimal(10**6),
        source_kind="table",
        source=source,
        anchors=(Anchor(3, (_box(ordinal),)),),
        start=ordinal,
        end=ordinal + 1,
        id=stable_id("fact", source, ordinal),
    )


def _graph(
    source: str, number: int, chunks: tuple[Chunk, ...], sentences: list[str], rng: np.random.Generator, count: int
) -> GraphPart:
    company = number // _COMPANY_DOCUMENTS
    own = (company * _OWN_NAMES + rng.integers(0, _OWN_NAMES, (CHUNKS, _MENTIONS))).tolist()
    common = (_COMMON_NAMES * rng.random((CHUNKS, _MENTIONS)) ** 3).astype(int).tolist()
    entities: dict[str, Entity] = {}
    mentions: list[Mention] = []
    for i, chunk in enumerate(chunks):
        for j, (start, _) in enumerate(chunk.sentences[:_MENTIONS]):
            name = f"Holding {common[i][j]}" if j % 3 == 2 else f"Unit {own[i][j]}"
            entity = Entity(stable_id("entity", "company", name.casefold()), name, "company", name.casefold())
            entities[entity.id] = entity
            mentions.append(Mention(entity.id, chunk.id, start, start + len(name), name))
    statements = [
        Statement(
            id=stable_id("statement", source, i),
            head=mentions[one].entity,
            relation=_RELATIONS[i % len(_RELATIONS)],
            tail=mentions[one + 1].entity,
            document=source,
            chunk=mentions[one].chunk,
            start=mentions[one].start,
            end=mentions[one].start + len(sentences[one]),
            text=sentences[one],
            anchors=(Anchor(1, (_box(i),)),),
            published=date(2020, 2, 1),
            confidence=0.8,
        )
        for i, one in enumerate(rng.integers(0, len(mentions) - 1, count).tolist())
    ]
    return GraphPart("benchmark-1", tuple(entities.values()), tuple(mentions), tuple(statements))


def _around(topic: np.ndarray, rng: np.random.Generator, rows: int) -> np.ndarray:
    import numpy as np

    vectors = topic + 1.5 * rng.standard_normal((rows, DIM), np.float32)
    unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


class NoEncoder:
    """Any unit vector for a question, at no cost: what is measured is the search."""

    name, dim = "benchmark", DIM

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), 384), unit rows, the same for texts of one length."""
        import numpy as np

        vectors = np.random.default_rng(len(texts[0])).standard_normal((len(texts), DIM)).astype(np.float32)
        unit: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit
