"""What a sentence says around a relation: dates, amounts and reservations; metadata of a triple, never nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from ....core.period import Period
from ....core.period_text import PeriodMention, find_periods
from ....core.quantity import Quantity, find_quantities
from ...triple import Modality
from .lexicon import lexicon

_MONEY = frozenset(
    {"acquires", "divests", "sells_to", "invests_in", "settles_with", "lends_to", "merges_with", "sues", "regulates"}
)
_SHARE = frozenset({"owns_stake", "cuts_stake", "acquires", "divests", "subsidiary_of", "customer_of", "invests_in"})
OUTLOOK = frozenset({"guides", "raises", "cuts"})
"""Relations to a metric: the amounts are those of the outlook, and they are of the future by nature."""
ENDINGS = frozenset({"closes", "leaves"})
"""Relations that tell of an end, in words that elsewhere deny."""
_CLAUSE_END = re.compile(r";|, (?:and|but|while) (?=we\b|our\b)")
_NO_PRICE = re.compile(
    r"\b(?:amortization|depreciation|dividend income|income of|expenses?|revenues?|net sales|charges?|amounts due"
    r"|goodwill of|loss(?:es)? of|gains? of|previous investment)\b",
    re.IGNORECASE,
)
"""Words of a clause whose amount is no price: "amortization rose $362 million after we acquired Bolt"."""
_DAY = r"(?:(?:[A-Z][a-z]{2,8}\.? )?(?:\d{1,2}, )?\d{4})"
_TERM = re.compile(
    rf"\b(?:since (?P<since>{_DAY})"
    rf"|from (?P<start>{_DAY}) (?:until|to|through|till) (?:the )?(?P<until>{_DAY}|present)"
    rf"|until (?P<end>{_DAY}))"
)
_SMALL_WORDS = frozenset({"of", "the", "and"})
_DIGIT = re.compile(r"[0-9一二三四五六七八九十百千万亿]")


def amounts(sentence: str, relation: str, places: Sequence[int]) -> dict[str, str]:
    """What a sentence says about the size of a relation, as printed: "value" in money, "share" in percent.

    ``places`` are offsets of the relation's ends; only their clause counts.

    >>> amounts("Acme bought 51% of Bolt for $2.9 billion; sales rose 7%.", "acquires", [0, 19])
    {'value': '$2.9 billion', 'unit': 'USD', 'share': '51%'}
    """
    if relation not in _MONEY | _SHARE | OUTLOOK or not _DIGIT.search(sentence):
        return {}
    clause = _clause(sentence, places)
    found = find_quantities(clause)
    if relation in OUTLOOK:
        return _outlook(found)
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
    return len(quantity.unit) == 3 and quantity.unit.isupper()


def _is_share(quantity: Quantity) -> bool:
    return quantity.unit == "%"


def terms_of_office(text: str) -> list[tuple[int, int, dict[str, str]]]:
    """Where a text says since when and until when somebody holds an office, and what it says there.

    >>> terms_of_office("CFO of Bolt from May 2017 to June 2021")
    [(12, 38, {'since': 'May 2017', 'until': 'June 2021'})]
    """
    found: list[tuple[int, int, dict[str, str]]] = []
    for match in _TERM.finditer(text):
        told = {"since": match["since"] or match["start"], "until": match["until"] or match["end"]}
        terms = {name: when for name, when in told.items() if when and when != "present"}
        found.append((match.start(), match.end(), terms))
    return found


def term_behind(sentence: str, place: int) -> dict[str, str]:
    """The term of office that a sentence tells behind a place, in the same part of it; {} for none."""
    part = sentence[place:].partition(";")[0]
    return next((terms for _, _, terms in terms_of_office(part)), {})


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
    """The period that the sentence names nearest to the ends of a relation; the first of equals."""
    if not _DIGIT.search(sentence):
        return None
    mentions = find_periods(sentence)
    if not mentions:
        return None

    def distance(mention: PeriodMention) -> int:
        return min((abs(mention.start - place) for place in places), default=mention.start)

    return min(mentions, key=distance).period


_CUES: dict[str, tuple[tuple[Modality, re.Pattern[str]], ...]] = {
    "en": (
        (
            "negated",
            re.compile(
                r"\b(?:not|never|no longer|neither|nor|without|fail(?:ed|s|ure)?|declined|refused|terminat\w+"
                r"|abandon\w+|cancel\w+|called off|den(?:ied|ies|y)|reject\w*|withdr[ae]wn?|blocked|suspended"
                r"|ceas(?:ed|es|ing)|exit(?:ed|ing)|discontinu\w+"
                r"|closed (?:our|its|‹our›) (?:operations|facilities|stores|offices|plants))\b|n['’]t\b"
            ),
        ),
        (
            "possible",
            re.compile(
                r"\b(?:may|might|could|can|would|should|if|whether|unless|potential\w*|possibl[ey]|possibility|consider\w*"
                r"|(?:seek(?:s|ing)?|sought) to|attempt\w*|rumou?r\w*|reportedly|explor(?:e|ed|ing)|offer(?:ed|s)? to"
                r"|in talks|negotiat\w+|propos\w+|pendency|alleged(?:ly)?)\b"
            ),
        ),
        (
            "planned",
            re.compile(
                r"\b(?:will|shall|plan(?:s|ned|ning)?|intend\w*|expect(?:s|ed)? to|expected|agree(?:s|d)? to"
                r"|agreement to|(?<!patent.)pending|going to|scheduled|about to|to be|to acquire"
                r"|to buy|to sell|wants? to|future)\b"
            ),
        ),
    ),
    "zh": (
        ("negated", re.compile(r"未|没有|不再|并非|不存在|终止|取消|放弃|否认|不会|拒绝|撤回|并无|无意|不属于|不构成")),
        ("possible", re.compile(r"可能|或将|或|有望|考虑|洽谈|传闻|据传|如果|若(?!干|羌)|倘|假设|疑似")),
        ("planned", re.compile(r"拟|将(?!其)|计划|打算|准备|预计|意向|欲|即将")),
    ),
}


_ENDS = re.compile(r"terminat\w+|ceas(?:ed|es|ing)|exit(?:ed|ing)|discontinu\w+|abandon\w+|closed .*|终止|取消|放弃")
"""Of the words that deny, those that only tell of an end where an end is told."""


def modality(text: str, language: str = "en", *, is_end: bool = False) -> Modality:
    """The strongest reservation in a stretch of text: denied, then possible, then planned, else asserted.

    ``is_end``: the text tells of an end ("closed", "discontinued"), whose words deny nothing; a plain "not" does.

    >>> modality("‹C0› may acquire ‹C1›"), modality("‹C0› did not acquire ‹C1›"), modality("In May ‹C0› acquired ‹C1›")
    ('possible', 'negated', 'asserted')
    >>> modality("we discontinued ‹D0›"), modality("we discontinued ‹D0›", is_end=True)
    ('negated', 'asserted')
    """
    told: Modality
    for told, cue in _CUES[language]:
        cues = (found[0] for found in cue.finditer(text))
        if any(not (is_end and _ENDS.fullmatch(found)) for found in cues):
            return told
    return "asserted"


_CONDITIONED: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "en": (
        re.compile(
            r"\b(?:if|unless|whether|in the event(?: that| of)?|in case|provided that|(?-i:^Should))\b"
            r"(?:, [^,;:.]{1,40},)?[^,;:.]{0,200}$"
            r"|^(?:if|unless|in the event(?: that| of)?|in case) [^,;:.]{0,200}, [^,;:.]{0,60}$",
            re.IGNORECASE,
        ),
        re.compile(
            r"(?:['’]s)?(?: (?!(?:and|or|but|which|that|who|to|so|because|before|after|since|until|till|while|as|when"
            r"|where|although|though|it|they|he|she|we|this|these|‹we›|\d{4})\b)[\w-]{1,20}){0,3}?"
            r" (?:could|may|might|would|can|should)\b"
        ),
    ),
    "zh": (
        re.compile(
            r"(?:如果|倘若|倘|若(?!干|羌)|假如|假设|一旦|万一)[^，。；,;]{0,80}$"
            r"|^(?:如果|倘若|倘|若(?!干|羌)|假如|假设|一旦|万一)[^，。；,;]{0,80}[，,][^，。；,;]{0,30}$"
        ),
        re.compile(r"[^，。；,;]{0,4}?(?:可能|或将|恐将|存在不确定性|尚存在不确定)"),
    ),
}
"""What stands before a clause that is only a condition, and what follows a noun that is only possible."""


def is_conditional(before: str, after: str, language: str = "en") -> bool:
    """True for words of a sentence that only say what would be: behind "if", or before "could".

    ``before`` and ``after`` are the parts of the sentence around them.

    >>> is_conditional("If", "in May, we grow"), is_conditional("An ", " could occur"), is_conditional("In May ", "")
    (True, True, False)
    """
    opens, follows = _CONDITIONED[language]
    return opens.search(before) is not None or follows.match(after) is not None


_NOT = {"en": re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b"), "zh": re.compile(r"未|没有|不会|并未|无意")}


def denies(text: str, language: str = "en") -> bool:
    """True where the text has a plain "not"; for verbs that are themselves denials ("withdrew its guidance").

    >>> denies("we withdrew our guidance"), denies("we did not cut the dividend")
    (False, True)
    """
    return _NOT[language].search(text) is not None


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
