"""An answer as one self-contained HTML page: each cited page as a picture, or its text, the passage marked."""

from __future__ import annotations

import base64
import re
import tempfile
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from ..core.anchor import Anchor, Box
from ..core.errors import DocumentError, UsageError
from ..core.names import is_chinese
from ..core.source_names import short_name
from ..ingest.pdf.backend import PdfFile
from ..retrieval.search.evidence import Answer, Citation

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
    template = Template(files(__package__).joinpath("answer_page.html").read_text(encoding="utf-8"))
    return template.substitute(
        language="zh" if is_chinese(question) else "en",
        question=escape(question),
        answer=_linked(answer.text),
        model=escape("extractive, no language model" if answer.model == "extractive" else answer.model),
        figures="\n".join(_figure(citation, sources, known) for citation in answer.citations),
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


def _figure(citation: Citation, sources: Sources, known: Sequence[str]) -> str:
    where = escape(short_name(citation.source, known)) + (f", page {citation.page}" if citation.page else "")
    path = sources.path_of(citation.source)
    has_pages = path.suffix.lower() == ".pdf" and any(anchor.boxes for anchor in citation.anchors)
    shown = "".join(_pictures(path, citation.anchors)) if has_pages else _passage(citation, sources)
    return (
        f'<section id="c{citation.number}"><h2>[{citation.number}] {where}</h2>'
        f"<blockquote>{escape(citation.text)}</blockquote>{shown}</section>"
    )


def _passage(citation: Citation, sources: Sources) -> str:
    """The text around the passage, the passage marked; nothing where the store has no text."""
    text = sources.text_of(citation.source)
    start, end = citation.start, citation.end
    if not text[start:end].strip():
        return ""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    before, after = text[first:start], text[end:last]
    before = ("… " + before.partition(" ")[2]) if first else before
    after = (after.rpartition(" ")[0] + " …") if last < len(text) else after
    return f'<pre class="text">{escape(before)}<mark>{escape(text[start:end])}</mark>{escape(after)}</pre>'


def _pictures(path: Path, anchors: Iterable[Anchor]) -> Iterable[str]:
    from ..ingest.pdf.pymupdf_backend import PyMuPdfBackend

    try:
        with closing(PyMuPdfBackend().open(path)) as pdf:
            for anchor in anchors:
                yield _picture(pdf, anchor)
    except DocumentError as error:
        yield f"<p>The page cannot be shown: {escape(str(error))}</p>"


def _picture(pdf: PdfFile, anchor: Anchor) -> str:
    layout = pdf.page(anchor.page)
    image = base64.b64encode(pdf.picture(anchor.page)).decode("ascii")
    frames = "".join(_frame(box, layout.width, layout.height) for box in anchor.boxes)
    return f'<div class="page"><img alt="page {anchor.page}" src="data:image/png;base64,{image}">{frames}</div>'


def _frame(box: Box, width: float, height: float) -> str:
    x0, y0, x1, y1 = box
    shares = (x0 / width, y0 / height, (x1 - x0) / width, (y1 - y0) / height)
    left, top, wide, high = (f"{share:.2%}" for share in shares)
    return f'<i style="left:{left};top:{top};width:{wide};height:{high}"></i>'
