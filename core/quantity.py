"""Amounts as finance writes them, sign, scale and unit, and how they are found in a text; the words and signs
for scales, currencies and units are data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache, lru_cache

from .chinese import simplified
from .patterns import LazyPattern, PatternTable, on_demand
from .records import dataclass
from .rules import load_rules

_SCALE_SIGNS = PatternTable(__package__, "units.toml", "scale_pattern")
_CURRENCY_SIGNS = PatternTable(__package__, "units.toml", "currency_pattern")
SCALE_WORDS: Mapping[Decimal, str] = {
    Decimal(10) ** 3: "thousand", Decimal(10) ** 4: "ten thousand", Decimal(10) ** 5: "lakh",
    Decimal(10) ** 6: "million", Decimal(10) ** 7: "crore", Decimal(10) ** 8: "hundred million",
    Decimal(10) ** 9: "billion",
}  # fmt: skip
"""Every scale that a table may be in has its word: a number without it would be another amount."""


@cache
def scale_powers() -> Mapping[str, int]:
    """Word after a number, in lower case and in the singular -> power of ten: "million" -> 6, "万" -> 4."""
    return {word: int(power) for word, power in _by_word("scale").items()}


@cache
def currency_codes() -> Mapping[str, str]:
    """Word or sign beside a number, in lower case and in the singular -> ISO 4217 code: "us$" -> "USD"."""
    return _by_word("currency")


@cache
def unit_symbols() -> Mapping[str, str]:
    """Word after a number, in lower case and in the singular -> unit of a quantity: "basis point" -> "bp"."""
    return _by_word("unit")


def scale_power_in(unit_line: str) -> int | None:
    """The power of ten of the scale that a unit line or a column's head names; None where it names none.

    >>> scale_power_in("(in thousands, except per share data)"), scale_power_in("单位：万元"), scale_power_in("2023")
    (3, 4, None)
    """
    power = _SCALE_SIGNS.which(unit_line)
    return int(power) if power else None


def currency_in(unit_line: str) -> str:
    """The ISO 4217 code of the currency that a unit line or a column's head names; "" where it names none.

    >>> currency_in("(SEK in millions)"), currency_in("US$'000"), currency_in("单位：万元"), currency_in("2023")
    ('SEK', 'USD', 'CNY', '')
    """
    if code := _written_code().search(unit_line):
        return code.group()
    word = _CURRENCY_SIGNS.which(unit_line)
    return currency_codes().get(word.lower(), "")


@cache
def _written_code() -> re.Pattern[str]:
    """Of currencies that are written by their code only; in capitals, for "try" is a word, too."""
    codes: str = load_rules(__package__, "units.toml")["currency_code"]["codes"]
    return re.compile(rf"\b(?:{'|'.join(codes.split())})\b")


def _by_word(section: str) -> dict[str, str]:
    by_word: dict[str, str] = {}
    for meaning, words in load_rules(__package__, "units.toml")[section].items():
        for word in words:
            by_word[word] = meaning
    return by_word


_NOT_SHARE_COUNTS = on_demand(
    r"except[^)]{0,40}?\b(?<!per )(?<!per common )(?<!preferred )(?:number of shares|share|shares)\b", re.IGNORECASE
)
_BRACKET = on_demand(r"[(（]")
_WHOLE = on_demand("元|单位")
"""A unit line without a scale: amounts are in the currency itself."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a unit line says. ``factor`` is None where it names no scale."""

    factor: Decimal | None = None
    currency: str = ""
    shares_too: bool = True
    """False for "in millions, except share data"."""


@lru_cache(maxsize=4096)
def read_scale(text: str) -> Scale:
    """Currency and scale of a unit line; nothing where it has neither.

    >>> read_scale("(in thousands, except share and per share data)")
    Scale(factor=Decimal('1000'), currency='', shares_too=False)
    >>> read_scale("单位：万元 币种：人民币").factor
    Decimal('10000')
    """
    if not text:
        return Scale()
    power = scale_power_in(text)
    currency = currency_in(text)
    if power is not None:
        return Scale(Decimal(10) ** power, currency, not _NOT_SHARE_COUNTS.search(text))
    if _WHOLE.search(text):
        return Scale(Decimal(1), currency)
    return Scale(None, currency)


