"""What the user says of a document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from ...core.errors import UsageError
from ...core.period import Period, label_of
from ...core.records import dataclass

if TYPE_CHECKING:
    from ..document import Metadata

MENDED = "given"
"""How a value was found that the user put in the place of another."""
_FIELDS = ("companies", "period", "kind", "published")
_DOUBTS = ("unsure", "candidates", "confidence")


@dataclass(frozen=True, slots=True)
class DocumentHints:
    """What the user says of a document; stands above everything that is found in it. Empty: to be found."""

    companies: tuple[str, ...] = ()
    period: Period | None = None
    kind: str = ""
    published: date | None = None
    lasting: tuple[str, ...] = ()
    """Fields that stay when another version of the document is added: what `docs --set` mended."""

    @classmethod
    def of(
        cls,
        company: str | Iterable[str] | None = None,
        period: Period | str | None = None,
        kind: str | None = None,
        published: date | str | None = None,
    ) -> DocumentHints:
        """The hints as they are written. Raises UsageError for a period or date that cannot be read.

        >>> list(DocumentHints.of("Acme", "FY2023").said)
        ['companies', 'period']
        """
        return cls(_as_names(company), _as_period(period), kind or "", _as_date(published))

    @property
    def said(self) -> dict[str, Any]:
        """Field of the metadata -> its value, for what is said."""
        values = {name: getattr(self, name) for name in _FIELDS}
        return {name: value for name, value in values.items() if value}

    def to_last(self) -> DocumentHints:
        """The same, all of it said to mend what was found."""
        return replace(self, lasting=tuple(self.said))

    def with_mended(self, stored: Metadata) -> DocumentHints:
        """With what was mended in the stored document, where these hints say nothing else."""
        mended = [name for name in _FIELDS if stored.how.get(name) == MENDED and name not in self.said]
        values: dict[str, Any] = {name: getattr(stored, name) for name in mended}
        return replace(self, **values, lasting=(*self.lasting, *mended))

    def agree_with(self, stored: Metadata) -> bool:
        """True where what is said of a document is what is stored of it."""
        label = label_of(stored.period)
        if self.period and self.period.label != label:
            return False
        return all(getattr(stored, name) == value for name, value in self.said.items() if name != "period")

    def marked_in(self, metadata: Metadata) -> Metadata:
        """The metadata with a note that the lasting hints were given to mend it."""
        if not self.lasting:
            return metadata
        doubts = _DOUBTS if "companies" in self.lasting else ()
        how = {name: origin for name, origin in metadata.how.items() if name not in doubts}
        return replace(metadata, how=how | dict.fromkeys(self.lasting, MENDED))


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
