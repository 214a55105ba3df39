"""Pages of the web as documents: only public addresses, only what names the subject, within bounds."""

from __future__ import annotations

import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from cliquerag.core.errors import CliqueRAGError, UsageError
from cliquerag.reports import web_pages
from cliquerag.reports.web_pages import search_web, store_pages
from cliquerag.workspace import Workspace

PAGE = "<html><head><title>News</title></head><body><h1>Steel</h1><p>{text}</p></body></html>"


class Site(BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self):
        parts = urlsplit(self.path)
        if parts.path == "/search":
            Site.asked.append(parse_qs(parts.query)["q"][0])
            base = f"http://127.0.0.1:{self.server.server_port}"
            names = ("acme", "other", "moved", "gone", "huge", "picture")
            found = [{"url": f"{base}/{name}", "title": name, "publishedDate": "2024-02-03T10:00:00"} for name in names]
            self.say(json.dumps({"results": [{"url": "file:///etc/passwd"}, *found]}), "application/json")
        elif parts.path == "/acme":
            self.say(PAGE.format(text="Acme Corporation buys its castings from Bolt Foundry in Ohio."), "text/html")
        elif parts.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "file:///etc/passwd")
            self.end_headers()
        elif parts.path == "/huge":
            self.say("Acme " * 2_000_000, "text/plain")
        elif parts.path == "/picture":
            self.say("Acme", "image/png")
        elif parts.path == "/html/search":
            self.say("<html>", "text/html")
        elif parts.path == "/other":
            self.say(PAGE.format(text="Nothing about it."), "text/html")
        else:
            self.send_error(404)

    def say(self, text, media):
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        with contextlib.suppress(OSError):  # the reader has seen enough
            self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def site():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def workspace(tmp_path):
    with Workspace(f"sqlite:///{tmp_path / 'w.db'}", embedder="none") as made:
        made.add_text("Acme Corporation makes pumps.", "acme.md", "Acme Corporation", "FY2023", "10-K")
        yield made


def test_addresses_of_this_network_are_not_read(workspace, site):
    notes = store_pages(workspace, site, ["Acme"], "Acme")
    assert notes.stored == []
    assert {"127.0.0.1 is no public address"} == {one["why"] for one in notes.left_out}


def test_pages_that_name_the_subject_become_documents(workspace, site, monkeypatch):
    monkeypatch.setattr(web_pages, "is_public", lambda address: True)
    monkeypatch.setattr(web_pages, "RESULTS", 10)
    notes = store_pages(workspace, site, ["Acme castings"], "Acme")
    assert notes.stored == [f"{site}/acme"] and Site.asked[-1] == "Acme castings"
    why = {one["url"].rpartition("/")[2]: one["why"] for one in notes.left_out}
    assert why["other"] == "does not name Acme"
    assert "no http address" in why["moved"] and why["gone"] == "HTTP 404"
    assert "larger than" in why["huge"] and "image/png" in why["picture"]
    record = next(one for one in workspace.documents() if one.source == f"{site}/acme")
    assert (record.kind, str(record.published)) == ("web page", "2024-02-03")
    report = workspace.report("Who supplies castings to Acme?")
    assert any(citation.source == f"{site}/acme" for citation in report.citations)


def test_a_report_reads_the_web_only_where_it_is_told_to(workspace, site, monkeypatch):
    monkeypatch.setattr(web_pages, "is_public", lambda address: True)
    before = len(Site.asked)
    workspace.report("Who supplies castings to Acme?")
    assert len(Site.asked) == before
    report = workspace.report("Who supplies castings to Acme?", web=site)
    assert len(Site.asked) > before
    assert report.trace["web"]["stored"] == [f"{site}/acme"]
    assert any("Bolt Foundry" in citation.text for citation in report.citations)


@pytest.mark.parametrize("endpoint", ["file:///etc/passwd", "localhost:8080", "ftp://x"])
def test_what_is_no_address_is_said(endpoint):
    with pytest.raises(UsageError, match="no http address"):
        search_web(endpoint, "Acme")


def test_an_endpoint_that_is_not_there_or_speaks_no_json(site):
    with pytest.raises(CliqueRAGError, match="cannot be reached"):
        search_web("http://127.0.0.1:9", "Acme")
    with pytest.raises(CliqueRAGError, match="JSON"):
        search_web(f"{site}/html", "Acme")
