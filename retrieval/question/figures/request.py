"""What a question asks of the numbers: which figures, of which periods, combined how, shown how."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from ....core.names import is_chinese, name_key
from ....core.patterns import PatternTable
from ....core.period import Period
from ....core.period_text import find_periods
from ....core.rules import load_rules
from ..question import Question
from ..vocabulary.formulas import FormulaList
from .aggregate_request import read_statistic
from .asked import Asked, Route
from .calendar_periods import calendar_periods
from .defined_formula import read_definition
from .operands import Named, Operand, find_names, read_each, read_operand, read_operands
from .selection_request import Pick, read_pick

_FILE = "request.toml"
_BEFORE, _NESTED = PatternTable(__package__, _FILE, "before"), PatternTable(__package__, _FILE, "nested")
_TEXT, _LOWER = PatternTable(__package__, _FILE, "text"), PatternTable(__package__, _FILE, "lower")
_STATISTICS = PatternTable(__package__, _FILE, "statistics")
_SENTENCE = re.compile(r"(?<=[?!？。！])\s+|(?<=[？。！])|(?<=[a-z\d)]\.)\s+(?=[A-Z])")
_INTRODUCED = re.compile(
    r"^.*:\s*(?=(?:what|how|which|by|is|are|was|were|did|does|do|has|have|in|for)\b)", re.IGNORECASE | re.DOTALL
)
_CHANGED = re.compile(r"\b(?:increase|decrease)\s*/\s*(?:\(\s*)?(?:increase|decrease)\s*\)?", re.IGNORECASE)
"""A row of changes as statements head it: "increase / (decrease)"."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_YEAR_RUN = re.compile(
    r"\b(?:FY\s*)?(?:19|20)\d\d(?:\s*(?:,\s*and\b|,|\band\b|&|\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?(?:19|20)\d\d)+\b",
    re.IGNORECASE,
)
_THROUGH = re.compile(r"\d\s*(?:\bto\b|\bthrough\b|[-–—])\s*(?:FY\s*)?\d", re.IGNORECASE)
_SIDES = ("a", "b")
_MOVES = re.compile(
    r"\b(?:change|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|deteriorat|expand|shr[aiu]nk|higher|lower)\w*"
    r"|增长|提高|改善|下降|减少|增加|上升|下滑|变化",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)
_CAPITAL = re.compile(r"[A-Z0-9](?:[^\W\u3400-\u9fff]|[&.’'-])*")
_MANY_FORMS = re.compile(r"\brespective(?:ly)?\b|分别|各(?:是|为)", re.IGNORECASE)


def read_numbers(question: Question, companies: Collection[str], formulas: FormulaList) -> Asked:
    """Read a question by rules. ``companies`` are the names of those it is about, to be left out of the figures' names.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> from cliquerag.retrieval.question.vocabulary.formulas import default_formulas
    >>> question = read_question("What was the percentage change in net income from 2018 to 2019?")
    >>> asked = read_numbers(question, (), default_formulas())
    >>> asked.operation, [o.name for o in asked.operands], [p.year for p in asked.periods], asked.route
    ('percent change', ['net income'], [2018, 2019], 'calculation')
    """
    return _own_formula(question, companies, formulas) or _by_names(question, companies, formulas)


def _own_formula(question: Question, companies: Collection[str], formulas: FormulaList) -> Asked | None:
    """The question as one for the formula that it defines; None where it defines none."""

    def operand_of(words: str) -> Operand | None:
        named = find_names(words, formulas)
        operand = read_operand(named, named.masked)
        return operand if operand is not None and (operand.name or operand.words) else None

    text = _without_companies(_rewritten(question.trimmed), companies)
    found = read_definition(text, formulas, operand_of)
    if found is None:
        return None
    formula, rest = found
    if not formula.name:
        formula = replace(formula, name=_topic(rest, companies, formulas))
    periods = single_periods(replace(question, trimmed=rest)) if find_periods(rest) else single_periods(question)
    return Asked(
        question, "calculation", "it defines a formula", "value", periods=periods[-1:] or periods, formula=formula
    )


def _topic(rest: str, companies: Collection[str], formulas: FormulaList) -> str:
    """What a formula without a name of its own is called: the figure that the question names."""
    named = find_names(_without_periods(rest), formulas)
    operand = read_operand(named, named.masked)
    return operand.written if operand is not None and operand.written else "the formula"


