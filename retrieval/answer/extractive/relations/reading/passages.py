"""Sentences that may answer a question about relations, and what the graph has read from them.

They stand in the passages found, on the rest of their pages, in passages that mention those named, and in passages with
words of the relation.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ......core.orders import gives_orders
from ......core.words import search_words
from ......kg.extraction.structure.cells import offices_in
from ......kg.graph import Entity, Statement
from .....question.expectations.answer_type import only_points
from .....question.plan import QuestionPlan
from .....search.evidence import Evidence
from .....search.index.spaces import question_vectors
from .....search.passages import chunk_evidence
from .....search.retrievers.asked_relations import asked_of, named_entities
from ...completion import rest_of_pages
from ...quotables import TEXT_KINDS, StoredChunk, quotable, stored_chunks
from ...requirements.base import company_documents
from .request import RelationalRequest

if TYPE_CHECKING:
    from ......models.embedder import Embedder

_MATCHING, _MENTIONING = 60, 40
"""Passages with the words asked, and with a mention of somebody named, that are read beside the hits."""
_MOST_MENTIONS = 20_000
_INTRODUCTION = 1_000
"""Characters at the head of a document that say whom all of it is about."""
_ITS_OWN = 5
"""Times that a document says a name, where it is the one that it is about."""
_HONORIFIC = re.compile(r"\b(?:M[rs]s?\.|Dr\.)\s[A-Z]")
_BEFORE, _BEHIND = 350, 175
"""Characters around a sentence that say what it goes on about."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or row of a passage; offsets are in the document's text, ``value`` is that of its passage, 0 to 1."""

    item: Evidence
    text: str
    start: int
    end: int
    cosine: float
    value: float = 1.0


def is_named(names: Sequence[str], text: str) -> bool:
    """True where a text holds one of the names, by their search terms."""
    said = f" {' '.join(search_words(text))} "
    return any(f" {' '.join(search_words(name))} " in said for name in names)


@dataclass(slots=True)
class PassageReader:
    """Reads the sentences that may answer a request."""

    plan: QuestionPlan
    request: RelationalRequest
    _texts: dict[str, str] = field(default_factory=dict)
    _entities: dict[str, list[tuple[int, int, Entity]]] = field(default_factory=dict)
    """Chunk -> whom it names, each with where."""
    _stated: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Chunk -> where statements were read that speak of what is asked."""

    _people: set[str] = field(default_factory=set)
    _relations: frozenset[str] = field(init=False)
    _named: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._relations = frozenset(asked_of(self.plan).all)
        self._named = frozenset(named_entities(self.plan))

    def sentences(self, evidence: Sequence[Evidence], embedder: Embedder | None) -> Iterator[Sentence]:
        """The sentences of all passages that may answer."""
        items = self._passages(evidence)
        vector, beside = question_vectors(embedder, {self.plan.asked.trimmed: 1.0})
        stored = stored_chunks(self.plan.store, items, vector, beside)
        self._read_graph([item.id for item in items])
        for item in items:
            chunk = stored.get(item.id, StoredChunk())
            for text, start, end, cosine in quotable(item, chunk.spans):
                sentence = Sentence(item, text, start, end, cosine, chunk.value)
                if self._may_answer(sentence):
                    yield sentence

    def entities(self, sentence: Sentence) -> list[Entity]:
        """Whom a sentence names."""
        known = self._entities.get(sentence.item.id, ())
        return [entity for start, end, entity in known if sentence.start <= start and end <= sentence.end]

    def is_stated(self, sentence: Sentence) -> bool:
        """True where the graph has read a statement from the sentence that speaks of what is asked."""
        known = self._stated.get(sentence.item.id, ())
        return any(start < sentence.end and sentence.start < end for start, end in known)

    def names_person(self, text: str) -> bool:
        """True where a text names a person whom the graph knows, or says "Ms. Roe"."""
        return _HONORIFIC.search(text) is not None or any(name in text for name in self._people)

    def around(self, sentence: Sentence) -> str:
        """What stands over, before and behind a sentence."""
        text = self.text(sentence.item.source)
        before = text[max(0, sentence.start - _BEFORE) : sentence.start]
        return " ".join((*sentence.item.headings, before, text[sentence.end : sentence.end + _BEHIND]))

    def text(self, source: str) -> str:
        """The text of a document."""
        if source not in self._texts:
            document = self.plan.store.document(source)
            self._texts[source] = document.text if document else ""
        return self._texts[source]

    def _passages(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        store = self.plan.store
        documents = self._documents()
        found = [item for item in evidence if item.kind in TEXT_KINDS and item.id]
        found = [*found, *rest_of_pages(store, found)]
        ids = [hit.id for hit in store.matching(self.request.search_terms, _MATCHING, documents)]
        if self.request.entities:
            mentions = store.mentions(entities=self.request.entities, limit=_MENTIONING, documents=documents)
            ids.extend(mention.chunk for mention in mentions)
        known = {item.id for item in found}
        new = [id for id in dict.fromkeys(ids) if id not in known]
        found.extend(chunk_evidence(chunk, 0.0, {"relation": 1.0}) for chunk in store.chunks(new))
        if documents is None:
            return found
        return [item for item in found if item.source in documents]

    def _documents(self) -> Collection[str] | None:
        """Where to look: all documents of the companies named, those of the period where one is asked; None for all.

        What an older report tells of a deal the newest may not.
        """
        plan = self.plan
        if plan.selection.everything:
            return None
        if plan.asked.periods or plan.scope is not None:
            return set(plan.selection.sources)
        return company_documents(plan) or set(plan.selection.sources)

    def _read_graph(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        store = self.plan.store
        mentions = store.mentions(chunks=ids, limit=_MOST_MENTIONS)
        known = {entity.id: entity for entity in store.entities({mention.entity for mention in mentions})}
        for mention in mentions:
            if mention.entity in known:
                place = (mention.start, mention.end, known[mention.entity])
                self._entities.setdefault(mention.chunk, []).append(place)
        self._people.update(entity.name for entity in known.values() if entity.type == "person")
        for said in store.statements(chunks=ids):
            if self._is_asked(said):
                self._stated.setdefault(said.chunk, []).append((said.start, said.end))

    def _is_asked(self, said: Statement) -> bool:
        """True for a statement about somebody beside the filers, and for one of the relations asked about them."""
        ends = (said.head, said.tail)
        if not self.request.entities.isdisjoint(ends):
            return True
        return said.relation in self._relations and not self._named.isdisjoint(ends)

    def _may_answer(self, sentence: Sentence) -> bool:
        """True for a statement that names the office asked for, and stands beside somebody named in the question."""
        if only_points(sentence.text) or gives_orders(sentence.text):
            return False
        return self._names_office(sentence.text) and self._speaks_of_named(sentence)

    def _names_office(self, text: str) -> bool:
        request = self.request
        asks_holder = bool(request.offices) and not request.person
        return not asks_holder or not request.offices.isdisjoint(offices_in(text))

    def _speaks_of_named(self, sentence: Sentence) -> bool:
        """True where one of those named with a capital stands in or beside a sentence or opens its document; always
        where none is named."""
        names = [written for written in self.request.names if not written[0].islower()]
        if not names:
            return True
        text = self.text(sentence.item.source)
        if not self.plan.companies and any(text.count(written[0]) >= _ITS_OWN for written in names):
            return True  # a call that nobody has titled is of whom it speaks all the time
        said = f"{text[:_INTRODUCTION]} {sentence.text} {self.around(sentence)}"
        return any(is_named(written, said) for written in names)
