import re
from collections import Counter

import pytest
from cliquerag.ingest.tables.finder import find_tables
from cliquerag.ingest.tables.markdown import head_texts
from hypothesis import given, settings
from hypothesis import strategies as st
from support.layouts import grid_rules, line, page, statement


def rows(layout):
    (found,) = find_tables([layout])
    return found.table.rows


def test_a_borderless_statement_is_read_with_heads_title_and_unit():
    (found,) = find_tables([statement(rows=3)])
    assert found.table.rows == (
        ("", "2022", "2021"),
        ("Item number 0", "1,000", "(900)"),
        ("Item number 1", "1,001", "(901)"),
        ("Item number 2", "1,002", "(902)"),
    )
    assert found.table.header_rows == 1
    assert found.table.title == "CONSOLIDATED BALANCE SHEETS"
    assert found.table.unit == "(in millions)"


def test_signs_of_their_own_belong_to_their_number():
    layout = page(
        line(100, (-420, "2022"), (-520, "2021")),
        line(114, (50, "Sales"), (370, "$"), (-420, "1,234"), (470, "$"), (-520, "1,111")),
        line(128, (50, "Loss"), (-416, "(99"), (417, ")"), (-516, "(88"), (517, ")")),
        line(142, (50, "Margin"), (-412, "12.5"), (414, "%"), (-512, "11.0"), (514, "%")),
    )
    assert rows(layout)[1:] == (
        ("Sales", "$ 1,234", "$ 1,111"),
        ("Loss", "(99)", "(88)"),
        ("Margin", "12.5%", "11.0%"),
    ) or rows(layout)[3] == ("Margin", "12.5 %", "11.0 %")
    assert rows(layout)[1] == ("Sales", "$ 1,234", "$ 1,111")
    assert rows(layout)[2] == ("Loss", "(99)", "(88)")


def test_a_head_over_several_columns_spans_them():
    layout = page(
        line(86, (355, "Three Months Ended June 30,")),
        line(100, (-380, "2022"), (-480, "2021")),
        *(line(114 + 14 * n, (50, f"Row {n}"), (-380, f"{n}.5"), (-480, f"{n}.7")) for n in range(4)),
    )
    (found,) = find_tables([layout])
    assert found.table.header_rows == 2
    assert found.table.spans == ((0, 1, 0, 2),)
    assert found.table.rows[0] == ("", "Three Months Ended June 30,", "")


def test_a_wrapped_label_is_one_row_and_a_section_stays_its_own():
    layout = page(
        line(100, (-420, "2022"), (-520, "2021")),
        line(114, (50, "Revenues")),
        line(128, (62, "Casino"), (-420, "10"), (-520, "9")),
        line(142, (62, "Net income attributable to the")),
        line(153, (62, "noncontrolling interests"), (-420, "7"), (-520, "6")),
        line(167, (62, "Other"), (-420, "3"), (-520, "2")),
    )
    (found,) = find_tables([layout])
    labels = [row[0] for row in found.table.rows[1:]]
    assert labels == ["Revenues", "Casino", "Net income attributable to the noncontrolling interests", "Other"]
    assert found.table.indents[1:] == (0, 1, 1, 1)


def test_a_label_that_fills_its_column_goes_on_whatever_letter_follows():
    layout = page(
        line(100, (-420, "2022"), (-520, "2021")),
        line(114, (50, "Las Vegas Strip net revenues of all its resorts"), (-420, "10"), (-520, "9")),
        line(130, (50, "Acquisitions"), (-420, "2"), (-520, "1")),
        line(146, (50, "Table games hold adjusted same-store resorts")),
        line(157, (50, "Revenues of all"), (-420, "7"), (-520, "6")),
        line(173, (50, "Gross decreases of the tax positions of the period")),
        line(189, (50, "Settlements"), (-420, "3"), (-520, "2")),
    )
    (found,) = find_tables([layout])
    labels = [row[0] for row in found.table.rows[3:]]
    assert labels == [
        "Table games hold adjusted same-store resorts Revenues of all",
        "Gross decreases of the tax positions of the period",
        "Settlements",
    ]


