"""What the graph may say: entity types and relations, read from ``schema.toml`` or a user's own file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from ..core.errors import UsageError
from ..core.records import dataclass
from ..core.rules import load_rules, read_rules
from ..core.sequences import first, without
from .triple import Triple

Tense = Literal["event", "state"]


@dataclass(frozen=True, slots=True)
class EntityType:
    """A kind of thing; ``neo4j`` is its node label."""

    name: str
    en: str
    zh: str = ""
    neo4j: str = ""

    def label(self, language: str = "en") -> str:
        """How it is shown to a reader of that language."""
        return (self.zh if language == "zh" else self.en) or self.en


@dataclass(frozen=True, slots=True)
class RelationType:
    """A directed relation and what it may join."""

    name: str
    inverse: str
    heads: frozenset[str]
    tails: frozenset[str]
    tense: Tense = "state"
    functional: bool = False
    symmetric: bool = False
    ends: frozenset[str] = frozenset()
    """Relations between the same two that hold no more once it has happened: who is bought is a partner no more."""
    en: str = ""
    zh: str = ""
    asked: tuple[str, ...] = ()
    """Further phrases by which questions ask for it: "buys", "takes over", 买下; a verb in the form of "she buys"."""

    def __hash__(self) -> int:
        """By the name: all relations of a schema are the key of what is known of them, asked for by every question."""
        return hash(self.name)

    @property
    def neo4j(self) -> str:
        """Its relationship type: the name in upper case."""
        return self.name.upper()

    def label(self, language: str = "en") -> str:
        """How it is shown to a reader of that language."""
        return (self.zh if language == "zh" else self.en) or self.name.replace("_", " ")

    def allows(self, head_type: str, tail_type: str) -> bool:
        """True where it may lead from one type to the other."""
        return head_type in self.heads and tail_type in self.tails


@dataclass(frozen=True, slots=True)
class Schema:
    """All types and relations, by name.

    >>> schema = load_schema()
    >>> schema.relations["subsidiary_of"].functional, schema.relations["acquires"].inverse
    (True, 'acquired_by')
    """

    types: Mapping[str, EntityType] = field(default_factory=dict)
    relations: Mapping[str, RelationType] = field(default_factory=dict)

    def is_functional(self, relation: str) -> bool:
        """True where a head has one tail at a time; False for an unknown relation."""
        known = self.relations.get(relation)
        return known is not None and known.functional

    def relation_label(self, relation: str, language: str = "en") -> str:
        """How a relation is shown to a reader of that language; an unknown one by its name.

        >>> load_schema().relation_label("partners_with"), load_schema().relation_label("is_near")
        ('partners with', 'is near')
        """
        known = self.relations.get(relation)
        return known.label(language) if known else relation.replace("_", " ")

    def type_label(self, kind: str, language: str = "en") -> str:
        """How a type is shown to a reader of that language; an unknown one by its name."""
        known = self.types.get(kind)
        return known.label(language) if known else kind

    def violation(self, triple: Triple) -> str:
        """Why a triple cannot stand in this graph; empty if it can.

        >>> load_schema().violation(Triple("Acme", "company", "eats", "Bolt", "company", "", 0, 0))
        'relation outside the schema: eats'
        """
        relation = self.relations.get(triple.relation)
        if relation is None:
            return f"relation outside the schema: {triple.relation}"
        unknown = first(without((triple.head_type, triple.tail_type), self.types), None)
        if unknown is not None:
            return f"type outside the schema: {unknown}"
        if not relation.allows(triple.head_type, triple.tail_type):
            return f"{triple.relation} does not lead from {triple.head_type} to {triple.tail_type}"
        return ""

    def check(self, triple: Triple) -> Triple:
        """The triple with the reason why it is kept out, if there is one."""
        return replace(triple, reason=triple.reason or self.violation(triple))

    def canonical(self, name: str) -> tuple[str, bool]:
        """A relation's own name and whether head and tail are to be swapped, for a name that may be an inverse.

        >>> load_schema().canonical("acquired_by")
        ('acquires', True)
        """
        if name in self.relations:
            return name, False
        owner = next((r.name for r in self.relations.values() if r.inverse == name), "")
        return (owner, True) if owner else (name, False)


def load_schema(path: Path | str | None = None) -> Schema:
    """The built-in schema, with a user's file on top.

    The file has the same form. It extends and overrides by name; with ``replace = true`` at its top it stands alone.
    Raises :class:`core.errors.UsageError` where the file cannot be read or a relation names an unknown type.
    """
    return _built_in() if path is None else _with_file(Path(path))


@cache
def _built_in() -> Schema:
    return _schema(load_rules(__package__, "schema.toml"), "schema.toml")


def _with_file(path: Path) -> Schema:
    own = read_rules(path)
    if own.get("replace"):
        return _schema(own, str(path))
    base = load_rules(__package__, "schema.toml")
    merged = {table: {**base[table], **own.get(table, {})} for table in ("types", "relations")}
    return _schema(merged, str(path))


def _schema(data: Mapping[str, Any], where: str) -> Schema:
    types = {name: _type(name, values) for name, values in data.get("types", {}).items()}
    relations = {name: _relation(name, values, where) for name, values in data.get("relations", {}).items()}
    for relation in relations.values():
        unknown = (relation.heads | relation.tails) - types.keys()
        if unknown:
            hint = f"Add it under [types] or use one of: {', '.join(types)}"
            raise UsageError(f"relation {relation.name} names an unknown type: {min(unknown)}", where=where, hint=hint)
    return Schema(types, relations)


def _type(name: str, values: Mapping[str, str]) -> EntityType:
    label = values.get("neo4j") or node_label(name)
    return EntityType(name, values.get("en", name), values.get("zh", ""), label)


def node_label(kind: str) -> str:
    """The label in Neo4j of a type that names none.

    >>> node_label("business_unit")
    'BusinessUnit'
    """
    return "".join(map(str.capitalize, kind.split("_")))


def _relation(name: str, values: Mapping[str, Any], where: str) -> RelationType:
    missing = [end for end in ("heads", "tails") if not values.get(end)]
    if missing:
        raise UsageError(f"relation {name} lacks {missing[0]}", where=where, hint="List the allowed types")
    tense: Tense = "event" if values.get("tense") == "event" else "state"
    symmetric = bool(values.get("symmetric", False))
    return RelationType(
        name=name,
        inverse=values.get("inverse") or (name if symmetric else f"{name}_of"),
        heads=frozenset(values["heads"]),
        tails=frozenset(values["tails"]),
        tense=tense,
        functional=bool(values.get("functional", False)),
        symmetric=symmetric,
        ends=frozenset(values.get("ends", ())),
        en=values.get("en", ""),
        zh=values.get("zh", ""),
        asked=tuple(values.get("asked", ())),
    )
