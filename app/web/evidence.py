"""What an answer was made from: passages, whole tables, relations as a graph, facts, and how it was searched."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from ..core.anchor import first_page
from ..core.records import dataclass
from ..retrieval.search.evidence import Answer, Citation, Evidence
from ..retrieval.search.modes import mode_names
from .desk import Wording, in_words
from .graph_pages import graph_elements
from .sheets import Place

if TYPE_CHECKING:
    from ..core.anchor import Box
    from ..core.language import Language
    from ..ingest.document import Table
    from ..kg.graph import Relation
    from ..kg.schema import Schema
    from .desk import Desk
    from .notebook import Turn

_TOLD_APART = 40
"""Characters, blanks left out, by which a sentence is known."""
_SEEDS = 60
_RELATIONS = 600
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_ROUTES = ("words", "dense", "home", "fact", "years", "preference")


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A whole table of a document; ``ordinal`` counts from 0."""

    source: str
    ordinal: int
    table: Table
    cited: frozenset[tuple[int, int]] = frozenset()
    """Cells, as (row, column), that the answer cites."""

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.source, first_page(self.table.anchors), self.table.start, self.table.end)


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure of a PDF: the part of the page's picture that shows it. Sides in points."""

    place: Place
    caption: str
    picture: str
    """Address of the picture of the whole page."""
    box: tuple[float, float, float, float]
    """Left, top, width and height of the figure on it."""
    width: float
    height: float


def tab_values(tab: str, turn: Turn, desk: Desk, language: Language) -> dict[str, Any]:
    """What the template of a tab needs."""
    answer = turn.answer
    assert answer is not None, "asked of an answered turn"
    if tab == "passages":
        return {
            "passages": [item for item in answer.context.vector if item.kind in ("chunk", "figure")],
            "figures": shown_figures(answer.context.vector, desk),
            "highlighted": highlighted,
        }
    if tab == "tables":
        return {"tables": shown_tables(answer, desk)}
    if tab == "facts":
        return {"facts": _facts(answer, desk)}
    if tab == "graph":
        return {"relations": answer_relations(answer, desk), "schema": desk.workspace.vocabulary.schema}
    return {"searches": _searches(answer, language, desk.workspace.vocabulary.schema), "routes": _ROUTES}


def highlighted(item: Evidence) -> list[tuple[str, bool]]:
    """The text of a passage in pieces; True for the sentences in it that answer best."""
    if len(item.text) != item.end - item.start:  # its text is not what stands at its offsets
        return [(item.text, False)]
    pieces: list[tuple[str, bool]] = []
    at = item.start
    for start, end in sorted(item.highlights[:2]):
        start, end = max(start, at), min(end, item.end)
        if start >= end:
            continue
        pieces += [(item.text[at - item.start : start - item.start], False)]
        pieces += [(item.text[start - item.start : end - item.start], True)]
        at = end
    pieces.append((item.text[at - item.start :], False))
    return [piece for piece in pieces if piece[0]]


# --- figures


def shown_figures(items: Iterable[Evidence], desk: Desk) -> dict[str, ShownFigure]:
    """The figures among the evidence, by its id, of documents that are PDFs."""
    figures = [item for item in items if item.kind == "figure" and item.anchors]
    pages = desk.workspace.store.pages({item.source for item in figures})
    shown: dict[str, ShownFigure] = {}
    for item in figures:
        record = desk.sheets.record(item.source)
        anchor = item.anchors[-1]  # a sentence before it may stand on the page before
        page = {page.number: page for page in pages.get(item.source, ())}.get(anchor.page)
        if record is None or page is None:
            continue
        if not (anchor.boxes and page.width):
            continue
        x0, y0, x1, y1 = max(anchor.boxes, key=_area)
        query = urlencode({"source": item.source})
        shown[item.id] = ShownFigure(
            place=Place(item.source, anchor.page, item.start, item.end),
            caption=_caption(item.text),
            picture=f"/picture/{record.content_hash[:16]}/{anchor.page}.png?{query}",
            box=(x0, y0, x1 - x0, y1 - y0),
            width=page.width,
            height=page.height,
        )
    return shown


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def cited_figures(answer: Answer, desk: Desk) -> list[ShownFigure]:
    """The figures that the answer cites, or whose leading sentence it cites, each once."""
    figures = [item for item in answer.context.vector if item.kind == "figure"]
    cited = [item for item in figures if any(_is_cited(item, citation) for citation in answer.citations)]
    return list(shown_figures(cited, desk).values())


def _is_cited(figure: Evidence, citation: Citation) -> bool:
    """True where the figure or the sentence that is its caption is cited."""
    if _is_in(citation, figure):
        return True
    is_caption = "".join(citation.text.split())[:_TOLD_APART] == "".join(_caption(figure.text).split())[:_TOLD_APART]
    return citation.source == figure.source and is_caption


def _is_in(citation: Citation, item: Evidence) -> bool:
    return citation.source == item.source and item.start <= citation.start < item.end


def _caption(text: str) -> str:
    """What stands in the first brackets: "[Figure: Revenue by region]" is captioned "Revenue by region"."""
    head = text[text.find("[") + 1 :].partition("]")[0]
    return head.partition(": ")[2] or head


# --- tables


