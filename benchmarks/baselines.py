"""The retrievers that everybody has: BM25, dense, and both fused; they run beside ours in every benchmark.

Settings are the usual ones, fixed, and never tuned: a baseline that is kept weak proves nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from cliquerag.models.embedders import Embedder

BM25_K1, BM25_B = 1.5, 0.75
RRF_K = 60
RRF_DEPTH = 1000
"""Places of each ranking that are fused."""

_STOP_WORDS = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this "
    "to was will with"
)
"""Lucene's, for English."""
_STOP = frozenset(_STOP_WORDS.split())
_WORD = re.compile(r"[^\W\u3400-\u9fff]+(?:['’]\w+)?|[\u3400-\u9fff]+")


def plain_words(text: str) -> list[str]:
    """Lower-case stems without stop words; Chinese as pairs of characters.

    >>> plain_words("The revenues of Acme rose"), plain_words("营业收入")
    (['revenu', 'acm', 'rose'], ['营业', '业收', '收入'])
    """
    words: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word[0] >= "\u3400":
            words += [word[i : i + 2] for i in range(len(word) - 1)] or [word]
        elif len(word) > 1 and word not in _STOP:
            words.append(_stem(word))
    return words


class BM25:
    """Lucene's BM25 over a list of texts (Kamphuis et al. 2020), as a sparse matrix of texts by words.

    ``score(d, w) = idf(w) * tf / (tf + k1 * (1 - b + b * |d| / mean |d|))`` with
    ``idf(w) = log(1 + (N - n_w + .5) / (n_w + .5))``.
    """

    def __init__(self, texts: Sequence[str], words: Callable[[str], list[str]] = plain_words) -> None:
        self.words = words
        counts = [Counter(words(text)) for text in texts]
        self._column: dict[str, int] = {word: i for i, word in enumerate(dict.fromkeys(w for c in counts for w in c))}
        self._weights = _bm25_weights(counts, self._column)

    def scores(self, question: str) -> np.ndarray:
        """Float64 (texts,): 0 where no word is shared."""
        import numpy as np

        asked = np.zeros(self._weights.shape[1])
        for word in self.words(question):
            if word in self._column:
                asked[self._column[word]] += 1
        scores: np.ndarray = self._weights @ asked
        return scores


@dataclass(frozen=True)
class Dense:
    """Cosine of unit vectors."""

    vectors: np.ndarray
    embedder: Embedder

    @classmethod
    def of(cls, texts: Sequence[str], embedder: Embedder) -> Dense:
        """Embed the texts."""
        return cls(embedder.embed(texts), embedder)

    def scores(self, question: str) -> np.ndarray:
        """Float32 (texts,)."""
        scores: np.ndarray = self.vectors @ self.embedder.embed([question])[0]
        return scores


def ranking(scores: np.ndarray) -> np.ndarray:
    """Indices by falling score, ties by index."""
    import numpy as np

    return np.argsort(-scores, kind="stable")


def reciprocal_rank_fusion(rankings: Sequence[np.ndarray], n: int, k: int = RRF_K) -> np.ndarray:
    """Scores (n,) of the fused ranking: ``sum(1 / (k + place))`` (Cormack, Clarke & Buettcher 2009)."""
    import numpy as np

    scores = np.zeros(n)
    for order in rankings:
        top = order[:RRF_DEPTH]
        scores[top] += 1.0 / (k + np.arange(1, len(top) + 1))
    return scores


def baseline_rankings(
    texts: Sequence[str], questions: Sequence[str], embedder: Embedder | None
) -> Mapping[str, list[np.ndarray]]:
    """System -> one ranking of all texts a question. Without an embedder only BM25."""
    words = BM25(texts)
    systems: dict[str, list[np.ndarray]] = {"BM25": [ranking(words.scores(question)) for question in questions]}
    if embedder is None:
        return systems
    similarity = embedder.embed(questions) @ embedder.embed(texts).T
    systems["dense"] = [ranking(row) for row in similarity]
    systems["RRF"] = [
        ranking(reciprocal_rank_fusion(pair, len(texts)))
        for pair in zip(systems["dense"], systems["BM25"], strict=True)
    ]
    return systems


def _bm25_weights(counts: Sequence[Counter[str]], column: Mapping[str, int]) -> Any:
    """Sparse (texts, words): the share of each word in the score of each text."""
    import numpy as np
    from scipy.sparse import csr_array

    lengths = np.array([count.total() for count in counts], dtype=np.float64)
    norm = BM25_K1 * (1 - BM25_B + BM25_B * lengths / max(lengths.mean(), 1.0)) if len(counts) else lengths
    rows = np.repeat(np.arange(len(counts)), [len(count) for count in counts])
    columns = np.fromiter((column[word] for count in counts for word in count), dtype=np.int64)
    times = np.fromiter((n for count in counts for n in count.values()), dtype=np.float64)
    frequency = np.bincount(columns, minlength=len(column))
    idf = np.log(1 + (len(counts) - frequency + 0.5) / (frequency + 0.5))
    values = idf[columns] * times / (times + norm[rows])
    return csr_array((values, (rows, columns)), shape=(len(counts), len(column)))


@cache
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")
