"""A report as Markdown, as one self-contained HTML page, or as DOCX: cells of tables point to pages, sources last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.anchor import at_place, short_name
from ..reports.parts import word
from .docx import DocxWriter
from .page import element, page

if TYPE_CHECKING:
    from ..reports.parts import Cell, Grid, Report, Section
    from ..retrieval.search.evidence import Citation

_MARK = re.compile(r" ?\[(\d{1,4})\]")
_MARKDOWN = re.compile(r"([\\`*_{}<>#|])")

PathOf = Callable[[str], Path]
"""Where the file of a source lies."""


def places_of(report: Report) -> dict[int, str]:
    """Number of a citation -> its document and page, by the shortest name that tells it from the others."""
    known = [citation.source for citation in report.citations]
    return {one.number: at_place(short_name(one.source, known), one) for one in report.citations}


def page_link(citation: Citation, path_of: PathOf) -> str:
    """The address of the cited page: of a web page its own, of a file on this machine the file at that page.

    A browser opens a PDF at ``#page=N``; "" for a text that was never a file.
    """
    if citation.source.startswith(("http://", "https://")):
        return citation.source
    path = path_of(citation.source)
    if not path.is_absolute() or not path.exists():
        return ""
    at = f"#page={citation.page}" if citation.page and path.suffix.lower() == ".pdf" else ""
    return f"{path.as_uri()}{at}"


# --- Markdown


def report_markdown(report: Report, path_of: PathOf) -> str:
    """GitHub's Markdown: tables, and a footnote for each source with a link to its page."""
    lines = [f"# {_plain(report.title)}", ""]
    for section in report.sections:
        if section.title:
            lines.extend((f"## {_plain(section.title)}", ""))
        for grid in section.grids:
            lines.extend((*_markdown_grid(grid), ""))
        for paragraph in section.paragraphs:
            if paragraph.question:
                lines.extend((f"**{_plain(paragraph.question)}**", ""))
            for line in filter(str.strip, paragraph.text.split("\n")):
                lines.extend((_footnoted(line), ""))
    if report.missing:
        lines.extend((f"## {word('missing', report.language)}", ""))
        lines.extend(f"- {_plain(question)}" for question in report.missing)
        lines.append("")
    places = places_of(report)
    for citation in report.citations:
        link = page_link(citation, path_of)
        place = f"[{_plain(places[citation.number])}](<{link}>)" if link else _plain(places[citation.number])
        lines.append(f"[^{citation.number}]: {place}: “{_plain(citation.text)}”")
    return "\n".join((*lines, ""))


def _markdown_grid(grid: Grid) -> Iterator[str]:
    yield f"| {' | '.join(map(_plain, grid.head))} |"
    yield f"|{' --- |' * len(grid.head)}"
    for row in grid.rows:
        cells = (_plain(cell.text) + "".join(f"[^{number}]" for number in cell.citations) for cell in row)
        yield f"| {' | '.join(cells)} |"


def _footnoted(text: str) -> str:
    return _MARK.sub(r"[^\1]", _plain(text))


