"""What the model is sent: rules as the system's word, documents as data between marks that they cannot close."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from ....core.ids import stable_id
from ....core.language import Language, language_of
from ....core.source_names import place_name
from ....models.language import Message
from ....prompts import load_prompt
from ...search.evidence import Context, Evidence
from ..planted_text import defuse

NOT_FOUND = "NOT_FOUND"
"""What the model says instead of an answer that the evidence does not hold."""


def fill(task: str, language: Language, **values: object) -> str:
    """A prompt with ``$name`` replaced, once: what stands in the values is not looked at again."""
    return Template(load_prompt(task, language)).substitute({name: str(value) for name, value in values.items()})


def answer_messages(question: str, context: Context, notes: Sequence[str] = ()) -> list[Message]:
    """The chat that asks for an answer from the context alone; evidence is numbered from 1 in its order.

    ``notes`` say what is known of the documents as a whole: that none is of the period asked.
    """
    language = language_of(question)
    tag = _tag(question, context.evidence)
    blocks = [_block(number, item, tag) for number, item in enumerate(context.evidence, 1)]
    asked = fill("question", language, context="\n\n".join((*blocks, *notes)), question=question)
    return [Message("system", fill("answer", language, tag=tag)), Message("user", asked)]


def follow_up_messages(question: str, history: Sequence[Message]) -> list[Message]:
    """The chat that asks to make a follow-up question understandable alone."""
    rules = Message("system", load_prompt("follow_up", language_of(question)))
    return [rules, *history, Message("user", question)]


def _block(number: int, item: Evidence, tag: str) -> str:
    page = place_name(item) or (f"page {item.page}" if item.page else "")
    place = " | ".join(filter(None, (item.source, page, *item.headings)))
    return f"[{number}] {defuse(place)}\n<{tag}>\n{defuse(item.text)}\n</{tag}>"


def _tag(question: str, evidence: Sequence[Evidence]) -> str:
    """A mark that no document can know: it depends on the question and on all the evidence."""
    return "evidence-" + stable_id(question, *(item.text for item in evidence))[:10]