def test_a_currency_sign_after_a_number_is_that_of_the_next_column():
    layout = page(
        line(100, (-420, "2022"), (-520, "2021")),
        *(line(114 + 14 * n, (50, f"Row {n}"), (-420, f"{n}.5"), (424, "$"), (-520, f"{n}.7")) for n in range(4)),
    )
    assert rows(layout)[1] == ("Row 0", "0.5", "$ 0.7")


def test_a_period_over_the_values_opens_a_second_block_of_columns():
    first = [line(128 + 14 * n, (50, f"Item {n}"), (-420, f"{n},001"), (-520, f"{n},002")) for n in range(4)]
    second = [
        line(240 + 14 * n, (50, f"Item {n}"), (-370, f"{n},003"), (-450, f"{n},004"), (-530, f"{n},005"))
        for n in range(4)
    ]
    found = find_tables(
        [
            page(
                line(100, (401, "12 Weeks Ended 3/25/2023")),
                line(114, (-420, "Sales"), (-520, "Profit")),
                *first,
                line(200, (381, "12 Weeks Ended 3/19/2022")),
                line(212, (410, "Gain on")),
                line(224, (-370, "Sales"), (-450, "the sale"), (-530, "Profit")),
                *second,
            )
        ]
    )
    assert [head_texts(one.table)[1:] for one in found] == [
        ["12 Weeks Ended 3/25/2023 Sales", "12 Weeks Ended 3/25/2023 Profit"],
        [f"12 Weeks Ended 3/19/2022 {name}" for name in ("Sales", "Gain on the sale", "Profit")],
    ]


def test_a_wide_head_over_one_narrow_column_is_no_title():
    layout = page(
        line(100, (475, "Components of")),
        line(111, (485, "% Change")),
        *(line(125 + 14 * n, (50, f"Costs of kind {n}"), (-520, f"{n} %")) for n in range(4)),
    )
    (found,) = find_tables([layout])
    assert head_texts(found.table) == ["", "Components of % Change"] and not found.table.title


def test_a_title_in_the_middle_of_the_page_heads_no_column():
    layout = page(
        line(86, (225, "Reconciliation of profit by part")),
        line(100, (-260, "A"), (-320, "B"), (-380, "C"), (-440, "D"), (-500, "E")),
        *(line(114 + 14 * n, (50, f"Part {n}"), *((-260 - 60 * k, f"{n}.{k}") for k in range(5))) for n in range(4)),
    )
    (found,) = find_tables([layout])
    assert found.table.header_rows == 1 and found.table.title == "Reconciliation of profit by part"


def test_a_lone_year_in_the_middle_heads_all_columns():
    layout = page(
        line(86, (-410, "2021")),
        line(100, (-320, "Sales"), (-400, "Costs"), (-480, "Profit")),
        *(line(114 + 14 * n, (50, f"Part {n}"), *((-320 - 80 * k, f"{n}.{k}") for k in range(3))) for n in range(4)),
    )
    (found,) = find_tables([layout])
    assert head_texts(found.table)[1:] == ["2021 Sales", "2021 Costs", "2021 Profit"]


def test_values_printed_a_little_lower_belong_to_their_label():
    layout = page(
        line(100, (-420, "2022"), (-520, "2021")),
        line(114, (50, "Canada"), (-420, "10"), (-520, "9")),
        line(128, (50, "United States")),
        line(134, (-420, "7"), (-520, "6")),
    )
    assert rows(layout)[2:] == (("United States", "7", "6"),)


def test_one_row_under_years_is_a_table():
    years = line(100, (-420, "2022"), (-520, "2021"))
    assert rows(page(years, line(114, (50, "Interest expense"), (-420, "171"), (-520, "160")))) == (
        ("", "2022", "2021"),
        ("Interest expense", "171", "160"),
    )
    assert find_tables([page(line(114, (50, "Interest expense"), (-420, "171"), (-520, "160")))]) == []