def _by_names(question: Question, companies: Collection[str], formulas: FormulaList) -> Asked:
    text = _without_companies(_without_periods(_focus(question)), companies)
    named = find_names(text.replace("的", "") if is_chinese(text) else text, formulas)
    pick, rest = read_pick(named.masked) or (None, "")
    operation, match = (pick.operation, None) if pick else _operation(named.masked)
    operands = read_each(named, [rest]) if pick else _operands(named, operation, match)
    operation, pick = _in_percent(operation, pick, question)
    asked = Asked(
        question=question,
        route="look-up",
        reason="",
        operation=operation,
        operands=operands,
        periods=single_periods(question),
        before=_BEFORE.any("patterns", question.trimmed),
        lowest=_asks_for_lowest(question.trimmed),
        statistic=read_statistic(question.trimmed) if not companies else None,
        pick=_unmasked(pick, named),
        nested=_is_nested(named.masked, operation, match),
        respective=_MANY_FORMS.search(question.trimmed) is not None,
    )
    if question.explains and asked.operation == "value" and _MOVES.search(question.trimmed):
        asked = replace(asked, operation="trend", operands=_plain_operands(asked.operands))
    route, reason = _route(asked, named, companies, formulas)
    return replace(asked, route=route, reason=reason, sure=_is_sure(asked, route, named))


def _asks_for_lowest(text: str) -> bool:
    return _STATISTICS.any("lowest", text) or _LOWER.any("patterns", text)


def _in_percent(operation: str, pick: Pick | None, question: Question) -> tuple[str, Pick | None]:
    """A change that is wished in percent is a percent change."""
    if not question.wishes.percent:
        return operation, pick
    if pick is not None and pick.change == "change":
        pick = replace(pick, change="percent change")
    return ("percent change" if operation == "change" else operation), pick


# ----------------------------------------------------------------------------------------------------- route
def _route(asked: Asked, named: Named, companies: Collection[str], formulas: FormulaList) -> tuple[Route, str]:
    """The way to an answer, and why; the first rule that knows one decides."""
    if asked.statistic is not None:
        return "statistics", "several companies are compared or counted"
    if asked.operation == "same":
        return "comparison", "it asks whether something stayed the same"
    is_placed = bool(companies or asked.periods)
    found = _route_of_words(asked, is_placed=is_placed) or _route_of_operation(asked, formulas)
    if found is not None:
        return found
    if not is_placed and not asked.question.numeric:
        return "general", "no company, no period, no amount"
    return "look-up", "it names a figure" if named.names else "it asks for a value"


def _route_of_words(asked: Asked, *, is_placed: bool) -> tuple[Route, str] | None:
    """Where words are asked, alone or with a figure."""
    text = asked.question.trimmed
    names_figure = any(operand.name for operand in asked.operands)
    if _TEXT.any("explains", text):
        if names_figure and (asked.question.numeric or _MOVES.search(text)):
            return "mixed", "a figure and its explanation are asked"
        return "text", "it asks for a reason"
    if asked.operation not in ("value", "trend") or not _TEXT.any("patterns", text):
        return None
    is_narrowed = any(operand.words for operand in asked.operands)
    if names_figure and not is_narrowed and _TEXT.any("amounts", text):
        return None
    return ("text", "it asks for words, not for an amount") if is_placed else ("general", "no company, no period")


def _route_of_operation(asked: Asked, formulas: FormulaList) -> tuple[Route, str] | None:
    if asked.operation == "trend":
        return "mixed", "it asks how a figure developed"
    if asked.operation != "value":
        return "calculation", f"it asks for a {asked.operation}"
    named = [formulas.formulas[operand.name] for operand in asked.operands if operand.name in formulas.formulas]
    if any(not formula.stated for formula in named):
        return "calculation", "it names a formula"
    return None


def _is_sure(asked: Asked, route: Route, named: Named) -> bool:
    """Words of asking that fit one way only; a question that names no known figure, or one among words, is unsure."""
    if route in ("text", "general"):
        return not (named.names or asked.question.numeric)
    return route == "statistics" or bool(named.names)


# ------------------------------------------------------------------------------------- operation and operands
def _operation(masked: str) -> tuple[str, re.Match[str] | None]:
    for name, patterns in _operations():
        for pattern in patterns:
            if match := pattern.search(masked):
                return name, match
    return "value", None


