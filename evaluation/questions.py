"""Question sets as people keep them: CSV or JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from ..core.ids import stable_id
from ..core.records import dataclass

_HINT = "Columns: question, and optionally answer, source, page, type"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is known of its answer. ``pages`` count from 1; several are divided by commas in CSV."""

    question: str
    answer: str = ""
    source: str = ""
    pages: tuple[int, ...] = ()
    type: str = ""

    @property
    def id(self) -> str:
        """The same in every run, so that a stopped comparison can go on."""
        return stable_id("question", self.question, self.source, self.answer)


def read_questions(path: Path) -> list[Question]:
    """Questions of a ``.csv`` or ``.jsonl`` file, in order.

    Raises:
        UsageError: absent, empty, not in UTF-8, without a ``question`` column, or a row that cannot be read (named).
    """
    rows = read_rows(path)
    found = [_question(row, f"{path}, row {number}") for number, row in enumerate(rows, 1)]
    if not found:
        raise UsageError("no questions", where=str(path), hint=_HINT)
    return found


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a CSV or JSON lines file, with column names in lower case."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot be read ({error})", where=str(path), hint="Save it as UTF-8") from error
    except OSError as error:
        raise UsageError(error.strerror or "cannot be read", where=str(path), hint="Check the path") from error
    rows = csv.DictReader(StringIO(text, newline="")) if path.suffix.lower() == ".csv" else _json_lines(text, path)
    return [{str(key).strip().lower(): value for key, value in row.items()} for row in rows]


def _json_lines(text: str, path: Path) -> Iterable[Mapping[str, Any]]:
    for number, line in enumerate(StringIO(text), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"line {number} is not JSON ({error})", where=str(path)) from error
        if not isinstance(row, dict):
            raise UsageError(f"line {number} is not a JSON object", where=str(path))
        yield row


def _question(row: Mapping[str, Any], where: str) -> Question:
    text = str(row.get("question") or "").strip()
    if not text:
        raise UsageError("no question", where=where, hint=_HINT)
    pages = _pages(row.get("page") or row.get("pages") or (), where)
    answer = str(row.get("answer") or row.get("reference") or "").strip()
    return Question(text, answer, str(row.get("source") or "").strip(), pages, str(row.get("type") or "").strip())


def _pages(value: Any, where: str) -> tuple[int, ...]:
    parts = value if isinstance(value, (list, tuple)) else str(value).replace(";", ",").split(",")
    try:
        return tuple(int(part) for part in parts if str(part).strip())
    except ValueError:
        raise UsageError(f"not a page: {value!r}", where=where, hint="Pages are whole numbers from 1") from None
