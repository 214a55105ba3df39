"""Side by side: one question, or a file of them, in several modes, where what only one of them says is marked; and the
figures of several companies.
"""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

from ..core.errors import CliqueRAGError, UsageError
from ..core.records import dataclass
from ..querying import check_question
from ..retrieval.search.modes import mode_named, mode_names
from .ask_pages import attachment
from .company_pages import YearRow, YearTable, figures_of, year_table
from .desk import Form, error_in_words, first, language_of_request, several, with_errors, with_form
from .evidence import as_csv
from .reading import AnswerLine, answer_lines, place_of, without_markers

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..core.fact import Fact
    from ..evaluation.questions import Question
    from ..retrieval.search.evidence import Answer
    from .desk import Desk

FEWEST, MOST = 2, 4
"""Columns side by side: more are not read."""
_EVERY_METRIC = 1_000
_MOST_QUESTIONS = 500
_MOST_FILE = 2_000_000
_KEPT = 20
_PARENTS: tuple[Literal["section", "page"], ...] = ("section", "page")
_USUAL = ("vector", "graph", "hybrid")
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Cell:
    """The answer of one column to one question, or why there is none."""

    answer: Answer | None = None
    error: str = ""


@dataclass(slots=True)
class SideBySide:
    """A comparison under way: ``cells`` are filled in by a thread, in order of the questions."""

    id: str
    questions: Sequence[Question]
    columns: tuple[str, ...]
    cells: dict[tuple[int, str], Cell] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Answers that there will be."""
        return len(self.questions) * len(self.columns)

    @property
    def is_done(self) -> bool:
        """True where every answer is there."""
        return len(self.cells) >= self.total

    def shown(self, row: int, column: str) -> dict[str, Any]:
        """What a template shows of a cell: lines that no other column says, and sources that no other cites, marked."""
        cell = self.cells.get((row, column))
        if cell is None or cell.answer is None:
            return {"cell": cell, "lines": [], "sources": []}
        lines, citations = answer_lines(cell.answer), cell.answer.citations
        others = self._others(row, column)
        if others is None:
            return {
                "cell": cell,
                "lines": [(line, False) for line in lines],
                "sources": [(c, False) for c in citations],
            }
        said, cited = set[str](), set[tuple[str, int | None]]()
        for answer in others:
            said.update(map(_said, answer_lines(answer)))
            cited.update((citation.source, citation.page) for citation in answer.citations)
        return {
            "cell": cell,
            "lines": [(line, _said(line) not in said) for line in lines],
            "sources": [(citation, (citation.source, citation.page) not in cited) for citation in citations],
        }

    def _others(self, row: int, column: str) -> list[Answer] | None:
        """The answers of the other columns; None before all are there, for nothing can be said of them."""
        found = []
        for other in self.columns:
            cell = self.cells.get((row, other))
            if cell is None:
                return None
            if cell.answer and other != column:
                found.append(cell.answer)
        return found


def _said(line: AnswerLine) -> str:
    return " ".join("".join(piece.text for piece in line.pieces if piece.is_figure or not piece.number).lower().split())


def routes(desk: Desk) -> list[Route]:
    """The addresses of comparisons."""
    from starlette.routing import Route

    pages = ComparePages(desk)
    return [
        Route("/compare", with_errors(desk, pages.start)),
        Route("/compare", with_form(desk, pages.ask), methods=["POST"]),
        Route("/compare/file", pages.take_file, methods=["PUT"]),
        Route("/compare/{name}.csv", with_errors(desk, pages.export)),
        Route("/compare/{name}", with_errors(desk, pages.part)),
        Route("/side", with_errors(desk, SidePages(desk).side)),
    ]


class ComparePages:
    """Handlers, and the thread that answers."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._kept: dict[str, SideBySide] = {}
        self._thread = ThreadPoolExecutor(1, "comparing")

    def start(self, request: Request) -> Response:
        """The form."""
        return self._desk.page(request, "compare.html", columns=column_names(), usual=_USUAL, most=MOST)

    def ask(self, request: Request, form: Form) -> Response:
        """Begin to answer one question in the columns chosen."""
        from ..evaluation.questions import Question

        question = first(form, "question")
        check_question(question)
        return self._part(request, self._begin([Question(question)], several(form, "column")))

    async def take_file(self, request: Request) -> Response:
        """Begin to answer the questions of a CSV or JSON lines file."""
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import JSONResponse

        body = b""
        try:
            async for part in request.stream():
                body += part
                if len(body) > _MOST_FILE:
                    raise UsageError(f"is larger than {_MOST_FILE // 1_000_000} MB", where="the file of questions")
            ending = ".jsonl" if request.query_params.get("name", "").lower().endswith(("jsonl", "json")) else ".csv"
            questions = await run_in_threadpool(_questions_in, body, ending)
            columns = tuple(dict.fromkeys(request.query_params.getlist("column")))
            return JSONResponse({"id": self._begin(questions, columns).id})
        except CliqueRAGError as error:
            said = error_in_words(error, language_of_request(request))
            return JSONResponse({"error": f"{error.where}: {said}" if error.where else said}, 400)

    def part(self, request: Request) -> Response:
        """A comparison as far as it has come."""
        found = self._found(request)
        return self._part(request, found) if found else self._desk.gone(request, "gone.comparison")

    def export(self, request: Request) -> Response:
        """A comparison as CSV."""
        found = self._found(request)
        if found is None:
            return self._desk.gone(request, "gone.comparison")
        rows = [["question", "expected", *found.columns]]
        for number, question in enumerate(found.questions):
            cells = [found.cells.get((number, column)) for column in found.columns]
            texts = [(cell.answer.text if cell.answer else cell.error) if cell else "" for cell in cells]
            rows.append([question.question, question.answer, *texts])
        return attachment("\ufeff" + as_csv(rows), "text/csv; charset=utf-8", "comparison.csv")

    def _begin(self, questions: Sequence[Question], columns: tuple[str, ...]) -> SideBySide:
        if not FEWEST <= len(columns) <= MOST:
            raise UsageError(f"choose {FEWEST} to {MOST} columns", where="compare")
        for column in columns:
            split_column(column)
        made = SideBySide(uuid4().hex, questions, columns)
        with self._lock:
            self._kept[made.id] = made
            for old in list(self._kept)[:-_KEPT]:
                del self._kept[old]
        self._thread.submit(self._answer, made)
        return made

    def _answer(self, made: SideBySide) -> None:
        for number, question in enumerate(made.questions):
            for column in made.columns:
                if made.id not in self._kept or not self._desk.is_open:  # nobody can look at it any more
                    return
                made.cells[(number, column)] = self._cell(question.question, column)

    def _cell(self, question: str, column: str) -> Cell:
        mode, parent = split_column(column)
        try:
            return Cell(self._desk.answering.ask(question, mode, parent=parent))
        except CliqueRAGError as error:
            return Cell(error=str(error))
        except Exception as error:  # one question must not cost the others
            _log.exception("a question could not be answered")
            return Cell(error=f"an error in CliqueRAG ({type(error).__name__}: {error})")

    def _found(self, request: Request) -> SideBySide | None:
        with self._lock:
            return self._kept.get(request.path_params["name"])

    def _part(self, request: Request, made: SideBySide) -> Response:
        return self._desk.page(
            request, "compared.html", made=made, place_of=place_of, plain=without_markers, done=len(made.cells)
        )


