"""A model's answer, sentence by sentence: citations resolved, numbers and quotations checked, the rest left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ....core.language import Language
from ....core.orders import gives_orders, stands_in_orders
from ....core.words import search_words
from ....ingest.sentences import split_text
from ....prompts.messages import message
from ...search.evidence import Evidence
from ..citations import Citations, with_marks
from ..extractive.quotables import TEXT_KINDS
from ..planted_text import without_orders
from .number_check import check_sentence

_MARKS = re.compile(r"(?<!\s)\s*\[(\d+(?:\s*[,，;]\s*\d+)*)\]")
_MARKS_AFTER = re.compile(r"(?<![.!?。！？])([.!?。！？]+[\"”’]?)((?:\s*\[\d+(?:\s*[,，;]\s*\d+)*\])+)")
_COMPLETE = re.compile(r"(?<=[.!?。！？\]])\s+(?=[^\s\[])|(?<=[。！？])(?=[^\s\[])|\n+")
_FIGURE = re.compile(r"\d[\d,.]*\d|\d")
_LEAST_SHARED = 0.5
"""Share of a sentence's words that evidence must hold to be cited for it when the model cites nothing."""
_NO_CLAIM = re.compile(r"(?:yes|no|是|是的|否|不是)[,.，。!！]?|.{0,80}[:：]", re.IGNORECASE)
"""Needs no source: the answer to a yes or no question, the head of a list."""


class CheckedWriter:
    """Takes the model's sentences in order and gives back what may be shown."""

    def __init__(
        self, evidence: Sequence[Evidence], citations: Citations, language: Language, *, orders_asked: bool = False
    ) -> None:
        self._evidence = evidence
        self._citations = citations
        self._language = language
        self._stated = [without_orders(item.text) for item in evidence]
        self._words = [frozenset(search_words(text)) for text in self._stated]
        self._ordered = frozenset() if orders_asked else _only_in_orders(evidence, self._stated)
        self.dropped: list[str] = []
        self.unverified: list[str] = []

    def write(self, text: str) -> str:
        """Check a whole answer; lines stay lines."""
        lines = (" ".join(filter(None, map(self.sentence, sentences(line)))) for line in text.splitlines())
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def sentence(self, sentence: str) -> str:
        """The sentence with final citations; marked where a number or quotation is not in the source; "" if dropped.

        A wrong citation is replaced by the evidence that does hold the sentence's numbers. A sentence that cites
        nothing and rests on nothing is dropped, and so is what an order planted in the evidence wants to be said.
        """
        bare = _MARKS.sub("", sentence).strip()
        if not bare:
            return ""
        if self._obeys(bare):
            self.dropped.append(bare)
            return ""
        cited = self._valid(_MARKS.findall(sentence))
        chosen, missing = self._support(bare, cited)
        if not chosen:
            if _NO_CLAIM.fullmatch(bare):
                return bare
            self.dropped.append(bare)
            return ""
        if missing:
            self.unverified.append(bare)
            bare = f"{bare} {message('unverified', self._language, missing=', '.join(missing))}"
        numbers = [self._cite(self._evidence[index], bare, checked=not missing) for index in chosen]
        return with_marks(bare, numbers)

    def _obeys(self, sentence: str) -> bool:
        """True for a sentence with a figure, or mostly of words, that stand in nothing but orders."""
        if not self._ordered:
            return False
        if not self._ordered.isdisjoint(_FIGURE.findall(sentence)):
            return True
        words = _words_and_numbers(sentence)
        return 2 * len(words & self._ordered) >= len(words) > 0

    def _valid(self, marks: Iterable[str]) -> list[int]:
        """Indices of the cited evidence, without numbers that do not exist."""
        numbers = [int(number) for mark in marks for number in re.findall(r"\d+", mark)]
        return [number - 1 for number in dict.fromkeys(numbers) if 1 <= number <= len(self._evidence)]

    def _support(self, sentence: str, cited: list[int]) -> tuple[list[int], tuple[str, ...]]:
        """The evidence to cite, and what of the sentence it does not hold."""
        missing = self._missing(sentence, cited)
        if cited and not missing:
            return cited, ()
        others = sorted(range(len(self._evidence)), key=lambda index: -self._shared(sentence, index))
        for index in others:
            if self._shared(sentence, index) < _LEAST_SHARED:
                break
            if not self._missing(sentence, [index]):
                return [index], ()
        return cited, missing

    def _missing(self, sentence: str, indices: Sequence[int]) -> tuple[str, ...]:
        return check_sentence(sentence, [self._stated[index] for index in indices]).missing

    def _shared(self, sentence: str, index: int) -> float:
        words = set(search_words(sentence))
        return len(words & self._words[index]) / len(words) if words else 0.0

    def _cite(self, item: Evidence, sentence: str, *, checked: bool) -> int:
        """Cite the sentence of the evidence that shares most words and numbers with the answer's sentence."""
        if item.kind not in TEXT_KINDS:
            return self._citations.cite(item, item.text, item.start, item.end, checked=checked)
        spans = [(s.start, s.end) for s in split_text(item.text) if not stands_in_orders(item.text, s.start, s.end)]
        spans = spans or [(0, len(item.text))]
        wanted = _words_and_numbers(sentence)
        start, end = max(spans, key=lambda span: len(wanted & _words_and_numbers(item.text[slice(*span)])))
        return self._citations.cite(item, item.text[start:end], item.start + start, item.start + end, checked=checked)


def _only_in_orders(evidence: Sequence[Evidence], stated: Sequence[str]) -> frozenset[str]:
    """Words and figures that the evidence holds in orders alone: not in what it states, nor in its names."""
    whole = {item.text for item, said in zip(evidence, stated, strict=True) if said != item.text}
    if not whole:
        return frozenset()
    places = [text for item in evidence for text in (item.source, *item.headings) if not gives_orders(text)]
    known = _words_and_numbers("\n".join((*stated, *places)))
    return frozenset(_words_and_numbers("\n".join(whole)) - known)


def _words_and_numbers(text: str) -> set[str]:
    return {*search_words(text), *_FIGURE.findall(text)}


def sentences(text: str) -> list[str]:
    """Sentences of an answer, each with the citations that follow it.

    >>> sentences("Sales rose. [1] Costs fell [2].")
    ['Sales rose [1].', 'Costs fell [2].']
    """
    joined = _MARKS_AFTER.sub(lambda match: f"{match[2]}{match[1]}", text)
    return [joined[s.start : s.end] for s in split_text(joined, shortest=0, longest=10_000)]


def complete_parts(pieces: Iterable[str]) -> Iterator[str]:
    """A stream cut after sentences: a part is given out when the next one has begun, so that its citations are there.

    >>> list(complete_parts(["Sales ro", "se. [1]", " Costs fell", ". [2]"]))
    ['Sales rose. [1]', ' Costs fell. [2]']
    """
    waiting = ""
    for piece in pieces:
        waiting += piece
        ends = [match.start() for match in _COMPLETE.finditer(waiting)]
        if ends and ends[-1] > 0:
            yield waiting[: ends[-1]]
            waiting = waiting[ends[-1] :]
    if waiting.strip():
        yield waiting
