"""What a question asks of the numbers: which figures, of which periods, combined how, shown how."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import filterfalse, pairwise
from typing import Any

from ....core.names import is_chinese, name_key
from ....core.patterns import LazyPattern, PatternGroup, PatternTable, on_demand
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.rules import load_rules
from ..question import Question
from ..scope.companies import CompanyIndex
from ..scope.name_letters import is_slip_of_one
from ..scope.periods import due_times, last_years, single_periods, without_periods
from ..vocabulary.vocabulary import FormulaList
from .asked import Asked, Route
from .defined_formula import read_definition
from .operands import (
    Named,
    Operand,
    content_words,
    english_spans,
    find_names,
    read_each,
    read_operand,
    read_operands,
)
from .selection_request import Pick, read_pick, read_statistic

_FILE = "request.toml"
_BEFORE, _NESTED = PatternTable(__package__, _FILE, "before"), PatternTable(__package__, _FILE, "nested")
_TEXT, _LOWER = PatternTable(__package__, _FILE, "text"), PatternTable(__package__, _FILE, "lower")
_STATISTICS = PatternTable(__package__, _FILE, "statistics")
_SENTENCE = on_demand(r"(?<=[?!？。！])\s+|(?<=[？。！])|(?<=[a-z\d)]\.)\s+(?=[A-Z])")
_INTRODUCED = on_demand(
    r"^.*:\s*(?=(?:what|how|which|by|is|are|was|were|did|does|do|has|have|in|for)\b)", re.IGNORECASE | re.DOTALL
)
_CHANGED = on_demand(r"\b(?:increase|decrease)\s*/\s*(?:\(\s*)?(?:increase|decrease)\s*\)?", re.IGNORECASE)
"""A row of changes as statements head it: "increase / (decrease)"."""
_SIDES = ("a", "b")
_OUTER = {"": "", "average": "average"}
"""What may be done with the shares of several periods; any other calculation on top is declined."""
_MOVES = on_demand(
    r"\b(?:change|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|deteriorat|expand|shr[aiu]nk|higher|lower"
    r"|develop|evolv|compar|trend|versus|vs\b)\w*"
    r"|增长|提高|改善|下降|减少|增加|上升|下滑|变化",
    re.IGNORECASE,
)
_HOW = on_demand(r"how\b", re.IGNORECASE)
"""How a figure developed, wished in percent, is its growth; "did it rise" is answered by yes or no."""
_POSSESSIVE = on_demand(r"['’]s\b", re.IGNORECASE)
_CAPITAL = on_demand(r"[A-Z0-9](?:[^\W\u3400-\u9fff]|[&.’'-])*")
_SMALL_WORDS = on_demand(r"['’]s(?![A-Za-z])|(?<![A-Za-z])(?:in|of|for|the)(?![A-Za-z])", re.IGNORECASE)
_LATIN = on_demand(r"[A-Za-z]")
_MANY_FORMS = on_demand(r"\brespective(?:ly)?\b|分别|各(?:是|为)", re.IGNORECASE)


def read_numbers(question: Question, companies: Collection[str], formulas: FormulaList) -> Asked:
    """Read a question by rules. ``companies`` are the names of those it is about, to be left out of the figures' names.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> from cliquerag.retrieval.question.vocabulary.vocabulary import default_formulas
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
    about = replace(question, trimmed=rest) if find_periods(rest) else question
    periods = single_periods(about)[-1:]
    return Asked(question, "calculation", "it defines a formula", "value", periods=periods, formula=formula)


def _topic(rest: str, companies: Collection[str], formulas: FormulaList) -> str:
    """What a formula without a name of its own is called: the figure that the question names."""
    named = find_names(without_periods(rest), formulas)
    operand = read_operand(named, named.masked)
    return operand.written if operand is not None and operand.written else "the formula"


