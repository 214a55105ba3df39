"""Answers in numbers: right, cited, in the asked unit; and declined where the facts do not give them."""

from contextlib import closing
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from cliquerag import Workspace
from cliquerag.core.anchor import Anchor
from cliquerag.core.period import Period
from cliquerag.core.scope import Scope
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.calculation.fact_choice.row_matching import Rows
from cliquerag.retrieval.question.figures.operands import Operand
from support.number_store import fact, number_store

from benchmarks.asking import answer_numbers, calculate_figure, explain_numbers

FY22 = [
    fact("revenue", "FY2022", "17,606", label="Total revenue", anchors=(Anchor(54),), table=18, row=6, column=1),
    fact("revenue", "FY2021", "15,785"),
    fact("revenue", "FY2022", "9,000", dimensions=(("segment", "Cloud"),)),
    fact("revenue", "FY2022", "4,000", label="Maintenance services"),
    fact("operating income", "FY2022", "6,098"),
    fact("operating income", "FY2021", "5,802"),
    fact("net income", "FY2022", "4,756"),
    fact("net income", "FY2021", "4,822"),
    fact("cost of revenue", "FY2022", "(2,165)"),
    fact("cash from operations", "FY2022", "7,838"),
    fact("capital expenditures", "FY2022", "(442)"),
    fact("income before tax", "FY2022", "6,008"),
    fact("income tax", "FY2022", "(1,252)", label="Income tax (expense)/benefit"),
    fact("inventory", "2022-12-31", "120"),
    fact("inventory", "2021-12-31", "100"),
    fact("total current assets", "2022-12-31", "8,996"),
    fact("total current liabilities", "2022-12-31", "8,128"),
    fact("total assets", "2022-12-31", "27,165"),
    fact("total assets", "2022-12-31", "5,650", consolidation="parent"),
    fact("employees", "2022-12-31", "29,239", unit="people", scale=Decimal(1)),
    *(fact("interest expense", f"Q{n} FY2022", f"{20 + n}", label="Interest expense") for n in range(1, 5)),
    fact("", "FY2022", "16 %", label="Increases in comparable sales > Total", unit="%", scale=Decimal(1)),
    fact("", "FY2021", "8 %", label="Increases in comparable sales > Total", unit="%", scale=Decimal(1)),
    fact("registered address", "FY2022", "345 Park Avenue, San Jose"),
]


@pytest.fixture(scope="module")
def store():
    store = number_store(report=("Acme Inc.", "FY2022", FY22))
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was Acme's total revenue in FY2022?", "USD 17,606 million"),
        ("What was Acme's revenue in FY2022? Answer in USD billions, to two decimals.", "USD 17.61 billion"),
        ("What is Acme's FY2022 operating margin?", "34.6 %"),
        ("What is Acme's FY2022 operating margin? Round to two decimal places.", "34.64 %"),
        ("What is the gross margin of Acme in 2022?", "87.7 %"),
        ("What is Acme's free cash flow for FY2022?", "USD 7,396 million"),
        ("What was Acme's FY2022 effective tax rate?", "20.8 %"),
        ("What is Acme's inventory turnover in FY2022?", "19.68"),
        ("What is Acme's working capital at the end of FY2022?", "USD 868 million"),
        ("By what percentage did Acme's revenue grow from FY2021 to FY2022?", "11.5 %"),
        ("What was the change in Acme's net income in FY2022?", "USD -66 million"),
        ("What was Acme's capex as a percentage of revenue in FY2022?", "2.5 %"),
        ("How many people did Acme employ at the end of 2022?", "29,239 people"),
        ("How many people work for Acme?", "29,239 people"),
        ("Acme 2022年的净销售额是多少？", "17,606百万美元"),
        ("What were Acme's total assets at year end 2022?", "USD 27,165 million"),
        ("Acme母公司2022年末的资产总计是多少？", "5,650百万美元"),
        ("In which quarter of 2022 was Acme's interest expense the lowest?", "Q1 FY2022"),
        ("What was the increase in Acme's total comparable sales in FY2022?", "16 %"),
        ("How many employees did Acme have at the end of 2022?", "29,239 people"),
        ("What is the average of Acme's revenue in FY2021 and FY2022?", "USD 16,695.5 million"),
        ("What was Acme's Cloud revenue in FY2022?", "USD 9,000 million"),
        ("What was Acme's revenue from maintenance services in FY2022?", "USD 4,000 million"),
        ("What is Acme's registered address in 2022?", "345 Park Avenue, San Jose"),
        ("Did Acme's operating margin improve in FY2022?", "margin fell by 2.12 percentage points, from 36.8 %"),
        ("Did Acme's revenue grow in FY2022?", "Revenue rose by USD 1,821 million (11.5 %), from USD 15,785 million"),
        ("Why did Acme's operating margin fall in FY2022?", "fell by 2.12 percentage points"),
        ("Acme 2022年的营业利润率是否提高？", "下降了2.12个百分点"),
        ("Acme 2022年的流动比率是多少？保留三位小数", "流动资产合计 / 流动负债合计 (百万美元) = 8,996 / 8,128 = 1.107"),
        ("Acme 2022年的营业收入是多少？", "营业收入, FY2022：17,606百万美元"),
        ("Acme 2022年的净利润增长率是多少？", "净利润增长率, FY2022：-1.4%"),
        ("Acme2022年的净利润是多少？", "净利润, FY2022：4,756百万美元"),
    ],
)
def test_answers_by_hand(store, question, shown):
    answer = answer_numbers(store, question)
    assert answer is not None, explain_numbers(store, question).declined
    assert shown in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What was Acme's revenue in FY2019?",
        "What was Acme's return on equity in FY2022?",
        "What was Acme's Hardware revenue in FY2022?",
        "What was Acme's quarterly revenue in Q2 FY2022?",
        "What was Beta's revenue in FY2022?",
        "What was the difference between Acme's average inventory and the change in inventory in FY2022?",
        "Who leads Acme in 2022?",
        "Why did Acme's margin fall in 2022?",
    ],
)
def test_nothing_is_guessed(store, question):
    assert answer_numbers(store, question) is None


