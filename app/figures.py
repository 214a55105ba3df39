"""How a look-up of figures reaches the store: names as they are stored, periods as they are meant, limits checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .core.records import dataclass
from .querying import MOST_ROWS, as_periods, check_range, several

# Nothing of retrieval or kg is loaded before it is used, as in workspace.py.
if TYPE_CHECKING:
    from datetime import date
    from decimal import Decimal

    from .components import Components
    from .core.fact import Fact
    from .core.scope import Scope
    from .kg.drivers import Driver
    from .querying import Names, Periods
    from .retrieval.calculation import Outcome, Rows
    from .retrieval.calculation.aggregates import Series
    from .retrieval.search.rerankers.exact_match import Occurrence
    from .sources import SourceNames


@dataclass(frozen=True, slots=True)
class FigureFilter:
    """Whose figures, which and of when, as a user names them; None: any."""

    company: Names = None
    metric: Names = None
    period: Periods = None
    sources: Names = None
    """Documents by name, or by an end of their path."""
    as_of: date | None = None
    """What was published later is left out."""
    limit: int = 1000


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one workspace. Raises ValueError for what is no period, UsageError for what is no name."""

    components: Components
    sources: SourceNames

    def facts(self, asked: FigureFilter, label: str = "", value: Decimal | None = None) -> list[Fact]:
        """Facts of the very periods first, then the balances on days within them."""
        from .kg.store import FactQuery

        store = self.components.store_as_of(asked.as_of)
        query = FactQuery(
            companies=self._with_aliases(several(asked.company)),
            metrics=self._metrics(asked),
            periods=as_periods(asked.period),
            sources=self._stored(asked.sources),
            label=label,
            value=value,
            limit=check_range("limit", asked.limit, MOST_ROWS),
        )
        found = store.facts(query)
        days = tuple(day for period in query.periods for day in period.balance_days)
        if days and len(found) < asked.limit:
            found += store.facts(replace(query, periods=days, limit=asked.limit - len(found)))
        return found

    def drivers(self, asked: FigureFilter, category: Names = None) -> list[Driver]:
        """What moved figures; those of a company together, figures without a metric last."""
        from .kg.drivers import DriverQuery, in_periods
        from .kg.extraction.drivers.readings import check_category

        query = DriverQuery(
            companies=self._with_aliases(several(asked.company)),
            metrics=self._metrics(asked),
            categories=tuple(check_category(name) for name in several(category)),
            sources=self._stored(asked.sources),
            limit=MOST_ROWS,
        )
        stated = self.components.store_as_of(asked.as_of).drivers(query)
        found = in_periods(stated, as_periods(asked.period))
        found.sort(key=lambda driver: (driver.company, not driver.metric))  # stable: the order of the store within
        return found[: check_range("limit", asked.limit, MOST_ROWS)]

    def series(self, metric: str, asked: FigureFilter) -> list[Series]:
        """A metric or formula over its years, or the periods given."""
        from .retrieval.calculation.aggregates import metric_series

        own = self.components
        known = own.formulas.find(metric) or own.metrics.find(metric)
        name = known.name if known else metric
        return metric_series(own.store, name, own.formulas, several(asked.company), periods=as_periods(asked.period))

    def occurrences(self, value: Decimal, scope: Scope | None, limit: int) -> list[Occurrence]:
        """Where a number is printed."""
        from .retrieval.search.rerankers.exact_match import find_number

        within = self.sources.stored_scope(scope)
        if within:
            within = replace(within, companies=self._with_aliases(within.companies))
        return find_number(self.components.store, value, scope=within, limit=check_range("limit", limit, MOST_ROWS))

    def superseded(self, facts: Sequence[Fact]) -> dict[str, Fact]:
        """By the id of a fact, the one of a later document that states its figure anew."""
        from .core.scope import Scope
        from .kg.timeline import publication_days, superseded_facts
        from .retrieval.calculation.fact_choice.choosing import agree

        named = Scope(sources=tuple({fact.source for fact in facts}))
        records = self.components.store.documents(named) if facts else []
        return superseded_facts(facts, publication_days(records), agree)

    def calculated(self, what: str, asked: FigureFilter, formulas: str | Path | None) -> Outcome:
        """A metric or formula by its name; ``formulas`` is a file of the user's own."""
        from .retrieval.calculation import calculate_figure, load_formulas

        own = self.components
        known = load_formulas(Path(formulas), own.metrics) if formulas else own.formulas
        vocabulary = replace(own.vocabulary, formulas=known)
        companies, periods = several(asked.company), as_periods(asked.period)
        return calculate_figure(own.store, what, vocabulary, companies=companies, periods=periods)

    def selected(self, statement: str, limit: int) -> Rows:
        """The rows of one SELECT on ``facts_view``, read-only."""
        from .retrieval.calculation import select_facts

        return select_facts(self.components.store, statement, limit=check_range("limit", limit, MOST_ROWS))

    def _metrics(self, asked: FigureFilter) -> tuple[str, ...]:
        """The canonical names of the metrics, or the names themselves where no metric is called so."""
        metrics = self.components.metrics
        found = [(name, metrics.find(name)) for name in several(asked.metric)]
        return tuple(known.name if known else name for name, known in found)

    def _stored(self, sources: Names) -> tuple[str, ...]:
        return self.sources.stored_names(several(sources)) if sources else ()

    def _with_aliases(self, companies: Sequence[str]) -> tuple[str, ...]:
        """With the names that the documents use for the same company: facts know "Acme Holdings", not "Acme"."""
        if not companies:
            return ()
        from .core.names import name_key

        names = list(companies)
        for entity in self.components.store.find_entities([name_key(company) for company in companies]):
            names.extend((entity.name, *entity.aliases))
        return tuple(dict.fromkeys(names))
