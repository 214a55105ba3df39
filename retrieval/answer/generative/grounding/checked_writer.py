"""A model's answer, sentence by sentence: citations resolved, figures and words checked, the rest left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from .....core.language import Language
from .....core.orders import gives_orders, stands_in_orders
from .....core.records import dataclass
from .....core.sequences import grouped, share
from .....core.words import search_words
from .....ingest.sentences import split_text
from .....prompts.messages import message
from ....search.evidence import TEXTS, Evidence
from ...citations import Citations, with_marks
from ..prompts import requests_of, without_orders, without_requests
from ..reply_text import (
    claims_nothing,
    is_bare_answer,
    is_indirect,
    is_refusal,
    is_table_row,
    is_table_rule,
    squeeze,
    with_plain_marks,
)
from .answer_check import AnswerChecker, Passage, Verdict
from .model_check import Claim, Judgement, is_supported

_MARKS = re.compile(r"(?<!\s)\s*\[(\d+(?:\s*[,，;]\s*\d+)*)\]")
_MARKS_AFTER = re.compile(r"(?<![.!?。！？])([.!?。！？]+[\"”’]?)((?:\s*\[\d+(?:\s*[,，;]\s*\d+)*\])+)")
_COMPLETE = re.compile(r"(?<=[.!?。！？\]】])\s+(?=[^\s\[【a-z])|(?<=[。！？])(?=[^\s\[【])|\n+")
_FIGURE = re.compile(r"\d[\d,.]*\d|\d")
_ROWS = re.compile(r"\n(?=\|)")
_LEAST_SHARED = 0.5
"""Share of a sentence's words that evidence must hold to be cited for it when the model cites nothing."""
_CONTRADICTED = frozenset({"opposite", "denial", "number", "clause", "roles", "cause", "figures"})
"""Objections of a text that speaks of what the sentence says; others say only that it does not."""
_ASKED_FOR = "request"
_FIRST = 3
"""How many words of the question one counts that is said beyond it, and how many words a figure."""
_MORE = 0.01
_LOOK_BACK, _LOOK_AHEAD = 200, 40
"""Characters around the end of a sentence that show whether it is one."""
_LAST_BAR = re.compile(r"\s{0,40}\|\s{0,40}$")


@dataclass(frozen=True, slots=True)
class CheckedFigure:
    """For the trace: a figure of the answer, what became of it, and the citations that it comes from."""

    figure: str
    outcome: str
    citations: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Held:
    """A sentence that a model is to judge: its citations, and whether the rules find it supported."""

    claim: Claim
    citations: tuple[int, ...]
    by_rules: bool


