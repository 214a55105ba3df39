"""From a document's chunks to a graph part: entities, mentions, dated statements, merges that the text gives."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...core.ids import stable_id
from ...core.names import name_key
from ...core.orders import stands_in_orders
from ...core.period import Period, label_of
from ...core.sequences import first
from ...ingest.chunk import Chunk
from ...ingest.document import Document
from ..entity_names import SHORT_NAME, TICKER, first_place, short_names, stated_names, ticker_name, tickers_of
from ..graph import Entity, Mention, Merge, Statement
from ..resolution.people import People
from ..schema import Schema
from ..store import GraphPart
from ..triple import Extraction, Extractor, Name, Passage, Triple
from .drivers.model import read_drivers
from .rules import RulesExtractor, guess_language
from .rules.details import OUTLOOK, period_ahead
from .structure.cells import offices_in
from .structure.filing import PLAIN_BLANKS
from .structure.triples import structure_triples

if TYPE_CHECKING:
    from ...models.language import LanguageModel

_UNSETTLED = "thing"
_SURE = 0.9
"""Confidence of a statement none of whose ends had its type guessed."""
_SHORT_FORM = re.compile(r"\((?P<short>[A-Z][A-Z&]{1,9})\)")
_LEAST_FOR_SHORT_FORM = 2
"""Segments of which one may be the short form of the other."""
_LONGEST_NAME = 120
_LEAST_UNSETTLED = 2
"""A name of unknown type stands in the graph only where a document names it at least this often."""


def build_graph(document: Document, chunks: Sequence[Chunk], extractor: Extractor) -> GraphPart:
    """Read the text chunks of a document and put what was found into the form that a store takes.

    Values of tables are facts, never nodes; of tables and lists it is read what they state: subsidiaries, officers,
    debts ... The same document and extractor give the same ids.
    """
    texts = [chunk for chunk in chunks if chunk.kind == "text"]
    extractions = extractor.extract(passages_of(document, chunks))
    stated = list(structure_triples(document, _types_of(extractions)))
    builder = _Builder(document, extractor.name, extractions, stated)
    for chunk, extraction in zip(texts, extractions, strict=True):
        builder.add(chunk, extraction)
    builder.add_structure(chunks, stated)
    builder.add_other_names(chunks, tickers_of(document.metadata, extractions))
    return GraphPart(
        extractor=f"{extractor.name}-{extractor.version}",
        entities=tuple(builder.entities.values()),
        mentions=tuple(builder.mentions.values()),
        statements=tuple(builder.statements.values()),
        merges=tuple(builder.merges.values()),
        rejected=tuple(chain.from_iterable(extraction.rejected for extraction in extractions)),
        drivers=read_drivers(document, chunks, extractor),
    )


def passages_of(document: Document, chunks: Sequence[Chunk]) -> list[Passage]:
    """What an extractor is given of a document: its text chunks, in order. Tables hold values, which are facts."""
    return [_passage(document, chunk) for chunk in chunks if chunk.kind == "text"]


def document_triples(document: Document, chunks: Sequence[Chunk], extractor: Extractor) -> list[Triple]:
    """The triples of a document without building its graph; their offsets are in the document's text."""
    texts = [chunk for chunk in chunks if chunk.kind == "text"]
    extractions = extractor.extract(passages_of(document, chunks))
    triples: list[Triple] = []
    for chunk, extraction in zip(texts, extractions, strict=True):
        for triple in extraction.triples:
            triples.append(replace(triple, start=triple.start + chunk.start, end=triple.end + chunk.start))
    return triples


def extract_text(text: str, extractor: Extractor) -> list[Triple]:
    """The triples of a text without a document around it.

    >>> from cliquerag.kg.schema import load_schema
    >>> extractor = RulesExtractor(load_schema())
    >>> [t.as_list()[:5] for t in extract_text("Acme Inc. acquired Beta Corp. in 2021.", extractor)]
    [['Acme Inc.', 'company', 'acquires', 'Beta Corp.', 'company']]
    """
    passage = Passage(text, language=guess_language(text))
    return list(extractor.extract([passage])[0].triples)


def make_extractor(name: str, schema: Schema, model: LanguageModel | None = None) -> Extractor:
    """The extractor of that name: "rules", or "llm" with a model. Raises UsageError for another name."""
    if name == "rules":
        return RulesExtractor(schema)
    if name != "llm":
        raise UsageError(f"there is no extractor named {name!r}", hint="Use rules or llm")
    if model is None:
        raise UsageError("the extractor llm needs a model", hint="Set an endpoint, or use the extractor rules")
    from .llm import ModelExtractor

    return ModelExtractor(model, schema)


