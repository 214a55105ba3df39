"""What a model says about a sentence, held against the sentence and the schema; what fails is kept with its reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from ...core.names import name_key
from ...core.period import Period
from ...core.period_text import find_periods
from ...core.quantity import find_quantities
from ...core.records import dataclass
from ...core.sequences import among
from ...core.words import search_words
from ..schema import Schema
from ..triple import Modality, Triple
from .rules.reservations import modality

_NOBODY = re.compile(
    r"we|our|us|ours|i|it|its|they|them|their|he|she|his|her|this|that|these|those|who|which"
    r"|(?:the |our |its |a |an |certain |other |some |many |all )?(?:company|companies|registrant|corporation|group"
    r"|customers?|competitors?|suppliers?|partners?|clients?|management|investors?|shareholders?|markets?|industry"
    r"|subsidiary|subsidiaries|employees?|government)"
    r"|我们?|本?公司|该公司|其|[他她它]们?|客户|供应商|竞争对手|股东|子公司|管理层|投资者|市场|员工|政府|合作伙伴|关联方",
    re.IGNORECASE,
)
"""Pronouns and general words: they name nobody in particular."""
_MEANS_SUBJECT = re.compile(
    r"we|our|us|the (?:company|registrant|corporation|group|bank)|我们|本公司|公司|我公司", re.IGNORECASE
)
_LONGEST_NAME = 12
_SHORT = 3
"""Letters of words that alone tell no name."""
_ABBREVIATION = re.compile(r"[A-Z]{2,4}|(?:[A-Z]\.){2,4}")
"""In capitals "US" and "IT" are names, not "us" and "it"."""
_MODEL_NUMBER = re.compile(r"\d{2,4}-\d{1,4}[A-Z]{0,2}")
"""A product that is called by a number: "737-10"."""
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|been|being|be)\s{1,5}(?:\w{1,20}\s{1,5}){0,3}\w{1,20}(?:ed|t|n|ght|ld|de)\s{1,5}(?:\w{1,20}\s{1,5}){0,3}by\b",
    re.IGNORECASE,
)
_SUBJECT_WORDS = re.compile(
    r"\b(?:we|our|us|it|its|he|she|his|her|they|their|the\s(?:company|registrant|corporation|group|bank|firm))\b|我们|公司|本行|其",
    re.IGNORECASE,
)
_ALIKE = (
    ("company", "organization", "regulator"),
    ("product", "technology", "segment"),
    ("place", "facility"),
    ("regulation", "regulator"),
    ("instrument", "product"),
)
"""Types that a model takes for each other: a triple is not lost for it where the relation allows the other."""
_DIRECTED = frozenset(
    {"acquires", "divests", "sues", "founds", "audits", "regulates", "approves", "supplies", "lends_to"}
)
"""Relations that "A was ...ed by B" turns round."""


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered sentence: ``text`` is ``[start:end]`` of the passage with that index."""

    passage: int
    start: int
    end: int
    text: str
    speaker: str = ""
    language: Literal["en", "zh"] = "en"
    period: Period | None = None
    """That of the document, for "the third quarter"."""
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """A triple with the reason against it, if any, and the passage it belongs to.

    ``lost`` are copies that say what of a good triple was left out: an amount or a period that its sentence lacks.
    """

    triple: Triple
    passage: int
    lost: tuple[Triple, ...] = ()


def check_row(row: Mapping[str, Any], lines: Sequence[Line], subject: str, schema: Schema) -> Checked:
    """One row of a model's answer as a triple, with the first reason that speaks against it.

    >>> line = Line(0, 0, 26, "Acme acquired Bolt in May.")
    >>> row = {"sentence": 1, "head": "Acme", "head_type": "company", "relation": "acquires", "tail": "Nut",
    ...        "tail_type": "company"}
    >>> from cliquerag.kg.schema import load_schema
    >>> check_row(row, [line], "", load_schema()).triple.reason
    'not in the text: Nut'
    """
    line = _line_named(row, lines)
    if line is None:
        triple = _triple(row, lines[0], subject, schema)
        return Checked(replace(triple, reason="names no sentence"), lines[0].passage)
    triple = _turned_if_passive(_with_types(_triple(row, line, subject, schema), schema), line)
    if reason := _objection(triple, line, lines, subject, schema):
        return Checked(replace(triple, reason=reason), line.passage)
    triple, reasons = _with_details(triple, row, line)
    return Checked(triple, line.passage, tuple(replace(triple, reason=reason) for reason in reasons))


