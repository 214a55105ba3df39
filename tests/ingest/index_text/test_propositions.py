"""Sentences as statements: cut where that is safe, never with a figure that is not printed."""

from __future__ import annotations

from datetime import date

import pytest
from cliquerag.core.period import Period
from cliquerag.ingest.document import Document, Metadata
from cliquerag.ingest.index_text.propositions import Told, propositions, stated
from support.canned_answers import Answering

DOCUMENT = Document("a", "", (), metadata=Metadata(companies=("Acme",), period=Period("year", 2023, fiscal=True)))


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "Sales in Europe rose 5%, and operating costs fell by 2%.",
            ("Sales in Europe rose 5%.", "operating costs fell by 2%."),
        ),
        (
            "Acme acquired a mill in Oslo; sold its port to Beta.",
            ("Acme acquired a mill in Oslo.", "Acme sold its port to Beta."),
        ),
        (
            "营业收入同比增长百分之五；净利润同比下降百分之二。",
            ("营业收入同比增长百分之五。", "净利润同比下降百分之二。"),
        ),
        # Not safe: no verb of its own, hangs on the first, too short, too many.
        ("Sales rose in Europe, Asia, and the rest of the world.", None),
        ("Sales rose in Europe, and which is more were profitable.", None),
        ("Sales rose a lot in Europe; costs fell.", None),
        ("A was here; B was there; C was here; D was there; E was here.", None),
    ],
)
def test_clauses_stand_alone_or_the_sentence_stays(sentence: str, clauses: tuple[str, ...] | None) -> None:
    assert stated(sentence) == (clauses or (sentence,))


def test_the_period_goes_before_what_names_none() -> None:
    assert stated("Sales rose.", "FY2023") == ("FY2023: Sales rose.",)
    assert stated("Sales rose in 2022.", "FY2023") == ("Sales rose in 2022.",)


def test_a_model_writes_them_one_call_a_section_and_figures_are_held_against_the_text() -> None:
    told = [
        Told("In 2022 it sold a mill.", "A", 900),
        Told("The mill brought $5 million that year.", "A", 900),
        Told("Costs fell.", "B", 5),
    ]
    answer = (
        '{"statements": [{"sentence": "[2]", "text": "The mill of Acme brought $5 million in 2022."},'
        '{"sentence": 2, "text": "The mill brought $6 million."}, {"sentence": 9, "text": "Nothing."}, "odd"]}'
    )
    model = Answering([answer, '{"statements": []}'])
    found = propositions(DOCUMENT, told, model)
    assert len(model.sent) == 2
    assert "[1] In 2022 it sold a mill." in model.sent[0][-1].content and "Acme" in model.sent[0][-1].content
    assert found == [
        ("In 2022 it sold a mill.",),
        ("The mill of Acme brought $5 million in 2022.",),
        ("FY2023: Costs fell.",),
    ]


def test_a_date_is_no_lack_of_a_period() -> None:
    end = Period("quarter", 2023, 2, end=date(2023, 6, 30)).label
    assert stated("On June 30, 2023 sales rose.", end) == ("On June 30, 2023 sales rose.",)
