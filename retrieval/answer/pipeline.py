"""Answers a question from the store: search, context, then a model's checked answer or an extractive one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ...core.errors import ModelError
from ...kg.as_of import as_of
from ..calculation import NumberAnswer, find_numbers
from ..question.conversation import stand_alone
from ..question.entity_linking import keys_of
from ..question.question import read_question
from ..search.context_expansion import describe_parents, hits_of, most_tokens, parent_for, read_parents
from ..search.evidence import Answer, Context, Evidence
from ..search.index.corpus import corpus_of
from ..search.trace import Trace
from .citations import Citations
from .context import build_context, describe_budgets, describe_place, split_legs
from .extractive.quoting import choose_quotes
from .extractive.requirements.narrowing import Narrowing, read_narrowing
from .extractive.requirements.period import PeriodGaps
from .extractive.requirements.relation import RelationsAsked, relations_asked
from .extractive.requirements.subject import names_nobody_here
from .extractive.scoring import Quote
from .extractive.selection import write_extract
from .figures import number_evidence, write_number
from .multi_query import other_queries, search_each
from .options import AskOptions
from .overview import claims_for, write_overview
from .prompts import NOT_FOUND, answer_messages, fill, follow_up_messages, gives_orders, language_of
from .refusal import not_found, not_stated
from .written import CheckedWriter, complete_parts

if TYPE_CHECKING:
    from ...core.scope import Scope
    from ...kg.store import Store
    from ...models.embedder import Embedder
    from ...models.language import LanguageModel, Message

EXTRACTIVE = "extractive"
"""Name of the model where there is none."""
CANDIDATES = 24
"""Pieces of evidence that a search gives for the budgets to choose from."""
_TURNS = 6
"""Messages of the conversation that a follow-up looks back on."""


@dataclass(slots=True)
class _Task:
    """One question on its way to an answer."""

    store: Store
    embedder: Embedder | None
    question: str
    context: Context
    mode: str
    citations: Citations
    scope: Scope | None = None
    trace: dict[str, Any] = field(default_factory=dict)
    number: NumberAnswer | None = None
    asks_figure: bool = False
    """A metric or formula is named."""
    narrowing: Narrowing = field(default_factory=Narrowing)
    """What the figure asked for is of."""

    def gaps(self) -> PeriodGaps:
        """The periods asked that no document of the company is of."""
        return PeriodGaps(self.store, read_question(self.question), self.scope, asks_figure=self.asks_figure)

    def answer(self, text: str, model: str) -> Answer:
        return Answer(text, self.citations.all(), self.context, self.mode, model, self.trace)


def answer_question(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    options: AskOptions | None = None,
    **changes: Any,
) -> Answer:
    """Answer with citations, from the documents alone; ``changes`` are fields of the options.

    Without a model the answer is extractive: the best sentences, facts and relations, quoted (``model="extractive"``).
    With one, each of its sentences is checked against what it cites: numbers and quotations that are not there are
    marked, sentences that rest on nothing are dropped (``trace`` lists both). Where the evidence is weak the answer
    says so.

    Raises:
        ModelError: the model cannot be reached or answers nonsense.
    """
    options = replace(options or AskOptions(), **changes)
    with store.reading(keys_of(question)):
        task = _prepare(store, embedder, language_model, question, options)
        if language_model is None or not task.context.evidence:
            return _extract(task)
        reply = language_model.reply(_messages(task))
        task.trace["usage"] = asdict(reply.usage)
        return _checked(task, reply.text, language_model.name)


def stream_answer(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    options: AskOptions | None = None,
    **changes: Any,
) -> Iterator[str | Answer]:
    """As :func:`answer_question`, a checked sentence at a time; the last item is the whole :class:`Answer`.

    Where the model's stream breaks off, what came before stays: the answer says that it is cut, and ``trace`` why.
    """
    options = replace(options or AskOptions(), **changes)
    with store.reading(keys_of(question)):  # nothing is given out inside: the next step may run in another thread
        task = _prepare(store, embedder, language_model, question, options)
        extract = _extract(task) if language_model is None or not task.context.evidence else None
    if language_model is None or extract:
        yield from _whole(extract or _extract(task))
        return
    writer = CheckedWriter(task.context.evidence, task.citations, language_of(task.question))
    said: list[str] = []
    for part in _parts(task, language_model, said):
        if not said and part.strip().startswith(NOT_FOUND):
            break
        text = writer.write(part)
        if text:
            said.append(("\n" if part.startswith("\n") else " " if said else "") + text)
            yield said[-1]
    if said and "broken off" in task.trace:
        said.append(f" {fill('broken_off', language_of(task.question))}")
        yield said[-1]
    if said and (remark := _remark(task)):
        said.append(f"\n{remark}")
        yield said[-1]
    if said:
        yield _finished(task, "".join(said), writer, language_model.name)
    else:
        yield from _whole(_checked(task, NOT_FOUND, language_model.name))


def _messages(task: _Task) -> list[Message]:
    """What the model is sent; where no document is of the period asked it is told, as an extract says it itself."""
    return answer_messages(task.question, task.context, [] if task.number else task.gaps().told())


def _parts(task: _Task, language_model: LanguageModel, said: Sequence[str]) -> Iterator[str]:
    """The sentences of the model's stream; an error after the first of them ends it and is noted."""
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
    store: Store, embedder: Embedder | None, language_model: LanguageModel | None, question: str, options: AskOptions
) -> _Task:
    """Search and build the context."""
    trace = Trace()
    store = as_of(store, options.scope.as_of if options.scope else None)
    asked = _standalone(store, language_model, question, options.history, trace)
    others = other_queries(language_model, asked, options.queries, trace)

    def search(query: str) -> list[Evidence]:
        noted = trace if query == asked else Trace()
        return options.search(store, embedder, query, mode=options.mode, k=CANDIDATES, scope=options.scope, trace=noted)

    texts, graph = split_legs(search_each(search, asked, others))
    parent = parent_for(options.parent, model_reads=language_model is not None)
    texts = read_parents(store, texts, parent, most_tokens(options.budgets[0]))
    trace.note("parents", describe_parents(texts))
    outcome = find_numbers(store, asked, model=language_model, scope=options.scope, formulas=options.formulas)
    trace.note("numbers", dict(outcome.trace))
    number = outcome.answer if outcome.answer and not names_nobody_here(store, read_question(asked)) else None
    figures = number_evidence(number) if number else []
    context = build_context(texts, [*figures, *graph], order=options.order, budgets=options.budgets)
    trace.note("budgets", describe_budgets(texts, [*figures, *graph], context, options.budgets))
    task = _Task(store, embedder, asked, context, options.mode, Citations(store), options.scope, trace.data)
    task.number = number
    read = outcome.asked
    task.asks_figure = read.route in ("look-up", "calculation") and any(operand.name for operand in read.operands)
    task.narrowing = read_narrowing(read, corpus_of(store).catalogue.companies)
    return task


