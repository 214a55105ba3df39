"""An answer in numbers as a piece of evidence for a model, and as the text of an answer without one."""

from __future__ import annotations

import re

from ...core.ids import stable_id
from ...core.language import language_of
from ...prompts.messages import message
from ..calculation import NumberAnswer
from ..search.evidence import Evidence
from .citations import Citations

_MARK = re.compile(r"(?<!\s)\s*\[\d+\]")
_NUMBER = re.compile(r"\[(\d+)\]")
_REPEATED = re.compile(r"(\[\d+\])\1+")
"""Cells of one row are one citation."""
_MOST_NOTES = 3


def number_evidence(number: NumberAnswer) -> list[Evidence]:
    """The figures with their calculation, standing where their first component stands; nothing without components."""
    if not number.citations:
        return []
    first = number.citations[0]
    cells = "; ".join(citation.text for citation in number.citations)
    return [
        Evidence(
            kind="fact",
            text=f"{_MARK.sub('', number.text)}\n({cells})",
            score=1.0,
            source=first.source,
            id=stable_id("figure", first.source, number.text),
            page=first.page,
            anchors=first.anchors,
            start=first.start,
            end=first.end,
            highlights=tuple((citation.start, citation.end) for citation in number.citations),
            why={"numbers": 1.0},
        )
    ]


def write_number(number: NumberAnswer, citations: Citations) -> str:
    """The figures with their calculation, and which values contradict them; its cells are cited with ``citations``."""
    given = {
        str(own.number): citations.cite(
            Evidence("fact", own.text, 1.0, own.source, page=own.page, anchors=own.anchors),
            own.text,
            own.start,
            own.end,
        )
        for own in number.citations
    }
    text = _NUMBER.sub(lambda match: f"[{given.get(match[1], match[1])}]", number.text)
    text = _REPEATED.sub(r"\1", text)
    head = message("note", language_of(number.text))
    return "\n".join([text, *(f"{head}{note}" for note in number.notes[:_MOST_NOTES])])
