"""Sentences in free words judged by a model beside the rules, as ``checked_by`` has an answer's sentences judged.

The 60 true sentences of ``grounding_worded.txt`` and their 60 false twins over filings, calls and Chinese notes,
written before any was run, make 24 requests: no twin stands in one with the other, nor does one say how many are true.
What a reader who had seen no label replied is kept of those that were asked, with the places of quoted words in the
passage (``checked_by_model.jsonl``).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from cliquerag.core.language import language_of
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage, Verdict
from cliquerag.retrieval.answer.generative.grounding.model_check import (
    SUPPORTED,
    Claim,
    Judgement,
    SentenceCheck,
    is_supported,
)
from cliquerag.retrieval.answer.generative.reply_text import squeeze

from .._shared import read_lines
from .grounding_free import worded_sentences

FOLDER = "."
MINUTES = 1
_SEED = 29
_REPLIES = Path(__file__).with_suffix(".jsonl")


_GAP = re.compile(r"\s{0,3}(?:\.{3,9}|…{1,3})\s{0,3}")
_ELSEWHERE = [0, 0]
"""The place of quoted words that stand nowhere in the passage."""


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


def run(folder: Path) -> Report:
    """Who passes which sentences: the rules, the model, both put together, and as the product puts them together."""
    judged = list(_judged(folder))
    rows: list[Row] = []
    for name, is_unread in (("worked on", False), ("unread", True)):
        own = [one for one in judged if one[0].unread == is_unread]
        for system, passes in _SYSTEMS.items():
            passed = [(sentence.error, passes(verdict, judgement)) for sentence, verdict, judgement in own]
            true = [float(is_passed) for error, is_passed in passed if not error]
            false = [float(not is_passed) for error, is_passed in passed if error]
            rows.append(Row.mean(system, f"true passed ({name})", true))
            rows.append(Row.mean(system, f"false marked ({name})", false))
    quoted = [judgement.is_quoted for _, _, judgement in judged if judgement is not None and judgement.words]
    note = f"{len(judged)} sentences; {sum(quoted)} of {len(quoted)} quotations stand in the passage."
    return Report("checked_by_model", tuple(rows), (note,))


def _by_product(verdict: Verdict, judgement: Judgement | None) -> bool:
    return not verdict.lost_quotes and is_supported(judgement, by_rules=verdict.passed)


def _by_model(_: Verdict, judgement: Judgement | None) -> bool:
    return judgement is not None and judgement.verdict == SUPPORTED


_SYSTEMS: dict[str, Callable[[Verdict, Judgement | None], bool]] = {
    "rules": lambda verdict, _: verdict.passed,
    "model": _by_model,
    "CliqueRAG, checked by the model": _by_product,
    "where both pass": lambda verdict, judgement: verdict.passed and _by_model(verdict, judgement),
    "where either passes": lambda verdict, judgement: verdict.passed or _by_model(verdict, judgement),
}


def _judged(folder: Path) -> Iterator[tuple[Sentence, Verdict, Judgement | None]]:
    """Each sentence with what the rules and the model say of it."""
    replies = {reply["request"]: reply["verdicts"] for reply in read_lines(_REPLIES)}
    for request in requests(folder):
        if request.name not in replies:
            continue
        sentences = request.sentences
        verdicts = [AnswerChecker([sentence.passage]).check(sentence.text, [0]) for sentence in sentences]
        missing = [verdict.missing for verdict in verdicts]
        claims = [replace(claim, missing=own) for claim, own in zip(request.claims, missing, strict=True)]
        judgements = request.check.read(_told(replies[request.name], request.check.texts[0]), claims)
        for place, (sentence, verdict) in enumerate(zip(sentences, verdicts, strict=True)):
            yield sentence, verdict, judgements.get(place)


def _told(verdicts: Sequence[Sequence[Any]], text: str) -> Mapping[str, Any]:
    """A recorded reply with its words instead of where they stand."""
    rows = []
    for number, (verdict, places) in enumerate(verdicts, 1):
        words = " ... ".join(text[start:end] or "(stands nowhere)" for start, end in places)
        rows.append({"number": number, "verdict": verdict, "words": words})
    return {"verdicts": rows}


def record(folder: Path, replies: Path) -> None:
    """Keep replies, a file each by the name of its request, with places instead of quoted words."""
    lines = []
    for request in requests(folder):
        reply = replies / f"{request.name}.json"
        if not reply.is_file():
            continue
        rows = json.loads(reply.read_text(encoding="utf-8"))["verdicts"]
        told = {int(row["number"]): row for row in rows}
        text = request.check.texts[0]
        numbers = range(1, len(request.sentences) + 1)
        verdicts = [[told[number]["verdict"], _places(told[number].get("words", ""), text)] for number in numbers]
        lines.append(json.dumps({"request": request.name, "verdicts": verdicts}))
    _REPLIES.write_text("".join(f"{line}\n" for line in sorted(lines)), encoding="utf-8")


def _places(words: str, text: str) -> list[list[int]]:
    """Where each part of quoted words stands in a passage, whatever the white space and marks between its letters."""
    letters = [(place, letter) for place, sign in enumerate(text) for letter in squeeze(sign)]
    squeezed = "".join(letter for _, letter in letters)
    found = []
    for part in filter(None, map(squeeze, _GAP.split(words))):
        at = squeezed.find(part)
        found.append(_ELSEWHERE if at < 0 else [letters[at][0], letters[at + len(part) - 1][0] + 1])
    return found
