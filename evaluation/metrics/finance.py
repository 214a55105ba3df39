"""What an analyst checks first: the right number, of the right period, of the right company.

Own definitions, since none is standard; each returns None where there is nothing to judge, which leaves it out of a
mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from ...core.names import company_key
from ...core.period import Period
from ...core.period_text import find_periods, periods_in
from ...core.quantity import Quantity, find_quantities, parse_quantity
from ...ingest.sentences import split_text
from ...retrieval.answer.generative.cells.cell import RATES, last_digit

_SCALES = {"thousand": Decimal(10**3), "million": Decimal(10**6), "billion": Decimal(10**9)}
_ASKED_SCALE = re.compile(
    r"\bin\s{1,9}(?:USD|US\s?dollars?|\$|RMB|EUR)?\s{0,9}(thousand|million|billion)s?\b", re.IGNORECASE
)
_CITATION = re.compile(r"\s{0,9}(?:\[\d{1,9}(?:\s{0,9}[,，;]\s{0,9}\d{1,9}){0,99}\]|【\d{1,9}】)")
_BARE = re.compile(r"(?<![\w.,/:-])[-−–]?(\d+)(?![\w/:-]|[.,]\d)")
_LEAST_DIGITS = 2
"""An answer rounded to fewer digits ("about 3 billion" for 3.4) is not the number."""


def number_accuracy(answer: str, reference: str, scale: Decimal = Decimal(1)) -> float | None:
    """Share of the reference's numbers that the answer gives, with their unit and scale: ``|found| / |reference|``.

    An answer may round, to two digits at least; a missing unit is not held against either, a wrong one is. Citation
    marks are no numbers. ``scale`` is that of the reference's numbers where the question fixes it
    (:func:`asked_scale`).

    >>> number_accuracy("Revenue was $3.4 billion.", "$3,412 million"), number_accuracy("3.4 million", "3,412 million")
    (1.0, 0.0)
    >>> number_accuracy("It has 5 segments [1].", "5"), number_accuracy("It has 4 segments [5].", "5")
    (1.0, 0.0)
    """
    wanted = [_in_scale(quantity, scale) for quantity in quantities(reference)]
    if not wanted:
        return None
    said = _CITATION.sub("", answer)
    given = quantities(said)
    if not find_quantities(reference):  # a count or a year, which a sentence writes like any other number
        given += _bare_numbers(said, years=bool(find_periods(reference)))
    found = [number for number in wanted if any(_is_given(number, quantity) for quantity in given)]
    return len(found) / len(wanted)


def _in_scale(quantity: Quantity, scale: Decimal) -> Quantity:
    """An amount that is printed without a scale, in that of the question; a rate as it is."""
    if quantity.scale != 1 or quantity.unit in RATES:
        return quantity
    return replace(quantity, scale=scale)


def period_consistency(answer: str, periods: Sequence[Period]) -> float | None:
    """Share of the answer's periods that lie in the periods asked for: ``|consistent| / |named|``.

    >>> period_consistency("In 2022 it was 5, in 2019 it was 4.", [Period.parse("2022")])
    0.5
    """
    named = set(periods_in(answer))
    if not named or not periods:
        return None
    consistent = [period for period in named if any(asked.overlaps(period) for asked in periods)]
    return len(consistent) / len(named)


def entity_attribution(answer: str, company: str, others: Sequence[str]) -> float | None:
    """Share of the answer's sentences with a number that are said of the right company: ``|right| / |with numbers|``.

    A sentence speaks of the company that it, or the nearest sentence before it, names; where none is named, of the
    right one. ``others`` are the companies that it could be confused with.

    >>> entity_attribution("Beta earned $5 million. It grew 3 %.", "Acme Inc.", ["Beta Corp"])
    0.0
    """
    judged = []
    subject = company
    for span in split_text(answer, shortest=0):
        sentence = answer[span.start : span.end]
        named = [name for name in (company, *others) if names_company(sentence, name)]
        subject = named[0] if named else subject
        if find_quantities(sentence):
            judged.append(subject == company)
    return sum(judged) / len(judged) if judged else None


def asked_scale(question: str) -> Decimal:
    """The scale in which a question wants its answer, 1 where it says none.

    >>> asked_scale("What are total assets in USD millions?")
    Decimal('1000000')
    """
    match = _ASKED_SCALE.search(question)
    return _SCALES[match[1].lower()] if match else Decimal(1)


def agrees(claim: Quantity, source: Quantity) -> bool:
    """True where the claim is the source's amount, perhaps rounded; units have to agree where both are known.

    Signs are not compared: "a loss of 5" is printed (5).

    >>> one, other = quantities("$3.4 billion")[0], quantities("3,412 million")[0]
    >>> agrees(one, other), agrees(other, one)
    (True, False)
    """
    if claim.unit and source.unit and claim.unit != source.unit:
        return False
    if (claim.unit in RATES) != (source.unit in RATES):
        return False
    return abs(abs(_amount(claim)) - abs(_amount(source))) <= _rounding(claim)


def _amount(quantity: Quantity) -> Decimal:
    return quantity.value if quantity.unit in RATES else quantity.amount


def _rounding(quantity: Quantity) -> Decimal:
    """Half of the last printed digit's worth; 0 for a plain whole number, which nobody rounds to its last digit."""
    step = last_digit(quantity.value)
    if quantity.unit in RATES:
        return step / 2
    is_rounded = quantity.scale != 1 or step < 1
    return step * quantity.scale / 2 if is_rounded else Decimal(0)


def quantities(text: str) -> list[Quantity]:
    """The amounts of a text; a text that is one bare number is that amount."""
    whole = parse_quantity(text)
    return [whole] if whole else find_quantities(text)


def _bare_numbers(text: str, *, years: bool) -> list[Quantity]:
    """Whole numbers that stand alone, without their sign; those that name a period only where years are asked for."""
    periods = [] if years else find_periods(text)
    found: list[Quantity] = []
    for match in _BARE.finditer(text):
        at = match.start()
        names_period = any(mention.start <= at < mention.end for mention in periods)
        if not names_period:
            found.append(Quantity(match[0], Decimal(match[1]), start=at))
    return found


def _is_given(wanted: Quantity, given: Quantity) -> bool:
    """The same amount; or the answer is rounded, to digits enough; or the reference is."""
    if wanted.scale == given.scale == 1 and "" in (wanted.unit, given.unit):
        wanted, given = replace(wanted, unit=""), replace(given, unit="")
    if not agrees(given, wanted) and not agrees(wanted, given):
        return False
    return abs(given.amount) == abs(wanted.amount) or _significant(given) >= _LEAST_DIGITS


def _significant(quantity: Quantity) -> int:
    return len(str(quantity.value.copy_abs()).replace(".", "").strip("0"))


def names_company(text: str, company: str) -> bool:
    """True where the text names the company, its legal form aside."""
    key, words = company_key(company), " " + company_key(text) + " "
    return bool(key) and (key in words if not key.isascii() else f" {key} " in words)