def test_a_second_line_of_heads_starts_a_second_table():
    first = [line(100 + 14 * n, (50, f"A {n}"), (-420, f"{n},001"), (-520, f"{n},002")) for n in range(1, 4)]
    second = [line(200 + 14 * n, (50, f"B {n}"), (-420, f"{n},003"), (-520, f"{n},004")) for n in range(1, 4)]
    years = line(200, (-420, "2022"), (-520, "2021"))
    found = find_tables([page(line(100, (-420, "2022"), (-520, "2021")), *first, years, *second)])
    assert [table.table.rows[1][0] for table in found] == ["A 1", "B 1"]


def test_prose_and_contents_are_no_tables():
    prose = [
        line(100 + 12 * n, (50, "In 2022 sales rose by 1,234 to 5,678 million and fell again later " * 2))
        for n in range(6)
    ]
    contents = [line(100 + 14 * n, (50, f"Item {n} of the report"), (-540, str(3 + 2 * n))) for n in range(8)]
    assert find_tables([page(*prose)]) == []
    assert find_tables([page(*contents)]) == []


def test_a_bordered_table_takes_its_cells_from_the_lines():
    layout = page(
        line(105, (55, "Name"), (205, "Amount")),
        line(125, (55, "Cash and"), (205, "1,132,603,716.")),
        line(137, (55, "equivalents"), (205, "40")),
        line(160, (55, "Debt"), (205, "7")),
        rules=grid_rules([50, 200, 300], [100, 120, 155, 175]),
    )
    assert rows(layout) == (("Name", "Amount"), ("Cash and equivalents", "1,132,603,716.40"), ("Debt", "7"))


def test_a_missing_border_joins_cells():
    rules = [box for box in grid_rules([50, 150, 250, 350], [100, 120, 140, 160]) if box != (250, 100, 250, 160)]
    rules.append((250, 120, 250, 160))
    layout = page(
        line(105, (55, "Item"), (180, "Two years")),
        line(125, (55, "a"), (160, "1"), (260, "2")),
        line(145, (55, "b"), (160, "3"), (260, "4")),
        rules=rules,
    )
    (found,) = find_tables([layout])
    assert found.table.rows[0] == ("Item", "Two years", "")
    assert (0, 1, 0, 2) in found.table.spans


def test_a_bordered_row_with_values_below_each_other_is_cut():
    layout = page(
        line(105, (55, "Item"), (205, "2022")),
        *(line(125 + 12 * n, (55, f"row {n}"), (205, f"{n},100")) for n in range(3)),
        rules=grid_rules([50, 200, 300], [100, 120, 165]),
    )
    assert rows(layout)[1:] == (("row 0", "0,100"), ("row 1", "1,100"), ("row 2", "2,100"))


def test_a_table_goes_on_over_the_page():
    first, second = statement(1, top=650, rows=9), statement(2, top=60, rows=5, heads=False)
    (found,) = find_tables([first, second])
    assert len(found.table.rows) == 1 + 9 + 5
    assert [region.page for region in found.regions] == [1, 2]
    assert [anchor.page for anchor in found.table.anchors] == [1, 2]


def test_each_cell_of_a_joined_table_keeps_its_page_and_box():
    first, second = statement(1, top=650, rows=9), statement(2, top=60, rows=5, heads=False)
    (found,) = find_tables([first, second])
    filled = {(r, c) for r, row in enumerate(found.table.rows) for c, text in enumerate(row) if text}
    assert set(found.table.places) == filled
    assert [found.table.places[row, 1].page for row in range(15)] == [1] * 10 + [2] * 5
    ((x0, y0, x1, y1),) = found.table.places[10, 2].boxes
    assert (x0, y0, x1, y1) == (495.0, 60.0, 520.0, 70.0), "of (900), the first value of the second page"


def test_a_table_with_a_title_of_its_own_does_not_go_on():
    first = statement(1, top=650, rows=9)
    (found,) = find_tables([statement(2, top=130, rows=5)])
    assert found.table.title == "CONSOLIDATED BALANCE SHEETS"
    other = page(
        line(60, (200, "RECONCILIATION OF PROFIT")),
        line(85, (-420, "2022"), (-520, "2021")),
        *(line(100 + 14 * n, (50, f"Part {n}"), (-420, f"{n},001"), (-520, f"{n},002")) for n in range(5)),
        number=2,
    )
    assert [len(one.regions) for one in find_tables([first, other])] == [1, 1]
    assert [len(one.regions) for one in find_tables([first, statement(2, top=130, rows=5)])] == [2], "the title repeats"


