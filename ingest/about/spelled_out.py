"""Names that a text says often as somebody's who does something: "Best Buy" for BBY, "Rapid7" in a letter of Rapid7."""

from __future__ import annotations

import re
from collections import Counter

_MOST_WORDS = 3
_FIRST, _NEXT = r"[A-Z][\w&’'-]*", r"[A-Z&][\w&’'-]*"
_RUNS = tuple(
    re.compile(rf"(?<![\w&’'-])(?=({_FIRST}(?:\s{_NEXT}){{{more}}})(?![\w&’'-]))") for more in range(_MOST_WORDS)
)
"""Every run of one to three capitalised words, also those within longer ones."""
_POSSESSIVE = re.compile(r"['’]s?$")
_NOT_LETTERS = re.compile(r"[^a-z]+")
_DOES = "has|is|will|was|continues|delivered|reported|team"
_OFTEN = 4
"""Times that a text names its own company at least; a name that is said once may be anybody's."""
_SHORT_TICKER = 2
"""Letters of a ticker that many single words would fit."""
_NAMED = r"[A-Z][\w&’-]{0,40}(?:\s[A-Z&][\w&’-]{0,40}){0,3}"
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

    >>> spelled_out("BBY", "We at Best Buy care. " * 4), spelled_out("HE", "However, it rained. " * 4)
    ('Best Buy', '')
    """
    if len(ticker) < _SHORT_TICKER:
        return ""
    counted = Counter(_POSSESSIVE.sub("", name) for run in _RUNS for name in run.findall(text))
    often = [name for name, count in counted.items() if count >= _OFTEN]
    form = _form_of(ticker)
    fitting = [name for name in often if form.fullmatch(_NOT_LETTERS.sub(" ", name.lower()).strip())]
    named = [name for name in fitting if _is_somebody(name, text) and not name.startswith(ticker)]
    best = max(named, key=counted.__getitem__, default="")
    rivals = [name for name in named if 2 * counted[name] > counted[best]]
    return best if all(_is_related(name, best) for name in rivals) else ""


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


def _form_of(ticker: str) -> re.Pattern[str]:
    """Names in small letters that a ticker may stand for: its letters in order, each word begun by one of them."""
    joint = r"[a-z]* " if len(ticker) <= _SHORT_TICKER else r"[a-z]*? ?"
    letters = joint.join(map(re.escape, ticker.lower()))
    return re.compile(rf"(?!{re.escape(ticker.lower())}(?![a-z])){letters}[a-z]*")


def _is_related(name: str, other: str) -> bool:
    return name.startswith(other) or other.startswith(name)


def _is_somebody(name: str, text: str) -> bool:
    """True for a name that owns or does something, or is spoken from, and is no word of the language."""
    plain = re.escape(name)
    acts = rf"\b(?:at|joined|joining) {plain}\b|\b{plain}(?:['’]|\s(?:{_DOES})\b)"
    return re.search(acts, text) is not None and not _is_common_word(name, text)


def _is_common_word(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name.lower())}\b", text) is not None
