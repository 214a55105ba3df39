"""Words that decide whether two sentences say the same: directions of change, denials, opposites, names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from ....core.patterns import PatternTable
from ....core.rules import load_rules
from ....core.sequences import last
from ....core.words import search_words

WORDING = PatternTable(__package__, "grounding.toml")
_BEFORE_FIGURE = 60
_LEVEL = re.compile(
    r"\b(?:to|from|at|of|was|were|is|are|reached|totall?ed|between)\W{0,4}(?:about|roughly|nearly|approximately|some|only|just)?\W{0,4}$",
    re.I,
)
_NO_CHANGE = re.compile(
    r"\b(?:more|less|fewer) than\b|\b(?:ma[dk]es?|ate|t[ao]kes?|took|r[au]ng) up\b|\bup to\b", re.IGNORECASE
)
"""Words of a rise or a fall that tell of none: "more than three times the $70 million"."""
_OF_A_WHOLE = re.compile(
    r"[\d.,]{1,12}\s?(?:%|percent)\s(?:as a (?:percent|percentage|share|proportion)|of (?:the|our|its|their|all) )",
    re.IGNORECASE,
)
"""A share: "is now probably up over 80% as a percent of our total"."""
_SAID_AGAIN = re.compile(
    r"[$€£]?\d[\d,.]{0,20}\s?(?:%|(?:million|billion|thousand|percent)\b)?,?\s?(?:or\s|\()(?:about\s|some\s)?[$€£]?$"
)
"""Between the size of a change and the same in percent: "by $5 million, or 10%"."""
_MOVED_BEHIND = re.compile(
    r"[\d.,]{1,12}\s?(?:%|percent|(?:basis |percentage )?points?|cents)\s"
    r"(higher|lower|increase|decrease|decline|drop|rise|reduction|improvement|up|down)\b",
    re.IGNORECASE,
)
"""The size of a change before its word: "inventory was 20% lower", "a 26% decrease"."""
_MORE_BEHIND = re.compile(
    r"(?:[$€£¥]{0,2}\d[\d.,]{0,12}\s?(?:thousand\s|million\s|billion\s|bn\s|m\s|%\s)?|[a-z]{3,5}\s)"
    r"(?:(more|above|ahead)|less|fewer|below)\b(?! or\b)",
    re.IGNORECASE,
)
"""The same of an amount: "$12 million less than the year before"."""
_BY = re.compile(r"\b(?:by|of)\W{0,4}(?:about|roughly|nearly|approximately|some|only|just)?\W{0,4}$", re.I)
_NAME = re.compile(r"(?<![a-z])[A-Z][\w&’'-]*(?:\.[A-Z]\.?)?(?:\s+(?:(?:of|and|&|for|the)\s+)?[A-Z][\w&’'-]*){0,6}")
_ONE_NAME = re.compile(r"(?<![.!?] )\b[A-Z][a-z]{3,}\b")
_WORD = re.compile(r"[A-Za-z&]+(?:[-’'][A-Za-z]+)*")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")
_POSSESSIVE = re.compile(r"[’']s\b")
_OF_A_COUNTRY = re.compile(r"(?:ese|ian|can|an|ish)$")
_ROOT = 4
"""Letters that a country and what is of it share: "China", "Chinese"."""
_BULLETS = ' -*•#"“'
_SHORT_FORM = re.compile(r"\(([A-Z][A-Z&]{1,7})\)")
_SHORT = re.compile(r"\b[A-Z]{3,5}\b")
"""Two letters are met by chance: "Grupo Mundo" of a text that says GM."""
_PIECE = re.compile(r"[A-Z][a-z]{1,9}")
_RUN_TOGETHER = re.compile(rf"\b(?:{_PIECE.pattern}){{2,3}}\b")
_MOST_SPELLED = 10
"""Words before a short form that it may stand for."""


_LEFT_ASIDE = re.compile(r"\b(?:ex|in)cluding\b", re.IGNORECASE)
_OFFSET = re.compile(
    r"\b(?:offset\w{0,4}|cushion\w{0,3}|soften\w{0,3}|mitigat\w{1,3}|temper\w{0,3}|dampen\w{0,3}|limit\w{0,3}|slow\w{0,3})"
    r"\s(?:\w{1,9}\s){0,2}(increase|decrease|decline|rise|fall|growth|drop|reduction|gain|loss)",
    re.IGNORECASE,
)
_IN_OR_OUT = frozenset(search_words("including excluding"))


def direction_of_change(text: str, figure_start: int) -> int:
    """+1 or -1 where the figure that begins there is the size of a rise or a fall, 0 where it is a level.

    >>> text = "Sales rose by $5 million to $9 million"
    >>> direction_of_change(text, text.index("$5")), direction_of_change(text, text.index("$9"))
    (1, 0)
    """
    if _OF_A_WHOLE.match(text, figure_start):
        return 0
    before = text[max(0, figure_start - _BEFORE_FIGURE) : figure_start]
    again = _SAID_AGAIN.search(before)
    before = before[: again.start()] if again else before
    before = _NO_CHANGE.sub(" ", before)
    moved = _MOVED_BEHIND.match(text, figure_start)
    if moved:
        return trend_of(moved[1])
    more = _MORE_BEHIND.match(text, figure_start)
    if more:
        return 1 if more[1] else -1
    before = re.split(r"[;；。]|\d[\d,.]*\s?(?:%|million|billion|thousand)?|\b(?:and|but|while)\b", before)[-1]
    places = {sign: _last(name, before) for sign, name in ((1, "up"), (-1, "down"))}
    sign = max(places, key=lambda key: places[key])
    if places[sign] < 0:
        return 0
    behind = before[places[sign] :]
    if _LEVEL.search(before) and not (_BY.search(before) and len(behind.split()) <= 3):
        return 0
    return sign if len(behind.split()) <= 5 else 0


def _last(name: str, text: str) -> int:
    return max((match.end() for match in WORDING.each(name, text)), default=-1)


def trend_of(text: str) -> int:
    """+1 or -1 where a sentence says that something rose or fell, 0 where it says neither or both."""
    up, down = WORDING.any("up", text), WORDING.any("down", text)
    return int(up) - int(down)


def is_denied(text: str) -> bool:
    """True where the text holds a word of denial."""
    return WORDING.any("negation", text)


def terms(text: str) -> frozenset[str]:
    """The search words of a text as a set."""
    return frozenset(search_words(text))


def folded_terms(text: str) -> frozenset[str]:
    """The search words of a text, its words of rise and of fall as one each: "fewer customers" of "lower traffic"."""
    return terms(WORDING.without("down", WORDING.without("up", text, " rise "), " fall "))


def words_set_aside(text: str) -> frozenset[str]:
    """The words of "excluding $40 million from the launch" and "offset the decline": they say what is spoken of.

    They deny no "included", and stand against no rise.
    """
    offset = frozenset(stem(match[1].lower()) for match in _OFFSET.finditer(text))
    return offset | _IN_OR_OUT if _LEFT_ASIDE.search(text) else offset


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """Stem -> stems of the words that say the opposite."""
    found: dict[str, set[str]] = {}
    for one, other in load_rules(__package__, "grounding.toml")["opposites"]["pairs"]:
        first, second = stem(one), stem(other)
        found.setdefault(first, set()).add(second)
        found.setdefault(second, set()).add(first)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def opposites_in_chinese() -> tuple[tuple[str, str], ...]:
    """Pairs of Chinese words of which one says the opposite of the other, in both orders."""
    pairs = load_rules(__package__, "grounding.toml")["opposites"]["pairs_zh"]
    return tuple((one, other) for pair in pairs for one, other in (pair, pair[::-1]))


def opposites_of(word: str) -> frozenset[str]:
    """The opposites of one word; none of most."""
    return opposites().get(word, frozenset())


@cache
def stem(word: str) -> str:
    """The search word of one word; the word itself where it has none."""
    found = search_words(word)
    return last(found, word.lower())


@cache
def short_forms() -> Mapping[str, frozenset[str]]:
    """Stem of a short form ("EPS") -> stems of the words that rows of tables are called by."""
    spelled = load_rules(__package__, "grounding.toml")["short_forms"]
    return {stem(short): terms(words) for short, words in spelled.items()}


@cache
def small_words() -> frozenset[str]:
    """Words without weight, as they are written."""
    return frozenset(load_rules(__package__, "grounding.toml")["small_words"].split())


@cache
def weightless_words() -> frozenset[str]:
    """Search words that join what a sentence says and say nothing themselves: a source has others in their place."""
    return terms(load_rules(__package__, "grounding.toml")["joining_words"])


@cache
def verbs() -> frozenset[str]:
    """Stems of verbs that one does to another."""
    return frozenset(map(stem, load_rules(__package__, "grounding.toml")["verbs"].split()))


@cache
def words_of_no_row() -> frozenset[str]:
    """Search words of clauses that name no row of a table: of time, scale and comparison."""
    return terms(load_rules(__package__, "grounding.toml")["no_row_words"])


@cache
def number_words() -> Mapping[str, str]:
    """ "single" -> "one": words that count, by what they count."""
    table = load_rules(__package__, "grounding.toml")["number_words"]
    return {word: number for number, words in table.items() for word in words}


@cache
def _known_names() -> frozenset[str]:
    names = load_rules(__package__, "grounding.toml")["names"]["known"].split()
    return frozenset(name.lower() for name in names)


def unknown_names(sentence: str, allowed: str) -> list[str]:
    """Names of the sentence of which some word stands nowhere in the allowed text.

    The first word of a sentence has a capital anyway: alone it counts where it owns or does something.

    >>> unknown_names("Brightwater Foods sold a plant.", "Acme Inc. sold a plant"), unknown_names("Plants closed.", "x")
    (['Brightwater Foods'], [])
    >>> unknown_names("Brightwater's plant burned.", "Acme's plant"), unknown_names("Asia Pacific (APAC) grew.", "APAC")
    (['Brightwater'], [])
    """
    words = _words_of(allowed) | _spelled_out(sentence, allowed) | _run_together(sentence, allowed)
    words |= _shortened(sentence, allowed)
    words |= _spelled_in(sentence, allowed)
    found: list[str] = []
    for match in _NAME.finditer(_POSSESSIVE.sub("", sentence)):
        parts = [part for part in _WORD.findall(match[0]) if part[0].isupper()]
        missing = [part for part in parts if not _is_known(part, words)]
        if missing and not _is_opening(match.start(), parts, missing, sentence):
            found.append(match[0])
    return found


def _words_of(allowed: str) -> set[str]:
    """Lower-case words and stems of a text, and short forms of its names."""
    words = {word.lower() for word in _WORD.findall(_POSSESSIVE.sub("", allowed))}
    return words | set(map(stem, words)) | _initials(allowed)


def _is_opening(start: int, parts: Sequence[str], missing: Sequence[str], sentence: str) -> bool:
    """True where a name is unknown only for the first word of the sentence, which is no name: "Meanwhile Adobe"."""
    if sentence[:start].strip(_BULLETS) or missing != parts[:1]:
        return False
    if _INNER_CAPITAL.search(parts[0]):  # "PepsiCo"
        return False
    if len(parts) > 1:  # "Meanwhile Adobe", not "Apple Resorts"
        return not _is_of_one_name(parts, sentence)
    if WORDING.any("named_as_participle", sentence):
        return False
    return not WORDING.any("doer", sentence) or WORDING.any("common_opening", sentence)


def _is_of_one_name(parts: Sequence[str], sentence: str) -> bool:
    """True where the first word of a sentence is the first of a name of several words."""
    follows = sentence.strip(_BULLETS).startswith(f"{parts[0]} {parts[1]}")
    return follows and not WORDING.any("common_opening", sentence)


def _spelled_out(sentence: str, allowed: str) -> set[str]:
    """Words of names whose short form stands behind them and in the allowed text: "Asia Pacific (APAC)"."""
    found: set[str] = set()
    for match in _SHORT_FORM.finditer(sentence):
        short = match[1]
        if short not in allowed:
            continue
        before = [part for part in _WORD.findall(sentence[: match.start()])[-_MOST_SPELLED:] if part[0].isupper()]
        for count in range(1, len(before) + 1):
            if _abbreviates(short, before[-count:]):
                found |= {part.lower() for part in before[-count:]}
    return found


def _spelled_in(sentence: str, allowed: str) -> set[str]:
    """Well-known short forms of the sentence whose words the allowed text has: "SBC" of "stock-based compensation"."""
    said = {short: spelled for short, spelled in short_forms().items() if short in terms(sentence)}
    return {short for short, spelled in said.items() if spelled <= terms(allowed)}


def _shortened(sentence: str, allowed: str) -> set[str]:
    """Words of names whose first letters the allowed text prints: "Boeing Commercial Airplanes" of "BCA"."""
    short_forms = set(_SHORT.findall(allowed))
    found: set[str] = set()
    for match in _NAME.finditer(_POSSESSIVE.sub("", sentence)) if short_forms else ():
        parts = [part for part in _WORD.findall(match[0]) if part[0].isupper()]
        if len(parts) > 1 and "".join(part[0] for part in parts) in short_forms:
            found |= {part.lower() for part in parts}
    return found


def _run_together(sentence: str, allowed: str) -> set[str]:
    """Words of names that the allowed text shortens to one: "Latin America" of "LatAm"."""
    words = _WORD.findall(sentence)
    found: set[str] = set()
    for short in set(_RUN_TOGETHER.findall(allowed)):
        pieces = _PIECE.findall(short)
        for place in range(len(words) - len(pieces) + 1):
            name = words[place : place + len(pieces)]
            if all(word.startswith(piece) for word, piece in zip(name, pieces, strict=True)):
                found |= {word.lower() for word in name}
    return found


def _abbreviates(short: str, parts: Sequence[str]) -> bool:
    """True where the short form begins as the first word does, and its letters come one after another in the words."""
    if short[0] != parts[0][0]:
        return False
    letters = iter("".join(parts).upper())
    return all(letter in letters for letter in short)


@lru_cache(maxsize=4096)
def names_of_words(text: str) -> frozenset[str]:
    """Names of one word in a text that are not the first word of a sentence: of products, firms and places."""
    found = (match[0] for match in _ONE_NAME.finditer(text) if match.start() and not is_common_name(match[0]))
    return frozenset(name.removesuffix("s").lower() for name in found)


def is_common_name(word: str) -> bool:
    """True for names that every text may use: months, currencies, offices."""
    return word.lower() in _known_names()


def _is_known(part: str, words: Iterable[str]) -> bool:
    low = part.lower()
    if len(low) == 1 or low in words or low in _known_names() or stem(low) in words:
        return True
    return _OF_A_COUNTRY.search(low) is not None and any(word.startswith(low[:_ROOT]) for word in words)


def _initials(text: str) -> set[str]:
    """Short forms of the names in a text: "united microelectronics corporation" gives "umc" and "um"."""
    found: set[str] = set()
    for match in _NAME.finditer(text):
        letters = "".join(part[0] for part in match[0].split() if part[0].isupper()).lower()
        if len(letters) > 1:
            found |= {letters, letters[:3]}
    return found
