"""SQL over the facts, read-only: one SELECT on one view, within limits of rows, time and memory.

Nothing of the statement is trusted: SQLite's authorizer allows reading ``facts_view`` and a list of functions and
denies all else, the file is opened read-only, and a progress handler stops what takes too long.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Collection
from math import prod
from pathlib import Path
from urllib.parse import quote

from ...core.errors import UsageError
from ...core.fact import Fact
from ...core.patterns import on_demand
from ...core.period import label_of, last_day_of
from ...core.records import dataclass
from ...kg.engines.opening import sqlite_path
from ...kg.store import DocumentRecord, FactQuery, Store

VIEW = "facts_view"
COLUMNS = (
    "company", "metric", "label", "period", "period_end", "amount", "unit", "text", "dimensions", "basis",
    "consolidation", "source_kind", "source", "kind", "published", "page", "confidence",
)  # fmt: skip
_FUNCTIONS = (
    "abs", "avg", "ceil", "ceiling", "coalesce", "count", "date", "floor", "glob", "ifnull", "iif", "instr",
    "julianday", "length", "like", "lower", "ltrim", "max", "min", "nullif", "round", "row_number", "rank",
    "dense_rank", "rtrim", "sign", "strftime", "substr", "substring", "sum", "total", "trim", "typeof", "upper",
)  # fmt: skip
_LONGEST_STATEMENT = 10_000
_LONGEST_VALUE = 1_000_000
"""Bytes of a value: what a statement may build up in memory."""
_LIMIT_LENGTH, _LIMIT_ATTACHED = 0, 7
"""Numbers of SQLite's limits, which the module names only from Python 3.11."""
_STEPS = 2_000
"""Instructions of the virtual machine between two looks at the clock."""
_ALL_FACTS = 2_000_000
_UNDER_VIEW = ("fact", "document")
_TABLES = on_demand(r"\b(?:fact|document)\b", re.IGNORECASE)
_SELECT = on_demand(r"\bselect\b", re.IGNORECASE)
_OPERATORS = on_demand(r"\|\||[-+*/%<>=&,]|\b(?:and|or|like|in|when|between)\b", re.IGNORECASE)
_MOST_EXPRESSIONS = 1_000_000
_BEGINNING = on_demand(r"\s*(?:select|with)\b", re.IGNORECASE)
_LITERAL = on_demand(
    r"""'(?:[^']|'')*'|--[^\n]*|/\*.*?(?:\*/|\Z)|"(?:[^"]|"")*"|\[[^\]]*(?:\]|\Z)|`[^`]*`""", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Rows:
    """What a SELECT gives. ``truncated`` says that there were more rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    truncated: bool = False


def select_facts(
    store: Store,
    statement: str,
    *,
    limit: int = 1000,
    seconds: float = 5.0,
    sources: Collection[str] | None = None,
) -> Rows:
    """Run one SELECT on ``facts_view``. Raises UsageError for anything else, and where a limit is passed.

    ``sources`` are the documents whose facts it sees; None: all. Facts of some documents, and those of a store that is
    no SQLite file, are read into memory first.
    """
    _check(statement)
    connection = _open(store) if sources is None else _in_memory(store, sources)
    try:
        _guard(connection, seconds)
        return _run(connection, statement, limit)
    finally:
        connection.close()


def _check(statement: str) -> None:
    """What the authorizer does not see: EXPLAIN, and counting the rows of a table that no column is read from."""
    if len(statement) > _LONGEST_STATEMENT:
        raise UsageError("the statement is too long", hint=f"At most {_LONGEST_STATEMENT:,} characters")
    bare = _LITERAL.sub(lambda match: match[0] if match[0][0] in '"[`' else " ", statement)  # these are names
    if not _BEGINNING.match(bare):
        raise UsageError("not a SELECT", where="the statement", hint=_HINT)
    if _TABLES.search(bare):
        raise UsageError(f"only {VIEW} may be read", where="the statement", hint=_HINT)
    if _expansion(bare) > _MOST_EXPRESSIONS:
        raise UsageError("the statement is too complex", where="the statement", hint="Use fewer nested SELECTs")
    if "||" in bare and not hasattr(sqlite3.Connection, "setlimit"):
        raise UsageError("texts cannot be joined on this version of Python", where="the statement")


def _expansion(bare: str) -> int:
    """Bound of the expressions after SQLite has put subqueries into each other: before it runs, no limit of time holds.

    >>> _expansion("with a as (select t + t as t from b) select t + t from a")
    4
    """
    return prod(1 + len(_OPERATORS.findall(part)) for part in _SELECT.split(bare)[1:])


def _run(connection: sqlite3.Connection, statement: str, limit: int) -> Rows:
    try:
        cursor = connection.execute(statement)
        if cursor.description is None:
            raise UsageError("not a SELECT", hint=_HINT)
        found = cursor.fetchmany(limit + 1)
    except sqlite3.Warning as error:  # several statements, before Python 3.11
        raise UsageError(str(error), where="the statement", hint=_HINT) from error
    except sqlite3.Error as error:
        raise UsageError(_meaning(error), where="the statement", hint=_HINT) from error
    except ValueError as error:
        raise UsageError(str(error), where="the statement", hint=_HINT) from error
    columns = tuple(column[0] for column in cursor.description)
    return Rows(columns, tuple(found[:limit]), len(found) > limit)


_HINT = f"One SELECT on {VIEW}: {', '.join(COLUMNS)}"


def _meaning(error: sqlite3.Error) -> str:
    message = str(error)
    if "interrupted" in message:
        return "it takes too long and was stopped"
    if "prohibited" in message or "not authorized" in message:
        return f"only {VIEW} may be read ({message})"
    return message


def _open(store: Store) -> sqlite3.Connection:
    path = sqlite_path(store.url) if store.url.startswith("sqlite") else None
    if path is not None and Path(path).is_file():
        uri = f"file:{quote(str(Path(path).absolute()))}?mode=ro"
        return sqlite3.connect(uri, uri=True, isolation_level=None)
    return _in_memory(store, None)


def _in_memory(store: Store, sources: Collection[str] | None) -> sqlite3.Connection:
    """A table of the view's name, for stores that are elsewhere and for a part of one."""
    records = {record.source: record for record in store.documents()}
    query = FactQuery(sources=tuple(sources or ()), limit=_ALL_FACTS)
    facts = store.facts(query) if sources is None or sources else []
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"CREATE TABLE {VIEW} ({', '.join(COLUMNS)})")
    marks = ", ".join("?" * len(COLUMNS))
    rows = (_values(fact, records.get(fact.source)) for fact in facts)
    connection.executemany(f"INSERT INTO {VIEW} VALUES ({marks})", rows)
    return connection


