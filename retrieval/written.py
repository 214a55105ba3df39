"""A model's answer, sentence by sentence: citations resolved, numbers and quotations checked, the rest left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..core.words import search_words
from ..ingest.sentences import split_text
from .citing import Citations, with_marks
from .evidence import Evidence
from .prompting import Language, fill, gives_orders
from .verify import check_sentence

_MARKS = re.compile(r"\s*\[(\d+(?:\s*[,，;]\s*\d+)*)\]")
_MARKS_AFTER = re.compile(r"([.!?。！？]+[\"”’]?)((?:\s*\[\d+(?:\s*[,，;]\s*\d+)*\])+)")
_COMPLETE = re.compile(r"(?<=[.!?。！？\]])\s+(?=[^\s\[])|(?<=[。！？])(?=[^\s\[])|\n+")
_LEAST_SHARED = 0.5
"""Share of a sentence's words that evidence must hold to be cited for it when the model cites nothing."""
_NO_CLAIM = re.compile(r"(?:yes|no|是|是的|否|不是)[,.，。!！]?|.{0,80}[:：]", re.IGNORECASE)
"""Needs no source: the answer to a yes or no question, the head of a list."""


class CheckedWriter:
    """Takes the model's sentences in order and gives back what may be shown."""

    def __init__(self, evidence: Sequence[Evidence], citations: Citations, language: Language) -> None:
        self._evidence = evidence
        self._citations = citations
        self._language = language
        self._words = [_supporting_words(item.text) for item in evidence]
        self.dropped: list[str] = []
        self.unverified: list[str] = []

    def write(self, text: str) -> str:
        """Check a whole answer; lines stay lines."""
        lines = (" ".join(filter(None, map(self.sentence, sentences(line)))) for line in text.splitlines())
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def sentence(self, sentence: str) -> str:
        """The sentence with final citations; marked where a number or quotation is not in the source; "" if dropped.

        A wrong citation is replaced by the evidence that does hold the sentence's numbers. A sentence that cites
        nothing and rests on nothing is dropped.
        """
        bare = _MARKS.sub("", sentence).strip()
        if not bare:
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
            bare = f"{bare} {fill('unverified', self._language, missing=', '.join(missing))}"
        numbers = [self._cite(self._evidence[index], bare, checked=not missing) for index in chosen]
        return with_marks(bare, numbers)

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
        return check_sentence(sentence, [self._evidence[index].text for index in indices]).missing

    def _shared(self, sentence: str, index: int) -> float:
        words = set(search_words(sentence))
        return len(words & self._words[index]) / len(words) if words else 0.0

    def _cite(self, item: Evidence, sentence: str, *, checked: bool) -> int:
        """Cite the sentence of the evidence that shares most words and numbers with the answer's sentence."""
        wanted = set(search_words(sentence)) | set(re.findall(r"\d[\d,.]*\d|\d", sentence))
        spans = [(s.start, s.end) for s in split_text(item.text)] or [(0, len(item.text))]

        def shared(span: tuple[int, int]) -> int:
            text = item.text[slice(*span)]
            return len(wanted & (set(search_words(text)) | set(re.findall(r"\d[\d,.]*\d|\d", text))))

        start, end = max(spans, key=shared)
        return self._citations.cite(item, item.text[start:end], item.start + start, item.start + end, checked=checked)


def _supporting_words(text: str) -> frozenset[str]:
    """Words of the sentences that state something: an order planted in a document supports no answer."""
    said = [text[s.start : s.end] for s in split_text(text, shortest=0)]
    return frozenset(word for sentence in said if not gives_orders(sentence) for word in search_words(sentence))


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
