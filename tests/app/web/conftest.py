"""A desk on the demo's documents with hostile ones among them, served for a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from cliquerag import Workspace
from cliquerag.demo import copy_documents
from cliquerag.web.desk import Desk
from cliquerag.web.server import web_app

REQUIRED = "CLIQUERAG_REQUIRE_BROWSER"
HOSTILE = """<script>document.title = "owned"</script> "quoted" & <b>bold</b>

Evil Corp. reported revenue of $66.6 million in 2023 <img src=x onerror="document.title='owned'">.
Evil Corp. supplies javascript:alert(1) valves to Meek Ltd. {{ 7 * 7 }} </svg></textarea><script src="https://evil.example/x.js"></script>
"""
"""A document that tries to become part of the page."""


class Served:
    """A desk behind an address."""

    def __init__(self, desk: Desk, url: str) -> None:
        self.desk = desk
        self.url = url


def serve(desk: Desk, **options: Any) -> Iterator[Served]:
    """Serve a desk on a free port until it is no longer needed."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(web_app(desk, **options), log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield Served(desk, f"http://127.0.0.1:{listening.getsockname()[1]}")
    server.should_exit = True
    thread.join(timeout=10)


def make_desk(folder: Path) -> Desk:
    """A desk on a workspace of the demo's documents and a hostile one."""
    documents = copy_documents(folder / "documents")
    (documents / "evil <b>&.txt").write_text(HOSTILE, encoding="utf-8")
    options = {"embedder": "none", "cache": str(folder / "cache"), "model": ""}
    workspace = Workspace(f"sqlite:///{folder / 'demo.db'}", **options)
    for report in workspace.add_all([documents]):
        assert report.ok, report.error
    return Desk(workspace)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser on a busy machine may miss a moment: what fails in it is tried again, each time from the start."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(scope="session")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a workspace, made once; tests get copies."""
    folder = tmp_path_factory.mktemp("stocked")
    desk = make_desk(folder)
    desk.close()
    desk.workspace.close()
    for left in folder.glob("*.desk.db*"):
        left.unlink()
    return folder


@pytest.fixture
def desk(stocked: Path, tmp_path: Path) -> Iterator[Desk]:
    """A desk of the test's own."""
    folder = tmp_path / "desk"
    shutil.copytree(stocked, folder)
    options = {"embedder": "none", "cache": str(tmp_path / "cache"), "model": ""}
    with Workspace(f"sqlite:///{folder / 'demo.db'}", **options) as workspace:
        made = Desk(workspace)
        yield made
        made.close()


@pytest.fixture
def served(desk: Desk) -> Iterator[Served]:
    """The desk behind an address on this machine."""
    yield from serve(desk)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's chromium, driven by Playwright. Skipped where it is missing, unless it is required."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        reason = "the pages are not tried in a browser: no chromium, or no playwright (apt-get install chromium)"
        if os.environ.get(REQUIRED):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
