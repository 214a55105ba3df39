"""Rules on single lines: what is kept whatever they say, labels of charts, boilerplate."""

from __future__ import annotations

import pytest
from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.line_rules import (
    axis_labels,
    contact_block,
    is_caption,
    is_cover_boilerplate,
    is_disclaimer,
    is_disclaimer_title,
    is_protected,
    is_symbol_line,
    repeated_lines,
)


@pytest.mark.parametrize(
    "line",
    [
        "(in millions)",
        "(In millions, except per share amounts)",
        "(Dollars in thousands)",
        "(unaudited)",
        "单位：元 币种：人民币",
        "单位:万元",
        "(RMB'000)",
        "人民币千元",
        "Year Ended December 31,",
        "Three Months Ended June 30,",
        "2023 2022 2021",
        "As of December 31, 2022",
    ],
)
def test_unit_lines_and_column_heads_are_protected(line: str) -> None:
    assert is_protected(line)


@pytest.mark.parametrize(
    "line", ["Apple Inc. | 2022 Form 10-K | 17", "Table of Contents", "2019 年年度报告", "Page 3 of 15"]
)
def test_furniture_is_not_protected(line: str) -> None:
    assert not is_protected(line)


def test_captions() -> None:
    assert all(map(is_caption, ["Figure 3: Sales by region", "图 12 收入构成", "Source: Company data, FactSet"]))
    assert not any(map(is_caption, ["Figures are unaudited", "Exhibit 99.1", "Sources of revenue grew"]))


def test_axis_labels_are_steps_but_not_years_or_values() -> None:
    assert axis_labels(["30", "20", "10", "0", "-10"]) == [0, 1, 2, 3, 4]
    assert axis_labels(["2019", "2020", "2021", "2022", "2023"]) == []
    assert axis_labels(["10", "20", "30"]) == []
    assert axis_labels(["120", "95", "310", "42", "7"]) == []


def test_disclaimers() -> None:
    assert is_disclaimer(
        "This release contains forward-looking statements subject to risks; actual results may differ materially."
    )
    assert is_disclaimer(
        "本报告仅供客户参考，不构成对任何人的投资建议，投资者据此操作，风险自担，与本公司和作者无关。本报告版权归本公司所有，未经许可不得转载。"
    )
    assert not is_disclaimer(
        "We expect sales to grow by 5 % in 2024, although freight costs remain high in all regions."
    )


@pytest.mark.parametrize(
    "title", ["Forward-Looking Statements", "Safe Harbor Statement", "Important Disclosures", "免责声明", "分析师声明"]
)
def test_titles_of_disclaimers(title: str) -> None:
    assert is_disclaimer_title(title)


def test_titles_of_other_sections() -> None:
    assert not any(map(is_disclaimer_title, ["Risk Factors", "Legal Proceedings", "重要提示", "Segment information"]))


def test_cover_boilerplate() -> None:
    assert is_cover_boilerplate("Indicate by check mark whether the registrant is a shell company. Yes ☐ No ☒")
    assert is_cover_boilerplate("☐ TRANSITION REPORT PURSUANT TO SECTION 13 OR 15(d)")
    assert not is_cover_boilerplate("The aggregate market value of the voting stock was $159.00 billion.")
    assert not is_cover_boilerplate("☒ ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)")


def test_contact_blocks_need_a_title_and_a_number_or_address() -> None:
    block = ["Investor Contact:", "Jane Doe", "(212) 555-0100", "jane@acme.com", "Net sales rose by 5 %."]
    assert contact_block(block, 0) == 4
    assert contact_block(["Investor Relations", "We meet investors often.", "Net sales rose."], 0) == 0
    assert contact_block(["Sales by phone: (212) 555-0100"], 0) == 0


def test_symbol_lines() -> None:
    assert all(map(is_symbol_line, ["_____", "* * *", "—", "•"]))
    assert not any(map(is_symbol_line, ["☒", "3", "a", "√适用"]))


def test_repeated_lines_are_told_from_repeated_numbers() -> None:
    texts = ["Net sales rose", "Net sales rose", "100", "100", "(in millions)", "(in millions)", "Net sales rose"]
    assert repeated_lines([PrintedLine(text, 1) for text in texts]) == [1]
