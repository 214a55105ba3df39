"""Answers without a model: the figure, what the graph states, claims for a broad question, quotations, or a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...core.orders import gives_orders
from ...core.words import search_words
from ..question.plan import QuestionPlan
from ..search.context_expansion import hits_of
from ..search.evidence import Answer, Evidence
from ..search.retrievers.asked_relations import (
    asked_of,
    asks_for_all,
    named_links,
    says_directed,
    tells_the_other_way,
)
from .citations import write_number
from .context import describe_place
from .extractive.asked_section import section_quotes, topic_quotes
from .extractive.causes import write_causes
from .extractive.quotables import table_lead
from .extractive.quotations import Quotations, choose_quotes, is_said
from .extractive.quote_text import write_extract
from .extractive.relations.reader import SURE, relational_quotes
from .extractive.relations.request import RelationalRequest, read_request, tells_all
from .extractive.relations.rosters import names_no_roster, roster_quotes
from .extractive.relations.stated_relations import (
    names_without_relation,
    only_the_other_way,
    relations_in_time,
    stated_relations,
)
from .extractive.relations.stated_text import write_stated
from .extractive.requirements.base import topic_words
from .extractive.requirements.figure_owner import FigureOwner, read_figure_owner
from .extractive.requirements.narrowing import said_of, unexplained_words
from .extractive.requirements.relation import RelationRequirement, read_relation
from .extractive.requirements.subject import read_subjects
from .extractive.sentence_scoring import Quote
from .overview import claims_for, shared_themes, write_overview, write_themes
from .preparation import Task
from .remarks import figure_not_stated, no_document_of, not_found, not_stated, subject_elsewhere

if TYPE_CHECKING:
    from ...kg.store import Store
    from ..calculation import NumberAnswer

EXTRACTIVE = "extractive"
"""Name of the model where there is none."""
_SEVERAL = 2
"""Statements of a list."""
_TELLING_WORDS = 3
"""Words of a question that mean one thing where they stand together: "manufacturing purchase obligations"."""
_UNSURE = 2
"""Sentences of each way that are quoted where neither is sure to answer."""


def extractive_answer(task: Task) -> Answer:
    """The figure, what moved it, what the graph states, or the sentences that answer; each is cited."""
    plan = task.plan
    if _asks_figure_of_absent(plan):
        return refusal(task, EXTRACTIVE, read_subjects(plan, ()).absent)
    listed = _listed(task)
    if listed is not None:
        return listed
    closer = _told_more_closely(task)
    if closer is not None:
        return closer
    number = write_number(task.number, task.citations) if task.number else ""
    if number and not plan.asked.explains:
        return task.answer(number, EXTRACTIVE)
    if task.drivers:
        return task.answer(_paragraphs(number, write_causes(plan, task.drivers, task.citations)), EXTRACTIVE)
    if number:
        return _quoted(task, number, RelationRequirement())
    if read_figure_owner(plan).applies():  # what else the graph tells of the company is not the figure
        return _quoted(task, "", RelationRequirement())
    section = topic_quotes(plan, hits_of(task.context.evidence))
    if section:
        return _written(task, section)
    changed = _changed(task)
    if changed is not None:
        return changed
    relation = read_relation(plan)
    return _from_graph(task, relation) or _quoted(task, "", relation)


def _asks_figure_of_absent(plan: QuestionPlan) -> bool:
    """True for a figure of the accounts of a company that no document is of: no other document has it."""
    is_whole = any(company.well_known and not company.is_part for company in plan.absent)
    return is_whole and plan.figures.names_figure


def _listed(task: Task) -> Answer | None:
    """The graph's statements for a question that wants all there are of somebody; None for any other question.

    A row of figures may bear the name of what is listed: "independent director".
    """
    plan = task.plan
    is_list = task.number is not None and not plan.asked.numeric and asks_for_all(plan.asked.trimmed)
    told = stated_relations(plan) if is_list and _reads_graph(task) else []
    if len(told) < _SEVERAL:
        return None
    return task.answer(write_stated(told, plan, task.citations), EXTRACTIVE)


def _told_more_closely(task: Task) -> Answer | None:
    """The sentence that states the figure found, where that says nothing of a part of what is asked and the sentence
    does: "309,000 people, of whom 129,000 in the US".

    Another sentence that speaks of all that is asked is rather one about something else: of 200 questions on filings
    that were not looked at two more were answered beside.
    """
    if task.number is None or task.plan.asked.explains:
        return None
    unexplained = unexplained_words(task.plan, task.number)
    stating = _stating(task.number, task.plan.store) if unexplained else ()
    quotes = [quote for quote in stating if unexplained <= said_of(quote)]
    return _written(task, quotes) if quotes else None


def _stating(number: NumberAnswer, store: Store) -> Iterator[Quote]:
    """The sentences that state the figures; none for those of tables."""
    for fact in number.facts:
        if fact.source_kind == "prose":
            text = store.text(fact.source)[fact.start : fact.end]
            item = Evidence("chunk", text, 1.0, fact.source, page=fact.page, anchors=fact.anchors, start=fact.start)
            yield Quote(item, text, fact.start, fact.end)


def _without_number(task: Task) -> list[Evidence]:
    """What was found beside the figure, which is said already."""
    return [item for item in hits_of(task.context.evidence) if "numbers" not in item.why]


def _changed(task: Task) -> Answer | None:
    """What has become of a relation; None where that is not asked."""
    changed = relations_in_time(task.plan) if _reads_graph(task) else []
    if not changed:
        return None
    return task.answer(write_stated(changed, task.plan, task.citations), EXTRACTIVE)


def _from_graph(task: Task, relation: RelationRequirement) -> Answer | None:
    """What the graph states of those named, or claims of it for a broad question; None where it does not answer."""
    request = read_request(task.plan) if _reads_graph(task) else None
    return (
        _as_stated(task, request)
        or _as_required(task, relation)
        or _of_strangers(task, request)
        or _as_read(task, request, relation)
        or _of_the_other_way(task)
        or _for_all(task)
    )


def _reads_graph(task: Task) -> bool:
    return task.mode != "vector"


def _as_stated(task: Task, request: RelationalRequest | None) -> Answer | None:
    """The statements of the graph; a roster or the sentences of passages where these tell more of what is asked."""
    plan = task.plan
    if not _reads_graph(task):
        return None
    told, listed = stated_relations(plan), roster_quotes(plan)
    if len(listed) > len(told):
        return task.answer(write_extract(plan.store, listed, task.citations), EXTRACTIVE)
    if not told:
        return None
    if request is not None and not tells_all(request, plan, told):
        read = _read(task, request)
        if read and read[0].answers:
            return _written(task, read)
    return task.answer(write_stated(told, plan, task.citations), EXTRACTIVE)


def _as_required(task: Task, relation: RelationRequirement) -> Answer | None:
    """The sentences with which the graph states the relation asked for."""
    quotes = [quote for quote in relation.quotes() if not gives_orders(quote.text)]
    return task.answer(write_extract(task.plan.store, quotes, task.citations), EXTRACTIVE) if quotes else None


def _of_strangers(task: Task, request: RelationalRequest | None) -> Answer | None:
    """A refusal where no document names together those whose relation is asked; a career is one person's."""
    is_career = request is not None and bool(request.person)
    if is_career or not _reads_graph(task) or _asks_amount_of_one(task.plan) or _holds_all_words(task):
        return None
    if names_no_roster(task.plan, task.context.evidence):
        return refusal(task, EXTRACTIVE)
    strangers = names_without_relation(task.plan, task.context.evidence)
    return refusal(task, EXTRACTIVE, missing=not_stated(task.plan, strangers)) if strangers else None