def entity_id(name: str, kind: str, namesake: str = "") -> str:
    """The id of a thing with a name; ``namesake`` is what tells it from others of that name (a person's firm)."""
    return stable_id("entity", kind, name.casefold(), *([namesake] if namesake else []))


def _passage(document: Document, chunk: Chunk) -> Passage:
    metadata = document.metadata
    speakers = _speakers(document, chunk)
    published = metadata.published.isoformat() if metadata.published else ""
    return Passage(
        text=chunk.text,
        subject=metadata.companies[0] if metadata.companies else "",
        speaker=chunk.speaker,
        period=metadata.period,
        language=metadata.language,
        sentences=tuple((start - chunk.start, end - chunk.start) for start, end in chunk.printed),
        also=stated_names(metadata),
        about=" | ".join(filter(None, (metadata.title, metadata.kind, label_of(metadata.period), published))),
        headings=chunk.headings,
        speakers=speakers if len(set(speakers)) > 1 else (),
    )


def _speakers(document: Document, chunk: Chunk) -> tuple[str, ...]:
    """Who says each sentence of a chunk: in a short exchange the answer is another's than the question."""
    if not chunk.speaker:  # a chunk has the speaker of one of its segments
        return ()
    within = [s for s in document.segments if s.speaker and s.start < chunk.end and chunk.start < s.end]
    if len({segment.speaker for segment in within}) < 2:
        return ()
    said: list[str] = []
    for start, _ in chunk.printed:
        own = [segment.speaker for segment in within if segment.start <= start < segment.end]
        said.append(first(own, chunk.speaker))
    return tuple(said)


