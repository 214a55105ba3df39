"""Invented earnings calls, a hashing embedder and a tokenizer: inputs that cost hardly anything and are alike for all.

Every thousand words name twelve companies in twelve sentences that state a relation each. Some companies come back in
every call, the others are drawn from a pool that grows with the corpus, as names do.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np

CHUNK_WORDS, OVERLAP_WORDS = 1200, 100
"""LightRAG's defaults, in words."""
DOCUMENT_CHUNKS = 10
DIM = 384
RELATIONS = ("supplies", "acquires", "sues")
STATED = re.compile(rf"([A-Z][a-z]+ Corp) ({'|'.join(RELATIONS)}) ([A-Z][a-z]+ Corp)")
"""How a text states a relation: what an extractor has to find."""

_STEP = CHUNK_WORDS - OVERLAP_WORDS
_STATEMENTS = 12
_SENTENCE = 17
_COMMON = 50
_COMMON_SHARE = 1 / 3
_NEW_NAMES = 5
_SYLLABLE_TEXT = "ba ce di fo gu ha ji ka le mo nu pa qi ro su ta ve wi xa zo"
_SYLLABLES = _SYLLABLE_TEXT.split()
_WORD_TEXT = (
    "revenue margin guidance quarter segment demand cost cash flow inventory backlog price volume mix currency growth "
    "outlook capital return customer contract service product region market share operating expense tax dividend "
    "buyback debt interest working productivity headcount"
)
_WORDS = _WORD_TEXT.split()


def company(number: int) -> str:
    """A name that is a word: found by searching for it, whatever a system makes of the text.

    >>> company(0), company(123)
    ('Bababaxon Corp', 'Bahafoxon Corp')
    """
    syllables = [_SYLLABLES[number // 20**place % 20] for place in (2, 1, 0)]
    return "".join(syllables).capitalize() + "xon Corp"


class Calls:
    """Earnings calls of ten chunks, the same in every run. ``chunks`` is the size that the pool of names suits."""

    def __init__(self, chunks: int, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._pool = max(200, chunks * _NEW_NAMES)
        self._made = 0

    def call(self, chunks: int = DOCUMENT_CHUNKS) -> tuple[str, str]:
        """(name, text) of the next one, ``chunks`` chunks long."""
        self._made += 1
        # A little less than full, so that no splitter makes a chunk more of the rest.
        sentences = [s for _ in range(chunks) for s in self._sentences()]
        words = " ".join(sentences).split()[: chunks * _STEP]
        return f"call-{self._made:05d}.txt", " ".join(words[:-_SENTENCE]) + "."

    def question(self) -> str:
        """About a company that every call names, in words that were not asked before."""
        about = " ".join(self._random.sample(_WORDS, 5))
        return f"What did {company(self._random.randrange(_COMMON))} say about {about}?"

    def _sentences(self) -> list[str]:
        """About ``_STEP`` words with the stated relations spread among them."""
        plain = [self._plain() for _ in range(_STEP // _SENTENCE + 1)]
        every = len(plain) // _STATEMENTS
        for number in range(_STATEMENTS):
            one, other = self._name(), self._name()
            tail = " ".join(self._random.choices(_WORDS, k=_SENTENCE - 8))
            relation = RELATIONS[number % len(RELATIONS)]
            plain[number * every] = f"In this quarter {one} {relation} {other} with {tail}."
        return plain

    def _plain(self) -> str:
        return " ".join(self._random.choices(_WORDS, k=_SENTENCE)).capitalize() + "."

    def _name(self) -> str:
        common = self._random.random() < _COMMON_SHARE
        return company(self._random.randrange(_COMMON) if common else _COMMON + self._random.randrange(self._pool))


class HashEmbedder:
    """Signed feature hashing of words (Weinberger et al. 2009): microseconds a text, so that engines are measured."""

    name = "hashing"
    dim = DIM

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Float32 (len(texts), 384), unit rows."""
        import numpy as np

        rows = np.zeros((len(texts), DIM), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            slots = np.array([_slot(word) for word in text.split()] or [1], dtype=np.int64)
            np.add.at(row, np.abs(slots) - 1, np.sign(slots).astype(np.float32))
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows


@lru_cache(maxsize=200_000)
def _slot(word: str) -> int:
    """1 to DIM with a sign."""
    value = crc32(word.encode())
    return (value % DIM + 1) * (1 if value >> 31 else -1)
