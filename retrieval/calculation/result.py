"""What an answer in numbers consists of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from decimal import Decimal

from ...core.fact import Fact
from ...core.period import Period
from ...core.period_text import find_periods
from ...core.records import dataclass
from ..question.figures.asked import Asked
from ..search.evidence import Citation


@dataclass(frozen=True, slots=True)
class Component:
    """A fact that went into a figure, under the name by which the formula calls it."""

    name: str
    fact: Fact
    amount: Decimal
    """As the formula takes it: signs of costs and payments are brought in line."""
    back: int = 0
    """Periods before the one asked."""
    score: float = 1.0
    """1 for the metric itself, less where only the words of a label are near the question's."""
    others: tuple[Fact, ...] = ()
    """Facts that state another value for the same."""
    anew: bool = False
    """It takes the place of an earlier document's value."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One value with its origin; ``value`` is in units (not millions), a share for "%"."""

    name: str
    period: Period | None
    value: Decimal | None
    unit: str
    components: tuple[Component, ...] = ()
    formula: str = ""
    """In names: "operating income / revenue"; empty for a value that is stated."""
    with_values: str = ""
    text: str = ""
    """The value of a fact in words."""
    company: str = ""

    @property
    def number(self) -> Decimal:
        """The value; 0 for a figure in words."""
        return Decimal(0) if self.value is None else self.value


def components_of(figures: Iterable[Figure]) -> tuple[Component, ...]:
    """What these figures are made of: each component once, in order."""
    found: dict[Component, None] = {}
    for figure in figures:
        found.update(dict.fromkeys(figure.components))
    return tuple(found)


def facts_of(figures: Iterable[Figure]) -> tuple[Fact, ...]:
    """The facts behind these figures: each once, in order."""
    return tuple(dict.fromkeys(part.fact for part in components_of(figures)))


@dataclass(frozen=True, slots=True)
class NumberAnswer:
    """An answer in numbers. ``value`` is in ``unit`` times ``scale``, as shown: 34.6 for 34.6 %.

    ``text`` cites with [number] marks; there is one citation for each component.
    """

    text: str
    value: Decimal | None
    unit: str
    scale: Decimal
    citations: tuple[Citation, ...]
    figures: tuple[Figure, ...]
    asked: Asked
    notes: tuple[str, ...] = ()
    """Conflicts, and which value was chosen why."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts used, each once, in the order of the citations."""
        return facts_of(self.figures)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An answer, or why there is none."""

    asked: Asked
    answer: NumberAnswer | None = None
    declined: str = ""
    missing: tuple[str, ...] = ()
    """Components that no fact states."""
    sources: tuple[str, ...] = ()
    """The documents it was looked for in."""
    companies: tuple[str, ...] = ()
    """Where several may be meant, those that state all that it takes."""
    trace: Mapping[str, object] = field(default_factory=dict)

    @property
    def computes(self) -> bool:
        """True where the value is calculated: as it was in the answer, else as the question asks."""
        if self.answer is None or self.asked.operation != "value":
            return self.asked.computes
        return any(figure.formula for figure in self.answer.figures)


def is_balance_of_day(part: Component) -> bool:
    """True for what stood in the books on a day, unless its row says when it is due: "3.75% notes due 2025"."""
    period = part.fact.period
    return period is not None and period.is_instant and not find_periods(part.fact.label)
