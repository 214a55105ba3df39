"""Rows of tables that a question names: the index holds words without their rows, so the first hits are read for them.

"What were the servicing fees in 2018?" is answered by the table with a row "Servicing fees", not by the one with
"Audit fees" and "Services", though both share its words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from ....core.words import search_words
from ....ingest.chunk import Chunk
from ..index.corpus import ScopeIndex
from ..ranking.candidate import Candidate
from .base import RankingContext, raised_places

DEPTH = 30
"""Places that are read: the words alone leave one in thirty of the right tables further back."""
_YEAR = re.compile(r"(?:19|20)\d\d")


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
        names = {name for chunk in chunks for name in row_names(chunk)}
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
