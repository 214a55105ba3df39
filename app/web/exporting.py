"""An answer to take along: Markdown, a page with pictures of the cited pages, or DOCX with footnotes to the pages."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

from ..core.source_names import at_page
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
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not have."""


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
    return at_page(desk.short_name(citation.source), citation.page)


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


# --- DOCX: the five parts of a document with footnotes, ECMA-376 part 1, sections 17.11 and 17.2

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/>'
        f'<Override PartName="/word/footnotes.xml" ContentType="{_WORD}.footnotes+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>'
    ),
    "word/_rels/document.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/styles" Target="styles.xml"/>'
        f'<Relationship Id="rId2" Type="{_RELATIONS}/footnotes" Target="footnotes.xml"/></Relationships>'
    ),
    "word/styles.xml": (
        f'<w:styles xmlns:w="{_MAIN}"><w:docDefaults><w:rPrDefault><w:rPr>'
        '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="SimSun"/><w:sz w:val="22"/></w:rPr></w:rPrDefault>'
        '<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault>'
        '</w:docDefaults><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>'
        '<w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/>'
        '<w:rPr><w:sz w:val="18"/></w:rPr></w:style>'
        '<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/>'
        '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style></w:styles>'
    ),
}  # fmt: skip


def _docx(question: str, answer: Answer, places: dict[int, str], made: str) -> bytes:
    notes: list[str] = []
    by_number = {citation.number: citation for citation in answer.citations}
    body = [_paragraph(_run(question), "Heading1")]
    for line in answer.text.split("\n"):
        if line.strip():
            body.append(_paragraph("".join(_runs(line, by_number, places, notes))))
    body.append(_paragraph(_run(made), "FootnoteText"))
    document = f'<w:document xmlns:w="{_MAIN}"><w:body>{"".join(body)}<w:sectPr/></w:body></w:document>'
    separators = "".join(
        f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{mark}/></w:r></w:p></w:footnote>'
        for kind, number, mark in (
            ("separator", -1, "separator"),
            ("continuationSeparator", 0, "continuationSeparator"),
        )
    )
    footnotes = f'<w:footnotes xmlns:w="{_MAIN}">{separators}{"".join(notes)}</w:footnotes>'
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in {**_PARTS, "word/document.xml": document, "word/footnotes.xml": footnotes}.items():
            package.writestr(name, _HEAD + part)
    return out.getvalue()


def _runs(line: str, by_number: dict[int, Citation], places: dict[int, str], notes: list[str]) -> Iterable[str]:
    """The text of a line with a footnote at each citation; the notes are added to ``notes``."""
    at = 0
    for match in _MARKER.finditer(line):
        citation = by_number.get(int(match[1]))
        if citation is None:
            continue
        yield _run(line[at : match.start()])
        number = len(notes) + 1
        quoted = " ".join(citation.text.split())
        mark = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
        note = _paragraph(mark + _run(f" {places[citation.number]}: “{quoted}”"), "FootnoteText")
        notes.append(f'<w:footnote w:id="{number}">{note}</w:footnote>')
        yield (
            '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr>'
            f'<w:footnoteReference w:id="{number}"/></w:r>'
        )  # fmt: skip
        at = match.end()
    yield _run(line[at:])


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{escape(_CONTROL.sub("", text), quote=False)}</w:t></w:r>'


def _paragraph(content: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}{content}</w:p>"