def _by_names(question: Question, companies: Collection[str], formulas: FormulaList) -> Asked:
    focus, due = due_times(_focus(question))
    text = _without_companies(without_periods(focus), companies)
    named = find_names(text.replace("的", "") if is_chinese(text) else text, formulas)
    pick, rest = read_pick(named.masked) or (None, "")
    operation, match = (pick.operation, None) if pick else operation_in(named.masked)
    operands = read_each(named, [rest]) if pick else _operands(named, operation, match)
    if operation == "trend":
        operands = _plain_operands(operands)
        is_growth = question.wishes.percent and _HOW.match(question.trimmed)
        operation = "percent change" if is_growth else operation
    operation, pick = _in_percent(operation, pick, question)
    asked = Asked(
        question=question,
        route="look-up",
        reason="",
        operation=operation,
        operands=operands,
        periods=single_periods(question),
        due=due,
        last_years=last_years(question.trimmed),
        before=_BEFORE.any("patterns", question.trimmed),
        lowest=_asks_for_lowest(question.trimmed),
        statistic=read_statistic(_rewritten(question.trimmed), named.masked) if not companies else None,
        pick=_turned_for_loss(_unmasked(pick, named), operands, formulas),
        outer=_outer_operation(named.masked, operation, match),
        respective=_MANY_FORMS.search(question.trimmed) is not None,
    )
    if question.explains and asked.operation == "value" and _MOVES.search(question.trimmed):
        asked = replace(asked, operation="trend")
    if asked.operation == "trend":
        asked = replace(asked, operands=_plain_operands(asked.operands))
    route, reason = _route(_Reading(asked, named, bool(companies or asked.periods), formulas))
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
@dataclass(frozen=True)
class _Reading:
    """What is known of a question when its route is chosen."""

    asked: Asked
    named: Named
    is_placed: bool
    """A company or a period is named."""
    formulas: FormulaList

    @property
    def text(self) -> str:
        return _rewritten(self.asked.question.trimmed)

    @property
    def ordered(self) -> str:
        """The text with the order to tell of something, which is cut out of a Chinese question."""
        question = self.asked.question
        return _rewritten(question.text) if is_chinese(question.text) else self.text

    def compares_companies(self) -> bool:
        return self.asked.statistic is not None

    def compares_values(self) -> bool:
        return self.asked.operation == "same"

    def names_figure(self) -> bool:
        return self.asked.names_figure

    def asks_for_reason(self) -> bool:
        return _TEXT.any("explains", self.text)

    def asks_for_figure_and_reason(self) -> bool:
        speaks_of_figures = self.asked.question.numeric or _MOVES.search(self.text) is not None
        return speaks_of_figures and self.names_figure() and self.asks_for_reason()

    def asks_for_words(self) -> bool:
        if self.asked.operation not in ("value", "trend") or not _TEXT.any("patterns", self.ordered):
            return False
        is_narrowed = any(operand.words for operand in self.asked.operands) and not self.asks_for_trend()
        if is_narrowed or not self.names_figure():
            return True
        return self.asked.operation == "value" and not _TEXT.any("amounts", self.text)

    def asks_for_words_of_somebody(self) -> bool:
        return self.is_placed and self.asks_for_words()

    def asks_for_trend(self) -> bool:
        return self.asked.operation == "trend"

    def asks_for_operation(self) -> bool:
        return self.asked.operation != "value"

    def names_formula(self) -> bool:
        formulas = map(self.formulas.formulas.get, (operand.name for operand in self.asked.operands))
        return not all(formula.stated for formula in filter(None, formulas))

    def is_of_nothing(self) -> bool:
        return not (self.is_placed or self.asked.question.numeric)

    def names_any(self) -> bool:
        return bool(self.named.names)

    def asks_anything(self) -> bool:
        return True


_ROUTES: tuple[tuple[Callable[[_Reading], bool], Route, str], ...] = (
    (_Reading.compares_companies, "statistics", "several companies are compared or counted"),
    (_Reading.compares_values, "comparison", "it asks whether something stayed the same"),
    (_Reading.asks_for_figure_and_reason, "mixed", "a figure and its explanation are asked"),
    (_Reading.asks_for_reason, "text", "it asks for a reason"),
    (_Reading.asks_for_words_of_somebody, "text", "it asks for words, not for an amount"),
    (_Reading.asks_for_words, "general", "no company, no period"),
    (_Reading.asks_for_trend, "mixed", "it asks how a figure developed"),
    (_Reading.asks_for_operation, "calculation", "it asks for a {operation}"),
    (_Reading.names_formula, "calculation", "it names a formula"),
    (_Reading.is_of_nothing, "general", "no company, no period, no amount"),
    (_Reading.names_any, "look-up", "it names a figure"),
    (_Reading.asks_anything, "look-up", "it asks for a value"),
)
"""The way to an answer, and why; the first rule that holds decides."""


def _route(reading: _Reading) -> tuple[Route, str]:
    route, reason = next((route, reason) for holds, route, reason in _ROUTES if holds(reading))
    return route, reason.format(operation=reading.asked.operation)


def _is_sure(asked: Asked, route: Route, named: Named) -> bool:
    """Words of asking that fit one way only; a question that names no known figure, or one among words, is unsure."""
    if route in ("text", "general"):
        return not (named.names or asked.question.numeric)
    return route == "statistics" or bool(named.names)


# ------------------------------------------------------------------------------------- operation and operands
def speaks_in_words(text: str) -> bool:
    """True for an English sentence that asks what words tell: "Does Acme believe that its cash will be enough?"."""
    return _TEXT.any("patterns", text)


def operation_in(masked: str) -> tuple[str, re.Match[str] | None]:
    """What is to be done with the figures, and the words that say so; "value" where nothing is."""
    names, patterns = _operations()
    found = patterns.first(masked)
    return ("value", None) if found is None else (names[found[0]], found[1])


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
    return text if is_chinese(text) else _BEFORE.without("patterns", text)


def without_times(text: str) -> str:
    """The text without the times that it names.

    >>> without_times("what in 2021, and a year earlier").split()
    ['what', 'in', ',', 'and']
    """
    return _without_before(without_periods(text))


def _plain_operands(operands: Sequence[Operand]) -> tuple[Operand, ...]:
    """ "Why did revenue fall": the figure by its name; words of asking do not narrow it."""
    return tuple(replace(operand, words=tuple(filterfalse(_MOVES.match, operand.words))) for operand in operands)


