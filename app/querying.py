"""How a question reaches retrieval: checked, with the settings, words and models of the workspace, names as stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from .core.errors import UsageError
from .core.process import collector_at_rest
from .core.records import dataclass

if TYPE_CHECKING:
    from .components import Components
    from .core.period import Period
    from .core.scope import Scope
    from .models.language import Message
    from .retrieval.answer.context import Order
    from .retrieval.answer.preparation import AskOptions
    from .retrieval.search.context_expansion import Parent
    from .retrieval.search.evidence import Answer, Evidence, Expected, Trace
    from .sources import SourceNames

    Names = str | Sequence[str] | None
    Periods = str | Period | Sequence[str | Period] | None

LONGEST_QUESTION = 2_000
"""Characters: rules that read a question take time with the square of its length."""
LONGEST_NAME = 1_000
"""Characters of a company, a metric or a document that is asked for; paths are the longest of them."""
MOST_NAMES = 10_000
"""Names that a look-up is restricted to."""
MOST_RESULTS = 10_000
"""Pieces of evidence of one search: far more than anybody reads, and still quick."""
MOST_ROWS = 10_000_000
"""Facts, rows or places of one look-up: more than any workspace holds, less than engines count to."""


@dataclass(frozen=True, slots=True)
class QueryOptions:
    """How one question is searched and answered; None stands for the workspace's setting of that name."""

    mode: str | None = None
    scope: Scope | None = None
    """None reads companies, periods and kinds of document from the question."""
    k: int | None = None
    """Pieces of evidence that a search gives; an answer takes what its token budgets hold."""
    order: Order | None = None
    parent: Parent | None = None
    history: Sequence[Message] = ()
    """The conversation before the question, oldest message first."""
    expect: str | None = None
    """The kind of value that a program wants: "number", "boolean", "name", "names", "date" or "text"."""
    session: str = ""
    """Whose questions belong together: flags are the same for all of them, and feedback is counted by it."""
    all_text: bool = False
    """Contents pages, disclaimers, contacts and covers are searched too."""
    checked_by: str | None = None
    """Who judges the sentences of a model's answer: "rules", "model" or "model:NAME"."""
    answer_id: str = ""
    """The id under which the answer is noted; empty: a new one."""


@dataclass(frozen=True, slots=True)
class Querying:
    """Searches and answers on one workspace. Every method raises UsageError for what is no question or no option."""

    components: Components
    sources: SourceNames

    def search(self, question: str, given: QueryOptions, trace: Trace | None = None) -> list[Evidence]:
        """The best evidence, best first, without a model call."""
        self._check(question)
        with collector_at_rest(for_good=True):
            from .retrieval.question.entity_linking import keys_of
            from .retrieval.search.context_expansion import in_their_turns, read_parents
            from .retrieval.search.evidence import Trace
            from .retrieval.search.pipeline import plan_question

        own, options = self.components, self._complete(given, model_reads=False)
        k = check_range("k", own.settings.k if given.k is None else given.k, MOST_RESULTS)
        trace = trace or Trace()
        with own.store.reading(keys_of(question)):
            with trace.timed("scope"):
                plan = plan_question(own.store, question, own.vocabulary, options.scope)
            embedder, reranker = own.embedder_for_search, options.reranker
            found = options.search(plan, embedder, mode=options.mode, k=k, trace=trace, reranker=reranker)
        if (given.parent or own.settings.parent) == "auto":
            return in_their_turns(own.store, found)
        return read_parents(own.store, found, options.parent)

    def ask(self, question: str, given: QueryOptions) -> Answer:
        """An answer with citations; extractive where no language model is configured."""
        self._check(question)
        own = self.components
        with collector_at_rest(for_good=True):
            from .retrieval.answer.multi_part import answer_parts

            vocabulary = own.vocabulary
        given = own.feedback.with_id(given)
        options = self._complete(given, model_reads=own.language_model is not None)
        embedder, model = own.embedder_for_search, own.language_model
        answer = answer_parts(own.store, embedder, model, question, vocabulary, options)
        return own.feedback.noted(answer, question, given)

    def stream(self, question: str, given: QueryOptions) -> Iterator[str | Answer]:
        """The answer in checked pieces as they come, then as a whole."""
        self._check(question)
        own = self.components
        with collector_at_rest(for_good=True):
            from .retrieval.answer.multi_part import stream_parts

            vocabulary = own.vocabulary
        given = own.feedback.with_id(given)
        options = self._complete(given, model_reads=own.language_model is not None)
        embedder, model = own.embedder_for_search, own.language_model
        pieces = stream_parts(own.store, embedder, model, question, vocabulary, options)
        return own.feedback.noted_at_the_end(pieces, question, given)

    def _complete(self, given: QueryOptions, *, model_reads: bool) -> AskOptions:
        """The options of retrieval: what the caller leaves out is the workspace's setting."""
        from .retrieval.answer.preparation import AskOptions
        from .retrieval.search.context_expansion import parent_for
        from .retrieval.search.pipeline import search_plan
        from .retrieval.search.weights import ALL_TEXT, HYDE, KEYWORDS, NO_EXTRAS, extras_named

        settings = self.components.settings
        extras = extras_named(settings.extras) | ({ALL_TEXT} if given.all_text else NO_EXTRAS)
        steering = self.components.feedback.steering(given, extras)
        return AskOptions(
            mode=given.mode or settings.mode,
            scope=self.sources.stored_scope(given.scope),
            order=given.order or order_named(settings.order),
            history=given.history,
            budgets=(settings.vector_tokens, settings.graph_tokens),
            queries=steering.queries(settings.queries) if steering else settings.queries,
            reranker=self.components.reranker,
            expect=_expected(given.expect),
            search=steering or partial(search_plan, bridges=settings.bridges, extras=extras),
            hyde=HYDE in extras,
            keywords=KEYWORDS in extras,
            checker=self.components.checker(given.checked_by or settings.checked_by),
            parent=parent_for(given.parent or settings.parent, model_reads=model_reads),
        )

    def _check(self, question: str) -> None:
        """Raises UsageError for what is no question, StoreError for no workspace, before anything large is loaded."""
        check_question(question)
        _ = self.components.store


