from dataclasses import replace
from decimal import Decimal

import pytest
from cliquerag.ingest.document import Table
from cliquerag.ingest.facts import extract_facts, metric_of
from cliquerag.ingest.read import read_document, read_text
from cliquerag.retrieval.calculation.fact_choice.choosing import is_part
from support.fact_documents import brief, document, facts_of

INCOME = Table(
    (
        ("", "Years ended June 30,", ""),
        ("", "2022", "2021"),
        ("Net sales", "$ 1,200", "$ 1,100"),
        ("Cost of sales", "(800)", "(700)"),
        ("Gain", "—", "5"),
        ("Earnings per share:", "", ""),
        ("Basic", "3.21", "2.98"),
        ("Weighted average shares outstanding - basic", "390", "395"),
        ("Gross margin percentage", "33.3 %", "36.4 %"),
    ),
    header_rows=2,
    title="CONSOLIDATED STATEMENTS OF INCOME",
    unit="(in millions, except share and per share data)",
    spans=((0, 1, 0, 2),),
)
BALANCE = Table(
    (
        ("December 31,", "2022", "2021"),
        ("Cash and cash equivalents", "60", "50"),
        ("Total assets", "100", "90"),
        ("Total liabilities", "70", "60"),
        ("Total equity", "30", "30"),
        ("Total liabilities and equity", "100", "90"),
    ),
    title="Consolidated Balance Sheets",
    unit="(in thousands)",
)


def only(facts, metric, year):
    (fact,) = [f for f in facts if f.metric == metric and f.period.last_day.year == year and not f.dimensions]
    return fact


def test_signs_scales_periods_and_units_of_a_statement():
    facts = facts_of(INCOME)
    assert [brief(f) for f in facts if f.period.year == 2022] == [
        ("revenue", "FY2022", Decimal(1_200_000_000), "USD"),
        ("cost of revenue", "FY2022", Decimal(-800_000_000), "USD"),
        ("basic earnings per share", "FY2022", Decimal("3.21"), "USD/share"),
        ("basic weighted average shares", "FY2022", Decimal(390), "shares"),
        ("gross margin percent", "FY2022", Decimal("33.3"), "%"),
    ]
    assert {f.period.end.isoformat() for f in facts if f.period.year == 2022} == {"2022-06-30"}
    assert {f.consolidation for f in facts} == {"consolidated"}


def test_every_fact_points_at_its_cell():
    doc = document(INCOME, prose="Some words before.")
    for fact in extract_facts(doc):
        assert doc.text[fact.start : fact.end] == fact.text
        assert doc.tables[fact.table].rows[fact.row][fact.column] == fact.text
        assert fact.company == "Acme" and fact.source == "acme.pdf" and fact.source_kind == "table"
    assert len({fact.id for fact in extract_facts(doc)}) == len(extract_facts(doc))


def test_balances_stand_at_a_date_and_are_checked():
    facts = facts_of(BALANCE)
    assert only(facts, "total assets", 2022).period.label == "2022-12-31"
    assert only(facts, "total assets", 2022).amount == 100_000
    assert only(facts, "cash and cash equivalents", 2021).confidence == pytest.approx(0.999)


def test_a_balance_sheet_that_does_not_balance_is_trusted_less():
    rows = [list(row) for row in BALANCE.rows]
    rows[5][1] = "111"
    broken = Table(tuple(map(tuple, rows)), title=BALANCE.title, unit=BALANCE.unit)
    facts = facts_of(broken)
    assert only(facts, "total liabilities and equity", 2022).confidence < 0.6
    assert only(facts, "total liabilities and equity", 2021).confidence > 0.9


def test_subtotals_that_add_up_are_trusted_more():
    table = Table((("", "2022"), ("Rooms", "10"), ("Casino", "5"), ("Total nights", "15"), ("Other", "4")))
    confidence = {f.label: f.confidence for f in facts_of(table)}
    assert confidence["Total nights"] > confidence["Other"]


def test_a_fiscal_calendar_names_quarters():
    table = Table(
        (("", "Three Months Ended", ""), ("", "December 31, 2022", "December 31, 2021"), ("Net sales", "5", "4")),
        header_rows=2,
        spans=((0, 1, 0, 2),),
    )
    facts = facts_of(INCOME, table, prose="For the fiscal year ended June 30, 2022 and the year ended June 30, 2021.")
    assert [f.period.label for f in facts if f.table == 1] == ["Q2 FY2023", "Q2 FY2022"]


def test_changes_notes_and_exhibits_are_no_facts():
    table = Table(
        (("", "Note", "2022", "2021", "% Change", "2022 vs. 2021"), ("Net sales", "5", "7", "6", "17 %", "1"))
    )
    assert [f.text for f in facts_of(table)] == ["7", "6"]
    exhibits = Table((("Exhibit", "Number"), ("10.1 Plan", "10.1")), title="Exhibits incorporated by reference")
    assert facts_of(exhibits) == []


@pytest.mark.parametrize(
    ("head", "basis"),
    [("2021 (As Restated)", "restated"), ("Adjusted 2021", "adjusted"), ("Pro forma 2021", "pro forma")],
)
def test_columns_on_another_basis(head, basis):
    facts = facts_of(Table((("", "2022", head), ("Net sales", "7", "6"))))
    assert [f.basis for f in facts] == ["reported", basis]


def test_segments_in_columns_and_rows_become_dimensions():
    across = facts_of(Table((("2022", "Americas", "Total"), ("Net sales", "7", "9"))))
    assert [f.dimensions for f in across] == [(("region", "Americas"),), ()]
    down = facts_of(
        Table((("", "2022"), ("Revenues:", ""), ("Cloud", "7"), ("Total revenues", "9")), indents=(0, 0, 1, 1))
    )
    assert [(f.metric, f.dimensions) for f in down] == [("revenue", (("segment", "Cloud"),)), ("revenue", ())]


