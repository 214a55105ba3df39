"""A language model as the judge, with prompts in the language of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.language import language_of
from ..models.language import Message
from ..retrieval.answer.generative.prompts import fill
from ..retrieval.answer.planted_text import defuse
from .judge import JudgeError

if TYPE_CHECKING:
    from ..models.language import LanguageModel


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
        values = {"context": defuse("\n\n".join(contexts)), "statements": _numbered(statements)}
        return self._verdicts("judge_supported", " ".join(statements), len(statements), values)

    def questions(self, answer: str, n: int) -> list[str]:
        """Questions that the answer answers."""
        return self._texts("questions", "judge_questions", answer, n=n, answer=answer)[:n]

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """Verdicts on all contexts in one call."""
        if not contexts:
            return []
        values = {"question": question, "reference": reference, "contexts": _numbered([defuse(c) for c in contexts])}
        return self._verdicts("judge_relevant", question, len(contexts), values)

    def _texts(self, key: str, task: str, spoken: str, **values: object) -> list[str]:
        found = self._ask(task, spoken, _list_schema(key, "string"), values).get(key, [])
        return [str(item).strip() for item in found if str(item).strip()]

    def _verdicts(self, task: str, spoken: str, n: int, values: Mapping[str, object]) -> list[bool]:
        verdicts = self._ask(task, spoken, _list_schema("verdicts", "boolean"), values).get("verdicts", [])
        if len(verdicts) != n:
            raise JudgeError(f"the judge gave {len(verdicts)} verdicts for {n}", where=self.name)
        return [verdict is True for verdict in verdicts]

    def _ask(self, task: str, spoken: str, schema: Mapping[str, Any], values: Mapping[str, object]) -> dict[str, Any]:
        prompt = fill(task, language_of(spoken), **values)
        data = self.model.reply([Message("user", prompt)], schema=schema).data
        if not isinstance(data, dict):
            raise JudgeError("the judge did not answer with a JSON object", where=self.name)
        return data


def _numbered(items: Sequence[str]) -> str:
    return "\n".join(f"{number}. {item}" for number, item in enumerate(items, 1))
