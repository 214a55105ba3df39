"""The name that a ticker stands for, as the text of a call spells it out: "Best Buy" for BBY."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

_RUN = re.compile(r"\b[A-Z][\w&’'-]*(?:\s[A-Z&][\w&’'-]*)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[a-z]+")
_DOES = "has|is|will|was|continues|delivered|reported|team"
_MOST_WORDS = 3
_OFTEN = 4
"""Times that a text names its own company at least; a name that is said once may be anybody's."""
_SHORT_TICKER = 2
"""Letters of a ticker that many single words would fit."""


def spelled_out(ticker: str, text: str) -> str:
    """The name said often whose letters hold the ticker's in order, all first letters among them; else "".

    >>> spelled_out("BBY", "At Best Buy we care. " * 4), spelled_out("HE", "However, it rained. " * 4)
    ('Best Buy', '')
    """
    counted = Counter(name for name in _names(text) if name.upper() != ticker)
    fitting = [(name, n) for name, n in counted.most_common() if n >= _OFTEN and _fits(ticker.lower(), name)]
    named = [(name, n) for name, n in fitting if _is_somebody(name, text) and not name.startswith(ticker)]
    if not named:
        return ""
    (best, most), *others = named
    rivals = [name for name, n in others if 2 * n > most and not (name.startswith(best) or best.startswith(name))]
    return "" if rivals else best


def _names(text: str) -> Iterator[str]:
    """Every run of one to three capitalised words."""
    for run in _RUN.finditer(text):
        words = run.group().split()
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + _MOST_WORDS) + 1):
                yield _POSSESSIVE.sub("", " ".join(words[start:end]))


def _is_somebody(name: str, text: str) -> bool:
    """True for a name that owns or does something, or is spoken from, and is no word of the language."""
    plain = re.escape(name)
    acts = rf"\b(?:at|joined|joining) {plain}\b|\b{plain}(?:['’]|\s(?:{_DOES})\b)"
    return re.search(acts, text) is not None and not re.search(rf"\b{re.escape(name.lower())}\b", text)


def _fits(ticker: str, name: str) -> bool:
    words = _WORD.findall(name.lower())
    if not words or (len(ticker) <= _SHORT_TICKER and len(words) == 1):
        return False
    rest = r"[a-z]*?".join  # between two letters of the ticker within one word
    splits = _splits(ticker, len(words))
    return any(
        all(re.match(rest(part), word) for part, word in zip(parts, words, strict=True) if part) for parts in splits
    )


def _splits(letters: str, count: int) -> Iterator[tuple[str, ...]]:
    """All ways to share out the letters over so many words, one at least to each."""
    if count == 1:
        yield (letters,)
        return
    for cut in range(1, len(letters) - count + 2):
        for rest in _splits(letters[cut:], count - 1):
            yield (letters[:cut], *rest)
