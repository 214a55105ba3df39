"""Relations that follow from others: counted rules, shown as inferred, and found again where they are hidden."""

from __future__ import annotations

from dataclasses import replace

from cliquerag.kg.graph import Entity, Relation, Statement
from cliquerag.kg.link_prediction import LinkPredictor
from cliquerag.kg.schema import load_schema

SCHEMA = load_schema()


def _entity(name: str) -> Entity:
    return Entity(name, name, "person" if name.startswith("p") else "company")


def _relation(head: str, name: str, tail: str, modality: str = "asserted") -> Relation:
    said = Statement(f"{head}{name}{tail}", head, name, tail, "a.txt", "c", 0, 1, "", modality=modality)
    return Relation(_entity(head), name, _entity(tail), (said,))


def _leaders(count: int, works: int) -> list[Relation]:
    """``count`` people who lead a firm each, the first ``works`` of them also stated to work for it."""
    led = [_relation(f"p{i}", "leads", f"c{i}") for i in range(count)]
    return led + [_relation(f"p{i}", "works_for", f"c{i}") for i in range(works)]


def test_what_holds_for_most_is_predicted_for_the_rest() -> None:
    (guess,) = LinkPredictor(_leaders(5, 4), SCHEMA).predictions("p4", relation="works_for")
    assert (guess.head.name, guess.relation, guess.tail.name, guess.inferred) == ("p4", "works_for", "c4", True)
    assert 0.8 <= guess.score < 0.85 and guess.why == "p4 leads c4"


def test_two_steps_make_a_rule() -> None:
    chains = []
    for i in range(4):
        chains += [_relation(f"a{i}", "subsidiary_of", f"b{i}"), _relation(f"b{i}", "subsidiary_of", f"c{i}")]
    chains += [_relation(f"a{i}", "subsidiary_of", f"c{i}") for i in range(3)]
    guesses = LinkPredictor(chains, SCHEMA).predictions("a3", relation="subsidiary_of")
    best = guesses[0]
    assert best.tail.name == "c3" and best.why == "a3 is a subsidiary of b3; b3 is a subsidiary of c3"


def test_what_is_stated_denied_or_seen_too_rarely_is_not_predicted() -> None:
    stated = LinkPredictor(_leaders(5, 5), SCHEMA)
    assert stated.predictions("p0", relation="works_for") == []
    denied = [_relation("p9", "leads", "c9", "negated"), *_leaders(5, 4)]
    assert LinkPredictor(denied, SCHEMA).predictions("p9") == []
    assert LinkPredictor(_leaders(5, 2), SCHEMA).predictions("p4", relation="works_for") == []


def test_types_that_the_schema_does_not_allow_are_not_joined() -> None:
    relations = _leaders(6, 5)
    guesses = LinkPredictor(relations, SCHEMA).predictions("c5")
    assert all(SCHEMA.relations[g.relation].allows(g.head.type, g.tail.type) for g in guesses)


def test_a_shared_place_makes_nobody_alike_and_a_shared_parent_does() -> None:
    places = [_relation(f"c{i}", "incorporated_in", "Delaware") for i in range(8)]
    owned = [_relation(f"c{i}", "subsidiary_of", "parent") for i in range(7)]
    places = [replace(r, tail=Entity("Delaware", "Delaware", "place")) for r in places]
    assert LinkPredictor([*places, *owned], SCHEMA).predictions("c7") == []
    (guess, *_) = LinkPredictor([*places[:6], *owned], SCHEMA).predictions("c6")
    assert (guess.relation, guess.tail.name) == ("incorporated_in", "Delaware")
    assert "6 of 6 others alike" in guess.why
