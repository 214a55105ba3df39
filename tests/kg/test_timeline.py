"""Which statements hold no more: an event between two ends what was stated of them before, by the schema."""

from __future__ import annotations

from datetime import date

import pytest
from cliquerag.kg.graph import Entity, Relation, Statement
from cliquerag.kg.schema import load_schema
from cliquerag.kg.timeline import ended, marked

ACME, BOLT = Entity("a", "Acme", "company", "acme"), Entity("b", "Bolt", "company", "bolt")


def relation(kind: str, day: date, document: str, *, head: Entity = ACME, tail: Entity = BOLT) -> Relation:
    said = Statement(f"{kind}{day}", head.id, kind, tail.id, document, "c", 0, 9, "text", published=day)
    return Relation(head, kind, tail, (said,))


@pytest.mark.parametrize("turned", [False, True])
def test_who_is_bought_is_a_partner_no_more(turned: bool) -> None:
    head, tail = (BOLT, ACME) if turned else (ACME, BOLT)
    partners = relation("partners_with", date(2021, 2, 1), "2020.pdf", head=head, tail=tail)
    bought = relation("acquires", date(2022, 10, 3), "2022.pdf")
    first, second = marked([partners, bought], load_schema())
    assert ended(first) == "until 2022-10-03, superseded by 2022.pdf"
    assert ended(second) == ""


@pytest.mark.parametrize(
    ("kind", "day", "document"),
    [
        ("acquires", date(2020, 1, 1), "2019.pdf"),
        ("acquires", date(2022, 1, 1), "2020.pdf"),
        ("supplies", date(2022, 1, 1), "2022.pdf"),
    ],
)
def test_what_came_before_stands_beside_it_or_ends_nothing_leaves_it(kind: str, day: date, document: str) -> None:
    partners = relation("partners_with", date(2021, 2, 1), "2020.pdf")
    assert marked([partners, relation(kind, day, document)], load_schema())[0].successor is None