def test_the_formula_is_shown_in_names_and_values_and_every_cell_is_cited(store):
    answer = answer_numbers(store, "What is Acme's FY2022 operating margin?")
    assert answer.text.splitlines()[1] == ("operating income / revenue (USD million) = 6,098 / 17,606 = 34.6 % [1][2]")
    assert [(c.number, c.source, c.page, c.text) for c in answer.citations] == [
        (1, "report", 7, "Operating income, FY2022: 6,098"),
        (2, "report", 54, "Total revenue, FY2022: 17,606 (table 19, row 7, column 2)"),
    ]
    assert answer.value == Decimal("34.6")
    assert answer.unit == "%"


def test_missing_components_are_named(store):
    outcome = explain_numbers(store, "What was Acme's DSO in FY2022?")
    assert outcome.missing == ("accounts receivable (FY2022)", "accounts receivable (FY2021)")
    assert "accounts receivable" in outcome.declined


def test_of_several_figures_those_that_are_stated_are_given(store):
    outcome = explain_numbers(store, "What were Acme's revenue and accounts receivable in FY2022?")
    assert outcome.answer.text == "Revenue, FY2022: USD 17,606 million [1]"
    assert outcome.answer.notes == (
        "not stated in these documents, as far as the search can tell: accounts receivable",
    )
    assert outcome.missing == ("accounts receivable (FY2022)",)


def test_a_figure_for_several_companies_is_given_for_all_or_none():
    with closing(number_store(a=("Acme Inc.", "FY2022", FY22), b=("Beta Corp.", "FY2022", FY22[:1]))) as store:
        question = "What were the revenue and net income of Acme and Beta in FY2022?"
        assert explain_numbers(store, question).answer is None


def test_contradictions_are_declined_and_lesser_ones_are_told():
    clash = number_store(
        a=("Acme Inc.", "FY2022", [fact("goodwill", "2022-12-31", "10"), fact("goodwill", "2022-12-31", "12")])
    )
    assert "10" in explain_numbers(clash, "What was Acme's goodwill in 2022?").declined
    told = number_store(
        a=("Acme Inc.", "FY2022", [
            fact("goodwill", "2022-12-31", "10", consolidation="consolidated"),
            fact("goodwill", "2022-12-31", "12", basis="pro forma"),
        ])
    )  # fmt: skip
    answer = answer_numbers(told, "What was Acme's goodwill in 2022?")
    assert answer.value == 10
    assert "12" in answer.notes[0]


def test_of_two_values_the_one_that_several_pages_state_counts_and_is_told():
    named = {"label": "Research and development expenses", "metric": "research and development"}
    pages = [(42, "13,829", ""), (57, "13,829", "Costs and expenses > "), (76, "(742)", "")]
    facts = [
        fact(named["metric"], "FY2021", value, label=f"{above}{named['label']}", anchors=(Anchor(page),), table=page)
        for page, value, above in pages
    ]
    with closing(number_store(a=("Acme Inc.", "FY2021", facts))) as store:
        answer = answer_numbers(store, "What was Acme's R&D expense in 2021?")
        assert answer is not None and answer.value == 13829
        assert "742" in answer.notes[0]


def test_a_row_under_a_head_of_changes_is_not_surely_the_amount():
    rows = [
        fact("", "FY2016", "12,046", label="% Change > Hardware receipts", anchors=(Anchor(50),), table=1),
        fact("", "FY2016", "44,307", label="Sellers > Hardware receipts", anchors=(Anchor(40),), table=2),
    ]
    with closing(number_store(a=("Acme Inc.", "FY2016", rows))) as store:
        answer = answer_numbers(store, "What were Acme's hardware receipts in 2016?")
        assert answer is None or answer.value != 12046


def test_a_row_of_growth_does_not_say_how_large_a_figure_is():
    fees = number_store(
        a=("Acme Inc.", "FY2022", [
            fact("", "FY2022", "9", label="Membership fees increase", unit="%", scale=Decimal(1)),
            fact("", "FY2022", "3,877", label="Membership fees"),
        ])
    )  # fmt: skip
    assert answer_numbers(fees, "What was Acme's membership fee income in FY2022?").value == 3877


def test_an_average_of_the_year_is_not_the_balance_at_its_end():
    table = {"label": "Total deposits", "source": "bank"}
    rows = [
        fact("", "2022-12-31", "1,512", table=1, **table),
        fact("", "2022-12-31", "1,463", table=2, dimensions=(("column", "Average Balance"),), **table),
        fact(
            "",
            "2022-12-31",
            "100.00",
            table=2,
            unit="%",
            scale=Decimal(1),
            dimensions=(("column", "Percent"),),
            **table,
        ),
    ]
    with closing(number_store(bank=("Main Bank", "FY2022", rows))) as store:
        answer = answer_numbers(store, "What were Main Bank's total deposits at the end of 2022?")
        assert answer is not None and "USD 1,512 million" in answer.text


def test_a_share_is_no_contradiction_to_an_amount_of_the_same_name():
    mixed = number_store(
        a=("Acme Inc.", "FY2022", [
            fact("revenue", "FY2022", "4,224", consolidation="consolidated"),
            fact("revenue", "FY2022", "15.6", unit="%", scale=Decimal(1)),
            fact("revenue", "FY2022", "4,100", unit="EUR"),
        ])
    )  # fmt: skip
    answer = answer_numbers(mixed, "What was Acme's revenue in FY2022?")
    assert (answer.value, answer.notes) == (Decimal(4224), ())


def test_a_figure_stated_anew_takes_the_place_of_the_first():
    restated = number_store(
        old=("Acme Inc.", "FY2021", [fact("revenue", "FY2021", "15,785")]),
        new=("Acme Inc.", "FY2022", [fact("revenue", "FY2021", "15,000"), fact("revenue", "FY2022", "17,606")]),
    )
    question = "What was Acme's revenue in FY2021?"
    answer = answer_numbers(restated, question)
    assert (answer.value, answer.facts[0].source) == (Decimal(15000), "new")
    assert "stated anew" in answer.notes[0] and "15,785" in answer.notes[0]
    before = answer_numbers(restated, question, scope=Scope(as_of=date(2022, 6, 30)))
    assert (before.value, before.facts[0].source, before.notes) == (Decimal(15785), "old", ())
    restated.remove("new")
    assert answer_numbers(restated, question).value == Decimal(15785)


