"""What a workspace knows in numbers: facts, series, figures worked out from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .core.fact import Fact
from .core.names import name_key
from .core.period import Period
from .core.scope import Scope
from .kg.as_of import as_of as store_as_of
from .kg.store import FactQuery
from .places import Places

if TYPE_CHECKING:
    from decimal import Decimal

    from .retrieval.calculation import Outcome, Rows
    from .retrieval.calculation.arithmetic.series import Series
    from .retrieval.calculation.occurrences import Occurrence


class Figures(Places):
    """The part of :class:`cliquerag.Workspace` that answers with numbers and their cells."""

    def facts(
        self,
        company: str | Sequence[str] | None = None,
        metric: str | Sequence[str] | None = None,
        period: str | Period | Sequence[str | Period] | None = None,
        *,
        as_of: date | None = None,
        **more: Any,
    ) -> list[Fact]:
        """Facts that match; ``more`` are other fields of FactQuery (``label``, ``value``, ``sources``, ``limit``).

        Facts of the very period come first, then the balances on days within it. ``as_of`` leaves out documents that
        were published later. All that is stated is given: :meth:`superseded` tells what a later report states anew.
        """
        store = store_as_of(self.store, as_of)
        known = self.metrics
        metrics = tuple(found.name if (found := known.find(name)) else name for name in _several(metric))
        periods = _periods(period)
        if sources := more.get("sources"):
            more["sources"] = tuple(self.source_named(name) or name for name in _several(sources))
        query = FactQuery(companies=self._also_named(_several(company)), metrics=metrics, periods=periods, **more)
        found_facts = store.facts(query)
        days = tuple(day for asked in periods for day in asked.balance_days)
        if days and len(found_facts) < query.limit:
            found_facts += store.facts(replace(query, periods=days, limit=query.limit - len(found_facts)))
        return found_facts

    def series(
        self,
        metric: str,
        company: str | Sequence[str] | None = None,
        period: str | Period | Sequence[str | Period] | None = None,
    ) -> list[Series]:
        """A metric or formula over its years, or the periods given, a series for each company."""
        from .retrieval.calculation.arithmetic.series import metric_series

        known = self.formulas.find(metric) or self.metrics.find(metric)
        name = known.name if known else metric
        return metric_series(self.store, name, self.formulas, _several(company), periods=_periods(period))

    def occurrences(self, value: Decimal, scope: Scope | None = None, limit: int = 200) -> list[Occurrence]:
        """Every cell and sentence that prints this number, in any scale, whether a fact was read there or not."""
        from .retrieval.calculation.occurrences import find_number

        companies = self._also_named(scope.companies) if scope else ()
        meant = self.meant(scope)
        within = replace(meant, companies=companies) if meant else None
        return find_number(self.store, value, scope=within, limit=limit)

    def superseded(self, facts: Sequence[Fact]) -> dict[str, Fact]:
        """Of these facts, the id of each whose figure another of them states anew in a later document, and that one."""
        from .kg.timeline import public_by, superseded_facts
        from .retrieval.calculation.fact_choice.choosing import agree

        named = Scope(sources=tuple({fact.source for fact in facts}))
        published = {record.source: public_by(record) for record in self.store.documents(named)} if facts else {}
        return superseded_facts(facts, published, agree)

    def calc(
        self,
        what: str,
        company: str | Sequence[str] | None = None,
        period: str | Period | Sequence[str | Period] | None = None,
        formulas: str | Path | None = None,
    ) -> Outcome:
        """A metric or formula by its name ("operating margin", "流动比率"), with the cells that it comes from.

        ``formulas`` is a file of your own formulas. ``answer`` is None where a component is missing: ``missing`` names
        it, ``declined`` says why.
        """
        from .retrieval.calculation import calculate_figure, load_formulas

        known = load_formulas(Path(formulas), self.metrics) if formulas else self.formulas
        vocabulary = replace(self.vocabulary, formulas=known)
        return calculate_figure(self.store, what, vocabulary, companies=_several(company), periods=_periods(period))

    def sql(self, statement: str, limit: int = 1000) -> Rows:
        """One SELECT on ``facts_view``, read-only. Raises UsageError for anything else."""
        from .retrieval.calculation import select_facts

        return select_facts(self.store, statement, limit=limit)

    def _also_named(self, companies: Sequence[str]) -> tuple[str, ...]:
        """With the names that the documents use for the same company: facts know "Acme Holdings", not "Acme"."""
        entities = self.store.find_entities([name_key(name) for name in companies]) if companies else []
        return tuple(dict.fromkeys([*companies, *(name for e in entities for name in (e.name, *e.aliases))]))


def _several(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, (str, Period)) else tuple(value)


def _periods(value: str | Period | Sequence[str | Period] | None) -> tuple[Period, ...]:
    """Raises ValueError for what names no period."""
    return tuple(period if isinstance(period, Period) else Period.parse(period) for period in _several(value))
