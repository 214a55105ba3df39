"""cliquerag serve and cliquerag mcp."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ..core.errors import UsageError
from .common import Face, command

if TYPE_CHECKING:
    from ..serving.processes import Answering
    from ..workspace import Workspace

KEY = "CLIQUERAG_SERVE_KEY"
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


@command(
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535)),
    PROCESSES,
)
def serve(face: Face, host: str, port: int, processes: int) -> None:
    """Answer other programs as an OpenAI-compatible chat endpoint.

    At http://HOST:PORT/v1; chat programs use it as they use any model, by the name "cliquerag". Beyond this machine
    it needs a key in the environment (CLIQUERAG_SERVE_KEY), which clients send as their API key. /health tells a
    watcher, without the key, whether questions can be answered. With CLIQUERAG_FEEDBACK=on clients tell what was done
    with an answer: POST /v1/feedback with its id.
    """
    try:
        from ..serving.chat_endpoint import chat_app
        from ..serving.listening import in_address, is_loopback, listen
        from ..web.guard import LOCAL_HOSTS
    except ImportError as error:
        raise UsageError("the server is not installed", hint="pip install 'cliquerag[serve]'") from error
    key, local = os.environ.get(KEY, ""), is_loopback(host)
    if not local and not key:
        raise UsageError(f"{host} is open to others", where="--host", hint=f"Set {KEY}, or listen on 127.0.0.1")
    with face.workspace() as workspace, answering(workspace, processes) as answers:
        workspace.documents()  # what is wrong with it is said now, not to the first who asks
        name = in_address(host)
        app = chat_app(workspace, key, (*LOCAL_HOSTS, host) if local else ("*",), answering=answers)
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
            run_over_pipes(agent_server(workspace))
    except ImportError as error:
        raise UsageError("the MCP library is not installed", hint="pip install 'cliquerag[serve]'") from error
