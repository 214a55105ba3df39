"""The rules extractor: names and relations without a model, the same answer every time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from ....core.names import is_chinese, name_key
from ....core.records import dataclass, replace
from ....ingest.document import Language
from ...schema import Schema
from ...triple import Extraction, Modality, Name, Passage, Triple
from .details import (
    OUTLOOK,
    amounts,
    full_role,
    period_near,
    relation_of_role,
    term_behind,
)
from .names_en import THING, EnglishNames
from .names_zh import ChineseNames
from .passage_text import PassageText, names_others, person_meant_next, with_pronouns, with_subject
from .patterns import Found, Shadow, cast_shadow, find_relations
from .relation_ends import (
    CLAUSE,
    confidence_of,
    deals_of,
    ends_of,
    heads_a_part,
    is_of_others,
    nobody,
    own_part,
    owns_half_at_most,
    with_own_goods,
)
from .reservations import (
    ENDINGS,
    denies,
    end_told,
    is_conditional,
    is_denied_right_before,
    is_obliged,
    modality,
    reservation_before,
    speaker_behind_quotation,
)

_NOT_THE_FIRM = re.compile(r"\b(?:analyst|operator|moderator|unidentified)\b|分析师|主持人", re.IGNORECASE)
_LONGEST = 1500
"""Characters of a sentence beyond which it is a list or a table in disguise."""
_HELD_FOR_A_TERM = frozenset({"leads", "works_for", "director_of", "holds_role"})


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    start: int
    names: tuple[Name, ...]
    read: str
    """The text with the subject for "It"; of the same length."""
    language: Language


Finder = EnglishNames | ChineseNames
_FINDERS: Mapping[Language, type[Finder]] = {"en": EnglishNames, "zh": ChineseNames}


class RulesExtractor:
    """Names by spelling, word lists and what the document itself defines; relations by patterns.

    ``known`` gives names that are certain (name -> type): the filer, its tickers, a user's own list.

    >>> text = "Acme Corp. acquired Bolt Ltd. for $5 million in 2021."
    >>> from cliquerag.kg.schema import load_schema
    >>> [t.as_list()[:5] for t in RulesExtractor(load_schema()).extract([Passage(text)])[0].triples]
    [['Acme Corp.', 'company', 'acquires', 'Bolt Ltd.', 'company']]
    """

    name = "rules"
    version = "29"

    def __init__(self, schema: Schema, known: Mapping[str, str] | None = None) -> None:
        self._schema = schema
        self._known = dict(known or {})

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """One extraction for each passage of one document; aliases found anywhere hold everywhere."""
        return self._extractions(passages, all_relations=True)

    def names(self, passages: Sequence[Passage]) -> list[tuple[Name, ...]]:
        """The names in each passage of one document, for the work of a part of the relations: of those sentences where
        a relation shows of what type a thing is."""
        return [found.names for found in self._extractions(passages, all_relations=False)]

    def _extractions(self, passages: Sequence[Passage], *, all_relations: bool) -> list[Extraction]:
        texts = list(map(PassageText.of, passages))
        finders = self._finders(texts)
        found = [self._read(text, finders[text.passage.language], all_relations) for text in texts]
        if not found:
            return []
        tickers: dict[str, str] = {}
        for finder in finders.values():
            tickers.update(finder.tickers)
        return _with_settled_things(with_own_goods([replace(found[0], tickers=tickers), *found[1:]]))

    def _finders(self, texts: Sequence[PassageText]) -> dict[Language, Finder]:
        """Language -> what finds names in the passages of that language; each has read all of their sentences."""
        stated = _names_of_subjects([text.passage for text in texts])
        known = {**_speakers([text.passage for text in texts]), **self._known}
        known.update({text.passage.subject: "company" for text in texts if text.passage.subject})
        known.update(dict.fromkeys(stated, "company"))
        finders: dict[Language, Finder] = {}
        for language, names_of in _FINDERS.items():
            own = [text.sentences() for text in texts if text.passage.language == language]
            if own:
                finders[language] = names_of(list(chain.from_iterable(own)), known)
                finders[language].aliases.update(stated)
        return finders

    def _read(self, text: PassageText, finder: Finder, all_relations: bool) -> Extraction:
        names: list[Name] = []
        good: dict[tuple[str, str, str, int], Triple] = {}
        rejected: list[Triple] = []
        person = ""  # the one named last, whom "he" and "she" mean
        others = False  # whether "It" may mean a company that the sentence before names
        for start, end in text.spans:
            flat = text.flat[start:end]
            found = finder.find(flat, start)
            names += found
            shown = with_pronouns(found, flat, start, person)
            person = person_meant_next(found, person)
            printed = text.passage.text[start:end]
            read = printed if others else with_subject(printed)
            sentence = _Sentence(printed, start, tuple(shown), read, text.passage.language)
            others = names_others(found, text.passage.subject)
            if not all_relations and all(name.type != THING for name in sentence.names):
                continue
            for triple in self._triples(sentence, text.passage):
                if triple.reason:
                    rejected.append(triple)
                else:
                    _keep_surest(good, triple)
        return Extraction(tuple(names), tuple(good.values()), tuple(rejected))

    def _triples(self, sentence: _Sentence, passage: Passage) -> list[Triple]:
        speaks_for_firm = bool(passage.subject) and not _NOT_THE_FIRM.search(passage.speaker)
        if speaks_for_firm and _quotes_another(sentence, passage):
            speaks_for_firm = False
        names_somebody = bool(sentence.names) or speaks_for_firm
        if not names_somebody or len(sentence.text) > _LONGEST:
            return []
        flat = re.sub(r"\s", " ", sentence.read)
        shadow = cast_shadow(flat, sentence.start, sentence.names, passage.language, speaks_for_firm)
        matches = list(find_relations(flat, shadow, passage.language))
        deals = deals_of(matches, shadow, sentence.start)
        found = [self._triple(match, shadow, sentence, passage, deals) for match in matches]
        return [self._schema.check(triple) for triple in found if triple is not None]

    def _triple(
        self, found: Found, shadow: Shadow, sentence: _Sentence, passage: Passage, deals: Sequence[tuple[int, int]]
    ) -> Triple | None:
        ends = ends_of(found, shadow, passage)
        if ends is None or is_of_others(found, shadow.text):
            return None
        head, tail = ends
        role = _role_text(found.role, shadow)
        relation = relation_of_role(role) if found.rule.by_role else found.rule.relation
        if relation == "leads" and heads_a_part(found, shadow.text):
            relation = "works_for"
        places = [end.start - sentence.start for end in ends if end.start >= 0]
        own = own_part(sentence.text, found, tail.start - sentence.start, deals) if tail.start >= 0 else sentence.text
        metadata = amounts(own, relation, places or [max(0, sentence.text.lower().find(tail.name))])
        if found.rule.by_role:
            metadata["role"] = role
        metadata.update(self._term(found, relation, shadow, sentence, places))
        if relation == "subsidiary_of" and owns_half_at_most(found, shadow.text):
            relation, head, tail = "owns_stake", tail, head
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
            confidence=confidence_of(found, head, tail),
            metadata=metadata,
            reason=nobody(head) or nobody(tail),
        )

    def _modality(self, found: Found, relation: str, text: str, language: str) -> Modality:
        """Reservations in the match and, for events, in what stands before it in its clause.

        What stands before a state does not qualify it: "Joining me will be our CFO, Jane Smith".
        """
        match = text[found.start : found.end]
        if relation in OUTLOOK:
            if denies(match, language):
                return "negated"
            return "possible" if is_obliged(text[: found.start], language) else "asserted"
        is_event = self._tense(relation) == "event"
        before = re.split(r"[;.:,；。：，]", text[max(0, found.start - CLAUSE) : found.start])[-1] if is_event else ""
        told = modality(before + match, language, is_end=relation in ENDINGS)
        # "Our partnership with Bolt could end" has a partnership; "an acquisition of Bolt could follow" has none. "If
        # cash is needed for our stores in Ohio" has stores.
        whole, after = (text[: found.start], text[found.end :]) if is_event else (text[: found.start][-CLAUSE:], "")
        if told == "asserted" and not is_event and is_denied_right_before(text[: found.start], language):
            return "negated"
        if told == "asserted" and is_conditional(whole, after, language):
            return "possible"
        return reservation_before(text[: found.start], language) if told == "asserted" else told

    def _term(
        self, found: Found, relation: str, shadow: Shadow, sentence: _Sentence, places: Sequence[int]
    ) -> dict[str, str]:
        """Since when and until when the sentence says that a state held: the term of an office, or that it is over."""
        if self._tense(relation) != "state":
            return {}
        text = shadow.text
        ended = end_told(text[: found.start], text[found.start : found.end], text[found.end :], sentence.language)
        term = {"until": ended} if ended else {}
        if relation in _HELD_FOR_A_TERM and places:
            office = _role_text(found.role, shadow) if found.rule.by_role else ""
            term.update(term_behind(sentence.text, max(places), office))
        return term

    def _tense(self, relation: str) -> str:
        known = self._schema.relations.get(relation)
        return known.tense if known is not None else ""


def _quotes_another(sentence: _Sentence, passage: Passage) -> bool:
    """True where a sentence quotes somebody of another firm, who says "we" for that one."""
    place = speaker_behind_quotation(sentence.text, passage.language)
    if place is None:
        return False
    low, high = (sentence.start + at for at in place)
    firms = [name.full for name in sentence.names if name.type == "company" and low <= name.start < high]
    return bool(firms) and name_key(firms[0]) != name_key(passage.subject)


def _role_text(role: str, shadow: Shadow) -> str:
    name = shadow.name(role.strip("‹›"))
    return name.name if name else role


def _keep_surest(good: dict[tuple[str, str, str, int], Triple], triple: Triple) -> None:
    """Of triples that say the same of one sentence, the surest stays."""
    key = (name_key(triple.head), triple.relation, name_key(triple.tail), triple.start)
    known = good.get(key)
    if known is None or known.confidence < triple.confidence:
        good[key] = triple


def _names_of_subjects(passages: Sequence[Passage]) -> dict[str, str]:
    """Other name -> the firm that the document says it is of."""
    stated: dict[str, str] = {}
    for passage in passages:
        if passage.subject:
            stated.update(dict.fromkeys(passage.also, passage.subject))
    return stated


def _speakers(passages: Sequence[Passage]) -> dict[str, str]:
    """Those who speak on a call, from "name, role, firm": a later "Scott" is the Scott on the line."""
    spoken = (re.split("[,，]", passage.speaker)[0].strip() for passage in passages if passage.speaker)
    names = dict.fromkeys(spoken)
    return {name: "person" for name in names if " " in name and not _NOT_THE_FIRM.search(name)}


def _with_settled_things(extractions: Sequence[Extraction]) -> list[Extraction]:
    """Give a thing the type that relations or its neighbourhood elsewhere show, everywhere in the document."""
    votes = _votes(extractions)
    types = {name: min(kinds, key=lambda kind: (-kinds[kind], kind)) for name, kinds in votes.items()}
    return [replace(extraction, names=tuple(_settled(extraction.names, types))) for extraction in extractions]


def _votes(extractions: Sequence[Extraction]) -> Mapping[str, Counter[str]]:
    """Name -> how often it stands with each type."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for extraction in extractions:
        for triple in extraction.triples:
            votes[triple.head][triple.head_type] += 1
            votes[triple.tail][triple.tail_type] += 1
        for name in extraction.names:
            if name.type != THING:
                votes[name.full][name.type] += 1
    return votes


def _settled(names: Sequence[Name], types: Mapping[str, str]) -> Iterator[Name]:
    """The names with the types of things; a Chinese thing whose type nothing shows is no name."""
    for name in names:
        if name.type != THING:
            yield name
        elif name.full in types or not is_chinese(name.name):
            yield replace(name, type=types.get(name.full, THING))


def guess_language(text: str) -> Language:
    """ "zh" where the text has Chinese characters in earnest."""
    return "zh" if is_chinese(text) and sum("\u4e00" <= char <= "\u9fff" for char in text) * 5 > len(text) else "en"
