"""An explorer of the entity graph: a picture of up to 2,000 nodes, what is around one, paths between two."""

from __future__ import annotations

import threading
from collections import Counter
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
_COUNTED = 10_000
"""Relations among which those of one kind are looked for: 0.15 ms each, once a state of the workspace."""
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
        self._counted: tuple[int, Counter[str]] | None = None

    def start(self, request: Request) -> Response:
        """The explorer, perhaps on one entity."""
        given = request.query_params
        nodes = min(number(given, "nodes") or _NODES, MOST_NODES)
        counts = self._desk.workspace.store.counts()
        kinds = self._kinds_of_relation(language_of_request(request))
        relation = given.get("relation", "")
        return self._desk.page(
            request,
            "graph.html",
            nodes=nodes,
            about=given.get("about", ""),
            counts=counts,
            relations=kinds,
            relation=relation if relation in dict(kinds) else "",
        )

    def all(self, request: Request) -> Response:
        """The most mentioned entities with the relations between them; laid out once a state of the workspace."""
        nodes = min(number(request.query_params, "nodes") or _NODES, MOST_NODES)
        relation = request.query_params.get("relation", "")
        language = language_of_request(request)
        key = (self._desk.workspace.store.version(), nodes, relation, language)
        with self._lock:
            if self._drawn is None or self._drawn[0] != key:
                self._drawn = (key, self._elements(self._largest(nodes, relation), language))
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
        from ..kg.entity_names import look_up

        return look_up(self._desk.workspace.store, name[:200]).id

    def _kinds_of_relation(self, language: Language) -> list[tuple[str, str]]:
        """(name, label with how many there are) of each relation of the graph, the most frequent first."""
        store, schema = self._desk.workspace.store, self._desk.workspace.vocabulary.schema
        with self._lock:
            if self._counted is None or self._counted[0] != store.version():
                found = Counter(relation.relation for relation in store.all_relations(_COUNTED))
                self._counted = (store.version(), found)
            counted = self._counted[1]
        return [(name, f"{schema.relation_label(name, language)} ({n:,})") for name, n in counted.most_common()]

    def _largest(self, nodes: int, kind: str = "") -> list[Relation]:
        """Relations, all or of one kind, best supported first, until they name as many entities."""
        chosen: list[Relation] = []
        named: set[str] = set()
        store = self._desk.workspace.store
        if kind:
            relations = [one for one in store.all_relations(_COUNTED) if one.relation == kind]
        else:
            relations = list(store.all_relations(nodes * _EDGES_PER_NODE))
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