def test_rows_that_are_years_take_the_metric_from_the_columns():
    facts = facts_of(Table((("", "Net sales", "Net income"), ("2022", "7", "2"), ("2021", "6", "1"))))
    assert [brief(f)[:3] for f in facts] == [
        ("revenue", "FY2022", 7), ("net income", "FY2022", 2), ("revenue", "FY2021", 6), ("net income", "FY2021", 1),
    ]  # fmt: skip


def test_a_total_without_a_name_takes_that_of_its_section():
    table = Table((("", "2022"), ("Revenues", ""), ("Casino", "7"), ("Rooms", "2"), ("", "9")), indents=(0, 0, 1, 1, 0))
    assert brief(facts_of(table)[-1])[:3] == ("revenue", "FY2022", 9)


def test_in_the_cash_flow_statement_a_balance_is_a_change():
    table = Table(
        (
            ("", "2022"),
            ("Net income", "9"),
            ("Inventories", "(3)"),
            ("Net cash provided by operating activities", "6"),
            ("Net cash used in investing activities", "(2)"),
            ("Cash and cash equivalents at end of year", "8"),
        )
    )
    metrics = {f.label: (f.metric, f.period.unit) for f in facts_of(table)}
    assert metrics["Inventories"] == ("", "year")
    assert metrics["Cash and cash equivalents at end of year"] == ("cash and cash equivalents at end of period", "day")


def test_a_chinese_statement():
    table = Table(
        (
            ("项目", "附注", "期末余额", "期初余额"),
            ("货币资金", "七、1", "3,456.78", "1,234.00"),
            ("资产总计", "", "9,000.00", "8,000.00"),
        ),
        title="母公司资产负债表",
        unit="单位：万元 币种：人民币",
    )
    facts = facts_of(table, period="2019年度", language="zh")
    assert [brief(f) for f in facts] == [
        ("cash and cash equivalents", "2019-12-31", Decimal("34567800.00"), "CNY"),
        ("cash and cash equivalents", "2018-12-31", Decimal("12340000.00"), "CNY"),
        ("total assets", "2019-12-31", Decimal("90000000.00"), "CNY"),
        ("total assets", "2018-12-31", Decimal("80000000.00"), "CNY"),
    ]
    assert {f.consolidation for f in facts} == {"parent"}


def test_facts_in_words():
    table = Table(
        (("公司的法定代表人", "黄杰"), ("公司注册地址", "江苏省南通市"), ("在职员工的数量合计", "1,406")), header_rows=0
    )
    facts = facts_of(table, period="2019年度", language="zh")
    assert [(f.metric, f.text, f.value) for f in facts[:2]] == [
        ("legal representative", "黄杰", None),
        ("registered address", "江苏省南通市", None),
    ]
    assert (facts[2].metric, facts[2].amount, facts[2].unit) == ("employees", 1406, "people")


def test_the_unit_before_the_table_counts():
    table = Table((("", "2022"), ("Net sales", "$ 7")))
    assert facts_of(table, prose="The following table shows sales (in thousands):")[0].amount == 7000


@pytest.mark.parametrize(
    ("heads", "unit", "scale"),
    [
        ((("", "2019 €m", "2018 €m"),), "EUR", 10**6),
        ((("", "2019", "2018"), ("", "£m", "£m")), "GBP", 10**6),
        ((("USDm", "2019", "2018"),), "USD", 10**6),
        ((("", "2019", "2018"), ("", "US$’000", "US$’000")), "USD", 10**3),
    ],
)
def test_the_unit_may_stand_in_the_heads(heads, unit, scale):
    facts = facts_of(Table((*heads, ("Revenue", "12.5", "11.0")), header_rows=len(heads)))
    assert {(fact.unit, fact.scale) for fact in facts} == {(unit, Decimal(scale))}


def test_offsets_are_the_cell_below_heads_of_two_rows_and_without_heads():
    heads = (("", "Year ended December 31,", ""), ("", "2022", "2021"))
    rows = (("Revenue", "1,234", "1,100"), ("Net income", "99", "88"))
    with_heads = Table(heads + rows, header_rows=2, spans=((0, 1, 0, 2),))
    without = Table(tuple(row[:2] for row in rows), header_rows=0)
    for table, cells in ((with_heads, ["1,234", "1,100", "99", "88"]), (without, ["1,234", "99"])):
        doc = document(table)
        found = extract_facts(doc)
        assert [doc.text[f.start : f.end] for f in found] == [f.text for f in found] == cells


def test_several_columns_of_which_nothing_says_what_they_are_give_no_figures():
    rows = (("Revenue", "1,234", "1,100", "1,000"), ("Net income", "99", "88", "77"))
    assert facts_of(Table(rows, header_rows=0)) == []
    first = facts_of(Table(tuple(row[:3] for row in rows), header_rows=0))
    assert [fact.text for fact in first] == ["1,234", "99"]


def test_words_over_the_values_begin_another_table_with_columns_of_its_own():
    rows = (
        ("", "2023", "2022"),
        ("Net assets", "500", "480"),
        ("Segments (year ended 31 March 2022)", "", ""),
        ("", "Water", "Group"),
        ("Revenue", "70", "90"),
    )
    found = {(fact.text, fact.period.year, fact.dimensions) for fact in facts_of(Table(rows)) if fact.period}
    assert ("70", 2022, (("column", "Water"),)) in found and ("90", 2022, ()) in found
    assert ("480", 2022, ()) in found


def test_words_that_go_on_from_the_row_above_begin_no_table():
    rows = (
        ("", "2023", "2022"),
        ("Braftovi, in combination with", "50", "51"),
        ("", "V600E", "(d)"),
        ("Total", "70", "90"),
    )
    assert {fact.period.year for fact in facts_of(Table(rows)) if fact.own_label == "Total"} == {2023, 2022}


def test_years_that_end_on_one_weekday_close_on_the_days_printed():
    table = Table((("", "December 2, 2022", "December 3, 2021"), ("Total assets", "27,165", "27,241")))
    doc = facts_of(table, prose="The fiscal year ended December 2, 2022, the one before on December 3, 2021.")
    assert {fact.text: fact.period.label for fact in doc if fact.metric} == {
        "27,165": "2022-12-02",
        "27,241": "2021-12-03",
    }


