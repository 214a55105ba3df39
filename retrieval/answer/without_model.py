"""Answers without a model: the figure, what the graph states, claims for a broad question, quotations, or a refusal.

Each is a way of ``_WAYS``, which are tried in their order; what none of them answers is left to the quotations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...core.orders import gives_orders
from ..question.plan import QuestionPlan
from ..question.wording.answer_type import looks_ahead
from ..question.wording.speech import SpeechRequest
from ..search.context_expansion import hits_of
from ..search.evidence import Answer, Evidence
from ..search.retrievers.asked_relations import (
    asked_of,
    asks_for_all,
    named_links,
    says_directed,
    tells_the_other_way,
)
from ..search.retrievers.relational_request import RelationalRequest, read_request
from .citations import write_number
from .context import describe_place
from .extractive.asked_section import holds_topic, titled_quotes, topic_quotes
from .extractive.quotables import table_lead
from .extractive.quotations import Quotations, choose_quotes, is_as_telling, is_said
from .extractive.quote_text import write_extract
from .extractive.relations.answer_kinds import tells_all
from .extractive.relations.reader import SURE, relational_quotes
from .extractive.relations.rosters import names_no_roster, names_others, roster_quotes
from .extractive.relations.stated_relations import (
    names_without_relation,
    only_the_other_way,
    relations_in_time,
    stated_relations,
)
from .extractive.relations.stated_text import cause_quotes, write_causes, write_stated
from .extractive.requirements.figure_owner import FigureOwner, read_figure_owner
from .extractive.requirements.narrowing import said_of, unexplained_words
from .extractive.requirements.relation import RelationRequirement, read_relation
from .extractive.requirements.statement import read_succession
from .extractive.requirements.subject import read_subjects
from .extractive.sentence_scoring import Quote
from .extractive.speech import write_speech
from .overview import (
    OUTLOOK_TITLES,
    RISK_TITLES,
    asks_for_outlook,
    asks_for_risks,
    claims_for,
    shared_themes,
    write_business,
    write_outlook,
    write_overview,
    write_risks,
    write_themes,
)
from .preparation import Task, refusal
from .remarks import figure_not_stated, misses_absent, not_stated, said_elsewhere

if TYPE_CHECKING:
    from ...kg.store import Store
    from ..calculation import NumberAnswer

EXTRACTIVE = "extractive"
"""Name of the model where there is none."""
_SEVERAL, _UNSURE = 2, 2
"""Statements of a list; sentences of each way that are quoted where neither is sure to answer."""


class _Asked:
    """A task, with what several ways to its answer read of it."""

    def __init__(self, task: Task) -> None:
        self.task, self.plan = task, task.plan

    @cached_property
    def number(self) -> str:
        """The figure, with the first citations; none of what has been, where what is expected is asked."""
        number = self.task.number
        if number is None:
            return ""
        ahead = [looks_ahead(quote.text) for quote in _stating(number, self.plan.store)]
        if self.plan.asked.outlook and not max(ahead, default=True):
            return ""
        return write_number(number, self.task.citations)

    @cached_property
    def request(self) -> RelationalRequest | None:
        """What a question about relations wants to be told; None for any other question, as for a successor."""
        return None if read_succession(self.plan).applies() else read_request(self.plan)

    @cached_property
    def relation(self) -> RelationRequirement:
        """The one kind of relation that is asked about."""
        return read_relation(self.plan)

    def written(self, *texts: str) -> Answer:
        """The texts as the answer, a paragraph each."""
        return self.task.answer(_paragraphs(*texts), EXTRACTIVE)

    def told(self, text: str) -> Answer | None:
        """A text as the answer; None for an empty one."""
        return self.written(text) if text else None

    def refused(self, absent: Sequence[str] = (), missing: str = "") -> Answer:
        """See :func:`refusal`."""
        return refusal(self.task, EXTRACTIVE, absent, missing)


def extractive_answer(task: Task) -> Answer:
    """The figure, what moved it, what the graph states, or the sentences that answer; each is cited."""
    asked = _Asked(task)
    for way, reads_graph in _WAYS:
        answer = None if reads_graph and task.mode == "vector" else way(asked)
        if answer is not None:
            return answer
    return _quoted(asked, "", asked.relation)


def _spoken(asked: _Asked) -> Answer | None:
    """What was asked and said in a call, where that is wanted."""
    return _told_in_call(asked, asked.plan.speech) if asked.plan.speech is not None else None


def _answered_in_call(asked: _Asked) -> Answer | None:
    """A question of a call that is like the one asked here, and what was answered to it."""
    is_call = asked.plan.catalogue.has_calls and not asked.plan.absent
    return _told_in_call(asked, SpeechRequest("alike", asked.plan.asked.trimmed)) if is_call else None


def _told_in_call(asked: _Asked, request: SpeechRequest) -> Answer | None:
    task = asked.task
    told = write_speech(task.plan, request, task.embedder, hits_of(task.context.evidence), task.citations)
    return asked.written(told) if told else None


def _of_absent(asked: _Asked) -> Answer | None:
    """A refusal of a figure of the accounts of a company that no document is of: no other document has it."""
    is_whole = any(company.well_known and not company.is_part for company in asked.plan.absent)
    if not is_whole or not asked.plan.figures.names_figure:
        return None
    return asked.refused(read_subjects(asked.plan, ()).absent)


def _business(asked: _Asked) -> Answer | None:
    """What a company does, as its own report says."""
    return asked.told(write_business(asked.plan, asked.task.citations))


def _outlook(asked: _Asked) -> Answer | None:
    """What a company expects, as its own report says; refused where none does, for other sentences say other things."""
    if not asks_for_outlook(asked.plan):
        return None
    plan, citations = asked.plan, asked.task.citations
    stated = stated_relations(plan) if _reads_graph(asked.task) else []
    told = asked.told(write_outlook(plan, citations) or write_stated(stated, plan, citations))
    if told or plan.asked.periods:  # of another year no document may be here, which is said below
        return told
    titled = titled_quotes(plan, hits_of(asked.task.context.evidence), *OUTLOOK_TITLES)
    return _written(asked, titled) or asked.refused()


def _listed(asked: _Asked) -> Answer | None:
    """The graph's statements for a question that wants all there are of somebody.

    A row of figures may bear the name of what is listed: "independent director".
    """
    plan = asked.plan
    is_list = asked.task.number is not None and not plan.asked.numeric and asks_for_all(plan.asked.trimmed)
    told = stated_relations(plan) if is_list else []
    return asked.written(write_stated(told, plan, asked.task.citations)) if len(told) >= _SEVERAL else None


def _told_more_closely(asked: _Asked) -> Answer | None:
    """The sentence that states the figure found, where that says nothing of a part of what is asked and the sentence
    does: "309,000 people, of whom 129,000 in the US".

    Another sentence that speaks of all that is asked is rather one about something else.
    """
    number = asked.task.number
    if number is None or asked.plan.asked.explains:
        return None
    unexplained = unexplained_words(asked.plan, number)
    stating = _stating(number, asked.plan.store) if unexplained else ()
    return _written(asked, [quote for quote in stating if unexplained <= said_of(quote)])


def _stating(number: NumberAnswer, store: Store) -> Iterator[Quote]:
    """The sentences that state the figures; none for those of tables."""
    for fact in number.facts:
        if fact.source_kind == "prose":
            text = store.text(fact.source)[fact.start : fact.end]
            item = Evidence("chunk", text, 1.0, fact.source, page=fact.page, anchors=fact.anchors, start=fact.start)
            yield Quote(item, text, fact.start, fact.end)


def _figure(asked: _Asked) -> Answer | None:
    """The figure, where it is all that is asked."""
    return asked.written(asked.number) if asked.number and not asked.plan.asked.explains else None


def _causes(asked: _Asked) -> Answer | None:
    """What moved a figure; nothing where a sentence speaks of more that is asked than the causes found do."""
    task, plan = asked.task, asked.plan
    if not task.drivers:
        return None
    quotes = cause_quotes(plan, task.drivers)
    if plan.asked.explains and not is_as_telling(plan, task.embedder, quotes, hits_of(task.context.evidence)):
        return None
    return asked.written(asked.number, write_causes(plan, task.drivers, task.citations))


def _figure_explained(asked: _Asked) -> Answer | None:
    """The figure, and the sentences that explain it."""
    return _quoted(asked, asked.number, RelationRequirement()) if asked.number else None


def _figure_of_others(asked: _Asked) -> Answer | None:
    """The figure of a company that documents only speak of: what else the graph tells of it is not the figure."""
    return _quoted(asked, "", RelationRequirement()) if read_figure_owner(asked.plan).applies() else None


def _section(asked: _Asked) -> Answer | None:
    """The section whose title is the topic asked for."""
    return _written(asked, topic_quotes(asked.plan, hits_of(asked.task.context.evidence)))


def _changed(asked: _Asked) -> Answer | None:
    """What has become of a relation, where that is asked."""
    return asked.told(write_stated(relations_in_time(asked.plan), asked.plan, asked.task.citations))


def _stated(asked: _Asked) -> Answer | None:
    """The statements of the graph; a roster or the sentences of passages where these tell more of what is asked."""
    plan, citations = asked.plan, asked.task.citations
    told, listed = stated_relations(plan), roster_quotes(plan)
    if len(listed) > len(told) and names_others(listed, told):
        return asked.written(write_extract(plan.store, listed, citations))
    if not told:
        return None
    if asked.request is not None and not tells_all(asked.request, plan, told):
        read = _read(asked, asked.request)
        if read and read[0].answers:
            return _written(asked, read)
    return asked.written(write_stated(told, plan, citations))


def _as_required(asked: _Asked) -> Answer | None:
    """The sentences with which the graph states the relation asked for."""
    quotes = [quote for quote in asked.relation.quotes() if not gives_orders(quote.text)]
    return asked.told(write_extract(asked.plan.store, quotes, asked.task.citations))


def _of_strangers(asked: _Asked) -> Answer | None:
    """A refusal where no document names together those whose relation is asked; a career is one person's."""
    is_career = asked.request is not None and bool(asked.request.person)
    if is_career or _asks_amount_of_one(asked.plan) or holds_topic(asked.plan, asked.task.context.evidence):
        return None
    if names_no_roster(asked.plan, asked.task.context.evidence):
        return asked.refused()
    strangers = names_without_relation(asked.plan, asked.task.context.evidence)
    return asked.refused(missing=not_stated(asked.plan, strangers)) if strangers else None


