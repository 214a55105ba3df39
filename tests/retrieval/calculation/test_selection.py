"""The row with the highest value, the years above a mark, how many there are: picked by hand-made tables."""

import contextlib
from dataclasses import replace

import pytest
from cliquerag.retrieval.question.figures.selection_request import read_pick
from support.number_store import fact, number_store

from benchmarks.asking import answer_numbers, explain_numbers


def _segment(name, period, text, row, column):
    label = f"Revenue > {name}"
    return fact("revenue", period, text, label=label, dimensions=(("segment", name),), table=3, row=row, column=column)


SEGMENTS = [
    _segment(name, period, text, row, column)
    for row, (name, values) in enumerate(
        {"Cloud": ("900", "700"), "Devices": ("600", "650"), "Ads": ("450", "260")}.items()
    )
    for column, (period, text) in enumerate(zip(("FY2022", "FY2021"), values, strict=True))
]
REGIONS = [
    fact("revenue", "FY2022", text, label="Net sales", dimensions=(("region", name),), table=4, row=1, column=column)
    for column, (name, text) in enumerate(
        {"Europe": "800", "Asia": "350", "Americas": "800.5", "Total": "1,950.5"}.items()
    )
]
WHOLE = [
    fact("revenue", year, text, label="Total revenue")
    for year, text in (("FY2022", "1,950"), ("FY2021", "1,600"), ("FY2020", "1,400"))
] + [
    fact("operating expenses", year, text, label="Operating expenses")
    for year, text in (("FY2022", "1,500"), ("FY2021", "1,700"), ("FY2020", "1,300"))
]


@pytest.fixture(scope="module")
def store():
    store = number_store(report=("Acme Inc.", "FY2022", [*SEGMENTS, *REGIONS, *WHOLE]))
    yield store
    store.close()


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("Which segment had the highest revenue at Acme in FY2022?", "Cloud, FY2022: USD 900 million"),
        ("Which segment of Acme had the lowest revenue in FY2022?", "Ads, FY2022: USD 450 million"),
        ("Which segment had the second highest revenue at Acme in FY2022?", "Devices, FY2022: USD 600 million"),
        ("Which segment saw the largest increase in revenue at Acme from FY2021 to FY2022?", "200 million"),
        ("Which segment had the fastest revenue growth at Acme in FY2022?", "Ads, FY2022: 73.1 %"),
        ("Which region had the highest revenue at Acme in FY2022?", "Americas, FY2022: USD 800.5 million"),
        ("How many years was Acme's revenue above $1,500 million?", "2 of 3 (FY2021, FY2022)"),
        ("How many years was Acme's revenue above operating expenses?", "2 of 3 (FY2020, FY2022)"),
        ("In which year was Acme's revenue less than $1,500 million?", "Revenue, FY2020: USD 1,400 million"),
        ("How many segments had revenue above $500 million at Acme in FY2022?", "2 of 3 (Cloud, Devices)"),
        ("Acme 2022年哪个分部的营业收入最高？", "Cloud, FY2022：900百万美元"),
        ("Acme哪些年度的营业收入超过15亿？", "FY2022"),
    ],
)
def test_picks_by_hand(store, question, shown):
    answer = answer_numbers(store, question)
    assert answer is not None, explain_numbers(store, question).declined
    assert shown in answer.text


def test_all_cells_compared_are_cited(store):
    answer = answer_numbers(store, "Which segment had the highest revenue at Acme in FY2022?")
    assert answer.citations[0].text.startswith("Cloud")
    assert len(answer.citations) == 3


@pytest.mark.parametrize(
    "question",
    [
        "Which segment had the highest inventory at Acme in FY2022?",
        "Which brand had the highest revenue at Acme in FY2019?",
    ],
)
def test_declines_what_no_table_compares(store, question):
    assert answer_numbers(store, question) is None


