"""Raw page text to rows: a label, then its values on the lines after it or on the same line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise, zip_longest

from ...core.chinese import closed_up, western_years
from ...core.names import is_chinese
from ...core.patterns import on_demand
from ...core.records import dataclass, replace
from ...core.sequences import last, runs
from .values import is_value, is_year

_SIGN = re.compile(r"(?:US|HK)?[$€£¥]|\(|\$\s?\(")
_PARENTHESIS = on_demand(r"[()]")
_STRAY = on_demand(r"(?<=\d) [A-Z] (?=\d)")
"""A line under a value that is drawn with a character: "115,211,993 A 100"."""
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
_PART_OF_DATE = on_demand(r"及?\s?(?:中[华華])?(?:民[国國])?[\d\s年月日至及一二三四五六七八九十○〇]{1,80}")
_OF_TWO_YEARS = on_demand(r"(\d{2,4})年?及(\d{2,4})年(\d{1,2}月\d{1,2}日至\d{1,2}月\d{1,2}日)")
"""Of the title, where the columns have no heads: "民國112年及111年1月1日至3月31日"."""
_TENS = on_demand("([二三])?十([一二三四五六七八九])?")
_FIGURES = str.maketrans("一二三四五六七八九○〇", "12345678900")
_DAY_IN_CHINESE = on_demand(r"\d{2,4}年\d{1,2}月\d{1,2}日(?:至(?:\d{2,4}年)?\d{1,2}月\d{1,2}日)?")
_ACCOUNT = on_demand(r"(?P<code>[1-9][\dX]{2}[\dX]|[A-Z]\d{5})(?=\s{1,3}[\u4e00-\u9fff]|$)\s{0,3}")
"""The number of a row in statements of Taiwan, before its name or on the line above: "4000 營業收入", "130X"."""
_OF_NOTES = on_demand(
    r"^(?:附註)?[(（]?[一二三四五六七八九十]{1,3}"
    r"(?:[.、()（）及一二三四五六七八九十]|\d{1,2}(?=[.、及\s]|$)){0,60}(?=[\s(（]|$)\s{0,3}"
)
"""The notes that a row points to, on a line of their own: "六(二十三)及七"."""
_WITH_COMMA = on_demand(r"\d,\d{3}(?!\d)")
_FEWEST_ACCOUNTS = 3


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
    if any(map(is_chinese, printable)):
        printable = _statement_lines(printable)
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


def _statement_lines(lines: Sequence[str]) -> list[str]:
    """Lines of a Chinese page, as many as before: a date on one line, a row's name in one piece on its last line, its
    numbers (of the account, of the notes) left out where the page prints them all along."""
    whole = _with_whole_dates(list(map(closed_up, lines)))
    accounts = list(map(_ACCOUNT.match, map(str.strip, whole)))
    numbered = [match for at, match in enumerate(accounts) if match and _begins_name(match, whole[at + 1 :])]
    if len(numbered) < _FEWEST_ACCOUNTS or not any(map(_WITH_COMMA.search, whole)):
        return whole
    return _with_whole_names(whole, [match in numbered for match in accounts])


def _begins_name(account: re.Match[str], below: Sequence[str]) -> bool:
    """True for the number of an account with a name behind it, or on the next line that is not blank."""
    return is_chinese(account.string[account.end() :] + next(filter(str.strip, below), ""))


def _with_whole_dates(lines: Sequence[str]) -> list[str]:
    """The dates that stand on several lines, or with another, each on the first of its lines, in western years.

    >>> _with_whole_dates(["111年1月1日", "至3月31日", "110年1月1日", "至3月31日", "金額"])
    ['2022年1月1日至3月31日', '2021年1月1日至3月31日', '', '', '金額']
    """
    found: list[str] = []
    for group in runs(lines, lambda group, line: all(map(_is_part_of_date, (group[-1], line)))):
        found += _one_date_a_line(group)
    return found


def _one_date_a_line(group: list[str]) -> list[str]:
    """The dates that neighbouring lines hold, and blank lines up to as many."""
    text = _OF_TWO_YEARS.sub(r"\1年\3\2年\3", _in_figures("".join("".join(group).split())))
    dates = list(map(western_years, _DAY_IN_CHINESE.findall(text)))
    if not (dates and _is_part_of_date(group[0])):
        return group
    printed = dates if len(dates) <= len(group) else [" ".join(dates)]
    return [*printed, *[""] * (len(group) - len(printed))]


def _in_figures(date: str) -> str:
    """A date with its numbers in figures: "一一○年十二月三十一日" is 110年12月31日."""
    tens = _TENS.sub(lambda found: f"{found[1] or '一'}{found[2] or '○'}", date)
    return tens.translate(_FIGURES)


def _is_part_of_date(line: str) -> bool:
    return _PART_OF_DATE.fullmatch(line) is not None


def _with_whole_names(lines: Sequence[str], is_account: Sequence[bool]) -> list[str]:
    """The name of a row, from the number of its account to its values, on the first of its lines.

    >>> _with_whole_names(["5000", "營業", "成本", "六(七)及", "七", "(80)"], [True, *[False] * 5])
    ['營業成本', '', '', '', '', '(80)']
    """
    found: list[str] = []
    begun = -1
    for line, is_numbered in zip(lines, is_account, strict=True):
        text = line.strip()
        if is_numbered:
            begun = len(found)
            found.append(_ACCOUNT.sub("", text, 1))
            continue
        is_within = begun >= 0 and is_chinese(text) and _is_open(found[begun])
        rest = text if is_within else _OF_NOTES.sub("", text, 1)
        if begun >= 0 and is_chinese(rest):
            found[begun] += rest
            found.append("")
            continue
        found.append(line if is_chinese(rest) else rest)
        begun = -1 if rest else begun
    return found


def _is_open(name: str) -> bool:
    """True where a bracket goes on in the next line: "利息收入（附註二十"."""
    return name.count("（") + name.count("(") > name.count("）") + name.count(")")


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
    if not is_value("".join(values[:1])):  # words, or the sign over a column
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
    if is_value(text):
        return [" ".join(text.split())]
    spaced = _STRAY.sub(" ", _PARENTHESIS.sub(r" \g<0> ", text))
    return next(filter(_are_tokens, (text.split(), spaced.split())), None)


def _are_tokens(texts: Sequence[str]) -> bool:
    return all(map(_is_token, texts))


def _is_token(text: str) -> bool:
    if _SIGN.fullmatch(text) or _TAIL.fullmatch(text):
        return True
    return is_value(text)
