"""Unit lines and column heads are kept whatever other rules say."""

from __future__ import annotations

import pytest
from cliquerag.ingest.reading.cleaning import is_protected


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
