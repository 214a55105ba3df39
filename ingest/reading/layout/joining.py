"""Lines of one sentence put together: blanks between them, hyphens at line ends undone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property

from ....core.rules import load_rules
from ..block import Piece, PrintedLine
from .paragraphs import HAN, LineStart

_BROKEN = re.compile(r"(?<![^\W\d_])([^\W\d_]{2,})-\n([^\W\d_]+)")
"""A word over the end of a line."""
_WORD_START = re.compile(r"^([^\W\d_]+)")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SOFT_HYPHEN = "\u00ad"
_SEAMLESS = re.compile(rf"{_SOFT_HYPHEN}\n|{HAN.pattern}\n{HAN.pattern}")
"""What stands on both sides of a line break that leaves no blank."""

StartedLine = tuple[PrintedLine, LineStart]
"""A line and how it goes on after the line before it."""

_NO_LINE: StartedLine = (PrintedLine("", 0), LineStart.NEW_BLOCK)


def joint(before: str, after: str) -> str:
    """What stands between two lines of one sentence: nothing after a hyphen or between Chinese, else a blank.

    >>> joint("归属于上市公司股东", "的净利润"), joint("net", "sales"), joint("long-", "term")
    ('', ' ', '')
    """
    seam = f"{before[-1:]}\n{after[:1]}"
    if _SEAMLESS.match(seam) or _is_compound(before, after):
        return ""
    return " "


def _is_compound(before: str, after: str) -> bool:
    """True where a letter and a hyphen end the line and a word begins the next one."""
    if not before.endswith("-"):
        return False
    return before[-2:-1].isalpha() and _WORD_START.match(after) is not None


class Joiner:
    """Joins lines to pieces; knows the document's words, so that a hyphen at a line's end is undone or kept."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts

    def pieces(self, lines: Sequence[StartedLine]) -> tuple[Piece, ...]:
        """One piece a line; how the first line starts is ignored."""
        pieces: list[Piece] = []
        before = ""
        for (line, start), (follower, follower_start) in zip(lines, [*lines[1:], _NO_LINE], strict=False):
            text = _without_soft_hyphens_inside(line.text)
            between = joint(before, text) if start is LineStart.GOES_ON else "\n"
            if follower_start is LineStart.GOES_ON and self.is_broken_word(text, follower.text):
                text = text[:-1]
            pieces.append(Piece(text.replace(_SOFT_HYPHEN, ""), line.page, line.box, between))
            before = line.text
        return tuple(pieces)

    def is_broken_word(self, before: str, after: str) -> bool:
        """True where the hyphen at the end of ``before`` was put there by the line break alone."""
        if before.endswith(_SOFT_HYPHEN):
            return True
        found = _BROKEN.search(f"{before}\n{after}")
        if found is None or not found[2].islower():
            return False
        first, second = found[1].lower(), found[2]
        if first + second in self._vocabulary:
            return True
        if first in _compound_parts() or f"{first}-{second}" in self._vocabulary:
            return False
        is_third_part = before[: found.start()].endswith("-")
        return not is_third_part

    @cached_property
    def _vocabulary(self) -> set[str]:
        """The words of the document in lower case, compounds with their hyphens."""
        words: set[str] = set()
        for text in self._texts:
            words.update(map(str.lower, _WORD.findall(text)))
        return words


@cache
def _compound_parts() -> frozenset[str]:
    """First parts of compounds that keep their hyphen ("long-term")."""
    return frozenset(load_rules(__package__, "hyphens.toml")["hyphen"]["keep"].split())


def _without_soft_hyphens_inside(text: str) -> str:
    """The text without soft hyphens; one at its very end tells that a word goes on, so all stay as they are."""
    return text if text.endswith(_SOFT_HYPHEN) else text.replace(_SOFT_HYPHEN, "")
