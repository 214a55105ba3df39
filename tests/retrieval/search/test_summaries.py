"""Sections, groups of sections and documents are found as one thing."""

from __future__ import annotations

import numpy as np
import pytest
from cliquerag.ingest.chunk import SectionSummaries, SectionSummary
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_text
from cliquerag.kg.storage.term_counts import TermCounts
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.retrieval.search.index.bm25 import Postings
from cliquerag.retrieval.search.index.secondary import SummarisedChunks, SummaryTree, WrittenSummary
from cliquerag.workspace import Workspace
from support.library import WordEmbedder

from benchmarks.asking import search
from benchmarks.ours import make_bundle


def tree_of(sections: list[int], document: list[int], vectors: np.ndarray, texts: list[str]) -> SummaryTree:
    number = np.array(sections)
    follows = np.concatenate([[False], number[1:] == number[:-1]])
    chunks = SummarisedChunks(np.array(document), follows, vectors.astype(np.float32), np.ones(len(number), np.float32))
    return SummaryTree.of(chunks, Postings([TermCounts.of(texts)]))


def test_a_chunk_is_worth_what_the_best_summary_above_it_is_worth():
    vectors = np.array([[1, 0], [0.6, 0.8], [0, 1], [0, 1], [1, 0]], np.float32)
    tree = tree_of([0, 0, 1, 1, 2], [0, 0, 0, 0, 1], vectors, ["cash", "debt", "", "", "cash"])
    assert [node.level for node in tree.nodes] == ["section", "section", "document", "section", "document"]
    first, second, whole, other, _ = tree.vectors @ np.array([1.0, 0.0], np.float32)
    assert first == pytest.approx(1.6 / np.hypot(1.6, 0.8)) and second == 0 and other == 1
    best = tree.best_above(np.array([1.0, 0.0], np.float32))
    assert best.tolist() == pytest.approx([first, first, whole, whole, 1.0])
    assert tree.words.scores({"debt": 1.0}).nonzero()[0].tolist() == [0, 1], "both chunks of its section"


def test_like_sections_are_grouped():
    """Twelve sections about two things, taking turns: a group never mixes them."""
    own = np.tile(np.array([[1, 0.02], [0.02, 1]]), (6, 1))
    vectors = own / np.linalg.norm(own, axis=1, keepdims=True)
    tree = tree_of(list(range(12)), [0] * 12, vectors, [""] * 12)
    groups = [at for at, node in enumerate(tree.nodes) if node.level == "group"]
    assert groups
    for group in groups:
        rows = np.flatnonzero((tree.above == group).any(axis=1))
        assert len(set((rows % 2).tolist())) == 1
    again = tree_of(list(range(12)), [0] * 12, vectors, [""] * 12)
    assert again.above.tolist() == tree.above.tolist()


def test_a_search_says_which_summaries_it_found():
    freight = ["Freight rates rose.", "Freight by sea was dear.", "Ports raised freight fees.", "Freight was late."]
    people = ["Staff grew by ten.", "Staff were paid more.", "Staff left in spring.", "Staff came back."]
    filler = ["Weather was fine."] * 3
    book = "\n\n".join(
        f"# {title}\n\n" + "\n\n".join(" ".join([line] * 6) for line in lines)
        for title, lines in (("Costs", freight), ("People", people), ("Other", filler))
    )
    embedder = WordEmbedder()
    trace = Trace()
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.store.put(make_bundle(classify_pages(read_text(book, source="book.md")), embedder, None))
        asked = "How did freight develop?"
        found = search(workspace.store, embedder, asked, mode="vector", trace=trace, extras=frozenset({"summaries"}))
        plain = search(workspace.store, embedder, asked, mode="vector")
    best = trace.data["summaries"][0]
    assert best["level"] == "section" and best["source"] == "book.md"
    assert all("reight" in sentence for sentence in best["sentences"])
    assert found[0].why["summary"] > 0
    assert "summary" not in plain[0].why


def test_a_written_summary_stands_for_its_section():
    """Its vector is that of the section and of the groups above; its words are found at each chunk of the section."""
    vectors = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
    follows = np.array([False, True, True, False])
    chunks = SummarisedChunks(np.zeros(4, np.int64), follows, vectors, np.ones(4, np.float32))
    written = [WrittenSummary(0, 1, "solvency", np.array([0, 1], np.float32))]
    counted = Postings([TermCounts.of(["cash", "cash", "staff", ""]), TermCounts.of(["solvency"])])
    tree = SummaryTree.of(chunks, counted, written)
    assert tree.above[:, 0].tolist() == [0, 0, 1, 2], "the section ends where the summary does"
    assert tree.vectors[0].tolist() == [0, 1]
    scores = tree.word_scores({"solvency": 1.0}, 1.5, 0.75)
    assert scores.shape == (4,) and scores.nonzero()[0].tolist() == [0, 1]
    assert vectors[0].tolist() == [1, 0], "the chunks keep their own"


def test_a_section_is_found_by_the_words_of_its_written_summary():
    lines = {"Costs": "Containers were dear. ", "People": "Staff were paid more. ", "Rest": "Weather was fine. "}
    book = "\n\n".join(f"# {title}\n\n{line * 6}" for title, line in lines.items())
    embedder = WordEmbedder()
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.store.put(make_bundle(classify_pages(read_text(book, source="book.md")), embedder, None))
        at = next(chunk.ordinal for chunk in workspace.store.chunks_of("book.md") if "Containers" in chunk.text)
        row = SectionSummary(at, at, "Logistics weighed on the margin.")
        asked, options = "What about logistics?", {"mode": "vector", "extras": frozenset({"summaries"})}
        before = search(workspace.store, embedder, asked, **options)
        workspace.store.put_section_summaries(
            "book.md", SectionSummaries("model-1", (row,), embedder.embed([row.text]))
        )
        trace = Trace()
        found = search(workspace.store, embedder, asked, trace=trace, **options)
    assert not before or before[0].why.get("summary", 0) < found[0].why["summary"]
    assert "Containers" in found[0].text and "ogistics" not in found[0].text
    assert trace.data["summaries"][0]["sentences"] == [row.text]
