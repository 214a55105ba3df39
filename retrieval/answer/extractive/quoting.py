"""What of the evidence an extractive answer quotes, for each part of the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....core.words import question_words, search_words
from ...question.conversation import parts_of
from ...question.expectations.answer_type import Expected, expected_answer
from ...question.figures.request import content_words
from ...question.question import Question
from ...question.scope.document_filter import select_documents
from ...question.vocabulary.synonyms import default_synonyms
from ...search.evidence import Evidence
from ...search.index.corpus import corpus_of
from ..prompts import gives_orders, language_of
from .quotables import TEXT_KINDS
from .requirements.narrowing import Narrowing
from .requirements.period import PeriodGaps
from .requirements.relation import RelationsAsked
from .requirements.subject import read_names
from .scoring import Quote, score_quotes
from .second_pass import look_again
from .selection import OF_TIME, best_quotes

if TYPE_CHECKING:
    from ....core.scope import Scope
    from ....kg.store import Store
    from ....models.embedder import Embedder

_SUBJECT = 80
"""Characters in which a sentence that explains a figure names it: later on it is one of many things."""
ALL_WORDS = 500
"""Chunks in which every ordinary word of a question stands somewhere."""
MOVES = re.compile(
    r"(?:change|chang|increas|decreas|declin|rise|rose|fall|fell|grow|grew|drop|improv|high|low|up|down|develop|evolv|trend)"
)
"""Search terms that say how something moved; a document may put it otherwise."""


def choose_quotes(
    store: Store,
    embedder: Embedder | None,
    asked: Question,
    evidence: Sequence[Evidence],
    scope: Scope | None,
    gaps: PeriodGaps,
    related: RelationsAsked,
    narrowing: Narrowing,
) -> tuple[list[Quote], tuple[str, ...], list[Evidence]]:
    """What answers each part of the question, the names in it that no document has, and what a second look found."""
    chosen: dict[tuple[str, int, str], Quote] = {}
    absent: tuple[str, ...] = ()
    found_again: list[Evidence] = []
    best_score = max((item.score for item in evidence if item.kind in TEXT_KINDS), default=0.0)
    for part in parts_of(asked, corpus_of(store).catalogue.companies):
        expected = expected_answer(part)
        seen = {item.id for item in evidence}
        again = _second_look(store, part, scope, expected, related, narrowing)
        more = [replace(item, score=best_score) for item in again if item.id not in seen]
        found_again += more
        names = read_names(store, part, {item.source for item in (*evidence, *more)})
        absent += names.absent
        scored = score_quotes(store, embedder, part, [*evidence, *more], names) if not names.absent else []
        kept = [quote for quote in narrowing.kept(related.kept(gaps.kept(scored))) if not gives_orders(quote.text)]
        figures = expected.kind == "highlights" and any(quote.answers for quote in kept)
        sure = bool(related.words or expected.role) or figures
        if not sure and _asks_the_unknown(store, part, kept):
            continue
        best = best_quotes(store, kept, part, sure=sure)
        chosen |= {(quote.evidence.source, quote.start, quote.text): quote for quote in best}
    return list(chosen.values()), absent, found_again


def _asks_the_unknown(store: Store, part: Question, quotes: Sequence[Quote]) -> bool:
    """True where none of the words asked stands anywhere, nor a synonym: what is near them answers something else.

    Documents in another language than the question cannot hold them, and few chunks lack ordinary words too.
    """
    catalogue = corpus_of(store).catalogue
    if catalogue.chunks < ALL_WORDS:
        return False
    topic, known = _topic(store, part), catalogue.by_source
    languages = {known[quote.evidence.source].language for quote in quotes if quote.evidence.source in known}
    if not topic or languages != {language_of(part.text)} or default_synonyms().expand(part.trimmed).words:
        return False
    if any(not topic.isdisjoint(quote.held) for quote in quotes):
        return False
    return not any(store.document_frequency(topic).values())


def _second_look(
    store: Store,
    part: Question,
    scope: Scope | None,
    expected: Expected,
    related: RelationsAsked,
    narrowing: Narrowing,
) -> list[Evidence]:
    """Passages of the companies named that say who holds the office, who stands in the relation asked about, why
    what is named came about, what the period brought, or how large the part is that is asked for."""
    asked = frozenset(question_words(part.trimmed))
    if related.words:
        return look_again(store, related.words | asked, _documents(store, part, scope), related.holds)
    if expected.role:
        return look_again(store, expected.words | asked, _documents(store, part, scope), expected.is_held)
    if expected.kind == "highlights":
        return look_again(store, expected.words | asked, _fitting(store, part, scope), expected.is_held)
    if narrowing.words:
        return look_again(
            store,
            narrowing.words | asked,
            _fitting(store, part, scope),
            lambda text: narrowing.words <= set(search_words(text)) and any(c.isdigit() for c in text),
        )
    if expected.kind == "reason":
        topic = _topic(store, part)
        return look_again(
            store,
            topic,
            _fitting(store, part, scope),
            lambda text: topic <= set(search_words(text[:_SUBJECT])) and expected.is_held(text),
        )
    if expected.kind in ("", "amount", "count"):
        topic = _topic(store, part).intersection(content_words(part.trimmed))
        return look_again(store, topic, _fitting(store, part, scope), lambda text: _is_figure_of(text, topic))
    return []


def _is_figure_of(text: str, topic: frozenset[str]) -> bool:
    """True for a row whose name, section and title hold all that is asked for."""
    return "|" in text and topic <= set(search_words(text))


def _topic(store: Store, part: Question) -> frozenset[str]:
    """The words of what is to be explained: without the company, the time, and how it moved."""
    catalogue = corpus_of(store).catalogue
    keys = catalogue.companies.find(part.text)
    own = (name for key in keys for record in catalogue.by_company.get(key, ()) for name in record.companies)
    words = (word for word in question_words(part.trimmed) if not OF_TIME.match(word) and not MOVES.match(word))
    return frozenset(words).difference(search_words(" ".join(own)))


def _fitting(store: Store, part: Question, scope: Scope | None) -> set[str]:
    """The documents of a company that fit the period asked best; none where no company is named."""
    selection = select_documents(corpus_of(store).catalogue, part, scope)
    if selection.everything:
        return set()
    return {source for source in selection.certain if selection.preference.get(source, 0.0) >= 0}


def _documents(store: Store, part: Question, scope: Scope | None) -> set[str]:
    """All documents of the companies named: an older report may say what the newest does not; none where none is named.

    What the user gives as scope stays the border.
    """
    catalogue = corpus_of(store).catalogue
    selection = select_documents(catalogue, part, scope)
    if selection.everything:
        return set()
    if scope is not None:
        return set(selection.certain)
    return {record.source for key in selection.companies for record in catalogue.by_company.get(key, ())}