def _asks_amount_of_one(plan: QuestionPlan) -> bool:
    """True for "How many shares did Acme buy back?": an amount, and nobody beside the one who is named."""
    return plan.asked.numeric and len(named_links(plan)) < _SEVERAL


def _as_read(asked: _Asked) -> Answer | None:
    """The sentences of passages that answer a question about relations; before others where they are not sure to."""
    if asked.request is None or asked.plan.expected.role is not None:
        return None
    read = _read(asked, asked.request)
    if not read:
        return None
    relations = asked_of(asked.plan)
    speaks = any(says_directed(asked.plan, relations, quote.text) for quote in read)
    if read[0].score >= SURE and speaks:
        return _written(asked, read)
    return _the_other_way(asked) or _quoted(asked, "", asked.relation, read[:_UNSURE])


def _the_other_way(asked: _Asked) -> Answer | None:
    """A refusal where the graph tells the relation asked only the other way round."""
    meant = [] if asked.plan.asked.explains else only_the_other_way(asked.plan)
    return asked.refused(missing=not_stated(asked.plan, meant)) if meant else None


def _risks(asked: _Asked) -> Answer | None:
    """The risks of one company by their classes, else as its report begins to tell them."""
    if asked.plan.absent or not asks_for_risks(asked.plan):
        return None
    plan, task = asked.plan, asked.task
    told = asked.told(write_risks(plan, task.citations))
    return told or _written(asked, titled_quotes(plan, hits_of(task.context.evidence), *RISK_TITLES))


