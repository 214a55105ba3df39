"""How traces, entities and relations are printed for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ..core.anchor import at_page, place_name
from ..core.plain import shortened

if TYPE_CHECKING:
    from rich.console import Console

    from ..kg.engines.neo4j.tour import Answered
    from ..kg.graph import Entity, Relation, Statement
    from ..kg.schema import Schema

_RANKS = 10
_WORDS = 24
_LEFT_OUT = 6
_ROUTES = ("words", "dense", "home", "fact", "years", "preference")
"""Parts of a score that come first; others follow as they are."""
_GRAPH_ROUTES = ("report", "fact", "path", "local", "global")
_SAID = 60
"""Characters of a relation, fact or report that are shown."""
_SUMMARY = 160
_PLACES = 3
"""Documents named for one relation."""
_LONGEST = 200
"""Characters of a sentence behind a relation."""


# --- how a question was searched


def print_trace(out: Console, trace: Mapping[str, Any]) -> None:
    """The trace in words: scope, keywords, links, ranks, budgets, times; ``--json`` has all of it."""
    out.print("\n--- how it was searched", style="bold")
    for name, value in _told(trace).items():
        if value not in (None, ""):
            out.print(f"{name}: {value}", markup=False)
    _print_ranking(out, trace.get("ranking", ()))
    _print_graph(out, trace.get("graph ranking", ()))
    for name, leg in trace.get("budgets", {}).items():
        _print_budget(out, name, leg)
    if times := trace.get("milliseconds"):
        out.print("CPU ms: " + ", ".join(f"{name} {value:g}" for name, value in times.items()), markup=False)


def _told(trace: Mapping[str, Any]) -> dict[str, Any]:
    """What was understood or decided, a line each."""
    scope = trace.get("scope", {})
    return {
        "searched for": trace.get("searched for") or trace.get("trimmed"),
        "parts": " | ".join(part["question"] for part in trace.get("parts", ())),
        "mode": _mode(trace),
        "scope": "; ".join(scope.get("notes", ())),
        "documents": scope.get("documents"),
        "left out": _left_out(trace.get("left out", 0)),
        "shares": " | ".join(map(_named, trace.get("groups", ()))),
        "periods": ", ".join(trace.get("periods", ())),
        "kinds": ", ".join(trace.get("kinds", ())),
        "other wordings": _wordings(trace.get("queries")),
        "imagined answer": _wordings(trace.get("hyde")),
        "names and themes": _keywords(trace.get("graph keywords")),
        "keywords": _weighted(trace.get("keywords", {})),
        "pages of class": _weighted(trace.get("homes", {})),
        "linked entities": ", ".join(map(_linked, trace.get("linked", ()))),
        "figures": _numbers(trace.get("numbers", {})),
        "looked again": _named(trace.get("looked again", ())),
        "summaries": " | ".join(map(_summary, trace.get("summaries", ()))),
        "cross-encoder": _rerank(trace.get("rerank", {})),
        "read larger": "; ".join(map(_parent, trace.get("parents", ()))),
        "sentences dropped": " / ".join(trace.get("dropped", ())),
        "not verified": " / ".join(trace.get("unverified", ())),
        "broken off": trace.get("broken off"),
    }


def _left_out(chunks: int) -> str:
    return f"{chunks} (contents, disclaimers, contacts, covers: --all-text searches them)" if chunks else ""


def _summary(found: Mapping[str, Any]) -> str:
    return f"{found['level']} of {found['source']}: {shortened(' '.join(found['sentences']), _SUMMARY)}"


def _mode(trace: Mapping[str, Any]) -> Any:
    route = trace.get("route")
    return f"{route['mode']}: {route['reason']}" if route else trace.get("mode")


def _linked(entity: Mapping[str, Any]) -> str:
    return f"{entity['name']} ({entity['type']}, {entity['how']})"


def _named(sources: Sequence[str]) -> str:
    """The first documents of a list by the end of their path, and how many more there are."""
    shown = ", ".join(source.rpartition("/")[2] for source in sources[:_LEFT_OUT])
    return shown + _more(len(sources), _LEFT_OUT)


def _weighted(words: Mapping[str, float]) -> str:
    ranked = sorted(words.items(), key=lambda pair: -pair[1])[:_WORDS]
    shown = ", ".join(f"{word} {weight:g}".removesuffix(" 1") for word, weight in ranked)
    return shown + _more(len(words), _WORDS)


def _more(count: int, shown: int) -> str:
    return f" and {count - shown} more" if count > shown else ""


def _keywords(found: Any) -> str:
    if not found or "failed" in found:
        return _wordings(found)
    return " | ".join((*found["names"], *found["themes"]))


def _wordings(queries: Any) -> str:
    if isinstance(queries, Mapping):
        return f"failed: {queries['failed']}"
    return " | ".join(queries or ())


def _numbers(numbers: Mapping[str, Any]) -> str:
    if not numbers.get("route"):
        return ""
    told = f"{numbers['route']} ({numbers['reason']})"
    return f"{told}; declined: {numbers['declined']}" if numbers.get("declined") else told


def _rerank(rerank: Mapping[str, Any]) -> str:
    if "failed" in rerank:
        return f"{rerank['model']} failed: {rerank['failed']}"
    return f"{rerank['model']} ordered {len(rerank['order'])} passages" if rerank else ""


def _parent(parent: Mapping[str, Any]) -> str:
    place = at_page(str(parent["source"]), parent["page"])
    return f"{place}: {parent['tokens']} tokens for {sum(parent['hits'])}"


def _print_budget(out: Console, name: str, leg: Mapping[str, Any]) -> None:
    out.print(f"{name} context: {leg['used']} of {leg['budget']} tokens, {leg['kept']} pieces", markup=False)
    left_out = leg["left out"]
    for place in left_out[:_LEFT_OUT]:
        kind, _, where = place.partition(" ")
        out.print(f"    left out: {kind} {where.rpartition('/')[2]}", markup=False, style="dim")
    if len(left_out) > _LEFT_OUT:
        out.print(f"    and {len(left_out) - _LEFT_OUT} more", style="dim")


def _print_ranking(out: Console, ranking: Sequence[Mapping[str, Any]]) -> None:
    from rich.table import Table

    if not ranking:
        return
    shown = ranking[:_RANKS]
    parts = set().union(*shown) - {"chunk", "source", "score"}
    columns = [*(name for name in _ROUTES if name in parts), *sorted(parts.difference(_ROUTES))]
    title = f"first {len(shown)} of {len(ranking)}"
    table = Table("", "passage", "score", *columns, title=title, box=None)
    for rank, row in enumerate(shown, 1):
        name = str(row.get("source") or row["chunk"]).rpartition("/")[2]
        table.add_row(str(rank), name, f"{row['score']:.2f}", *(_share(row.get(part, "")) for part in columns))
    out.print(table)


def _share(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _print_graph(out: Console, ranking: Sequence[Mapping[str, Any]]) -> None:
    """What the graph's routes found, with the rank in each."""
    from rich.table import Table
    from rich.text import Text

    if not ranking:
        return
    shown = ranking[:_RANKS]
    parts = set().union(*ranking)
    columns = [route for route in _GRAPH_ROUTES if route in parts]
    title = f"graph: first {len(shown)} of {len(ranking)}, rank by route"
    table = Table("what is said", "score", *columns, title=title, box=None)
    for row in shown:
        ranks = [str(row.get(column, "")) for column in columns]
        table.add_row(Text(shortened(str(row["text"]), _SAID)), f"{row['score']:.2f}", *ranks)
    out.print(table)