def test_the_report_of_the_year_goes_before_a_later_one_that_agrees():
    repeated = number_store(
        old=("Acme Inc.", "FY2021", [fact("revenue", "FY2021", "15,785")]),
        new=("Acme Inc.", "FY2022", [fact("revenue", "FY2021", "15,785"), fact("revenue", "FY2022", "17,606")]),
    )
    answer = answer_numbers(repeated, "What was Acme's revenue in FY2021?")
    assert (answer.value, answer.facts[0].source) == (Decimal(15785), "old")


def test_fiscal_years_that_end_in_january():
    year = Period("year", 2022, fiscal=True, end=date(2023, 1, 28))
    facts = [
        replace(fact("revenue", "FY2022", "8,000"), period=year),
        fact("total assets", "2023-01-28", "7,900"),
        fact("total assets", "2022-01-29", "8,100"),
    ]
    stored = number_store(a=("Acme Inc.", "FY2022", facts))
    assert answer_numbers(stored, "What were Acme's total assets at the end of FY2022?").value == 7900


def test_currencies_are_not_mixed():
    mixed = number_store(
        a=("Acme Inc.", "FY2022", [fact("net income", "FY2022", "5", unit="EUR"), fact("revenue", "FY2022", "9")])
    )
    assert "currencies" in explain_numbers(mixed, "What was Acme's net margin in FY2022?").declined


def test_figures_by_name(store):
    outcome = calculate_figure(store, "net margin", companies=["Acme"])
    assert outcome.answer.text.startswith("Net profit margin, FY2022: 27 %")
    assert calculate_figure(store, "growth of net income").answer.value == Decimal("-1.4")
    assert calculate_figure(store, "quick ratio", companies=["Nobody"]).answer is None


def test_the_same_or_not():
    people = [fact("legal representative", "FY2020", "张三"), fact("legal representative", "FY2021", "李四")]
    stored = number_store(a=("甲乙股份有限公司", "FY2021", people))
    assert answer_numbers(stored, "2021年甲乙股份有限公司的法定代表人与上年相比相同吗？").text.startswith("不相同")


def test_an_amount_of_unknown_scale_is_not_given_but_its_growth_is():
    rows = [
        fact("revenue", y, v, scale=Decimal(1), confidence=0.7, table=3)
        for y, v in (("FY2022", "150"), ("FY2021", "100"))
    ]
    store = number_store(report=("Acme Inc.", "FY2022", rows))
    assert "scale" in explain_numbers(store, "What was Acme's revenue in FY2022?").declined
    answer = answer_numbers(store, "By what percentage did Acme's revenue grow in FY2022?")
    assert answer.value == 50
    store.close()


def test_a_ratio_that_the_report_prints_goes_before_the_calculation():
    printed = fact("", "FY2022", "34.5", label="Operating margin", unit="%", scale=Decimal(1))
    store = number_store(report=("Acme Inc.", "FY2022", [*FY22, printed]))
    answer = answer_numbers(store, "What was Acme's operating margin in FY2022?")
    assert (answer.value, answer.figures[0].formula) == (Decimal("34.5"), "")
    store.close()


@pytest.mark.parametrize("row", ["Free cash flow", "Free cash flow, non-GAAP measure"])
@pytest.mark.parametrize("name", ["free cash flow", "FCF"])
def test_an_amount_that_a_table_prints_goes_before_the_calculation(name, row):
    cash = [fact("cash from operations", "FY2022", "100"), fact("capital expenditures", "FY2022", "30")]
    printed = fact("free cash flow", "FY2022", "65", label=row)
    said = fact("free cash flow", "FY2022", "40", label="Free cash flow", source_kind="prose")
    for facts, value, formula in (([*cash, printed, said], 65, False), ([*cash, said], 70, True)):
        store = number_store(report=("Acme Inc.", "FY2022", facts))
        answer = answer_numbers(store, f"What was Acme's {name} in FY2022?")
        assert (answer.figures[0].value / 1_000_000, bool(answer.figures[0].formula)) == (value, formula)
        store.close()


def test_a_change_of_percentages_has_their_decimals():
    margins = [fact("", year, value, label="Gross margin percentage", unit="%", scale=Decimal(1))
               for year, value in (("FY2022", "11.13"), ("FY2021", "11.20"))]  # fmt: skip
    store = number_store(report=("Acme Inc.", "FY2022", margins))
    answer = answer_numbers(store, "What was the change in Acme's gross margin percentage in FY2022?")
    assert "-0.07 percentage points" in answer.text
    store.close()


def test_without_any_period_the_only_one_that_there_is_counts():
    store = number_store(
        report=(
            "Acme Inc.",
            "",
            [
                fact("backlog", "FY2022", "7"),
                fact("", "FY2022", "9", label="Cargo"),
                fact("", "FY2021", "8", label="Cargo"),
            ],
        )
    )
    assert answer_numbers(store, "What was Acme's backlog?").value == 7
    assert answer_numbers(store, "What was the change in Acme's cargo?").value == 1
    assert "a period" in explain_numbers(store, "What was Acme's cargo?").declined
    store.close()


def test_a_row_is_found_by_what_its_table_is_about():
    from cliquerag.ingest.document import Table
    from cliquerag.ingest.facts.metrics import default_metrics
    from cliquerag.retrieval.calculation.fact_choice.book import table_words
    from cliquerag.retrieval.calculation.fact_choice.row_matching import Rows
    from cliquerag.retrieval.question.figures.operands import Operand

    table = Table((("", "2022"), ("Europe", "5"), ("Asia", "6"), ("Total net sales", "11")))
    rows = [fact("", "FY2022", "5", label="Europe", table=0), fact("", "FY2022", "7", label="Europe", table=1)]
    found = Rows(rows, {("", 0): table_words(table)}, default_metrics(), {}).find(Operand("net sales in Europe"))
    assert [match.row.facts[0].text for match in found] == ["5"]


def test_several_companies_are_answered_each_and_chinese_names_match_in_full():
    names = {"a": "中远海运控股股份有限公司", "b": "中远海运发展股份有限公司", "c": "中远海运股份有限公司"}
    store = number_store(
        **{
            source: (name, "FY2019", [fact("revenue", "FY2019", str(100 + n), company=name, label="营业收入")])
            for n, (source, name) in enumerate(names.items())
        }
    )
    assert answer_numbers(store, "中远海运控股2019年的营业收入是多少？").value == 100
    assert answer_numbers(store, "中远海运2019年的营业收入是多少？").value == 102
    both = answer_numbers(store, "中远海运控股和中远海运发展2019年的营业收入分别是多少？")
    assert [figure.company for figure in both.figures] == [names["a"], names["b"]]
    store.close()


