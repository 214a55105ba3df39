"""How many tokens a text costs, without a tokenizer and, where one is at hand, with it."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .patterns import LazyPattern, on_demand

_CJK = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LATIN = on_demand(r"[A-Za-z]{1,9}|\d{1,3}|\n+|[^\sA-Za-z\d]+")
_MIXED = LazyPattern(rf"[A-Za-z]{{1,9}}|\d{{1,3}}|\n+|[{_CJK}]|[^\sA-Za-z\d{_CJK}]+", 0)
_IDEOGRAPH = LazyPattern(rf"[{_CJK}]", 0)
_IDEOGRAPH_EXTRA = 0.2
"""Common vocabularies of byte pairs spend 1.15 to 1.35 tokens on a Chinese character."""
_VOCABULARY = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""Name under which tiktoken caches cl100k_base: the SHA-1 of its address."""
_CONTENT = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""SHA-256 of that file, as in tiktoken: it downloads anew what is damaged, so such a file is not touched."""


def estimate_tokens(text: str) -> int:
    """About the number of tokens of cl100k_base, the same on every machine; never fails.

    Words of up to nine letters, groups of three digits and runs of signs count one each. Within 8 % on English prose,
    filings and Chinese reports; some 30 million characters a second.

    >>> estimate_tokens("Revenue rose 12% to $3,400 million.")
    11
    >>> estimate_tokens("")
    0
    """
    if text.isascii() or not _IDEOGRAPH.search(text):
        return len(_LATIN.findall(text))
    ideographs = len(_IDEOGRAPH.findall(text))
    return len(_MIXED.findall(text)) + int(_IDEOGRAPH_EXTRA * ideographs)


def count_tokens(text: str) -> int:
    """Tokens by tiktoken's cl100k_base where its vocabulary is on this machine already, else :func:`estimate_tokens`.

    For budgets. What has to be the same everywhere (chunk borders) uses the estimate. Nothing is ever downloaded.
    """
    return _counter()(text)


@cache
def _counter() -> Callable[[str], int]:
    folder = _tiktoken_folder()
    if not folder or not _is_vocabulary(Path(folder) / _VOCABULARY):
        return estimate_tokens
    try:
        import tiktoken

        encoding = tiktoken.get_encoding("cl100k_base")
    except Exception:  # a foreign package and its cache: whatever is wrong there, the estimate serves
        return estimate_tokens
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _tiktoken_folder() -> str:
    """The one folder where tiktoken looks before it downloads; empty: its cache is switched off."""
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if name in os.environ:
            return os.environ[name]
    return str(Path(tempfile.gettempdir()) / "data-gym-cache")


def _is_vocabulary(path: Path) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == _CONTENT
    except OSError:
        return False
