"""The order in which documents come tells nothing once a store is settled: part of every engine's conformance suite."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date

from cliquerag.kg.store import Bundle
from support.bundles import bundle, entity, merge
from support.store_conformance import StoreTests, cluster_names
from support.store_dump import differing, dump
from support.stores import open_store


def with_context(made: Bundle, **of_name: dict[str, str]) -> Bundle:
    """The bundle with what it tells of the entities whose names begin so."""

    def told(name: str) -> dict[str, str]:
        return next((context for start, context in of_name.items() if name.startswith(start)), {})

    entities = tuple(replace(known, context=told(known.name)) for known in made.graph.entities)
    return replace(made, graph=replace(made.graph, entities=entities))


def disputed() -> list[Bundle]:
    """Documents that pull at each other: capitals, rival namesakes, tickers, notes, aliases both ways, misspellings."""
    return [
        bundle("a.txt", "[NETFLIX] sues [Bolt SA]", "[Netflix] leads [Bolt, S.A.]", published=date(2020, 1, 1)),
        bundle("b.txt", "[Netflix, Inc.] supplies [Bolt Ltd]", "[Netflix, Inc.] is [Netflix]"),
        bundle("c.txt", "[Netflix K.K.] and [Netflix Pte. Ltd.]", "[Bolt] supplies [Bolt Limited]"),
        with_context(bundle("d.txt", "[Acme Inc.] supplies [Crane]"), Acme={"ticker": "ACM", "description": "Pumps."}),
        with_context(bundle("e.txt", "[ACME INC.] sues [Crane]"), ACME={"ticker": "ACE", "description": "Sued."}),
        bundle(
            "f.txt", "[Acme] is [Crane] or [Acme Inc.]", merges=[merge("Acme", "Acme Inc."), merge("Acme", "Crane")]
        ),
        bundle(
            "g.txt",
            "[Crane] is [Acme]",
            "[Bolt] is new",
            merges=[merge("Crane", "Acme", "short name"), merge("Bolt", "Bolt SA")],
        ),
        bundle("h.txt", "[Transparent Financial] leads [Goldman Sachs]", "[Merck KGaA] sues [Merck]"),
        bundle("i.txt", "[Transprent Financial] sues [Goldmann Sachs]", "[Merck & Co., Inc.] supplies [Acme]"),
    ]


class OrderTests(StoreTests):
    def test_the_order_of_documents_tells_nothing(self, store):
        documents, dice = disputed(), random.Random(5)
        dumps = []
        for _ in range(5):
            for made in documents:
                store.put(made)
            store.settle()
            dumps.append(dump(store))
            for made in documents:
                store.remove(made.document.source)
            dice.shuffle(documents)
        for other in dumps[1:]:
            assert differing(dumps[0], other) == []

    def test_every_engine_settles_alike(self, store):
        memory = open_store("sqlite://")
        for made in disputed():
            memory.put(made)
        for made in reversed(disputed()):
            store.put(made)
        memory.settle()
        store.settle()
        sections = [name for name in dump(memory) if name != "vectors"]  # engines round them in their own ways
        expected, found = dump(memory), dump(store)
        assert [name for name in sections if expected[name] != found[name]] == []

    def test_settling_again_changes_nothing(self, store):
        for made in disputed():
            store.put(made)
        store.settle()
        version, found = store.version(), dump(store)
        assert store.settle() is False
        assert store.version() == version and dump(store) == found

    def test_the_name_of_every_page_is_not_that_of_one_list(self, store):
        store.put(bundle("list.txt", "[Netflix K.K.]", "[Netflix, Inc.]"))
        store.put(bundle("report.txt", *["[Netflix] leads [Netflix, Inc.]"] * 3))
        store.settle()
        assert cluster_names(store, "Netflix") == {"Netflix", "Netflix, Inc."}

    def test_what_people_decided_stays(self, store):
        for made in disputed():
            store.put(made)
        undone = next(merge for merge in store.merges() if entity("Netflix").id in (merge.entity, merge.into))
        store.undo(undone.id)
        by_hand = store.merge(entity("Bolt").id, entity("Goldman Sachs").id, "by hand")
        store.settle()
        assert replace(undone, undone=True) in store.merges() and by_hand in store.merges()
        assert "Goldman Sachs" in cluster_names(store, "Bolt")

    def test_a_name_keeps_the_words_of_each_document(self, store):
        store.put(bundle("loud.txt", "[ADOBE INC.] leads"))
        store.put(bundle("calm.txt", "[Adobe Inc.] leads"))
        (adobe,) = store.find_entities(["adobe"])
        assert adobe.name == "Adobe Inc." and adobe.mentions == 2
        written = {mention.name for mention in store.mentions(entities=[adobe.id])}
        assert written == {"ADOBE INC.", "Adobe Inc."}