def shown_tables(answer: Answer, desk: Desk) -> list[ShownTable]:
    """The tables that were found or cited, whole, those cited first."""
    cited: dict[tuple[str, int], set[tuple[int, int]]] = {}
    for citation in answer.citations:
        fact = desk.sheets.fact_at(citation.source, citation.start, citation.end)
        if fact and fact.table is not None and fact.row is not None and fact.column is not None:
            cited.setdefault((fact.source, fact.table), set()).add((fact.row, fact.column))
    wanted = [key for key, _ in cited.items()]
    for item in answer.context.evidence:
        if item.kind == "table":
            wanted += _tables_within(desk.workspace.store.tables(item.source), item)
    shown = []
    for source, ordinal in dict.fromkeys(wanted):
        tables = desk.workspace.store.tables(source)
        if ordinal < len(tables):
            cells = frozenset(cited.get((source, ordinal), ()))
            shown.append(ShownTable(source, ordinal, tables[ordinal], cells))
    return shown


def _tables_within(tables: Sequence[Table], item: Evidence) -> list[tuple[str, int]]:
    return [(item.source, n) for n, table in enumerate(tables) if item.start < table.end and table.start < item.end]


def as_csv(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV that a spreadsheet reads as text and numbers, never as formulas.

    >>> as_csv([["Revenue", "=1+1", "-5.0"]])
    "Revenue,'=1+1,-5.0\\r\\n"
    """
    out = StringIO()
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([_plain_cell(cell) for cell in row])
    return out.getvalue()


def _plain_cell(text: str) -> str:
    is_number = text.replace(",", "").replace(".", "").lstrip("+-").isdigit()
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) and not is_number else text


# --- facts and relations


def _facts(answer: Answer, desk: Desk) -> list[Any]:
    """The figures that were cited or found, with the table and cell that each was read from."""
    facts: dict[str, Any] = {}
    found: list[Citation | Evidence] = [*answer.citations]
    found += [item for item in answer.context.graph if item.kind == "fact"]
    for item in found:
        fact = desk.sheets.fact_at(item.source, item.start, item.end)
        if fact:
            facts.setdefault(fact.id, fact)
    return list(facts.values())


def answer_relations(answer: Answer, desk: Desk) -> list[Relation]:
    """The relations that an answer was made from, with all their sentences."""
    wanted = [item.id for item in answer.context.graph if item.kind == "relation" and item.id]
    return relations_of_statements(desk, wanted)


def relations_of_statements(desk: Desk, ids: Collection[str]) -> list[Relation]:
    """The relations that hold these statements, in the order of the statements."""
    store = desk.workspace.store
    heads = dict.fromkeys(statement.head for statement in store.statements(ids=ids))
    order = {name: rank for rank, name in enumerate(ids)}
    found = [
        relation
        for relation in store.subgraph(list(heads)[:_SEEDS], _RELATIONS).relations
        if any(statement.id in order for statement in relation.statements)
    ]
    return sorted(found, key=lambda relation: min(order.get(s.id, len(order)) for s in relation.statements))


def answer_graph(answer: Answer, desk: Desk, language: Language) -> dict[str, Any]:
    """Nodes and edges of the relations that an answer was made from."""
    relations = answer_relations(answer, desk)
    return graph_elements(relations, desk.workspace.vocabulary.schema, language)


# --- how it was searched


_TOLD = (
    "searched for", "trimmed", "mode", "route", "scope", "documents", "left out", "periods", "kinds", "keywords",
    "hyde", "linked", "numbers", "declined", "dropped", "unverified", "broken off", "milliseconds",
)  # fmt: skip
"""Findings of a trace that are shown, in this order; their names in words.toml begin with "trace."."""


@dataclass(frozen=True, slots=True)
class Search:
    """How one part of a question was searched for; ``question`` is "" where it has no parts."""

    question: str
    told: list[tuple[str, str]]
    ranking: list[Mapping[str, Any]]


def _searches(answer: Answer, language: Language, schema: Schema) -> list[Search]:
    parts = answer.trace.get("parts") or [{"question": "", "trace": answer.trace}]
    return [
        Search(part["question"], told(part["trace"], language, schema), list(part["trace"].get("ranking", ())))
        for part in parts
    ]


def told(searched: Mapping[str, Any], language: Language, schema: Schema) -> list[tuple[str, str]]:
    """What was understood and decided: (key of its name in words.toml, value), empty ones left out."""
    trace = dict(searched)
    scope, numbers, route = trace.get("scope", {}), trace.get("numbers", {}), trace.get("route", {})
    trace["scope"], trace["documents"] = scope.get("notes"), scope.get("documents")
    trace["numbers"], trace["declined"] = _because(numbers, "route", language), numbers.get("declined")
    trace["route"] = _because(route, "mode", language)
    linked = trace.get("linked", ())
    trace["linked"] = [f"{link['name']} ({schema.type_label(link['type'], language)})" for link in linked]
    spent = trace.get("milliseconds", {})
    trace["milliseconds"] = [f"{in_words(name, language)} {ms:g} ms" for name, ms in spent.items()]
    lines = [(f"trace.{name}", _as_text(trace.get(name), language)) for name in _TOLD]
    return [(key, value) for key, value in lines if value]


def _because(decision: Mapping[str, Any], name: str, language: Language) -> str:
    """A decision and its reason."""
    if not decision.get(name):
        return ""
    return f"{_as_text(decision[name], language)} ({in_words(decision.get('reason', ''), language)})"


def _as_text(value: Any, language: Language) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, str) and value in mode_names():
        return Wording(language)(f"mode.{value}")
    if isinstance(value, (str, int)):
        return in_words(str(value), language)
    return ", ".join(in_words(str(one), language) for one in value)
