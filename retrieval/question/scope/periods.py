"""A question about several companies, each with a period of its own: "Acme's 2021 and Beta's 2022 revenue"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ....core.period_text import PeriodMention, find_periods
from ..question import Question, read_question
from .companies import CompanyIndex

_RESPECTIVELY = re.compile(r"\brespective(?:ly)?\b|分别|各(?:是|为)", re.IGNORECASE)


def questions_by_company(question: Question, companies: CompanyIndex) -> Mapping[str, Question]:
    """Key of a company -> the question with just the periods that are asked of it; empty where all are asked of all.

    A period belongs to the company beside it where each company has one: after each ("Acme in 2021 and Beta in 2022"),
    before each ("2021 for Acme, 2022 for Beta"), or in the order of the companies where the question says
    "respectively".

    >>> questions_by_company(read_question("What was revenue in 2021?"), CompanyIndex.of(()))
    {}
    """
    text = question.trimmed
    named = _first_mentions(companies.mentions(text))
    mentions = find_periods(text)
    if len(named) < 2 or len({mention.period.label for mention in mentions}) < 2:
        return {}
    shares = _shares(text, list(named.values()), mentions)
    if not shares:
        return {}
    return {
        key: read_question(_without(text, [mention for mention in mentions if mention not in own]))
        for key, own in zip(named, shares, strict=True)
    }


def _first_mentions(mentions: Sequence[tuple[int, int, str]]) -> dict[str, tuple[int, int]]:
    """Where each company is named first, in order."""
    first: dict[str, tuple[int, int]] = {}
    for start, end, key in mentions:
        first.setdefault(key, (start, end))
    return first


def _shares(
    text: str, named: Sequence[tuple[int, int]], mentions: Sequence[PeriodMention]
) -> list[list[PeriodMention]]:
    """The periods of each company; nothing where they are not told apart."""
    starts = [start for start, _ in named]
    after = [_between(mentions, a, b) for a, b in pairwise([*starts, len(text)])]
    if all(after) and mentions[0].start > starts[0]:
        return after
    before = [_between(mentions, a, b) for a, b in pairwise([0, *starts])]
    if all(before) and mentions[-1].start < starts[-1]:
        return before
    if _RESPECTIVELY.search(text) and len(mentions) == len(named):
        return [[mention] for mention in mentions]
    return []


def _between(mentions: Sequence[PeriodMention], start: int, end: int) -> list[PeriodMention]:
    return [mention for mention in mentions if start <= mention.start < end]


def _without(text: str, mentions: Sequence[PeriodMention]) -> str:
    for mention in sorted(mentions, key=lambda mention: -mention.start):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text
