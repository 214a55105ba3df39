"""How a question is to be answered, every setting in one place; and the question on its way to an answer: understood,
searched for, and its evidence put into a context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Protocol

from ...core.errors import ModelError
from ...core.names import name_key
from ...core.records import dataclass
from ...core.sequences import without
from ...kg.as_of import as_of
from ...models.language import CountedModel, Usage
from ..calculation import NumberAnswer, find_numbers
from ..question.plan import QuestionPlan
from ..question.wording.conversation import LONGEST, recent, stand_alone
from ..search.context_expansion import Parent, describe_parents, most_tokens, parent_for, read_parents
from ..search.evidence import Answer, Context, Evidence, Trace
from ..search.index.corpus import corpus_of
from ..search.pipeline import plan_question, search_plan
from ..search.retrievers.causes import fitting_drivers
from ..search.retrievers.communities import asks_broadly, asks_for_connection
from .citations import Citations, number_evidence
from .context import BUDGETS, Order, adding_to_texts, build_context, cause_evidence, describe_budgets, split_legs
from .extractive.requirements.narrowing import NarrowingRequirement, read_narrowing
from .extractive.requirements.period import PeriodRequirement
from .extractive.requirements.subject import names_nobody_here
from .generative.multi_query import graph_keywords, imagined_answer, other_queries, search_each
from .generative.prompts import document_head, follow_up_messages
from .remarks import no_document_of, not_found, remarks_on

if TYPE_CHECKING:
    from ...core.scope import Scope
    from ...kg.drivers import Driver
    from ...kg.store import Store
    from ...models.embedders import Embedder
    from ...models.language import LanguageModel, Message
    from ...models.reranker import Reranker
    from ..question.plan import Keywords, QuestionPlan
    from ..question.vocabulary.vocabulary import Vocabulary
    from ..search.evidence import Evidence, Expected, Trace


class Searcher(Protocol):
    """Finds evidence for an understood question: :func:`.search.pipeline.search_plan`, or an engine's own."""

    def __call__(
        self,
        plan: QuestionPlan,
        embedder: Embedder | None,
        *,
        mode: str,
        k: int,
        trace: Trace | None,
        reranker: Reranker | None,
    ) -> list[Evidence]:
        """The best ``k`` pieces of evidence."""
        ...


@dataclass(frozen=True, slots=True)
class AskOptions:
    """``history`` is the conversation before a follow-up question, ``budgets`` the tokens of the two legs."""

    mode: str = "hybrid"
    scope: Scope | None = None
    """None reads it from the question."""
    order: Order = "vector-first"
    history: Sequence[Message] = ()
    budgets: tuple[int, int] = BUDGETS
    queries: int = 1
    """Ways of putting the question that a model finds and that are searched each; 1 asks no model."""
    parent: Parent = "auto"
    """What is read for the first hits: "section", "page", "none" (as found); "auto": the section if a model reads."""
    reranker: Reranker | None = None
    """A cross-encoder that puts the first passages in its order."""
    expect: Expected | None = None
    """The kind of value that a program wants; None: a text with citations."""
    search: Searcher = search_plan
    hyde: bool = False
    """An answer that the model imagines is searched for as well."""
    keywords: bool = False
    """The graph starts from names and themes that the model reads in the question as well."""
    checker: LanguageModel | None = None
    """Who judges whether what a model's sentences cite supports them; None: the rules."""
    keywords_read: Keywords | None = None
    """Those that it has read in the whole question of which this is a part; None: it is asked."""


CANDIDATES = 24
"""Pieces of evidence that a search gives for the budgets to choose from."""
_TURNS = 6
"""Messages of the conversation that a model rewrites a follow-up with."""


@dataclass(slots=True)
class Task:
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
    checker: CountedModel | None = None
    """Who judges the sentences; the author itself, or another model that counts what it costs."""

    @property
    def author(self) -> CountedModel | None:
        """The model that writes the answer; None without one, and where it has nothing to read."""
        return self.language_model if self.context.evidence else None

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
        is_of_another = asked and not any(name_key(company) in name_key(names) for company in asked)
        if is_of_another or names_nobody_here(self.plan):
            return ""
        return f"\n{self.plan.text}"

    def answer(self, text: str, model: str) -> Answer:
        """The answer with its remarks; its trace says what all calls to the model cost."""
        unsaid = without(self.remarks, text)
        text = "\n".join((text, *unsaid))
        if self.language_model is not None:
            asked = dict.fromkeys(filter(None, (self.language_model, self.checker)))
            self.trace["usage"] = asdict(sum((model.usage for model in asked), Usage()))
        return Answer(text, self.citations.all(), self.context, self.mode, model, self.trace)


