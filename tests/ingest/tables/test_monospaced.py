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


def test_thousands_apart_by_one_blank_are_one_number() -> None:
    (found,) = tables_in_text(
        [
            "                              Q2         Q2     First half     Full year",
            "NOK million                 2024       2023           2024          2023",
            "Net interest income          812        744          1 601         3 020",
            "Operating expenses           377        351            745         1 441",
            "Loans                    188 200    181 500        188 200      -184 900",
        ]
    )
    assert head_texts(found.table) == ["NOK million", "Q2 2024", "Q2 2023", "First half 2024", "Full year 2023"]
    assert found.table.body == (
        ("Net interest income", "812", "744", "1 601", "3 020"),
        ("Operating expenses", "377", "351", "745", "1 441"),
        ("Loans", "188 200", "181 500", "188 200", "-184 900"),
    )


def test_numbers_in_a_sentence_of_a_cell_stay_words() -> None:
    (found,) = tables_in_text(
        [
            "Article                       Pieces       Price",
            "Bolt 8 100 zinc                   20        3.10",
            "Nut 10 200                       100        2.05",
        ]
    )
    assert [row[0] for row in found.table.body] == ["Bolt 8 100 zinc", "Nut 10 200"]


def test_a_range_is_no_negative_number() -> None:
    (found,) = tables_in_text(
        [
            "                          FY23A      FY24 guidance       FY25E",
            "Revenue (USD m)             512          540 - 560         600",
            "Capex (USD m)                41            40 - 45          48",
        ]
    )
    assert found.table.body[0] == ("Revenue (USD m)", "512", "540 - 560", "600")


def test_pence_and_labels_of_two_lines() -> None:
    (found,) = tables_in_text(
        [
            "                          2023      2022",
            "                            £m        £m",
            "Revenue                  812.4     770.1",
            "Profit before tax         49.8      48.2",
            "",
            "Basic earnings",
            "per share                41.3p     39.9p",
            "Dividends per",
            "share                    16.5p     15.0p",
        ]
    )
    assert found.table.body[2:] == (
        ("Basic earnings per share", "41.3p", "39.9p"),
        ("Dividends per share", "16.5p", "15.0p"),
    )


def test_the_head_of_the_notes_and_a_unit_stand_beside_years() -> None:
    (found,) = tables_in_text(
        [
            "in EUR thousand                    Note         2023            2022     Change in %",
            "------------------------------------------------------------------------------------",
            "Revenue                               1    1.234.567       1.101.200            12,1",
            "Gross profit                                 422.222         356.090            18,6",
        ]
    )
    assert head_texts(found.table) == ["in EUR thousand", "Note", "2023", "2022", "Change in %"]


def test_the_same_heads_below_each_of_several_share_out_the_columns() -> None:
    (found,) = tables_in_text(
        [
            "              2023年                       2022年",
            "地区          营业收入     占比            营业收入     占比",
            "华东          40,100.00    47.00%          35,149.68    45.00%",
            "华南          25,220.15    29.56%          24,960.72    31.96%",
        ]
    )
    heads = ["地区", "2023年营业收入", "2023年占比", "2022年营业收入", "2022年占比"]
    assert [head.replace(" ", "") for head in head_texts(found.table)] == heads


def test_a_chinese_label_that_ends_in_de_goes_on_below() -> None:
    (found,) = tables_in_text(
        [
            "项目                      2023年        2022年",
            "营业收入                  85,320.15     78,110.40",
            "归属于上市公司股东的",
            "净利润                    12,660.31     10,020.55",
            "基本每股收益                  0.84          0.67",
        ]
    )
    assert [row[0] for row in found.table.body] == ["营业收入", "归属于上市公司股东的净利润", "基本每股收益"]


def test_periods_between_rows_stand_over_the_values_below() -> None:
    (found,) = tables_in_text(
        [
            "                        2024年1-6月    2023年1-6月    增减（%）",
            "营业收入                     45,210         43,870         3.05",
            "净利润                       12,204         11,560         5.57",
            "                      2024年6月30日  2023年12月31日",
            "资产总额                  1,204,500      1,180,300         2.05",
        ]
    )
    assert found.table.body[2] == ("", "2024年6月30日", "2023年12月31日", "")


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


def test_chinese_columns_one_blank_apart_are_a_table_below_their_head() -> None:
    lines = [
        "公司前五名客户",
        "序号 客户名称 销售额（万元）",
        "1 国药有限公司 58,322.40",
        "2 华润有限公司 40,168.90",
        "",
        "以上 均为 说明 12",
    ]
    (found,) = tables_in_text(lines)
    assert found.table.rows[0] == ("序号", "客户名称", "销售额（万元）")
    assert found.table.rows[-1] == ("2", "华润有限公司", "40,168.90")
    assert (found.first, found.last) == (1, 3)


def test_a_change_in_points_ends_a_row() -> None:
    lines = ["分产品 营业收入 营业成本 毛利率比上年增减", "冷冻设备 371.91 250.59 减少3.96个百分点"]
    lines.append("罐式集装箱 764.14 632.24 减少4.32个百分点")
    (found,) = tables_in_text(lines)
    assert found.table.rows[1] == ("冷冻设备", "371.91", "250.59", "减少3.96个百分点")
