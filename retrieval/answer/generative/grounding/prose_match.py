"""Is a figure of a sentence of the source what a claim speaks of: its metric, and not the one it is compared with?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from .....core.period import Period
from .....core.records import dataclass
from .....core.sequences import first, share
from .....ingest.facts.metric_mentions import find_metrics
from ..cells.cell import Cell
from ..cells.times import figures_of, is_base, same_time, times_of_figures
from ..wording import direction_of_change, terms, trend_of, words_of_no_row
from .claims import Claim, clauses_of, row_words

_EARLIER = re.compile(r"\b(?:prior|previous|last|ago|earlier|before)\b|上年|同期", re.IGNORECASE)
_LEVEL = re.compile(r"\b(?:to|from)\s(?:about\s|approximately\s|some\s|nearly\s)?[$€£]?$", re.IGNORECASE)
"""Before a value, and not the size of a change."""
_FROM = re.compile(r"\bfrom\s(?:about\s|approximately\s)?[$€£¥]?$|[由从]$", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:add(?:s|ing)?|change|difference|impact|effect|benefit)\b|变动|差", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]{2,40}")
_PARALLEL = 0.6
"""Share of the words of the longer of two sentences that both have, where they say the same of two things."""
_TELLING = 2
"""Words of a claim that another sentence has."""
_GOES_ON = re.compile(r"\b(?:and|but|while|whereas)\b|[;；，]", re.IGNORECASE)
_MOST_WORDS = 0.4
"""Share of a claim's words that the clauses of two figures have, for a calculation from both."""
_NEGATIVE = re.compile(r"\bnegative\b|负(?![债责荷担])", re.IGNORECASE)
_NO_PRICE = 1000
"""What one share earns or pays is less than this."""
_PER_SHARE = re.compile(r"\b(?:per|a)\s(?:\w+\s){0,3}share\b|\bEPS\b|每股", re.IGNORECASE)


def is_rather_said_elsewhere(claim: Claim, cell: Cell, cells: Iterable[Cell], claims: Iterable[Claim] = ()) -> bool:
    """True where another sentence with a figure of this unit has more of the claim's sentence than this one, and all
    that this one has: words of its clause, and the other figures that it gives (``claims``).

    "Commodity contracts would have changed by $70 million" beside "Currency contracts ... by $232 million".
    """
    others = [other for other in cells if other.label != cell.label]
    if not _is_very_statement(claim, cell) and any(_is_very_statement(claim, other) for other in others):
        return True
    beside = _amounts_beside(claim, claims)
    not_given = (other for other in others if abs(other.amount) not in beside)
    if any(_is_parallel_meant(claim, other, cell) for other in not_given):
        return True
    alike = (other for other in others if other.is_prose and other.unit == cell.unit)
    return any(_tells_more(claim, other, cell, beside, claims) for other in alike)


def _amounts_beside(claim: Claim, claims: Iterable[Claim]) -> frozenset[Decimal]:
    """What the other figures with a unit of the same answer amount to."""
    return frozenset(abs(other.figure.amount) for other in claims if other is not claim and other.figure.unit)


def _tells_more(claim: Claim, other: Cell, cell: Cell, beside: frozenset[Decimal], claims: Iterable[Claim]) -> bool:
    """True where another sentence has more of the claim, but for what the answer says of that one's own figure.

    "Replaced the $3.8 billion agreement with a new one of $4.2 billion": "new" is between both.
    """
    givers = [giver.own_words for giver in claims if abs(giver.figure.amount) == abs(other.amount)]
    said = claim.own_words.difference(claim.company, *givers)
    return _says_more(_shared(said, beside, other), _shared(said, beside, cell))


def _is_parallel_meant(claim: Claim, other: Cell, own: Cell) -> bool:
    """True where another sentence says the same of something else, and that is what the claim names.

    "Direct costs for our KPL-404 program were $11.6 million" beside the same of "our vixarelimab program".
    """
    if not other.is_prose or other.unit != own.unit:
        return False
    of_no_row = words_of_no_row()
    has_own = not own.words - other.words <= of_no_row
    shared = len(own.words & other.words)
    is_parallel = shared >= _PARALLEL * max(len(own.words), len(other.words))
    said = claim.words - claim.company - of_no_row
    return is_parallel and has_own and _speaks_of(said, other.words, own.words)


def _says_more(theirs: frozenset[str | Decimal], mine: frozenset[str | Decimal]) -> bool:
    """True for all of the words and figures and clearly more, a word at least."""
    more = theirs - mine
    enough = _TELLING if mine else 1
    return mine <= theirs and len(more) >= enough and any(isinstance(one, str) for one in more)