def _holds_all_words(task: Task) -> bool:
    """True where a passage found holds each of several words of what is asked: it is for the quotations to answer."""
    topic = topic_words(task.plan)
    if len(topic) < _TELLING_WORDS:
        return False
    return any(topic <= set(search_words(item.text)) for item in task.context.evidence)


def _asks_amount_of_one(plan: QuestionPlan) -> bool:
    """True for "How many shares did Acme buy back?": an amount, and nobody beside the one who is named."""
    return plan.asked.numeric and len(named_links(plan)) < _SEVERAL


def _as_read(task: Task, request: RelationalRequest | None, relation: RelationRequirement) -> Answer | None:
    """The sentences of passages that answer a question about relations; before others where they are not sure to."""
    if request is None or task.plan.expected.role is not None:
        return None
    read = _read(task, request)
    if not read:
        return None
    asked = asked_of(task.plan)
    speaks = any(says_directed(task.plan, asked, quote.text) for quote in read)
    if read[0].score >= SURE and speaks:
        return _written(task, read)
    return _of_the_other_way(task) or _quoted(task, "", relation, read[:_UNSURE])


def _of_the_other_way(task: Task) -> Answer | None:
    """A refusal where the graph tells the relation asked only the other way round."""
    plan = task.plan
    meant = only_the_other_way(plan) if _reads_graph(task) and not plan.asked.explains else []
    return refusal(task, EXTRACTIVE, missing=not_stated(plan, meant)) if meant else None


def _for_all(task: Task) -> Answer | None:
    """Themes that companies share and claims of the graph, for a question about everything; of all who are here."""
    if task.plan.absent:
        return None
    themes = shared_themes(task.plan) if _reads_graph(task) else []
    claims = claims_for(task.plan, task.context.evidence)
    shared = write_themes(themes, task.plan, task.citations) if themes else ""
    overview = write_overview(claims, task.citations) if claims else ""
    text = "\n\n".join(filter(None, (shared, overview)))
    return task.answer(text, EXTRACTIVE) if text else None


def _written(task: Task, read: Sequence[Quote]) -> Answer:
    if _misses_absent(task.plan, read):
        return refusal(task, EXTRACTIVE)
    text = write_extract(task.plan.store, read, task.citations, task.plan.asked)
    return task.answer(_paragraphs(_said_elsewhere(task.plan, read), text), EXTRACTIVE)


