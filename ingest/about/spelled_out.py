"""Names that a text says often as somebody's who does something: "Best Buy" for BBY, "Rapid7" in a letter of Rapid7."""

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
_NAMED = r"[A-Z][\w&’-]*(?:\s[A-Z&][\w&’-]*){0,3}"
_HOME = re.compile(
    r"\b(?:[Aa]t|[Jj]oin(?:ed|ing)|[Ww]elcome to|[Ww]ithin|[Aa]cross|[Ii]nvest(?:ed|ing|ment)? in|[Ii]nterest in"
    rf"|[Oo]n behalf of)\s+(?P<at>{_NAMED})"
    rf"|\b(?P<own>{_NAMED}?)(?:['’]s\s(?:\w+\s)?(?:total|business|strategy|customers|stores|results|earnings"
    r"|shareholders|stockholders|board|management|team|brand|brands|products|platform|portfolio|performance|growth"
    r"|future|mission|website|employees|stock|financial|quarter|first|second|third|fourth)\b"
    r"|\s(?:team|teammates|associates|employees|shareholders|stockholders|family|brand)\b)"
)
"""What is said of the company that speaks: its home, its people, its shareholders."""
_PERIOD = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Q\d|FY)\b"
)
_CANDIDATES = 8
_MOST_TEXT = 60_000
"""Characters that are looked at."""


def spelled_out(ticker: str, text: str) -> str:
    """The name said often whose letters hold the ticker's in order, all first letters among them; else "".

    >>> spelled_out("BBY", "At Best Buy we care. " * 4), spelled_out("HE", "However, it rained. " * 4)
    ('Best Buy', '')
    """
    named = [(name, count) for name, count in _often_said(text, ticker) if _fits(ticker.lower(), name)]
    named = [(name, count) for name, count in named if _is_somebody(name, text) and not name.startswith(ticker)]
    if not named:
        return ""
    best, most = named[0]
    return "" if any(_is_rival(name, best) for name, count in named[1:] if 2 * count > most) else best


def speakers_own(text: str) -> Counter[str]:
    """Names by how often they are spoken of as one speaks of one's own company, words of the language left out.

    >>> speakers_own("At Acme we care. Acme's customers know that.").most_common(1)
    [('Acme', 2)]
    """
    text = text[:_MOST_TEXT]
    said: Counter[str] = Counter()
    for found in _HOME.finditer(text):
        said[_POSSESSIVE.sub("", found["at"] or found["own"])] += 1
    likely = [name for name, _ in said.most_common(_CANDIDATES) if not _PERIOD.match(name)]
    return Counter({name: said[name] for name in likely if not _is_common_word(name, text)})


def _often_said(text: str, ticker: str) -> Iterator[tuple[str, int]]:
    counted = Counter(name for name in _names(text) if name.upper() != ticker)
    for name, count in counted.most_common():
        if count >= _OFTEN:
            yield name, count


def _is_rival(name: str, best: str) -> bool:
    return not (name.startswith(best) or best.startswith(name))


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
    return re.search(acts, text) is not None and not _is_common_word(name, text)


def _is_common_word(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name.lower())}\b", text) is not None


def _fits(ticker: str, name: str) -> bool:
    words = _WORD.findall(name.lower())
    if not words or (len(ticker) <= _SHORT_TICKER and len(words) == 1):
        return False
    return any(_begin(parts, words) for parts in _splits(ticker, len(words)))


def _begin(parts: tuple[str, ...], words: list[str]) -> bool:
    """True where each word begins with the letters of its part and goes on with them in order."""
    pairs = [(part, word) for part, word in zip(parts, words, strict=True) if part]
    return all(re.match(r"[a-z]*?".join(part), word) for part, word in pairs)


def _splits(letters: str, count: int) -> Iterator[tuple[str, ...]]:
    """All ways to share out the letters over so many words, one at least to each."""
    if count == 1:
        yield (letters,)
        return
    for cut in range(1, len(letters) - count + 2):
        for rest in _splits(letters[cut:], count - 1):
            yield (letters[:cut], *rest)
