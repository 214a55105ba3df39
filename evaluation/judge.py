"""Who says whether an answer is supported: what every judge gives, the paper's four measures, and judges by rules and
by a model.

The rules are those that check answers: figures, names, times, denials and shared words. They are deterministic and
free, but no substitute for reading, as they cannot follow a paraphrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import ModelError
from ..core.language import language_of
from ..core.patterns import without_parts
from ..core.quantity import find_quantities
from ..core.records import dataclass
from ..core.words import has_digit, question_words, search_words
from ..ingest.sentences import split_text
from ..models.language import Message
from ..retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage
from ..retrieval.answer.generative.grounding.figure_check import FigureChecker
from ..retrieval.answer.generative.prompts import defuse, fill
from .metrics.retrieval import answer_relevancy, context_precision, context_recall, faithfulness

if TYPE_CHECKING:
    from ..models.embedders import Embedder
    from ..models.language import LanguageModel

    Measure = Callable[["Judge", Embedder | None, "Case"], float | None]


class JudgeError(ModelError):
    """A judge's reply that holds no verdicts; the measure that it was for is left out of that question."""


QUESTIONS = 3
"""Questions generated from an answer, as in RAGAS."""


class Judge(Protocol):
    """Gives the verdicts that the measures are made of. ``name`` stands in every report: a model's, or "rules"."""

    name: str

    def statements(self, question: str, answer: str) -> list[str]:
        """What the answer claims, one claim each, understandable alone."""

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """For each statement, whether the contexts together support it."""

    def questions(self, answer: str, n: int) -> list[str]:
        """Up to ``n`` questions that the answer would answer."""

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """For each context, whether it helps to arrive at the reference answer."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question, the answer under judgement, what it was made from, and the right answer where one is known.

    ``contexts`` is None where nobody knows what the answer was made from, and empty where nothing was found.
    """

    question: str
    answer: str
    contexts: tuple[str, ...] | None = ()
    reference: str = ""


def rag_scores(judge: Judge, embedder: Embedder | None, case: Case) -> dict[str, float]:
    """Faithfulness, answer relevancy (with an embedder), context precision and context recall (with a reference).

    What cannot be measured is left out: faithfulness without a context or a claim, all three without known contexts,
    and what the judge gave no verdict on.
    """
    scores: dict[str, float] = {}
    for name, measure in _MEASURES.items():
        try:
            value = measure(judge, embedder, case)
        except JudgeError:
            continue
        if value is not None:
            scores[name] = value
    return scores


