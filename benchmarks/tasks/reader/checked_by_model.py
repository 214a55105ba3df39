"""Sentences in free words judged by a model beside the rules, as ``checked_by`` has an answer's sentences judged.

The 60 true sentences of ``grounding_worded.txt`` and their 60 false twins over filings, calls and Chinese notes,
written before any was run. A twin never stands in one request with the other, nor does a request say how many are
true. What the readers replied, who had seen no label, is kept (``checked_by_model.jsonl``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from cliquerag.core.language import language_of
from cliquerag.retrieval.answer.generative.grounding.answer_check import Passage
from cliquerag.retrieval.answer.generative.grounding.model_check import Claim, SentenceCheck

from .grounding_free import worded_sentences

FOLDER = "."
MINUTES = 1
_SEED = 29
_REPLIES = Path(__file__).with_suffix(".jsonl")


@dataclass(frozen=True)
class Sentence:
    """One sentence; ``error`` is empty for a true one."""

    text: str
    error: str
    passage: Passage
    unread: bool


@dataclass(frozen=True)
class Request:
    """The sentences of one call on one passage."""

    name: str
    sentences: tuple[Sentence, ...]

    @property
    def check(self) -> SentenceCheck:
        """What the product would ask of them."""
        passage = self.sentences[0].passage
        return SentenceCheck.of([passage.text], [passage.about], language_of(self.sentences[0].text))

    @property
    def claims(self) -> list[Claim]:
        """The sentences, each citing the passage."""
        return [Claim(sentence.text, (0,)) for sentence in self.sentences]


def requests(folder: Path) -> Iterator[Request]:
    """Two of each text: of each pair, drawn by chance, one sentence in the first and its twin in the second."""
    draw = random.Random(_SEED)
    sentences = [Sentence(text, error, passage, unread) for passage, text, error, unread in worded_sentences(folder)]
    order = [number for text in range(12) for number in (2 * text, 2 * text + 1)]
    draw.shuffle(order)
    names = iter(order)
    for _, group in groupby(sentences, key=attrgetter("passage")):
        own = list(group)
        halves: tuple[list[Sentence], list[Sentence]] = ([], [])
        for pair in zip(own[::2], own[1::2], strict=True):
            first = draw.randrange(2)
            halves[0].append(pair[first])
            halves[1].append(pair[1 - first])
        for half in halves:
            draw.shuffle(half)
            yield Request(f"answer_{next(names):02d}", tuple(half))


def write_prompts(folder: Path, out: Path) -> None:
    """The requests as the product sends them, a file each; without labels."""
    for request in requests(folder):
        messages = request.check.messages(request.claims)
        text = "\n\n".join(f"### {message.role}\n{message.content}" for message in messages)
        (out / f"{request.name}.txt").write_text(text + "\n", encoding="utf-8")
