"""Drivers of a Chinese sentence: "毛利率下降主要系原材料价格上涨所致", "受疫情影响，订单减少"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

from ....core.patterns import between, ends_of
from ....core.quantity import find_quantities
from ....core.rules import load_rules
from ....ingest.facts.metric_mentions import find_metrics
from ...drivers import Cause, Direction, Role
from .readings import SIGNS, Effect, Reading, is_percent, make_cause

_LEAST, _MOST = 2, 90
_LONGEST_LABEL = 40
_LONGEST_PART = 500
"""Characters between two full stops: what is longer is a table or a form read as text."""
_MOST_CLAUSES = 8
"""Clauses between a cause and its figure that are looked at."""


@cache
def _rule(name: str) -> re.Pattern[str]:
    return re.compile(load_rules(__package__, "patterns_zh.toml")[name])


@cache
def _shape(name: str) -> re.Pattern[str]:
    """A pattern of how a clause is built."""
    return re.compile(load_rules(__package__, "patterns_zh.toml")["shape"][name])


def chinese_may_explain(text: str) -> bool:
    """True where a word is there that may connect a figure with its causes."""
    return _rule("gate").search(text) is not None


def read_chinese(text: str) -> list[Reading]:
    """Figures with their causes, in order; one that the sentence does not name has no label.

    >>> reading = read_chinese("毛利率的减少主要系原材料价格上涨所致。")[0]
    >>> reading.effect.label, reading.effect.direction, [(cause.text, cause.sign) for cause in reading.causes]
    ('毛利率', 'down', [('原材料价格上涨', -1)])
    """
    if not chinese_may_explain(text):
        return []
    found: list[Reading] = []
    before: Effect | None = None
    for start, end in between(_shape("stops"), text, 0, len(text)):
        if start < end <= start + _LONGEST_PART:
            part = _Part(text, start, end, before)
            found += part.readings()
            before = part.last_figure() or before
    return found


def is_measure(label: str) -> bool:
    """True for a name of something that is measured.

    >>> is_measure("预付款项"), is_measure("楼晓华")
    (True, False)
    """
    return _rule("measures").search(label) is not None


def chinese_direction(text: str) -> Direction:
    """The last movement that a text names; "" for none."""
    found = _Part(text, 0, len(text), None).movement(0, len(text))
    return found[1] if found else ""


def read_remark(text: str, start: int, end: int, effect: Effect) -> list[Cause]:
    """The causes in a table's remark about a figure: "主要系本期取得银行贷款增加所致"."""
    because = _rule("because").search(text, start, end)
    part = _Part(text, start, end, None)
    return part.causes(because.end() if because else start, end, effect)


