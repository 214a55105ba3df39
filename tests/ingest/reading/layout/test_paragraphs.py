"""Lines to paragraphs and lists."""

from __future__ import annotations

from itertools import pairwise

from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.layout.paragraphs import Geometry, LineStart, is_list_item, line_start


def line(text: str, y: float, x: float = 50, right: float = 500, page: int = 1, size: float = 10) -> PrintedLine:
    return PrintedLine(text, page, (x, y, right, y + 10), size)


def relations(lines: list[PrintedLine]) -> list[LineStart]:
    geometry = Geometry.of(lines)
    return [line_start(before, after, geometry) for before, after in pairwise(lines)]


def test_full_lines_go_on_and_a_gap_starts_anew() -> None:
    lines = [
        line("Net sales rose in all regions of the world because", 100),
        line("customers bought more pumps.", 114, right=220),
        line("Costs rose as well, mostly for freight and for wages", 142),
        line("in Asia.", 156, right=90),
    ]
    assert relations(lines) == [LineStart.GOES_ON, LineStart.NEW_BLOCK, LineStart.GOES_ON]


def test_short_lines_are_lines_of_their_own() -> None:
    lines = [
        line("Acme Corp", 100, right=110),
        line("12 Main Street", 114, right=130),
        line("A long line to the margin of it", 128),
    ]
    assert relations(lines)[0] is LineStart.NEW_LINE


def test_rows_of_numbers_are_never_joined() -> None:
    lines = [line("Net sales 1,234 1,100 1,050", 100), line("Costs 900 850 800", 114)]
    assert relations(lines) == [LineStart.NEW_LINE]


def test_unit_lines_are_never_joined() -> None:
    lines = [line("the table below shows what we sold (all amounts are", 100), line("单位：元 币种：人民币", 114)]
    assert relations(lines) == [LineStart.NEW_LINE]


def test_a_sentence_runs_over_the_page() -> None:
    first, second = (
        line("The group sold its pumps business, which", 700),
        line("had made losses.", 90, right=150, page=2),
    )
    assert relations([first, second]) == [LineStart.GOES_ON]
    assert relations([line("The group sold it.", 700), second]) == [LineStart.NEW_BLOCK]


def test_bullets_are_items_of_a_list() -> None:
    lines = [line("• Sales rose", 100, right=120), line("• Costs fell", 114, right=120)]
    assert relations(lines) == [LineStart.NEW_LINE]
    assert is_list_item("(iv) the merger") and not is_list_item("-5.2 %")