def _shared(words: frozenset[str], amounts: frozenset[Decimal], cell: Cell) -> frozenset[str | Decimal]:
    """Which of these words and amounts the sentence of a figure has."""
    printed = {own.amount for own in _printed(cell.label)} if amounts else set()
    return (words & cell.words) | (amounts & printed)


def in_order_said(one: Cell, other: Cell) -> tuple[Cell, Cell] | tuple[()]:
    """The old and the new one of two figures of a sentence, as it says itself; () where it does not.

    "From 5 to 4", "4 as compared to 5".

    >>> from ..cells.reading import prose_cells
    >>> now, before = prose_cells("FFO was $106.7 million, as compared to $146.9 million.")
    >>> [cell.text for cell in in_order_said(now, before)]
    ['$146.9 million', '$106.7 million']
    """
    if not one.is_prose or one.label != other.label:
        return ()
    is_old = [_is_old(cell) for cell in (one, other)]
    if is_old[0] is is_old[1]:
        return ()
    return (one, other) if is_old[0] else (other, one)


def _is_old(cell: Cell) -> bool:
    """True where the sentence compares others with the figure, or says that something came from it."""
    place = cell.label.find(cell.text)
    is_left = place > 0 and _FROM.search(cell.label[:place]) is not None
    return is_left or any(own.is_base for own in _printed(cell.label) if own.text == cell.text)


def _is_very_statement(claim: Claim, other: Cell) -> bool:
    """True where a row or a sentence gives a figure of just what the claim names, and of the time that it names.

    Beside it a figure of no time is that of something else, or was put there to be told in its place.
    """
    names = terms(" ".join(claim.known)) | claim.company
    said = claim.own_words - names
    if not (said and claim.periods_meant and other.unit == claim.figure.unit):
        return False
    if other.is_prose:
        own = first((own for own in _printed(other.label) if own.text == other.text), None)
        periods, words = (own.periods, own.words) if own else ((), frozenset())
    else:
        periods, words = other.periods, other.words
    return bool(periods) and same_time(claim.periods_meant, periods) and words - names == said


def is_said_of_another(claim: Claim, cell: Cell, cells: Iterable[Cell], claims: Sequence[Claim]) -> bool:
    """True where the source says the figure of another metric, or of the time that the claim's time is compared with.

    >>> from .claims import claims_of
    >>> from ..cells.reading import prose_cells
    >>> revenue, income = prose_cells("Revenue was $4.2 million and net income was $1.3 million.")
    >>> claim, = claims_of("Revenue was $1.3 million.", "")
    >>> is_said_of_another(claim, income, [revenue, income], [claim])
    True
    """
    printed = _printed(cell.label)
    meant = [figure for figure in printed if figure.text == cell.text]
    if _is_of_metric_told_elsewhere(claim, meant, cells):
        return True
    return all(_is_another(claim, own, printed, claims) for own in meant)


def _is_another(claim: Claim, own: _Printed, printed: Sequence[_Printed], claims: Sequence[Claim]) -> bool:
    """True where the claim is of another time, metric or clause than one figure of a sentence of the source."""
    if _is_of_another_time(claim, own, printed) or _is_of_another_kind(claim, own):
        return True
    rivals = [other for other in printed if other is not own and other.unit == own.unit]
    meant = [rival for rival in rivals if _is_clause_meant(claim, rival, own)]
    return not all(_is_given(rival, own, claims) for rival in meant)


def _is_of_another_time(claim: Claim, own: _Printed, printed: Sequence[_Printed]) -> bool:
    """True where the figure is what the time reported is compared with, and the claim is of the time reported."""
    is_dated = bool(own.periods and claim.periods) and same_time(claim.periods, own.periods)
    return own.is_base and not is_dated and _is_of_the_time_reported(claim, printed)


def _is_of_another_kind(claim: Claim, own: _Printed) -> bool:
    """True where one is a price a share, a value or a change, and the other cannot be."""
    if _PER_SHARE.search(claim.clause) and abs(own.amount) >= _NO_PRICE:
        return True
    if own.direction and _is_level(claim):
        return True
    return own.is_level and bool(claim.direction)


def _is_of_metric_told_elsewhere(claim: Claim, meant: Sequence[_Printed], cells: Iterable[Cell]) -> bool:
    """True where the claim names a metric that other figures of this unit are of, and this one is of another metric."""
    named = metrics_in(claim.clause)
    own = frozenset().union(*(figure.metrics for figure in meant))
    if not named or not own or named & own:
        return False
    return any(other.unit == meant[0].unit and named & metrics_in(other.label) == named for other in cells)


def _is_given(rival: _Printed, own: _Printed, claims: Sequence[Claim]) -> bool:
    """True where the sentence says the rival's figure, too, and not of what this one is said of."""
    givers = [other for other in claims if abs(other.figure.amount) == rival.amount]
    return any(not _is_clause_meant(other, own, rival) for other in givers)


