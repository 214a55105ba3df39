"""Answers without a model: the figure, what the graph states, claims for a broad question, quotations, or a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.names import is_company_like
from ...core.orders import gives_orders
from ...prompts.messages import message
from ..question.plan import QuestionPlan
from ..search.context_expansion import hits_of
from ..search.evidence import Answer
from .citations import write_number
from .context import describe_place
from .extractive.causes import cause_quotes
from .extractive.overview import claims_for, shared_themes, write_overview, write_themes
from .extractive.quotations import choose_quotes
from .extractive.quote_text import write_extract
from .extractive.relations.absent_relation import names_without_relation
from .extractive.relations.stated_relations import relations_in_time, stated_relations
from .extractive.relations.stated_text import write_stated
from .extractive.requirements.relation import RelationRequirement, read_relation
from .planted_text import shown_name
from .preparation import Task
from .remarks import not_found, not_stated

EXTRACTIVE = "extractive"
"""Name of the model where there is none."""


def extractive_answer(task: Task) -> Answer:
    """The figure, what moved it, what the graph states, or the sentences that answer; each is cited."""
    plan = task.plan
    number = write_number(task.number, task.citations) if task.number else ""
    if number and not plan.asked.explains:
        return task.answer(number, EXTRACTIVE)
    if task.drivers:
        causes = write_extract(plan.store, cause_quotes(plan, task.drivers), task.citations)
        return task.answer(_paragraphs(number, causes), EXTRACTIVE)
    if number:
        return _quoted(task, number, RelationRequirement())
    changed = _changed(task)
    if changed is not None:
        return changed
    relation = read_relation(plan)
    return _from_graph(task, relation) or _quoted(task, "", relation)


def _changed(task: Task) -> Answer | None:
    """What has become of a relation; None where that is not asked."""
    changed = [] if task.mode == "vector" else relations_in_time(task.plan)
    if not changed:
        return None
    return task.answer(write_stated(changed, task.plan, task.citations), EXTRACTIVE)


def _from_graph(task: Task, relation: RelationRequirement) -> Answer | None:
    """What the graph states of those named, or claims of it for a broad question; None where it does not answer."""
    plan, evidence = task.plan, task.context.evidence
    reads_graph = task.mode != "vector"
    told = stated_relations(plan) if reads_graph else []
    if told:
        return task.answer(write_stated(told, plan, task.citations), EXTRACTIVE)
    quotes = [quote for quote in relation.quotes() if not gives_orders(quote.text)]
    if quotes:
        return task.answer(write_extract(plan.store, quotes, task.citations), EXTRACTIVE)
    strangers = names_without_relation(plan, evidence) if reads_graph else []
    if strangers:
        return refusal(task, EXTRACTIVE, missing=not_stated(plan, strangers))
    themes = shared_themes(plan) if reads_graph else []
    shared = write_themes(themes, plan, task.citations) if themes else ""
    claims = claims_for(plan, evidence)
    overview = write_overview(claims, task.citations) if claims else ""
    text = "\n\n".join(filter(None, (shared, overview)))
    return task.answer(text, EXTRACTIVE) if text else None


def _quoted(task: Task, number: str, relation: RelationRequirement) -> Answer:
    """The sentences that answer, behind the figure where there is one; a refusal where there is neither."""
    plan = task.plan
    evidence = [item for item in hits_of(task.context.evidence) if "numbers" not in item.why]  # said already
    found = choose_quotes(plan, task.embedder, evidence, task.period, relation, task.narrowing)
    if found.found_again:
        task.trace["looked again"] = [describe_place(item) for item in found.found_again]
    missing = ""
    if not number:
        missing = task.period.message(found.chosen) or relation.message(found.chosen)
    if found.chosen:
        text = write_extract(plan.store, found.chosen, task.citations, plan.asked.years)
        return task.answer(_paragraphs(number, missing or _subject_elsewhere(plan), text), EXTRACTIVE)
    if number:
        return task.answer(number, EXTRACTIVE)
    return refusal(task, EXTRACTIVE, found.absent, missing)


def _paragraphs(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def _subject_elsewhere(plan: QuestionPlan) -> str:
    """That a company is spoken of which has no document here; "" where none is named, or one that has."""
    if plan.companies or plan.scope is not None or not plan.selection.everything:
        return ""
    linked = [link for link in plan.linked if link.entity.type == "company" and link.how != "similar"]
    named = [link.entity.name for link in linked if is_company_like(link.entity.name)]
    if len(named) != 1:
        return ""
    return message("subject_elsewhere", plan.language, name=shown_name(named[0], plan.language))


def refusal(task: Task, model: str, absent: Sequence[str] = (), missing: str = "") -> Answer:
    """An honest refusal; ``missing`` says which period or relation no document has, ``absent`` which names."""
    task.trace["not found"] = True
    notes = task.trace.get("scope", {}).get("notes", ())
    if not missing or absent:
        missing = not_found(task.plan, task.context.evidence, scope_notes=notes, absent=absent)
    return task.answer(missing, model)
