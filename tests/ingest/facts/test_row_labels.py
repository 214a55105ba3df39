"""Labels that stand in several columns or for several rows."""

from __future__ import annotations

from cliquerag.ingest.document import Table
from cliquerag.ingest.facts.column_heads import Column
from cliquerag.ingest.facts.row_labels import row_labels, with_whole_labels


def whole(*rows: tuple[str, ...], skipped: int = -1, spans: tuple[tuple[int, int, int, int], ...] = ()) -> list[str]:
    columns = [Column(skipped=number == skipped) for number in range(len(rows[0]))]
    table = Table((("",) * len(rows[0]), *rows), spans=spans)
    return [" | ".join(row) for row in with_whole_labels(table, columns).body]


def test_words_left_of_values_join_the_label() -> None:
    assert whole(("Net sales", "Cloud", "7"), ("", "Rooms", "5")) == ["Net sales Cloud |  | 7", "Rooms |  | 5"]


def test_a_column_of_values_stays() -> None:
    assert whole(("Net sales", "5", "7"), ("Costs", "n/a", "5")) == ["Net sales | 5 | 7", "Costs | n/a | 5"]


def test_words_right_of_all_values_stay_but_not_in_a_table_of_words() -> None:
    assert whole(("Net sales", "7", "unaudited", "")) == ["Net sales | 7 | unaudited | "]
    assert whole(("Address", "of the seller", "1 Main Street")) == ["Address of the seller |  | 1 Main Street"]


def test_a_skipped_column_and_the_third_stay() -> None:
    assert whole(("Net sales", "Note A", "7"), skipped=1) == ["Net sales | Note A | 7"]
    assert whole(("a", "b", "c", "d", "7")) == ["a b c |  |  | d | 7"]


def test_a_label_over_several_rows_is_repeated() -> None:
    rows = (("Net sales", "Cloud", "7"), ("", "Rooms", "5"))
    assert whole(*rows, spans=((1, 0, 2, 0),)) == ["Net sales Cloud |  | 7", "Net sales Rooms |  | 5"]


def full(*rows: tuple[str, ...]) -> list[str]:
    return [label.full for label in row_labels(Table((("", "2022"), *rows)))]


def test_the_total_of_a_part_does_not_close_the_section() -> None:
    rows = (("Revenues", ""), ("Europe", "5"), ("Total Acme brand", "5"), ("Rooms", "2"), ("Total revenues", "7"))
    after = (("Depreciation", ""), ("Rooms", "1"))
    found = full(*rows, *after)
    assert found[2] == "Revenues > Rooms" and found[-1] == "Depreciation > Rooms"


def test_a_total_closes_its_section_where_none_follows() -> None:
    rows = (("Current assets", ""), ("Cash", "5"), ("Total current assets", "5"), ("Goodwill", "2"))
    assert full(*rows)[-1] == "Goodwill"
    assert full(("Financing", ""), ("Notes", "5"), ("Total paid", "5"), ("Other", "2"))[-1] == "Other"


def test_a_heading_over_two_lines_is_one_section() -> None:
    rows = (("Net income per common share attributable to", ""), ("Acme:", ""), ("Basic", "5"), ("Diluted", "4"))
    assert full(*rows) == [
        f"Net income per common share attributable to Acme > {name}" for name in ("Basic", "Diluted")
    ]


def test_items_below_a_heading_with_an_open_end_keep_it() -> None:
    rows = (("Proceeds from", ""), ("Sale of notes", "5"), ("Exercise of options", "4"), ("Sale of land", "2"))
    assert full(*rows)[1:] == ["Proceeds from > Exercise of options", "Proceeds from > Sale of land"]


def test_a_row_that_repeats_the_heads_begins_another_table() -> None:
    heads = ("分产品", "营业收入", "毛利率（%）")
    rows = (heads, ("冷冻设备", "371", "32.5"), ("分地区", *heads[1:]), ("境内", "398", "29.4"))
    indented = Table(rows, indents=(0, 0, 1, 0))  # heads are centred
    assert [label.full for label in row_labels(indented)] == ["冷冻设备", "分地区 > 境内"]