def test_a_document_of_no_certain_company_stands_beside_those_of_others():
    other = [fact("revenue", "FY2022", "9,000")]
    store = number_store(report=("Acme Inc.", "FY2022", FY22), note=("", "FY2022", other))
    outcome = explain_numbers(store, "What was revenue in FY2022?", scope=Scope.all())
    assert set(outcome.sources) == {"report", "note"}
    store.close()


PARTS = [
    fact("revenue", "FY2022", "17,606", label="Net sales"),
    fact("operating income", "FY2022", "6,098"),
    fact("operating income", "FY2022", "1,000", label="Operating income > AWS", dimensions=(("segment", "AWS"),)),
    fact("revenue", "FY2022", "4,000", label="Revenue > AWS", dimensions=(("segment", "AWS"),)),
    fact("operating income", "FY2022", "(300)", label="Operating Income (Loss) > International"),
    fact("revenue", "FY2022", "900", label="Greater China > Net sales"),
    fact("operating income", "FY2022", "77", dimensions=(("column", "Nordic Operations"),), label="Operating income"),
    fact("", "FY2022", "28", label="Nordic Operations"),
    fact("research and development", "FY2022", "90"),
    fact("research and development", "FY2021", "100"),
]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        (
            "What was the operating income of Amazon's AWS segment in FY2022?",
            "AWS, operating income, FY2022: USD 1,000",
        ),
        ("How large was the operating loss of Amazon's International segment in FY2022?", "USD -300 million"),
        ("What revenue did Amazon have from Greater China in FY2022?", "Net sales, Greater China, FY2022: USD 900"),
        ("What operating income did Amazon's Nordic operations earn in FY2022?", "USD 77 million"),
        ("What was the operating margin of Amazon's AWS segment in FY2022?", "= 1,000 / 4,000 = 25 %"),
        ("How much operating income did AWS earn in FY2022?", "AWS, operating income, FY2022: USD 1,000 million"),
        ("What did Amazon spend on research and development in FY2022?", "USD 90 million"),
        (
            "By what percentage did Amazon's research and development expenses change in FY2022 against FY2021?",
            "-10 %",
        ),
        ("How did Amazon's research and development move from FY2021 to FY2022?", "USD -10 million"),
    ],
)
def test_figures_of_parts_of_a_company(question, shown):
    with closing(number_store(report=("AMAZON.COM, INC.", "FY2022", PARTS))) as parts:
        answer = answer_numbers(parts, question)
    assert answer is not None and shown in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "We are interested in one metric for Acme, namely its operating margin in FY2022. What is it?",
        "Take the income statement of Acme for FY2022. From it, work out the operating margin.",
    ],
)
def test_a_figure_named_before_it_is_asked_for(store, question):
    assert "34.6 %" in answer_numbers(store, question).text


def test_what_a_company_does_with_a_figure_narrows_nothing(store):
    assert "USD 17,606 million" in answer_numbers(store, "What revenue did Acme announce for FY2022?").text


def test_the_company_s_own_total_goes_before_that_of_a_partner():
    day = Period.instant(date(2021, 9, 30))
    rows = [
        fact("revenue", "FY2021", "12,000"),
        replace(fact("revenue", "FY2021", "90"), period=Period("year", 2021, fiscal=True, end=date(2021, 9, 30))),
        *(
            replace(fact("net income", "FY2021", n), period=Period("year", 2021, fiscal=True, end=date(2021, 12, 31)))
            for n in ("7", "8")
        ),
        fact("total assets", "2021-12-31", "181,476"),
        fact("total assets", "2021-12-31", "7,171", table=3),
        replace(fact("total assets", "FY2021", "46,335"), period=day),
    ]
    with closing(number_store(a=("Acme Inc.", "FY2021", rows))) as store:
        answer = answer_numbers(store, "What were Acme's total assets at the end of 2021?")
        assert answer is not None and "181,476" in answer.text


def test_a_row_of_another_metric_does_not_answer_though_it_shares_a_word():
    facts = [fact("operating income", "FY2022", "371"), fact("revenue", "FY2022", "900")]
    with closing(number_store(report=("Acme Inc.", "FY2022", facts))) as store:
        assert answer_numbers(store, "Acme operating cash flow FY2022") is None
        assert "371" in answer_numbers(store, "Acme operating income FY2022").text


def test_rows_without_heads_that_state_several_values_of_one_period_do_not_count():
    guessed = [
        fact("", "FY2022", text, label="Devices", confidence=0.35, start=90, end=100) for text in ("660", "1,960")
    ]
    sure = fact("", "FY2022", "660", label="Devices", confidence=0.8, start=500, end=510)
    with closing(number_store(report=("Acme Inc.", "FY2022", guessed))) as store:
        assert explain_numbers(store, "What was Devices of Acme in FY2022?").answer is None
    with closing(number_store(report=("Acme Inc.", "FY2022", [*guessed, sure]))) as store:
        assert "660" in answer_numbers(store, "What was Devices of Acme in FY2022?").text


LINES = """The following table presents segment net income by reportable segment (in millions):
2022 vs. 2021
Devices 769
Cloud 661

{gap}

The following table presents segment net sales by reportable segment (in millions):
Devices 3,306
Cloud 5,023
"""


def test_rows_of_tables_read_from_lines_are_told_apart_by_what_leads_to_them():
    text = LINES.format(gap="The increase was driven by higher volumes in all markets. " * 5)
    facts = []
    for label, value in (("Devices", "769"), ("Cloud", "661"), ("Devices", "3,306"), ("Cloud", "5,023")):
        start = text.index(f"{label} {value}")
        facts.append(fact("", "FY2022", value, label=label, start=start, end=start + len(f"{label} {value}")))
    with closing(number_store(report=("Acme Inc.", "FY2022", facts))) as store:
        store.text = {"report": text}.__getitem__
        assert "769" in answer_numbers(store, "What was the net income of Acme's Devices segment in FY2022?").text
        assert "5,023" in answer_numbers(store, "What were net sales of Acme's Cloud segment in FY2022?").text


