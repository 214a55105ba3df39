"""The figure that an English clause is about, and how it moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Literal

from ....core.patterns import LazyPattern, until
from ....core.quantity import Quantity, find_quantities
from ....core.rules import load_rules
from ....core.sequences import first
from ....ingest.facts.metric_mentions import MetricMention, find_metrics
from ...drivers import Direction
from .readings import Effect, is_percent

Form = Literal["movement", "noun", "adjective", "polarity"]
_DIRECTIONS: tuple[Direction, ...] = ("up", "down", "flat")
_MOST_WORDS = 16
_FEW_WORDS = 5
_BEFORE = 30
"""Characters before a quantity in which the word stands that says what it is."""
_BESIDE = 40
"""Characters between a figure and the amount that is its own, where no word joins the two."""
_COMPARING = ("from", "than", "versus", "against", "over", "compared")
"""Words of a figure that is told by its amount alone."""


@cache
def rules() -> dict[str, Any]:
    """The English rules."""
    return load_rules(__package__, "patterns_en.toml")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A single pattern of the rules."""
    return re.compile(rules()[name], re.IGNORECASE)


@cache
def shape(name: str) -> re.Pattern[str]:
    """A pattern of how a clause is built; case counts but where it says otherwise."""
    return re.compile(rules()["effect"][name])


@cache
def any_of(section: str, name: str) -> LazyPattern:
    """Any pattern of a list in a section, with the adverbs put in."""
    listed = rules()[section][name]
    return LazyPattern("|".join(f"(?:{part})" for part in listed).replace("{adverb}", rules()["adverb"]))


def movements(text: str, form: Form) -> Iterator[tuple[re.Match[str], Direction]]:
    """Words of movement in one form, in order."""
    found: list[tuple[re.Match[str], Direction]] = []
    for direction in _DIRECTIONS:
        if direction in rules()[form]:
            found += [(match, direction) for match in any_of(form, direction).finditer(text)]
    yield from sorted(found, key=lambda item: item[0].start())


def read_effect(text: str, start: int, end: int, *, finite: bool = False, stated: bool = False) -> Effect | None:
    """The figure that ``text[start:end]`` says moved, or states; None where it names none.

    With ``finite`` only "net income fell" counts, not "lower net income": what opens a sentence of its own; with
    ``stated`` also "net income was $5 million".

    >>> effect = read_effect("NIKE Direct revenues increased 5% for fiscal 2018 ", 0, 50)
    >>> effect.label, effect.metric, effect.segment, effect.direction, effect.percent.text
    ('NIKE Direct revenues', 'revenue', 'NIKE Direct', 'up', '5%')
    """
    for match in shape("clause_break").finditer(text, start, end):
        if end - match.end() > 3:  # a colon right before the connective ends nothing
            start = match.end()
    clause = _Clause(text[start:end], start, bool(pattern("outlook").search(text, 0, end)))
    effect = clause.of_verb()
    if effect is None and stated:
        effect = clause.of_level()
    if effect is None and not finite:
        effect = clause.of_noun() or clause.of_adjective() or clause.of_level() or clause.unnamed()
    return effect


def read_subject(text: str, start: int, end: int) -> Effect | None:
    """The figure right before "benefited from" and the like, which say themselves how it moved; None for none."""
    clause = _Clause(text[start:end], start, bool(pattern("outlook").search(text, 0, end)))
    return clause.of_subject()


