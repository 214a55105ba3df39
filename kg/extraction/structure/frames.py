"""What sentences of a report state of the firm itself in fixed frames, where the other end is no name with capitals.

The frames are data: ``frames.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from ....core.patterns import LazyPattern, PatternTable
from ....core.records import dataclass
from ....core.rules import load_rules
from ....ingest.document import Segment
from ...triple import Triple
from ..rules.reservations import ENDINGS, is_conditional, modality, reservation_before
from .filing import Filing, sentences_of
from .lists import classes_of_risk
from .table_rules import Claim

_WORDS = PatternTable(__package__, "frames.toml", "words")
_LONGEST_SENTENCE = 1200
_CLAUSE = 40
"""Characters before a match in which a reservation still belongs to it."""
_LONGEST_NAME = 110
_CLAUSE_END = re.compile(r"[;:,]")
_LEGAL_FORMS = frozenset(
    {"inc", "corp", "corporation", "co", "company", "ltd", "limited", "plc", "llc", "lp", "l.p", "n.v", "s.a"}
)
_MOST_FILERS = 8
"""Firms whose frames are kept compiled."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a sentence has to say, and what it then states."""

    triggers: tuple[str, ...]
    said: LazyPattern
    besides: LazyPattern | None
    unless: LazyPattern | None
    more: LazyPattern | None
    heading: LazyPattern | None
    no_name: re.Pattern[str] | None
    no_risk: re.Pattern[str] | None
    own_words: bool
    claim: Claim
    details: Mapping[str, LazyPattern]
    named_by_heading: bool
    in_headings: bool
    of_filer: bool
    once: bool
    """One statement of the same below a heading."""


def frames(filing: Filing) -> Iterator[Triple]:
    """What the sentences state, each with the words that say so."""
    rules = _frames(filing.filer)
    told: set[tuple[str, str, str]] = set()
    for segment in filing.document.segments:
        if segment.kind == "table":
            continue
        text = filing.text[segment.start : segment.end].lower()
        possible = [rule for rule in rules if _may_speak(rule, segment, text)]
        for sentence, start, end in sentences_of(filing.text, segment.start, segment.end) if possible else ():
            for rule in possible:
                for found in _found(filing, rule, sentence, segment):
                    key = (segment.headings[-1] if segment.headings else "", rule.claim.relation, found[0])
                    if rule.once and key in told:
                        continue
                    told.add(key)
                    yield _stated(filing, rule.claim, found, (start, end))


def _may_speak(rule: _Frame, segment: Segment, text: str) -> bool:
    """True where a paragraph has a word of the frame and stands below a heading of it."""
    if (segment.kind == "heading") != rule.in_headings or not any(map(text.__contains__, rule.triggers)):
        return False
    return rule.heading is None or any(rule.heading.search(heading) for heading in segment.headings)


def _found(filing: Filing, rule: _Frame, sentence: str, segment: Segment) -> Iterator[tuple[str, dict[str, str]]]:
    """The other ends, with details, of what a sentence states in that frame."""
    said = rule.said.search(sentence) if len(sentence) <= _LONGEST_SENTENCE else None
    if said is None or not _holds(rule, sentence, said) or not _is_of_the_firm(filing.filer, sentence, said):
        return
    details = {key: match[0].strip() for key, p in rule.details.items() if (match := p.search(sentence))}
    further = rule.more.finditer(sentence, said.end()) if rule.more is not None else ()
    for match in (said, *further):
        name = _other_end(filing, rule, sentence, match, segment)
        if _may_be_named(filing, rule, name):
            yield name, details if match is said else {}


def _may_be_named(filing: Filing, rule: _Frame, name: str) -> bool:
    if not name or len(name) > _LONGEST_NAME or (rule.no_name and rule.no_name.search(name)):
        return False
    return not rule.own_words or _has_own_words(filing.filer, name)


def _holds(rule: _Frame, sentence: str, said: re.Match[str]) -> bool:
    """False for what a sentence denies, only supposes or says with words that the frame excludes."""
    if rule.besides is not None and not rule.besides.search(sentence):
        return False
    if rule.unless is not None and rule.unless.search(sentence):
        return False
    if _WORDS.any("denied", _clause_before(sentence, said) + said[0]):
        return False
    if _WORDS.any("supposed", _clause_before(sentence, said)):
        return False
    words = sentence[max(0, said.start() - _CLAUSE) : _place_of_name(said)]
    told = modality(words, is_end=rule.claim.relation in ENDINGS)
    if told != "asserted" or reservation_before(sentence[: said.start()]) != "asserted":
        return False
    return not is_conditional(sentence[: said.start()], sentence[said.end() :])


def _clause_before(sentence: str, said: re.Match[str]) -> str:
    """The words of the same clause that stand before a match."""
    return _CLAUSE_END.split(sentence[max(0, said.start() - 2 * _CLAUSE) : said.start()])[-1]


def _place_of_name(said: re.Match[str]) -> int:
    """Where the words of a match that tell what is done end: before the name, for a "pension plan" plans nothing."""
    return said.start("name") if "name" in said.re.groupindex else said.end()


