"""Lines of symbols and repeated lines."""

from __future__ import annotations

from cliquerag.ingest.reading.block import PrintedLine
from cliquerag.ingest.reading.cleaning.line_rules import is_symbol_line, repeated_lines


def test_symbol_lines() -> None:
    assert all(map(is_symbol_line, ["_____", "* * *", "—", "•"]))
    assert not any(map(is_symbol_line, ["☒", "3", "a", "√适用"]))


def test_repeated_lines_are_told_from_repeated_numbers() -> None:
    texts = ["Net sales rose", "Net sales rose", "100", "100", "(in millions)", "(in millions)", "Net sales rose"]
    assert repeated_lines([PrintedLine(text, 1) for text in texts]) == [1]
