"""Questions that choose among figures: the row with the highest value, the years above a mark, how many there are; over
several companies their rank, count, average, total, and which of those named has more."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from ....core.patterns import PatternTable, on_demand
from ....core.quantity import Quantity, find_quantities
from ....core.records import dataclass
from ..question import Question

_RULES = PatternTable(__package__, "selection_request.toml")
_CHANGES = ("percent change", "change")
_SAID_OF_CHANGE = ("order", "change", "percent change", "falls")
"""Groups of words that are left out, in this order, where rows are ranked by how they changed."""
_MANY = on_demand(r"\b(thousand|million|billion)s\b", re.IGNORECASE)
_MINUS = on_demand(r"(?<![\w)])[-−–(]\s?[$€£¥]?\s?\d")
Kind = Literal["rank", "count", "average", "total"]
_KINDS: tuple[Kind, ...] = ("count", "average", "total")
_STATISTICS = PatternTable(__package__, "request.toml", "statistics")
_BETWEEN = PatternTable(__package__, "request.toml", "between")
_MOST_RANKED = 50
"""Places of a rank that asks for no number of them."""
_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}


@dataclass(frozen=True, slots=True)
class Bound:
    """A mark that values lie above or below of; ``other`` are the words of a figure that is the mark."""

    above: bool
    amount: Decimal | None = None
    other: str = ""

    def holds(self, value: Decimal, mark: Decimal) -> bool:
        """True where the value lies on the asked side of the mark."""
        return value > mark if self.above else value < mark


@dataclass(frozen=True, slots=True)
class Pick:
    """What is picked among what: ``over`` the periods of one figure, or the rows of a table that state it.

    ``group`` is what the rows are called ("region"); ``rank`` counts from the highest, or the lowest; ``change`` is the
    operation between two periods by which rows are ranked. ``counts`` asks how many meet the ``bound``; ``every`` asks
    for all of them.
    """

    over: Literal["periods", "rows"]
    group: str = ""
    lowest: bool = False
    rank: int = 1
    change: str = ""
    bound: Bound | None = None
    counts: bool = False
    every: bool = False

    @property
    def operation(self) -> str:
        """The name of what is asked."""
        if self.counts:
            return "count"
        if self.every:
            return "each row"
        return "which row" if self.over == "rows" else "periods where"


def read_pick(masked: str) -> tuple[Pick, str] | None:
    """The pick that a question asks for, and the words that name the figure; None for other questions.

    >>> pick, rest = read_pick("Which region had the second highest net sales in 2019?")
    >>> pick.group, pick.rank, pick.lowest, " ".join(rest.split())
    ('region', 2, False, 'the net sales in 2019?')
    >>> pick, rest = read_pick("How many years did net income exceed $30,000 thousand?")
    >>> pick.counts, pick.bound.above, pick.bound.amount, rest.strip()
    (True, True, Decimal('30000000'), 'net income')
    >>> pick, rest = read_pick("What was net revenue by reportable segment in 2019?")
    >>> pick.every, pick.group, " ".join(rest.split())
    (True, 'reportable segment', 'What was net revenue in 2019?')
    """
    bounded = _RULES.first("bounded", masked)
    if bounded is not None:
        return _bounded(bounded)
    ranked = _RULES.first("ranked", masked)
    if ranked is not None:
        return _ranked(ranked)
    parted = _RULES.first("parted", masked)
    if parted is None or _RULES.any("unparted", masked):
        return None
    rest = _RULES.without("parting", f"{parted['rest']} {parted['after']}")
    change, named = _change(rest)
    return Pick("rows", parted["group"] or "", change=change, every=True), named


def _bounded(match: re.Match[str]) -> tuple[Pick, str] | None:
    said = {name: words or "" for name, words in match.groupdict().items()}
    bound = _bound(said.get("sign", ""), said.get("mark", ""))
    if bound is None:
        return None
    group, counts = said.get("group", ""), bool(said.get("many"))
    if said.get("time"):
        return Pick("periods", group, bound=bound, counts=counts), said["rest"]
    return Pick("rows", group, bound=bound, counts=counts), f"{group} {said['rest']}"


def _bound(sign: str, mark: str) -> Bound | None:
    if _RULES.any("positive", sign):
        return Bound(above=True, amount=Decimal(0))
    if _RULES.any("negative", sign):
        return Bound(above=False, amount=Decimal(0))
    above = _RULES.any("above", sign)
    quantities = find_quantities(_MANY.sub(r"\1", mark))
    if quantities:
        return Bound(above, _amount_of(quantities[0], mark))
    if mark.strip(" ?？。."):
        return Bound(above, other=mark.strip())
    return None


def _amount_of(quantity: Quantity, mark: str) -> Decimal:
    """The amount of a mark, a share for a percentage; below zero only where a minus is written before it."""
    amount = abs(quantity.amount)
    if quantity.unit == "%":
        amount /= 100
    return -amount if _MINUS.match(mark.strip()) else amount


def _ranked(match: re.Match[str]) -> tuple[Pick, str]:
    said = match.groupdict()
    order, rest = said["order"], said["rest"]
    change, named = _change(rest)
    falls = bool(change) and _RULES.any("falls", f"{order} {rest}")
    lowest = _RULES.any("lowest", order) is not falls
    return Pick("rows", said["group"].strip(), lowest, _rank(match[0]), change), _RULES.without("order", named)


def _change(text: str) -> tuple[str, str]:
    """The operation between two periods that is asked, "" for none, and the text without the words for it."""
    change = next((name for name in _CHANGES if _RULES.any(name, text)), "")
    for name in _SAID_OF_CHANGE if change else ():
        text = _RULES.without(name, text)
    return change, text


def _rank(text: str) -> int:
    """The place that is asked for, from 1: "the second highest"."""
    for place, pattern in enumerate(_RULES.all("ranks"), 2):
        if pattern.search(text):
            return place
    return 1


@dataclass(frozen=True, slots=True)
class Statistic:
    """Over the companies registered in ``place`` whose figure lies between the bounds.

    "rank" lists places ``first`` to ``last`` from the highest, or the lowest; "count" counts, "average" and "total"
    take all. ``change`` is the operation between two periods that gives the figure of each, "" where it is stated.
    """

    kind: Kind
    first: int = 1
    last: int = 1
    lowest: bool = False
    place: str = ""
    above: Decimal | None = None
    below: Decimal | None = None
    change: str = ""

    @property
    def is_bounded(self) -> bool:
        """True where only companies count whose figure lies on one side of a mark."""
        return self.above is not None or self.below is not None

    def allows(self, value: Decimal) -> bool:
        """True for a value within the bounds."""
        is_low = self.above is not None and value <= self.above
        is_high = self.below is not None and value >= self.below
        return not (is_low or is_high)


def read_statistic(text: str, masked: str = "") -> Statistic | None:
    """The statistic that a question asks for; None where it is not about many companies.

    ``masked`` is the text with marks for the names of figures: "net change in cash" is no change that is asked.

    >>> read_statistic("在上海注册的上市公司中，2019年营业收入最高的前4家是？")
    Statistic(kind='rank', first=1, last=4, lowest=False, place='上海', above=None, below=None, change='')
    >>> read_statistic("Which company had the 2nd lowest revenue in 2020?").first
    2
    """
    if not _STATISTICS.first("many", text):
        return None
    kind = _kind(text)
    if kind is None:
        return None
    first, last = _places(text) if kind == "rank" else (1, 1)
    place = _STATISTICS.first("place", text)
    return Statistic(
        kind,
        first=first,
        last=last,
        lowest=_STATISTICS.any("lowest", text),
        place=place["place"] if place else "",
        above=_mark("above", text),
        below=_mark("below", text),
        change=_moved(masked or text),
    )


def _moved(text: str) -> str:
    """The operation between two periods by which companies are compared; "" where the figure itself is.

    A percent sign alone asks for none, though it is a word of a percent change: it may be the unit of a mark ("a margin
    above 20 %") or of the figure. A word of movement or pace has to stand beside it.
    """
    return _change(text)[0] if _RULES.any("change", text) or _STATISTICS.any("pace", text) else ""


def _places(text: str) -> tuple[int, int]:
    """The first and the last place asked for: the second alone, the first five, or all."""
    rank = _STATISTICS.first("rank", text)
    if rank is not None:
        place = _number(rank["n"])
        return place, place
    first = _STATISTICS.first("first", text)
    if first is not None:
        return 1, _number(first["n"] or first["n2"])
    asks_for_all = _STATISTICS.any("ordered", text) or (_is_bounded(text) and not _asks_for_end(text))
    return 1, _MOST_RANKED if asks_for_all else 1


def _asks_for_end(text: str) -> bool:
    return any(_STATISTICS.any(end, text) for end in ("highest", "lowest"))


def _mark(side: str, text: str) -> Decimal | None:
    """The mark that figures lie "above" or "below" of."""
    match = _STATISTICS.first(side, text)
    return _amount(match["value"]) if match else None


def _kind(text: str) -> Kind | None:
    if _asks_for_end(text) or any(_STATISTICS.any(order, text) for order in ("rank", "ordered")):
        return "rank"
    for kind in _KINDS:
        if _STATISTICS.any(kind, text):
            return kind
    return "rank" if _is_bounded(text) else None


def _is_bounded(text: str) -> bool:
    return _STATISTICS.any("above", text) or _STATISTICS.any("below", text)


def _amount(text: str) -> Decimal | None:
    found = find_quantities(text)
    if found:
        return _amount_of(found[0], text)
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


def read_between(question: Question) -> tuple[Question, str] | None:
    """The question for the figure of each company, and "higher" or "lower"; None where no such comparison is asked.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> found = read_between(read_question("Did Acme or Beta have the lower net income in 2021?"))
    >>> found[0].trimmed.split(), found[1]
    (['Acme', 'Beta', 'net', 'income', 'in', '2021?'], 'lower')
    """
    match = _BETWEEN.first("patterns", question.trimmed)
    if match is None:
        return None
    said = match.groupdict() | {"order": ""}
    kept = " ".join(filter(None, said.values()))
    rest = f"{question.trimmed[: match.start()]} {kept} {question.trimmed[match.end() :]}"
    (joints,) = _BETWEEN.all("joints")
    text = " ".join(joints.sub(" ", rest).split())
    return replace(question, trimmed=text), "lower" if _BETWEEN.any("low", match["order"]) else "higher"
