"""Answers a question from the store: search, context, then a model's checked answer or an extractive one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ...core.errors import ModelError
from ...core.names import is_company_like, name_key
from ...core.orders import gives_orders
from ...kg.as_of import as_of
from ...models.language import CountedModel
from ...prompts.messages import message
from ..calculation import NumberAnswer, find_numbers
from ..question.conversation import LONGEST, recent, stand_alone
from ..question.entity_linking import keys_of
from ..question.plan import QuestionPlan
from ..search.context_expansion import describe_parents, hits_of, most_tokens, parent_for, read_parents
from ..search.evidence import Answer, Citation, Context, Evidence, Expected, Trace
from ..search.index.corpus import corpus_of
from ..search.pipeline import plan_question
from ..search.retrievers.communities import asks_broadly
from .citations import Citations, number_evidence, write_number
from .context import build_context, describe_budgets, describe_place, split_legs
from .extractive.absent_relation import names_without_relation
from .extractive.causes import cause_evidence, cause_quotes, fitting_drivers
from .extractive.overview import claims_for, shared_themes, write_overview, write_themes
from .extractive.quotations import choose_quotes
from .extractive.quote_text import write_extract
from .extractive.requirements.narrowing import NarrowingRequirement, read_narrowing
from .extractive.requirements.period import PeriodRequirement
from .extractive.requirements.relation import RelationRequirement, read_relation
from .extractive.requirements.subject import names_nobody_here
from .extractive.scoring import Quote
from .extractive.stated_relations import relations_in_time, stated_relations
from .extractive.stated_text import write_stated
from .generative.multi_query import imagined_answer, other_queries, search_each
from .generative.prompts import NOT_FOUND, answer_messages, document_head, follow_up_messages
from .options import AskOptions
from .planted_text import asks_for_orders, shown_name
from .remarks import not_found, not_stated, remarks_on

if TYPE_CHECKING:
    from ...kg.drivers import Driver
    from ...kg.store import Store
    from ...models.embedder import Embedder
    from ...models.language import LanguageModel, Message
    from ..question.vocabulary.vocabulary import Vocabulary
    from .generative.grounding import CheckedWriter

EXTRACTIVE = "extractive"
"""Name of the model where there is none."""
CANDIDATES = 24
"""Pieces of evidence that a search gives for the budgets to choose from."""
_TURNS = 6
"""Messages of the conversation that a model rewrites a follow-up with."""
_PLAIN = AskOptions()


@dataclass(slots=True)
class _Task:
    """One question on its way to an answer."""

    plan: QuestionPlan
    embedder: Embedder | None
    context: Context
    mode: str
    citations: Citations
    trace: dict[str, Any]
    period: PeriodRequirement
    narrowing: NarrowingRequirement
    number: NumberAnswer | None = None
    drivers: Sequence[Driver] = ()
    """What the documents say moved the figure, where a cause is asked for."""
    remarks: Sequence[str] = ()
    """What the answer says of how the question was read."""
    language_model: CountedModel | None = None

    @property
    def about(self) -> list[str]:
        """Of each piece of evidence, whose document it is from."""
        records = self.plan.catalogue.by_source
        return [document_head(records.get(item.source), item.source) for item in self.context.evidence]

    @property
    def names(self) -> list[str]:
        """The same with every name of the document's company, which may stand in a sentence about it."""
        found = []
        for item, head in zip(self.context.evidence, self.about, strict=True):
            record = self.plan.catalogue.by_source.get(item.source)
            names = " ".join((*record.companies, *record.tickers, record.title)) if record else ""
            found.append(f"{head} {names}{self._asked_names(names)}")
        return found

    def _asked_names(self, names: str) -> str:
        """The question, where it names the company of a document or none: its words for it are known then."""
        asked = self.plan.companies
        is_own = not asked or any(name_key(company) in name_key(names) for company in asked)
        return f"\n{self.plan.text}" if is_own and not names_nobody_here(self.plan) else ""

    def answer(self, text: str, model: str) -> Answer:
        """The answer with its remarks; its trace says what all calls to the model cost."""
        text = "\n".join((text, *(remark for remark in self.remarks if remark not in text)))
        if self.language_model is not None:
            self.trace["usage"] = asdict(self.language_model.usage)
        return Answer(text, self.citations.all(), self.context, self.mode, model, self.trace)


def answer_question(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions = _PLAIN,
) -> Answer:
    """Answer with citations, from the documents alone.

    Without a model the answer is extractive: the best sentences, facts and relations, quoted (``model="extractive"``).
    With one, each of its sentences is checked against what it cites: numbers and quotations that are not there are
    marked, sentences that rest on nothing are dropped (``trace`` lists both). Where the evidence is weak the answer
    says so.

    Raises:
        ModelError: the model cannot be reached or answers nonsense.
    """
    with store.reading(keys_of(question)):
        task = _prepare(store, embedder, language_model, question, vocabulary, options)
        if options.expect is not None:
            return _typed(task, options.expect)
        if task.language_model is None or not task.context.evidence:
            return _extract(task)
        reply = task.language_model.reply(_messages(task))
        return _checked(task, reply.text, task.language_model.name)