def _line_named(row: Mapping[str, Any], lines: Sequence[Line]) -> Line | None:
    """The sentence that a row names by its number, from 1; also where the number is written as text."""
    digits = _text(row, "sentence").strip("[]. ")
    if digits.isdecimal() and 1 <= int(digits) <= len(lines):
        return lines[int(digits) - 1]
    return None


def _triple(row: Mapping[str, Any], line: Line, subject: str, schema: Schema) -> Triple:
    relation, turned = _relation(_text(row, "relation"), schema)
    head = _named(_text(row, "head"), subject), _text(row, "head_type").lower()
    tail = _named(_text(row, "tail"), subject), _text(row, "tail_type").lower()
    if turned:
        head, tail = tail, head
    return Triple(
        head=head[0],
        head_type=head[1],
        relation=relation,
        tail=tail[0],
        tail_type=tail[1],
        sentence=line.text,
        start=line.start,
        end=line.end,
        modality=_modality(_text(row, "modality").lower()),
        confidence=0.8,
    )


def _relation(said: str, schema: Schema) -> tuple[str, bool]:
    """The relation's own name, and whether its ends are to be swapped; also for "acquired" and "is acquired by"."""
    name = said.lower().replace(" ", "_").replace("-", "_")
    known, turned = schema.canonical(name)
    if known in schema.relations:
        return known, turned
    name = re.sub(r"^(?:is|are|was|were|has|have)_", "", name)
    if schema.canonical(name)[0] in schema.relations:
        return schema.canonical(name)
    stems = search_words(name.replace("_", " "))
    for relation in schema.relations.values():
        if stems and stems == search_words(relation.name.replace("_", " ")):
            return relation.name, name.endswith("_by")
    return known, turned


def _with_types(triple: Triple, schema: Schema) -> Triple:
    """With types that the relation allows, where the given ones are taken for them easily."""
    relation = schema.relations.get(triple.relation)
    if relation is None or relation.allows(triple.head_type, triple.tail_type):
        return triple
    head, tail = _alike(triple.head_type, relation.heads), _alike(triple.tail_type, relation.tails)
    return replace(triple, head_type=head, tail_type=tail)


def _alike(kind: str, allowed: Collection[str]) -> str:
    """The type itself if it is allowed, else the first allowed one that it is taken for."""
    if kind in allowed:
        return kind
    for group in _ALIKE:
        if kind in group:
            others = among(group, allowed)
            if others:
                return others[0]
    return kind


def _turned_if_passive(triple: Triple, line: Line) -> Triple:
    """ "A was acquired by B" read as "A acquires B" is turned round."""
    if triple.relation not in _DIRECTED or triple.head_type != triple.tail_type:
        return triple
    places = line.text.find(triple.head), line.text.find(triple.tail)
    is_head_first = 0 <= places[0] < places[1]
    if is_head_first and _PASSIVE.search(line.text[places[0] + len(triple.head) : places[1]]):
        return replace(triple, head=triple.tail, tail=triple.head)
    return triple


def _objection(triple: Triple, line: Line, lines: Sequence[Line], subject: str, schema: Schema) -> str:
    for name, kind in ((triple.head, triple.head_type), (triple.tail, triple.tail_type)):
        if not name or _names_nobody(name):
            return f"names nobody in particular: {name}"
        is_model = kind == "product" and _MODEL_NUMBER.fullmatch(name) is not None
        if not is_model and _is_number_or_date(name):
            return f"a number or a date is no name: {name}"
    if violation := schema.violation(triple):
        return violation
    if triple.head == triple.tail:
        return "leads from a thing to itself"
    return _absence(triple, line, lines, subject) or _contradiction(triple, line)


def _absence(triple: Triple, line: Line, lines: Sequence[Line], subject: str) -> str:
    """Which end stands nowhere in the text, or that the sentence is about neither. Nearly every sentence names both:
    only for the others the whole window is searched."""
    said = name_key(f"{line.speaker} {line.text}")
    beside = [name for name in (triple.head, triple.tail) if not _is_in(name, said)]
    if not beside:
        return ""
    text = " ".join([subject, *(f"{each.speaker} {each.text}" for each in lines)])
    absent = next((name for name in beside if not _occurs(name, text)), None)
    if absent is not None:
        return f"not in the text: {absent}"
    is_about = len(beside) == 1 or _is_about(triple, line)
    return "" if is_about else "its sentence names neither end"


def _names_nobody(name: str) -> bool:
    return _NOBODY.fullmatch(name) is not None and not _ABBREVIATION.fullmatch(name)


