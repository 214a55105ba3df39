"""The currency a document reports in."""

from __future__ import annotations

import pytest
from cliquerag.ingest.about.currency import find_currency
from cliquerag.ingest.read import read_text


@pytest.mark.parametrize(
    ("text", "code", "how"),
    [
        ("Amounts are presented in Australian dollars, which is its presentation currency. $5 US$3", "AUD", "stated"),
        ("The reporting currency is the euro. Sales of €5 and €7.", "EUR", "stated"),
        ("These statements are expressed in Canadian dollars. Sales $5.", "CAD", "stated"),
        ("Sales were £5m, £6m, £7m, £8m and £9m, in America $4m.", "GBP", "currency signs"),
        ("Acme Limited ABN 12. ABN 12. ABN 12. " + "$5 " * 9, "AUD", "currency signs"),
        ("Sales were $5 " * 9, "USD", "currency signs"),
        ("Acme Limited (ASX: ACM) ABN 44. Heads of $'000 and $'000", "AUD", "currency signs"),
        ("Sales of $5. " + "We care. " * 900, "", ""),
        ("单位：元 币种：人民币 营业收入 5 元", "CNY", "stated"),
        ("單位：新台幣仟元 營業收入 5", "TWD", "stated"),
        ("A bond was expressed in euros. " + "We report $5. " * 40, "USD", "currency signs"),
        ("We care for our customers and theirs.", "", ""),
    ],
)
def test_currencies(text: str, code: str, how: str) -> None:
    assert find_currency(text.lower()) == (code, how)


def test_metadata_carries_it_with_how_it_was_found() -> None:
    about = read_text("The presentation currency is Australian dollars. Sales were $5.", source="x").metadata
    assert (about.currency, about.how["currency"]) == ("AUD", "AUD (stated)")