def test_a_quarter_of_which_only_the_half_year_is_stated_says_so():
    facts = [fact("cash from operations", "H1 2022", "1,280"), fact("revenue", "Q2 2022", "900")]
    with closing(number_store(report=("Acme Inc.", "Q2 2022", facts))) as store:
        declined = explain_numbers(store, "What was Acme's operating cash flow in Q2 2022?").declined
        assert declined == "no fact states cash from operations (Q2 2022); what is stated is H1 2022"


def test_a_loss_that_deepens_is_a_fall_and_a_cost_printed_negative_that_grows_is_a_rise():
    facts = [
        fact(metric, period, text)
        for metric in ("net income", "cost of revenue")
        for period, text in (("FY2021", "(310)"), ("FY2022", "(520)"))
    ]
    stored = number_store(a=("Acme Inc.", "FY2022", facts))
    fall = answer_numbers(stored, "By what percentage did Acme's net income change from FY2021 to FY2022?")
    assert fall.value == Decimal("-67.7")
    rise = answer_numbers(stored, "By what percentage did Acme's cost of revenue change from FY2021 to FY2022?")
    assert rise.value == Decimal("67.7")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Did Acme make a profit in FY2022?", "Net income was positive in FY2022"),
        ("Was Acme profitable in FY2022?", "Net income was positive in FY2022"),
        ("Was Acme loss-making in FY2022?", "Net income was positive in FY2022"),
        ("Was Acme's operating income positive or negative in FY2022?", "Operating income was positive in FY2022"),
        ("Acme FY2022是否盈利？", "FY2022净利润为正"),
    ],
)
def test_whether_there_is_a_profit(store, question, said):
    answer = answer_numbers(store, question)
    assert answer.text.startswith(said) and len(answer.citations) == 1


def test_a_loss_is_said_to_be_one():
    loss = [fact("net income", "FY2022", "(520)"), fact("gross profit", "FY2022", "80")]
    with closing(number_store(report=("Acme Inc.", "FY2022", loss))) as store:
        for question in ("Was Acme profitable in FY2022?", "Did Acme lose money in FY2022?"):
            assert answer_numbers(store, question).text.startswith("Net income was negative in FY2022")
        assert "-520" in answer_numbers(store, "What did Acme lose in FY2022?").text


@pytest.mark.parametrize(
    "question",
    [
        "How did Acme's revenue change compared with FY2021?",
        "By how much has Acme's revenue risen since FY2021?",
        "How much higher was Acme's revenue than in FY2021?",
        "与FY2021相比，Acme的营业收入增长了多少？",
    ],
)
def test_what_is_compared_with_a_period_is_that_of_the_report(store, question):
    assert "1,821" in answer_numbers(store, question).text


def test_what_is_compared_in_a_table_that_nobody_dates_runs_to_its_last_period():
    facts = [fact("revenue", "FY2019", "120"), fact("revenue", "FY2018", "100")]
    with closing(number_store(report=("Acme Inc.", None, facts))) as store:
        answer = answer_numbers(store, "How did Acme's revenue change compared to 2018?")
    assert "USD 20 million" in answer.text


@pytest.mark.parametrize(
    ("power", "question", "shown"),
    [
        (4, "What was Acme's revenue in FY2022?", "CNY 123.4 ten thousand"),
        (5, "What was Acme's revenue in FY2022?", "CNY 123.4 lakh"),
        (8, "What was Acme's revenue in FY2022?", "CNY 123.4 hundred million"),
        (9, "Acme 2022年营业收入是多少？", "123.4十亿元"),
    ],
)
def test_every_scale_of_a_table_is_told(power: int, question: str, shown: str) -> None:
    stated = [fact("revenue", "FY2022", "123.4", unit="CNY", scale=Decimal(10) ** power)]
    with closing(number_store(report=("Acme Inc.", "FY2022", stated))) as store:
        assert shown in answer_numbers(store, question).text


def test_an_amount_of_each_share_is_no_whole_amount_and_a_printed_share_needs_no_division():
    ends = {"unit": "%", "scale": Decimal(1), "table": 3, "column": 1}
    facts = [
        fact("", "FY2022", "421,973", label="Core FFO", table=1),
        fact("", "FY2022", "3.17", label="Core FFO per share - diluted", unit="USD/share", scale=Decimal(1), table=1),
        fact("revenue", "FY2022", "214.7", table=2),
        fact("", "FY2022", "41%", label="Automotive", **ends),
        fact("", "FY2022", "33%", label="Industrial", **ends),
        fact("", "FY2022", "26%", label="Consumer", **ends),
        fact("", "Q4 2022", "11.4%", label="CET1 ratio", unit="%", scale=Decimal(1), table=4),
    ]
    with closing(number_store(report=("Acme Inc.", "FY2022", facts))) as store:
        shown = {
            "What was Acme's core FFO per share in FY2022?": "3.17",
            "What was Acme's core FFO in FY2022?": "421,973",
            "What percentage of Acme's FY2022 revenue came from automotive?": "41 %",
            "What was Acme's CET1 ratio at December 31, 2022?": "11.4 %",
        }
        for question, text in shown.items():
            assert text in answer_numbers(store, question).text, question


PRODUCTS = [
    fact("revenue", "FY2023", "12,734", label="Total revenues"),
    fact("revenue", "FY2022", "27,742", label="Total revenues"),
    fact("", "FY2023", "1,488", label="Vaccines > Zelotor direct sales and alliance revenues"),
    fact("", "FY2022", "8,848", label="Vaccines > Zelotor direct sales and alliance revenues"),
    fact("subscribers", "FY2023", "500", label="Paid memberships at end of period", unit=""),
    fact("subscribers", "FY2023", "620", label="Memberships at end of period", unit=""),
    fact("", "2023-12-31", "7,502", label="Total content liabilities"),
    fact("share repurchases", "FY2023", "(6,550)", label="Repurchases of common stock"),
    fact("interest paid", "FY2023", "77", label="Interest paid"),
    fact("basic earnings per share", "FY2023", "1.30", unit="USD/share", scale=Decimal(1)),
]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What were Acme's Zelotor revenues in FY2023?", "USD 1,488"),
        ("How did Acme's Zelotor revenue change in FY2023?", "USD -7,360"),
        ("What happened to Acme's Zelotor sales in FY2023?", "USD -7,360"),
        ("How much did Acme's total revenues change in FY2023, and what drove it?", "USD -15,008"),
        ("How many members did Acme have in FY2023?", "620"),
        ("How many paid memberships did Acme have in FY2023?", "500"),
        ("How much stock did Acme buy back in FY2023?", "USD 6,550"),
        ("What did Acme spend on share buybacks in FY2023?", "USD 6,550"),
        ("How much interest did Acme pay in FY2023?", "USD 77"),
        ("How much did Acme earn per share in FY2023?", "1.3 USD/share"),
    ],
)
def test_a_row_is_found_by_a_product_and_any_name_of_the_metric(question: str, shown: str) -> None:
    with closing(number_store(report=("Acme Inc.", "FY2023", PRODUCTS))) as products:
        answer = answer_numbers(products, question)
        assert answer is not None and shown in answer.text


