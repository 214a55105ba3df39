"""The rules extractor: names and relations without a model, the same answer every time."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from ....core.names import is_chinese, name_key
from ....ingest.document import Language
from ....ingest.sentences import split_text
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
from .lexicon import lexicon
from .names_en import THING, EnglishNames
from .names_zh import ChineseNames
from .patterns import Found, Shadow, cast_shadow, find_relations
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
from .surroundings import only_describes

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
_IT = re.compile(
    r"(?:It|Its|They|Their)(?= (?!is (?:not )?"
    r"(?:possible|likely|expected|important|difficult|the case|true|untrue|clear|unclear)\b))"
)
_IT_LATER = re.compile(
    r"(?:(?:In|On|By|Since|During|At|After|From|Until|Between|Later|Then|Today|Currently|Previously|Originally|Formerly"
    r"|Initially|Subsequently|Eventually|Finally|Now|Also|As of|Over|For)\b(?: [a-z\d][\w’'-]{0,20}"
    r"| (?:January|February|March|April|May|June|July|August|September|October|November|December)){0,6},? )"
    r"(?P<it>it|its)"
    r"(?= (?!is (?:not )?(?:possible|likely|expected|important|difficult)|was (?:announced|reported)))"
)
"""The same behind words that name nobody: "In May 2019 it acquired Bolt"; "they" may be the lenders of before."""
_SUBJECT_WORDS = {"It": "We", "Its": "Our", "They": "We  ", "Their": "Our  "}
_SUBJECT_LATER = {"it": "we", "its": "our"}
_MEANT_BY_IT = frozenset({"company", "product", "segment", "organization", THING})
_SURE, _GUESSED = 0.9, 0.7
"""Confidence of a triple whose ends have a type of their own, and of one where the pattern gives it."""
_ASSUMED = 0.6
"""Of goods that stand without an owner; the triple holds where the document elsewhere ties them to the firm."""
_TIES = frozenset({"produces", "develops", "launches", "owns_brand"})
_OF_OTHERS = re.compile(
    r"‹our› (?:[\w-]{1,20} ){0,2}(?:customer|client|supplier|competitor|rival|landlord|partner|vendor|tenant|former)"
    r"(?:s|['’]s|s['’])?(?= )"
)
"""Whom a sentence speaks of that begins with "our" and is not of the firm."""
_OF_THE_FIRM = frozenset(
    {"regulates", "depends_on", "operates_in", "produces", "owns_brand", "develops", "guides", "has_segment"}
)
"""Relations that are not said of the firm where "our" stands before its customers or suppliers."""
_BEFORE_OTHERS = 45
_OF_SUBJECTS = frozenset({"acquires", "divests", "sells_to", "launches", "invests_in"})
_WITH_BEFORE = re.compile(r"\b(?:agreement|contract|deal|transaction|merger)s? with (?:the )?$")
_SHARE_OWNED = re.compile(r"\b(?P<share>\d{1,2}(?:\.\d{1,4})?) ?(?:%|percent\b)")
_HALF = 50.0
"""Percent of a company, up to which its owner has a stake and no subsidiary."""
_COURT = re.compile(r"\bcourts?\b|法院", re.IGNORECASE)
_OF_AUTHORITIES = frozenset({"seeks_approval", "approves"})
"""Relations of products to authorities, which are no courts."""
_HELD_FOR_A_TERM = frozenset({"leads", "works_for", "director_of", "holds_role"})
_BORDER = "\u2063"
"""Joins no words, and is no blank that a pattern could match."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A passage, its text with blanks for line breaks (of the same length), and where its sentences stand."""

    passage: Passage
    flat: str
    spans: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, passage: Passage) -> _Text:
        flat = _flattened(passage.text)
        return cls(passage, flat, passage.sentences or [(s.start, s.end) for s in split_text(flat)])

    def sentences(self) -> list[str]:
        return [self.flat[start:end] for start, end in self.spans]


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
    version = "14"

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
        texts = list(map(_Text.of, passages))
        finders = self._finders(texts)
        found = [self._read(text, finders[text.passage.language], all_relations) for text in texts]
        if not found:
            return []
        tickers: dict[str, str] = {}
        for finder in finders.values():
            tickers.update(finder.tickers)
        return _with_settled_things(_with_own_goods([replace(found[0], tickers=tickers), *found[1:]]))

    def _finders(self, texts: Sequence[_Text]) -> dict[Language, Finder]:
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

    def _read(self, text: _Text, finder: Finder, all_relations: bool) -> Extraction:
        names: list[Name] = []
        good: dict[tuple[str, str, str, int], Triple] = {}
        rejected: list[Triple] = []
        person = ""  # the one named last, whom "he" and "she" mean
        others = False  # whether "It" may mean a company that the sentence before names
        for start, end in text.spans:
            flat = text.flat[start:end]
            found = finder.find(flat, start)
            names += found
            shown = _with_pronouns(found, flat, start, person)
            person = _person_meant_next(found, person)
            printed = text.passage.text[start:end]
            read = printed if others else _with_subject(printed)
            sentence = _Sentence(printed, start, tuple(shown), read, text.passage.language)
            others = _names_others(found, text.passage.subject)
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
        deals = _deals(matches, shadow, sentence.start)
        found = [self._triple(match, shadow, sentence, passage, deals) for match in matches]
        return [self._schema.check(triple) for triple in found if triple is not None]

    def _triple(
        self, found: Found, shadow: Shadow, sentence: _Sentence, passage: Passage, deals: Sequence[tuple[int, int]]
    ) -> Triple | None:
        ends = _ends(found, shadow, passage)
        if ends is None or _is_of_others(found, shadow.text):
            return None
        head, tail = ends
        role = _role_text(found.role, shadow)
        relation = relation_of_role(role) if found.rule.by_role else found.rule.relation
        places = [end.start - sentence.start for end in ends if end.start >= 0]
        own = _own_part(sentence.text, found, tail.start - sentence.start, deals) if tail.start >= 0 else sentence.text
        metadata = amounts(own, relation, places or [max(0, sentence.text.lower().find(tail.name))])
        if found.rule.by_role:
            metadata["role"] = role
        metadata.update(self._term(found, relation, shadow, sentence, places))
        if relation == "subsidiary_of" and _owns_half_at_most(found, shadow.text):
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
            confidence=_confidence(found, head, tail),
            metadata=metadata,
            reason=_nobody(head) or _nobody(tail),
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
        before = re.split(r"[;.:,；。：，]", text[max(0, found.start - _CLAUSE) : found.start])[-1] if is_event else ""
        told = modality(before + match, language, is_end=relation in ENDINGS)
        # "Our partnership with Bolt could end" has a partnership; "an acquisition of Bolt could follow" has none. "If
        # cash is needed for our stores in Ohio" has stores.
        whole, after = (text[: found.start], text[found.end :]) if is_event else (text[: found.start][-_CLAUSE:], "")
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
            term.update(term_behind(sentence.text, max(places)))
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


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a triple; ``guessed`` where the slot decided the type, ``start`` -1 for a pronoun or a phrase."""

    name: str
    type: str
    start: int
    guessed: bool = False
    single: bool = False
    """A given name alone: "Bob"."""


def _ends(found: Found, shadow: Shadow, passage: Passage) -> tuple[_End, _End] | None:
    """Both ends of what a pattern found; none where one is missing, both are one, or they cannot stand so."""
    head = _end(found.head, found.pattern.head_type, shadow, passage.subject)
    tail = _end(found.tail, found.pattern.tail_type, shadow, passage.subject)
    if head is None or tail is None:
        return None
    if name_key(head.name) == name_key(tail.name) or (head.guessed and tail.guessed):
        return None
    if found.rule.by_role and _is_department(tail.name):
        return None
    if found.rule.relation in _OF_AUTHORITIES and (_COURT.search(head.name) or _COURT.search(tail.name)):
        return None
    if passage.language == "en" and not _can_act(found, head, shadow.text):
        return None
    return head, tail


def _end(slot: str, slot_type: str, shadow: Shadow, subject: str) -> _End | None:
    if slot in ("we", "our", "us"):
        return _End(subject, "company", -1) if subject else None
    name = shadow.name(slot)
    if name is None:
        return _End(slot.strip().lower(), slot_type, -1)
    if slot_type == "company" and name.full.lower() in lexicon("en").words["no_companies"]:
        return None
    if name.type == THING:
        is_model = slot_type == "company" and _NUMBERED.search(name.name)
        return _End(name.full, "product" if is_model else slot_type, name.start, guessed=True)
    return _End(name.full, name.type, name.start, single=name.full in lexicon("en").words["given_names"])


def _deals(matches: Sequence[Found], shadow: Shadow, start: int) -> list[tuple[int, int]]:
    """Of what a sentence says by several matches: where each begins, and where the name stands that it leads to."""
    named = ((match.start, shadow.name(match.tail)) for match in matches)
    return [(begin, name.start - start) for begin, name in named if name is not None]


def _own_part(text: str, found: Found, place: int, deals: Sequence[tuple[int, int]]) -> str:
    """A sentence with blanks for what it tells of other deals.

    "For our purchase of A we issued shares, for that of B we paid $5 million" says no price of A.
    """
    others = [other for begin, other in deals if begin != found.start and other != place]
    low = place if any(other < place for other in others) else 0
    high = min((other for other in others if other > place), default=len(text))
    return " " * low + text[low:high] + " " * (len(text) - high)


def _can_act(found: Found, head: _End, text: str) -> bool:
    """False where the name that a match begins with is no subject: "an agreement with ‹C0› to acquire ‹C1›", or a name
    of unknown type that describes the noun behind it."""
    placeholder = f"‹{found.head}›"
    if not text.startswith(placeholder, found.start):
        return True
    if found.rule.relation in _OF_SUBJECTS and _WITH_BEFORE.search(text, max(0, found.start - _CLAUSE), found.start):
        return False
    return not (head.guessed and only_describes(text, found.start + len(placeholder)))


def _owns_half_at_most(found: Found, text: str) -> bool:
    """True for "the other 50% of ‹C0› is owned by ‹C1›": a stake, no subsidiary."""
    words = text[max(0, found.start - _CLAUSE) : found.end]
    share = _SHARE_OWNED.search(words) if "own" in words else None
    return share is not None and float(share["share"]) <= _HALF


def _is_of_others(found: Found, text: str) -> bool:
    """True where what is said is of "our customers" or "our competitors", not of the firm."""
    if found.rule.relation not in _OF_THE_FIRM:
        return False
    return _OF_OTHERS.search(text, max(0, found.start - _BEFORE_OTHERS), found.end) is not None


def _confidence(found: Found, head: _End, tail: _End) -> float:
    if found.rule.relation == "produces" and found.pattern.is_open:
        return _ASSUMED
    return _GUESSED if head.guessed or tail.guessed else _SURE


def _with_own_goods(extractions: Sequence[Extraction]) -> list[Extraction]:
    """Without the goods that nothing in the document ties to the firm: "Windows provides the operating system"."""
    tied = {
        (triple.head, name_key(triple.tail))
        for extraction in extractions
        for triple in extraction.triples
        if triple.relation in _TIES and triple.confidence != _ASSUMED
    }

    def kept(triple: Triple) -> Triple | None:
        if triple.confidence != _ASSUMED:
            return triple
        return replace(triple, confidence=_GUESSED) if (triple.head, name_key(triple.tail)) in tied else None

    return [
        replace(extraction, triples=tuple(filter(None, map(kept, extraction.triples)))) for extraction in extractions
    ]


def _is_department(name: str) -> bool:
    """True for "Capital Markets" of "Senior Vice President of Capital Markets"."""
    return lexicon("en").words["departments"].issuperset(name.lower().split())


def _role_text(role: str, shadow: Shadow) -> str:
    name = shadow.name(role.strip("‹›"))
    return name.name if name else role


def _nobody(end: _End) -> str:
    """Why an end of a triple names nobody in particular; empty if it does."""
    return f"names nobody in particular: {end.name}" if end.type == "person" and end.single else ""


def _with_pronouns(names: Sequence[Name], text: str, start: int, before: str) -> Sequence[Name]:
    """The names with each "he" and "she": ``before`` until the sentence names a person, then the only one it names."""
    pronouns = list(_PRONOUN.finditer(text))
    if not pronouns:
        return names
    people = [name for name in names if name.type == "person"]
    first = min((name.start - start for name in people), default=len(text))
    named = {name.full for name in people}
    after = named.pop() if len(named) == 1 else ""
    shown = list(names)
    for pronoun in pronouns:
        person = before if pronoun.start() < first else after
        if person:
            shown.append(Name(pronoun[0], "person", start + pronoun.start(), start + pronoun.end(), person))
    return sorted(shown, key=lambda name: name.start)


def _with_subject(sentence: str) -> str:
    """A sentence that begins with "It" or "Its" as one of the subject, of the same length."""
    match = _IT.match(sentence)
    if match:
        return _SUBJECT_WORDS[match[0]] + sentence[match.end() :]
    match = _IT_LATER.match(sentence)
    if match:
        return sentence[: match.start("it")] + _SUBJECT_LATER[match["it"]] + sentence[match.end() :]
    return sentence


def _names_others(names: Sequence[Name], subject: str) -> bool:
    """True for a sentence that names a company, a product or a segment other than the subject."""
    key = name_key(subject)
    return any(name.type in _MEANT_BY_IT and name_key(name.full) != key for name in names)


def _person_meant_next(names: Sequence[Name], before: str) -> str:
    """Whom "he" or "she" means in the next sentence: the only person that this one names, else nobody; as ``before``
    where it names none."""
    people = {name.full for name in names if name.type == "person"}
    if not people:
        return before
    return people.pop() if len(people) == 1 else ""


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


def _flattened(text: str) -> str:
    """Line breaks become blanks, of the same length; a name alone on its line does not run on into the next one."""
    return _BLANKS.sub(" ", _NAME_LINE.sub("\\1" + _BORDER, _with_places_apart(text)))


def _with_places_apart(text: str) -> str:
    """A line that holds nothing but a place, as in a column of a table, joins neither the line above nor below."""
    places = lexicon("en").known
    lines = text.split("\n")
    kept = lines[0]
    for above, line in pairwise(lines):
        begins_apart = places.get(line.strip()) == "place" and not above.rstrip().endswith(",")
        is_apart = begins_apart or places.get(above.strip()) == "place"
        kept += (_BORDER if is_apart else "\n") + line
    return kept


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