def _outer_operation(masked: str, operation: str, match: re.Match[str] | None) -> str | None:
    """What is done with the figures that the operation gives, one of each period: "" for nothing, None if unclear.

    "The average ratio of debt to equity": the ratios are averaged. "The proportion of X as a percentage of Y" says one
    share twice.
    """
    if match is None or operation in ("same", "which period", "trend"):
        return ""
    groups = match.groupdict()
    sides = ""
    if operation in ("share", "ratio", "sum") or groups.get("a") is not None:
        sides = " ".join(groups.get(side) or "" for side in "abc")
    rest = f"{masked[: match.start()]} {sides} {masked[match.end() :]}"
    said = {name for name in _section("nested") if _NESTED.any(name, rest)}
    if operation in ("share", "ratio"):
        said.discard("share")
        return _OUTER.get("".join(said))
    return None if said else ""


def _unmasked(pick: Pick | None, named: Named) -> Pick | None:
    """The pick with names as they are written in place of marks; a figure that is the mark by its canonical name."""
    if pick is None:
        return None
    if pick.bound is None or not pick.bound.other:
        return replace(pick, group=named.unmasked(pick.group))
    marks = named.marks(pick.bound.other)
    other = named.names[marks[0]] if marks else pick.bound.other
    return replace(pick, bound=replace(pick.bound, other=other))


def _turned_for_loss(pick: Pick | None, operands: Sequence[Operand], formulas: FormulaList) -> Pick | None:
    """The largest loss is the lowest income."""
    is_loss = len(operands) == 1 and formulas.known.names_loss(operands[0].written)
    if pick is None or pick.change or not is_loss:
        return pick
    return replace(pick, lowest=not pick.lowest)


# ------------------------------------------------------------------------------------------------------- text
def _focus(question: Question) -> str:
    """The sentence that asks, without introductions."""
    text = _rewritten(question.trimmed)
    asking = [sentence for sentence in _SENTENCE.split(text) if sentence and sentence.rstrip().endswith(("?", "？"))]
    focus = asking[-1] if asking and not is_chinese(text) else text
    return _CHANGED.sub("change", _INTRODUCED.sub("", focus))


@lru_cache(maxsize=256)
def _rewritten(text: str) -> str:
    for pattern, replacement in _section("rewrite").items():
        text = _pattern(pattern).sub(replacement, text)
    return text


def _without_companies(text: str, companies: Collection[str]) -> str:
    if is_chinese(text):
        for name in sorted(companies, key=len, reverse=True):
            text = text.replace(name, " ")
    words = _words_of_names(companies)

    def kept(match: re.Match[str]) -> str:
        own = name_key(_POSSESSIVE.sub("", match[0]).rstrip("'’.")).split()
        is_name = not words.isdisjoint(own) or any(
            is_slip_of_one(word, words - {word.removesuffix("s"), f"{word}s"}) for word in own
        )
        return " " if is_name else match[0]

    return " ".join(_CAPITAL.sub(kept, text).split())  # "which  segment": patterns count on single blanks


def _words_of_names(names: Collection[str]) -> frozenset[str]:
    words: set[str] = set()
    for name in names:
        own = name_key(name).split()
        words.update(own, name.lower().split())
        words.update(name_key(_POSSESSIVE.sub("", name)).split())
        words.update(map("".join, pairwise(own)))  # "Kraftheinz"
    return frozenset(words)


def _section(name: str) -> Any:
    return load_rules(__package__, _FILE)[name]


@cache
def _pattern(text: str) -> LazyPattern:
    """The pattern with the parts that several share in the places of their names: "(?&a_time)"."""
    for name, part in _section("shared").items():
        text = text.replace(f"(?&{name})", part)
    return LazyPattern(text)


@cache
def _operations() -> tuple[Sequence[str], PatternGroup]:
    """The patterns of all operations in their order, and the operation of each."""
    listed = [(rule["name"], _pattern(pattern)) for rule in _section("operation") for pattern in rule["patterns"]]
    return [name for name, _ in listed], PatternGroup(pattern for _, pattern in listed)


def in_english(text: str, companies: CompanyIndex, formulas: FormulaList) -> str:
    """The English question for "Acme的revenue在FY2022是多少？": an English figure among Chinese words of asking."""
    figures = [(start, end) for start, end, _ in english_spans(text, formulas)]
    own, dated = companies.spans(text), [(mention.start, mention.end) for mention in find_periods(text)]
    if (len(figures), len(own), len(dated[1:])) != (1, 1, 0):
        return ""
    spans = sorted((*figures, *own, *dated))
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    rest = _SMALL_WORDS.sub("", " ".join(text[end:start] for end, start in zip(ends, starts, strict=True)))
    if any((content_words(rest), _LATIN.search(rest))):
        return ""
    figure, company = (text[start:end] for start, end in (figures[0], own[0]))
    when = "".join(f" in {text[start:end]}" for start, end in dated)
    return f"What was {company}'s {figure}{when}?"
