"""Scale: what grows faster or slower than the corpus: names and their resolution, communities, terms and their counts.

Made-up names, relations and words follow the laws that real ones do (Zipf's for how often each comes, which makes the
number of different ones grow as a power of the text: Heaps'), at 10,000, 100,000 and 1,000,000 chunks. Nothing is
stored: the functions that resolve and group are called with what a store would hand them.
"""

from __future__ import annotations

import itertools
import math
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cliquerag.core.ids import stable_id
from cliquerag.core.names import name_key
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.communities.current import available_method, find_communities
from cliquerag.kg.graph import Entity, Relation, Statement
from cliquerag.kg.resolution.clusters import proposals
from cliquerag.kg.resolution.matching import blocks

from ...measuring import cpu, peak_memory

if TYPE_CHECKING:
    import numpy as np

MINUTES = 6
FOLDER = ""
SIZES = (10_000, 100_000, 1_000_000)
_MENTIONS, _RELATIONS, _TERMS = 1.6, 0.36, 47
"""A chunk: mentions of names, statements between two of them, search terms. 13 annual and quarterly reports: 1.63, 0.36
and 47.4 a chunk; 14 annual reports of more pages: 1.53, 0.12, 47.7."""
_NAME_SLOPE, _WORD_SLOPE = 1.15, 1.75
"""Exponents of Zipf's law, from how fast different ones come up in these reports: names as the mentions to the power of
0.87, terms as the words to the power of 0.57, each 1 / exponent."""
_NAME_SHIFT, _WORD_SHIFT = 50, 50
"""Mandelbrot's. The most common name is 0.3 % of the mentions. Of 100 chunks 39 hold the tenth term here as in the
reports, 10 (9) the hundredth, 0.3 (0.7) the thousandth."""
_REPEATS = 5
"""Mentions of a name in a filing that has it: 9,867 mentions in 13 filings are of 1,898 names."""
_NEAR = 20
"""Mentions among which a relation has its ends."""
_SAMPLE = 3_000
"""New names whose resolution is timed at each size."""
_CONSONANTS, _VOWELS = "bcdfghjklmnpqrstvwxz", "aeiou"
_TRADES = ("energy", "capital", "foods", "systems", "bank", "pharma", "logistics", "media", "steel", "software")
_FIELDS = ("", "bio", "micro", "geo", "agro", "thermo", "inter", "trans", "auto", "aero")
_FORMS = ("Inc.", "Corp.", "LLC", "Ltd.", "plc", "Holdings, Inc.", "")


def run(folder: Path, size: int = SIZES[-1]) -> Report:
    """At each size up to ``size``: counts, CPU and memory, and between the sizes the exponent of their growth."""
    sizes = [chunks for chunks in SIZES if chunks <= size]
    found = {chunks: _at(chunks) for chunks in sizes}
    rows = [
        Row(f"{chunks:,} chunks", name, value, better="neither") for chunks in sizes for name, value in found[chunks]
    ]
    rows += _exponents({chunks: dict(values) for chunks, values in found.items()})
    notes = (
        f"A chunk mentions {_MENTIONS} names, states {_RELATIONS} relations and holds {_TERMS} terms. Names follow "
        f"Zipf's law with exponent {_NAME_SLOPE}, words with {_WORD_SLOPE}. Communities by {available_method()}.",
        f"An exponent of 1 grows as the corpus, 0 not at all. Machine load {os.getloadavg()[0]:.1f}.",
    )
    return Report("scale", tuple(rows), notes=notes)


def _at(chunks: int) -> list[tuple[str, float]]:
    import numpy as np

    rng = _generator(chunks)
    mentions = np.repeat(_drawn(rng, int(chunks * _MENTIONS / _REPEATS), _NAME_SLOPE, _NAME_SHIFT), _REPEATS)
    return [*_names(rng, mentions), *_communities(rng, mentions, chunks), *_words(rng, chunks)]


def _exponents(found: dict[int, dict[str, float]]) -> Iterator[Row]:
    """The slope over the last factor of ten, and over all, on logarithmic scales."""
    sizes = sorted(found)
    for name in found[sizes[0]]:
        for first, last in itertools.pairwise(sizes):
            one, other = found[first][name], found[last][name]
            if one > 0 and other > 0:
                slope = math.log(other / one) / math.log(last / first)
                yield Row(f"exponent {first:,} to {last:,}", name, slope, better="neither")


# --- names
@dataclass(slots=True)
class _Blocks:
    """Entities by the blocks of their names, as an engine keeps them in an index."""

    entities: defaultdict[str, list[Entity]]

    @classmethod
    def of(cls, entities: Sequence[Entity]) -> _Blocks:
        found: defaultdict[str, list[Entity]] = defaultdict(list)
        for entity in entities:
            for block in blocks(entity):
                found[block].append(entity)
        return cls(found)

    def near(self, entity: Entity) -> list[Entity]:
        found = {other.id: other for block in blocks(entity) for other in self.entities.get(block, ())}
        return list(found.values())


