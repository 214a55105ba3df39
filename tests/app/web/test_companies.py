"""Companies, facts and the explorer of the graph in a real browser."""

from __future__ import annotations

import csv
from io import StringIO
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from cliquerag.web.desk import amount_in_column
from cliquerag.web.graph_pages import positions

from tests.app.web.browsing import open_sheet, reading
from tests.app.web.conftest import Served
from tests.app.web.test_safety import send

if TYPE_CHECKING:
    from cliquerag.core.fact import Fact


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_company_has_one_page(browser: Any, served: Served, language: str) -> None:
    with reading(browser, f"{served.url}/companies", language) as page:
        page.get_by_role("link", name="Halvern Robotics").click()
        figures = page.locator("#figures table")
        row = figures.locator("tr", has_text="Net revenue").first
        assert row.locator("td.number").all_inner_texts() == ["1,284.6", "1,052.3", "861.0"]
        assert figures.locator("tbody tr").first.inner_text().startswith("Net revenue")  # as in an income statement
        open_sheet(page, row.locator("td.number a").nth(1))
        page.locator("#viewer rect.cell").wait_for()
        chart = page.locator("[data-chart]")
        assert chart.evaluate("image => image.complete && image.naturalWidth") > 300
        figures.locator("button", has_text="Operating income").click()
        assert "operating+income" in (chart.get_attribute("src") or "")
        assert "Ingrid Solheim" in page.locator("#people").inner_text()
        office = page.locator("#people tr", has_text="Ingrid Solheim").first
        open_sheet(page, office.locator("a"))
        moved = page.locator("#drivers tr", has_text="deliveries of the Tern 5").first
        assert (
            "▲ 22 percent" in moved.inner_text()
            and "%" not in moved.inner_text()
            and moved.locator(".sign.up").count() == 2
        )
        open_sheet(page, moved.locator("a").last)
        group = page.locator("#relations details").first
        assert group.locator("q").first.is_hidden()
        group.locator("summary").click()
        assert group.locator("q").first.is_visible()
        assert "Norrland Cell" in page.locator("#relations").inner_text()
        assert page.locator("#timeline time").count() > 3
        assert page.locator("#documents").inner_text().count("Halvern_") == 2


def test_a_chinese_company_has_one_too(browser: Any, served: Served) -> None:
    with reading(browser, f"{served.url}/companies/清源精密", "zh") as page:
        assert "231,480.50" in page.locator("#figures").inner_text()
        page.goto(f"{served.url}/companies/Nobody")
        assert "没有关于该公司的文档" in page.locator("[role=alert]").inner_text()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_two_companies_stand_side_by_side(browser: Any, served: Served, language: str) -> None:
    with reading(browser, f"{served.url}/companies", language) as page:
        for name in ("Halvern Robotics", "清源精密"):
            page.locator(f"input[type=checkbox][value='{name}']").check()
        page.get_by_role("button", name={"en": "Companies side by side", "zh": "公司并排"}[language]).click()
        table = page.locator("table")
        assert table.locator("thead th.number").all_inner_texts() == ["Halvern Robotics", "清源精密"]
        first = table.locator("tbody tr").first
        assert first.locator("td.number").all_inner_texts() == ["1,284.6", "231,480.50"]
        assert first.locator("td.unit").nth(1).inner_text() == {"en": "CNY × 10,000", "zh": "CNY 万"}[language]
        open_sheet(page, first.locator("td.number a").nth(1))
        page.locator("#viewer rect.cell").wait_for()
        page.select_option("select[name=year]", "2024")
        page.locator("form .button").click()
        assert table.locator("tbody td.number").first.inner_text() == "1,052.3"


def test_signs_stand_in_the_column_of_units_and_brackets_hang() -> None:
    printed = {"$ 1,284.6": "1,284.6", "13.4 %": "13.4", "$ (118)": "(118", "(24.3)%": "(24.3", "¥12": "12", "—": "—"}
    for text, shown in printed.items():
        cell = str(amount_in_column(cast("Fact", SimpleNamespace(text=text))))
        assert cell.split("<span")[0] == shown, text
    hostile = str(amount_in_column(cast("Fact", SimpleNamespace(text="<b>(1)"))))
    assert "<b>" not in hostile


@pytest.mark.parametrize(("language", "value"), [("en", "Value"), ("zh", "数值")])
def test_facts_are_filtered_sorted_and_exported(browser: Any, served: Served, language: str, value: str) -> None:
    with reading(browser, f"{served.url}/facts", language) as page:
        page.fill("input[name=company]", "Halvern Robotics")
        page.fill("input[name=label]", "net revenue")
        page.locator("#found", has_text="FY2023").wait_for()
        page.wait_for_function("() => document.querySelectorAll('#found tbody tr').length === 7")
        page.locator("#found .sort", has_text=value).click()
        assert page.locator("#found tbody tr td.number").first.inner_text() == "861.0"
        with page.expect_download() as waiting:
            page.locator("#found a", has_text="CSV").click()
        rows = list(csv.DictReader(StringIO(waiting.value.path().read_text("utf-8-sig"))))
        assert len(rows) == 7 and {row["company"] for row in rows} == {"HALVERN ROBOTICS, INC."}
        page.fill("input[name=period]", "some day")
        page.locator("#found [role=alert]").wait_for()


