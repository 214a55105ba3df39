"""What holds when, on every engine: superseding is computed on reading, and nothing looks past an asked day."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from cliquerag.core.errors import StoreError
from cliquerag.core.scope import Scope
from cliquerag.kg.as_of import as_of
from cliquerag.kg.store import FactQuery
from cliquerag.kg.timeline import with_rivals
from cliquerag.retrieval.search.retrievers.graph import readable
from support.bundles import bundle, entity, fact
from support.stores import SCHEMA, open_store

BOLT_2022 = bundle(
    "2022.txt",
    "[Bolt Ltd] subsidiary_of [Acme Inc.]",
    "[Bolt Ltd] supplies [Crane AG]",
    published=date(2022, 3, 1),
    modality="asserted",
    facts=[fact("2022.txt", "revenue", "100")],
)
BOLT_2024 = bundle(
    "2024.txt",
    "[Bolt Ltd] subsidiary_of [Drill SE]",
    "[Bolt Ltd] supplies [Evans Co]",
    published=date(2024, 3, 1),
    modality="asserted",
    facts=[fact("2024.txt", "revenue", "90")],
)
BOLT_2020 = bundle("2020.txt", "[Bolt Ltd] subsidiary_of [Fern NV]", published=date(2020, 3, 1), modality="asserted")
BOLT = entity("Bolt Ltd").id


def standing(store, name="Bolt Ltd"):
    """Tail -> the document that has ended the relation, of all relations of a head."""
    found = store.subgraph([entity(name).id]).relations
    return {r.tail.name: r.successor.document if r.successor else "" for r in with_rivals(store, found, SCHEMA)}


class TimeTests:
    """For subclasses that give ``store_url``."""

    @pytest.fixture
    def store(self, store_url):
        store = open_store(store_url)
        store.put(BOLT_2022)
        store.put(BOLT_2024)
        yield store
        store.close()

    def test_a_later_statement_supersedes_a_functional_relation_only(self, store):
        assert standing(store) == {"Acme Inc.": "2024.txt", "Crane AG": "", "Drill SE": "", "Evans Co": ""}

    def test_seen_from_the_other_end(self, store):
        (ended,) = with_rivals(store, store.subgraph([entity("Acme Inc.").id]).relations, SCHEMA)
        assert ended.successor.document == "2024.txt"
        assert "until 2024-03-01, superseded by 2024.txt p. 1" in readable(ended, ended.statements[0], SCHEMA)

    def test_removing_brings_back_what_was_superseded(self, store):
        store.remove("2024.txt")
        assert standing(store) == {"Acme Inc.": "", "Crane AG": ""}

    def test_an_old_document_added_late_changes_nothing_that_holds(self, store):
        store.put(BOLT_2020)
        assert standing(store)["Drill SE"] == "" and standing(store)["Acme Inc."] == "2024.txt"
        assert standing(store)["Fern NV"] == "2022.txt"

    def test_a_denial_ends_a_state(self, store):
        store.put(bundle("2025.txt", "[Bolt Ltd] supplies [Evans Co]", published=date(2025, 1, 2), modality="negated"))
        assert standing(store)["Evans Co"] == "2025.txt"

    def test_a_plan_ends_nothing(self, store):
        line = "[Bolt Ltd] subsidiary_of [Gear plc]"
        store.put(bundle("plan.txt", line, published=date(2025, 1, 2), modality="planned"))
        assert standing(store)["Drill SE"] == ""

    def test_two_statements_of_one_day_contradict_but_end_nothing(self, store):
        line = "[Bolt Ltd] subsidiary_of [Gear plc]"
        store.put(bundle("also.txt", line, published=date(2024, 3, 1), modality="asserted"))
        assert standing(store)["Drill SE"] == standing(store)["Gear plc"] == ""

    def test_nothing_is_seen_past_the_day(self, store):
        then = as_of(store, date(2023, 1, 1))
        assert [record.source for record in then.documents()] == ["2022.txt"]
        assert standing(then) == {"Acme Inc.": "", "Crane AG": ""}
        assert {r.tail.name for r in then.all_relations()} == {"Acme Inc.", "Crane AG"}
        assert {e.name for e in then.all_entities()} == {"Bolt Ltd", "Acme Inc.", "Crane AG"}
        assert {s.document for s in then.statements(documents=["2022.txt", "2024.txt"])} == {"2022.txt"}
        assert [f.value for f in then.facts(FactQuery(metrics=("revenue",)))] == [Decimal(100)]
        assert then.facts(FactQuery(sources=("2024.txt",))) == []
        assert len(then.mentions(entities=[BOLT])) == 2 and len(store.mentions(entities=[BOLT])) == 4
        assert {hit.id for hit in then.matching(["bolt"], 9)} <= {c.id for c in store.chunks_of("2022.txt")}

    def test_no_reader_gives_what_a_later_document_holds(self, store):
        then = as_of(store, date(2023, 1, 1))
        later = [chunk.id for chunk in store.chunks_of("2024.txt")]
        earlier = [chunk.id for chunk in store.chunks_of("2022.txt")]
        assert then.text("2024.txt") == "" and then.document("2024.txt") is None and then.tables("2024.txt") == []
        assert set(then.pages(["2022.txt", "2024.txt"])) == {"2022.txt"}
        assert then.chunks_of("2024.txt") == [] and then.parts("2024.txt") == [] and then.rejected("2024.txt") == []
        assert [chunk.id for chunk in then.chunks([*later, *earlier])] == earlier
        assert set(then.sources_of([*later, *earlier])) == set(earlier)
        assert set(then.neighbours([*later, *earlier])) == set(earlier)
        rows, sentences = then.vectors([*later, *earlier]), then.sentence_vectors([*later, *earlier])
        assert not rows[: len(later)].any() and rows[len(later) :].any(axis=1).all()
        assert [len(found) > 0 for found in sentences] == [False] * len(later) + [True] * len(earlier)

    def test_the_past_is_only_read(self, store):
        then, version = as_of(store, date(2023, 1, 1)), store.version()
        for write in (
            lambda: then.put(BOLT_2020),
            lambda: then.put_graph("2022.txt", BOLT_2022.graph),
            lambda: then.remove("2022.txt"),
            lambda: then.merge(BOLT, entity("Acme Inc.").id, "by hand"),
            lambda: then.undo("x"),
            lambda: then.restore_merges([]),
            then.settle,
        ):
            with pytest.raises(StoreError, match="as of 2023-01-01 is only read"):
                write()
        assert store.version() == version

    def test_before_the_first_document_there_is_nothing(self, store):
        then = as_of(store, date(2021, 1, 1))
        assert then.documents() == [] and then.facts(FactQuery()) == [] and list(then.all_relations()) == []
        assert then.mentions(entities=[BOLT]) == [] and then.subgraph([BOLT]).relations == ()

    def test_a_scope_names_the_day_too(self, store):
        assert [r.source for r in store.documents(Scope(as_of=date(2022, 3, 1)))] == ["2022.txt"]
        assert store.documents(Scope(as_of=date(2022, 2, 28), sources=("2022.txt",))) == []

    def test_a_document_without_a_day_counts_from_its_deadline(self, store):
        store.put(bundle("undated.txt", "[Bolt Ltd] is here", published=None))  # of FY2023
        assert "undated.txt" not in {r.source for r in store.documents(Scope(as_of=date(2024, 4, 28)))}
        assert "undated.txt" in {r.source for r in store.documents(Scope(as_of=date(2024, 4, 29)))}
