"""Sentences that may answer a question about relations, and what the graph has read from them.

They stand in the passages found, on the rest of their pages, in passages that mention those named, and in passages with
words of the relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property
from itertools import chain, compress, islice
from operator import not_
from typing import TYPE_CHECKING

from .....core.orders import gives_orders
from .....core.patterns import on_demand
from .....core.records import dataclass
from .....core.sequences import overlaps_one, without
from .....core.words import Sought, search_words, sought
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Entity, Statement
from ....question.plan import QuestionPlan
from ....question.scope.name_letters import holds_in_order, letters_of
from ....question.wording.answer_type import only_points
from ....search.chunk_evidence import chunk_evidence
from ....search.evidence import TEXTS, Evidence
from ....search.index.spaces import question_vectors
from ....search.retrievers.asked_relations import (
    AskedRelations,
    asked_of,
    is_the_other_way,
    named_entities,
    relations_asked,
    tells_the_other_way,
)
from ....search.retrievers.relational_request import RelationalRequest, documents_told_in
from ..completion import rest_of_pages
from ..quotables import StoredChunk, quotable, stored_chunks, table_lead
from ..requirements.statement import AttributeRequirement, read_attribute

if TYPE_CHECKING:
    from .....models.embedders import Embedder

_MATCHING, _MENTIONING, _STATING = 60, 40, 40
"""Passages with the words asked, with a mention of somebody named, and with a statement of the relation asked, that are
read beside the hits."""
_MOST_MENTIONS = 20_000
_INTRODUCTION = 1_000
"""Characters at the head of a document that say whom all of it is about."""
_ITS_OWN = 5
"""Times that a document says a name, where it is the one that it is about."""
_HONORIFIC = on_demand(r"\b(?:M[rs]s?\.|Dr\.)\s[A-Z]")
_NO_BREAK = "\u00a0"
"""A blank as filings print it, which no pattern of words has."""
_BEFORE, _BEHIND = 350, 175
"""Characters around a sentence that say what it goes on about."""


def keys_of_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names of one as :meth:`SearchedText.names` takes them."""
    return tuple(filter(None, (" ".join(search_words(name)) for name in names)))