def _themes(asked: _Asked) -> Answer | None:
    """Themes that companies share and claims of the graph, for a question about everything; of all who are here."""
    task, plan = asked.task, asked.plan
    if plan.absent:
        return None
    themes = shared_themes(plan) if _reads_graph(task) else []
    claims = claims_for(plan, task.context.evidence)
    shared = write_themes(themes, plan, task.citations) if themes else ""
    overview = write_overview(claims, task.citations) if claims else ""
    return asked.told("\n\n".join(filter(None, (shared, overview))))


_WAYS: Sequence[tuple[Callable[[_Asked], Answer | None], bool]] = (
    (_spoken, False),
    (_of_absent, False),
    (_business, False),
    (_outlook, False),
    (_listed, True),
    (_told_more_closely, False),
    (_figure, False),
    (_causes, False),
    (_figure_explained, False),
    (_figure_of_others, False),
    (_risks, True),
    (_section, False),
    (_changed, True),
    (_stated, True),
    (_as_required, False),
    (_of_strangers, True),
    (_as_read, True),
    (_the_other_way, True),
    (_themes, False),
)
"""How an answer may be found: the first that gives one counts. True for what reads the graph: not in mode "vector"."""


def _reads_graph(task: Task) -> bool:
    return task.mode != "vector"


def _written(asked: _Asked, read: Sequence[Quote]) -> Answer | None:
    """The quotes as the answer; None for none."""
    if not read:
        return None
    if misses_absent(asked.plan, read):
        return asked.refused()
    text = write_extract(asked.plan.store, read, asked.task.citations, asked.plan.asked)
    return asked.written(said_elsewhere(asked.plan, read), text)