def _values(fact: Fact, record: DocumentRecord | None) -> tuple[object, ...]:
    period, amount = fact.period, fact.amount
    return (
        *(fact.company, fact.metric, fact.label),
        *(label_of(period), last_day_of(period)),
        *(None if amount is None else float(amount), fact.unit, fact.text),
        "; ".join(f"{axis}: {member}" for axis, member in fact.dimensions),
        *(fact.basis, fact.consolidation, fact.source_kind, fact.source, record.kind if record else ""),
        record.published.isoformat() if record and record.published else None,
        *(fact.page, fact.confidence),
    )


def _guard(connection: sqlite3.Connection, seconds: float) -> None:
    if hasattr(connection, "setlimit"):  # Python 3.11
        connection.setlimit(_LIMIT_LENGTH, _LONGEST_VALUE)
        connection.setlimit(_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    end = time.monotonic() + seconds
    connection.set_progress_handler(lambda: int(time.monotonic() > end), _STEPS)
    connection.set_authorizer(_authorize)


def _authorize(action: int, one: str | None, two: str | None, database: str | None, inside: str | None) -> int:
    """SQLite asks before each access; ``inside`` names the view through which a table is read."""
    if action == sqlite3.SQLITE_SELECT:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_OK if (two or "").lower() in _FUNCTIONS else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_READ and database in ("main", None):
        through_view = one in _UNDER_VIEW and (inside == VIEW or not two)  # no column: a row is only counted
        return sqlite3.SQLITE_OK if one == VIEW or through_view else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_DENY
