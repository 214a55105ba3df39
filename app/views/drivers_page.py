"""What moved figures, as one self-contained HTML page: a waterfall where causes have amounts, the sentence below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from html import escape

from ..core.anchor import at_page
from ..core.names import is_chinese
from ..core.period import label_of
from ..core.plain import shortened
from ..core.quantity import Quantity
from ..core.records import dataclass
from ..kg.drivers import Cause, Driver
from ..kg.extraction.drivers.readings import category_name
from .charts import Step, waterfall_chart
from .page import element, page

_WIDTH, _LABELS = 760, 300
_AS_STORED: Mapping[str, str] = {}
_LONGEST = 44
"""Characters of a name beside a bar."""
_SMALL_REST = Decimal("0.02")
"""Share of the change that the causes may leave open before a bar says so."""
_ARROWS: Mapping[str, str] = {"up": "▲", "down": "▼", "flat": "▬", "": ""}
_SCALES = ((Decimal(10) ** 9, "bn"), (Decimal(10) ** 6, "m"), (Decimal(10) ** 3, "k"))
_CHINESE_SCALES = ((Decimal(10) ** 8, "亿"), (Decimal(10) ** 4, "万"))
_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "before": "before",
        "after": "after",
        "change": "change",
        "rest": "not broken down",
        "offset": "offset",
        "assumption": "assumption",
        "outlook": "expected",
        "none": "No drivers: no sentence says what moved such a figure.",
    },
    "zh": {
        "before": "变动前",
        "after": "变动后",
        "change": "变动额",
        "rest": "未拆分",
        "offset": "抵消",
        "assumption": "假设",
        "outlook": "预计",
        "none": "没有找到相应的变动原因。",
    },
}


def drivers_html(drivers: Sequence[Driver], title: str, names: Mapping[str, str] = _AS_STORED) -> str:
    """A card for each driver, in words of the language of most sentences; ``names`` are sources as people know them."""
    chinese = sum(is_chinese(driver.text) for driver in drivers)
    language = "zh" if chinese * 2 > len(drivers) or is_chinese(title) else "en"
    cards = [_card(driver, language, names.get(driver.document, driver.document)) for driver in drivers]
    body = "\n".join(cards) or element("p", escape(_WORDS[language]["none"]), class_="soft")
    return page("drivers", title=title, body=element("main", body), language=language)


def waterfall_steps(driver: Driver, language: str = "en") -> list[Step]:
    """The bars of a driver's waterfall: where it stood, its causes, what they leave open, where it stands.

    Empty where fewer than two causes, or one cause of a known change, say how much they moved it in one unit.
    """
    parts = _parts(driver)
    change = _change(driver, parts)
    unit = parts[0].unit if parts else ""
    if len(parts) < (1 if change is not None else 2):
        return []
    told = sum((part.size for part in parts), Decimal(0))
    total = told if change is None else change
    level = driver.level.amount if driver.level and driver.level.unit == unit else None
    return list(_steps(_bars(parts, total, total - told, level, _WORDS[language]), unit, language))


def _bars(
    parts: Sequence[_Part], total: Decimal, rest: Decimal, level: Decimal | None, words: Mapping[str, str]
) -> list[_Bar]:
    """From where the figure stood, or from zero where its level is not known, cause by cause to where it stands."""
    nothing = Decimal(0)
    at = nothing if level is None else level - total
    bars = [] if level is None else [_Bar(words["before"], nothing, at, "total")]
    for part in parts:
        bars.append(_Bar(part.name, at, at + part.size, "up" if part.size > 0 else "down"))
        at += part.size
    if abs(rest) > _SMALL_REST * abs(total):
        bars.append(_Bar(words["rest"], at, at + rest, "rest"))
    last = (
        _Bar(words["change"], nothing, total, "total")
        if level is None
        else _Bar(words["after"], nothing, level, "total")
    )
    return [*bars, last]


@dataclass(frozen=True, slots=True)
class _Part:
    """A cause with its own amount, signed."""

    name: str
    size: Decimal
    unit: str


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar in the unit of the figure."""

    name: str
    start: Decimal
    end: Decimal
    kind: str


