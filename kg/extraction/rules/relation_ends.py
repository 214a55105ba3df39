"""The two ends of a relation that a pattern has found: whom they name, whether they can stand so, how sure that is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....core.names import name_key
from ....core.records import dataclass, replace
from ...triple import Extraction, Passage, Triple
from .lexicon import lexicon
from .names_en import THING
from .patterns import Found, Shadow
from .surroundings import only_describes

CLAUSE = 25
"""Characters before a match that still belong to its clause when reservations are looked for."""
_NUMBERED = re.compile(r"\w \d+[A-Za-z]?$")
"""A name of unknown type that ends in a number is a model of something: "Tern 5"."""
_PART_BEHIND = re.compile(r", ‹[CXSDLO]\d+›")
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


@dataclass(frozen=True, slots=True)
class End:
    """One end of a triple; ``guessed`` where the slot decided the type, ``start`` -1 for a pronoun or a phrase."""

    name: str
    type: str
    start: int
    guessed: bool = False
    single: bool = False
    """A given name alone: "Bob"."""


def ends_of(found: Found, shadow: Shadow, passage: Passage) -> tuple[End, End] | None:
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


def _end(slot: str, slot_type: str, shadow: Shadow, subject: str) -> End | None:
    if slot in ("we", "our", "us"):
        return End(subject, "company", -1) if subject else None
    name = shadow.name(slot)
    if name is None:
        return End(slot.strip().lower(), slot_type, -1)
    if slot_type == "company" and name.full.lower() in lexicon("en").words["no_companies"]:
        return None
    if name.type == THING:
        is_model = slot_type == "company" and _NUMBERED.search(name.name)
        return End(name.full, "product" if is_model else slot_type, name.start, guessed=True)
    return End(name.full, name.type, name.start, single=name.full in lexicon("en").words["given_names"])


def deals_of(matches: Sequence[Found], shadow: Shadow, start: int) -> list[tuple[int, int]]:
    """Of what a sentence says by several matches: where each begins, and where the name stands that it leads to."""
    named = ((match.start, shadow.name(match.tail)) for match in matches)
    return [(begin, name.start - start) for begin, name in named if name is not None]


def own_part(text: str, found: Found, place: int, deals: Sequence[tuple[int, int]]) -> str:
    """A sentence with blanks for what it tells of other deals.

    "For our purchase of A we issued shares, for that of B we paid $5 million" says no price of A.
    """
    others = [other for begin, other in deals if begin != found.start and other != place]
    low = place if any(other < place for other in others) else 0
    high = min((other for other in others if other > place), default=len(text))
    return " " * low + text[low:high] + " " * (len(text) - high)


def _can_act(found: Found, head: End, text: str) -> bool:
    """False where the name that a match begins with is no subject: "an agreement with ‹C0› to acquire ‹C1›", or a name
    of unknown type that describes the noun behind it."""
    placeholder = f"‹{found.head}›"
    if not text.startswith(placeholder, found.start):
        return True
    if found.rule.relation in _OF_SUBJECTS and _WITH_BEFORE.search(text, max(0, found.start - CLAUSE), found.start):
        return False
    return not (head.guessed and only_describes(text, found.start + len(placeholder)))


def owns_half_at_most(found: Found, text: str) -> bool:
    """True for "the other 50% of ‹C0› is owned by ‹C1›": a stake, no subsidiary."""
    words = text[max(0, found.start - CLAUSE) : found.end]
    share = _SHARE_OWNED.search(words) if "own" in words else None
    return share is not None and float(share["share"]) <= _HALF


def heads_a_part(found: Found, text: str) -> bool:
    """True for "was appointed chief executive officer, ‹X2›": of a part of the firm, or of another."""
    return found.tail == "we" and _PART_BEHIND.match(text, found.end) is not None


def is_of_others(found: Found, text: str) -> bool:
    """True where what is said is of "our customers" or "our competitors", not of the firm."""
    if found.rule.relation not in _OF_THE_FIRM:
        return False
    return _OF_OTHERS.search(text, max(0, found.start - _BEFORE_OTHERS), found.end) is not None


def confidence_of(found: Found, head: End, tail: End) -> float:
    if found.rule.relation == "produces" and found.pattern.is_open:
        return _ASSUMED
    return _GUESSED if head.guessed or tail.guessed else _SURE


def with_own_goods(extractions: Sequence[Extraction]) -> list[Extraction]:
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


def nobody(end: End) -> str:
    """Why an end of a triple names nobody in particular; empty if it does."""
    return f"names nobody in particular: {end.name}" if end.type == "person" and end.single else ""
