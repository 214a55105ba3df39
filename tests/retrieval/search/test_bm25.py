from __future__ import annotations

import math

import numpy as np
import pytest
from cliquerag.core.words import characters_of
from cliquerag.kg.storage.term_counts import TermCounts
from cliquerag.retrieval.search.index import bm25
from cliquerag.retrieval.search.index.bm25 import Lexicon, Postings

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
    return Lexicon(Postings([TermCounts.of(texts)]), windows)


def test_scores_are_those_of_the_formula() -> None:
    terms = {"cash": 1.0, "debt": 0.5, "unknown": 1.0}
    assert lexicon(TEXTS).scores(terms).tolist() == pytest.approx(by_hand(TEXTS, terms), rel=1e-5)


@pytest.mark.parametrize("compared", [0, bm25._COMPARED])
@pytest.mark.parametrize("remembered", [1, bm25._REMEMBERED])
def test_joined_documents_score_like_the_whole(compared: int, remembered: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "_COMPARED", compared)
    monkeypatch.setattr(bm25, "_REMEMBERED", remembered)
    terms = {"debt": 1.0, "profit": 1.0, "cash": 0.3}
    joined = Lexicon(Postings([TermCounts.of(TEXTS[:1]), TermCounts.of([]), TermCounts.of(TEXTS[1:])]))
    assert joined.scores(terms).tolist() == pytest.approx(lexicon(TEXTS).scores(terms).tolist())
    assert [rows.tolist() for rows in joined.postings("debt")] == [[0, 1], [1.0, 1.0]]


def test_scores_asked_again_are_the_same_for_each_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    terms, without = {"debt": 1.0, "cash": 0.5}, np.array([True, False, False, False])
    again = lexicon(TEXTS)
    for k1, b in ((1.5, 0.75), (1.2, 0.0)):
        for _ in range(2):
            assert again.scores(terms, k1, b).tolist() == pytest.approx(by_hand(TEXTS, terms, k1, b), rel=1e-5)
    left_out = lexicon(TEXTS).scores(terms, without=without).tolist()
    assert again.scores(terms, without=without).tolist() == left_out != again.scores(terms).tolist()
    monkeypatch.setattr(Lexicon, "postings", lambda *_: pytest.fail("gathered again"))
    again.scores(terms)


def test_remembered_scores_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bm25, "_REMEMBERED_ROWS", 2)
    once = lexicon(TEXTS)
    for _ in range(2):
        for term in ("cash", "debt", "profit", "unknown"):
            assert once.scores({term: 1.0}).tolist() == pytest.approx(by_hand(TEXTS, {term: 1.0}), rel=1e-5)
    assert sum(len(rows) for rows, _ in once._scored.values()) <= 2


def test_terms_beside_a_chunk_on_its_page_count_in_part() -> None:
    texts = ["cash", "debt", "debt"]
    same_page = lexicon(texts, np.array([0, 0, 1])).scores({"cash": 1.0})
    assert same_page[0] > same_page[1] > 0 == same_page[2]


def test_a_share_of_the_neighbours_is_what_the_rows_beside_hold() -> None:
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(["cash", "debt", "loss"], rng.integers(0, 6))) for _ in range(40)]
    windows = np.sort(rng.integers(0, 9, 40))
    held = np.array([text.split().count("debt") for text in texts], float)
    beside = np.zeros(40)
    for at in range(40):
        for other in (at - 1, at + 1):
            beside[at] += held[other] if 0 <= other < 40 and windows[other] == windows[at] else 0
    rows, counts = lexicon(texts, windows).postings("debt")
    expected = held + bm25._NEIGHBOUR * beside
    assert rows.tolist() == np.flatnonzero(expected).tolist()
    assert counts.tolist() == pytest.approx(expected[rows].tolist())


def test_rows_of_the_same_terms_are_alike() -> None:
    texts = ["cash debt", "debt cash", "cash cash debt", "", ""]
    assert Postings([TermCounts.of(texts[:2]), TermCounts.of(texts[2:])]).alike().tolist() == [True, False, False, True]


def test_nothing_to_score() -> None:
    assert lexicon([]).scores({"cash": 1.0}).tolist() == []
    assert lexicon([""]).scores({"cash": 1.0}).tolist() == [0.0]


def test_a_chinese_short_form_finds_its_long_form_by_characters() -> None:
    texts = ["中国 国人 人民 民银 银行", "国有 有企 企业"]
    terms = {"央行": 1.0} | dict.fromkeys(characters_of("银保"), 0.5)
    assert lexicon(texts).scores(terms)[0] > 0 == lexicon(texts).scores(terms)[1]


def test_rows_that_are_read_as_one_text_count_all_of_it() -> None:
    texts = ["cash debt", "loss", "profit", "cash", "debt"]
    windows, whole = np.array([0, 0, 0, 1, 1]), np.array([True, True, True, False, False])
    lexicon = Lexicon(Postings([TermCounts.of(texts)]), windows, whole)
    rows, counts = lexicon.postings("debt")
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert counts.tolist() == pytest.approx([1, 1, 1, 0.7, 1])
    assert len(set(lexicon.scores({"debt": 1.0})[:3].tolist())) == 1
