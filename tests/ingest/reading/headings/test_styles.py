"""The type of the text, told from notes and titles."""

from __future__ import annotations

from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.headings.finder import body_type


def test_body_type_is_the_largest_common_one() -> None:
    note = PrintedLine("A long footnote in small type that goes on and on over many lines of the page", 1, size=8.0)
    text = PrintedLine("We sold more pumps in all regions of the world and expect to go on with it.", 1, size=10.0)
    title = PrintedLine("Title", 1, size=20.0, bold=True)
    assert body_type([*[note] * 20, *[text] * 8, title]) == (10.0, False)
