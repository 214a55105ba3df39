"""For every reader: axe finds no barrier on any page, light and dark, in both languages; narrow windows do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.web.browsing import ask, barriers, reading
from tests.app.web.conftest import Served

PAGES = (
    "/",
    "/companies",
    "/companies/Halvern Robotics",
    "/facts",
    "/graph",
    "/compare",
    "/side?company=Halvern+Robotics&company=清源精密",
    "/library",
    "/feedback",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_no_page_keeps_anybody_out(browser: Any, served: Served, path: str, scheme: str) -> None:
    with reading(browser, served.url + path, color_scheme=scheme) as page:
        page.wait_for_load_state("networkidle")
        assert barriers(page) == []


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "zh")])
def test_an_answer_with_all_that_belongs_to_it_keeps_nobody_out(
    browser: Any, served: Served, scheme: str, language: str
) -> None:
    with reading(browser, served.url, language, color_scheme=scheme) as page:
        turn = ask(page, "How did Halvern's gross margin change from 2024 to 2025?")
        page.locator("#viewer rect.frame").first.wait_for()
        turn.locator("[data-evidence]").click()
        for name in ("passages", "tables", "graph", "facts", "search"):
            turn.locator(f"[role=tab][id^=tab-{name}]").click()
            turn.locator(f"[role=tabpanel][aria-labelledby^=tab-{name}]").wait_for()
            assert barriers(page) == [], name
        page.goto(f"{served.url}/sheet?source=documents/Norrland_Cell_2025-11-18_release.html")
        assert barriers(page) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_narrow_window_does(browser: Any, served: Served, path: str) -> None:
    with reading(browser, served.url + path, viewport={"width": 390, "height": 844}) as page:
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        for link in page.locator("nav[aria-label] a").all()[:6]:
            box = link.bounding_box()
            assert box and box["height"] >= 28


def test_everything_is_reached_with_the_tab_key(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        page.keyboard.press("Escape")
        page.evaluate("() => document.activeElement.blur()")
        seen = set()
        for _ in range(40):
            page.keyboard.press("Tab")
            seen.add(page.evaluate("() => document.activeElement.textContent.trim() || document.activeElement.id"))
        assert {"Skip to content", "Ask", "Library", "中文", "question"} <= seen


def test_language_and_theme_are_chosen_and_kept(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as page:
        page.locator("button[name=language]").click()
        page.locator("nav a", has_text="文档库").wait_for()
        page.locator("button[name=theme]").click()
        page.locator("html[data-theme=light]").wait_for()
        page.goto(f"{served.url}/library")
        assert page.locator("html").get_attribute("lang") == "zh-CN"
        assert page.locator("html").get_attribute("data-theme") == "light"
