"""Raw page text to rows: a label, then its values on the lines after it or on the same line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise, zip_longest

from ...core.records import dataclass, replace
from ...core.sequences import last
from .values import is_value, is_year

_SIGN = re.compile(r"(?:US|HK)?[$€£¥]|\(|\$\s?\(")
_TAIL = re.compile(r"\)|%|\)%|\)\s?%")
_INLINE = re.compile(r"(?P<label>.{0,400}?\S)(?P<values>(?:\s{2,}\S+(?: \S{1,3})?)+)")
_GAP = re.compile(r"\s{2,}")
_UNPRINTED = {0xA0: " ", 0x200E: None, 0x200F: None, 0x200B: None}
"""Blanks of all kinds, and marks that are not seen."""
_OPEN_DATE = re.compile(
    r"(?:.*\b)?(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2},"
    r"|fiscal(?: year)?",
    re.IGNORECASE,
)
_LONGEST_OPEN_DATE = 24
_SHORT_LINE = 12
"""Characters up to which a line of words is complete, whatever letter the next one begins with."""
_MAX_LABELS = 12
"""Lines of words kept above a row: its sections, and the heads over the first one."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A line that is not blank, and its number on the page."""

    text: str
    number: int
    closes: bool = False
    """It ends a cell: a blank stands behind its words, or a blank line below it."""


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
        """True for a run of years: the heads of columns."""
        return not self.label and all(map(is_year, self.values))


def printed_lines(lines: Sequence[str]) -> list[Printed]:
    """Lines with something on them; "December 2," and the year on the next line become one, but for a run of years."""
    printable = [line.translate(_UNPRINTED) for line in lines]
    filled = []
    for number, (printed_line, below) in enumerate(pairwise((*printable, ""))):
        if text := printed_line.strip():
            filled.append(Printed(text, number, closes=printed_line[-1] == " " or not below.strip()))
    printed: list[Printed] = []
    for line, follower in zip_longest(filled, filled[1:]):
        begins_run = follower is not None and is_year(follower.text)
        is_lone_year = is_year(line.text) and not begins_run
        if is_lone_year and printed and is_open_date(printed[-1].text):
            day = printed.pop()
            line = Printed(f"{day.text} {line.text}", day.number, line.closes)
        printed.append(line)
    return printed


def is_open_date(text: str) -> bool:
    """True for a day, or a fiscal year, whose year stands elsewhere: "December 2,"."""
    return len(text) < _LONGEST_OPEN_DATE and _OPEN_DATE.fullmatch(text) is not None


def raw_rows(printed: Sequence[Printed]) -> Iterator[RawRow]:
    """Rows in order; a run of years is a row without a label."""
    words: list[int] = []
    at = 0
    while at < len(printed):
        row = _row_at(printed, at, words)
        if row is None:
            words = [*words[-_MAX_LABELS:], at]
            at += 1
        else:
            yield row
            words = []
            at = row.to + 1


def _row_at(printed: Sequence[Printed], at: int, words: Sequence[int]) -> RawRow | None:
    """The row whose first value stands on the printed line ``at``; None for a line of words.

    ``words`` are the printed lines of words before it.
    """
    above = [printed[word].text for word in words]
    inline = _inline(printed[at].text)
    if inline is not None:
        own, values = inline
        return _labelled(printed, [*above, own], values, at, at)
    values, to = _values(printed, at)
    if not values:
        return None
    if all(map(is_year, values)):
        return RawRow("", values, printed[at].number, printed[to].number, at, to, above)
    row = _labelled(printed, above, values, last(words, at), to)
    return replace(row, at=words[len(row.labels)]) if words else row


def _labelled(printed: Sequence[Printed], texts: Sequence[str], values: list[str], at: int, to: int) -> RawRow:
    """The label is the last of the lines of words, with those before it that it goes on from."""
    start = max(0, len(texts) - 1)
    while start and texts[start][:1].islower() and len(texts[start - 1]) > _SHORT_LINE:
        start -= 1
    return RawRow(
        label=" ".join(texts[start:]),
        values=values,
        first=printed[at].number,
        last=printed[to].number,
        at=at,
        to=to,
        labels=list(texts[:start]),
    )


def _inline(text: str) -> tuple[str, list[str]] | None:
    """The label and the values on one line, far apart; None for any other line."""
    match = _INLINE.fullmatch(text)
    if match is None:
        return None
    label = match["label"]
    if is_value(label) or _SIGN.fullmatch(label):
        return None
    values = _GAP.split(match["values"].strip())
    if not all(map(is_value, values)):
        return None
    return label, values


def _values(printed: Sequence[Printed], at: int) -> tuple[list[str], int]:
    """The values from a line on, signs joined to their numbers, and the last line used."""
    values: list[str] = []
    sign = ""
    to = at
    for number in range(at, len(printed)):
        tokens = _tokens(printed[number].text)
        if tokens is None:
            break
        to = number
        for token in tokens:
            if _SIGN.fullmatch(token):
                sign = _spaced(sign + token, "")
            elif values and _TAIL.fullmatch(token):
                values[-1] = _spaced(values[-1], token)
            else:
                values.append(sign + token)
                sign = ""
    return values, to


def _spaced(left: str, right: str) -> str:
    """Both with a space between them, but for the inside of a parenthesis."""
    if left.endswith("(") or right.startswith(")"):
        return left + right
    return f"{left} {right}"


def _tokens(text: str) -> list[str] | None:
    """The signs and values that make up a line; None for a line of words."""
    tokens = text.split()
    if is_value(text):
        return [" ".join(tokens)]
    if not all(map(_is_token, tokens)):
        return None
    return tokens


def _is_token(text: str) -> bool:
    if _SIGN.fullmatch(text) or _TAIL.fullmatch(text):
        return True
    return is_value(text)