def _parts(driver: Driver) -> list[_Part]:
    """Causes whose amounts have the unit that most of them, or the change itself, have."""
    found: list[_Part] = []
    for cause in driver.causes:
        if cause.amount is not None and cause.sign:
            found.append(_Part(cause.text, cause.sign * abs(cause.amount.amount), cause.amount.unit))
    if not found:
        return []
    unit = found[0].unit
    if driver.change is not None and any(part.unit == driver.change.unit for part in found):
        unit = driver.change.unit
    return [part for part in found if part.unit == unit]


def _change(driver: Driver, parts: Sequence[_Part]) -> Decimal | None:
    """By how much the figure moved, signed, in the unit of the parts; None where it is not said."""
    unit = parts[0].unit if parts else ""
    sign = {"up": 1, "down": -1}.get(driver.direction, 0)
    for stated in (driver.change, driver.percent):
        if stated is not None and stated.unit == unit and sign:
            return sign * abs(stated.amount)
    return None


def _steps(bars: Sequence[_Bar], unit: str, language: str) -> Iterator[Step]:
    ends = [end for bar in bars for end in (bar.start, bar.end)]
    low, high = min(ends), max(ends)
    moved = [end for bar in bars if bar.kind != "total" for end in (bar.start, bar.end)]
    if low >= 0 and min(moved) > (high - min(moved)) * 2:  # small moves of a large figure: begin the scale below them
        low = min(moved) - (max(moved) - min(moved))
    span = high - low or Decimal(1)
    for bar in bars:
        first, last = sorted((max(bar.start, low), bar.end))
        size = bar.end if bar.kind == "total" else bar.end - bar.start
        label = shown_amount(size, unit, language, signed=bar.kind != "total")
        yield Step(
            shortened(bar.name, _LONGEST), float((first - low) / span), float((last - low) / span), label, bar.kind
        )


def shown_amount(amount: Decimal, unit: str, language: str = "en", *, signed: bool = False) -> str:
    """An amount in the largest scale that leaves a digit before the point.

    >>> shown_amount(Decimal(-317_000_000), "USD", signed=True), shown_amount(Decimal("4.5"), "%")
    ('−317 m USD', '4.5 %')
    """
    sign = "−" if amount < 0 else "+" if signed else ""
    size = abs(amount)
    if unit in ("%", "pp", "bp", ""):
        return f"{sign}{size.normalize():f} {unit}".strip()
    for factor, word in _CHINESE_SCALES if language == "zh" else _SCALES:
        if size >= factor:
            return f"{sign}{float(size / factor):,.4g} {word} {unit}"
    return f"{sign}{float(size):,.4g} {unit}"


def _card(driver: Driver, language: str, source: str) -> str:
    steps = waterfall_steps(driver, language)
    chart = waterfall_chart(steps, _WIDTH, _LABELS, driver.label) if steps else ""
    sentence = element("blockquote", escape(" ".join(driver.text.split())))
    place = element("p", escape(at_page(source, driver.page)), class_="soft small")
    causes = element("ul", *(_item(cause, language) for cause in driver.causes))
    return element("section", _head(driver, language), chart, causes, sentence, place)


def _head(driver: Driver, language: str) -> str:
    arrow = element("span", _ARROWS[driver.direction], class_=f"arrow {driver.direction}")
    facts = [driver.company, label_of(driver.period), *_amounts(driver)]
    if driver.outlook:
        facts.append(_WORDS[language]["outlook"])
    about = element("span", escape(" · ".join(filter(None, facts))), class_="soft")
    return element("h2", arrow, " ", escape(driver.label), " ", about)


def _amounts(driver: Driver) -> list[str]:
    found: list[Quantity | None] = [driver.change, driver.percent, driver.level]
    return [quantity.text for quantity in found if quantity is not None]


def _item(cause: Cause, language: str) -> str:
    kind = {1: "up", -1: "down"}.get(cause.sign, "")
    sign = element("b", {1: "+", -1: "−"}.get(cause.sign, "·"), class_=kind)
    role = _WORDS[language].get(cause.role, "")
    chips = [
        element("span", escape(word), class_="chip") for word in (category_name(cause.category, language), role) if word
    ]
    behind = element("ul", *(_item(other, language) for other in cause.causes)) if cause.causes else ""
    return element("li", sign, " ", escape(" ".join(cause.text.split())), " ", *chips, behind)
