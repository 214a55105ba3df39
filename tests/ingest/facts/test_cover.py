"""The number of shares on the cover of a filing."""

from __future__ import annotations

import pytest
from cliquerag.ingest.facts import extract_facts
from support.fact_documents import brief, document

MARKS = "Indicate by check mark whether the registrant is a shell company. Yes ☐ No ☒\n"
TOLD = {
    "As of January 25, 2018, there were 433,948,461 shares of the registrant’s common stock, par value $0.001, "
    "outstanding.": "433,948,461",
    "The number of shares of Registrant’s Common Stock outstanding as of March 16, 2023, was 7,521,364.": "7,521,364",
    "10,334,030,586 shares of common stock, par value $0.01 per share, outstanding as of October 18, 2023": (
        "10,334,030,586"
    ),
    "As of July 21, 2023, the registrant had outstanding 4,188 million shares of common stock.": "4,188,000,000",
    "At January 31, 2022, 4,197,823,662 shares of the registrant’s common stock were outstanding, after deducting "
    "93,609,984 shares held in treasury.": "4,197,823,662",
    "As of June 30, 2022, there were 593,451,225 common shares outstanding held by nonaffiliates of the registrant, "
    "and the aggregate market value was approximately $81.1 billion. The number of shares of the registrant’s common "
    "stock outstanding as of January 20, 2023 was 598,239,585.": "598,239,585",
    "Indicate the number of shares outstanding of each of the issuer’s classes of common stock, as of the latest "
    "practicable date.\nClass Outstanding at July 31, 2023\nCommon Stock, $0.01 par value 350,889,195 shares": (
        "350,889,195"
    ),
}


DAYS = {
    "2018-01-25": "January 25, 2018",
    "2023-03-16": "March 16, 2023",
    "2023-10-18": "October 18, 2023",
    "2023-07-21": "July 21, 2023",
    "2022-01-31": "January 31, 2022",
    "2023-01-20": "January 20, 2023",
    "2023-07-31": "July 31, 2023",
}


def shares(text: str) -> list[tuple[str, str, str]]:
    """Label, day and amount of what the cover tells; sentences alone may tell the same again."""
    facts = [
        fact for fact in extract_facts(document(prose=MARKS + text)) if fact.label.startswith("Shares outstanding")
    ]
    return [(fact.label, brief(fact)[1], f"{fact.amount:,.0f}") for fact in facts]


@pytest.mark.parametrize(("text", "amount"), TOLD.items())
def test_a_cover_tells_all_shares_at_its_day(text: str, amount: str) -> None:
    ((label, day, told),) = shares(text)
    assert (label, told) == ("Shares outstanding", amount)
    assert DAYS[day] in text


def test_classes_are_told_apart_and_their_sum_is_the_company_s() -> None:
    text = (
        "As of July 9, 2021, the number of shares of the Registrant's Common Stock outstanding were:\n"
        "Class A\n305,011,252\nClass B\n1,276,789,972\n1,581,801,224\nDOCUMENTS INCORPORATED BY REFERENCE"
    )
    assert shares(text) == [
        ("Shares outstanding > Class A", "2021-07-09", "305,011,252"),
        ("Shares outstanding > Class B", "2021-07-09", "1,276,789,972"),
        ("Shares outstanding", "2021-07-09", "1,581,801,224"),
    ]
    behind = (
        "As of February 18, 2021, there were 389,826,763 shares of Class A common stock and 64,787,897 shares of Class "
        "B common stock outstanding."
    )
    assert shares(behind) == [
        ("Shares outstanding > Class A", "2021-02-18", "389,826,763"),
        ("Shares outstanding > Class B", "2021-02-18", "64,787,897"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "As of March 3, 2023, options to purchase 1,200,000 shares of common stock were outstanding.",
        "On March 3, 2023 the Company repurchased 1,000,000 shares of its outstanding common stock.",
        "As of March 3, 2023, 250,000 depositary shares of preferred stock were outstanding.",
        "As of March 3, 2023, there were 389,826,763 shares and 64,787,897 shares outstanding.",
    ],
)
def test_other_counts_are_none_of_the_company_s_shares(text: str) -> None:
    assert shares(text) == []


def test_what_is_said_far_from_a_cover_is_no_cover() -> None:
    text = "As of January 25, 2018, there were 433,948,461 shares of our common stock outstanding."
    facts = extract_facts(document(prose=text))
    assert not any(fact.label == "Shares outstanding" for fact in facts)
