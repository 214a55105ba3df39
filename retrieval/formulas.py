"""Figures that a report does not print but that follow from those it does: ratios, margins, growth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from ..core.fact import Fact
from ..core.period import Period
from ..core.rules import load_rules
from ..ingest.facts.metrics import default_metrics
from ..kg.store import FactQuery
from .arithmetic import calculate
from .facts_route import metrics_asked
from .query import Query
from .question import Question

if TYPE_CHECKING:
    from ..kg.store import Store

_INPUT = re.compile(r"\{([^}]+?)(~|-1)?\}")
_GROWTH = "({%s} - {%s-1}) / {%s-1}"
_GROWTH_NAME = "growth of %s"
_TOTAL = re.compile(r"\btotal\b|合计|总计|总额|^总", re.IGNORECASE)
_MOST_SOURCES = 3
"""Documents in which the inputs are looked for, the best evidence's first."""
_FACTS = 20_000


@dataclass(frozen=True, slots=True)
class Formula:
    """A figure by the expressions that give it."""

    name: str
    expressions: tuple[str, ...]
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Computation:
    """A figure with the calculation as it is shown and the facts that went into it."""

    name: str
    period: Period
    shown: str
    """"6,098 / 17,606 = 34.6%": checked by the same rules as any sentence."""
    value: Decimal
    facts: tuple[Fact, ...]

    @property
    def text(self) -> str:
        """One line: "Operating margin, FY2022: 6,098 / 17,606 = 34.6%"."""
        return f"{self.name[:1].upper()}{self.name[1:]}, {self.period}: {self.shown}"


def compute_figures(store: Store, question: Question, sources: Sequence[str]) -> list[Computation]:
    """What the question asks to be calculated, for each year asked, from the facts of one document each.

    ``sources`` are the documents to look into, best first. Nothing where no formula is asked or an input is missing.
    A question about a development is answered for the year before as well.
    """
    formula = formula_asked(question)
    if formula is None or not question.years:
        return []
    years = _years(question, formula)
    found: dict[int, Computation] = {}
    for source in sources[:_MOST_SOURCES]:
        facts = store.facts(FactQuery(sources=(source,), limit=_FACTS))
        for year in years:
            computed = None if year in found else compute(formula, facts, year)
            if computed:
                found[year] = computed
    return [found[year] for year in sorted(found)]


def formula_asked(question: Question) -> Formula | None:
    """The formula that the question names; the longest name wins. Growth of a metric that it names, else.

    >>> from cliquerag.retrieval.question import read_question
    >>> formula_asked(read_question("What is Acme's FY2022 operating margin?")).name
    'operating margin'
    """
    text = " ".join(question.text.lower().split())
    named = [name for name in _formulas() if _stands_in(name, text)]
    if named:
        name = max(named, key=len)
        formula = _formulas()[name]
        return formula if name.isascii() else replace(formula, name=name)
    metrics = metrics_asked(Query(question, {}, None))
    if metrics and any(_stands_in(word, text) for word in (*_words("growth", "en"), *_words("growth", "zh"))):
        return Formula(_GROWTH_NAME % metrics[0], (_GROWTH.replace("%s", metrics[0]),), percent=True)
    return None


def _years(question: Question, formula: Formula) -> list[int]:
    """The years asked; of a growth only the last, of a development the one before as well."""
    last = question.years[-1]
    if formula.name.startswith(_GROWTH_NAME % ""):
        return [last]
    text = question.text.lower()
    develops = question.several or any(word in text for word in _words("development", "words"))
    return sorted({*question.years, *([last - 1] if develops else [])})


def _stands_in(name: str, text: str) -> bool:
    """True where the name stands in the text as words of its own; Chinese has no borders."""
    if not name.isascii():
        return name in text
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text) is not None


def compute(formula: Formula, facts: Sequence[Fact], year: int) -> Computation | None:
    """The first expression whose inputs are all there, for one fiscal year."""
    for expression in formula.expressions:
        inputs = {match[0]: _inputs(facts, match[1], match[2] or "", year) for match in _INPUT.finditer(expression)}
        if all(inputs.values()):
            return _computation(formula, expression, inputs, year)
    return None