def test_tables_on_two_pages_with_text_between_stay_two():
    first = statement(1, top=300, rows=5)
    assert len(find_tables([first, statement(2, top=60, rows=5, heads=False)])) == 2


def test_two_columns_of_prose_with_a_table_in_one():
    words = "this is a line of running prose in a column"
    left = [line(100 + 12 * n, (40, words)) for n in range(12)]
    right = [line(100 + 12 * n, (320, f"Item {n}"), (-500, f"1,{n:03}"), (-560, f"2,{n:03}")) for n in range(12, 18)]
    prose = [line(100 + 12 * n, (320, words)) for n in range(12)]
    tall = [line(100 + 12 * n, (40, words)) for n in range(12, 18)]
    (found,) = find_tables([page(*left, *prose, *tall, *right)])
    assert found.table.rows[0][0] == "Item 12"
    assert all(words not in cell for row in found.table.rows for cell in row)


@pytest.mark.parametrize("rules", [[(0, 0, 0, 0)] * 50, [(x, 0.0, x, 800.0) for x in range(0, 600, 2)]])
def test_odd_rules_end_quickly_without_an_error(rules):
    assert isinstance(find_tables([page(line(100, (50, "a"), (100, "1")), rules=rules)]), list)


_text = st.sampled_from(["—", "$", "(12)", "x y", "Total", ")", "12 %"])
_cell = st.one_of(st.integers(0, 99999).map("{:,}".format), _text)
_row = st.lists(st.tuples(st.integers(0, 560), _cell), min_size=1, max_size=6)
_side = st.tuples(st.integers(-20, 620), st.integers(-20, 620)).map(sorted)
_rule = st.tuples(_side, _side).map(lambda sides: (sides[0][0], sides[1][0], sides[0][1], sides[1][1]))


@settings(max_examples=60, deadline=None)
@given(st.lists(_row, max_size=25), st.lists(_rule, max_size=12))
def test_every_word_of_a_region_stands_in_exactly_one_cell(texts, rules):
    lines = [line(50 + 14 * n, *((float(x), text) for x, text in sorted(row))) for n, row in enumerate(texts)]
    layout = page(*lines, rules=rules)
    seen = set()
    for found in find_tables([layout]):
        for region in found.regions:
            assert not seen & set(region.words), "a word in two tables"
            seen |= set(region.words)
            printed = Counter("".join(char for i in region.words for char in layout.words[i].text if char != " "))
            told = found.table.unit if found.table.unit and not _in_cells(found.table) else ""
            cells = "".join(cell for row in found.table.rows for cell in row) + told
            assert Counter(re.sub(r"\s", "", cells)) == printed


def _in_cells(table):
    return any(table.unit in cell for row in table.rows for cell in row)


def test_years_that_follow_one_another_are_heads_beside_any_label():
    layout = page(
        line(100, (50, "Segment"), (-320, "2025"), (-420, "2024"), (-520, "2023")),
        *(line(114 + 14 * n, (50, f"Row {n}"), (-320, f"{n}.5"), (-420, f"{n}.7"), (-520, f"{n}.9")) for n in range(3)),
    )
    (found,) = find_tables([layout])
    assert found.table.rows[0] == ("Segment", "2025", "2024", "2023")
    assert found.table.header_rows == 1


def test_years_are_heads_beside_the_heads_of_several_columns_of_words():
    years = ((-420, "2023"), (-520, "2022"))
    layout = page(
        line(86, (-420, "July 2,"), (-520, "July 3,")),
        line(100, (50, "Product"), (200, "Primary indication"), *years),
        *(
            line(114 + 14 * n, (50, f"Drug {n}"), (200, "Various"), (-420, f"1,{n}88"), (-520, f"8,{n}48"))
            for n in range(4)
        ),
    )
    (found,) = find_tables([layout])
    assert found.table.header_rows == 1
    assert found.table.rows[0] == ("Product", "Primary indication", "July 2, 2023", "July 3, 2022")


