"""Whose a figure is: the subject that a sentence gives it, where that is not the company of the document."""

from __future__ import annotations

import re
from functools import cache

from ...core.names import name_key
from ...core.rules import load_rules

_NAME = r"(?:[A-Z][\w&.-]{0,30})(?:\s(?:of\s|and\s|&\s)?[A-Z][\w&.-]{0,30}){0,5}"
_HAS = (
    "had|has|reported|generated|posted|recorded|achieved|recogni[sz]ed|earned|contributed|delivered|produced|made"
    "|accounted for|brought in"
)
_OWNER = re.compile(
    rf"(?<![\w-])(?P<name>{_NAME})(?:['’]s?\s|\s(?:\([^()]{{1,40}}\)\s|alone\s|itself\s)?(?:{_HAS})\s)(?:[a-z]{{1,15}}\s){{0,4}}$"
)
"""A name right before a figure's: "Dunmore Glass's revenue", "Dunmore Glass had net revenue"."""
_CHINESE_OWNER = re.compile(
    r"(?:子公司|孙公司|参股公司|联营公司|合营公司|合营企业|联营企业)(?P<name>[\u4e00-\u9fffA-Za-z（）()]{2,40}?)"
    r"(?:[（(][^（）()]{1,20}[）)])?(?:(?:本|报告)期|\d{4}年度?)?(?:实现|录得|取得|完成|的)[\u4e00-\u9fff]{0,6}$"
)
_REACH = 160
"""Characters before the name of a figure in which its owner may be named."""


def other_owner(text: str, start: int, company: str) -> str:
    """The company, business or product whose figure is named at ``start``; "" where it is that of ``company``.

    >>> text = "Dunmore Glass's revenue was $41.5 million"
    >>> other_owner(text, text.index("revenue"), "Dunmore Group plc")
    'Dunmore Glass'
    >>> text = "In 2023 Dunmore's revenue was $389.0 million"
    >>> other_owner(text, text.index("revenue"), "Dunmore Group plc")
    ''
    """
    before = text[max(0, start - _REACH) : start]
    found = _OWNER.search(before) or _CHINESE_OWNER.search(before)
    if found is None or not company:
        return ""
    name = found["name"].strip()
    if name.isupper():  # initials may be the company's own
        return ""
    words = set(name_key(name).split()) - _words_for_all()
    own = set(name_key(company).split()) | set(company.lower().split())
    is_own = words <= own or name in company
    return "" if is_own else name


@cache
def _words_for_all() -> frozenset[str]:
    """Words before a figure that are nobody's name: "the Company", "In March"."""
    return frozenset(load_rules(__package__, "prose.toml")["owners"]["nobody"])