def test_formulas_of_spreadsheets_stay_text(served: Served) -> None:
    status, headers, body = send(served.url, "GET", "/facts.csv?company=Halvern+Robotics")
    assert status == 200 and "attachment" in headers["content-disposition"] and body.startswith(b"\xef\xbb\xbf")
    assert send(served.url, "GET", "/facts.xlsx?company=Halvern+Robotics")[2][:2] == b"PK"
    assert send(served.url, "GET", "/facts.exe")[0] == 404


@pytest.mark.parametrize(
    ("language", "person", "nobody"), [("en", "Person", "no entity named"), ("zh", "人物", "的实体")]
)
def test_the_graph_is_explored(browser: Any, served: Served, language: str, person: str, nobody: str) -> None:
    with reading(browser, f"{served.url}/graph", language) as page:
        count = "document.querySelector('[data-graph]').graph?.nodes(':visible').length"
        page.wait_for_function(f"() => {count} > 20")
        page.locator(".types label", has_text=person).wait_for()
        whole = page.evaluate(count)
        page.locator(".types label", has_text=person).locator("input").uncheck()
        page.wait_for_function(f"() => {count} < {whole}")
        page.fill("[data-path] input[name=start]", "Atacama Minerals")
        page.fill("[data-path] input[name=goal]", "Meridian Freight")
        page.locator("[data-path] button").click()
        page.locator(".about q", has_text="lithium hydroxide").wait_for()
        open_sheet(page, page.locator(".about .quoted").first)
        page.locator("#viewer [data-frame]").first.wait_for()
        page.fill("[data-path] input[name=goal]", "Nobody at all")
        page.locator("[data-path] button").click()
        page.locator("[data-message]", has_text=nobody).wait_for()


def test_a_click_expands_what_is_around_a_name(browser: Any, served: Served) -> None:
    with reading(browser, f"{served.url}/graph?about=Atacama+Minerals") as page:
        graph = "document.querySelector('[data-graph]').graph"
        page.wait_for_function(f"() => {graph}?.nodes().length >= 2")
        before = page.evaluate(f"{graph}.nodes().length")
        where = page.evaluate(f"{graph}.nodes('[name ^= \"Norrland\"]').renderedPosition()")
        box = page.locator("[data-graph] .canvas").bounding_box()
        assert box
        page.mouse.click(box["x"] + where["x"], box["y"] + where["y"])
        page.wait_for_function(f"() => {graph}.nodes().length > {before}")
        assert "Halvern" in page.locator(".about").inner_text()


@pytest.mark.parametrize(("language", "sued"), [("en", "sues (1)"), ("zh", "起诉 (1)")])
def test_who_sued_whom_is_one_choice(browser: Any, served: Served, language: str, sued: str) -> None:
    with reading(browser, f"{served.url}/graph", language) as page:
        page.select_option("select[name=relation]", label=sued)
        graph = "document.querySelector('[data-graph]').graph"
        page.wait_for_url("**relation=sues**")
        page.wait_for_function(f"() => {graph}?.edges().length === 1")
        ends = page.evaluate(f"{graph}.nodes().map(node => node.data('name'))")
        assert sorted(ends) == ["Halvern Robotics, Inc.", "Vexel Automation SE"]


def test_until_a_year_hides_what_came_later(browser: Any, served: Served) -> None:
    with reading(browser, f"{served.url}/graph") as page:
        edges = "document.querySelector('[data-graph]').graph?.edges(':visible').length"
        page.wait_for_function(f"() => {edges} > 20")
        page.locator(".types label").first.wait_for()
        before = page.evaluate(edges)
        page.locator("[data-until]").evaluate("one => { one.value = one.min; one.dispatchEvent(new Event('input')); }")
        page.wait_for_function(f"() => {edges} < {before}")


def test_related_names_stand_near_and_none_on_another() -> None:
    edges = [(0, n) for n in range(1, 9)] + [(9, 10), (11, 12)]
    at = positions(13, edges)
    apart = np.hypot(*(at[:, None, :] - at[None, :, :]).transpose(2, 0, 1))
    lengths = [apart[a, b] for a, b in edges]
    assert apart[~np.eye(13, dtype=bool)].min() > 40 and max(lengths) < 400
    assert np.array_equal(at, positions(13, edges)) and positions(0, []).shape == (0, 2)
    assert positions(1_500, [(n, n // 3) for n in range(1, 1_500)]).shape == (1_500, 2)
