"""What a sentence speaks of decides between sentences with the same words: part, figure, time, denial, report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from cliquerag import Workspace
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.answer.extractive import quotations
from cliquerag.retrieval.answer.extractive.requirements import subject
from cliquerag.retrieval.answer.extractive.requirements.narrowing import read_narrowing
from cliquerag.retrieval.answer.extractive.sentence_scoring import Quote
from cliquerag.retrieval.answer.extractive.subject_fit import read_subject_fit
from cliquerag.retrieval.answer.overview import claims_for
from cliquerag.retrieval.question.plan import QuestionPlan, understand
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary
from cliquerag.retrieval.search.evidence import Evidence
from cliquerag.retrieval.search.index.corpus import corpus_of
from support.shelf import Shelf, shelf_search

from benchmarks.asking import answer_question

FILLER = "\n\n".join(
    f"The plan for unit {n} covers the network, the edge and the shares of each year." for n in range(40)
)


def plan_question(text: str, companies: tuple[str, ...] = ()) -> QuestionPlan:
    store: Any = Shelf(report="Acme reports.")
    return replace(understand(text, store, corpus_of(store).catalogue, shipped_vocabulary()), companies=companies)


def answered(text: str, question: str) -> str:
    return answer_question(Shelf(report=text), None, None, question, search=shelf_search).text


def test_the_part_asked_about_by_the_short_name_that_the_document_gives_it() -> None:
    text = (
        "We report Client Computing (CCG) and Network and Edge (NEX).\n\n"
        "CCG revenue decreased because the desktop business volume fell.\n\n"
        "NEX revenue decreased as customers tempered purchases."
    )
    first = answered(text, "Why did revenue of the network and edge business decrease?").splitlines()[0]
    assert first == "NEX revenue decreased as customers tempered purchases [1]."


def test_a_reason_is_that_of_the_figure_asked_not_of_its_costs() -> None:
    text = (
        "The decrease in rental cost of revenues was primarily due to a decrease in rental content expenses.\n\n"
        "The decrease in rental revenues was due to fewer members."
    )
    first = answered(text, "Why did rental revenue decrease?").splitlines()[0]
    assert first == "The decrease in rental revenues was due to fewer members [1]."


def test_a_denial_answers_whether_something_happened() -> None:
    text = (
        "The amounts drawn on the revolving credit facility are due in 2026.\n\n"
        "At the end of the year, no amounts were drawn on the revolving credit facility."
    )
    first = answered(text, "Were any amounts of the revolving credit facility drawn?").splitlines()[0]
    assert first.startswith("At the end of the year, no amounts were drawn")


def test_a_permission_without_a_limit_is_no_denial() -> None:
    text = (
        "The board authorized a repurchase program with no fixed expiration.\n\n"
        "The group bought back shares under the repurchase program in 2023."
    )
    first = answered(text, "Did the group buy shares under the repurchase program in 2023?").splitlines()[0]
    assert first.startswith("The group bought back shares")


def test_a_sentence_comes_with_what_its_word_refers_to() -> None:
    text = "We strive for consumers to choose us when they are free. We call this choice winning moments of truth."
    assert answered(text, "What does the group mean by winning moments of truth?").splitlines() == [
        "We strive for consumers to choose us when they are free [1].",
        "We call this choice winning moments of truth [2].",
    ]


def test_a_sentence_comes_with_the_one_that_goes_on() -> None:
    text = "The commission filed a lawsuit against Acme in Ohio. That complaint alleges a monopoly in pumps."
    assert "a monopoly in pumps" in answered(text, "What does the commission accuse Acme of in the lawsuit?")


def test_the_united_states_by_their_initials() -> None:
    plan = plan_question("What was the revenue in the United States in 2023?")
    narrowing = read_narrowing(plan.figures, plan.catalogue.companies, default_metrics())
    text = "U.S. revenue was $5 million."
    assert narrowing.applies() and narrowing.holds(Quote(Evidence("chunk", text, 1.0, "report"), text, 0, len(text)))


def test_the_rest_of_a_page_is_read_and_each_report_is_quoted() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        for year, amount in ((2022, 43), (2023, 38)):
            text = f"{FILLER}\n\nAt quarter-end Acme had manufacturing purchase obligations of ${amount}.1 billion."
            workspace.add_text(text, f"acme{year}.md", company="Acme Inc.", period=f"Q3 FY{year}", kind="10-Q")
        asked = "Which manufacturing purchase obligations did Acme have in Q3 fiscal 2022 and in Q3 fiscal 2023?"
        found = workspace.ask(asked).text
    assert "$43.1 billion" in found and "$38.1 billion" in found


def test_the_thing_that_no_document_of_a_company_has_a_word_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quotations, "ALL_WORDS", 1)
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        text = f"{FILLER}\n\nJane Roe is chief financial officer of Acme Inc. and sees strong demand."
        workspace.add_text(text, "acme.md", company="Acme Inc.", period="FY2023", kind="10-K")
        assert workspace.ask("What is the salary of the chief financial officer of Acme?").trace["not found"]
        assert "Jane Roe" in workspace.ask("Who is the chief financial officer of Acme?").text


def test_who_competes_with_one_company_is_not_told_by_all_that_is_related_to_it() -> None:
    found = [Evidence("community", "Brown LLP audits Acme", 1.0, "report", headings=("Acme, Brown",))]
    asked = "Which retailers does Acme name as its main competitors in the U.S.?"
    assert not claims_for(plan_question(asked, companies=("acme",)), found)
    assert claims_for(plan_question("Who are the main competitors across these companies?"), found)


def test_what_is_known_of_documents_is_read_for_their_words_once_until_the_next_write(monkeypatch):
    read = []
    words_of = subject._metadata_words
    monkeypatch.setattr(subject, "_metadata_words", lambda record: read.append(record.source) or words_of(record))
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text("Acme Corp. makes pumps. Its mill burned down.", "acme.txt")
        workspace.ask("Why did the mill of Acme burn?")
        workspace.ask("What does Acme make?")
        assert read == ["acme.txt"]
        workspace.add_text("Bolt Ltd. makes bolts.", "bolt.txt")
        workspace.ask("What does Bolt make?")
        assert read == ["acme.txt", "acme.txt", "bolt.txt"]


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Adjusted free cash flow is cash from operations less capital spending.", 1.0),
        ("We define adjusted free cash flow as cash from operations less capital spending.", 1.0),
        ("Adjusted free cash flow: cash from operations less capital spending.", 1.0),
        ("The calculation of adjusted free cash flow includes additions to property.", 0.0),
        ("Net income is what is left.", 0.0),
    ],
)
def test_a_definition_is_of_the_term_that_is_asked(text: str, share: float) -> None:
    plan = plan_question("How does Acme define its adjusted free cash flow?", ("Acme",))
    assert read_subject_fit(plan, []).defined_share(text) == share


def test_the_sentence_that_defines_a_term_comes_before_one_that_calculates_with_it() -> None:
    text = (
        "The calculation of net churn at Acme includes downgrades of the period and of net churn before.\n\n"
        "Net churn is the share of revenue that customers take away in a quarter."
    )
    assert answered(text, "How does Acme define net churn?").startswith("Net churn is the share of revenue")
