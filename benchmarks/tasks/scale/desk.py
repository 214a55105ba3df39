"""The desk in the browser: how soon its pages and answers are there, how long a filing's pages take, what it keeps.

The server is a process of its own, asked over HTTP as a browser asks it; frames are counted in a browser where there is
one (Playwright and chromium).
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

from cliquerag import Workspace
from cliquerag.demo import copy_documents
from cliquerag.evaluation.benchmark import Report, Row

MINUTES = 10
FOLDER = "erc2"
NEEDS = ("starlette", "uvicorn", "jinja2")
QUESTIONS = 1_000
ASKED = 25
"""Questions whose first sentence is timed on the desk and beside it."""
PAGES = 60
_COMPANIES = ("Halvern", "Halvern Robotics", "Norrland Cell", "Qingyuan Precision")
_METRICS = (
    "net revenue", "operating income", "gross profit", "research and development", "net income", "total assets",
    "operating margin", "capital expenditures", "cash flow from operations", "selling and administrative costs",
)  # fmt: skip
_FORMS = (
    "What was {company}'s {metric} in fiscal {year}?",
    "How did {company}'s {metric} change from {before} to {year}?",
    "Why did {metric} of {company} change in {year}?",
    "Who at {company} speaks of {metric} in {year}?",
    "Which risks does {company} name for {metric} in {year}?",
)
NAMES = 2_000
_FIRST = ("Al", "Bor", "Cas", "Del", "Er", "Fal", "Gor", "Hal", "Im", "Jor", "Kel", "Lor", "Mal", "Nor", "Or", "Pel",
          "Qual", "Ros", "Sel", "Tor")  # fmt: skip
_MIDDLE = ("den", "mark", "vik", "ton", "lund", "berg", "stad", "nes", "holm", "by")
_LAST = ("or", "an", "is", "el", "um", "ax", "on", "ia", "us", "o")
_YEARS = (2021, 2022, 2023, 2024, 2025)
_PAN = """
const graph = document.querySelector('[data-graph]').graph, spent = [];
await new Promise(done => {
  let last = performance.now(), frames = 0;
  const step = now => {
    spent.push(now - last);
    last = now;
    graph.panBy({x: frames % 2 ? 9 : -7, y: 3});
    if (++frames < 120) requestAnimationFrame(step); else done();
  };
  requestAnimationFrame(step);
});
return spent.slice(5);
"""


def questions(count: int) -> list[str]:
    """As many questions as are asked for, each another one."""
    made = (
        form.format(company=company, metric=metric, year=year, before=year - 1)
        for form in _FORMS for year in _YEARS for metric in _METRICS for company in _COMPANIES
    )  # fmt: skip
    return list(dict.fromkeys(made))[:count]


def run(folder: Path) -> Report:
    """Milliseconds as a browser waits, median and 95th percentile; megabytes of the server."""
    work = folder / "desk"
    rows: list[Row] = []
    try:
        demo = f"sqlite:///{_demo(work)}"
        with _served(demo) as desk:
            rows += _first_page(desk)
        with _served(demo) as desk:
            rows += _first_sentences(desk, demo)
            rows += _memory(desk)
        longest = _longest_filing(folder)
        if longest:
            with _served(f"sqlite:///{_filing(work, longest)}") as desk:
                rows += _pages(desk)
        with _served(f"sqlite:///{_many_names(work)}") as desk:
            rows += _frames(desk)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Report("desk", tuple(rows), notes=(f"Load of the machine at the end: {os.getloadavg()[0]:.1f}.",))


# --- workspaces and a server


def _demo(work: Path) -> Path:
    path = work / "demo.db"
    documents = copy_documents(work / "documents")
    with Workspace(f"sqlite:///{path}", embedder="none") as workspace:
        for report in workspace.add_all([documents]):
            assert report.ok, report.error
    return path


def _longest_filing(folder: Path) -> Path | None:
    """The filing of most bytes: of those at hand, the one of 324 pages."""
    found = [*folder.glob("pdfs/*.pdf"), *folder.glob("*.pdf")]
    from cliquerag.ingest.pdf.backend import default_backend

    def pages(path: Path) -> int:
        pdf = default_backend().open(path)
        try:
            return pdf.page_count
        finally:
            pdf.close()

    return max(found, key=pages, default=None)


def _filing(work: Path, longest: Path) -> Path:
    path = work / "filing.db"
    with Workspace(f"sqlite:///{path}", embedder="none") as workspace:
        workspace.add(longest)
    return path


def _many_names(work: Path) -> Path:
    """A workspace whose graph has NAMES names: each supplies one of the first, or acquires one by chance."""
    chance = random.Random(7)
    names = [f"{a}{b}{c} Inc." for a in _FIRST for b in _MIDDLE for c in _LAST][:NAMES]
    lines = [
        f"{name} supplies pump parts to {names[number // 4]}."
        if number % 3
        else f"{name} acquired {names[chance.randrange(number)]} in {2010 + number % 15}."
        for number, name in enumerate(names)
        if number
    ]
    path = work / "names.db"
    with Workspace(f"sqlite:///{path}", embedder="none") as workspace:
        for start in range(0, len(lines), 200):
            workspace.add_text(
                "\n\n".join(lines[start : start + 200]), source=f"list {start}.txt", company=names[start]
            )
    return path


class _Server:
    """A desk in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], host: str, port: int) -> None:
        self.process, self.host, self.port = process, host, port

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def send(self, path: str, form: Mapping[str, str] | None = None) -> tuple[dict[str, str], bytes]:
        """A request of one of its own pages: headers and body of the answer."""
        connection = HTTPConnection(self.host, self.port, timeout=120)
        body = urlencode(form) if form else None
        headers = {"Origin": self.url, "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        connection.request("POST" if form else "GET", path, body, headers)
        response = connection.getresponse()
        data = response.read()
        connection.close()
        assert response.status == 200, (path, response.status, data[:200])
        return {name.lower(): value for name, value in response.getheaders()}, data

    def first_piece(self, question: str) -> float:
        """Seconds until the first piece of an answer is there; returns once all of it is."""
        begin = time.perf_counter()
        _, turn = self.send("/ask", {"question": question})
        found = re.search(rb'data-stream="([^"]+)"', turn)
        if found is None:
            return time.perf_counter() - begin
        connection = HTTPConnection(self.host, self.port, timeout=120)
        connection.request("GET", found[1].decode())
        first = 0.0
        for line in connection.getresponse():
            if line.startswith(b"event: ") and not first:
                first = time.perf_counter() - begin
        connection.close()
        return first

    def processor_ms(self) -> float:
        """Processor time so far of the server and of the process that draws pages: what other work does not change."""
        return sum(map(_processor_ms, (self.process.pid, *_children(self.process.pid))))

    def megabytes(self) -> float:
        """Resident memory of the server and of the process that draws pages."""
        pids = [self.process.pid, *_children(self.process.pid)]
        return sum(map(_resident, pids))


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def _processor_ms(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") * 1000
    return 0.0


def _resident(pid: int) -> float:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
    return 0.0


@contextmanager
def _served(workspace: str) -> Iterator[_Server]:
    command = [sys.executable, "-m", "cliquerag", "web", "--workspace", workspace, "--port", "0", "--no-open"]
    environment = {**os.environ, "CLIQUERAG_EMBEDDER": "none", "CLIQUERAG_MODEL": ""}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        host, port = re.findall(r"http://([\w.]+):(\d+)/", said)[0]
        yield _Server(process, host, int(port))
    finally:
        process.terminate()
        process.wait(timeout=30)


# --- what is measured


def _timed(desk: _Server, path: str) -> float:
    begin = time.perf_counter()
    desk.send(path)
    return (time.perf_counter() - begin) * 1000


def _spread(system: str, what: str, milliseconds: Sequence[float]) -> Iterator[Row]:
    ordered = sorted(milliseconds)
    yield Row(system, f"{what}, median ms", statistics.median(ordered), better="lower", n=len(ordered))
    yield Row(
        system, f"{what}, p95 ms", ordered[max(0, round(len(ordered) * 0.95) - 1)], better="lower", n=len(ordered)
    )


def _first_page(desk: _Server) -> Iterator[Row]:
    before = desk.processor_ms()
    yield Row("demo", "first page ms", _timed(desk, "/"), better="lower")
    yield Row("demo", "first page, CPU ms", desk.processor_ms() - before, better="lower")
    yield from _spread("demo", "page again", [_timed(desk, "/") for _ in range(20)])


def _first_sentences(desk: _Server, workspace: str) -> Iterator[Row]:
    """The same questions on the desk and as the command line asks them, in turns."""
    desk.first_piece("What does Halvern make?")
    on_desk, beside = [], []
    with Workspace(workspace, embedder="none", model="") as own:
        own.ask("What does Halvern make?")
        for question in questions(QUESTIONS)[:: QUESTIONS // ASKED]:
            on_desk.append(desk.first_piece(question) * 1000)
            begin = time.perf_counter()
            next(iter(own.stream(question)))
            beside.append((time.perf_counter() - begin) * 1000)
    yield from _spread("desk", "first sentence", on_desk)
    yield from _spread("command line", "first sentence", beside)


def _memory(desk: _Server) -> Iterator[Row]:
    """Megabytes after a tenth of the questions, after half and after all; and what a question more costs in between."""
    seen: dict[int, float] = {}
    for number, question in enumerate(questions(QUESTIONS), 1):
        desk.first_piece(question)
        if number in (QUESTIONS // 10, QUESTIONS // 2, QUESTIONS):
            seen[number] = desk.megabytes()
            yield Row("desk", f"memory after {number:,} questions, MB", seen[number], better="lower")
    growth = (seen[QUESTIONS] - seen[QUESTIONS // 2]) / (QUESTIONS - QUESTIONS // 2) * 1000
    yield Row("desk", "growth in the second half, KB a question", growth, better="lower")


def _pages(desk: _Server) -> Iterator[Row]:
    """Sheet and picture of pages all over the filing, as they are shown when a citation is clicked."""
    _, listed = desk.send("/library")
    source = re.findall(r"/sheet\?source=([^\"&]+)", listed.decode())[0]
    last = int(re.findall(r"/ (\d+)</span>", desk.send(f"/sheet?source={source}&page=1")[1].decode())[0])
    numbers = [1 + (last - 1) * step // (PAGES - 1) for step in range(PAGES)]
    yield Row("filing", "pages", last, better="neither")
    for when in ("the first time", "again"):
        before = desk.processor_ms()
        waited = [_page(desk, source, number) for number in numbers]
        spent = (desk.processor_ms() - before) / len(numbers)
        yield from _spread("filing", f"a page {when}", waited)
        yield Row("filing", f"a page {when}, CPU ms", spent, better="lower", n=len(numbers))


def _page(desk: _Server, source: str, number: int) -> float:
    begin = time.perf_counter()
    _, sheet = desk.send(f"/sheet?source={source}&page={number}")
    picture = re.findall(r'href="(/picture/[^"]+)"', sheet.decode())[0]
    desk.send(quote(picture.replace("&amp;", "&"), safe="/?=&%"))
    return (time.perf_counter() - begin) * 1000


def _frames(desk: _Server) -> Iterator[Row]:
    """Milliseconds a frame while a picture of up to 2,000 names is moved; nothing without a browser."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    if browser is None:
        return
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(f"{desk.url}/graph?nodes=2000")
        page.locator("[data-graph] canvas").first.wait_for(timeout=120_000)
        page.wait_for_timeout(1_500)
        nodes = page.evaluate("document.querySelector('[data-graph]').graph.nodes().length")
        spent: list[float] = page.evaluate(f"(async () => {{{_PAN}}})()")
        chromium.close()
        yield Row("graph", "nodes", nodes, better="neither")
        yield from _spread("graph", "a frame while panning", spent)
