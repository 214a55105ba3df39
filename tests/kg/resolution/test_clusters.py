"""Merges as an overlay: grouping, who stands for a cluster, and what may never come together."""

from __future__ import annotations

import networkx as nx
from cliquerag.kg.graph import Entity, Merge
from cliquerag.kg.resolution.clusters import Member, StoredMerge, admissible, components, proposals, represent, settle
from hypothesis import given
from hypothesis import strategies as st


def merge(one: str, other: str, **more) -> Merge:
    return Merge(f"{one}-{other}", one, other, "test", **more)


def company(id: str, name: str, key: str = "") -> Entity:
    return Entity(id, name, "company", key)


def test_a_caption_in_capitals_gives_way_to_the_same_name_in_small_letters():
    loud, quiet = Entity("1", "ADOBE INC.", "company", "adobe", mentions=9), company("2", "Adobe Inc.", "adobe")
    found = represent([quiet, loud], 3)
    assert (found.id, found.name, found.aliases) == ("1", "Adobe Inc.", ("ADOBE INC.",))
    other = company("3", "Securities Commission", "securities commission")
    assert represent([Entity("4", "SEC", "company", "sec", mentions=2), other], 1).name == "SEC"


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20))
def test_components_are_those_of_networkx(edges):
    graph = nx.Graph()
    graph.add_nodes_from(range(10))
    graph.add_edges_from((a, b) for a, b in edges if a < 10 and b < 10)
    found = components(range(10), edges)
    assert {frozenset(group) for group in found} == {frozenset(group) for group in nx.connected_components(graph)}
    assert [group[0] for group in found] == sorted(group[0] for group in found)


def test_the_most_mentioned_member_stands_for_its_cluster():
    members = [
        Entity("b", "Acme", "company", "acme", mentions=3, context={"ticker": "ACM"}),
        Entity("a", "Acme Inc.", "company", "acme", mentions=3),
        Entity("c", "ACME", "company", "acme", mentions=1, context={"ticker": "XXX", "country": "US"}),
    ]
    found = represent(members, documents=5)
    assert (found.id, found.name, found.aliases, found.mentions) == ("a", "Acme Inc.", ("Acme", "ACME"), 7)
    assert found.documents == 5 and found.context == {"ticker": "ACM", "country": "US"}


def test_what_was_taken_apart_stays_apart_by_any_way():
    where = {name: name for name in "abcd"}
    wanted = [merge("a", "b"), merge("b", "c"), merge("c", "d"), merge("a", "d")]
    assert admissible(wanted, where, {("a", "c")}) == [wanted[0], wanted[2]]
    assert admissible([merge("b", "a")], where, {("a", "b")}) == []
    assert admissible([merge("a", "x")], where, ()) == []


def test_a_name_does_not_join_two_that_exclude_each_other():
    stored = [company("1", "Merck KGaA", "merck")]
    first, apart = proposals([company("2", "Merck", "merck")], stored)
    assert [(m.entity, m.into) for m in first] == [("2", "1")] and apart == set()
    plan = settle(
        [
            Member(stored[0], "1", 1),
            Member(company("2", "Merck", "merck"), "1", 2),
            Member(company("3", "Merck & Co., Inc.", "merck"), "3", 3),
        ],
        [StoredMerge(first[0])],
        unsettled={"3"},
    )
    assert plan.found == () and plan.clusters == {}


def test_orphans_go_and_what_is_left_is_resolved_anew():
    members = [
        Member(company("1", "Acme Inc.", "acme"), "1", 1, alive=False),
        Member(company("2", "Acme Corp", "acme"), "1", 2),
        Member(company("3", "ACME", "acme"), "1", 3),
    ]
    plan = settle(members, [StoredMerge(merge("2", "1")), StoredMerge(merge("3", "1"))], unsettled=())
    assert plan.dead == ("1",) and set(plan.dropped) == {("1", "2"), ("1", "3")}
    assert [(m.entity, m.into) for m in plan.found] == [("3", "2")]
    assert plan.clusters == {"2": ("2", ("ACME",)), "3": ("2", ("Acme Corp",))}


def test_merges_that_no_document_gives_any_more_are_dropped():
    members = [Member(company(id, f"Name {id}"), "1", 1) for id in "12"]
    stored = StoredMerge(merge("1", "2"), given=True, giver=False)
    assert settle(members, [stored], ()).dropped == (("1", "2"),)
    assert settle(members, [StoredMerge(stored.merge, given=True, giver=True)], ()).dropped == ()
    assert settle(members, [StoredMerge(merge("1", "2", undone=True), given=True)], ()).dropped == ()
