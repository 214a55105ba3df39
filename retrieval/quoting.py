"""What of the evidence an extractive answer quotes, for each part of the question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.words import question_words
from .corpus import corpus_of
from .evidence import Evidence
from .expected import expected_answer
from .extractive import best_quotes
from .follow_up import parts_of
from .names_asked import read_names
from .period_gaps import PeriodGaps
from .prompting import gives_orders
from .question import Question
from .quotes import Quote, score_quotes
from .relations_asked import RelationsAsked
from .scope import select_documents
from .second_look import look_again

if TYPE_CHECKING:
    from ..core.scope import Scope
    from ..kg.store import Store
    from ..models.embedder import Embedder
    from .roles import RoleAsked


def choose_quotes(
    store: Store,
    embedder: Embedder | None,
    asked: Question,
    evidence: Sequence[Evidence],
    scope: Scope | None,
    gaps: PeriodGaps,
    related: RelationsAsked,
) -> tuple[list[Quote], tuple[str, ...]]:
    """What answers each part of the question, and the names in it that no document has."""
    chosen: dict[tuple[str, int, str], Quote] = {}
    absent: tuple[str, ...] = ()
    for part in parts_of(asked, corpus_of(store).catalogue.companies):
        role = expected_answer(part).role
        seen = {item.id for item in evidence}
        more = [item for item in _second_look(store, part, scope, role, related) if item.id not in seen]
        names = read_names(store, part, {item.source for item in (*evidence, *more)})
        absent += names.absent
        scored = score_quotes(store, embedder, part, [*evidence, *more], names) if not names.absent else []
        kept = [quote for quote in related.kept(gaps.kept(scored)) if not gives_orders(quote.text)]
        best = best_quotes(store, kept, part, sure=bool(role or related.words))
        chosen |= {(quote.evidence.source, quote.start, quote.text): quote for quote in best}
    return list(chosen.values()), absent


def _second_look(
    store: Store, part: Question, scope: Scope | None, role: RoleAsked | None, related: RelationsAsked
) -> list[Evidence]:
    """Passages of the companies named that say who holds the office, or who stands in the relation asked about."""
    if not role and not related.words:
        return []
    words, holds = (role.words, role.is_held) if role else (related.words, related.holds)
    return look_again(store, words.union(question_words(part.trimmed)), _documents(store, part, scope), holds)


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
