"""The line under which a chunk is filed."""

from __future__ import annotations

from cliquerag.core.period import Period
from cliquerag.ingest.document import Document, Metadata, Page, Segment, Table
from cliquerag.ingest.index_text.context import Place, context_lines
from support.canned_answers import Answering

METADATA = Metadata(companies=("Acme Corp",), kind="10-K", period=Period("year", 2023, fiscal=True))
TEXT = "x" * 100


def _document() -> Document:
    pages = (Page(1, 0, 50), Page(2, 50, 100, classes={"balance sheet": 0.9, "debt": 0.99}))
    return Document("a", TEXT, (), tables=(Table((("a", "b"),), title="Assets"),), pages=pages, metadata=METADATA)


def _places() -> list[Place]:
    prose = Segment("paragraph", 0, 50, headings=("Part I", "Item 1", "Leases", "Terms"))
    table = Segment("table", 50, 100, headings=("Item 8",), table=0)
    return [Place(0, prose, "We lease it.", 4), Place(10, prose, "It ends.", 4), Place(50, table, "Cash", 4)]


def test_without_a_model_it_is_what_the_document_says_of_the_place() -> None:
    assert context_lines(_document(), _places()) == [
        "Acme Corp | 10-K | FY2023 | Item 1 > Leases > Terms",
        "Acme Corp | 10-K | FY2023 | Item 1 > Leases > Terms",
        "Acme Corp | 10-K | FY2023 | Item 8 | Assets | balance sheet",
    ]


def test_a_model_gives_the_lines_of_a_section_in_one_call() -> None:
    answer = '{"lines": [{"passage": 2, "line": "The lease of the\\nmill ends."}, {"passage": 7, "line": "No."}, 3]}'
    model = Answering([answer, '{"lines": []}'])
    assert context_lines(_document(), _places(), model) == [
        "Acme Corp | 10-K | FY2023 | Item 1 > Leases > Terms",
        "Acme Corp | 10-K | FY2023 | The lease of the mill ends.",
        "Acme Corp | 10-K | FY2023 | Item 8 | Assets | balance sheet",
    ]
    assert len(model.sent) == 2 and "[2] It ends." in model.sent[0][-1].content


def test_a_document_of_nothing_known_has_no_lines() -> None:
    plain = Document("a", TEXT, ())
    assert context_lines(plain, [Place(0, Segment("paragraph", 0, 50), "It ends.", 4)]) == [""]