def test_ties_are_declined():
    equal = [
        replace(one, text="600", value=one.value * 0 + 600) if one.label.endswith("Cloud") else one for one in SEGMENTS
    ]
    store = number_store(report=("Acme Inc.", "FY2022", equal))
    try:
        assert answer_numbers(store, "Which segment had the highest revenue at Acme in FY2022?") is None
    finally:
        store.close()


@pytest.mark.parametrize(
    "question", ["What is the highest rate?", "In which year was revenue the highest?", "哪一年的营业收入最高？"]
)
def test_other_questions_pick_nothing(question):
    assert read_pick(question) is None


def _of_region(name, text, row):
    parts = (("segment", "Nordavir"), ("region", name))
    return fact("revenue", "FY2021", text, label="Nordavir", dimensions=parts, table=3, row=row, column=1)


def test_the_row_of_one_region_is_not_the_product_s_whole():
    store = number_store(report=("Acme Inc.", "FY2021", [_of_region("Asia", "28,972", 1)]))
    assert answer_numbers(store, "What was Acme's Nordavir revenue in 2021?") is None
    found = answer_numbers(store, "What was Acme's Nordavir revenue in Asia in 2021?")
    assert found is not None and "28,972" in found.text


def _of_statement(label, text, row, **narrowed):
    return replace(fact("revenue", "FY2022", text, label=label, table=1, row=row, column=1), **narrowed)


def test_kinds_of_revenue_in_a_statement_are_no_segments():
    kinds = [
        _of_statement(f"Revenues > {name}", text, row, dimensions=(("segment", name),), consolidation="consolidated")
        for row, (name, text) in enumerate({"Casino": "900", "Rooms": "500"}.items())
    ]
    store = number_store(report=("Acme Inc.", "FY2022", kinds))
    assert answer_numbers(store, "Which segment had the highest revenue at Acme in FY2022?") is None
    found = answer_numbers(store, "Which product had the highest revenue at Acme in FY2022?")
    assert found is not None and "Casino" in found.text


@pytest.mark.parametrize(("own", "asked"), [(("FY2021",), None), (("FY2021", "FY2022"), "70")])
def test_a_value_of_two_years_is_of_one_row(own, asked):
    cells = [("Cloud fees paid", year, "70", 1) for year in own] + [("Base cloud fees paid", "FY2022", "67", 2)]
    fees = [
        fact("", year, text, label=label, table=table, row=1, column=number)
        for number, (label, year, text, table) in enumerate(cells)
    ]
    store = number_store(report=("Acme Inc.", "FY2022", fees))
    found = answer_numbers(store, "How much were cloud fees at Acme in 2022 and 2021?")
    assert (found is None) if asked is None else (found is not None and asked in found.text and "67" not in found.text)


def _lines(store, question):
    answer = answer_numbers(store, question)
    assert answer is not None, explain_numbers(store, question).declined
    return answer.text.splitlines()


SEGMENT_LINES = [
    "Revenue, Cloud, FY2022: USD 900 million [1]",
    "Revenue, Devices, FY2022: USD 600 million [2]",
    "Revenue, Ads, FY2022: USD 450 million [3]",
]


@pytest.mark.parametrize(
    "question",
    [
        "What was Acme's revenue by segment in FY2022?",
        "How did Acme's 2022 revenue break down by segment?",
        "Break down Acme's 2022 revenue by business segment.",
        "What was the revenue of each Acme segment in FY2022?",
        "What is the split of Acme's 2022 revenue between its segments?",
    ],
)
def test_a_figure_of_every_part_is_a_line_a_part(store, question):
    assert _lines(store, question) == SEGMENT_LINES


@pytest.mark.parametrize("years", ["2022 vs 2021", "in 2021 and 2022", "2022 compared to 2021"])
def test_a_figure_of_every_part_in_each_of_several_years(store, years):
    lines = _lines(store, f"Acme revenue by segment {years}")
    assert len(lines) == 6 and lines[3:] == [
        line.replace(f"[{n}]", f"[{n + 3}]") for n, line in enumerate(SEGMENT_LINES, 1)
    ]


