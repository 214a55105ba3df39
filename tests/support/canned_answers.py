"""A model that answers each chat of a batch from a list: a JSON text, or an error that it raises."""

from __future__ import annotations

from cliquerag.core.errors import ModelError
from cliquerag.models.language import Reply, Usage
from cliquerag.models.replies import parse_json


class Answering:
    """Answers in order; keeps what it was sent, and counts its calls."""

    name = "answering"

    def __init__(self, answers: list[str | ModelError]) -> None:
        self.answers, self.sent, self.usage = answers, [], Usage()

    def replies(self, requests, *, schema=None, failed=None):
        for index, messages in enumerate(requests):
            answer = self.answers[len(self.sent) % len(self.answers)]
            self.sent.append(messages)
            self.usage += Usage(10, 5, 1)
            if isinstance(answer, ModelError):
                failed(index, answer)
                continue
            yield index, Reply(answer, Usage(10, 5, 1), parse_json(answer))
