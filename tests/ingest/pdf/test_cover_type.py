"""What the first pages print in display type, and what running heads say."""

from __future__ import annotations

from cliquerag.ingest.pdf.reader import largest_type
from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.furniture import running_texts


def test_lines_of_one_size_are_one_text_and_small_type_is_none() -> None:
    cover = [
        PrintedLine("Acme", 1, size=40.0),
        PrintedLine("Limited", 1, size=40.0),
        PrintedLine("Annual report 2015", 1, size=30.0),
        PrintedLine("Our customers like what we do", 1, size=9.0),
    ]
    plain = [PrintedLine("Notes", 2, size=10.0)]
    assert largest_type([cover, plain]) == ("Acme Limited", "Annual report 2015")


def test_a_page_set_large_is_no_title() -> None:
    assert largest_type([[PrintedLine("word " * 60, 1, size=20.0)]]) == ()


def test_running_heads_are_counted_without_their_page_numbers() -> None:
    pages = [[PrintedLine(f"Acme plc Report {n}", n), PrintedLine("text", n)] for n in range(1, 5)]
    marks = {(n, 0): "running header" for n in range(4)} | {(0, 1): "page number"}
    assert running_texts(pages, marks) == {"Acme plc Report": 4}
