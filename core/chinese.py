"""Traditional and simplified Chinese in one comparable form, and the years of Taiwan's calendar in the common one."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from .rules import load_rules

_HAN = re.compile(r"[\u4e00-\u9fff\uff05\uff0d\uff0e\uff10-\uff19]")
_OF_FIGURES = {ord(wide): plain for wide, plain in zip("０１２３４５６７８９．－％", "0123456789.-%", strict=True)}
"""What figures are written with, as wide as a Chinese character."""
_MINGUO = 1911
"""What a year of the Republic (民國) lacks to the common era: 112 is 2023."""
_MINGUO_YEAR = re.compile(
    r"(?:民[國国]\s{0,3}(\d{2,3})(?=\s{0,3}年)|(?<![\d.,])(1[0-4]\d)(?=\s{0,3}年\s{0,3}(?:度|底|末|第|前|上半|下半|\d{1,2}\s{0,3}月)))"
)
"""A year of three digits is one only where a date or a reporting period follows: "100 年歷史" is a length of time."""
_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\]){0,1000}\]|[^\\\[]+|\[", re.DOTALL)
"""A regular expression as escapes, sets and what is between."""


def simplified(text: str) -> str:
    """The text in simplified characters, one for one, so that places in it stay; other text comes back as it is.

    For comparing only: which of several traditional characters was meant is lost. Wide figures become narrow ones.

    >>> simplified("營業收入４．２億"), simplified("Revenue")
    ('营业收入4.2亿', 'Revenue')
    """
    if text.isascii() or not _HAN.search(text):
        return text
    return text.translate(_plain_forms())


def both_scripts(pattern: str) -> str:
    """A regular expression that finds what is written in either script, from one in simplified characters.

    >>> both_scripts("营业[收利]"), both_scripts("net sales")
    ('[营營][业業][收利]', 'net sales')
    """
    if pattern.isascii():
        return pattern
    return "".join(_widened(part) for part in _PARTS.findall(pattern))


def western_years(text: str) -> str:
    """The text with the years of Taiwan's calendar as those of the common era.

    >>> western_years("民國112年及111年9月30日"), western_years("100年歷史")
    ('2023年及2022年9月30日', '100年歷史')
    """
    return _MINGUO_YEAR.sub(_western, text) if "年" in text else text


def _western(match: re.Match[str]) -> str:
    return str(int(match[1] or match[2]) + _MINGUO)


@lru_cache(maxsize=4096)
def _widened(part: str) -> str:
    """A part of a regular expression: in a set the other forms are added, elsewhere a character becomes a set."""
    variants = _variants()
    if part.startswith("\\"):
        return part
    if not part.startswith("["):
        return "".join(f"[{char}{variants[char]}]" if char in variants else char for char in part)
    inside = part[1:-1]
    added = "".join(variants.get(char, "") for char in inside)
    return f"[{inside}{added}]"


@cache
def _to_simplified() -> dict[int, str]:
    rules = load_rules(__package__, "chinese.toml")
    traditional, simple = ("".join(rules[script].split()) for script in ("traditional", "simplified"))
    return {ord(one): other for one, other in zip(traditional, simple, strict=True)}


@cache
def _plain_forms() -> dict[int, str]:
    return _to_simplified() | _OF_FIGURES


@cache
def _variants() -> dict[str, str]:
    """Simplified character -> the traditional ones that it stands for."""
    variants: dict[str, str] = {}
    for code, simple in _to_simplified().items():
        variants[simple] = variants.get(simple, "") + chr(code)
    return variants
