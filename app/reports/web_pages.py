"""Pages of the web as documents: found by a search endpoint that speaks SearXNG's JSON, off by default.

A page is stored under its address with the time of storing; it counts as a document about the subject only where it
names it. Addresses come from strangers: only http and https, only public addresses (checked on the connection itself,
so that a name cannot change its address in between), a few megabytes and seconds each.
"""

from __future__ import annotations

import http.client
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urljoin, urlsplit

from ..core.errors import CliqueRAGError, UsageError, without_credentials
from ..core.names import name_key
from ..core.period import iso_day
from ..core.records import dataclass
from ..ingest.about.given import DocumentHints

if TYPE_CHECKING:
    from ..workspace import Workspace

RESULTS = 3
"""Results of a keyword, as the description of DM-RAG has it."""
MOST_PAGES = 12
_MOST_BYTES = 5_000_000
_SECONDS = 20.0
_REDIRECTS = 3
_AGENT = "CliqueRAG (a reader of financial documents)"
_ENDINGS: Mapping[str, str] = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
}
_KIND = "web page"
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class WebHit:
    """A result of the endpoint: ``published`` is None where it says no day."""

    url: str
    title: str
    published: date | None = None


@dataclass(slots=True)
class WebNotes:
    """What became of the pages, for the trace."""

    stored: list[str] = field(default_factory=list)
    left_out: list[dict[str, str]] = field(default_factory=list)


def store_pages(
    workspace: Workspace, endpoint: str, keywords: Sequence[str], subject: str, tell: Tell | None = None
) -> WebNotes:
    """Search the web by each keyword and store the pages that name the subject; those stored before are left alone.

    Raises:
        UsageError: ``endpoint`` is no http address.
        CliqueRAGError: the endpoint cannot be reached or does not speak SearXNG's JSON.
    """
    notes = WebNotes()
    hits: dict[str, WebHit] = {}
    for keyword in keywords:
        for hit in search_web(endpoint, keyword)[:RESULTS]:
            hits.setdefault(hit.url, hit)
    chosen = list(hits.values())[:MOST_PAGES]
    known = {record.source for record in workspace.documents()}
    for done, hit in enumerate(chosen):
        if tell:
            tell(done, len(chosen))
        if hit.url in known:
            notes.stored.append(hit.url)
            continue
        try:
            _store(workspace, hit, subject)
            notes.stored.append(hit.url)
        except (CliqueRAGError, OSError, http.client.HTTPException, ValueError) as error:
            notes.left_out.append({"url": hit.url, "why": str(error)[:200]})
    return notes


def search_web(endpoint: str, keyword: str) -> list[WebHit]:
    """The results of one search, in the endpoint's order."""
    _check_address(endpoint)
    base = endpoint if urlsplit(endpoint).path.rstrip("/").endswith("search") else f"{endpoint.rstrip('/')}/search"
    url = f"{base}?{urlencode({'q': keyword, 'format': 'json'})}"
    where = without_credentials(endpoint)
    try:
        data = json.loads(_fetched(url, only_public=False).data)
    except (OSError, http.client.HTTPException) as error:
        raise CliqueRAGError(f"the search endpoint cannot be reached ({error})", where=where) from error
    except ValueError as error:
        hint = "SearXNG needs `formats: [html, json]` in its settings"
        raise CliqueRAGError("the search endpoint does not answer in JSON", where=where, hint=hint) from error
    found = data.get("results") if isinstance(data, Mapping) else None
    return list(_hits(found)) if isinstance(found, list) else []


def _hits(found: Sequence[Any]) -> Iterator[WebHit]:
    for result in found:
        if not isinstance(result, Mapping):
            continue
        url = str(result.get("url", ""))
        if urlsplit(url).scheme in ("http", "https"):
            day = iso_day(result.get("publishedDate"))
            yield WebHit(url, str(result.get("title", "")), day)


def _store(workspace: Workspace, hit: WebHit, subject: str) -> None:
    page = _fetched(hit.url, only_public=True)
    ending = _ENDINGS.get(page.media)
    if ending is None:
        raise ValueError(f"is neither a page, a text nor a PDF ({page.media or 'no type'})")
    if ending != ".pdf" and not _names(page.data, subject):
        raise ValueError(f"does not name {subject}")
    hints = DocumentHints.of(subject, None, _KIND, hit.published)
    with tempfile.TemporaryDirectory(prefix="cliquerag-") as folder:
        path = Path(folder) / f"page{ending}"
        path.write_bytes(page.data)
        workspace.components.adding.file(path, hit.url, hints)


def _names(data: bytes, subject: str) -> bool:
    """True where a page holds the name of the subject, whatever its legal form and case."""
    return name_key(subject) in name_key(data.decode("utf-8", errors="replace"))


# --- fetching


@dataclass(frozen=True, slots=True)
class _Page:
    data: bytes
    media: str


class _NotPublicError(OSError):
    """The address belongs to a private network."""


class _Connections:
    """Connections whose peer is looked at before anything is sent."""

    def __init__(self, *, only_public: bool) -> None:
        self._only_public = only_public

    def open(self, scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
        """A connection to the host; _NotPublicError for one within a private network where only public ones may be."""
        kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        connection = kind(host, port, timeout=_SECONDS)
        connection.connect()
        peer = connection.sock.getpeername()[0]
        if self._only_public and not is_public(peer):
            connection.close()
            raise _NotPublicError(f"{host} is no public address")
        return connection


def is_public(address: str) -> bool:
    """True for an address of the internet.

    >>> is_public("8.8.8.8"), is_public("127.0.0.1"), is_public("169.254.169.254"), is_public("::ffff:10.0.0.1")
    (True, False, False, False)
    """
    found = ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_global


def _fetched(url: str, *, only_public: bool) -> _Page:
    """What stands at an address, redirections followed as carefully as the first address."""
    connections = _Connections(only_public=only_public)
    ends = time.monotonic() + _SECONDS
    for _ in range(_REDIRECTS + 1):
        _check_address(url)
        parts = urlsplit(url)
        connection = connections.open(parts.scheme, parts.hostname or "", parts.port)
        try:
            path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
            connection.request("GET", path, headers={"User-Agent": _AGENT, "Accept-Encoding": "identity"})
            response = connection.getresponse()
            if response.status in (301, 302, 303, 307, 308):
                url = urljoin(url, response.getheader("Location") or "")
                continue
            if response.status != http.client.OK:
                raise OSError(f"HTTP {response.status}")
            media = (response.getheader("Content-Type") or "").partition(";")[0].strip().lower()
            return _Page(_read(response, ends), media)
        finally:
            connection.close()
    raise OSError("too many redirections")


def _read(response: http.client.HTTPResponse, ends: float) -> bytes:
    data = bytearray()
    while piece := response.read1(65_536):
        data.extend(piece)
        if len(data) > _MOST_BYTES:
            raise OSError(f"is larger than {_MOST_BYTES:,} bytes")
        if time.monotonic() > ends:
            raise OSError(f"takes longer than {_SECONDS:.0f} seconds")
    return bytes(data)


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("this is no http address", where=without_credentials(url), hint="http://127.0.0.1:8080")
