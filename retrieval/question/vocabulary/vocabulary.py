"""The words that a workspace knows: the shipped ones, and the user's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

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

    @property
    def metrics(self) -> MetricList:
        """The names of figures, of which the formulas are made."""
        return self.formulas.known


@cache
def shipped_vocabulary() -> Vocabulary:
    """The words that ship, for a workspace without files of its own."""
    return Vocabulary(default_synonyms(), default_formulas(), load_schema())
