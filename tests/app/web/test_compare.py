"""Comparing in a real browser: one question in several modes, a file of questions as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cliquerag.evaluation.questions import Question
from cliquerag.retrieval.search.evidence import Answer, Citation, Context
from cliquerag.web.compare_pages import Cell, SideBySide

from tests.app.web.browsing import open_sheet, reading
from tests.app.web.conftest import Served
from tests.app.web.test_safety import send


@pytest.mark.parametrize("language", ["en", "zh"])
def test_modes_stand_side_by_side(browser: Any, served: Served, language: str) -> None:
    with reading(browser, f"{served.url}/compare", language) as page:
        page.fill("#question", "Who supplies Halvern Robotics?")
        page.keyboard.press("Enter")
        page.locator(".compared:not([aria-busy])").wait_for()
        columns = page.locator(".column")
        assert columns.count() == 3
        heads = {"en": ["passages", "graph", "hybrid"], "zh": ["段落", "图谱", "混合"]}[language]
        assert columns.locator("h3").all_inner_texts() == heads
        assert all("suppl" in text for text in columns.locator(".compared-answer").all_inner_texts())
        open_sheet(page, columns.nth(1).locator(".cite").first)
        page.locator("#viewer [data-frame]").first.wait_for()


def test_no_more_columns_than_can_be_read(browser: Any, served: Served) -> None:
    with reading(browser, f"{served.url}/compare") as page:
        page.locator("input[value='hybrid+page']").check()
        assert page.locator("input[value=local]").is_disabled()
    own = {"Origin": served.url}
    for columns in ("column=vector", "&".join(f"column={name}" for name in "abcde"), "column=vector&column=nonsense"):
        assert send(served.url, "POST", "/compare", f"question=What%3F&{columns}", **own)[0] == 400


@pytest.mark.parametrize(("language", "expected"), [("en", "expected: 1284.6"), ("zh", "参考答案： 1284.6")])
def test_a_file_of_questions_becomes_a_table(
    browser: Any, served: Served, tmp_path: Path, language: str, expected: str
) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text(
        'question,answer\n"What was Halvern\'s net revenue in fiscal 2025?",1284.6 million\n'
        "清源精密2025年的营业收入是多少？,\n",
        encoding="utf-8",
    )
    with reading(browser, f"{served.url}/compare", language) as page:
        page.locator("[data-questions]").set_input_files(str(questions))
        page.locator(".compared:not([aria-busy])").wait_for()
        rows = page.locator(".compared-table tbody tr")
        assert rows.count() == 2
        assert "1,284.6" in rows.first.inner_text() and expected in rows.first.inner_text()
        with page.expect_download() as waiting:
            page.locator(".compared a", has_text="CSV").click()
        assert "231,480.5" in waiting.value.path().read_text(encoding="utf-8-sig")
        questions.write_text("answer\nyes\n", encoding="utf-8")
        page.locator("[data-questions]").set_input_files(str(questions))
        page.locator("[data-wrong]", has_text="row 1").wait_for()
        assert "/tmp" not in page.locator("[data-wrong]").inner_text()


def test_what_only_one_says_or_cites_is_marked() -> None:
    made = SideBySide("x", [Question("Who?")], ("graph", "vector"))
    ann = Citation(1, "a.pdf", "Ann leads Acme.", page=2)
    bob = Citation(2, "b.pdf", "Bob left.", page=3)
    made.cells[(0, "graph")] = Cell(Answer("Ann leads Acme [1].\nBob left [2].", (ann, bob), Context(), "graph", "m"))
    assert not any(alone for _, alone in made.shown(0, "graph")["lines"])  # the other one is not there yet
    made.cells[(0, "vector")] = Cell(Answer("Ann leads  Acme [1].", (ann,), Context(), "vector", "m"))
    assert [alone for _, alone in made.shown(0, "graph")["lines"]] == [False, True]
    assert [alone for _, alone in made.shown(0, "graph")["sources"]] == [False, True]
    assert [alone for _, alone in made.shown(0, "vector")["lines"]] == [False]