class _Builder:
    """Collects the graph part of one document."""

    def __init__(
        self, document: Document, extractor: str, extractions: Sequence[Extraction], stated: Sequence[Triple]
    ) -> None:
        self._document, self._extractor = document, extractor
        triples = [triple for extraction in extractions for triple in extraction.triples]
        self._firms = _firms([*triples, *stated])
        self._people = People(_people_in([*triples, *stated], extractions))
        self._places = _places_of_names(stated)
        self._stated = {name: kind for t in stated for name, kind in ((t.head, t.head_type), (t.tail, t.tail_type))}
        names = chain.from_iterable(extraction.names for extraction in extractions)
        self._often = Counter(name.name for name in names if name.type == _UNSETTLED)
        self.entities: dict[str, Entity] = {}
        self.mentions: dict[tuple[str, int, int], Mention] = {}
        self.statements: dict[str, Statement] = {}
        self.merges: dict[str, Merge] = {}
        self._offices: dict[tuple[str, str, str], list[tuple[int, int, frozenset[str]]]] = {}

    def add(self, chunk: Chunk, extraction: Extraction) -> None:
        """Take what was read from one chunk."""
        named = {triple.head for triple in extraction.triples}
        named.update(triple.tail for triple in extraction.triples)
        for name in extraction.names:
            if self._belongs(name, named) and not self._is_part(chunk.start + name.start, chunk.start + name.end):
                self._mention(chunk, name)
        for triple in extraction.triples:
            if not self._is_mistaken(triple):
                self._statement(chunk, triple)

    def _is_mistaken(self, triple: Triple) -> bool:
        """True where a table or list contradicts the guess at who acts: a product is no firm."""
        if triple.confidence >= _SURE:
            return False
        return self._stated.get(triple.head, triple.head_type) != triple.head_type

    def _is_part(self, start: int, end: int) -> bool:
        """True for a part of a name that a list or table states: "Taiwan, Inc." of "Nut President Taiwan, Inc."."""
        place = bisect_right(self._places, (end,)) - 1
        return place >= 0 and self._places[place][1] > start and self._places[place] != (start, end)

    def add_structure(self, chunks: Sequence[Chunk], stated: Iterable[Triple]) -> None:
        """What tables, lists, signatures and headings say, in the chunk that holds them."""
        starts = [chunk.start for chunk in chunks]
        for triple in stated:
            chunk, begin, end = self._piece_of(triple, chunks, starts)
            if chunk is None:
                continue
            said = self._document.text[begin:end]
            plain = said.translate(PLAIN_BLANKS)
            within = replace(triple, sentence=said, start=begin - chunk.start, end=end - chunk.start)
            for name, kind in ((triple.head, triple.head_type), (triple.tail, triple.tail_type)):
                at = plain.find(name)
                if at >= 0:
                    start = within.start + at
                    self._mention(chunk, Name(name, kind, start, start + len(name)))
            self._statement(chunk, within)

    def _piece_of(
        self, triple: Triple, chunks: Sequence[Chunk], starts: Sequence[int]
    ) -> tuple[Chunk | None, int, int]:
        """The chunk that holds what a statement rests on, and where its words stand there.

        Words that go over the end of a chunk belong to the one that names the other end, else to the one with most.
        """
        place = bisect_right(starts, triple.start) - 1
        pieces: list[tuple[bool, int, Chunk, int, int]] = []
        for chunk in chunks[max(0, place) : place + 2]:
            start, end = max(triple.start, chunk.start), min(triple.end, chunk.end)
            if start < end:
                said = self._document.text[start:end].translate(PLAIN_BLANKS)
                pieces.append((triple.tail in said or triple.head in said, end - start, chunk, start, end))
        if not pieces:
            return None, 0, 0
        _, _, chunk, start, end = max(pieces, key=lambda piece: piece[:2])
        return chunk, start, end

    def add_other_names(self, chunks: Sequence[Chunk], tickers: Mapping[str, str]) -> None:
        """Tickers, and the first words of the filer's name, where the document names the company too."""
        for ticker, company in tickers.items():
            self._add_ticker(ticker, company, chunks)
        for company in self._document.metadata.companies:
            filer = self.entities.get(entity_id(company, "company"))
            if filer is not None:
                self._add_short_names(filer)
        self._add_short_segments()

    def _add_ticker(self, ticker: str, company: str, chunks: Sequence[Chunk]) -> None:
        known, place = self.entities.get(entity_id(company, "company")), first_place(ticker, chunks)
        if known is None or place is None:
            return
        chunk, start = place
        key, end = self._entity(ticker_name(ticker), "company"), start + len(ticker)
        self.mentions.setdefault((key, start, end), Mention(key, chunk.id, start, end, ticker))
        self._merge(key, known.id, TICKER)

    def _add_short_names(self, filer: Entity) -> None:
        for short in short_names(filer, self.entities.values()):
            self._merge(short.id, filer.id, SHORT_NAME)
        for stated in stated_names(self._document.metadata):
            known = self.entities.get(entity_id(stated, "company"))
            if known is not None and known.id != filer.id:
                self._merge(known.id, filer.id, SHORT_NAME)

    def _add_short_segments(self) -> None:
        """Segments by the short forms that stand in brackets behind their names: "Commercial Airplanes (BCA)"."""
        segments = {entity.name: entity for entity in self.entities.values() if entity.type == "segment"}
        if len(segments) < _LEAST_FOR_SHORT_FORM:
            return
        text = " ".join(self._document.text.split())
        for bracket in _SHORT_FORM.finditer(text):
            short = segments.get(bracket["short"])
            before = text[max(0, bracket.start() - _LONGEST_NAME) : bracket.start()].rstrip()
            named = [name for name in segments if before.endswith(name)]
            if short is not None and named:
                self._merge(short.id, segments[max(named, key=len)].id)

    def _belongs(self, name: Name, named: set[str]) -> bool:
        """True for a name that a relation has an end in, or that tells somebody or something apart by itself."""
        if name.full in named:
            return True
        if name.type == _UNSETTLED:
            return self._often[name.name] >= _LEAST_UNSETTLED
        if name.type == "person":
            return bool(name.entity) or not _is_single(name.name)
        return name.type != "role"

    def _mention(self, chunk: Chunk, name: Name) -> None:
        start, end = chunk.start + name.start, chunk.start + name.end
        kind = self._stated.get(name.full, name.type) if name.type == _UNSETTLED else name.type
        named = full = self._entity(name.full, kind)
        if name.entity and kind != "person":
            named = self._entity(name.name, kind)
            if name_key(name.name) != name_key(name.entity):
                self._merge(named, full)
        self.mentions.setdefault((named, start, end), Mention(named, chunk.id, start, end, name.name))

    def _entity(self, name: str, kind: str) -> str:
        if kind == "person":
            name = self._people.full_name(name)
        namesake = self._firms.get(name, "") if kind == "person" else ""
        key = entity_id(name, kind, name_key(namesake))
        if key not in self.entities:
            context = {"firm": namesake} if namesake else {}
            self.entities[key] = Entity(key, name, kind, name_key(name), context=context)
        return key

    def _merge(self, short: str, full: str, reason: str = "alias in the text") -> None:
        key = stable_id("merge", short, full)
        self.merges.setdefault(key, Merge(key, short, full, reason))

    def _statement(self, chunk: Chunk, triple: Triple) -> None:
        head, tail = self._entity(triple.head, triple.head_type), self._entity(triple.tail, triple.tail_type)
        if head == tail:
            return
        start, end = chunk.start + triple.start, chunk.start + triple.end
        said = (self._document.source, self._extractor, head, triple.relation, tail, start, end)
        key = stable_id("statement", *said)
        offices = self._offices_not_told((head, triple.relation, tail), triple, start, end)
        if key in self.statements and offices:
            key = stable_id("statement", *said, *offices)
        if key in self.statements or stands_in_orders(self._document.text, start, end):
            return
        self.statements[key] = Statement(
            id=key,
            head=head,
            relation=triple.relation,
            tail=tail,
            document=self._document.source,
            chunk=chunk.id,
            start=start,
            end=end,
            text=triple.sentence,
            anchors=self._document.anchors(start, end),
            period=triple.period or self._told_ahead(triple),
            published=self._document.metadata.published,
            modality=triple.modality,
            confidence=triple.confidence,
            extractor=self._extractor,
            metadata=dict(triple.metadata),
        )

    def _told_ahead(self, triple: Triple) -> Period | None:
        """The period of an outlook that names none, as in a call."""
        own = self._document.metadata.period
        return period_ahead(triple.sentence, own) if own is not None and triple.relation in OUTLOOK else None

    def _offices_not_told(self, said: tuple[str, str, str], triple: Triple, start: int, end: int) -> Sequence[str]:
        """The offices of a statement, each with its term, that no other one at its place tells: "CFO from 2012 to 2015
        and CEO since 2016" is stated twice."""
        term = [triple.metadata[name] for name in ("since", "until") if name in triple.metadata]
        offices = (
            frozenset({triple.tail}) if triple.tail_type == "role" else offices_in(triple.metadata.get("role", ""))
        )
        own = frozenset(" ".join((office, *term)) for office in offices)
        told = self._offices.setdefault(said, [])
        beside = [others for low, high, others in told if low < end and start < high]
        told.append((start, end, own | offices))
        return sorted(own.difference(*beside)) if all(beside) else ()


