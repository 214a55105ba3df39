"""Ways in which one sentence contradicts another: opposites, denials, counts, clauses of other years, turned roles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from .....core.period_text import years_in
from .....core.sequences import without
from ..wording import (
    is_common_name,
    is_denied,
    number_words,
    opposites_of,
    small_words,
    stem,
    terms,
    verbs,
)

_CLAUSES = re.compile(r";|；|, (?:while|whereas|but)\b|\b(?:while|whereas)\b|，(?:而|但)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w’'-]*|\d[\d.,]*|[\u4e00-\u9fff]+")
_NOUN = re.compile(r"[a-z](?:ments?|[eo]rs?|tions?)$")
"""Of verbs: "investments" and "suppliers" do nothing to anybody."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_PREFIXES = ("un", "non-", "non", "in", "dis", "im")
_SHORTEST_STEM = 4
_NEAR = 2
"""Words of weight behind a denial that it denies."""


def contradiction(sentence: str, said: str, shared: frozenset[str]) -> str:
    """The first way in which one sentence speaks against the other; ``shared`` are the words that both have."""
    return next((name for name, is_so in _WAYS.items() if is_so(sentence, said, shared)), "")


def has_opposite_word(one: str, other: str) -> bool:
    """True where a word of one text has its opposite in the other: by prefix ("unsecured"), or another word."""
    own, theirs = set(_stems(one)), set(_stems(other))
    if any(opposites_of(word) & theirs for word in own):
        return True
    return any(_is_prefixed(word, own, theirs) for word in _words(one) | _words(other))


def contraries_of(word: str) -> frozenset[str]:
    """The opposites of a word, and the word with each prefix that denies it."""
    return opposites_of(word) | {f"{prefix}{word}" for prefix in _PREFIXES}


def _is_denied_in_one(sentence: str, said: str, shared: frozenset[str]) -> bool:
    return is_denied_near(sentence, shared) != is_denied_near(said, shared)


def _opposite(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """True where one has a word and the other its opposite, both said of the same thing."""
    own, other = _stems(sentence), _stems(said)
    own_set, other_set = set(own), set(other)
    for place, word in enumerate(own):
        against = opposites_of(word) & other_set
        if not against:
            continue
        if word in other_set:
            if _said_of_another(own, place, other, against):
                return True
        elif not against & own_set:
            return is_denied_near(sentence, frozenset({word})) == is_denied_near(said, against)
    denied = is_denied(sentence) != is_denied(said)
    return not denied and any(_is_prefixed(word, own_set, other_set) for word in _words(sentence) | _words(said))


def _said_of_another(own: Sequence[str], place: int, other: Sequence[str], against: frozenset[str]) -> bool:
    """True where the source says the opposite word, and only that, of what the word is said of."""
    if place + 1 >= len(own):
        return False
    thing = own[place + 1]
    before = {other[at - 1] for at, word in enumerate(other) if word == thing and at}
    return own[place] not in before and bool(before & against)


def _is_prefixed(word: str, own: set[str], other: set[str]) -> bool:
    """ "cancellable" on one side and "non-cancellable" on the other."""
    for prefix in _PREFIXES:
        if not word.startswith(prefix) or len(word) <= len(prefix) + _SHORTEST_STEM:
            continue
        bare, full = stem(word.removeprefix(prefix).lstrip("-")), {stem(word), word}
        if _has_full_alone(own, other, bare, full) or _has_full_alone(other, own, bare, full):
            return True
    return False


def _has_full_alone(one: set[str], other: set[str], bare: str, full: set[str]) -> bool:
    """True where the first has the word with its prefix, and the other only the one without."""
    has_one_alone = bool(one & full) and bare not in one - full
    return has_one_alone and bare in other and not other & full


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _stems(text: str) -> list[str]:
    """The search words of a text in order; hyphened words are kept whole beside their parts."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if "-" not in word:
            found.append(stem(word))
            continue
        found.append(word)
        if not word.startswith(("non-", "un-")):
            found.extend(terms(word))
    return without(found, small_words())


def is_denied_near(text: str, shared: frozenset[str]) -> bool:
    """True where a denial is of something that both sentences share: of one of the next two words of weight.

    A word that the text has a second time is not denied by that: "cost not yet recognized ... to be recognized over".
    """
    words = _WORD.findall(text)
    once = {word for word, count in Counter(stem(word.lower()) for word in words).items() if count == 1}
    for at, word in enumerate(words):
        if is_denied(word):
            behind = [stem(other.lower()) for other in words[at + 1 : at + 8] if other.lower() not in small_words()]
            if not once.isdisjoint(shared.intersection(behind[:_NEAR])):
                return True
    return False


def _counts_otherwise(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """ "three segments" against "a single segment"."""
    own, other = _counts(sentence), _counts(said)
    return bool(own and other) and own.isdisjoint(other)


def _counts(text: str) -> set[str]:
    """The whole numbers that a text writes as words."""
    numbers = number_words()
    return {numbers[word] for word in _words(text).intersection(numbers)} - {"zero"}


def _of_another_clause(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """True where the clause of the sentence's year lacks words that the clause of another year has."""
    clauses = _CLAUSES.split(said)
    years = years_in(sentence)
    if len(clauses) < 2 or len(years) != 1:
        return False
    mine: set[str] = set()
    others: set[str] = set()
    for clause in clauses:
        told = years_in(clause)
        if told:
            (mine if years & told else others).update(terms(clause))
    return bool(mine) and not others.isdisjoint(terms(sentence) - mine)


def _is_turned_round(sentence: str, said: str, shared: frozenset[str]) -> bool:
    """True where a name that does something in one sentence has it done to it in the other."""
    names = _capitals(said) & _capitals(sentence) & shared
    for verb in shared & verbs():
        for name in names - {verb}:
            if {_does(sentence, name, verb), _does(said, name, verb)} == {True, False}:
                return True
    return False


def _capitals(text: str) -> frozenset[str]:
    """Stems of the words that are written as names."""
    words = [word for word in _WORD.findall(text) if word[0].isupper() and not is_common_name(word)]
    return frozenset(stem(word.lower()) for word in words)


def _does(text: str, name: str, verb: str) -> bool | None:
    """True where the name stands on the side of the doer of the verb; None where one of them is missing."""
    words = list(_WORD.finditer(text))
    stems = ["" if _NOUN.search(match[0]) else stem(match[0].lower()) for match in words]
    if name not in stems or verb not in stems:
        return None
    at_verb = stems.index(verb)
    sides = {place < at_verb for place, word in enumerate(stems) if word == name}
    if len(sides) > 1:  # "Acme and Bolt agreed that Acme acquires Bolt"
        return None
    is_passive = bool(_PASSIVE.search(text[: words[at_verb].start()]))
    return sides.pop() != is_passive


_WAYS: Mapping[str, Callable[[str, str, frozenset[str]], bool]] = {
    "opposite": _opposite,
    "denial": _is_denied_in_one,
    "number": _counts_otherwise,
    "clause": _of_another_clause,
    "roles": _is_turned_round,
}
"""How a sentence may speak against one of its source, in the order in which it is looked for."""
