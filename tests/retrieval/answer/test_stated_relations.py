"""Answers from the graph without a model: names, times, complete lists, two steps, and what several share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from cliquerag import Workspace
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.retrievers.asked_relations import asked_of, named_links, says_directed
from support.library import answer_text, filing, library

from benchmarks.asking import answer_question, plan_of

TEXTS = {
    "acme.txt": (
        "Acme Corporation acquired Bolt Systems Inc. in March 2021. The purchase price was $40 million in cash. "
        "Acme Corporation acquired Crux Limited in June 2022 for $15 million. "
        "Acme Corporation announced that it will acquire Dart Foods Inc. in 2023."
    ),
    "people.txt": "Ann Lee is chief executive officer of Acme Corporation. She likes the opera.",
    "partners.txt": "Acme Corporation partners with Elm Works Inc. on steel. "
    "Fern Corporation partners with Elm Works Inc.",
} | {f"steel{i}.txt": f"Steel prices rose in year {i}. Bars and bolts were sold to mills." for i in range(12)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


def test_a_complete_list_has_every_statement_and_the_price_that_stands_behind(store: Store) -> None:
    answer = answer_text(store, "Which companies did Acme Corporation acquire, and at what prices?")
    assert "Acme Corporation acquires Bolt Systems Inc. (2021-03)" in answer and "$40 million" in answer
    assert "Acme Corporation acquires Crux Limited (2022-06)" in answer and "$15 million" in answer
    assert "Dart" not in answer


def test_the_year_asked_leaves_out_the_others(store: Store) -> None:
    answer = answer_text(store, "Which companies did Acme Corporation acquire in 2022?")
    assert "Crux" in answer and "Bolt" not in answer


@pytest.mark.parametrize(("price", "bought"), [("$15 million", "Crux"), ("$40 million", "Bolt")])
def test_a_statement_that_prints_no_figure_of_the_question_is_no_answer(store: Store, price: str, bought: str) -> None:
    answer = answer_text(store, f"Which company did Acme Corporation acquire for {price}?")
    assert {name for name in ("Bolt", "Crux", "Dart") if name in answer} == {bought}


def test_what_is_only_planned_is_told_where_it_is_asked_for(store: Store) -> None:
    assert "Dart Foods" in answer_text(store, "Which company does Acme Corporation plan to acquire?")


def test_a_second_step_is_answered(store: Store) -> None:
    answer = answer_question(store, None, None, "Who leads the company that acquired Crux Limited?")
    assert "Ann Lee, chief executive officer of Acme Corporation" in answer.text
    assert [citation.source for citation in answer.citations] == ["people.txt"]


def test_what_two_companies_share(store: Store) -> None:
    answer = answer_text(store, "Which partner do Acme Corporation and Fern Corporation share?")
    assert "Elm Works Inc." in answer and "acquires" not in answer


def test_words_and_vectors_alone_answer_without_the_graph(store: Store) -> None:
    assert " acquires " not in answer_text(store, "Which companies did Acme Corporation acquire?", "vector")


def test_a_relation_between_two_that_is_not_there_is_not_made_up(store: Store) -> None:
    assert "acquires" not in answer_text(store, "Since when has Fern Corporation been audited by Elm Works Inc.?")


@pytest.mark.parametrize(
    "question",
    [
        "Why did steel prices rise?",
        "What was Acme Corporation's revenue in 2021?",
        "What acquisitions does Acme Corporation have with Elm Works Inc.?",
    ],
)
def test_other_questions_are_not_answered_by_relations(store: Store, question: str) -> None:
    assert " acquires " not in answer_text(store, question)


CHANGES = {
    "zinc_2020.txt": "Zinc Holdings Inc. partners with Yarrow Labs Inc. since 2020. "
    "Mr. John Marsh served as Chief Financial Officer of Zinc Holdings Inc. from May 2015 to March 2019.",
    "zinc_2022.txt": "Zinc Holdings Inc. acquired Yarrow Labs Inc. on October 3, 2022. "
    "Ms. Mary Field served as Chief Financial Officer of Zinc Holdings Inc. from April 2019 to June 2022. "
    "Before that, Ms. Mary Field was Treasurer of Quartz Corporation from 2012 to 2014.",
    "owner.txt": "The company's venture partner Vale Corporation and Zinc Holdings Inc. each own 50% of Umber LLC. "
    "Vale Corporation owns a 50% stake in Umber LLC.",
    "auditor.txt": "Tern Audit LLP, the independent registered public accounting firm of Acme Corporation, is in Rome.",
} | {f"wool{i}.txt": f"Wool prices rose in year {i}. Yarns were sold to mills." for i in range(12)}


@pytest.fixture(scope="module")
def changing() -> Iterator[Store]:
    filled = library(CHANGES, graph=True)
    yield filled
    filled.close()


@pytest.fixture(scope="module")
def audited() -> Iterator[Store]:
    report = (
        "We depreciate plants by the straight-line method. "
        "Tern Audit LLP, our independent registered public accounting firm, audited the statements."
    )
    filled = library({"vole_10k.pdf": filing("Vole Corporation", 2021, report)}, graph=True)
    yield filled
    filled.close()


def test_what_has_become_of_a_relation_is_told_the_newest_first_and_what_it_ended(changing: Store) -> None:
    lines = answer_text(changing, "Is Yarrow Labs Inc. still a partner of Zinc Holdings Inc.?").split("\n")
    assert lines[0].startswith("Zinc Holdings Inc. acquires Yarrow Labs Inc. (2022-10-03)")
    assert "partners with" in lines[1] and "superseded" in lines[1]


def test_who_held_an_office_before_somebody(changing: Store) -> None:
    answer = answer_text(changing, "Who was chief financial officer of Zinc Holdings Inc. before Mary Field?")
    assert "Marsh" in answer and "May 2015" in answer and "Quartz" not in answer


def test_who_ran_a_firm_before_somebody_held_the_office_of_that_one(changing: Store) -> None:
    answer = answer_text(changing, "Who ran finance at Zinc Holdings Inc. before Mary Field?")
    assert "Marsh" in answer and "Quartz" not in answer


def test_an_office_that_several_hold_follows_nobody_who_holds_another_with_it() -> None:
    texts = {
        "a.txt": "Ms. Dora Pym has served as President of Jade Mills Inc. since May 2015. "
        "Mr. Carl Ott has served as President and Chief Executive Officer of Jade Mills Inc. since March 2020.",
    } | {f"steel{i}.txt": f"Steel prices rose in year {i}. Bars and bolts were sold to mills." for i in range(12)}
    with closing(library(texts, graph=True)) as own:
        assert "Pym" not in answer_text(own, "Who ran Jade Mills Inc. before Carl Ott?").partition("\n")[0]


def test_who_is_a_person_or_firm_and_no_method(audited: Store) -> None:
    answer = answer_text(audited, "Who audits the accounts of Vole Corporation?")
    assert "Tern Audit LLP" in answer and "straight-line" not in answer


def test_the_term_asked_chooses_the_office(changing: Store) -> None:
    answer = answer_text(changing, "Where was Mary Field employed from 2012 to 2014?")
    assert answer.startswith("Mary Field, Treasurer of Quartz Corporation")


def test_an_answer_names_somebody_whom_the_question_does_not(changing: Store) -> None:
    answer = answer_text(changing, "Who owns a stake in Umber LLC?")
    assert "Vale Corporation owns a stake in Umber LLC" in answer


def test_two_that_no_document_names_together_have_no_relation() -> None:
    audit = "Birch & Co LLP, our independent registered public accounting firm, audited the statements."
    texts = {
        "acme_10k.pdf": filing("Acme Corporation", 2021, audit),
        "other.txt": "Tern Audit LLP, the independent registered public accounting firm of Elm Works Inc., is in Rome.",
    }
    filled = library(texts, graph=True)
    answer = answer_question(filled, None, None, "Since when has Acme Corporation been audited by Tern Audit LLP?")
    filled.close()
    assert answer.trace.get("not found") and "Tern Audit LLP" in answer.text


def test_since_when_is_read_from_the_page_where_no_statement_of_the_office_tells_it() -> None:
    told = "Jane Q. Roe has served as Chief Executive Officer since 2018 and assumed the role of Chairman in 2019."
    signed = "Jane Q. Roe 58 Chairman of the Board of Directors and Chief Executive Officer"
    before = "Ms. Roe previously served as President of Acme Corporation from 2014 to 2017."
    filled = library(
        {"acme_10k.pdf": filing("Acme Corporation", 2021, "\n\n".join((signed, told, before)))}, graph=True
    )
    answer = answer_question(filled, None, None, "Since when has Jane Roe been chairman of Acme Corporation?")
    filled.close()
    assert "2019" in answer.text.splitlines()[0]


def test_deals_of_another_year_are_no_answer() -> None:
    texts = {"acme_10k.pdf": filing("Acme Corporation", 2021, "In March 2020, we acquired Bolt Systems Inc. for cash.")}
    filled = library(texts, graph=True)
    told = [
        answer_question(filled, None, None, f"Which companies did Acme Corporation acquire in {year}?")
        for year in (2020, 2021)
    ]
    filled.close()
    assert "Bolt Systems" in told[0].text and not told[0].trace.get("not found")
    assert told[1].trace.get("not found")


def test_an_office_that_nobody_is_said_to_hold_is_not_given_to_another() -> None:
    people = "Jane Roe is Chief Executive Officer of Acme Corporation."
    filled = library({"acme_10k.pdf": filing("Acme Corporation", 2021, people)}, graph=True)
    leader = answer_question(filled, None, None, "Who is the chief executive officer of Acme Corporation?")
    nobody = answer_question(filled, None, None, "Who is the general counsel of Acme Corporation?")
    filled.close()
    assert "Jane Roe" in leader.text
    assert nobody.trace.get("not found") and "Jane Roe" not in nobody.text


@pytest.mark.parametrize(
    "question", ["Who is the CEO of Acme?", "Who is Acme's chief executive?", "Who runs Acme?", "Who heads Acme?"]
)
def test_an_aide_and_the_head_of_a_unit_are_not_the_chief_executive(question: str) -> None:
    people = (
        "In October 2019, Ms. Gloria Penn was appointed Vice President and Chief of Staff to the Chief Executive "
        "Officer of Acme Corporation. Ms. Ruth Pope is President and Chief Executive Officer, Storm Division, of Acme "
        "Corporation. Mr. Sam Naray is Chairman and Chief Executive Officer of Acme Corporation."
    )
    with closing(library({"a.txt": filing("Acme Corporation", 2022, people)}, graph=True)) as own:
        answer = answer_text(own, question)
        assert "Naray" in answer and "Penn" not in answer and "Pope" not in answer


def test_words_inside_a_name_ask_for_no_relation() -> None:
    text = "Elm Brands Inc. makes the Torquer® drill. Elm Brands Inc. acquired Bolt Systems Inc. in March 2021."
    filled = library({"elm.txt": text} | {f"w{i}.txt": f"Wool rose in year {i}." for i in range(6)}, graph=True)
    answer = answer_question(filled, None, None, "Which company did Elm Brands Inc. acquire?")
    filled.close()
    assert "Bolt Systems Inc." in answer.text and "Torquer" not in answer.text.partition("[1]")[0]


@pytest.fixture(scope="module")
def annual_reports() -> Iterator[Store]:
    texts = {
        "acme.txt": "Acme, Inc. acquired Bolt Systems Inc. in November 2022. "
        "Acme, Inc. competes with Crux Labs Inc., Dart Foods Inc. and Elm Works Inc. in Europe. "
        "Acme, Inc. holds a 41.5% ownership interest in Fern Trust Inc. since May. "
        "Jane Roe is chairperson of Acme, Inc. at present. John Poe is a director of Acme, Inc. at present. "
        "Jane Roe is the co-founder of Gable Partners Inc. in Rome.",
        "notes.txt": "Acme, Inc. acquired Bolt Systems Inc. for an estimated purchase price of $44.9 million.",
        "plans.txt": "Acme, Inc. entered into a definitive agreement to acquire Hull Inc. "
        "The merger is subject to approval.",
    } | {f"wool{i}.txt": f"Wool rose in year {i}. Looms and yarns were sold to mills." for i in range(8)}
    filled = library(texts, graph=True)
    yield filled
    filled.close()


def test_what_one_sentence_counts_up_is_one_line_of_the_answer(annual_reports: Store) -> None:
    answer = answer_text(annual_reports, "Which businesses compete with Acme?")
    line = next(line for line in answer.splitlines() if line.startswith("Acme, Inc. competes with"))
    assert all(name in line.partition(":")[0] for name in ("Crux Labs", "Dart Foods", "Elm Works"))


def test_the_price_may_stand_in_another_statement_of_the_deal(annual_reports: Store) -> None:
    answer = answer_text(annual_reports, "Which company did Acme acquire in November 2022, and for how much?")
    assert "Bolt Systems" in answer and "$44.9 million" in answer


def test_how_large_a_stake_is(annual_reports: Store) -> None:
    answer = answer_text(annual_reports, "What stake does Acme hold in Fern Trust?")
    assert answer.startswith("Acme, Inc. owns a stake in Fern Trust Inc. [41.5%]")


def test_who_chairs_is_whoever_the_chair_is_called(annual_reports: Store) -> None:
    answer = answer_text(annual_reports, "Who chairs the board of Acme?")
    assert "Jane Roe" in answer and "John Poe" not in answer


def test_an_office_before_a_name_says_who_is_meant(annual_reports: Store) -> None:
    assert "Gable Partners" in answer_text(annual_reports, "Which firm did Acme's director Jane Roe co-found?")


def test_whether_a_deal_has_closed_is_told_by_the_plan(annual_reports: Store) -> None:
    assert "definitive agreement" in answer_text(annual_reports, "Has Acme's acquisition of Hull closed?")


def test_what_only_describes_somebody_asks_neither_for_plans_nor_for_its_year(annual_reports: Store) -> None:
    assert "Jane Roe" in answer_text(annual_reports, "Who is chairperson of the company that agreed to acquire Hull?")
    answer = answer_text(
        annual_reports, "Who is chairperson of the company that acquired Bolt Systems in November 2022?"
    )
    assert "Jane Roe" in answer


def test_each_thing_of_a_list_may_have_a_statement_of_its_own() -> None:
    texts = {
        "zinc.txt": "Norra Cell AB supplies the battery cells of all robots to Zinc Robotics Inc. under an agreement. "
        "Quell Precision Ltd. supplies servo drives and gears to Zinc Robotics Inc. for two families of robots. "
        "Ruby Glass Ltd. supplies windows to Zinc Robotics Inc. under an agreement."
    } | {f"wool{i}.txt": f"Wool prices rose in year {i}. Yarns were sold to mills." for i in range(12)}
    with closing(library(texts, graph=True)) as store:
        answer = answer_text(store, "Who supplies battery cells and servo drives to Zinc Robotics?")
        assert "Norra Cell AB" in answer and "Quell Precision Ltd." in answer and "Ruby" not in answer
        one = answer_text(store, "Who supplies servo drives to Zinc Robotics?")
        assert "Quell Precision Ltd." in one and "Norra" not in one


@pytest.mark.parametrize(
    "question",
    ["What guidance does Gear Corporation give for 2023?", "What does Gear Corporation guide for 2023?"],
)
def test_guidance_is_what_is_expected_not_where_it_will_be_published(question: str) -> None:
    text = (
        "Gear Corporation will publish remarks on its guidance for 2023 at www.gear.example. "
        "For 2023, Gear Corporation now expects revenue to grow 8 percent (previously 6 percent)."
    )
    with closing(library({"gear.txt": text}, graph=True)) as store:
        answer = answer_text(store, question)
    assert "8 percent (previously 6 percent)" in answer and "www" not in answer
    assert "8 percent; 6 percent" not in answer


def test_a_sentence_that_counts_all_up_is_quoted_and_parts_may_bear_the_name_of_the_whole() -> None:
    text = (
        "Gear Corporation\n\nOur Gear Capital segment lends money. Our Tools segment grew.\n\n"
        "We operate in three reportable segments: Tools, Wires and Gear Capital.\n"
    )
    with Workspace("sqlite://", embedder="none", feedback="off") as ws:
        ws.add_text(text, source="gear.txt", company="Gear Corporation", kind="10-K", period="FY2022")
        lines = ws.ask("Which segments does Gear have?").text.splitlines()
    assert len(lines) == 1 and all(name in lines[0] for name in ("Tools", "Wires", "Gear Capital"))


def test_of_two_offices_in_one_sentence_the_own_one_counts() -> None:
    text = (
        "Gear Corporation\n\n/s/ Ann Roe /s/ Jim Poe\nAnn Roe – Chief Financial Officer Jim Poe – Director\n\n"
        "Ann Roe has been Chief Financial Officer of Gear Corporation since May 2023.\n"
    )
    with Workspace("sqlite://", embedder="none", feedback="off") as ws:
        ws.add_text(text, source="gear.txt", company="Gear Corporation", kind="10-K", period="FY2022")
        answer = ws.ask("Who was CFO of Gear Corporation before Ann Roe?").text
    assert "Jim Poe sits" not in answer


def test_a_short_name_that_no_document_prints_is_that_of_the_firm_named() -> None:
    signed = "We have audited the balance sheets.\n/s/ PricewaterhouseCoopers LLP\nBoston, February 3, 2023"
    texts = {"a.txt": filing("Bolt Systems Inc.", 2022, signed)} | {f"steel{i}.txt": f"Steel {i}." for i in range(12)}
    with closing(library(texts, graph=True)) as own:
        assert "Bolt Systems" in answer_text(own, "Which companies does PwC audit?").partition(":")[0]


def test_a_list_since_a_year_has_the_years_behind_it(store: Store) -> None:
    answer = answer_text(store, "Which companies has Acme Corporation acquired since 2021?")
    assert "Bolt" in answer and "Crux" in answer
    later = answer_text(store, "Which companies has Acme Corporation acquired since 2022?")
    assert "Crux" in later and "Bolt" not in later


def test_who_is_left_out_of_a_question_is_neither_asked_about_nor_told(store: Store) -> None:
    question = "Which companies did Acme Corporation acquire besides Bolt Systems?"
    assert [link.entity.name for link in named_links(plan_of(store, question))] == ["Acme Corporation"]
    answer = answer_text(store, question)
    assert "Crux" in answer and "Bolt" not in answer


def test_of_two_prices_the_one_with_the_day_answers_when() -> None:
    said = (
        "In 2021 Acme Corporation acquired Bolt Systems Inc. for $171.0 million net of cash. On November 2, 2021, Acme"
        " Corporation acquired Bolt Systems Inc. for $173.7 million."
    )
    texts = {"a.txt": filing("Acme Corporation", 2022, said)} | {f"steel{i}.txt": f"Steel {i}." for i in range(12)}
    with closing(library(texts, graph=True)) as own:
        answer = answer_text(own, "For how much did Acme Corporation acquire Bolt Systems, and when?")
    assert "173.7" in answer.partition("\n")[0]


def test_words_that_point_at_a_group_ask_for_nothing() -> None:
    signed = "We have audited the balance sheets.\n/s/ Nut & Cog LLP\nBoston, February 3, 2023"
    texts = {"a.txt": filing("Bolt Systems Inc.", 2022, signed)} | {f"steel{i}.txt": f"Steel {i}." for i in range(12)}
    with closing(library(texts, graph=True)) as own:
        assert (
            "Bolt Systems"
            in answer_text(own, "Which companies among these are audited by Nut & Cog?").partition(":")[0]
        )


SUITS = {
    "acme.txt": (
        "Acme Corporation annual report 2021. Epik Games Inc. sued Acme Corporation over its store in 2020. "
        "Acme Corporation sued Vexel Limited over a patent in 2020."
    ),
    "books.txt": "Bolt Systems Inc. annual report 2021. The auditor of Bolt Systems Inc. is Deloitte LLP.",
    "board.txt": "Ann Lee is chief executive officer of Acme Corporation. Ann Lee is a director of Vexel Limited.",
    "crux.txt": "Crux Limited annual report 2021. The auditor of Crux Limited is Deloitte LLP. Crux sells pumps.",
}


@pytest.fixture(scope="module")
def suits() -> Iterator[Store]:
    filled = library(SUITS, graph=True)
    yield filled
    filled.close()


@pytest.mark.parametrize(
    "question",
    [
        "What lawsuits is Acme Corporation facing?",
        "What suits are pending against Acme Corporation?",
        "Which suits have been brought against Acme Corporation?",
    ],
)
def test_what_somebody_faces_is_not_what_that_one_has_brought(suits: Store, question: str) -> None:
    answer = answer_text(suits, question)
    assert "Epik" in answer and "Vexel" not in answer


def test_what_somebody_has_brought_is_not_what_that_one_faces(suits: Store) -> None:
    answer = answer_text(suits, "Which suits has Acme Corporation filed?")
    assert "Vexel" in answer and "Epik" not in answer


def test_all_companies_of_an_auditor_are_told(suits: Store) -> None:
    answer = answer_text(suits, "Which companies here are audited by Deloitte?")
    assert "Bolt Systems" in answer and "Crux" in answer


def test_a_party_to_a_suit_is_no_law_firm(suits: Store) -> None:
    answer = answer_text(suits, "Which law firm defends Acme Corporation against Epik Games?")
    assert "Not in these documents" in answer


def test_whose_chief_somebody_is_only_says_who_is_meant(suits: Store) -> None:
    answer = answer_text(suits, "On whose board does Acme Corporation's chief Ann Lee sit?")
    assert "Vexel" in answer


def test_what_is_being_paid_is_not_any_amount_beside_the_price() -> None:
    told = (
        "Teleflex will acquire Zimed Inc. for upfront payments totaling $500 million and up to $25 million upon "
        "milestones. We value these tax attributes at $40 million, which we considered in our purchase price. "
        "Zimed Inc. sells gauze. Teleflex is pleased with Zimed Inc."
    )
    steel = {f"steel{i}.txt": f"Steel prices rose in year {i}. Bars and bolts were sold to mills." for i in range(12)}
    with closing(library({"deal.txt": told} | steel, graph=True)) as store:
        answer = answer_text(store, "What is Teleflex paying for Zimed?")
    assert "$500 million" in answer


def test_who_has_held_an_office_all_along_has_not_joined() -> None:
    text = (
        "Ann Lee is a director of Acme Corporation. Our board of directors appointed Bea Moss as a director of Acme "
        "Corporation in March 2022."
    )
    with closing(library({"board.txt": text}, graph=True)) as store:
        answer = answer_text(store, "Who joined the board of directors of Acme Corporation?")
    assert "Bea Moss" in answer and "Ann Lee" not in answer


def test_a_change_of_name_tells_nothing_of_a_stake() -> None:
    text = (
        "Acme Corporation's stake in Bolt Mining Limited (formerly Crux Mining Limited), which was written off in "
        "2020, was reinstated at $2 million in June 2022."
    )
    with closing(library({"acme.txt": text}, graph=True)) as store:
        answer = answer_text(store, "What happened to Acme Corporation's stake in Bolt Mining Limited?")
    assert "reinstated at $2 million" in answer


def test_shares_that_are_subscribed_for_are_bought(store: Store) -> None:
    plan = plan_of(store, "What did Acme Corporation buy after the balance sheet date?")
    text = "Since the year end we have subscribed for 1.6 million shares in Elm Resources Limited."
    assert says_directed(plan, asked_of(plan), text)
    assert not says_directed(plan, asked_of(plan), "The plan was subscribed for by all of the staff.")