def _firms(triples: Iterable[Triple]) -> Mapping[str, str]:
    """Person -> the firm that the document names most often with the person; ties by name."""
    seen: dict[str, Counter[str]] = {}
    for triple in triples:
        if triple.head_type == "person" and triple.tail_type == "company":
            seen.setdefault(triple.head, Counter())[triple.tail] += 1
    return {person: min(firms, key=lambda firm: (-firms[firm], firm)) for person, firms in seen.items()}


def _people_in(triples: Iterable[Triple], extractions: Iterable[Extraction]) -> Iterator[str]:
    """Every person's name that a document holds, as it is written."""
    for triple in triples:
        if triple.head_type == "person":
            yield triple.head
    for extraction in extractions:
        yield from (name.full for name in extraction.names if name.type == "person")


def _places_of_names(stated: Iterable[Triple]) -> list[tuple[int, int]]:
    """Where the names stand that lists and tables state, in the order of the text."""
    places: set[tuple[int, int]] = set()
    for triple in stated:
        at = triple.sentence.find(triple.head)
        if at >= 0:
            places.add((triple.start + at, triple.start + at + len(triple.head)))
    return sorted(places)


def _types_of(extractions: Iterable[Extraction]) -> Mapping[str, str]:
    """Name -> its type, of the names that the text of a document holds."""
    types: dict[str, str] = {}
    for extraction in extractions:
        for triple in extraction.triples:
            types.setdefault(triple.head, triple.head_type)
            types.setdefault(triple.tail, triple.tail_type)
        for name in extraction.names:
            if name.type != _UNSETTLED:
                types.setdefault(name.full, name.type)
    return types


def _is_single(name: str) -> bool:
    """One word of an English name: "Bob" names nobody in particular."""
    return name.isascii() and " " not in name
