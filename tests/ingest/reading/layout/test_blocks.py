"""Lines of one sentence put together, and hyphens at line ends."""

from __future__ import annotations

from cliquerag.ingest.reading.block import PrintedLine, join
from cliquerag.ingest.reading.layout.blocks import Joiner
from cliquerag.ingest.reading.layout.paragraphs import LineStart


def joined(*texts: str, vocabulary: str = "") -> str:
    group = [(PrintedLine(text, 1), LineStart.GOES_ON) for text in texts]
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
