"""Does a sentence say what its source says? By names, words, denials and opposites: entailment as far as words go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from .....core.period import Period
from .....core.period_text import find_periods, years_in
from .....ingest.sentences import split_text
from ..cells.reading import read_cells, table_text
from ..wording import (
    WORDING,
    is_denied,
    terms,
    unknown_names,
)
from .contradiction import (
    contradiction,
    contraries_of,
    denies_figure,
    has_opposite_word,
    is_denied_near,
    moves_against_itself,
)

LEAST_SHARED = 0.4
"""Share of a sentence's words that its source must hold: models put things in words of their own."""
LEAST_SHARED_DENIED = 0.25
"""The same where a denial turns the source round: of 68 denials .4 marks 48, .25 marks 55, and no more true ones."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_CAUSE = 2
"""Words of a cause that is looked for."""
_TOGETHER = 3
"""Sentences that tell a cause together."""
_FEW_WORDS = 5
"""Words of a sentence that only denies the one before it."""
_LEAST_CLAUSE = 4
"""Words of a clause that is held against the sources by itself."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a sentence cites: its text, and what is known of it besides: company, title, headings, period."""

    text: str
    about: str = ""


def objection(
    sentence: str,
    sources: Sequence[Source],
    stated: Sequence[str] | None = None,
    beside: str = "",
    question: str = "",
) -> str:
    """What speaks against a sentence, in a word or two; "" where nothing does.

    ``stated`` are the sentences of the sources in which figures of the sentence were found; None where it has none.
    ``beside`` is what else there is of the same documents: a name may stand there. Words of the ``question`` need no
    source: "Boeing has an improving gross margin profile" says in its words what the figures beside it show.

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
    if _shares_few_words(sentence, everything, question):
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


def _shares_few_words(sentence: str, everything: str, question: str) -> bool:
    words = terms(sentence)
    return len(words & (terms(everything) | terms(question))) < LEAST_SHARED * len(words)


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
    for said in chain.from_iterable(map(statements_of, texts)):
        in_both = len(words & terms(said))
        if in_both > shared:
            nearest, shared = said, in_both
    own, theirs = WORDING.without("double_denial", sentence), WORDING.without("double_denial", nearest)
    if not shared or is_denied(own) == is_denied(theirs) or WORDING.any("denied_otherwise", theirs):
        return False
    if has_opposite_word(own, theirs):  # "not secured" of what is unsecured
        return False
    share = shared / len(words)
    if is_denied(own):
        return share >= LEAST_SHARED_DENIED and WORDING.any("denied_statement", own)
    is_double = own != sentence
    return share >= LEAST_SHARED and (is_double or is_denied_near(theirs, words & terms(theirs)))


def _windows(text: str) -> list[frozenset[str]]:
    """The words of each sentence of prose with the two behind it: a cause is often told in the next one."""
    words = list(map(terms, prose_sentences(text)))
    return [frozenset().union(*words[place : place + _TOGETHER]) for place in range(len(words))]


@lru_cache(maxsize=256)
def prose_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text outside its tables."""
    rows = set(table_text(text).splitlines())
    prose = "\n".join("" if line in rows else line for line in text.splitlines())
    spans = split_text(prose, shortest=0, longest=10_000)
    return tuple(prose[span.start : span.end] for span in spans)


@lru_cache(maxsize=256)
def statements_of(text: str) -> tuple[str, ...]:
    """The sentences of prose that state something: no questions, and a short denial with what it denies.

    >>> statements_of("Do you cut costs? Others are tempted to cut advertising. We are not going to do that.")
    ('Others are tempted to cut advertising. We are not going to do that.',)
    """
    stated: list[str] = []
    for said in prose_sentences(text):
        if said.rstrip().endswith(("?", "？")):
            continue
        if stated and len(terms(said)) <= _FEW_WORDS and WORDING.any("denies_that", said):
            stated[-1] = f"{stated[-1]} {said}"
        else:
            stated.append(said)
    return tuple(stated)


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
        verdict = contradiction(sentence, said, shared)
        if not verdict:
            return ""
        found = found or verdict
    return found


def _nearest(words: frozenset[str], texts: Sequence[str], most: int = 2) -> list[str]:
    """The sentences of prose that share most words, best first, as good as the best."""
    ranked: list[tuple[float, str]] = []
    for said in chain.from_iterable(map(statements_of, texts)):
        own = terms(said)
        contrary = [word for word in words - own if contraries_of(word) & own]
        shared = len(words & own) + len(contrary)
        if shared:
            ranked.append((shared / max(1, len(words)), said))
    ranked.sort(key=lambda pair: -pair[0])
    return [said for share, said in ranked[:most] if share >= max(0.4, ranked[0][0] - 0.05)]