def test_what_stood_in_the_books_on_a_day_is_not_what_was_spent() -> None:
    with closing(number_store(report=("Acme Inc.", "FY2023", PRODUCTS))) as products:
        assert answer_numbers(products, "How much did Acme spend on content in FY2023?") is None
        assert answer_numbers(products, "What were Acme's total content liabilities in FY2023?") is not None


def test_a_named_metric_that_was_earned_may_stand_under_the_day_on_which_its_year_ended() -> None:
    food = fact("", "2023-12-31", "1,277", label="Operating income > Food retailing")
    rows = Rows([food], {}, default_metrics(), {})
    asked = "operating income did Food retailing earn in ?"
    named = Operand(asked, "operating income", words=("food", "retail"), written="operating income")
    assert rows.find(named)
    assert not rows.find(Operand("how much did Food retailing earn in ?", words=("food", "retail")))


def _in(table: int, metric: str, text: str, label: str, **more: object):
    return fact(metric, "FY2022", text, label=label, table=table, **more)


_GLASS = (("column", "Glass"),)
SHARES = [
    _in(1, "", "1,884", "Segment net sales", dimensions=_GLASS),
    _in(1, "net income", "423", "Net income", dimensions=_GLASS),
    _in(2, "revenue", "11,303", "Net sales"),
    _in(2, "net income", "512", "Net income"),
    _in(2, "selling expenses", "4,321", "Sales and marketing"),
    _in(3, "selling expenses", "307", "Sales and marketing"),
    _in(3, "stock-based compensation", "1,090", "Total stock-based compensation"),
    _in(4, "diluted earnings per share", "$ 2.32", "Diluted", unit="USD/share", scale=Decimal(1)),
    _in(4, "cash from operations", "11,616", "Net cash provided by operating activities"),
    _in(4, "capital expenditures", "(4,625)", "Capital spending"),
    _in(4, "dividends paid", "(2,036)", "Payment of dividends to stockholders"),
    _in(4, "property plant and equipment", "90,945", "Property, plant and equipment, net"),
]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What percentage of Acme's total stock-based compensation in FY2022 fell on sales and marketing?", "28.2 %"),
        ("Net income as a percentage of net sales for Acme's Glass segment in FY2022", "22.5 %"),
        ("Acme in FY2022: net cash provided by operating activities less capital spending?", "USD 6,991 million"),
        ("What dividends did Acme pay to its stockholders in FY2022?", "2,036 million"),
        ("How much did Acme spend on property, plant and equipment in FY2022?", "4,625 million"),
    ],
)
def test_a_share_is_taken_of_one_table_or_of_one_part_of_the_company(question: str, shown: str) -> None:
    with closing(number_store(report=("Acme Inc.", "FY2022", SHARES))) as store:
        answer = answer_numbers(store, question)
        assert answer is not None and shown in answer.text


def test_an_amount_of_money_is_no_answer_to_how_many_there_are() -> None:
    asked = "How many shares did Acme use to compute diluted earnings per share in FY2022?"
    with closing(number_store(report=("Acme Inc.", "FY2022", SHARES))) as store:
        assert answer_numbers(store, asked) is None


@pytest.mark.parametrize(("unit", "is_answered"), [("USD", False), ("people", True), ("shares", True), ("", True)])
def test_a_bare_amount_in_a_currency_is_no_number_of_things_either(unit: str, is_answered: bool) -> None:
    counted = fact("subscribers", "FY2023", "5,000", label="Memberships at end of period", unit=unit)
    with closing(number_store(report=("Acme Inc.", "FY2023", [counted]))) as store:
        answer = answer_numbers(store, "How many memberships did Acme have at the end of FY2023?")
        assert (answer is not None) is is_answered


def test_twelve_months_to_the_end_of_a_quarter_are_no_fiscal_year() -> None:
    rolling = Period("span", 2022, end=date(2023, 3, 31), start=date(2022, 4, 1))
    known = [
        replace(fact("free cash flow", "FY2022", "(3,319)", label="Free cash flow"), period=rolling),
        fact("revenue", "Q1 FY2023", "127"),
    ]
    with closing(number_store(report=("Acme Inc.", "FY2023", known))) as store:
        answer = answer_numbers(
            store, "What was Acme's free cash flow for the trailing twelve months ended March 31, 2023?"
        )
        assert answer is not None and "-3,319" in answer.text and "2022-04-01 to 2023-03-31" in answer.text
        assert answer_numbers(store, "What was Acme's free cash flow in FY2022?") is None


def test_of_two_rows_of_a_table_the_one_that_says_more_itself_is_meant() -> None:
    known = [
        _in(1, "net income", "12,156", "Net income"),
        _in(1, "", "0.76", "Net income per unit of partnership - diluted", unit="USD/share", scale=Decimal(1)),
    ]
    with closing(number_store(report=("Acme Inc.", "FY2022", known))) as store:
        answer = answer_numbers(store, "Acme's diluted net income per unit of partnership for FY2022?")
        assert answer is not None and "0.76" in answer.text


