"""The pages that ask: conversations, answers as they come, the page behind a citation, evidence, feedback, exports."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..core.errors import CliqueRAGError, DocumentError, UsageError
from ..core.plain import as_plain
from ..feedback.cases import pins_of
from ..ingest.files import read_bytes
from ..retrieval.search.modes import mode_names
from . import evidence, exporting
from .desk import Form, first, language_of_request, number, place_in, several, with_errors, with_form
from .notebook import VERDICTS, Feedback, Options, Turn
from .reading import answer_lines, cells_of, place_of
from .sheets import Place, rows_and_paragraphs
from .understanding import with_words

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from .desk import Desk

_TABS = ("passages", "tables", "graph", "facts", "search")
_EXAMPLES = 4
_SOURCES = 5
"""Sources that are listed below an answer; more are folded away."""
_NEAREST = 3
"""Passages named where nothing answers."""
_LISTEN_EVERY = 0.015
"""Seconds between two looks at an answer that is being written."""
_PICTURE_AGE = "private, max-age=31536000, immutable"
"""The address of a picture holds the hash of its file."""


def routes(desk: Desk) -> list[Route]:
    """The addresses of the pages that ask."""
    from starlette.routing import Route

    pages = AskPages(desk)
    got = {
        "/": pages.start,
        "/c/{conversation}": pages.conversation,
        "/turn/{turn}": pages.turn,
        "/turn/{turn}/evidence/{tab}": pages.evidence,
        "/turn/{turn}/graph.json": pages.graph_data,
        "/turn/{turn}/export.{ending}": pages.export,
        "/sheet": pages.sheet,
        "/picture/{digest}/{page:int}.png": pages.picture,
        "/file": pages.file,
        "/table.csv": pages.table_csv,
        "/feedback": pages.feedback_table,
        "/history": pages.history,
    }
    posted = {
        "/ask": pages.ask,
        "/feedback": pages.feedback,
        "/signal": pages.signal,
        "/unpin": pages.unpin,
        "/c/{conversation}/forget": pages.forget,
    }
    return [
        *(Route(path, with_errors(desk, handler)) for path, handler in got.items()),
        *(Route(path, with_form(desk, handler), methods=["POST"]) for path, handler in posted.items()),
        Route("/turn/{turn}/stream", pages.stream),
    ]


class AskPages:
    """Handlers; those that answer in a thread are plain functions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    # --- conversations

    def start(self, request: Request) -> Response:
        """An empty desk with some questions to begin with."""
        return self._ask_page(request, "", [])

    def conversation(self, request: Request) -> Response:
        """A conversation as it was left."""
        name = request.path_params["conversation"]
        turns = self._desk.notebook.turns(name)
        if not turns:
            return self._desk.gone(request, "gone.conversation")
        return self._ask_page(request, name, turns)

    def history(self, request: Request) -> Response:
        """The list of conversations, one of them open."""
        conversation = request.query_params.get("conversation", "")
        conversations = self._desk.notebook.conversations()
        return self._desk.page(request, "history.html", conversation=conversation, conversations=conversations)

    def forget(self, request: Request, _: Form) -> Response:
        """Delete a conversation."""
        from starlette.responses import Response

        self._desk.notebook.forget(request.path_params["conversation"])
        return Response(headers={"hx-redirect": "/"})

    def ask(self, request: Request, form: Form) -> Response:
        """Take a question; its answer is streamed into the part of the page that this gives."""
        given = changed(form)
        options = Options(
            mode=first(given, "mode"),
            companies=several(given, "company"),
            periods=several(given, "period"),
            kinds=several(given, "kind"),
            sources=several(given, "source"),
            everything=bool(first(given, "everything")),
            checked_by=first(given, "checked_by") if first(given, "checked_by") in self._desk.judges else "",
        )
        stands_alone = bool(first(given, "alone"))
        conversation = first(given, "conversation")
        turn = self._desk.asking.begin(first(given, "question"), options, conversation, stands_alone=stands_alone)
        response = self._turn_part(request, turn)
        response.headers["hx-push-url"] = f"/c/{turn.conversation}"
        return response

    def turn(self, request: Request) -> Response:
        """One question with its answer, as part of a page."""
        turn = self._desk.notebook.turn(request.path_params["turn"])
        return self._turn_part(request, turn) if turn else self._desk.gone(request, "gone.conversation")

    async def stream(self, request: Request) -> Response:
        """The answer as server-sent events: "piece" with text, then "done"; what is done already says so at once."""
        from starlette.responses import StreamingResponse

        telling = self._desk.asking.telling(request.path_params["turn"])

        async def events() -> AsyncIterator[str]:
            told = 0
            while telling:
                done = telling.done  # looked at before the pieces: the last of them come before it is set
                for piece in telling.pieces[told:]:
                    told += 1
                    yield f"event: piece\ndata: {json.dumps(piece)}\n\n"
                if done:
                    break
                await asyncio.sleep(_LISTEN_EVERY)
            yield "event: done\ndata: {}\n\n"

        return StreamingResponse(events(), media_type="text/event-stream", headers={"cache-control": "no-store"})

    def _ask_page(self, request: Request, conversation: str, turns: list[Turn]) -> Response:
        records = self._desk.workspace.documents()
        return self._desk.page(
            request,
            "ask.html",
            conversation=conversation,
            turns=[self._shown(turn) for turn in turns],
            conversations=self._desk.notebook.conversations(),
            documents=len(records),
            examples=self._examples() if not turns else [],
            modes=mode_names(),
        )

    def _turn_part(self, request: Request, turn: Turn) -> Response:
        return self._desk.page(request, "turn.html", **self._shown(turn))

    def _shown(self, turn: Turn) -> dict[str, Any]:
        """What the template of a turn needs."""
        answer = turn.answer
        is_waiting = answer is None and not turn.error and self._desk.asking.telling(turn.id) is not None
        return {
            "turn": turn,
            "answer": answer,
            "is_waiting": is_waiting,
            "lines": answer_lines(answer) if answer else [],
            "cells": cells_of(answer, self._desk.sheets) if answer else [],
            "figures": evidence.cited_figures(answer, self._desk) if answer else [],
            "feedback": self._desk.notebook.feedback(turn.id) if answer else [],
            "nearest": answer.context.vector[:_NEAREST] if answer and answer.trace.get("not found") else (),
            "place_of": place_of,
            "tabs": _TABS,
            "most_sources": _SOURCES,
        }

    def _examples(self) -> list[str]:
        """Questions that the documents answer, in the language of each company's own."""
        from ..core.names import is_chinese

        found: list[str] = []
        for company in self._desk.companies:
            facts = self._desk.workspace.facts(company, "revenue", limit=400)
            tabled = [fact.period for fact in facts if fact.source_kind != "prose"]
            years = [period for period in tabled if period and period.unit == "year"]
            if years:
                year = max(years, key=lambda period: period.sort_key)
                asked = f"{company}{year.year}年的营业收入是多少？"
                found.append(
                    asked if is_chinese(company) else f"What was the revenue of {company} in fiscal {year.year}?"
                )
            if not is_chinese(company):
                found.append(f"Who is the chief executive officer of {company}?")
            if len(found) >= _EXAMPLES:
                break
        return found[:_EXAMPLES]

    # --- the page behind a citation

    def sheet(self, request: Request) -> Response:
        """A page of a document with the passage marked."""
        given = request.query_params
        place = place_in(given)
        low, high = number(given, "first"), number(given, "last")
        window = (low, high) if low is not None and high is not None and low < high else None
        sheet = self._desk.sheets.sheet(place, window)
        if sheet is None:
            return self._desk.gone(request, "gone.document")
        is_part = request.headers.get("hx-request") == "true"
        self._note_opened(given, place)
        return self._desk.page(
            request,
            "sheet.html" if is_part else "sheet_page.html",
            sheet=sheet,
            groups=rows_and_paragraphs(sheet.blocks),
            turn=given.get("turn", ""),
            citation=number(given, "n"),
        )

    def picture(self, request: Request) -> Response:
        """A page of a PDF as PNG."""
        from starlette.responses import Response

        try:
            png = self._desk.sheets.picture(request.query_params.get("source", ""), request.path_params["page"])
        except DocumentError:
            png = None
        if png is None:
            return Response(status_code=404)
        return Response(png, media_type="image/png", headers={"cache-control": _PICTURE_AGE})

    def file(self, request: Request) -> Response:
        """The file of a stored document, to save: it is never shown by the browser under the desk's name."""
        from starlette.responses import FileResponse

        source = request.query_params.get("source", "")
        path = self._desk.workspace.path_of(source)
        if self._desk.sheets.record(source) is None:
            return self._desk.gone(request, "gone.document")
        if path.is_file():
            return FileResponse(path, media_type="application/octet-stream", filename=path.name)
        try:
            inside_an_archive = read_bytes(path)
        except DocumentError:
            return self._desk.gone(request, "gone.document")
        return attachment(inside_an_archive, "application/octet-stream", path.name)

    # --- evidence

    def evidence(self, request: Request) -> Response:
        """One tab of what an answer was made from."""
        turn = self._answered(request)
        tab = request.path_params["tab"]
        if turn is None or turn.answer is None or tab not in _TABS:
            return self._desk.gone(request, "gone.conversation")
        values = evidence.tab_values(tab, turn, self._desk, language_of_request(request))
        return self._desk.page(request, "evidence.html", turn=turn, tab=tab, tabs=_TABS, **values)

    def graph_data(self, request: Request) -> Response:
        """The relations that an answer was made from, for the picture of them."""
        from starlette.responses import JSONResponse

        turn = self._answered(request)
        if turn is None or turn.answer is None:
            return JSONResponse({"nodes": [], "edges": []}, 404)
        return JSONResponse(evidence.answer_graph(turn.answer, self._desk, language_of_request(request)))

    def table_csv(self, request: Request) -> Response:
        """A whole table of a document as CSV."""
        given = request.query_params
        source, ordinal = given.get("source", ""), number(given, "n")
        tables = self._desk.workspace.store.tables(source) if self._desk.sheets.record(source) else []
        if ordinal is None or ordinal >= len(tables):
            return self._desk.gone(request, "gone.document")
        return attachment(evidence.as_csv(tables[ordinal].rows), "text/csv", f"table-{ordinal + 1}.csv")

    # --- what people say of it, and take with them

    def feedback(self, request: Request, form: Form) -> Response:
        """Add a thumb, a note or a pin to the table of feedback."""
        turn = self._desk.notebook.turn(first(form, "turn"))
        verdict = first(form, "verdict")
        if turn is None or turn.answer is None:
            return self._desk.gone(request, "gone.conversation")
        if verdict not in VERDICTS:
            raise UsageError(f"no verdict {verdict!r}", hint=f"There are: {', '.join(VERDICTS)}")
        cited = number({"n": first(form, "citation")}, "n")
        citation = next((c for c in turn.answer.citations if c.number == cited), None)
        said = Feedback(turn.id, turn.question, verdict, first(form, "note"))
        if citation:
            said = Feedback(
                turn.id, turn.question, verdict, first(form, "note"),
                citation.number, citation.source, citation.page, citation.start, citation.end,
            )  # fmt: skip
        self._desk.notebook.add_feedback(said)
        spot = as_plain(place_of(citation)) if citation else None
        kind, verdict = ("pin", "") if verdict == "pin" else ("thumb", verdict)
        if said.note:
            kind, verdict = "note", ""
        self._note(kind, turn.id, place=spot, citation=said.citation, question=turn.question, verdict=verdict,
                   note=said.note)  # fmt: skip
        return self._desk.page(request, "feedback_said.html", turn=turn, said=said)

    def feedback_table(self, request: Request) -> Response:
        """All feedback of the workspace, and the pages that are pinned."""
        recorder = self._desk.workspace.feedback
        pins = pins_of(recorder.log) if recorder.is_on else []
        return self._desk.page(request, "feedback.html", said=self._desk.notebook.feedback(), pins=pins)

    def signal(self, _: Request, form: Form) -> Response:
        """What the page itself tells: a text was copied, a page was open for so long."""
        from starlette.responses import Response

        kind = first(form, "kind")
        if kind in ("copied", "dwell"):
            given = {name: first(form, name) for name in ("n", "ms")}
            is_automatic = first(form, "by") == "itself"
            self._note(kind, first(form, "turn"), citation=number(given, "n"), milliseconds=number(given, "ms") or 0,
                       is_automatic=is_automatic)  # fmt: skip
        return Response(status_code=204)

    def unpin(self, request: Request, form: Form) -> Response:
        """Take a pin off."""
        from starlette.responses import Response

        taken = number({"pin": first(form, "pin")}, "pin")
        self._desk.workspace.feedback.take_off(taken or 0)
        return Response(status_code=204, headers={"hx-refresh": "true"})

    def _note_opened(self, given: Mapping[str, str], place: Place) -> None:
        """A page that was opened from an answer; turned to from another, or opened by itself, it says nothing."""
        is_chosen = given.get("by") != "itself" and (place.end > place.start or "n" in given)
        if given.get("turn") and is_chosen:
            self._note("opened", given["turn"], place=as_plain(place), citation=number(given, "n"))

    def _note(self, kind: str, turn: str, **given: Any) -> None:
        """Note what somebody did; what cannot be noted (an answer of before the log) is no trouble of the reader's."""
        recorder = self._desk.workspace.feedback
        if recorder.is_on and turn:
            with suppress(CliqueRAGError):
                recorder.signal(kind, turn, **given)

    def export(self, request: Request) -> Response:
        """An answer as Markdown, HTML or DOCX, with its sources."""
        turn, ending = self._answered(request), request.path_params["ending"]
        if turn is None or turn.answer is None or ending not in exporting.MEDIA:
            return self._desk.gone(request, "gone.conversation")
        self._note("exported", turn.id)
        data = exporting.exported(ending, turn, self._desk, language_of_request(request))
        return attachment(data, exporting.MEDIA[ending], f"{exporting.file_name(turn.question)}.{ending}")

    def _answered(self, request: Request) -> Turn | None:
        return self._desk.notebook.turn(request.path_params["turn"])


def changed(form: Form) -> Form:
    """The form of a chip with another value, as the form of a question.

    The value takes the place of the words that were understood, or of what the reader had set.
    """
    value, field = first(form, "value"), first(form, "change")
    if not value:
        return form
    if first(form, "in_words"):
        before, after = (next(iter(form.get(name, ())), "") for name in ("before", "after"))
        return {**form, "question": [with_words(before, value, after)]}
    return {**form, field: [*form.get(field, ()), value]}


def attachment(data: str | bytes, media: str, name: str) -> Response:
    """A file to save."""
    from starlette.responses import Response

    where = f"attachment; filename*=UTF-8''{quote(name)}"
    return Response(data, media_type=media, headers={"content-disposition": where, "cache-control": "no-store"})
