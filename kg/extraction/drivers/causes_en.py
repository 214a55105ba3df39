"""Causes in an English sentence: the links to them, the pieces behind a link, and what of a piece is the cause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal

from ....core.patterns import LazyPattern, ends_of
from ....core.records import dataclass
from ...drivers import Direction
from .effects_en import any_of, pattern, rules
from .readings import own_amount

Kind = Literal["cause", "hurt", "help", "offset", "assumes", "leads", "raises", "lowers"]
_KINDS: tuple[Kind, ...] = ("cause", "hurt", "help", "offset", "assumes")
FORWARD: dict[Kind, Direction] = {"leads": "", "raises": "up", "lowers": "down"}
"""Connectives whose figure stands behind them, and how it moved where they say it."""
_LEAST, _MOST = 3, 260
"""Characters of a cause."""


@dataclass(frozen=True, slots=True)
class Link:
    """A connective between a figure and its causes."""

    kind: Kind
    start: int
    end: int


@cache
def shape_of(name: str) -> re.Pattern[str]:
    """A pattern of how causes are joined; case counts but where it says otherwise."""
    return re.compile(rules()["sentence"][name])


def links_in(text: str) -> list[Link]:
    """The connectives of a sentence, the longest where several overlap."""
    found = [
        Link(kind, match.start(), match.end())
        for kind in _KINDS
        for match in any_of("connectives", kind).finditer(text)
    ]
    for kind in FORWARD:
        found += [Link(kind, match.start(), match.end()) for match in _forward(kind).finditer(text)]
    kept: list[Link] = []
    for link in sorted(found, key=lambda link: (link.start, -link.end)):
        if not kept or link.start >= kept[-1].end:
            kept.append(link)
    return kept


@cache
def _forward(kind: Kind) -> LazyPattern:
    return LazyPattern("|".join(rules()[kind]))


def pieces_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The coordinated causes between two places, untrimmed."""
    cuts = [(match.start(), match.end()) for match in shape_of("hard").finditer(text, start, end)]
    hidden = [match.span() for match in shape_of("outside").finditer(text, start, end)]
    has_series = shape_of("series_end").search(text[start:end]) is not None
    for match in shape_of("comma").finditer(text, start, end):
        if _parts_causes(text, match, end, has_series):
            cuts.append(match.span())
    for match in shape_of("joined").finditer(text, start, end):
        is_pair = text[max(start, match.start() - 6) : match.start()].endswith(" gains")
        if not is_pair and (begins_with().match(text, match.end(), end) or match.group().strip() != "and"):
            cuts.append(match.span())
    at = start
    for first, last in sorted(cuts):
        inside = any(low < first < high for low, high in hidden)
        if first < at or inside:
            continue
        yield at, first
        at = last
    yield at, end


def _parts_causes(text: str, comma: re.Match[str], end: int, has_series: bool) -> bool:
    """True where a comma stands between two causes, and not within a number, a list of words or before a remark."""
    begin = max(ends_of(shape_of("breaks"), text, max(0, comma.start() - 80), comma.start()), default=0)
    if comma.end() >= end or (text[comma.start() - 1 : comma.start()].isdigit() and text[comma.end()].isdigit()):
        return False
    if begins_with().match(text, comma.end(), end) or shape_of("somebody").match(text, comma.end(), end):
        return True
    if shape_of("within").search(text, begin, comma.start()):
        return False
    if comma.group().strip(", ") != "":
        return True
    remark = _tail().match(text, comma.start(), end)
    return (
        has_series
        and remark is None
        and not text.startswith(("net of", "excluding", "primarily", "partially"), comma.end())
    )


def trimmed_cause(
    text: str, start: int, end: int, *, sized: bool = False, named: bool = False
) -> tuple[int, int] | None:
    """The words of one cause; None where nothing but the movement itself is said.

    With ``sized``, where the text goes on to say why, an amount alone is one ("an increase of $2.2 billion"), and with
    ``named`` as well even "declines" that offset.
    """
    lead = pattern("lead_in").match(text, start, end)
    if lead:
        start = lead.end()
    tail = _tail().search(text, start + 1, end)
    if tail:
        end = tail.start()
    while end > start and text[end - 1] in " ,;:.•–(\n":
        end -= 1
    for word in (
        "and",
        "primarily",
        "partially",
        "which was",
        "which were",
        "that was",
        "was",
        "were",
        "partly",
        "mainly",
        "largely",
        "principally",
        "more than",
        "as well as",
        "is",
        "are",
        "in part",
        "slightly",
        "and was",
        "each of which were",
        "which",
        "in turn",
        "essentially",
    ):
        if text[start:end].endswith(f" {word}"):
            end -= len(word) + 1
            end = start + len(text[start:end].rstrip(" ,;:."))
    while start < end and text[start] in " ,;:":
        start += 1
    words = text[start:end]
    if not _LEAST <= len(words) <= _MOST or _states(words):
        return None
    if _is_hollow(words) and not (sized and (named or own_amount(words))):
        return None
    return start, end


def _is_hollow(words: str) -> bool:
    """True for "growth of 80 % at the midpoint": what moved the figure is not said."""
    rest = pattern("hollow").sub(" ", words)
    return not shape_of("any_word").search(rest) or words.lower() in ("following", "the following", "this", "these")


def says_more(words: str) -> bool:
    """True for words behind the causes that begin another statement."""
    plain = words.strip(" ,;")
    return shape_of("finite").search(words) is not None or shape_of("moves_again").match(plain) is not None


def _states(words: str) -> bool:
    """True for a sentence of its own ("net income was lower"), which is no cause of what came before."""
    if shape_of("moves_again").match(words) or shape_of("somebody").match(words):
        return True
    finite = shape_of("finite").search(words)
    return finite is not None and not shape_of("relative").search(words, 0, finite.start())


@cache
def begins_with() -> re.Pattern[str]:
    return re.compile(rules()["begins"], re.IGNORECASE)


@cache
def _tail() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{part})" for part in rules()["tail"]), re.IGNORECASE)
