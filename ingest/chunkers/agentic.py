"""Agentic chunking: a language model says which paragraphs go on with the subject of those before.

Source: the "agentic chunker" of practice (Kamradt, "5 Levels of Text Splitting", 2024), at one call a section instead
of one a sentence: the model sees all paragraphs of a section, numbered, and names those that begin something new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ..chunk import Break, Chunker, Sentence, Span
from .clique import CliqueChunker
from .registry import register

if TYPE_CHECKING:
    import numpy as np

    from ...models.language import LanguageModel

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"starts": {"type": "array", "items": {"type": "integer"}}},
    "required": ["starts"],
    "additionalProperties": False,
}


@register("agentic")
@dataclass(frozen=True, slots=True)
class AgenticChunker:
    """Chunks as a language model groups the paragraphs of a section, one call for each section of several paragraphs.

    What is short enough for one chunk is not asked. Where a model's answer cannot be used, where its group is longer
    than ``longest`` tokens, and everywhere without a model, cliques cut.
    """

    model: LanguageModel | None = field(default=None, compare=False)
    target: int = 85
    """Tokens up to which a section is one chunk and no question; the wished length where cliques cut."""
    shortest: int = 20
    longest: int = 200

    def __post_init__(self) -> None:
        if min(self.target, self.longest) < 1 or self.shortest < 0:
            raise ValueError("lengths must be positive")

    def chunk(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None) -> list[Span]:
        """Spans that cover all sentences, in order and without overlap. Raises ModelError: the endpoint fails."""
        from ..model_calls import ask_sections, section_chat

        by_cliques = self._cliques.chunk(text, sentences, vectors)
        if self.model is None:
            return by_cliques
        asked = [paragraphs for paragraphs in _sections(sentences) if self._is_worth_a_call(sentences, paragraphs)]
        chats = [section_chat("chunk_starts", _texts(text, sentences, paragraphs)) for paragraphs in asked]
        answers = ask_sections(self.model, chats, _SCHEMA)
        spans = by_cliques
        for place, data in answers.items():
            groups = _groups(asked[place], data)
            if groups:
                spans = _in_place_of(
                    spans, [part for group in groups for part in self._fitting(text, sentences, vectors, group)]
                )
        return spans

    @property
    def label(self) -> str:
        """The model and the prompt that cut: part of the version of what was cut."""
        from ...prompts import prompt_version

        if self.model is None:
            return ""
        prompts = "".join(prompt_version("chunk_starts", language)[:4] for language in ("en", "zh"))
        return f"-{self.model.name}-{prompts}"

    @property
    def _cliques(self) -> Chunker:
        return CliqueChunker(target=self.target, shortest=self.shortest, longest=self.longest)

    def _is_worth_a_call(self, sentences: Sequence[Sentence], paragraphs: Sequence[Span]) -> bool:
        if len(paragraphs) < 2:
            return False
        return _tokens(sentences, Span(paragraphs[0].first, paragraphs[-1].last)) > self.target

    def _fitting(self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None, group: Span) -> list[Span]:
        """A group as one chunk, or cut by cliques where it is too long."""
        if _tokens(sentences, group) <= self.longest:
            return [group]
        own = sentences[group.first : group.last]
        parts = self._cliques.chunk(text, own, None if vectors is None else vectors[group.first : group.last])
        return [Span(group.first + part.first, group.first + part.last) for part in parts]


def _sections(sentences: Sequence[Sentence]) -> list[list[Span]]:
    """The paragraphs of each section, as many as one call holds; lines are paragraphs where no blank ones stand."""
    from ..model_calls import sections

    paragraphs: list[Span] = []
    numbers: list[int] = []
    starts = [at for at, sentence in enumerate(sentences) if at and sentence.before >= Break.LINE]
    section = 0
    for first, last in pairwise([0, *starts, len(sentences)]):
        section += sentences[first].before >= Break.HARD if first < last else 0
        if first < last:
            paragraphs.append(Span(first, last))
            numbers.append(section)
    tokens = [_tokens(sentences, paragraph) for paragraph in paragraphs]
    return [[paragraphs[at] for at in places] for places in sections(numbers, tokens)]


def _groups(paragraphs: Sequence[Span], data: Any) -> list[Span]:
    """Paragraphs as the answer groups them; none where it names no paragraph but the first."""
    from ..model_calls import number_of, rows_of

    numbers = {number_of(value) for value in rows_of(data, "starts")}
    starts = sorted(number - 1 for number in numbers if 1 <= number <= len(paragraphs))
    if not starts:
        return []
    borders = sorted({0, *starts, len(paragraphs)})
    return [Span(paragraphs[first].first, paragraphs[last - 1].last) for first, last in pairwise(borders)]


def _in_place_of(spans: Sequence[Span], groups: Sequence[Span]) -> list[Span]:
    """The spans with the groups where they stand; what of a span lies outside of them stays a span."""
    start, end = groups[0].first, groups[-1].last
    before = [Span(span.first, min(span.last, start)) for span in spans if span.first < start]
    after = [Span(max(span.first, end), span.last) for span in spans if span.last > end]
    return [*before, *groups, *after]


def _texts(text: str, sentences: Sequence[Sentence], paragraphs: Sequence[Span]) -> list[str]:
    return [text[sentences[span.first].start : sentences[span.last - 1].end] for span in paragraphs]


def _tokens(sentences: Sequence[Sentence], span: Span) -> int:
    return sum(sentence.tokens for sentence in sentences[span.first : span.last])
