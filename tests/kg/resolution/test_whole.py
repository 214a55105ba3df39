"""Which entities of a whole store are one: the same for any order of the same entities and merges."""

from __future__ import annotations

import random
from dataclasses import replace

from cliquerag.core.ids import stable_id
from cliquerag.core.names import name_key
from cliquerag.kg.graph import Entity, Merge
from cliquerag.kg.resolution.clusters import BY_HAND, StoredMerge
from cliquerag.kg.resolution.matching import REASONS, match
from cliquerag.kg.resolution.whole import Settled, settled_merges


def company(name: str, mentions: int = 1, **context: str) -> Entity:
    key = stable_id("entity", "company", name.casefold())
    return Entity(key, name, "company", name_key(name), mentions=mentions, context=context)


def merge(one: Entity, other: Entity, reason: str, undone: bool = False) -> Merge:
    return Merge(stable_id("merge", one.id, other.id), one.id, other.id, reason, 1.0, undone)


def named(settled: list[Settled], entities: list[Entity]) -> set[frozenset[str]]:
    names = {entity.id: entity.name for entity in entities}
    return {frozenset((names[made.merge.entity], names[made.merge.into])) for made in settled if not made.merge.undone}


def test_rivals_are_not_brought_together_by_a_bare_name() -> None:
    entities = [company("Merck KGaA", 5), company("Merck", 9), company("Merck & Co., Inc.", 7)]
    assert named(settled_merges(entities, []), entities) == {frozenset(("Merck", "Merck & Co., Inc."))}


def test_nor_by_a_merge_that_a_document_gives() -> None:
    kgaa, bare, co = company("Merck KGaA"), company("Merck", 3), company("Merck & Co., Inc.", 9)
    given = [StoredMerge(merge(bare, kgaa, "alias in the text"), given=True, giver=True)]
    found = settled_merges([kgaa, bare, co], given)
    assert named(found, [kgaa, bare, co]) == {frozenset(("Merck", "Merck KGaA"))}


def test_what_was_found_before_is_not_kept_for_its_age() -> None:
    one, other = company("Acme Inc.", ticker="ACM"), company("Acme Corp", ticker="ACX")
    assert settled_merges([one, other], [StoredMerge(merge(one, other, "same name"))]) == []


def test_decisions_of_people_stay() -> None:
    one, other, third = company("Acme Inc."), company("Acme"), company("Bolt Ltd")
    undone = StoredMerge(merge(one, other, "same name", undone=True))
    by_hand = StoredMerge(merge(one, third, BY_HAND))
    by_program = StoredMerge(merge(other, third, "our own list"))
    settled = settled_merges([one, other, third], [undone, by_hand])
    assert {made.merge for made in settled} == {undone.merge, by_hand.merge}
    assert by_program.merge in {made.merge for made in settled_merges([one, other, third], [by_program])}


def test_documents_may_give_a_merge_in_either_direction() -> None:
    one, other = company("Acme Inc."), company("Bolt")
    there = StoredMerge(merge(one, other, "alias in the text"), given=True, giver=True)
    back = StoredMerge(merge(other, one, "alias in the text"), given=True, giver=True)
    assert settled_merges([one, other], [there]) == settled_merges([other, one], [back])


def test_any_order_gives_the_same() -> None:
    dice, words = random.Random(4), ("Acme", "Bolt", "Transparent", "Transprent", "Goldman", "Goldmann", "Sachs")
    endings = ("", " Inc.", " Ltd", " SA", " Group", " II")
    entities = [
        company(f"{dice.choice(words)} {dice.choice(words)}{dice.choice(endings)}", dice.randrange(4))
        for _ in range(80)
    ]
    entities = list({entity.id: entity for entity in entities}.values())
    given = [
        StoredMerge(merge(*dice.sample(entities, 2), "alias in the text"), given=True, giver=True) for _ in range(6)
    ]
    expected = settled_merges(entities, given)
    assert len(expected) > 12
    for _ in range(10):
        dice.shuffle(entities)
        dice.shuffle(given)
        assert settled_merges(entities, given) == expected


def test_all_reasons_are_known() -> None:
    pairs = [
        (company("Acme Inc."), company("ACME")),
        (company("Acme Group", ticker="ACM"), company("ACM")),
        (replace(company("Acme Holding"), aliases=("Bolt",)), company("Bolt")),
        (company("Wal-Mart"), company("Walmart")),
        (company("Transparent Financial"), company("Transprent Financial")),
    ]
    found = {reason[0] for one, other in pairs if (reason := match(one, other))}
    assert len(found) == 5 and found <= REASONS
