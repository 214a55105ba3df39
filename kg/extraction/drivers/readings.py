"""What one sentence says of a figure and its causes; offsets are in the sentence."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from ....core.errors import UsageError
from ....core.patterns import PatternTable
from ....core.quantity import Quantity, find_quantities
from ....core.records import dataclass
from ....core.rules import load_rules
from ...drivers import Cause, Direction, Role

_CATEGORIES = PatternTable(__package__, "categories.toml", field="patterns")
SIGNS: dict[Direction, int] = {"up": 1, "down": -1, "flat": 0, "": 0}
_PERCENTS = frozenset({"%", "pp", "bp"})


@dataclass(frozen=True, slots=True)
class Effect:
    """A figure and how it moved: ``label`` stands at ``start`` to ``end``; "" where only "the increase" is named."""

    label: str
    start: int
    end: int
    direction: Direction
    metric: str = ""
    segment: str = ""
    change: Quantity | None = None
    percent: Quantity | None = None
    level: Quantity | None = None
    outlook: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One figure with its causes, in the order of the sentence."""

    effect: Effect
    causes: tuple[Cause, ...]
    confidence: float = 0.8


def shifted(cause: Cause, by: int) -> Cause:
    """A cause, with all behind it, whose offsets count from another beginning."""
    behind = tuple(shifted(other, by) for other in cause.causes)
    return replace(cause, start=cause.start + by, end=cause.end + by, causes=behind)


@cache
def category_of(words: str) -> str:
    """The class of a cause by its words; "" for none.

    >>> category_of("lower fuel costs"), category_of("不锈钢原材料价格上涨")
    ('input_cost', 'input_cost')
    """
    return _CATEGORIES.which(words)


def check_category(name: str) -> str:
    """The class of that name, in its own spelling ("input cost" is "input_cost"). Raises UsageError for another."""
    known = load_rules(__package__, "categories.toml")
    wanted = name.strip().lower().replace(" ", "_").replace("-", "_")
    for key, rule in known.items():
        if wanted in (key, rule["en"].lower().replace(" ", "_"), rule["zh"]):
            return key
    raise UsageError(f"no class of causes {name!r}", hint=f"There are: {', '.join(known)}")


def category_name(category: str, language: str = "en") -> str:
    """How a class is shown; "" for none.

    >>> category_name("input_cost"), category_name("currency", "zh")
    ('Input cost', '汇率')
    """
    known = load_rules(__package__, "categories.toml")
    return str(known[category][language]) if category in known else ""


def make_cause(text: str, start: int, end: int, sign: int, role: Role = "cause") -> Cause:
    """A cause of ``text[start:end]`` with its class and its own amount."""
    words = text[start:end]
    return Cause(words, start, end, sign, category_of(words), role, own_amount(words))


def own_amount(words: str) -> Quantity | None:
    """How much a cause contributed, where it says so: money first, else a percentage or points."""
    found = find_quantities(words)
    money = [
        quantity for quantity in found if quantity.unit and quantity.unit not in _PERCENTS and "/" not in quantity.unit
    ]
    amounts = [quantity for quantity in money if quantity.unit.isupper()]
    shares = [quantity for quantity in found if quantity.unit in _PERCENTS]
    return next(iter(amounts or shares), None)


def is_percent(quantity: Quantity) -> bool:
    """True for percent, percentage points and basis points."""
    return quantity.unit in _PERCENTS
