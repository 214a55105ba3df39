"""Two questions on one filing asked as one: are both gold pages found, are both parts answered, as if asked alone?

FinanceBench questions of one filing, each pair in both orders, joined as people join them ("..., and ...?" where the
first is one sentence, "...? And ...?" else). "one search" is what a search of the whole text finds, "parts" what ours
finds; "alone" are the two questions by themselves, the first five pages of each. Given is what is no refusal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, permutations
from pathlib import Path

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.metrics.retrieval import distinct
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Answer, Evidence
from cliquerag.retrieval.search.pipeline import search_plan

from ...asking import answer_question, plan_of, search
from ...ours import stored, text_documents
from .._shared import embedder
from ..retrieval.financebench import PageKey, Question, read_task

FOLDER = "financebench"
MINUTES = 8
_PAGES = 10
_HITS = 20


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions on one filing, and their text as one."""

    first: Question
    second: Question

    @property
    def text(self) -> str:
        """Both, joined."""
        opening = self.second.text[:1].lower() + self.second.text[1:]
        if self.first.text.count("?") == 1 and self.first.text.endswith("?"):
            return f"{self.first.text[:-1]}, and {opening}"
        return f"{self.first.text} And {opening}"

    @property
    def both(self) -> tuple[Question, Question]:
        """The two by themselves."""
        return self.first, self.second


def run(folder: Path) -> Report:
    """Search and answer every pair, and every question by itself, in one run."""
    filings, asked = read_task(folder)
    pairs = pairs_of(asked)
    with stored(text_documents(filings), embedder(), facts=True) as store:
        rows = [*_search_rows(store, pairs), *_answer_rows(store, pairs)]
        cut = sum(len(plan_of(store, pair.text).sub_questions) == 2 for pair in pairs)
    notes = (f"{len(pairs)} pairs of questions on one filing; {cut} are told apart as two.",)
    return Report("joined_questions", tuple(rows), notes)


def pairs_of(asked: Sequence[Question]) -> list[Pair]:
    """Every two questions on one filing, in both orders."""
    return [Pair(one, other) for one, other in permutations(asked, 2) if one.source == other.source]


def _search_rows(store: Store, pairs: Sequence[Pair]) -> Iterator[Row]:
    half = _PAGES // 2
    alone: dict[str, list[PageKey]] = {}
    for question in _each(pairs):
        alone[question.text] = _pages(search(store, embedder(), question.text, k=_HITS))[:half]
    metric = f"gold pages of both@{_PAGES}"
    whole = [_has_both(_pages(_one_search(store, pair.text))[:_PAGES], pair) for pair in pairs]
    yield Row.mean("one search", metric, whole)
    parts = [_has_both(_pages(search(store, embedder(), pair.text, k=_HITS))[:_PAGES], pair) for pair in pairs]
    yield Row.mean("parts", metric, parts)
    single = [_has_both([*alone[pair.first.text], *alone[pair.second.text]], pair) for pair in pairs]
    yield Row.mean("alone", metric, single)


def _answer_rows(store: Store, pairs: Sequence[Pair]) -> Iterator[Row]:
    alone: dict[str, Answer] = {}
    for question in _each(pairs):
        alone[question.text] = answer_question(store, embedder(), None, question.text)
    joined = [answer_question(store, embedder(), None, pair.text) for pair in pairs]
    by_two = [(alone[pair.first.text], alone[pair.second.text]) for pair in pairs]
    yield Row.mean("alone", "both answered", [float(_is_given(one) and _is_given(other)) for one, other in by_two])
    yield Row.mean("parts", "both answered", [float(_gives_two_parts(answer)) for answer in joined])
    cited = [_has_both(_cited(answer), pair) for answer, pair in zip(joined, pairs, strict=True)]
    yield Row.mean("parts", "cites pages of both", cited)
    own = [_has_both([*_cited(one), *_cited(other)], pair) for (one, other), pair in zip(by_two, pairs, strict=True)]
    yield Row.mean("alone", "cites pages of both", own)


def _is_given(answer: Answer) -> bool:
    return "not found" not in answer.trace


def _gives_two_parts(answer: Answer) -> bool:
    parts = answer.trace.get("parts", ())
    return len(parts) == 2 and all(part["found"] for part in parts)


def _cited(answer: Answer) -> list[PageKey]:
    return [(citation.source, citation.page) for citation in answer.citations if citation.page]


def _one_search(store: Store, text: str) -> list[Evidence]:
    return search_plan(plan_of(store, text), embedder(), k=_HITS)


def _each(pairs: Sequence[Pair]) -> list[Question]:
    """All questions, each once."""
    both = chain.from_iterable(pair.both for pair in pairs)
    return list({question.text: question for question in both}.values())


def _pages(found: Sequence[Evidence]) -> list[PageKey]:
    return distinct((item.source, item.page) for item in found if item.page is not None)


def _has_both(pages: Sequence[PageKey], pair: Pair) -> float:
    """1 where a gold page of each question is among the pages."""
    return float(all(not question.gold.isdisjoint(pages) for question in pair.both))