def _plain(text: str) -> str:
    """Text that Markdown prints as it stands, on one line."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


# --- HTML


def report_html(report: Report, path_of: PathOf) -> str:
    """One page without scripts or other files: a contents list, charts as SVG, each mark a link to what it cites."""
    body = [element("nav", *_contents(report))]
    for number, section in enumerate(report.sections, 1):
        body.append(element("section", *_html_section(section), id=f"s{number}"))
    if report.missing:
        items = (element("li", escape(question)) for question in report.missing)
        body.append(element("section", element("h2", word("missing", report.language)), element("ul", *items)))
    body.append(_html_sources(report, path_of))
    lead = element("p", escape(_made_by(report)), class_="soft small")
    return page("report", title=report.title, lead=lead, body=element("main", *body), language=report.language)


def _contents(report: Report) -> Iterator[str]:
    for number, section in enumerate(report.sections, 1):
        yield element("a", escape(section.title), href=f"#s{number}")


def _html_section(section: Section) -> Iterator[str]:
    if section.title:
        yield element("h2", escape(section.title))
    if section.chart:
        yield element("figure", section.chart)
    for grid in section.grids:
        yield _html_grid(grid)
    for paragraph in section.paragraphs:
        if paragraph.question:
            yield element("h3", escape(paragraph.question))
        for line in filter(str.strip, paragraph.text.split("\n")):
            yield element("p", _linked(line))


def _html_grid(grid: Grid) -> str:
    head = element("tr", *(element("th", escape(name)) for name in grid.head))
    rows = [element("tr", *map(_html_cell, row)) for row in grid.rows]
    return element("div", element("table", element("thead", head), element("tbody", *rows)), class_="wide")


def _html_cell(cell: Cell) -> str:
    if not cell.citations:
        return element("td", escape(cell.text))
    first, *others = cell.citations
    text = element("a", escape(cell.text), href=f"#c{first}", class_="plain")
    marks = "".join(element("a", f"[{number}]", href=f"#c{number}") for number in (first, *others))
    return element("td", text, " ", element("small", marks))


def _html_sources(report: Report, path_of: PathOf) -> str:
    if not report.citations:
        return ""
    places = places_of(report)
    items = []
    for citation in report.citations:
        link = page_link(citation, path_of)
        place = escape(places[citation.number])
        name = element("a", place, href=link) if link else place
        items.append(element("li", name, element("blockquote", escape(citation.text)), id=f"c{citation.number}"))
    return element("section", element("h2", word("sources", report.language)), element("ol", *items), class_="sources")


def _linked(text: str) -> str:
    return re.sub(r"\[(\d{1,4})\]", r'<a href="#c\1">[\1]</a>', escape(text))


def _made_by(report: Report) -> str:
    return "extractive, no language model" if report.model == "extractive" else report.model


# --- DOCX


def report_docx(report: Report, path_of: PathOf) -> bytes:
    """A document for a word processor: headings, tables, and a footnote at each mark with a link to the page."""
    places = places_of(report)
    by_number = {citation.number: citation for citation in report.citations}

    def note(number: int) -> tuple[str, str] | None:
        citation = by_number.get(number)
        if citation is None:
            return None
        return f"{places[number]}: “{citation.text}”", page_link(citation, path_of)

    writer = DocxWriter(note)
    writer.heading(report.title, 1)
    for section in report.sections:
        if section.title:
            writer.heading(section.title, 2)
        for grid in section.grids:
            writer.table(grid.head, [[_marked(cell.text, cell.citations) for cell in row] for row in grid.rows])
        for paragraph in section.paragraphs:
            if paragraph.question:
                writer.heading(paragraph.question, 3)
            for line in filter(str.strip, paragraph.text.split("\n")):
                writer.paragraph(line)
    if report.missing:
        writer.heading(word("missing", report.language), 2)
        for question in report.missing:
            writer.paragraph(question)
    writer.paragraph(f"CliqueRAG · {_made_by(report)}")
    return writer.finished()


def _marked(text: str, numbers: Iterable[int]) -> str:
    return text + "".join(f"[{number}]" for number in numbers)


# --- plain text, for a terminal


def report_text(report: Report) -> str:
    """The report for a terminal: tables in columns, sources last."""
    lines = [report.title, "=" * min(len(report.title), 100)]
    for section in report.sections:
        if section.title:
            lines.extend(("", section.title, "-" * min(len(section.title), 100)))
        for grid in section.grids:
            lines.extend(_text_grid(grid))
        for paragraph in section.paragraphs:
            if paragraph.question:
                lines.extend(("", paragraph.question))
            lines.append(paragraph.text)
    if report.missing:
        lines.extend(("", f"{word('missing', report.language)}:", *(f"- {one}" for one in report.missing)))
    places = places_of(report)
    if report.citations:
        lines.extend(("", word("sources", report.language)))
    lines.extend(f"[{one.number}] {places[one.number]}" for one in report.citations)
    return "\n".join(lines)


def _text_grid(grid: Grid) -> Iterator[str]:
    yield "  ".join(grid.head)
    for row in grid.rows:
        yield "  ".join(_marked(cell.text, cell.citations) for cell in row)


WRITERS: dict[str, Callable[[Report, PathOf], str | bytes]] = {
    ".html": report_html,
    ".md": report_markdown,
    ".docx": report_docx,
}
"""By the ending of the file."""
