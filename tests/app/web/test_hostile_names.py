"""Every page of the desk, of documents, companies and entities whose names are meant to break out of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

import pytest
from cliquerag import Workspace
from cliquerag.web.desk import Desk

from tests.app.views.test_hostile_names import COMPANY, EVIL, FILE, QUESTION, SCRIPT, TEXT, faults_in
from tests.app.web.browsing import ask, reading
from tests.app.web.conftest import Served, serve
from tests.app.web.test_safety import send

CHINESE = """“><script>alert(1)</script>四方科技股份有限公司2023年年度报告

四方科技股份有限公司2023年实现营业收入12.5亿元，同比增长8.3%。
四方科技收购了"><img src=x onerror=alert(1)>南通冷冻设备有限公司。
"""
_LINK = re.compile(r"""(?:href|hx-get|src|data-url|data-stream)="([^"]{1,2000})\"""")
_OWN = re.compile(r"='/(?:static/|picture/|chart\.svg)[^\"'<>]{1,300}'>$")
_MOST_PAGES = 300


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A desk on two documents of hostile names, contents, companies and kinds."""
    folder = tmp_path_factory.mktemp("hostile")
    with Workspace(f"sqlite:///{folder / 'x.db'}", embedder="none", cache=str(folder / "cache"), model="") as workspace:
        for name, text, company in ((FILE, TEXT, COMPANY), ("'年报\"><b>.txt", CHINESE, f"四方{SCRIPT}科技")):
            (folder / name).write_text(text, encoding="utf-8")
            (report,) = workspace.add_all([folder / name], company=company, kind=EVIL)
            assert report.ok, report.error
        desk = Desk(workspace)
        yield from serve(desk)
        desk.close()


def faults_of(page: str) -> list[str]:
    """What a browser would run or fetch, but for the desk's own scripts, styles and pictures."""
    return [fault for fault in faults_in(page) if not _OWN.search(fault)]


def get(served: Served, path: str, language: str) -> tuple[int, str, bytes]:
    """Status, media type and body of a page in a language."""
    status, headers, body = send(served.url, "GET", path, Cookie=f"cliquerag_language={language}")
    return status, headers.get("content-type", ""), body


def links_in(page: str, path: str, address: str) -> Iterator[str]:
    """Where a page leads on the desk."""
    for link in _LINK.findall(page):
        url = urlsplit(urljoin(f"{address}{path}", unescape(link)))
        if url.netloc == urlsplit(address).netloc and not url.path.startswith("/static/"):
            yield f"{url.path}?{url.query}" if url.query else url.path


def asked(served: Served, path: str, form: dict[str, str]) -> str:
    """The page that a form gives."""
    headers = {"Origin": served.url, "Content_Type": "application/x-www-form-urlencoded"}
    status, _, body = send(served.url, "POST", path, urlencode(form), **headers)
    assert status == 200, body
    return body.decode()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_holds_names_as_text(hostile: Served, language: str) -> None:
    entities = ("Beta Corp.", 'Evil"><svg onload=alert(1)> Inc.', EVIL)
    starts = [
        "/",
        "/library",
        "/library/rows",
        "/library/jobs",
        "/companies",
        "/facts",
        "/graph",
        "/compare",
        "/feedback",
    ]
    starts += [f"/companies/{quote(name)}" for name in (COMPANY, EVIL)]
    starts += [f"/graph/near.json?{urlencode({'name': name})}" for name in entities]
    starts += [f"/graph?{urlencode({'name': name})}" for name in entities]
    starts += [
        f"/facts?{urlencode({'company': name, 'metric': 'net revenue', 'kind': EVIL})}" for name in (COMPANY, EVIL)
    ]
    starts += [f"/library/{part}?{urlencode({'source': FILE})}" for part in ("about", "row")]
    starts += [
        "/graph/all.json",
        f"/graph/names.json?{urlencode({'q': 'Ev'})}",
        f"/sheet?{urlencode({'source': EVIL})}",
    ]
    waiting, seen, pages = starts, set(starts), 0
    for question in (QUESTION, "Who acquired Beta Corp.?", EVIL):
        page = asked(hostile, "/ask", {"question": question, "mode": "hybrid"})
        assert faults_of(page) == []
        waiting += links_in(page, "/ask", hostile.url)
    while waiting and pages < _MOST_PAGES:
        path = waiting.pop(0)
        status, media_type, body = get(hostile, path, language)
        pages += 1
        assert status < 500, path
        if media_type.startswith("application/json"):
            json.loads(body)
        if not media_type.startswith(("text/html", "image/svg")):
            continue
        page = body.decode()
        assert faults_of(page) == [], path
        for link in links_in(page, path, hostile.url):
            if link not in seen:
                seen.add(link)
                waiting.append(link)
    assert pages > 40


def test_a_browser_runs_nothing_of_them(browser: Any, hostile: Served) -> None:
    """Pages that scripts draw: the graph, the comparison, the answer as it comes, a company, the table of facts."""
    with reading(browser, hostile.url) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        ask(page, QUESTION)
        ask(page, "Who acquired Beta Corp.?")
        for path in ("/graph", "/library", "/companies", f"/companies/{quote(COMPANY)}", "/facts", "/feedback"):
            page.goto(f"{hostile.url}{path}")
            page.wait_for_load_state("networkidle")
            assert page.locator("body script:not([src]):not([type*=json])").count() == 0, path
            assert page.locator("img[src=x], svg[onload], [onerror]").count() == 0, path
        page.goto(f"{hostile.url}/compare")
        page.fill("form #question", QUESTION)
        page.keyboard.press("Enter")
        page.locator(".compared:not([aria-busy])").wait_for()
        assert page.locator("img[src=x], [onerror]").count() == 0


def test_a_table_that_is_saved_holds_no_formula(hostile: Served) -> None:
    found = 0
    for number in range(3):
        status, _, body = get(hostile, f"/table.csv?{urlencode({'source': FILE, 'n': number})}", "en")
        if status == 200:
            found += 1
            cells = [cell.strip('"') for line in body.decode("utf-8-sig").splitlines() for cell in line.split(",")]
            assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]
    status, _, body = get(hostile, "/facts.csv", "en")
    assert status == 200 and b"\n=" not in body and b",=" not in body and b',"=' not in body
    assert Path(FILE).suffix == ".md" and found
