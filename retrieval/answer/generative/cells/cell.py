"""A printed figure with what it is of: the unit in which answers are grounded."""

from __future__ import annotations

from decimal import Decimal

from .....core.period import Period
from .....core.quantity import decimals
from .....core.records import dataclass
from .times import FigureTime

RATES = frozenset({"%", "bp", "pp", "x"})
"""Units that no scale applies to."""
_MOST_PRICE = 1000


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed figure. ``words`` are search terms of its row (in prose: of its sentence), ``heads`` of its column.

    ``scale`` is None where nothing says it. ``row`` and ``column`` tell cells of one table apart; -1 in prose.
    """

    value: Decimal
    scale: Decimal | None
    unit: str
    text: str
    start: int
    end: int
    label: str = ""
    words: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    section: frozenset[str] = frozenset()
    periods: tuple[Period, ...] = ()
    table: int = -1
    row: int = -1
    column: int = -1
    is_change: bool = False
    head: str = ""
    """The words over its column, as printed."""
    is_stacked: bool = False
    """True for a value of a table whose columns a PDF lost: it stands alone on its line."""
    own: frozenset[str] = frozenset()
    """Of figures that a sentence gives "respectively": words that only this one is said of."""
    others: frozenset[str] = frozenset()
    """The same of the other figures."""
    title: frozenset[str] = frozenset()
    """Search words of what stands right above its table."""
    time: FigureTime | None = None
    """Of a figure of prose: how sure its periods are, and which others its sentence names."""

    @property
    def amount(self) -> Decimal:
        """The value in its unit, as far as the scale is known."""
        return self.value if self.scale is None or self.unit in RATES else self.value * self.scale

    @property
    def is_price(self) -> bool:
        """True for "0.75": among whole amounts it is one of a share, and the scale of the table is not its own."""
        return self.unit not in RATES and decimals(self.value) == 2 and abs(self.value) < _MOST_PRICE

    @property
    def when(self) -> FigureTime:
        """The time that it is of; what a table says is sure."""
        return self.time or FigureTime(self.periods)

    @property
    def is_prose(self) -> bool:
        """True for a figure of a sentence, whose label is that sentence."""
        return self.table < 0 and not self.is_stacked


def last_digit(value: Decimal) -> Decimal:
    """What the last printed digit is worth.

    >>> last_digit(Decimal("3.40")), last_digit(Decimal("340"))
    (Decimal('0.01'), Decimal('1'))
    """
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
