"""Grounding on sentences that others worded freely, and on one error in each of them (``_false_forms``).

True are the sentences of Docugami's reviewed answers on one 10-Q each, held against the two pages that share most with
them, and of FinanceBench's gold answers and their reasons (Islam et al. 2023), held against their evidence. Both are
texts of pages, of whose tables a PDF left one value a line. Some answers calculate what the pages do not print, some
say more than their pages: true ones cannot all pass. Every third question was not looked at while the checks were made.
Besides, 120 sentences of our own in free words, each true one with a false form (``grounding_worded.txt``): of filings,
calls and Chinese notes, those of every second text left unopened.
"""

from __future__ import annotations

import json
import lzma
import math
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from cliquerag.core.words import search_words
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.sentences import split_text
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage

from .._shared import read_lines
from ._false_forms import false_forms, with_another_cause
from .grounding import APART, SYSTEM, Case, rows_of, rows_without_figures

FOLDER = "."
MINUTES = 3
_SEED = 11
_FEWEST_WORDS = 7
_PAGES = 2
"""Pages of a report that a sentence is held against."""
_ITEM = re.compile(r"^\W{0,3}(?:\d{1,2}\.|[-*•])\s{0,3}")
_OF_THE_DOCUMENT = re.compile(
    r"SOURCE|pdf|\bdocuments?\b|provided context|as follows|\bnot (?:provided|specif|explicit|mention|disclos|contain)"
    r"|\bdoes not\b|^(?:However|Therefore|Overall|This (?:indicates|suggests)|In summary)",
    re.IGNORECASE,
)
"""In sentences about the text rather than of it, or that draw a conclusion."""
_OF_THE_METHOD = re.compile(r"metric|formula|line item|derived|step", re.IGNORECASE)
_WORDED = Path(__file__).with_name("grounding_worded.txt")
_PAGES_OF = {"fb": "financebench/pages_dev.jsonl.xz", "zh": "aicup2024_zh/documents.jsonl.xz"}
_KIND = "finance"
_CALLS = "earnings21/calls.jsonl"
_LONGEST_TURN = 3_800
"""Characters of a turn of a call that its sentences were written from."""
_COMPANIES = {"AAPL": "Apple", "AMZN": "Amazon", "INTC": "Intel"}
_NUMBER = re.compile(r"\d[\d,]*\d(?:\.\d+)?")
_WORTH_OF_A_NUMBER = 2
"""Words that a number of the sentence counts as where its pages are looked for."""

Checked = tuple[Case, bool]


def run(folder: Path) -> Report:
    """Check every sentence and its false forms."""
    draw = random.Random(_SEED)
    sets = {
        "answers on 10-Qs": list(_docugami(folder / "docugami_10q", draw)),
        "gold answers": list(_financebench(folder / "financebench", draw)),
        "in free words": list(_worded(folder)),
    }
    rows: list[Row] = []
    for name, checked in sets.items():
        for label, is_unread in ((name, False), (f"{name}, unread", True)):
            own = [one for one in checked if one[0].unread == is_unread]
            rows += [*rows_of(SYSTEM, label, own), *rows_without_figures(SYSTEM, label, own)]
    return Report("grounding_free", tuple(rows), (f"{sum(map(len, sets.values()))} sentences.",))


def checked_forms(
    sentence: str, passages: Sequence[Passage], draw: random.Random, *, unread: bool, question: str = ""
) -> Iterator[Checked]:
    """A true sentence and its false forms, each with whether it passes against all of the passages."""
    text = "\n".join(passage.text for passage in passages)
    forms = (("", sentence), *false_forms(sentence, text, draw), (APART, with_another_cause(sentence, text)))
    for kind, form in filter(itemgetter(1), forms):
        verdict = AnswerChecker(passages, question).check(form, range(len(passages)))
        yield Case("", "", form, kind, unread), verdict.passed


