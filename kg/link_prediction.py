"""Relations that nobody states but that follow from others, each with its reason: inferred, never answered from.

Rules of one and two steps are counted in the graph itself (after AMIE, Galárraga et al. 2013): "who leads a company
works for it", "a subsidiary of a subsidiary is a subsidiary". A rule's confidence is the share of the pairs which its
steps join that have the relation too. Shared neighbours (Adamic and Adar 2003) decide between equals.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ..core.records import dataclass
from .graph import Entity, Relation
from .schema import Schema

_LEAST_PAIRS = 3
"""Pairs that a rule has to hold for."""
_LEAST_CONFIDENCE = 0.1
_HUB = 500
"""An entity with more neighbours joins everything with everything: no second step is taken from it."""
_GENERIC = frozenset({"place", "role", "metric", "market", "method", "risk", "regulation", "regulator", "thing"})
"""Types that make nobody alike: firms incorporated in Delaware are not therefore subsidiaries of one parent."""
_TIE = 0.01
"""Worth of shared neighbours beside a rule."""

Step = tuple[str, bool]
"""A relation, and whether it is walked from tail to head."""
Body = tuple[Step, ...]
Triplet = tuple[str, str, str]
"""Head id, relation, tail id."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """A relation that is not stated: ``score`` 0..1 is the confidence of the best rule, ``why`` that rule in words."""

    head: Entity
    relation: str
    tail: Entity
    score: float
    why: str
    inferred: bool = True


class LinkPredictor:
    """Rules counted in some relations. Denied and uncertain statements are no evidence."""

    def __init__(self, relations: Iterable[Relation], schema: Schema) -> None:
        self._schema = schema
        self._entities: dict[str, Entity] = {}
        self._known: set[Triplet] = set()
        self._steps: dict[str, set[tuple[Step, str]]] = defaultdict(set)
        for relation in relations:
            if any(statement.modality == "asserted" for statement in relation.statements):
                self._add(relation)
        self._rules = self._counted()

    def predictions(self, entity: str, limit: int = 10, relation: str = "") -> list[Prediction]:
        """What follows for an entity (id) as head, best first; of one relation where it is named."""
        scored: dict[Triplet, tuple[float, str]] = {}
        for body, end, path in self._walks(entity):
            for name, confidence in self._rules.get(body, {}).items():
                triplet = (entity, name, end)
                is_asked = relation in ("", name)
                if not is_asked or triplet in self._known or not self._allows(triplet):
                    continue
                score = confidence + _TIE * self._shared(entity, end)
                if score > scored.get(triplet, (0.0, ""))[0]:
                    scored[triplet] = (score, self._in_words(body, path))
        for triplet, share, why in self._as_others(entity, relation):
            if triplet not in self._known and self._allows(triplet) and share > scored.get(triplet, (0.0, ""))[0]:
                scored[triplet] = (share, why)
        ranked = sorted(scored.items(), key=lambda item: (-item[1][0], item[0]))[:limit]
        return [
            Prediction(self._entities[head], name, self._entities[tail], round(min(1.0, score), 3), why)
            for (head, name, tail), (score, why) in ranked
        ]

    def _as_others(self, entity: str, relation: str) -> Iterable[tuple[Triplet, float, str]]:
        """What holds for many that share a neighbour with the entity in the same way, and the share of them."""
        for (name, is_back), middle in sorted(self._steps[entity]):
            if self._entities[middle].type in _GENERIC:
                continue
            step_back = (name, not is_back)
            alike = [end for step, end in self._steps[middle] if step == step_back and end != entity]
            for (own, tail), count in self._relations_of(alike).items():
                if count < _LEAST_PAIRS or relation not in ("", own):
                    continue
                is_known = own == name and tail in (entity, middle)
                if is_known or self._has_one(entity, own):
                    continue
                label = self._schema.relation_label(own)
                shared = self._in_words(((name, is_back),), (entity, middle))
                why = f"{shared}; {count} of {len(alike)} others alike {label} {self._entities[tail].name}"
                yield (entity, own, tail), count / len(alike) / 2, why

    def _relations_of(self, entities: Iterable[str]) -> Counter[tuple[str, str]]:
        """(relation, tail) -> how many of the entities have it, counted once for each statement of it."""
        counts: Counter[tuple[str, str]] = Counter()
        for entity in entities:
            counts.update((own, tail) for (own, is_back), tail in self._steps[entity] if not is_back)
        return counts

    def _has_one(self, entity: str, relation: str) -> bool:
        """True where the entity has a tail of a relation of which there is one at a time."""
        if not self._schema.is_functional(relation):
            return False
        return any(step == (relation, False) for step, _ in self._steps[entity])

    def _add(self, relation: Relation) -> None:
        head, name, tail = relation.key
        self._entities[head], self._entities[tail] = relation.head, relation.tail
        self._known.add(relation.key)
        self._steps[head].add(((name, False), tail))
        self._steps[tail].add(((name, True), head))
        known = self._schema.relations.get(name)
        if known is not None and known.symmetric:
            self._known.add((tail, name, head))

    def _counted(self) -> Mapping[Body, Mapping[str, float]]:
        """Body of a rule -> relation that it leads to -> confidence."""
        joined: Counter[Body] = Counter()
        held: dict[Body, Counter[str]] = defaultdict(Counter)
        between: dict[tuple[str, str], set[str]] = defaultdict(set)
        for head, name, tail in self._known:
            between[head, tail].add(name)
        for start in self._entities:
            for body, end in {(body, end) for body, end, _ in self._walks(start)}:
                joined[body] += 1
                itself = body[0][0] if len(body) == 1 and not body[0][1] else ""
                held[body].update(between.get((start, end), set()) - {itself})
        return {body: self._confident(joined[body], counts) for body, counts in held.items()}

    @staticmethod
    def _confident(pairs: int, counts: Mapping[str, int]) -> dict[str, float]:
        enough = {name: count / pairs for name, count in counts.items() if count >= _LEAST_PAIRS}
        return {name: share for name, share in enough.items() if share >= _LEAST_CONFIDENCE}

    def _walks(self, start: str) -> Iterable[tuple[Body, str, tuple[str, ...]]]:
        """Every walk of one and two steps: its steps, its end, and the entities on the way."""
        for step, middle in sorted(self._steps[start]):
            yield (step,), middle, (start, middle)
            if len(self._steps[middle]) > _HUB:
                continue
            for further, end in sorted(self._steps[middle]):
                if end != start:
                    yield (step, further), end, (start, middle, end)

    def _allows(self, triplet: Triplet) -> bool:
        head, name, tail = triplet
        known = self._schema.relations.get(name)
        return known is not None and known.allows(self._entities[head].type, self._entities[tail].type)

    def _shared(self, one: str, other: str) -> float:
        """Adamic-Adar: shared neighbours, those with few neighbours counting more."""
        common = {end for _, end in self._steps[one]} & {end for _, end in self._steps[other]}
        return sum(1 / math.log(1 + len(self._steps[end])) for end in common)

    def _in_words(self, body: Body, path: Sequence[str]) -> str:
        parts: list[str] = []
        for (name, is_back), (start, end) in zip(body, pairwise(path), strict=True):
            head, tail = (end, start) if is_back else (start, end)
            verb = self._schema.relation_label(name)
            parts.append(f"{self._entities[head].name} {verb} {self._entities[tail].name}")
        return "; ".join(parts)
