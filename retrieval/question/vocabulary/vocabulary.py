"""What words mean in a workspace: what filings call a thing, what is calculated, what the market calls companies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from ....core.errors import UsageError
from ....core.patterns import LazyPattern, PatternGroup
from ....core.records import dataclass
from ....core.rules import load_rules, read_rules
from ....core.words import question_words, search_words
from ....ingest.facts.metrics import MetricList, default_metrics, plain_label
from ....kg.schema import Schema, load_schema
from .expression import Node, components, parse_expression

_UNITS = ("%", "x", "days", "money", "people", "per share")


@dataclass(frozen=True, slots=True)
class Formula:
    """What is calculated; ``ways`` are tried in order until one has all its components."""

    name: str
    ways: tuple[Node, ...]
    unit: str = "x"
    balance: bool = False
    annual: bool = False
    stated: bool = False
    zh: str = ""
    """Its name in Chinese answers; empty: as ``name``."""

    def inputs(self) -> set[str]:
        """Names of all components of all ways."""
        names: set[str] = set()
        for way in self.ways:
            names.update(name for name, _ in components(way))
        return names


@dataclass(frozen=True, slots=True, eq=False)
class FormulaList:
    """Formulas by name, every way to ask for one in plain form, and the metrics that they are calculated from."""

    formulas: Mapping[str, Formula]
    names: Mapping[str, str]
    known: MetricList = field(default_factory=default_metrics)

    def find(self, label: str) -> Formula | None:
        """The formula of a name in any of its spellings.

        >>> default_formulas().find("EBITDA less capex").unit, default_formulas().find("速动比率").name
        ('money', 'quick ratio')
        """
        name = self.names.get(plain_label(label))
        return self.formulas[name] if name else None

    def metrics(self, formula: Formula) -> set[str]:
        """All metrics from which the formula, and the formulas within it, may be calculated."""
        found: set[str] = set()
        open_names = [formula.name]
        while open_names:
            name = open_names.pop()
            if name in found:
                continue
            found.add(name)
            if name in self.formulas:
                open_names += self.formulas[name].inputs()
        return found


@cache
def default_formulas() -> FormulaList:
    """The formulas that ship with the package."""
    return _formula_list(load_rules(__package__, "formulas.toml")["formulas"])


def load_formulas(path: Path | None, known: MetricList | None = None) -> FormulaList:
    """The shipped formulas with a user's own, which replace those of the same name, over the metrics ``known``.

    Raises UsageError.
    """
    own = read_rules(path).get("formulas", {}) if path else {}
    try:
        return _formula_list({**load_rules(__package__, "formulas.toml")["formulas"], **own}, known)
    except ValueError as error:
        raise UsageError(str(error), where=str(path), hint="See formulas.toml in the package for the form") from error


def _formula_list(rules: Mapping[str, Mapping[str, Any]], known: MetricList | None = None) -> FormulaList:
    known = known or default_metrics()
    formulas = {name: _formula(name, rule) for name, rule in rules.items()}
    for name, formula in formulas.items():
        unknown = sorted(formula.inputs() - formulas.keys() - known.metrics.keys())
        if unknown:
            raise ValueError(f"formula {name!r} names {unknown[0]!r}, which is neither a metric nor a formula")
    names: dict[str, str] = {}
    for name in rules:
        names.setdefault(plain_label(name), name)
    for name, other in _other_names(rules):
        names.setdefault(plain_label(other), name)
    return FormulaList(formulas, names, known)


def _other_names(rules: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for name, rule in rules.items():
        for other in (*rule.get("en", ()), *rule.get("zh", ())):
            yield name, other


def _formula(name: str, rule: Mapping[str, Any]) -> Formula:
    unit = rule.get("unit", "x")
    if unit not in _UNITS:
        raise ValueError(f"formula {name!r} has the unit {unit!r}, not one of {', '.join(_UNITS)}")
    try:
        ways = tuple(map(parse_expression, rule["compute"]))
    except (KeyError, ValueError) as error:
        raise ValueError(f"formula {name!r}: {error}") from error
    flags = {flag: bool(rule.get(flag, False)) for flag in ("balance", "annual", "stated")}
    return Formula(name, ways, unit, zh=next(iter(rule.get("zh", ())), ""), **flags)


NAMED, METRIC, METRIC_ASIDE, SECTION = 1.0, 0.8, 0.3, 0.3
"""How surely a page class is the home: it is named; of a metric asked; of one beside a statement that is named, or of
which a part ("which segment") or the cause is asked; told there."""
_ASKED_ALREADY = 2
"""A rule of which so many words are asked adds nothing to short passages but noise."""
_KINDS = ("names", "parts")


@dataclass(frozen=True, slots=True)
class SynonymRule:
    """If a question says ``asked``, ``words`` are searched for and pages of ``homes`` and ``sections`` preferred."""

    asked: LazyPattern
    words: str = ""
    homes: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """What the rules add to a question. ``homes``: page class -> how surely it is the home, 0..1."""

    words: tuple[str, ...] = ()
    homes: Mapping[str, float] = field(default_factory=dict)
    names_figure: bool = False
    """The question names a figure of the statements."""

    @property
    def text(self) -> str:
        """All added words."""
        return " ".join(self.words)


@dataclass(frozen=True)
class Synonyms:
    """A set of rules; see ``synonyms.toml`` for their form."""

    rules: tuple[SynonymRule, ...]
    named: tuple[tuple[LazyPattern, str], ...]
    beside: tuple[LazyPattern, ...] = ()
    """What asks for more than a figure: a part of it (a segment, a region, a product) or its cause."""

    def expand(self, question: str, *, around: str = "", only_missing: bool = False) -> Expansion:
        """What the question's words stand for. ``only_missing`` skips rules whose words are mostly asked already.

        A statement that only the words ``around`` the question name is its home too: "Use the balance sheet."

        >>> found = default_synonyms().expand("What is Acme's FY2020 DPO?")
        >>> sorted(found.homes.items()), "payabl" in search_words(found.text)
        ([('balance sheet', 0.8), ('income statement', 0.8)], True)
        """
        rules = [self.rules[number] for number in self._asked.found_in(question)]
        names_figure = any(rule.homes for rule in rules)
        if only_missing:
            asked = set(question_words(question))
            rules = [rule for rule in rules if len(asked & set(search_words(rule.words))) < _ASKED_ALREADY]
        words = dict.fromkeys(rule.words for rule in rules if rule.words)
        named = self._named(question) or self._named(around)
        return Expansion(tuple(words), self._homes(question, named, rules), names_figure)

    @cached_property
    def _asked(self) -> PatternGroup:
        return PatternGroup(rule.asked for rule in self.rules)

    def _named(self, text: str) -> list[str]:
        """The statements that a text names."""
        return [home for pattern, home in self.named if pattern.search(text)]

    def _homes(self, question: str, named: Iterable[str], rules: Iterable[SynonymRule]) -> dict[str, float]:
        homes = dict.fromkeys(named, NAMED)
        metric = METRIC_ASIDE if homes or any(asks.search(question) for asks in self.beside) else METRIC
        for rule in rules:
            for home in rule.homes:
                homes[home] = max(homes.get(home, 0.0), metric)
            for section in rule.sections:
                homes[section] = max(homes.get(section, 0.0), SECTION)
        return homes


@cache
def default_synonyms() -> Synonyms:
    """The rules that ship."""
    return _compiled(load_rules(__package__, "synonyms.toml"))


def load_synonyms(path: Path) -> Synonyms:
    """The rules that ship and those of a user's own file. Raises UsageError where the file is wrong."""
    try:
        own = _compiled(read_rules(path), now=True)
    except (re.error, KeyError, TypeError, AttributeError) as error:
        hint = "Each [[rule]] needs asked and words, homes or sections"
        raise UsageError(f"wrong synonym rule: {error}", where=str(path), hint=hint) from error
    ours = default_synonyms()
    return Synonyms(ours.rules + own.rules, ours.named + own.named, ours.beside + own.beside)


