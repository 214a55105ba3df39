from cliquerag.ingest.tables.raw_text import from_text_lines

PAGE = """Consolidated Statements of Operations
(in thousands, except per share data)
Years ended December 31,
2022
2021
Net sales
$
1,200
$
1,100
Cost of sales
(800)
(700)
Gain
—
5
Earnings per share:
Basic
3.21
2.98
Notes follow here.
The end of the page in words.""".splitlines()


def test_labels_and_the_lines_after_them_are_rows():
    (found,) = from_text_lines(PAGE)
    assert found.table.rows == (
        ("(in thousands, except per share data)", "Years ended December 31, 2022", "Years ended December 31, 2021"),
        ("Net sales", "$ 1,200", "$ 1,100"),
        ("Cost of sales", "(800)", "(700)"),
        ("Gain", "—", "5"),
        ("Earnings per share:", "", ""),
        ("Basic", "3.21", "2.98"),
    )
    assert found.table.unit == "(in thousands, except per share data)"
    assert found.table.title == "Consolidated Statements of Operations"


def test_lines_of_rows_are_kept():
    (found,) = from_text_lines(PAGE)
    assert [PAGE[first] for first in found.row_lines if PAGE[first] != "Basic"] == [
        "Net sales",
        "Cost of sales",
        "Gain",
    ]
    assert [PAGE[last] for last in found.row_ends][:2] == ["1,100", "(700)"]


def test_rows_with_another_number_of_values_are_left_out():
    lines = ["2022", "2021", "Sales", "5,000", "4,000", "Odd", "7", "Costs", "3,000", "2,000"]
    (found,) = from_text_lines(lines)
    assert [row[0] for row in found.table.rows[1:]] == ["Sales", "Costs"]


def test_rows_on_one_line_are_read_too():
    lines = ["2022", "2021", "Net sales    1,200    1,100", "Costs    (800)    (700)"]
    (found,) = from_text_lines(lines)
    assert found.table.rows[1:] == (("Net sales", "1,200", "1,100"), ("Costs", "(800)", "(700)"))


def test_contents_and_prose_are_no_tables():
    assert from_text_lines(["Business", "3", "Risk factors", "9", "Properties", "21", "Legal", "22"]) == []
    assert from_text_lines(["Sales rose in 2022.", "They fell later."]) == []


def test_blank_cells_signs_after_values_and_dates_over_columns():
    page = "(In millions)\n \nYears Ended\n \nDecember 2,\n2022\nDecember 3,\n2021\nRevenue:\n \n"
    page += "Subscription\n$ \n16,388 $ \n14,573 \n"
    page += "Product\n \n532  \n555  \n\u00a0 \u00a0\nTotal\n \n \n16,920 \n15,128\n"
    (found,) = from_text_lines(page.split("\n"))
    assert found.table.rows == (
        ("(In millions)", "Years Ended December 2, 2022", "Years Ended December 3, 2021"),
        ("Revenue:", "", ""),
        ("Subscription", "$ 16,388", "$ 14,573"),
        ("Product", "532", "555"),
        ("Total", "16,920", "15,128"),
    )


def test_two_spans_share_out_the_columns():
    lines = ["Three Months Ended", "Twelve Months Ended", "December 31,", "2022", "December 31,", "2021"]
    lines += ["December 31,", "2022", "December 31,", "2021", "Sales", "1,000", "2,000", "3,000", "4,000"]
    lines += ["Costs", "5", "6", "7", "8"]
    (found,) = from_text_lines(lines)
    assert found.table.rows[0][1::2] == (
        "Three Months Ended December 31, 2022",
        "Twelve Months Ended December 31, 2022",
    )


def test_a_total_without_a_label_stays_in_the_table():
    (found,) = from_text_lines(["2022", "2021", "Rooms", "1,000", "2,000", "Casino", "5", "6", "1,005", "2,006"])
    assert found.table.rows[-2:] == (("Casino", "5", "6"), ("", "1,005", "2,006"))


def test_years_stand_under_the_day_that_the_line_above_them_names():
    page = ["(in millions)", "Three Months Ended", "September 30,", "Nine Months Ended", "September 30,"]
    page += ["2022", "2023", "2022", "2023", "Net sales", "1", "2", "3", "4", "Costs", "(5)", "(6)", "(7)", "(8)"]
    (found,) = from_text_lines(page)
    assert found.table.rows[0][1:] == (
        "Three Months Ended September 30, 2022",
        "Three Months Ended September 30, 2023",
        "Nine Months Ended September 30, 2022",
        "Nine Months Ended September 30, 2023",
    )
    (one,) = from_text_lines([*page[:3], "2022", "2023", "Net sales", "1", "2", "Costs", "(5)", "(6)"])
    assert one.table.rows[0][1:] == ("Three Months Ended September 30, 2022", "Three Months Ended September 30, 2023")


def test_dates_printed_on_one_line_are_one_head_a_column():
    page = ["(in millions)", "December 28, 2019 December 29, 2018", "Net sales", "$", "24,977", "$", "26,268"]
    (found,) = from_text_lines([*page, "Costs", "16,830", "17,347"])
    assert found.table.rows[0] == ("(in millions)", "December 28, 2019", "December 29, 2018")
    changed = ["Net sales", "1,882", "2,173", "(13.4)%", "EBITDA", "487", "608", "(19.9)%"]
    (found,) = from_text_lines([*page[:2], "% Change", *changed])
    assert found.table.rows[0][1:] == ("December 28, 2019", "December 29, 2018", "Change")
    prose = ["as of December 31, 2019 and December 31, 2018", "Cash", "1,882", "2,173", "Debt", "487", "608"]
    assert from_text_lines(prose)[0].table.header_rows == 0


