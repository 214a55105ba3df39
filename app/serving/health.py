"""Whether a server can answer: for whatever starts, watches and restarts it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..core.errors import CliqueRAGError
from ..core.redaction import without_addresses
from .processes import AnsweringProcesses

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..workspace import Workspace
    from .processes import Answering

PATH = "/health"
_SECONDS = 5.0
"""In which a workspace has to say something; probes usually wait that long."""


def health_route(workspace: Workspace, answering: Answering) -> Route:
    """``/health``: 200 while the workspace can be read and a process answers, else 503 with what is wrong.

    It takes no key, so it says nothing of documents, and no address.
    """
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    async def health(_: Request) -> Response:
        wrong = await _trouble(workspace)
        state: dict[str, object] = {"status": "failing" if wrong else "ok"}
        if isinstance(answering, AnsweringProcesses):
            state |= {"processes": answering.alive, "of": answering.count}
            wrong = wrong or ("" if answering.alive else "no process answers")
        if wrong:
            state |= {"status": "failing", "error": without_addresses(wrong)}
        return JSONResponse(state, status_code=503 if wrong else 200, headers={"cache-control": "no-store"})

    return Route(PATH, health)


async def _trouble(workspace: Workspace) -> str:
    """What keeps the workspace from being read; "" where nothing does."""
    from starlette.concurrency import run_in_threadpool

    try:
        await asyncio.wait_for(run_in_threadpool(workspace.store.version), _SECONDS)
    except asyncio.TimeoutError:
        return f"the workspace does not answer within {_SECONDS:g} seconds"
    except CliqueRAGError as error:
        return str(error)
    return ""
