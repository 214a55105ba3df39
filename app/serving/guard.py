"""What a server on this machine must ask of a request before it answers: the host, the origin, the key.

A page of a stranger in the user's own browser can send requests to any server on the machine. It cannot choose the
Host header of an address that it does not own, nor hide the Origin of a request that changes something.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
"""Names under which a server that listens to this machine alone is asked."""
COOKIE = "cliquerag_desk"
_UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
_OPEN_PATHS = ("/enter", "/static/", "/health")
"""What is answered without a key: the form that asks for it, what that is drawn with, and whether all is well."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content security policy: nothing from elsewhere, and no script or style that stands in the page itself."""
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def host_of(header: str) -> str:
    """The name in a Host header, without its port; "" for what is none.

    >>> host_of("localhost:8080"), host_of("[::1]:8080")
    ('localhost', '::1')
    """
    try:
        parts = urlsplit(f"//{header}")
        _ = parts.port  # a port that is none is an error only when it is asked for
        return "" if "@" in parts.netloc else parts.hostname or ""
    except ValueError:
        return ""


def is_known_host(header: str, hosts: Iterable[str]) -> bool:
    """True where a Host header names one of ours; "*" among them admits every name."""
    known = tuple(hosts)
    return "*" in known or host_of(header) in known


def is_own_origin(origin: str, host: str, site: str = "") -> bool:
    """True where a request that changes something was sent by a page of this server.

    ``origin``, ``host`` and ``site`` are the headers Origin, Host and Sec-Fetch-Site. A browser sends an Origin with
    every such request; one without it has to say that it comes from the same origin.

    >>> is_own_origin("http://localhost:8766", "localhost:8766"), is_own_origin("https://evil.example", "localhost")
    (True, False)
    >>> is_own_origin("http://[not an address", "localhost")
    False
    """
    if not origin:
        return site == "same-origin"
    scheme, _, named = origin.lower().partition("://")
    return scheme in ("http", "https") and named == host.lower()


class Guard:
    """Asks every request for its host, changing ones for their origin, and all for a session where there is a key."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOCAL_HOSTS, key: str = "") -> None:
        self._app = app
        self._hosts = tuple(hosts)
        self._key = key
        self._sessions: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what is refused, pass on the rest; every answer carries the security headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["guard"] = self
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        status, text = self._refusal(scope, headers)
        if status:
            from starlette.responses import PlainTextResponse, RedirectResponse

            refused = RedirectResponse("/enter", 303) if status == 401 else PlainTextResponse(text, status)
            await refused(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)

    def open_session(self, key: str) -> str:
        """A token for the cookie of one who knows the key; "" for a wrong one."""
        if not self._key or not compare_digest(key.encode(), self._key.encode()):
            return ""
        token = secrets.token_urlsafe(32)
        self._sessions.add(token)
        return token

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str]:
        """Status and reason of a refusal; 0 for what may pass."""
        host = headers.get("host", "")
        if not is_known_host(host, self._hosts):
            return 400, "This server does not answer to that host name."
        origin, site = headers.get("origin", ""), headers.get("sec-fetch-site", "")
        if scope["method"] in _UNSAFE and not is_own_origin(origin, host, site):
            return 403, "Only the desk's own pages may change something."
        if self._key and not self._may_enter(scope["path"], headers.get("cookie", "")):
            return 401, "A key is needed."
        return 0, ""

    def _may_enter(self, path: str, cookies: str) -> bool:
        if path.startswith(_OPEN_PATHS):
            return True
        try:
            found = SimpleCookie(cookies).get(COOKIE)
        except CookieError:
            return False
        return found is not None and found.value in self._sessions
