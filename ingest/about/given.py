"""What the user says of a document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...core.period import Period

if TYPE_CHECKING:
    from ..document import Metadata

MENDED = "given"
"""How a value was found that the user put in the place of another."""
FIELDS = ("companies", "period", "kind", "published")
"""What may be said of a document: fields of the hints and of the metadata."""


@dataclass(frozen=True, slots=True)
class DocumentHints:
    """What the user says of a document; stands above everything that is found in it. Empty: to be found."""

    companies: tuple[str, ...] = ()
    period: Period | None = None
    kind: str = ""
    published: date | None = None
    lasting: tuple[str, ...] = ()
    """Fields that stay when another version of the document is added: what `docs --set` mended."""

    @property
    def said(self) -> tuple[str, ...]:
        """The fields that the user says something of."""
        return tuple(field for field in FIELDS if getattr(self, field))

    def with_lasting(self, about: Metadata | None) -> DocumentHints:
        """With what was mended in the stored document ``about``, where these hints say nothing else."""
        if about is None:
            return self
        mended = [field for field in FIELDS if about.how.get(field) == MENDED and not getattr(self, field)]
        values: dict[str, Any] = {field: getattr(about, field) for field in mended}
        return replace(self, **values, lasting=(*self.lasting, *mended))

    @classmethod
    def of(
        cls,
        company: str | Iterable[str] | None = None,
        period: Period | str | None = None,
        kind: str | None = None,
        published: date | str | None = None,
    ) -> DocumentHints:
        """The hints as they are written. Raises UsageError for a period or date that cannot be read.

        >>> DocumentHints.of("Acme", "FY2023").companies
        ('Acme',)
        """
        return cls(_as_names(company), _as_period(period), kind or "", _as_date(published))


Given = DocumentHints
"""The same by its older name."""


def _as_names(company: str | Iterable[str] | None) -> tuple[str, ...]:
    if company is None:
        return ()
    return (company,) if isinstance(company, str) else tuple(company)


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
