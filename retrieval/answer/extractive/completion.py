"""The sentences beside a quoted one: what it refers to, what goes on with it, and the answer that follows it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....core.orders import gives_orders
from ....core.words import search_words
from ....ingest.sentences import split_text
from ...question.expectations.answer_type import Expected, only_points
from ...question.plan import QuestionPlan
from ...search.evidence import Evidence
from .quotables import TEXT_KINDS
from .scoring import Quote

if TYPE_CHECKING:
    from ....kg.store import Store

_REFERS_BACK = re.compile(
    r"(?:he|she|it|they|his|her|its|their|this|these|those|such|both|the latter|that|several of these|"
    r"in (?:this|that) (?:role|capacity|connection)|as a result|accordingly)\b|(?:其|该|上述|此外?|这些?|他|她|它们?)",
    re.IGNORECASE,
)
_REFERS_WITHIN = re.compile(
    r"\b(?:this|these|such|those) (?!(?:as|that|an?|quarter|year|period|month|report|form|filing|section|note|item|"
    r"table|document|annual|quarterly|agreement|proxy|release|time|date|amount|regard|purpose|respect|matter|case|company|"
    r"means)s?\b)[a-z]+",
    re.IGNORECASE,
)
"""A word for what the sentence before names: "we call this choice a moment of truth"."""
_OPENING = 60
"""Characters of a sentence in which such a word refers back; later on it may refer to the sentence's own words."""
_TAKES_UP = re.compile(r"(?:this|these|such|that|those) (?!is\b|was\b)[a-z]", re.IGNORECASE)
_BEGINS = re.compile(r"the (?P<what>(?:[a-z][\w’'-]+ ){1,2})", re.IGNORECASE)
"""The beginning of a sentence that goes on with what the one before names: "The lawsuit alleges ..."."""
_NEXT = 3
"""Characters between a sentence and the next one."""
_AFTER = 600
"""Characters after a passage that are looked at."""
_OPEN = ("", "meaning")
"""Kinds of question that a sentence alone may only touch: what somebody says, does or means."""
_LOOK_AHEAD = 2
"""Sentences after the best one in which the kind of answer expected is looked for."""


def with_neighbours(plan: QuestionPlan, quote: Quote, quotes: Sequence[Quote]) -> list[Quote]:
    """A sentence with the one before it where it refers to that, or with the one after it that holds the answer."""
    if quote.is_figure:
        return [quote]
    expected = plan.expected
    own = sorted((q for q in quotes if q.evidence is quote.evidence and not q.is_figure), key=lambda q: q.start)
    at = own.index(quote)
    if at and _REFERS_BACK.match(quote.text.strip()):
        return [quote, own[at - 1]]
    if expected.kind in _OPEN and not plan.asked.numeric:
        return _completed(plan.store, quote, own, expected)
    if quote.answers:
        return [quote]
    after = [*own[at + 1 :], *_following(plan.store, quote.evidence, expected)][:_LOOK_AHEAD]
    return [quote, *[other for other in after if other.answers][:1]]


def _completed(store: Store, quote: Quote, own: Sequence[Quote], expected: Expected) -> list[Quote]:
    """A sentence with the one before it that it needs to be understood, or with the one after it that goes on with it.

    ``own`` are the sentences of its passage that may be quoted, in their order.
    """
    at = own.index(quote)
    if at and _REFERS_WITHIN.search(quote.text[:_OPENING]):
        return [quote, own[at - 1]]
    run = [quote]
    for other in [*own[at + 1 :], *_following(store, quote.evidence, expected)][:_LOOK_AHEAD]:
        if not _goes_on(run[-1], other):
            break
        run.append(other)
    return run


def _goes_on(quote: Quote, other: Quote) -> bool:
    """True where the sentence right after the quoted one is the rest of it, or begins with what that one names."""
    text = other.text.lstrip()
    if not 0 <= other.start - quote.end <= _NEXT or not text:
        return False
    if text[0].islower() or _TAKES_UP.match(text):
        return True
    begins = _BEGINS.match(text)
    return begins is not None and not set(search_words(begins["what"])).isdisjoint(search_words(quote.text))


def _following(store: Store, item: Evidence, expected: Expected) -> list[Quote]:
    """The first sentences after a passage: chunks are short, and a reason often stands in the next one."""
    document = store.document(item.source) if item.kind in TEXT_KINDS else None
    if document is None:
        return []
    text = document.text[item.end : item.end + _AFTER]
    spans = [(item.end + span.start, item.end + span.end) for span in split_text(text)][:_LOOK_AHEAD]
    said = [(document.text[start:end], start, end) for start, end in spans]
    return [
        Quote(item, words, start, end, answers=expected.is_held(words))
        for words, start, end in said
        if not gives_orders(words) and not only_points(words)
    ]
