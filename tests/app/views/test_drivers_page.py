"""The page of drivers: waterfalls that add up, texts of documents escaped."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cliquerag.core.quantity import parse_quantity
from cliquerag.kg.drivers import Cause, Driver
from cliquerag.views.drivers_page import drivers_html, shown_amount, waterfall_steps


def cause(text, sign, amount="", **more):
    return Cause(text, 0, 1, sign, amount=parse_quantity(amount) if amount else None, **more)


def driver(*causes, direction="up", change="", level="", text="Net sales rose."):
    amounts = {"change": parse_quantity(change) if change else None, "level": parse_quantity(level) if level else None}
    return Driver(
        "id", "Acme", "revenue", "Net sales", direction, causes, "a.pdf", "c", 0, 5, text, segment="", **amounts
    )


def bars(found):
    return [(step.name, step.kind, step.label) for step in waterfall_steps(found)]


def test_from_before_to_after():
    volume, currency = cause("volume", 1, "$50 million"), cause("currency", -1, "$10 million", role="offset")
    found = driver(volume, currency, change="$40 million", level="$440 million")
    assert bars(found) == [
        ("before", "total", "400 m USD"),
        ("volume", "up", "+50 m USD"),
        ("currency", "down", "−10 m USD"),
        ("after", "total", "440 m USD"),
    ]
    first, volume_step, _, last = waterfall_steps(found)
    assert volume_step.low == pytest.approx(first.high) and last.high <= 1 and first.low == 0


def test_what_the_causes_leave_open_is_a_bar():
    found = driver(cause("volume", 1, "$30 million"), cause("price", 1), change="$40 million")
    assert bars(found) == [
        ("volume", "up", "+30 m USD"),
        ("not broken down", "rest", "+10 m USD"),
        ("change", "total", "40 m USD"),
    ]


def test_a_fall_by_two_amounts_without_a_total():
    found = driver(cause("fees", -1, "$3 million"), cause("rent", -1, "$1 million"), direction="down")
    assert bars(found)[-1] == ("change", "total", "−4 m USD")
    assert all(0 <= step.low <= step.high <= 1 for step in waterfall_steps(found))


@pytest.mark.parametrize(
    "found",
    [driver(cause("volume", 1)), driver(cause("volume", 1, "$3 million")), driver(cause("rates", 0, "$3 million"))],
)
def test_no_picture_without_amounts(found):
    assert waterfall_steps(found) == []


def test_amounts():
    assert shown_amount(Decimal(150_000_000), "CNY", "zh") == "1.5 亿 CNY"
    assert shown_amount(Decimal("-270"), "bp", signed=True) == "−270 bp"


def test_texts_of_documents_are_escaped():
    evil = "<script>alert(1)</script>"
    page = drivers_html([driver(cause(evil, 1, causes=(cause(evil, 1),)), text=evil)], evil)
    assert "<script>alert" not in page and "&lt;script&gt;" in page


def test_a_chinese_page():
    page = drivers_html([driver(cause("汇兑收益减少", -1, category="currency"), text="财务费用下降")], "四方科技")
    assert 'lang="zh"' in page and "汇率" in page
