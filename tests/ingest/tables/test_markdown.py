from cliquerag.core.tokens import estimate_tokens
from cliquerag.ingest.document import Table
from cliquerag.ingest.tables.markdown import by_row, head_texts, skeleton, to_markdown

TABLE = Table(
    (("", "Years ended", ""), ("", "2022", "2021"), ("Sales", "5", "4"), ("A|B", "3", "—")),
    header_rows=2,
    title="Income",
    unit="(in millions)",
    notes="(1) restated",
    spans=((0, 1, 0, 2),),
)


def test_the_heads_of_a_column_are_one_and_bars_escaped():
    assert to_markdown(TABLE).splitlines() == [
        "| (in millions) | Years ended 2022 | Years ended 2021 |",
        "| --- | --- | --- |",
        "| Sales | 5 | 4 |",
        "| A\\|B | 3 | — |",
    ]


def test_a_unit_goes_above_where_the_corner_is_taken_and_is_not_told_twice():
    taken = Table((("Item", "2022"), ("Sales", "5")), unit="单位：元")
    assert to_markdown(taken).startswith("单位：元\n\n| Item |")
    inside = Table((("Sales (in millions)", "2022"), ("a", "5")), unit="(in millions)")
    assert to_markdown(inside).count("(in millions)") == 1


def test_without_heads_no_row_is_taken_for_one():
    assert to_markdown(Table((("Sales", "5"), ("Costs", "4")), header_rows=0)).splitlines() == [
        "|  |  |",
        "| --- | --- |",
        "| Sales | 5 |",
        "| Costs | 4 |",
    ]


def test_a_head_that_is_printed_in_both_rows_is_said_once():
    heads = Table((("", "Change", "2022"), ("", "Change", "(restated)"), ("Sales", "5", "4")), header_rows=2)
    assert to_markdown(heads).splitlines()[0] == "|  | Change | 2022 (restated) |"


def test_lines_of_markdown_are_matched_to_rows():
    assert by_row(["h", "a", "b"], TABLE) == ["h", "h", "a", "b"]
    assert by_row(["h", "a", "b"], Table((("a",), ("b",)), header_rows=0)) == ["a", "b"]
    assert by_row(["h"], TABLE) == []


def test_an_empty_table_is_empty():
    assert to_markdown(Table(())) == ""


def test_a_skeleton_has_names_and_no_values():
    (piece,) = skeleton(TABLE, "Acme 10-K FY2022")
    assert piece == "Acme 10-K FY2022. Income. (in millions). Years ended, 2022, 2021. Sales; A|B; (1) restated"


def test_a_long_skeleton_is_cut_into_pieces_that_each_repeat_the_heads():
    rows = (("", "2022"), *((f"A rather long name of row number {n}", "1") for n in range(100)))
    pieces = skeleton(Table(rows, title="Income"), "Acme")
    assert len(pieces) > 3
    assert all(piece.startswith("Acme. Income. 2022. ") and estimate_tokens(piece) <= 190 for piece in pieces)
    assert sum(piece.count("row number") for piece in pieces) == 100


def test_a_head_in_the_middle_of_many_columns_is_a_title():
    heads = ("", "Total", "Less than 1 year", "1-3 years", "3-5 years", "More than 5 years")
    due = Table((("", "", "", "Payments due by period", "", ""), heads, ("Debt", "9", "1", "2", "3", "3")), 2)
    assert head_texts(due) == ["Payments due by period", *heads[1:]]
    of_time = Table((("", "", "", "Year ended June 30", "", ""), heads, ("Debt", "9", "1", "2", "3", "3")), 2)
    assert head_texts(of_time)[3] == "Year ended June 30 1-3 years"
    wrapped = ("", "Total", "Less than 1 year", "operations", "3-5 years", "More than 5 years")
    cut = Table((("", "", "", "Discontinued", "", ""), wrapped, ("Debt", "9", "1", "2", "3", "3")), 2)
    assert head_texts(cut)[3] == "Discontinued operations"
