from __future__ import annotations

import pytest
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.search.rerankers.page_content import figures_by_weight, figures_in
from cliquerag.retrieval.search.scoring import Candidate
from support.shelf import Shelf

SHELF = Shelf(**{"a.txt": "Sales rose by 3.1% in the year.", "b.txt": "Sales rose by 12.5% to $1,234 million."})


def _found() -> list[Candidate]:
    ids = list(SHELF.kept)
    return [Candidate(ids[0], "a.txt", ("a.txt", 0), 1.0), Candidate(ids[1], "b.txt", ("b.txt", 0), 0.8)]


def _ranked(question: str) -> list[str]:
    return [item.source for item in figures_by_weight(SHELF, read_question(question), _found(), 0.3)]


def test_the_passage_that_prints_the_asked_figure_comes_first() -> None:
    assert _ranked("Why did sales rise by 12.5%?") == ["b.txt", "a.txt"]
    assert _ranked("What made sales reach 1234 million?") == ["b.txt", "a.txt"]
    assert _ranked("What made sales reach $1.2 billion?") == ["b.txt", "a.txt"]


def test_years_and_questions_without_figures_change_nothing() -> None:
    assert _ranked("Why did sales rise in 2023?") == ["a.txt", "b.txt"]
    assert _ranked("Why did sales rise by 99.9%?") == ["a.txt", "b.txt"]


def test_chinese_figures_need_no_blank() -> None:
    assert [figure.digits for figure in figures_in("营收增长12.5%至3,400万元")] == ["12.5", "3400"]


@pytest.mark.parametrize(
    ("asked", "printed", "told"),
    [
        ("超304万例", "3042437例", True),
        ("$1.2 billion", "1,234.5 million", True),
        ("$1.2 billion", "1,300 million", False),
        ("5,200 units", "5,201 units", False),
        ("4.7%", "4.7 million", False),
        ("4.7%", "| 4.7 |", True),
        ("12%", "11.6%", True),
    ],
)
def test_a_figure_is_told_by_what_rounds_to_it(asked: str, printed: str, told: bool) -> None:
    (one,), (other,) = figures_in(asked), figures_in(printed)
    assert one.is_told_by(other) is told