@pytest.fixture
def two_reports():
    """An annual report and a call of a later quarter."""
    quarter = [fact("revenue", "Q1 FY2023", "5,000"), fact("employees", "2022-12-31", "29,239", unit="people")]
    with closing(number_store(a=("Acme Inc.", "FY2022", FY22), b=("Acme Inc.", "Q1 FY2023", quarter))) as store:
        yield store


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What is Acme's operating margin?", "Operating margin, FY2022: 34.6 %"),
        ("What is Acme's current ratio?", "Current ratio, 2022-12-31: 1.11"),
        ("By how much did Acme's revenue grow?", "Change of revenue, FY2022: USD 1,821 million"),
        ("Acme revenue 2022 vs 2021", "Revenue rose by USD 1,821 million"),
        ("Did Acme's revenue grow?", "Revenue rose by USD 1,821 million"),
    ],
)
def test_where_no_period_is_named_the_last_year_of_several_reports_counts(two_reports, question, shown):
    assert shown in answer_numbers(two_reports, question).text


@pytest.mark.parametrize(
    "question",
    [
        "How did Acme's operating margin develop?",
        "What is the operating margin trend at Acme?",
        "Trend of Acme's operating margin",
    ],
)
def test_how_a_formula_developed_is_told_for_every_year_it_can_be_calculated_for(two_reports, question):
    answer = answer_numbers(two_reports, question)
    assert [(str(figure.period), figure.unit) for figure in answer.figures] == [("FY2021", "%"), ("FY2022", "%")]


@pytest.mark.parametrize(("question", "count"), [("Why did revenue rise?", 2), ("How did revenue develop?", 3)])
def test_the_course_over_all_years_is_told_where_it_is_asked(question: str, count: int) -> None:
    years = [fact("revenue", f"FY{year}", f"{year - 1000}") for year in (2020, 2021, 2022)]
    with closing(number_store(a=("Acme Inc.", "FY2022", years))) as store:
        assert len(answer_numbers(store, question).figures) == count


REVENUES = [
    _in(1, "revenue", "16,388", "Revenue > Subscription", dimensions=(("segment", "Subscription"),)),
    _in(1, "revenue", "17,606", "Revenue > Total revenue"),
    _in(1, "cost of revenue", "1,646", "Cost of revenue > Subscription", dimensions=(("segment", "Subscription"),)),
    _in(2, "revenue", "3,880", "Subscription revenue"),
    _in(3, "", "14", "Overseas Operations"),
    _in(4, "revenue", "2,100", "Total revenue", dimensions=(("region", "Overseas Operations"),)),
    _in(5, "inventory", "4,166", "Inventories"),
    _in(5, "", "1,250", "Finished goods"),
]


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Acme subscription as a share of revenue in FY2022", "16,388 / 17,606"),
        ("What share of Acme's revenue came from Overseas Operations in FY2022?", "2,100 / 17,606"),
        ("What part of Acme's inventories was finished goods in FY2022?", "1,250 / 4,166"),
    ],
)
def test_a_part_that_names_no_figure_of_its_own_is_one_of_what_the_whole_is(question: str, shown: str) -> None:
    with closing(number_store(report=("Acme Inc.", "FY2022", REVENUES))) as store:
        answer = answer_numbers(store, question)
        assert answer is not None and shown in answer.text


def test_what_falls_due_in_a_year_is_no_balance_of_that_year() -> None:
    known = [
        fact("long-term debt", "FY2022", "999", label="Long-term debt"),
        fact("", "FY2026", "550", label="Payments due > Long-term debt"),
    ]
    with closing(number_store(report=("Acme Inc.", "FY2022", known))) as store:
        for asked in ("is due in 2026", "matures in 2026, as of the end of FY2022"):
            answer = answer_numbers(store, f"How much of Acme's long-term debt {asked}?")
            assert answer is not None and "550" in answer.text
        assert answer_numbers(store, "What was Acme's long-term debt in FY2026?") is None


def test_what_may_be_exercised_is_not_what_was() -> None:
    shares = {"unit": "shares", "scale": Decimal(1), "table": 1}
    known = [
        fact("", "FY2022", "(383)", label="Share options exercised", **shares),
        fact("", "FY2022", "5,661", label="Share options exercisable as of December 31, 2022", **shares),
        fact("", "FY2022", "7,000", label="Total share options", **shares),
    ]
    with closing(number_store(report=("Acme Inc.", "FY2022", known))) as store:
        answer = answer_numbers(store, "How many share options of Acme were exercisable in FY2022?")
        assert answer is not None and "5,661" in answer.text
        answer = answer_numbers(store, "How many share options of Acme were exercised in FY2022?")
        assert answer is not None and "FY2022: 383 shares" in answer.text


def test_an_amount_of_money_is_no_ratio() -> None:
    capital = [
        fact("", "FY2022", "79,272", label="Tier 1 capital (to risk-weighted assets)"),
        fact("", "FY2022", "650", label="Interest rate swaps"),
    ]
    with closing(number_store(report=("Acme Bank", "FY2022", capital))) as store:
        assert answer_numbers(store, "What was the tier 1 capital ratio of Acme Bank in FY2022?") is None
        assert answer_numbers(store, "What were the interest rate swaps of Acme Bank in FY2022?") is not None


def test_a_forecast_is_told_as_one_and_gives_way_to_what_is_reported() -> None:
    table = "\n\n| 项目 | 2023A | 2024E |\n| --- | --- | --- |\n| 营业收入(百万元) | 745 | 908 |\n"
    with Workspace("sqlite://", embedder="none", workers=1) as ws:
        ws.add_text(f"拓维精工（688345）首次覆盖报告：替代先锋{table}", "note.md", kind="research")
        assert "预测值" in ws.ask("拓维精工2024年营业收入").text
        assert "预测值" not in ws.ask("拓维精工2023年营业收入").text
        report = "单位：万元\n\n| 项目 | 2024年 |\n| --- | --- |\n| 营业收入 | 87,300.5 |\n"
        ws.add_text(f"拓维精工2024年年度报告\n\n{report}", "2024.md", company="拓维精工", kind="annual report")
        answer = ws.ask("拓维精工2024年营业收入").text
    assert "87,300.5" in answer.partition("\n")[0] and "908" not in answer.partition("\n")[0]


def test_where_only_the_profit_of_the_owners_is_reported_it_is_told_by_its_name() -> None:
    label = "归属于上市公司股东的净利润"
    known = [
        fact("net income attributable to shareholders", year, text, label=label)
        for year, text in (("FY2021", "100"), ("FY2022", "130"))
    ]
    with closing(number_store(a=("甲乙股份有限公司", "FY2022", known))) as store:
        answer = answer_numbers(store, "甲乙2022年净利润同比增长多少？")
        assert answer is not None and answer.text.startswith(f"{label}增长率, FY2022：30%")
        assert "130" in answer_numbers(store, "甲乙2022年净利润是多少？").text