def _faithfulness(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    claims = judge.statements(case.question, case.answer) if case.contexts else []
    return faithfulness(judge.supported(claims, case.contexts or ())) if claims else None


def _answer_relevancy(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    if embedder is None:
        return None
    vectors = embedder.embed([case.question, *judge.questions(case.answer, QUESTIONS)])
    return answer_relevancy(vectors[0], vectors[1:])


def _context_precision(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    if not case.reference or case.contexts is None:
        return None
    return context_precision(judge.relevant(case.question, case.reference, case.contexts) if case.contexts else [])


def _context_recall(judge: Judge, embedder: Embedder | None, case: Case) -> float | None:
    if not case.reference or case.contexts is None:
        return None
    sentences = judge.statements(case.question, case.reference)
    if not sentences:
        return None
    return context_recall(judge.supported(sentences, case.contexts) if case.contexts else [False])


_MEASURES: dict[str, Measure] = {
    "faithfulness": _faithfulness,
    "answer relevancy": _answer_relevancy,
    "context precision": _context_precision,
    "context recall": _context_recall,
}


SHARED = 0.7
"""Share of a statement's words that a context must hold.

Of true and false sentences on TAT-QA .89 and .04 are called supported (.5: .99 and .04), of right answers that a reader
finds in the contexts of 42 questions, or not, .74 and .08 (.5: .85 and .32; .8: .64 and .05).
"""
_MOST_OF_A_QUESTION = 0.6
"""Share of a question's words that a context must hold beside the figures of its answer."""
_LEAST_WORDS = 2
_CITATION = re.compile(r"\s{0,9}\[\d{1,9}(?:\s{0,9}[,，]\s{0,9}\d{1,9}){0,99}\]")


class RuleJudge:
    """Entailment by rules.

    A statement is supported where one context holds at least 70 % of its words, and where the checks of answers find
    its figures and quotations there and nothing against it: no other name, year, row, direction, cause or denial.
    """

    name = "rules"

    def statements(self, question: str, answer: str) -> list[str]:
        """The sentences of the answer, without citations and without such as hold hardly a word."""
        text = _CITATION.sub("", answer)
        found = [text[s.start : s.end].strip() for s in split_text(text, shortest=0)]
        return [sentence for sentence in found if len(search_words(sentence)) >= _LEAST_WORDS or has_digit(sentence)]

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """For each statement, whether a stretch of one context supports it."""
        return [_is_supported(statement, contexts) for statement in statements]

    def questions(self, answer: str, n: int) -> list[str]:
        """The answer's first statements without their numbers: what they are about, if not how one would ask it."""
        return [re.sub(r"[$€£¥]?\d[\d,.]*\s?%?", "", sentence) for sentence in self.statements("", answer)[:n]]

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """A context helps that supports a statement of the reference, or holds its numbers and most of the question."""
        claims = self.statements(question, reference)
        asked = set(question_words(question))
        return [
            any(self.supported(claims, [context])) or _holds_answer(context, question, reference, asked)
            for context in contexts
        ]


def _supports(context: str, statement: str) -> bool:
    """True where a context has most words of a statement, and nothing of it speaks against the statement."""
    head, text = _head_and_text(context)
    wanted = set(search_words(_without_amounts(statement)))
    held = set(search_words(context))
    if len(wanted & held) < SHARED * len(wanted):
        return False
    return AnswerChecker([Passage(text, head)]).check(statement, [0]).passed


def _head_and_text(context: str) -> tuple[str, str]:
    """What a context says of its document in a first line in brackets, and the rest of it."""
    head, _, text = context.partition("\n")
    is_headed = head.startswith("(") and head.endswith(")") and bool(text)
    return (head.strip("()"), text) if is_headed else ("", context)


def _without_amounts(text: str) -> str:
    """The text without its amounts, which are compared by value: "billion" need not stand in the premise."""
    return without_parts(text, find_quantities(text))


def _is_supported(statement: str, contexts: Sequence[str]) -> bool:
    return any(_supports(context, statement) for context in contexts)


def _holds_answer(context: str, question: str, reference: str, asked: set[str]) -> bool:
    """True for a context with the figures of the right answer and most words of the question."""
    figures = FigureChecker([Passage(context)], question).check(reference, [0])
    shared = len(asked & set(search_words(context))) / len(asked) if asked else 0.0
    are_there = all(figure.kind != "not found" for figure in figures)
    return bool(figures) and are_there and shared >= _MOST_OF_A_QUESTION


def _list_schema(name: str, kind: str) -> dict[str, Any]:
    items = {"type": "array", "items": {"type": kind}}
    return {"type": "object", "properties": {name: items}, "required": [name], "additionalProperties": False}


class ModelJudge:
    """Asks a model for each verdict; every question and context is one call at most, so that the cache serves repeats.

    Raises:
        JudgeError: the model does not give one verdict for each thing asked.
        ModelError: the model is unreachable.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.name = model.name

    def statements(self, question: str, answer: str) -> list[str]:
        """The claims of the answer, as the model separates them."""
        return self._texts("statements", "judge_statements", question, question=question, answer=answer)

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """Verdicts on all statements in one call."""
        if not statements:
            return []
        values = {"context": defuse("\n\n".join(contexts))}
        return self._verdicts("judge_supported", " ".join(statements), "statements", statements, values)

    def questions(self, answer: str, n: int) -> list[str]:
        """Questions that the answer answers."""
        return self._texts("questions", "judge_questions", answer, n=n, answer=answer)[:n]

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """Verdicts on all contexts in one call."""
        if not contexts:
            return []
        values = {"question": question, "reference": reference}
        return self._verdicts("judge_relevant", question, "contexts", [defuse(c) for c in contexts], values)

    def _texts(self, key: str, task: str, spoken: str, **values: object) -> list[str]:
        found = self._ask(task, spoken, _list_schema(key, "string"), values).get(key, [])
        return [str(item).strip() for item in found if str(item).strip()]

    def _verdicts(
        self, task: str, spoken: str, key: str, items: Sequence[str], values: Mapping[str, object]
    ) -> list[bool]:
        """One verdict for each item; those that an answer leaves out are asked once more, alone."""
        found: dict[int, bool] = {}
        for _ in range(_ASKED):
            left = [number for number in range(1, len(items) + 1) if number not in found]
            if not left:
                break
            asked = "\n".join(f"{place}. {items[number - 1]}" for place, number in enumerate(left, 1))
            given = self._ask(task, spoken, _verdict_schema(), {**values, key: asked}).get("verdicts")
            found |= {left[place - 1]: verdict for place, verdict in _read_verdicts(given, len(left)).items()}
        if len(found) < len(items):
            raise JudgeError(f"the judge gave {len(found)} verdicts for {len(items)}", where=self.name)
        return [found[number] for number in range(1, len(items) + 1)]

    def _ask(self, task: str, spoken: str, schema: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
        prompt = fill(task, language_of(spoken), **values)
        data = self.model.reply([Message("user", prompt)], schema=schema).data
        if not isinstance(data, dict):
            raise JudgeError("the judge did not answer with a JSON object", where=self.name)
        return data


def _verdict_schema() -> dict[str, Any]:
    """Numbered verdicts: one that is left out costs itself, not the others."""
    fields = {"number": {"type": "integer"}, "verdict": {"type": "boolean"}}
    row = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    rows = {"type": "array", "items": row}
    return {"type": "object", "properties": {"verdicts": rows}, "required": ["verdicts"], "additionalProperties": False}


def _read_verdicts(given: object, count: int) -> dict[int, bool]:
    """Number -> verdict of what a judge gave: numbered rows, or a plain list of the right length.

    >>> _read_verdicts([{"number": 2, "verdict": "yes"}], 2), _read_verdicts(["supported", "No."], 2)
    ({2: True}, {1: True, 2: False})
    >>> _read_verdicts([True], 2)
    {}
    """
    rows = given if isinstance(given, list) else []
    if isinstance(given, Mapping):
        rows = [{"number": number, "verdict": verdict} for number, verdict in given.items()]
    if rows and not any(isinstance(row, Mapping) for row in rows):
        rows = [{"number": place, "verdict": row} for place, row in enumerate(rows, 1)] if len(rows) == count else []
    found: dict[int, bool] = {}
    for row in rows:
        number, verdict = _number_of(row), _verdict_of(row)
        if verdict is not None and 1 <= number <= count:
            found[number] = verdict
    return found


def _number_of(row: object) -> int:
    number = str(row.get("number", "")) if isinstance(row, Mapping) else ""
    return int(number) if number.isdecimal() else 0


def _verdict_of(row: object) -> bool | None:
    """True or False, also in words; None for what is neither."""
    said = row.get("verdict") if isinstance(row, Mapping) else None
    words = str(said).strip().strip(".!").lower()
    if words in _YES:
        return True
    return False if words in _NO else None


_YES = frozenset({"true", "yes", "1", "supported", "relevant", "是", "支持", "有帮助"})
_NO = frozenset(
    {"false", "no", "0", "not supported", "unsupported", "irrelevant", "not relevant", "否", "不支持", "无帮助"}
)
_ASKED = 2
"""Times that a judge is asked for one verdict."""
