"""A subgraph as one self-contained HTML picture: captions, colours by type, a legend, the sentence of every line."""

from __future__ import annotations

import html
import json
import math
from collections import Counter
from string import Template
from typing import Any, Literal

from ..core.anchor import place_name
from ..kg.graph import Entity, Relation, Statement, Subgraph
from ..kg.schema import Schema
from ..kg.timeline import ended
from .page import page

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
_BODY = Template("""<svg id="picture" role="img" aria-label="$title">
  <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
    <path d="M0 0 8 4 0 8z"/></marker></defs>
  <g id="scene"></g>
</svg>
<aside id="about"><p>$hint</p></aside>""")


def subgraph_html(
    subgraph: Subgraph, schema: Schema, title: str = "Graph", language: Literal["en", "zh"] = "en"
) -> str:
    """One HTML page that needs no network and no other file. A dashed line is planned, possible, denied or past.

    Text of the documents is data in the page, never markup or script.
    """
    hint = _HINTS[language]
    return page(
        "graph",
        title=title,
        lead='<div class="legend" id="legend"></div>',
        body=_BODY.substitute(title=html.escape(title), hint=html.escape(hint)),
        language=language,
        data=json.dumps(_data(subgraph, language, schema), ensure_ascii=False),
    )


def _data(subgraph: Subgraph, language: str, schema: Schema) -> dict[str, Any]:
    entities = {entity.id: entity for entity in subgraph.entities}
    degrees = Counter[str]()
    for relation in subgraph.relations:
        head, tail = relation.head, relation.tail
        entities.setdefault(head.id, head)
        entities.setdefault(tail.id, tail)
        degrees.update((head.id, tail.id))
    kinds = sorted({entity.type for entity in entities.values()}, key=lambda kind: _rank(kind, schema))
    return {
        "nodes": [_node(entity, degrees[entity.id], language) for entity in entities.values()],
        "links": [_link(relation, language, schema) for relation in subgraph.relations],
        "types": {kind: type_style(kind, language, schema) for kind in kinds},
        "hint": _HINTS[language],
    }


def _node(entity: Entity, degree: int, language: str) -> dict[str, Any]:
    separator = "、" if language == "zh" else ", "
    return {
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "size": round(9 + 4 * math.log2(1 + degree), 1),
        "about": separator.join(entity.aliases),
    }


def _link(relation: Relation, language: str, schema: Schema) -> dict[str, Any]:
    known = schema.relations.get(relation.relation)
    is_asserted = any(statement.modality == "asserted" for statement in relation.statements)
    return {
        "head": relation.head.id,
        "tail": relation.tail.id,
        "label_text": known.label(language) if known else relation.relation.replace("_", " "),
        "weak": bool(relation.successor) or not is_asserted,
        "ended": ended(relation),
        "said": [_said(statement) for statement in relation.statements[:_SENTENCES]],
    }


def _said(statement: Statement) -> dict[str, str]:
    where = [statement.document]
    if statement.page:
        where.append(place_name(statement) or f"p. {statement.page}")
    if statement.period:
        where.append(str(statement.period))
    return {"text": " ".join(statement.text.split()), "where": ", ".join(where)}


def _rank(kind: str, schema: Schema) -> int:
    return list(schema.types).index(kind) if kind in schema.types else len(schema.types)


def type_style(kind: str, language: str, schema: Schema) -> dict[str, str]:
    """What a type of entity is called, and the colour that it has in every picture."""
    known = schema.types.get(kind)
    label = known.label(language) if known else kind
    return {"label": label, "colour": _COLOURS[_rank(kind, schema) % len(_COLOURS)]}
