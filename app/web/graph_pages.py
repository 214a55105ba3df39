"""An explorer of the entity graph: a picture of up to 2,000 nodes, what is around one, paths between two."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.period import label_of
from ..kg.graph import Entity, Relation, Statement
from ..kg.timeline import ended
from ..views.graph_page import type_style
from .desk import language_of_request, number, with_errors
from .reading import as_line
from .sheets import Place

if TYPE_CHECKING:
    import numpy as np
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from ..core.language import Language
    from ..kg.schema import Schema
    from .desk import Desk

_SENTENCES = 6
"""Sentences sent for one relation."""
_EXACT = 700
"""Nodes up to which every pair repels; above, far ones repel by the cell of a grid that they stand in."""
_SMALL = 12
_ROUNDS_SMALL, _ROUNDS, _ROUNDS_LARGE = 60, 200, 60
"""Until it stands still: 2,000 nodes of one part take 1.5 s of processor time, those of many small parts less."""
_CELLS = 16
_NEAR = 130.0
"""Pixels between two related nodes."""
_APART, _CROWDED = 40.0, 0.25
"""Pixels that all but the most crowded quarter of the nodes keep from the next one."""
_WIDE = 1.4
"""How much wider than high a picture is."""


def graph_elements(relations: Sequence[Relation], schema: Schema, language: Language) -> dict[str, Any]:
    """Nodes with positions, edges with their sentences, and the types among them with their colours."""
    entities: dict[str, Entity] = {}
    degrees = Counter[str]()
    for relation in relations:
        for entity in relation.ends:
            entities.setdefault(entity.id, entity)
            degrees[entity.id] += 1
    index = {name: place for place, name in enumerate(entities)}
    places = positions(len(entities), [(index[r.head.id], index[r.tail.id]) for r in relations])
    kinds = sorted({entity.type for entity in entities.values()})
    return {
        "nodes": [
            {
                "id": entity.id,
                "name": entity.name,
                "type": entity.type,
                "size": round(11 + 6 * math.log2(1 + degrees[entity.id]), 1),
                "aliases": list(entity.aliases[:8]),
                "x": round(float(places[index[entity.id]][0]), 1),
                "y": round(float(places[index[entity.id]][1]), 1),
            }
            for entity in entities.values()
        ],
        "edges": [_edge(relation, schema, language) for relation in relations],
        "types": {kind: type_style(kind, language, schema) for kind in kinds},
    }


def _edge(relation: Relation, schema: Schema, language: Language) -> dict[str, Any]:
    is_asserted = any(statement.modality == "asserted" for statement in relation.statements)
    years = sorted({statement.period.last_day.year for statement in relation.statements if statement.period})
    return {
        "id": "|".join(relation.key),
        "source": relation.head.id,
        "target": relation.tail.id,
        "relation": relation.relation,
        "label": schema.relation_label(relation.relation, language),
        "weak": bool(relation.successor) or not is_asserted,
        "ended": ended(relation),
        "years": years,
        "said": [_said(statement) for statement in relation.statements[:_SENTENCES]],
    }


def _said(statement: Statement) -> dict[str, Any]:
    return {
        "text": as_line(statement.text),
        "source": statement.document.rpartition("/")[2],
        "page": statement.page,
        "period": label_of(statement.period),
        "url": Place(statement.document, statement.page, statement.start, statement.end).url,
    }


def positions(count: int, edges: Iterable[tuple[int, int]]) -> np.ndarray:
    """Float64 (count, 2) in pixels: related nodes near each other, no two on top of each other.

    Each connected part is laid out by itself, the largest first, and they are put side by side in rows. The same graph
    always gives the same picture.
    """
    import numpy as np

    pairs = np.array(sorted({(min(a, b), max(a, b)) for a, b in edges if a != b}), dtype=np.int64).reshape(-1, 2)
    at = np.zeros((count, 2))
    parts = []
    spread: dict[tuple[int, bytes], np.ndarray] = {}  # most of the small parts look alike
    for members, lines in _connected(count, pairs):
        own = np.searchsorted(members, pairs[lines])
        shape = (len(members), own.tobytes())
        if shape not in spread:
            spread[shape] = _spread(len(members), own)
        parts.append((members, spread[shape]))
    parts.sort(key=lambda part: -len(part[0]))
    for (members, inside), corner in zip(parts, _in_rows([part[1] for part in parts]), strict=True):
        at[members] = inside - inside.min(axis=0) + corner
    return at


def _connected(count: int, pairs: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The nodes of each connected part, in order, and which of the pairs are its own."""
    import numpy as np
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if not count:
        return []
    joined = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), (count, count))
    parts, labels = connected_components(joined, directed=False)
    nodes = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels, minlength=parts))[:-1])
    owners = labels[pairs[:, 0]]
    lines = np.split(np.argsort(owners, kind="stable"), np.cumsum(np.bincount(owners, minlength=parts))[:-1])
    return list(zip(nodes, lines, strict=True))


