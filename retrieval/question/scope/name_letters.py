"""How the letters of a word stand to those of a name: initials, blends, letters in order, slips of the pen, pinyin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from math import inf
from typing import Literal

from ....core.chinese import may_be_pinyin, transcription
from ....core.names import name_key
from ....core.patterns import on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import without
from ....core.words import is_english

How = Literal["brand", "part", "initials", "blend", "ticker", "word", "spelling", "alias"]
LEAST_SPELLING = 5
"""Letters that a name with a slip needs: shorter ones fit too many."""
LEAST_BLEND, _LEAST_SKELETON = 4, 3
"""Letters that a blend and a ticker made of a name's letters need: shorter ones fit too many."""
LONG_NAME = 8
"""Letters from which a name may have two slips."""
_RARE = 30
"""Chunks up to which a word may stand in the store and still be a ticker: "COST" is a word of every filing."""
_AND = on_demand(r"[&.’'\s-]+")
_NOT_LETTERS = on_demand(r"[\W_]+")
_BEFORE_CHINESE = on_demand(r"(?:^|[^\u4e00-\u9fff]|[和与及对向问查看是给跟比在]|知道|了解|告诉我|请教)$")
_BEHIND_CHINESE = on_demand(r"\s*(?:[^\u4e00-\u9fff]|[的和与及]|公司|集团|股份|$)")
"""What stands around the name of a company."""
_LONGEST_CHINESE = 20
_WORDS_IN_CHINESE = on_demand(r"[\u4e00-\u9fff]{4}(?:[\u4e00-\u9fff]{2})?")
_TWO_WORDS = 4
_SMALL_WORDS = frozenset(("of", "and", "the", "for", "de", "in"))


@lru_cache(maxsize=1 << 14)
def initials_of(name: str) -> frozenset[str]:
    words = list(filter(None, re.split(r"[\s&/-]+", name_key(name))))
    telling = without(words, _SMALL_WORDS)
    if len(telling) < 2:
        return frozenset()
    own = (
        telling[:-1] if is_generic(telling[-1]) and len(telling) > 2 else telling
    )  # "D&B", of Dun & Bradstreet Holdings
    return frozenset(map(_first_letters, (words, telling, own)))


def _first_letters(words: Sequence[str]) -> str:
    return "".join(word[0] for word in words)


def is_blend(letters: str, words: tuple[str, ...], used: int = 0) -> bool:
    """True where the letters are beginnings of the words, of the first one and of at least one more."""
    if not letters:
        return used > 1
    if not words:
        return False
    longest = len(_common_beginning(letters, words[0]))
    if any(is_blend(letters[count:], words[1:], used + 1) for count in range(longest, 0, -1)):
        return True
    return used > 0 and words[0] in _SMALL_WORDS and is_blend(letters, words[1:], used)


def _common_beginning(one: str, other: str) -> str:
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return one[:count]


def holds_in_order(letters: str, name: str) -> bool:
    if name[:1] != letters[0] or len(name) <= len(letters):
        return False
    rest = iter(name)
    return all(letter in rest for letter in letters)


@lru_cache(maxsize=1 << 14)
def forms_of(name: str) -> tuple[str, ...]:
    """A name without blanks, and its first word where that is long enough to be told by itself."""
    words = name_key(name).split()
    whole = "".join(words)
    first = words[0] if words and len(words[0]) >= LEAST_SPELLING else whole
    return tuple(dict.fromkeys((whole, first)))


def is_near(one: str, other: str, slips: int) -> bool:
    """True for the same first letter and at most so many letters left out, added, changed or swapped."""
    return is_within(one, other, slips) and slips_between(one, other, slips) <= slips


def is_slip_of_one(word: str, names: Iterable[str]) -> bool:
    """True for a word in lower case, long enough to be told by itself, that is one slip from a name.

    >>> is_slip_of_one("hienz", ("kraft", "heinz")), is_slip_of_one("cash", ("cast",))
    (True, False)
    """
    return len(word) >= LEAST_SPELLING and any(is_near(word, name, 1) for name in names)


def is_within(one: str, other: str, slips: int) -> bool:
    """True for words of one first letter whose lengths differ by so many slips at most."""
    return one[:1] == other[:1] and abs(len(one) - len(other)) <= slips


