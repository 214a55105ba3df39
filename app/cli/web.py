"""cliquerag web."""

from __future__ import annotations

import os
import socket
import webbrowser
from contextlib import ExitStack

import click

from ..core.errors import UsageError
from .common import Face, command
from .serving import PROCESSES, answering

KEY = "CLIQUERAG_WEB_KEY"


@command(
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8766, show_default=True, type=click.IntRange(0, 65535)),
    click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open it in the browser."),
    click.option("--model", help="Language model of the configured endpoint."),
    PROCESSES,
)
def web(face: Face, host: str, port: int, opens: bool, model: str | None, processes: int) -> None:
    """Open the workspace in the browser: an analyst's desk.

    Answers beside the pages that they cite, evidence, documents, companies, the graph. Nothing is fetched from
    elsewhere. Beyond this machine it needs a key in the environment (CLIQUERAG_WEB_KEY), which it asks each reader for.
    """
    try:
        import jinja2  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise UsageError("the desk is not installed", hint="pip install 'cliquerag[web]'") from error
    from ..serving.listening import PatientProtocol, end_well, in_address, is_loopback
    from ..web.desk import Desk
    from ..web.guard import LOCAL_HOSTS
    from ..web.server import web_app

    key, local = os.environ.get(KEY, ""), is_loopback(host)
    if not local and not key:
        raise UsageError(f"{host} is open to others", where="--host", hint=f"Set {KEY}, or listen on 127.0.0.1")
    with ExitStack() as opened:
        workspace = opened.enter_context(face.workspace(create=True, model=model))
        workspace.feedback.turn_on()
        answers = opened.enter_context(answering(workspace, processes))
        desk = Desk(workspace, answering=answers)
        try:
            app = web_app(desk, (*LOCAL_HOSTS, host) if local else ("*",), key)
            listening = _listen(host, port)
            name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, in_address(host))
            address = f"http://{name}:{listening.getsockname()[1]}/"
            face.say(f"The desk is at {address} . Stop with Ctrl-C.")
            if workspace.feedback.is_on:
                face.say(
                    "What is asked and opened is noted on this machine alone (CLIQUERAG_FEEDBACK=off: nothing is)."
                )
            if opens:
                webbrowser.open(address)
            end_well()
            config = uvicorn.Config(app, http=PatientProtocol, log_level="warning", timeout_graceful_shutdown=3)
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            desk.close()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there: what is wrong with the address is said before anything is opened."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        hint = "Give another --port; 0 takes a free one"
        raise UsageError(error.strerror or str(error), where=f"{host}:{port}", hint=hint) from error