def _is_of_the_firm(filer: str, sentence: str, said: re.Match[str]) -> bool:
    """False where what a frame finds is another's: "Bolt's credit agreement", "our customers comply with"."""
    words = _clause_before(sentence, said) + sentence[said.start() : _place_of_name(said)]
    if _WORDS.any("others", words):
        return False
    own = {*_words_of(filer), "company", "corporation", "bank", "board", "group", "trust", "registrant", "partnership"}
    owners = {match["who"].lower() for match in _named_owners(words)}
    return owners <= own


def _named_owners(words: str) -> Iterator[re.Match[str]]:
    return re.compile(_data()["words"]["possessor"]).finditer(words)


def _has_own_words(filer: str, name: str) -> bool:
    """True for a name that no other firm's word is part of: "Acme 2010 Stock Plan" in Acme's own report."""
    known = {*_words_of(filer), *_data()["words"]["plan_words"].lower().split()}
    capitals = {word.strip(",.’'").lower() for word in name.split() if word[0].isupper()}
    return capitals <= known


def _words_of(filer: str) -> set[str]:
    return {word.strip(",.").lower() for word in filer.split()}


def _other_end(filing: Filing, rule: _Frame, sentence: str, said: re.Match[str], segment: Segment) -> str:
    """The name at the other end, "" where there is none."""
    end = rule.claim.tail
    if end.startswith("'"):
        return end.strip("'").replace("{filer}", filing.filer)
    if end == "risk":
        classes = classes_of_risk(sentence[said.start() :], filing.document.metadata.language)
        return next((name for name in classes if rule.no_risk is None or not rule.no_risk.search(name)), "")
    if rule.named_by_heading:
        return _title(segment.headings)
    name = " ".join(said["name"].split()).strip(" ,.")
    name = _WORDS.all("before_name")[0].sub("", name)
    return f"{name} of {filing.filer}" if rule.of_filer else name


def _title(headings: Sequence[str]) -> str:
    """What the last heading names: "Zantac" of "A3. Zantac - update"; "" for one that names nothing by itself."""
    if not headings:
        return ""
    title = _WORDS.all("heading_end")[0].split(headings[-1])[0].strip(" :")
    return "" if _WORDS.any("no_heading", title) else title


def _stated(filing: Filing, claim: Claim, found: tuple[str, dict[str, str]], place: tuple[int, int]) -> Triple:
    name, details = found
    if claim.head == "name":
        return filing.said((name, claim.head_type), claim.relation, filing.firm, place, details)
    return filing.said(filing.firm, claim.relation, (name, claim.tail_type), place, details)


@lru_cache(maxsize=_MOST_FILERS)
def _frames(filer: str) -> tuple[_Frame, ...]:
    """The frames with what the firm is called."""
    data = _data()
    words = data["words"]
    macros = {"{filer}": re.escape(_short_name(filer)), "{nouns}": _nouns(filer)}
    for name in ("firm", "own", "party", "does"):
        macros["{" + name + "}"] = _filled(words[name], macros)

    def compiled(rule: Mapping[str, Any], key: str) -> LazyPattern | None:
        if key not in rule:
            return None
        return LazyPattern(_filled(rule[key], macros))

    def frame(rule: Mapping[str, Any]) -> _Frame:
        return _Frame(
            triggers=tuple(rule["triggers"]),
            said=LazyPattern(_filled(rule["said"], macros)),
            besides=compiled(rule, "with"),
            unless=compiled(rule, "unless"),
            more=compiled(rule, "more"),
            heading=compiled(rule, "heading"),
            no_name=re.compile(rule["no_name"]) if "no_name" in rule else None,
            no_risk=re.compile(rule["no_risk"]) if "no_risk" in rule else None,
            own_words=rule.get("own_words", False),
            claim=Claim.parse(rule["says"]),
            details={key: LazyPattern(source) for key, source in rule.get("details", {}).items()},
            named_by_heading=rule.get("named_by_heading", False),
            in_headings=rule.get("headings", False),
            of_filer=rule.get("of_filer", False),
            once=rule.get("once", False),
        )

    return tuple(map(frame, data["frames"]))


def _filled(source: str, macros: Mapping[str, str]) -> str:
    for macro, meant in macros.items():
        source = source.replace(macro, meant)
    return source


def _short_name(filer: str) -> str:
    """The filer's name without article and legal form, to its second capital: one word may be another firm's.

    >>> _short_name("The Coca-Cola Company"), _short_name("General Motors Company"), _short_name("Acme, Inc.")
    ('Coca-Cola', 'General Motors', 'Acme')
    """
    words = [word.rstrip(",") for word in filer.split()]
    if len(words) > 1 and words[0].lower() == "the":
        words = words[1:]
    while len(words) > 1 and words[-1].rstrip(".").lower() in _LEGAL_FORMS:
        words = words[:-1]
    capitals = [place for place, word in enumerate(words) if word[0].isupper() or word[0].isdigit()]
    last = capitals[:2][-1] if capitals else len(words)
    return " ".join(words[: last + 1])


def _nouns(filer: str) -> str:
    """What the firm may be called for short: "the Bank" only where its name says that it is one."""
    own = [kind for kind in ("bank", "group", "trust", "partnership") if kind in filer.lower()]
    return "|".join([_data()["words"]["common_nouns"], *own])


@cache
def _data() -> Mapping[str, Any]:
    return load_rules(__package__, "frames.toml")
