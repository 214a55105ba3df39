"""The figures that a question names: by the canonical name of a metric, by further words, or by words alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ....core.names import is_chinese
from ....core.rules import load_rules
from ....core.words import question_words, search_words
from .metric_mentions import Named, without_marks

_JOINED = re.compile(r"(?:(?<!\s)\s+)?(?:,|;|、|，|\band\b|&|和|及|与|以及)\s*")
_TOTAL = re.compile(r"\btotal\s+$", re.IGNORECASE)
_TELLING = re.compile(
    r"\b(?:other|non|excluding|before|after|per|current(?! (?:year|period|quarter))|state|local|federal|foreign"
    r"|united (?:states|kingdom)|(?<=[a-z] )(?<!the )(?<!a )(?<!what )(?<!which )ratio(?! (?:of|between|to)\b))\b",
    re.IGNORECASE,
)
"""Words that are common elsewhere but tell one row from another."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure named in the question. ``name`` is canonical, empty where no list has it.

    ``words`` are the further words that the row has to hold: what narrows the metric, or, without a name, names it.
    """

    text: str
    name: str = ""
    words: tuple[str, ...] = ()
    written: str = ""
    """The name as the question writes it."""


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that tell rows apart, as stems: without words of asking, of time and of reporting.

    >>> content_words("the reported amount of Cloud services revenue in the balance sheet")
    ('cloud', 'servic', 'revenu')
    """
    if is_chinese(text):
        return tuple(part for part in _zh_filler().split(text) if len(part) > 1)
    words = [word for word in question_words(text) if word not in _en_filler()]
    telling = [word.lower() for word in _TELLING.findall(text)]
    return tuple(dict.fromkeys((*words, *telling)))


def read_operand(named: Named, text: str) -> Operand | None:
    """The one figure that a part of the question names: its longest name, all other words narrowing it."""
    marks = named.marks(text)
    whole = " ".join(named.unmasked(text).split())
    if not marks:
        words = content_words(without_marks(text))
        return Operand(whole, "", words) if words or len(whole) > 1 else None
    best = max(marks, key=lambda mark: len(named.written[mark]))
    name, written = named.names[best], named.written[best]
    others = [named.written[mark] for mark in marks if named.names[mark] != name]
    words = content_words(" ".join((without_marks(text), *others)))
    if _TOTAL.search(text[: text.find(f"qqm{best}qq")]):
        written = f"total {written}"
    return Operand(whole, name, words, written)


def read_each(named: Named, parts: Sequence[str]) -> tuple[Operand, ...]:
    """The figures of parts of the question; parts that name none are left out."""
    operands = (read_operand(named, part) for part in parts)
    return tuple(operand for operand in operands if operand is not None)


def read_operands(named: Named, text: str, *, split: bool = True) -> tuple[Operand, ...]:
    """Figures joined by "and" or commas, if each part names one; else a single one.

    ``split`` also takes parts for figures of which no list has the name.
    """
    parts = [part for part in _JOINED.split(text) if part and _names_something(named, part)]
    with_names = [part for part in parts if named.marks(part)]
    if len(parts) > 1 and len(with_names) == len(parts):
        return read_each(named, parts)
    if is_chinese(text) and len(named.marks(text)) > 1:
        return tuple(_of_mark(named, mark) for mark in named.marks(text))
    if len(parts) > 1 and split and not with_names:
        return read_each(named, parts)
    return read_each(named, [text])


def _names_something(named: Named, part: str) -> bool:
    return bool(named.marks(part) or content_words(without_marks(part)))


def _of_mark(named: Named, mark: int) -> Operand:
    written = named.written[mark]
    return Operand(written, named.names[mark], written=written)


@cache
def _en_filler() -> frozenset[str]:
    return frozenset(search_words(_filler()["en"]))


@cache
def _zh_filler() -> re.Pattern[str]:
    words = sorted(_filler()["zh"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)) + r"|[^\u4e00-\u9fff]+")


def _filler() -> Any:
    return load_rules(__package__, "request.toml")["filler"]
