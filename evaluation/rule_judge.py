"""A judge without a model: numbers, names, shared words and negation.

Strict, deterministic and free, but no substitute for reading: it cannot follow a paraphrase.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..core.period_text import find_periods
from ..core.quantity_text import find_quantities
from ..core.words import question_words, search_words
from ..ingest.sentences import split_text
from ..retrieval.answer.generative.figure_check import FigureChecker, FigureOutcome
from ..retrieval.answer.generative.reply_text import quoted_words, squeeze

SHARED = 0.6
"""Share of a statement's words that one stretch of the context must hold."""
_WINDOW = 3
"""Sentences that may support a statement together."""
_LEAST_WORDS = 2
_CITATION = re.compile(r"\s{0,9}\[\d{1,9}(?:\s{0,9}[,，]\s{0,9}\d{1,9}){0,99}\]")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|[a-z]+n['’]t)\b|不|没有|未|无|非", re.IGNORECASE
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w&-]+(?:\s+[A-Z][\w&-]+)*")


class RuleJudge:
    """Entailment by rules.

    A statement is supported where up to three sentences in a row of one context hold at least 60 % of its words, all
    its numbers and quotations, its names and its periods, and are negated if it is.
    """

    name = "rules"

    def statements(self, question: str, answer: str) -> list[str]:
        """The sentences of the answer, without citations and without such as hold hardly a word."""
        text = _CITATION.sub("", answer)
        found = [text[s.start : s.end].strip() for s in split_text(text, shortest=0)]
        return [sentence for sentence in found if len(search_words(sentence)) >= _LEAST_WORDS or _has_digit(sentence)]

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """For each statement, whether a stretch of one context supports it."""
        return [any(_supports(context, statement) for context in contexts) for statement in statements]

    def questions(self, answer: str, n: int) -> list[str]:
        """The answer's first statements without their numbers: what they are about, if not how one would ask it."""
        return [re.sub(r"[$€£¥]?\d[\d,.]*\s?%?", "", sentence) for sentence in self.statements("", answer)[:n]]

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """A context helps that supports a statement of the reference, or holds its numbers and most of the question."""
        claims = self.statements(question, reference)
        asked = set(question_words(question))
        return [
            any(self.supported(claims, [context])) or _holds_answer(context, question, reference, asked)
            for context in contexts
        ]


def entails(premise: str, statement: str) -> bool:
    """True where the rules find the statement in the premise.

    >>> entails("Acme raised revenue to $3,412 million in 2023.", "Acme raised revenue to $3.4 billion in 2023.")
    True
    >>> entails("Acme did not raise prices in 2023.", "Acme raised prices in 2023.")
    False
    """
    return _holds_figures(premise, statement) and _says(premise, statement)


def _supports(context: str, statement: str) -> bool:
    """True where the context has the figures, with the heads of its tables, and one stretch of it the words."""
    if not _holds_figures(context, statement):
        return False
    return any(_says(stretch, statement) for stretch in _stretches(context))


def _holds_figures(context: str, statement: str) -> bool:
    figures = FigureChecker([context]).check(statement, [0])
    everything = squeeze(context)
    return all(_is_there(figure) for figure in figures) and all(
        squeeze(quote) in everything for quote in quoted_words(statement)
    )


def _is_there(figure: FigureOutcome) -> bool:
    return figure.kind != "not found"


def _says(premise: str, statement: str) -> bool:
    """True where the premise has the words, the denial, the names and the periods of the statement."""
    wanted = set(search_words(_without_amounts(statement)))
    held = set(search_words(premise))
    if wanted and len(wanted & held) < SHARED * len(wanted):
        return False
    if bool(_NEGATION.search(statement)) != bool(_NEGATION.search(premise)):
        return False
    return _names_held(statement, premise) and _periods_held(statement, premise)


def _without_amounts(text: str) -> str:
    """The text without its amounts, which are compared by value: "billion" need not stand in the premise."""
    for quantity in reversed(find_quantities(text)):
        text = f"{text[: quantity.start]} {text[quantity.end :]}"
    return text


def _stretches(context: str) -> list[str]:
    spans = split_text(context, shortest=0)
    single = [context[s.start : s.end] for s in spans]
    windows = [context[a.start : b.end] for a, b in zip(spans, spans[_WINDOW - 1 :], strict=False)]
    return [*single, *windows] or [context]


def _names_held(statement: str, premise: str) -> bool:
    lower = premise.lower()
    return all(name.lower() in lower for name in _NAME.findall(statement))


def _periods_held(statement: str, premise: str) -> bool:
    there = [mention.period for mention in find_periods(premise)]
    named = [mention.period for mention in find_periods(statement)]
    return not there or all(any(period.overlaps(other) for other in there) for period in named)


def _holds_answer(context: str, question: str, reference: str, asked: set[str]) -> bool:
    """True for a context with the figures of the right answer and most words of the question."""
    figures = FigureChecker([context], question).check(reference, [0])
    shared = len(asked & set(search_words(context))) / len(asked) if asked else 0.0
    return bool(figures) and all(_is_there(figure) for figure in figures) and shared >= SHARED


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)