def test_where_heads_say_which_columns_are_in_per_cent_the_others_are_not():
    heads = ("", "2023", "2023 % of total", "2022", "2022 % of total")
    body = (("Footwear", "701.4", "29.0 %", "613.7", "27.0 %"), ("Total", "2,418.6", "100.0 %", "2,273.1", "100.0 %"))
    units = {fact.text: fact.unit for fact in facts_of(Table((heads, *body)))}
    assert units["701.4"] != "%" and units["29.0 %"] == "%"


RECONCILIATION = Table(
    (
        ("", "12 Weeks Ended 3/19/2022", "", ""),
        ("", "Cost of sales", "Selling, general and administrative expenses", "Effective tax rate"),
        ("Reported, GAAP Measure", "$ 7,433", "$ 6,580", "17.2 %"),
        ("Restructuring charges", "(5)", "(22)", "0.1"),
        ("Core, Non-GAAP Measure", "$ 7,321", "$ 6,487", "20.6 %"),
    ),
    header_rows=2,
    title="Reconciliation of GAAP and Non-GAAP Information",
    unit="(in millions)",
    spans=((0, 1, 0, 3),),
)


def test_in_a_reconciliation_columns_name_metrics_and_rows_the_basis():
    facts = [f for f in facts_of(RECONCILIATION) if f.metric == "cost of revenue"]
    assert [(f.value, f.basis, f.dimensions) for f in facts] == [
        (Decimal(7433), "reported", ()),
        (Decimal(7321), "adjusted", ()),
    ]
    assert {f.period.end.isoformat() for f in facts_of(RECONCILIATION)} == {"2022-03-19"}
    rates = [f for f in facts_of(RECONCILIATION) if f.metric == "effective tax rate"]
    assert {(f.value, f.unit) for f in rates} == {(Decimal("17.2"), "%"), (Decimal("20.6"), "%")}
    (charge,) = [f for f in facts_of(RECONCILIATION) if f.value == -22]
    assert charge.metric == "restructuring charges" and charge.dimensions[0][1].startswith("Selling")


def test_a_metric_over_the_labels_is_that_of_the_parts_below():
    table = Table(
        (
            ("Operating Profit", "2022 Reported, GAAP Measure", "2022 Impact of charges"),
            ("Europe", "(136)", "7"),
            ("Total", "5,267", "27"),
        ),
        unit="(in millions)",
    )
    facts = {f.value: (f.metric, f.dimensions, f.basis) for f in facts_of(table)}
    assert facts[Decimal(-136)] == ("operating income", (("segment", "Europe"),), "reported")
    assert facts[Decimal(5267)] == ("operating income", (), "reported")
    assert facts[Decimal(7)][1] == (("column", "Impact of charges"), ("segment", "Europe"))


def test_the_columns_of_an_equity_statement_stay_apart():
    table = Table(
        (("", "Retained Earnings", "Total Equity"), ("Net income", "5,079", "5,090")),
        title="Consolidated Statements of Equity",
    )
    assert {f.dimensions for f in facts_of(table)} == {
        (("column", "Retained Earnings"),),
        (("column", "Total Equity"),),
    }


def test_a_table_of_amounts_a_share_has_no_scale():
    table = Table(
        (
            ("Year ended December 31,", "2022", "2021"),
            ("Diluted earnings per share", "$ 0.69", "$ 0.23"),
            ("Property transactions, net", "(2.74)", "(0.15)"),
        ),
    )
    doc = document(table, prose="Amounts are in thousands of dollars (in thousands, except per share data). " * 2)
    facts = {f.value: (f.unit, f.scale) for f in extract_facts(doc)}
    assert facts[Decimal("-2.74")] == ("USD/share", 1)


def test_a_number_names_nothing():
    table = Table((("", "2022", ""), ("16", "16", "17"), ("Sales", "242", "259")), unit="(in millions)")
    assert {f.label for f in facts_of(table)} == {"Sales"}


def test_the_head_over_years_names_what_is_counted():
    table = Table((("Shares repurchased", "", "Average price per share"), ("2021", "1,358", "$ 364.39")))
    assert [f.label for f in facts_of(table)] == ["Shares repurchased", "Average price per share"]


@pytest.mark.parametrize(
    ("label", "metric"),
    [
        ("Net income attributable to Acme per common share - diluted", "diluted earnings per share"),
        ("Net income attributable to Acme", "net income attributable to shareholders"),
        ("Net loss attributable to noncontrolling interests", "net income attributable to noncontrolling interests"),
        ("Net income attributable to Acme per common share", ""),
    ],
)
def test_net_income_of_whom_and_for_how_many_shares(label, metric):
    assert metric_of(label) == metric


def test_a_figure_in_brackets_does_not_make_the_row_one_of_a_share():
    table = Table(
        (("", "2022"), ("Dividends declared ($0.12 per share)", "(1,021)"), ("Sales", "5")), unit="(in thousands)"
    )
    assert {f.scale for f in facts_of(table)} == {1000}


@pytest.mark.parametrize("told", ["(000's)", "(in 000’s)", "(in thousands)"])
def test_a_row_that_tells_its_scale_is_not_in_the_millions_of_its_table(told):
    rows = (
        ("", "2022"),
        (f"Operating income {told}", "$ 4,210"),
        (f"Net sales {told}", "52,810"),
        ("Net income", "75"),
    )
    table = Table(rows, unit="(in millions)")
    assert [(f.text, f.scale) for f in facts_of(table)] == [("$ 4,210", 1000), ("52,810", 1000), ("75", 10**6)]


def test_money_per_customer_is_not_in_the_thousands_of_its_table():
    rows = (("", "2022"), ("Paid memberships", "52,810"), ("Average monthly revenue per paying membership", "$ 10.18"))
    table = Table(rows, unit="(in thousands, except revenue per membership and percentages)")
    assert [(f.text, f.scale) for f in facts_of(table)] == [("52,810", 1000), ("$ 10.18", 1)]


