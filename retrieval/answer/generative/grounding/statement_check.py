"""Does a sentence say what its source says? By names, words, denials and opposites: entailment as far as words go."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from .....core.period import Period
from .....core.period_text import find_periods, years_in
from .....ingest.sentences import split_text
from ..cells.reading import read_cells, table_text
from ..wording import (
    WORDING,
    is_common_name,
    is_denied,
    number_words,
    opposites_of,
    small_words,
    stem,
    terms,
    unknown_names,
    verbs,
)
from .trend_check import denies_figure, moves_against_itself

LEAST_SHARED = 0.4
"""Share of a sentence's words that its source must hold: models put things in words of their own."""
LEAST_SHARED_DENIED = 0.25
"""The same where a denial turns the source round: of 68 denials .4 marks 48, .25 marks 55, and no more true ones."""
_CLAUSES = re.compile(r";|；|, (?:while|whereas|but)\b|\b(?:while|whereas)\b|，(?:而|但)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w’'-]*|\d[\d.,]*|[\u4e00-\u9fff]+")
_NOUN = re.compile(r"[a-z](?:ments?|[eo]rs?|tions?)$")
"""Of verbs: "investments" and "suppliers" do nothing to anybody."""
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PREFIXES = ("un", "non-", "non", "in", "dis", "im")
_SHORTEST_STEM = 4
_LEAST_CAUSE = 2
"""Words of a cause that is looked for."""
_TOGETHER = 3
"""Sentences that tell a cause together."""
_LEAST_CLAUSE = 4
"""Words of a clause that is held against the sources by itself."""
_NEAR = 2
"""Words of weight behind a denial that it denies."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a sentence cites: its text, and what is known of it besides: company, title, headings, period."""

    text: str
    about: str = ""


def objection(sentence: str, sources: Sequence[Source], stated: Sequence[str] | None = None, beside: str = "") -> str:
    """What speaks against a sentence, in a word or two; "" where nothing does.

    ``stated`` are the sentences of the sources in which figures of the sentence were found; None where it has none.
    ``beside`` is what else there is of the same documents: a name may stand there.

    >>> source = Source("Amounts owed by subsidiaries are unsecured.")
    >>> objection("Amounts owed by subsidiaries are secured.", [source])
    'opposite'
    >>> objection("Amounts owed by subsidiaries are not secured.", [source])
    ''
    """
    texts = [source.text for source in sources]
    everything = "\n".join(f"{source.about}\n{source.text}" for source in sources)
    if _has_unknown_name(sentence, everything, beside):
        return "name"
    if not _periods_known(sentence, everything, texts) or has_year_of_another(sentence, everything):
        return "period"
    if stated is not None:
        return _against_what_is_said(_clauses_with_figures(sentence), texts, stated)
    if _shares_few_words(sentence, everything):
        return "words"
    if denies_figure(sentence, texts):
        return "figures"
    if turns_statement_round(sentence, texts):
        return "denial"
    return _against_what_is_said(sentence, texts, _nearest(terms(sentence), texts))


def _has_unknown_name(sentence: str, everything: str, beside: str) -> bool:
    if not unknown_names(sentence, everything):
        return False
    return not beside or bool(unknown_names(sentence, f"{everything}\n{beside}"))


def _shares_few_words(sentence: str, everything: str) -> bool:
    words = terms(sentence)
    return len(words & terms(everything)) < LEAST_SHARED * len(words)


def _against_what_is_said(sentence: str, texts: Sequence[str], stated: Sequence[str]) -> str:
    if moves_against_itself(sentence):
        return "figures"
    if has_another_cause(sentence, texts):
        return "cause"
    return _against_sentences(sentence, stated)


def _clauses_with_figures(sentence: str) -> str:
    """What of a sentence the sentences in which its figures were found can speak against."""
    clauses = [clause for clause in _split(sentence, "clause") if any(char.isdigit() for char in clause)]
    return ", ".join(clauses) or sentence


def _split(text: str, name: str) -> list[str]:
    """The parts of a text between matches of a pattern of grounding.toml."""
    ends = [(match.start(), match.end()) for pattern in WORDING.all(name) for match in pattern.finditer(text)]
    parts, start = [], 0
    for begin, end in sorted(ends):
        parts.append(text[start:begin])
        start = end
    return [*parts, text[start:]]


def has_another_cause(sentence: str, texts: Sequence[str]) -> bool:
    """True where the sources speak of what the sentence explains, and neither there nor elsewhere of its cause.

    >>> source = "The decrease in sales volume was due to weak demand. Prices rose."
    >>> has_another_cause("Sales volume decreased because of a strike at the plant.", [source])
    True
    >>> has_another_cause("Sales volume decreased because demand was weak.", [source])
    False
    """
    effect, *causes = _split(sentence, "cause")
    cause = frozenset(word for word in terms(" ".join(causes)) if not word.isdigit())
    if len(cause) < _LEAST_CAUSE:
        return False
    explained = terms(effect)
    speaks_of_it = False
    for said in chain.from_iterable(map(_windows, texts)):
        if len(cause & said) >= LEAST_SHARED * len(cause):
            return False
        speaks_of_it = speaks_of_it or len(explained & said) * 2 >= len(explained)
    return speaks_of_it


def turns_statement_round(sentence: str, texts: Sequence[str]) -> bool:
    """True where a sentence denies what the sentence of the sources that shares most words with it says, or vice versa.

    "No mention" and "without" tell of an absence, which a source need not state: they turn nothing round.

    >>> turns_statement_round("Acme is not going on to invest in drives.", ["Acme goes on to invest in new drives."])
    True
    >>> turns_statement_round("The claim is not without merit.", ["We believe that the claim is without merit."])
    True
    """
    clauses = _split(sentence, "clause")
    if min(len(terms(clause)) for clause in clauses) < _LEAST_CLAUSE:
        clauses = [sentence]
    return any(_clause_is_turned(clause, texts) for clause in clauses)


