"""Asking in a real browser: the answer as it comes, the page beside it, evidence, history, what is taken along."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cliquerag.web.notebook import Options
from lxml import etree

from tests.app.web.browsing import ask, open_sheet, reading
from tests.app.web.conftest import Served

MARGIN = "What was Halvern's operating margin in fiscal 2025?"
CHINESE = "清源精密2025年的营业收入是多少？"
SHEET = "#viewer .sheet:not(.htmx-added)"
"""A page of a document whose links do something: htmx looks at what it swapped in only after a moment."""
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def test_a_citation_opens_its_page_with_row_and_cell_framed(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        turn = ask(page, MARGIN)
        assert "13.4 %" in turn.locator(".answer").inner_text()
        page.locator("#viewer .sheet h2", has_text="Halvern_2025_10K.pdf").wait_for()
        open_sheet(page, turn.locator(".answer .cite").nth(1))
        frame, cell = page.locator("#viewer rect.frame").first, page.locator("#viewer rect.cell")
        row, inner = frame.bounding_box(), cell.bounding_box()
        assert row and inner and inner["width"] < row["width"] / 3
        window = page.locator("#viewer [data-scroll]").bounding_box()
        assert window and window["y"] < row["y"] < window["y"] + window["height"]
        assert page.locator("#viewer image").evaluate("image => image.getBBox().width") > 400


def test_a_figure_leads_to_the_cell_that_prints_it(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        turn = ask(page, MARGIN)
        open_sheet(page, turn.locator(".answer .figure", has_text="1,284.6"))
        page.locator("#viewer rect.cell").wait_for()
        copied = page.locator("#viewer text", has_text="Net revenue").first
        assert "Net revenue" in (copied.text_content() or "")
        assert turn.locator("details.cells tbody tr").count() == 2
        assert "Operating income" in turn.locator("details.cells").inner_text()


def test_the_words_of_a_page_can_be_selected_where_they_are_printed(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        ask(page, MARGIN)
        page.locator("#viewer rect.frame").first.wait_for()
        word = page.locator("#viewer tspan", has_text="Operating").first
        box, printed = word.bounding_box(), page.locator("#viewer rect.frame").first.bounding_box()
        assert box and printed and abs(box["y"] - printed["y"]) < 20 and box["x"] >= printed["x"] - 4
        taken = word.evaluate(
            "one => { getSelection().selectAllChildren(one.parentNode); return getSelection().toString() }"
        )
        assert taken.strip() == "Operating income"


def test_a_sentence_is_framed_without_its_neighbours_on_the_same_line(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        ask(page, "Which agreement covers the battery cells of all Tern 5 robots?")
        frames = page.locator("#viewer rect.frame")
        frames.first.wait_for()
        whole, rest = frames.nth(0).bounding_box(), frames.nth(1).bounding_box()
        after = page.locator("#viewer tspan", has_text="Qingyuan").first.bounding_box()
        assert whole and rest and after and rest["width"] < whole["width"] / 2
        assert rest["x"] + rest["width"] <= after["x"] + 5


def test_text_is_shown_with_the_sentence_marked(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        ask(page, "What is the revenue guidance of Halvern for fiscal 2026?")
        mark = page.locator("#viewer mark")
        mark.wait_for()
        assert mark.inner_text().startswith("For fiscal 2026 we guide to revenue of $1.52 billion")
        assert mark.evaluate("one => getComputedStyle(one).backgroundColor") != "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_question_is_answered_in_both_languages(browser: Any, served: Served, language: str) -> None:
    with reading(browser, served.url, language) as page:
        assert page.locator("nav a").first.inner_text() == {"en": "Ask", "zh": "提问"}[language]
        turn = ask(page, CHINESE)
        assert "231,480.5" in turn.locator(".answer").inner_text()
        expected = {"en": "of 5 documents", "zh": "检索了 5 份文档中的"}[language]
        assert expected in turn.locator(".chips").inner_text()


def again(page: Any, turn: int) -> Any:
    """The answer to a question that was asked again from a chip."""
    found = page.locator("article.turn").nth(turn)
    found.locator("footer.tools").wait_for()
    return found


@pytest.mark.parametrize(
    ("language", "question", "without", "changed", "names"),
    [
        ("en", "What was Halvern's net revenue in fiscal 2025?", "What was Halvern's net revenue?",
         "What was Halvern's net revenue in FY2024?", ("company", "period", "FY2024")),
        ("zh", "清源精密2025年的营业收入是多少？", "清源精密营业收入是多少？",
         "清源精密2024年的营业收入是多少？", ("公司", "期间", "2024")),
    ],
)  # fmt: skip
def test_what_was_understood_can_be_taken_off_and_changed(
    browser: Any, served: Served, language: str, question: str, without: str, changed: str, names: tuple[str, ...]
) -> None:
    company, period, other = names
    with reading(browser, served.url, language) as page:
        turn = ask(page, question)
        chip = turn.locator(".chip", has_text=period)
        chip.locator("summary").click()
        chip.locator("input[name=value]:focus").wait_for()
        page.keyboard.type(other)
        page.keyboard.press("Enter")
        second = again(page, 1)
        assert second.locator("h2").inner_text() == changed
        assert {"en": "1,052.3", "zh": "187,902.3"}[language] in second.locator(".answer").inner_text()
        chip.locator("button.off").click()
        third = again(page, 2)
        assert third.locator("h2").inner_text() == without
        assert third.locator(".chip", has_text=period).count() == 0
        turn.locator(".chip", has_text=company).locator("button.off").click()
        fourth = again(page, 3)
        assert fourth.locator(".chip", has_text=company).count() == 0
        assert {"en": "5 of 5 documents", "zh": "检索了 5 份文档中的 5 份"}[language] in fourth.inner_text()
        assert page.locator("#history a[aria-current]").inner_text() == question


def test_a_kind_of_document_can_be_taken_off(browser: Any, served: Served) -> None:
    with reading(browser, served.url, "zh") as page:
        turn = ask(page, "Who is Halvern's chief executive officer according to the annual report?")
        kind = turn.locator(".chip", has_text="类型")
        assert "10-K" in kind.inner_text()
        kind.locator("button.off").click()
        second = again(page, 1)
        assert second.locator(".chip", has_text="类型").count() == 0
        assert "annual report" not in second.locator("h2").inner_text()


def test_what_the_reader_set_is_changed_and_taken_off(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        page.locator(".filters summary").click()
        page.fill("#filter-company", "Norrland Cell")
        turn = ask(page, "What will be opened in 2026?")
        chip = turn.locator(".chip.set")
        chip.locator("summary").click()
        chip.locator("input[name=value]").fill("Halvern Robotics")
        page.keyboard.press("Enter")
        assert "Halvern Robotics" in again(page, 1).locator(".chip.set").inner_text()
        chip.locator("button.off").click()
        assert again(page, 2).locator(".chip.set").count() == 0


def test_filters_restrict_the_search(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        page.locator(".filters summary").click()
        page.fill("#filter-company", "Norrland Cell")
        page.select_option("#filter-mode", "vector")
        turn = ask(page, "What will be opened in 2026?")
        chips = turn.locator(".chips").inner_text()
        assert "Norrland Cell" in chips and "1 of 5 documents" in chips and "passages" in chips
        assert turn.locator(".chip.set").count() == 1


def test_an_honest_no_says_what_was_searched(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        turn = ask(page, "Who is the CEO of Tesla?")
        searched = turn.locator(".searched").inner_text()
        assert "Searched in 5 documents" in searched and "Halvern_2025_10K.pdf" in searched
        assert turn.locator(".sources").count() == 0


def test_a_follow_up_keeps_the_conversation_and_history_brings_it_back(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        ask(page, "What was Halvern's net revenue in fiscal 2025?")
        follow = ask(page, "and in 2024?")
        assert "1,052.3" in follow.locator(".answer").inner_text()
        assert "/c/" in page.url
        page.goto(served.url)
        page.locator(".history a", has_text="net revenue").click()
        page.locator("article.turn").nth(1).wait_for()
        assert "1,052.3" in page.locator("article.turn").nth(1).inner_text()


TABS = {
    "en": {"Tables": "Net revenue", "Graph": "supplies", "Facts": "1,284.6", "How it was searched": "companies named"},
    "zh": {"表格": "Net revenue", "图谱": "供货给", "数据": "1,284.6", "检索过程": "提到的公司"},
}


@pytest.mark.parametrize("language", TABS)
def test_evidence_stands_in_tabs(browser: Any, served: Served, language: str) -> None:
    with reading(browser, served.url, language) as page:
        turn = ask(page, "Who supplies battery cells to Halvern Robotics, and what was its revenue in fiscal 2025?")
        evidence = turn.locator("[data-evidence]")
        evidence.click()
        turn.locator(".passage").first.wait_for()
        assert turn.locator(".passage mark").count() > 0
        for tab, expected in TABS[language].items():
            turn.locator("[role=tab]", has_text=tab).click()
            turn.locator("[role=tab][aria-selected=true]", has_text=tab).wait_for()
            panel = turn.locator("[role=tabpanel]", has_text=expected)
            panel.wait_for()
            if panel.locator("[data-graph]").count():
                panel.locator("[data-graph] canvas").first.wait_for()
        evidence.click()
        turn.locator("[role=tabpanel]").wait_for(state="detached")
        assert evidence.get_attribute("aria-expanded") == "false"


def test_a_table_is_sorted_and_copied(browser: Any, served: Served) -> None:
    with reading(browser, served.url, permissions=["clipboard-read", "clipboard-write"]) as page:
        turn = ask(page, MARGIN)
        turn.locator("[data-evidence]").click()
        turn.locator("[role=tab]", has_text="Tables").click()
        table = turn.locator("figure.found-table").first
        table.locator("thead .sort").nth(1).click()
        values = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
        numbers = [float(v.replace("$", "").replace(",", "").strip().replace("(", "-").rstrip(")")) for v in values]
        assert numbers == sorted(numbers) and len(numbers) > 8
        assert table.locator("td.cited").count() == 2
        table.locator("[data-copy-table]").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert '"$ 1,284.6"' in copied and copied.count("\r\n") == len(numbers)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("ending", ["md", "html", "docx"])
def test_an_answer_is_taken_along_with_its_sources(
    browser: Any, served: Served, ending: str, language: str, tmp_path: Path
) -> None:
    with reading(browser, served.url, language) as page:
        turn = ask(page, MARGIN)
        turn.locator("footer .menu summary").click()
        with page.expect_download() as waiting:
            turn.locator(f"a[href$='export.{ending}']").click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        assert path.name == f"What-was-Halvern-s-operating-margin-in-fiscal-2025.{ending}"
        data = path.read_bytes()
        if ending == "docx":
            _check_docx(data)
        else:
            text = data.decode()
            assert "13.4 %" in text and "Halvern" in text and "page 5" in text
            assert ("[^1]:" in text) if ending == "md" else ("data:image/png" in text)
            assert ending == "html" or {"en": "## Sources", "zh": "## 来源"}[language] in text


def _check_docx(data: bytes) -> None:
    with zipfile.ZipFile(BytesIO(data)) as package:
        assert package.testzip() is None
        document = etree.fromstring(package.read("word/document.xml"))
        notes = etree.fromstring(package.read("word/footnotes.xml"))
        types = package.read("[Content_Types].xml").decode()
        assert all(name in package.namelist() for name in ("_rels/.rels", "word/_rels/document.xml.rels"))
    asked = [one.get(f"{WORD}id") for one in document.iter(f"{WORD}footnoteReference")]
    there = {one.get(f"{WORD}id") for one in notes.iter(f"{WORD}footnote")}
    assert len(asked) == 4 and set(asked) <= there and "footnotes+xml" in types
    assert "Halvern_2025_10K.pdf, page 5" in "".join(notes.itertext())


@pytest.mark.parametrize("language", ["en", "zh"])
def test_feedback_is_kept_and_never_changed(browser: Any, served: Served, language: str) -> None:
    with reading(browser, served.url, language) as page:
        turn = ask(page, MARGIN)
        turn.locator(".thumbs button[value=down]").click()
        turn.locator(".note-box input[name=note]").fill("wrong year")
        turn.locator(".note-box button").click()
        turn.locator(".note-box").wait_for(state="detached")
        page.locator("#viewer button[value=pin]").click()
        page.locator("#viewer .said", has_text={"en": "Pinned", "zh": "已标记"}[language]).wait_for()
        page.goto(f"{served.url}/feedback")
        table = page.locator("table").inner_text()
        assert "wrong year" in table and {"en": "Noted: bad", "zh": "已记录：不好"}[language] in table
    said = served.desk.notebook.feedback()
    assert [(one.verdict, one.note, one.citation, one.page) for one in said] == [
        ("pin", "", 1, 5),
        ("down", "wrong year", None, None),
        ("down", "", None, None),
    ]


def test_a_removed_document_says_so(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        turn = ask(page, MARGIN)
        served.desk.workspace.remove("documents/Halvern_2025_10K.pdf")
        turn.locator(".answer .cite").nth(1).click()
        page.locator("#viewer .error", has_text="not in the workspace any more").wait_for()


def test_hostile_documents_stay_text(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        turn = ask(page, "What was the revenue of Evil Corp. in 2023?")
        assert "66.6" in turn.inner_text()
        turn.locator("[data-evidence]").click()
        turn.locator(".passage").first.wait_for()
        open_sheet(page, turn.locator(".sources .source").first)
        assert "<img src=x" in page.locator("#viewer .paper").inner_text()
        assert page.locator("#viewer .paper img, #viewer .paper script").count() == 0


def test_keys_go_everywhere(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        ask(page, MARGIN)
        page.locator(SHEET).wait_for()
        page.keyboard.press("Escape")  # out of the question
        page.keyboard.press("ArrowRight")
        page.locator(f"{SHEET} .goto input[name=page][value='6']").wait_for()
        page.keyboard.press("ArrowLeft")
        page.locator(f"{SHEET} .goto input[name=page][value='5']").wait_for()
        page.keyboard.press("ArrowDown")
        page.locator(".open-cite").first.wait_for()
        page.keyboard.press("Escape")
        page.locator("#viewer .sheet").wait_for(state="detached")
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("/")
        assert page.evaluate("document.activeElement.id") == "question"


def test_an_error_is_said_in_the_page(browser: Any, served: Served) -> None:
    turn = served.desk.notebook.begin("", "Cut off by a stop of the desk", Options())
    with reading(browser, f"{served.url}/c/{turn.conversation}") as page:
        assert "stopped before this was answered" in page.locator("[role=alert]").inner_text()
        page.goto(f"{served.url}/c/nothing")
        assert "not here any more" in page.locator("[role=alert]").inner_text()
