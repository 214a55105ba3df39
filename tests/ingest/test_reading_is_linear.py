"""Reading takes as long as the text is: odd texts of 60,000 characters, some of which once took minutes."""

from __future__ import annotations

import time

import pytest
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.read import read_text
from cliquerag.ingest.sentences import split_text

LENGTH = 60_000
MOST_SECONDS = 3.0
"""CPU seconds; all take under a half."""
TEXTS = {
    "blanks in a row": "Revenue" + " " * LENGTH + "rose.",
    "blanks that do not break": "Revenue" + "\u00a0" * LENGTH + "rose.",
    "blanks before an escaped line end": "a\\n" * 9 + " " * LENGTH + "x",
    "dots": "# Title\n\n" + "." * LENGTH + "x",
    "exclamation marks": "What" + "!" * LENGTH + "x",
    "Chinese without punctuation": "字" * LENGTH,
    "one word": "x" * LENGTH,
    "abbreviations": "e.g. " * (LENGTH // 5),
    "a heading of hashes": "# a\n# b\n# " + "#" * LENGTH + "x",
    "a heading of blanks": "# a\n# " + " " * LENGTH + "x #",
    "empty comments": "<!---->" * (LENGTH // 7) + "x",
    "tags that never end": "<html>Revenue rose." + "<" * LENGTH,
    "scripts that never end": "<html>" + "<script " * (LENGTH // 8),
    "a row of rules": "a | b\n" + "|-" * (LENGTH // 2) + "x\n",
    "values under a label": "Total\n" + "1,234\n" * (LENGTH // 6),
    "names": "Aa " * (LENGTH // 3),
    "turns": "Jane Doe: yes we do.\n" * (LENGTH // 21),
}


@pytest.mark.parametrize("name", TEXTS)
def test_odd_texts_are_read_quickly(name: str) -> None:
    text = TEXTS[name]
    start = time.process_time()
    split_text(text)
    document = read_text(text, source="odd.md")
    make_chunks(document, make_chunker("clique"), None)
    assert time.process_time() - start < MOST_SECONDS
