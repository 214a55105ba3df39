"""What a search may look at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from .period import Period
from .records import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Companies, periods, kinds of document and sources to search; an empty tuple does not restrict.

    Strings are accepted for periods and read with :meth:`Period.parse`, and for ``as_of`` as "2024-03-31".

    >>> Scope(companies=("Acme",), periods=("FY2023",)).periods[0].label
    'FY2023'
    >>> Scope.all().is_open
    True
    """

    companies: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    kinds: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    as_of: date | None = None
    """Only what was published by this day; ``None`` looks at all."""

    def __post_init__(self) -> None:
        for name in ("companies", "kinds", "sources"):
            object.__setattr__(self, name, _strings(getattr(self, name)))
        periods = (self.periods,) if isinstance(self.periods, (str, Period)) else self.periods
        parsed = tuple(p if isinstance(p, Period) else Period.parse(p) for p in periods)
        object.__setattr__(self, "periods", parsed)
        if isinstance(self.as_of, str):
            object.__setattr__(self, "as_of", date.fromisoformat(self.as_of))

    @classmethod
    def all(cls) -> Scope:
        """The whole workspace: no document is left out, whatever the question names.

        Names in the question still count in the ranking, as its other words do.
        """
        return cls()

    @property
    def is_open(self) -> bool:
        """True where nothing is restricted."""
        return not (self.companies or self.periods or self.kinds or self.sources or self.as_of)


def _strings(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)
