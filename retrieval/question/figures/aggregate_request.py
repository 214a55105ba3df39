"""Questions over several companies: rank, count, average, total; which of those named has more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from ....core.quantity_text import find_quantities
from ....core.rules import load_rules
from ..question import Question

Kind = Literal["rank", "count", "average", "total"]
_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}


@dataclass(frozen=True, slots=True)
class Statistic:
    """Over the companies registered in ``place`` whose figure lies between the bounds.

    "rank" lists places ``first`` to ``last`` from the highest, or the lowest; "count" counts, "average" and "total"
    take all.
    """

    kind: Kind
    first: int = 1
    last: int = 1
    lowest: bool = False
    place: str = ""
    above: Decimal | None = None
    below: Decimal | None = None

    @property
    def is_bounded(self) -> bool:
        """True where only companies count whose figure lies on one side of a mark."""
        return self.above is not None or self.below is not None

    def allows(self, value: Decimal) -> bool:
        """True for a value within the bounds."""
        is_low = self.above is not None and value <= self.above
        is_high = self.below is not None and value >= self.below
        return not (is_low or is_high)


def read_statistic(text: str) -> Statistic | None:
    """The statistic that a question asks for; None where it is not about many companies.

    >>> read_statistic("在上海注册的上市公司中，2019年营业收入最高的前4家是？")
    Statistic(kind='rank', first=1, last=4, lowest=False, place='上海', above=None, below=None)
    >>> read_statistic("Which company had the 2nd lowest revenue in 2020?").first
    2
    """
    if not _found("many", text):
        return None
    place, above, below = _found("place", text), _found("above", text), _found("below", text)
    kind = _kind(text)
    if kind is None:
        return None
    rank, first = _found("rank", text), _found("first", text)
    start = _number(rank["n"]) if rank else 1
    count = _number(first["n"] or first["n2"]) if first and not rank else 1
    return Statistic(
        kind,
        first=start,
        last=start + count - 1,
        lowest=bool(_found("lowest", text)),
        place=place["place"] if place else "",
        above=_amount(above["value"]) if above else None,
        below=_amount(below["value"]) if below else None,
    )


def _kind(text: str) -> Kind | None:
    if _found("rank", text) or _found("highest", text) or _found("lowest", text):
        return "rank"
    kinds: Sequence[Kind] = ("count", "average", "total")
    return next((kind for kind in kinds if _found(kind, text)), None)


def _found(name: str, text: str) -> re.Match[str] | None:
    return next((match for pattern in _patterns(name) if (match := pattern.search(text))), None)


def _amount(text: str) -> Decimal | None:
    found = find_quantities(text)
    if found:
        return found[0].amount
    digits = text.replace(",", "").strip()
    return Decimal(digits) if re.fullmatch(r"\d+(\.\d+)?", digits) else None


def _number(text: str) -> int:
    """A count in digits, English or Chinese.

    >>> _number("12"), _number("十二"), _number("二十"), _number("five")
    (12, 12, 20, 5)
    """
    if text.isdigit():
        return int(text)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    tens, ten, ones = text.rpartition("十")
    return (_DIGITS.get(tens, 1) * 10 if ten else 0) + _DIGITS.get(ones, 0)


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    rules: Any = load_rules(__package__, "request.toml")["statistics"][name]
    flags = 0 if name == "place" else re.IGNORECASE
    return tuple(re.compile(pattern, flags) for pattern in rules)


def read_between(question: Question) -> tuple[Question, str] | None:
    """The question for the figure of each company, and "higher" or "lower"; None where no such comparison is asked.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> found = read_between(read_question("Did Acme or Beta have the lower net income in 2021?"))
    >>> found[0].trimmed.split(), found[1]
    (['Acme', 'Beta', 'net', 'income', 'in', '2021?'], 'lower')
    """
    patterns, low, joints = _rules()
    match = next((match for pattern in patterns if (match := pattern.search(question.trimmed))), None)
    if match is None:
        return None
    kept = " ".join(text for name, text in match.groupdict().items() if name != "order" and text)
    rest = f"{question.trimmed[: match.start()]} {kept} {question.trimmed[match.end() :]}"
    text = " ".join(joints.sub(" ", rest).split())
    return replace(question, trimmed=text), "lower" if low.match(match["order"]) else "higher"


@cache
def _rules() -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str], re.Pattern[str]]:
    rules = load_rules(__package__, "request.toml")["between"]
    patterns = tuple(re.compile(pattern, re.IGNORECASE) for pattern in rules["patterns"])
    return patterns, re.compile(rules["low"], re.IGNORECASE), re.compile(rules["joints"], re.IGNORECASE)
