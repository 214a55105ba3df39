"""Stores with the shipped schema, and documents that need a user's own."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from cliquerag.kg.engines import opening
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store
from support.bundles import bundle, entity

SCHEMA = load_schema()


def open_store(url: str, create: bool = True) -> Store:
    """As :func:`cliquerag.kg.engines.opening.open_store`."""
    return opening.open_store(url, create=create, schema=SCHEMA)


OWN_SCHEMA = """
[types]
drug = {en = "Drug", neo4j = "Medicine"}

[relations.rated_by]
heads = ["company"]
tails = ["company"]
functional = true
en = "is rated by"
inverse = "rates"

[relations.develops]
heads = ["company"]
tails = ["drug"]
en = "has in trials"
"""
"""A user's file: a type of its own, and a relation that the next of its kind ends."""


def rated(source: str, rater: str, published: date) -> Bundle:
    """A document that says who rates Acme, and that Acme develops the drug Zolimab."""
    given = bundle(source, f"[Acme] rated_by [{rater}]", "[Acme] develops [Zolimab]", published=published)
    drug = entity("Zolimab", "drug")
    part = given.graph
    entities = [drug if known.name == "Zolimab" else known for known in part.entities]
    mentions = [replace(m, entity=drug.id) if m.name == "Zolimab" else m for m in part.mentions]
    statements = [
        replace(
            said,
            tail=drug.id if said.relation == "develops" else said.tail,
            published=published,
            modality="asserted",
            period=None,
        )
        for said in part.statements
    ]
    graph = replace(part, entities=tuple(entities), mentions=tuple(mentions), statements=tuple(statements))
    return replace(given, graph=graph)