def _compiled(data: Mapping[str, Any], *, now: bool = False) -> Synonyms:
    """The rules of a file; ``now``: whoever wrote it is told at once what is wrong with it."""
    rules = tuple(
        SynonymRule(
            _pattern(rule["asked"], now),
            rule.get("words", ""),
            tuple(rule.get("homes", ())),
            tuple(rule.get("sections", ())),
        )
        for rule in data.get("rule", ())
    )
    named = tuple((_pattern(rule["asked"], now), rule["home"]) for rule in data.get("named", ()))
    beside = tuple(_pattern(rule["asked"], now) for rule in data.get("beside", ()))
    return Synonyms(rules, named, beside)


def _pattern(asked: str, now: bool) -> LazyPattern:
    return LazyPattern(rf"(?<![a-z])(?:{asked})(?![a-z])", now=now)


@dataclass(frozen=True)
class KnownNames:
    """What the market calls companies: short names and brands in lower case -> the company by its own name."""

    companies: Mapping[str, str]
    parts: frozenset[str] = frozenset()
    """Those of ``companies`` that are a part of it: a brand, a business, a product."""

    @cached_property
    def own_names(self) -> Mapping[str, str]:
        """The companies by their own names, in lower case."""
        return {company.lower(): company for company in self.companies.values()}

    @cached_property
    def short_names(self) -> Mapping[str, tuple[str, ...]]:
        """A company by its own name -> what else it is called as a whole: tickers, short names, in lower case."""
        found: dict[str, list[str]] = {}
        for name, company in self.companies.items():
            if name not in self.parts:
                found.setdefault(company, []).append(name)
        return {company: tuple(names) for company, names in found.items()}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What words mean in a workspace; whatever reads a question or writes an answer takes it.

    ``synonyms``: what filings call a thing. ``formulas``: what is calculated. ``schema``: the relations of the graph.
    """

    synonyms: Synonyms
    formulas: FormulaList
    schema: Schema
    names: KnownNames
    """What the market calls companies and their parts."""

    @property
    def metrics(self) -> MetricList:
        """The names of figures, of which the formulas are made."""
        return self.formulas.known


@cache
def known_names(path: Path | None = None) -> KnownNames:
    """The names of ``known_names.toml``, and those of a user's own file in the same form. Raises UsageError."""
    files = [load_rules(__package__, "known_names.toml")]
    if path:
        files.append(read_rules(path))
    tables: dict[str, dict[str, str]] = {}
    for kind in _KINDS:
        tables[kind] = _lower(chain.from_iterable(file.get(kind, {}).items() for file in files))
        if not all(isinstance(company, str) for company in tables[kind].values()):
            raise UsageError("a name must stand for one company", where=str(path), hint='Write "Google" = "Alphabet"')
    parts, names = tables["parts"], tables["names"]
    return KnownNames({**parts, **names}, frozenset(parts.keys() - names.keys()))


def _lower(names: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name.lower(): company for name, company in names}


@cache
def shipped_vocabulary() -> Vocabulary:
    """The words that ship, for a workspace without files of its own."""
    return Vocabulary(default_synonyms(), default_formulas(), load_schema(), known_names())