def check_question(question: str) -> None:
    """Raises UsageError for what is no question: nothing, only signs, or a long text."""
    if not isinstance(question, str) or not any(map(str.isalnum, question)):
        raise UsageError("there is no question", hint='Ask in words: "What was revenue in 2023?"')
    if len(question) > LONGEST_QUESTION:
        raise UsageError(
            f"the question is longer than {LONGEST_QUESTION:,} characters",
            hint="Add long texts as documents, and ask about them",
        )


def check_range(name: str, value: int, most: int) -> int:
    """The value, a whole number from 1 to ``most``. Raises UsageError that says so for any other.

    >>> check_range("k", 10, MOST_RESULTS)
    10
    """
    if not isinstance(value, int) or not 1 <= value <= most:
        raise UsageError(f"{name} is {value!r}", where=name, hint=f"Give a whole number from 1 to {most:,}")
    return value


def order_named(name: str) -> Order:
    """Raises UsageError for what is no order of the two contexts."""
    known: dict[str, Order] = {"vector-first": "vector-first", "graph-first": "graph-first"}
    if name not in known:
        raise UsageError(f"no order {name!r}", where="order", hint=f"There are: {', '.join(known)}")
    return known[name]


def several(names: Names) -> tuple[str, ...]:
    """One name or several as a tuple.

    >>> several("Acme"), several(None)
    (('Acme',), ())
    """
    if names is None:
        return ()
    given = (names,) if isinstance(names, str) else tuple(names)
    check_names(given)
    return given


def check_names(names: Sequence[str]) -> None:
    """Raises UsageError for what can be no names of companies, metrics or documents: nothing, a text, thousands.

    >>> check_names(["Acme Inc."])
    """
    if len(names) > MOST_NAMES:
        raise UsageError(f"{len(names):,} names", hint=f"Give at most {MOST_NAMES:,}")
    for name in names:
        if not name.strip():
            raise UsageError("a name is empty", hint="Leave it out to search everything")
        if len(name) > LONGEST_NAME:
            raise UsageError(f"a name has {len(name):,} characters ({name[:40]}...)", hint=f"At most {LONGEST_NAME:,}")


def as_periods(periods: Periods) -> tuple[Period, ...]:
    """Periods as a user writes them ("FY2023"). Raises ValueError for what names no period."""
    from .core.period import Period

    if periods is None:
        return ()
    given = (periods,) if isinstance(periods, (str, Period)) else periods
    check_names([period for period in given if isinstance(period, str)])
    return tuple(period if isinstance(period, Period) else Period.parse(period) for period in given)


def _expected(name: str | None) -> Expected | None:
    """The kind of answer that is asked for. Raises UsageError for what is none."""
    if not name:
        return None
    from .retrieval.answer.typed import expected_named

    return expected_named(name)