# --- entities and relations


def print_entity(
    out: Console, entity: Entity, relations: Sequence[Relation], names: Mapping[str, str], schema: Schema
) -> None:
    """Who or what it is, then its relations by kind, in each the latest first; ``names`` of sources are shown."""
    counts = f"{entity.mentions} mentions in {entity.documents} documents"
    out.print(f"{entity.name}  ({entity.type}; {counts})", style="bold", markup=False)
    if entity.aliases:
        out.print(f"also: {', '.join(entity.aliases)}", markup=False)
    for name, value in entity.context.items():
        out.print(f"{name}: {value}", markup=False)
    kinds: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        kinds[_kind_of(relation, entity, schema)].append(relation)
    for kind, group in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
        out.print(f"\n{kind} ({len(group)})", style="bold cyan", markup=False)
        for relation in sorted(group, key=_latest, reverse=True):
            other = relation.tail if relation.head.id == entity.id else relation.head
            out.print(f"  {other.name}{_notes(relation)}", style="cyan", markup=False)
            _print_sentence(out, relation, names)


def print_relation(out: Console, relation: Relation, names: Mapping[str, str]) -> None:
    """One relation with its best sentence and its places."""
    ends = f"{relation.head.name}  {relation.relation}  {relation.tail.name}"
    out.print(f"  {ends}{_notes(relation)}", style="cyan", markup=False)
    _print_sentence(out, relation, names)


