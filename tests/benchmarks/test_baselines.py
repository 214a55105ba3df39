"""Baselines against bm25s and against hand-worked fusion."""

import numpy as np
import pytest

from benchmarks.baselines import BM25, Dense, baseline_rankings, plain_words, ranking, reciprocal_rank_fusion

TEXTS = [
    "Revenue rose to 3.4 billion as cloud demand grew.",
    "The company repurchased shares; revenue was flat and margins fell.",
    "Inventories fell while receivables rose.",
    "",
    "Cloud cloud cloud: margins of the cloud segment.",
]


class Letters:
    """Embeds a text by its counts of letters."""

    name, dim = "letters", 26

    def embed(self, texts):
        rows = np.array([[t.lower().count(chr(97 + i)) + 1e-3 for i in range(26)] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("question", ["cloud revenue", "margins fell fell", "receivables", "nothing shared"])
def test_scores_are_those_of_bm25s(question):
    bm25s = pytest.importorskip("bm25s")
    reference = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
    reference.index([plain_words(text) for text in TEXTS], show_progress=False)
    words = [w for w in plain_words(question) if w in reference.vocab_dict]
    expected = reference.get_scores(words) if words else np.zeros(len(TEXTS))
    assert BM25(TEXTS).scores(question) == pytest.approx(expected, abs=1e-6)


def test_chinese_and_english_words():
    assert plain_words("公司 2023年 Revenue's R&D") == ["公司", "2023", "年", "revenu"]


def test_rrf_by_hand():
    fused = reciprocal_rank_fusion([np.array([2, 0]), np.array([0, 1])], 3)
    assert fused == pytest.approx([1 / 62 + 1 / 61, 1 / 62, 1 / 61])


def test_ties_keep_the_order_of_the_texts():
    assert ranking(np.array([1.0, 2.0, 1.0, 2.0])).tolist() == [1, 3, 0, 2]


def test_systems_with_and_without_an_embedder():
    assert set(baseline_rankings(TEXTS, ["cloud"], None)) == {"BM25"}
    systems = baseline_rankings(TEXTS, ["cloud"], Letters())
    assert set(systems) == {"BM25", "dense", "RRF"}
    assert systems["BM25"][0][0] == 4
    assert systems["dense"][0].tolist() == ranking(Dense.of(TEXTS, Letters()).scores("cloud")).tolist()


def test_no_texts():
    assert BM25([]).scores("x").shape == (0,)
