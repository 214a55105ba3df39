"""cliquerag serve, mcp and web: the workspace for programs, agents and people."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..core.errors import UsageError
from .common import CHECKED_BY, Face, command

if TYPE_CHECKING:
    import socket

    from ..serving.processes import Answering
    from ..workspace import Workspace

SERVE_KEY, WEB_KEY = "CLIQUERAG_SERVE_KEY", "CLIQUERAG_WEB_KEY"
PROCESSES = click.option(
    "--processes", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that answer side by side."
)


@contextmanager
def answering(workspace: Workspace, processes: int) -> Iterator[Answering]:
    """What answers the questions on a workspace: itself, or as many processes, which end with the block."""
    if processes == 1:
        yield workspace
        return
    from ..serving.processes import AnsweringProcesses

    settings = replace(workspace.settings, feedback="on" if workspace.feedback.is_on else "off")
    made = AnsweringProcesses(settings, processes)
    try:
        yield made
    finally:
        made.close()


def _door(variable: str, host: str) -> tuple[str, tuple[str, ...]]:
    """The key that the environment sets, and the names that the server answers to.

    Raises UsageError where others could reach it without a key.
    """
    from ..serving.guard import LOCAL_HOSTS
    from ..serving.listening import is_loopback

    key = os.environ.get(variable, "")
    if is_loopback(host):
        return key, (*LOCAL_HOSTS, host)
    if not key:
        raise UsageError(f"{host} is open to others", where="--host", hint=f"Set {variable}, or listen on 127.0.0.1")
    return key, ("*",)


@command(
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535)),
    CHECKED_BY,
    PROCESSES,
)
def serve(face: Face, host: str, port: int, checked_by: str | None, processes: int) -> None:
    """Answer other programs as an OpenAI-compatible chat endpoint.

    At http://HOST:PORT/v1; chat programs use it as they use any model, by the name "cliquerag". Beyond this machine
    it needs a key in the environment (CLIQUERAG_SERVE_KEY), which clients send as their API key. /health tells a
    watcher, without the key, whether questions can be answered. With CLIQUERAG_FEEDBACK=on clients tell what was done
    with an answer: POST /v1/feedback with its id.
    """
    try:
        from ..serving.chat_endpoint import chat_app
        from ..serving.listening import in_address, listen
    except ImportError as error:
        raise UsageError("the server is not installed", hint="pip install 'cliquerag[serve]'") from error
    key, names = _door(SERVE_KEY, host)
    with face.workspace(checked_by=checked_by) as workspace, answering(workspace, processes) as answers:
        workspace.documents()  # what is wrong with it is said now, not to the first who asks
        workspace.components.checker(workspace.settings.checked_by)
        name = in_address(host)
        app = chat_app(workspace, key, names, answering=answers)
        face.say(f"Listening on http://{name}:{port}/v1 (model: cliquerag). Stop with Ctrl-C.")
        listen(app, host, port)


@command()
def mcp(face: Face) -> None:
    """Give agents this workspace as tools, over MCP.

    search, ask, facts and documents, on standard input and output.
    """
    try:
        from ..serving.agent_tools import agent_server, run_over_pipes

        with face.workspace() as workspace:
            workspace.documents()
            workspace.components.checker(workspace.settings.checked_by)
            run_over_pipes(agent_server(workspace))
    except ImportError as error:
        raise UsageError("the MCP library is not installed", hint="pip install 'cliquerag[serve]'") from error


@command(
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8766, show_default=True, type=click.IntRange(0, 65535)),
    click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open it in the browser."),
    click.option("--model", help="Language model of the configured endpoint."),
    CHECKED_BY,
    PROCESSES,
)
def web(
    face: Face, host: str, port: int, opens: bool, model: str | None, checked_by: str | None, processes: int
) -> None:
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
    from ..serving.listening import PatientProtocol, end_well, in_address
    from ..web.desk import Desk
    from ..web.server import web_app

    key, names = _door(WEB_KEY, host)
    with ExitStack() as opened:
        workspace = opened.enter_context(face.workspace(create=True, model=model, checked_by=checked_by))
        workspace.components.checker(workspace.settings.checked_by)
        workspace.feedback.turn_on()
        answers = opened.enter_context(answering(workspace, processes))
        desk = Desk(workspace, answering=answers)
        try:
            app = web_app(desk, names, key)
            listening = _listen(host, port)
            name = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, in_address(host))
            address = f"http://{name}:{listening.getsockname()[1]}/"
            face.say(f"The desk is at {address} . Stop with Ctrl-C.")
            if workspace.feedback.is_on:
                face.say(
                    "What is asked and opened is noted on this machine alone (CLIQUERAG_FEEDBACK=off: nothing is)."
                )
            if opens:
                import webbrowser

                webbrowser.open(address)
            end_well()
            config = uvicorn.Config(app, http=PatientProtocol, log_level="warning", timeout_graceful_shutdown=3)
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            desk.close()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there: what is wrong with the address is said before anything is opened."""
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        hint = "Give another --port; 0 takes a free one"
        raise UsageError(error.strerror or str(error), where=f"{host}:{port}", hint=hint) from error