def sources_of(relations: Iterable[Relation]) -> Iterator[str]:
    """The documents that state them."""
    for relation in relations:
        yield from (statement.document for statement in relation.statements)


def print_answered(out: Console, found: Answered) -> None:
    """A question of the Browser tour with its rows as a table."""
    from rich.markup import escape
    from rich.table import Table

    told = ", ".join(f"{name} = {value}" for name, value in found.parameters.items())
    out.print(f"\n{found.name[:2]}  {found.question}", style="bold", markup=False)
    out.print(f"    {told}".rstrip(), style="dim", markup=False)
    if not found.rows:
        out.print("    nothing found")
        return
    table = Table()
    for name in found.rows[0]:
        table.add_column(name, overflow="fold", min_width=24 if name in ("sentence", "text", "reason") else None)
    for row in found.rows:
        table.add_row(*(escape(cell(name, value)) for name, value in row.items()))
    out.print(table)


def cell(column: str, value: object) -> str:
    """A value of a row as people read it: a document by its file name, an amount with its thousands."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:,.2f}".removesuffix("0").removesuffix(".0")
    return PurePath(str(value)).name if column == "document" else " ".join(str(value).split())


def _kind_of(relation: Relation, entity: Entity, schema: Schema) -> str:
    """The relation as it reads from the entity: "supplies" from the head, "supplied by" from the tail."""
    known = schema.relations.get(relation.relation)
    name = relation.relation
    if known and relation.head.id != entity.id:
        name = known.inverse
    return name.replace("_", " ")


def _notes(relation: Relation) -> str:
    """Its periods, reservations, and what has ended it."""
    from ..kg.timeline import ended

    periods = sorted({s.period for s in relation.statements if s.period}, key=lambda period: period.sort_key)
    kinds = {statement.modality for statement in relation.statements}
    notes = ""
    if periods:
        notes += f"  {', '.join(dict.fromkeys(period.label for period in periods))}"
    if "asserted" not in kinds:
        notes += f"  [{', '.join(sorted(kinds))}]"
    if relation.successor:
        notes += f"  [{ended(relation)}]"
    return notes


def _print_sentence(out: Console, relation: Relation, names: Mapping[str, str]) -> None:
    best = relation.statements[0]
    out.print(f"      {' '.join(best.text.split())[:_LONGEST]}", markup=False, style="dim")
    out.print(f"      ({_places(relation.statements, names)})", markup=False, style="dim")


def _places(statements: Iterable[Statement], names: Mapping[str, str]) -> str:
    """ "a.pdf, page 3, 17; b.pdf": documents with their pages."""
    pages: dict[str, dict[int | None, None]] = defaultdict(dict)
    named: dict[str, dict[str, None]] = defaultdict(dict)
    for statement in statements:
        if place := place_name(statement):
            named[statement.document][place] = None
        else:
            pages[statement.document][statement.page] = None
    places = [f"{names[source]}, {', '.join(own)}" for source, own in named.items()]
    for source, own_pages in pages.items():
        numbers = ", ".join(map(str, filter(None, own_pages)))
        places.append(at_page(names[source], numbers))
    return "; ".join(places[:_PLACES]) + _more(len(places), _PLACES)


def _latest(relation: Relation) -> tuple[bool, str]:
    return relation.successor is None, max(map(_day, relation.statements))


def _day(statement: Statement) -> str:
    day = statement.period.last_day if statement.period else statement.published
    return str(day or "")
