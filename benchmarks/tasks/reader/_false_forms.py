"""False forms of a true sentence: a figure, year, direction or company of it exchanged, each in one place only."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations

_NUMBER = re.compile(r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?(?!\w)(?!-\w)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DAY = re.compile(rf"{_MONTH}\s$")
_SCALE = re.compile(r"\s(million|billion)\b")
_SCALES = {"million": "billion", "billion": "million"}
_DIRECTIONS = {
    "increased": "decreased", "decreased": "increased", "rose": "fell", "fell": "rose", "grew": "declined",
    "declined": "grew", " increase": " decrease", " decrease": " increase", "higher": "lower", "lower": "higher",
    " up ": " down ", " down ": " up ",
}  # fmt: skip
_COMPANIES = (
    "Adobe", "Boeing", "Costco", "Foot Locker", "MGM", "Netflix", "PepsiCo", "Pfizer", "Apple", "Amazon", "Intel",
    "Corning", "Verizon",
)  # fmt: skip
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|does|will|can|may)\b(?! not\b)")
_CAUSE = re.compile(
    r"\b(?:because of|due to|owing to|driven by|as a result of|result(?:ed|ing) from|attributed to)\s"
    r"(?P<cause>(?:(?!,\s(?:while|but|despite|(?:and\s)?(?:\w+\s)?offset))(?:[^.;:]|\.(?=\d))){8,160})",
    re.IGNORECASE,
)
_SHORTEST_CAUSE, _MOST_SHARED = 3, 0.34
"""Words of a cause, and the share of them that another cause may have, too."""
_OFF = Decimal("1.07")
_LEAST_DIGITS, _DIGITS_TO_MEET_BY_CHANCE = 2, 3
_MOST_TIMES = 5
"""Times that one of two exchanged figures may be the other: of others nobody would believe it."""
_MOST_YEARS = 3


@dataclass(frozen=True, slots=True)
class _Figure:
    start: int
    end: int
    text: str
    is_rate: bool

    @property
    def value(self) -> Decimal:
        return Decimal(self.text.replace(",", ""))

    @property
    def digits(self) -> int:
        return len(re.sub(r"\D", "", self.text))


def false_forms(sentence: str, text: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Each kind of error that the sentence can have, with the sentence that has it.

    ``text`` is what the sentence was written from: another number, year or company is taken from there.

    >>> said, page = "Sales rose to $12 million in 2022.", "Sales rose to $12 million in 2022 (2021: $10 million)."
    >>> dict(false_forms(said, page, random.Random(0)))["sign"]
    'Sales fell to $12 million in 2022.'
    """
    figures = [figure for figure in _figures(sentence) if figure.digits >= _LEAST_DIGITS]
    if figures:
        yield from _with_another_number(sentence, text, draw.choice(figures), draw)
        yield from _with_another_scale(sentence, figures)
        yield from _exchanged(sentence, figures, draw)
        yield from _with_another_year(sentence, text, draw)
    else:
        yield from _denied(sentence)
    yield from _turned(sentence)
    yield from _of_another_company(sentence, text, draw)


def with_another_cause(sentence: str, text: str) -> str:
    """The sentence with a cause that the text gives of something else; "" where it gives none.

    >>> page = "Sales fell due to weak demand for drives. Costs rose due to higher wages and freight."
    >>> with_another_cause("Costs increased due to higher wages.", page)
    'Costs increased due to weak demand for drives.'
    """
    own = _CAUSE.search(sentence)
    if own is None:
        return ""
    own_words = set(_words(own["cause"]))
    causes = [" ".join(match["cause"].split()) for match in _CAUSE.finditer(text)]
    others = [cause for cause in causes if _is_another(_words(cause), own_words)]
    if not others:
        return ""
    other = min(others, key=lambda cause: (abs(len(cause) - len(own["cause"])), cause))
    return f"{sentence[: own.start('cause')]}{other}{sentence[own.end('cause') :]}"


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{3,}", text.lower())


def _is_another(words: list[str], own: set[str]) -> bool:
    return len(words) >= _SHORTEST_CAUSE and len(own.intersection(words)) <= _MOST_SHARED * len(words)


