"""What a sentence says around a relation: dates, amounts, terms and offices; metadata of a triple, never nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from ....core.patterns import on_demand
from ....core.period import Period, undated_parts
from ....core.period_text import PeriodMention, find_periods
from ....core.quantity import Quantity, find_quantities, is_currency
from .lexicon import lexicon

_MONEY = frozenset(
    {"acquires", "divests", "sells_to", "invests_in", "settles_with", "lends_to", "merges_with", "sues", "regulates"}
)
_SHARE = frozenset({"owns_stake", "cuts_stake", "acquires", "divests", "subsidiary_of", "customer_of", "invests_in"})
OUTLOOK = frozenset({"guides", "raises", "cuts"})
"""Relations to a metric: the amounts are those of the outlook, and they are of the future by nature."""
_CLAUSE_END = on_demand(r";|, (?:and|but|while) (?=we\b|our\b)")
_ASIDE = on_demand(r", (?:which|who|whose|as)\b[^;]*")
"""A relative clause, to the end of its sentence."""
_REASON = on_demand(
    r"\b(?:due to|driven by|reflect\w+|compared|versus|than|similar to|as a result|which|from|after)\b", re.IGNORECASE
)
"""What follows tells why, or what something is compared with."""
_NO_PRICE = on_demand(
    r"\b(?:amortization|depreciation|dividend income|income of|expenses?|revenues?|net sales|charges?|amounts due"
    r"|goodwill of|loss(?:es)? of|gains? of|previous investment|cash outflows?|borrow(?:ed|ings?)|employment costs)\b",
    re.IGNORECASE,
)
"""Words of a clause whose amount is no price: "amortization rose $362 million after we acquired Bolt"."""
_AT_NOUN = 40
"""Characters before the end of a relation of "us" in which an amount is its own: "our $2 million purchase of Bolt"."""
DAY = r"(?:(?:\d{1,2} )?(?:[A-Z][a-z]{2,8}\.? )?(?:\d{1,2}, )?(?:19|20)\d\d)"
"""A day, month or year since which an office is held: "1 May 2017", "May 1, 2017", "2017"."""
_TERM = on_demand(
    rf"\b(?:since (?P<since>{DAY})"
    rf"|from (?P<start>{DAY}) (?:until|to|through|till) (?:the )?(?P<until>{DAY}|present)"
    rf"|until (?P<end>{DAY}))"
)
_OTHER_OFFICE = on_demand(r",? and (?:also )?(?:has|have|had) (?:been|served as) (?:an?|the|our|its)\b")
"""Where a sentence goes on with another office: "became CEO in 2020 and has been a director since 2014"."""
_TAKEN_UP = on_demand(
    r"\b(?:appointed|elected|named|promoted to|became)\b[^;.]{0,120}?"
    rf" (?:in|on|effective(?: as of)?|as of) (?P<since>{DAY})"
)
_OF_A_PART = on_demand(r"\w| of (?!the (?:Company|Board)\b)")
"""Behind an office that is given: a longer office, or one in a part of the firm."""
_OFFICE_END = on_demand(rf",|;| and | of | at |[—–(]| (?:in|on) {DAY}")
_SMALL_WORDS = frozenset({"of", "the", "and"})
_BLANK = on_demand(r"\s")
_DIGIT = on_demand(r"[0-9一二三四五六七八九十百千万亿]")


def amounts(sentence: str, relation: str, places: Sequence[int]) -> dict[str, str]:
    """What a sentence says about the size of a relation, as printed: "value" in money, "share" in percent.

    ``places`` are offsets of the relation's ends; only their clause counts.

    >>> amounts("Acme bought 51% of Bolt for $2.9 billion; sales rose 7%.", "acquires", [0, 19])
    {'value': '$2.9 billion', 'unit': 'USD', 'share': '51%'}
    >>> amounts("Cash of $9 million is after our $2 million purchase of Bolt.", "acquires", [55])["value"]
    '$2 million'
    """
    if relation not in _MONEY | _SHARE | OUTLOOK or not _DIGIT.search(sentence):
        return {}
    clause = _clause(sentence, places)
    found = find_quantities(clause)
    if relation in OUTLOOK:
        return _outlook(found)
    begin, high = sentence.index(clause), max(places)
    low = min(places) if len(places) > 1 else high - _AT_NOUN
    found.sort(key=lambda quantity: not low <= begin + quantity.start < high)
    details = {}
    money = _first(found, _is_money)
    if money and relation in _MONEY and not _NO_PRICE.search(clause):
        details = {"value": money.text, "unit": money.unit}
    share = _first(found, _is_share)
    if share and relation in _SHARE:
        details["share"] = share.text
    return details


def _outlook(found: Sequence[Quantity]) -> dict[str, str]:
    """All quantities with a unit: an outlook names a range."""
    values = [quantity for quantity in found if quantity.unit]
    if not values:
        return {}
    return {"value": "; ".join(quantity.text for quantity in values), "unit": values[0].unit}


def _first(found: Sequence[Quantity], fits: Callable[[Quantity], bool]) -> Quantity | None:
    return next(filter(fits, found), None)


def _is_money(quantity: Quantity) -> bool:
    """Its unit is a currency's code."""
    return is_currency(quantity.unit)


