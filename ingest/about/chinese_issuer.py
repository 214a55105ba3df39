"""The issuer of a Chinese document: by its full name in a title, a label, the auditor's address, or a headline."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from .company_names import Issuer, rules
from .names_in_print import Name
from .vote import Claim

_SHORT = re.compile(r"(?:公司|证券|股票|證券)(?:简称|簡稱)\s*[:：]\s*([*\u4e00-\u9fffA-Za-z]{2,12})")
_CODE = re.compile(r"(?:公司|证券|股票|證券)(?:代码|代碼|代號)\s*[:：]\s*(\d{4,6})")
_HEADLINE = re.compile(r"(?P<name>[*\u4e00-\u9fffA-Za-z]{2,10})\s*[:：]")
_NO_COMPANY = re.compile(r"(?:[部局委院所省市县区会署]|央行|人民银行)$")
"""Authorities and places announce things too."""
_SPACED = re.compile(r"(?<=[\u4e00-\u9fff（）]) +(?=[\u4e00-\u9fff（）])")
_NAME = r"[\u4e00-\u9fff（）()A-Za-z·]{2,40}?"
_COMPANY = re.compile(r"公 ?司")
_WRAPPED = 20
"""Characters of a line that may be a wrapped sentence's."""
_CLOSED = re.compile(r"[:：]|[。！？；;)）】」”|]$")
_LONGEST_TITLE = 60
"""Characters."""


def chinese_cover(lines: Sequence[str]) -> Issuer:
    """The full name at the beginning of a title or after a label, with the code and short name of its shares."""
    text = "\n".join(lines)
    for above, line in zip(("", *lines), lines, strict=False):
        found = _pattern("title").match(line)
        if found is None or _is_wrapped(above):
            continue
        code, short = _CODE.search(text), _SHORT.search(text)
        return Issuer(found["name"].strip("（）()"), code[1] if code else "", short[1] if short else "")
    return Issuer()


def chinese_short_name(lines: Sequence[str]) -> Issuer:
    """The name that its shares trade under, where the full one is not printed."""
    short = _SHORT.search("\n".join(lines))
    return Issuer(short[1] if short else "")


def chinese_headline(lines: Sequence[str]) -> Issuer:
    """The name before the colon of a headline where it has announced the news: 光华电子：拟建工厂."""
    found = _HEADLINE.match(lines[0].strip()) if len(lines) > 1 else None
    if found is None or _NO_COMPANY.search(found["name"]):
        return Issuer()
    announced = re.match(rf"{re.escape(found['name'])}(?:公告|[^，。]{{0,8}}[(（]\d{{5,6}})", lines[1].strip())
    return Issuer(found["name"] if announced else "")


def chinese_titles(text: str) -> Iterator[Claim]:
    """Full names that begin a title anywhere, that the auditor writes to, or that "the company" stands for."""
    titles: Counter[Name] = Counter()
    for line in _lines_with_a_company(text):
        found = _pattern("label_and_name").match(line)
        if found is None:
            continue
        name = Name(found["name"].strip("（）()"), True)
        if _pattern("addressed").match(line, found.end()):
            yield Claim(name, "auditor's report")
        elif _pattern("defined").match(line, found.end()):
            yield Claim(name, "defined term")
        elif len(line) <= _LONGEST_TITLE and not line.endswith(("。", "，", "；")):
            titles[name] += 1
    yield from (Claim(name, "titles", count) for name, count in titles.items())


def _lines_with_a_company(text: str) -> Iterator[str]:
    """The beginnings of lines that name a company early and begin anew, without blanks between characters."""
    done = -1
    for match in _COMPANY.finditer(text):
        start = text.rfind("\n", max(0, match.start() - 2 * _LONGEST_TITLE), match.start()) + 1
        if start == done or match.end() - start > 2 * _LONGEST_TITLE:
            continue
        done = start
        if not _is_wrapped(text[max(0, start - 2 * _LONGEST_TITLE) : max(0, start - 1)].split("\n")[-1]):
            yield _SPACED.sub("", text[start : start + 4 * _LONGEST_TITLE].split("\n")[0]).strip(" #*|\u3000")


def _is_wrapped(above: str) -> bool:
    """True where the line above is the beginning of a sentence, and no label, that goes on in the next."""
    above = above.strip()
    return len(above) > _WRAPPED and _CLOSED.search(above) is None


@cache
def _pattern(key: str) -> re.Pattern[str]:
    chinese = rules()["chinese"]
    named = rf"(?:{chinese['label']})?(?P<name>{_NAME}{chinese['form']})"
    patterns = {"label_and_name": named, "title": rf"\W*{named}(?!\s*(?:代表人|法定代表))(?=[^，。；]{{0,40}}$)"}
    return re.compile(patterns.get(key) or chinese[key])
