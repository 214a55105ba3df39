"""Tokens of a question meet tokens of passages, for whoever asks for it."""

from __future__ import annotations

import numpy as np
import pytest
from cliquerag.core.errors import UsageError
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_text
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.retrieval.search.rerankers.late_interaction import max_sim
from cliquerag.workspace import Workspace

from benchmarks.asking import search
from benchmarks.ours import make_bundle

WORDS = ("freight", "plant", "dividend", "strike")


class TokenWords:
    """A token a word, one-hot for the words it knows; a text is the mean of its tokens."""

    name = "token-words"
    dim = len(WORDS) + 1

    def embed(self, texts):
        means = np.array([self.token_states(text)[1].mean(axis=0) for text in texts], np.float32)
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def token_states(self, text):
        words = text.lower().replace(".", " ").replace("?", " ").split() or ["-"]
        states = np.zeros((len(words), self.dim), np.float32)
        for row, word in enumerate(words):
            states[row, WORDS.index(word) if word in WORDS else len(WORDS)] = 1.0
        return np.zeros((len(words), 2), np.int64), states


class WholeTexts:
    """An encoder of whole texts only, as endpoints are; same name, so that the vectors fit."""

    name, dim = TokenWords.name, TokenWords.dim

    def embed(self, texts):
        return TokenWords().embed(texts)


@pytest.fixture
def store():
    texts = [
        "Freight freight freight freight cost much.",
        "Freight was dear as the strike at the plant went on for a long time and nobody knew why or what to do.",
        "A dividend was paid to all.",
        *(f"Nothing of note was said in part {number}." for number in range(6)),
    ]
    book = "\n\n".join(f"# Part {number}\n\n{text}" for number, text in enumerate(texts))
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.store.put(make_bundle(classify_pages(read_text(book, source="book.md")), TokenWords(), None))
        yield workspace.store


def test_a_passage_that_meets_every_token_is_worth_more(store):
    question = "freight strike plant"
    trace = Trace()
    found = search(store, TokenWords(), question, mode="vector", trace=trace, extras=frozenset({"tokens"}))
    assert "strike at the plant" in found[0].text
    shares = {row["chunk"]: row["tokens"] for row in trace.data["ranking"]}
    assert max(shares.values()) == shares[found[0].id] == 0.5
    plain = Trace()
    search(store, TokenWords(), question, mode="vector", trace=plain)
    assert not any("tokens" in row for row in plain.data["ranking"])


def test_an_encoder_of_whole_texts_cannot(store):
    with pytest.raises(UsageError, match="states of tokens"):
        search(store, WholeTexts(), "freight strike plant", mode="vector", extras=frozenset({"tokens"}))


def test_max_sim_is_the_mean_of_the_best():
    question = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert max_sim(question, np.array([[1.0, 0.0]])) == 0.5
    assert max_sim(question, question[::-1]) == 1.0
    assert max_sim(question, np.zeros((0, 2))) == 0.0
