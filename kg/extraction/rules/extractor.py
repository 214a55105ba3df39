"""The rules extractor: names and relations without a model, the same answer every time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ....core.names import is_chinese, name_key
from ....ingest.document import Language
from ....ingest.sentences import split_text
from ...schema import Schema
from ...triple import Extraction, Modality, Name, Passage, Triple
from .details import OUTLOOK, amounts, full_role, period_near
from .lexicon import lexicon
from .modality import denies, modality
from .names_en import THING, EnglishNames
from .names_zh import ChineseNames
from .patterns import Found, find_relations
from .shadow import Shadow, cast_shadow

_NOT_THE_FIRM = re.compile(r"\b(?:analyst|operator|moderator|unidentified)\b|分析师|主持人", re.IGNORECASE)
_CLAUSE = 25
"""Characters before a match that still belong to its clause when reservations are looked for."""
_LONGEST = 1500
"""Characters of a sentence beyond which it is a list or a table in disguise."""
_BLANKS = re.compile(r"[\n\r\t\u00a0\u2002-\u200a]")
_NAME_LINE = re.compile(r"^((?:[A-Z][\w.'’-]*[ ]){1,3}[A-Z][\w'’-]*)\n(?=[A-Z])", re.MULTILINE)
_NUMBERED = re.compile(r"\w \d+[A-Za-z]?$")
"""A name of unknown type that ends in a number is a model of something: "Tern 5"."""
_PRONOUN = re.compile(r"\b(?:he|she|He|She)\b")
_BORDER = "\u2063"
"""Joins no words, and is no blank that a pattern could match."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int
    names: tuple[Name, ...]