def test_rows_with_a_scale_of_their_own_and_years_over_quarters():
    table = Table(
        (
            ("", "Three Months Ended", ""),
            ("", "March 31,", "June 30,"),
            ("2022", "", ""),
            ("Orders (in thousands)", "1,869", "1,701"),
            ("Average Order Value", "$ 62.99", "$ 67.14"),
            ("Orders per Customer", "5.1", "4.9"),
        ),
        header_rows=2,
        spans=((0, 1, 0, 2),),
    )
    facts = extract_facts(
        document(table, prose="All other amounts of this report are stated (in thousands)." + " " * 400)
    )
    assert [brief(f)[1:] for f in facts] == [
        ("Q1 FY2022", Decimal(1_869_000), ""),
        ("Q2 FY2022", Decimal(1_701_000), ""),
        ("Q1 FY2022", Decimal("62.99"), "USD"),
        ("Q2 FY2022", Decimal("67.14"), "USD"),
        ("Q1 FY2022", Decimal("5.1"), ""),
        ("Q2 FY2022", Decimal("4.9"), ""),
    ]
    assert not any(f.dimensions for f in facts)


@pytest.mark.parametrize(
    ("label", "unit"),
    [("基本每股收益（元／股）", "CNY/share"), ("基本每股收益(港元/股)", "HKD/share"), ("基本每股收益", "CNY/share")],
)
def test_earnings_a_share_are_in_the_currency_of_the_label_or_language(label, unit):
    table = Table((("主要财务指标", "2019年", "2018年"), (label, "0.62", "0.88")), title="主要财务指标")
    assert {fact.unit for fact in facts_of(table)} == {unit}


def test_earnings_a_share_are_in_the_currency_of_the_document_where_the_table_tells_none():
    table = Table(
        (("Highlights", "2022", "2021"), ("Shares issued", "1,252", "1,250"), ("Earnings per share", "9", "7"))
    )
    given = document(table)
    given = replace(given, metadata=replace(given.metadata, how={"currency": "EUR"}))
    assert {fact.unit for fact in extract_facts(given) if "share" in fact.unit} == {"EUR/share", "shares"}


@pytest.mark.parametrize(
    ("title", "stub", "days", "revenue"),
    [
        ("Condensed Consolidated Statement of Income", "", ("3/19/2022", "3/20/2021"), [None, None]),
        ("Net revenue by division", "", ("3/19/2022", "3/20/2021"), [None, None]),
        ("Net revenue, 12 Weeks Ended", "", ("3/19/2022", "3/20/2021"), ["Q1 FY2022", "Q1 FY2021"]),
        ("Statement of Income", "12 Weeks Ended", ("3/19/2022", "3/20/2021"), ["Q1 FY2022", "Q1 FY2021"]),
        ("Statement of Income", "", ("December 31, 2022", "December 31, 2021"), ["FY2022", "FY2021"]),
    ],
)
def test_a_flow_under_a_bare_date_is_of_no_time_that_nothing_tells(title, stub, days, revenue):
    rows = ((stub, *days), ("Net revenue", "16,200", "14,820"), ("Net income", "4", "3"), ("Inventories", "4", "5"))
    facts = facts_of(Table(rows, title=title))
    assert [f.period.label if f.period else None for f in facts if f.metric == "revenue"] == revenue
    assert all(f.period.is_instant for f in facts if f.metric == "inventory")


def test_a_table_without_rows_has_no_facts():
    assert list(map(brief, facts_of(Table((), header_rows=0), INCOME))) == list(map(brief, facts_of(INCOME)))


def test_a_column_of_regions_says_of_what_part_a_row_speaks():
    rows = "| Nordavir | Int'l. | 28,972 |\n| Halvacor | Worldwide | 5,970 |\n"
    text = f"# Revenues\n\n(MILLIONS)\n\n| Product | Region | 2021 |\n| --- | --- | --- |\n{rows}"
    found = {fact.text: dict(fact.dimensions) for fact in extract_facts(read_text(text, source="x.md"))}
    assert found["28,972"]["region"] == "Int'l." and "region" not in found["5,970"]


def signed(label, *cells, heads=("2022", "2021")):
    table = Table((("", *heads), ("Net sales", "1,000", "900"), (label, *cells)), title="Statements of operations")
    return [fact.value for fact in facts_of(table) if fact.metric != "revenue"]


@pytest.mark.parametrize("label", ["Net loss", "Operating loss", "Net loss attributable to Acme Inc.", "净亏损"])
def test_a_loss_printed_without_a_sign_is_no_profit(label):
    assert signed(label, "520", "310") == [-520, -310]
    assert signed(label, "(520)", "(310)") == [-520, -310]


def test_a_loss_per_share_is_negative():
    assert signed("Net loss per share", "0.52", "0.31") == [Decimal("-0.52"), Decimal("-0.31")]


def test_signs_that_are_printed_are_kept():
    assert signed("Net loss", "(520)", "310") == [-520, 310]
    assert signed("Net income (loss)", "520", "(310)") == [520, -310]
    assert signed("Net loss (income)", "520", "(310)") == [520, -310]


def test_a_loss_over_a_column_is_negative():
    table = Table((("Year", "Revenue", "Net loss"), ("2022", "1,000", "520"), ("2021", "900", "310")))
    assert [fact.value for fact in facts_of(table) if fact.metric == "net income"] == [-520, -310]


def test_the_opening_balance_of_the_first_of_january_is_the_closing_one_of_the_day_before():
    table = Table((("项目", "2023年12月31日", "2023年1月1日"), ("存货", "433", "560")), title="合并资产负债表")
    days = {fact.text: fact.period.label for fact in facts_of(table, language="zh", period="2023年度") if fact.period}
    assert days == {"433": "2023-12-31", "560": "2022-12-31"}


def test_a_total_may_stand_with_its_unit_and_that_it_was_restated():
    heads = ("", "2023 Underlying £m", "2023 Total £m", "2022 Total (restated) £m")
    found = {fact.text: fact.dimensions for fact in facts_of(Table((heads, ("Operating profit", "328", "310", "322"))))}
    assert found == {"328": (("column", "Underlying"),), "310": (), "322": ()}


