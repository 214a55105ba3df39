"""Learning from clicks: what is known is found again, noise teaches nothing, and the gradients are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cliquerag.evaluation.learning.impressions import (
    Analysts,
    Asked,
    Impressions,
    position_bias,
    quality,
    quality_of,
    ranks_by,
    simulate,
    worth,
)
from cliquerag.evaluation.learning.pairwise import ENOUGH_GROUPS, folds, learn
from cliquerag.evaluation.learning.policy import (
    Method,
    _Batch,
    draw_order,
    features,
    learn_policy,
    log_chance,
    order_by_policy,
)

NAMES = ("words", "dense", "years")


def questions(count: int, told_by: int, seed: int = 0) -> list[Asked]:
    """Questions whose right place is the one with the highest share ``told_by``; ranked by all shares."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        shares = random.random((12, len(NAMES))) * [1.0, 0.4, 0.1]
        right = np.zeros(12, bool)
        right[np.argmax(shares[:, told_by])] = True
        order = np.argsort(-shares.sum(axis=1), kind="stable")
        found.append(Asked(f"question {seed} {number}", shares[order], right[order], np.arange(12) % 3))
    return found


def noise(count: int) -> Impressions:
    """Analysts who open whatever comes."""
    everybody = Analysts(opens_right=0.2, opens_wrong=0.2, spam=1.0)
    return simulate(questions(200, 0), NAMES, count, everybody, np.random.default_rng(1))


def test_a_share_that_tells_more_than_it_counts_is_found_and_holds_elsewhere() -> None:
    shown = simulate(questions(300, told_by=1), NAMES, 1500, Analysts(), np.random.default_rng(0))
    lesson = learn(shown)
    assert lesson.is_accepted and lesson.groups >= ENOUGH_GROUPS
    assert lesson.multipliers["dense"] > 1.3 > 1.0 > lesson.multipliers["words"]
    others = questions(200, told_by=1, seed=7)
    weights = np.array([lesson.multipliers[name] for name in NAMES])
    assert quality(others, weights)[0].mean() > quality(others)[0].mean() + 0.05


def test_weights_that_are_right_stay() -> None:
    shown = simulate(questions(300, told_by=0), NAMES, 600, Analysts(opens_wrong=0.3), np.random.default_rng(0))
    others = questions(200, told_by=0, seed=7)
    lesson = learn(shown)
    if lesson.is_accepted:
        weights = np.array([lesson.multipliers[name] for name in NAMES])
        assert quality(others, weights)[0].mean() >= quality(others)[0].mean()


@pytest.mark.parametrize("count", [30, 300, 1500])
def test_noise_and_spam_teach_nothing(count: int) -> None:
    assert not learn(noise(count)).is_accepted
    assert not learn_policy(noise(count), "reinforce").is_accepted
    calm = Analysts(opens_right=0.2, opens_wrong=0.2, bias=0.0, spam=0.0)  # few enough clicks to pass for reading
    shown = simulate(questions(200, 0), NAMES, count, calm, np.random.default_rng(1))
    assert not learn(shown).is_accepted and not learn_policy(shown, "reinforce").is_accepted


def test_few_different_questions_are_not_gone_by() -> None:
    shown = simulate(questions(20, told_by=1), NAMES, 1500, Analysts(), np.random.default_rng(0))
    lesson = learn(shown)
    assert lesson.groups <= 20 and not lesson.is_accepted
    assert not replace(lesson, low=0.1).is_accepted and replace(lesson, low=0.1, groups=ENOUGH_GROUPS).is_accepted


def test_nothing_opened_changes_nothing() -> None:
    shown = simulate(
        questions(30, 0), NAMES, 60, Analysts(opens_right=0, opens_wrong=0, spam=0), np.random.default_rng(0)
    )
    lesson = learn(shown)
    assert set(lesson.multipliers.values()) == {1.0} and not lesson.is_accepted and lesson.judged_on == 0