class CheckedWriter:
    """Takes the model's sentences in order and gives back what may be shown.

    ``about`` says of each piece of evidence what is known besides its text: company, kind, period of its document.
    With ``judged`` a model judges the words of the sentences when all are written: they are ``held`` without a mark.
    """

    def __init__(
        self,
        evidence: Sequence[Evidence],
        citations: Citations,
        language: Language,
        question: str = "",
        about: Sequence[str] = (),
        *,
        orders_asked: bool = False,
        asks_several: bool = False,
        judged: bool = False,
        means_order: Callable[[str], bool] | None = None,
    ) -> None:
        self._evidence = evidence
        self._asks_several = asks_several
        self._judged = judged
        self.held: list[Held] = []
        self._citations = citations
        self._language = language
        self._stated = [without_orders(item.text) for item in evidence]
        self._words = [frozenset(search_words(text)) for text in self._stated]
        self._ordered = frozenset() if orders_asked else _only_in_orders(evidence, self._stated)
        ordering = [item.text for item, kept in zip(evidence, self._stated, strict=True) if item.text != kept]
        self._dictated = squeeze(" ".join(ordering)) if self._ordered else ""
        self._told = squeeze(" ".join(self._stated)) if self._ordered else ""
        said = [*about, *[""] * (len(evidence) - len(about))]
        heads = [" ".join((note, *item.headings)) for note, item in zip(said, evidence, strict=True)]
        passages = [
            Passage(without_requests(text), head, item.source)
            for text, head, item in zip(self._stated, heads, evidence, strict=True)
        ]
        self._checker = AnswerChecker(passages, question)
        self._means_order = means_order
        self._passages, self._asked = passages, _words_and_numbers(question)
        self._requests = _words_of_each(requests_of(text) for text in self._stated)
        self._statements = _words_of_each(sentences(passage.text) for passage in passages) if self._requests else []
        self.dropped: list[str] = []
        self.unverified: list[str] = []
        self.unsupported: list[str] = []
        self.refusals: list[str] = []
        self.figures: list[CheckedFigure] = []
        self.cited = False
        """Whether a sentence was given back that cites something."""
        self.begins_with_refusal = False
        """Whether the first sentence says that the documents do not answer: what follows is not the answer. Of several
        questions asked in one, another may be answered behind it."""
        self._is_told_apart = False
        self._says_more = False
        self._last_row: tuple[str, ...] = ()
        self._heads: tuple[str, ...] = ()
        """What stands over the columns of the table that is written, "" over its labels."""
        """Whether any sentence claims more than a bare "No, it did not."."""

    def write(self, text: str) -> str:
        """Check a whole answer, or the next part of one; lines stay lines, rows of tables whole."""
        told = (sentence for line in text.splitlines() for sentence in sentences(with_plain_marks(line)))
        self._says_more = self._says_more or any(map(_claims_more, told))
        shown = [(line, self.line(line)) for line in text.splitlines()]
        lines = [text for line, text in shown if text or not line.strip()]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()

    def line(self, line: str) -> str:
        """Check a line of an answer: its sentences one by one, a row of a table as one."""
        if is_table_rule(line):
            self._heads = self._last_row
            return line.strip()
        if is_table_row(line):
            row = self._row(line)
            self._last_row = _cells(line)
            return row
        self._heads = self._last_row = ()
        return " ".join(filter(None, map(self.sentence, sentences(with_plain_marks(line)))))

    def sentence(self, sentence: str) -> str:
        """The sentence with final citations; marked where something of it is not in the source; "" if dropped.

        A wrong citation is replaced by the evidence that does hold the sentence. A sentence that cites nothing and
        rests on nothing is dropped, but for a refusal, which needs no source and gets none, and so
        is what an order planted in the evidence wants to be said.
        """
        sentence = with_plain_marks(sentence)
        bare = _MARKS.sub("", sentence).strip()
        if not bare:
            return ""
        if self._obeys(bare):
            self.dropped.append(bare)
            return ""
        if is_refusal(bare):
            is_first = not (self.cited or self.refusals or self._asks_several)
            self.begins_with_refusal = self.begins_with_refusal or (is_first and not is_indirect(bare))
            self.refusals.append(bare)
            return bare
        cited = self._valid(_MARKS.findall(sentence))
        chosen, verdict = self._support(bare, cited)
        if self._wants_to_be_told(bare, chosen, verdict):
            verdict = replace(verdict, objection=_ASKED_FOR)
        if not chosen:
            if claims_nothing(bare) or (self._says_more and is_bare_answer(bare)):
                return bare
            self.dropped.append(bare)
            return ""
        verdict = self._held_back(bare, chosen, verdict)
        return self._told_apart(self._marked(bare, chosen, verdict))

    def _held_back(self, bare: str, chosen: Sequence[int], verdict: Verdict) -> Verdict:
        """Of a sentence that a model is to judge, kept for :meth:`settle`: what the rules say of it waits.

        Quotations that stand nowhere, and what a document asks to be said, are marked whatever a model says.
        """
        is_marked = bool(verdict.lost_quotes) or verdict.objection == _ASKED_FOR
        if not self._judged or is_marked or not _claims_more(bare):
            return verdict
        numbers = tuple(self._cite(self._evidence[index], bare, checked=True) for index in chosen)
        self.held.append(Held(Claim(bare, tuple(chosen), verdict.missing), numbers, verdict.passed))
        found = tuple(figure for figure in verdict.figures if figure.kind != "not found")
        return replace(verdict, objection="", figures=found)

    def settle(self, judgements: Mapping[int, Judgement]) -> list[str]:
        """The held sentences that are not supported, by the judgement on each or, without one, by the rules.

        Each with the figures of it that neither the rules find nor the model quotes.
        """
        judged = [(held, judgements.get(place)) for place, held in enumerate(self.held)]
        doubted = [(held, one) for held, one in judged if not is_supported(one, by_rules=held.by_rules)]
        self._citations.doubt(number for held, _ in doubted for number in held.citations)
        return [self._doubted(held, held.claim.missing if one is None else one.missing) for held, one in doubted]

    def _doubted(self, held: Held, missing: Sequence[str]) -> str:
        self.figures += [CheckedFigure(figure, "not found", held.citations) for figure in missing]
        marked, noted = held.claim.sentence, self.unverified if missing else self.unsupported
        noted.append(marked)
        if missing:
            marked = with_note(marked, message("unverified", self._language, missing=", ".join(missing)))
        return with_marks(marked, held.citations)

    def _told_apart(self, sentence: str) -> str:
        """Behind a refusal: "a ratio of another figure would be 2.4" is said to be no answer, once."""
        if not self.begins_with_refusal or self._is_told_apart:
            return sentence
        self._is_told_apart = True
        return f"{message('beside_refusal', self._language)} {sentence}"

    def _row(self, line: str) -> str:
        """A row of a table stays a row: marks stand in its last cell, and one without figures needs none."""
        plain = with_plain_marks(line.strip())
        bare = _MARKS.sub("", plain)
        chosen, verdict = self._support(self._in_words(bare), self._valid(_MARKS.findall(plain)), is_row=True)
        if not verdict.figures:
            return bare
        body = _LAST_BAR.sub("", bare)
        return f"{self._marked(body, chosen, verdict)} |"

    def _in_words(self, row: str) -> str:
        """The row with what stands over its columns: "Net sales: 2023: $1,284M; Change: +12.4%"."""
        cells = _cells(row)
        if not self._heads or len(cells) != len(self._heads):
            return row
        told = [f"{head}: {cell}" if head else cell for head, cell in zip(self._heads[1:], cells[1:], strict=True)]
        return f"{cells[0]}: {'; '.join(told)}"

    def _marked(self, bare: str, chosen: Sequence[int], verdict: Verdict) -> str:
        """The sentence with its marks: what it rests on, what was calculated from it, what is not there."""
        text = bare
        if verdict.missing:
            self.unverified.append(bare)
            text = f"{text} {message('unverified', self._language, missing=', '.join(verdict.missing))}"
        elif verdict.objection:
            self.unsupported.append(bare)
            text = f"{text} {message('unsupported', self._language)}"
        self.cited = True
        numbers = {index: self._cite(self._evidence[index], bare, checked=verdict.passed) for index in chosen}
        self._note(verdict, numbers)
        if verdict.calculated and verdict.passed:
            return self._with_calculated(text, verdict, numbers)
        return with_marks(text, list(numbers.values()))

    def _with_calculated(self, text: str, verdict: Verdict, numbers: dict[int, int]) -> str:
        """ "... rose 12.4% (calculated from [1][2])": only figures that were found are cited plainly."""
        found = {index for figure in verdict.figures if figure.kind == "found" for index in figure.evidence}
        plain = [number for index, number in numbers.items() if index in found]
        marks = "".join(f"[{number}]" for number in dict.fromkeys(numbers.values()))
        figures = ", ".join(dict.fromkeys(figure.text for figure in verdict.calculated)) if plain else ""
        note = message("calculated", self._language, figures=f"{figures} " if figures else "", marks=marks)
        return with_note(with_marks(text, plain), note)

    def _note(self, verdict: Verdict, numbers: dict[int, int]) -> None:
        for figure in verdict.figures:
            own = tuple(dict.fromkeys(numbers[index] for index in figure.evidence if index in numbers))
            self.figures.append(CheckedFigure(figure.text, figure.kind, own))

    def _obeys(self, sentence: str) -> bool:
        """True for a sentence that stands whole in an order, or has a figure or mostly words of orders alone."""
        if not self._ordered:
            return False
        said = squeeze(sentence)
        if said in self._dictated and said not in self._told:
            return True
        if not self._ordered.isdisjoint(_FIGURE.findall(sentence)):
            return True
        words = _words_and_numbers(sentence)
        return 2 * len(words & self._ordered) >= len(words) > 0

    def _is_asked_for(self, sentence: str) -> bool:
        """True for a sentence that has more of what a document asks to be said than of anything that it states."""
        words = frozenset(search_words(sentence))
        asked, stated = _most_shared(words, self._requests), _most_shared(words, self._statements)
        return asked >= _LEAST_SHARED and asked > stated

    def _wants_to_be_told(self, sentence: str, chosen: Sequence[int], verdict: Verdict) -> bool:
        """True for a sentence without a mark that a document asks to be said."""
        if not (verdict.passed or self._judged):
            return False
        return self._is_asked_for(sentence) or self._rests_on_order(sentence, chosen)

    def _rests_on_order(self, sentence: str, chosen: Sequence[int]) -> bool:
        """True where each sentence that is nearest to it asks to be told by what it means.

        Nearest is what has most of what the sentence says beyond the question, figures first.
        """
        if self._means_order is None:
            return False
        words = _words_and_numbers(sentence)
        beyond, figures = words - self._asked, set(_FIGURE.findall(sentence)) - self._asked
        text = "\n\n".join(self._passages[index].text for index in chosen)

        def nearness(said: str) -> int:
            own = _words_and_numbers(said)
            return _FIRST * (len(beyond & own) + _FIRST * len(figures & own)) + len(words & own)

        by_nearness = grouped(chain.from_iterable(map(_ROWS.split, sentences(text))), nearness)
        nearest = by_nearness.get(max(by_nearness, default=0), [])
        return bool(nearest) and all(map(self._means_order, nearest))

    def _valid(self, marks: Iterable[str]) -> list[int]:
        """Indices of the cited evidence, without numbers that do not exist."""
        numbers = [int(number) for mark in marks for number in re.findall(r"\d+", mark)]
        return [number - 1 for number in dict.fromkeys(numbers) if 1 <= number <= len(self._evidence)]

    def _support(self, sentence: str, cited: list[int], *, is_row: bool = False) -> tuple[list[int], Verdict]:
        """The evidence to cite, and what is to be said of the sentence before it."""
        known = self._checker.remembered()
        stands_alone = not self._says_more
        first = self._checker.check(sentence, cited, stands_alone=stands_alone)
        first = replace(first, objection="") if is_row else first  # a row says nothing beside its figures
        if first.passed and (cited or first.figures):
            held = [index for figure in first.figures for index in figure.evidence]
            is_elsewhere = bool(held) and not set(held) & set(cited)
            return list(dict.fromkeys(held if is_elsewhere else (*cited, *held))), first
        self._checker.forget(known)
        least = _LEAST_SHARED
        if first.objection in _CONTRADICTED:  # by what is cited: a passage that says less of it does not outweigh that
            least = max((self._shared(sentence, index) for index in cited), default=least) + _MORE
        others = sorted(range(len(self._evidence)), key=lambda index: -self._shared(sentence, index))
        for index in others:
            if self._shared(sentence, index) < least:
                break
            verdict = self._checker.check(sentence, [index], stands_alone=stands_alone)
            if verdict.passed:
                return [index], verdict
            self._checker.forget(known)
        return cited, first

    def _shared(self, sentence: str, index: int) -> float:
        words = set(search_words(sentence))
        return share(words & self._words[index], words)

    def _cite(self, item: Evidence, sentence: str, *, checked: bool) -> int:
        """Cite the sentence of the evidence that shares most words and numbers with the answer's sentence."""
        if item.kind not in TEXTS:
            return self._citations.cite(item, item.text, item.start, item.end, checked=checked)
        wanted = _words_and_numbers(sentence)
        spans = [(span.start, span.end) for span in split_text(item.text)]
        spans.sort(key=lambda span: -len(wanted & _words_and_numbers(item.text[slice(*span)])))
        stated = (span for span in spans if not stands_in_orders(item.text, *span))
        start, end = next(stated, (0, len(item.text)))
        return self._citations.cite(item, item.text[start:end], item.start + start, item.start + end, checked=checked)