def _standalone(
    store: Store, language_model: LanguageModel | None, question: str, history: Sequence[Message], trace: Trace
) -> str:
    """A follow-up question with what it refers to: rewritten by the model, without one or where it fails by rules."""
    earlier = [message.content for message in history if message.role == "user"]
    if not earlier:
        return question
    asked = ""
    if language_model is not None:
        try:
            asked = language_model.reply(follow_up_messages(question, history[-_TURNS:])).text.strip()
        except ModelError as error:
            trace.note("rewriting failed", str(error))
    asked = asked or stand_alone(question, earlier, corpus_of(store).catalogue.companies)
    if asked != question:
        trace.note("searched for", asked)
    return asked


def _extract(task: _Task) -> Answer:
    asked = read_question(task.question)
    number = write_number(task.number, task.citations) if task.number else ""
    if number and not asked.explains:
        return task.answer(number, EXTRACTIVE)
    related = RelationsAsked() if number else relations_asked(task.store, asked, task.scope)
    if stated := [quote for quote in related.quotes() if not gives_orders(quote.text)]:
        return task.answer(write_extract(task.store, stated, task.citations), EXTRACTIVE)
    if not number and (claims := claims_for(asked, task.context.evidence)):
        return task.answer(write_overview(claims, task.citations), EXTRACTIVE)
    gaps = task.gaps()
    evidence = [item for item in hits_of(task.context.evidence) if "numbers" not in item.why]  # said already
    chosen, absent, again = choose_quotes(
        task.store, task.embedder, asked, evidence, task.scope, gaps, related, task.narrowing
    )
    if again:
        task.trace["looked again"] = [describe_place(item) for item in again]
    missing = (
        ""
        if number
        else gaps.written(chosen) or ("" if chosen else not_stated(task.store, task.question, related.names))
    )
    if not chosen:
        return task.answer(number, EXTRACTIVE) if number else _not_found(task, EXTRACTIVE, absent, missing)
    text = write_extract(task.store, chosen, task.citations, asked.years)
    return task.answer("\n".join(filter(None, (number, missing, text))), EXTRACTIVE)


def _checked(task: _Task, text: str, model: str) -> Answer:
    if text.strip().startswith(NOT_FOUND):
        return _extract(task) if task.number else _not_found(task, model, missing=task.gaps().written(()))
    writer = CheckedWriter(task.context.evidence, task.citations, language_of(task.question))
    written = writer.write(text)
    return _finished(task, "\n".join(filter(None, (written, _remark(task)))), writer, model)


def _remark(task: _Task) -> str:
    """Which period asked no document is of, said under a model's answer that cites nothing of it; else ""."""
    if task.number:
        return ""
    cited = [
        Quote(item, citation.text, citation.start, citation.end)
        for citation in task.citations.all()
        for item in task.context.evidence
        if item.source == citation.source and item.start <= citation.start and citation.end <= item.end
    ]
    return task.gaps().written(cited, before_quotes=False)


def _finished(task: _Task, text: str, writer: CheckedWriter, model: str) -> Answer:
    """The answer, or an extractive one where nothing of it stood the check."""
    task.trace["dropped"], task.trace["unverified"] = writer.dropped, writer.unverified
    return task.answer(text, model) if task.citations.all() else _extract(task)


def _not_found(task: _Task, model: str, absent: Sequence[str] = (), missing: str = "") -> Answer:
    """An honest refusal; ``missing`` says which period or relation no document has, ``absent`` which names."""
    task.trace["not found"] = True
    notes = task.trace.get("scope", {}).get("notes", ())
    evidence = task.context.evidence
    if not missing or absent:
        missing = not_found(task.store, task.question, task.scope, evidence, scope_notes=notes, absent=absent)
    return task.answer(missing, model)
