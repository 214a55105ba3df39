"""Drivers: what moved a figure. "Net sales rose 8 % to $4.1 billion due to volume, partly offset by currency"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from datetime import date
from typing import Literal

from ..core.anchor import Anchor, first_page
from ..core.names import company_key
from ..core.period import Period
from ..core.quantity import Quantity
from ..core.records import dataclass

Direction = Literal["up", "down", "flat", ""]
Role = Literal["cause", "offset", "assumption"]


@dataclass(frozen=True, slots=True)
class Cause:
    """One reason, in the words of the text: ``start`` and ``end`` are its offsets in the document's text.

    ``sign`` is 1 where it raised the figure, -1 where it lowered it, 0 where the text does not tell. An "offset" works
    against the movement; an "assumption" is what guidance rests on.
    """

    text: str
    start: int
    end: int
    sign: int = 0
    category: str = ""
    """A class of ``extraction/drivers/categories.toml`` ("volume", "currency"); "" for none of them."""
    role: Role = "cause"
    amount: Quantity | None = None
    """How much of the movement is its own, as printed; ``amount.start`` is an offset in ``text``."""
    causes: tuple[Cause, ...] = ()
    """What moved it in turn: "higher rates driven by acquisitions"."""

    def chain(self) -> Iterator[Cause]:
        """This cause, then those behind it."""
        yield self
        for behind in self.causes:
            yield from behind.chain()


@dataclass(frozen=True, slots=True)
class Driver:
    """A figure of a company, how it moved in a period, and why; never changed, only added or removed.

    ``text`` is the sentence, which stands at ``start`` to ``end`` in the document's text.
    """

    id: str
    company: str
    metric: str
    """Canonical name from the metric list ("revenue"); "" where the list has none."""
    label: str
    """The figure as the sentence names it ("NIKE Direct revenues")."""
    direction: Direction
    causes: tuple[Cause, ...]
    document: str
    chunk: str
    start: int
    end: int
    text: str
    segment: str = ""
    """The part of the company that it is about, as written; "" for the whole."""
    period: Period | None = None
    change: Quantity | None = None
    """By how much it moved, as an amount."""
    percent: Quantity | None = None
    """By how much it moved, in percent, percentage points or basis points."""
    level: Quantity | None = None
    """What it moved to, or what it is."""
    outlook: bool = False
    """True for what is expected: guidance."""
    anchors: tuple[Anchor, ...] = ()
    published: date | None = None
    confidence: float = 1.0
    extractor: str = "rules"

    @property
    def page(self) -> int | None:
        """The first page it stands on, from 1."""
        return first_page(self.anchors)

    def all_causes(self) -> Iterator[Cause]:
        """Causes, offsets and assumptions, each followed by what is behind it."""
        for cause in self.causes:
            yield from cause.chain()

    @property
    def place(self) -> tuple[str, str, str, str, int, str]:
        """Orders drivers by company, metric, end of the period, document and place."""
        ends = self.period.last_day.isoformat() if self.period else ""
        return self.company, self.metric, ends, self.document, self.start, self.id


@dataclass(frozen=True, slots=True)
class DriverQuery:
    """Filters for drivers; empty does not restrict.

    ``periods`` are compared by their names; ``categories`` finds drivers with a cause of one of these classes at any
    depth.
    """

    companies: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    periods: tuple[Period, ...] = ()
    sources: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    limit: int = 1000

    company_keys: tuple[str, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "company_keys", tuple(map(company_key, self.companies)))


def in_periods(drivers: Iterable[Driver], periods: Sequence[Period]) -> list[Driver]:
    """Those whose period is one of these or lies within one; all of them where none is asked for."""
    kept = _without_doubles(drivers)
    if not periods:
        return kept
    return [driver for driver in kept if any(_lies_in(driver.period, asked) for asked in periods)]


def _without_doubles(drivers: Iterable[Driver]) -> list[Driver]:
    """Of a sentence that rules and a model have read, what the model says."""
    found = list(drivers)
    by_model = {(driver.document, driver.start) for driver in found if driver.extractor != "rules"}
    return [d for d in found if d.extractor != "rules" or (d.document, d.start) not in by_model]


def _lies_in(period: Period | None, asked: Period) -> bool:
    return period is not None and (period.label == asked.label or asked.covers(period))
