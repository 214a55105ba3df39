"""A model with one answer."""

from __future__ import annotations

from cliquerag.models.language import Reply, Usage


class Canned:
    """A model with one answer; keeps what it was sent."""

    name = "canned"

    def __init__(self, text: str) -> None:
        self.text, self.sent = text, []

    def reply(self, messages, *, schema=None):
        self.sent.append(messages)
        return Reply(self.text, Usage(10, 5, 1))

    def stream(self, messages):
        self.sent.append(messages)
        yield from (self.text[i : i + 7] for i in range(0, len(self.text), 7))
