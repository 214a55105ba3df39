"""A tokenizer that needs no vocabulary file."""

from __future__ import annotations

import re
from collections.abc import Sequence


class WordTokenizer:
    """One token a word, reversible: the usual vocabularies have to be downloaded."""

    _PIECE = re.compile(r"\s*\S+|\s+$")

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._pieces: list[str] = []

    def __deepcopy__(self, memo: object) -> WordTokenizer:
        return self

    def encode(self, content: str) -> list[int]:
        found = []
        for piece in self._PIECE.findall(content):
            number = self._numbers.get(piece)
            if number is None:
                number = self._numbers[piece] = len(self._pieces)
                self._pieces.append(piece)
            found.append(number)
        return found

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(self._pieces[token] for token in tokens)
