"""Questions about relations that no statement of the graph answers: the sentence is read that holds what is wanted."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from cliquerag.kg.store import Store
from cliquerag.retrieval.answer.extractive.relations.candidate_sentences import PassageReader
from cliquerag.retrieval.answer.extractive.requirements.statement import read_attribute
from cliquerag.retrieval.question.entity_linking import capitalised_names
from cliquerag.retrieval.question.sub_questions import sub_questions
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary
from cliquerag.retrieval.search.retrievers.relational_request import read_request
from support.library import answer_text, filing, library

from benchmarks.asking import answer_question, plan_of, search

_FILLER = {
    f"steel{i}.txt": f"Steel prices rose in year {i}. Bars and bolts were sold to mills in the northern towns."
    for i in range(12)
}
TEXTS = {
    "deals.txt": filing(
        "Acme Corporation",
        2022,
        "The homeowner services business was a small part of what we do. On December 9, 2021, the Company sold all of "
        "its equity interests in the homeowner services business to funds advised by Marlow Partners LLP. The total "
        "consideration was approximately $1.2 billion in cash. We expect to open four stores in the coming year.",
    ),
    "careers.txt": filing(
        "Bolt Systems Inc.",
        2022,
        "Ms. Jane Roe is Chief Financial Officer of Bolt Systems Inc. Prior to joining Bolt Systems, she served as "
        "Treasurer of Crux Airways from 2012 to 2018. Our stores are open on Sundays.",
    ),
    "licenses.txt": filing(
        "Dart Pharma Inc.",
        2022,
        "In March 2014, we entered into a license agreement with Elm Institute, which was amended in 2017. The Elm "
        "Agreement gives us an exclusive license to all patents for Zelotor and related goods. Zelotor is "
        "kept in a cool and dry place.",
    ),
} | _FILLER

_TOLD = {
    "12 million telephone access lines": "We operate 12 million telephone access lines.",
    "Website traffic grew": "Website traffic grew strongly because of the new shop.",
    "ZIP 90210": "Our offices: 12 Pump Street, Harbour Town, ZIP 90210.",
    "in late 2024": "The chief executive officer expects the phase 3 trial to be completed in late 2024.",
    "mostly to the weather": "The chief executive officer attributed the decline mostly to the weather.",
    "Ohio campuses": "The officer mentioned customers at Ohio campuses.",
    "gets $40,000": "At Bolt Systems a director gets $40,000 a year in cash.",
    "receives $75,000": "The board of directors of Bolt Systems receives $75,000 per member and year.",
    "pays 60%": "Officers of Bolt Systems take part in a defined benefit plan that pays 60% of the last year.",
    "1,204,330": "Mr. Paul Gray beneficially owns 1,204,330 of our common stock.",
}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


def test_the_day_of_a_licence_stands_before_what_is_licensed(store: Store) -> None:
    answer = answer_text(store, "For how long has Dart Pharma had a license to the patents for Zelotor?")
    assert "Elm Institute" in answer and "March 2014" in answer and "patents for Zelotor" in answer


def test_the_buyer_and_the_price_are_told_though_they_stand_in_two_sentences(store: Store) -> None:
    answer = answer_text(store, "Who bought the homeowner services business of Acme, and at what price?")
    assert "Marlow Partners" in answer and "$1.2 billion" in answer


def _answer_about_mills(question: str, said: str) -> str:
    texts = {"mills.txt": filing("Dover Mills Inc.", 2022, said)} | _FILLER
    with contextlib.closing(library(texts, graph=True)) as own:
        return answer_text(own, question)


@pytest.mark.parametrize(
    "question", ["Dover Mills' auditor - name and since when", "Who audits Dover Mills, and since when?"]
)
def test_since_when_is_read_below_the_signature_and_is_no_date_of_a_statement(question: str) -> None:
    answer = _answer_about_mills(
        question,
        "The services of the auditor were paid. Keller & Voss LLP, independent registered public accounting firm, has "
        "audited the statements of Dover Mills as of December 31, 2022.\n\n/s/\nKeller & Voss LLP\nKeller & Voss LLP\n"
        "We have served as Dover Mills' auditor since 2000.\n\nBoston, February 11, 2023\n",
    )
    assert "Keller & Voss" in answer and "since 2000" in answer


def test_a_merger_is_told_by_the_one_that_merged() -> None:
    answer = _answer_about_mills(
        "Which company merged with Dover Mills?",
        "On September 27, 2019, we completed our reverse merger with Histon Genetics, Inc., and Histon became our "
        "wholly-owned subsidiary. In 2019 the parties to the licence changed.",
    )
    assert "Histon Genetics" in answer


def test_an_earlier_employer_is_told_of_whoever_is_named_or_holds_the_office(store: Store) -> None:
    assert "Crux Airways" in answer_text(store, "Where did Jane Roe work before Bolt Systems?")
    assert "Crux Airways" in answer_text(store, "Which airline did the CFO of Bolt Systems work for before she joined?")


def test_who_is_nowhere_named_is_not_answered_with_another(store: Store) -> None:
    answer = answer_question(store, None, None, "Which business did Acme sell to Zenith Holdings?")
    assert answer.trace.get("not found") or "Marlow" not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What fees do directors of Bolt Systems receive?",
        "What is the salary of Bolt Systems' chief financial officer?",
        "How old is Jane Roe?",
    ],
)
def test_what_holders_of_an_office_get_is_not_answered_with_who_they_are(store: Store, question: str) -> None:
    assert answer_question(store, None, None, question).trace.get("not found")


def test_what_a_document_tells_of_somebody_is_quoted() -> None:
    said = "Each director receives an annual retainer of $40,000. Ms. Jane Roe, age 53, is Chief Financial Officer."
    with contextlib.closing(library({"a.txt": filing("Bolt Systems Inc.", 2022, said)} | _FILLER, graph=True)) as own:
        assert "$40,000" in answer_text(own, "What fees do directors of Bolt Systems receive?")
        assert "53" in answer_text(own, "How old is Jane Roe?")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many telephone access lines are there?", "12 million telephone access lines"),
        ("How did website traffic develop?", "Website traffic grew"),
        ("What is the zip code of Bolt Systems?", "ZIP 90210"),
        ("When does the CEO expect the phase 3 study to be completed?", "in late 2024"),
        ("To what degree did the CEO attribute the decline to the weather?", "mostly to the weather"),
        ("Which college customers did the officer mention?", "Ohio campuses"),
        ("How much does a director get paid at Bolt Systems?", "gets $40,000"),
        ("How much did the board of directors of Bolt Systems earn?", "receives $75,000"),
        ("What pensions do officers of Bolt Systems receive?", "pays 60%"),
        ("How many shares does Paul Gray own?", "1,204,330"),
    ],
)
def test_what_is_told_in_other_words_is_no_reason_to_refuse(question: str, told: str) -> None:
    said = _TOLD[told]
    beside = "We paid dividends of $0.40 per share, said Mr. Paul Gray."
    texts = {"a.txt": filing("Bolt Systems Inc.", 2022, said, beside)} | _FILLER
    with contextlib.closing(library(texts, graph=True)) as own:
        assert told in answer_text(own, question)


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("其他费用和津贴是多少？", False),
        ("他的津贴是多少？", True),
        ("电话会议上谁提问？", False),
        ("公司的联系电话是多少？", True),
        ("What is Bolt Systems' website?", True),
        ("What is the impact of the website of Bolt Systems?", False),
        ("What is the phone number of Bolt Systems?", True),
        ("Which degree does the CEO hold?", True),
        ("Does the CEO have a degree in law?", True),
        ("To what degree does the CEO have doubts?", False),
        ("Which university did the CEO attend?", True),
        ("Which university customers did the CEO name?", False),
    ],
)
def test_a_thing_of_somebody_has_to_be_told_only_where_it_is_surely_asked(
    store: Store, question: str, is_asked: bool
) -> None:
    assert read_attribute(plan_of(store, question)).applies() == is_asked


def test_dividends_a_share_do_not_tell_how_many_shares_somebody_owns(store: Store) -> None:
    attribute = read_attribute(plan_of(store, "How many shares does Jane Roe own?"))
    told = "She beneficially owns 1,204,330 of our common stock.", "She holds 40 restricted units.", "王先生持有3万股。"
    assert all(map(attribute.is_told, told)) and attribute.is_told("Jane Roe owns no shares.")
    assert not attribute.is_told("In 2022 we paid dividends of $0.40 per share to holders of shares.")


def test_a_company_is_told_by_the_first_word_of_its_name() -> None:
    said = (
        "We agreed with Zenith Holdings Ltd. on a merger in 2021. In 2022 we ended the agreement and, as a result, we "
        "paid a $353 million termination fee to Zenith in accordance with its terms."
    )
    with contextlib.closing(library({"a.txt": filing("Acme Corporation", 2022, said)} | _FILLER, graph=True)) as own:
        assert "$353 million" in answer_text(own, "What termination fee did Acme pay to Zenith Holdings?")


def test_blanks_that_do_not_break_are_blanks() -> None:
    said = (
        "In April 2020, Mr. Eric Moss was appointed president & chief operating officer of Acme Corporation. "
        "In April 2020, Mr. Lew Stone was appointed Executive Vice President of Acme Corporation."
    ).replace(" ", "\u00a0")
    with contextlib.closing(library({"a.txt": filing("Acme Corporation", 2022, said)} | _FILLER, graph=True)) as own:
        answer = answer_text(own, "who became president & COO of Acme in April 2020")
    assert "Moss" in answer and "Stone" not in answer


def test_a_traditional_short_name_that_a_document_has_is_not_said_to_be_absent() -> None:
    said = "光電股份有限公司合併財務報告附註。本公司與美光公司簽訂達成全球性和解之協議，法院駁回對光電之訴。"
    with contextlib.closing(library({"notes.txt": said} | _FILLER, graph=True)) as own:
        assert "美光" in answer_text(own, "光電與哪家公司簽訂全球性和解協議？")


def test_each_deal_of_a_list_is_told_with_its_price_though_another_sentence_says_that_it_closed() -> None:
    said = (
        "In April 2020, we entered into a definitive agreement to acquire Bluefin Networks, Inc., a video platform. "
        "The transaction closed in May 2020. The aggregate cash consideration paid was approximately $397 million.\n\n"
        "In October 2020, we entered into a definitive agreement to acquire Redgrass Cellular, Inc., a rural operator. "
        "The transaction closed in March 2021. The aggregate cash consideration paid was approximately $412 million."
    )
    question = "Which businesses did Acme acquire in 2020, and what was paid for each?"
    with contextlib.closing(library({"a.txt": filing("Acme Corporation", 2021, said)} | _FILLER, graph=True)) as own:
        assert sub_questions(plan_of(own, question)) == (question,)
        answer = answer_text(own, question)
    assert all(told in answer for told in ("Bluefin", "Redgrass", "$397 million", "$412 million"))


def test_who_sold_is_told_and_not_only_what_was_bought() -> None:
    said = (
        "On November 23, 2021, we completed the acquisition of Trackphone Wireless, Inc., a prepaid firm. "
        "Our largest customer was Trackphone, until we acquired the prepaid provider from Norte Telecom in November "
        "2021."
    )
    with contextlib.closing(library({"a.txt": filing("Acme Corporation", 2021, said)} | _FILLER, graph=True)) as own:
        answer = answer_text(own, "Which group sold Acme the prepaid provider that it took over in November 2021?")
    assert "Norte Telecom" in answer


@pytest.mark.parametrize("question", ["Who sold Heliox Biotech?", "Which firm sold Heliox Biotech to Acme?"])
def test_a_purchase_from_somebody_tells_who_sold(question: str) -> None:
    said = "In May 2022, Acme Corporation acquired Heliox Biotech from Bayer for $75 million in cash."
    with contextlib.closing(library({"a.txt": filing("Acme Corporation", 2022, said)} | _FILLER, graph=True)) as own:
        plan = plan_of(own, question)
        request = read_request(plan)
        assert request is not None and request.asks_seller
        assert "from Bayer" in answer_text(own, question)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What did Acme pay for the stores and when?", {"amount", "time"}),
        ("Who bought the homeowner services business of Acme?", {"somebody", "company"}),
        ("How big is Acme's stake in Crux?", {"share"}),
        ("What part of Crux did Acme buy, and what did it receive?", {"share", "amount"}),
        ("What was Jane Roe's post at Acme?", {"role"}),
        ("Which positions do Jane Roe and Ann Lee hold at Acme?", {"role"}),
        ("Who runs Bolt Systems?", {"somebody", "person"}),
        ("谁收购了这家公司，价格是多少？", {"somebody", "amount"}),
        ("Acme的保荐机构是哪一家？", {"company"}),
        ("At which company did Bolt's finance chief work before?", {"company", "career"}),
    ],
)
def test_what_a_question_wants_to_be_told(store: Store, question: str, wanted: set[str]) -> None:
    request = read_request(plan_of(store, question))
    assert request is not None
    assert request.wanted == wanted


@pytest.mark.parametrize("office", ["finance chief", "CFO", "chief financial officer"])
def test_whose_career_it_is_says_the_office_in_any_words(office: str) -> None:
    said = "Mr. Paul Gray joined Dart Foods Inc. in May 2019 as Executive Vice President and Chief Financial Officer."
    with contextlib.closing(library({"a.txt": filing("Dart Foods Inc.", 2022, said)} | _FILLER, graph=True)) as own:
        request = read_request(plan_of(own, f"Where did the {office} of Dart Foods Inc. work before?"))
    assert request is not None
    assert request.person == "gray"


@pytest.mark.parametrize(
    "question",
    [
        "Why did Acme's sales fall?",
        "What was Acme's revenue in 2022?",
        "What are the risks of the deal?",
        "How does Acme account for its subsidiary?",
        "How does Acme choose which customers to sell to?",
        "What does a company prove to get a licence of Acme?",
        "What happened at Bolt that led to a lawsuit?",
    ],
)
def test_other_questions_are_none_about_relations(store: Store, question: str) -> None:
    assert read_request(plan_of(store, question)) is None


def test_a_rating_is_told_by_its_word_and_not_by_its_scale(store):
    attribute = read_attribute(plan_of(store, "What is the rating of Acme?"))
    for told in ("Rating: Buy (from Hold)", "NEUTRAL (unchanged)", "We upgrade Acme to Buy and raise our target."):
        assert attribute.is_told(told), told
    for other in ("The firm rates stocks Overweight, Neutral or Underweight.", "Ratings: Buy means 15% or more."):
        assert not attribute.is_told(other), other
    assert not read_attribute(plan_of(store, "What is the credit rating of Acme?")).applies()


_CALL = (
    "Good morning and welcome to the call on the agreement for Ilmara to acquire VRAIL. Since Ilmara owns 12% of "
    "VRAIL's equity, the purchase price is approximately $7 billion to VRAIL's other shareholders. Ilmara grows, and "
    "Ilmara invests. Ilmara has shops. "
    + " ".join(f"In store {number} our staff is kind, and customers come back with orders." for number in range(20))
    + " So in 2006, we acquired Solvexa, a sequencing company, for $600 million. Thank you for joining."
)


def test_a_call_known_by_letters_of_a_name_is_about_it() -> None:
    said = "Net income of Selmond Holdings rose. We opened ten clinics, and the acquisition of Acuity Clinics closed."
    call = f"{' '.join(f'In clinic {number} our staff is kind.' for number in range(60))} {said}"
    with contextlib.closing(library({"SLM_q4_2021.txt": call} | _FILLER, graph=True)) as own:
        plan = plan_of(own, "Which company did Selmond acquire in the fourth quarter of 2021?")
        request = read_request(plan)
        assert request is not None
        reader = PassageReader(plan, request)
        told = [one for one in reader.sentences(search(own, None, plan.text), None) if "staff" in one.text]
        assert told and all(map(reader.speaks_of_named, told))


def test_a_generation_is_no_family_name() -> None:
    said = "John Fenwick II is Chief Financial Officer of Dart Foods Inc."
    with contextlib.closing(library({"a.txt": filing("Dart Foods Inc.", 2022, said)} | _FILLER, graph=True)) as own:
        request = read_request(plan_of(own, "Where did John Fenwick II work before Dart Foods?"))
    assert request is not None
    assert request.person == "fenwick"


@pytest.mark.parametrize(("bought", "is_of_both"), [("VRAIL", True), ("Solvexa", False)])
def test_a_price_is_that_of_the_one_named_beside_whom_the_text_is_about(bought: str, is_of_both: bool) -> None:
    with contextlib.closing(library({"call.txt": _CALL} | _FILLER, graph=True)) as own:
        plan = plan_of(own, f"What did Ilmara pay for {bought}?")
        request = read_request(plan)
        assert request is not None
        reader = PassageReader(plan, request)
        evidence = search(own, None, plan.text)
        priced = [one for one in reader.sentences(evidence, None) if one.text.startswith("Since Ilmara")]
        assert [reader.speaks_of_others(one) for one in priced] == [is_of_both] * len(priced) != []


def test_the_auditor_of_one_company_is_not_told_of_another_written_in_capitals() -> None:
    audited = "We have audited the balance sheets of Bolt Systems Inc. as of December 31, 2022. /s/ Roe & Gray LLP"
    texts = {"call.txt": _CALL, "a.txt": filing("Bolt Systems Inc.", 2022, audited)} | _FILLER
    with contextlib.closing(library(texts, graph=True)) as own:
        answer = answer_question(own, None, None, "Who audits VRAIL?")
    assert answer.trace.get("not found") or "audited" not in answer.text


def test_what_the_graph_states_of_the_relation_is_read_though_no_search_found_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for most in ("_MATCHING", "_MENTIONING"):
        monkeypatch.setattr(f"cliquerag.retrieval.answer.extractive.relations.candidate_sentences.{most}", 0)
    texts = {"deal.txt": "Dart Foods Inc. acquired Elm Works Inc. in May 2020 for $5 million."} | _FILLER
    with contextlib.closing(library(texts, graph=True)) as own:
        plan = plan_of(own, "What did Dart Foods Inc. pay for Elm Works Inc. when it was acquired?")
        request = read_request(plan)
        assert request is not None
        read = [sentence.text for sentence in PassageReader(plan, request).sentences([], None)]
    assert any("$5 million" in text for text in read)


def test_what_is_sold_in_a_quarter_is_told_by_its_call_though_no_year_stands_beside_it() -> None:
    call = (
        "Acme Corporation earnings call for the first quarter of 2021. Our margins held up well. We also completed the "
        "sale of Oak Canada in the quarter and realized a pre-tax gain of $15 million. Thank you for joining us."
    )
    filled = library({"ACME_q1_2021.txt": call, **_FILLER}, graph=True)
    answer = answer_text(filled, "What did Acme sell in the first quarter of 2021, and what was the gain?")
    filled.close()
    assert "Oak Canada" in answer and "$15 million" in answer and "What was" not in answer


def test_who_took_an_office_in_a_month_of_which_no_document_is() -> None:
    text = (
        "Mr. Paul Gray has served as Executive Vice President of the Harbour area since January 2022. He worked at the "
        "Tide Agency before. Our stores are open on Sundays."
    )
    filled = library({"bolt.txt": filing("Bolt Systems Inc.", 2021, text), **_FILLER}, graph=True)
    answer = answer_text(filled, "Who became head of Bolt Systems' Harbour area in January 2022?")
    filled.close()
    assert "Paul Gray" in answer


def test_each_of_several_things_listed_is_told_of() -> None:
    text = (
        "In June 2021, we signed an agreement with Marlow Partners LLP to sell a 20% stake in our Fern Foundry "
        "business, which makes castings. In 2020, a transaction with Crux Fund led to the formation of Elm Fabric, of "
        "which Crux Fund and we hold 49% and 51%. A stake in a business may be sold. Investors in Bolt own shares."
    )
    filled = library({"bolt.txt": filing("Bolt Systems Inc.", 2021, text), **_FILLER}, graph=True)
    answer = answer_text(filled, "Which investors bought a stake in Bolt Systems' Elm Fabric and in Fern Foundry?")
    filled.close()
    assert "Marlow" in answer and "Crux" in answer


def test_a_name_in_latin_letters_within_chinese_ends_with_them() -> None:
    names = capitalised_names("誰在德國法院對Zelotor Electronics提起訴訟？", shipped_vocabulary().metrics)
    assert [name for name, _, _ in names] == ["Zelotor Electronics"]


def test_competition_is_a_relation_that_a_sentence_has_to_speak_of() -> None:
    texts = {"a.txt": filing("Acme Corporation", 2022, "Acme Corporation makes shoes.")}
    with contextlib.closing(library(texts | _FILLER, graph=True)) as own:
        wanted = read_request(plan_of(own, "Which companies does Acme Corporation name as competitors?"))
    assert wanted is not None
    assert wanted.speaks("We compete with Bolt and Crux.") and not wanted.speaks("We sell to Bolt and Crux.")


def test_a_suit_without_a_word_of_what_is_asked_of_it_is_no_answer() -> None:
    texts = {"a.txt": filing("Acme Corporation", 2022, "Acme Corporation makes valves.")}
    with contextlib.closing(library(texts | _FILLER, graph=True)) as own:
        assert "Cresta Tools" in answer_text(own, "Who sued Acme Corporation over a patent on valves?")
        answer = answer_question(own, None, None, "Who sued Acme Corporation over the flight restrictions?")
    assert "not found" in answer.trace and not answer.citations
