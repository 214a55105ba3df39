"""Finds the names of metrics and formulas in a question and puts marks in their place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ....core.names import is_chinese
from ..vocabulary.formulas import FormulaList

_WORD = re.compile(r"[A-Za-z]+|&")
_BREAK = re.compile(r"[.?!;:()]")
_POSSESSIVE = re.compile(r"['’]s\b")
_LONGEST = 12
_MARK = re.compile(r"qqm(\d+)qq")
_SHORTEST_ZH = 2


@dataclass(frozen=True, slots=True)
class Named:
    """A question in which ``qqm0qq`` stands for ``names[0]``, the canonical name of what was written there."""

    masked: str
    names: tuple[str, ...]
    written: tuple[str, ...]

    def marks(self, text: str) -> list[int]:
        """The marks within a part of the masked question, in order."""
        return [int(number) for number in _MARK.findall(text)]

    def unmasked(self, text: str) -> str:
        """The part as it was written."""
        return _MARK.sub(lambda match: self.written[int(match[1])], text)


def without_marks(text: str) -> str:
    """What is left beside the names.

    >>> without_marks("cloud qqm0qq")
    'cloud  '
    """
    return _MARK.sub(" ", text)


def find_names(text: str, formulas: FormulaList) -> Named:
    """Mask every name, the longest first where several begin at one place."""
    spans = _chinese(text, formulas) if is_chinese(text) else _english(text, formulas)
    masked, at = "", 0
    for number, (start, end, _) in enumerate(spans):
        masked += f"{text[at:start]}qqm{number}qq"
        at = end
    names = tuple(name for _, _, name in spans)
    return Named(masked + text[at:], names, tuple(text[start:end] for start, end, _ in spans))


def _english(text: str, formulas: FormulaList) -> list[tuple[int, int, str]]:
    plain = _POSSESSIVE.sub(lambda match: " " * len(match[0]), text)
    words = [("and" if m[0] == "&" else m[0].lower(), m.start(), m.end()) for m in _WORD.finditer(plain)]
    index = _index(formulas)
    spans, at = [], 0
    while at < len(words):
        length, name = _longest(words, at, index, plain)
        if name:
            spans.append((words[at][1], words[at + length - 1][2], name))
        at += length or 1
    return spans


def _longest(
    words: list[tuple[str, int, int]], at: int, index: Mapping[str, Mapping[tuple[str, ...], str]], text: str
) -> tuple[int, str]:
    known = index.get(words[at][0])
    if not known:
        return 0, ""
    for count in range(min(_LONGEST, len(words) - at), 0, -1):
        name = known.get(tuple(word for word, _, _ in words[at : at + count]))
        broken = not name or _BREAK.search(text, words[at][2], words[at + count - 1][1])
        if name and not broken and not _lists_another(words, at, count, index, text):
            return count, name
    return 0, ""


def _lists_another(
    words: list[tuple[str, int, int]],
    at: int,
    count: int,
    index: Mapping[str, Mapping[tuple[str, ...], str]],
    text: str,
) -> bool:
    """True where a comma within begins the next name of a list: "revenue, net | income"."""
    for after in range(at + 1, at + count):
        if "," in text[words[after - 1][2] : words[after][1]]:
            length, _ = _longest(words, after, index, text)
            if after + length > at + count:
                return True
    return False


def _chinese(text: str, formulas: FormulaList) -> list[tuple[int, int, str]]:
    pattern, names = _chinese_names(formulas)
    return [(m.start(), m.end(), names[m[0].lower()]) for m in pattern.finditer(text)]


@lru_cache(maxsize=8)
def _index(formulas: FormulaList) -> Mapping[str, Mapping[tuple[str, ...], str]]:
    """First word -> (words of a name -> canonical name); formulas go before metrics."""
    index: dict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
    for plain, name in (*formulas.names.items(), *formulas.known.names.items()):
        words = tuple(re.findall(r"[a-z]+", plain))
        if plain.isascii() and words:
            index[words[0]].setdefault(words, name)
    return index


@lru_cache(maxsize=8)
def _chinese_names(formulas: FormulaList) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """All Chinese names, with and without the particle 的."""
    names: dict[str, str] = {}
    for plain, name in (*formulas.names.items(), *formulas.known.names.items()):
        if not plain.isascii() and len(plain) >= _SHORTEST_ZH:
            names.setdefault(plain, name)
            names.setdefault(plain.replace("的", ""), name)
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE), names