def bracketed(text: str) -> str:
    """The text if it has brackets, in which units are told, else ""."""
    return text if _BRACKET.search(text) else ""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A printed amount. ``amount`` is ``value * scale`` in ``unit``.

    >>> Quantity("$3.4 billion", Decimal("3.4"), "USD", Decimal(10**9)).amount
    Decimal('3400000000.0')
    """

    text: str
    value: Decimal
    unit: str = ""
    """"USD", "CNY", "%", "bp", "shares", "people", "x", "" when unknown."""
    scale: Decimal = Decimal(1)
    start: int = 0
    """Offset in the text it was found in."""

    @property
    def amount(self) -> Decimal:
        """The value in its unit, scale multiplied in."""
        return self.value * self.scale

    @property
    def end(self) -> int:
        """Offset after the last character."""
        return self.start + len(self.text)


def is_currency(unit: str) -> bool:
    """True for the ISO 4217 code of a currency; per share, "USD/share", is another unit.

    >>> is_currency("USD"), is_currency("USD/share"), is_currency("pp")
    (True, False, False)
    """
    return len(unit) == 3 and unit.isupper()


def decimals(value: Decimal) -> int:
    """How many digits are printed behind the point.

    >>> decimals(Decimal("3.40")), decimals(Decimal("3E+2"))
    (2, 0)
    """
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


_NUMBER = r"(?:\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_PREFIX = (
    r"(?:US\$|U\.S\.\$|HK\$|AU?\$|CA?\$|S\$|NT\$|R\$|[$€£¥￥₹₩]|"
    r"USD|HKD|AUD|CAD|SGD|EUR|GBP|RMB|CNY|JPY|CHF|INR|KRW|Rs\.?|人民币)"
)
_SCALE = (
    r"(?:(?:thousand|million|billion|trillion|crores?|lakhs?|mln|mn|bn|tn)(?![A-Za-z])"
    r"|(?P<letter>[kmb]|mm)(?![A-Za-z])|万亿|百万|千万|[千仟万亿])"
)
_SUFFIX = (
    r"(?:(?:(?:U\.?S\.?\s+)?dollars?|euros?|pounds?|yuan|yen|rupees?|USD|EUR|GBP|RMB|CNY|JPY)(?![A-Za-z])"
    r"|美元|港元|港币|欧元|英镑|日元|元)"
)
_KIND = (
    r"(?:[%％]|(?:per\s?cent|percentage\s+points?|pp|basis\s+points?|bps?|x|times|shares?"
    r"|(?:(?:full-\s(?:and|or)\spart-time|full-time|part-time|permanent|temporary|regular|salaried|hourly|active|global|other|additional)\s+){0,3}"
    r"(?:employees|people|persons|associates|workers|staff))(?![A-Za-z])|个?百分点|个?基点|倍|股|人|名)"
)
_PER = r"\s*(?:(?:/\s*|per\s+)(?P<per>share|unit|ton|tonne|MWh|barrel|ounce|gallon)\b|/(?P<zhper>股))"
_QUANTITY = on_demand(
    rf"(?=[\d.(\-−–$€£¥￥₹₩A-Z人每])(?<![A-Za-z0-9.,])(?P<each>每股)?(?P<sign>[-−–(])?(?P<prefix>{_PREFIX})?"
    rf"\s?(?P<inner>[-−–(])?(?P<number>{_NUMBER})(?!\d|[.,/:]\d)"
    rf"(?:[\s-]{{0,2}}(?P<scale>{_SCALE}))?(?:[\s-]?(?P<suffix>{_SUFFIX}))?(?:[\s-]?(?P<kind>{_KIND}))?(?:{_PER})?"
    r"(?P<close>\s?\)(?:\s?[%％]|\s(?P<pershare>per\s+share)\b)?)?",
    re.IGNORECASE,
)
_RANGE = on_demand(rf"\s*(?:to|and|or|[-–—至~])\s*(?:{_PREFIX})?\s?{_NUMBER}\s?(?P<scale>{_SCALE})", re.IGNORECASE)
"""After "$3" in "$3 to $4 billion": the first number has the scale of the second."""
_NUMBERED = on_demand(r"(?:Item|Section|Exhibit|Note|Rule|Topic|No\.?|Figure|Table|Page|Part|Chapter|Level)\s*$", re.I)
_COUNTRY = on_demand(r"U\.?S\.?\s+", re.IGNORECASE)
_PHRASES = frozenset({"per cent", "percentage point", "percentage points", "basis point", "basis points"})
"""Units of two words; of others the last word is the unit ("full-time employees")."""
_TENS = {"百": 2, "千": 3}
"""Before a scale they multiply it: "百亿"."""
_ONES = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "half": 0.5,
}  # fmt: skip
"""Numbers as they are said before a scale: "two billion", "four point two percent"."""
_LEAST_BARE = 10_000
"""A bare number without separator or decimals below this is a count of anything, a year or a reference: left alone."""


def find_quantities(text: str) -> list[Quantity]:
    """Amounts with a currency, scale or unit, and bare numbers that are written as amounts (1,234 or 12.5).

    >>> [(q.text, int(q.amount), q.unit) for q in find_quantities("up 12 % to $3.4 billion; (1,234) 净利润1.2亿元")]
    [('12 %', 12, '%'), ('$3.4 billion', 3400000000, 'USD'), ('(1,234)', -1234, ''), ('1.2亿元', 120000000, 'CNY')]
    >>> [(q.text, int(q.amount)) for q in find_quantities("營業收入48億6,200萬元，其中3亿元、2000万元")]
    [('48億6,200萬元', 4862000000), ('3亿元', 300000000), ('2000万元', 20000000)]
    """
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(simplified(text)):
        quantity = _read(match)
        if quantity is None:
            continue
        if found and _goes_on(found[-1], quantity):
            quantity = _as_one(found.pop(), quantity)
        found.append(replace(quantity, text=text[quantity.start : quantity.end]))
    return found


def _goes_on(one: Quantity, other: Quantity) -> bool:
    """True for 6,200万元 right behind 48亿: one amount in two scales."""
    return not one.unit and one.end == other.start and 1 < other.scale < one.scale


def _as_one(one: Quantity, other: Quantity) -> Quantity:
    value = (one.amount + other.amount) / one.scale
    return Quantity(one.text + other.text, value, other.unit, one.scale, one.start)


_SPOKEN = LazyPattern(
    rf"(?<![-\w])(?P<ones>{'|'.join(_ONES)})(?: point (?P<tenths>{'|'.join(_ONES)}))?[ -](?:a )?"
    r"(?:(?P<scale>(?P<hundred>hundred )?(?:thousand|million|billion|trillion))"
    r"(?: (?P<suffix>dollars|euros|pounds|yuan|yen|rupees))?|(?P<kind>per ?cent|basis points|percentage points))\b"
)


def find_amounts(text: str) -> list[Quantity]:
    """The quantities of a text, and those that are written as they are said.

    >>> [(q.text, int(q.amount), q.unit) for q in find_amounts("two billion in costs, four point two billion dollars")]
    [('two billion', 2000000000, ''), ('four point two billion dollars', 4200000000, 'USD')]
    """
    return [*find_quantities(text), *map(_as_said, _SPOKEN.finditer(text))]


def _as_said(match: re.Match[str]) -> Quantity:
    value = Decimal(_ONES[match["ones"].lower()])
    if match["tenths"]:
        value += Decimal(_ONES[match["tenths"].lower()]) / 10
    scale, unit = Decimal(1), match["suffix"] or match["kind"] or ""
    if match["scale"]:
        scale = Decimal(10) ** (scale_powers()[match["scale"].split()[-1].lower()] + 2 * bool(match["hundred"]))
    known = {**currency_codes(), **unit_symbols()}
    return Quantity(match[0], value, known.get(_singular(unit), "") if unit else "", scale, match.start())


def scale_power(word: str) -> int:
    """The power of ten of a scale in words, 0 for any other word.

    >>> scale_power("million"), scale_power("万亿"), scale_power("百亿"), scale_power("share")
    (6, 12, 10, 0)
    """
    word = word.lower()
    powers = scale_powers()
    if word in powers:
        return powers[word]
    tens = _TENS.get(word[:1], 0) if len(word) > 1 else 0
    return tens + powers.get(word[1:] if tens else word, 0)


def parse_quantity(text: str) -> Quantity | None:
    """The one amount that makes up the whole text, as in a table's cell; parentheses are negative.

    A bare whole number counts here. None where the text is not one amount.

    >>> parse_quantity("$ (1,234)").value, parse_quantity("(2.5)%").unit, parse_quantity("Note 5")
    (Decimal('-1234'), '%', None)
    """
    stripped = text.strip()
    match = _QUANTITY.fullmatch(simplified(stripped))
    if match is None:
        return None
    start = len(text) - len(text.lstrip())
    return _quantity(match, stripped, start, negative=_is_negative(match) or _is_enclosed(match))


def _read(match: re.Match[str]) -> Quantity | None:
    """The amount of a match; None for a reference ("Note 5") or a bare number that is no amount."""
    text, start, end = match.string, match.start(), match.end()
    if not _is_amount(match) or _NUMBERED.search(text, max(0, start - 10), start):
        return None
    # Brackets around a number alone make it negative; around one with its unit, or on one side, they are the text's.
    are_of_number = _is_enclosed(match) and not _is_worded(match)
    if not are_of_number:
        start += match["sign"] == "("
        end = match.start("close") if match["close"] else end
    return _quantity(match, text[start:end], start, negative=are_of_number or _is_negative(match))


def _is_worded(match: re.Match[str]) -> bool:
    """True where words after the number say what is counted."""
    return any(match[part] for part in ("scale", "suffix", "kind", "per"))


def _is_amount(match: re.Match[str]) -> bool:
    """False for counts, years, dates and references, which have a bare number too."""
    if match["letter"] and not match["prefix"]:
        return False
    if any(match[part] for part in ("prefix", "scale", "suffix", "kind", "each")):
        return True
    if _closes_with_percent(match):
        return True
    number = match["number"]
    return not number.isdigit() or int(number) >= _LEAST_BARE


def _closes_with_percent(match: re.Match[str]) -> bool:
    """ "(17)%"."""
    return (match["close"] or "").endswith(("%", "％"))


def _is_enclosed(match: re.Match[str]) -> bool:
    return "(" in (match["sign"], match["inner"]) and match["close"] is not None


def _is_negative(match: re.Match[str]) -> bool:
    return any(mark is not None and mark in "-−–" for mark in (match["sign"], match["inner"]))


def _quantity(match: re.Match[str], printed: str, start: int, *, negative: bool) -> Quantity:
    value = Decimal(re.sub("[,，]", "", match["number"]))
    return Quantity(printed, -value if negative else value, _unit(match), _scale(match), start)


def _scale(match: re.Match[str]) -> Decimal:
    word = match["scale"]
    if word is None and not (match["kind"] or match["suffix"]):
        onward = _RANGE.match(match.string, match.end())
        word = onward["scale"] if onward else None
    if word is None:
        return Decimal(1)
    return Decimal(10) ** scale_powers()[_singular(word)]


def _unit(match: re.Match[str]) -> str:
    """Its currency, per share where it is, else what is counted; "" for a number alone."""
    currency = match["prefix"] or match["suffix"]
    if currency:
        code = currency_codes()[_singular(_COUNTRY.sub("", currency))]
        is_per_share = any(match[part] for part in ("zhper", "each", "pershare")) or match["kind"] == "股"
        per = "share" if is_per_share else match["per"]
        return f"{code}/{per}" if per else code
    kind = match["kind"] or ("%" if _closes_with_percent(match) else "")
    if not kind:
        return ""
    words = " ".join(kind.lower().split())
    noun = words if words in _PHRASES else words.rsplit(" ", 1)[-1]
    return unit_symbols()[_singular(noun)]


def _singular(word: str) -> str:
    """ "Billion" and "dollars" as the tables spell them."""
    lower = word.lower()
    if lower in currency_codes():  # "u.s.$" keeps its dots, "Rs." does not
        return lower
    lower = lower.strip(".")
    return lower if lower in _known_words() else lower.removesuffix("s")


@cache
def _known_words() -> frozenset[str]:
    return frozenset((*currency_codes(), *scale_powers(), *unit_symbols()))
