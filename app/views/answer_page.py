"""An answer as one self-contained HTML page: each cited page as a picture, or its text, the passage marked."""

from __future__ import annotations

import base64
import re
import tempfile
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.anchor import Anchor, Box, at_place, short_name
from ..core.errors import DocumentError, UsageError
from ..core.language import language_of
from ..core.records import dataclass
from ..ingest.pdf.backend import PdfFile
from ..retrieval.search.evidence import Answer, Citation
from .page import element, page

if TYPE_CHECKING:
    from ..workspace import Workspace

_AROUND = 700
"""Characters of text shown on each side of a passage that stands on no picture."""


@dataclass(frozen=True, slots=True)
class Sources:
    """``path_of`` finds the file of a source, ``text_of`` its text; "" where there is none."""

    path_of: Callable[[str], Path]
    text_of: Callable[[str], str]

    @classmethod
    def of(cls, workspace: Workspace) -> Sources:
        """Those of a workspace."""

        def text_of(source: str) -> str:
            document = workspace.store.document(source)
            return document.text if document else ""

        return cls(workspace.path_of, text_of)


def answer_html(question: str, answer: Answer, sources: Sources) -> str:
    """The answer, then every citation with its page as a picture; text around it where there is no page to show."""
    known = [citation.source for citation in answer.citations]
    written = "extractive, no language model" if answer.model == "extractive" else answer.model
    sections = [_section(citation, sources, known) for citation in answer.citations]
    return page(
        "answer",
        title=question,
        lead=element("p", _linked(answer.text), class_="answer") + element("p", escape(written), class_="soft small"),
        body="\n".join(("<main>", *sections, "</main>")),
        language=language_of(question),
    )


def open_citation(question: str, answer: Answer, number: int, sources: Sources) -> tuple[Path, bool]:
    """Show one citation in the browser: (the page written for it, whether a browser took it). Raises UsageError."""
    chosen = tuple(citation for citation in answer.citations if citation.number == number)
    if not chosen:
        known = f"There are 1 to {len(answer.citations)}" if answer.citations else "The answer cites nothing"
        raise UsageError(f"no citation [{number}]", where="--open", hint=known)
    html = answer_html(question, replace(answer, citations=chosen), sources)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix="cliquerag-", suffix=f"-{number}.html", delete=False
    ) as file:
        file.write(html)
    path = Path(file.name)
    try:
        return path, webbrowser.open(f"{path.as_uri()}#c{number}")
    except webbrowser.Error:
        return path, False


def _linked(text: str) -> str:
    return re.sub(r"\[(\d+)\]", r'<a href="#c\1">[\1]</a>', escape(text)).replace("\n", "<br>")


def _section(citation: Citation, sources: Sources, known: Sequence[str]) -> str:
    """Document and page, the words cited, and the page's picture or the text around them."""
    where = at_place(short_name(citation.source, known), citation)
    heading = element("h2", f"[{citation.number}] {escape(where)}")
    quote = element("blockquote", escape(citation.text))
    return element("section", heading, quote, _shown(citation, sources), id=f"c{citation.number}")


def _shown(citation: Citation, sources: Sources) -> str:
    path = sources.path_of(citation.source)
    has_boxes = any(anchor.boxes for anchor in citation.anchors)
    if path.suffix.lower() == ".pdf" and has_boxes:
        return "".join(_pictures(path, citation.anchors))
    return _passage(citation, sources.text_of(citation.source))


def _passage(citation: Citation, text: str) -> str:
    """The text around the passage, the passage marked; nothing where the store has no text."""
    start, end = citation.start, citation.end
    if not text[start:end].strip():
        return ""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    before, after = text[first:start], text[end:last]
    if first:
        before = "… " + before.partition(" ")[2]
    if last < len(text):
        after = after.rpartition(" ")[0] + " …"
    marked = element("mark", escape(text[start:end]))
    return element("pre", escape(before), marked, escape(after), class_="text sheet")


def _pictures(path: Path, anchors: Iterable[Anchor]) -> Iterable[str]:
    from ..ingest.files import on_disk
    from ..ingest.pdf.backend import default_backend

    try:
        with on_disk(path) as file, closing(default_backend().open(file)) as pdf:
            for anchor in anchors:
                yield _picture(pdf, anchor)
    except DocumentError as error:
        yield element("p", f"The page cannot be shown: {escape(str(error))}")


def _picture(pdf: PdfFile, anchor: Anchor) -> str:
    layout = pdf.page(anchor.page)
    data = base64.b64encode(pdf.picture(anchor.page)).decode("ascii")
    image = f'<img alt="page {anchor.page}" src="data:image/png;base64,{data}">'
    frames = [_frame(box, layout.width, layout.height) for box in anchor.boxes]
    return element("div", image, *frames, class_="page sheet")


def _frame(box: Box, width: float, height: float) -> str:
    x0, y0, x1, y1 = box
    left, top = x0 / width, y0 / height
    wide, high = (x1 - x0) / width, (y1 - y0) / height
    return element("i", style=f"left:{left:.2%};top:{top:.2%};width:{wide:.2%};height:{high:.2%}")
