"""What a model says about a sentence, held against the sentence and the schema; what fails is kept with its reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from ...core.names import name_key
from ...core.period_text import find_periods
from ..schema import Schema
from ..triple import Modality, Triple
from .rules.details import modality

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


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered sentence: ``text`` is ``[start:end]`` of the passage with that index."""

    passage: int
    start: int
    end: int
    text: str
    speaker: str = ""
    language: Literal["en", "zh"] = "en"


@dataclass(frozen=True, slots=True)
class Checked:
    """A triple with the reason against it, if any, and the passage it belongs to."""

    triple: Triple
    passage: int


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
    triple = _triple(row, line or lines[0], subject, schema)
    reason = _objection(triple, line, lines, subject, schema) if line else "names no sentence"
    return Checked(replace(triple, reason=reason), (line or lines[0]).passage)


def _line_named(row: Mapping[str, Any], lines: Sequence[Line]) -> Line | None:
    """The sentence that a row names by its number, from 1."""
    number = row.get("sentence")
    if isinstance(number, int) and 1 <= number <= len(lines):
        return lines[number - 1]
    return None


def _triple(row: Mapping[str, Any], line: Line, subject: str, schema: Schema) -> Triple:
    relation, turned = schema.canonical(_text(row, "relation").lower().replace(" ", "_"))
    head = _named(_text(row, "head"), subject), _text(row, "head_type").lower()
    tail = _named(_text(row, "tail"), subject), _text(row, "tail_type").lower()
    if turned:
        head, tail = tail, head
    said = _text(row, "modality").lower()
    metadata = {name: _text(row, name) for name in ("value", "unit") if _text(row, name)}
    periods = find_periods(_text(row, "period"))
    return Triple(
        head=head[0],
        head_type=head[1],
        relation=relation,
        tail=tail[0],
        tail_type=tail[1],
        sentence=line.text,
        start=line.start,
        end=line.end,
        period=periods[0].period if periods else None,
        modality=_modality(said),
        confidence=0.8,
        metadata=metadata,
    )


def _objection(triple: Triple, line: Line, lines: Sequence[Line], subject: str, schema: Schema) -> str:
    for name in (triple.head, triple.tail):
        if not name or _NOBODY.fullmatch(name):
            return f"names nobody in particular: {name}"
        if _is_number_or_date(name):
            return f"a number or a date is no name: {name}"
    if violation := schema.violation(triple):
        return violation
    if triple.head == triple.tail:
        return "leads from a thing to itself"
    text = " ".join([subject, *(f"{each.speaker} {each.text}" for each in lines)])
    absent = next((name for name in (triple.head, triple.tail) if not _occurs(name, text)), None)
    if absent is not None:
        return f"not in the text: {absent}"
    return _contradiction(triple, line)


def _contradiction(triple: Triple, line: Line) -> str:
    """What the sentence itself denies: the amount it does not hold, the assertion that it negates."""
    value = triple.metadata.get("value", "")
    if value and _squeezed(value) not in _squeezed(line.text):
        return f"not in its sentence: {value}"
    between = _between(triple, line.text)
    if triple.modality == "asserted" and between and modality(between, line.language) == "negated":
        return "contradicts its sentence: it is negated there"
    return ""


def _between(triple: Triple, sentence: str) -> str:
    """The words between the two names, where the sentence has both."""
    places = [(sentence.find(name), len(name)) for name in (triple.head, triple.tail)]
    if min(place for place, _ in places) < 0:
        return ""
    (first, length), (second, _) = sorted(places)
    return sentence[first + length : second]


def _named(name: str, subject: str) -> str:
    """The name, or the subject's where a model left "we" or "the Company"."""
    return subject if subject and _MEANS_SUBJECT.fullmatch(name) else name


def _is_number_or_date(name: str) -> bool:
    if not any(char.isalpha() for char in name):
        return True
    return any(mention.start == 0 and mention.end == len(name) for mention in find_periods(name))


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