def _said_elsewhere(plan: QuestionPlan, quotes: Sequence[Quote]) -> str:
    """What stands before quotations that name a company which no document is of; "" where none names one."""
    return subject_elsewhere(plan) if _name_absent(plan, quotes) else ""


def _misses_absent(plan: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    """True where a well-known company that no document is of is asked about, and no quotation names it."""
    return any(company.well_known for company in plan.absent) and not _name_absent(plan, quotes)


def _name_absent(plan: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    spellings = [spelling.lower() for company in plan.absent for spelling in company.spellings]
    return any(spelling in quote.text.lower() for quote in quotes for spelling in spellings)


def _read(task: Task, request: RelationalRequest) -> list[Quote]:
    """The sentences of passages that answer a question about relations; the trace says what was wanted and held."""
    read = relational_quotes(task.plan, request, task.embedder, task.context.evidence)
    if read:
        best = read[0]
        task.trace["read"] = {"wanted": sorted(request.wanted), "all": best.answers, "score": round(best.score, 3)}
    return read


def _quoted(task: Task, number: str, relation: RelationRequirement, read: Sequence[Quote] = ()) -> Answer:
    """The sentences that answer, behind the figure where there is one; a refusal where there is neither.

    ``read`` are sentences that may answer a question about relations: they come before the first of the others.
    """
    plan = task.plan
    evidence = _without_number(task)
    found = choose_quotes(plan, task.embedder, evidence, task.period, relation, task.narrowing)
    if found.found_again:
        task.trace["looked again"] = list(map(describe_place, found.found_again))
    found.chosen = behind(read, found.chosen)
    owner = read_figure_owner(plan)
    if owner.applies() and not number:
        return _of_owner(task, owner, found)
    missing = ""
    if not number:
        found.chosen = _going_as_asked(task, found.chosen)
        missing = task.period.message(found.chosen) or relation.message(found.chosen)
        found.chosen = found.chosen or _of_section(plan, evidence, is_missing=bool(missing or found.absent))
    if found.chosen and not _misses_absent(plan, found.chosen):
        text = write_extract(plan.store, found.chosen, task.citations, plan.asked)
        return task.answer(_paragraphs(number, missing or _said_elsewhere(plan, found.chosen), text), EXTRACTIVE)
    if number:
        return task.answer(number, EXTRACTIVE)
    return refusal(task, EXTRACTIVE, found.absent, missing)


def behind(read: Sequence[Quote], chosen: list[Quote]) -> list[Quote]:
    """The first of the chosen that say something new behind what was read already; all of them where nothing was."""
    others = [quote for quote in chosen if not is_said(quote, read)]
    return [*read, *others[:_UNSURE]] if read else chosen


def _of_section(plan: QuestionPlan, evidence: Sequence[Evidence], *, is_missing: bool) -> list[Quote]:
    """The section that the question asks for by its title; nothing where what it asks is known to be missing."""
    return [] if is_missing else section_quotes(plan, evidence)


def _of_owner(task: Task, owner: FigureOwner, found: Quotations) -> Answer:
    """What states the figure as that of a company which documents only speak of. Else what names the company beside
    that figure, and that nobody states it of the company; a refusal where nothing does."""
    stated = owner.stated(found.chosen)
    lead = "" if stated else figure_not_stated(task.plan, owner.companies)
    quotes = stated or owner.beside(found.chosen)
    if not quotes:
        return refusal(task, EXTRACTIVE, found.absent, figure_not_stated(task.plan, owner.companies, of_nobody=True))
    text = write_extract(task.plan.store, quotes, task.citations, task.plan.asked)
    return task.answer(_paragraphs(lead or _said_elsewhere(task.plan, quotes), text), EXTRACTIVE)


def _going_as_asked(task: Task, quotes: Sequence[Quote]) -> list[Quote]:
    """The quotations that speak of what is done, and not the other way round; all where the question
    shows no way, or asks for nobody beside the one it names."""
    plan = task.plan
    request = read_request(plan)
    asks_for_somebody = request is not None and bool(request.wanted)
    is_of_several = len(named_links(plan)) >= _SEVERAL
    if not _reads_graph(task) or plan.asked.explains or not (asks_for_somebody or is_of_several):
        return list(quotes)
    asked = asked_of(plan)
    kept: list[Quote] = []
    for quote in quotes:
        speaks = says_directed(plan, asked, f"{table_lead(quote.evidence)} {quote.text}")
        if speaks and not tells_the_other_way(plan, asked, quote.text, quote.evidence.source):
            kept.append(quote)
    return kept


def _paragraphs(*texts: str) -> str:
    return "\n".join(filter(None, texts))


def refusal(task: Task, model: str, absent: Sequence[str] = (), missing: str = "") -> Answer:
    """An honest refusal; ``missing`` says which period or relation no document has, ``absent`` which names."""
    task.trace["not found"] = True
    notes = task.trace.get("scope", {}).get("notes", ())
    if task.plan.absent and not absent:
        missing = no_document_of(task.plan)
    elif not missing or absent:
        missing = not_found(task.plan, task.context.evidence, scope_notes=notes, absent=absent)
    return task.answer(missing, model)
