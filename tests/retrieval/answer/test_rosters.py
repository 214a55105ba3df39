"""Complete lists: the analysts of a call, those who signed a report."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from cliquerag import Workspace
from cliquerag.kg.store import Store
from cliquerag.retrieval.answer.extractive.relations.rosters import roster_quotes
from support.library import filing, library

from benchmarks.asking import answer_question, plan_of

_CALL = (
    "Acme Corporation Second Quarter 2021 Earnings Conference Call\n\nOperator\nGood day, and welcome to the Acme "
    "Corporation Q2 2021 Earnings Conference Call.\n\nOperator\nYour first question comes from the line of Ann Lee of "
    "North Bank.\n\nAnn Lee\nHow are sales?\n\nOperator\nOur next question is from Bob M. Stone with Elm Securities. "
    "Please go ahead.\n\nBob M. Stone\nAnd margins?\n\nOperator\nThe next question comes from the line of Ann Lee of "
    "North Bank.\n\nAnn Lee\nThank you."
)
_SIGNATURES = (
    "SIGNATURES\nPursuant to the requirements of the Securities Exchange Act of 1934, this report has been signed.\n"
    "/s/ Jane Roe\nChief Executive Officer\nFebruary 3, 2023\n/s/ Carl Ott\nDirector\nFebruary 3, 2023\n"
    "/s/ Dora Pym\nDirector\nFebruary 3, 2023\n/s/ Baker Tilly LLP\nFebruary 3, 2023\n"
)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library({"call.txt": _CALL, "report.txt": filing("Bolt Systems Inc.", 2022, _SIGNATURES)}, graph=True)
    yield filled
    filled.close()


def _lines(store: Store, question: str) -> list[str]:
    return answer_question(store, None, None, question).text.splitlines()


def test_every_analyst_of_a_call_is_told_once(store: Store) -> None:
    for asked in ("analysts asked", "banks put"):
        lines = _lines(store, f"Which {asked} questions on Acme's Q2 2021 call?")
        assert len(lines) == 2
        assert "Ann Lee of North Bank" in lines[0] and "Bob M. Stone with Elm Securities" in lines[1]
        assert not any(line.startswith("Operator") for line in lines)


def test_of_the_only_call_no_company_has_to_be_named(store: Store) -> None:
    assert len(_lines(store, "Which analysts asked questions on the call?")) == 2


def test_every_director_who_signed_is_told_and_no_auditor(store: Store) -> None:
    directors = " ".join(_lines(store, "Directors who signed Bolt Systems' annual report"))
    assert "Carl Ott" in directors and "Dora Pym" in directors and "Jane Roe" not in directors
    signers = _lines(store, "Who signed Bolt Systems' annual report?")
    assert [line.partition(" [")[0] for line in signers] == [
        "/s/ Jane Roe Chief Executive Officer February 3, 2023",
        "/s/ Carl Ott Director February 3, 2023",
        "/s/ Dora Pym Director February 3, 2023",
    ]


def test_those_who_signed_are_no_list_of_somebody_elses() -> None:
    of_fund = "Mr. Carl Ott, a director of Bolt Systems Inc., is a partner of Marlow Capital LLC."
    with contextlib.closing(
        library({"report.txt": filing("Bolt Systems Inc.", 2022, of_fund, _SIGNATURES)}, graph=True)
    ) as own:
        plan = plan_of(own, "Which directors of Bolt Systems who signed its report are partners of Marlow Capital LLC?")
        assert roster_quotes(plan) == []


def test_a_signature_is_told_though_office_and_date_stand_in_its_line() -> None:
    signed = "SIGNATURES\n" + "".join(
        f"/s/ {name} Director February 24, 2023\n{name}\n"
        for name in ("Benjamin Holzman", "Christina Kosmowski", "Bo Ek")
    )
    with contextlib.closing(library({"report.txt": filing("Crux Inc.", 2022, signed)}, graph=True)) as store:
        lines = " ".join(_lines(store, "Who signed Crux's annual report as directors?"))
    assert all(name in lines for name in ("Benjamin Holzman", "Christina Kosmowski", "Bo Ek"))


def test_directors_of_the_last_report_come_first_and_earlier_ones_with_their_period() -> None:
    earlier = _SIGNATURES.replace("Dora Pym", "Egon Fry").replace("2023", "2021")
    reports = {
        "a.txt": filing("Bolt Systems Inc.", 2020, earlier),
        "b.txt": filing("Bolt Systems Inc.", 2022, _SIGNATURES),
    }
    with contextlib.closing(library(reports, graph=True)) as filled:
        lines = _lines(filled, "Who are the directors of Bolt Systems?")
        quotes = roster_quotes(plan_of(filled, "Who signed the annual reports of Bolt Systems?"))
    assert len(lines) == 3 and "Fry" in lines[-1] and "2020" in lines[-1]
    assert [quote.text.partition(": ")[0] for quote in quotes if quote.text.startswith("FY")] == ["FY2020"]


def test_no_analysts_are_told_of_a_company_without_a_call(store: Store) -> None:
    answer = answer_question(store, None, None, "Which analysts asked questions on Bolt Systems' call?")
    assert answer.trace.get("not found")


@pytest.mark.parametrize(
    ("kind", "said", "question", "told"),
    [
        (
            "proxy statement",
            "The members of our board are Jane Roe, Paul Gray and Sue Hale.",
            "Who are the directors of Acme?",
            "Paul Gray",
        ),
        ("earnings call", "Our board members are now Ann Lee and Tom Fox.", "Who are Acme's board members?", "Tom Fox"),
        (
            "10-K",
            "The analysts who cover us are Ann Lee of North Bank and Bob Stone of Elm Securities.",
            "Which analysts cover Acme?",
            "Ann Lee",
        ),
    ],
)
def test_a_list_that_another_kind_of_document_tells_in_a_sentence_is_quoted(
    kind: str, said: str, question: str, told: str
) -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(f"Acme Corporation\n\n{said}", "acme.md", company="Acme Corporation", kind=kind)
        assert told in made.ask(question).text


@pytest.mark.parametrize(
    "question", ["Who chairs Bolt Systems' board of directors?", "What are Bolt Systems' revenues?"]
)
def test_a_question_for_one_of_them_asks_for_no_list(store: Store, question: str) -> None:
    assert roster_quotes(plan_of(store, question)) == []
