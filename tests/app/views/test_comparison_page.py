"""The report of a comparison: complete, safe, and readable where something was not measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.evaluation.compare import Comparison, Outcome, Piece
from cliquerag.evaluation.questions import Question
from cliquerag.views.comparison_page import comparison_html

from tests.app.views.test_page import Read

ASKED = (
    Question("What was revenue in 2023?", "$3.4 billion", "10-K.pdf", (4,), "extractive"),
    Question("Why did <b>costs</b> fall?", "Lower freight.", "10-K.pdf", (9,), "abstractive"),
)
RIGHT = Piece("vector", "chunk", "Revenue was $3,400 million in 2023.", "10-K.pdf", 4, gold=True)
WRONG = Piece("vector", "chunk", "The weather was mild. <script>alert(1)</script>", "10-K.pdf", 7)


def outcome(question: Question, mode: str, right: float, *context: Piece) -> Outcome:
    scores = {"number accuracy": right, "recall@10": right}
    return Outcome(question.id, mode, "Unknown.", "extractive", scores, {250: 0.0, 1000: right}, context)


@pytest.fixture
def comparison() -> Comparison:
    found = [
        outcome(question, mode, right, *context)
        for question in ASKED
        for mode, right, context in (("vector", 0.0, (WRONG, RIGHT)), ("hybrid", 1.0, (RIGHT,)))
    ]
    return Comparison(ASKED, ("vector", "hybrid"), tuple(found), {"model": "extractive"})


def test_report_is_one_safe_page(comparison: Comparison) -> None:
    html = comparison_html(comparison)
    assert "alert(1)</script>" not in html and "&lt;script&gt;" in html and "<b>costs</b>" not in html
    read = Read(html)
    assert read.open == [] and read.loaded == []
    assert read.tags.count("details") == len(ASKED)
    assert html.count('class="piece gold"') == 4, "the evidence is marked in every context"
    assert "number accuracy: vector 0.000, hybrid 1.000" in html
    assert "<b>hybrid</b> is ahead of vector in number accuracy (+1.000), recall@10 (+1.000)." in html
    assert "model: extractive" in html


def test_bars_and_recall_have_a_colour_a_mode(comparison: Comparison) -> None:
    html = comparison_html(comparison)
    for series, mode in enumerate(comparison.modes):
        assert html.count(f'class="s{series}"') == 1 and f'class="name m{series}">{mode}</text>' in html
    assert html.count("<rect") == 2 * 2 and html.count('class="whisker"') == 2 * 2


def test_nothing_is_drawn_of_what_was_not_measured(comparison: Comparison) -> None:
    blank = tuple(replace(found, recall={}, scores={}) for found in comparison.outcomes)
    html = comparison_html(replace(comparison, outcomes=blank))
    assert "<svg" not in html and "no difference" in html


def test_many_modes_have_their_differences_below(comparison: Comparison) -> None:
    modes = tuple(f"mode{n}" for n in range(8))
    found = tuple(outcome(ASKED[0], mode, 1.0) for mode in modes)
    html = comparison_html(replace(comparison, modes=modes, outcomes=found, questions=ASKED[:1]))
    assert html.count("<table>") == 2 and 'class="m6"' not in html, "the page has six colours, taken in turn"
