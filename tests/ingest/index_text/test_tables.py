"""Tables summed up in words: what their values say, embedded and searched with them."""

from __future__ import annotations

import numpy as np
from cliquerag.core.period import Period
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document, Metadata, Segment, Table
from cliquerag.ingest.index_text import IndexOptions
from cliquerag.ingest.index_text.tables import summary_of, table_summaries
from support.canned_answers import Answering

ROWS = (("", "2021", "2022"), ("Net sales", "100", "120"), ("Other income", "9", "(3)"), ("Tax", "5", "5"))
MARKDOWN = (
    "| | 2021 | 2022 |\n| --- | --- | --- |\n| Net sales | 100 | 120 |\n| Other income | 9 | (3) |\n| Tax | 5 | 5 |"
)
TEXT = f"{MARKDOWN}\n\n{MARKDOWN}"
SECOND = len(MARKDOWN) + 2
DOCUMENT = Document(
    "a.txt",
    TEXT,
    (
        Segment("table", 0, len(MARKDOWN), headings=("Income",), table=0),
        Segment("table", SECOND, len(TEXT), headings=("Income",), table=1),
    ),
    tables=(Table(ROWS, start=0, end=len(MARKDOWN)), Table(ROWS, start=SECOND, end=len(TEXT))),
    metadata=Metadata(companies=("Acme Inc.",), kind="10-K", period=Period("year", 2022, fiscal=True)),
)
BY_RULES = "Income, 2022 compared with 2021: Net sales rose; Other income turned negative; Tax was unchanged."


class Lengths:
    """Keeps what it was asked to embed."""

    name, dim = "lengths", 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts):
        self.asked += texts
        vectors = np.array([[len(text), 1] for text in texts], np.float32).reshape(len(texts), 2)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_a_table_is_embedded_and_searched_with_its_summary_and_cited_without_it() -> None:
    plain, embedder = Lengths(), Lengths()
    (before, _) = make_chunks(DOCUMENT, make_chunker("clique"), plain).chunks
    result = make_chunks(DOCUMENT, make_chunker("clique"), embedder, IndexOptions.of("tables"))
    (chunk, _) = result.chunks
    assert BY_RULES not in plain.asked and embedder.asked.count(BY_RULES) == 2
    assert chunk.index_text == f"{BY_RULES}\n{before.index_text}"
    assert chunk.text == before.text == MARKDOWN
    assert len(chunk.sentences) == len(before.sentences) + 1 and chunk.sentences[0] == chunk.sentences[1]


def test_a_model_sums_up_the_tables_of_a_section_in_one_call_and_may_state_nothing_that_is_not_printed() -> None:
    answer = (
        '{"summaries": [{"table": 1, "text": "Sales of Acme grew to 120 in FY2022 while other income became a loss."},'
        ' {"table": 2, "text": "Sales grew by 20% to 120."}]}'
    )
    model = Answering([answer])
    found = table_summaries(DOCUMENT, DOCUMENT.segments, model)
    assert found == ["Sales of Acme grew to 120 in FY2022 while other income became a loss.", BY_RULES]
    (sent,) = model.sent
    assert "Acme Inc. | 10-K | FY2022 | Income" in sent[-1].content and "/ | Tax | 5 | 5 |" in sent[-1].content


def test_nothing_is_told_of_a_table_that_compares_no_periods() -> None:
    assert summary_of(Table((("", "East", "West"), ("Net sales", "100", "120")))) == ""
    assert summary_of(Table((("", "2022"), ("Net sales", "100")))) == ""
    assert summary_of(Table((("", "2021", "2022"), ("Members", "Ann", "Bo")))) == ""
    figure = Segment("figure", 0, 10)
    assert table_summaries(DOCUMENT, [figure], Answering([])) == [""]


def test_the_newest_two_periods_of_one_length_are_compared_wherever_they_stand() -> None:
    rows = (("", "Q2 2023", "2022", "Q2 2022"), ("Sales", "10", "90", "12"), ("Loss", "(4)", "1", "(6)"))
    assert summary_of(Table(rows), "Results") == "Results, Q2 2023 compared with Q2 2022: Sales fell; Loss fell."


def test_totals_are_told_first_then_what_changed_most() -> None:
    parts = [(f"Region {number}", "100", str(101 + number)) for number in range(9)]
    summary = summary_of(Table((("", "2021", "2022"), *parts, ("Total sales", "900", "945"))))
    assert summary.endswith("Region 8 rose; Total sales rose.") and summary.count(";") == 7
    assert "Region 2" in summary and "Region 1 " not in summary
