"""Tables of plain text: columns held apart by blanks or tabs."""

from __future__ import annotations

from time import process_time

from cliquerag.ingest.tables.markdown import head_texts
from cliquerag.ingest.tables.monospaced import TextTable, tables_in_text

EDGAR = """
                 CONSOLIDATED STATEMENTS OF INCOME
                (in thousands, except per share data)

<TABLE>
<CAPTION>
                                             Year Ended December 31,
                                        ------------------------------------
                                            1999        1998        1997
                                        -----------  ----------  -----------
<S>                                     <C>          <C>         <C>
Net sales.............................  $ 1,204,311  $  998,120  $   912,004
Selling, general and administrative
  expenses............................      301,000     290,111      250,003
                                        -----------  ----------  -----------
Earnings (loss) per share:
  Basic...............................  $      1.10  $    (0.31) $      0.20
                                        ===========  ==========  ===========
</TABLE>
                                       12

<TABLE>
Region            1999    1998   Change
<S>               <C>     <C>    <C>
North America     $  801  $  700   14.4%
Europe               303     298    1.7
Asia                 100      --     NM
</TABLE>
"""


def found_in(text: str) -> list[TextTable]:
    return tables_in_text(text.split("\n"))


def test_tables_of_an_old_filing() -> None:
    income, regions = found_in(EDGAR)
    assert head_texts(income.table) == [
        "",
        "Year Ended December 31, 1999",
        "Year Ended December 31, 1998",
        "Year Ended December 31, 1997",
    ]
    assert income.table.title == "CONSOLIDATED STATEMENTS OF INCOME"
    assert income.table.unit == "(in thousands, except per share data)"
    assert income.table.body == (
        ("Net sales", "$ 1,204,311", "$ 998,120", "$ 912,004"),
        ("Selling, general and administrative expenses", "301,000", "290,111", "250,003"),
        ("Earnings (loss) per share:", "", "", ""),
        ("Basic", "$ 1.10", "$ (0.31)", "$ 0.20"),
    )
    assert head_texts(regions.table) == ["Region", "1999", "1998", "Change"]
    assert regions.table.body[-1] == ("Asia", "100", "--", "NM"), "the number of the page is no row"


def test_heads_of_several_lines_and_units_below_them() -> None:
    (found,) = found_in(
        "                                   Unaudited      Audited\n"
        "                                  six months         year\n"
        "                                       ended        ended\n"
        "                                30 June 2025  31 December\n"
        "                                                     2024\n"
        "                                        £'m          £'m\n"
        "Revenue                               412.6        811.4\n"
        "Cost of sales                        (250.1)      (498.2)\n"
        "                                     -------      -------\n"
        "Gross profit                          162.5        313.2\n"
    )
    assert head_texts(found.table)[1:] == [
        "Unaudited six months ended 30 June 2025 £'m",
        "Audited year ended 31 December 2024 £'m",
    ]
    assert found.table.body[1] == ("Cost of sales", "(250.1)", "(498.2)")


def test_tabs_part_cells_however_long_the_words_are() -> None:
    (found,) = found_in(
        "Key figures\t2024\t2023\nStores\t1,204\t1,180\nEmployees, on average over the year\t22,310\t21,800\n"
    )
    assert found.table.rows == (
        ("Key figures", "2024", "2023"),
        ("Stores", "1,204", "1,180"),
        ("Employees, on average over the year", "22,310", "21,800"),
    )


def test_a_chinese_character_is_two_letters_wide() -> None:
    (found,) = found_in(
        "项目                    2024年        2023年\n"
        "营业收入              1,234,567    1,100,234\n"
        "归属于母公司的净利润     98,765       87,654\n"
    )
    assert found.table.body == (("营业收入", "1,234,567", "1,100,234"), ("归属于母公司的净利润", "98,765", "87,654"))


def test_below_a_blank_line_other_columns_are_another_table() -> None:
    tables = found_in(
        "Sales      1,204    1,180\nCosts        801      790\nProfit       403      390\n\n"
        "Stores by country             owned   franchised   total\n"
        "France                           12           30      42\n"
        "Spain                             8            2      10\n"
    )
    assert [table.table.rows[-1] for table in tables] == [("Profit", "403", "390"), ("Spain", "8", "2", "10")]


def test_prose_is_no_table() -> None:
    assert not found_in(
        "The   Company   has   grown   in   each   year,   and   expects   sales   of   1,300\n"
        "million.   Its   debt   fell   in   all   regions   to   a   total   of   about   250\n"
        "million   as   of   the   date   of   this   report,   as   told   in   Note   12\n"
    )
    assert not found_in(
        "ITEM 1.  BUSINESS .............  3\nITEM 2.  PROPERTIES ...........  9\nITEM 3.  CLAIMS ..... 12\n"
    )


def test_hostile_lines_cost_little() -> None:
    start = process_time()
    for line in (
        "Value  " + "1  " * 600,
        "a \t" * 900,
        "Value  " + "1  " * 38,
        "." * 900 + "  1",
        "a" + " " * 900 + "1",
    ):
        tables_in_text([line] * 300)
    assert process_time() - start < 5