def column_names() -> tuple[str, ...]:
    """What may be a column: a mode, or hybrid with what is read for the first hits."""
    return (*mode_names(), *(f"hybrid+{parent}" for parent in _PARENTS))


def split_column(column: str) -> tuple[str, Literal["section", "page"] | None]:
    """Mode and parent of a column. Raises UsageError for what is none.

    >>> split_column("hybrid+section"), split_column("graph")
    (('hybrid', 'section'), ('graph', None))
    """
    mode, _, parent = column.partition("+")
    for known in _PARENTS:
        if parent == known:
            return mode_named(mode), known
    if parent:
        raise UsageError(f"no column {column!r}", hint=f"There are: {', '.join(column_names())}")
    return mode_named(mode), None


def _questions_in(body: bytes, ending: str) -> list[Question]:
    """Raises UsageError that names the row that cannot be read."""
    from ..evaluation.questions import read_questions

    with tempfile.TemporaryDirectory(prefix="cliquerag-") as folder:
        path = Path(folder) / f"questions{ending}"
        path.write_bytes(body)
        try:
            found = read_questions(path)
        except UsageError as error:
            raise UsageError(error.what, where=error.where.replace(f"{folder}/", ""), hint=error.hint) from error
    if len(found) > _MOST_QUESTIONS:
        raise UsageError(f"holds more than {_MOST_QUESTIONS} questions", hint="`cliquerag compare` takes any number")
    return found


# --- companies


@dataclass(frozen=True, slots=True)
class SideRow:
    """A metric with its figure of each company; None where a company does not state it."""

    metric: str
    label: str
    facts: tuple[Fact | None, ...]


class SidePages:
    """Handlers, which answer in a thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def side(self, request: Request) -> Response:
        """The companies that were chosen side by side, or the choice of them."""
        given = request.query_params
        known = self._desk.companies
        chosen = [name for name in dict.fromkeys(given.getlist("company")) if name in known][:MOST]
        tables = self._tables(chosen)
        years = _years(tables)
        year = given.get("year", "")
        if year not in years:
            year = _latest_common(tables, years)
        rows = side_by_side(tables, year)
        return self._desk.page(
            request, "side.html", known=known, chosen=chosen, most=MOST, years=years, year=year, rows=rows
        )

    def _tables(self, chosen: Sequence[str]) -> list[YearTable]:
        """The figures of each company by year; none where fewer are chosen than can be compared."""
        if len(chosen) < FEWEST:
            return []
        metrics = list(self._desk.workspace.components.metrics.metrics)
        return [year_table(figures_of(self._desk, name), metrics, _EVERY_METRIC) for name in chosen]


def _years(tables: Sequence[YearTable]) -> list[str]:
    """Years that any of them states something of, the latest first."""
    return sorted({year for table in tables for year in table.years}, reverse=True)


def _latest_common(tables: Sequence[YearTable], years: Sequence[str]) -> str:
    """The latest year that all companies state something of, else the latest of any; "" without one."""
    common = set(years).intersection(*[table.years for table in tables])
    return max(common or years, default="")


def side_by_side(tables: Sequence[YearTable], year: str) -> list[SideRow]:
    """The metrics that any of them states of the year: those of all first, then in the order of the metrics."""
    own: list[dict[str, YearRow]] = []
    labels: dict[str, YearRow] = {}
    for table in tables:
        stated = {row.metric: row for row in table.rows if year in row.facts}
        own.append(stated)
        labels = {**stated, **labels}
    found = []
    for row in sorted(labels.values(), key=lambda row: row.order):
        facts = tuple(_fact(stated, row.metric, year) for stated in own)
        found.append(SideRow(row.metric, row.label, facts))
    return sorted(found, key=lambda row: row.facts.count(None))


def _fact(stated: Mapping[str, YearRow], metric: str, year: str) -> Fact | None:
    return stated[metric].facts[year] if metric in stated else None
