"""The weights of sentences are learned: what is right comes first, and what few questions show keeps its weight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from cliquerag.core.rules import load_rules
from cliquerag.retrieval.answer import extractive
from cliquerag.retrieval.answer.extractive.requirements.subject import read_subjects
from cliquerag.retrieval.answer.extractive.sentence_scoring import quotes_with_features, score_of
from cliquerag.retrieval.search.evidence import Evidence
from support.shelf import Shelf

from benchmarks.asking import plan_of
from benchmarks.sentence_weights import Example, learned, places, places_elsewhere

TEXT = "Sales of pumps rose in 2023. The weather was mild. Obligations to purchase pumps were USD 5 million."
PRIOR = np.array([1.0, 0.0, 0.3])
KNOWN = [
    Example(f"company {n}", np.array([[0.9, 0.0, 0.0], [0.5, 1.0, 0.0]]), np.array([False, True])) for n in range(16)
]
"""Hand-set weights put the wrong sentence first; the second feature tells the right one, the third is never there."""


def test_weights_are_learned_from_what_is_right() -> None:
    assert places(KNOWN, PRIOR) == [1] * 16
    weights = learned(KNOWN, PRIOR)
    assert places(KNOWN, weights) == [0] * 16 == [place for _, place in places_elsewhere(KNOWN, PRIOR)]
    assert weights[1] > 0.4 and weights[2] == PRIOR[2], "what no question shows keeps its weight"


def test_a_question_that_is_worth_less_moves_the_weights_less() -> None:
    lesser = [replace(example, worth=0.1) for example in KNOWN]
    assert PRIOR[1] < learned(lesser, PRIOR)[1] < learned(KNOWN, PRIOR)[1]


def test_every_feature_has_a_weight_and_the_score_is_their_sum() -> None:
    rules = load_rules(extractive.__name__, "sentence_weights.toml")
    assert list(rules["weight"]) == list(rules["prior"])
    store = Shelf(report=TEXT)
    plan = plan_of(store, "Why did sales of pumps rise in 2023?")
    item = Evidence("chunk", TEXT, 1.0, "report")
    scored = list(quotes_with_features(plan, None, [item], read_subjects(plan, {"report"})))
    assert len(scored) > 1
    for quote, features in scored:
        assert set(features) <= set(rules["weight"])
        assert quote.score == score_of(features)
    assert max(scored, key=lambda found: found[0].score)[0].text.startswith("Sales of pumps")


def test_words_that_stand_together_as_asked_say_more_than_the_same_words_apart() -> None:
    text = "Purchases, beside these obligations, were small. The purchase obligations are set out below."
    store = Shelf(report=text)
    plan = plan_of(store, "What are the purchase obligations?")
    item = Evidence("chunk", text, 1.0, "report")
    apart, together = (found for _, found in quotes_with_features(plan, None, [item], read_subjects(plan, {"report"})))
    assert apart["words"] == together["words"] and apart["pairs of words"] < together["pairs of words"]
    assert score_of(apart) < score_of(together)
