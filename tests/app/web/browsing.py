"""What the tests in a browser share: pages that notice errors and requests elsewhere, and checks for readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
_RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}


@contextmanager
def reading(browser: Any, url: str, language: str = "en", **options: Any) -> Iterator[Any]:
    """A page in a window of its own. Fails on any error of a script, refused style, or request to somewhere else."""
    options.setdefault("viewport", {"width": 1440, "height": 900})
    locale = {"en": "en-US", "zh": "zh-CN"}[language]
    context = browser.new_context(locale=locale, bypass_csp=False, **options)
    page = context.new_page()
    page.set_default_timeout(60_000)  # a machine with other work takes its time
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.on("console", lambda message: _note(message, wrong))
    page.on("request", lambda request: _note_request(request, url, wrong))
    page.goto(url)
    yield page
    title = page.title()
    context.close()
    assert not wrong, wrong
    assert title != "owned"


def _note(message: Any, wrong: list[str]) -> None:
    is_expected = any(part in message.text for part in ("responded with a status of 4", "Response Status Error Code 4"))
    if message.type == "error" and not is_expected:
        wrong.append(f"console: {message.text}")


def _note_request(request: Any, url: str, wrong: list[str]) -> None:
    if request.url.startswith(("data:", "blob:")):
        return
    if urlsplit(request.url).netloc != urlsplit(url).netloc:
        wrong.append(f"request to {request.url}")


def ask(page: Any, question: str) -> Any:
    """Ask, and wait for the answer: its article."""
    before = page.locator("article.turn").count()
    page.fill("#question", question)
    page.keyboard.press("Enter")
    turn = page.locator("article.turn").nth(before)
    turn.locator("footer.tools").wait_for()
    return turn


def open_sheet(page: Any, link: Any) -> None:
    """Click a link to a page of a document, and wait until that page has taken the place of the one before."""
    page.evaluate("document.querySelector('#viewer').firstElementChild?.setAttribute('data-before', '')")
    link.click()
    page.locator("#viewer .sheet:not([data-before])").wait_for()


def barriers(page: Any) -> list[str]:
    """What axe finds that keeps somebody from reading the page (WCAG 2.1 A and AA)."""
    page.evaluate(AXE)
    found = page.evaluate("options => axe.run(document, options)", _RULES)
    return [
        f"{v['id']}: {v['nodes'][0]['target']} {v['nodes'][0]['failureSummary'][:300]}" for v in found["violations"]
    ]