def prepare(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions,
) -> Task:
    """Understand the question, search, look figures up and build the context: all that comes before the answer."""
    trace = Trace()
    store = as_of(store, options.scope.as_of if options.scope else None)
    model = CountedModel(language_model) if language_model is not None else None
    plan = _understood(store, model, question, vocabulary, options, trace)
    texts, graph = _evidence(plan, embedder, model, options, trace)
    outcome = find_numbers(plan, model)
    trace.note("numbers", dict(outcome.trace))
    figure = outcome.asked
    is_absent = any(company.well_known for company in plan.absent)
    number = None if is_absent or names_nobody_here(plan) else outcome.answer
    drivers = () if is_absent else fitting_drivers(plan)
    graph = [*cause_evidence(drivers, texts), *graph]
    chosen = _chosen_of_groups(plan, embedder, model, options, trace)
    if model is not None:
        asks_connection = asks_for_connection(plan.asked)
        graph = adding_to_texts(graph, asks_figure=figure.names_figure, asks_connection=asks_connection)
    context = _context(plan, texts, graph, chosen, number, options, trace, model_reads=model is not None)
    asks_figure = figure.names_figure and figure.route in ("look-up", "calculation")
    return Task(
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
        model if options.checker is language_model else CountedModel(options.checker) if options.checker else None,
    )


def _understood(
    store: Store,
    model: CountedModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions,
    trace: Trace,
) -> QuestionPlan:
    """The question as it is understood, a follow-up with what it refers to; with the model's keywords, if wanted."""
    asked = resolve_follow_up(store, model, question, options.history, trace)
    plan = plan_question(store, asked, vocabulary, options.scope)
    if not options.keywords or options.mode == "vector":
        return plan
    read = options.keywords_read
    return replace(plan, keywords=graph_keywords(model, plan.text, trace) if read is None else read)


def _evidence(
    plan: QuestionPlan, embedder: Embedder | None, model: CountedModel | None, options: AskOptions, trace: Trace
) -> tuple[list[Evidence], list[Evidence]]:
    """What the search finds: passages, with as much around them as is to be read, and evidence of the graph."""
    texts, graph = split_legs(_search(plan, embedder, model, options, trace))
    parent = parent_for(options.parent, model_reads=model is not None)
    texts = read_parents(plan.store, texts, parent, most_tokens(options.budgets[0]))
    trace.note("parents", describe_parents(texts))
    return texts, graph


def _context(
    plan: QuestionPlan,
    texts: Sequence[Evidence],
    graph: Sequence[Evidence],
    chosen: Sequence[Evidence],
    number: NumberAnswer | None,
    options: AskOptions,
    trace: Trace,
    *,
    model_reads: bool,
) -> Context:
    """Both legs within their budgets. Notes ``chosen`` of groups are what answers, the passages their background."""
    budgets = options.budgets
    if chosen:
        graph = [*chosen, *(item for item in graph if item.kind != "community")]
        budgets = (min(budgets), max(budgets))
    if number is not None:
        graph = [*number_evidence(number), *graph]
    context = build_context(
        texts, graph, order=options.order, budgets=budgets, lean=model_reads, question=plan.asked.trimmed
    )
    trace.note("budgets", describe_budgets(texts, graph, context, budgets))
    return context


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
        own = plan if is_own else replace(plan.about(wording), keywords=plan.keywords)
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
    from .overview import FOUND, chosen_of_groups

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


def refusal(task: Task, model: str, absent: Sequence[str] = (), missing: str = "") -> Answer:
    """An honest refusal; ``missing`` says which period or relation no document has, ``absent`` which names."""
    task.trace["not found"] = True
    notes = task.trace.get("scope", {}).get("notes", ())
    if task.plan.absent and not absent:
        missing = no_document_of(task.plan)
    elif not missing or absent:
        missing = not_found(task.plan, task.context.evidence, scope_notes=notes, absent=absent)
    return task.answer(missing, model)
