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
_ANNOUNCED = re.compile(
    r"(?P<name>[*\u4e00-\u9fffA-Za-z]{2,10})(?<![部局委院所省市县区会署])(?<!央行)(?<!人民银行)\s*[:：][^\n]*\n\s*"
    r"(?P=name)(?:公告|[^，。\n]{0,8}[(（]\d{5,6})"
)
"""A headline whose first name has announced the news; authorities and places announce things, too."""
_SPACED = re.compile(r"(?<=[\u4e00-\u9fff（）]) +(?=[\u4e00-\u9fff（）])")
_NAME = r"[\u4e00-\u9fff（）()A-Za-z·]{2,40}?"
_COMPANY_LINE = re.compile(r"^[^\n]{0,110}?公 ?司[^\n]{0,120}", re.MULTILINE)
"""The beginning of a line that names a company early."""
_WRAPPED = 20
"""Characters of a line that may be a wrapped sentence's."""
_CLOSED = re.compile(r"[:：]|[。！？；;)）】」”|]$")
_LONGEST_TITLE = 60
"""Characters."""


def chinese_cover(lines: Sequence[str]) -> Issuer:
    """The full name at the beginning of a title or after a label, with the code and short name of its shares."""
    begun = (line for above, line in zip(("", *lines), lines, strict=False) if not _is_wrapped(above))
    found = next(filter(None, map(_pattern("title").match, begun)), None)
    if found is None:
        return Issuer()
    text = "\n".join(lines)
    return Issuer(found["name"].strip("（）()"), *(_first_of(form, text) for form in (_CODE, _SHORT)))


def chinese_short_name(lines: Sequence[str]) -> Issuer:
    """The name that its shares trade under, where the full one is not printed."""
    return Issuer(_first_of(_SHORT, "\n".join(lines)))


def chinese_headline(lines: Sequence[str]) -> Issuer:
    """The name before the colon of a headline where it has announced the news: 光华电子：拟建工厂."""
    found = _ANNOUNCED.match("\n".join(map(str.strip, lines[:2])))
    return Issuer(found["name"]) if found else Issuer()


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
    for line in _COMPANY_LINE.finditer(text):
        above = text[max(0, line.start() - 2 * _LONGEST_TITLE) : max(0, line.start() - 1)].rpartition("\n")[2]
        if not _is_wrapped(above):
            yield _SPACED.sub("", line.group()).strip(" #*|\u3000")


def _first_of(form: re.Pattern[str], text: str) -> str:
    return next((found[1] for found in form.finditer(text)), "")


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
