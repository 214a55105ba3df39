"""Answers a question with several parts: each part by the whole path, one answer with a paragraph a part.

A part is answered or refused for itself. Citations are numbered through, a sentence that two parts cite once; the
evidence of the parts is dealt out in turns, so that none crowds out another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...core.patterns import on_demand
from ...core.records import dataclass
from ...core.sequences import first
from ...models.language import CountedModel
from ..question.entity_linking import keys_of
from ..search.evidence import Answer, Citation, Context, Trace, dealt_in_turns
from ..search.pipeline import plan_question
from .generative.multi_query import graph_keywords, views_of
from .pipeline import answer_question, stream_answer
from .preparation import AskOptions, resolve_follow_up
from .without_model import EXTRACTIVE

if TYPE_CHECKING:
    from ...kg.store import Store
    from ...models.embedders import Embedder
    from ...models.language import LanguageModel
    from ..question.vocabulary.vocabulary import Vocabulary

_AT_ONCE = 4
"""Parts that are answered at once where a model is waited for."""
_MARK = on_demand(r"\[(\d{1,4})\]")
_PLAIN = AskOptions()


@dataclass(slots=True)
class _Request:
    """One question, what it is answered with, and its parts."""

    store: Store
    embedder: Embedder | None
    model: LanguageModel | None
    vocabulary: Vocabulary
    options: AskOptions
    question: str
    parts: Sequence[str] = ()
    noted: Mapping[str, Any] = field(default_factory=dict)
    """What the trace says of the question as a whole."""
    spent: Mapping[str, Any] | None = None
    """What a model that completed a follow-up question cost."""

    def traced(self, answer: Answer) -> Answer:
        """The answer to a question of one part with what was noted and spent before it was answered."""
        trace = {**self.noted, **answer.trace}
        if self.spent is not None:
            trace["usage"] = _usage([self.spent, trace["usage"]])
        return replace(answer, trace=trace)

    def answer(self, part: str) -> Answer:
        """One part by the whole path."""
        return answer_question(self.store, self.embedder, self.model, part, self.vocabulary, self.options)

    def answers(self) -> Iterator[Answer]:
        """The answers of all parts in their order, each as soon as it is there."""
        if self.model is None:
            yield from map(self.answer, self.parts)
            return
        with ThreadPoolExecutor(min(_AT_ONCE, len(self.parts))) as pool:
            yield from pool.map(self.answer, self.parts)


def answer_parts(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions = _PLAIN,
) -> Answer:
    """As :func:`.pipeline.answer_question`; a question with several parts is answered part by part.

    ``trace["parts"]`` says of each part what was asked, whether it was found, and how; "not found" is in the trace
    where no part was. A value that a program expects (``options.expect``) is asked for whole.

    Raises:
        ModelError: the model cannot be reached or answers nonsense.
    """
    asked = _read(_Request(store, embedder, language_model, vocabulary, options, question))
    if len(asked.parts) < 2:
        return asked.traced(asked.answer(asked.question))
    return _joined(asked, list(asked.answers()))


def stream_parts(
    store: Store,
    embedder: Embedder | None,
    language_model: LanguageModel | None,
    question: str,
    vocabulary: Vocabulary,
    options: AskOptions = _PLAIN,
) -> Iterator[str | Answer]:
    """As :func:`answer_parts`, a paragraph at a time, one question a sentence at a time; the last item is the whole."""
    asked = _read(_Request(store, embedder, language_model, vocabulary, options, question))
    if len(asked.parts) < 2:
        for piece in stream_answer(store, embedder, asked.model, asked.question, vocabulary, asked.options):
            yield asked.traced(piece) if isinstance(piece, Answer) else piece
        return
    numbers = JointCitations()
    answers: list[Answer] = []
    for part, answer in zip(asked.parts, asked.answers(), strict=True):
        paragraph = _paragraph(part, numbers.renumbered(answer))
        yield f"\n\n{paragraph}" if answers else paragraph
        answers.append(answer)
    yield _joined(asked, answers)


def _read(request: _Request) -> _Request:
    """The request with its parts; a follow-up question with what it refers to."""
    options = request.options
    if options.expect is not None:
        return request
    if options.history:
        trace = Trace()
        model = CountedModel(request.model) if request.model is not None else None
        with request.store.reading(keys_of(request.question)):
            whole = resolve_follow_up(request.store, model, request.question, options.history, trace)
        spent = asdict(model.usage) if model is not None else None
        request = replace(request, question=whole, noted=trace.data, spent=spent, options=replace(options, history=()))
    trace = Trace()
    counted = CountedModel(request.model) if request.model is not None else None
    with request.store.reading(keys_of(request.question)):
        plan = plan_question(request.store, request.question, request.vocabulary, options.scope)
        parts = views_of(counted, plan, trace)
        if len(parts) > 1 and options.keywords and options.mode != "vector":
            read = graph_keywords(counted, plan.text, trace)
            request = replace(request, options=replace(request.options, keywords_read=read))
    if counted is None or not counted.usage.calls:
        return replace(request, parts=parts)
    used = [asdict(counted.usage), *([request.spent] if request.spent is not None else [])]
    return replace(request, parts=parts, noted={**request.noted, **trace.data}, spent=_usage(used))


# --- the parts as one


class JointCitations:
    """Numbers the citations of several answers through; what two of them cite has one number."""

    def __init__(self) -> None:
        self.citations: list[Citation] = []
        self._known: dict[tuple[str, int, int, str], int] = {}

    def renumbered(self, answer: Answer) -> str:
        """The text of an answer with the numbers that its citations have in the whole."""
        own = {citation.number: self.number(citation) for citation in answer.citations}

        def mark(match: re.Match[str]) -> str:
            number = own.get(int(match[1]))
            return f"[{number}]" if number else match[0]

        return _MARK.sub(mark, answer.text)

    def number(self, citation: Citation) -> int:
        """The number of a citation in the whole; its own is left."""
        key = (citation.source, citation.start, citation.end, "" if citation.end else citation.text)
        if key not in self._known:
            self._known[key] = len(self.citations) + 1
            self.citations.append(replace(citation, number=len(self.citations) + 1))
        number = self._known[key]
        if not citation.checked:
            self.citations[number - 1] = replace(self.citations[number - 1], checked=False)
        return number


def _joined(asked: _Request, answers: Sequence[Answer]) -> Answer:
    """One answer: a paragraph a part under its question, all citations, the evidence of all."""
    numbers = JointCitations()
    pairs = zip(asked.parts, answers, strict=True)
    text = "\n\n".join(_paragraph(part, numbers.renumbered(answer)) for part, answer in pairs)
    written = [answer.model for answer in answers if answer.model != EXTRACTIVE]
    return Answer(
        text,
        tuple(numbers.citations),
        _context(answers),
        answers[0].mode,
        first(written, EXTRACTIVE),
        _trace(asked, answers),
    )


def _paragraph(part: str, text: str) -> str:
    return f"{part}\n{text}"


def _context(answers: Sequence[Answer]) -> Context:
    """The evidence of all parts, first the best of each, then the second of each; each piece once."""
    vector = dealt_in_turns([answer.context.vector for answer in answers])
    graph = dealt_in_turns([answer.context.graph for answer in answers])
    tokens = sum(item.tokens for item in (*vector, *graph))
    return Context(tuple(vector), tuple(graph), answers[0].context.order, tokens)


def _trace(asked: _Request, answers: Sequence[Answer]) -> dict[str, Any]:
    parts = [
        {"question": part, "found": "not found" not in answer.trace, "trace": dict(answer.trace)}
        for part, answer in zip(asked.parts, answers, strict=True)
    ]
    trace: dict[str, Any] = {**asked.noted, "parts": parts}
    for name in ("dropped", "unverified", "unsupported", "figures", "judgements"):
        found = list(chain.from_iterable(answer.trace.get(name, ()) for answer in answers))
        if found:
            trace[name] = found
    judges = dict.fromkeys(answer.trace["checked_by"] for answer in answers if "checked_by" in answer.trace)
    if judges:
        trace["checked_by"] = ", ".join(judges)
    if not any(part["found"] for part in parts):
        trace["not found"] = True
    spent = [answer.trace["usage"] for answer in answers if "usage" in answer.trace]
    if asked.spent is not None:
        spent.append(asked.spent)
    if spent:
        trace["usage"] = _usage(spent)
    return trace


def _usage(spent: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What several steps cost together."""
    costs = [used["cost"] for used in spent if used["cost"] is not None]
    total: dict[str, Any] = {}
    for name in ("input_tokens", "output_tokens", "calls"):
        total[name] = sum(used[name] for used in spent)
    total["cost"] = sum(costs) if costs else None
    return total
