"""An amount that is asked for: which quotations hold one, and what is quoted instead of one that does not."""

from __future__ import annotations

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.extractive.requirements.amount import AmountAsked
from cliquerag.retrieval.answer.extractive.sentence_scoring import Quote
from cliquerag.retrieval.search.evidence import Evidence


def quote(text: str, words: float = 1.0) -> Quote:
    return Quote(Evidence("chunk", text, 1.0, "report"), text, 0, len(text), words)


MONEY = AmountAsked(True, "money", is_value=True)


@pytest.mark.parametrize(
    "text",
    [
        "Adjusted EBITDA was $1.23 billion in the quarter.",
        "Adjusted EBITDA rose by $4 million to $1.23 billion.",
        "Revenue\n1,234\n1,100",
        "Tariffs cost us about $2 million in the quarter, and we expect $5 million in the second half.",
    ],
)
def test_a_sentence_that_holds_the_amount(text: str) -> None:
    assert MONEY.is_held(quote(text))


@pytest.mark.parametrize(
    "text",
    [
        "Adjusted EBITDA is explained in Note 12 for the year ended December 31, 2016.",
        "Brand revenues grew 17%.",
        "Used sales helped adjusted EBITDA by $4 million.",
        "We expect revenue of about $3 billion.",
    ],
)
def test_dates_notes_changes_and_expectations_are_no_amount_of_money(text: str) -> None:
    assert not MONEY.is_held(quote(text))


def test_of_an_unknown_kind_any_number_that_is_no_date_is_an_amount() -> None:
    asked = AmountAsked(True)
    assert asked.is_held(quote("The churn rate was 0.81%.")) and not asked.is_held(
        quote("Churn is a rate, see page 12.")
    )


def test_another_quotation_with_the_amount_is_taken_where_it_says_as_much_of_the_question() -> None:
    defines, states, other = (
        quote("EBITDA excludes interest."),
        quote("EBITDA was $5 million."),
        quote("$9 million.", 0.2),
    )
    assert MONEY.choose([defines], [defines, other, states]) == [states]
    assert MONEY.choose([defines], [defines, other]) == []
    assert MONEY.choose([states], [states, defines]) == [states]
    assert AmountAsked().choose([defines], [states]) == [defines]


def test_what_drove_the_change_is_asked_of_the_figure_before() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        text = (
            "In 2023 gross margin was 37.2%. Gross margin fell because of higher freight costs. Sales rose on stores."
        )
        made.add_text(text, "report.txt", company="Acme Inc.", period="FY2023", kind="10-K")
        answer = made.ask("What was Acme's gross margin in 2023 and what drove the change?")
    assert "37.2" in answer.text and "freight" in answer.text
