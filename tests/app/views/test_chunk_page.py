"""The picture of chunks: self-contained, complete, escaped."""

from __future__ import annotations

import re

from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document, Segment
from cliquerag.views.inspection_pages import chunk_html

BODY = "Revenue rose in <Asia> & Europe this year. " * 3 + "Costs of freight and energy fell in the north. " * 3
TABLE = "| a | b |\n|---|---|\n| x | 1 |"
TEXT = f"Results\n\n{BODY.strip()}\n\n{TABLE}"


def _document() -> Document:
    body, table = TEXT.index("Revenue"), TEXT.index("| a")
    segments = (
        Segment("heading", 0, 7, 1),
        Segment("paragraph", body, body + len(BODY.strip()), headings=("Results",)),
        Segment("table", table, len(TEXT), headings=("Results",)),
    )
    return Document("a<b.txt", TEXT, segments)


def test_all_text_is_shown_and_nothing_is_loaded() -> None:
    document = _document()
    page = chunk_html(document, make_chunks(document, make_chunker("clique", target=30), None))
    assert page.count("Revenue rose in &lt;Asia&gt; &amp; Europe this year.") == 3
    assert page.count('class="s"') == 6
    assert "| x | 1 |" in page and "a&lt;b.txt" in page and '<div class="head">Results</div>' in page
    assert not re.search(r"(?:src|href)=|https?://|<script", page)


def test_cuts_of_the_chunker_differ_from_hard_breaks() -> None:
    document = _document()
    chunked = make_chunks(document, make_chunker("clique", target=30), None)
    page = chunk_html(document, chunked)
    assert page.count('class="cut hard"') == 2
    assert page.count('class="cut"') == len(chunked.chunks) - 2 > 0


def test_an_empty_document_is_drawn() -> None:
    document = Document("empty", "", ())
    assert "0 sentences" in chunk_html(document, make_chunks(document, make_chunker(), None))
