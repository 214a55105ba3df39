"""Drivers of an English sentence: the figure, the connective, the coordinated causes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cache
from itertools import pairwise

from ....core.patterns import ends_of, until
from ....core.records import dataclass
from ....core.sequences import first
from ...drivers import Cause, Role
from .causes_en import FORWARD, Link, begins_with, links_in, pieces_of, says_more, shape_of, trimmed_cause
from .effects_en import any_of, movements, pattern, read_effect, read_subject, rules
from .readings import SIGNS, Effect, Reading, make_cause, shifted

_LONGEST_OPENING = 400
_LED_TO = 0.6
"""Confidence where the cause stands before the figure: "led to lower sales" is often said of nothing certain."""


@dataclass(slots=True)
class _Open:
    """A reading under way."""

    effect: Effect
    causes: list[Cause] = field(default_factory=list)
    is_list: bool = False
    """Its causes are items of a list."""
    confidence: float = 0.8

    @property
    def sign(self) -> int:
        return SIGNS[self.effect.direction]


def english_may_explain(text: str) -> bool:
    """False for most sentences, fast: none of the words is there that every connective has one of."""
    return any(map(text.lower().__contains__, rules()["stems"]))


def read_english(text: str) -> list[Reading]:
    """Figures with their causes, in order; a figure that only "the increase" names has no label.

    >>> reading = read_english("Gross margin fell due to higher input costs, partly offset by pricing.")[0]
    >>> reading.effect.metric, [(cause.text, cause.sign, cause.role) for cause in reading.causes]
    ('gross profit', [('higher input costs', -1, 'cause'), ('pricing', 1, 'offset')])
    """
    if not english_may_explain(text):
        return []
    found: list[Reading] = []
    for start, stop in pairwise([0, *ends_of(shape_of("full_stop"), text), len(text)]):
        found += [_moved_by(reading, start) for reading in _read_one(text[start:stop])]
    return found


def _moved_by(reading: Reading, by: int) -> Reading:
    """A reading of a part of a text, with offsets in the whole."""
    if not by:
        return reading
    effect = replace(reading.effect, start=reading.effect.start + by, end=reading.effect.end + by)
    return replace(reading, effect=effect, causes=tuple(shifted(cause, by) for cause in reading.causes))


def _read_one(text: str) -> list[Reading]:
    sentence = _Sentence(text)
    if (not sentence.links and any_of("opening", "cause").match(text) is None) or _never().search(text):
        return []
    return [Reading(done.effect, tuple(done.causes), done.confidence) for done in sentence.readings() if done.causes]


@cache
def _never() -> re.Pattern[str]:
    """Sentences in which no figure has moved."""
    return re.compile("|".join(rules()["never"]), re.IGNORECASE)


class _Sentence:
    def __init__(self, text: str) -> None:
        self.text = text
        self.links = links_in(text)

    def readings(self) -> Iterator[_Open]:
        """Connective by connective: each opens a figure, adds to the open one, or tells what is behind a cause."""
        opened = self._opened()
        current, at = opened if opened else (None, 0)
        for number, link in enumerate(self.links):
            if link.start < at:
                continue
            following = self.links[number + 1].start if number + 1 < len(self.links) else len(self.text)
            fresh = self._figure_before(link, at, current)
            if fresh is not None:
                if current is not None:
                    yield current
                current = fresh
                if fresh.effect.start < link.start:
                    self._take(current, link, following, top=True)
            elif current is not None:
                self._take(current, link, following, top=False)
            at = link.end
        if current is not None:
            yield current

    def _opened(self) -> tuple[_Open, int] | None:
        """ "As a result of the sale, revenue fell": the causes stand first, up to a comma that a figure follows."""
        match = any_of("opening", "cause").match(self.text)
        if match is None:
            return None
        return self._behind_causes(match.end(), match.end() + 1, _LONGEST_OPENING)

    def _behind_causes(self, causes: int, start: int, stop: int) -> tuple[_Open, int] | None:
        """The figure behind a comma from ``start`` to ``stop``, with the causes that stand from ``causes`` up to that
        comma, and where the words of the figure begin."""
        for comma in shape_of("any_comma").finditer(self.text, start, stop):
            effect = read_effect(self.text, comma.end(), self._next_link(comma.end()))
            if effect is not None and effect.label:
                current = _Open(effect)
                current.causes += self._causes(causes, comma.start(), current.sign, effect)
                return current, comma.end()
        return None

    def _next_link(self, at: int) -> int:
        """Where the first connective behind a place stands; the end of the text without one."""
        return first((link.start for link in self.links if link.start > at), len(self.text))

    def _figure_before(self, link: Link, at: int, current: _Open | None) -> _Open | None:
        """The figure that the words before a connective name, where it is not one of the causes under way."""
        if link.kind in FORWARD:
            is_relative = self.text[max(0, link.start - 6) : link.start].endswith(("that ", "which "))
            return self._led_to(link) if current is None and not is_relative else None
        if current is None:
            return self._first_figure(link, at)
        return self._next_figure(link, at, current)

    def _first_figure(self, link: Link, at: int) -> _Open | None:
        """The figure in front of the first connective, or behind its causes."""
        is_active = link.kind == "offset" and not self.text[: link.end].endswith(" by")
        effect = read_effect(self.text, at, link.start, finite=is_active)
        if effect is None and link.kind in ("help", "hurt"):
            effect = read_subject(self.text, at, link.start)
        return _Open(effect) if effect is not None else self._figure_behind(link)

    def _next_figure(self, link: Link, at: int, current: _Open) -> _Open | None:
        """The figure of a statement that begins behind the causes of another one."""
        breaks = ends_of(shape_of("new_clause"), self.text, at, link.start)
        if not breaks:
            return None
        is_item = not current.is_list and shape_of("hard").search(self.text[breaks[-1] - 3 : breaks[-1]]) is not None
        effect = read_effect(self.text, breaks[-1], link.start, finite=True, stated=is_item)
        if effect is None and shape_of("moves_again").match(self.text, breaks[-1], link.start):
            effect = self._moved_again(current.effect, breaks[-1], link.start)
        return _Open(effect) if effect is not None and effect.label else None

    def _figure_behind(self, link: Link) -> _Open | None:
        """ "In March, as a result of the pandemic, revenue fell": the causes stand between two commas."""
        if link.kind not in ("cause", "help", "hurt") or not self.text[: link.start].rstrip().endswith(","):
            return None
        found = self._behind_causes(link.end, link.end, link.end + _LONGEST_OPENING)
        return found[0] if found else None

    def _moved_again(self, effect: Effect, start: int, end: int) -> Effect | None:
        """ "Expense fell in 2022 due to X, and increased by $33 million in 2021 due to Y": the same figure."""
        words = f"{effect.label} {self.text[start:end]}"
        again = read_effect(words, 0, len(words), finite=True)
        if again is None:
            return None
        return replace(again, label=effect.label, start=effect.start, end=effect.end)

    def _led_to(self, link: Link) -> _Open | None:
        """ "Lower volume resulted in lower sales": the figure stands behind, its cause before."""
        following = self._next_link(link.end)
        effect = read_effect(self.text, link.end, until(shape_of("any_comma"), self.text[:following], link.end))
        direction = FORWARD[link.kind]
        if direction:
            effect = effect or read_subject(self.text, link.end, following)
            effect = replace(effect, direction=direction) if effect else None
        if effect is None or not effect.label or not effect.direction:
            return None
        current = _Open(effect, confidence=_LED_TO)
        begin = max(ends_of(shape_of("before_cause"), self.text[: link.start]), default=0)
        verb = pattern("verbal").search(self.text, begin, link.start)
        current.causes += self._causes(begin, verb.start() if verb else link.start, current.sign, effect)
        return current

    def _take(self, current: _Open, link: Link, following: int, *, top: bool) -> None:
        """Add what stands behind a connective to the figure under way."""
        if link.kind in FORWARD:
            return
        if top:
            current.is_list = shape_of("list_opening").match(self.text, link.end) is not None
        sign, role = self._sign_and_role(current, link)
        found = self._causes(link.end, following, sign, current.effect, role)
        if not found:
            return
        before = self.text[max(0, link.start - 6) : link.start].rstrip(" ")
        is_another = before.endswith(" and") or (link.kind in ("hurt", "help") and before.endswith(","))
        if top or is_another or role != "cause" or not current.causes:
            nested = role == "offset" and self._is_nested(current, link, following)
            if nested:
                self._behind(current, found[:1])
                current.causes += [replace(cause, sign=current.sign, role="cause") for cause in found[1:]]
                return
            current.causes += found
            return
        behind, onward = self._split_list(current, found, link.end)
        self._behind(current, behind)
        current.causes += onward

    def _behind(self, current: _Open, causes: Sequence[Cause]) -> None:
        """Put causes behind the last one; they push the figure the way it does."""
        *others, last = current.causes
        signed = [replace(c, sign=-last.sign if c.role == "offset" else last.sign) for c in causes]
        current.causes = [*others, replace(last, causes=(*last.causes, *signed))]

    def _split_list(self, current: _Open, found: list[Cause], start: int) -> tuple[list[Cause], list[Cause]]:
        """What is behind the last cause, and where the list of causes itself goes on."""
        opening = current.causes[0]
        for number, cause in enumerate(found):
            between = self.text[found[number - 1].end if number else start : cause.start]
            is_item = number > 0 and shape_of("hard").search(between) is not None
            is_alike = number > 0 and all(shape_of("listed").match(one.text) for one in (cause, opening))
            if is_item or is_alike:
                return found[:number], [replace(c, sign=opening.sign) for c in found[number:]]
        return found, []

    def _is_nested(self, current: _Open, link: Link, following: int) -> bool:
        """True for an offset of one of several causes: "a 14 % increase, which was offset by X, and a 1 % increase"."""
        before = self.text[max(0, link.start - 40) : link.start] + self.text[link.start : link.end]
        goes_on = ", and " in self.text[link.end : following]
        return len(current.causes) > 1 and goes_on and "which" in before

    def _sign_and_role(self, current: _Open, link: Link) -> tuple[int, Role]:
        if link.kind == "offset":
            return -current.sign, "offset"
        if link.kind == "hurt" and not shape_of("neutral").search(self.text, link.start, link.end):
            return -1, "cause"
        if link.kind == "help":
            return 1, "cause"
        return current.sign, "assumption" if link.kind == "assumes" else "cause"

    def _causes(self, start: int, end: int, sign: int, effect: Effect, role: Role = "cause") -> list[Cause]:
        found: list[Cause] = []
        explained = end < len(self.text)  # another connective follows
        for low, high in pieces_of(self.text, start, end):
            if found and self._leaves_list(start, low):
                break
            place = trimmed_cause(self.text, low, high, sized=explained and high == end, named=role == "offset")
            if place is None:
                if found and says_more(self.text[low:high]):
                    break
                continue
            own = sign or self._own_sign(self.text[slice(*place)], effect)
            found.append(make_cause(self.text, *place, own, role))
        total = sum(cause.sign for cause in found)
        usual = (total > 0) - (total < 0)
        return [cause if cause.sign else replace(cause, sign=usual) for cause in found]

    def _leaves_list(self, start: int, first: int) -> bool:
        """True behind a semicolon or bullet where the causes are no list of items: another statement begins."""
        before = self.text[max(start, first - 3) : first]
        if shape_of("hard").search(before) is None:
            return False
        opens_list = shape_of("list_opening").match(self.text, start) is not None
        return not opens_list and begins_with().match(self.text[first:].lstrip(" •●")) is None

    def _own_sign(self, words: str, effect: Effect) -> int:
        """How a cause pushes a figure that is only stated: by its own words, turned round for outgo."""
        found = next(movements(words, "polarity"), None)
        if found is None:
            return 0
        sign = SIGNS[found[1]]
        is_outgo, of_outgo = (pattern("outgo").search(text) is not None for text in (words, effect.label))
        is_down_itself = shape_of("lowers").search(words)
        is_kept_down = shape_of("kept_down").search(words)
        if is_outgo and not of_outgo and not is_kept_down and not (is_down_itself and sign < 0):
            return -sign
        return sign
