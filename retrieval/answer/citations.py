"""Numbers citations in the order of the answer, finds where the cited sentence stands on paper, and puts an answer in
numbers, with its cells, among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...core.anchor import Anchor
from ...core.ids import stable_id
from ...core.language import language_of
from ...core.names import is_chinese
from ...core.patterns import on_demand
from ...prompts.messages import message
from ..calculation import NumberAnswer
from ..search.evidence import Citation, Evidence

if TYPE_CHECKING:
    from ...ingest.document import Document
    from ...kg.store import Store


_END_MARKS = ".!?。！？…"
_CLOSING = '"”’」』)）'
_MARK = on_demand(r"(?<!\s)\s*\[\d+\]")
_NUMBER = on_demand(r"\[(\d+)\]")
_REPEATED = on_demand(r"(\[\d+\])\1+")
"""Cells of one row are one citation."""
_MOST_NOTES = 3


class Citations:
    """Gives each cited sentence one number, from 1 in the order in which they are first cited."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._documents: dict[str, Document | None] = {}
        self._numbers: dict[tuple[str, int, int, str], int] = {}
        self._made: list[Citation] = []

    def cite(self, item: Evidence, text: str, start: int, end: int, *, checked: bool = True) -> int:
        """The number of ``text``, which stands at ``start`` to ``end`` of the evidence's document.

        A sentence cited twice keeps its number; it counts as checked only if every use was.
        """
        key = (item.source, start, end, "" if end > start else text)
        if key not in self._numbers:
            self._numbers[key] = len(self._made) + 1
            self._made.append(self._citation(len(self._made) + 1, item, text, start, end, checked))
        number = self._numbers[key]
        if not checked:
            self.doubt([number])
        return number

    def doubt(self, numbers: Iterable[int]) -> None:
        """What was cited for a sentence that turns out not to be supported does not count as checked."""
        for number in numbers:
            self._made[number - 1] = replace(self._made[number - 1], checked=False)

    def all(self) -> tuple[Citation, ...]:
        """Every citation made, in order."""
        return tuple(self._made)

    def _citation(self, number: int, item: Evidence, text: str, start: int, end: int, checked: bool) -> Citation:
        anchors = self._anchors(item, start, end)
        page = anchors[0].page if anchors else item.page
        return Citation(number, item.source, " ".join(text.split()), page, anchors, start, end, checked)

    def _anchors(self, item: Evidence, start: int, end: int) -> tuple[Anchor, ...]:
        """Page and boxes of the sentence itself, else of the evidence around it."""
        if item.source not in self._documents:
            self._documents[item.source] = self._store.document(item.source)
        document = self._documents[item.source]
        found = document.anchors(start, end) if document and end > start else ()
        return found or item.anchors


def with_marks(sentence: str, numbers: Sequence[int]) -> str:
    """The sentence with its citations before the closing mark.

    >>> with_marks("Revenue rose.", [1, 2]), with_marks("收入增长。", [3])
    ('Revenue rose [1][2].', '收入增长[3]。')
    """
    if not numbers:
        return sentence
    body, ending = _parted(sentence.rstrip())
    marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
    blank = "" if is_chinese(body) else " "
    return f"{body}{blank}{marks}{ending}"


def _parted(sentence: str) -> tuple[str, str]:
    """A sentence and the marks that close it, with the quotation marks and brackets behind these."""
    bare = sentence.rstrip(_CLOSING)
    body = bare.rstrip(_END_MARKS)
    return (sentence, "") if body == bare else (body, sentence[len(body) :])


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