def _is_clause_meant(claim: Claim, rival: _Printed, own: _Printed) -> bool:
    """True where the claim has words of the clause of another figure of the sentence, and none of this figure's own."""
    has_own = not own.words <= rival.words
    return has_own and _speaks_of(claim.own_words - claim.company, rival.words, own.words)


def _speaks_of(said: frozenset[str], theirs: frozenset[str], mine: frozenset[str]) -> bool:
    """True for words that name what only the other one has, and nothing that only this one has."""
    return not said.isdisjoint(theirs - mine) and said.isdisjoint(mine - theirs)


def is_clause_of_another(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> bool:
    """True where the claim has words of the clause of another figure of this sentence, and none of this one's own."""
    if not cell.is_prose:
        return False
    mine, said = clause_words(cell), claim.own_words - claim.company
    alike = (other for other in cells if (other.label, other.unit) == (cell.label, cell.unit))
    return any(_speaks_of(said, clause_words(other), mine) for other in alike if other.start != cell.start)


def _is_level(claim: Claim) -> bool:
    """True where a claim gives the value of a metric, and not by how much it rose or fell."""
    if _LEVEL.search(claim.sentence[: claim.figure.start]):
        return True
    if claim.shares_verb or claim.direction or trend_of(claim.clause) or _NEGATIVE.search(claim.clause):
        return False
    names_one = metrics_in(claim.clause) or _PER_SHARE.search(claim.clause)
    return bool(names_one) and not _CHANGE.search(claim.clause)


def _is_of_the_time_reported(claim: Claim, printed: Sequence[_Printed]) -> bool:
    """True where the claim is not of the time that others are compared with, as far as it says."""
    if claim.is_base or _EARLIER.search(claim.clause):
        return False
    reported = [period for other in printed if not other.is_base for period in other.periods]
    return not claim.periods or (bool(reported) and same_time(claim.periods, reported))


def clause_words(cell: Cell) -> frozenset[str]:
    """Search words of the clauses of a sentence of the source in which a figure stands."""
    words = [figure.words for figure in _printed(cell.label) if figure.text == cell.text]
    return frozenset().union(*words)


@lru_cache(maxsize=4096)
def clauses_with(sentence: str, figure: str) -> frozenset[str]:
    """The clauses of a sentence of the source in which a figure stands, as printed."""
    return frozenset(printed.clause for printed in _printed(sentence) if printed.text == figure)


def pairs_said(claim: Claim, cells: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    """Neighbours in a sentence of the source whose clauses have most words of the claim: "9% (previously 8%)"."""
    wanted = claim.own_words - claim.company
    if len(wanted) < _TELLING:
        return
    prose = sorted((cell for cell in cells if cell.is_prose), key=lambda cell: cell.start)
    for one, other in pairwise(prose):
        if one.label != other.label or one.unit != other.unit or _is_next_thing(one, other):
            continue
        if share(wanted & (clause_words(one) | clause_words(other)), wanted) >= _MOST_WORDS:
            yield one, other


def _is_next_thing(one: Cell, other: Cell) -> bool:
    """True where the second of two figures of a sentence is of what the sentence goes on to: "8% and EPS 9%"."""
    start = one.label.find(one.text) + len(one.text)
    return _GOES_ON.search(one.label, start, max(start, one.label.find(other.text, start))) is not None


@dataclass(frozen=True, slots=True)
class _Printed:
    """A figure of a sentence of the source, with the metrics of its clause."""

    text: str
    unit: str
    amount: Decimal
    metrics: frozenset[str]
    periods: tuple[Period, ...]
    words: frozenset[str]
    """Search words of its clause."""
    direction: int
    """1 or -1 for the size of a rise or a fall, 0 for a level."""
    is_base: bool
    """True where others are compared with it."""
    is_level: bool
    """True for a value that something rose or fell to or from."""
    clause: str


@lru_cache(maxsize=4096)
def _printed(sentence: str) -> tuple[_Printed, ...]:
    figures = figures_of(sentence)
    printed = []
    times = times_of_figures(sentence, figures)
    for own, time, clause in zip(figures, times, clauses_of(sentence, figures), strict=True):
        direction = direction_of_change(sentence, own.start)
        printed.append(
            _Printed(
                own.text,
                own.unit,
                abs(own.amount),
                metrics_in(clause),
                time.periods,
                row_words(clause),
                direction,
                is_base(sentence, own),
                _LEVEL.search(sentence[: own.start]) is not None,
                clause,
            )
        )
    return tuple(printed)


@lru_cache(maxsize=4096)
def metrics_in(text: str) -> frozenset[str]:
    """Canonical names of the metrics that a text speaks of."""
    return frozenset(mention.metric.name for mention in find_metrics(text))