def test_what_is_held_back_shares_neither_session_nor_question() -> None:
    for shown, held_back in ((noise(300), "sessions"), (noise(3000), "questions")):
        judged = np.zeros(len(shown), int)
        for fold in range(3):
            learning, judging = folds(shown, fold)
            judged += judging
            assert learning.any() and not set(shown.questions[learning]) & set(shown.questions[judging])
            own = getattr(shown, held_back)
            assert not set(own[learning]) & set(own[judging])
        assert (judged == 1).all()


@pytest.mark.parametrize("bias", [0.3, 1.0, 1.6])
def test_the_bias_of_places_is_told_by_neighbours_that_changed_places(bias: float) -> None:
    analysts = Analysts(bias=bias, spam=0.0, swapped=0.3, opens_wrong=0.4)
    shown = simulate(questions(300, 0), NAMES, 20_000, analysts, np.random.default_rng(0))
    assert abs(position_bias(shown) - bias) < 0.2
    few = simulate(questions(300, 0), NAMES, 60, analysts, np.random.default_rng(0))
    assert abs(position_bias(few) - 1.0) < 0.35, "a few swaps leave what is usual"


def test_the_worth_of_an_order_counts_a_click_by_how_unlikely_it_was() -> None:
    shares = np.zeros((1, 2, 1))
    shown = Impressions(
        ("words",),
        shares,
        np.array([[1.0, 1.0]]),
        np.array([[1, 2]]),
        np.zeros((1, 2), int),
        np.array(["s"]),
        np.array(["q"]),
    )
    as_it_was = worth(shown, np.array([[1, 2]]), bias=1.0)[0]
    other_way = worth(shown, np.array([[2, 1]]), bias=1.0)[0]
    second = 1 / np.log2(3)
    assert as_it_was == pytest.approx((1 + 2 * second) / 3) and other_way == pytest.approx((2 + second) / 3)
    assert ranks_by(np.array([[1.0, 2.0, 9.0]]), np.array([[True, True, False]])).tolist() == [[2, 1, 3]]


def test_the_gradient_of_an_order_is_that_of_its_chance() -> None:
    random = np.random.default_rng(0)
    state = features(random.random((1, 5, 2)), np.array([[0, 1, 0, 2, 1]]))
    assert state[0, :, 2].tolist() == [0, 0, 1, 0, 1]
    there = np.array([[True, True, True, True, False]])
    batch = _Batch(state, np.zeros((1, 5)), there, np.zeros((1, 5), int))
    weights = np.array([0.3, -0.2, 0.1])
    order = draw_order(state @ weights, there, random)
    _, gradient = log_chance(weights, batch, order)
    for at in range(3):
        step = np.zeros(3)
        step[at] = 1e-5
        up, down = (log_chance(weights + sign * step, batch, order)[0][0] for sign in (1, -1))
        assert gradient[0, at] == pytest.approx((up - down) / 2e-5, abs=1e-4)


def test_orders_are_drawn_as_often_as_their_chance_says() -> None:
    state = np.array([[[0.0], [0.1], [0.2]]])
    batch = _Batch(state, np.zeros((1, 3)), np.ones((1, 3), bool), np.zeros((1, 3), int))
    weights = np.array([1.0])
    order = np.array([[2, 1, 0]])
    chance = float(np.exp(log_chance(weights, batch, order)[0][0]))
    many = draw_order(np.repeat(state @ weights, 20_000, axis=0), np.ones((20_000, 3), bool), np.random.default_rng(0))
    assert (many == order).all(axis=1).mean() == pytest.approx(chance, abs=0.012)


@pytest.mark.parametrize("method", ["reinforce", "ppo"])
def test_a_policy_learns_what_is_opened(method: Method) -> None:
    shown = simulate(questions(300, told_by=1), NAMES, 3000, Analysts(), np.random.default_rng(0))
    lesson = learn_policy(shown, method)
    assert lesson.weights[1] > lesson.weights[0]
    others, gains = questions(200, told_by=1, seed=7), []
    for one in others:
        order = order_by_policy(one.shares[:10], one.documents[:10], np.array(lesson.weights))
        gains.append(quality_of(one.right[:10][order])[0] - quality_of(one.right[:10])[0])
    assert np.mean(gains) > 0.001
