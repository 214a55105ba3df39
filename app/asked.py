"""What is taken as a question."""

from __future__ import annotations

from .core.errors import UsageError

LONGEST_QUESTION = 2_000
"""Characters: rules that read a question take time with the square of its length."""


def check_question(question: str) -> None:
    """Raises UsageError for what is no question: nothing, only signs, or a long text."""
    if not isinstance(question, str) or not any(map(str.isalnum, question)):
        raise UsageError("there is no question", hint='Ask in words: "What was revenue in 2023?"')
    if len(question) > LONGEST_QUESTION:
        raise UsageError(
            f"the question is longer than {LONGEST_QUESTION:,} characters",
            hint="Add long texts as documents, and ask about them",
        )
