"""An answer as one self-contained HTML page: the cited pages as pictures with the cited passage framed."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from contextlib import closing
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from .core.anchor import Anchor, Box
from .core.errors import DocumentError
from .ingest.pdf.backend import PdfFile
from .retrieval.evidence import Answer, Citation


def answer_html(question: str, answer: Answer, path_of: Callable[[str], Path]) -> str:
    """``path_of`` finds the file of a source; a citation whose file is gone or has no pages is shown as text."""
    template = Template(files("cliquerag").joinpath("answer_page.html").read_text(encoding="utf-8"))
    figures = "\n".join(_figure(citation, path_of(citation.source)) for citation in answer.citations)
    return template.substitute(
        question=escape(question), answer=_linked(answer.text), model=escape(answer.model), figures=figures
    )


def _linked(text: str) -> str:
    return re.sub(r"\[(\d+)\]", r'<a href="#c\1">[\1]</a>', escape(text)).replace("\n", "<br>")


def _figure(citation: Citation, path: Path) -> str:
    where = escape(citation.source) + (f", page {citation.page}" if citation.page else "")
    pictures = "".join(_pictures(path, citation.anchors)) if path.suffix.lower() == ".pdf" else ""
    return (
        f'<section id="c{citation.number}"><h2>[{citation.number}] {where}</h2>'
        f"<blockquote>{escape(citation.text)}</blockquote>{pictures}</section>"
    )


def _pictures(path: Path, anchors: Iterable[Anchor]) -> Iterable[str]:
    from .ingest.pdf.pymupdf_backend import PyMuPdfBackend

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
