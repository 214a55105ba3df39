"""An explorer of the entity graph: a picture of up to 2,000 nodes, what is around one, paths between two."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .desk import language_of_request, number, with_errors
from .layout import graph_elements

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..core.language import Language
    from ..kg.graph import Relation
    from .desk import Desk

MOST_NODES, _NODES = 2_000, 300
_EDGES_PER_NODE = 4
"""Relations drawn for each node of the large picture: more are a ball of wool."""
_NEAR, _PATHS = 60, 4


def routes(desk: Desk) -> list[Route]:
    """The addresses of the explorer."""
    from starlette.routing import Route

    pages = GraphPages(desk)
    got = {
        "/graph": pages.start,
        "/graph/all.json": pages.all,
        "/graph/near.json": pages.near,
        "/graph/path.json": pages.path,
        "/graph/names.json": pages.names,
    }
    return [Route(path, with_errors(desk, handler)) for path, handler in got.items()]


class GraphPages:
    """Handlers, which answer in a thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._drawn: tuple[tuple[Any, ...], dict[str, Any]] | None = None

    def start(self, request: Request) -> Response:
        """The explorer, perhaps on one entity."""
        given = request.query_params
        nodes = min(number(given, "nodes") or _NODES, MOST_NODES)
        counts = self._desk.workspace.store.counts()
        return self._desk.page(request, "graph.html", nodes=nodes, about=given.get("about", ""), counts=counts)

    def all(self, request: Request) -> Response:
        """The most mentioned entities with the relations between them; laid out once a state of the workspace."""
        nodes = min(number(request.query_params, "nodes") or _NODES, MOST_NODES)
        language = language_of_request(request)
        key = (self._desk.workspace.store.version(), nodes, language)
        with self._lock:
            if self._drawn is None or self._drawn[0] != key:
                self._drawn = (key, self._elements(self._largest(nodes), language))
            return _json(self._drawn[1])

    def near(self, request: Request) -> Response:
        """What is around one entity, by its id or name."""
        store = self._desk.workspace.store
        given = request.query_params
        name = given.get("id") or self._id_of(given.get("name", ""))
        return _json(self._elements(store.subgraph([name], _NEAR).relations, language_of_request(request)))

    def path(self, request: Request) -> Response:
        """The best supported paths between two entities, by their names."""
        from ..kg.paths import best_paths

        workspace = self._desk.workspace
        start, goal = (self._id_of(request.query_params.get(end, "")) for end in ("start", "goal"))
        found = best_paths(workspace.store, start, goal, workspace.vocabulary.schema, _PATHS)
        relations = {relation.key: relation for path in found for relation in path}
        return _json(self._elements(relations.values(), language_of_request(request)))

    def names(self, request: Request) -> Response:
        """Names like the one that is being typed."""
        typed = request.query_params.get("q", "").strip()[:100]
        found = self._desk.workspace.store.similar_entities(typed, 12) if len(typed) > 1 else []
        return _json([entity.name for entity in found])

    def _id_of(self, name: str) -> str:
        from ..kg.entity_lookup import look_up

        return look_up(self._desk.workspace.store, name[:200]).id

    def _largest(self, nodes: int) -> list[Relation]:
        """Relations, best supported first, until they name as many entities."""
        chosen: list[Relation] = []
        named: set[str] = set()
        relations = self._desk.workspace.store.all_relations(nodes * _EDGES_PER_NODE)
        for relation in sorted(relations, key=lambda one: (-one.support, -_mentions(one), one.key)):
            ends = {entity.id for entity in relation.ends}
            if len(named | ends) <= nodes:
                named |= ends
                chosen.append(relation)
        return chosen

    def _elements(self, relations: Iterable[Relation], language: Language) -> dict[str, Any]:
        return graph_elements(list(relations), self._desk.workspace.vocabulary.schema, language)


def _mentions(relation: Relation) -> int:
    return relation.head.mentions + relation.tail.mentions


def _json(data: Any) -> Response:
    from starlette.responses import JSONResponse

    return JSONResponse(data, headers={"cache-control": "no-store"})
