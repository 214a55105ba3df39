"""In a call, whoever finds what an analyst asked is shown what was answered."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_text
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.workspace import Workspace

from benchmarks.asking import search
from benchmarks.ours import make_bundle

ANSWERS = {
    "Why was it so dear to ship things from the coast?": "Freight rates doubled. " + "We saw it in every port. " * 40,
    "Will there be a new plant in the north?": "Ground was broken in May. " + "Steel is on its way to us. " * 40,
    "How do you think of the dividend?": "The board meets in June. " + "It likes steady payments most. " * 40,
    "Do you plan to hire more engineers?": "Two hundred people joined. " + "Training takes a year for each. " * 40,
}


@pytest.fixture
def call():
    remarks = "Halvern had a good quarter, and orders grew in all regions that we serve. " * 6
    turns = [f"Operator\nWelcome to the earnings call of Halvern.\n\nBo Berg -- Chief Executive Officer\n{remarks}"]
    turns.append("Operator\nWe will now begin the question-and-answer session.")
    for question, answer in ANSWERS.items():
        asked = question + " I ask since our own numbers show something else for the second year in a row. " * 2
        turns.append(f"Ann Lee -- Analyst\n{asked}\n\nBo Berg -- Chief Executive Officer\n{answer}")
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text("\n\n".join(turns), "call.txt", kind="earnings call")
        assert len(workspace.store.chunks_of("call.txt")) > 6
        yield workspace


@pytest.mark.parametrize("question", ANSWERS)
def test_the_answer_stands_for_its_question(call, question):
    first = call.search(question)[0]
    assert first.text in ANSWERS[question] or ANSWERS[question][:20] in first.text


def test_a_hit_of_a_call_is_shown_as_the_turn_that_it_stands_in(call):
    found = call.search(next(iter(ANSWERS)), k=4)
    chunk = call.search(next(iter(ANSWERS)), k=4, parent="none")[0]
    assert found[0].text.startswith("Freight rates doubled.") and "Ann Lee" not in found[0].text
    assert 2 * len(chunk.text) < len(found[0].text) < 1_300
    assert (found[0].start, found[0].end) == chunk.turn and found[0].children[0].id == found[0].id == chunk.id
    spans = sorted((item.start, item.end) for item in found)
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(spans))


def test_no_question_stands_before_an_answer_and_one_exchange_does_not_take_all_places(call):
    found = call.search("What about freight rates, the dividend and the plant in the north?", k=3)
    assert not any("I ask since" in item.text for item in found)
    assert len({item.text[:20] for item in found} & {answer[:20] for answer in ANSWERS.values()}) == 3


def test_a_call_without_speakers_keeps_its_passages():
    text = "\n\n".join(f"{answer}" for answer in ANSWERS.values())
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(text, "call.txt", kind="earnings call")
        chunk = workspace.search("freight rates", k=1, parent="none")[0]
        assert chunk.turn is None and chunk.text.startswith("Freight rates doubled.")


def test_the_turns_of_a_call_are_told_apart_once_whatever_is_added_beside_it(call, monkeypatch):
    read = []
    chunks_of = call.store.chunks_of
    monkeypatch.setattr(call.store, "chunks_of", lambda source: read.append(source) or chunks_of(source))
    call.search("freight rates")
    call.add_text("Freight rates of Vexel Corp. fell.", "note.txt")
    found = call.search("freight rates")
    assert read == ["call.txt"] and {"note.txt", "call.txt"} <= {item.source for item in found}
    call.add_text("Ann Lee -- Analyst\nWill freight fall?", "call.txt", kind="earnings call")
    assert call.search("freight fall")[0].text.endswith("Will freight fall?")


class OneDimensionAWord:
    """Bags of words without stems: cosines that can be worked out by hand."""

    name = "bag-of-words"
    dim = 8
    words = ("freight", "plant", "dividend", "hire")

    def embed(self, texts):
        vectors = np.full((len(texts), self.dim), 1e-3, np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                if word.strip(".?") in self.words:
                    vectors[row, self.words.index(word.strip(".?"))] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_each_sentence_of_a_question_meets_its_own_sentence():
    """A text that answers both halves comes before texts that answer one half twice."""
    both = "Freight was dear again. The plant was shut all the year."
    texts = ["Freight freight it was. Freight again.", "Nobody came at all.", both, "A plant, the plant. Plant."]
    filler = ["Nothing else was said of it.", "The weather was fine.", "All went home.", "It was late by then."]
    book = "\n\n".join(f"# Part {number}\n\n{text}" for number, text in enumerate(texts + filler))
    embedder = OneDimensionAWord()
    with Workspace("sqlite://", embedder="none") as workspace:
        document = classify_pages(read_text(book, source="book.md"))
        workspace.store.put(make_bundle(document, embedder, None))
        asked = "They say that it was about freight. What did it mean for the plant?"
        trace = Trace()
        found = search(workspace.store, embedder, asked, mode="vector", trace=trace)
    assert both in found[0].text
    shares = [row["sentences"] for row in trace.data["ranking"]]
    assert shares[0] > 1.2 * max(shares[1:])
    assert not any("dense" in row for row in trace.data["ranking"]), "the vector of both together counts as well"
