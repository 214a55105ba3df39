"""A small writer of DOCX: headings, paragraphs and tables, a footnote at each [number] mark, links to pages.

The parts of a document with footnotes: ECMA-376 part 1, sections 17.2, 17.4 (tables), 17.11 and 17.16.22 (hyperlinks).
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from html import escape
from io import BytesIO

_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MARKER = re.compile(r" ?\[(\d{1,4})\]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML does not have."""
_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_WORD}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/>'
    f'<Override PartName="/word/footnotes.xml" ContentType="{_WORD}.footnotes+xml"/></Types>'
)
_ROOT = (
    f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>'
)
_DOCUMENT = (
    f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATIONS}/styles" Target="styles.xml"/>'
    f'<Relationship Id="rId2" Type="{_RELATIONS}/footnotes" Target="footnotes.xml"/></Relationships>'
)
_SIZES = {1: 32, 2: 26, 3: 22}
"""Half points of a heading of each level."""


def _style(kind: str, name: str, title: str, properties: str) -> str:
    return f'<w:style w:type="{kind}" w:styleId="{name}"><w:name w:val="{title}"/>{properties}</w:style>'


def _heading_style(level: int, size: int) -> str:
    properties = f'<w:pPr><w:outlineLvl w:val="{level - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="{size}"/></w:rPr>'
    return _style("paragraph", f"Heading{level}", f"heading {level}", properties)


_BORDERS = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:color="BFBFBF"/>'
    for side in ("top", "left", "bottom", "right", "insideH", "insideV")
)
_STYLES = (
    f'<w:styles xmlns:w="{_MAIN}"><w:docDefaults><w:rPrDefault><w:rPr>'
    '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="SimSun"/><w:sz w:val="22"/></w:rPr></w:rPrDefault>'
    '<w:pPrDefault><w:pPr><w:spacing w:after="120" w:line="264" w:lineRule="auto"/></w:pPr></w:pPrDefault>'
    "</w:docDefaults>"
    + "".join(_heading_style(level, size) for level, size in _SIZES.items())
    + _style("paragraph", "FootnoteText", "footnote text", '<w:rPr><w:sz w:val="18"/></w:rPr>')
    + _style(
        "character", "FootnoteReference", "footnote reference", '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    )
    + _style("character", "Hyperlink", "Hyperlink", '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>')
    + "</w:styles>"
)
Note = Callable[[int], "tuple[str, str] | None"]
"""Number of a mark -> the text of its footnote and the address that it links to; None for a mark that cites nothing."""


class DocxWriter:
    """Collects a document part by part; :meth:`finished` gives its bytes."""

    def __init__(self, note: Note) -> None:
        self._note = note
        self._body: list[str] = []
        self._notes: list[str] = []
        self._links: list[str] = []

    def heading(self, text: str, level: int) -> None:
        """A heading of level 1 to 3."""
        self._body.append(_paragraph(_run(text), f"Heading{level}"))

    def paragraph(self, text: str) -> None:
        """A paragraph; each [number] that cites something becomes a footnote."""
        self._body.append(_paragraph("".join(self._runs(text))))

    def small_print(self, text: str) -> None:
        """A paragraph in the size of footnotes, as it stands."""
        self._body.append(_paragraph(_run(text), "FootnoteText"))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """A table with a head that is repeated on each page."""
        first = "".join(_cell(_paragraph(_run(name, bold=True))) for name in head)
        lines = [f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{first}</w:tr>"]
        for row in rows:
            cells = "".join(_cell(_paragraph("".join(self._runs(text)))) for text in row)
            lines.append(f"<w:tr>{cells}</w:tr>")
        grid = "".join("<w:gridCol/>" for _ in head)
        properties = f'<w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>{_BORDERS}</w:tblBorders></w:tblPr>'
        self._body.append(f"<w:tbl>{properties}<w:tblGrid>{grid}</w:tblGrid>{''.join(lines)}</w:tbl>")
        self._body.append(_paragraph(""))

    def finished(self) -> bytes:
        """The whole document as a file."""
        names = f'xmlns:w="{_MAIN}" xmlns:r="{_RELATIONS}"'
        document = f"<w:document {names}><w:body>{''.join(self._body)}<w:sectPr/></w:body></w:document>"
        footnotes = f"<w:footnotes {names}>{_SEPARATORS}{''.join(self._notes)}</w:footnotes>"
        links = f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(self._links)}</Relationships>'
        parts = {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": _ROOT,
            "word/_rels/document.xml.rels": _DOCUMENT,
            "word/_rels/footnotes.xml.rels": links,
            "word/styles.xml": _STYLES,
            "word/document.xml": document,
            "word/footnotes.xml": footnotes,
        }
        out = BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            for name, part in parts.items():
                package.writestr(name, _HEAD + part)
        return out.getvalue()

    def _runs(self, text: str) -> Iterable[str]:
        at = 0
        for match in _MARKER.finditer(text):
            noted = self._note(int(match[1]))
            if noted is None:
                continue
            yield _run(text[at : match.start()])
            yield self._footnote(*noted)
            at = match.end()
        yield _run(text[at:])

    def _footnote(self, text: str, link: str) -> str:
        """The mark of a new footnote, which is added to the notes."""
        number = len(self._notes) + 1
        sign = '<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>'
        said = _run(f" {text}")
        if link:
            said = f'<w:hyperlink r:id="l{number}">{_run(f" {text}", style="Hyperlink")}</w:hyperlink>'
            target = escape(link, quote=True)
            self._links.append(
                f'<Relationship Id="l{number}" Type="{_RELATIONS}/hyperlink" Target="{target}" TargetMode="External"/>'
            )
        self._notes.append(f'<w:footnote w:id="{number}">{_paragraph(sign + said, "FootnoteText")}</w:footnote>')
        return f'<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="{number}"/></w:r>'


_SEPARATORS = "".join(
    f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
    for kind, number in (("separator", -1), ("continuationSeparator", 0))
)


def _run(text: str, *, bold: bool = False, style: str = "") -> str:
    properties = "<w:rPr><w:b/></w:rPr>" if bold else ""
    if style:
        properties = f'<w:rPr><w:rStyle w:val="{style}"/></w:rPr>'
    return f'<w:r>{properties}<w:t xml:space="preserve">{escape(_CONTROL.sub("", text), quote=False)}</w:t></w:r>'


def _paragraph(content: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}{content}</w:p>"


def _cell(content: str) -> str:
    return f"<w:tc>{content}</w:tc>"
