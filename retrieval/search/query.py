"""A question as its search terms, its vector and the pages it points to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from ...core.names import is_chinese
from ...core.records import dataclass
from ...core.words import question_words, search_words
from ...ingest.sentences import split_text
from ...models.embedders import Embedder
from ..question.plan import QuestionPlan
from ..question.question import Question, calculating_words
from ..question.vocabulary.vocabulary import Expansion
from .index.bm25 import characters_of
from .index.spaces import question_vectors
from .weights import Weights

_THEME = 0.5
"""A word of a theme that a model names, where a word asked is 1."""


@dataclass(frozen=True, slots=True)
class FactSpan:
    """Offsets of a fact in its document's text. ``fit`` is 1 for one that answers best, less for others."""

    start: int
    end: int
    fit: float


@dataclass(frozen=True, slots=True)
class Query:
    """What the ranking compares with."""

    question: Question
    terms: Mapping[str, float]
    """Search term -> weight: 1 for a word asked, less for one that a synonym rule added."""
    theme_terms: Mapping[str, float]
    """Search term -> weight of what statements and themes are searched by: ``terms``, and the themes that a model
    names."""
    vector: np.ndarray | None
    """Unit vector float32 (dim,) in the main space; None without an embedder, or where it cannot read the question."""
    beside: np.ndarray | None = None
    """The same in the space of the multilingual encoder; None without one."""
    homes: Mapping[str, float] = field(default_factory=dict)
    """Page class -> how surely it is the home, 0..1."""
    added: tuple[str, ...] = ()
    """Words that synonym rules added."""
    names_figure: bool = False
    """The question names a figure of the statements."""
    theme_vector: np.ndarray | None = None
    """As ``vector``, of the question and these themes."""
    fact_pages: Mapping[tuple[str, int], float] = field(default_factory=dict)
    """(source, page number) -> how well a fact on it answers, 0..1."""
    fact_spans: Mapping[str, Sequence[FactSpan]] = field(default_factory=dict)
    """Source -> where the facts that answer best stand, the best first."""
    pinned: Mapping[tuple[str, int], float] = field(default_factory=dict)
    """(source, page number) -> how well what it was pinned for fits this question, 0..1; page 0: the document."""
    sentences: np.ndarray | None = None
    """Unit vectors of the question's sentences, float32 (n, dim), of a question of several; None otherwise."""
    sentence_shares: np.ndarray | None = None
    """What each of them counts by its words, float32 (n,), 1 in all."""
    cosines: dict[str, np.ndarray] = field(default_factory=dict, compare=False, repr=False)
    """Chunk -> the cosine of each of its sentences, as the steps of a search have worked them out: passages, relations
    and themes ask for the same chunks."""

    held: dict[str, frozenset[str]] = field(default_factory=dict, compare=False, repr=False)
    """Chunk -> those of ``terms`` that its text holds, of the chunks that were read as passages."""

    def fact_in(self, source: str, start: int, end: int) -> FactSpan | None:
        """The best fact that stands in a text."""
        return next((span for span in self.fact_spans.get(source, ()) if start <= span.start and span.end <= end), None)


def make_query(plan: QuestionPlan, embedder: Embedder | None, weights: Weights, *, short: bool) -> Query:
    """``short`` says that passages are searched, not filings: rules whose words are asked already are skipped.

    Names of companies that the scope has taken care of are left out of a Chinese question: as pairs of characters they
    would outweigh what is asked, and in English they are all that an English report prints of it. The vector is that of
    the question as the company itself would put it: of questions on filings that nobody had looked at, the gold pages
    among the first five rose from .807 to .855 (``filings_elsewhere``) and .872 to .917 (``filings_questions``).
    """
    question = plan.asked
    expansion = plan.vocabulary.synonyms.expand(question.trimmed, around=question.whole, only_missing=short)
    names = _names_in_scope(plan)
    own, beside = question_vectors(embedder, _wordings(plan.as_told, expansion, weights.added_words))
    reads = embedder if own is not None else None
    sentences, shares = _sentences(question.trimmed, reads) if weights.sentence else (None, None)
    terms = _terms(question, expansion, weights, names)
    themes = " ".join(plan.keywords.themes)
    by_theme = question_vectors(embedder, {question.trimmed: 1.0, themes: 1.0})[0] if themes else own
    return Query(
        question,
        terms,
        dict.fromkeys(search_words(themes), _THEME) | terms,
        own,
        beside,
        expansion.homes,
        expansion.words,
        expansion.names_figure,
        by_theme,
        sentences=sentences,
        sentence_shares=shares,
    )


def _names_in_scope(plan: QuestionPlan) -> list[str]:
    text, selection = plan.asked.trimmed, plan.selection
    if not is_chinese(text):
        return []
    names = plan.catalogue.companies.chinese_names(text) if selection.companies else []
    if selection.companies or len(selection.sources) == 1:
        names = [*names, *(taken.name for taken in plan.taken_for)]
    return list(names)


def _sentences(text: str, embedder: Embedder | None) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Vectors and shares of a question's sentences; nothing for a question of one."""
    spoken = [text[sentence.start : sentence.end] for sentence in split_text(text)]
    if embedder is None or len(spoken) < 2:
        return None, None
    words = np.array([1 + len(question_words(sentence)) for sentence in spoken], np.float32)
    return embedder.embed(spoken), words / words.sum()


def _wordings(text: str, expansion: Expansion, share: float) -> dict[str, float]:
    """The question, and the question with its synonyms, with their weights."""
    wordings = {text: 1.0}
    if expansion.words and share:
        wordings[f"{text} {expansion.text}"] = share
    return wordings


def _terms(question: Question, expansion: Expansion, weights: Weights, names: Sequence[str]) -> dict[str, float]:
    text = question.trimmed
    for name in names:
        text = text.replace(name, " ")
    terms = dict.fromkeys(question_words(text), 1.0)
    if weights.characters:
        for term in list(terms):
            terms |= dict.fromkeys(characters_of(term), weights.characters)
    terms |= dict.fromkeys(calculating_words() & terms.keys(), weights.calculating)
    for year in question.years:
        terms[str(year)] = 1.0
    for term in search_words(expansion.text):
        terms.setdefault(term, weights.synonym)
    return terms
