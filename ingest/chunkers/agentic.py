"""Agentic chunking: a language model says which paragraphs go on with the subject of those before.

Source: the "agentic chunker" of practice (Kamradt, "5 Levels of Text Splitting", 2024), at one call a section instead
of one a sentence: the model sees all paragraphs of a section, numbered, and names those that begin something new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...core.records import dataclass
from ..chunk import Break, Chunker, Sentence, Span
from ..model_calls import ask_sections, number_of, rows_of, section_chat, sections
from .cliques import CliqueChunker
from .registry import register
from .segmentation import section_numbers

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

    What is short enough for one chunk is not asked; of a paragraph that is too long for one the model sees the
    sentences. Where a model's answer cannot be used, where its group is longer than ``longest`` tokens, and everywhere
    without a model, cliques cut.
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
        by_cliques = self._cliques.chunk(text, sentences, vectors)
        if self.model is None:
            return by_cliques
        starts = {span.first for span in by_cliques}
        for section, told in self._told(self.model, text, sentences):
            starts.difference_update(range(section.first, section.last))
            starts.add(section.last)
            for first, last in pairwise(sorted({section.first, *told, section.last})):
                starts.update(self._starts_within(text, sentences, vectors, Span(first, last)))
        borders = sorted({*starts, len(sentences)})
        return [Span(first, last) for first, last in pairwise(borders)]

    def _told(self, model: LanguageModel, text: str, sentences: Sequence[Sentence]) -> list[tuple[Span, set[int]]]:
        """Each section that was answered, with the sentences where a model begins something new."""
        asked = [
            paragraphs
            for paragraphs in _sections(sentences, self.longest)
            if self._is_worth_a_call(sentences, paragraphs)
        ]
        chats = [section_chat("chunk_starts", _texts(text, sentences, paragraphs)) for paragraphs in asked]
        answers = ask_sections(model, chats, _SCHEMA)
        told: list[tuple[Span, set[int]]] = []
        for place, data in answers.items():
            starts = _starts(asked[place], data)
            if starts:
                told.append((Span(asked[place][0].first, asked[place][-1].last), starts))
        return told

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

    def _starts_within(
        self, text: str, sentences: Sequence[Sentence], vectors: np.ndarray | None, group: Span
    ) -> list[int]:
        """Where the chunks of a group begin: one, or as cliques cut it where it is too long."""
        if _tokens(sentences, group) <= self.longest:
            return [group.first]
        own = slice(group.first, group.last)
        parts = self._cliques.chunk(text, sentences[own], None if vectors is None else vectors[own])
        return [group.first + part.first for part in parts]


def _sections(sentences: Sequence[Sentence], longest: int) -> list[list[Span]]:
    """The paragraphs of each section, as many as one call holds.

    Lines are paragraphs where no blank ones stand; of a paragraph of more than ``longest`` tokens each sentence is one,
    for a speech may have no other borders.
    """
    starts = [at for at, sentence in enumerate(sentences) if sentence.before >= Break.LINE]
    borders = sorted({0, *starts, len(sentences)})
    paragraphs: list[Span] = []
    for first, last in pairwise(borders):
        is_too_long = _tokens(sentences, Span(first, last)) > longest
        ends = range(first + 1, last + 1) if is_too_long else [last]
        paragraphs += [Span(start, end) for start, end in pairwise([first, *ends])]
    numbers = section_numbers(sentences).tolist()
    keys = [numbers[paragraph.first] for paragraph in paragraphs]
    tokens = [_tokens(sentences, paragraph) for paragraph in paragraphs]
    return [paragraphs[places.start : places.stop] for places in sections(keys, tokens)]


def _starts(paragraphs: Sequence[Span], data: Any) -> set[int]:
    """The sentences at which an answer begins chunks; none where it names no paragraph of the section."""
    numbers = set(map(number_of, rows_of(data, "starts")))
    known = numbers.intersection(range(1, len(paragraphs) + 1))
    return {paragraphs[number - 1].first for number in known}


def _texts(text: str, sentences: Sequence[Sentence], paragraphs: Sequence[Span]) -> list[str]:
    return [text[sentences[span.first].start : sentences[span.last - 1].end] for span in paragraphs]


def _tokens(sentences: Sequence[Sentence], span: Span) -> int:
    return sum(sentence.tokens for sentence in sentences[span.first : span.last])
