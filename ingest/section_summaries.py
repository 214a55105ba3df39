"""Summaries of sections as a language model writes them, one call each: searched beside the text, never cited.

Without a model a section is summarised by its own sentences (``retrieval.search.index.secondary``); these take their
place where there are some, and the tree above them (RAPTOR) is built over them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .chunk import SectionSummary
from .index_text.propositions import figures_in
from .model_calls import ask_sections, section_chat, sections

if TYPE_CHECKING:
    from ..models.language import LanguageModel, Message
    from .chunk import Chunk

VERSION = "1"
ANSWER_TOKENS = 80
"""What a summary takes, for the estimate: two sentences, as the prompt asks for."""
_TASK = "section_summary"
_LEAST_TOKENS = 100
"""A shorter section is its own summary."""
_LONGEST_PASSAGE = 4_000
"""Characters of a passage that a model is shown: of a long table its first fifty rows or so."""
_LONGEST_SUMMARY = 600
_ANSWER: Mapping[str, Any] = {
    "type": "object",
    "properties": {"summary": {"type": "string"}},
    "required": ["summary"],
    "additionalProperties": False,
}


def summary_author(model: str) -> str:
    """Model, version of this step and of its prompts: summaries of another author are written anew."""
    from ..prompts import prompt_version

    prompts = "".join(prompt_version(_TASK, language)[:4] for language in ("en", "zh"))
    return f"{model}-{VERSION}-{prompts}"


def summary_chats(about: str, chunks: Sequence[Chunk]) -> list[tuple[range, list[Message]]]:
    """What a model is asked about a document: the chunks of each section that is long enough, and the chat.

    ``about`` says whose the document is: "Acme Corp | 10-K | FY2023". A section holds up to 2,000 tokens.
    """
    found: list[tuple[range, list[Message]]] = []
    for part in sections([chunk.headings for chunk in chunks], [chunk.tokens for chunk in chunks]):
        own = chunks[part.start : part.stop]
        if sum(chunk.tokens for chunk in own) < _LEAST_TOKENS:
            continue
        head = " | ".join(filter(None, (about, " > ".join(own[0].headings))))
        found.append((part, section_chat(_TASK, [chunk.text[:_LONGEST_PASSAGE] for chunk in own], head)))
    return found


def summarise_sections(about: str, chunks: Sequence[Chunk], model: LanguageModel) -> list[SectionSummary]:
    """The model's summaries of a document's sections, one call each.

    A section is left out that the model does not answer for, or whose summary holds a figure that it does not print.
    Raises ModelError: the endpoint fails, or the budget is spent.
    """
    asked = summary_chats(about, chunks)
    found: list[SectionSummary] = []
    for number, data in sorted(ask_sections(model, [chat for _, chat in asked], _ANSWER).items()):
        part = asked[number][0]
        text = _text_of(data)[:_LONGEST_SUMMARY]
        printed = figures_in(about)
        for chunk in chunks[part.start : part.stop]:
            printed |= figures_in(" ".join((*chunk.headings, chunk.text)))
        if text and printed.issuperset(figures_in(text)):
            found.append(SectionSummary(part.start, part.stop - 1, text))
    return found


def _text_of(data: Any) -> str:
    """The summary of an answer, whatever a lenient endpoint made of the schema."""
    text = data.get("summary", "") if isinstance(data, Mapping) else data
    return " ".join(text.split()) if isinstance(text, str) else ""
