"""What every engine must do: the contract of ``kg.store.Store``, as tests. An engine's test module subclasses these and
gives the fixture ``store_url``, the address of an empty store."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import replace
from datetime import date, datetime, timezone

import numpy as np
import pytest
from cliquerag.core.errors import StoreError
from cliquerag.core.period import Period
from cliquerag.core.scope import Scope
from cliquerag.ingest.chunk import SectionSummaries, SectionSummary
from cliquerag.kg.as_of import as_of
from cliquerag.kg.drivers import DriverQuery
from cliquerag.kg.graph import Communities, Community, Finding, Place
from cliquerag.kg.storage import term_counts
from cliquerag.kg.storage.copying import copy_documents
from cliquerag.kg.storage.term_counts import Bm25, term_number
from cliquerag.kg.store import FactQuery, Store
from cliquerag.models.embedders import MULTILINGUAL, SpaceVectors
from support.bundles import DIM, FY2023, bundle, driver, entity, fact, graph, merge, unit_rows
from support.stores import open_store

STEEL = bundle(
    "a/report.pdf",
    "[Acme Inc.] supplies [Bolt] with steel",
    "Steel prices rose in Norway",
    "[Crane Ltd] leads [Bolt]",
    facts=[fact("a/report.pdf", "revenue", "1234", 10**6), fact("a/report.pdf", "assets", "-5.5", start=9)],
)
COAL = bundle(
    "b/report.pdf",
    "[Acme Corp] supplies [Bolt] with coal and steel",
    "[Acme Corp] sues [Drill AG]",
    company="Bolt",
    kind="10-Q",
    period=Period("quarter", 2023, 2, fiscal=True),
    facts=[fact("b/report.pdf", "revenue", "1.234", 10**9, company="Bolt")],
)


class StoreTests:
    """What all groups of tests share."""

    @pytest.fixture
    def store(self, store_url):
        store = open_store(store_url)
        yield store
        store.close()

    @pytest.fixture
    def filled(self, store):
        store.put(STEEL)
        store.put(COAL)
        return store


def ids(found):
    return [item.id for item in found]


def numbered(words):
    return Counter(map(term_number, words.split()))


def counted(counts):
    """The terms of each chunk, by number."""
    found = [Counter() for _ in range(counts.chunks)]
    terms = np.repeat(counts.terms, counts.sizes)
    for term, row, count in zip(terms.tolist(), counts.rows.tolist(), counts.counts.tolist(), strict=True):
        found[row][term] = count
    return found


def names(entities):
    return {e.name for e in entities}


def crowd():
    """Names that have every trigram of "Transprent Financial", so that none of them tells it from the others."""
    letters = [f"{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    lines = [f"[Transparen{two} Financial] and [Sprent{two} Financial]" for two in letters]
    return bundle("crowd.txt", *lines, "[Transparent Financial]")


def cluster_names(store, name):
    (found,) = store.entities([entity(name).id])
    return {found.name, *found.aliases}


class DocumentTests(StoreTests):
    def test_an_empty_store(self, store):
        assert store.documents() == [] and store.embedder() == ""
        assert store.chunks(["nothing"]) == [] and store.chunks_of("nothing") == [] and store.text("nothing") == ""
        assert store.document("nothing") is None and store.tables("nothing") == [] and store.rejected("nothing") == []
        assert store.nearest(np.ones(DIM, np.float32), 3) == [] and store.matching(["steel"], 3) == []
        assert list(store.all_entities()) == [] and store.subgraph(["nothing"]).relations == ()
        assert store.vectors(["nothing"]).shape[0] == 1 and not store.vectors(["nothing"]).any()
        assert store.remove("nothing") is False and store.undo("nothing") is False
        assert (
            store.facts(FactQuery()) == []
            and store.merges() == []
            and set(store.counts().values()) - {0} <= {store.counts()["bytes"]}
        )

    def test_a_document_comes_back_as_it_was(self, filled):
        stored, given = filled.document("a/report.pdf"), STEEL.document
        assert stored == given
        assert filled.text("a/report.pdf") == given.text
        assert tuple(filled.tables("a/report.pdf")) == given.tables
        assert filled.pages(["a/report.pdf", "nothing"]) == {"a/report.pdf": given.pages}

    def test_a_long_text_in_any_script_comes_back(self, store):
        lines = [f"第{i}行 ünïcode 😀 " + "x" * 997 for i in range(60)]
        long = bundle("long.txt", *lines)
        store.put(long)
        assert store.text("long.txt") == long.document.text
        assert store.chunks_of("long.txt") == list(long.chunks)

    def test_records(self, filled):
        one, other = filled.documents()
        assert [one.source, other.source] == ["a/report.pdf", "b/report.pdf"]
        assert (one.companies, one.kind, one.period, one.language) == (("Acme Inc.",), "10-K", FY2023, "en")
        assert (one.pages, one.chunks, one.tokens) == (1, 3, sum(c.tokens for c in STEEL.chunks))
        assert one.content_hash == STEEL.document.content_hash and one.how == {"companies": "argument"}
        assert one.versions == {"parse": "1", "extract": "rules-1"}
        assert one.ingested.tzinfo is not None

    @pytest.mark.parametrize(
        ("scope", "expected"),
        [
            (Scope(), "ab"),
            (Scope(sources=("a/report.pdf", "nothing")), "a"),
            (Scope(kinds=("10-Q",)), "b"),
            (Scope(companies=("ACME",)), "a"),
            (Scope(periods=("Q2 FY2023",)), "b"),
            (Scope(companies=("Bolt", "Acme, Inc"), kinds=("10-K",)), "a"),
            (Scope(companies=("Crane",)), ""),
            (Scope(companies=("Bolt",), sources=("a/report.pdf",)), ""),
        ],
    )
    def test_scope(self, filled, scope, expected):
        assert "".join(record.source[0] for record in filled.documents(scope)) == expected

    def test_counts(self, filled):
        counts = dict(filled.counts())
        assert counts.pop("bytes") > 0
        assert counts == {
            "documents": 2,
            "chunks": 5,
            "sentences": 10,
            "tables": 2,
            "facts": 3,
            "tokens": sum(c.tokens for b in (STEEL, COAL) for c in b.chunks),
            "entities": 4,
            "statements": 4,
            "merges": 1,
        }

    def test_one_base_name_in_two_folders_is_two_documents(self, filled):
        assert filled.remove("a/report.pdf")
        assert [record.source for record in filled.documents()] == ["b/report.pdf"]
        assert filled.chunks_of("b/report.pdf") == list(COAL.chunks)

    def test_replacing_leaves_nothing_of_the_old_version(self, filled):
        filled.put(bundle("a/report.pdf", "[Ember] sues [Bolt] over copper"))
        assert filled.counts()["chunks"] == 3 and filled.text("a/report.pdf").endswith("copper")
        assert filled.chunks(ids(STEEL.chunks)[1:]) == []
        assert filled.matching(["norwai"], 5) == [] and len(filled.matching(["copper"], 5)) == 1
        assert filled.facts(FactQuery(sources=("a/report.pdf",))) == []
        assert len(filled.nearest(STEEL.vectors[2], 10)) == 3
        assert names(filled.all_entities()) == {"Acme Corp", "Bolt", "Drill AG", "Ember"}

    def test_version_grows_with_every_write(self, store_url, store):
        other, seen = open_store(store_url), [store.version()]
        for write in (
            lambda: other.put(STEEL),
            lambda: other.put_graph("a/report.pdf", graph("a/report.pdf", [], [])),
            lambda: other.remove("a/report.pdf"),
        ):
            write()
            seen.append(store.version())
        other.close()
        assert seen == sorted(set(seen))

    def test_other_writers_are_seen_at_once(self, store_url, filled):
        filled.nearest(STEEL.vectors[0], 1)
        other = open_store(store_url)
        other.put(bundle("c.txt", "Copper from Chile"))
        other.remove("a/report.pdf")
        other.close()
        assert [record.source for record in filled.documents()] == ["b/report.pdf", "c.txt"]
        assert len(filled.nearest(STEEL.vectors[0], 10)) == 3 and len(filled.matching(["copper"], 9)) == 1

    def test_a_bundle_that_contradicts_itself_is_refused_whole(self, filled):
        import dataclasses

        before = filled.version()
        with pytest.raises(ValueError, match="words"):
            filled.put(dataclasses.replace(STEEL, words=()))
        with pytest.raises(ValueError, match="does not give"):
            filled.put_graph("a/report.pdf", dataclasses.replace(STEEL.graph, entities=()))
        with pytest.raises(ValueError, match="chunk"):
            filled.put(dataclasses.replace(STEEL, graph=COAL.graph))
        with pytest.raises(StoreError, match="not in the document"):
            filled.put_graph("a/report.pdf", COAL.graph)
        assert filled.version() == before and filled.document("a/report.pdf") == STEEL.document

    def test_documents_put_together_are_there_as_if_put_one_by_one(self, store):
        store.put(COAL)
        again = bundle(COAL.document.source, "[Bolt] supplies [Drill AG]")
        store.put_all([STEEL, again])
        same_state(store, STEEL, again)
        assert store.version() == 3
        one_by_one = open_store("sqlite://")
        for document in (COAL, STEEL, again):
            one_by_one.put(document)
        assert ids(store.all_entities()) == ids(one_by_one.all_entities())
        assert [r.relation for r in store.all_relations()] == [r.relation for r in one_by_one.all_relations()]

    def test_of_documents_put_together_all_are_kept_or_none(self, store):
        import dataclasses

        store.put(COAL)
        lost = dataclasses.replace(STEEL, embedder="another")
        with pytest.raises(StoreError, match="another"):
            store.put_all([bundle("c.txt", "Copper from Chile"), lost])
        same_state(store, COAL)
        assert store.version() == 1


class SearchTests(StoreTests):
    def test_chunks_come_in_the_order_asked_for(self, filled):
        wanted = [COAL.chunks[1], STEEL.chunks[2], STEEL.chunks[0]]
        assert filled.chunks([*ids(wanted), "nothing"]) == wanted
        assert filled.chunks_of("a/report.pdf") == list(STEEL.chunks)

    def test_neighbours(self, filled):
        first, second, third = ids(STEEL.chunks)
        assert filled.neighbours([second, "nothing"]) == {second: (first, third)}
        assert filled.neighbours([first], 2) == {first: (second, third)}
        assert filled.neighbours([ids(COAL.chunks)[1]]) == {ids(COAL.chunks)[1]: (ids(COAL.chunks)[0],)}

    def test_documents_of_chunks(self, filled):
        first, other = STEEL.chunks[0].id, COAL.chunks[1].id
        assert filled.sources_of([other, "nothing", first]) == {first: "a/report.pdf", other: "b/report.pdf"}
        assert filled.sources_of([]) == {}

    def test_nearest_is_exact(self, filled):
        keys = ids(STEEL.chunks) + ids(COAL.chunks)
        vectors = np.concatenate([STEEL.vectors, COAL.vectors])
        for query in unit_rows(np.random.default_rng(3), 5, DIM):
            scores = vectors @ query
            hits = filled.nearest(query, 3)
            assert ids(hits) == [keys[i] for i in np.argsort(-scores)[:3]]
            assert [hit.score for hit in hits] == pytest.approx(sorted(scores)[::-1][:3], abs=2e-3)

    def test_nearest_within_documents(self, filled):
        assert set(ids(filled.nearest(COAL.vectors[0], 9, ["a/report.pdf", "nothing"]))) == set(ids(STEEL.chunks))
        assert filled.nearest(COAL.vectors[0], 9, []) == []

    def test_ties_are_broken_by_id(self, store):
        import dataclasses

        same = np.repeat(unit_rows(np.random.default_rng(1), 1, DIM), 6, axis=0)
        twins = bundle("twins.txt", *["the same words"] * 6)
        store.put(dataclasses.replace(twins, vectors=same))
        assert ids(store.nearest(same[0], 4)) == sorted(ids(twins.chunks))[:4]
        assert ids(store.matching(["word"], 4)) == sorted(ids(twins.chunks))[:4]

    def test_the_second_encoder_has_a_space_of_its_own(self, filled):
        own = bundle("c/foreign.pdf", "one line", "another line", "a third one")
        chunks_ = unit_rows(np.random.default_rng(5), 3, 24)
        sentences = unit_rows(np.random.default_rng(6), len(own.sentence_vectors), 24)
        in_first = len(own.chunks[0].sentences)
        foreign = replace(
            own, vectors=None, sentence_vectors=None, embedder="", multilingual=SpaceVectors("many", chunks_, sentences)
        )
        assert (filled.embedder(), filled.embedder(MULTILINGUAL)) == ("fake", "")
        filled.put(foreign)
        assert (filled.embedder(), filled.embedder(MULTILINGUAL)) == ("fake", "many")
        keys = ids(own.chunks)
        assert ids(filled.nearest(chunks_[1], 2, space=MULTILINGUAL))[0] == keys[1]
        assert set(ids(filled.nearest(chunks_[1], 99, space=MULTILINGUAL))) == set(keys)
        assert filled.nearest(chunks_[1], 9, ["a/report.pdf"], MULTILINGUAL) == []
        assert ids(filled.nearest(chunks_[2], 1, ["a/report.pdf", "c/foreign.pdf"], MULTILINGUAL)) == keys[2:]
        assert set(ids(filled.nearest(STEEL.vectors[0], 99))).isdisjoint(keys)
        both = filled.vectors_of(["c/foreign.pdf", "a/report.pdf", "nothing"], MULTILINGUAL)
        assert both.shape == (6, 24) and not both[:3].any() and np.allclose(both[3:], chunks_, atol=2e-3)
        some = filled.vectors([keys[2], STEEL.chunks[0].id, keys[0]], MULTILINGUAL)
        assert np.allclose(some, [chunks_[2], np.zeros(24), chunks_[0]], atol=2e-3)
        first, none = filled.sentence_vectors([keys[0], STEEL.chunks[0].id], MULTILINGUAL)
        assert first.shape == (in_first, 24) and none.shape == (0, 24) and float(first[0] @ sentences[0]) > 0.99
        with filled.reading():
            assert filled.embedder(MULTILINGUAL) == "many"
            assert np.allclose(filled.vectors_of(["c/foreign.pdf"], MULTILINGUAL), chunks_, atol=2e-3)
            assert filled.sentence_vectors([keys[0]], MULTILINGUAL)[0].shape == (in_first, 24)
        other = replace(foreign, document=replace(own.document, source="d/other.pdf"), multilingual=SpaceVectors(
            "another", chunks_, sentences
        ))  # fmt: skip
        with pytest.raises(StoreError, match="many"):
            filled.put(other)
        moved = replace(foreign, multilingual=SpaceVectors("many", chunks_[::-1].copy(), sentences))
        filled.put(moved)
        assert ids(filled.nearest(chunks_[0], 1, space=MULTILINGUAL)) == keys[2:]
        filled.remove("c/foreign.pdf")
        assert filled.embedder(MULTILINGUAL) == "" and filled.nearest(chunks_[0], 9, space=MULTILINGUAL) == []

    def test_vectors_come_back(self, filled):
        wanted = [STEEL.chunks[1].id, "nothing", COAL.chunks[0].id]
        vectors = filled.vectors(wanted)
        assert vectors.dtype == np.float32 and vectors.shape == (3, DIM) and not vectors[1].any()
        assert vectors[0] @ STEEL.vectors[1] > 0.9999 and vectors[2] @ COAL.vectors[0] > 0.9999

    def test_sentence_vectors_come_back(self, filled):
        one, other = filled.sentence_vectors([STEEL.chunks[2].id, COAL.chunks[0].id])
        assert one.shape == other.shape == (2, DIM)
        assert (np.sum(one * STEEL.sentence_vectors[4:6], axis=1) > 0.999).all()
        assert (np.sum(other * COAL.sentence_vectors[:2], axis=1) > 0.999).all()

    def test_a_document_without_vectors(self, filled):
        plain = bundle("plain.txt", "Copper", embedder="")
        filled.put(plain)
        assert not filled.vectors(ids(plain.chunks)).any() and filled.embedder() == "fake"
        assert len(filled.nearest(STEEL.vectors[0], 99)) == 5

    def test_vectors_of_two_models_never_meet(self, filled):
        with pytest.raises(StoreError, match="fake"):
            filled.put(bundle("c.txt", "Copper", embedder="other"))
        with pytest.raises(StoreError, match="fake"):
            filled.put(bundle("c.txt", "Copper", dim=DIM * 2))
        for source in ("a/report.pdf", "b/report.pdf"):
            filled.remove(source)
        filled.put(bundle("c.txt", "Copper", embedder="other", dim=DIM * 2))
        assert filled.embedder() == "other"

    def test_matching(self, filled):
        assert set(ids(filled.matching(["steel"], 9))) == {*ids(STEEL.chunks)[:2], COAL.chunks[0].id}
        assert ids(filled.matching(["coal", "nothing"], 9)) == [COAL.chunks[0].id]
        assert ids(filled.matching(["coal", "steel"], 1)) == [COAL.chunks[0].id]
        assert len(filled.matching(["busi"], 9)) == 5, "words of headings count"
        hits = filled.matching(["steel", "coal", "norwai"], 9)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_words_of_headings_count_like_those_of_the_text(self, store):
        import dataclasses

        held = ("zinc zinc ore mine", "copper ore mine mine", "zinc ore mine pit", "zinc gold mine pit")
        words = (*held, "gold pit ore tin", *["ore ore mine tin"] * 9)
        headings = ("coal", "zinc", *["coal"] * 12)
        odd = bundle("odd.txt", *words)
        store.put(dataclasses.replace(odd, words=words, heading_words=headings))
        hits = store.matching(["zinc", "pit"], 9)
        assert ids(hits)[-1] == odd.chunks[1].id, "one word of a heading is one word"
        texts = [f"{own} {heading}" for own, heading in zip(words, headings, strict=True)]
        scores = Bm25.of(["zinc", "pit"], {"zinc": 4, "pit": 3}, len(words)).scores(texts)
        known = dict(zip(ids(odd.chunks), scores, strict=True))
        assert [hit.score for hit in hits] == pytest.approx([known[id] for id in ids(hits)])

    def test_common_words_are_left_out_only_in_a_large_scope(self, store, monkeypatch):
        store.put(bundle("doc", *[f"common text {i}" for i in range(30)], "rare common"))
        assert len(store.matching(["common", "rare"], 99)) == 31
        monkeypatch.setattr(term_counts, "SCORED_ROWS", 10)
        assert len(store.matching(["common", "rare"], 99)) == 1
        assert len(store.matching(["common"], 99)) == 31

    def test_matching_within_documents(self, filled):
        assert ids(filled.matching(["steel"], 9, ["b/report.pdf"])) == [COAL.chunks[0].id]
        assert filled.matching(["steel"], 9, []) == [] and filled.matching([], 9) == []

    @pytest.mark.parametrize("word", ['"', "a'b", "(c)", "d*", "e:f", "AND", "r&d", "营收", "-", "^g"])
    def test_any_character_may_be_searched(self, store, word):
        import dataclasses

        odd = bundle("odd.txt", "first", "second")
        store.put(dataclasses.replace(odd, words=(word.lower(), "plain")))
        assert ids(store.matching([word.lower()], 5)) == [odd.chunks[0].id]

    def test_chunk_words(self, filled):
        rows = filled.chunk_words(["b/report.pdf", "nothing", "a/report.pdf"])
        given = [*STEEL.chunks, *COAL.chunks]
        assert [(r.id, r.document, r.ordinal, r.start, r.end) for r in rows] == [
            (c.id, c.document, c.ordinal, c.start, c.end) for c in given
        ]
        assert [r.words for r in rows] == [*STEEL.words, *COAL.words]
        assert {r.heading_words for r in rows} == {"busi"}

    def test_chunk_terms(self, filled):
        documents = ["b/report.pdf", "nothing", "a/report.pdf"]
        found, stored = filled.chunk_terms(documents), filled.chunk_words(documents)
        assert [(one.source, list(one.ids)) for one in found] == [
            ("a/report.pdf", ids(STEEL.chunks)),
            ("b/report.pdf", ids(COAL.chunks)),
        ]
        assert [tuple(span) for one in found for span in one.spans.tolist()] == [(row.start, row.end) for row in stored]
        for one, own in zip(found, (STEEL, COAL), strict=True):
            assert counted(one.words) == [numbered(words) for words in own.words]
            assert counted(one.headings) == [numbered(words) for words in own.heading_words]
            assert one.values.tolist() == pytest.approx([chunk.value for chunk in own.chunks])
        assert filled.chunk_terms([]) == []

    def test_vectors_of_documents(self, filled):
        filled.put(bundle("plain.txt", "Copper", embedder=""))
        vectors = filled.vectors_of(["plain.txt", "b/report.pdf", "nothing", "a/report.pdf"])
        assert vectors.dtype == np.float32 and vectors.shape == (6, DIM) and not vectors[5].any()
        chunks = [*STEEL.chunks, *COAL.chunks, *filled.chunks_of("plain.txt")]
        assert vectors.tolist() == filled.vectors(ids(chunks)).tolist()
        assert filled.vectors_of([]).shape == (0, DIM)

    def test_document_frequency(self, filled):
        assert filled.document_frequency(["steel", "coal", "nothing"]) == {"steel": 3, "coal": 1, "nothing": 0}

    def test_known_words(self, filled):
        assert sorted(filled.known_words(["steel", "coal", "nothing", 'a"b'])) == ["coal", "steel"]
        filled.document_frequency(["nothing", "coal"])
        assert sorted(filled.known_words(["nothing", "coal"])) == ["coal"]


class GraphTests(StoreTests):
    def test_names_of_one_key_are_one_entity(self, filled):
        (acme,) = filled.find_entities(["acme"])
        # Each name is mentioned twice at most; "Acme Corp" twice, "Acme Inc." once.
        assert (acme.id, acme.name, acme.aliases) == (entity("Acme Corp").id, "Acme Corp", ("Acme Inc.",))
        assert (acme.mentions, acme.documents, acme.type, acme.key) == (3, 2, "company", "acme")
        assert filled.entities([entity("Acme Inc.").id, "nothing"]) == [acme]
        assert filled.find_entities(["nothing", ""]) == []

    def test_the_most_mentioned_name_stands_for_the_cluster(self, filled):
        filled.put(bundle("c.txt", "[Acme Inc.] and [Acme Inc.] again"))
        assert filled.find_entities(["acme"])[0].name == "Acme Inc."
        filled.remove("c.txt")
        assert filled.find_entities(["acme"])[0].name == "Acme Corp"

    def test_names_as_written(self, filled):
        wanted = [entity(name).id for name in ("Acme Inc.", "Acme Corp")]
        assert filled.entity_names([*wanted, "nothing"]) == dict(zip(wanted, ("Acme Inc.", "Acme Corp"), strict=True))

    def test_all_entities_most_mentioned_first(self, filled):
        found = list(filled.all_entities())
        assert [e.name for e in found[:2]] == sorted(["Acme Corp", "Bolt"], key=lambda n: entity(n).id)
        assert names(found) == {"Acme Corp", "Bolt", "Crane Ltd", "Drill AG"}
        assert [e.mentions for e in found] == [3, 3, 1, 1]
        assert list(filled.all_entities(1)) == found[:1]

    def test_similar_entities(self, filled):
        assert filled.similar_entities("Akme Corp.", 1)[0].name == "Acme Corp"
        assert filled.similar_entities("Drilling", 5)[0].name == "Drill AG"
        assert filled.similar_entities("Zzz", 5) == [] and filled.similar_entities("", 5) == []

    def test_mentions(self, filled):
        acme, chunk = entity("Acme Corp").id, STEEL.chunks[0]
        in_chunk = filled.mentions(chunks=[chunk.id])
        assert [(m.entity, m.name) for m in in_chunk] == [(acme, "Acme Inc."), (entity("Bolt").id, "Bolt")]
        assert all(STEEL.document.text[m.start : m.end] == m.name and m.chunk == chunk.id for m in in_chunk)
        assert len(filled.mentions(entities=[entity("Acme Inc.").id])) == 3
        assert len(filled.mentions(entities=[acme], chunks=[chunk.id])) == 1
        assert len(filled.mentions(entities=[acme], limit=2)) == 2 and filled.mentions() == []

    def test_statements(self, filled):
        (given,) = (s for s in STEEL.graph.statements if s.relation == "leads")
        assert filled.statements(ids=[given.id, "nothing"]) == [given]
        assert [s.relation for s in filled.statements(documents=["a/report.pdf"])] == ["supplies", "leads"]
        assert [s.relation for s in filled.statements(chunks=[COAL.chunks[1].id])] == ["sues"]
        assert filled.statements(documents=["a/report.pdf"])[0].head == entity("Acme Corp").id
        assert filled.statements() == []

    def test_subgraph(self, filled):
        found = filled.subgraph([entity("Bolt").id])
        assert [(r.head.name, r.relation, r.tail.name, r.support) for r in found.relations] == [
            ("Acme Corp", "supplies", "Bolt", 2),
            ("Crane Ltd", "leads", "Bolt", 1),
        ]
        assert [s.document for s in found.relations[0].statements] == ["a/report.pdf", "b/report.pdf"]
        assert names(found.entities) == {"Acme Corp", "Bolt", "Crane Ltd"} and not found.truncated

    def test_subgraph_is_bounded(self, filled):
        found = filled.subgraph([entity("Bolt").id, entity("Drill AG").id], limit=1)
        assert [r.relation for r in found.relations] == ["supplies"] and found.truncated

    def test_subgraph_of_some_kinds_of_relations(self, filled):
        seeds = [entity("Bolt").id, entity("Drill AG").id]
        found = filled.subgraph(seeds, limit=1, kinds=("leads",))
        assert [r.relation for r in found.relations] == ["leads"] and not found.truncated
        assert filled.subgraph(seeds, documents=["b/report.pdf"], kinds=("leads",)).relations == ()
        assert [r.relation for r in filled.subgraph(seeds, limit=1).relations] == ["supplies"]

    def test_subgraph_of_a_hub_with_two_names(self, filled):
        lines = [f"[{('Bolt', 'Bolt Holding')[i % 2]}] supplies [Buyer {i % 7}] in town {i}" for i in range(40)]
        filled.put(bundle("c/hub.txt", *lines, merges=[merge("Bolt Holding", "Bolt")]))
        within = filled.subgraph([entity("Bolt Holding").id], documents=["c/hub.txt"])
        assert {r.tail.name: len(r.statements) for r in within.relations} == {
            f"Buyer {i}": 6 if i < 5 else 5 for i in range(7)
        }
        assert all(s.head == r.head.id and s.tail == r.tail.id for r in within.relations for s in r.statements)
        assert len(filled.subgraph([entity("Bolt").id]).relations) == 9

    def test_subgraph_of_some_documents(self, filled):
        found = filled.subgraph([entity("Bolt").id], documents=["b/report.pdf"])
        assert [(r.relation, r.support) for r in found.relations] == [("supplies", 1)]
        assert filled.subgraph([entity("Bolt").id], documents=[]).relations == ()

    def test_all_relations(self, filled):
        found = list(filled.all_relations())
        assert found[0].relation == "supplies" and {r.relation for r in found} == {"supplies", "leads", "sues"}
        assert len(list(filled.all_relations(2))) == 2

    def test_rejected(self, filled):
        assert filled.rejected("a/report.pdf") == list(STEEL.graph.rejected)

    def test_another_extractor_adds_and_the_same_one_replaces(self, filled):
        source, lines, chunks = "a/report.pdf", STEEL.document.text.split("\n"), STEEL.chunks
        lines[1] = "[Ember] sues [Bolt]"
        filled.put_graph(source, graph(source, lines, chunks, extractor="llm-1"))
        relations = [s.relation for s in filled.statements(documents=[source])]
        assert sorted(relations) == ["leads", "leads", "sues", "supplies", "supplies"]
        assert filled.entities([entity("Bolt").id])[0].mentions == 4, "a place counts once, whoever finds it"
        filled.put_graph(source, graph(source, lines[:2], chunks[:2], extractor="llm-2"))
        assert [s.extractor for s in filled.statements(documents=[source])].count("llm-2") == 2
        assert filled.documents()[0].versions["extract:llm"] == "llm-2"
        filled.put_graph(source, graph(source, lines[1:2], chunks[1:2], extractor="rules-2"))
        assert names(filled.all_entities()) == {"Acme Corp", "Bolt", "Drill AG", "Ember"}
        with pytest.raises(StoreError, match="no such document"):
            filled.put_graph("nothing", STEEL.graph)

    def test_parts_come_back_as_they_were_put(self, filled):
        lines = COAL.document.text.split("\n")
        more = graph("b/report.pdf", lines, COAL.chunks, [merge("Bolt", "Drill AG")], extractor="llm-1")
        filled.put_graph("b/report.pdf", more)
        first, second = filled.parts("b/report.pdf")
        assert [first.extractor, second.extractor] == ["llm-1", "rules-1"] and filled.parts("nothing") == []
        for part, given in ((first, more), (second, COAL.graph)):
            assert {(e.id, e.name, e.key, e.mentions) for e in part.entities} == {
                (e.id, e.name, e.key, 0) for e in given.entities
            }
            assert set(part.mentions) == set(given.mentions) and part.merges == given.merges
            assert sorted(part.statements, key=lambda s: s.id) == sorted(given.statements, key=lambda s: s.id)
            assert part.rejected == given.rejected

    def test_copied_and_back_loses_nothing(self, filled):
        crane, drill = entity("Crane Ltd").id, entity("Drill AG").id
        filled.undo(filled.merges()[0].id)
        filled.merge(crane, drill, "by hand")
        memory = open_store("sqlite://")
        copy_documents(filled, memory)
        expected, records = filled.merges(), filled.documents()
        found, relations = list(filled.all_entities()), list(filled.all_relations())
        for source in ("a/report.pdf", "b/report.pdf"):
            filled.remove(source)
        copy_documents(memory, filled)
        assert list(filled.all_entities()) == found and list(filled.all_relations()) == relations
        assert filled.merges() == expected and filled.documents() == records
        same_state(filled, STEEL, COAL)

    def test_a_copy_decides_nothing_anew(self, store):
        """What is one thing depends on the order in which names came; a copy has the same, whatever its own order."""
        names_given = ("Bolt SA", "Bolt, S.A.", "Bolt Ltd", "Bolt Limited", "Bolt")
        for i, name in enumerate(names_given):
            store.put(bundle(f"{'dacbe'[i]}.txt", f"[{name}] is [BLT]"))
        store.undo(store.merges()[0].id)
        store.put(
            dataclasses.replace(
                bundle("d.txt", "[Bolt SA] is [Bolt]"), ingested=datetime(2020, 1, 2, tzinfo=timezone.utc)
            )
        )
        memory = open_store("sqlite://")
        copy_documents(store, memory)
        expected = (store.merges(), list(store.all_entities()), store.documents())
        assert (memory.merges(), list(memory.all_entities()), memory.documents()) == expected
        assert str(memory.documents()[3].ingested).startswith("2020-01-02")
        for record in store.documents():
            store.remove(record.source)
        copy_documents(memory, store)
        assert (store.merges(), list(store.all_entities()), store.documents()) == expected

    def test_restored_merges_stay_or_go_with_their_documents(self, filled):
        crane, drill = entity("Crane Ltd").id, entity("Drill AG").id
        by_hand = filled.merge(crane, drill, "by hand")
        found = filled.merges()
        filled.restore_merges([])
        assert filled.merges() == [] and cluster_names(filled, "Crane Ltd") == {"Crane Ltd"}
        filled.restore_merges(found)
        assert filled.merges() == found and cluster_names(filled, "Crane Ltd") == {"Crane Ltd", "Drill AG"}
        filled.put(bundle("c.txt", "[Crane Ltd] is [Drill AG]"))
        filled.remove("b/report.pdf")
        assert filled.merges() == [by_hand]

    def test_entities_that_nobody_mentions_disappear(self, filled):
        filled.remove("b/report.pdf")
        assert names(filled.all_entities()) == {"Acme Inc.", "Bolt", "Crane Ltd"}
        assert filled.find_entities(["acme"])[0].aliases == () and filled.merges() == []
        assert filled.similar_entities("Drill AG", 5) == []
        filled.remove("a/report.pdf")
        assert list(filled.all_entities()) == [] and filled.counts()["statements"] == 0


class MergeTests(StoreTests):
    def test_another_spelling_is_found_among_many_like_names(self, store):
        store.put(crowd())
        store.put(bundle("b.txt", "[Transprent Financial]"))
        assert cluster_names(store, "Transparent Financial") == {"Transparent Financial", "Transprent Financial"}

    def test_by_hand_and_back(self, filled):
        crane, drill = entity("Crane Ltd").id, entity("Drill AG").id
        made = filled.merge(crane, drill, "by hand")
        assert cluster_names(filled, "Crane Ltd") == {"Crane Ltd", "Drill AG"}
        assert filled.entities([crane])[0].documents == 2 and filled.merges()[-1] == made
        assert {s.head for s in filled.statements(documents=["a/report.pdf"])} == {
            entity("Acme Corp").id,
            min(crane, drill),
        }
        assert filled.undo(made.id) and not filled.undo(made.id)
        assert cluster_names(filled, "Crane Ltd") == {"Crane Ltd"}
        assert filled.merges()[-1].undone

    def test_an_undone_merge_is_not_made_again(self, filled):
        (merged,) = filled.merges()
        assert filled.undo(merged.id)
        assert cluster_names(filled, "Acme Inc.") == {"Acme Inc."}
        filled.put(STEEL)
        filled.remove("b/report.pdf")
        filled.put(COAL)
        filled.put(bundle("c.txt", "[Acme Inc.] is [Acme Corp]", merges=[merge("Acme Inc.", "Acme Corp")]))
        assert cluster_names(filled, "Acme Inc.") == {"Acme Inc."}
        assert [m.undone for m in filled.merges()] == [True]
        assert filled.merge(merged.entity, merged.into, "alias in the text").undone

    def test_nor_by_way_of_a_third(self, filled):
        (merged,) = filled.merges()
        filled.undo(merged.id)
        filled.put(bundle("c.txt", "[ACME] is new"))
        assert cluster_names(filled, "Acme Inc.") & {"Acme Corp"} == set()
        assert len(filled.find_entities(["acme"])) == 2

    def test_a_person_may_change_their_mind(self, filled):
        (merged,) = filled.merges()
        filled.undo(merged.id)
        assert not filled.merge(merged.entity, merged.into, "by hand").undone
        assert cluster_names(filled, "Acme Inc.") == {"Acme Inc.", "Acme Corp"}

    def test_merges_of_a_document_go_with_the_last_that_gives_them(self, filled):
        for source in ("c.txt", "d.txt"):
            filled.put(bundle(source, "[Crane Ltd] is [Drill AG]", merges=[merge("Crane Ltd", "Drill AG")]))
        assert cluster_names(filled, "Crane Ltd") == {"Crane Ltd", "Drill AG"}
        filled.remove("c.txt")
        assert cluster_names(filled, "Crane Ltd") == {"Crane Ltd", "Drill AG"}
        filled.remove("d.txt")
        assert cluster_names(filled, "Crane Ltd") == {"Crane Ltd"} and len(filled.merges()) == 1

    def test_a_cluster_that_loses_its_middle_is_resolved_anew(self, store):
        store.put(bundle("first.txt", "[Acme Inc.]"))
        store.put(bundle("second.txt", "[Acme Corp]"))
        store.put(bundle("third.txt", "[Acme, Inc.]"))
        assert len(store.find_entities(["acme"])) == 1
        store.remove("first.txt")
        assert cluster_names(store, "Acme Corp") == {"Acme Corp", "Acme, Inc."}
        assert store.find_entities(["acme"])[0].documents == 2

    def test_replacing_a_document_keeps_merges_made_by_hand(self, filled):
        made = filled.merge(entity("Crane Ltd").id, entity("Drill AG").id, "by hand")
        filled.put(STEEL)
        assert cluster_names(filled, "Crane Ltd") == {"Crane Ltd", "Drill AG"} and made in filled.merges()

    def test_one_type_does_not_merge_with_another(self, store):
        import dataclasses

        other = bundle("c.txt", "[Acme Inc.]")
        person = entity("Acme", "person")
        mention = dataclasses.replace(other.graph.mentions[0], entity=person.id)
        both = dataclasses.replace(
            other.graph,
            entities=(*other.graph.entities, person),
            mentions=(*other.graph.mentions, mention),
        )
        store.put(dataclasses.replace(other, graph=both))
        assert {e.type for e in store.find_entities(["acme"])} == {"company", "person"}

    def test_other_spellings_meet_across_documents(self, store):
        store.put(bundle("a.txt", "[Goldman Sachs] and [JPMorgan Chase] and [Nestlé SA] and [Astra Fund 1]"))
        lines = "[Goldmann Sachs] and [JP Morgan Chase] and [Nestle] and [Astra Fund 2] and [Goldman Sachs Bank]"
        store.put(bundle("b.txt", lines))
        found = {(store.entity_names([m.entity])[m.entity], m.reason, m.score) for m in store.merges()}
        letters = ("blanks, accents or abbreviation", 0.93)
        expected = {("Goldmann Sachs", "spelling", 0.9), ("JP Morgan Chase", *letters), ("Nestle", *letters)}
        assert found == expected
        assert cluster_names(store, "Goldman Sachs") == {"Goldman Sachs", "Goldmann Sachs"}

    def test_an_undone_spelling_stays_undone_when_its_document_comes_again(self, store):
        store.put(bundle("a.txt", "[Goldman Sachs]"))
        store.put(bundle("b.txt", "[Goldmann Sachs]"))
        (made,) = store.merges()
        assert store.undo(made.id)
        store.put(bundle("b.txt", "[Goldmann Sachs] again"))
        store.remove("b.txt")
        store.put(bundle("b.txt", "[Goldmann Sachs] for the third time"))
        assert cluster_names(store, "Goldman Sachs") == {"Goldman Sachs"}
        assert [(m.id, m.undone) for m in store.merges()] == [(made.id, True)]

    def test_a_spelling_that_fits_two_firms_joins_neither(self, store):
        store.put(bundle("a.txt", "[Goldman Sachs Ltd]", "[Goldman Sachs plc]"))
        store.put(bundle("b.txt", "[Goldmann Sachs]"))
        assert cluster_names(store, "Goldmann Sachs") == {"Goldmann Sachs"}

    def test_a_ticker_joins_the_names_that_it_is_given_for(self, store):
        for source, name in (("a.txt", "Bolt Corp."), ("b.txt", "Bolt Machinery Group")):
            store.put(bundle(source, f"[{name}] is [BLT]", merges=[merge("BLT", name, "ticker")]))
        assert cluster_names(store, "BLT") == {"BLT", "Bolt Corp.", "Bolt Machinery Group"}
        store.remove("b.txt")
        assert cluster_names(store, "BLT") == {"BLT", "Bolt Corp."}

    def test_what_several_documents_tell_of_an_entity_is_kept(self, store):
        def told(source, **context):
            made = bundle(source, "[Acme] supplies [Bolt]")
            known = [dataclasses.replace(e, context=context) if e.name == "Acme" else e for e in made.graph.entities]
            return dataclasses.replace(made, graph=dataclasses.replace(made.graph, entities=tuple(known)))

        store.put(bundle("a.txt", "[Acme]"))
        store.put(told("b.txt", description="Makes pumps."))
        store.put(told("c.txt", description="Sued Bolt.\nMakes pumps.", ticker="ACM"))
        store.put(bundle("d.txt", "[Acme]"))
        (acme,) = store.find_entities(["acme"])
        assert acme.context == {"description": "Makes pumps.\nSued Bolt.", "ticker": "ACM"}

    def test_a_cluster_tells_what_each_of_its_names_tells(self, store):
        for source, name, said in (("a.txt", "Acme Inc.", "Makes pumps."), ("b.txt", "Acme Corp", "Sued Bolt.")):
            made = bundle(source, f"[{name}]")
            known = tuple(dataclasses.replace(e, context={"description": said}) for e in made.graph.entities)
            store.put(dataclasses.replace(made, graph=dataclasses.replace(made.graph, entities=known)))
        store.merge(entity("Acme Inc.").id, entity("Acme Corp").id, "by hand")
        (acme,) = store.find_entities(["acme"])
        assert set(acme.context["description"].splitlines()) == {"Makes pumps.", "Sued Bolt."}

    def test_merging_needs_two_stored_entities(self, filled):
        for one, other in (("nothing", entity("Bolt").id), (entity("Bolt").id,) * 2):
            with pytest.raises(StoreError, match="two stored entities"):
                filled.merge(one, other, "by hand")


class CommunityTests(StoreTests):
    def derived(self, store, title="Steel") -> Communities:
        acme, bolt = entity("Acme Inc.").id, entity("Bolt").id
        place = Place("a/report.pdf", 0, 9, 1, STEEL.chunks[0].id)
        finding = Finding("relation", "Acme supplies Bolt", (place, Place("b/report.pdf", 3, 5)), "supplies")
        whole = Community("c1", 0, (acme, bolt), "", title, "report", (finding,), "rules", "d1")
        part = Community("c2", 1, (acme,), "c1", "Acme", "", (), "rules", "d2")
        return Communities(store.version(), (whole, part), "leiden")

    def test_none_before_the_first(self, filled):
        assert filled.communities() is None

    def test_they_come_back_and_are_no_write(self, store_url, filled):
        before = filled.version()
        filled.put_communities(self.derived(filled))
        again = open_store(store_url)
        assert again.communities() == self.derived(filled) and again.version() == before
        again.close()

    def test_they_are_replaced_whole(self, filled):
        filled.put_communities(self.derived(filled))
        filled.put_communities(self.derived(filled, "Coal"))
        assert [c.title for c in filled.communities().groups] == ["Coal", "Acme"]
        filled.put_communities(Communities(9))
        assert filled.communities() == Communities(9)

    def test_a_later_write_leaves_them_with_their_stamp(self, filled):
        found = self.derived(filled)
        filled.put_communities(found)
        assert filled.remove("a/report.pdf")
        assert filled.communities() == found and filled.version() > found.version

    def test_they_hinder_no_write(self, filled):
        filled.put_communities(self.derived(filled))
        filled.put(STEEL)
        for record in filled.documents():
            assert filled.remove(record.source)
        assert filled.counts()["entities"] == 0


class FactTests(StoreTests):
    def test_facts_come_back(self, filled):
        assert filled.facts(FactQuery(sources=("a/report.pdf",))) == [STEEL.facts[1], STEEL.facts[0]]
        assert filled.facts(FactQuery(sources=("a/report.pdf",)))[0].id == STEEL.facts[1].id

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            (FactQuery(), ["-5.5", "1234", "1.234"]),
            (FactQuery(companies=("acme",)), ["-5.5", "1234"]),
            (FactQuery(metrics=("revenue",)), ["1234", "1.234"]),
            (FactQuery(metrics=("revenue",), companies=("Bolt Inc",)), ["1.234"]),
            (FactQuery(periods=(FY2023,)), ["-5.5", "1234", "1.234"]),
            (FactQuery(periods=(Period("year", 2020),)), []),
            (FactQuery(label="REVEN"), ["1234", "1.234"]),
            (FactQuery(sources=("nothing",)), []),
            (FactQuery(limit=1), ["-5.5"]),
        ],
    )
    def test_filters(self, filled, query, expected):
        assert [fact.text for fact in filled.facts(query)] == expected

    @pytest.mark.parametrize("value", ["1234", "1.234", "1234000000", "-1234", "12.34E+8"])
    def test_an_amount_in_any_scale(self, filled, value):
        from decimal import Decimal

        assert [fact.text for fact in filled.facts(FactQuery(value=Decimal(value)))] == ["1234", "1.234"]


class DriverTests(StoreTests):
    @pytest.fixture
    def explained(self, filled):
        """Two documents with drivers: of Acme's revenue and costs, of Bolt's revenue."""
        steel = [driver(STEEL.chunks[0]), driver(STEEL.chunks[1], "cost of revenue", category="input_cost")]
        coal = [driver(COAL.chunks[0], company="Bolt Corp.")]
        for given, found in ((STEEL, steel), (COAL, coal)):
            filled.put(replace(given, graph=replace(given.graph, drivers=tuple(found))))
        return filled

    def test_drivers_come_back_as_they_were_put(self, explained):
        first = driver(STEEL.chunks[0])
        assert explained.drivers(DriverQuery(metrics=("revenue",), companies=("Acme",))) == [first]
        assert [cause.text for cause in first.all_causes()] == ["volume", "mild weather", "currency, $5 million"]

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            (DriverQuery(), ["Cloud cost of revenue", "Cloud revenue", "Cloud revenue"]),
            (DriverQuery(companies=("bolt",)), ["Cloud revenue"]),
            (DriverQuery(metrics=("cost of revenue",)), ["Cloud cost of revenue"]),
            (DriverQuery(periods=(FY2023,), limit=2), ["Cloud cost of revenue", "Cloud revenue"]),
            (DriverQuery(periods=(Period("year", 2020),)), []),
            (DriverQuery(sources=("b/report.pdf",)), ["Cloud revenue"]),
            (DriverQuery(sources=("nothing",)), []),
            (DriverQuery(categories=("input_cost",)), ["Cloud cost of revenue"]),
            (DriverQuery(categories=("weather",), companies=("Acme",)), ["Cloud cost of revenue", "Cloud revenue"]),
        ],
    )
    def test_filters(self, explained, query, expected):
        assert [found.label for found in explained.drivers(query)] == expected

    def test_they_come_and_go_with_their_part(self, explained):
        part = replace(STEEL.graph, drivers=(driver(STEEL.chunks[0], "goodwill"),))
        explained.put_graph("a/report.pdf", part)
        assert [found.metric for found in explained.drivers(DriverQuery(sources=("a/report.pdf",)))] == ["goodwill"]
        model = replace(STEEL.graph, extractor="llm-1", drivers=(driver(STEEL.chunks[0], extractor="llm"),))
        explained.put_graph("a/report.pdf", model)
        assert len(explained.drivers(DriverQuery(sources=("a/report.pdf",)))) == 2
        assert [len(part.drivers) for part in explained.parts("a/report.pdf")] == [1, 1]
        explained.remove("a/report.pdf")
        assert [found.company for found in explained.drivers(DriverQuery())] == ["Bolt Corp."]
        explained.put(COAL)
        assert explained.drivers(DriverQuery()) == []

    def test_a_copy_has_them(self, explained):
        memory = open_store("sqlite://")
        copy_documents(explained, memory)
        assert memory.drivers(DriverQuery()) == explained.drivers(DriverQuery())

    def test_what_later_documents_say_is_out_of_sight(self, explained):
        assert explained.drivers(DriverQuery()) and not as_of(explained, date(2020, 1, 1)).drivers(DriverQuery())

    def test_a_chunk_that_is_not_there_is_refused(self, filled):
        lost = replace(driver(STEEL.chunks[0]), chunk="nowhere")
        with pytest.raises(ValueError, match="chunk"):
            filled.put(replace(STEEL, graph=replace(STEEL.graph, drivers=(lost,))))
        with pytest.raises(StoreError, match="chunk"):
            filled.put_graph("a/report.pdf", replace(STEEL.graph, drivers=(lost,)))


def same_state(store: Store, *given) -> None:
    """Assert that the store holds just these bundles, each of them whole."""
    assert [record.source for record in store.documents()] == sorted(b.document.source for b in given)
    for b in given:
        source = b.document.source
        assert store.document(source) == b.document
        assert store.chunks_of(source) == list(b.chunks)
        assert [row.words for row in store.chunk_words([source])] == list(b.words)
        assert len(store.facts(FactQuery(sources=(source,)))) == len(b.facts)
        assert sorted(ids(store.statements(documents=[source]))) == sorted(ids(b.graph.statements))
        assert len(store.nearest(b.vectors[0], 99, [source])) == len(b.chunks)


class SectionSummariesTests(StoreTests):
    """What a model wrote of the sections of a document."""

    WRITTEN = SectionSummaries(
        "model-1",
        (SectionSummary(0, 1, "Steel costs more."), SectionSummary(2, 2, "煤 “leads”")),
        unit_rows(np.random.default_rng(7), 2, DIM),
    )

    @pytest.fixture
    def summarised(self, filled):
        filled.put_section_summaries("a/report.pdf", self.WRITTEN)
        return filled

    def test_they_come_back_for_their_document_alone(self, summarised):
        found = summarised.section_summaries(["a/report.pdf", "b/report.pdf", "nowhere"])
        assert list(found) == ["a/report.pdf"]
        own = found["a/report.pdf"]
        assert (own.author, own.rows) == (self.WRITTEN.author, self.WRITTEN.rows)
        assert np.allclose(own.vectors, self.WRITTEN.vectors, atol=1e-3)

    def test_the_record_names_their_author_and_readers_see_the_write(self, filled):
        before = filled.version()
        filled.put_section_summaries("a/report.pdf", self.WRITTEN)
        assert filled.version() > before
        versions = {record.source: record.versions.get("summaries") for record in filled.documents()}
        assert versions == {"a/report.pdf": "model-1", "b/report.pdf": None}

    def test_others_take_their_place(self, summarised):
        """Also some without vectors, as of a document that the encoder does not read."""
        other = SectionSummaries("model-2", (SectionSummary(0, 0, "Rates."),), np.zeros((1, 0), np.float32))
        summarised.put_section_summaries("a/report.pdf", other)
        found = summarised.section_summaries(["a/report.pdf"])["a/report.pdf"]
        assert (found.author, found.rows, found.vectors.shape) == ("model-2", other.rows, (1, 0))

    def test_they_go_when_the_document_is_stored_anew(self, summarised):
        summarised.put(STEEL)
        assert summarised.section_summaries(["a/report.pdf"]) == {}

    def test_a_copy_has_them(self, summarised):
        memory = open_store("sqlite://")
        copy_documents(summarised, memory)
        assert memory.section_summaries(["a/report.pdf"])["a/report.pdf"].rows == self.WRITTEN.rows
        assert memory.documents() == summarised.documents()

    def test_what_was_not_public_yet_is_out_of_sight(self, summarised):
        assert as_of(summarised, date(2020, 1, 1)).section_summaries(["a/report.pdf"]) == {}

    def test_those_of_a_text_that_is_no_longer_there_are_not_stored(self, filled):
        now = {record.source: record.content_hash for record in filled.documents()}["a/report.pdf"]
        before = filled.version()
        assert not filled.put_section_summaries("a/report.pdf", self.WRITTEN, "another")
        assert not filled.put_section_summaries("nowhere", self.WRITTEN, now)
        assert filled.version() == before and filled.section_summaries(["a/report.pdf"]) == {}
        assert filled.put_section_summaries("a/report.pdf", self.WRITTEN, now)
        assert list(filled.section_summaries(["a/report.pdf"])) == ["a/report.pdf"]

    def test_a_document_that_is_not_there_is_refused(self, filled):
        with pytest.raises(StoreError, match="no such document"):
            filled.put_section_summaries("nowhere", self.WRITTEN)
