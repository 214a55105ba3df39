"""Follow-up questions that stand alone by rules."""

from dataclasses import replace

import pytest
from cliquerag.models.language import Message
from cliquerag.retrieval.question.scope.companies import CompanyIndex
from cliquerag.retrieval.question.wording.conversation import recent, stand_alone
from support.shelf import record

COMPANIES = CompanyIndex.of(
    replace(record(f"{name}.pdf"), companies=(name,), kind="10-K")
    for name in ("Acme Corporation", "Beta Steel Inc.", "四方科技集团股份有限公司", "IBM")
)
FIRST = "What was the net revenue of Acme in fiscal 2023?"


@pytest.mark.parametrize(
    ("earlier", "question", "alone"),
    [
        (FIRST, "And in 2022?", "What was the net revenue of Acme in 2022?"),
        (FIRST, "What about Beta Steel?", "What was the net revenue of Beta Steel in fiscal 2023?"),
        (FIRST, "And for IBM in FY2021?", "What was the net revenue of IBM in FY2021?"),
        (FIRST, "What about its margin?", "Acme's margin in fiscal 2023?"),
        (FIRST, "And why did it rise?", "Why did the net revenue of Acme in fiscal 2023 rise?"),
        (FIRST, "How many people do they employ?", "How many people do Acme employ in fiscal 2023?"),
        (FIRST, "How large were inventories in 2021?", "How large were inventories in 2021 of Acme?"),
        ("What was Acme's net income in 2023?", "and in 2022?", "What was Acme's net income in 2022?"),
        ("What was Acme's net income in 2023?", "and Beta Steel's?", "What was Beta Steel's net income in 2023?"),
        ("How many stores did Acme have in 2023?", "Who leads it?", "Who leads Acme in 2023?"),
        (FIRST, "Who audits it?", "Who audits Acme in fiscal 2023?"),
        (FIRST, "And who is the trustee?", "Who is the trustee of Acme in fiscal 2023?"),
        (FIRST, "How many plants does it operate?", "How many plants does Acme operate in fiscal 2023?"),
        (
            "What is the largest factory of Acme?",
            "What does it produce?",
            "What does the largest factory of Acme produce?",
        ),
        (
            "What is the largest factory of Acme?",
            "How many people does it employ?",
            "How many people does the largest factory of Acme employ?",
        ),
        (
            "What is Zelbora of Acme?",
            "How much revenue did it generate?",
            "How much revenue did the Zelbora of Acme generate?",
        ),
        (
            "What is the pension plan of Acme?",
            "What assets does it hold?",
            "What assets does the pension plan of Acme hold?",
        ),
        ("四方科技2019年的营业收入是多少？", "谁领导它？", "2019年谁领导四方科技？"),
        ("四方科技2019年的营业收入是多少？", "那2018年呢？", "四方科技2018年的营业收入是多少？"),
        ("四方科技2019年的营业收入是多少？", "它的研发费用呢？", "2019年四方科技的研发费用呢？"),
    ],
)
def test_company_period_and_topic_are_inherited(earlier, question, alone):
    assert stand_alone(question, [earlier], COMPANIES) == alone


@pytest.mark.parametrize(
    "question", ["What was IBM's revenue in 2020?", "Which companies make pumps?", "Who makes pumps?"]
)
def test_what_stands_alone_is_left_alone(question):
    assert stand_alone(question, [FIRST], COMPANIES) == question


def test_a_chain_of_follow_ups_keeps_the_topic():
    asked = stand_alone("And Beta Steel?", [FIRST, "And in 2022?"], COMPANIES)
    assert asked == "What was the net revenue of Beta Steel in 2022?"


def test_the_first_question_is_left_alone():
    assert stand_alone("And in 2022?", [], COMPANIES) == "And in 2022?"


def test_a_pasted_document_is_no_part_of_the_conversation():
    pasted, answer = Message("user", "Acme Inc. of the " * 600), Message("assistant", "long " * 1_000)
    kept = recent([Message("user", FIRST), pasted, answer])
    assert [message.content for message in kept] == [FIRST, answer.content[:2_000]]


def test_a_conversation_goes_back_some_way_but_not_for_ever():
    turns = [Message("user", f"What was revenue of Acme in {year}?") for year in range(1900, 2020)]
    kept = recent(turns)
    assert 10 <= len(kept) <= 30 and kept == turns[-len(kept) :]
    long = [Message("user", str(number) + "x" * 1_500) for number in range(9)]
    assert recent(long) == long[-2:]


def test_a_question_does_not_grow_without_end():
    name = "Beta Steel and Iron Works of Northern Lancashire Holdings"
    companies = CompanyIndex.of([replace(record("b.pdf"), companies=(name,), kind="10-K")])
    earlier = [f"What was the revenue of {name} in 2020?", *["its " * 400] * 3]
    assert len(stand_alone("And in 2021?", earlier, companies)) <= 2_000