def stream_answer(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions = _PLAIN,
) -> Iterator[str | Answer]:
    """As :func:`answer_question`, a checked sentence at a time; the last item is the whole :class:`Answer`.

    Where the model's stream breaks off, what came before stays: the answer says that it is cut, and ``trace`` why.
    """
    with store.reading(keys_of(question)):  # nothing is given out inside: the next step may run in another thread
        task = _prepare(store, embedder, language_model, question, vocabulary, options)
        extract = _extract(task) if task.language_model is None or not task.context.evidence else None
    if task.language_model is None or extract:
        yield from _whole(extract or _extract(task))
        return
    writer = _writer(task)
    said: list[str] = []
    for part in _parts(task, task.language_model, said):
        if not said and part.strip().startswith(NOT_FOUND):
            break
        text = writer.write(part)
        if text:
            said.append(_separator(part, said) + text)
            yield said[-1]
    if not said:
        yield from _whole(_checked(task, NOT_FOUND, task.language_model.name))
        return
    for remark in _last_remarks(task, writer):
        said.append(remark)
        yield remark
    yield _finished(task, "".join(said), writer, task.language_model.name)


def _separator(part: str, said: Sequence[str]) -> str:
    """What stands between a sentence of the stream and those before it."""
    if part.startswith("\n"):
        return "\n"
    return " " if said else ""


def _last_remarks(task: _Task, writer: CheckedWriter) -> Iterator[str]:
    """What is said behind a streamed answer: that it was cut, what came closest, and which period no document is of."""
    if "broken off" in task.trace:
        yield f" {message('broken_off', task.plan.language)}"
    if _is_refused(writer):
        if closest := _closest(task):
            yield f"\n{closest}"
        return
    if remark := _remark(task):
        yield f"\n{remark}"
    for remark in task.remarks:
        yield f"\n{remark}"


def _messages(task: _Task) -> list[Message]:
    """What the model is sent; where no document is of the period asked it is told, as an extract says it itself."""
    told = [] if task.number else task.period.told()
    return answer_messages(task.plan.text, task.context, [*task.remarks, *told], task.about)


def _parts(task: _Task, language_model: LanguageModel, said: Sequence[str]) -> Iterator[str]:
    """The sentences of the model's stream; an error after the first of them ends it and is noted."""
    from .generative.grounding import complete_parts

    try:
        yield from complete_parts(language_model.stream(_messages(task)))
    except ModelError as error:
        if not said:
            raise
        task.trace["broken off"] = str(error)


def _whole(answer: Answer) -> Iterator[str | Answer]:
    yield answer.text
    yield answer


def _prepare(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions,
) -> _Task:
    """Understand the question, search and build the context."""
    trace = Trace()
    store = as_of(store, options.scope.as_of if options.scope else None)
    model = CountedModel(language_model) if language_model is not None else None
    asked = resolve_follow_up(store, model, question, options.history, trace)
    plan = plan_question(store, asked, vocabulary, options.scope)
    evidence = _search(plan, embedder, model, options, trace)
    texts, graph = split_legs(evidence)
    parent = parent_for(options.parent, model_reads=model is not None)
    texts = read_parents(store, texts, parent, most_tokens(options.budgets[0]))
    trace.note("parents", describe_parents(texts))
    outcome = find_numbers(plan, model)
    trace.note("numbers", dict(outcome.trace))
    number = outcome.answer if outcome.answer and not names_nobody_here(plan) else None
    figures = number_evidence(number) if number else []
    drivers = fitting_drivers(plan)
    graph = [*cause_evidence(drivers, texts), *graph]
    budgets = options.budgets
    chosen = _chosen_of_groups(plan, embedder, model, options, trace)
    if chosen:  # the notes are the answer's matter, and the passages its background
        graph = [*chosen, *(item for item in graph if item.kind != "community")]
        budgets = (min(budgets), max(budgets))
    context = build_context(texts, [*figures, *graph], order=options.order, budgets=budgets, lean=model is not None)
    trace.note("budgets", describe_budgets(texts, [*figures, *graph], context, budgets))
    figure = outcome.asked
    asks_figure = figure.route in ("look-up", "calculation") and any(operand.name for operand in figure.operands)
    return _Task(
        plan,
        embedder,
        context,
        options.mode,
        Citations(store),
        trace.data,
        PeriodRequirement(plan, asks_figure=asks_figure),
        read_narrowing(figure, plan.catalogue.companies, plan.vocabulary.metrics),
        number,
        drivers,
        remarks_on(plan),
        model,
    )


