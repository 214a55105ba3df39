"""The words that a workspace knows: the shipped ones, and the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ....core.errors import UsageError
from ....core.rules import load_rules, read_rules
from ....ingest.facts.metrics import MetricList
from ....kg.schema import Schema, load_schema
from .formulas import FormulaList, default_formulas
from .synonyms import Synonyms, default_synonyms


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What words mean in a workspace; whatever reads a question or writes an answer takes it.

    ``synonyms``: what filings call a thing. ``formulas``: what is calculated. ``schema``: the relations of the graph.
    """

    synonyms: Synonyms
    formulas: FormulaList
    schema: Schema
    names: Mapping[str, str]
    """Short names and brands in lower case -> the company by its own name."""

    @property
    def metrics(self) -> MetricList:
        """The names of figures, of which the formulas are made."""
        return self.formulas.known


@cache
def known_names(path: Path | None = None) -> Mapping[str, str]:
    """The names of ``known_names.toml``, and those of a user's own file in the same form. Raises UsageError."""
    own = read_rules(path).get("names", {}) if path else {}
    if not all(isinstance(company, str) for company in own.values()):
        raise UsageError("a name must stand for one company", where=str(path), hint='Write "Google" = "Alphabet"')
    names = {**load_rules(__package__, "known_names.toml")["names"], **own}
    return {name.lower(): company for name, company in names.items()}


@cache
def shipped_vocabulary() -> Vocabulary:
    """The words that ship, for a workspace without files of its own."""
    return Vocabulary(default_synonyms(), default_formulas(), load_schema(), known_names())
