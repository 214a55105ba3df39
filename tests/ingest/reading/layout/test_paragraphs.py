"""Lines to paragraphs, and hyphens at line ends."""

from __future__ import annotations

from itertools import pairwise

from cliquerag.ingest.reading.block import PrintedLine, join
from cliquerag.ingest.reading.layout.paragraphs import Geometry, Joiner, Relation, is_list_item, relation


def line(text: str, y: float, x: float = 50, right: float = 500, page: int = 1, size: float = 10) -> PrintedLine:
    return PrintedLine(text, page, (x, y, right, y + 10), size)


def relations(lines: list[PrintedLine]) -> list[Relation]:
    geometry = Geometry.of(lines)
    return [relation(before, after, geometry) for before, after in pairwise(lines)]


def test_full_lines_go_on_and_a_gap_starts_anew() -> None:
    lines = [
        line("Net sales rose in all regions of the world because", 100),
        line("customers bought more pumps.", 114, right=220),
        line("Costs rose as well, mostly for freight and for wages", 142),
        line("in Asia.", 156, right=90),
    ]
    assert relations(lines) == [Relation.JOIN, Relation.NEW, Relation.JOIN]


def test_short_lines_are_lines_of_their_own() -> None:
    lines = [
        line("Acme Corp", 100, right=110),
        line("12 Main Street", 114, right=130),
        line("A long line to the margin of it", 128),
    ]
    assert relations(lines)[0] is Relation.LINE


def test_rows_of_numbers_are_never_joined() -> None:
    lines = [line("Net sales 1,234 1,100 1,050", 100), line("Costs 900 850 800", 114)]
    assert relations(lines) == [Relation.LINE]


def test_unit_lines_are_never_joined() -> None:
    lines = [line("the table below shows what we sold (all amounts are", 100), line("单位：元 币种：人民币", 114)]
    assert relations(lines) == [Relation.LINE]


def test_a_sentence_runs_over_the_page() -> None:
    first, second = (
        line("The group sold its pumps business, which", 700),
        line("had made losses.", 90, right=150, page=2),
    )
    assert relations([first, second]) == [Relation.JOIN]
    assert relations([line("The group sold it.", 700), second]) == [Relation.NEW]


def test_bullets_are_items_of_a_list() -> None:
    lines = [line("• Sales rose", 100, right=120), line("• Costs fell", 114, right=120)]
    assert relations(lines) == [Relation.LINE]
    assert is_list_item("(iv) the merger") and not is_list_item("-5.2 %")


def joined(*texts: str, vocabulary: str = "") -> str:
    group = [(line(text, 100 + 14 * n), Relation.JOIN) for n, text in enumerate(texts)]
    return join(Joiner([*texts, vocabulary]).pieces(group))


def test_hyphens_of_line_breaks_are_undone() -> None:
    assert joined("the manage-", "ment expects") == "the management expects"
    assert joined("soft\u00ad", "ware") == "software"


def test_hyphens_of_words_stay() -> None:
    assert joined("a long-", "term loan") == "a long-term loan"
    assert joined("a non-", "GAAP measure") == "a non-GAAP measure"
    assert joined("the mark-", "up on it", vocabulary="a mark-up of 5 %") == "the mark-up on it"
    assert joined("the re-", "sale value", vocabulary="resale") == "the resale value"
    assert joined("from 5-", "7 units") == "from 5- 7 units"


def test_chinese_lines_join_without_a_blank() -> None:
    assert joined("归属于上市公司股东", "的净利润") == "归属于上市公司股东的净利润"