class _Part:
    """What stands between two full stops or semicolons."""

    def __init__(self, text: str, start: int, end: int, before: Effect | None) -> None:
        self.text, self.start, self.end, self.before = text, start, end, before

    def readings(self) -> Iterator[Reading]:
        """The first form of sentence that fits: figure first, cause first, cause that moves a figure."""
        if _rule("never").search(self.text, self.start, self.end):
            return
        reading = self._figure_first() or self._cause_first() or self._cause_moves()
        if reading is not None:
            yield reading

    def last_figure(self) -> Effect | None:
        """The last figure that it names, with its amounts: "本次业绩预增" in the next part means it."""
        found = self._effect(self.start, self.end)
        return found if found and found.metric else None

    def _figure_first(self) -> Reading | None:
        for match in _rule("because").finditer(self.text, self.start, self.end):
            if match.start() == self.start:
                continue
            effect = self._effect(self.start, match.start())
            if effect is None:
                continue
            is_strong = "主要" in match.group() or "原因" in match.group()
            is_origin = "来自" in match.group() and not effect.direction
            if is_origin or not (effect.direction or effect.level or is_strong):
                continue
            causes = self.causes(match.end(), self._end_of_causes(match.end()), effect)
            if causes:
                return Reading(effect, (*causes, *self._offsets(match.end(), effect)))
        return None

    def _cause_first(self) -> Reading | None:
        clauses = [self.start, *ends_of(_shape("commas"), self.text, self.start, self.end)]
        for begin in clauses[:_MOST_CLAUSES]:
            opening = _rule("opening").match(self.text[begin : self.end])
            if opening is None:
                continue
            words = self.text[begin : begin + opening.end()]
            closed = -1
            commas = _shape("commas").finditer(self.text, begin + opening.end(), self.end)
            for comma in islice(commas, _MOST_CLAUSES):
                closes = _rule("closing").search(self.text, begin + opening.end(), comma.start()) is not None
                closed = comma.start() if closes and closed < 0 else closed
                if words.endswith("受") and closed < 0:
                    continue
                effect = self._effect(comma.end(), self.end, after=True)
                if effect is None or not effect.direction:
                    continue
                causes = self.causes(begin + opening.end(), closed if closed > 0 else comma.start(), effect)
                if causes:
                    return Reading(effect, tuple(causes))
        return None

    def _cause_moves(self) -> Reading | None:
        for match in _rule("leads").finditer(self.text, self.start, self.end):
            effect = self._effect(match.end(), self.end, after=True)
            if effect is None or not effect.direction:
                continue
            begin = max(ends_of(_shape("commas"), self.text, self.start, match.start()), default=self.start)
            causes = self.causes(begin, match.start(), effect)
            if causes:
                return Reading(effect, tuple(causes), confidence=0.7)
        return None

    def _end_of_causes(self, start: int) -> int:
        """Causes go on to the end, but not into a clause that draws another conclusion."""
        for comma in _shape("commas").finditer(self.text, start, self.end):
            rest = self.text[comma.end() : self.end]
            closes = self.text[start : comma.start()].endswith(("所致", "导致"))
            if closes or _rule("concludes").match(rest):
                return comma.start()
        return self.end

    def _effect(self, start: int, end: int, *, after: bool = False) -> Effect | None:
        """The figure of a clause: the last one before its movement, or, behind a cause, the first one."""
        spans = [(low, high) for low, high in between(_shape("commas"), self.text, start, end) if high > low]
        for low, high in spans[:_MOST_CLAUSES] if after else spans[: -_MOST_CLAUSES - 1 : -1]:
            effect = self._effect_of_clause(low, high)
            if effect is not None:
                return self._with_amounts(effect, start, end)
            if after and low != start:
                return None
        return None

    def _effect_of_clause(self, start: int, end: int) -> Effect | None:
        """The figure of one clause, and how it moved."""
        moved = self.movement(start, end)
        direction: Direction = moved[1] if moved else ""
        if moved and self._only_compares(start, moved[0].start()):
            named = self._last_figure(self.start, start)
            return replace(named, direction=direction) if named else None
        first, stop = self._label_place(start, moved[0].start() if moved else end)
        label = self.text[first:stop].rstrip("约为至达到：: ")
        if not is_measure(label) or len(label) > _LONGEST_LABEL:
            return self._moved_object(*moved, end) if moved else None
        if label.endswith("业绩"):
            profit = self.before or self._last_figure(self.start, start)
            if profit is not None and profit.metric:
                return replace(profit, direction=direction or profit.direction)
        return self._named(label, first, direction)

    def _only_compares(self, start: int, verb: int) -> bool:
        """True for "同比增长73 %" and "比上年减少5 %": of what, an earlier clause says."""
        return verb - start < _LEAST or _shape("verb_tail").match(self.text, start, verb) is not None

    def _label_place(self, start: int, stop: int) -> tuple[int, int]:
        """Where the name of a figure stands, without the period before it, and the amount and adverbs behind it."""
        while tail := _shape("verb_tail").search(self.text, start, stop):
            if tail.start() <= start:
                break
            stop = tail.start()
        lead = _shape("of_period").match(self.text[start:stop])
        if lead and lead.end() < stop - start:
            start += lead.end()
        amount = next((found for found in find_quantities(self.text[start:stop]) if found.start > 1), None)
        if amount is not None:
            stop = start + amount.start
        printed = _shape("printed").search(self.text[start:stop])
        if printed and printed.end() < stop - start:
            start += printed.end()
        return start, stop

    def _moved_object(self, moved: re.Match[str], direction: Direction, end: int) -> Effect | None:
        """ "降低了330万台的销量预期": the figure behind the verb."""
        match = _shape("object").match(self.text, moved.end(), end)
        if match is None or not _rule("measures").search(match[1]):
            return None
        return self._named(match[1], match.start(1), direction)

    def _last_figure(self, start: int, end: int) -> Effect | None:
        clauses = list(between(_shape("commas"), self.text, start, max(start, end - 1)))
        for low, high in reversed(clauses):
            found = self._effect_of_clause(low, high) if high > low else None
            if found is not None:
                return found
        return None

    def _named(self, label: str, start: int, direction: Direction) -> Effect:
        mentions = find_metrics(label)
        metric = mentions[-1].metric.name if mentions else ""
        segment = label[: mentions[-1].start].removesuffix("的") if mentions else ""
        if len(segment) > 14 or segment in ("公司", "主营业务", "整体"):
            segment = ""
        is_outlook = _rule("outlook").search(self.text, self.start, self.end) is not None
        return Effect(label, start, start + len(label), direction, metric, segment, outlook=is_outlook)

    def movement(self, start: int, end: int) -> tuple[re.Match[str], Direction] | None:
        """The last movement in a clause."""
        found: list[tuple[re.Match[str], Direction]] = []
        for direction in ("up", "down", "flat"):
            found += [(match, direction) for match in _rule(direction).finditer(self.text, start, end)]
        return max(found, key=lambda item: item[0].start(), default=None)

    def _with_amounts(self, effect: Effect, start: int, end: int) -> Effect:
        for quantity in find_quantities(self.text[start:end]):
            if start + quantity.start < effect.start or quantity.text.startswith("-"):  # another's, or a range's end
                continue
            near = _shape("near").search(self.text, start, start + quantity.start)
            if is_percent(quantity):
                effect = effect if effect.percent else replace(effect, percent=quantity)
            elif quantity.unit and (near or start + quantity.start <= effect.end + 3):
                effect = effect if effect.level else replace(effect, level=quantity)
            elif quantity.unit and not effect.change:
                effect = replace(effect, change=quantity)
        return effect

    def _offsets(self, start: int, effect: Effect) -> Iterator[Cause]:
        for match in _rule("offset").finditer(self.text, start, self.end):
            name = "by" if match["by"] else "of"
            yield make_cause(self.text, *match.span(name), -SIGNS[effect.direction], "offset")

    def causes(self, start: int, end: int, effect: Effect, role: Role = "cause") -> list[Cause]:
        """The coordinated causes between two places."""
        offset = _rule("offset").search(self.text, start, end)
        if offset:
            end = offset.start()
        is_weak = "仅" in self.text[effect.end : effect.end + 8]
        sign = 0 if is_weak else SIGNS[effect.direction]
        found: list[Cause] = []
        for first, stop in between(_rule("split"), self.text, start, end):
            place = self._trimmed(first, stop)
            if place is not None:
                words = self.text[slice(*place)]
                found.append(make_cause(self.text, *place, sign or _own_sign(words, effect), role))
        return found

    def _trimmed(self, start: int, end: int) -> tuple[int, int] | None:
        lead = _rule("lead_in").match(self.text[start:end])
        if lead:
            start += lead.end()
        end = start + len(self.text[start:end].rstrip("，,、。 ）)"))
        while closing := _rule("closing").search(self.text, start, end):
            if closing.start() <= start:
                break
            end = closing.start()
        end = start + len(self.text[start:end].rstrip("，,、。 的"))
        return (start, end) if _LEAST <= end - start <= _MOST else None


def _own_sign(words: str, effect: Effect) -> int:
    """How a cause pushes a figure that is only stated."""
    good, bad = _rule("good").search(words), _rule("bad").search(words)
    if (good is None) == (bad is None):
        return 0
    sign = 1 if good else -1
    is_outgo, of_outgo = (_rule("outgo").search(text) is not None for text in (words, effect.label))
    return -sign if is_outgo != of_outgo and good is not None else sign
