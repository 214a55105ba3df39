"""What sentences of a report state of the firm itself in fixed frames, where the other end is no name with capitals.

The frames are data: ``frames.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ....core.patterns import PatternTable
from ....core.rules import load_rules
from ....ingest.document import Segment
from ...triple import Triple
from ..rules.details import ENDINGS, is_conditional, modality
from .filing import Filing, sentences_of
from .lists import classes_of_risk
from .table_rules import Claim

_WORDS = PatternTable(__package__, "frames.toml", "words")
_LONGEST_SENTENCE = 1200
_CLAUSE = 40
"""Characters before a match in which a reservation still belongs to it."""
_LONGEST_NAME = 110
_MOST_FILERS = 8
"""Firms whose frames are kept compiled."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a sentence has to say, and what it then states."""

    triggers: tuple[str, ...]
    said: re.Pattern[str]
    besides: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    heading: re.Pattern[str] | None
    no_name: re.Pattern[str] | None
    no_risk: re.Pattern[str] | None
    claim: Claim
    details: Mapping[str, re.Pattern[str]]
    named_by_heading: bool
    in_headings: bool
    of_filer: bool
    once: bool
    """One statement of the same below a heading."""


def frames(filing: Filing) -> Iterator[Triple]:
    """What the sentences state, each with the words that say so."""
    rules = _frames(re.escape(filing.filer.split()[0].rstrip(",.")))
    told: set[tuple[str, str, str]] = set()
    for segment in filing.document.segments:
        if segment.kind == "table":
            continue
        text = filing.text[segment.start : segment.end].lower()
        possible = [rule for rule in rules if _may_speak(rule, segment, text)]
        for sentence, start, end in sentences_of(filing.text, segment.start, segment.end) if possible else ():
            for rule in possible:
                found = _found(filing, rule, sentence, segment)
                key = (segment.headings[-1] if segment.headings else "", rule.claim.relation, found[0] if found else "")
                if found is None or (rule.once and key in told):
                    continue
                told.add(key)
                yield _stated(filing, rule.claim, found, (start, end))


def _may_speak(rule: _Frame, segment: Segment, text: str) -> bool:
    """True where a paragraph has a word of the frame and stands below a heading of it."""
    if (segment.kind == "heading") != rule.in_headings or not any(word in text for word in rule.triggers):
        return False
    return rule.heading is None or any(rule.heading.search(heading) for heading in segment.headings)


def _found(filing: Filing, rule: _Frame, sentence: str, segment: Segment) -> tuple[str, dict[str, str]] | None:
    """The other end and the details of what a sentence states in that frame; None where it states nothing."""
    if len(sentence) > _LONGEST_SENTENCE:
        return None
    said = rule.said.search(sentence)
    if said is None or not _holds(rule, sentence, said):
        return None
    name = _other_end(filing, rule, sentence, said, segment)
    if not name or len(name) > _LONGEST_NAME or (rule.no_name and rule.no_name.search(name)):
        return None
    details = {key: match[0].strip() for key, p in rule.details.items() if (match := p.search(sentence))}
    return name, details


def _holds(rule: _Frame, sentence: str, said: re.Match[str]) -> bool:
    """False for what a sentence denies, only supposes or says with words that the frame excludes."""
    if rule.besides is not None and not rule.besides.search(sentence):
        return False
    if rule.unless is not None and rule.unless.search(sentence):
        return False
    end = said.start("name") if "name" in said.re.groupindex else said.end()  # a "pension plan" plans nothing
    words = sentence[max(0, said.start() - _CLAUSE) : end]
    told = modality(words, is_end=rule.claim.relation in ENDINGS)
    return told == "asserted" and not is_conditional(sentence[: said.start()], sentence[said.end() :])


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
    return filing.said(filing.firm, claim.relation, (name, claim.tail_type), place, details)


@lru_cache(maxsize=_MOST_FILERS)
def _frames(filer: str) -> tuple[_Frame, ...]:
    """The frames with the first word of the firm's name."""
    data = _data()
    macros = {name: data["words"][name].replace("{filer}", filer) for name in ("firm", "own")}

    def compiled(rule: Mapping[str, Any], key: str) -> re.Pattern[str] | None:
        if key not in rule:
            return None
        source = rule[key].replace("{firm}", macros["firm"]).replace("{own}", macros["own"])
        return re.compile(source, re.IGNORECASE)

    def frame(rule: Mapping[str, Any]) -> _Frame:
        said = compiled(rule, "said")
        if said is None:
            raise KeyError(f"said of {rule['name']}")
        return _Frame(
            triggers=tuple(rule["triggers"]),
            said=said,
            besides=compiled(rule, "with"),
            unless=compiled(rule, "unless"),
            heading=compiled(rule, "heading"),
            no_name=re.compile(rule["no_name"]) if "no_name" in rule else None,
            no_risk=re.compile(rule["risk"]) if "risk" in rule else None,
            claim=Claim.parse(rule["says"]),
            details={key: re.compile(source, re.IGNORECASE) for key, source in rule.get("details", {}).items()},
            named_by_heading=rule.get("named_by_heading", False),
            in_headings=rule.get("headings", False),
            of_filer=rule.get("of_filer", False),
            once=rule.get("once", False),
        )

    return tuple(map(frame, data["frames"]))


@cache
def _data() -> Mapping[str, Any]:
    return load_rules(__package__, "frames.toml")
