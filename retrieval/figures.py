"""An answer in numbers as a piece of evidence, so that a model can build on it and cite it."""

from __future__ import annotations

import re

from ..core.ids import stable_id
from .evidence import Evidence
from .numbers import NumberAnswer

_MARK = re.compile(r"\s*\[\d+\]")


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