def test_a_row_below_the_heads_may_say_the_unit():
    rows = (("", "2022", "2021"), ("(In thousands)", "", ""), ("Revenue", "$68,024", "$67,314"))
    assert {fact.scale for fact in facts_of(Table(rows))} == {Decimal(1000)}


@pytest.mark.parametrize("label", ["Basic EPS (p)", "Earnings per share (pence)", "Dividend per share (p)"])
def test_pence_are_hundredths(label):
    heads = (("", "Unaudited 2025", "Audited 2024"), ("", "£'m", "£'m"))
    facts = facts_of(Table((*heads, ("Revenue", "12.5", "11.0"), (label, "12.4", "11.0")), header_rows=2))
    assert [(fact.unit, fact.scale, fact.dimensions) for fact in facts] == [("GBP", Decimal(10**6), ())] * 2 + [
        ("GBP/share", Decimal("0.01"), ())
    ] * 2


def test_a_head_of_nothing_but_noughts_is_a_unit():
    facts = facts_of(Table((("", "2025", "2024"), ("", "£000", "£000"), ("Revenue", "1,204", "1,180")), header_rows=2))
    assert {(fact.unit, fact.scale) for fact in facts} == {("GBP", Decimal(1000))}


GERMAN = Table(
    (
        ("in EUR thousand", "Note", "2023", "2022"),
        ("Revenue", "1", "1.234.567", "1.101.200"),
        ("Operating costs", "3,12", "-812.345", "-745.110"),
        ("Earnings per share (in EUR)", "", "3,02", "2,35"),
    ),
    title="Consolidated income statement",
)


def test_decimal_commas_are_read_where_the_numbers_show_them():
    values = [(fact.value, fact.unit) for fact in facts_of(GERMAN) if fact.period.year == 2023]
    assert values == [(1_234_567, "EUR"), (-812_345, "EUR"), (Decimal("3.02"), "EUR/share")]


def test_notes_with_commas_make_no_decimal_commas():
    table = Table(
        (("£m", "Note", "2023", "2022"), ("Revenue", "4,12", "1,234", "1,101"), ("Costs", "5,6", "812", "745")),
        title="Consolidated income statement",
    )
    assert [fact.value for fact in facts_of(table)] == [1234, 1101, 812, 745]


def test_a_table_of_which_no_number_tells_takes_the_decimal_commas_of_the_others():
    other = Table((("in EUR thousand", "2023"), ("Cash and cash equivalents", "12.300")), title="Balance sheet")
    assert [fact.value for fact in facts_of(GERMAN, other) if fact.table == 1] == [12300]
    assert [fact.value for fact in facts_of(other)] == [Decimal("12.300")]


def test_pence_in_the_cells_are_hundredths_of_a_pound():
    table = Table((("", "2023"), ("Basic earnings per share", "41.3p"), ("Revenue", "£12.5")), unit="(in millions)")
    earnings, revenue = facts_of(table)
    assert (earnings.amount, earnings.unit) == (Decimal("0.413"), "GBP/share")
    assert (revenue.amount, revenue.unit) == (Decimal(12_500_000), "GBP")


def test_multiples_are_no_money():
    table = Table(
        (("Y/E December, EUR m", "2023A", "2024E"), ("Sales", "1,275", "1,390"), ("P/E (x)", "12.2", "10.4")),
        title="Key figures",
    )
    facts = facts_of(table)
    assert [(fact.unit, fact.scale) for fact in facts] == [("EUR", 10**6), ("EUR", 10**6), ("x", 1), ("x", 1)]
    assert [fact.dimensions for fact in facts[:2]] == [(), (("column", "2024E"),)]
    assert [fact.basis for fact in facts[:2]] == ["reported", "forecast"]
    assert [fact.period.year for fact in facts] == [2023, 2024, 2023, 2024]


@pytest.mark.parametrize("label", ["Hedges of forecast purchases", "2022 P&L charge", "2020 E-commerce sales"])
def test_what_is_no_forecast_is_reported(label):
    (fact,) = facts_of(Table((("$m", "2022"), (label, "1,275"))))
    assert fact.basis == "reported"


@pytest.mark.parametrize(
    ("heads", "labels", "found"),
    [
        (("Assets", "2023", "2022", "Liabilities", "2023", "2022"), ("Inventories", "Provisions"), "2023-12-31"),
        (("资产", "2023年末", "2022年末", "负债", "2023年末", "2022年末"), ("存货", "应付账款"), "2023-12-31"),
    ],
)
def test_two_tables_side_by_side_have_rows_of_their_own(heads, labels, found):
    inventories, payables = labels
    rows = (
        heads,
        (inventories, "27,900", "26,010", payables, "3,450", "3,200"),
        ("", "", "", "A", "70", "51"),
        ("B", "8", "9", "C", "80", "60"),
    )
    table = Table(rows, header_rows=1, title="Statement of financial position at 31 December 2023")
    stated = {(fact.label, fact.period.label): fact for fact in facts_of(table)}
    assert stated[inventories, found].value == 27900
    assert (stated[payables, found].value, stated[payables, found].column) == (3450, 4)
    assert {label for label, _ in stated} == {*labels, "A", "B", "C"}


def test_indian_statements_have_lakhs_and_a_column_of_note_numbers():
    table = Table(
        (
            ("Particulars", "Note No.", "Year ended 31 March 2023"),
            ("Revenue", "21", "1,23,456.78"),
            ("Earnings per share (Rs.)", "24", "4.59"),
        ),
        title="Statement of Profit and Loss",
        unit="(Rs. in lakhs)",
    )
    revenue, earnings = facts_of(table)
    assert (revenue.value, revenue.scale, revenue.unit) == (Decimal("123456.78"), 100_000, "INR")
    assert (earnings.amount, earnings.unit) == (Decimal("4.59"), "INR/share")