def _operands(named: Named, operation: str, match: re.Match[str] | None) -> tuple[Operand, ...]:
    groups = match.groupdict() if match else {}
    if groups.get("c"):  # the difference in C between A and B: C of A, C of B
        return read_each(named, [f"{groups[side]} {groups['c']}" for side in _SIDES])
    if groups.get("a") and groups.get("b"):
        return read_each(named, [groups[side] for side in _SIDES])
    if groups.get("a"):
        return read_operands(named, _without_before(groups["a"]))
    rest = named.masked
    if match and operation not in ("which period", "trend"):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    several = _MANY_FORMS.search(named.masked) is not None
    return read_operands(named, _without_before(rest), split=several)


def _without_before(text: str) -> str:
    """The text without words for the period before: "than in the same quarter a year before"."""
    if is_chinese(text):
        return text
    for pattern in _BEFORE.all("patterns"):
        text = pattern.sub(" ", text)
    return text


def _plain_operands(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """ "Why did revenue fall": the figure by its name; words of asking do not narrow it."""
    return tuple(replace(operand, words=tuple(w for w in operand.words if not _MOVES.match(w))) for operand in operands)


def _is_nested(masked: str, operation: str, match: re.Match[str] | None) -> bool:
    """True where words of calculating are left beside the operation."""
    if match is None or operation in ("same", "which period", "trend"):
        return False
    groups = match.groupdict()
    sides = ""
    if operation in ("share", "ratio", "sum") or groups.get("a") is not None:
        sides = " ".join(groups.get(side) or "" for side in "abc")
    rest = f"{masked[: match.start()]} {sides} {masked[match.end() :]}"
    return _NESTED.any("patterns", rest)


def _unmasked(pick: Pick | None, named: Named) -> Pick | None:
    """The pick with names as they are written in place of marks; a figure that is the mark by its canonical name."""
    if pick is None:
        return None
    if pick.bound is None or not pick.bound.other:
        return replace(pick, group=named.unmasked(pick.group))
    marks = named.marks(pick.bound.other)
    other = named.names[marks[0]] if marks else pick.bound.other
    return replace(pick, bound=replace(pick.bound, other=other))


# ------------------------------------------------------------------------------------------------------- text
def _focus(question: Question) -> str:
    """The sentence that asks, without introductions."""
    text = _rewritten(question.trimmed)
    asking = [sentence for sentence in _SENTENCE.split(text) if sentence and sentence.rstrip().endswith(("?", "？"))]
    focus = asking[-1] if asking and not is_chinese(text) else text
    return _CHANGED.sub("change", _INTRODUCED.sub("", focus))


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
    words = _words_of_names(companies)

    def kept(match: re.Match[str]) -> str:
        own = name_key(_POSSESSIVE.sub("", match[0]).rstrip("'’.")).split()
        return match[0] if words.isdisjoint(own) else " "

    return _CAPITAL.sub(kept, text)


def _words_of_names(names: Collection[str]) -> frozenset[str]:
    words: set[str] = set()
    for name in names:
        words.update(name_key(name).split())
        words.update(name_key(_POSSESSIVE.sub("", name)).split())
    return frozenset(words)


def single_periods(question: Question) -> tuple[Period, ...]:
    """Single periods, spans of years taken apart."""
    found: dict[str, Period] = {}
    by_calendar = {period.end: period for period in calendar_periods(question.dated)}
    for period in question.periods:
        whole = by_calendar.get(period.last_day, period) if period.unit == "month" else period
        for part in _years_of(whole) if whole.unit == "span" else [whole]:
            found.setdefault(part.label.removeprefix("FY"), part)
    told = {period.last_day.year for period in question.periods if period.unit != "span"}
    for run in _YEAR_RUN.finditer(question.dated):
        for year in _years_of_run(run[0], told):
            found.setdefault(str(year), Period("year", year, fiscal="FY" in run[0].upper()))
    return tuple(sorted(found.values(), key=lambda period: period.sort_key))


def _years_of(span: Period) -> list[Period]:
    last = span.end.year if span.end else span.year
    return [Period("year", year, fiscal=span.fiscal) for year in range(span.year, last + 1)]


def _years_of_run(run: str, told: Collection[int]) -> list[int]:
    """The years of "2019, 2020 and 2021", and of "2019 to 2021"; of a list those that are not told already."""
    named = [int(year) for year in _YEAR.findall(run)]
    if _THROUGH.search(run):
        return list(range(min(named), max(named) + 1))
    return sorted(set(named).difference(told))


def _section(name: str) -> Any:
    return load_rules(__package__, _FILE)[name]


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


@cache
def _operations() -> tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]:
    return tuple((rule["name"], tuple(map(_pattern, rule["patterns"]))) for rule in _section("operation"))
