"""The company that a headline speaks of beside other words: "Credit memo: Acme AS", "Acme Mining - notes on the
quarter", "Acme Retail (ACMR)", "明川医疗（688512）".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from ...core.period_text import find_periods
from .names_in_print import (
    Issuer,
    is_capitalised,
    is_company,
    is_full_name,
    is_generic,
    role_of_others,
    without_report_titles,
)

_LINES = 6
"""First lines that may be headlines."""
_LONGEST = 110
"""Characters of a headline."""
_WITH_TICKER = re.compile(
    r"(?P<name>[A-Z][\w&.,’' -]{2,60}?)\s*\((?:[A-Z]{2,6}[: ]\s?)?(?P<ticker>[A-Z]{2,5}(?:\.[A-Z]{1,2})?)\)"
)
_WITH_CODE = re.compile(
    r"(?!.{0,40}(?:代码|代號|[Nn]o\.|[Nn]umber|\bID)\s*[(（])"
    r"(?P<name>[*\u4e00-\u9fffA-Z]{2,10}?|[A-Z][\w&.,’' -]{2,60}?)\s*"
    r"[(（](?P<ticker>(?:[036]0|68|[48]\d|92)\d{4})(?:\.[A-Z]{2})?[)）][^(（]*"
)
"""A Chinese stock's code, which stands behind the name that a headline is about: "明川医疗（688512）：深度报告"; the
other numbers of six digits are of the post or a file."""
_QUOTED = r"[(（]\d{1,5}\.\d{1,3},\s?[-+]?\d{1,4}\.\d{1,3},\s?[-+]?\d{1,3}\.\d{1,3}%[)）]"
"""The price of a stock, what it moved by, and by how much in per cent."""
_OF_BROKER = re.compile(
    r"(?:原标题[：:]\s{0,3})?(?:[^：:()（）]{2,12}[：:]\s{0,3})?(?:[\u4e00-\u9fff]{2,4}将)?"
    r"(?:重申|维持|给予|首予|首次|上调|下调|调升|调降|看好|看淡|将|对|予|升|降){0,2}"
    r"(?P<name>[\u4e00-\u9fffA-Z]{2,10}?)\s{0,2}"
    rf"(?:(?:{_QUOTED})?[(（](?P<ticker>0\d{{4}}|\d{{4,5}}\.HK|[036]0\d{{4}}(?:\.S[HZ])?)[)）]|{_QUOTED}).*"
)
"""A headline that names a stock behind what a broker does: "富瑞：维持快手(01024.HK)买入评级"."""
_PARTS = re.compile(r":\s+|\s[–—-]\s|\s{3,}|\t")
_REPLY = re.compile(r"^(?:subject|re|fwd?|aw)\s*:\s*", re.IGNORECASE)
_WITHOUT_CHINESE = re.compile(r"^[^\u3400-\u9fff]{1,200}$")
_MOST_WORDS = 4
"""Words of a name without a legal form."""
_SENTENCE_END = (".", "。", "?", "？", "!")


def headline_issuer(lines: Sequence[str]) -> Issuer:
    """The company of a headline; one without a legal form has a period behind it or comes back in the text.

    >>> headline_issuer(["Credit memo: Acme Shipping AB"]).company, headline_issuer(["Acme Retail (ACMR)", "x"]).ticker
    ('Acme Shipping AB', 'ACMR')
    """
    headlines = [_REPLY.sub("", line.strip(" #*|")) for line in lines[:_LINES]]
    below = "\n".join(lines[1:])
    return next(islice(_named(headlines, below), 1), Issuer())


def _named(headlines: Sequence[str], below: str) -> Iterator[Issuer]:
    """What the headlines name, the surest first."""
    shown = [line for line in headlines if len(line) <= _LONGEST and not _is_sentence(line)]
    yield from _with_symbol(shown, _WITH_TICKER)
    yield from _with_symbol(shown, _WITH_CODE)
    yield from _with_symbol(shown, _OF_BROKER)
    parts = [list(map(str.strip, _PARTS.split(line))) for line in shown]
    yield from (Issuer(part) for part in chain.from_iterable(parts) if is_full_name(part) and _is_name(part))
    opening = ((first, others) for first, *others in parts[:1])
    yield from (Issuer(name) for name, others in opening if _is_plain_name(name) and _is_subject(others, name, below))


def _with_symbol(shown: Sequence[str], form: re.Pattern[str]) -> Iterator[Issuer]:
    """Headlines of a name with its ticker or code."""
    for found in filter(None, map(form.fullmatch, shown)):
        if _is_name(found["name"]):
            yield Issuer(found["name"].strip(), found.groupdict("")["ticker"])


def _is_subject(others: Sequence[str], name: str, below: str) -> bool:
    """True where a period stands behind the name, or it comes back in the text."""
    return bool(others) and (name in below or bool(find_periods(" ".join(others))))


def _is_sentence(line: str) -> bool:
    return line.endswith(_SENTENCE_END) and not is_full_name(_PARTS.split(line)[-1])


def _is_name(part: str) -> bool:
    is_title = not without_report_titles(part)
    return is_company(part) and not (is_title or is_generic(part) or role_of_others(part))


def _is_plain_name(part: str) -> bool:
    """True for a few words with capitals."""
    words = "".join(_WITHOUT_CHINESE.findall(part)).split()
    is_short = 1 < len(words) <= _MOST_WORDS and is_capitalised(part) and not part[-1].isdigit()
    return is_short and _is_name(part)