class RulesExtractor:
    """Names by spelling, word lists and what the document itself defines; relations by patterns.

    ``known`` gives names that are certain (name -> type): the filer, its tickers, a user's own list.

    >>> text = "Acme Corp. acquired Bolt Ltd. for $5 million in 2021."
    >>> from cliquerag.kg.schema import load_schema
    >>> [t.as_list()[:5] for t in RulesExtractor(load_schema()).extract([Passage(text)])[0].triples]
    [['Acme Corp.', 'company', 'acquires', 'Bolt Ltd.', 'company']]
    """

    name = "rules"
    version = "3"

    def __init__(self, schema: Schema, known: Mapping[str, str] | None = None) -> None:
        self._schema = schema
        self._known = dict(known or {})

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """One extraction for each passage of one document; aliases found anywhere hold everywhere."""
        flat = [_flattened(passage.text) for passage in passages]
        spans = [_sentences(text, passage) for text, passage in zip(flat, passages, strict=True)]
        known = {**_speakers(passages), **self._known}
        known.update({passage.subject: "company" for passage in passages if passage.subject})
        stated = {name: passage.subject for passage in passages if passage.subject for name in passage.also}
        known.update(dict.fromkeys(stated, "company"))
        finders = {
            language: finder(
                [
                    text[start:end]
                    for text, passage, sentence in zip(flat, passages, spans, strict=True)
                    if passage.language == language
                    for start, end in sentence
                ],
                known,
            )
            for language, finder in (("en", EnglishNames), ("zh", ChineseNames))
            if any(passage.language == language for passage in passages)
        }
        for finder in finders.values():
            finder.aliases.update(stated)
        read = [
            self._read(passage, text, sentence, finders[passage.language])
            for passage, text, sentence in zip(passages, flat, spans, strict=True)
        ]
        tickers = {ticker: company for finder in finders.values() for ticker, company in finder.tickers.items()}
        return _settle_things([replace(read[0], tickers=tickers), *read[1:]] if read else read)

    def _read(
        self, passage: Passage, text: str, spans: Sequence[tuple[int, int]], finder: EnglishNames | ChineseNames
    ) -> Extraction:
        names: list[Name] = []
        good: dict[tuple[str, str, str, int], Triple] = {}
        rejected: list[Triple] = []
        person = ""  # the one named last, whom "he" and "she" mean
        for start, end in spans:
            found = finder.find(text[start:end], start)
            names += found
            people = {name.entity or name.name for name in found if name.type == "person"}
            shown = _with_pronouns(found, text[start:end], start, person)
            person = people.pop() if len(people) == 1 else "" if people else person
            for triple in self._triples(_Sentence(passage.text[start:end], start, tuple(shown)), passage):
                if triple.reason:
                    rejected.append(triple)
                else:
                    key = (name_key(triple.head), triple.relation, name_key(triple.tail), triple.start)
                    if key not in good or good[key].confidence < triple.confidence:
                        good[key] = triple
        return Extraction(tuple(names), tuple(good.values()), tuple(rejected))

    def _triples(self, sentence: _Sentence, passage: Passage) -> list[Triple]:
        speaks_for_firm = bool(passage.subject) and not _NOT_THE_FIRM.search(passage.speaker)
        if not (sentence.names or speaks_for_firm) or len(sentence.text) > _LONGEST:
            return []
        flat = re.sub(r"\s", " ", sentence.text)
        shadow = cast_shadow(flat, sentence.start, sentence.names, passage.language, speaks_for_firm)
        triples = []
        for found in find_relations(flat, shadow, passage.language):
            triple = self._triple(found, shadow, sentence, passage)
            if triple is not None:
                triples.append(self._schema.check(triple))
        return triples

    def _triple(self, found: Found, shadow: Shadow, sentence: _Sentence, passage: Passage) -> Triple | None:
        head = _end(found.head, found.pattern.head_type, shadow, passage.subject)
        tail = _end(found.tail, found.pattern.tail_type, shadow, passage.subject)
        if (
            head is None
            or tail is None
            or name_key(head.name) == name_key(tail.name)
            or (head.guessed and tail.guessed)
        ):
            return None
        relation = _relation_by_role(found, shadow) if found.rule.by_role else found.rule.relation
        places = [end.start - sentence.start for end in (head, tail) if end.start >= 0]
        metadata = amounts(sentence.text, relation, places or [max(0, sentence.text.lower().find(tail.name))])
        if found.rule.by_role:
            metadata["role"] = _role_text(found.role, shadow)
        return Triple(
            head=head.name,
            head_type=head.type,
            relation=relation,
            tail=full_role(tail.name) if relation == "holds_role" else tail.name,
            tail_type=tail.type,
            sentence=sentence.text,
            start=sentence.start,
            end=sentence.start + len(sentence.text),
            period=period_near(sentence.text, places),
            modality=self._modality(found, relation, shadow.text, passage.language),
            confidence=0.7 if head.guessed or tail.guessed else 0.9,
            metadata=metadata,
            reason=_nobody(head) or _nobody(tail),
        )

    def _modality(self, found: Found, relation: str, text: str, language: str) -> Modality:
        """Reservations in the match and, for events, in what stands before it in its clause.

        What stands before a state does not qualify it: "Joining me will be our CFO, Jane Smith".
        """
        match = text[found.start : found.end]
        if relation in OUTLOOK:
            return "negated" if denies(match, language) else "asserted"
        known = self._schema.relations.get(relation)
        if known is None or known.tense == "state":
            return modality(match, language)
        before = re.split(r"[;.:,；。：，]", text[max(0, found.start - _CLAUSE) : found.start])[-1]
        return modality(before + match, language)


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a triple; ``guessed`` where the slot decided the type, ``start`` -1 for a pronoun or a phrase."""

    name: str
    type: str
    start: int
    guessed: bool = False
    single: bool = False
    """A given name alone: "Bob"."""


def _end(slot: str, slot_type: str, shadow: Shadow, subject: str) -> _End | None:
    if slot in ("we", "our", "us"):
        return _End(subject, "company", -1) if subject else None
    name = shadow.name(slot)
    if name is None:
        return _End(slot.strip().lower(), slot_type, -1)
    if name.type == THING:
        numbered = slot_type == "company" and _NUMBERED.search(name.name)
        return _End(name.entity or name.name, "product" if numbered else slot_type, name.start, guessed=True)
    full = name.entity or name.name
    return _End(full, name.type, name.start, single=full in lexicon("en").words["given_names"])


def _role_text(role: str, shadow: Shadow) -> str:
    name = shadow.name(role.strip("‹›"))
    return name.name if name else role


def _relation_by_role(found: Found, shadow: Shadow) -> str:
    return relation_of_role(_role_text(found.role, shadow))


def relation_of_role(role: str) -> str:
    """Who leads, who directs, who only works there.

    >>> relation_of_role("CEO"), relation_of_role("独立董事"), relation_of_role("Treasurer")
    ('leads', 'director_of', 'works_for')
    """
    role = role.lower()
    words = lexicon("en").words["leading_roles"] | lexicon("zh").words["leading_roles"]
    if role in words:
        return "leads"
    directors = lexicon("en").words["directing_roles"] | lexicon("zh").words["directing_roles"]
    return "director_of" if role in directors else "works_for"


def _nobody(end: _End) -> str:
    """Why an end of a triple names nobody in particular; empty if it does."""
    return f"names nobody in particular: {end.name}" if end.type == "person" and end.single else ""


def _with_pronouns(names: Sequence[Name], text: str, start: int, before: str) -> Sequence[Name]:
    """The names with each "he" and "she": ``before`` until the sentence names a person, then the only one it names."""
    pronouns = list(_PRONOUN.finditer(text))
    if not pronouns:
        return names
    people = [name for name in names if name.type == "person"]
    own = {name.entity or name.name for name in people}
    first = min((name.start - start for name in people), default=len(text))
    after = own.pop() if len(own) == 1 else ""
    found = [(m, before if m.start() < first else after) for m in pronouns]
    meant = [Name(m[0], "person", start + m.start(), start + m.end(), who) for m, who in found if who]
    return sorted((*names, *meant), key=lambda name: name.start)


def _speakers(passages: Sequence[Passage]) -> dict[str, str]:
    """Those who speak on a call, from "name, role, firm": a later "Scott" is the Scott on the line."""
    spoken = (re.split("[,，]", passage.speaker)[0].strip() for passage in passages if passage.speaker)
    names = dict.fromkeys(spoken)
    return {name: "person" for name in names if " " in name and not _NOT_THE_FIRM.search(name)}


def _flattened(text: str) -> str:
    """Line breaks become blanks, of the same length; a name alone on its line does not run on into the next one."""
    return _BLANKS.sub(" ", _NAME_LINE.sub("\\1" + _BORDER, text))


def _sentences(text: str, passage: Passage) -> Sequence[tuple[int, int]]:
    return passage.sentences or [(s.start, s.end) for s in split_text(text)]


def _settle_things(extractions: Sequence[Extraction]) -> list[Extraction]:
    """Give a thing the type that relations or its neighbourhood elsewhere show, everywhere in the document."""
    votes: dict[str, Counter[str]] = {}
    for extraction in extractions:
        for triple in extraction.triples:
            for name, kind in ((triple.head, triple.head_type), (triple.tail, triple.tail_type)):
                votes.setdefault(name, Counter())[kind] += 1
        for found in extraction.names:
            if found.type != THING:
                votes.setdefault(found.entity or found.name, Counter())[found.type] += 1
    settled = {name: min(kinds, key=lambda kind: (-kinds[kind], kind)) for name, kinds in votes.items()}
    return [
        replace(
            extraction,
            names=tuple(
                replace(name, type=settled.get(name.entity or name.name, THING)) if name.type == THING else name
                for name in extraction.names
                if name.type != THING or not is_chinese(name.name) or (name.entity or name.name) in settled
            ),
        )
        for extraction in extractions
    ]


def guess_language(text: str) -> Language:
    """ "zh" where the text has Chinese characters in earnest."""
    return "zh" if is_chinese(text) and sum("\u4e00" <= char <= "\u9fff" for char in text) * 5 > len(text) else "en"
