"""What the caller says of a document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from ...core.errors import UsageError
from ...core.period import Period


@dataclass(frozen=True, slots=True)
class Given:
    """What the caller says; stands above everything that is found."""

    companies: tuple[str, ...] = ()
    period: Period | None = None
    kind: str = ""
    published: date | None = None

    @classmethod
    def of(
        cls,
        company: str | Iterable[str] | None,
        period: Period | str | None,
        kind: str | None,
        published: date | str | None,
    ) -> Given:
        """Raises UsageError for a period or date that cannot be read."""
        companies = () if company is None else (company,) if isinstance(company, str) else tuple(company)
        return cls(companies, _as_period(period), kind or "", _as_date(published))


def _as_period(period: Period | str | None) -> Period | None:
    if period is None or isinstance(period, Period):
        return period
    try:
        return Period.parse(period)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _as_date(day: date | str | None) -> date | None:
    if day is None or isinstance(day, date):
        return day
    try:
        return date.fromisoformat(day)
    except ValueError as error:
        raise UsageError(f"not a date: {day!r}", hint="Write it like 2023-06-30") from error