def test_years_above_other_years_are_values():
    layout = page(
        line(100, (50, "Patent A"), (-320, "2025"), (-420, "2026"), (-520, "2027")),
        line(114, (50, "Patent B"), (-320, "2031"), (-420, "2030"), (-520, "2033")),
        line(128, (50, "Patent C"), (-320, "2031"), (-420, "2035"), (-520, "2033")),
    )
    assert [found.table.header_rows for found in find_tables([layout])] in ([], [0])


def test_years_in_pairs_are_heads_beside_a_unit():
    years = ((-260, "2023"), (-350, "2022"), (-440, "2023"), (-530, "2022"))
    layout = page(
        line(100, (50, "(MILLIONS)"), *years),
        *(line(114 + 14 * n, (50, f"Row {n}"), *((x, f"{n}{y}") for x, y in years)) for n in range(4)),
    )
    (found,) = find_tables([layout])
    assert found.table.header_rows == 1


def test_one_row_of_numbers_under_words_of_their_own_is_a_table_of_labels():
    layout = page(
        line(80, (50, "The votes were cast for the proposal as set forth below:")),
        line(100, (50, "Votes For"), (200, "Votes For"), (350, "Abstentions")),
        line(111, (55, "1 Year"), (205, "2 Years"), (350, "of holders")),
        line(122, (50, "57,172,731"), (200, "13,324,080"), (355, "170,172")),
    )
    assert rows(layout) == (
        ("Votes For 1 Year", "57,172,731"),
        ("Votes For 2 Years", "13,324,080"),
        ("Abstentions of holders", "170,172"),
    )


def test_numbers_under_other_numbers_or_not_under_the_words_are_none():
    under_numbers = page(
        line(100, (50, "1,000"), (200, "2,000"), (350, "3,000")), line(111, (50, "7"), (200, "8"), (350, "9"))
    )
    beside = page(line(100, (50, "Ada"), (90, "Bo"), (130, "Cy")), line(111, (250, "71"), (300, "82"), (350, "93")))
    assert not any(len(found.table.rows) == 3 for layout in (under_numbers, beside) for found in find_tables([layout]))


def test_a_head_right_of_all_labels_stands_over_the_values():
    layout = page(
        line(100, (400, "Own Land"), (-550, "Total")),
        *(line(114 + 14 * n, (50, f"Place {n}"), (-480, f"{n},004"), (-550, f"{n},006")) for n in range(1, 5)),
    )
    assert rows(layout)[0] == ("", "Own Land", "Total")


def test_years_before_a_single_value_are_labels():
    layout = page(
        *(line(100 + 14 * n, (60, f"{2023 + n}"), (-480, f"{9 - n},638")) for n in range(1, 5)),
        line(170, (50, "Thereafter"), (-480, "5,561")),
    )
    assert rows(layout)[:2] == (("2024", "8,638"), ("2025", "7,638"))


def test_a_ruled_box_of_heads_belongs_to_the_rows_below_it():
    layout = page(
        line(102, (210, "Millions of yen")),
        line(116, (220, "2021"), (320, "2022")),
        *(line(133 + 14 * n, (50, f"Place {n}"), (-245, f"{n},421"), (-345, f"{n},698")) for n in range(1, 5)),
        rules=[*grid_rules([200, 300, 400], [114, 128]), *grid_rules([200, 400], [100, 114])],
    )
    (found,) = find_tables([layout])
    assert [head.split()[-1] for head in head_texts(found.table)[1:]] == ["2021", "2022"]


def test_names_that_are_numbers_are_heads_over_their_total():
    layout = page(
        line(100, (-300, "747"), (-400, "787"), (-500, "Total")),
        *(line(114 + 14 * n, (50, f"Deliveries {n}"), (-300, "5"), (-400, "31"), (-500, "480")) for n in range(4)),
    )
    (found,) = find_tables([layout])
    assert head_texts(found.table) == ["", "747", "787", "Total"]