def test_swiss_thousands_and_days_with_dots():
    table = Table((("CHF 1'000", "31.12.2023", "31.12.2022"), ("Total assets", "13'746'912", "13'246'810")))
    assert [(fact.period.label, fact.amount, fact.unit) for fact in facts_of(table)] == [
        ("2023-12-31", 13_746_912_000, "CHF"),
        ("2022-12-31", 13_246_810_000, "CHF"),
    ]


def test_a_quarter_without_a_year_is_one_of_the_year_of_its_section():
    table = Table(
        (
            ("2023", "First Quarter", "Second Quarter"),
            ("Net sales", "10,200", "11,300"),
            ("2022", "", ""),
            ("Net sales", "9,200", "10,300"),
        ),
        header_rows=1,
    )
    assert [fact.period.label for fact in facts_of(table)] == ["Q1 FY2023", "Q2 FY2023", "Q1 FY2022", "Q2 FY2022"]


def test_cents_under_a_head_of_dividends_are_no_millions():
    table = Table((("Year", "Revenue $m", "Dividend cents"), ("2023", "1,204.3", "24.0")), title="Ten year record")
    revenue, dividend = facts_of(table)
    assert (revenue.scale, dividend.scale, dividend.unit) == (10**6, Decimal("0.01"), "USD/share")


def test_periods_over_the_values_below_are_those_of_the_rows_below():
    table = Table(
        (
            ("", "2024年1-6月", "2023年1-6月", "增减（%）"),
            ("营业收入", "45,210", "43,870", "3.05"),
            ("", "2024年6月30日", "2023年12月31日", ""),
            ("资产总额", "1,204,500", "1,180,300", "2.05"),
        ),
        header_rows=1,
        unit="人民币百万元",
    )
    assert [(fact.period.label, fact.value) for fact in facts_of(table, language="zh")] == [
        ("H1 2024", 45210),
        ("H1 2023", 43870),
        ("2024-06-30", 1_204_500),
        ("2023-12-31", 1_180_300),
    ]


@pytest.mark.parametrize(
    ("head", "scale"), [("Mio. €", 10**6), ("TEUR", 1000), ("Mrd. EUR", 10**9), ("€ million", 10**6)]
)
def test_units_of_german_heads(head, scale):
    (fact,) = facts_of(Table(((head, "2023"), ("EBITDA", "212,4")), title="Key figures"))
    assert (fact.value, fact.scale, fact.unit) == (Decimal("212.4"), scale, "EUR")


def test_weeks_to_a_day_and_losses_in_pence():
    table = Table((("£000", "52 weeks to 28 January 2023"), ("Turnover", "45,210"), ("Loss per share", "(2.4)p")))
    turnover, loss = facts_of(table)
    assert (turnover.dimensions, turnover.period.end.isoformat()) == ((), "2023-01-28")
    assert (loss.amount, loss.unit) == (Decimal("-0.024"), "GBP/share")


def test_money_for_each_unit_is_not_in_the_millions_of_its_table():
    table = Table((("($ millions)", "2023"), ("Distributions per unit ($)", "2.04"), ("Revenue", "903")))
    assert [fact.amount for fact in facts_of(table)] == [Decimal("2.04"), 903_000_000]


def test_total_operating_income_of_a_bank_is_no_result():
    rows = (
        ("", "2024", "2023"),
        ("Total operating income", "2,637", "2,559"),
        ("Operating expenses", "1,620", "1,561"),
    )
    bank = Table((*rows, ("Net interest income", "1,978", "1,942")), unit="(in millions)")
    assert "operating income" in {fact.metric for fact in facts_of(Table(rows, unit="(in millions)"))}
    assert "operating income" not in {fact.metric for fact in facts_of(bank)}


def test_counts_take_the_scale_of_their_own_row_and_no_currency():
    table = Table(
        (
            ("", "2024", "2023"),
            ("Revenue", "694.1", "632.1"),
            ("Subscribers (thousand, year end)", "3,702", "3,388"),
            ("Branches", "402", "410"),
            ("Copper production (kt)", "181", "176"),
            ("Due to customers", "88", "90"),
        ),
        unit="(EUR million)",
    )
    found = {fact.label: (fact.unit, fact.amount) for fact in facts_of(table) if fact.period.year == 2024}
    assert found["Subscribers (thousand, year end)"] == ("people", Decimal(3_702_000))
    assert found["Branches"] == ("", Decimal(402)) and found["Copper production (kt)"] == ("", Decimal(181))
    assert found["Due to customers"] == ("EUR", Decimal(88_000_000))


def test_halves_and_years_as_rows_are_of_the_year_in_the_title():
    table = Table(
        (("", "Revenue", "Operating profit"), ("First half", "415.0", "33.0"), ("Full year", "870.0", "77.0")),
        title="Forecast for FY2023 (April 1, 2022 - March 31, 2023)",
        unit="(in millions)",
    )
    shown = {(fact.metric, fact.period.label, fact.value, fact.dimensions) for fact in facts_of(table)}
    assert ("revenue", "H1 FY2023", Decimal("415.0"), ()) in shown
    assert ("operating income", "FY2023", Decimal("77.0"), ()) in shown


def test_a_year_with_the_word_forecast_is_the_period_of_its_row():
    table = Table((("", "Dividend (yen)"), ("FY2022", "76"), ("FY2023 (forecast)", "84")))
    assert {fact.text: fact.period.year for fact in facts_of(table)} == {"76": 2022, "84": 2023}


def test_heads_of_a_second_table_need_not_reach_beyond_its_values():
    table = Table(
        (
            ("", "Three months ended December 31,", "", "Year ended December 31,", ""),
            ("", "2022", "2021", "2022", "2021"),
            ("Net income", "41", "37", "158", "171"),
            ("SAME-STORE RESULTS", "", "", "", ""),
            ("", "Q4 2022", "Q4 2021", "Change", ""),
            ("Occupancy", "95.6%", "95.1%", "0.5%", ""),
        ),
        header_rows=2,
        spans=((0, 1, 0, 2), (0, 3, 0, 4)),
    )
    found = {fact.text: fact.period.label for fact in facts_of(table) if fact.label.endswith("Occupancy")}
    assert found == {"95.6%": "Q4 2022", "95.1%": "Q4 2021"}