def _read(asked: _Asked, request: RelationalRequest) -> list[Quote]:
    """The sentences of passages that answer a question about relations; the trace says what was wanted and held."""
    task = asked.task
    read = relational_quotes(task.plan, request, task.embedder, task.context.evidence)
    if read:
        best = read[0]
        task.trace["read"] = {"wanted": sorted(request.wanted), "all": best.answers, "score": round(best.score, 3)}
    return read


def _quoted(asked: _Asked, number: str, relation: RelationRequirement, read: Sequence[Quote] = ()) -> Answer:
    """The sentences that answer, behind the figure where there is one; a refusal where there is neither.

    ``read`` are sentences that may answer a question about relations: they come before the first of the others.
    """
    task, plan = asked.task, asked.plan
    evidence = [item for item in hits_of(task.context.evidence) if "numbers" not in item.why]  # said already
    found = choose_quotes(plan, task.embedder, evidence, task.period, relation, task.narrowing)
    if found.found_again:
        task.trace["looked again"] = list(map(describe_place, found.found_again))
    found.chosen = behind(read, found.chosen)
    owner = read_figure_owner(plan)
    if owner.applies() and not number:
        return _of_owner(asked, owner, found)
    missing = ""
    if not number:
        found.chosen = _going_as_asked(asked, found.chosen)
        missing = task.period.message(found.chosen) or relation.message(found.chosen, task.context.evidence)
    if found.chosen and not misses_absent(plan, found.chosen):
        text = write_extract(plan.store, found.chosen, task.citations, plan.asked)
        return asked.written(number, missing or said_elsewhere(plan, found.chosen), text)
    if number:
        return asked.written(number)
    return _unquoted(asked, found.absent, missing)


def _unquoted(asked: _Asked, absent: Sequence[str], missing: str) -> Answer:
    """What answers where no quotation does: a sure reading, or a question of a call; else a refusal."""
    told = _read_of_office(asked)
    if not (told or absent or missing):
        told = _answered_in_call(asked)
    return told or asked.refused(absent, missing)


def _read_of_office(asked: _Asked) -> Answer | None:
    """The sentences that surely answer who holds an office, where nothing else does: the day asked may be that of no
    document ("Who became head of sales in January 2022?")."""
    if asked.request is None or not _reads_graph(asked.task):
        return None
    read = _read(asked, asked.request)
    is_sure = read and read[0].answers and read[0].score >= SURE
    return _written(asked, read) if is_sure else None


def behind(read: Sequence[Quote], chosen: list[Quote]) -> list[Quote]:
    """The first of the chosen that say something new behind what was read already; all of them where nothing was."""
    others = [quote for quote in chosen if not is_said(quote, read)]
    return [*read, *others[:_UNSURE]] if read else chosen


def _of_owner(asked: _Asked, owner: FigureOwner, found: Quotations) -> Answer:
    """What states the figure as that of a company which documents only speak of. Else what names the company beside
    that figure, and that nobody states it of the company; a refusal where nothing does."""
    plan = asked.plan
    stated = owner.stated(found.chosen)
    lead = "" if stated else figure_not_stated(plan, owner.companies)
    quotes = stated or owner.beside(found.chosen)
    if not quotes:
        return asked.refused(found.absent, figure_not_stated(plan, owner.companies, of_nobody=True))
    text = write_extract(plan.store, quotes, asked.task.citations, plan.asked)
    return asked.written(lead or said_elsewhere(plan, quotes), text)


def _going_as_asked(asked: _Asked, quotes: Sequence[Quote]) -> list[Quote]:
    """The quotations that speak of what is done, and not the other way round; all where the question
    shows no way, or asks for nobody beside the one it names; none where they hold no word of what else it asks."""
    plan, request = asked.plan, asked.request if _reads_graph(asked.task) else None
    if request is not None and request.is_missed_by([quote.evidence.text for quote in quotes]):
        return []
    asks_for_somebody = request is not None and bool(request.wanted)
    is_of_several = len(named_links(plan)) >= _SEVERAL
    if not _reads_graph(asked.task) or plan.asked.explains or not (asks_for_somebody or is_of_several):
        return list(quotes)
    relations = asked_of(plan)
    kept: list[Quote] = []
    for quote in quotes:
        speaks = says_directed(plan, relations, f"{table_lead(quote.evidence)} {quote.text}")
        if speaks and not tells_the_other_way(plan, relations, quote.text, quote.evidence.source):
            kept.append(quote)
    return kept


def _paragraphs(*texts: str) -> str:
    return "\n".join(filter(None, texts))
