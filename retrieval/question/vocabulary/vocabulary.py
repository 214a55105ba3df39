"""The words that a workspace knows: the shipped ones, and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from ....core.errors import UsageError
from ....core.rules import load_rules, read_rules
from ....ingest.facts.metrics import MetricList
from ....kg.schema import Schema, load_schema
from .formulas import FormulaList, default_formulas
from .synonyms import Synonyms, default_synonyms

_KINDS = ("names", "parts")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What the market calls companies: short names and brands in lower case -> the company by its own name."""

    companies: Mapping[str, str]
    parts: frozenset[str] = frozenset()
    """Those of ``companies`` that are a part of it: a brand, a business, a product."""


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
    files = [load_rules(__package__, "known_names.toml"), *([read_rules(path)] if path else [])]
    tables = {kind: _lower(chain.from_iterable(file.get(kind, {}).items() for file in files)) for kind in _KINDS}
    if not all(isinstance(company, str) for table in tables.values() for company in table.values()):
        raise UsageError("a name must stand for one company", where=str(path), hint='Write "Google" = "Alphabet"')
    return KnownNames(
        {**tables["parts"], **tables["names"]}, frozenset(tables["parts"].keys() - tables["names"].keys())
    )


def _lower(names: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    return {name.lower(): company for name, company in names}


@cache
def shipped_vocabulary() -> Vocabulary:
    """The words that ship, for a workspace without files of its own."""
    return Vocabulary(default_synonyms(), default_formulas(), load_schema(), known_names())
