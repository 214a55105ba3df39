"""Readers whose replies were written down once, so that a change of the program is seen without a model."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cliquerag.models.language import Failed, Message, Reply, Usage
from cliquerag.retrieval.answer.typed import TypedReader

_WORD = re.compile(r"\w+")
_CELL = re.compile(r"\[(c\d{1,4})\]")


class RecordedReader(ABC):
    """A language model of which only ``reply`` has to be said: several requests are asked one after another."""

    name = "recorded reader"

    @abstractmethod
    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """What was recorded for these messages."""

    def replies(
        self,
        requests: Sequence[Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        failed: Failed | None = None,
    ) -> Iterator[tuple[int, Reply]]:
        """One after another."""
        for index, messages in enumerate(requests):
            yield index, self.reply(messages, schema=schema)

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """The recorded text at once."""
        yield self.reply(messages).text


class AnsweringReader(RecordedReader):
    """Gives the answer that the reader gave to the question at the end of a prompt; reads no question for figures."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self._answers = answers

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The recorded text; where JSON is asked for, that it is a question of text."""
        if schema is not None:
            return Reply("", Usage(calls=1), {"route": "text"})
        return Reply(self._answer_to(_question_of(messages[-1].content)), Usage(calls=1))

    def _answer_to(self, asked: str) -> str:
        """The answer to the question of which ``asked`` is what was left when talk around it was cut off.

        What is left may stand in another order: "Acme: what did it pay?" of "For Acme, what did it pay?".
        """
        exact = self._answers.get(asked)
        if exact is not None:
            return exact
        words = _words_of(asked)
        whole = [question for question in self._answers if words <= _words_of(question)]
        if len(whole) != 1:
            raise KeyError(asked)
        return self._answers[whole[0]]


class SayingReader(RecordedReader):
    """Gives one answer whatever is asked; reads no question for figures."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The recorded text; where JSON is asked for, that it is a question of text."""
        return Reply("", Usage(calls=1), {"route": "text"}) if schema else Reply(self._answer, Usage(calls=1))


class TypingReader(RecordedReader):
    """Gives one recorded value where the fields of a value are asked for; reads no question for figures."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self._value = value

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The recorded value; else that it is a question of text."""
        is_value = schema is not None and "calculation" in schema.get("properties", {})
        return Reply("", Usage(calls=1), dict(self._value) if is_value else {"route": "text"})


def renamed(recorded: Mapping[str, Any], reader: TypedReader) -> Mapping[str, Any]:
    """A recorded reply with its cells by the names that they have now.

    Recorded is where each cell stands: the number of its evidence, from 0, and the character in it.
    """
    now = {(one.evidence, one.cell.start): one.name for one in reader.cells}
    then = {name: now.get((place[0], place[1]), "not shown") for name, place in recorded.get("cells", {}).items()}
    reply = recorded["reply"]
    written = _CELL.sub(lambda match: f"[{then[match[1]]}]", reply.get("calculation", ""))
    return {**reply, "calculation": written}


def _words_of(question: str) -> set[str]:
    return set(_WORD.findall(question.casefold()))


def _question_of(prompt: str) -> str:
    label = "Question: " if "Question: " in prompt else "问题："
    return prompt.rpartition(label)[2].strip()
