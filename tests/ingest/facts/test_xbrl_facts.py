"""Facts from inline XBRL as EDGAR filings have it: contexts, units, scale, sign, nil, dimensions, continuations."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cliquerag.core.fact import Fact
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_text
from cliquerag.ingest.reading.html.inline_xbrl import parse_number

FILING = """<?xml version='1.0' encoding='ASCII'?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><head><title>x</title></head>
<body><div style="display:none"><ix:header>
<ix:hidden><ix:nonNumeric contextRef="c-1" name="dei:AmendmentFlag">false</ix:nonNumeric></ix:hidden>
<ix:resources>
<xbrli:context id="c-1"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:startDate>2023-01-01</xbrli:startDate><xbrli:endDate>2023-12-31</xbrli:endDate>
</xbrli:period></xbrli:context>
<xbrli:context id="c-2"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
<xbrli:segment><xbrldi:explicitMember dimension="us-gaap:StatementBusinessSegmentsAxis">acme:CloudServicesMember
</xbrldi:explicitMember></xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>2023-01-01</xbrli:startDate>
<xbrli:endDate>2023-12-31</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="c-3"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:instant>2023-12-31</xbrli:instant></xbrli:period></xbrli:context>
<xbrli:context id="c-4"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:startDate>2022-01-01</xbrli:startDate><xbrli:endDate>2022-12-31</xbrli:endDate>
</xbrli:period></xbrli:context>
<xbrli:context id="c-5"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">0000000001</xbrli:identifier>
</xbrli:entity><xbrli:period><xbrli:startDate>2023-10-01</xbrli:startDate><xbrli:endDate>2023-12-31</xbrli:endDate>
</xbrli:period></xbrli:context>
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="pure"><xbrli:measure>xbrli:pure</xbrli:measure></xbrli:unit>
<xbrli:unit id="usdps"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure>
</xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator>
</xbrli:divide></xbrli:unit>
<xbrli:unit id="staff"><xbrli:measure>acme:Employee</xbrli:measure></xbrli:unit>
</ix:resources></ix:header></div>
<p><ix:nonNumeric contextRef="c-1" name="dei:EntityRegistrantName">Acme Inc.</ix:nonNumeric>
<ix:nonNumeric contextRef="c-1" name="dei:DocumentFiscalYearFocus">2023</ix:nonNumeric>
<ix:nonNumeric contextRef="c-1" name="dei:DocumentFiscalPeriodFocus">FY</ix:nonNumeric></p>
<p>(in millions)</p>
<table><tr><td></td><td colspan="3">2023</td><td></td><td colspan="3">2022</td></tr>
<tr><td>Net revenue</td><td>$</td>
<td><ix:nonFraction contextRef="c-1" name="us-gaap:Revenues" unitRef="usd" decimals="-6" scale="6"
 format="ixt:num-dot-decimal">3,412</ix:nonFraction></td><td></td><td></td><td>$</td>
<td><ix:nonFraction contextRef="c-4" name="us-gaap:Revenues" unitRef="usd" decimals="-6" scale="6"
 format="ixt:num-dot-decimal">2,987</ix:nonFraction></td><td></td></tr>
<tr><td>Cloud</td><td></td><td><ix:nonFraction contextRef="c-2" name="us-gaap:Revenues" unitRef="usd" decimals="-6"
 scale="6" format="ixt:num-dot-decimal">412</ix:nonFraction></td><td></td><td></td><td></td>
<td>300</td><td></td></tr>
<tr><td>Other items</td><td></td><td>(<ix:nonFraction contextRef="c-1" name="acme:OtherItems" unitRef="usd" scale="6"
 decimals="-6" sign="-" format="ixt:num-dot-decimal">12</ix:nonFraction></td><td>)</td><td></td><td></td>
<td><ix:nonFraction contextRef="c-4" name="acme:OtherItems" unitRef="usd" scale="6" decimals="-6"
 format="ixt:fixed-zero">&#8212;</ix:nonFraction></td><td></td></tr>
<tr><td>Impairment</td><td></td><td><ix:nonFraction contextRef="c-1" name="us-gaap:GoodwillImpairmentLoss" unitRef="usd"
 xsi:nil="true"/></td><td></td><td></td><td></td><td>7</td><td></td></tr>
<tr><td>Diluted</td><td>$</td><td><ix:nonFraction contextRef="c-5" name="us-gaap:EarningsPerShareDiluted"
 unitRef="usdps" decimals="2" scale="0">1.02</ix:nonFraction></td><td></td>
<td></td><td>$</td><td>0.90</td><td></td></tr>
</table>
<p>Revenue of $<ix:nonFraction contextRef="c-1" name="us-gaap:Revenues" unitRef="usd" decimals="-8" scale="9"
 format="ixt:num-dot-decimal">3.4</ix:nonFraction> billion was taxed at
<ix:nonFraction contextRef="c-1" name="us-gaap:EffectiveIncomeTaxRateContinuingOperations" unitRef="pure" decimals="3"
 scale="-2" format="ixt:num-dot-decimal">21.4</ix:nonFraction>%. Cash was
$<ix:nonFraction contextRef="c-3" name="us-gaap:CashAndCashEquivalentsAtCarryingValue" unitRef="usd" decimals="-6"
 scale="6" format="ixt:num-dot-decimal">312</ix:nonFraction> million, and we had
