"""Places of a scope: pages, whole short documents, chunks of long ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Page
from cliquerag.kg.storage.term_counts import DocumentTerms, TermCounts
from cliquerag.retrieval.search.index.ranking_units import Exchanges, Places, exchanges_of, page_index, page_indexes
from hypothesis import given
from hypothesis import strategies as st


def document(source: str, *spans: tuple[int, int]) -> DocumentTerms:
    none = TermCounts.of([""] * len(spans))
    return DocumentTerms(
        source,
        tuple(f"{source}{i}" for i in range(len(spans))),
        np.array(spans, np.int64).reshape(-1, 2),
        none,
        none,
        np.ones(len(spans), np.float32),
    )


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.lists(st.tuples(st.integers(0, 50), st.integers(1, 30))))
def test_many_spans_are_placed_like_one(lengths: list[int], spans: list[tuple[int, int]]) -> None:
    ends = np.cumsum(lengths).tolist()
    pages = [Page(i + 1, end - length, end) for i, (length, end) in enumerate(zip(lengths, ends, strict=True))]
    array = np.array([(start, start + length) for start, length in spans], np.int64).reshape(-1, 2)
    assert page_indexes(pages, array).tolist() == [page_index(pages, int(a), int(b)) for a, b in array]


def test_a_place_is_a_page_a_short_document_or_a_chunk_of_a_long_one() -> None:
    pages = [Page(5, 0, 10, classes={"notes": 0.5}), Page(6, 10, 30, classes={"balance sheet": 1.0})]
    report = document("report.pdf", (0, 8), (8, 20), (20, 30))
    note = document("note.txt", (0, 5), (5, 9))
    book = document("book.txt", *((i, i + 1) for i in range(8)))
    parts = [book, document("empty.txt"), note, report]
    rows = np.repeat(np.array([0, 1, 2, 3], np.int32), [8, 0, 2, 3])
    places = Places.of(parts, rows, {"report.pdf": pages})
    assert places.of_chunk.tolist() == [*range(8), 8, 8, 9, 10, 10]
    assert places.document.tolist() == [0] * 8 + [2, 3, 3]
    assert places.of_page == {("report.pdf", 5): 9, ("report.pdf", 6): 10}
    assert {name: np.flatnonzero(of).tolist() for name, of in places.classes.items()} == {
        "notes": [9],
        "balance sheet": [10],
    }


def test_a_page_counts_to_the_place_that_holds_most_of_it() -> None:
    pages = [Page(1, 0, 100), Page(2, 100, 200), Page(3, 200, 300)]
    table = document("r.pdf", (0, 10), (10, 210), (210, 300))
    places = Places.of([table], np.zeros(3, np.int32), {"r.pdf": pages})
    assert places.of_chunk.tolist() == [0, 1, 2]
    assert places.of_page == {("r.pdf", 1): 1, ("r.pdf", 2): 1, ("r.pdf", 3): 2}


def spoken(*turns: tuple[str, str, int]) -> list[Chunk]:
    """Chunks by part, speaker and length."""
    chunks, start = [], 0
    for ordinal, (part, speaker, length) in enumerate(turns):
        text = "Why?" if part == "question" else "So it was."
        chunks.append(Chunk(str(ordinal), "call", ordinal, start, start + length, text, part=part, speaker=speaker))
        start += length
    return chunks


def test_an_exchange_runs_from_the_question_to_the_last_answer() -> None:
    call = spoken(
        ("remarks", "Bo", 2_000),
        ("remarks", "Bo", 900),
        ("remarks", "Bo", 900),
        ("remarks", "Cy", 100),
        ("question", "Operator", 50),
        ("question", "Ann", 300),
        ("answer", "Bo", 300),
        ("answer", "Cy", 300),
        ("question", "Ann; Bo", 200),
        ("question", "Ann", 200),
        ("answer", "Bo", 9_000),
        ("remarks", "Operator", 50),
    )
    found = exchanges_of(call)
    assert found.of_chunk.tolist() == [0, 0, 2, 3, 4, 4, 4, 4, 8, 9, 9, 11]
    assert np.flatnonzero(found.asks).tolist() == [4, 5, 9]


def test_a_turn_is_a_stretch_of_what_is_asked_or_a_page_of_what_is_answered() -> None:
    call = spoken(
        ("remarks", "Bo", 500),
        ("remarks", "Bo", 400),
        ("remarks", "Cy", 300),
        ("question", "Operator", 50),
        ("question", "Ann", 300),
        *[("answer", "Bo", 1_000)] * 6,
        *[("question", "Dee", 400)] * 4,
    )
    found = exchanges_of(call)
    assert found.turns.tolist() == [0, 0, 2, 3, 3, 5, 5, 5, 8, 8, 8, 11, 11, 13, 13]
    assert np.flatnonzero(found.asks).tolist() == [3, 4]  # the last question has no answer


def test_who_speaks_without_a_title_after_an_analyst_answers() -> None:
    call = spoken(
        ("question", "Operator", 50),
        ("question", "Ann, Analyst", 300),
        ("question", "Bo", 400),
        ("question", "Ann, Analyst; Bo", 100),
        ("question", "Cy", 300),
        ("answer", "Bo", 400),
    )
    found = exchanges_of(call)
    assert found.turns.tolist() == [0, 0, 2, 3, 4, 5]
    assert np.flatnonzero(found.asks).tolist() == [0, 1, 4]


def test_who_asks_nothing_answers_whatever_the_reader_took_him_for() -> None:
    call = spoken(("question", "Operator", 50), ("question", "Bo", 400), ("question", "Bo", 300), ("answer", "Cy", 200))
    said = [call[0], *(replace(chunk, text="It will rise.") for chunk in call[1:])]
    assert exchanges_of(call).asks.tolist() == [True, True, True, False]
    assert exchanges_of(said).asks.tolist() == [True, False, False, False]


def test_the_turns_of_a_call_are_places_and_count_the_words_of_their_exchange() -> None:
    call = document("call.txt", *((i, i + 1) for i in range(8)))
    exchanges = Exchanges(np.array([0, 1, 1, 1, 4, 4, 6, 7]), np.array([0, 1, 2, 2, 4, 4, 6, 7]), np.arange(8) == 1)
    places = Places.of(
        [document("a.txt", (0, 9)), call], np.array([0] + [1] * 8, np.int32), {}, {"call.txt": exchanges}
    )
    assert places.of_chunk.tolist() == [0, 1, 2, 3, 3, 4, 4, 5, 6]
    assert places.whole.tolist() == [False, False, True, True, True, True, True, False, False]
    assert [places.windows[1:].tolist().count(window) for window in places.windows[1:]] == [1, 3, 3, 3, 2, 2, 1, 1]
    turns = places.turns
    assert list(zip(turns.start.tolist(), turns.end.tolist(), strict=True))[:4] == [(-1, -1), (0, 1), (1, 2), (2, 4)]
    assert turns.exchange[0] == -1 and turns.exchange[2] == turns.exchange[3] != turns.exchange[1]
    assert np.flatnonzero(turns.asks).tolist() == [2]
