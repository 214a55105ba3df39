"""Does a sentence stand on its source? Numbers, quoted words and calculations are checked against the cited text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ....core.quantity import Quantity
from ....core.quantity_text import find_quantities
from ...question.vocabulary.expression import calculate

RATES = frozenset({"%", "bp", "pp", "x"})
"""Units that no scale applies to."""
_COUNTED = RATES | {"shares", "people"}
_QUOTED = re.compile(r"[\"“「『]([^\"“”「」『』]{3,300})[\"”」』]")
_CITATION = re.compile(r"(?<!\s)\s*\[\d+(?:\s*[,，]\s*\d+)*\]")
_NUMBER = re.compile(r"\d[\d,，]*(?:\.\d+)?")
_OPERAND = r"[(（\s]{0,20}(?:[$€£¥]\s?)?[\d.,]{1,30}(?:\s?%)?[)）\s]{0,20}"
_FORMULA = re.compile(rf"(?P<terms>{_OPERAND}(?:[-+−–*/×÷]{_OPERAND}){{1,24}})[=≈]\s*(?P<result>[-$€£¥]*[\d.,]+)")
_MOST_NUMBERS = 200
"""Of a sentence that are looked for, each among all of its sources; what a model writes beyond holds nothing."""
_LEAST_DIGITS = 3
"""Shorter numbers stand everywhere: their digits alone prove nothing."""


@dataclass(frozen=True, slots=True)
class Check:
    """What of a sentence was looked for in the source, and what was not there."""

    numbers: int = 0
    quotes: int = 0
    missing: tuple[str, ...] = ()
    """Numbers and quoted words, as the sentence writes them, that the source does not hold."""

    @property
    def passed(self) -> bool:
        """True where nothing is missing."""
        return not self.missing


def check_sentence(sentence: str, sources: Sequence[str]) -> Check:
    """Look for the sentence's numbers and quoted words in the texts it cites.

    A number is there if an amount of the source agrees with it (:func:`agrees`); if its very digits are, as where a
    table says the scale elsewhere; or if the sentence shows how it was calculated from numbers that are there.

    >>> check_sentence("Sales grew 12% to $3.4 billion. [1]", ["sales of $3,412 million, up 12.3 %"]).passed
    True
    >>> check_sentence("Sales grew 13%. [1]", ["up 12 %"]).missing
    ('13%',)
    """
    text = _CITATION.sub("", sentence)
    known = [quantity for source in sources for quantity in find_quantities(source)]
    printed = {digits(number) for source in sources for number in _NUMBER.findall(source)}
    bare = {number for source in sources for number in _bare_numbers(source)}
    numbers, quotes = find_quantities(text), quoted_words(text)
    calculated = _calculated(text)
    lost = [
        q.text
        for q in numbers[:_MOST_NUMBERS]
        if digits(q.text) not in calculated and not _is_known(q, known, bare if q.unit or q.scale != 1 else printed)
    ]
    lost += [q.text for q in numbers[_MOST_NUMBERS:]]
    everything = squeeze(" ".join(sources))
    lost += [quote for quote in quotes if squeeze(quote) not in everything]
    return Check(len(numbers), len(quotes), tuple(lost))


def agrees(claim: Quantity, source: Quantity) -> bool:
    """True where the claim is the source's amount, perhaps rounded; units have to agree where both are known.

    Signs are not compared: "a loss of 5" is printed (5).

    >>> from cliquerag.core.quantity_text import parse_quantity as q
    >>> agrees(q("$3.4 billion"), q("3,412 million")), agrees(q("3.412 billion"), q("$3.4 billion"))
    (True, False)
    >>> agrees(q("12%"), q("12 million"))
    False
    """
    if claim.unit and source.unit and claim.unit != source.unit:
        return False
    if (claim.unit in RATES) != (source.unit in RATES):
        return False
    return abs(abs(_amount(claim)) - abs(_amount(source))) <= _rounding(claim)


def quoted_words(text: str) -> list[str]:
    """What stands in quotation marks and is long enough to be a quotation, not a term.

    >>> quoted_words('He said "we expect strong demand". The "Notes" are due.')
    ['we expect strong demand']
    """
    return [quote for quote in _QUOTED.findall(text) if len(quote.split()) >= 3 or _is_chinese_phrase(quote)]


def squeeze(text: str) -> str:
    """Lower case without white space and marks: how two printings of the same words are compared."""
    return re.sub(r"[\W_]+", "", text.lower())


def digits(text: str) -> str:
    """The first number in a text without its marks.

    >>> digits("$(3,412.50)")
    '3412.50'
    """
    match = _NUMBER.search(text)
    return re.sub("[,，]", "", match[0]) if match else ""


def _is_known(quantity: Quantity, known: Iterable[Quantity], printed: Collection[str]) -> bool:
    if any(agrees(quantity, other) for other in known):
        return True
    number = digits(quantity.text)
    return number in printed and len(number.replace(".", "")) >= _LEAST_DIGITS


def _bare_numbers(source: str) -> set[str]:
    """Digits of numbers without a scale of their own, as in the cells of a table; a currency sign says no scale."""
    named: set[int] = set()
    for quantity in find_quantities(source):
        if quantity.scale != 1 or quantity.unit in _COUNTED:
            named.update(range(quantity.start, quantity.end))
    return {digits(found[0]) for found in _NUMBER.finditer(source) if found.start() not in named}


def _amount(quantity: Quantity) -> Decimal:
    return quantity.value if quantity.unit in RATES else quantity.amount


def _rounding(quantity: Quantity) -> Decimal:
    """Half of the last printed digit's worth; 0 for a plain whole number, which nobody rounds to its last digit."""
    step = _last_digit(quantity.value)
    if quantity.unit in RATES:
        return step / 2
    return step * quantity.scale / 2 if quantity.scale != 1 or step < 1 else Decimal(0)


def _last_digit(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


def _calculated(text: str) -> set[str]:
    """Digits of the results of calculations that the text shows and that come out as it says."""
    found = set()
    for match in _FORMULA.finditer(text):
        value, result = calculate(match["terms"]), digits(match["result"])
        if value is not None and result and _comes_to(value, result):
            found.add(result)
    return found


def _comes_to(value: Decimal, result: str) -> bool:
    """Also where the result is given in percent."""
    try:
        wanted = Decimal(result)
    except InvalidOperation:
        return False
    return any(abs(abs(value * factor) - wanted) <= _last_digit(wanted) for factor in (1, 100))


def _is_chinese_phrase(quote: str) -> bool:
    return len(re.findall(r"[\u4e00-\u9fff]", quote)) >= 5