def test_two_years_and_columns_that_the_values_prove_to_be_changes():
    rows = "Devices|$ 769|960|(191)|(20)%|Cloud|661|553|108|20%|Rooms|153|194|(41)|(21)%"
    page = ["Year ended December 31,", "$ change", "% change", "2022", "2021", "22 vs. 21", "22 vs. 21"]
    (found,) = from_text_lines([*page, *rows.split("|")])
    ended = "Year ended December 31, "
    assert found.table.rows[0][1:] == (f"{ended}2022", f"{ended}2021", "Change", "Change")
    assert [row[0] for row in found.table.body] == ["Devices", "Cloud", "Rooms"]
    other = rows.replace("(191)", "12").replace("108", "40").replace("(41)", "7")
    heads = from_text_lines([*page, *other.split("|")])[0].table.rows[0][1:]
    assert heads == tuple(f"{ended}{head}" for head in ("2022", "2021", "22 vs. 21", "22 vs. 21"))


def rows_of(text: str) -> tuple[tuple[str, ...], ...]:
    (found,) = from_text_lines(text.split("|"))
    return found.table.rows


def test_heads_on_several_lines_share_out_the_columns():
    body = "Footwear|701.4|29.0|613.7|27.0|Equipment|654.0|27.0|631.9|27.8"
    heads = rows_of(f"(In millions)|Fiscal 2023|Fiscal 2022|Net sales|Share|Net sales|Share|{body}")[0]
    assert heads[1:] == ("Fiscal 2023 Net sales", "Fiscal 2023 Share", "Fiscal 2022 Net sales", "Fiscal 2022 Share")
    chinese = "营业收入|28|25|26|13%|净利润|21|24|24|-9%"
    heads = rows_of(f"单位：万元|项目|2023年|2022年|调整前|2022年|调整后|本年比上年增减|{chinese}")[0]
    assert heads[1:] == ("2023年", "2022年 调整前", "2022年 调整后", "本年比上年增减")


def test_heads_on_several_lines_end_where_a_blank_stands_behind_them():
    values = ["$", "16,830 $", "1,361 $", "17,347 $", "1,284", "Contracts", "23 ", "\u2014 ", "(2) ", "3"]
    heads = [
        "December 28, 2019",
        " ",
        "December 29, 2018",
        "",
        *["Cost of", "products sold ", "Interest", "expense", ""] * 2,
    ]
    (found,) = from_text_lines(["(in millions)", *heads, "Total amounts in the statements of", "income", *values])
    assert found.table.rows[0][1:] == (
        "December 28, 2019 Cost of products sold",
        "December 28, 2019 Interest expense",
        "December 29, 2018 Cost of products sold",
        "December 29, 2018 Interest expense",
    )
    assert found.table.rows[1][0] == "Total amounts in the statements of income"


def test_a_period_under_the_heads_begins_a_section():
    heads = ["Segment information (in millions)", "Display", "\u200eTechnologies", "\u00a0", "Optical", "Networks", ""]
    sales = ["Net sales", "$", "3,172", "$", "3,563", "Depreciation", "548", "242"]
    page = [*heads, "For the year ended December 31, 2020", "", *sales, "For the year ended December 31, 2019", *sales]
    (found,) = from_text_lines(page)
    assert found.table.rows[0] == ("(in millions)", "Display Technologies", "Optical Networks")
    assert [row[0] for row in found.table.body if not row[1]] == [
        "For the year ended December 31, 2020",
        "For the year ended December 31, 2019",
    ]


def test_periods_over_amounts_beside_changes_in_percent():
    span = ["Three Months Ended", "Nine Months Ended", *["June 25,", "2022", "June 26,", "2021", "Change"] * 2]
    values = ["Phones", "$", "40", "$", "39", "3\u00a0%", "$", "162", "$", "153", "6\u00a0%"]
    (found,) = from_text_lines([*span, *values, "Tablets", "7", "8", "(2)%", "22", "23", "(6)%"])
    assert found.table.rows[0][1::3] == ("Three Months Ended June 25, 2022", "Nine Months Ended June 25, 2022")
    split = ["FISCAL", "2021", "FISCAL", "2020", "% CHANGE", "% CHANGE", "EXCLUDING", "CURRENCY", "CHANGES"]
    rows = ["Shoes", "$", "5,748 $", "4,635 ", "24 ", "%", "19 ", "%", "Bags", "195 ", "148 ", "32 ", "%", "26 ", "%"]
    (found,) = from_text_lines([*split, *rows])
    assert found.table.rows[0][1:] == ("FISCAL 2021", "FISCAL 2020", "Change", "Change")


def test_heads_without_periods_are_members_where_there_is_one_for_each_column():
    body = "Turnover|905|871|85|Operating profit|182|140|(12)"
    assert rows_of(f"(in millions)|Water|Waste|Retail|{body}")[0][1:] == ("Water", "Waste", "Retail")
    assert rows_of(f"(in millions)|Water|Waste|water|Retail|{body}")[0][0] != "(in millions)"


def test_a_line_of_heads_is_no_section():
    rows = rows_of("(In millions)|2023|2022|Sales|Share|Sales|Share|Shoes|1|2|3|4|Boots|5|6|7|8")
    assert [row[0] for row in rows] == ["(In millions)", "Shoes", "Boots"]