def _search(
    plan: QuestionPlan,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    options: AskOptions,
    trace: Trace,
) -> list[Evidence]:
    """The evidence for the question, and for other wordings of it where a model finds some."""
    others = other_queries(language_model, plan.text, options.queries, trace)
    imagined = imagined_answer(language_model, plan.text, trace) if options.hyde else ""
    if imagined:
        others.append(imagined)

    def search(wording: str) -> list[Evidence]:
        is_own = wording == plan.text
        own = plan if is_own else plan.about(wording)
        if wording == imagined:
            own = replace(own, selection=plan.selection)  # where to look is read from the question alone
        noted = trace if is_own else Trace()
        return options.search(own, embedder, mode=options.mode, k=CANDIDATES, trace=noted, reranker=options.reranker)

    return search_each(search, plan.text, others)


def _chosen_of_groups(
    plan: QuestionPlan, embedder: Embedder | None, model: CountedModel | None, options: AskOptions, trace: Trace
) -> list[Evidence]:
    """What a model chooses of every group's notes, in ``global`` for a question about everything at once; else none."""
    if model is None or options.mode != "global" or not asks_broadly(plan.asked):
        return []
    from .generative.map_reduce import FOUND, chosen_of_groups

    found = options.search(plan, embedder, mode=options.mode, k=FOUND, trace=Trace(), reranker=None)
    return chosen_of_groups(model, plan.text, found, trace)


def resolve_follow_up(
    store: Store, language_model: LanguageModel | None, question: str, history: Sequence[Message], trace: Trace
) -> str:
    """A follow-up question with what it refers to: rewritten by the model, without one or where it fails by rules."""
    messages = recent(history)
    earlier = [message.content for message in messages if message.role == "user"]
    if not earlier:
        return question
    asked = ""
    if language_model is not None:
        try:
            asked = language_model.reply(follow_up_messages(question, messages[-_TURNS:])).text.strip()
        except ModelError as error:
            trace.note("rewriting failed", str(error))
    is_question = bool(asked) and len(asked) <= LONGEST
    if not is_question:
        asked = stand_alone(question, earlier, corpus_of(store).catalogue.companies)
    if asked != question:
        trace.note("searched for", asked)
    return asked


def _extract(task: _Task) -> Answer:
    """An answer without a model: the figure, what the graph states, claims for a broad question, or quotations."""
    plan = task.plan
    number = write_number(task.number, task.citations) if task.number else ""
    if number and not plan.asked.explains:
        return task.answer(number, EXTRACTIVE)
    if task.drivers:
        causes = write_extract(plan.store, cause_quotes(plan, task.drivers), task.citations)
        return task.answer("\n".join(filter(None, (number, causes))), EXTRACTIVE)
    if number:
        return _quoted(task, number, RelationRequirement())
    changed = [] if task.mode == "vector" else relations_in_time(plan)
    if changed:
        return task.answer(write_stated(changed, plan, task.citations), EXTRACTIVE)
    relation = read_relation(plan)
    return _from_graph(task, relation) or _quoted(task, "", relation)


def _from_graph(task: _Task, relation: RelationRequirement) -> Answer | None:
    """What the graph states of those named, or claims of it for a broad question; None where it does not answer."""
    plan, evidence = task.plan, task.context.evidence
    told = [] if task.mode == "vector" else stated_relations(plan)
    if told:
        return task.answer(write_stated(told, plan, task.citations), EXTRACTIVE)
    quotes = [quote for quote in relation.quotes() if not gives_orders(quote.text)]
    if quotes:
        return task.answer(write_extract(plan.store, quotes, task.citations), EXTRACTIVE)
    strangers = [] if task.mode == "vector" else names_without_relation(plan, evidence)
    if strangers:
        return _not_found(task, EXTRACTIVE, missing=not_stated(plan, strangers))
    themes = [] if task.mode == "vector" else shared_themes(plan)
    claims = claims_for(plan, evidence)
    if not (themes or claims):
        return None
    shared = write_themes(themes, plan, task.citations) if themes else ""
    overview = write_overview(claims, task.citations) if claims else ""
    return task.answer("\n\n".join(filter(None, (shared, overview))), EXTRACTIVE)


def _quoted(task: _Task, number: str, relation: RelationRequirement) -> Answer:
    """The sentences that answer, behind the figure where there is one; a refusal where there is neither."""
    plan = task.plan
    evidence = [item for item in hits_of(task.context.evidence) if "numbers" not in item.why]  # said already
    found = choose_quotes(plan, task.embedder, evidence, task.period, relation, task.narrowing)
    if found.found_again:
        task.trace["looked again"] = [describe_place(item) for item in found.found_again]
    missing = "" if number else task.period.message(found.chosen) or relation.message(found.chosen)
    if not found.chosen:
        return task.answer(number, EXTRACTIVE) if number else _not_found(task, EXTRACTIVE, found.absent, missing)
    text = write_extract(plan.store, found.chosen, task.citations, plan.asked.years)
    missing = missing or _subject_elsewhere(plan)
    return task.answer("\n".join(filter(None, (number, missing, text))), EXTRACTIVE)