def _spread(count: int, pairs: np.ndarray) -> np.ndarray:
    """One connected part by Fruchterman and Reingold (1991), started on a spiral; edges of a readable length.

    Nodes of many edges push more and are pulled less, as in ForceAtlas2 (Jacomy et al. 2014): what hangs on a hub
    stands around it, and hubs stand apart.
    """
    import numpy as np
    from scipy.spatial import cKDTree

    steps = np.arange(count)
    radius = _NEAR * 0.6 * np.sqrt(steps + 0.5)
    at = np.stack([radius * np.cos(steps * 2.39996) * _WIDE, radius * np.sin(steps * 2.39996)], axis=1)
    if count < 2:
        return at
    rounds = _ROUNDS_LARGE if count > _EXACT else _ROUNDS if count > _SMALL else _ROUNDS_SMALL
    degrees = np.bincount(pairs.ravel(), minlength=count)
    mass = np.sqrt(1.0 + degrees)
    looseness = 1.0 / np.sqrt(np.maximum(degrees[pairs], 1).max(axis=1))
    for step in range(rounds):
        force = _repulsion(at, mass) + _attraction(at, pairs, looseness)
        force -= at * np.array([0.04, 0.1])  # wider than high, as windows are
        size = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        heat = _NEAR * 0.5 * (1 - step / rounds) + 0.5
        at += force * (np.minimum(size, heat) / size)[:, None]
    lengths = np.hypot(*(at[pairs[:, 0]] - at[pairs[:, 1]]).T)
    beside, _ = cKDTree(at).query(at, 2)
    apart = float(np.quantile(beside[:, 1], _CROWDED))
    scaled: np.ndarray = at * max(_NEAR / max(float(np.median(lengths)), 1.0), _APART / max(apart, 1.0))
    return scaled


def _in_rows(parts: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """The upper left corner of each part, side by side in rows about as wide as the whole is to be."""
    sizes = [(part.max(axis=0) - part.min(axis=0) + _NEAR) for part in parts]
    area = sum(float(width * height) for width, height in sizes)
    row_width = max([math.sqrt(area) * _WIDE, *(float(width) for width, _ in sizes)], default=0.0)
    corners, x, y, row_height = [], 0.0, 0.0, 0.0
    for width, height in sizes:
        if x and x + width > row_width:
            x, y, row_height = 0.0, y + row_height, 0.0
        corners.append((x, y))
        x, row_height = x + float(width), max(row_height, float(height))
    return corners


def _attraction(at: np.ndarray, pairs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    import numpy as np

    pull = np.zeros_like(at)
    if len(pairs):
        apart = at[pairs[:, 1]] - at[pairs[:, 0]]
        force = apart * (np.hypot(apart[:, 0], apart[:, 1]) / _NEAR * 0.8 * weights)[:, None]
        np.add.at(pull, pairs[:, 0], force)
        np.add.at(pull, pairs[:, 1], -force)
    return pull


def _repulsion(at: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """What pushes each node from all others, mass * _NEAR**2 / distance; of many nodes the far ones count by cells."""
    import numpy as np

    if len(at) <= _EXACT:
        return _pushed(at, at, mass)
    low, high = at.min(axis=0), at.max(axis=0)
    cell = np.minimum(((at - low) / np.maximum(high - low, 1e-9) * _CELLS).astype(np.int64), _CELLS - 1)
    flat = cell[:, 0] * _CELLS + cell[:, 1]
    weights = np.bincount(flat, mass, _CELLS**2)
    centres = np.stack([np.bincount(flat, at[:, axis] * mass, _CELLS**2) for axis in (0, 1)], axis=1)
    full = weights > 0
    push = _pushed(at, centres[full] / weights[full, None], weights[full])
    order = np.argsort(flat, kind="stable")
    for members in np.split(order, np.cumsum(np.bincount(flat, minlength=_CELLS**2))[:-1]):
        if len(members) > 1:
            push[members] += _pushed(at[members], at[members], mass[members])
    return push


def _pushed(at: np.ndarray, others: np.ndarray, weights: np.ndarray) -> np.ndarray:
    import numpy as np

    x = at[:, 0][:, None] - others[:, 0][None, :]
    y = at[:, 1][:, None] - others[:, 1][None, :]
    force = _NEAR**2 / (x * x + y * y + 25.0) * weights
    return np.stack([(x * force).sum(axis=1), (y * force).sum(axis=1)], axis=1)


MOST_NODES, _NODES = 2_000, 300
_EDGES_PER_NODE = 4
"""Relations drawn for each node of the large picture: more are a ball of wool."""
_COUNTED = 10_000
"""Relations among which those of one kind are looked for: 0.15 ms each, once a state of the workspace."""
_MOST_NEAR, _PATHS = 60, 4


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
        return _json(self._elements(store.subgraph([name], _MOST_NEAR).relations, language_of_request(request)))

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
