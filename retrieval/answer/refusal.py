"""What an answer says where the documents do not answer: what is not there, what was searched, what came closest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...core.names import is_chinese
from ...core.source_names import short_name
from ..question.expectations.names import capitalised_names
from ..question.plan import QuestionPlan
from ..search.evidence import Evidence
from .extractive.requirements.chinese_subject import chinese_subjects
from .prompts import fill

_ALL = {"en": "{all} searched", "zh": "{all} 份文档"}
_COUNTED = {"en": "{searched} of {all} searched{about}", "zh": "{all} 份文档中的 {searched} 份{about}"}
_ABOUT = {"en": ", for {names}", "zh": "（{names}）"}
_NAMED = {"en": "; there are documents of {names}", "zh": "；有文档的公司：{names}"}
_MORE = {"en": " and {count} more", "zh": " 等 {all} 家"}
_BETWEEN = {"en": ", ", "zh": "、"}
_MOST_NAMES = 5
_PAGE = {"en": "{source}, page {page}", "zh": "{source} 第 {page} 页"}


def not_found(
    plan: QuestionPlan, evidence: Sequence[Evidence], *, scope_notes: Sequence[str] = (), absent: Sequence[str] = ()
) -> str:
    """An honest refusal: which name no document mentions, which filter no document passes, or what came closest."""
    documents = len(plan.catalogue.records)
    empty = [note for note in scope_notes if note.startswith("no document of that")]
    if empty and not evidence:
        return fill("out_of_scope", plan.language, reason="; ".join(empty), documents=documents)
    if absent:
        others = _companies(plan)
        return fill("not_mentioned", plan.language, documents=documents, names=", ".join(absent), companies=others)
    closest = _place(plan, evidence[0]) if evidence else "-"
    looked = searched(plan)
    if _names_somebody(plan):
        looked += _companies(plan)
    return fill("not_found", plan.language, searched=looked, closest=closest)


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
    names = ordered[:_MOST_NAMES]
    more = len(counted) - len(names)
    named = _NAMED[language].format(names=_BETWEEN[language].join(names))
    return named + (_MORE[language].format(count=more, all=len(counted)) if more else "")


def not_stated(plan: QuestionPlan, names: Sequence[str]) -> str:
    """That no document states the relation that is asked of these names; "" where none is asked."""
    if not names:
        return ""
    values = {"names": ", ".join(names), "documents": len(plan.catalogue.records)}
    return fill("not_stated", plan.language, **values).strip()


def searched(plan: QuestionPlan) -> str:
    """How many documents were searched, and where some were left out, of how many and for whom."""
    catalogue, language, selection = plan.catalogue, plan.language, plan.selection
    count, everything = len(selection.sources), len(catalogue.records)
    if count in (0, everything):
        return _ALL[language].format(all=everything)
    records = [own[0] for key in selection.companies if (own := catalogue.by_company.get(key))]
    names = [*(record.companies[0] for record in records if record.companies), *(p.label for p in plan.asked.periods)]
    about = _ABOUT[language].format(names=", ".join(dict.fromkeys(names))) if records else ""
    return _COUNTED[language].format(searched=count, all=everything, about=about).strip()


def _place(plan: QuestionPlan, item: Evidence) -> str:
    source = short_name(item.source, plan.catalogue.by_source)
    return _PAGE[plan.language].format(source=source, page=item.page) if item.page else source
