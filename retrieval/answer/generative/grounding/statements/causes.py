"""Does a source give the cause that a sentence gives: of this thing, and not of another?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from ......core.sequences import share
from ......core.words import without_numbers
from ...wording import WORDING, folded_terms, is_denied, terms, weightless_words
from ..claims import row_words
from .contradiction import is_denied_near
from .source_sentences import parts_of, prose_sentences

_LEAST_TOLD = 0.4
"""Share of the words of a cause that a place must hold which tells it: models use words of their own."""
_TOGETHER = 3
"""Sentences that tell a cause together."""
_LEAST_EFFECT = 2
"""Words of what is explained; where a sentence has fewer ("The decline was due to"), those of the question, too."""
_ENOUGH = 3
"""Words of a cause behind which no further sentence is needed."""
_LEAST_FIT = 0.5
"""Share of the words of what is explained that a place must hold which explains it."""
_CLEARLY = 0.25
"""By how much worse the explanations of other things fit what is explained."""
_WELL_TOLD, _TOLD_BETTER = 0.6, 0.4
"""Share of a cause that is told well enough, and by how much more of it the explanation of another thing holds."""

_TAKES_UP = re.compile(r"\W{0,3}(?:this|these|that|those|it|which|such)\b|[这该其此]", re.IGNORECASE)

_Words = frozenset[str]
_FOLDS, _FOLLOWS = terms("rise fall"), terms("following below")


def has_another_cause(sentence: str, texts: Sequence[str], question: str = "") -> bool:
    """True where the sources give the cause that the sentence gives nowhere, or of something else.

    >>> source = "The decrease in sales volume was due to weak demand. Wages rose because of a strike at the plant."
    >>> has_another_cause("Sales volume decreased because of a fire at the plant.", [source])
    True
    >>> has_another_cause("Sales volume decreased because of a strike at the plant.", [source])
    True
    >>> has_another_cause("Sales volume decreased because demand was weak.", [source])
    False
    """
    return any(_has_another(effect, cause, texts, question) for effect, cause in _explained_in(sentence))


def _explained_in(sentence: str) -> Iterator[tuple[str, str]]:
    """What each clause explains, and by what; what it says was offset by is no cause."""
    for clause in parts_of(sentence, "clause"):
        effect, *causes = parts_of(clause, "cause")
        if causes:
            yield effect, parts_of(" ".join(causes), "counter_cause")[0]
            continue
        cause, *effects = parts_of(clause, "cause_before")
        if effects:
            yield " ".join(effects), cause


def _has_another(effect: str, told: str, texts: Sequence[str], question: str) -> bool:
    cause = without_numbers(folded_terms(told)) - weightless_words()
    if not cause - _FOLDS or _TAKES_UP.match(told):  # "due to these factors"
        return False
    told_of = [(said, is_denied_near(said, cause)) for text in texts for said in prose_sentences(text)]
    denied = {said for said, is_so in told_of if is_so} if not is_denied(told) else set()
    windows = list(chain.from_iterable(_windows(text, denied) for text in texts))
    if not any(_tells(said, cause) for said in windows):
        return True
    if _TAKES_UP.match(effect):  # "This impact was due to": of what the sentence before it says
        return False
    elsewhere = max(share(cause & said, cause) for said in windows)
    return _is_cause_of_another(_explained(effect, question), cause, texts, elsewhere)


def _is_cause_of_another(explained: _Words, cause: _Words, texts: Sequence[str], elsewhere: float) -> bool:
    """True where the places that explain what a sentence explains tell little of its cause, and others tell it.

    ``elsewhere`` is the share of the words of its cause that some place holds.
    """
    told = [
        (share(explained & effect, explained), share(cause & said, cause))
        for effect, said in chain.from_iterable(map(_explanations, texts))
    ]
    best = max((fit for fit, _ in told), default=0.0)
    if best < _LEAST_FIT:
        return False
    here = max(shared for fit, shared in told if fit > best - _CLEARLY)
    return here < _WELL_TOLD and elsewhere >= here + _TOLD_BETTER


def _explained(effect: str, question: str) -> _Words:
    words = without_numbers(folded_terms(effect) & (row_words(effect) | _FOLDS)) - weightless_words()
    return words if len(words - _FOLDS) >= _LEAST_EFFECT else words | without_numbers(row_words(question))


def _explanations(text: str) -> Iterator[tuple[_Words, _Words]]:
    """Each sentence that tells a cause: the words of what it explains, and all of it with the sentence behind.

    What is explained may stand in the sentences before: "Sales fell. This was due to weak demand."
    """
    sentences = prose_sentences(text)
    for place, said in enumerate(sentences):
        if not WORDING.any("explains", said):
            continue
        before: list[str] = []
        for earlier in reversed(sentences[max(0, place - _TOGETHER + 1) : place]):
            if WORDING.any("cause", earlier):
                break
            before.append(earlier)
        told = parts_of(said, "counter_cause")[0]
        cause = terms(" ".join(parts_of(told, "explains")[1:]))
        if len(cause) < _ENOUGH or not cause.isdisjoint(_FOLLOWS):  # "was due to the following."
            behind = (later for later in sentences[place + 1 : place + 2] if not WORDING.any("cause", later))
            told = " ".join((told, *behind))
        yield folded_terms(" ".join((*before, said))), folded_terms(told)


def _tells(said: _Words, cause: _Words) -> bool:
    return len(cause & said) >= _LEAST_TOLD * len(cause)


def _windows(text: str, denied: Collection[str]) -> Iterator[_Words]:
    """The words of each sentence of prose with the two behind it: a cause is often told in the next one.

    Without what ``denied`` sentences say: "no reports of injuries" tells of no injuries.
    """
    words = [frozenset() if said in denied else folded_terms(said) for said in prose_sentences(text)]
    return (frozenset().union(*words[place : place + _TOGETHER]) for place in range(len(words)))