def slips_between(one: str, other: str, most: int) -> int:
    """Letters left out, added, changed or swapped with the next (Damerau 1964, optimal string alignment); stops above
    ``most``.

    >>> slips_between("microsfot", "microsoft", 2), slips_between("bolt", "colt", 2)
    (1, 1)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        last, before = before, row
        row = [at]
        for place, against in enumerate(other, 1):
            cost = min(before[place] + 1, row[-1] + 1, before[place - 1] + (letter != against))
            is_swapped = at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == against
            row.append(min(cost, last[place - 2] + 1) if is_swapped else cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def scope_words(name: str) -> frozenset[str]:
    """The words of a list in scope.toml."""
    return _lists()[name]


@cache
def _lists() -> dict[str, frozenset[str]]:
    lists = load_rules(__package__, "scope.toml")
    return {name: frozenset(words.split()) for name, words in lists.items() if isinstance(words, str)}


def ordinary_capitals() -> frozenset[str]:
    """Words in capitals that are no names: CEO, EBITDA."""
    return scope_words("not_tickers")


def is_generic(word: str) -> bool:
    """True for a word in lower case that many companies have in their names and that names none of them."""
    return word in scope_words("generic")


@lru_cache(maxsize=1 << 16)
def squeezed(name: str) -> str:
    """A name in small letters without blanks and marks."""
    return _NOT_LETTERS.sub("", name.lower().replace("&", "and"))


# --- names in pinyin


def begins_in_pinyin(words: Sequence[str]) -> bool:
    """True where the first word, or the first two as one, may be pinyin: "Qingyuan Precision", "Ping An"."""
    return may_be_pinyin(words[0].lower()) or may_be_pinyin("".join(words[:2]).lower())


def is_name_alone(word: str) -> bool:
    """True for letters that are no English word and no place or word that many names begin with."""
    return not (is_generic(word) or is_english(word))


def is_spelt(form: str, name: str, fewest: int) -> bool:
    """True where a Latin form spells a Chinese name or the beginning of it: ``fewest`` characters, or two and a word of
    business."""
    fit = transcription(form, name)
    if fit is None or fit.letters < len(form):
        return False
    return fit.letters > fit.pinyin or fit.characters >= fewest


def abbreviations_of(name: str) -> frozenset[str]:
    """What a Chinese name of two words of two characters is shortened to: the first character of each, or the first and
    the last of all. Of three such words the first three characters: 台达电 for 台达电子工业.

    >>> sorted(abbreviations_of("中国钢铁")), sorted(abbreviations_of("招商银行")), sorted(abbreviations_of("宝钢"))
    (['中钢', '中铁'], ['招行', '招银'], [])
    """
    if not _WORDS_IN_CHINESE.fullmatch(name):
        return frozenset()
    return frozenset((name[::2], name[0] + name[-1])) if len(name) == _TWO_WORDS else frozenset((name[:3],))


def stands_as_name(text: str, start: int, end: int) -> bool:
    """True where Chinese characters stand as the name of a company, not within other words."""
    return _BEFORE_CHINESE.search(text, 0, start) is not None and _BEHIND_CHINESE.match(text, end) is not None


def length_in_chinese(name: str, text: str, start: int) -> int:
    """How many characters from ``start`` on write a Latin name in Chinese; 0 where they do not.

    Without a word of business they count where they stand as a name: 运河 is a canal, too.
    """
    fit = transcription(squeezed(name), text[start : start + _LONGEST_CHINESE])
    if fit is None:
        return 0
    if fit.letters > fit.pinyin:
        return fit.characters
    stands_alone = stands_as_name(text, start, start + fit.characters)
    is_brand = fit.pinyin == len(name.split()[0])
    return fit.characters if stands_alone and is_brand and is_name_alone(name[: fit.pinyin]) else 0


# --- ways in which the market names companies


@dataclass(frozen=True, slots=True)
class Way:
    """A way in which the market names companies.

    ``may_be`` looks at the word alone, ``fits`` at the word, the name of a company, and its full name in lower case. A
    word that stands in more than ``most_standing`` chunks is an ordinary one.
    """

    how: How
    most_standing: float
    may_be: Callable[[str], bool]
    fits: Callable[[str, str, str], bool]


def _has_capital_within(written: str) -> bool:
    return any(map(str.isupper, written[1:]))


def letters_of(written: str) -> str:
    """A name without blanks and marks: "P&G" -> "PG"."""
    return _AND.sub("", written)


def _may_be_initials(written: str) -> bool:
    return _has_capital_within(letters_of(written))


def _fits_initials(written: str, name: str, full: str) -> bool:
    """ "P&G", "PnG", "P and G", "IBM": the first letters of the words of a name, small ones told or left out."""
    letters = letters_of(written)
    plain = {letters.lower(), re.sub(r"(?<=[A-Z])n(?=[A-Z])", "", letters).lower()}
    return not plain.isdisjoint(initials_of(name))


def _may_be_blend(written: str) -> bool:
    return len(letters_of(written)) >= LEAST_BLEND and _has_capital_within(written)


def _fits_blend(written: str, name: str, full: str) -> bool:
    """ "BofA", "CapOne", "AmEx": beginnings of the words of a name, in order."""
    return is_blend(letters_of(written).lower(), tuple(name_key(name).split()))


def _may_be_ticker(written: str) -> bool:
    """True for "NFLX", "INTC", "AWK": letters of a name in order, the first one among them."""
    return written.isalpha() and written.isupper() and _LEAST_SKELETON <= len(written) <= LEAST_SPELLING


def _fits_first_word(written: str, name: str, full: str) -> bool:
    """Letters of the first word alone are surer than those of all words."""
    return holds_in_order(written.lower(), full.removeprefix("the ").split()[0])


def _fits_full_name(written: str, name: str, full: str) -> bool:
    return holds_in_order(written.lower(), full.removeprefix("the "))


def _may_be_misspelt(written: str) -> bool:
    return len(letters_of(written)) >= LEAST_SPELLING


def _fits_with_slip(written: str, name: str, full: str) -> bool:
    """ "Microsfot": a name, or the first word of one, with a slip."""
    plain = letters_of(written).lower()
    slips = 2 if len(plain) >= LONG_NAME else 1
    return any(is_near(plain, form, slips) for form in forms_of(name))


WAYS = (
    Way("initials", inf, _may_be_initials, _fits_initials),
    Way("blend", _RARE, _may_be_blend, _fits_blend),
    Way("ticker", _RARE, _may_be_ticker, _fits_blend),
    Way("ticker", _RARE, _may_be_ticker, _fits_first_word),
    Way("ticker", _RARE, _may_be_ticker, _fits_full_name),
    Way("spelling", 0, _may_be_misspelt, _fits_with_slip),
)
"""In the order in which they are tried: the surest first."""
