"""Answers a question from the store: search, context, then a model's checked answer or an extractive one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from ...core.errors import ModelError
from ...prompts.messages import message
from ..question.entity_linking import keys_of
from ..search.evidence import Answer, Citation, Evidence, Expected
from .citations import write_number
from .extractive.sentence_scoring import Quote
from .generative.prompts import NOT_FOUND, answer_messages, asks_for_orders, defuse, fill, order_by_meaning
from .preparation import AskOptions, Task, prepare, refusal
from .remarks import absent_names, subject_elsewhere
from .without_model import extractive_answer

if TYPE_CHECKING:
    from ...kg.store import Store
    from ...models.embedders import Embedder
    from ...models.language import LanguageModel, Message
    from ..question.vocabulary.vocabulary import Vocabulary
    from .generative.grounding.checked_writer import CheckedWriter

_PLAIN = AskOptions()


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
        task = prepare(store, embedder, language_model, question, vocabulary, options)
        if options.expect is not None:
            return _typed(task, options.expect)
        author = task.author
        if author is None:
            return extractive_answer(task)
        return _checked(task, author.reply(_messages(task)).text, author.name)


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
        task = prepare(store, embedder, language_model, question, vocabulary, options)
        author = task.author or extractive_answer(task)
    if isinstance(author, Answer):
        yield from _whole(author)
        return
    writer = _writer(task)
    said: list[str] = []
    yield from _checked_parts(task, author, writer, said)
    if not said:
        yield from _whole(_checked(task, NOT_FOUND, author.name))
        return
    for remark in _last_remarks(task, writer):
        said.append(remark)
        yield remark
    yield _finished(task, "".join(said), writer, author.name)


def _checked_parts(task: Task, language_model: LanguageModel, writer: CheckedWriter, said: list[str]) -> Iterator[str]:
    """What may be shown of the model's stream, kept in ``said`` as well; nothing where the model says NOT_FOUND.

    What stands before all that is said of a company waits for the first sentence that rests on the evidence: before a
    refusal it would promise what does not come.
    """
    opening, shown, gap = _opening(task), 0, ""
    for part in _parts(task, language_model, said):
        if not said and part.strip().startswith(NOT_FOUND):
            return
        gap = max(gap, _gap(part), key=_GAPS.index)  # what was left out between may have stood in lines of its own
        text = writer.write(part)
        if not text:
            continue
        said.append(gap + text if said else text)
        gap = ""
        if opening and writer.cited:
            said[0], opening = opening + said[0], ""
        if not opening:
            yield "".join(said[shown:])
            shown = len(said)
    if opening and said and not _is_refused(writer):
        said[0] = opening + said[0]
    if shown < len(said):
        yield "".join(said[shown:])


def _opening(task: Task) -> str:
    """What stands before all that a model says of a company that no document is of; "" for any other."""
    elsewhere = subject_elsewhere(task.plan)
    return f"{elsewhere}\n" if elsewhere else ""


_GAPS = ("", " ", "\n", "\n\n")
"""What may stand between two parts of a stream, the wider one later; a blank line ends a list or a table."""


def _gap(part: str) -> str:
    """What stands between a part of the stream and what came before it."""
    breaks = part[: len(part) - len(part.lstrip())].count("\n")
    return _GAPS[min(breaks, 2) + 1]


def _last_remarks(task: Task, writer: CheckedWriter) -> Iterator[str]:
    """What is said behind a streamed answer: that it was cut, what came closest, and which period no document is of."""
    if "broken off" in task.trace:
        yield f" {message('broken_off', task.plan.language)}"
    if _is_refused(writer):
        if closest := _closest(task):
            yield f"\n{closest}"
        return
    for remark in filter(None, (_judged(task, writer), _remark(task), *task.remarks)):
        yield f"\n{remark}"


def _messages(task: Task) -> list[Message]:
    """What the model is sent; where no document is of the period asked it is told, as an extract says it itself."""
    told = [] if task.number else task.period.told()
    if task.plan.absent:
        told.append(fill("missing_company", task.plan.language, company=defuse(absent_names(task.plan))))
    return answer_messages(task.plan.text, task.context, [*task.remarks, *told], task.about)


def _parts(task: Task, language_model: LanguageModel, said: Sequence[str]) -> Iterator[str]:
    """The sentences of the model's stream; an error after the first of them ends it and is noted."""
    from .generative.grounding.checked_writer import complete_parts

    try:
        yield from complete_parts(language_model.stream(_messages(task)))
    except ModelError as error:
        if not said:
            raise
        task.trace["broken off"] = str(error)