def test_every_part_in_chinese(store):
    assert _lines(store, "Acme 2022年分部营业收入")[0] == "营业收入, Cloud, FY2022：900百万美元 [1]"


def test_growth_of_every_part(store):
    lines = _lines(store, "What was Acme's revenue growth by segment in FY2022?")
    assert [line for line in lines if line.startswith("Revenue, ")][2].startswith("Revenue, Ads, FY2022: 73.1 %")


def test_the_total_below_is_no_part(store):
    lines = _lines(store, "What was Acme's revenue by region in FY2022?")
    assert [line.split(", ")[1] for line in lines] == ["Europe", "Asia", "Americas"]


def test_a_figure_per_customer_is_no_table_of_customers():
    assert read_pick("What was revenue per customer?") is None


def _plain(metric, label, text, row, table, **narrowed):
    one = fact(metric, "FY2022", text, label=label, table=table, row=row, column=1)
    return replace(one, **narrowed)


def test_rows_that_make_the_whole_go_before_rows_that_do_not():
    some = [
        _plain("", f"Revenue > {name}", text, row, 5)
        for row, (name, text) in enumerate({"US": "900", "UK": "80"}.items())
    ]
    every = [
        _plain("", f"Revenue > {name}", text, row, 6)
        for row, (name, text) in enumerate({"US": "900", "Asia": "600", "Europe": "450"}.items())
    ]
    every.append(_plain("revenue", "Revenue", "1,950", 3, 6))
    store = number_store(report=("Acme Inc.", "FY2022", [*some, *every]))
    assert [line.split(",")[1] for line in _lines(store, "Acme's revenue by country in FY2022")] == [
        " US",
        " Asia",
        " Europe",
    ]


def test_rows_far_from_the_whole_are_not_all_of_it():
    some = [
        _plain("", f"Revenue > {name}", text, row, 5)
        for row, (name, text) in enumerate({"US": "90", "UK": "80"}.items())
    ]
    store = number_store(report=("Acme Inc.", "FY2022", [*some, _plain("revenue", "Revenue", "1,950", 1, 4)]))
    assert answer_numbers(store, "What was Acme's revenue by country in FY2022?") is None


def test_the_largest_loss_is_the_lowest_income():
    rows = [
        _plain("operating income", f"Operating income > {name}", text, row, 5, dimensions=(("segment", name),))
        for row, (name, text) in enumerate({"Cloud": "(90)", "Devices": "(350)", "Ads": "270"}.items())
    ]
    store = number_store(report=("Acme Inc.", "FY2022", rows))
    question = "Which of Acme's segments had the biggest operating loss in FY2022?"
    assert _lines(store, question)[0].startswith("Devices, FY2022: USD -350 million")


def test_columns_of_several_metrics_are_told_apart():
    rows = [
        replace(
            _plain(metric, name, text, row, 5, dimensions=(("segment", name),)), column=column, unit=unit, start=row
        )
        for row, name in enumerate(("Cloud", "Ads"))
        for column, (metric, text, unit) in enumerate(
            (("revenue", f"{9 - row}00", "USD"), ("gross margin percent", f"{row + 3}0 %", "%"))
        )
    ]
    store = number_store(report=("Acme Inc.", "FY2022", rows))
    question = "Which segment of Acme had the highest gross margin in FY2022?"
    assert _lines(store, question)[0].startswith("Ads, FY2022: 40")


