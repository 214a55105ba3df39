"""What a question names and the index does not hold, so that the first hits are read for it: figures, rows of tables.

"What were the servicing fees in 2018?" is answered by the table with a row "Servicing fees", not by the one with
"Audit fees" and "Services", though both share its words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from ....core.patterns import on_demand
from ....core.quantity import scale_power
from ....core.records import dataclass
from ....core.words import search_words
from ....ingest.chunk import Chunk
from ....kg.store import Store
from ...question.question import Question
from ..index.corpus import ScopeIndex
from ..scoring import Candidate
from .base import RankingContext, raised_places

_NUMBER = on_demand(
    r"(?<![A-Za-z0-9.,-])(?P<digits>\d[\d,]*(?:\.\d+)?)(?![\d-])"
    r"(?:[\s-]?(?P<share>[%％]|per\s?cent\b|个?百分点)|[\s-]?(?P<scale>thousand|[mb]illion|trillion|mln|bn|万亿|[百千]?[万亿]))?"
    r"(?![A-Za-z0-9-])"
)
_YEAR = on_demand(r"(?:19|20)\d\d")
DEPTH = 30
"""Places that are read: the words alone leave one in thirty of the right tables further back."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as printed: "2.7亿" is 270,000,000 to the nearest 10,000,000."""

    digits: str
    """As written, without separators of thousands."""
    value: float
    step: float
    """What its last digit counts; 0 for a whole number without a scale, which is exact."""
    unit: str
    """ "share" of a hundred, "scale" for one that has words for it, "" for bare digits."""

    def is_told_by(self, other: Figure) -> bool:
        """True where the other is this figure: the same value or one that rounds to it, or the same digits bare.

        >>> asked, *printed = (one for text in ("近2.7亿元", "26986.3万元", "2.8亿元") for one in figures_in(text))
        >>> [asked.is_told_by(figure) for figure in printed]
        [True, False]
        """
        if self.digits == other.digits and not (self.unit and other.unit):
            return True  # the scale of a table's cell stands over its column
        alike = (self.unit == "share") == (other.unit == "share")
        return alike and abs(self.value - other.value) <= self.step / 2


def figures_in(text: str) -> list[Figure]:
    """Numbers in order; years and single digits without a scale say too little.

    >>> [figure.digits for figure in figures_in("Net sales rose 12.5% to $1,234 million in 2023, the 3rd year")]
    ['12.5', '1234']
    >>> figures_in("In the 10-K, a 10K of 3M and its 12-month view")
    []
    """
    return list(filter(None, map(_figure, _NUMBER.finditer(text))))


def without_figures(text: str) -> str:
    """A text without its numbers and their scales.

    >>> without_figures("bought for $40 million")
    'bought for $ '
    """
    return _NUMBER.sub(" ", text)


def by_figures(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """Places that print the figures asked further in front; as it was where none is asked."""
    return figures_by_weight(context.store, context.query.question, candidates, context.weights.figures)


def figures_by_weight(
    store: Store, question: Question, candidates: Sequence[Candidate], weight: float
) -> list[Candidate]:
    """As :func:`by_figures`, a place that prints all figures asked gaining ``weight``."""
    asked = figures_in(question.trimmed)
    if not asked or not weight:
        return list(candidates)

    def share(chunks: Sequence[Chunk]) -> float:
        printed = figures_in("\n".join(chunk.text for chunk in chunks))
        return weight * sum(_is_printed(figure, printed) for figure in asked) / len(asked)

    return raised_places(store, candidates, "figures", share)


def _is_printed(figure: Figure, printed: Iterable[Figure]) -> bool:
    return any(map(figure.is_told_by, printed))


def _figure(match: re.Match[str]) -> Figure | None:
    digits = match["digits"].replace(",", "")
    unit, scale = "", 1.0
    if match["share"]:
        unit = "share"
    elif match["scale"]:
        unit, scale = "scale", 10.0 ** scale_power(match["scale"])
    is_year = not unit and _YEAR.fullmatch(digits)
    says_too_little = unit != "scale" and len(digits) < 2
    if is_year or says_too_little:
        return None
    decimals = len(digits.partition(".")[2])
    is_exact = not unit and not decimals
    step = 0.0 if is_exact else scale * 10.0**-decimals
    return Figure(digits, float(digits) * scale, step, unit)


def by_rows(candidates: Sequence[Candidate], context: RankingContext) -> list[Candidate]:
    """Places whose tables have a row of the name asked further in front.

    Added words, years and words of calculating are not looked for.
    """
    terms, weight = context.query.terms, context.weights.row
    asked = frozenset(term for term, worth in terms.items() if worth >= 1 and not _YEAR.fullmatch(term))
    if not asked or not weight:
        return list(candidates)
    rarity = _rarity(context.index)

    def share(chunks: Sequence[Chunk]) -> float:
        names = set(chain.from_iterable(map(row_names, chunks)))
        return weight * max((name_fit(name, asked, rarity) for name in names), default=0.0)

    return raised_places(context.store, candidates, "row", share)


def name_fit(name: frozenset[str], asked: frozenset[str], rarity: Callable[[str], float]) -> float:
    """How well a row's name is what is asked, 0..1: its share of the words asked, less for each word that is not.

    >>> asked = frozenset({"interest", "cost", "plan"})
    >>> round(name_fit(frozenset({"interest", "cost"}), asked, lambda word: 1.0), 2)
    0.67
    >>> round(name_fit(frozenset({"interest", "income"}), asked, lambda word: 1.0), 2)
    0.08
    """
    met = sum(map(rarity, name & asked))
    if not met:
        return 0.0
    return (met / sum(map(rarity, name))) ** 2 * met / sum(map(rarity, asked))


def row_names(chunk: Chunk) -> Iterator[frozenset[str]]:
    """The search terms of each row's name in a table; without a name, of the first cell that is filled."""
    if chunk.kind != "table":
        return
    for line in chunk.text.splitlines():
        if line.lstrip().startswith("|"):
            yield _name(line)


@lru_cache(maxsize=1 << 15)
def _name(line: str) -> frozenset[str]:
    cells = (cell.strip() for cell in line.strip().strip("|").split("|"))
    return frozenset(search_words(next(filter(None, cells), "")))


def _rarity(index: ScopeIndex) -> Callable[[str], float]:
    """Inverse document frequency among the chunks searched, worked out once a word."""
    known: dict[str, float] = {}

    def rarity(term: str) -> float:
        if term not in known:
            holding = len(index.words.postings(term)[0])
            known[term] = math.log(1 + (len(index) - holding + 0.5) / (holding + 0.5))
        return known[term]

    return rarity
