"""What is noted of an answer and of what people do with it, for the log of use."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from sqlite3 import DatabaseError
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..core.errors import StoreError, UsageError
from ..core.plain import as_plain
from ..side_files import file_beside
from .log import Event, FeedbackLog, current_weights

if TYPE_CHECKING:
    from ..components import Components
    from ..querying import QueryOptions
    from ..retrieval.search.evidence import Answer, Citation, Evidence
    from ..retrieval.search.weights import Extras
    from ..settings import Settings
    from .cases import Pin
    from .steering import Steering

_log = logging.getLogger(__name__)
ANSWER_ID = "answer id"
"""The entry of an answer's trace by which feedback on it is given."""
SIGNALS = ("opened", "copied", "exported", "dwell", "thumb", "note", "pin", "unpin")
VERDICTS = ("up", "down")
KEPT_CANDIDATES = 30
"""Candidates of an answer that are kept, best first: nobody sees one that is further behind."""
_LONGEST_NOTE = 4_000
_LONGEST_DWELL = 30 * 60 * 1000
"""Milliseconds; who has a page open longer has gone for lunch."""


class Recorder:
    """Notes answers and what is done with them. Off unless asked for: nothing is written, no file is made."""

    def __init__(self, components: Components) -> None:
        self._components = components
        self._settings: Settings = components.settings
        check_setting(self._settings.feedback)
        if self._settings.flags:
            from .steering import read_flags

            read_flags(self._settings.flags)
        self.is_on = self._settings.feedback == "on"

    def turn_on(self) -> None:
        """Turn it on unless the settings say "off": the desk asks for it, and says so."""
        self.is_on = self._settings.feedback != "off"

    @cached_property
    def log(self) -> FeedbackLog:
        """The log of the workspace; what is older than ``feedback_days`` is dropped when it is opened."""
        opened = FeedbackLog(file_beside(self._settings.workspace, "feedback"))
        if self._settings.feedback_days > 0:
            opened.drop_before(self._settings.feedback_days)
        return opened

    @property
    def has_log(self) -> bool:
        """True where there is something to read, whether noting is on or not."""
        path = file_beside(self._settings.workspace, "feedback")
        return "log" in self.__dict__ or (path is not None and path.is_file())

    def close(self) -> None:
        """Close the log, where it was opened."""
        if "log" in self.__dict__:
            self.log.close()

    # --- what steers the search

    def steering(self, given: QueryOptions, extras: Extras = frozenset()) -> Steering | None:
        """What steers the search for a question: flags, pins, weights; None where nothing could.

        A log that cannot be read steers nothing.
        """
        settings = self._settings
        if not (self.is_on or settings.flags or self.has_log):
            return None
        from .steering import Steering, flags_of

        pins, learned, versions = self._learned() if self.is_on or self.has_log else ((), {}, {})
        flags = flags_of(settings, given.session or given.answer_id)
        return Steering(flags, pins, learned, settings.bridges, given.answer_id, extras, versions)

    def _learned(self) -> tuple[Sequence[Pin], Mapping[str, Any], Mapping[str, int]]:
        from .cases import pins_of

        try:
            log = self.log
            versions = {"pins": log.last_id(("pin", "unpin")), "learned": log.last_id(("weights",))}
            return pins_of(log), current_weights(log), versions
        except (StoreError, DatabaseError) as error:
            _log.warning("pins and learned weights do not count: %s", error)
            return (), {}, {}

    # --- answers

    def with_id(self, given: QueryOptions) -> QueryOptions:
        """The options with an id for the answer, where it will be noted."""
        return given if given.answer_id or not self.is_on else replace(given, answer_id=uuid4().hex)

    def noted_at_the_end(
        self, pieces: Iterator[str | Answer], question: str, given: QueryOptions
    ) -> Iterator[str | Answer]:
        """A stream whose last item, the answer, is noted before it is given out."""
        for piece in pieces:
            yield piece if isinstance(piece, str) else self.noted(piece, question, given)

    def noted(self, answer: Answer, question: str, given: QueryOptions) -> Answer:
        """The answer with its id in the trace, after it was written to the log; as it is where noting is off."""
        if not self.is_on:
            return answer
        name = given.answer_id
        try:
            data = {**self._asked(question, given, answer), **_found(answer), "version": self.versions()}
            is_written = self.log.append(Event("answered", name, given.session or name, data))
        except StoreError as error:  # the answer is worth more than its log
            _log.warning("answers are not noted: %s", error)
            self.is_on = is_written = False
        return replace(answer, trace={**answer.trace, ANSWER_ID: name}) if is_written else answer

    def _asked(self, question: str, given: QueryOptions, answer: Answer) -> dict[str, Any]:
        trace = answer.trace
        parts = [_searched(part["trace"], part["question"]) for part in trace.get("parts", ())]
        own = parts[0] if parts else _searched(trace, question)
        return {
            **own,
            "question": question,
            "searched for": trace.get("searched for") or question,
            "parts": parts,
            "options": {
                "mode": given.mode or self._settings.mode,
                "scope": as_plain(given.scope),
                "reranker": bool(self._settings.rerank),
                "all_text": given.all_text,
            },
            "plan": {name: trace[name] for name in ("mode", "route", "scope", "periods", "kinds") if name in trace},
        }

    def versions(self) -> dict[str, str]:
        """Whatever a ranking depends on, so that a replay can say what has changed."""
        from .. import __version__

        own, settings = self._components, self._settings
        embedder = own.embedder_for_search
        files = (settings.synonyms, settings.metrics, settings.formulas, settings.schema, settings.names)
        return {
            "program": __version__,
            "documents": str(own.store.version()),
            "embedder": embedder.name if embedder else "none",
            "reranker": settings.rerank or "none",
            "bridges": str(settings.bridges),
            "extras": settings.extras,
            "own words": ", ".join(filter(None, files)) or "none",
        }

    # --- what people do with them

    def signal(
        self,
        kind: str,
        answer: str,
        *,
        citation: int | None = None,
        place: Mapping[str, Any] | None = None,
        question: str = "",
        verdict: str = "",
        note: str = "",
        milliseconds: int = 0,
        is_automatic: bool = False,
    ) -> bool:
        """Note that an answer, or what it cites by this number, was opened, copied, exported, read, judged or pinned.

        ``place`` ("source", "page", "start", "end") stands for a hit that is not cited; with the ``question`` it is
        noted of an answer that the log does not have (any more). False where the log cannot be written. Raises
        UsageError where noting is off, and for an answer, a citation or a verdict that there is not.
        """
        self._check(kind, verdict)
        asked = self._event_of(answer, question)
        where = dict(place or {})
        if place is None and citation is not None:
            where = place_of_citation(asked, citation)
        if kind in ("pin", "unpin") and not where.get("source"):
            raise UsageError("nothing to pin", hint="Name a citation by its number")
        data: dict[str, Any] = {"question": asked.data["question"], **where}
        if kind == "pin":
            data["searched for"] = asked.data["searched for"]
        optional = {
            "citation": citation,
            "verdict": verdict,
            "note": note[:_LONGEST_NOTE],
            "ms": min(max(0, milliseconds), _LONGEST_DWELL),
            "automatic": is_automatic,
        }
        data |= {name: value for name, value in optional.items() if value}
        return self.log.append(Event(kind, asked.answer, asked.session, data))

    def _event_of(self, answer: str, question: str) -> Event:
        """The answer as the log has it, else one to the ``question``. Raises UsageError where that is not given."""
        asked = self.log.answered(answer)
        if asked is not None:
            return asked
        if not question:
            raise UsageError(f"there is no answer {answer!r}", hint="Its id stands in its trace, as `answer id`")
        return Event("answered", answer, data={"question": question, "searched for": question, "cited": ()})

    def take_off(self, pin: int) -> bool:
        """Take a pin off, by its id. Raises UsageError for one that there is not."""
        from .cases import pins_of

        taken = next((one for one in pins_of(self.log) if one.id == pin), None)
        if taken is None:
            raise UsageError(f"there is no pin {pin}", hint="`cliquerag feedback pins` lists them")
        return self.log.append(Event("unpin", taken.answer, data={"pin": taken.id, "question": taken.question}))

    def _check(self, kind: str, verdict: str) -> None:
        if not self.is_on:
            raise UsageError("feedback is not noted here", hint="Set CLIQUERAG_FEEDBACK=on; it stays on this machine")
        if kind not in SIGNALS:
            raise UsageError(f"nothing is called {kind!r}", hint=f"There are: {', '.join(SIGNALS)}")
        if kind == "thumb" and verdict not in VERDICTS:
            raise UsageError(f"no verdict {verdict!r}", hint=f"There are: {', '.join(VERDICTS)}")


