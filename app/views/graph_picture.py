"""A subgraph as one self-contained HTML picture: captions, colours by type, a legend, the sentence of every line."""

from __future__ import annotations

import html
import json
import math
from collections import Counter
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, Literal

from ..kg.graph import Entity, Relation, Subgraph
from ..kg.schema import Schema
from ..kg.timeline import ended

_COLOURS = (
    "#2f6fde", "#e8590c", "#2b8a3e", "#ae3ec9", "#c92a2a", "#0c8599", "#f08c00", "#5f3dc4", "#868e96", "#d6336c",
    "#66a80f", "#1098ad", "#7048e8", "#a61e4d", "#495057", "#e67700", "#087f5b", "#364fc7",
)  # fmt: skip
"""Told apart in print and by most colour-blind readers in this order; a type keeps its colour in every picture."""

_HINTS = {
    "en": "Click on a name or a line to see the sentences behind it. Drag to move, turn the wheel to zoom.",
    "zh": "点击名称或连线可查看原文;拖动可移动,滚轮可缩放。",
}
_SENTENCES = 4
"""Sentences shown for one relation."""


def subgraph_html(
    subgraph: Subgraph, schema: Schema, title: str = "Graph", language: Literal["en", "zh"] = "en"
) -> str:
    """One HTML page that needs no network and no other file. A dashed line is planned, possible, denied or past.

    Text of the documents is data in the page, never markup or script.
    """
    data = _data(subgraph, language, schema)
    return _template().substitute(
        title=html.escape(title), language=language, hint=html.escape(_HINTS[language]), data=_as_script_data(data)
    )


@cache
def _template() -> Template:
    return Template(files(__package__).joinpath("graph_picture.html").read_text(encoding="utf-8"))


def _as_script_data(data: dict[str, Any]) -> str:
    """JSON that cannot close the element it stands in."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", " ").replace("\u2029", " ")


def _data(subgraph: Subgraph, language: str, schema: Schema) -> dict[str, Any]:
    entities = {entity.id: entity for entity in subgraph.entities}
    for relation in subgraph.relations:
        for end in (relation.head, relation.tail):
            entities.setdefault(end.id, end)
    degrees = Counter(end.id for r in subgraph.relations for end in (r.head, r.tail))
    kinds = sorted({entity.type for entity in entities.values()}, key=lambda kind: _rank(kind, schema))
    return {
        "nodes": [_node(entity, degrees[entity.id], language) for entity in entities.values()],
        "links": [_link(relation, language, schema) for relation in subgraph.relations],
        "types": {
            kind: {"label": _type_label(kind, language, schema), "colour": _colour(kind, schema)} for kind in kinds
        },
        "hint": _HINTS[language],
    }


def _node(entity: Entity, degree: int, language: str) -> dict[str, Any]:
    also = "、".join(entity.aliases) if language == "zh" else ", ".join(entity.aliases)
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "size": round(9 + 4 * math.log2(1 + degree), 1),
        "about": also,
    }


def _link(relation: Relation, language: str, schema: Schema) -> dict[str, Any]:
    known = schema.relations.get(relation.relation)
    return {
        "head": relation.head.id,
        "tail": relation.tail.id,
        "label_text": known.label(language) if known else relation.relation.replace("_", " "),
        "weak": bool(relation.successor) or all(s.modality != "asserted" for s in relation.statements),
        "ended": ended(relation),
        "said": [
            {
                "text": " ".join(s.text.split()),
                "where": s.document + (f", p. {s.page}" if s.page else "") + (f", {s.period}" if s.period else ""),
            }
            for s in relation.statements[:_SENTENCES]
        ],
    }


def _rank(kind: str, schema: Schema) -> int:
    return list(schema.types).index(kind) if kind in schema.types else len(schema.types)


def _colour(kind: str, schema: Schema) -> str:
    return _COLOURS[_rank(kind, schema) % len(_COLOURS)]


def _type_label(kind: str, language: str, schema: Schema) -> str:
    known = schema.types.get(kind)
    return known.label(language) if known else kind