def _clause_is_turned(sentence: str, texts: Sequence[str]) -> bool:
    words = terms(sentence)
    nearest, shared = "", 0
    for said in (said for text in texts for said in prose_sentences(text)):
        in_both = len(words & terms(said))
        if in_both > shared:
            nearest, shared = said, in_both
    own, theirs = _without_double_denials(sentence), _without_double_denials(nearest)
    if not shared or is_denied(own) == is_denied(theirs) or WORDING.any("denied_otherwise", theirs):
        return False
    if _has_opposite_word(own, theirs):  # "not secured" of what is unsecured
        return False
    share = shared / len(words)
    if is_denied(own):
        return share >= LEAST_SHARED_DENIED and WORDING.any("denied_statement", own)
    is_double = own != sentence
    return share >= LEAST_SHARED and (is_double or is_denied_near(theirs, words & terms(theirs)))


def _has_opposite_word(one: str, other: str) -> bool:
    """True where a word of one text has its opposite in the other: by prefix ("unsecured"), or another word."""
    own, theirs = set(_stems(one)), set(_stems(other))
    if any(opposites_of(word) & theirs for word in own):
        return True
    return any(_is_prefixed(word, own, theirs) for word in _words(one) | _words(other))


def _without_double_denials(text: str) -> str:
    for pattern in WORDING.all("double_denial"):
        text = pattern.sub(" ", text)
    return text


def _windows(text: str) -> list[frozenset[str]]:
    """The words of each sentence of prose with the two behind it: a cause is often told in the next one."""
    words = [terms(said) for said in prose_sentences(text)]
    return [frozenset().union(*words[place : place + _TOGETHER]) for place in range(len(words))]


@lru_cache(maxsize=256)
def prose_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text outside its tables."""
    rows = set(table_text(text).splitlines())
    prose = "\n".join("" if line in rows else line for line in text.splitlines())
    spans = split_text(prose, shortest=0, longest=10_000)
    return tuple(prose[span.start : span.end] for span in spans)


def _periods_known(sentence: str, everything: str, texts: Sequence[str]) -> bool:
    """True where every year that the sentence names stands in the source."""
    known = years_in(everything).union(map(int, _YEAR.findall(everything)))
    if WORDING.any("year_before", everything):
        known |= {year - 1 for year in known}
    if WORDING.any("year_after", everything):
        known |= {year + 1 for year in known}
    for cell in chain.from_iterable(map(read_cells, texts)):
        known.update(period.year for period in cell.periods)
    if known and "fiscal" in sentence.lower():  # a fiscal year may be called by the year in which it ends
        known |= {year + 1 for year in known}
    return not known or years_in(sentence) <= known


def has_year_of_another(sentence: str, everything: str) -> bool:
    """True where a sentence names a day or a quarter that the source has in another year, and never in this one.

    >>> has_year_of_another("On April 24, 2022 the court affirmed.", "The ruling of April 24, 2023 was affirmed.")
    True
    """
    named = [period for period in _periods_in(sentence) if period.unit in ("day", "quarter")]
    if not named:
        return False
    years: dict[tuple[object, ...], set[int]] = {}
    for period in _periods_in(everything):
        years.setdefault(_place_in_year(period), set()).add(period.year)
        if period.unit == "quarter" and period.end:  # "the quarter ended June 25, 2022" is a day, too
            years.setdefault((period.end.month, period.end.day), set()).add(period.end.year)
    return any(_is_of_other_years(period, years.get(_place_in_year(period), {period.year})) for period in named)


def _is_of_other_years(period: Period, years: set[int]) -> bool:
    """True where a period is of none of these years; a fiscal one may be called by the year before or behind."""
    own = {period.year - 1, period.year, period.year + 1} if period.fiscal else {period.year}
    return own.isdisjoint(years)


@lru_cache(maxsize=256)
def _periods_in(text: str) -> tuple[Period, ...]:
    return tuple(mention.period for mention in find_periods(text))


def _place_in_year(period: Period) -> tuple[object, ...]:
    """What of a period does not say its year."""
    if period.is_instant and period.end:
        return (period.end.month, period.end.day)
    return (period.unit, period.number)


def _against_sentences(sentence: str, sayings: Sequence[str]) -> str:
    """What all of these sentences of the source say otherwise."""
    words = terms(sentence)
    found = ""
    for said in sayings:
        shared = words & terms(said)
        if len(shared) < 2:
            continue
        verdict = _against(sentence, said, shared)
        if not verdict:
            return ""
        found = found or verdict
    return found


def _nearest(words: frozenset[str], texts: Sequence[str], most: int = 2) -> list[str]:
    """The sentences of prose that share most words, best first, as good as the best."""
    ranked: list[tuple[float, str]] = []
    for said in chain.from_iterable(map(prose_sentences, texts)):
        own = terms(said)
        contrary = [word for word in words - own if _contraries(word) & own]
        shared = len(words & own) + len(contrary)
        if shared:
            ranked.append((shared / max(1, len(words)), said))
    ranked.sort(key=lambda pair: -pair[0])
    return [said for share, said in ranked[:most] if share >= max(0.4, ranked[0][0] - 0.05)]


def _contraries(word: str) -> frozenset[str]:
    return opposites_of(word) | {f"{prefix}{word}" for prefix in _PREFIXES}


def _against(sentence: str, said: str, shared: frozenset[str]) -> str:
    """The first way in which one sentence speaks against the other; ``shared`` are the words that both have."""
    return next((name for name, is_so in _WAYS.items() if is_so(sentence, said, shared)), "")


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
    return [word for word in found if word not in small_words()]


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
