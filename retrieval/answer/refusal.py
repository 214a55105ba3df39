"""What an answer says where the documents do not answer: what is not there, what was searched, what came closest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...core.names import is_chinese
from ...core.source_names import at_place, place_name, short_name
from ...prompts.messages import message
from ..question.expectations.names import capitalised_names
from ..question.plan import QuestionPlan
from ..search.evidence import Evidence
from .extractive.requirements.subject.chinese import chinese_subjects
from .planted_text import shown_name

_MOST_NAMES = 5


def not_found(
    plan: QuestionPlan, evidence: Sequence[Evidence], *, scope_notes: Sequence[str] = (), absent: Sequence[str] = ()
) -> str:
    """An honest refusal: which name no document mentions, which filter no document passes, or what came closest."""
    documents = len(plan.catalogue.records)
    empty = [note for note in scope_notes if note.startswith("no document of that")]
    if empty and not evidence:
        return message("out_of_scope", plan.language, reason="; ".join(empty), documents=documents)
    if absent:
        others = _companies(plan)
        return message("not_mentioned", plan.language, documents=documents, names=", ".join(absent), companies=others)
    closest = _place(plan, evidence[0]) if evidence else "-"
    looked = searched(plan)
    if _names_somebody(plan):
        looked += _companies(plan)
    return message("not_found", plan.language, searched=looked, closest=closest)


def _names_somebody(plan: QuestionPlan) -> bool:
    metrics = plan.vocabulary.metrics
    if plan.language == "zh":
        return bool(chinese_subjects(plan.asked.trimmed, metrics))
    return bool(capitalised_names(plan.asked.trimmed, metrics))


def _companies(plan: QuestionPlan) -> str:
    """Which companies there are documents of, names in its own writing first; "" where the question names one."""
    language = plan.language
    counted = Counter(record.companies[0] for record in plan.catalogue.records if record.companies)
    if not counted or plan.companies:
        return ""
    ordered = sorted(counted, key=lambda name: (is_chinese(name) != (language == "zh"), -counted[name]))
    names = [shown_name(name, language) for name in ordered[:_MOST_NAMES]]
    rest = len(counted) - len(names)
    more = message("more_companies", language, count=rest, all=len(counted)) if rest else ""
    return message("there_are", language, names=message("between_companies", language).join(names), more=more)


def not_stated(plan: QuestionPlan, names: Sequence[str]) -> str:
    """That no document states the relation that is asked of these names; "" where none is asked."""
    if not names:
        return ""
    values = {"names": ", ".join(names), "documents": len(plan.catalogue.records)}
    return message("not_stated", plan.language, **values)


def searched(plan: QuestionPlan) -> str:
    """How many documents were searched, and where some were left out, of how many and for whom."""
    catalogue, language, selection = plan.catalogue, plan.language, plan.selection
    count, everything = len(selection.sources), len(catalogue.records)
    if count in (0, everything):
        return message("searched_all", language, all=everything)
    records = [own[0] for key in selection.companies if (own := catalogue.by_company.get(key))]
    companies = [shown_name(record.companies[0], language) for record in records if record.companies]
    names = [*companies, *(p.label for p in plan.asked.periods)]
    about = message("searched_for", language, names=", ".join(dict.fromkeys(names))) if records else ""
    return message("searched_some", language, searched=count, all=everything, about=about)


def _place(plan: QuestionPlan, item: Evidence) -> str:
    source = shown_name(short_name(item.source, plan.catalogue.by_source), plan.language)
    if place_name(item):
        return at_place(source, item)
    return message("page_of", plan.language, source=source, page=item.page) if item.page else source
