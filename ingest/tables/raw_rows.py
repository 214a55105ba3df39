"""Raw page text to rows: a label, then its values on the lines after it or on the same line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from .values import is_value, is_year

_SIGN = re.compile(r"(?:US|HK)?[$€£¥]|\(|\$\s?\(")
_TAIL = re.compile(r"\)|%|\)%|\)\s?%")
_INLINE = re.compile(r"(?P<label>.*?\S)(?P<values>(?:\s{2,}\S+(?: \S{1,3})?)+)")
_OPEN_DATE = re.compile(
    r"(?:.*\b)?(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2},",
    re.IGNORECASE,
)
_LONGEST_OPEN_DATE = 24
_MAX_LABELS = 12
"""Lines of words kept above a row: its sections, and the heads over the first one."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A line that is not blank, and its number on the page."""

    text: str
    number: int


@dataclass(slots=True)
class RawRow:
    """Values with the words before them. ``first`` and ``last`` are line numbers, ``at`` and ``to`` printed lines."""

    label: str
    values: list[str]
    first: int
    last: int
    at: int
    to: int
    labels: list[str] = field(default_factory=list)
    """Lines of words above that belong to no other row."""

    @property
    def is_years(self) -> bool:
        return not self.label and all(map(is_year, self.values))


def printed_lines(lines: Sequence[str]) -> list[Printed]:
    """Lines with something on them; "December 2," and the year on the next line become one, but for a run of years."""
    texts = ((line.replace("\u00a0", " ").strip(), number) for number, line in enumerate(lines))
    filled = [Printed(text, number) for text, number in texts if text]
    printed: list[Printed] = []
    for line, follower in zip_longest(filled, filled[1:]):
        is_run = follower is not None and is_year(follower.text)
        if printed and is_year(line.text) and not is_run and is_open_date(printed[-1].text):
            printed[-1] = Printed(f"{printed[-1].text} {line.text}", printed[-1].number)
        else:
            printed.append(line)
    return printed


def is_open_date(text: str) -> bool:
    """True for a day whose year stands elsewhere: "December 2,"."""
    return len(text) < _LONGEST_OPEN_DATE and _OPEN_DATE.fullmatch(text) is not None


def raw_rows(printed: Sequence[Printed]) -> Iterator[RawRow]:
    """Rows in order; a run of years is a row without a label."""
    words: list[int] = []
    at = 0
    while at < len(printed):
        inline = _inline(printed[at].text)
        if inline is not None:
            yield _row(printed, words, inline[0], inline[1], at, at)
            words, at = [], at + 1
            continue
        values, last = _values(printed, at)
        if not values:
            words = [*words[-_MAX_LABELS:], at]
            at += 1
            continue
        if all(map(is_year, values)):
            yield RawRow(
                "", values, printed[at].number, printed[last].number, at, last, [printed[w].text for w in words]
            )
        else:
            yield _row(printed, words, "", values, words[-1] if words else at, last)
        words, at = [], last + 1


def _inline(text: str) -> tuple[str, list[str]] | None:
    match = _INLINE.fullmatch(text)
    if match is None:
        return None
    values = re.split(r"\s{2,}", match["values"].strip())
    if is_value(match["label"]) or _SIGN.fullmatch(match["label"]) or not all(map(is_value, values)):
        return None
    return match["label"], values


def _row(printed: Sequence[Printed], words: Sequence[int], own: str, values: list[str], at: int, last: int) -> RawRow:
    """The label is the last line of words, with those before it that it goes on from."""
    texts = [printed[w].text for w in words] + ([own] if own else [])
    start = max(0, len(texts) - 1)
    while start and texts[start][:1].islower() and len(texts[start - 1]) > 12:
        start -= 1
    label = " ".join(texts[start:])
    return RawRow(label, values, printed[at].number, printed[last].number, at, last, texts[:start])


def _values(printed: Sequence[Printed], at: int) -> tuple[list[str], int]:
    """The values from a line on, signs joined to their numbers, and the last line used."""
    values: list[str] = []
    sign, last = "", at
    while at < len(printed):
        tokens = _tokens(printed[at].text)
        if tokens is None:
            break
        for token in tokens:
            if _SIGN.fullmatch(token):
                sign += token if token.endswith("(") else f"{token} "
            elif _TAIL.fullmatch(token) and values:
                values[-1] += token if token.startswith(")") else f" {token}"
            else:
                values.append(f"{sign}{token}")
                sign = ""
        last = at
        at += 1
    return values, last


def _tokens(text: str) -> list[str] | None:
    """The signs and values that make up a line; None for a line of words."""
    if is_value(text):
        return [" ".join(text.split())]
    tokens = text.split()
    if all(_SIGN.fullmatch(t) or _TAIL.fullmatch(t) or is_value(t) for t in tokens):
        return tokens
    return None
