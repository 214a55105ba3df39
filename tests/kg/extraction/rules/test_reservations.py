"""What a sentence takes back: denied, possible, planned, alleged by others, quoted, over."""

from __future__ import annotations

import pytest
from cliquerag.kg.extraction.rules import RulesExtractor, guess_language
from cliquerag.kg.extraction.rules.reservations import is_conditional, modality, reservation_before
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage, Triple

RULES = RulesExtractor(load_schema())


def triples(text: str, subject: str = "Acme Corp.") -> list[Triple]:
    passage = Passage(text, subject=subject, language="zh" if guess_language(text) == "zh" else "en")
    return list(RULES.extract([passage])[0].triples)


def modalities(text: str, relation: str, **about: str) -> set[str]:
    return {triple.modality for triple in triples(text, **about) if triple.relation == relation}


@pytest.mark.parametrize(
    ("text", "relation", "told"),
    [
        ("No customer, including Bolt Inc., accounted for 10% of our net sales.", "customer_of", "negated"),
        ("At no time did we sell our valves to Bolt Inc.", "sells_to", "negated"),
        ("It is not the case that Jane Smith joined Bolt Inc.", "works_for", "negated"),
        ("We have excluded from our list of competitors Bolt Inc. and Nut Ltd.", "competes_with", "negated"),
        ("Had we bought Bolt Inc. in 2019, our costs would be lower.", "acquires", "possible"),
        ("Assuming that we acquire Bolt Inc., debt rises.", "acquires", "possible"),
        ("To the extent that Acme Corp. acquires Bolt Inc., debt rises.", "acquires", "possible"),
        ("The complaint alleges that Acme Corp. acquired Bolt Inc.", "acquires", "possible"),
        ("Plaintiffs contend that Jane Smith was a director of Bolt Inc.", "director_of", "possible"),
        ("Rumors that we acquired Bolt Inc. have circulated.", "acquires", "possible"),
        ("The newspaper reported last week that Bolt Inc. sued Acme Corp.", "sues", "possible"),
        ("The Company is preparing to list its shares on the Nasdaq.", "listed_on", "planned"),
        ("The agreement requires that we maintain our leverage ratio.", "guides", "possible"),
        ("Acme Corp. announced that Bolt Inc. acquired Nut Ltd. in May.", "acquires", "asserted"),
        ("No assurance is needed that Bolt Inc. acquired Nut Ltd.", "acquires", "asserted"),
    ],
)
def test_what_a_sentence_takes_back(text: str, relation: str, told: str) -> None:
    assert modalities(text, relation) == {told}


def test_a_chinese_plaintiff_only_claims_it() -> None:
    said = "原告主张，海文股份有限公司收购北辰科技有限公司。"
    assert modalities(said, "acquires", subject="") == {"possible"}


def test_who_is_quoted_says_we_for_the_own_firm() -> None:
    quoted = '"We bought Nut Ltd. for a song," said Jane Smith, chief executive of Bolt Inc.'
    assert "Acme Corp." not in {triple.head for triple in triples(quoted)}
    own = '"We bought Nut Ltd. for a song," said Jane Smith, chief executive of Acme Corp.'
    assert ("Acme Corp.", "acquires", "Nut Ltd.") in {(t.head, t.relation, t.tail) for t in triples(own)}


@pytest.mark.parametrize(
    ("text", "relation", "until"),
    [
        ("Until 2019 Acme Corp. owned a 30% stake in Bolt Inc.", "owns_stake", "Until 2019"),
        ("Our former subsidiary Bolt Inc. was dissolved.", "subsidiary_of", "former"),
        ("Our joint venture with Bolt Inc. was dissolved in 2021.", "partners_with", "2021"),
        ("The Company formerly operated a plant in Dayton, Ohio.", "operates_in", "formerly"),
        ("Jane Smith, formerly our general counsel, spoke.", "holds_role", "formerly"),
        ("Acme Corp. owns a 30% stake in Bolt Inc.", "owns_stake", None),
    ],
)
def test_a_state_that_is_over_says_until_when(text: str, relation: str, until: str | None) -> None:
    assert {triple.metadata.get("until") for triple in triples(text) if triple.relation == relation} == {until}


def test_a_month_is_no_verb_that_makes_something_possible() -> None:
    assert not is_conditional("", " in May.")
    assert modality("in May ‹C0› acquired ‹C1›") == "asserted"
    assert reservation_before("No. 5 of our list: ") == "asserted"


def test_a_reliance_that_was_ceased_is_over():
    (told,) = triples("We ceased our reliance on Bolt Inc. for guarantees in 2019.")
    assert (told.relation, told.metadata.get("until")) == ("depends_on", "ceased")


def test_who_somebody_was_says_nothing_of_the_office_that_is_given() -> None:
    said = triples("Ann Roe, 61, former Chair and CEO of Bolt, Inc., has been appointed President and CEO.")
    assert [(one.tail, one.metadata.get("until")) for one in said if one.relation == "leads"] == [("Acme Corp.", None)]


def test_what_is_wholly_sold_is_no_stake() -> None:
    said = triples("The Company sold all of the equity interests of the Bolt subsidiaries.")
    assert {(one.relation, one.tail) for one in said} == {("divests", "Bolt")}
    assert {one.relation for one in triples("Acme Corp. sold a stake in Crux Ltd.")} >= {"owns_stake"}


def test_a_buyer_is_named_behind_the_funds_that_it_advises() -> None:
    said = triples(
        "The Company sold its meters to an indirect, wholly owned subsidiary of funds advised by Elm Partners LLP."
    )
    assert ("sells_to", "Elm Partners LLP") in {(one.relation, one.tail) for one in said}


def test_what_is_borrowed_or_flows_out_is_no_price() -> None:
    for words in ("a $171.0 million cash outflow", "$0.2 billion that we borrowed"):
        said = triples(f"The change was due to {words} for our acquisition of Bolt Inc.")
        assert [one.metadata for one in said if one.relation == "acquires"] == [{}]
