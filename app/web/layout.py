"""Relations as nodes and edges with positions: what the pictures of the graph are drawn from."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..kg.graph import Entity, Relation, Statement
from ..kg.timeline import ended
from ..views.graph_page import type_style
from .reading import as_line
from .sheets import Place

if TYPE_CHECKING:
    import numpy as np

    from ..core.language import Language
    from ..kg.schema import Schema

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
        "period": statement.period.label if statement.period else "",
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
