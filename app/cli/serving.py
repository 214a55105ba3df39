"""cliquerag serve and cliquerag mcp."""

from __future__ import annotations

import os
from ipaddress import ip_address

import click

from ..core.errors import UsageError
from .common import Face, command

KEY = "CLIQUERAG_SERVE_KEY"


@command(
    click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535)),
)
def serve(face: Face, host: str, port: int) -> None:
    """Answer other programs as an OpenAI-compatible chat endpoint.

    At http://HOST:PORT/v1; chat programs use it as they use any model, by the name "cliquerag". Beyond this machine
    it needs a key in the environment (CLIQUERAG_SERVE_KEY), which clients send as their API key.
    """
    try:
        import uvicorn

        from ..serving.chat_endpoint import chat_app
    except ImportError as error:
        raise UsageError("the server is not installed", hint="pip install 'cliquerag[serve]'") from error
    key, local = os.environ.get(KEY, ""), _is_loopback(host)
    if not local and not key:
        raise UsageError(f"{host} is open to others", where="--host", hint=f"Set {KEY}, or listen on 127.0.0.1")
    with face.workspace() as workspace:
        workspace.documents()  # what is wrong with it is said now, not to the first who asks
        app = chat_app(workspace, key, ("localhost", "127.0.0.1", "[::1]") if local else ("*",))
        face.say(f"Listening on http://{host}:{port}/v1 (model: cliquerag). Stop with Ctrl-C.")
        uvicorn.run(app, host=host, port=port, log_level="warning")


@command()
def mcp(face: Face) -> None:
    """Give agents this workspace as tools, over MCP.

    search, ask, facts and documents, on standard input and output.
    """
    try:
        from ..serving.agent_tools import agent_server

        with face.workspace() as workspace:
            workspace.documents()
            agent_server(workspace).run()
    except ImportError as error:
        raise UsageError("the MCP library is not installed", hint="pip install 'cliquerag[serve]'") from error


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
