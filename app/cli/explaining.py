"""How a question was searched, for people: scope, keywords, links, ranks of each route, budgets, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_RANKS = 10
_WORDS = 24
_LEFT_OUT = 6
_ROUTES = ("words", "dense", "home", "fact", "years", "preference")
"""Parts of a score that come first; others follow as they are."""
_GRAPH_ROUTES = ("report", "fact", "path", "local", "global")
_SAID = 60
"""Characters of a relation, fact or report that are shown."""


def print_trace(out: Console, trace: Mapping[str, Any]) -> None:
    """The trace in words; ``--json`` has all of it."""
    out.print("\n--- how it was searched", style="bold")
    for line in _lines(trace):
        out.print(line, markup=False)
    _print_ranking(out, trace.get("ranking", ()))
    _print_graph(out, trace.get("graph ranking", ()))
    for name, leg in trace.get("budgets", {}).items():
        out.print(f"{name} context: {leg['used']} of {leg['budget']} tokens, {leg['kept']} pieces", markup=False)
        for place in leg["left out"][:_LEFT_OUT]:
            kind, _, where = place.partition(" ")
            out.print(f"    left out: {kind} {where.rpartition('/')[2]}", markup=False, style="dim")
        if len(leg["left out"]) > _LEFT_OUT:
            out.print(f"    and {len(leg['left out']) - _LEFT_OUT} more", style="dim")
    if times := trace.get("milliseconds"):
        out.print("CPU ms: " + ", ".join(f"{name} {value:g}" for name, value in times.items()), markup=False)


def _lines(trace: Mapping[str, Any]) -> list[str]:
    """One line for each thing that was understood or decided, those that are empty left out."""
    route, numbers = trace.get("route", {}), trace.get("numbers", {})
    found = {
        "searched for": trace.get("searched for") or trace.get("trimmed"),
        "mode": f"{route['mode']}: {route['reason']}" if route else trace.get("mode"),
        "scope": "; ".join(trace.get("scope", {}).get("notes", ())),
        "documents": trace.get("scope", {}).get("documents"),
        "shares": " | ".join(_named(group) for group in trace.get("groups", ())),
        "periods": ", ".join(trace.get("periods", ())),
        "kinds": ", ".join(trace.get("kinds", ())),
        "other wordings": _wordings(trace.get("queries")),
        "keywords": _weighted(trace.get("keywords", {})),
        "pages of class": _weighted(trace.get("homes", {})),
        "linked entities": ", ".join(f"{e['name']} ({e['type']}, {e['how']})" for e in trace.get("linked", ())),
        "figures": _numbers(numbers),
        "looked again": _named(trace.get("looked again", ())),
        "cross-encoder": _rerank(trace.get("rerank", {})),
        "read larger": _parents(trace.get("parents", ())),
        "sentences dropped": " / ".join(trace.get("dropped", ())),
        "not verified": " / ".join(trace.get("unverified", ())),
        "broken off": trace.get("broken off"),
    }
    return [f"{name}: {value}" for name, value in found.items() if value not in (None, "")]


def _named(sources: Sequence[str]) -> str:
    """The first documents of a list by the end of their path, and how many more there are."""
    shown = ", ".join(source.rpartition("/")[2] for source in sources[:_LEFT_OUT])
    return shown + (f" and {len(sources) - _LEFT_OUT} more" if len(sources) > _LEFT_OUT else "")


def _weighted(words: Mapping[str, float]) -> str:
    ranked = sorted(words.items(), key=lambda pair: -pair[1])[:_WORDS]
    more = f" and {len(words) - _WORDS} more" if len(words) > _WORDS else ""
    return ", ".join(word if weight == 1 else f"{word} {weight:g}" for word, weight in ranked) + more


def _wordings(queries: Any) -> str:
    if isinstance(queries, Mapping):
        return f"failed: {queries['failed']}"
    return " | ".join(queries or ())


def _numbers(numbers: Mapping[str, Any]) -> str:
    declined = f"; declined: {numbers['declined']}" if numbers.get("declined") else ""
    return f"{numbers['route']} ({numbers['reason']}){declined}" if numbers.get("route") else ""


def _rerank(rerank: Mapping[str, Any]) -> str:
    if "failed" in rerank:
        return f"{rerank['model']} failed: {rerank['failed']}"
    return f"{rerank['model']} ordered {len(rerank['order'])} passages" if rerank else ""


def _parents(parents: Sequence[Mapping[str, Any]]) -> str:
    shown = (f"{p['source']}, page {p['page']}" if p["page"] else str(p["source"]) for p in parents)
    return "; ".join(
        f"{place}: {parent['tokens']} tokens for {sum(parent['hits'])}"
        for place, parent in zip(shown, parents, strict=True)
    )


def _print_ranking(out: Console, ranking: Sequence[Mapping[str, Any]]) -> None:
    from rich.table import Table

    if not ranking:
        return
    parts = {part for row in ranking[:_RANKS] for part in row if part not in ("chunk", "source", "score")}
    columns = [*(name for name in _ROUTES if name in parts), *sorted(parts.difference(_ROUTES))]
    table = Table(
        "", "passage", "score", *columns, title=f"first {min(_RANKS, len(ranking))} of {len(ranking)}", box=None
    )
    for rank, row in enumerate(ranking[:_RANKS], 1):
        name = str(row.get("source") or row["chunk"]).rpartition("/")[2]
        shares = [
            f"{row[part]:.2f}" if isinstance(row.get(part), float) else str(row.get(part, "")) for part in columns
        ]
        table.add_row(str(rank), name, f"{row['score']:.2f}", *shares)
    out.print(table)


def _print_graph(out: Console, ranking: Sequence[Mapping[str, Any]]) -> None:
    """What the graph's routes found, with the rank in each."""
    from rich.table import Table
    from rich.text import Text

    if not ranking:
        return
    columns = [route for route in _GRAPH_ROUTES if any(route in row for row in ranking)]
    title = f"graph: first {min(_RANKS, len(ranking))} of {len(ranking)}, rank by route"
    table = Table("what is said", "score", *columns, title=title, box=None)
    for row in ranking[:_RANKS]:
        said = " ".join(str(row["text"]).split())
        shown = said if len(said) <= _SAID else said[: _SAID - 1] + "…"
        table.add_row(Text(shown), f"{row['score']:.2f}", *(str(row.get(column, "")) for column in columns))
    out.print(table)
