"""Which documents are looked through a second time, and for which words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .....core.words import question_words, search_words

if TYPE_CHECKING:
    from ....question.plan import QuestionPlan

OF_TIME = re.compile(r"\d+$|(?:fiscal|year|quarter|month|annual|end|fy|q[1-4])$")
"""Search terms that say when, not what."""
MOVES = re.compile(
    r"(?:change|chang|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|high|low|up|down|develop|evolv|trend)"
)
"""Search terms that say how something moved; a document may put it otherwise."""


def asked_words(part: QuestionPlan) -> frozenset[str]:
    """The search terms of the question."""
    return frozenset(question_words(part.asked.trimmed))


def topic_words(part: QuestionPlan) -> frozenset[str]:
    """The words of what is to be explained: without the company, the time, and how it moved."""
    records = (record for key in part.companies for record in part.catalogue.by_company.get(key, ()))
    names = " ".join(name for record in records for name in record.companies)
    asked = question_words(part.asked.trimmed)
    words = (word for word in asked if not OF_TIME.match(word) and not MOVES.match(word))
    return frozenset(words).difference(search_words(names))


def fitting_documents(part: QuestionPlan) -> set[str]:
    """The documents of a company that fit the period asked best; none where no company is named."""
    selection = part.selection
    if selection.everything:
        return set()
    return {source for source in selection.certain if selection.preference.get(source, 0.0) >= 0}


def company_documents(part: QuestionPlan) -> set[str]:
    """All documents of the companies named: an older report may say what the newest does not; none where none is named.

    What the user gives as scope stays the border.
    """
    selection = part.selection
    if selection.everything:
        return set()
    if part.scope is not None:
        return set(selection.certain)
    records = (record for key in selection.companies for record in part.catalogue.by_company.get(key, ()))
    return {record.source for record in records}


def reports_apart(part: QuestionPlan) -> tuple[tuple[str, ...], ...]:
    """The documents of each report where several periods or companies are named; none for any other question."""
    names_several = len(part.asked.periods) > 1 or len(part.companies) > 1
    groups = part.selection.groups
    return groups if names_several and len(groups) > 1 else ()
