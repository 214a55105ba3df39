"""The queries of the tour: a question, parameters with their defaults, Cypher; the same files open in Neo4j Browser."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files

from ....core.errors import UsageError
from ....core.records import dataclass
from .connection import Graph, Row

PICTURE = "picture"
"""The column with nodes and relationships, which the Browser draws; a table leaves it out."""

STYLE, GUIDE = "style.grass", "tour.adoc"
_DEFAULTS = re.compile(r'^WITH "[^"]*" AS \w+.*$', re.MULTILINE)
_DEFAULT = re.compile(r'("[^"]*") AS (\w+)')


@dataclass(frozen=True, slots=True)
class Query:
    """One file; ``parameters`` are the defaults that it sets."""

    name: str
    question: str
    parameters: Mapping[str, str]
    cypher: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What a query found, one mapping a row."""

    name: str
    question: str
    parameters: Mapping[str, str]
    rows: tuple[Row, ...]


def load_tour() -> list[Query]:
    """All queries, in order.

    >>> load_tour()[0].question
    'Who supplies whom, and which sentence says so?'
    """
    found = (file for file in files(__package__).joinpath("browser").iterdir() if file.name.endswith(".cypher"))
    ordered = sorted(found, key=lambda file: file.name)
    return [read_query(file.name.removesuffix(".cypher"), file.read_text(encoding="utf-8")) for file in ordered]


def read_query(name: str, script: str) -> Query:
    r"""A query from its file: the first comment is the question, a first ``WITH "TEXT" AS NAME`` gives defaults.

    In the Browser the defaults are edited where they stand; here they become parameters.

    >>> read_query("x", '// Who?\nWITH "2025" AS year\nRETURN year;\n')
    Query(name='x', question='Who?', parameters={'year': '2025'}, cypher='// Who?\nWITH $year AS year\nRETURN year')
    """
    question = script.partition("\n")[0].removeprefix("//").strip()
    given = _DEFAULTS.search(script)
    parameters = {found[2]: json.loads(found[1]) for found in _DEFAULT.finditer(given[0])} if given else {}
    cypher = _DEFAULTS.sub(lambda line: _DEFAULT.sub(r"$\2 AS \2", line[0]), script, count=1)
    return Query(name, question, parameters, cypher.strip().removesuffix(";"))


def run_tour(url: str, given: Mapping[str, str], only: str = "") -> list[Answered]:
    """Ask the queries whose name begins with ``only`` of the server at a URL; they can only read.

    ``given`` replaces the defaults of the same name. Raises UsageError for a name that no query knows, StoreError when
    the server does not answer.
    """
    tour = [query for query in load_tour() if query.name.startswith(only)]
    known = {name for query in tour for name in query.parameters}
    if not tour:
        raise UsageError(f"no query of the tour begins with {only!r}", hint=f"The first is {load_tour()[0].name}")
    if unknown := given.keys() - known:
        raise UsageError(f"no query takes {', '.join(sorted(unknown))}", hint=f"Known: {', '.join(sorted(known))}")
    graph = Graph(url)
    try:
        return [_answer(graph, query, given) for query in tour]
    finally:
        graph.close()


def _answer(graph: Graph, query: Query, given: Mapping[str, str]) -> Answered:
    parameters = {name: given.get(name, default) for name, default in query.parameters.items()}
    found = graph.read(query.cypher, **parameters)
    rows = tuple({name: value for name, value in row.items() if name != PICTURE} for row in found)
    return Answered(query.name, query.question, parameters, rows)
