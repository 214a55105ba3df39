"""Documents to chunks: what stays together, what is cited, which vectors come along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import chunk_text, make_chunks
from cliquerag.ingest.document import Document, Line, Metadata, Page, Segment, Table
from cliquerag.ingest.index_text import IndexOptions
from cliquerag.models.embedders import Multilingual
from hypothesis import given, settings
from hypothesis import strategies as st


class FakeEmbedder:
    """Vectors by the letters of a text; remembers what it was asked."""

    name, dim = "fake", 26

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        rows = [[1e-3 + text.lower().count(chr(97 + i)) for i in range(26)] for text in texts]
        vectors = np.array(rows, np.float32).reshape(len(texts), 26)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


MARKDOWN = "| in millions | 2023 | 2022 |\n|---|---|---|\n| Revenue | 120 | 100 |\n| Net income | 12 | 9 |"
TABLE = Table((("in millions", "2023", "2022"), ("Revenue", "120", "100"), ("Net income", "12", "9")), title="Results")


def build(*parts: tuple[str, str, dict], tables: tuple[Table, ...] = (), **more: object) -> Document:
    text, segments = "", []
    for kind, content, fields in parts:
        segments.append(Segment(kind, len(text), len(text) + len(content), **fields))
        text += content + "\n\n"
    return Document("a/b.txt", text, tuple(segments), tables=tables, **more)


def report() -> Document:
    under = {"headings": ("Results",)}
    return build(
        ("heading", "Results", {"level": 1}),
        ("paragraph", "Revenue rose because prices were higher. Margins widened as well in most regions.", under),
        ("heading", "Table of results", {"level": 2, "headings": ("Results",)}),
        ("table", MARKDOWN, {"table": 0, "headings": ("Results", "Table of results")}),
        ("paragraph", "The table shows the results of two years side by side.", under),
        ("heading", "The end", {"level": 1}),
        tables=(TABLE,),
    )


def test_nothing_is_lost_and_tables_stay_whole() -> None:
    document = report()
    chunks = make_chunks(document, make_chunker(), None).chunks
    assert [c.kind for c in chunks] == ["text", "table", "text", "text"]
    assert [c.ordinal for c in chunks] == [0, 1, 2, 3]
    assert all(document.text[c.start : c.end] == c.text for c in chunks)
    outside = document.text
    for chunk in chunks:
        outside = outside[: chunk.start] + " " * len(chunk.text) + outside[chunk.end :]
    assert not outside.strip()
    assert MARKDOWN in chunks[1].text


def test_headings_go_with_what_follows() -> None:
    chunks = make_chunks(report(), make_chunker(), None).chunks
    assert chunks[0].text.startswith("Results\n\nRevenue rose")
    assert chunks[1].text.startswith("Table of results\n\n| in millions")
    assert chunks[3].text == "The end"
    assert chunks[1].headings == ("Results", "Table of results")


def test_a_table_is_indexed_by_its_skeleton() -> None:
    table = make_chunks(report(), make_chunker(), None).chunks[1]
    assert "Net income" in table.index_text and "Results" in table.index_text and "2023" in table.index_text
    assert "120" not in table.index_text
    assert len(table.sentences) == 1


def test_a_table_keeps_the_sentence_that_announces_it_and_its_notes() -> None:
    noted = replace(TABLE, notes="(1) Restated for the sale of pumps.")
    document = build(
        ("paragraph", "Sales rose in all regions this year. Results by year were as follows:", {}),
        ("table", MARKDOWN, {"table": 0}),
        ("paragraph", "(1) Restated for the sale of pumps.", {}),
        ("paragraph", "We expect that sales will rise again next year.", {}),
        tables=(noted,),
    )
    first, table, last = make_chunks(document, make_chunker(), None).chunks
    assert first.text == "Sales rose in all regions this year."
    assert table.text.startswith("Results by year were as follows:") and table.text.endswith("the sale of pumps.")
    assert "as follows" in table.index_text and "Restated" in table.index_text and "120" not in table.index_text
    assert last.text.startswith("We expect")
    assert all(document.text[a:b].strip() for a, b in table.sentences) and len(table.sentences) == 3


@pytest.mark.parametrize(
    "before",
    [
        "Sales rose in all regions this year and will rise again.",
        "As follows. " + "Sales of pumps rose well " * 14 + ":",
    ],
)
def test_other_sentences_do_not_go_with_the_table(before: str) -> None:
    document = build(("paragraph", before, {}), ("table", MARKDOWN, {"table": 0}), tables=(TABLE,))
    assert make_chunks(document, make_chunker(), None).chunks[-1].text == MARKDOWN


def test_a_sentence_on_the_page_before_does_not_go_with_the_table() -> None:
    text = "Results were as follows:"
    pages = (Page(1, 0, len(text) + 2), Page(2, len(text) + 2, len(text) + 2 + len(MARKDOWN)))
    document = build(("paragraph", text, {}), ("table", MARKDOWN, {"table": 0}), tables=(TABLE,), pages=pages)
    assert [c.kind for c in make_chunks(document, make_chunker(), None).chunks] == ["text", "table"]


def test_a_long_table_has_a_vector_for_every_few_rows() -> None:
    rows = (("item", "2023"), *((f"Row named number {i}", str(i)) for i in range(100)))
    markdown = "\n".join(["| item | 2023 |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows[1:])])
    document = build(("table", markdown, {"table": 0}), tables=(Table(rows),))
    result = make_chunks(document, make_chunker(), FakeEmbedder())
    (chunk,) = result.chunks
    assert result.sentence_vectors is not None
    assert len(chunk.sentences) == len(result.sentence_vectors) > 5
    start, end = chunk.sentences[-1]
    assert document.text[start:end].endswith("| Row named number 99 | 99 |")


def test_a_table_of_raw_lines_has_its_rows_found() -> None:
    raw = "in millions\n2023\n2022\nRevenue\n120\n100\nNet income\n12\n9"
    document = build(("table", raw, {"table": 0}), tables=(TABLE,))
    (chunk,) = make_chunks(document, make_chunker(), None).chunks
    assert chunk.text == raw and "Revenue; Net income" in chunk.index_text
    assert [document.text[a:b] for a, b in chunk.sentences] == ["Revenue\n120\n100\nNet income\n12\n9"]


def test_every_sentence_is_embedded_once() -> None:
    embedder = FakeEmbedder()
    result = make_chunks(report(), make_chunker(), embedder)
    assert len(embedder.asked) == len(set(embedder.asked)) == sum(len(c.sentences) for c in result.chunks)
    assert embedder.asked[0] == "Results. Revenue rose because prices were higher."
    assert result.vectors is not None and result.sentence_vectors is not None
    assert result.vectors.dtype == result.sentence_vectors.dtype == np.float32
    mean = result.sentence_vectors[:2].sum(0)
    assert np.allclose(result.vectors[0], mean / np.linalg.norm(mean), atol=1e-6)


def test_the_second_pass_sees_meta_and_headings() -> None:
    embedder = FakeEmbedder()
    document = replace(report(), metadata=Metadata(companies=("Acme Corp",), kind="10-K"))
    result = make_chunks(document, make_chunker(), embedder, IndexOptions.of(chunk_vectors="meta:1"))
    assert any(text.startswith("Acme Corp | 10-K | Results | ") for text in embedder.asked)
    assert np.allclose(np.linalg.norm(result.vectors, axis=1), 1, atol=1e-5)
    plain = FakeEmbedder()
    make_chunks(document, make_chunker(), plain, IndexOptions.of(chunk_vectors="text:1"))
    assert not any("Acme" in text for text in plain.asked)


def test_no_chunk_goes_over_a_page() -> None:
    first, second = "The last line of the page is here.", "Total assets and more of the balance sheet."
    text = f"{first}\n{second}"
    lines = (Line(0, len(first), 57), Line(len(first) + 1, len(text), 58))
    pages = (Page(57, 0, len(first)), Page(58, len(first) + 1, len(text)))
    segments = tuple(Segment("paragraph", line.start, line.end) for line in lines)
    chunks = make_chunks(Document("p", text, segments, pages=pages, lines=lines), make_chunker(), None).chunks
    assert [(c.page, c.text) for c in chunks] == [(57, first), (58, second)]


def _call(answer: str) -> Document:
    asked = {"speaker": "Ann, Analyst", "part": "question"}
    return build(
        ("paragraph", "We will now take your questions on the quarter.", {"speaker": "Operator", "part": "remarks"}),
        ("paragraph", "How do you see the margins of next year?", asked),
        ("paragraph", answer, {"speaker": "Bob, CFO", "part": "answer"}),
        ("paragraph", "And what about the price of copper this year?", asked),
    )


def test_a_question_and_its_short_answer_stay_together() -> None:
    chunks = make_chunks(_call("They should widen by about fifty basis points."), make_chunker(), None).chunks
    assert [c.part for c in chunks] == ["remarks", "question", "question"]
    assert "next year?" in chunks[1].text and "fifty basis points" in chunks[1].text
    assert chunks[1].speaker == "Ann, Analyst; Bob, CFO"


def test_a_long_answer_stands_alone() -> None:
    chunks = make_chunks(_call("They should widen by about fifty basis points. " * 40), make_chunker(), None).chunks
    assert chunks[1].text == "How do you see the margins of next year?"
    assert chunks[2].part == "answer" and chunks[2].speaker == "Bob, CFO"


def test_ids_are_stable_and_of_the_source() -> None:
    one, again = (make_chunks(report(), make_chunker(), None).chunks for _ in range(2))
    other = make_chunks(replace(report(), source="c/b.txt"), make_chunker(), None).chunks
    assert [c.id for c in one] == [c.id for c in again]
    assert not {c.id for c in one} & {c.id for c in other}


def test_an_empty_document_has_no_chunks() -> None:
    assert make_chunks(Document("e", "", ()), make_chunker(), FakeEmbedder()).chunks == ()
    assert chunk_text("", embedder=None) == []
    assert chunk_text(" \n\n", embedder=FakeEmbedder()) == []


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet=st.sampled_from("ab C.!?\n1,。 |$"), max_size=400),
    st.sampled_from(["clique", "fixed", "recursive"]),
)
def test_chunk_text_loses_nothing(text: str, chunker: str) -> None:
    end = 0
    for chunk in chunk_text(text, chunker, embedder=None):
        assert chunk.start >= end and text[chunk.start : chunk.end] == chunk.text
        assert not text[end : chunk.start].strip()
        end = chunk.end
    assert not text[end:].strip()


def test_headings_of_a_text_are_borders_where_that_is_wished() -> None:
    body = "Pumps sold well in the year and so did valves of all kinds."
    text = f"Opening words of the report stand here.\n\n# Sales\n\n## North\n\n{body}\n\n# Costs\n\n{body}\n"
    assert len(chunk_text(text, embedder=None)) == 1
    starts = [chunk.text[:9] for chunk in chunk_text(text, embedder=None, headings=True)]
    assert starts == ["Opening w", "# Sales\n\n", "# Costs\n\n"]


@given(st.text(alphabet=st.sampled_from("ab C.!?\n1,。 |$#"), max_size=300))
@settings(max_examples=40, deadline=None)
def test_with_headings_nothing_is_lost(text: str) -> None:
    chunks = chunk_text(text, embedder=None, headings=True)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(text.split())


def test_the_kind_of_document_sets_the_chunker() -> None:
    text = " ".join(f"We sold {n} pumps to {n} customers in region {n}." for n in range(60))
    call = build(("paragraph", text, {}), metadata=Metadata(kind="earnings call"))
    report = replace(call, metadata=Metadata(kind="10-K"))
    lengths = [len(make_chunks(d, make_chunker("auto"), None).chunks) for d in (call, report)]
    assert lengths[0] > lengths[1] == len(make_chunks(report, make_chunker("clique"), None).chunks)
    assert len(make_chunks(report, make_chunker("auto", kind="earnings call"), None).chunks) == lengths[0]


@pytest.mark.parametrize("text", ["公司收入增长。公司成本下降。净利润上升。", "Sales rose at home. Costs fell."])
def test_late_vectors_of_texts_that_the_second_encoder_reads_stay_means(text: str) -> None:
    """It gives whole vectors only, which is no reason to refuse a collection of two languages."""

    class WithStates(FakeEmbedder):
        multilingual = Multilingual(FakeEmbedder(), english_too=True)

        def token_states(self, text: str) -> tuple[np.ndarray, np.ndarray]:
            return np.array([[0, len(text)]], np.int64), np.eye(1, 26, dtype=np.float32)

    document = build(("paragraph", text, {}))
    chunker = make_chunker("fixed")
    mean, late = (
        make_chunks(document, chunker, WithStates(), IndexOptions.of(chunk_vectors=how)) for how in ("mean", "late")
    )
    assert mean.multilingual is not None and late.multilingual is not None
    assert np.array_equal(mean.multilingual.chunks, late.multilingual.chunks)
    if mean.vectors is not None:
        assert not np.array_equal(mean.vectors, late.vectors)