def _subject_elsewhere(plan: QuestionPlan) -> str:
    """That a company is spoken of which has no document here; "" where none is named, or one that has."""
    if plan.companies or plan.scope is not None or not plan.selection.everything:
        return ""
    linked = [link for link in plan.linked if link.entity.type == "company" and link.how != "similar"]
    named = [link.entity.name for link in linked if is_company_like(link.entity.name)]
    return (
        message("subject_elsewhere", plan.language, name=shown_name(named[0], plan.language)) if len(named) == 1 else ""
    )


def _writer(task: _Task) -> CheckedWriter:
    from .generative.grounding import CheckedWriter  # what checks a model is loaded where one answers

    plan = task.plan
    asked = asks_for_orders(plan.text)
    evidence = task.context.evidence
    return CheckedWriter(evidence, task.citations, plan.language, plan.text, task.names, orders_asked=asked)


def _checked(task: _Task, text: str, model: str) -> Answer:
    if text.strip().strip("*.").startswith(NOT_FOUND):
        refusal = _not_found(task, model, missing=task.period.message(()))
        return replace(
            refusal, text="\n".join(filter(None, (refusal.text, _closest(task)))), citations=task.citations.all()
        )
    writer = _writer(task)
    written = writer.write(text)
    last = _closest(task) if _is_refused(writer) else _remark(task)
    return _finished(task, "\n".join(filter(None, (written, last))), writer, model)


def _is_refused(writer: CheckedWriter) -> bool:
    """True where the model says, in whatever words, that the evidence does not answer, and nothing else."""
    return bool(writer.refusals) and not writer.cited


def _closest(task: _Task) -> str:
    """Figures that the rules found where the model, which has read the evidence, found no answer: said as such."""
    if task.number is None:
        return ""
    return f"{message('closest_figures', task.plan.language)} {write_number(task.number, task.citations)}"


def _typed(task: _Task, expected: Expected) -> Answer:
    """An answer with a value of the kind that is expected; with a model its reason in words is checked as any text."""
    from .typed import TypedReader, read_typed

    if task.language_model is None or not task.context.evidence:
        extract = _extract(task)
        return replace(extract, typed=read_typed(expected, task.plan, task.number, extract))
    reader = TypedReader(expected, task.plan.text, task.context, task.about)
    reply = task.language_model.reply(reader.messages(), schema=reader.schema)
    value, reason, places = reader.read(reply.data)
    writer = _writer(task)
    marks = "".join(f"[{place + 1}]" for place in places)
    written = writer.write(reason if "[" in reason else f"{reason} {marks}".strip())
    task.trace["dropped"], task.trace["unverified"] = writer.dropped, writer.unverified
    text = "\n".join(filter(None, (value.text, value.note, written)))
    return replace(task.answer(text, task.language_model.name), typed=value)


def _remark(task: _Task) -> str:
    """Which period asked no document is of, said under a model's answer that cites nothing of it; else ""."""
    if task.number:
        return ""
    cited: list[Quote] = []
    for citation in task.citations.all():
        holding = [item for item in task.context.evidence if _holds(item, citation)]
        cited.extend(Quote(item, citation.text, citation.start, citation.end) for item in holding)
    return task.period.written(cited, before_quotes=False)


def _holds(item: Evidence, citation: Citation) -> bool:
    """True where what is cited stands in a piece of evidence."""
    return item.source == citation.source and item.start <= citation.start and citation.end <= item.end


def _finished(task: _Task, text: str, writer: CheckedWriter, model: str) -> Answer:
    """The answer; a refusal stands without a citation; an extractive answer where nothing stood the check."""
    task.trace["dropped"], task.trace["unverified"] = writer.dropped, writer.unverified
    task.trace["unsupported"] = writer.unsupported
    task.trace["figures"] = [asdict(figure) for figure in writer.figures]
    if writer.refusals and not writer.cited:
        task.trace["not found"] = True
        return task.answer(text, model)
    return task.answer(text, model) if writer.cited else _extract(task)


def _not_found(task: _Task, model: str, absent: Sequence[str] = (), missing: str = "") -> Answer:
    """An honest refusal; ``missing`` says which period or relation no document has, ``absent`` which names."""
    task.trace["not found"] = True
    notes = task.trace.get("scope", {}).get("notes", ())
    if not missing or absent:
        missing = not_found(task.plan, task.context.evidence, scope_notes=notes, absent=absent)
    return task.answer(missing, model)