class SearchedText:
    """A text in which the search terms of a question are looked for; it is stemmed whole only for names of two words
    whose words all stand in it."""

    def __init__(self, text: str, asked: Sought) -> None:
        self.text = text
        self._asked = asked

    @cached_property
    def held(self) -> Set[str]:
        """Those of the terms asked that stand in it."""
        return self._asked.found_in(self.text)

    @cached_property
    def _joined(self) -> str:
        return f" {' '.join(search_words(self.text))} "

    def names(self, keys: Sequence[str]) -> bool:
        """True where one of the names stands in it; they are given as their search terms, joined by blanks."""
        return any(self._says(key) for key in keys)

    def _says(self, key: str) -> bool:
        words = key.split()
        if not self.held >= set(words):
            return False
        return len(words) == 1 or f" {key} " in self._joined


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or row of a passage; offsets are in the document's text, ``value`` is that of its passage, 0 to 1."""

    item: Evidence
    text: str
    start: int
    end: int
    inside: SearchedText
    """It, with what stands over its table."""
    cosine: float
    value: float = 1.0


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

    _the_other_way: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Chunk -> where statements were read in which somebody else does to somebody else what is asked."""
    _people: set[str] = field(default_factory=set)
    _relations: AskedRelations = field(init=False)
    _named: frozenset[str] = field(init=False)
    _written: list[tuple[str, ...]] = field(init=False)
    """All names of those named with a capital."""
    _keys: list[tuple[str, ...]] = field(init=False)
    """The same by their search terms."""
    _attribute: AttributeRequirement = field(init=False)
    _asked: Sought = field(init=False)
    """The search terms that sentences are compared with."""
    _around: dict[tuple[str, int, int], SearchedText] = field(default_factory=dict)
    _introduced: dict[str, list[bool]] = field(default_factory=dict)
    """Source -> whether all of it is about each of them."""

    def __post_init__(self) -> None:
        self._relations = asked_of(self.plan)
        self._named = frozenset(named_entities(self.plan))
        self._written = [names for names in self.request.names if not names[0].islower()]
        self._keys = list(map(keys_of_names, self._written))
        self._attribute = read_attribute(self.plan)
        self._asked = sought(self.request.compared_terms)

    def sentences(self, evidence: Sequence[Evidence], embedder: Embedder | None) -> Iterator[Sentence]:
        """The sentences of all passages that may answer: where an office is asked for, those that name it."""
        items = self._passages(evidence)
        vector, beside = question_vectors(embedder, {self.plan.asked.trimmed: 1.0})
        stored = stored_chunks(self.plan.store, items, vector, beside)
        self._read_graph([item.id for item in items])
        for item in items:
            chunk, lead = stored.get(item.id, StoredChunk()), table_lead(item)
            for printed, start, end, cosine in quotable(item, chunk.spans):
                text = printed.replace(_NO_BREAK, " ")
                if self._may_answer(text):
                    inside = SearchedText(f"{text} {lead}" if lead else text, self._asked)
                    sentence = Sentence(item, text, start, end, inside, cosine, chunk.value)
                    if not self._tells_the_other_way(sentence):
                        yield sentence

    def entities(self, sentence: Sentence) -> list[Entity]:
        """Whom a sentence names."""
        known = self._entities.get(sentence.item.id, ())
        return [entity for start, end, entity in known if sentence.start <= start and end <= sentence.end]

    def is_stated(self, sentence: Sentence) -> bool:
        """True where the graph has read a statement from the sentence that speaks of what is asked."""
        return _is_within(sentence, self._stated)

    def _tells_the_other_way(self, sentence: Sentence) -> bool:
        """True where somebody else does to somebody else what is asked, and nothing else is stated of what is asked."""
        if self.is_stated(sentence):
            return False
        if _is_within(sentence, self._the_other_way):
            return True
        return tells_the_other_way(self.plan, self._relations, sentence.text, sentence.item.source)

    def names_person(self, text: str) -> bool:
        """True where a text names a person whom the graph knows, or says "Ms. Roe"."""
        return _HONORIFIC.search(text) is not None or any(name in text for name in self._people)

    def around(self, sentence: Sentence) -> SearchedText:
        """What stands over, before and behind a sentence."""
        place = (sentence.item.source, sentence.start, sentence.end)
        if place not in self._around:
            text = self.text(sentence.item.source)
            before = text[max(0, sentence.start - _BEFORE) : sentence.start]
            behind = text[sentence.end : sentence.end + _BEHIND]
            self._around[place] = SearchedText(" ".join((*sentence.item.headings, before, behind)), self._asked)
        return self._around[place]

    def text(self, source: str) -> str:
        """The text of a document, with common blanks; places in it stay."""
        if source not in self._texts:
            self._texts[source] = self.plan.store.text(source).replace(_NO_BREAK, " ")
        return self._texts[source]

    def _passages(self, evidence: Sequence[Evidence]) -> list[Evidence]:
        store = self.plan.store
        documents = documents_told_in(self.plan)
        found = [item for item in evidence if item.kind in TEXTS]
        found = [*found, *rest_of_pages(store, found)]
        ids = [hit.id for hit in store.matching(self.request.search_terms, _MATCHING, documents)]
        mentions = store.mentions(entities=self.request.entities, limit=_MENTIONING, documents=documents)
        ids.extend(mention.chunk for mention in mentions)
        ids.extend(self._stating())
        known = {item.id for item in found}
        new = without(dict.fromkeys(ids), known)
        found.extend(chunk_evidence(chunk, 0.0, {"relation": 1.0}) for chunk in store.chunks(new))
        if documents is None:
            return found
        return [item for item in found if item.source in documents]

    def _stating(self) -> list[str]:
        """Ids of passages from which the graph states the relation asked of those named, be they found or not."""
        steps = relations_asked(self.plan, self._relations, self._named)
        said = chain.from_iterable(relation.statements for relation in steps.first)
        return [statement.chunk for statement in islice(said, _STATING)]

    def _read_graph(self, ids: Sequence[str]) -> None:
        store = self.plan.store
        mentions = store.mentions(chunks=ids, limit=_MOST_MENTIONS)
        known = {entity.id: entity for entity in store.entities({mention.entity for mention in mentions})}
        for mention in mentions:
            if mention.entity in known:
                place = (mention.start, mention.end, known[mention.entity])
                self._entities.setdefault(mention.chunk, []).append(place)
        self._people.update(entity.name for entity in known.values() if entity.type == "person")
        for said in store.statements(chunks=ids):
            if is_the_other_way(said.relation, said.head, said.tail, self._relations, self._named):
                self._the_other_way.setdefault(said.chunk, []).append((said.start, said.end))
            elif self._is_asked(said):
                self._stated.setdefault(said.chunk, []).append((said.start, said.end))

    def _is_asked(self, said: Statement) -> bool:
        """True for a statement about somebody beside the filers, and for one of the relations asked about them."""
        ends = (said.head, said.tail)
        if not self.request.entities.isdisjoint(ends):
            return True
        return said.relation in self._relations.all and not self._named.isdisjoint(ends)

    def _may_answer(self, text: str) -> bool:
        """True for a text that tells what is asked of somebody, and names the office whose holder is asked for."""
        request = self.request
        if not self._attribute.is_told(text):
            return False
        asks_holder = bool(request.offices) and not request.person
        return not asks_holder or not request.offices.isdisjoint(offices_in(text))

    def speaks_of_named(self, sentence: Sentence) -> bool:
        """True where one of those named with a capital stands in or beside a sentence or opens its document; always
        where none is named."""
        return not self._keys or any(self._about(sentence.item.source)) or self._names_one(sentence, self._keys)

    def speaks_of_others(self, sentence: Sentence) -> bool:
        """False where a document is about some of those named, and no other of them stands in or beside a sentence."""
        about = self._about(sentence.item.source)
        others = list(compress(self._keys, map(not_, about)))
        return not others or not any(about) or self._names_one(sentence, others)

    def _names_one(self, sentence: Sentence, named: Sequence[tuple[str, ...]]) -> bool:
        return any(sentence.inside.names(keys) or self.around(sentence).names(keys) for keys in named)

    def _about(self, source: str) -> list[bool]:
        """Whether a document is about each of those named: its first lines say so, it says the name often, or it is
        known by a ticker of these letters alone."""
        if source not in self._introduced:
            text = self.text(source)
            opening = SearchedText(text[:_INTRODUCTION], self._asked)
            codes = [code.lower() for code in self._codes(source)]
            self._introduced[source] = [
                opening.names(keys) or (not self.plan.companies and _is_named_often(text, names, codes))
                for keys, names in zip(self._keys, self._written, strict=True)
            ]
        return self._introduced[source]

    def _codes(self, source: str) -> Sequence[str]:
        """The tickers of a document whose company has no other name; none of any other."""
        record = self.plan.catalogue.by_source.get(source)
        known = record.companies if record else ()
        return known if all(map(str.isupper, known)) else ()


def _is_named_often(text: str, names: Sequence[str], codes: Sequence[str]) -> bool:
    """True for a text that says a name often, or that says it at all and is known by letters of it ("SLM": Selmond)."""
    said = text.count(names[0])
    letters = letters_of(names[0]).lower()
    return said >= _ITS_OWN or (said > 0 and any(holds_in_order(code, letters) for code in codes))


def _is_within(sentence: Sentence, places: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """True where a sentence has a part of one of the places of its chunk."""
    return overlaps_one(sentence.start, sentence.end, places.get(sentence.item.id, ()))


def states_something(text: str) -> bool:
    """False for a text that only points elsewhere, or that orders whoever reads it to do something."""
    return not only_points(text) and not gives_orders(text)
