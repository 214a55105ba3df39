"""Facts as evidence: of several values for one figure the best supported, and what narrows a value is said."""

from __future__ import annotations

from decimal import Decimal

from cliquerag.core.anchor import Anchor
from cliquerag.core.fact import Consolidation, Fact, SourceKind
from cliquerag.core.period import Period
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_text
from cliquerag.retrieval.search.retrievers.facts import describe, fact_evidence


def fact(
    value: str, page: int, *, kind: SourceKind = "table", consolidation: Consolidation = "", part: str = ""
) -> Fact:
    return Fact(
        "Acme", "revenue", "Revenue", Period.parse("2022"), value, Decimal(value), "USD", Decimal(10**6),
        dimensions=(("segment", part),) if part else (), consolidation=consolidation, source_kind=kind,
        source="a.pdf", anchors=(Anchor(page),), id=f"{value}-{page}",
    )  # fmt: skip


def shown(*facts: Fact) -> list[str]:
    return [item.text.split(" = ")[1] for item in fact_evidence([(1.0, one) for one in facts], 10)]


def test_the_value_that_stands_on_most_pages_is_shown_and_those_of_parts_that_are_said_to_be_so():
    cloud = fact("90", 5, part="Cloud")
    assert shown(fact("120", 9), fact("400", 3), fact("400", 40), cloud) == [
        "400 million (USD)",
        "90 million (USD, segment Cloud)",
    ]


def test_where_nothing_is_supported_better_tables_win_then_the_earlier_page():
    assert shown(fact("25", 174), fact("302", 57)) == ["302 million (USD)"]
    assert shown(fact("4500", 52, kind="prose"), fact("4625", 63)) == ["4625 million (USD)"]


def test_the_parent_company_alone_is_neither_shown_for_the_group_nor_without_saying_so():
    parent = fact("421", 3, consolidation="parent")
    assert shown(parent, fact("1175", 9)) == ["1175 million (USD)"]
    assert describe(parent).endswith("(USD, parent company alone)")


def test_about_the_same_is_no_other_value():
    assert shown(fact("7838", 47), fact("7840", 40, kind="prose")) == ["7838 million (USD)", "7840 million (USD)"]


def test_net_of_a_figure_in_prose_keeps_its_name():
    said = "Acme Inc. annual report 2021.\n\nIn 2021, net capital spending was $4.5 billion."
    labels = [
        one.label for one in extract_facts(read_text(said, source="a.txt")) if one.metric == "capital expenditures"
    ]
    assert labels == ["net capital spending"]