def _whole(answer: Answer) -> Iterator[str | Answer]:
    yield answer.text
    yield answer


def _writer(task: Task) -> CheckedWriter:
    from .generative.grounding.checked_writer import CheckedWriter  # what checks a model is loaded where one answers

    plan = task.plan
    asked = asks_for_orders(plan.text)
    evidence = task.context.evidence
    several = len(plan.sub_questions) > 1
    return CheckedWriter(
        evidence,
        task.citations,
        plan.language,
        plan.text,
        task.names,
        orders_asked=asked,
        asks_several=several,
        judged=task.checker is not None,
        means_order=None if asked else order_by_meaning(task.embedder),
    )


def _judged(task: Task, writer: CheckedWriter) -> str:
    """Which sentences what they cite does not support, and who judged that; "" where the rules did as they stood."""
    if task.checker is None:
        return ""
    from .generative.grounding.model_check import SentenceCheck, settled

    evidence = task.context.evidence
    heads = [" | ".join((about, *item.headings)) for about, item in zip(task.about, evidence, strict=True)]
    check = SentenceCheck.of([item.text for item in evidence], heads, task.plan.language)
    return settled(writer, task.checker, check, task.trace)


def _checked(task: Task, text: str, model: str) -> Answer:
    if text.strip().strip("*.").startswith(NOT_FOUND):
        refused = refusal(task, model, missing=task.period.message(()))
        text = "\n".join(filter(None, (refused.text, _closest(task))))
        return replace(refused, text=text, citations=task.citations.all())
    writer = _writer(task)
    written = writer.write(text)
    is_refused = _is_refused(writer)
    last = [_closest(task)] if is_refused else [_judged(task, writer), _remark(task)]
    opening = "" if is_refused else _opening(task)
    return _finished(task, opening + "\n".join(filter(None, (written, *last))), writer, model)


def _is_refused(writer: CheckedWriter) -> bool:
    """True where the model says, in whatever words, that the evidence does not answer, and nothing else."""
    return bool(writer.refusals) and not writer.cited


def _closest(task: Task) -> str:
    """Figures that the rules found where the model, which has read the evidence, found no answer: said as such."""
    if task.number is None:
        return ""
    return f"{message('closest_figures', task.plan.language)} {write_number(task.number, task.citations)}"


def _typed(task: Task, expected: Expected) -> Answer:
    """An answer with a value of the kind that is expected; with a model its reason in words is checked as any text."""
    from .typed import TypedReader, read_typed

    author = task.author
    if author is None:
        extract = extractive_answer(task)
        return replace(extract, typed=read_typed(expected, task.plan, task.number, extract))
    reader = TypedReader(expected, task.plan.text, task.context, task.about, task.plan.vocabulary.formulas)
    reply = author.reply(reader.messages(), schema=reader.schema)
    value, reason, places = reader.read(reply.data)
    writer = _writer(task)
    marks = "".join(f"[{place + 1}]" for place in places)
    written = writer.write(reason if "[" in reason else f"{reason} {marks}".strip())
    task.trace["dropped"], task.trace["unverified"] = writer.dropped, writer.unverified
    task.trace["checked_by"] = "rules"
    text = "\n".join(filter(None, (value.text, value.note, written, _judged(task, writer))))
    return replace(task.answer(text, author.name), typed=value)


def _remark(task: Task) -> str:
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


def _finished(task: Task, text: str, writer: CheckedWriter, model: str) -> Answer:
    """The answer; a refusal stands without a citation; an extractive answer where nothing stood the check."""
    task.trace["dropped"], task.trace["unverified"] = writer.dropped, writer.unverified
    task.trace["unsupported"] = writer.unsupported
    task.trace.setdefault("checked_by", "rules")
    task.trace["figures"] = list(map(asdict, writer.figures))
    if writer.begins_with_refusal or (writer.refusals and not writer.cited):
        task.trace["not found"] = True
        return task.answer(text, model)
    return task.answer(text, model) if writer.cited else extractive_answer(task)