<ix:nonFraction contextRef="c-3" name="acme:Employees" unitRef="staff" decimals="0" scale="0"
 format="ixt-sec:numwordsen">twelve</ix:nonFraction> employees.</p>
<p>Address: <ix:nonNumeric contextRef="c-1" name="dei:EntityAddressAddressLine1" continuedAt="f-2">1 Main
Street</ix:nonNumeric></p><p>and <ix:continuation id="f-2">Suite 5</ix:continuation>.</p>
</body></html>"""


@pytest.fixture(scope="module")
def document() -> Document:
    return read_text(FILING, source="acme-20231231.htm")


@pytest.fixture(scope="module")
def facts(document: Document) -> list[Fact]:
    return extract_facts(document)


def of(facts: list[Fact], text: str) -> Fact:
    (found,) = [fact for fact in facts if fact.text == text and fact.source_kind == "xbrl"]
    return found


def test_the_header_is_hidden(document: Document) -> None:
    assert "0000000001" not in document.text and "iso4217" not in document.text and "false" not in document.text


def test_a_cell_is_told_by_its_tag_with_period_unit_and_scale(document: Document, facts: list[Fact]) -> None:
    now, before = of(facts, "$3,412"), of(facts, "$2,987")
    assert (now.metric, now.label, now.period and now.period.label) == ("revenue", "Net revenue", "FY2023")
    assert (before.metric, before.period and before.period.label) == ("revenue", "FY2022")
    assert (now.amount, now.unit, now.confidence) == (Decimal("3412000000"), "USD", 1.0)
    assert (now.table, now.row, now.column) == (0, 1, 1)
    assert document.text[now.start : now.end] == "$3,412"


def test_a_tagged_cell_is_one_fact_and_untagged_cells_stay(facts: list[Fact]) -> None:
    assert len([fact for fact in facts if fact.text == "$3,412"]) == 1
    (untagged,) = [fact for fact in facts if fact.text == "300"]
    assert untagged.source_kind == "table"


def test_members_narrow_a_fact(facts: list[Fact]) -> None:
    cloud = of(facts, "412")
    assert (cloud.metric, cloud.dimensions) == ("revenue", (("segment", "Cloud Services"),))


def test_sign_zero_and_nil(document: Document, facts: list[Fact]) -> None:
    loss = of(facts, "(12)")
    assert (loss.value, loss.label) == (Decimal(-12), "Other items")
    assert document.text[loss.start : loss.end] == "(12)"
    assert of(facts, "—").value == 0
    assert not any("Goodwill" in fact.label for fact in facts)


def test_values_in_prose(document: Document, facts: list[Fact]) -> None:
    rate, cash, staff = of(facts, "21.4"), of(facts, "312"), of(facts, "twelve")
    assert (rate.metric, rate.amount, rate.unit) == ("effective tax rate", Decimal("21.4"), "%")
    assert (cash.period and cash.period.label, cash.amount) == ("2023-12-31", Decimal("312000000"))
    assert (staff.value, staff.unit) == (Decimal(12), "people")
    assert document.text[cash.start : cash.end] == "312"
    assert of(facts, "3.4").amount == Decimal("3400000000")
    assert [fact.source_kind for fact in facts if fact.value == Decimal("3.4")] == ["xbrl"]


def test_a_quarter_and_a_unit_per_share(facts: list[Fact]) -> None:
    earnings = of(facts, "$1.02")
    assert (earnings.unit, earnings.period and earnings.period.label) == ("USD/share", "Q4 FY2023")
    assert earnings.metric == "diluted earnings per share"


def test_words_go_on_where_they_are_continued(facts: list[Fact]) -> None:
    address = of(facts, "1 Main Street Suite 5")
    assert (address.value, address.label) == (None, "Entity Address Address Line1")


@pytest.mark.parametrize(
    ("text", "form", "value"),
    [
        ("1,234.5", "numdotdecimal", "1234.5"),
        ("1.234,5", "numdotcomma", "1234.5"),
        ("1 234,5", "numspacecomma", "1234.5"),
        ("1234", "", "1234"),
        ("-", "numdash", "0"),
        ("none", "numwordsen", "0"),
        ("n/a", "", None),
        ("dozens", "numwordsen", None),
    ],
)
def test_formats_of_numbers(text: str, form: str, value: str | None) -> None:
    assert parse_number(text, form) == (None if value is None else Decimal(value))


def test_a_loss_under_a_concept_of_the_filers_own_is_no_profit() -> None:
    row = """<tr><td>Net loss</td><td></td><td><ix:nonFraction contextRef="c-1" name="acme:{name}" unitRef="usd"
 scale="6" decimals="-6" format="ixt:num-dot-decimal">520</ix:nonFraction></td><td></td><td></td><td></td>
<td>310</td><td></td></tr>
"""
    for name in ("NetLoss", "ResultOfTheYear"):
        filing = FILING.replace("<tr><td>Cloud</td>", row.format(name=name) + "<tr><td>Cloud</td>")
        facts = extract_facts(read_text(filing, source="acme-20231231.htm"))
        assert {fact.text: fact.value for fact in facts if fact.metric == "net income"} == {"520": -520, "310": -310}
