"""Every page and picture that is written, of a document whose names are meant to break out of them."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.app.conftest import Run

EVIL = '"><img src=x onerror=alert(1)><script>alert(1)</script>\'"{{7*7}}'
SCRIPT = "<script>alert(1)</script>"
FILE = '"><img src=x onerror=alert(1)>.md'
TEXT = f"""# {EVIL}

Acme {SCRIPT} Inc. annual report 2023

Evil"><svg onload=alert(1)> Inc. acquired Beta Corp. in 2023. Beta Corp. supplies valves to Acme Inc.

Net revenue of Acme Inc. was $3.4 billion in fiscal 2023 and $3.1 billion in fiscal 2022.

| in millions {SCRIPT} | 2023 | 2022 |
| --- | --- | --- |
| Net revenue | 3,400 | 3,100 |
| Pumps <img src=x onerror=alert(1)> | 400 | 100 |
| =cmd|'/c calc'!A1 | 12 | 13 |
| [click](javascript:alert(1)) | 1 | 2 |
"""
QUESTION = f"What was the net revenue of Acme in 2023? {SCRIPT}"
COMPANY = f'Acme "><img src=x onerror=alert(1)> {SCRIPT} Inc.'


class _Tags(HTMLParser):
    """What a browser would act on: elements, their attributes, and scripts that are code, not data."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._in_code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._in_code = tag == "script" and "json" not in given.get("type", "")
        for name, value in given.items():
            link = value.strip().lower()
            is_link = name in ("href", "src", "action", "xlink:href") and not link.startswith(("#", "data:image/"))
            runs = name.startswith("on") or link.startswith(("javascript:", "data:text/html"))
            if runs or (
                is_link and (tag in ("img", "script", "iframe", "link") or "://" in link.removeprefix("file://"))
            ):
                self.faults.append(f"<{tag} {name}={value!r}>")

    def handle_data(self, data: str) -> None:
        if self._in_code and "alert(1)" in data:
            self.faults.append(f"script: {data[:80]}")

    def handle_endtag(self, tag: str) -> None:
        self._in_code = False


def faults_in(page: str) -> list[str]:
    tags = _Tags()
    tags.feed(page)
    return tags.faults


@pytest.fixture
def folder(cli: Run, private: Path) -> Path:
    (private / FILE.replace("/", "")).write_text(TEXT, encoding="utf-8")
    done = cli("add", FILE, "--company", COMPANY, "--kind", EVIL)
    assert done.returncode == 0, done.stderr
    return private


@pytest.mark.parametrize(
    "command",
    [
        ("ask", QUESTION, "--html", "out.html"),
        ("ask", "Who acquired Beta?", "--html", "out.html"),
        ("chunk", FILE, "--html", "out.html"),
        ("graph", "entity", "Beta Corp.", "--html", "out.html"),
        ("facts", "--company", COMPANY, "--metric", "net revenue", "--plot", "out.svg"),
        ("graph", "export", "--to", "out.graphml"),
        ("report", f"Report on the revenue and the acquisitions of Acme {SCRIPT}", "--html", "out.html"),
        ("report", "--ready", "brief", "--company", COMPANY, "--html", "out.html"),
    ],
    ids=lambda command: " ".join(command[:2])[:20],
)
def test_pages_hold_names_as_text(cli: Run, folder: Path, command: tuple[str, ...]) -> None:
    done = cli(*command)
    assert done.returncode == 0, done.stderr
    (written,) = folder.glob("out.*")
    page = written.read_text(encoding="utf-8")
    assert faults_in(page) == []
    if written.suffix != ".html":
        ET.fromstring(page)


def test_the_comparison_page_holds_names_as_text(cli: Run, folder: Path) -> None:
    with (folder / "questions.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerows([("question", "answer"), (QUESTION, f"$3.4 billion {SCRIPT}"), ("Who acquired Beta?", "=1+1")])
    done = cli("compare", "questions.csv", "--out", "made")
    assert done.returncode == 0, done.stderr
    pages = list((folder / "made").rglob("*.html"))
    assert pages and all(faults_in(page.read_text(encoding="utf-8")) == [] for page in pages)
    for table in (folder / "made").rglob("*.csv"):
        with table.open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "@", "\t="))]


def test_a_terminal_gets_no_commands(cli: Run, private: Path) -> None:
    """Text of documents may hold escape sequences that rename the window or colour what follows."""
    (private / "odd.txt").write_text("Acme Inc.\x1b]0;owned\x07 revenue was \x1b[31m$5 million in 2023.\x1b[2J\n")
    assert cli("add", "odd.txt").returncode == 0
    for command in (("ask", "What was revenue in 2023?"), ("search", "revenue 2023"), ("docs",), ("facts",)):
        assert "\x1b" not in cli(*command).stdout, command


def test_the_check_finds_what_a_browser_would_run() -> None:
    for page in (
        EVIL,
        '<a href="javascript:alert(1)">',
        "<p onclick='alert(1)'>",
        '<img src="https://evil.example/x">',
    ):
        assert faults_in(page), page
    assert faults_in(f'<script type="application/json">{json.dumps("alert(1)")}</script>') == []
