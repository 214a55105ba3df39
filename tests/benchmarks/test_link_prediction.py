"""Each asserted relation is hidden once, and counts where it comes back by a rule or by being usual."""

from __future__ import annotations

from cliquerag.kg.graph import Entity, Relation, Statement
from cliquerag.kg.schema import load_schema

from benchmarks.tasks.graph.link_prediction import hide_each


def _relation(head: str, name: str, tail: str, modality: str = "asserted") -> Relation:
    said = Statement(f"{head}{name}{tail}", head, name, tail, "a.txt", "c", 0, 1, "", modality=modality)
    return Relation(Entity(head, head, "person"), name, Entity(tail, tail, "company"), (said,))


def test_what_follows_by_a_rule_is_found_again_and_what_nothing_else_says_is_not() -> None:
    led = [_relation(f"p{i}", "leads", f"c{i}") for i in range(20)]
    works = [_relation(f"p{i}", "works_for", f"c{i}") for i in range(20)]
    denied = _relation("p1", "works_for", "c2", "negated")
    hidden = hide_each([*led, *works, denied], load_schema())
    assert len(hidden) == 40, "what is denied is nothing to be found again"
    assert sum(one.predicted for one in hidden) >= 30, "but pairs of which both are hidden at once"
    (alone,) = hide_each([_relation("hermit", "works_for", "nowhere")], load_schema())
    assert not (alone.predicted or alone.frequent or alone.is_known)


def test_an_end_that_most_heads_have_is_counted_for_the_baseline() -> None:
    works = [_relation(f"p{i}", "works_for", "one") for i in range(30)]
    assert all(one.frequent for one in hide_each(works, load_schema()))
