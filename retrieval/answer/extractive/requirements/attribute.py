"""The thing asked of somebody, "the salary of the CFO": what no document of theirs has a word for cannot be quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from .....core.language import language_of
from .....core.rules import load_rules
from .....core.words import search_words
from .documents import OF_TIME, company_documents

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan
    from ..scoring import Quote

_IS = r"\bwhat(?:['’]s| is| was| are| were)"
_WHAT = re.compile(
    rf"{_IS}(?: currently)? (?:the |their |its |his |her )?(?P<what>[a-z][a-z -]{{2,40}}?) (?:of|for) ", re.IGNORECASE
)
_WHOSE = re.compile(
    rf"{_IS} [^?]{{0,200}}?\w['’]s? (?P<what>[a-z][a-z -]{{2,40}}?)(?: (?:in|at|on|for)\b|[?.]|$)", re.IGNORECASE
)
"""The name of one thing between "what is" and whose it is, and behind whose it is."""


_NEAR = 0.6
"""Similarity from which one of the best sentences may say it in other words."""
_BEST = 4
_KINDS = ("", "amount")
"""Kinds of answer that are told by the noun alone; a reason or a name is told in words of its own."""


def names_absent_attribute(part: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    """True where one thing of a named company is asked, and no document of it has the noun or a synonym of it.

    Sentences near such a question speak of whose it is, and of other things.
    """
    noun = attribute_of(part.asked.trimmed)
    documents = company_documents(part)
    if not noun or not documents or part.expected.kind not in _KINDS:
        return False
    if part.vocabulary.synonyms.expand(part.asked.trimmed).words or _is_near(quotes):
        return False
    known = part.catalogue.by_source
    if {known[source].language for source in documents} != {language_of(part.text)}:
        return False
    return not part.store.matching({noun}, 1, documents)


def _is_near(quotes: Sequence[Quote]) -> bool:
    return any(quote.similarity >= _NEAR for quote in quotes[:_BEST])


def attribute_of(question: str) -> str:
    """The noun of the thing asked of somebody, as a search term; "" for another form or for an abstract noun.

    >>> attribute_of("What is the annual salary of the chief financial officer of Acme?")
    'salari'
    >>> attribute_of("What is Acme's share price?"), attribute_of("What is the outlook of Acme?")
    ('price', '')
    """
    match = _WHAT.search(question) or _WHOSE.search(question)
    words = search_words(match["what"]) if match else []
    nouns = [word for word in words if not OF_TIME.match(word)]
    return nouns[-1] if nouns and nouns[-1] not in _abstract() else ""


@cache
def _abstract() -> frozenset[str]:
    return frozenset(search_words(load_rules(__package__, "attribute.toml")["abstract"]))
