"""Formulas as data: names in two languages, expressions over metrics, units; a user's own file extends them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ....core.errors import UsageError
from ....core.rules import load_rules, read_rules
from ....ingest.facts.metrics import MetricList, default_metrics, plain_label
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