def test_dates_in_digits_below_lengths_are_heads(tmp_path):
    html = """<html><body><p>Acme Limited: Results for the quarter and half year ended September 30, 2024</p><table>
    <tr><th>Particulars</th><th colspan=2>Quarter ended</th><th>Half year ended</th><th>Year ended</th></tr>
    <tr><th></th><th>30.09.2024</th><th>30.09.2023</th><th>30.09.2024</th><th>31.03.2024</th></tr>
    <tr><td>1. Revenue from operations</td><td>2,145.32</td><td>2,098.44</td><td>4,506.10</td><td>9,412.55</td></tr>
    <tr><td>2. Other income</td><td>38.12</td><td>35.77</td><td>80.02</td><td>151.20</td></tr></table></body></html>"""
    path = tmp_path / "acme.html"
    path.write_text(html)
    facts = extract_facts(read_document(path, source=path.name))
    found = {fact.text: fact.period.label for fact in facts if fact.metric == "revenue"}
    assert found == {"2,145.32": "Q2 FY2025", "2,098.44": "Q2 FY2024", "4,506.10": "H1 FY2025", "9,412.55": "FY2024"}


def test_what_is_counted_in_thousands_or_in_pieces_is_no_money():
    table = Table(
        (
            ("SEK m", "Jan–Sep 2022", "Jan–Sep 2021"),
            ("Net sales", "12,866", "12,402"),
            ("Daily traffic ('000 trips)", "842", "815"),
            ("Units shipped", "1,311", "1,204"),
        ),
    )
    shown = {fact.label: (fact.period.label, fact.amount, fact.unit) for fact in facts_of(table) if fact.column == 1}
    assert shown == {
        "Net sales": ("9M 2022", Decimal(12_866_000_000), "SEK"),
        "Daily traffic ('000 trips)": ("9M 2022", Decimal(842_000), ""),
        "Units shipped": ("9M 2022", Decimal(1311), ""),
    }


def test_amounts_in_a_title_and_a_bare_currency_tell_no_scale_of_the_table():
    table = Table(
        (("($ in thousands)", "2022", "2021"), ("Total revenue", "108,300", "91,475")),
        title="GAAP net loss of $3.1 million; non-GAAP net income of $14.9 million",
    )
    assert facts_of(table)[0].amount == 108_300_000
    hotels = Table((("", "2022", "2021"), ("Sales (£m)", "212.8", "203.4"), ("RevPAR (£)", "61.40", "59.50")))
    assert {fact.text: fact.amount for fact in facts_of(hotels)}["61.40"] == Decimal("61.40")
    crores = Table((("Rs crore", "FY22", "FY21"), ("PAT", "502", "388")))
    assert brief(facts_of(crores)[0]) == ("net income", "FY2022", Decimal(5_020_000_000), "INR")


MOVEMENTS = Table(
    (
        ("May 7, 2022", "Land", "Equipment", "Total"),
        ("Opening balance", "387", "2,600", "2,987"),
        ("Additions", "9", "149", "158"),
        ("Net carrying value", "372", "1,184", "1,556"),
        ("May 1, 2021", "Land", "Equipment", "Total"),
        ("Opening balance", "451", "2,613", "3,064"),
        ("Additions", "8", "128", "136"),
        ("Net carrying value", "387", "1,063", "1,450"),
    ),
    title="9. Property and equipment",
)


def test_a_day_over_the_labels_is_that_of_the_rows_below_and_movements_are_of_the_year_it_closes():
    found = {(fact.label, fact.period.label, fact.text) for fact in facts_of(MOVEMENTS) if fact.dimensions}
    assert {("Net carrying value", "2022-05-07", "372"), ("Net carrying value", "2021-05-01", "387")} <= found
    assert {fact.period.label for fact in facts_of(MOVEMENTS) if fact.label == "Additions"} == {"FY2022", "FY2021"}


def test_the_last_days_of_four_quarters_are_quarters_of_the_year_that_stands_over_the_rows():
    days = ("March 31", "June 30", "September 30", "December 31")
    table = Table(
        (
            ("", *(f"{day} (unaudited)" for day in days)),
            ("Year ended December 31, 2022:", "", "", "", ""),
            ("Interest expense", "14,907", "15,745", "22,939", "28,733"),
        )
    )
    found = [(fact.period.label, fact.text) for fact in facts_of(table)]
    assert found[0] == ("Q1 FY2022", "14,907") and found[3] == ("Q4 FY2022", "28,733")


def test_the_numbers_of_notes_are_no_figures_also_where_other_words_stand_over_them_and_end_no_label():
    table = Table(
        (
            ("", "Year ended", "", ""),
            ("", "Notes", "2022", "2021"),
            ("Revenue 7, 26", "", "1,128", "995"),
            ("Finance costs", "31", "(2)", "(4)"),
            ("Level 3", "", "5", "6"),
        ),
        header_rows=2,
        spans=((0, 1, 0, 3),),
    )
    assert [(fact.label, fact.text) for fact in facts_of(table) if fact.period.year == 2022] == [
        ("Revenue", "1,128"),
        ("Finance costs", "(2)"),
        ("Level 3", "5"),
    ]


def test_amounts_translated_for_convenience_are_no_figures_of_their_own():
    heads = (("", "Millions of yen", "Thousands of U.S. dollars"), ("", "2022", "2022"))
    table = Table((*heads, ("Revenue", "1,128", "9,231")), header_rows=2)
    (yen,) = facts_of(table, prose="Amounts are in millions of yen (¥). (In millions of yen)")
    assert (yen.unit, yen.scale, yen.dimensions) == ("JPY", Decimal(10**6), ())