def test_where_rows_state_only_quarters_the_last_one_of_the_year_is_told():
    quarters = [fact("", f"Q{n} FY2022", f"{60 + n}.5", label="Average Order Value", scale=Decimal(1)) for n in (1, 4)]
    with closing(number_store(report=("Acme Inc.", "FY2022", [*FY22, *quarters]))) as store:
        answer = answer_numbers(store, "What is Acme's average order value?")
        assert answer is not None and answer.text.startswith("Average Order Value, Q4 FY2022: USD 64.5")


def test_of_every_company_those_that_state_the_figure_are_told_and_the_others_named():
    bolt = [fact("revenue", "FY2022", "500")]
    with closing(number_store(a=("Acme Inc.", "FY2022", FY22), b=("Bolt Corp.", "FY2022", bolt))) as store:
        told = answer_numbers(store, "How many employees does each company have?")
        assert told is not None and "Acme Inc.: Employees, 2022-12-31: 29,239 people" in told.text
        assert len(told.figures) == 1 and "Bolt Corp." in told.notes[-1]
        assert answer_numbers(store, "How many employees do Acme and Bolt have?") is None


def test_of_several_counts_of_staff_the_whole_is_told():
    staff = [
        fact("employees", "2022-12-31", value, unit="people", scale=Decimal(1), source_kind="prose")
        for value in ("1,672", "2,623", "2,500")
    ]
    with closing(number_store(report=("Acme Inc.", "FY2022", staff))) as store:
        answer = answer_numbers(store, "How many employees does Acme have?")
        assert answer is not None and answer.value == 2623


def test_shares_are_those_of_the_cover_s_day() -> None:
    """A cover tells them some weeks behind the period of the filing, which is the document's own."""
    cover = fact("shares outstanding", "2023-01-20", "598", unit="shares")
    wrong = fact("", "2022-12-31", "13,933", label="Plans > Shares outstanding", unit="USD")
    with closing(number_store(report=("Acme Inc.", "FY2022", [*FY22, cover, wrong]))) as told:
        for question in (
            "Acme shares outstanding?",
            "How many shares of Acme are outstanding?",
            "How many shares does Acme have outstanding?",
            "How many Acme shares are there?",
            "What is Acme's share count?",
        ):
            answer = answer_numbers(told, question)
            assert answer is not None and "2023-01-20" in answer.text, question
        assert answer_numbers(told, "Acme shares outstanding at December 31, 2022") is None
        assert answer_numbers(told, "How many shares of Bolt does Acme have?") is None


def test_eps_may_stand_before_its_kind() -> None:
    known = default_metrics()
    assert known.names["eps diluted"] == "diluted earnings per share"
    assert known.names["eps basic"] == "basic earnings per share"


def test_staff_counted_behind_the_year_is_told_with_its_day():
    staff = [fact("employees", "2023-02-15", "84", unit="people", scale=Decimal(1), source_kind="prose")]
    with closing(number_store(report=("Acme Inc.", "FY2022", staff))) as store:
        answer = answer_numbers(store, "How many employees does Acme have?")
        assert answer is not None and "2023-02-15: 84 people" in answer.text
        assert answer_numbers(store, "How many employees did Acme have at the end of 2022?") is None


def test_a_row_that_bears_the_name_of_the_figure_states_it_whatever_its_tag():
    tagged = fact(
        "net income attributable to shareholders", "FY2022", "1,474", label="Net earnings", source_kind="xbrl"
    )
    of_guarantors = fact("net income", "FY2022", "346", label="Net earnings", confidence=0.7)
    with closing(
        number_store(report=("Acme Inc.", "FY2022", [replace(tagged, confidence=1.0), of_guarantors]))
    ) as store:
        assert "1,474" in answer_numbers(store, "What was Acme's net income in FY2022?").text


def test_equity_of_shareholders_stands_in_for_all_equity():
    facts = [fact("equity attributable to shareholders", "2022-12-31", "1,044", label="Total stockholders' equity")]
    with closing(number_store(report=("Acme Inc.", "FY2022", facts))) as store:
        assert "1,044" in answer_numbers(store, "What was Acme's total equity in FY2022?").text


def test_what_falls_due_is_no_balance_of_the_year():
    facts = [fact("long-term debt", "2022-12-31", "44,111", label="Total long-term debt")]
    with closing(number_store(report=("Acme Inc.", "FY2022", facts))) as store:
        assert answer_numbers(store, "How much of Acme's debt comes due in 2022?") is None


def test_a_ratio_is_no_amount_of_a_like_name_and_a_part_is_no_whole():
    ratio = fact("", "FY2022", "44,955", label="Debt to equity")
    part = fact("backlog", "2022-12-31", "19.5", label="backlog", dimensions=(("segment", "Aerospace"),))
    with closing(number_store(report=("Acme Inc.", "FY2022", [ratio, part]))) as store:
        assert answer_numbers(store, "What was Acme's debt to equity in FY2022?") is None
        assert answer_numbers(store, "What was Acme's backlog at the end of FY2022?") is None


def test_a_share_is_of_the_same_figure():
    facts = [
        fact("revenue", "FY2022", "10,152", label="Total revenue"),
        fact("goodwill", "FY2022", "3,075", label="Aerospace", dimensions=(("segment", "Aerospace"),)),
    ]
    question = "What share of Acme's revenue comes from Aerospace in FY2022?"
    with closing(number_store(report=("Acme Inc.", "FY2022", facts))) as store:
        assert answer_numbers(store, question) is None
    own = fact("revenue", "FY2022", "1,953", label="Revenue > Aerospace", dimensions=(("segment", "Aerospace"),))
    share = replace(own, metric="", text="19", value=Decimal(19), unit="%", scale=Decimal(1))
    with closing(number_store(report=("Acme Inc.", "FY2022", [*facts, own, share]))) as store:
        assert "19.2 %" in answer_numbers(store, question).text


def test_which_of_two_figures_grew_faster_tells_both_growths():
    with closing(number_store(report=("Acme Inc.", "FY2022", FY22))) as store:
        told = answer_numbers(store, "Did Acme's inventories grow faster than its revenue in 2022?").text
    assert "20 %" in told and "11.5 %" in told