def _names(rng: np.random.Generator, mentions: np.ndarray) -> Iterator[tuple[str, float]]:
    import numpy as np

    ranks = np.unique(mentions)
    yield "different names", float(len(ranks))
    entities, seconds = cpu(lambda: [_entity(rank) for rank in ranks.tolist()])
    yield "making keys, CPU us a name", 1e6 * seconds / len(entities)
    stored, seconds = cpu(lambda: _Blocks.of(entities))
    yield "blocking, CPU us a name", 1e6 * seconds / len(entities)
    new = [_entity(rank) for rank in rng.integers(10**9, 2 * 10**9, _SAMPLE).tolist()]
    near = [stored.near(entity) for entity in new]
    sizes = np.array([len(found) for found in near])
    yield "candidates of a new name, mean", float(sizes.mean())
    yield "candidates of a new name, 99th percentile", float(np.percentile(sizes, 99))
    _, seconds = cpu(lambda: [proposals([entity], found) for entity, found in zip(new, near, strict=True)])
    yield "resolving a new name, CPU us", 1e6 * seconds / len(new)


def _entity(rank: int) -> Entity:
    name = _company(rank)
    return Entity(stable_id("entity", "company", name), name, "company", name_key(name))


def _company(rank: int) -> str:
    """A coined word, a trade, a legal form: as many begin alike as real names do.

    Of 4,400 names in 27 filings a new one meets 0.005 as candidates, of so many made here 0.008.
    """
    number = rank * _SPREAD % _LAST
    letters = []
    for _ in range(5):
        number, at = divmod(number, len(_CONSONANTS) * len(_VOWELS))
        letters.append(_CONSONANTS[at % len(_CONSONANTS)] + _VOWELS[at // len(_CONSONANTS)])
    field, trade = _FIELDS[number % len(_FIELDS)], _TRADES[number // len(_FIELDS) % len(_TRADES)]
    words = ("".join(letters).capitalize(), (field + trade).capitalize(), _FORMS[rank % len(_FORMS)])
    return " ".join(filter(None, words))


# --- communities
def _communities(rng: np.random.Generator, mentions: np.ndarray, chunks: int) -> Iterator[tuple[str, float]]:
    import numpy as np

    count = int(chunks * _RELATIONS)
    first = rng.integers(0, len(mentions) - _NEAR, count)
    ends = np.stack([mentions[first], mentions[first + rng.integers(1, _NEAR, count)]], axis=1)
    pairs = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
    yield "different related pairs", float(len(pairs))
    nodes = {rank: Entity(str(rank), str(rank), "company", str(rank)) for rank in np.unique(pairs).tolist()}
    relations = [Relation(nodes[one], "supplies", nodes[other], (_STATEMENT,)) for one, other in pairs.tolist()]
    found, seconds = cpu(lambda: find_communities(relations))
    yield "communities, CPU s", seconds
    yield "communities found", float(len(found))
    yield "communities, peak MB of the process", peak_memory()


_STATEMENT = Statement(
    id="s", head="a", relation="supplies", tail="b", document="d", chunk="c", start=0, end=1, text="A supplies B."
)


# --- words
def _words(rng: np.random.Generator, chunks: int) -> Iterator[tuple[str, float]]:
    """Chunks that hold a term: what counting and scoring it reads."""
    import numpy as np

    terms, frequency = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for first in range(0, chunks, _BATCH):
        rows = min(_BATCH, chunks - first)
        drawn = _drawn(rng, rows * _TERMS, _WORD_SLOPE, _WORD_SHIFT)
        # A term counts once a chunk.
        once = np.unique(np.repeat(np.arange(rows), _TERMS) * _LAST + drawn) % _LAST
        new, counts = np.unique(once, return_counts=True)
        terms, place = np.unique(np.concatenate([terms, new]), return_inverse=True)
        frequency = np.bincount(place, np.concatenate([frequency, counts])).astype(np.int64)
    ranked = np.sort(frequency)[::-1]
    yield "different terms", float(len(ranked))
    yield "chunks that hold the 10th term", float(ranked[9])
    yield "chunks that hold the 1,000th term", float(ranked[999])
    yield "chunks that hold the 10,000th term", float(ranked[9_999]) if len(ranked) > 9_999 else 0.0
    yield "terms that stand in one chunk, share", float((ranked == 1).mean())


_BATCH = 50_000
_SPREAD = 618_033_988_751
"""An odd number: neighbouring ranks get names that have nothing in common."""
_LAST = 1 << 40
"""Ranks end here."""


# --- what all share
def _generator(seed: int) -> np.random.Generator:
    import numpy as np

    return np.random.default_rng([7, seed])


def _drawn(rng: np.random.Generator, count: int, slope: float, shift: int) -> np.ndarray:
    """Ranks from 0 by the law of Zipf and Mandelbrot: r with a chance that falls as ``(r + shift) ** -slope``.

    int64 (count,), by inversion of the continuous law. Ranks beyond the last are spread, lest they be one common name.
    """
    import numpy as np

    ranks = shift * (1 - rng.random(count)) ** (-1 / (slope - 1)) - shift
    spread = rng.random(count) * _LAST
    return np.where(ranks < _LAST, ranks, spread).astype(np.int64)
