"""Reading takes as long as the text is: odd texts of 60,000 characters, some of which once took minutes."""

from __future__ import annotations

import time
from typing import Any

import pytest
from cliquerag.core.anchor import Anchor
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document, Line, Segment, Table
from cliquerag.ingest.pieces.embedding_text import is_note_of
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


class _Counted(tuple[Line, ...]):
    """Lines that count how many of them are looked at."""

    seen = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.seen += len(found) if isinstance(at, slice) else 1
        return found


def test_the_place_of_a_sentence_is_found_without_going_through_the_lines_behind_it() -> None:
    lines = _Counted(Line(10 * n, 10 * n + 9, page=1 + n // 50) for n in range(20_000))
    document = Document("long.pdf", "x" * 200_000, (), lines=lines)
    assert document.anchors(0, 15) == (Anchor(1, ()),)
    assert lines.seen < 100


def test_a_paragraph_far_below_a_table_is_told_from_its_notes_without_reading_what_is_between() -> None:
    class Text(str):
        __slots__ = ("read",)

        def __getitem__(self, at: Any) -> str:
            part = super().__getitem__(at)
            self.read = getattr(self, "read", 0) + len(part)
            return part

    text = Text("y" * 500_000)
    table = Table((("a", "1"),), notes="y note", start=0, end=20)
    document = Document("long.pdf", text, (), tables=(table,))
    printed = Segment("table", 0, 20, table=0)
    assert not is_note_of(document, printed, 20, Segment("paragraph", 499_000, 499_900))
    assert getattr(text, "read", 0) < 5_000
