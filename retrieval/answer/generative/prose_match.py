"""Is a figure of a sentence of the source what a claim speaks of: its metric, and not the one it is compared with?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ....core.period import Period
from ....ingest.facts.metric_mentions import find_metrics
from .cell import Cell
from .claims import Claim, clause_of
from .prose_cells import figures_of, is_base, periods_of_figures
from .times import same_time
from .wording import direction_of_change, is_common_name, trend_of

_LEVEL_WORD = re.compile(
    r"\b(?:from|versus|vs|than|compared|against|prior|previous|last|ago|earlier|before)\b|较|比|从|由|上年|同期"
)
"""In a claim that may speak of the figure that another one is compared with."""
_CHANGE = re.compile(r"\b(?:change|difference|impact|effect|benefit)\b|变动|差", re.IGNORECASE)
_NAME = re.compile(r"(?<![.!?] )\b[A-Z][a-z]{3,}\b")
_TELLING = 2
"""Words of a claim that another sentence has."""
_NEGATIVE = re.compile(r"\bnegative\b|负", re.IGNORECASE)
_NO_PRICE = 1000
"""What one share earns or pays is less than this."""
_PER_SHARE = re.compile(r"\b(?:per|a)\s(?:\w+\s){0,3}share\b|\bEPS\b|每股", re.IGNORECASE)


def is_rather_said_elsewhere(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> bool:
    """True where another sentence with a figure of this unit has words of the claim in place of those of this one.

    "Commodity contracts would have changed by $70 million" beside "Currency contracts ... by $232 million".
    """
    said = claim.all_words
    for other in cells:
        if not other.is_prose or other.unit != cell.unit or other.label == cell.label:
            continue
        theirs, own = said & (other.words - cell.words), said & (cell.words - other.words)
        if len(theirs) >= _TELLING and not own and len(said & other.words) > len(said & cell.words):
            return True
    return False


def is_said_of_another(claim: Claim, cell: Cell) -> bool:
    """True where the source says the figure of another metric, or of the time that the claim's time is compared with.

    >>> from .claims import claims_of
    >>> from .prose_cells import prose_cells
    >>> revenue, income = prose_cells("Revenue was $4.2 million and net income was $1.3 million.")
    >>> claim, = claims_of("Revenue was $1.3 million.", "")
    >>> is_said_of_another(claim, income)
    True
    """
    printed = _printed(cell.label)
    own = next((figure for figure in printed if figure.text == cell.text), None)
    if own is None:
        return False
    if _names_others(claim.sentence, cell.label):
        return True
    if own.is_base and _is_of_the_time_reported(claim, printed):
        return True
    if _PER_SHARE.search(claim.clause) and abs(cell.amount) >= _NO_PRICE:
        return True
    if own.direction and _is_level(claim):
        return True
    named = metrics_in(claim.clause)
    if not named or named & own.metrics or not own.metrics:
        return False
    return any(named & rival.metrics and rival.unit == own.unit for rival in printed if rival is not own)


def _is_level(claim: Claim) -> bool:
    """True where a claim gives the value of a metric, and not by how much it rose or fell."""
    if claim.direction or trend_of(claim.clause) or _NEGATIVE.search(claim.clause):
        return False
    names_one = metrics_in(claim.clause) or _PER_SHARE.search(claim.clause)
    return bool(names_one) and not _CHANGE.search(claim.clause)


def _is_of_the_time_reported(claim: Claim, printed: Sequence[_Printed]) -> bool:
    """True where the claim is not of the time that others are compared with, as far as it says."""
    if _LEVEL_WORD.search(claim.sentence):
        return False
    reported = [period for other in printed if not other.is_base for period in other.periods]
    return not claim.periods or (bool(reported) and same_time(claim.periods, reported))


def _names_others(sentence: str, said: str) -> bool:
    """True where each has names that the other lacks: Workfront and Figma; not where a name is only left out."""
    ours, theirs = _names_of(sentence), _names_of(said)
    return bool(ours and theirs) and ours.isdisjoint(theirs)


@lru_cache(maxsize=4096)
def _names_of(text: str) -> frozenset[str]:
    """Names of one word of a sentence that are not its first word: of products, firms and places."""
    found = (match[0] for match in _NAME.finditer(text) if match.start() and not is_common_name(match[0]))
    return frozenset(name.removesuffix("s").lower() for name in found)


@dataclass(frozen=True, slots=True)
class _Printed:
    """A figure of a sentence of the source, with the metrics of its clause."""

    text: str
    unit: str
    metrics: frozenset[str]
    periods: tuple[Period, ...]
    direction: int
    """1 or -1 for the size of a rise or a fall, 0 for a level."""
    is_base: bool
    """True where others are compared with it."""


@lru_cache(maxsize=4096)
def _printed(sentence: str) -> tuple[_Printed, ...]:
    figures = figures_of(sentence)
    printed = []
    for own, periods in zip(figures, periods_of_figures(sentence, figures), strict=True):
        metrics = metrics_in(clause_of(sentence, own, figures))
        direction = direction_of_change(sentence, own.start)
        printed.append(_Printed(own.text, own.unit, metrics, periods, direction, is_base(sentence, own)))
    return tuple(printed)


@lru_cache(maxsize=4096)
def metrics_in(text: str) -> frozenset[str]:
    """Canonical names of the metrics that a text speaks of."""
    return frozenset(mention.metric.name for mention in find_metrics(text))
