"""An answer to take along: Markdown, a page with pictures of the cited pages, or DOCX with footnotes to the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..core.anchor import at_place
from ..retrieval.search.evidence import Answer, Citation
from .desk import Wording

if TYPE_CHECKING:
    from ..core.language import Language
    from .desk import Desk
    from .notebook import Turn

MEDIA = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_MARKER = re.compile(r" ?\[(\d{1,4})\]")
_NO_NAME = re.compile(r"[\W_]+")
_MARKDOWN = re.compile(r"([\\`*_{}<>#|])")


def file_name(question: str) -> str:
    """A name for a file about a question.

    >>> file_name("What was Acme's revenue in 2023?")
    'What-was-Acme-s-revenue-in-2023'
    """
    return _NO_NAME.sub("-", question).strip("-")[:60] or "answer"


def exported(ending: str, turn: Turn, desk: Desk, language: Language) -> str | bytes:
    """The answer of a turn as a file with one of the endings of :data:`MEDIA`."""
    answer = turn.answer
    assert answer is not None, "asked of an answered turn"
    if ending == "html":
        from ..views.answer_page import Sources, answer_html

        return answer_html(turn.question, answer, Sources.of(desk.workspace))
    places = {citation.number: _place(citation, desk) for citation in answer.citations}
    words = Wording(language)
    made = f"CliqueRAG · {turn.asked:%Y-%m-%d %H:%M} UTC · {answer.mode} · {answer.model}"
    if ending == "md":
        return _markdown(turn.question, answer, places, words("export.sources"), made)
    return _docx(turn.question, answer, places, made)


def _place(citation: Citation, desk: Desk) -> str:
    return at_place(desk.short_name(citation.source), citation)


def _markdown(question: str, answer: Answer, places: dict[int, str], heading: str, made: str) -> str:
    text = _MARKER.sub(r"[^\1]", _plain(answer.text))
    lines = [f"# {_plain(question)}", "", *_paragraphs(text), f"## {heading}", ""]
    for citation in answer.citations:
        quoted = _plain(" ".join(citation.text.split()))
        lines.append(f"[^{citation.number}]: {_plain(places[citation.number])}: “{quoted}”")
    return "\n".join((*lines, "", f"*{_plain(made)}*", ""))


def _paragraphs(text: str) -> Iterable[str]:
    for line in text.split("\n"):
        if line.strip():
            yield from (line, "")


def _plain(text: str) -> str:
    """Text that Markdown prints as it stands."""
    return _MARKDOWN.sub(r"\\\1", text)


def _docx(question: str, answer: Answer, places: dict[int, str], made: str) -> bytes:
    from ..views.docx import DocxWriter

    quoted = {citation.number: " ".join(citation.text.split()) for citation in answer.citations}

    def note(number: int) -> tuple[str, str] | None:
        return (f"{places[number]}: “{quoted[number]}”", "") if number in quoted else None

    written = DocxWriter(note)
    written.heading(question, 1)
    for line in answer.text.split("\n"):
        if line.strip():
            written.paragraph(line)
    written.small_print(made)
    return written.finished()
