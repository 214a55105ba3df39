"""The pages of the library: what is there, files on their way in, what is known of a document and how it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ..core.errors import CliqueRAGError, UsageError
from ..core.period import label_of
from .desk import Form, error_in_words, first, language_of_request, with_errors, with_form

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..kg.store import DocumentRecord
    from .desk import Desk

_FIELDS = (("companies", "company"), ("period", "period"), ("kind", "kind"), ("published", "published"))
"""A field of the metadata and its name in forms."""


def routes(desk: Desk) -> list[Route]:
    """The addresses of the library."""
    from starlette.routing import Route

    pages = LibraryPages(desk)
    got = {
        "/library": pages.start,
        "/library/jobs": pages.jobs,
        "/library/about": pages.edit,
        "/library/row": pages.row,
    }
    got["/library/rows"] = pages.rows
    posted = {
        "/library/about": pages.set_about,
        "/library/remove": pages.remove,
        "/library/agree": pages.agree,
        "/library/clear": pages.clear,
    }
    return [
        *(Route(path, with_errors(desk, handler)) for path, handler in got.items()),
        *(Route(path, with_form(desk, handler), methods=["POST"]) for path, handler in posted.items()),
        Route("/library/files/{name:path}", pages.upload, methods=["PUT"]),
    ]


class LibraryPages:
    """Handlers; those that answer in a thread are plain functions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def start(self, request: Request) -> Response:
        """All documents, and the place to drop more."""
        records = self._desk.workspace.documents()
        return self._desk.page(
            request,
            "library.html",
            records=records,
            cells=about_cells,
            counts=self._desk.workspace.store.counts(),
            jobs=self._desk.library.jobs,
            is_busy=self._desk.library.is_busy,
            most_mb=self._desk.workspace.settings.max_file_mb,
        )

    def rows(self, request: Request) -> Response:
        """The rows of the table."""
        records = self._desk.workspace.documents()
        return self._desk.page(request, "library_rows.html", records=records, cells=about_cells)

    def jobs(self, request: Request) -> Response:
        """Files on their way in, with stage and time left. Once all are in, the table of documents is shown anew."""
        is_busy = self._desk.library.is_busy
        response = self._desk.page(request, "jobs.html", jobs=self._desk.library.jobs, is_busy=is_busy)
        if not is_busy:
            response.headers["hx-trigger"] = "documents-changed"
        return response

    async def upload(self, request: Request) -> Response:
        """Write a dropped file to its place, part by part, and take it into the workspace when its turn comes."""
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import JSONResponse

        library = self._desk.library
        try:
            path = library.place_for(unquote(request.path_params["name"]))
            with library.receiving(path) as file:
                received = 0
                async for part in request.stream():
                    received += len(part)
                    if library.most_bytes and received > library.most_bytes:
                        most = f"{library.most_bytes / 1_000_000:g} MB"
                        raise UsageError(f"is larger than {most}", where=path.name, hint="max_file_mb allows more")
                    await run_in_threadpool(file.write, part)
        except CliqueRAGError as error:
            return JSONResponse({"error": error_in_words(error, language_of_request(request))}, 400)
        jobs = await run_in_threadpool(library.add, path)
        return JSONResponse({"jobs": [job.id for job in jobs]})

    def edit(self, request: Request) -> Response:
        """A row of the table as a form."""
        return self._row(request, request.query_params.get("source", ""), "library_edit.html")

    def row(self, request: Request) -> Response:
        """A row of the table."""
        return self._row(request, request.query_params.get("source", ""), "library_row.html")

    def set_about(self, request: Request, form: Form) -> Response:
        """Keep what is said of a document; only what differs from what was found is said."""
        source = first(form, "source")
        record = self._desk.sheets.record(source)
        if record is None:
            return self._desk.gone(request, "gone.document")
        said: dict[str, Any] = {}
        for field, name in _FIELDS:
            text = first(form, name)
            if text and text != about_cells(record)[field]:
                said[name] = [part.strip() for part in text.split(";")] if name == "company" else text
        try:
            if said:
                self._desk.library.mend(source, **said)
        except CliqueRAGError as error:  # said in the row, beside what was typed
            typed = {field: first(form, name) for field, name in _FIELDS}
            return self._desk.page(request, "library_edit.html", record=record, about=typed, error=error)
        return self._row(request, source, "library_row.html")

    def remove(self, request: Request, form: Form) -> Response:
        """Take a document out of the workspace; its file stays where it is."""
        from starlette.responses import HTMLResponse

        if not self._desk.workspace.remove(first(form, "source")):
            return self._desk.gone(request, "gone.document")
        return HTMLResponse("")

    def agree(self, request: Request, form: Form) -> Response:
        """Let a model read a file whose cost was shown."""
        self._desk.library.agree(first(form, "job"))
        return self.jobs(request)

    def clear(self, request: Request, _: Form) -> Response:
        """Forget what is done."""
        self._desk.library.clear()
        return self.jobs(request)

    def _row(self, request: Request, source: str, template: str) -> Response:
        record = self._desk.sheets.record(source)
        if record is None:
            return self._desk.gone(request, "gone.document")
        return self._desk.page(
            request, template, record=record, cells=about_cells, about=about_cells(record), error=None
        )


def about_cells(record: DocumentRecord) -> dict[str, str]:
    """Whom and when a document is about, as text: companies with semicolons, for names hold commas."""
    return {
        "companies": "; ".join(record.companies),
        "period": label_of(record.period),
        "kind": record.kind,
        "published": str(record.published or ""),
    }
