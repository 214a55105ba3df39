from __future__ import annotations

import math

import numpy as np
import pytest
from cliquerag.retrieval.bm25 import Lexicon, TermCounts, Vocabulary, characters_of

TEXTS = ["cash cash debt", "debt", "profit profit profit loss", ""]


def by_hand(texts: list[str], terms: dict[str, float], k1: float = 1.5, b: float = 0.75) -> list[float]:
    rows = [text.split() for text in texts]
    mean = sum(map(len, rows)) / len(rows)
    scores = []
    for row in rows:
        score = 0.0
        for term, weight in terms.items():
            holding = sum(term in other for other in rows)
            idf = math.log(1 + (len(rows) - holding + 0.5) / (holding + 0.5))
            count = row.count(term)
            score += weight * idf * count * (k1 + 1) / (count + k1 * (1 - b + b * len(row) / mean)) if count else 0
        scores.append(score)
    return scores


def lexicon(texts: list[str], windows: np.ndarray | None = None) -> Lexicon:
    vocabulary = Vocabulary()
    return Lexicon(TermCounts.of(texts, vocabulary), vocabulary, windows)


def test_scores_are_those_of_the_formula() -> None:
    terms = {"cash": 1.0, "debt": 0.5, "unknown": 1.0}
    assert lexicon(TEXTS).scores(terms).tolist() == pytest.approx(by_hand(TEXTS, terms), rel=1e-5)


def test_joined_parts_score_like_the_whole() -> None:
    vocabulary = Vocabulary()
    parts = [TermCounts.of(TEXTS[:1], vocabulary), TermCounts.of(TEXTS[1:], vocabulary)]
    joined = Lexicon(TermCounts.joined(parts), vocabulary).scores({"debt": 1.0, "profit": 1.0})
    assert joined.tolist() == pytest.approx(lexicon(TEXTS).scores({"debt": 1.0, "profit": 1.0}).tolist())


def test_terms_beside_a_chunk_on_its_page_count_in_part() -> None:
    texts = ["cash", "debt", "debt"]
    same_page = lexicon(texts, np.array([0, 0, 1])).scores({"cash": 1.0})
    assert same_page[0] > same_page[1] > 0 == same_page[2]


def test_terms_learnt_later_are_absent_not_an_error() -> None:
    vocabulary = Vocabulary()
    early = Lexicon(TermCounts.of(["cash"], vocabulary), vocabulary)
    TermCounts.of(["debt equity"], vocabulary)
    assert early.scores({"equity": 1.0}).tolist() == [0.0]


def test_nothing_to_score() -> None:
    assert lexicon([]).scores({"cash": 1.0}).tolist() == []
    assert lexicon([""]).scores({"cash": 1.0}).tolist() == [0.0]


def test_a_chinese_short_form_finds_its_long_form_by_characters() -> None:
    texts = ["中国 国人 人民 民银 银行", "国有 有企 企业"]
    terms = {"央行": 1.0} | dict.fromkeys(characters_of("银保"), 0.5)
    assert lexicon(texts).scores(terms)[0] > 0 == lexicon(texts).scores(terms)[1]
