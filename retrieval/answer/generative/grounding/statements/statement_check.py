"""Does a sentence say what its source says? By names, words, denials and opposites: entailment as far as words go."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

from ......core.period import Period
from ......core.period_text import periods_in, years_in
from ......core.sequences import share, without
from ......core.words import without_numbers
from ...cells.reading import read_cells
from ...wording import (
    WORDING,
    folded_terms,
    is_denied,
    terms,
    unknown_names,
    weightless_words,
)
from .causes import has_another_cause
from .comparisons import compares_wrongly, moves_otherwise
from .contradiction import (
    contradiction,
    contraries_of,
    denies_figure,
    has_opposite_word,
    is_denied_near,
    moves_against_itself,
    names_stranger,
    says_opposite_in_chinese,
    tells_none,
)
from .offices import gives_wrong_office
from .source_sentences import Passage, parts_of, statements_of

LEAST_SHARED = 0.4
"""Share of a sentence's words that its source must hold: models put things in words of their own."""
LEAST_SHARED_DENIED = 0.25
"""The same where a denial turns the source round: of 68 denials .4 marks 48, .25 marks 55, and no more true ones."""
_NEARLY_ALL, _CLEARLY = 0.7, 0.15
"""Share of its words that a sentence of another year has, and by how much fewer those of its own year have."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_LEAST_CLAUSE = 4
"""Words of a clause that is held against the sources by itself."""


def objection(
    sentence: str,
    sources: Sequence[Passage],
    has_figures: bool = False,
    beside: str = "",
    question: str = "",
) -> str:
    """What speaks against a sentence, in a word or two; "" where nothing does.

    A sentence whose figures are held against the sources themselves is held here by its names, its times and the way
    that its figures move: its other words say little against it (of 30 true ones they marked 5, of 818 false ones 9).
    ``beside`` is what else there is of the same documents: a name may stand there. Words of the ``question`` need no
    source: "Boeing has an improving gross margin profile" says in its words what the figures beside it show.

    >>> source = Passage("Amounts owed by subsidiaries are unsecured.")
    >>> objection("Amounts owed by subsidiaries are secured.", [source])
    'opposite'
    >>> objection("Amounts owed by subsidiaries are not secured.", [source])
    ''
    """
    texts = [source.text for source in sources]
    everything = "\n".join(f"{source.about}\n{source.text}" for source in sources)
    if _has_unknown_name(sentence, everything, beside) or names_stranger(sentence, f"{everything}\n{question}"):
        return "name"
    if not _periods_known(sentence, everything, texts) or has_year_of_another(sentence, sources):
        return "period"
    against = _told_otherwise(sentence, texts, everything, beside)
    if against or has_figures:
        return against
    if has_another_cause(sentence, texts, question):
        return "cause"
    if _shares_few_words(sentence, everything, question):
        return "words"
    return _statements_against(sentence, texts) or _against_sentences(sentence, _nearest(terms(sentence), texts))


def _told_otherwise(sentence: str, texts: Sequence[str], everything: str, beside: str) -> str:
    """What is told otherwise, whether or not the sentence has figures: an office, a movement, a comparison."""
    if gives_wrong_office(sentence, [everything, beside]):
        return "roles"
    if says_opposite_in_chinese(sentence, texts) or moves_otherwise(sentence, texts):
        return "opposite"
    is_wrong = moves_against_itself(sentence) or compares_wrongly(sentence, texts, beside)
    return "figures" if is_wrong else ""


def _statements_against(sentence: str, texts: Sequence[str]) -> str:
    """What of a sentence without figures the sources deny, or say of another year."""
    if denies_figure(sentence, texts):
        return "figures"
    if turns_statement_round(sentence, texts):
        return "denial"
    return "clause" if is_said_of_another_year(sentence, texts) else ""


def _has_unknown_name(sentence: str, everything: str, beside: str) -> bool:
    if not unknown_names(sentence, everything):
        return False
    return not beside or bool(unknown_names(sentence, f"{everything}\n{beside}"))


def _shares_few_words(sentence: str, everything: str, question: str) -> bool:
    words = folded_terms(sentence) - weightless_words() or folded_terms(sentence)
    return len(words & (folded_terms(everything) | terms(question))) < LEAST_SHARED * len(words)


def turns_statement_round(sentence: str, texts: Sequence[str]) -> bool:
    """True where a sentence denies what the sentence of the sources that shares most words with it says, or vice versa.

    "No mention" and "without" tell of an absence, which a source need not state: they turn nothing round.

    >>> turns_statement_round("Acme is not going on to invest in drives.", ["Acme goes on to invest in new drives."])
    True
    >>> turns_statement_round("The claim is not without merit.", ["We believe that the claim is without merit."])
    True
    """
    clauses = parts_of(sentence, "clause")
    if min(len(terms(clause)) for clause in clauses) < _LEAST_CLAUSE:
        clauses = [sentence]
    return any(_clause_is_turned(clause, texts) for clause in clauses)


def _clause_is_turned(sentence: str, texts: Sequence[str]) -> bool:
    words = terms(sentence)
    nearest = _nearest_statement(words, texts)
    shared = len(words & terms(nearest))
    own, theirs = WORDING.without("double_denial", sentence), WORDING.without("double_denial", nearest)
    if not shared or is_denied(own) == is_denied(theirs) or WORDING.any("denied_otherwise", theirs):
        return False
    if has_opposite_word(own, theirs) or (is_denied(own) and tells_none(theirs)):  # "not secured" of what is unsecured
        return False
    share = shared / len(words)
    if is_denied(own):
        return share >= LEAST_SHARED_DENIED and WORDING.any("denied_statement", own)
    is_double = own != sentence
    return share >= LEAST_SHARED and (is_double or is_denied_near(theirs, words & terms(theirs)))


def is_said_of_another_year(sentence: str, texts: Sequence[str]) -> bool:
    """True where the sources say nearly the same of another year, and clearly less of the sentence's own.

    >>> source = "The impairment of 2022 arose in Media. The impairment of 2021 arose in Martech."
    >>> is_said_of_another_year("The impairment of 2022 arose in Martech.", [source])
    True
    >>> is_said_of_another_year("The impairment of 2021 arose in Martech.", [source])
    False
    """
    years = years_in(sentence)
    words = without_numbers(terms(sentence) - weightless_words())
    if len(years) != 1:
        return False
    own = other = 0.0
    for said in chain.from_iterable(map(statements_of, texts)):
        fit, told = share(words & terms(said), words), years_in(said)
        if told and told.isdisjoint(years):
            other = max(other, fit)
        else:
            own = max(own, fit)
    return other >= _NEARLY_ALL and other >= own + _CLEARLY


def _nearest_statement(words: frozenset[str], texts: Sequence[str]) -> str:
    """The statement that shares most words; of several, the one whose shared words fewest others have."""
    statements = list(dict.fromkeys(chain.from_iterable(map(statements_of, texts))))
    said_by = Counter(chain.from_iterable(words & terms(said) for said in statements))

    def fit(said: str) -> tuple[int, float]:
        shared = words & terms(said)
        return len(shared), sum(1 / said_by[word] for word in shared)

    return max(statements, key=fit, default="")


def _periods_known(sentence: str, everything: str, texts: Sequence[str]) -> bool:
    """True where every year that the sentence names stands in the source."""
    known = years_in(everything).union(map(int, _YEAR.findall(everything)))
    if WORDING.any("year_before", everything):
        known |= {year - 1 for year in known}
    if WORDING.any("year_after", everything):
        known |= {year + 1 for year in known}
    for cell in chain.from_iterable(map(read_cells, texts)):
        known.update(period.year for period in cell.periods)
    if "fiscal" in sentence.lower():  # a fiscal year may be called by the year in which it ends
        known |= {year + 1 for year in known}
    return not known or years_in(sentence) <= known


def has_year_of_another(sentence: str, sources: Sequence[Passage]) -> bool:
    """True where a sentence names a day or a quarter that the source has in another year, and never in this one.

    The quarter that a document is of may be named though its text says nothing of it.

    >>> ruling = Passage("The ruling of April 24, 2023 was affirmed.")
    >>> has_year_of_another("On April 24, 2022 the court affirmed.", [ruling])
    True
    >>> source = Passage("the three months ended December 31, 2022 and December 25, 2021")
    >>> has_year_of_another("They fell in the three months ended December 25, 2021.", [source])
    False
    """
    told = periods_in("\n".join(source.text for source in sources))
    of_documents = periods_in("\n".join(source.about for source in sources))
    days = {period.last_day for period in (*told, *of_documents)}
    named = [period for period in periods_in(sentence) if period.unit in ("day", "quarter") and period.end not in days]
    named = without(named, of_documents)
    years: dict[tuple[object, ...], set[int]] = {}
    for period in told:
        years.setdefault(_place_in_year(period), set()).add(period.year)
        if period.unit == "quarter" and period.end:  # "the quarter ended June 25, 2022" is a day, too
            years.setdefault((period.end.month, period.end.day), set()).add(period.end.year)
    return any(_is_of_other_years(period, years.get(_place_in_year(period), {period.year})) for period in named)


def _is_of_other_years(period: Period, years: set[int]) -> bool:
    """True where a period is of none of these years; a fiscal one may be called by the year before or behind."""
    own = {period.year - 1, period.year, period.year + 1} if period.fiscal else {period.year}
    return own.isdisjoint(years)


def _place_in_year(period: Period) -> tuple[object, ...]:
    """What of a period does not say its year."""
    if period.is_instant:
        return (period.last_day.month, period.last_day.day)
    return (period.unit, period.number)


def _against_sentences(sentence: str, sayings: Sequence[str]) -> str:
    """What all of these sentences of the source say otherwise."""
    clauses = parts_of(sentence, "clause")
    found = ""
    for said in sayings:
        clause = max(clauses, key=lambda own: len(terms(own) & terms(said)))
        shared = terms(clause) & terms(said)
        if len(shared) < 2:
            continue
        verdict = contradiction(clause, said, shared)
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
