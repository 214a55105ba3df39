"""What a question asks of the numbers: which figures, of which periods, combined how, shown how."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, Literal

from ....core.language import language_of
from ....core.names import is_chinese, name_key
from ....core.period import Period
from ....core.period_text import find_periods
from ....core.rules import load_rules
from ....core.words import question_words, search_words
from ..question import Question
from ..vocabulary.formulas import FormulaList
from .aggregate_request import Statistic, read_statistic
from .metric_mentions import Named, find_names, without_marks
from .selection_request import Pick, read_pick

Route = Literal["look-up", "calculation", "comparison", "statistics", "text", "general", "mixed"]
_SENTENCE = re.compile(r"(?<=[?!？。！])\s+|(?<=[？。！])|(?<=[a-z\d)]\.)\s+(?=[A-Z])")
_INTRODUCED = re.compile(
    r"^.*:\s*(?=(?:what|how|which|by|is|are|was|were|did|does|do|has|have|in|for)\b)", re.IGNORECASE | re.DOTALL
)
_CHANGED = re.compile(r"\b(?:increase|decrease)\s*/\s*\(?\s*(?:increase|decrease)\s*\)?", re.IGNORECASE)
"""A row of changes as statements head it: "increase / (decrease)"."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_RUN = re.compile(
    r"\b(?:FY\s*)?(?:19|20)\d\d(?:\s*(?:,\s*and\b|,|\band\b|&|\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?(?:19|20)\d\d)+\b",
    re.IGNORECASE,
)
_THROUGH = re.compile(r"\d\s*(?:\bto\b|\bthrough\b|[-–—])\s*(?:FY)?\s*\d", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|;|、|，|\band\b|&|和|及|与|以及)\s*")
_TELLING = re.compile(
    r"\b(?:other|non|excluding|before|after|per|current(?! (?:year|period|quarter))|state|local|federal|foreign"
    r"|united (?:states|kingdom)|(?<=[a-z] )(?<!the )(?<!a )(?<!what )(?<!which )ratio(?! (?:of|between|to)\b))\b",
    re.IGNORECASE,
)
"""Words that are common elsewhere but tell one row from another."""
_SIDES = ("a", "b")
_FOUND = ("which period", "which row", "periods where")
"""What is found by comparing is not calculated."""
_MOVES = re.compile(
    r"\b(?:change|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|deteriorat|expand|shr[aiu]nk|higher|lower)\w*"
    r"|增长|提高|改善|下降|减少|增加|上升|下滑|变化",
    re.IGNORECASE,
)
_COMPARES = re.compile(r"\b(?:change|difference)|变动|变化|差", re.IGNORECASE)
_TOTAL = re.compile(r"\btotal\s+$", re.IGNORECASE)
_SAYS_TOTAL = re.compile(r"\btotal\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_CAPITAL = re.compile(r"[A-Z0-9](?:[^\W\u3400-\u9fff]|[&.’'-])*")
_MANY_FORMS = re.compile(r"\brespective(?:ly)?\b|分别|各(?:是|为)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure named in the question. ``name`` is canonical, empty where no list has it.

    ``words`` are the further words that the row has to hold: what narrows the metric, or, without a name, names it.
    """

    text: str
    name: str = ""
    words: tuple[str, ...] = ()
    written: str = ""
    """The name as the question writes it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about numbers as it was understood. ``periods`` are single periods, ascending."""

    question: Question
    route: Route
    reason: str
    operation: str = "value"
    operands: tuple[Operand, ...] = ()
    periods: tuple[Period, ...] = ()
    decimals: int | None = None
    scale: Decimal | None = None
    before: bool = False
    """The period before the one named is asked as well."""
    lowest: bool = False
    statistic: Statistic | None = None
    pick: Pick | None = None
    """Which row or period, or how many of them."""
    nested: bool = False
    """A calculation within a calculation is asked."""
    respective: bool = False
    between: str = ""
    """ "higher" or "lower": which of several companies has it is asked."""
    sure: bool = True
    """False where the rules cannot tell the way: a model may."""

    @property
    def computes(self) -> bool:
        """True where the value asked is calculated, also as a total over several periods.

        "The increase in revenue in 2019" is what the text states; "the change from 2018 to 2019" is calculated.
        """
        if self.operation == "change" and len(self.periods) < 2 and not _COMPARES.search(self.question.trimmed):
            return False
        total = _SAYS_TOTAL.search(self.question.trimmed) is not None and not self.respective
        return (self.route == "calculation" and self.operation not in _FOUND) or (total and len(self.periods) > 1)

    @property
    def chinese(self) -> bool:
        """True where the answer is to be in Chinese."""
        return (self.question.wishes.language or language_of(self.question.text)) == "zh"


def read_numbers(question: Question, companies: Collection[str], formulas: FormulaList) -> Asked:
    """Read a question by rules. ``companies`` are the names of those it is about, to be left out of the figures' names.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> from cliquerag.retrieval.question.vocabulary.formulas import default_formulas
    >>> question = read_question("What was the percentage change in net income from 2018 to 2019?")
    >>> asked = read_numbers(question, (), default_formulas())
    >>> asked.operation, [o.name for o in asked.operands], [p.year for p in asked.periods], asked.route
    ('percent change', ['net income'], [2018, 2019], 'calculation')
    """
    text = _without_companies(_without_periods(_focus(question)), companies)
    named = find_names(text.replace("的", "") if is_chinese(text) else text, formulas)
    pick, rest = read_pick(named.masked) or (None, "")
    operation, match = (pick.operation, None) if pick else _operation(named.masked)
    operands = _single(named, rest) if pick else _operands(named, operation, match)
    operation, pick = _in_percent(operation, pick, question)
    asked = Asked(
        question=question,
        route="look-up",
        reason="",
        operation=operation,
        operands=operands,
        periods=single_periods(question),
        decimals=question.wishes.decimals,
        scale=question.wishes.scale,
        before=_matches(_section("before")["patterns"], question.trimmed),
        lowest=_matches((*_section("statistics")["lowest"], *_section("lower")["patterns"]), question.trimmed),
        statistic=read_statistic(question.trimmed) if not companies else None,
        pick=_unmasked(pick, named),
        nested=_is_nested(named.masked, operation, match),
        respective=_MANY_FORMS.search(question.trimmed) is not None,
    )
    if asked.question.explains and asked.operation == "value" and _MOVES.search(question.trimmed):
        asked = replace(asked, operation="trend", operands=_plain_operands(asked.operands))
    route, reason = _route(asked, named, companies, formulas)
    return replace(asked, route=route, reason=reason, sure=_is_sure(asked, route, named))


def _in_percent(operation: str, pick: Pick | None, question: Question) -> tuple[str, Pick | None]:
    """A change that is wished in percent is a percent change."""
    if not question.wishes.percent:
        return operation, pick
    if pick is not None and pick.change == "change":
        pick = replace(pick, change="percent change")
    return ("percent change" if operation == "change" else operation), pick


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that tell rows apart, as stems: without words of asking, of time and of reporting.

    >>> content_words("the reported amount of Cloud services revenue in the balance sheet")
    ('cloud', 'servic', 'revenu')
    """
    if is_chinese(text):
        return tuple(part for part in _zh_filler().split(text) if len(part) > 1)
    words = tuple(word for word in dict.fromkeys(question_words(text)) if word not in _en_filler())
    return tuple(dict.fromkeys((*words, *(word.lower() for word in _TELLING.findall(text)))))


def _route(asked: Asked, named: Named, companies: Collection[str], formulas: FormulaList) -> tuple[Route, str]:
    text = asked.question.trimmed
    figures = any(operand.name for operand in asked.operands)
    if asked.statistic is not None:
        return "statistics", "several companies are compared or counted"
    if asked.operation == "same":
        return "comparison", "it asks whether something stayed the same"
    if _matches(_section("text")["explains"], text):
        both = figures and (asked.question.numeric or _MOVES.search(text) is not None)
        return ("mixed", "a figure and its explanation are asked") if both else ("text", "it asks for a reason")
    amounts = figures and not _narrowed(asked) and _matches(_section("text")["amounts"], text)
    if _matches(_section("text")["patterns"], text) and asked.operation in ("value", "trend") and not amounts:
        general = not (companies or asked.periods)
        return ("general", "no company, no period") if general else ("text", "it asks for words, not for an amount")
    if asked.operation == "trend":
        return "mixed", "it asks how a figure developed"
    if asked.operation != "value":
        return "calculation", f"it asks for a {asked.operation}"
    if any(o.name in formulas.formulas and not formulas.formulas[o.name].stated for o in asked.operands):
        return "calculation", "it names a formula"
    if not (companies or asked.periods) and not asked.question.numeric:
        return "general", "no company, no period, no amount"
    return "look-up", "it names a figure" if named.names else "it asks for a value"


def _plain_operands(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """ "Why did revenue fall": the figure by its name; words of asking do not narrow it."""
    return tuple(replace(operand, words=tuple(w for w in operand.words if not _MOVES.match(w))) for operand in operands)


def _is_sure(asked: Asked, route: Route, named: Named) -> bool:
    """Words of asking that fit one way only; a question that names no known figure, or one among words, is unsure."""
    if route in ("text", "general"):
        return not (named.names or asked.question.numeric)
    return route == "statistics" or bool(named.names)


def _is_nested(masked: str, operation: str, match: re.Match[str] | None) -> bool:
    if match is None or operation in ("same", "which period", "trend"):
        return False
    whole = operation in ("share", "ratio", "sum") or match.groupdict().get("a") is not None
    rest = " ".join(match.groupdict().get(side) or "" for side in "abc") if whole else ""
    rest = rest or f"{masked[: match.start()]} {masked[match.end() :]}"
    if whole:
        rest = f"{masked[: match.start()]} {rest} {masked[match.end() :]}"
    return _matches(_section("nested")["patterns"], rest)


def _unmasked(pick: Pick | None, named: Named) -> Pick | None:
    """The pick with names as they are written in place of marks; a figure that is the mark by its canonical name."""
    if pick is None or pick.bound is None or not pick.bound.other:
        return pick and replace(pick, group=named.unmasked(pick.group))
    marks = named.marks(pick.bound.other)
    other = named.names[marks[0]] if marks else pick.bound.other
    return replace(pick, bound=replace(pick.bound, other=other))


def _narrowed(asked: Asked) -> bool:
    return any(operand.words for operand in asked.operands)


def _operation(masked: str) -> tuple[str, re.Match[str] | None]:
    for name, patterns in _operations():
        for pattern in patterns:
            if match := pattern.search(masked):
                return name, match
    return "value", None


def _operands(named: Named, operation: str, match: re.Match[str] | None) -> tuple[Operand, ...]:
    groups = match.groupdict() if match else {}
    if groups.get("c"):  # the difference in C between A and B: C of A, C of B
        return tuple(operand for side in _SIDES for operand in _single(named, f"{groups[side]} {groups['c']}"))
    if groups.get("a") and groups.get("b"):
        return tuple(operand for side in _SIDES for operand in _single(named, groups[side]))
    if groups.get("a"):
        return _several(named, groups["a"])
    rest = named.masked
    if match and operation not in ("which period", "trend"):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    several = _MANY_FORMS.search(named.masked) is not None
    return _several(named, rest, split=several) or _single(named, rest)


def _single(named: Named, text: str) -> tuple[Operand, ...]:
    """One operand: the longest name in it, all other words narrowing it."""
    marks = named.marks(text)
    best = max(marks, key=lambda mark: len(named.written[mark]), default=None)
    others = " ".join(named.written[m] for m in marks if best is not None and named.names[m] != named.names[best])
    words = content_words(f"{without_marks(text)} {others}")
    name = named.names[best] if best is not None else ""
    written = named.written[best] if best is not None else ""
    if best is not None and _TOTAL.search(text[: text.find(f"qqm{best}qq")]):
        written = f"total {written}"
    whole = " ".join(named.unmasked(text).split())
    return (Operand(whole, name, words, written),) if name or words or len(whole) > 1 else ()


def _several(named: Named, text: str, *, split: bool = True) -> tuple[Operand, ...]:
    """Operands joined by "and" or commas, if each part names one; else a single one."""
    parts = [part for part in _JOINED.split(text) if part and (named.marks(part) or content_words(without_marks(part)))]
    with_names = [part for part in parts if named.marks(part)]
    if len(parts) > 1 and len(with_names) == len(parts):
        return tuple(operand for part in parts for operand in _single(named, part))
    if is_chinese(text) and len(named.marks(text)) > 1:
        return tuple(
            Operand(named.written[mark], named.names[mark], written=named.written[mark]) for mark in named.marks(text)
        )
    if len(parts) > 1 and split and not with_names:
        return tuple(operand for part in parts for operand in _single(named, part))
    return _single(named, text)


def _focus(question: Question) -> str:
    """The sentence that asks, without introductions and instructions."""
    text = _rewritten(question.trimmed)
    asking = [sentence for sentence in _SENTENCE.split(text) if sentence and sentence.rstrip().endswith(("?", "？"))]
    return _CHANGED.sub("change", _INTRODUCED.sub("", asking[-1] if asking and not is_chinese(text) else text))


def _rewritten(text: str) -> str:
    for pattern, replacement in _section("rewrite").items():
        text = _pattern(pattern).sub(replacement, text)
    return text


def _without_periods(text: str) -> str:
    for mention in reversed(find_periods(text)):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return _YEAR_RUN.sub(" ", text)


def _without_companies(text: str, companies: Collection[str]) -> str:
    if is_chinese(text):
        for name in sorted(companies, key=len, reverse=True):
            text = text.replace(name, " ")
    written = {*companies, *(_POSSESSIVE.sub("", name) for name in companies)}
    words = {word for name in written for word in name_key(name).split()}
    return _CAPITAL.sub(
        lambda m: " " if set(name_key(_POSSESSIVE.sub("", m[0]).rstrip("'’.")).split()) & words else m[0], text
    )


def single_periods(question: Question) -> tuple[Period, ...]:
    """Single periods, spans of years taken apart."""
    found: dict[str, Period] = {}
    for period in question.periods:
        years = range(period.year, (period.end.year if period.end else period.year) + 1)
        parts = [Period("year", year, fiscal=period.fiscal) for year in years] if period.unit == "span" else [period]
        for part in parts:
            found.setdefault(part.label.removeprefix("FY"), part)
    for run in _YEAR_RUN.finditer(question.dated):
        named = [int(year) for year in _YEAR.findall(run[0])]
        through = _THROUGH.search(run[0]) is not None
        told = {period.last_day.year for period in question.periods if period.unit != "span"}
        for year in range(min(named), max(named) + 1) if through else set(named) - told:
            found.setdefault(str(year), Period("year", year, fiscal="FY" in run[0].upper()))
    return tuple(sorted(found.values(), key=lambda period: period.sort_key))


def _matches(patterns: Sequence[str], text: str) -> bool:
    return any(_pattern(pattern).search(text) for pattern in patterns)


def _section(name: str) -> Any:
    return load_rules(__package__, "request.toml")[name]


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@cache
def _operations() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    return tuple((rule["name"], tuple(map(_pattern, rule["patterns"]))) for rule in _section("operation"))


@cache
def _en_filler() -> frozenset[str]:
    return frozenset(search_words(_section("filler")["en"]))


@cache
def _zh_filler() -> re.Pattern[str]:
    words = sorted(_section("filler")["zh"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)) + r"|[^\u4e00-\u9fff]+")