class _Clause:
    """One clause; ``offset`` is where it stands in the sentence."""

    def __init__(self, text: str, offset: int, outlook: bool) -> None:
        self.text, self.offset, self.outlook = text, offset, outlook

    def of_verb(self) -> Effect | None:
        """ "Net sales rose 8 %": what stands before the first verb of movement that has a figure before it."""
        return self._of_first("movement", self._of_movement)

    def _of_movement(self, verb: re.Match[str]) -> tuple[int, int] | None:
        is_adjective = verb.group().lower().endswith("ed") and shape("before_noun").search(self.text, 0, verb.start())
        place = None if is_adjective else self._subject(verb.start(), generic=self._is_sized(verb.end()))
        return place or self._object(verb.end())

    def _object(self, verb_end: int) -> tuple[int, int] | None:
        """ "We grew homebuilding revenue by 10 %": the figure behind the verb."""
        named = shape("object").match(self.text, verb_end)
        return self._measured(*named.span("figure")) if named else None

    def _is_sized(self, verb_end: int) -> bool:
        """True for a verb with an amount right behind it: what "declined 35 %" is a figure, whatever its name."""
        return shape("sized").match(self.text, verb_end) is not None

    def of_subject(self) -> Effect | None:
        """What stands before the end of the clause."""
        place = self._subject(len(self.text))
        return self._effect(*place, "", len(self.text)) if place else None

    def of_noun(self) -> Effect | None:
        """ "The increase of $5 million in product costs", "the revenue growth"."""
        return self._of_first("noun", self._of_change)

    def _of_change(self, noun: re.Match[str]) -> tuple[int, int] | None:
        named = shape("in_noun").match(self.text, noun.end())
        place = self._measured_behind(named.end()) if named else None
        before = max(0, self._word_before(noun.start()))
        return place or self._subject(noun.start()) or self._measured(before, noun.end())

    def of_adjective(self) -> Effect | None:
        """ "Higher ASP", "$7 million higher O&M expenses"."""
        return self._of_first("adjective", lambda adjective: self._measured_behind(adjective.end()))

    def _of_first(
        self,
        kind: Form,
        figure_of: Callable[[re.Match[str]], tuple[int, int] | None],
    ) -> Effect | None:
        """The effect told by the first word of movement of a kind that has a figure."""
        for match, direction in movements(self.text, kind):
            place = figure_of(match)
            if place is not None:
                return self._effect(*place, direction, match.start())
        return None

    def _measured_behind(self, at: int) -> tuple[int, int] | None:
        """The figure that begins there and goes on to the end of its name."""
        return self._measured(at, until(shape("of_noun_end"), self.text, at))

    def of_level(self) -> Effect | None:
        """ "Segment profit was $47 million, compared to $3 million": the amounts say how it moved."""
        differs = shape("differs").search(self.text)
        if differs:  # "The effective rate differed from the statutory rate of 21%": that is not its amount
            return self._named_alone(self._subject(differs.start()))
        return self._with_amount() or self._without_amount()

    def _with_amount(self) -> Effect | None:
        """The figure that an amount is stated of, or stands beside."""
        amounts = [quantity for quantity in find_quantities(self.text) if quantity.unit]
        for number, amount in enumerate(amounts):
            stated = shape("states").search(self.text, max(0, amount.start - 40), amount.start)
            place = self._named_before(stated.start()) if stated else None
            if place is not None:
                effect = self._effect(*place, self._compared(amounts[number:]), place[1])
                return replace(effect, level=amount, change=None, percent=None)
        front = shape("front").match(self.text)
        opening = front.end() if front else 0
        for mention in find_metrics(self.text):
            reach = len(self.text) if mention.start <= opening else _BESIDE
            beside = first((amount for amount in amounts if abs(amount.start - mention.end) <= reach), None)
            place = self._measured(mention.start, mention.end) if beside else None
            if place is not None:
                return replace(self._effect(*place, "", mention.end), level=beside, change=None, percent=None)
        return None

    def _without_amount(self) -> Effect | None:
        """ "We had a net loss", "The gain was"."""
        reported = shape("reports").search(self.text)
        place = self._measured_behind(reported.end()) if reported else None
        if place is None:
            linked = shape("linked").search(self.text)
            place = self._subject(linked.start()) if linked else None
        return self._effect(*place, "", len(self.text)) if place else None

    def _named_alone(self, place: tuple[int, int] | None) -> Effect | None:
        return replace(self._effect(*place, "", len(self.text)), level=None) if place else None

    def _named_before(self, end: int) -> tuple[int, int] | None:
        """The figure right before "was $5 million" or "of $5 million"."""
        if self.text[end : end + 3].strip() != "of":
            return self._subject(end)
        noun = shape("noun_phrase").search(self.text, max(0, end - 60), end)
        return self._measured(noun.start(), end) if noun else None

    def _word_before(self, end: int) -> int:
        return self.text.rfind(" ", 0, max(0, end - 1)) + 1

    def unnamed(self) -> Effect | None:
        """ "The increase was": of what, the sentence before says."""
        named = shape("anaphora").match(self.text)
        if named is None:
            return None
        for match, direction in movements(named[1], "noun"):
            if match.group() == named[1]:
                return Effect("", self.offset, self.offset + len(self.text), direction, outlook=self.outlook)
        return None

    def _compared(self, amounts: list[Quantity]) -> Direction:
        """How the first amount stands to the one that it is compared with."""
        if len(amounts) < 2 or not shape("compared").search(self.text, amounts[0].end, amounts[1].start):
            return ""
        first, second = amounts[0], amounts[1]
        if "loss of" in self.text[second.start - 12 : second.start]:
            return "up"
        if first.unit != second.unit or first.amount == second.amount:
            return ""
        return "up" if first.amount > second.amount else "down"

    def _subject(self, verb: int, *, generic: bool = False) -> tuple[int, int] | None:
        """Where the figure before a verb stands."""
        start, end = 0, verb
        tail = pattern("verbal").search(self.text, max(0, verb - 60), verb)
        if tail:
            end = tail.start()
        while opening := shape("opening").match(self.text[start:end]):
            start += opening.end()
        amount = shape("of_amount").search(self.text, start, end)
        if amount:
            end = amount.start()
        for stated in shape("verb").finditer(self.text, start, end):
            if self._measured(start, stated.start()):
                end = stated.start()
                break
            start = stated.end()
        aside = shape("aside").search(self.text, start, end)
        if aside and aside.start() > start:
            end = aside.start()
        last_comma = self.text.rfind(", ", start, end)
        if last_comma > 0 and self._begins_anew(last_comma + 2, end):
            start = last_comma + 2
        return self._measured(start, end, generic=generic)

    def _begins_anew(self, start: int, end: int) -> bool:
        """True where a figure of its own stands after a comma, not the rest of a list ("retail and other")."""
        rest = self.text[start:end]
        return pattern("measures").search(rest) is not None and not shape("rest_of_list").match(rest)

    def _measured(self, start: int, end: int, *, generic: bool = False) -> tuple[int, int] | None:
        """The place without articles and blanks, where its words measure something."""
        start, end = self._bare(start, end)
        named = self.text[start:end]
        if shape("of_others").match(named) or shape("enumerated").search(named):
            return None
        is_short = 0 < len(named.split()) <= _FEW_WORDS and named[0].isalpha()
        is_measure = pattern("measures").search(named) or find_metrics(named) or (generic and is_short)
        return (start, end) if is_measure else None

    def _bare(self, start: int, end: int) -> tuple[int, int]:
        """The place without articles, a heading or a table in front of it, and a period behind it."""
        front = shape("front").match(self.text, start, end)
        if front and front.end() < end:
            start = front.end()
        while start < end and self.text[start] in " ,;•":
            start += 1
        numbers = list(shape("numbers").finditer(self.text, start, end))
        if numbers and numbers[-1].end() < end:
            start = numbers[-1].end()
        end = start + len(self.text[start:end].rstrip(" ,;:.("))
        timed = shape("timed").search(self.text, start + 1, end)
        if timed:
            end = timed.start()
        words = list(shape("word").finditer(self.text, start, end))
        if len(words) > _MOST_WORDS:
            start = words[-_MOST_WORDS].start()
        return start + _repeated(self.text[start:end]), end

    def _effect(self, start: int, end: int, direction: Direction, verb: int) -> Effect:
        label = self.text[start:end]
        mentions = find_metrics(label)
        chosen = mentions[0] if mentions and " per " not in label[mentions[0].end :] else None
        metric = chosen.metric.name if chosen else ""
        if metric == "revenue" and shape("costs").match(label):
            metric = "cost of revenue"
        effect = Effect(
            label=label,
            start=self.offset + start,
            end=self.offset + end,
            direction=direction,
            metric=metric,
            segment=_segment(label, chosen) if not shape("costs").match(label) else "",
            outlook=self.outlook,
        )
        return self._with_amounts(effect, verb)

    def _with_amounts(self, effect: Effect, verb: int) -> Effect:
        """The effect with how much the figure moved, and to what."""
        first = min(verb, effect.start - self.offset)
        for quantity in find_quantities(self.text):
            if quantity.start < first or not quantity.unit:  # of a table before the sentence
                continue
            is_stated = effect.end - self.offset <= quantity.start < verb and self._is_stated(quantity)
            part = "level" if is_stated else self._part_told(quantity, verb)
            if part == "change" and effect.level and effect.level.start > verb:
                continue
            if part and not getattr(effect, part):
                told: dict[str, Any] = {part: quantity}
                effect = replace(effect, **told)
        return effect

    def _is_stated(self, quantity: Quantity) -> bool:
        """True behind "was" and "of", which say what a figure is: "revenue of $8 million rose 5%"."""
        return shape("states").search(self.text, max(0, quantity.start - _BEFORE), quantity.start) is not None

    def _part_told(self, quantity: Quantity, verb: int) -> str:
        """What of an effect a quantity says, by the word before it; "" for what it is compared with."""
        before = shape("before").search(self.text, max(0, quantity.start - _BEFORE), quantity.start + 1)
        word = (before[1] or "compared").lower() if before else ""
        if word in _COMPARING:
            return ""
        if is_percent(quantity) and word != "to":
            return "percent"
        is_level = word == "to" or (quantity.start < verb and word == "in")
        return "level" if is_level else "change"


def _repeated(label: str) -> int:
    """Where a label begins that a heading of the same words stands before."""
    words = label.lower().split()
    half = len(words) // 2
    for size in range(half, 0, -1):
        if words[-size:] == words[-2 * size : -size]:
            return len(label) - len(" ".join(label.split()[-size:]))
    return 0


def _segment(label: str, mention: MetricMention | None) -> str:
    """The part of the company that a label names, before or behind its metric."""
    if mention is not None and mention.narrowed:
        narrowed = " ".join(shape("years").sub(" ", mention.narrowed).split())
        is_part = bool(narrowed) and not shape("no_segment").match(narrowed)
        if is_part and not any(match for match, _ in movements(narrowed, "adjective")):
            return narrowed
    placed = shape("placed").search(label, mention.end if mention else 0)
    if placed and not shape("no_place").match(placed[1]):
        return placed[1]
    return ""