def _words_of_each(texts: Iterable[Iterable[str]]) -> list[frozenset[str]]:
    return [frozenset(search_words(sentence)) for sentence in chain.from_iterable(texts)]


def _most_shared(words: frozenset[str], said: Iterable[frozenset[str]]) -> float:
    return max((share(words & own, words) for own in said), default=0.0)


def _cells(row: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in row.strip().strip("|").split("|"))


def _claims_more(sentence: str) -> bool:
    """False for a bare "No, it did not.", a refusal, and what claims nothing."""
    bare = _MARKS.sub("", sentence).strip()
    return bool(bare) and not (is_bare_answer(bare) or is_refusal(bare) or claims_nothing(bare))


def _only_in_orders(evidence: Sequence[Evidence], stated: Sequence[str]) -> frozenset[str]:
    """Words and figures that the evidence holds in orders alone: not in what it states, nor in its names."""
    whole = {item.text for item, said in zip(evidence, stated, strict=True) if said != item.text}
    if not whole:
        return frozenset()
    places = [text for item in evidence for text in (item.source, *item.headings) if not gives_orders(text)]
    known = _words_and_numbers("\n".join((*stated, *places)))
    return frozenset(_words_and_numbers("\n".join(whole)) - known)


def with_note(sentence: str, note: str) -> str:
    """The sentence with a note in brackets before its closing mark.

    >>> with_note("Sales rose 4% [1].", "(calculated from [1])")
    'Sales rose 4% [1] (calculated from [1]).'
    """
    body = sentence.rstrip(".!?。！？")
    return f"{body} {note}{sentence[len(body) :]}"


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

    A bare "No, it did not." waits for what follows it: how it is checked depends on that.

    >>> list(complete_parts(["Sales ro", "se. [1]", " Costs fell", ". [2]"]))
    ['Sales rose. [1]', ' Costs fell. [2]']
    >>> list(complete_parts(["Acme Co., Ltd.", " supplies drives [1]. Bolt buys them [2]."]))
    ['Acme Co., Ltd. supplies drives [1].', ' Bolt buys them [2].']
    """
    waiting = ""
    for piece in pieces:
        waiting += piece
        ends = [match.start() for match in _COMPLETE.finditer(waiting) if _ends_sentence(match)]
        if ends and ends[-1] > 0 and not is_bare_answer(waiting[: ends[-1]]):
            yield waiting[: ends[-1]]
            waiting = waiting[ends[-1] :]
    if waiting.strip():
        yield waiting


def _ends_sentence(match: re.Match[str]) -> bool:
    """False within a row of a table, and behind an initial or an abbreviation: a whole answer is not cut there."""
    if "\n" in match[0]:
        return True
    line = match.string[: match.start()].rpartition("\n")[2]
    if line.lstrip().startswith("|"):
        return False
    if line.endswith(("]", "】")):
        return True
    before = _MARKS.sub("", match.string[: match.start()])[-_LOOK_BACK:]
    behind = match.string[match.end() : match.end() + _LOOK_AHEAD]
    starts = {span.start for span in split_text(f"{before} {behind}", shortest=0)}
    return len(before) + 1 in starts
