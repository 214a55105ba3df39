from decimal import Decimal

import pytest
from cliquerag.ingest.facts.scales import read_scale


@pytest.mark.parametrize(
    ("text", "factor", "currency"),
    [
        ("(in millions)", 10**6, ""), ("(Dollars in thousands)", 10**3, "USD"), ("($ in billions)", 10**9, "USD"),
        ("($000s)", 10**3, "USD"), ("单位：万元 币种：人民币", 10**4, "CNY"), ("单位：元", 1, "CNY"),
        ("单位：亿元", 10**8, "CNY"),
        ("(€ million)", 10**6, "EUR"), ("人民币百万元", 10**6, "CNY"), ("(RMB in millions)", 10**6, "CNY"),
        ("USDm", 10**6, "USD"), ("US$’000", 10**3, "USD"), ("Number of shares (1,000)", 10**3, ""),
    ],
)  # fmt: skip
def test_unit_lines(text, factor, currency):
    scale = read_scale(text)
    assert (scale.factor, scale.currency) == (Decimal(factor), currency)


def test_words_without_a_unit_have_no_scale():
    assert read_scale("CONSOLIDATED BALANCE SHEETS").factor is None


@pytest.mark.parametrize(
    ("text", "too"),
    [
        ("(in millions, except per share data)", True),
        ("(in millions, except share and per share data)", False),
        ("(in thousands, except number of shares)", False),
    ],
)
def test_shares_share_the_scale_unless_excepted(text, too):
    assert read_scale(text).shares_too is too
