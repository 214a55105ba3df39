"""What of the evidence an extractive answer quotes, for each part of the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ....core.language import language_of
from ...question.plan import QuestionPlan
from ...search.evidence import Evidence
from ..generative.prompts import asks_for_orders
from .best_quotes import best_quotes
from .completion import look_again, rest_of_pages
from .quotables import TEXT_KINDS
from .requirements.amount import read_amount
from .requirements.base import Requirement, SecondSearch, meets, topic_words
from .requirements.figure_owner import read_figure_owner
from .requirements.narrowing import NarrowingRequirement, names_absent_attribute
from .requirements.period import PeriodRequirement
from .requirements.relation import RelationRequirement
from .requirements.statement import (
    OfficeRequirement,
    StatementRequirement,
    TopicRequirement,
    read_attribute,
    read_succession,
)
from .requirements.subject import read_subjects
from .scoring import Quote, score_quotes

if TYPE_CHECKING:
    from ....models.embedders import Embedder

ALL_WORDS = 500
"""Chunks in which every ordinary word of a question stands somewhere."""


@dataclass(slots=True)
class Quotations:
    """What answers a question.

    ``absent`` are names in it that no document has, ``found_again`` the passages that a second search found.
    """

    chosen: list[Quote] = field(default_factory=list)
    absent: tuple[str, ...] = ()
    found_again: list[Evidence] = field(default_factory=list)


def choose_quotes(
    plan: QuestionPlan,
    embedder: Embedder | None,
    evidence: Sequence[Evidence],
    period: PeriodRequirement,
    relation: RelationRequirement,
    narrowing: NarrowingRequirement,
) -> Quotations:
    """What answers each part of the question, by the requirements of the whole question and of each part."""
    chosen: dict[tuple[str, int, str], Quote] = {}
    found = Quotations()
    evidence = [*evidence, *rest_of_pages(plan.store, evidence)]
    for part in plan.parts:
        succession = read_succession(part)
        requirements = (
            relation,
            succession,
            read_attribute(part),
            OfficeRequirement(part.expected),
            narrowing,
            TopicRequirement(part.expected),
            period,
            StatementRequirement(orders_asked=asks_for_orders(plan.text)),
        )
        more = _found_again(part, requirements, evidence)
        found.found_again += more
        subjects = read_subjects(part, {item.source for item in (*evidence, *more)})
        found.absent += subjects.absent
        scored = [] if subjects.absent else score_quotes(part, embedder, [*evidence, *more], subjects)
        kept = [quote for quote in scored if meets(requirements, quote)]
        kept = read_figure_owner(part).fitting(kept)
        sure = succession.applies() or _is_sure(part, relation, kept)
        if not sure and _asks_the_unknown(part, kept):
            continue
        best = best_quotes(part, kept, sure=sure)
        best = _with_amount(part, best, kept)
        if succession.applies():  # told in whatever words: "proposed Jane Roe as my successor"
            best = best or kept[:1]
        for quote in best:
            chosen[quote.evidence.source, quote.start, quote.text] = quote
    found.chosen = list(chosen.values())
    return found


def _with_amount(part: QuestionPlan, best: list[Quote], kept: Sequence[Quote]) -> list[Quote]:
    """The best quotations; where they hold no amount and one is asked for, the best of those that do, or none."""
    chosen = read_amount(part).choose(best, kept)
    return best if chosen is best else best_quotes(part, chosen)


def _found_again(
    part: QuestionPlan, requirements: Sequence[Requirement], evidence: Sequence[Evidence]
) -> list[Evidence]:
    """What a second search finds beside the evidence, each counted as the best passage there."""
    best_score = max((item.score for item in evidence if item.kind in TEXT_KINDS), default=0.0)
    seen = {item.id for item in evidence}
    again = look_again(part.store, _second_search(requirements, part))
    return [replace(item, score=best_score) for item in again if item.id not in seen]


def _second_search(requirements: Sequence[Requirement], part: QuestionPlan) -> SecondSearch | None:
    """What to look for beside the first hits: the first requirement that has something to look for says so."""
    searches = (requirement.second_search(part) for requirement in requirements)
    return next((search for search in searches if search is not None), None)


def _is_sure(part: QuestionPlan, relation: RelationRequirement, kept: Sequence[Quote]) -> bool:
    """True where each quotation has been seen to speak of what is asked, be its words as they may."""
    if relation.words or part.expected.role:
        return True
    return part.expected.kind == "highlights" and any(quote.answers for quote in kept)


def _asks_the_unknown(part: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    """True where none of the words asked stands anywhere, or the thing asked of a company nowhere in its documents.

    Documents in another language than the question cannot hold them, and few chunks lack ordinary words too.
    """
    if part.catalogue.chunks < ALL_WORDS:
        return False
    if names_absent_attribute(part, quotes):
        return True
    topic, known = topic_words(part), part.catalogue.by_source
    languages = {known[quote.evidence.source].language for quote in quotes if quote.evidence.source in known}
    if not topic or languages != {language_of(part.text)}:
        return False
    if part.vocabulary.synonyms.expand(part.asked.trimmed).words:
        return False
    if any(not topic.isdisjoint(quote.held) for quote in quotes):
        return False
    return not any(part.store.document_frequency(topic).values())
