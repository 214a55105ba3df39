"""A language model as the judge, with prompts in the language of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.language import language_of
from ..models.language import Message
from ..retrieval.answer.generative.prompts import defuse, fill
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
