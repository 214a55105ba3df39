"""What counts as a value in a table's cell, and what is a unit line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from ...core.chinese import simplified
from ...core.patterns import on_demand

_NUMBER = on_demand(
    r"(?![$€£¥￥]\s?000)[(\[<>~±+]{0,2}(?:US|HK|RMB|EUR|USD|GBP|Rs\.?)?\s?[-–−—+]?\s?[$€£¥￥]?\s?[-–−+(]?\s?"
    r"(?:\d{1,3}(?:[,，. '’]\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:[.,]\d+)?|[.,]\d+)"
    r"\s?[)\]]?\s?(?:[%％‰]|x|p|bps|pts|pp|p\.p\.)?\s?[)\]]?(?:\s?\(\w\)|\s?[*†‡]+|[¹²³])?"
)
_NOTHING = on_demand(r"[$€£¥]?\s?\(?[-—–−‒―]+\)?\s?%?|n/?a\.?|n\.a\.?|nm|n\.m\.?|不适用|\.{2,3}", re.IGNORECASE)
_YEAR = on_demand(r"\(?(?:FY|CY)?(?:19|20)\d\d(?:/\d\d)?[AEFPaef]?\)?年?度?(?:\s?\(\w\)|\*)?")
_FOUR_DIGITS = on_demand(r"\d{4}")
_WORD_STARTS = frozenset('abcdefghijklmopqrstuvwxyzABDFIJKLMOPQSTVWXYZ"“‘&')
"""Characters that begin words but no value; most texts of a page are told apart by their first character."""
_CUT_NUMBER = on_demand(r"[-–(]?\d{1,3}(?:,\d{3})*(?:\.|,\d{0,2}) \d+\)?")
"""A number whose rest stands on the next line, as both lines look with a space between."""
_TWO_CHINESE = on_demand(r"[\u3000-\u9fff\uff00-\uffef]{2}")


def is_number(text: str) -> bool:
    """True for a printed number with its sign, currency, per cent sign and footnote mark; "£000" heads a column.

    >>> [is_number(t) for t in ("(1,234)", "$ 5.2", "12.5 %", "1 234 567", "Note 5", "—", "£000")]
    [True, True, True, True, False, False, False]
    """
    return text[:1] not in _WORD_STARTS and _NUMBER.fullmatch(simplified(text)) is not None


def is_value(text: str) -> bool:
    """True for a number or a mark that stands for none ("—", "n/a")."""
    return text[:1] not in _WORD_STARTS and _is_value(text)


@lru_cache(maxsize=8192)
def _is_value(text: str) -> bool:
    return is_number(text) or _NOTHING.fullmatch(text) is not None


def begins_word(text: str) -> bool:
    """True for a text that its first character shows to be no value: most words of a page."""
    return text[:1] in _WORD_STARTS


def is_year(text: str) -> bool:
    """True for a bare year: a number that heads a column more often than it fills a cell."""
    return _YEAR.fullmatch(text) is not None


_AMONG_SIGNS = on_demand(r"\d[\d.,]*")
_COMMA_IS_POINT = on_demand(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,(?:\d{1,2}|\d{4,})")
_POINT_IS_POINT = on_demand(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.(?:\d{1,2}|\d{4,})|0\.\d{3}")
"""A comma before three digits parts thousands: notes are numbered "4,12" in tables of English reports, too."""


def has_decimal_commas(cells: Iterable[str]) -> bool | None:
    """True where numbers are printed as on the European continent, "1.234,5"; False for "1,234.5".

    None where no number tells: "1.234" may be either.

    >>> has_decimal_commas(["1.234", "12,1"]), has_decimal_commas(["1,234", "12.1"]), has_decimal_commas(["1.234"])
    (True, False, None)
    """
    numbers = [found[0] for cell in cells if is_number(cell) and (found := _AMONG_SIGNS.search(cell))]
    if any(map(_POINT_IS_POINT.fullmatch, numbers)):
        return False
    return True if any(map(_COMMA_IS_POINT.fullmatch, numbers)) else None


def kind(text: str) -> str:
    """One letter for what a cell holds: "n" a number, "y" a year, "m" a mark for none, "w" words, " " nothing.

    >>> "".join(map(kind, ("Net sales", "$ 5.2", "2022", "—", "")))
    'wnym '
    """
    if not text:
        return " "
    if not is_value(text):
        return "w"
    if is_year(text):
        return "y"
    return "n" if is_number(text) else "m"


def are_successive(texts: Sequence[str]) -> bool:
    """True for two or more years, each the one before or after its neighbour: heads of columns, whatever stands beside.

    >>> are_successive(["2025", "2024", "2023"]), are_successive(["2025", "2030"]), are_successive(["2025"])
    (True, False, False)

    They may begin anew for each group of columns:

    >>> are_successive(["2023", "2022", "2023", "2022"]), are_successive(["2023", "2022", "2023"])
    (True, False)
    """
    if not all(map(is_year, texts)):
        return False
    years = [int(_FOUR_DIGITS.findall(text)[0]) for text in texts]
    group = _first_group(years)
    steps = {following - year for year, following in pairwise(group)}
    return steps in ({1}, {-1})


def _first_group(years: Sequence[int]) -> Sequence[int]:
    """The years before the first comes again, where all the others repeat them; else all."""
    size = years.index(years[0], 1) if years[0] in years[1:] else len(years)
    times, left_over = divmod(len(years), size)
    repeats_all = not left_over and list(years) == list(years[:size]) * times
    return years[:size] if repeats_all else years


def joined(left: str, right: str) -> str:
    """Two lines of one cell as one text: a number cut in two is whole again, Chinese goes on without a space.

    >>> joined("1,132,603,716.", "40"), joined("会计师", "事务所"), joined("Net", "income")
    ('1,132,603,716.40', '会计师事务所', 'Net income')
    """
    if not left:
        return right
    if not right:
        return left
    is_chinese = _TWO_CHINESE.fullmatch(left[-1] + right[0])
    if is_chinese or _is_cut_word(left, right) or _is_cut_number(left, right):
        return left + right
    return f"{left} {right}"


def _is_cut_word(left: str, right: str) -> bool:
    """True for "non-" and "current"."""
    ends_in_hyphen = left[-1] == "-" and left[-2:-1].isalpha()
    return ends_in_hyphen and right[0].islower()


def _is_cut_number(left: str, right: str) -> bool:
    """True for "1,132,603,716." and "40"."""
    looks_cut = _CUT_NUMBER.fullmatch(f"{left} {right}")
    return looks_cut is not None and is_number(left + right)


_WORDS = r"\b(?:thousands?|millions?|billions?|lakhs?|crores?)\b"
_UNIT = on_demand(
    rf"[(（\[][^()（）]{{0,80}}{_WORDS}[^()（）]{{0,140}}[)）\]]"
    rf"|(?:[A-Za-z$€£ ,]{{0,40}}\b)?(?:in|expressed in|dollars|amounts)\b[^()\d.;]{{0,30}}{_WORDS}[^()\d.;]{{0,60}}"
    r"|[(（\[]\s*(?:US\s?)?[$€£¥]?\s?(?:0{3}s?|mm?|mn|bn)\s*[)）\]]"
    rf"|(?:[A-Z]{{3}}|(?:US|HK|A|C)?[$€£¥])\s?(?:{_WORDS}|['’]?0{{3}}s?\b|(?:mm?|mn|bn)\b)"
    r"|.{0,30}(?:单位|币种|金额单位)\s*[:：].{0,60}|.{0,20}[（(]?人民币(?:百万|千|万)?元[)）]?"
    r"|[(（].{0,40}以.{1,12}元为单位[)）]?",
    re.IGNORECASE,
)
_SHARED_UNIT = on_demand(
    rf"[(（\[][^()（）]{{0,200}}?{_WORDS}[^()（）]{{0,200}}[)）\]]"
    r"|[(（]\s*(?:[$€£¥]|单位|RMB|US\$)(?!\s?\d{1,3}[,.)])[^()（）]{0,30}[)）]",
    re.IGNORECASE,
)
_SENTENCE_END = on_demand(r"[a-z]{3}\.$|[。；;]$")


def is_unit_line(text: str) -> bool:
    """True for "(in millions, except per share data)", "单位：元 币种：人民币".

    >>> is_unit_line("(Dollars in thousands)"), is_unit_line("Revenue grew in millions of homes and beyond it all.")
    (True, False)
    >>> is_unit_line("單位：新台幣仟元")
    True
    """
    return _UNIT.fullmatch(simplified(text.strip())) is not None and not _SENTENCE_END.search(text)


def shared_unit(text: str) -> str:
    """The unit in parentheses within a title or head; "" where there is none.

    >>> shared_unit("Segment results (in thousands)")
    '(in thousands)'
    """
    found = _SHARED_UNIT.search(text)
    if found is None:
        return ""
    return found.group()