def test_a_formula_is_picked_from_the_rows_of_the_parts_that_it_takes():
    rows = [
        fact("revenue", "FY2022", "300", label="Total revenue", table=1),
        fact("operating income", "FY2022", "36", label="Total operating income", table=1),
    ]
    for name, sales, profit in (("Glass", "200", "20"), ("Steel", "100", "16")):
        part = (("segment", name),)
        rows.append(fact("revenue", "FY2022", sales, label=f"Net sales > {name}", table=2, dimensions=part))
        rows.append(
            fact("operating income", "FY2022", profit, label=f"Operating income > {name}", table=2, dimensions=part)
        )
    store = number_store(report=("Acme Inc.", "FY2022", rows))
    answer = answer_numbers(store, "Which segment of Acme had the highest operating margin in FY2022?")
    assert answer is not None and "Steel" in answer.text and "16 / 100 = 16 %" in answer.text
    store.close()


def test_the_sum_below_its_parts_is_none_of_them():
    rows = [
        fact("", "FY2022", text, label=f"Pension costs > {name}", table=2)
        for name, text in (("United States", "144"), ("Foreign", "341"), ("Worldwide pension costs", "485"))
    ]
    store = number_store(report=("Acme Inc.", "FY2022", rows))
    answer = answer_numbers(store, "Which region of Acme had the highest pension costs in FY2022?")
    assert answer is not None and answer.text.startswith("Foreign")
    store.close()


@pytest.mark.parametrize(("now", "is_answered"), [("130", True), ("13", False)])
def test_parts_that_are_far_from_the_whole_do_not_say_which_of_them_grew(now, is_answered):
    rows = [fact("revenue", "FY2022", "250", label="Total revenue", table=1)]
    for name, before, after in (("Europe", "100", now), ("Asia", "10", "12")):
        for period, text in (("FY2021", before), ("FY2022", after)):
            rows.append(fact("revenue", period, text, label=name, table=2, dimensions=(("region", name),)))
    store = number_store(report=("Acme Inc.", "FY2022", rows))
    answer = answer_numbers(store, "In which region did Acme's revenue grow fastest in FY2022?")
    assert (answer is not None) is is_answered
    store.close()


def test_parts_that_are_tagged_by_another_name_than_their_rows():
    codes = {"China": ("CN", "3,293"), "Japan": ("JP", "1,782"), "Rest": ("Rest Of World", "1,075")}
    rows = [
        fact("revenue", "FY2022", text, label=f"Revenue > {name}", dimensions=(("region", code),), table=5, row=row,
             column=1, source_kind="xbrl")
        for row, (name, (code, text)) in enumerate(codes.items())
    ]  # fmt: skip
    whole = fact("revenue", "FY2022", "6,150", label="Total revenue")
    with contextlib.closing(number_store(report=("Acme Inc.", "FY2022", [*rows, whole]))) as store:
        told = answer_numbers(store, "Acme's revenue by region in FY2022").text
    assert all(f"{name}, FY2022: USD {text} million" in told for name, (_, text) in codes.items())


def test_rows_with_the_names_of_known_parts_go_before_kinds_of_business_in_one_of_them():
    def row(name, text, table, n, head="Net Written Premiums", parent=""):
        label = f"{parent} > {name}" if parent else name
        return fact("", "FY2022", text, label=label, dimensions=(("column", head),), table=table, row=n, column=1)

    tagged = [
        fact(
            "revenue", "FY2022", text, label=name, dimensions=(("segment", member),), table=1, row=n, source_kind="xbrl"
        )
        for n, (name, member, text) in enumerate(
            (
                ("Business Insurance", "Business And International Insurance", "50"),
                ("Personal Insurance",) * 2 + ("40",),
            )
        )
    ]
    of_segments = [row("Business Insurance", "5,080", 2, 1), row("Personal Insurance", "4,410", 2, 2)]
    of_one = [row("Surety", "321", 3, 1, parent="Segment"), row("Liability", "551", 3, 2, parent="Segment")]
    with contextlib.closing(number_store(report=("Acme Inc.", "FY2022", [*tagged, *of_segments, *of_one]))) as store:
        told = answer_numbers(store, "Acme's net written premiums by segment in FY2022").text
    assert "5,080" in told and "321" not in told