def _is_about(triple: Triple, line: Line) -> bool:
    """True where the sentence names an end, or means one by "we", "it" or who speaks."""
    said = f"{line.speaker} {line.text}"
    if any(_occurs(name, said) for name in (triple.head, triple.tail)):
        return True
    words = {word for name in (triple.head, triple.tail) for word in name_key(name).split() if len(word) > _SHORT}
    return any(f" {word} " in f" {name_key(said)} " for word in words) or bool(_SUBJECT_WORDS.search(line.text))


def _contradiction(triple: Triple, line: Line) -> str:
    """What the sentence itself denies: an assertion that it negates."""
    between = _between(triple, line.text)
    if triple.modality == "asserted" and between and modality(between, line.language) == "negated":
        return "contradicts its sentence: it is negated there"
    return ""


def _with_details(triple: Triple, row: Mapping[str, Any], line: Line) -> tuple[Triple, list[str]]:
    """The triple with the amount and the period that its sentence gives, and what was lost with the reason."""
    metadata: dict[str, str] = {}
    reasons: list[str] = []
    if value := _text(row, "value"):
        printed = _printed_value(value, line.text)
        if printed:
            metadata["value"] = printed
            unit = _unit(printed) or _text(row, "unit")
            metadata |= {"unit": unit} if unit else {}
        else:
            reasons.append(f"value not in its sentence: {value} (the relation is kept)")
    period: Period | None = None
    if when := _text(row, "period"):
        if _squeezed(when) in _squeezed(line.text):
            period = _period(when, line)
            metadata |= {} if period else {"when": when}
        else:
            reasons.append(f"period not in its sentence: {when} (the relation is kept)")
    return replace(triple, metadata=metadata, period=period), reasons


def _printed_value(value: str, sentence: str) -> str:
    """The amount as the sentence prints it, whole: "$12.5 million" for "$12.5"; "" where it has no such amount."""
    if _squeezed(value) not in _squeezed(sentence):
        return ""
    for quantity in find_quantities(sentence):
        if _squeezed(quantity.text).startswith(_squeezed(value)):
            return quantity.text
    return value


def _unit(printed: str) -> str:
    found = find_quantities(printed)
    return found[0].unit if found else ""


def _period(when: str, line: Line) -> Period | None:
    """The period in the words of the sentence; "the third quarter" is that of the document's year."""
    periods = find_periods(when)
    if not periods and line.period is not None:
        periods = find_periods(f"{when} of {'fiscal ' if line.period.fiscal else ''}{line.period.year}")
    return periods[0].period if periods else None


def _between(triple: Triple, sentence: str) -> str:
    """The words between the two names; where one of them is meant by "we", those between that and the other."""
    places = [(sentence.find(name), len(name)) for name in (triple.head, triple.tail)]
    found = sorted(place for place in places if place[0] >= 0)
    if len(found) == 2:
        return sentence[found[0][0] + found[0][1] : found[1][0]]
    if len(found) == 1:
        meant = [match for match in _SUBJECT_WORDS.finditer(sentence) if match.end() <= found[0][0]]
        return sentence[meant[-1].end() : found[0][0]] if meant else ""
    return ""


def _named(name: str, subject: str) -> str:
    """The name, or the subject's where a model left "we" or "the Company"."""
    means_subject = _MEANS_SUBJECT.fullmatch(name) and not _ABBREVIATION.fullmatch(name)
    return subject if subject and means_subject else name


def _is_number_or_date(name: str) -> bool:
    if not any(char.isalpha() for char in name):
        return True
    return any(mention.start == 0 and mention.end == len(name) for mention in find_periods(name))


def _is_in(name: str, key: str) -> bool:
    """True where the key of a text holds that of a name as a whole."""
    return name_key(name) in f" {key} " and len(name.split()) <= _LONGEST_NAME


def _occurs(name: str, text: str) -> bool:
    """True where the document's own words give the name: as a whole, or all its words if it was put together."""
    key, words = name_key(name), f" {name_key(text)} "
    if len(name.split()) > _LONGEST_NAME:
        return False
    return key in words or all(f" {word} " in words for word in key.split())


def _modality(said: str) -> Modality:
    return next((kind for kind in get_args(Modality) if kind == said), "asserted")


def _text(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return " ".join(str(value).split()) if isinstance(value, (str, int, float)) else ""


def _squeezed(text: str) -> str:
    return re.sub(r"[\s,]", "", text).lower()