def check_setting(value: str) -> None:
    """Raises UsageError for what ``feedback`` cannot be."""
    if value not in ("auto", "on", "off"):
        raise UsageError(f"feedback cannot be {value!r}", where="feedback", hint="There are: auto, on, off")


def place_of_citation(asked: Event, number: int) -> dict[str, Any]:
    """Where a citation of an answer stands. Raises UsageError for a number that is not cited."""
    for citation in asked.data["cited"]:
        if citation["number"] == number:
            return {name: citation[name] for name in ("source", "page", "start", "end")}
    raise UsageError(f"[{number}] is not cited there", hint=f"It cites {len(asked.data['cited'])} places")


def _searched(trace: Mapping[str, Any], question: str) -> dict[str, Any]:
    """One search: its candidates with their shares, what it gave, and what steered it."""
    return {
        "searched for": trace.get("searched for") or question,
        "candidates": [dict(row) for row in trace.get("ranking", ())[:KEPT_CANDIDATES]],
        "found": trace.get("found", ()),
        "steered": trace.get("steered", {}),
    }


def _found(answer: Answer) -> dict[str, Any]:
    """What was shown of the candidates, and what was cited. No text but the answer's own."""
    trace = answer.trace
    shown = [_shown(item) for item in answer.context.evidence]
    return {
        "shown": shown,
        "cited": [_cited(citation) for citation in answer.citations],
        "text": answer.text,
        "model": answer.model,
        "not found": bool(trace.get("not found")),
        "unverified": len(trace.get("unverified", ())),
    }


def _shown(item: Evidence) -> dict[str, Any]:
    shares = {name: value for name, value in item.why.items() if isinstance(value, (int, float))}
    place = {"source": item.source, "page": item.page, "start": item.start, "end": item.end}
    return {"kind": item.kind, "id": item.id, **place, "shares": shares}


def _cited(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "source": citation.source,
        "page": citation.page,
        "start": citation.start,
        "end": citation.end,
    }
