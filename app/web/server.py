"""The desk as a web application, and the server that runs it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from ..serving.guard import COOKIE, LOCAL_HOSTS, Guard
from ..serving.listening import health_route
from . import ask_pages, company_pages, compare_pages, graph_pages, library_pages
from .desk import HERE, LANGUAGE_COOKIE, LANGUAGES, THEME_COOKIE, Desk, Form, first, with_form

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_YEAR = 31_536_000
_STATIC_AGE = "public, max-age=300"
_WARM_AFTER = 0.4
"""Seconds after the start until what the first question needs is loaded."""
_THEMES = ("auto", "light", "dark")


def web_app(desk: Desk, hosts: Iterable[str] = LOCAL_HOSTS, key: str = "") -> Starlette:
    """The web application. ``hosts`` are the names that it answers to ("*": all); with ``key`` it asks for it first."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    class Static(StaticFiles):
        """Style sheet and scripts, which a browser may keep for a while."""

        def file_response(self, *arguments: object, **options: object) -> Response:
            response = super().file_response(*arguments, **options)  # type: ignore[arg-type]
            response.headers["cache-control"] = _STATIC_AGE
            return response

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        warming = threading.Timer(_WARM_AFTER, desk.warm)  # the first page has the processor to itself
        warming.daemon = True
        warming.start()
        yield
        warming.cancel()

    async def not_found(request: Request, _: Exception) -> Response:
        return desk.gone(request)

    preferences = Preferences(desk)
    routes = [
        *ask_pages.routes(desk),
        *library_pages.routes(desk),
        *compare_pages.routes(desk),
        *company_pages.routes(desk),
        *graph_pages.routes(desk),
        health_route(desk.workspace, desk.answering),
        Route("/preferences", with_form(desk, preferences.set), methods=["POST"]),
        Route("/enter", preferences.door),
        Route("/enter", with_form(desk, preferences.enter), methods=["POST"]),
        Mount("/static", Static(directory=HERE / "static")),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(Guard, hosts=tuple(hosts), key=key)],
        exception_handlers={404: not_found},
        lifespan=lifespan,
    )


class Preferences:
    """Language and theme of a reader, and the door where a key is needed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def set(self, request: Request, form: Form) -> Response:
        """Keep a language or theme in a cookie and load the page anew."""
        from starlette.responses import Response

        response = Response(status_code=204, headers={"hx-refresh": "true"})
        language, theme = first(form, "language"), first(form, "theme")
        if language in LANGUAGES:
            response.set_cookie(LANGUAGE_COOKIE, language, max_age=_YEAR, samesite="strict", httponly=True)
        if theme in _THEMES:
            response.set_cookie(THEME_COOKIE, theme, max_age=_YEAR, samesite="strict", httponly=True)
        return response

    def door(self, request: Request) -> Response:
        """The form that asks for the key."""
        return self._desk.page(request, "enter.html", is_wrong=False)

    def enter(self, request: Request, form: Form) -> Response:
        """Open a session for who knows the key."""
        import time

        from starlette.responses import RedirectResponse

        token = request.scope["guard"].open_session(first(form, "key"))
        if not token:
            time.sleep(1)  # a key is not found by trying
            return self._desk.page(request, "enter.html", 403, is_wrong=True)
        response = RedirectResponse("/", 303)
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, samesite="strict", httponly=True, secure=secure)
        return response
