"""The thing asked of somebody, "the salary of the CFO": what no document of theirs has a word for cannot be quoted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .....core.language import language_of
from .....core.words import search_words
from ....question.figures.operands import content_words
from .documents import OF_TIME, company_documents

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan

_IS = r"\bwhat(?:['’]s| is| was| are| were)"
_WHAT = re.compile(
    rf"{_IS}(?: currently)? (?:the |their |its |his |her )?(?P<what>[a-z][a-z -]{{2,40}}?) (?:of|for) ", re.IGNORECASE
)
_WHOSE = re.compile(
    rf"{_IS} [^?]*?\w['’]s? (?P<what>[a-z][a-z -]{{2,40}}?)(?: (?:in|at|on|for)\b|[?.]|$)", re.IGNORECASE
)
"""The name of one thing between "what is" and whose it is, and behind whose it is."""


def names_absent_attribute(part: QuestionPlan) -> bool:
    """True where one thing of a named company is asked, and no document of it has the noun or a synonym of it.

    Sentences near such a question speak of whose it is, and of other things.
    """
    noun = attribute_of(part.asked.trimmed)
    documents = company_documents(part)
    if not noun or not documents or part.vocabulary.synonyms.expand(part.asked.trimmed).words:
        return False
    known = part.catalogue.by_source
    if {known[source].language for source in documents} != {language_of(part.text)}:
        return False
    return not part.store.matching({noun}, 1, documents)


def attribute_of(question: str) -> str:
    """The noun of the thing asked of somebody, as a search term; "" where the question is of another form.

    >>> attribute_of("What is the annual salary of the chief financial officer of Acme?")
    'salari'
    >>> attribute_of("What is Acme's share price?"), attribute_of("Why did sales fall?")
    ('price', '')
    """
    match = _WHAT.search(question) or _WHOSE.search(question)
    if match is None:
        return ""
    words = [word for word in search_words(match["what"]) if word in content_words(match["what"])]
    nouns = [word for word in words if not OF_TIME.match(word)]
    return nouns[-1] if nouns else ""
