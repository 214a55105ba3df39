"""What the desk notes of its use, in a real browser: what is opened, copied and read, pins, and what it says of it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.app.web.browsing import ask, open_sheet, reading
from tests.app.web.conftest import Served

MARGIN = "What was Halvern's operating margin in fiscal 2025?"


def noted(served: Served, *kinds: str) -> list[dict[str, Any]]:
    events = served.desk.workspace.feedback.log.events(kinds=kinds)
    return [{"kind": event.kind, **event.data} for event in events]


def wait_for(served: Served, kind: str, count: int = 1) -> list[dict[str, Any]]:
    """Events come with a beacon, which nobody waits for."""
    for _ in range(100):
        found = noted(served, kind)
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError(f"no {kind}: {noted(served)}")


def test_what_is_opened_copied_and_read_is_noted(browser: Any, served: Served) -> None:
    with reading(browser, served.url, permissions=["clipboard-read", "clipboard-write"]) as page:
        assert page.locator(".welcome", has_text="noted on this machine alone").count() == 1
        turn = ask(page, MARGIN)
        page.locator("#viewer .sheet").wait_for()
        assert noted(served, "opened") == [], "what opens by itself is no click"
        open_sheet(page, turn.locator(".answer .cite").nth(1))
        (opened,) = wait_for(served, "opened")
        assert opened["citation"] == 2 and opened["source"].endswith("Halvern_2025_10K.pdf")
        turn.locator("[data-copy]").click()
        wait_for(served, "copied")
        page.keyboard.press("Escape")
        first, second = wait_for(served, "dwell", 2)
        assert first["automatic"] and second["citation"] == 2 and second["ms"] > 0 and "automatic" not in second
        (answered,) = noted(served, "answered")
        assert answered["question"] == MARGIN and answered["candidates"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_pin_is_shown_and_taken_off(browser: Any, served: Served, language: str) -> None:
    with reading(browser, served.url, language) as page:
        turn = ask(page, MARGIN)
        open_sheet(page, turn.locator(".answer .cite").first)
        page.locator("#viewer button[value=pin]").click()
        page.locator("#viewer .said", has_text={"en": "Pinned", "zh": "已标记"}[language]).wait_for()
        turn = ask(page, MARGIN)
        turn.get_by_text({"en": "Pinned for this question", "zh": "为此问题标记"}[language]).wait_for()
        page.goto(f"{served.url}/feedback")
        page.locator("ul.pins li", has_text=MARGIN).get_by_role("button").click()
        page.locator("ul.pins").wait_for(state="detached")
        assert [event["kind"] for event in noted(served, "pin", "unpin")] == ["pin", "unpin"]