def test_years_to_come_without_a_head_are_named_by_the_sentence_that_leads_to_them():
    payments = Table(
        (("2023", "$ 638"), ("2024", "654"), ("Thereafter", "5,561")), unit="(in thousands)", header_rows=0
    )
    said = "A maturity analysis of operating lease liabilities as of December 31, 2022 is as follows:"
    facts = facts_of(payments, prose=said)
    due = [brief(f) for f in facts if f.label == "Payments due > operating lease liabilities"]
    assert [(year, amount) for _, year, amount, _ in due] == [("FY2023", 638_000), ("FY2024", 654_000)]
    debt = facts_of(payments, prose="Maturities of long-term debt at December 31, 2022 are as follows:")
    assert not [f for f in debt if f.metric == "long-term debt"], "what is to be paid then is no balance"
    assert not [f for f in facts_of(payments, prose="We look back.") if f.label.startswith("Payments due")]


def test_a_column_of_shares_or_years_is_no_money():
    options = Table(
        (
            ("", "Number of Shares", "Weighted Average Exercise Price", "Remaining Term (in years)", "Intrinsic Value"),
            ("Outstanding at December 31, 2022", "5,661", "$ 13.61", "6.19", "$ 20,612"),
        ),
        unit="(in thousands, except share and per share data)",
    )
    units = [(f.unit, f.amount) for f in facts_of(options)]
    assert units == [("shares", 5661), ("USD/share", Decimal("13.61")), ("", Decimal("6.19")), ("USD", 20_612_000)]
    equity = Table((("", "Treasury shares"), ("Disposal", "66")), unit="(in thousands of dollars)")
    assert {f.unit for f in facts_of(equity)} == {"USD"}


def test_under_a_head_the_total_that_names_it_is_the_companys_and_corporate_is_a_part():
    profit = Table(
        (
            ("(Dollars in millions)", "2022"),
            ("EARNINGS BEFORE INTEREST AND TAXES", ""),
            ("Pumps", "$ 900"),
            ("Total Acme Brand", "900"),
            ("Corporate", "(300)"),
            ("Total Acme, Inc. Earnings Before Interest and Taxes", "600"),
        ),
        title="Results by segment",
    )
    stated = [(fact.text, fact.dimensions) for fact in facts_of(profit) if fact.metric == "operating income"]
    assert stated == [
        ("$ 900", (("segment", "Pumps"),)),
        ("900", (("segment", "Total Acme Brand"),)),
        ("(300)", (("segment", "Corporate"),)),
        ("600", ()),
    ]
    assert is_part(next(fact for fact in facts_of(profit) if fact.own_label == "Corporate"))


def test_a_column_of_changes_in_percent_makes_no_percentages_of_the_amounts_beside_it():
    table = Table(
        (
            ("In USD millions", "2022", "2021", "2022 over 2021"),
            ("Short-term debt, closing", "29.1", "6.1", "377 %"),
            ("Average debt", "17.6", "17.6", "- %"),
            ("Long-term debt, closing", "581.5", "737.4", "(21)%"),
            ("ROIC", "15.2 %", "8.0 %", "90 %"),
        ),
        unit="(in U.S. dollars in millions)",
    )
    amounts = {(fact.label, fact.text): fact.unit for fact in facts_of(table)}
    assert amounts["Short-term debt, closing", "29.1"] == "USD"
    assert amounts["ROIC", "15.2 %"] == "%"


def test_heads_below_the_first_rows_begin_another_length_of_time():
    table = Table(
        (
            ("Three Months Ended", "July 2, 2022", "July 3, 2021", "Variance"),
            ("Revenue", "$1,953", "$1,867", "$86"),
            ("Six Months Ended", "July 2, 2022", "July 3, 2021", "Variance"),
            ("Revenue", "$3,845", "$3,770", "$75"),
        ),
        unit="(in millions)",
    )
    found = [(fact.period.label, fact.text) for fact in facts_of(table, period="Q2 FY2022")]
    assert found == [
        ("Q2 FY2022", "$1,953"), ("Q2 FY2021", "$1,867"), ("H1 FY2022", "$3,845"), ("H1 FY2021", "$3,770"),
    ]  # fmt: skip


def test_a_day_over_rows_says_when_they_are_of():
    table = Table(
        (
            ("", "Funded July 2, 2022", "Total Backlog July 2, 2022"),
            ("Aerospace", "19,050", "19,497"),
            ("Marine", "30,318", "43,728"),
            ("", "April 3, 2022", ""),
            ("Aerospace", "18,853", "19,337"),
            ("Marine", "30,722", "43,607"),
        ),
        unit="(in millions)",
    )
    days = {fact.text: fact.period.label for fact in facts_of(table)}
    assert (days["19,497"], days["19,337"]) == ("2022-07-02", "2022-04-03")


def test_what_a_part_of_the_company_heads_is_the_part_s():
    parts = Table(
        (("Revenue", "2022", "2021"), ("Analog", "130", "150"), ("Embedded", "33", "32"), ("Total", "163", "182")),
        unit="(in millions)",
    )
    one = Table(
        (("", "2022", "2021"), ("Revenue", "130", "150"), ("Operating profit", "58", "83")),
        title="Analog (includes Power and Signal product lines)",
        unit="(in millions)",
    )
    whole = replace(one, title="Results of operations")
    told = {(fact.table, fact.label, fact.text): fact.dimensions for fact in facts_of(parts, one, whole)}
    assert told[1, "Operating profit", "58"] == (("segment", "Analog"),)
    assert told[2, "Operating profit", "58"] == ()


def test_the_sum_of_one_country_is_no_whole():
    table = Table((("", "Stores"), ("Ontario", "88"), ("Quebec", "22"), ("Total Canada", "110"), ("Total", "110")))
    narrowed = {fact.label: bool(fact.dimensions) for fact in facts_of(table)}
    assert (narrowed["Total Canada"], narrowed["Total"]) == (True, False)


def test_a_dividend_told_for_ten_shares_is_a_tenth_of_it_a_share():
    heads = ("分红年度", "每10 股派息数(元)（含税）", "现金分红的数额（含税）")
    table = Table((heads, ("2019 年", "1.88", "39,606,876.50")), unit="单位：元")
    dividend = only(facts_of(table, period="2019年度", language="zh"), "dividends per share", 2019)
    assert dividend.value * dividend.scale == Decimal("0.188")