def sentences_in(text: str) -> Iterator[str]:
    """The sentences of each line of a text, without the marks of lists."""
    for line in text.splitlines():
        for span in split_text(line, shortest=0, longest=10_000):
            sentence = _ITEM.sub("", line[span.start : span.end]).strip()
            if len(sentence.split()) >= _FEWEST_WORDS and not sentence.endswith(":"):
                yield sentence


def _docugami(folder: Path, draw: random.Random) -> Iterator[Checked]:
    pages = _read_pages(folder / "pages.jsonl.xz")
    for number, question in enumerate(read_lines(folder / "questions.jsonl")):
        name = question["source_docs"][0].removesuffix(".pdf")
        if len(question["source_docs"]) > 1 or name not in pages:
            continue
        year, quarter, ticker = name.split()
        about = f"{_COMPANIES[ticker]} | 10-Q | {quarter} {year}"
        for sentence in sentences_in(question["answer"]):
            if not _OF_THE_DOCUMENT.search(sentence):
                passages = [Passage(page, about, name) for page in _nearest(sentence, pages[name])]
                yield from checked_forms(sentence, passages, draw, unread=number % 3 == 0)


def _read_pages(path: Path) -> dict[str, list[str]]:
    """The pages of each document of a file; of one with several kinds of documents, of those on finance."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        documents = [document for document in map(json.loads, lines) if document.get("category", _KIND) == _KIND]
    return {document["doc"]: document["pages"] for document in documents}


def _nearest(sentence: str, pages: Sequence[str]) -> list[str]:
    """The pages that share most with a sentence: rare words count more, its numbers most."""
    words, numbers = set(search_words(sentence)), set(_NUMBER.findall(sentence))
    held = [set(search_words(page)) for page in pages]
    frequency = Counter(word for own in held for word in own & words)

    def shared(place: int) -> float:
        by_words = sum(math.log(1 + len(pages) / frequency[word]) for word in held[place] & words)
        return by_words + _WORTH_OF_A_NUMBER * len(numbers.intersection(_NUMBER.findall(pages[place])))

    best = sorted(range(len(pages)), key=shared, reverse=True)[:_PAGES]
    return [pages[place] for place in best]


def _financebench(folder: Path, draw: random.Random) -> Iterator[Checked]:
    for number, question in enumerate(read_lines(folder / "questions.jsonl")):
        about = f"{question['company']} | {question['doc_type']} | FY{question['period']}"
        passages = [_evidence(item, about) for item in question["evidence"]]
        said = f"{question['answer']}\n{question['justification'] or ''}"
        for sentence in sentences_in(said):
            if not _OF_THE_METHOD.search(sentence):
                yield from checked_forms(
                    sentence, passages, draw, unread=number % 3 == 0, question=question["question"]
                )


def _evidence(item: dict[str, Any], about: str) -> Passage:
    return Passage(item["text"], about, item["doc_name"])


def worded_sentences(folder: Path) -> Iterator[tuple[Passage, str, str, bool]]:
    """The sentences of our own in free words: passage, sentence, kind of its error ("" for none), whether unopened."""
    texts = {name: _read_pages(folder / file) for name, file in _PAGES_OF.items()}
    calls = read_lines(folder / _CALLS)
    texts["e21"] = {call["call"]: [turn["text"][:_LONGEST_TURN] for turn in call["turns"]] for call in calls}
    passage, unread = Passage(""), False
    for line in _WORDED.read_text(encoding="utf-8").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "=":
            kind, name, place, part, about = rest.split(" ", 4)
            passage, unread = Passage(texts[kind][name][int(place)], about, name), part == "U"
        elif mark in ("T", "F"):
            error, sentence = ("", rest) if mark == "T" else rest.split(" ", 1)
            yield passage, sentence, error, unread


def _worded(folder: Path) -> Iterator[Checked]:
    for passage, sentence, error, unread in worded_sentences(folder):
        verdict = AnswerChecker([passage]).check(sentence, [0])
        yield Case(passage.source, "", sentence, error, unread), verdict.passed