def _figures(text: str) -> list[_Figure]:
    """The numbers of a text that are no year and no day of a month."""
    found = []
    for match in _NUMBER.finditer(text):
        if _YEAR.fullmatch(match[0]) or _DAY.search(text[: match.start()]):
            continue
        is_rate = re.match(r"\s?(?:%|percent)", text[match.end() : match.end() + 9]) is not None
        found.append(_Figure(match.start(), match.end(), match[0], is_rate))
    return found


def _with_another_number(sentence: str, text: str, figure: _Figure, draw: random.Random) -> Iterator[tuple[str, str]]:
    """One number seven parts in a hundred off, and one replaced by another of the text of its kind and length."""
    places = len(figure.text.partition(".")[2])
    off = figure.value * _OFF + (0 if places else 3)
    wrong = f"{off:,.{places}f}" if "," in figure.text else f"{off:.{places}f}"
    there = _figures(text)
    if wrong not in {other.text for other in there}:
        yield "value", f"{sentence[: figure.start]}{wrong}{sentence[figure.end :]}"
    own = {other.value for other in _figures(sentence)}
    others = sorted({other.text for other in there if _may_stand_for(other, figure) and other.value not in own})
    if others:
        yield "number", f"{sentence[: figure.start]}{draw.choice(others)}{sentence[figure.end :]}"


def _may_stand_for(other: _Figure, figure: _Figure) -> bool:
    is_long = other.digits >= _DIGITS_TO_MEET_BY_CHANCE and abs(other.digits - figure.digits) <= 1
    return is_long and other.is_rate == figure.is_rate and ("." in other.text) == ("." in figure.text)


def _with_another_scale(sentence: str, figures: list[_Figure]) -> Iterator[tuple[str, str]]:
    for figure in figures:
        scale = _SCALE.match(sentence, figure.end)
        if scale:
            yield "scale", f"{sentence[: figure.end]} {_SCALES[scale[1]]}{sentence[scale.end() :]}"
            return


def _exchanged(sentence: str, figures: list[_Figure], draw: random.Random) -> Iterator[tuple[str, str]]:
    """Two of the sentence's own figures, each in the place of the other; not the ends of a range."""
    pairs = []
    for one, other in combinations(figures, 2):
        is_range = re.fullmatch(r"[^,;]{0,9} (?:to|and|-) \$?", sentence[one.end : other.start]) is not None
        if one.is_rate == other.is_rate and one.value and one.value != other.value and not is_range:
            times = max(one.value, other.value) / max(min(one.value, other.value), Decimal("1e-9"))
            pairs.extend([(one, other)] if times < _MOST_TIMES else [])
    if pairs:
        one, other = draw.choice(pairs)
        between = sentence[one.end : other.start]
        yield "exchange", f"{sentence[: one.start]}{other.text}{between}{one.text}{sentence[other.end :]}"


def _with_another_year(sentence: str, text: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    years = set(_YEAR.findall(sentence))
    if len(years) == 1:
        year = years.pop()
        others = {other for other in _YEAR.findall(text) if 0 < abs(int(other) - int(year)) <= _MOST_YEARS}
        if others:
            yield "year", sentence.replace(year, draw.choice(sorted(others)))


def _turned(sentence: str) -> Iterator[tuple[str, str]]:
    for word, opposite in _DIRECTIONS.items():
        if word in sentence:
            yield "sign", sentence.replace(word, opposite, 1)
            return


def _of_another_company(sentence: str, text: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    own = [name for name in _COMPANIES if name in sentence]
    others = [name for name in _COMPANIES if name not in text and name not in own]
    if own and others:
        yield "company", sentence.replace(own[0], draw.choice(others))


def _denied(sentence: str) -> Iterator[tuple[str, str]]:
    auxiliary = _AUXILIARY.search(sentence)
    if " not " in sentence:
        yield "denial", sentence.replace(" not ", " ", 1)
    elif auxiliary:
        yield "denial", f"{sentence[: auxiliary.end()]} not{sentence[auxiliary.end() :]}"
