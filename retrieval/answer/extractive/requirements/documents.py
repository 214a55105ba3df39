"""Which documents are looked through a second time, and for which words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from .....core.words import question_words, search_words

if TYPE_CHECKING:
    from .....kg.store import DocumentRecord
    from ....question.plan import QuestionPlan

OF_TIME = re.compile(r"^(?:\d+|fiscal|year|quarter|month|annual|end|fy|q[1-4])$")
"""Search terms that say when, not what."""
MOVES = re.compile(
    r"(?:change|chang|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|high|low|up|down|develop|evolv|trend)"
)
"""Search terms that say how something moved; a document may put it otherwise."""
_WHEN_OR_HOW = re.compile(f"(?:{OF_TIME.pattern})|(?:{MOVES.pattern})")


def asked_words(part: QuestionPlan) -> frozenset[str]:
    """The search terms of the question."""
    return frozenset(question_words(part.asked.trimmed))


def topic_words(part: QuestionPlan) -> frozenset[str]:
    """The words of what is to be explained: without the company, the time, and how it moved."""
    names: set[str] = set()
    for record in _records_of(part, part.companies):
        names.update(search_words(" ".join(record.companies)))
    asked = question_words(part.asked.trimmed)
    return frozenset(word for word in asked if not _WHEN_OR_HOW.match(word)) - names


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
    return {record.source for record in _records_of(part, selection.companies)}


def _records_of(part: QuestionPlan, companies: Iterable[str]) -> list[DocumentRecord]:
    """The documents of these companies, company by company."""
    by_company = part.catalogue.by_company
    return list(chain.from_iterable(by_company.get(key, ()) for key in companies))


def reports_apart(part: QuestionPlan) -> tuple[tuple[str, ...], ...]:
    """The documents of each report where several periods or companies are named; none for any other question."""
    names_several = len(part.asked.periods) > 1 or len(part.companies) > 1
    groups = part.selection.groups
    return groups if names_several and len(groups) > 1 else ()
