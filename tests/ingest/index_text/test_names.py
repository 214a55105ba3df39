"""The company's name where its document says "the Company"."""

from __future__ import annotations

import pytest
from cliquerag.ingest.document import Document, Metadata, Segment
from cliquerag.ingest.index_text.writer import Subject, subject_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Company leases its offices.", "Acme leases its offices."),
        ("Sales of the Company's mills rose.", "Sales of Acme's mills rose."),
        ("In 2022, we and our partners sold it.", "In 2022, Acme and our partners sold it."),
        ("Suppliers may sue us in the US.", "Suppliers may sue Acme in the US."),
        ("The company that we know", "The company that Acme know"),
        ("Sales in the US rose.", "Sales in the US rose."),
        ("Every company has risks.", "Every company has risks."),
        ("ACME and the Company agree.", "ACME and the Company agree."),
        ("The West is ours.", "The West is ours."),
        ("本公司营业收入增长。", "Acme营业收入增长。"),
        ("报告期内，公司实现净利润3亿元。", "报告期内，Acme实现净利润3亿元。"),
        ("公司债券的利率为3%。", "公司债券的利率为3%。"),
        ("子公司增加两家。", "子公司增加两家。"),
    ],
)
def test_the_first_word_for_the_company_gives_way_to_its_name(text: str, expected: str) -> None:
    assert Subject("Acme").put_in(text) == expected


def test_an_analyst_who_says_we_is_not_the_company() -> None:
    asked = Segment("paragraph", 0, 20, part="question")
    answered = Segment("paragraph", 0, 20, part="answer")
    assert Subject("Acme").put_in("When will we see it?", asked) == "When will we see it?"
    assert Subject("Acme").put_in("When we see it.", answered) == "When Acme see it."


@pytest.mark.parametrize(
    "metadata",
    [Metadata(), Metadata(companies=("Acme", "Beta")), Metadata(companies=("Acme",), how={"unsure": "companies"})],
)
def test_without_one_certain_company_nothing_is_put_in(metadata: Metadata) -> None:
    assert subject_of(Document("a", "", (), metadata=metadata)) is None