def annual_fact(facts: Sequence[Fact], metric: str, year: int) -> Fact | None:
    """The figure of a metric for a fiscal year: whole, as reported, from a statement rather than from prose.

    Where a report prints different amounts under one metric ("cost of products", "cost of services") the one that it
    calls a total or prints most often is meant; None where that does not decide, for a part must not pass as the whole.
    """
    whole = Period("year", year, fiscal=True)
    balance = default_metrics().metrics[metric].balance if metric in default_metrics().metrics else False
    fitting = [
        fact
        for fact in facts
        if fact.metric == metric and fact.value is not None and fact.period and _is_of(fact.period, whole, balance)
    ]
    if not fitting:
        return None
    best = max(map(_worth, fitting))
    return _decided([fact for fact in fitting if _worth(fact) == best])


def _decided(facts: Sequence[Fact]) -> Fact | None:
    """The fact whose amount is called a total or printed most often; None on a tie between different amounts."""
    votes = Counter(abs(fact.amount or 0) for fact in facts)
    totals = {abs(fact.amount or 0) for fact in facts if _TOTAL.search(fact.label.rpartition(" > ")[2])}
    ranked = sorted(votes, key=lambda amount: (amount in totals, votes[amount]), reverse=True)
    first = ranked[0]
    if len(ranked) > 1 and (first in totals, votes[first]) == (ranked[1] in totals, votes[ranked[1]]):
        return None
    return next(fact for fact in facts if abs(fact.amount or 0) == first)


def _inputs(facts: Sequence[Fact], metric: str, which: str, year: int) -> tuple[Fact, ...]:
    """The facts that an input stands for; empty when one of them is missing."""
    years = {"~": (year, year - 1), "-1": (year - 1,)}.get(which, (year,))
    found = [annual_fact(facts, metric, wanted) for wanted in years]
    return tuple(fact for fact in found if fact) if all(found) else ()


def _computation(
    formula: Formula, expression: str, inputs: Mapping[str, tuple[Fact, ...]], year: int
) -> Computation | None:
    used = tuple(dict.fromkeys(fact for facts in inputs.values() for fact in facts))
    scale = min(fact.scale for fact in used)
    terms = _INPUT.sub(lambda match: _term(inputs[match[0]], scale), expression)
    value = calculate(terms)
    if value is None:
        return None
    shown = f"{value * 100:.1f}%" if formula.percent else f"{value:,.2f}".removesuffix(".00")
    return Computation(formula.name, Period("year", year, fiscal=True), f"{terms} = {shown}", value, used)


def _term(facts: Sequence[Fact], scale: Decimal) -> str:
    """The printed numbers in one common scale; a mean as it is calculated."""
    numbers = [_number(fact, scale) for fact in facts]
    return numbers[0] if len(numbers) == 1 else f"(({' + '.join(numbers)}) / {len(numbers)})"


def _number(fact: Fact, scale: Decimal) -> str:
    """A value as it is written in a calculation. What is paid counts by its size, however the report prints it."""
    value = (fact.value or Decimal(0)) * fact.scale / scale
    if fact.metric in _words("outflows", "metrics"):
        value = abs(value)
    text = f"{value:,f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"({text})" if value < 0 else text


def _is_of(period: Period, year: Period, balance: bool) -> bool:
    """Balances stand at the year's end, flows over the whole year."""
    if balance:
        return period.is_instant and year.covers(period)
    return period.unit == "year" and period.year == year.year


def _worth(fact: Fact) -> tuple[bool, bool, bool, bool]:
    return (
        not fact.dimensions,
        fact.basis == "reported",
        fact.consolidation != "parent",
        fact.source_kind != "prose",
    )


def _words(table: str, key: str) -> list[str]:
    words: list[str] = load_rules(__package__, "formulas.toml")[table][key]
    return words


@cache
def _formulas() -> dict[str, Formula]:
    """Every way a formula is asked for, in lower case."""
    return {name.lower(): formula for formula, names in _read() for name in names}


def _read() -> Iterator[tuple[Formula, list[str]]]:
    for name, rule in load_rules(__package__, "formulas.toml")["formula"].items():
        formula = Formula(name, tuple(rule["expressions"]), rule.get("percent", False))
        yield formula, [*rule.get("en", []), *rule.get("zh", [])]