def _is_share(quantity: Quantity) -> bool:
    return quantity.unit == "%"


def terms_of_office(text: str) -> list[tuple[int, int, dict[str, str]]]:
    """Where a text says since when and until when somebody holds an office, and what it says there.

    >>> terms_of_office("CFO of Bolt from May 2017 to June 2021")
    [(12, 38, {'since': 'May 2017', 'until': 'June 2021'})]
    >>> terms_of_office("Director since 1 January 2021")
    [(9, 29, {'since': '1 January 2021'})]
    """
    found: list[tuple[int, int, dict[str, str]]] = []
    for match in _TERM.finditer(_BLANK.sub(" ", text)):
        told = {"since": match["since"] or match["start"], "until": match["until"] or match["end"]}
        terms = {name: when for name, when in told.items() if when and when != "present"}
        found.append((match.start(), match.end(), terms))
    return found


def term_behind(sentence: str, place: int, office: str = "") -> dict[str, str]:
    """The term of office that a sentence tells behind a place, in the same part of it; {} for none.

    ``office`` is the one that is held where it does not stand at the place.

    >>> term_behind("Ann Roe became CEO in May 2020 and has been a director since 2014.", 15)
    {'since': 'May 2020'}
    """
    part = _OTHER_OFFICE.split(sentence[place:].partition(";")[0])[0]
    told = next((terms for _, _, terms in terms_of_office(part)), {})
    if told:
        return told
    return _taken_up(sentence, office or _OFFICE_END.split(sentence[place:])[0].strip(), place)


def _taken_up(sentence: str, office: str, place: int) -> dict[str, str]:
    """Since when an office is held that a sentence says somebody was given; of a part of the firm it is another."""
    for found in _TAKEN_UP.finditer(_BLANK.sub(" ", sentence)):
        behind = found[0].partition(f" {office}")[2]
        if found.end() > place and behind and not _OF_A_PART.match(behind):
            return {"since": found["since"]}
    return {}


def full_role(role: str) -> str:
    """A role's long form in title case: "cfo" is "Chief Financial Officer".

    >>> full_role("CFO"), full_role("general counsel"), full_role("董事长")
    ('Chief Financial Officer', 'General Counsel', '董事长')
    """
    known = _long_roles().get(role.lower())
    return known or " ".join(map(_capitalised, role.split()))


def _capitalised(word: str) -> str:
    """As in a title; what has a capital keeps the others: "EVP"."""
    if word in _SMALL_WORDS or word[0].isupper():
        return word
    return word.capitalize()


@cache
def _long_roles() -> dict[str, str]:
    parts = (entry.partition(" = ") for entry in lexicon("en").words["role_short"])
    return {short: long for short, _, long in parts}


def _clause(sentence: str, places: Sequence[int]) -> str:
    """The part of a sentence that holds the places."""
    ends = [match.start() for match in _CLAUSE_END.finditer(sentence)]
    low = max((end for end in ends if end < min(places)), default=0)
    high = min((end for end in ends if end > max(places)), default=len(sentence))
    return sentence[low:high]


def period_near(sentence: str, places: Sequence[int]) -> Period | None:
    """The period that the sentence names nearest to the ends of a relation; the first of equals.

    What an aside behind the ends tells, as of a later amendment, counts where nothing else tells a time.

    >>> period_near("In March 2014 we made an agreement with Bolt, which was amended in May 2017.", [42]).year
    2014
    """
    if not _DIGIT.search(sentence):
        return None
    mentions = find_periods(sentence)
    asides = [aside.span() for aside in _ASIDE.finditer(sentence, max(places, default=0))]
    outside = [mention for mention in mentions if not any(low <= mention.start < high for low, high in asides)]
    mentions = outside or mentions
    if not mentions:
        return None

    def distance(mention: PeriodMention) -> int:
        return min((abs(mention.start - place) for place in places), default=mention.start)

    return min(mentions, key=distance).period


def period_ahead(sentence: str, own: Period) -> Period | None:
    """The period of an outlook that a report on ``own`` gives without a year: "for the full year", "in the third
    quarter"; what is told of the reason and of what it is compared with is of other periods.

    >>> own = Period.parse("Q1 FY2021")
    >>> period_ahead("We expect a tax rate of 21% in the second quarter.", own).label
    'Q2 FY2021'
    >>> period_ahead("We expect higher margins due to the strike in the fourth quarter.", own) is None
    True
    """
    told = _REASON.split(sentence, maxsplit=1)[0]
    return next((period for _, period in undated_parts(told, own, ahead=True)), None)


def relation_of_role(role: str) -> str:
    """Who leads, who directs, who only works there.

    >>> relation_of_role("CEO"), relation_of_role("独立董事"), relation_of_role("Treasurer")
    ('leads', 'director_of', 'works_for')
    """
    role = role.lower()
    words = lexicon("en").words["leading_roles"] | lexicon("zh").words["leading_roles"]
    if role in words:
        return "leads"
    directors = lexicon("en").words["directing_roles"] | lexicon("zh").words["directing_roles"]
    return "director_of" if role in directors else "works_for"
