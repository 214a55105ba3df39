import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag.core.names import name_key
from cliquerag.kg.graph import Entity
from cliquerag.kg.resolution.matching import conflict, match, merges_for, resolve
from hypothesis import given, settings
from hypothesis import strategies as st

PAIRS = Path(__file__).parent / "data" / "name_pairs.tsv"


def entity(name: str, kind: str = "company", id: str = "", **context: str) -> Entity:
    return Entity(id or name, name, kind, name_key(name), context=context)


def labelled_pairs() -> Iterator[tuple[Entity, Entity, bool]]:
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        one, other, kind, label = line.split("\t")
        yield entity(one, kind, "1"), entity(other, kind, "2"), label == "same"


def test_precision_and_recall_on_names_of_real_filings():
    pairs = list(labelled_pairs())
    assert len(pairs) >= 150
    merged = [(same, match(one, other) is not None) for one, other, same in pairs]
    right = sum(same and found for same, found in merged)
    assert right / sum(found for _, found in merged) >= 0.98
    assert right / sum(same for same, _ in merged) >= 0.8


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (entity("Acme"), entity("Acme", "product"), "type"),
        (entity("Fund 7"), entity("Fund 8"), "digit"),
        (entity("Series A"), entity("Series B"), "serial letter"),
        (entity("Mylan I B.V."), entity("Mylan II B.V."), "serial letter"),
        (entity("Merck KGaA"), entity("Merck & Co., Inc."), "legal form"),
        (entity("Ann Lee", "person", firm="Acme"), entity("Ann Lee", "person", firm="Globex"), "firm"),
        (entity("Delta", ticker="DAL"), entity("Delta", ticker="DLT"), "ticker"),
    ],
)
def test_guards(one, other, reason):
    assert conflict(one, other) == reason
    assert match(one, other) is None


def test_namesakes_of_one_firm_are_one():
    one, other = entity("Ann Lee", "person", "1", firm="Acme Inc."), entity("Ann Lee", "person", "2", firm="ACME")
    assert match(one, other) == ("same name", 1.0)


def test_tickers_and_aliases():
    acme = entity("Acme Corp.", ticker="ACM")
    assert match(entity("ACM"), acme) == ("ticker", 0.95)
    globex = Entity("g", "Globex", "company", "globex", aliases=("GBX Holdings",))
    assert match(entity("GBX Holdings, Inc."), globex) == ("alias", 0.95)


def test_a_new_entity_joins_the_best_candidate():
    old = entity("Acme Inc.", id="1")
    merges = merges_for([entity("ACME", id="2"), entity("Acme Corp", id="3")], {"acme": [old]})
    assert [(m.entity, m.into, m.reason) for m in merges] == [("2", "1", "same name"), ("3", "1", "same name")]


def test_a_name_that_fits_two_different_firms_joins_neither():
    stored = [entity("Merck KGaA", id="1"), entity("Merck & Co., Inc.", id="2")]
    assert merges_for([entity("Merck", id="3")], {"merck": stored}) == []
    assert resolve([*stored, entity("Merck", id="3")]) == []


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (entity("Wal-Mart Stores"), entity("Walmart Stores"), "blanks, accents or abbreviation"),
        (entity("Nestlé S.A."), entity("NESTLE"), "blanks, accents or abbreviation"),
        (entity("Acme Mfg. Co."), entity("Acme Manufacturing"), "blanks, accents or abbreviation"),
        (entity("Ann B. Lee", "person", firm="Acme"), entity("Ann Lee", "person", firm="Acme"), "middle initial"),
        (
            entity("Bill Roe", "person", firm="Acme"),
            entity("William J. Roe", "person", firm="Acme"),
            "short form of the given name",
        ),
    ],
)
def test_other_ways_of_writing_a_name(one, other, reason):
    assert match(one, other)[0] == reason
    assert [m.reason for m in resolve([one, other])] == [reason]
    assert [m.reason for m in merges_for([one, other], {})] == [reason]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (entity("Ann B. Lee", "person", firm="Acme"), entity("Ann C. Lee", "person", firm="Acme")),
        (entity("Ann B. Lee", "person"), entity("Ann Lee", "person")),
        (entity("John Smith Jr.", "person", firm="Acme"), entity("John Smith", "person", firm="Acme")),
        (entity("Lars Andersen", "person"), entity("Lars Anderson", "person")),
        (entity("Acme Foods"), entity("Acme Foods Europe")),
        (entity("Acme Class A"), entity("Acme Class B")),
        (entity("Section 404", "regulation"), entity("Section 405", "regulation")),
        (entity("Windows Servers", "product"), entity("Windowsservers", "product")),
    ],
)
def test_what_differs_stays_apart(one, other):
    assert match(one, other) is None and resolve([one, other]) == [] and merges_for([one, other], {}) == []


def test_spelling_forgives_one_letter_of_a_long_word_only():
    assert resolve([entity("Goldman Sachs"), entity("Goldmann Sachs")])[0].reason == "spelling"
    assert resolve([entity("Boston Scientific"), entity("Austin Scientific")]) == []
    assert resolve([entity("Acme Resource"), entity("Acme Resources")]) == []
    assert resolve([entity("India", "place"), entity("Indiana", "place")]) == []


@given(st.lists(st.sampled_from(["Acme Inc.", "ACME", "Acme 2", "Bolt", "Bolt Ltd", "Bolt plc", "Nut"]), max_size=8))
@settings(max_examples=100, deadline=None)
def test_merges_never_join_what_conflicts(names):
    entities = [entity(name, id=f"{name}-{number}") for number, name in enumerate(names)]
    by_id = {e.id: e for e in entities}
    for merge in resolve(entities):
        assert not conflict(by_id[merge.entity], by_id[merge.into])


def test_near_linear():
    def seconds(count: int) -> float:
        entities = [
            entity(f"Company {n % (count // 2)} Holdings{' Inc.' if n % 3 else ''}", id=str(n)) for n in range(count)
        ]
        began = time.process_time()
        resolve(entities)
        return time.process_time() - began

    seconds(1_000)
    assert seconds(16_000) < 16 * max(seconds(4_000), 0.02)
