"""Charts: well-formed, to scale, nothing on top of another."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from cliquerag.core.period import Period
from cliquerag.retrieval.calculation.aggregates import Series
from cliquerag.retrieval.calculation.result import Figure
from cliquerag.views.charts import Bar, bar_chart, decimals, ticks, trend_svg

SVG = "{http://www.w3.org/2000/svg}"


def series(company: str, unit: str, **values: str) -> Series:
    figures = [Figure("revenue", Period.parse(year), Decimal(value), unit) for year, value in values.items()]
    return Series(company, "revenue", unit, tuple(figures))


def test_a_trend_has_a_line_a_company_and_its_values_to_scale() -> None:
    acme = series("Acme & Sons", "USD", FY2021="1e9", FY2022="2e9", FY2023="3e9")
    beta = series("Beta", "USD", FY2022="1.5e9")
    root = ElementTree.fromstring(trend_svg([acme, beta], "Revenue"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert {"Revenue", "USD billion", "FY2021", "FY2023", "Acme & Sons", "Beta", "0", "3"} <= set(texts)
    dots = [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{SVG}circle")]
    (x1, y1), (x2, y2), (x3, y3), (x4, _) = dots
    assert x2 == x4 and x1 < x2 < x3 and y1 > y2 > y3 and y1 - y2 == pytest.approx(y2 - y3, abs=0.2)
    assert len({path.attrib["stroke"] for path in root.iter(f"{SVG}path")}) == 2


def test_names_at_the_ends_of_lines_do_not_lie_on_each_other() -> None:
    lines = [series(f"Company {n}", "USD", FY2022="10", FY2023="20") for n in range(6)]
    root = ElementTree.fromstring(trend_svg(lines, "Revenue"))
    heights = sorted(float(text.attrib["y"]) for text in root.iter(f"{SVG}text") if "Company" in (text.text or ""))
    assert len(heights) == 6 and all(b - a >= 16 for a, b in pairwise(heights))


def test_a_bar_ends_where_its_value_does_and_its_label_stands_behind_the_interval() -> None:
    bars = [Bar("vector", 0, 0.5, "0.5", (0.25, 0.75)), Bar("hybrid", 1, 1.0, "1.0")]
    root = ElementTree.fromstring(bar_chart(bars, 374, 74))
    half, whole = (float(rect.attrib["width"]) for rect in root.iter("rect"))
    assert half * 2 == whole
    labels = {text.text: float(text.attrib["x"]) for text in root.iter("text")}
    assert labels["0.5"] > 74 + 0.75 * whole and labels["1.0"] > 74 + whole


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([12.0, 47.0], [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]),
        ([95.0, 100.0], [95.0, 96.0, 97.0, 98.0, 99.0, 100.0]),
        ([-3.0, 4.0], [-4.0, -2.0, 0.0, 2.0, 4.0]),
        ([0.0], [0.0, 0.2]),
        ([-7.0, -7.0], [-8.0, -6.0, -4.0, -2.0, 0.0]),
    ],
)
def test_ticks_are_round_and_hold_the_values(values: list[float], expected: list[float]) -> None:
    assert ticks(values) == expected


def test_ticks_have_as_many_decimals_as_they_need() -> None:
    assert [decimals(step) for step in (20.0, 2.5, 0.05)] == [0, 1, 2]
