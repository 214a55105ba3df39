"""The words without which a regular expression cannot match: looked for first, they spare most texts the search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, takewhile

from .chinese import simplified

_TOKEN = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<set>\[\^?\]?(?:\\.|[^\]\\]){0,1000}\])"
    r"|(?P<around>\(\?<?[=!])"
    r"|(?P<nothing>\(\?P=\w+\)|\(\?\#[^)]*\))"
    r"|(?P<open>\(\?(?:P<\w+>|[aimsu]*(?:-[ims]+)?:)|\((?!\?))"
    r"|(?P<unknown>\(\?)"
    r"|(?P<close>\))"
    r"|(?P<either>\|)"
    r"|(?P<times>(?:[*+?]|\{\d*(?:,\d*)?\})[?+]?)"
    r"|(?P<letters>[A-Za-z0-9 ,'’&/%:;_\u3400-\u4dbf\u4e00-\u9fff-]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_MAY_BE_ABSENT = ("*", "?", "{0", "{,", "{}")
_SHORTEST = 2
"""Bytes; what is shorter stands in nearly every text."""

Words = frozenset[str]
"""Texts in lower case of which a match holds at least one; empty: nothing is known."""

Forms = tuple[tuple[Words, ...], ...]
"""Of each alternative of a pattern the words of its parts, of which a match holds one each; empty: nothing is known."""

_NOTHING: Words = frozenset()
_LONG = 20_000
"""Characters; in a longer text nearly every pattern's words stand somewhere."""
_MOST_PARTS = 3
"""Parts of an alternative that are looked for, the most telling ones."""


def trigger_words(pattern: str) -> Words:
    """Texts of which whatever the pattern matches holds one, as :func:`folded` gives it; empty where that is unclear.

    Nothing is known of a pattern in verbose mode, and of one that is not a regular expression.

    >>> sorted(trigger_words(r"\\b(?:gross|operating)\\s+margins?\\b"))
    ['margin']
    >>> sorted(trigger_words(r"how (?:many|much)|per cent\\.?"))
    ['how ', 'per cent']
    >>> trigger_words(r"(?:net )?\\d+")
    frozenset()
    """
    return frozenset().union(*(parts[0] for parts in trigger_forms(pattern)))


def trigger_forms(pattern: str) -> Forms:
    """The same for each alternative of the pattern and for several of its parts.

    >>> [[sorted(words) for words in parts] for parts in trigger_forms(r"(?:gross|net) margins?|ebitda")]
    [[[' margin'], ['gross', 'net']], [['ebitda']]]
    """
    return _Reader(pattern).forms()


@lru_cache(maxsize=256)
def folded(text: str) -> str:
    """The text as trigger words are written: whatever matches a letter when case is ignored becomes that letter.

    Traditional characters become simplified ones: patterns find both.
    """
    if text.isascii():
        return text.lower()
    return simplified(text.casefold().replace("ı", "i").replace("\u0307", ""))  # Turkish letters that match an "i"


def holds_one(words: Words, text: str) -> bool:
    """False where a text lacks all the trigger words of what is looked for; True where there are none.

    >>> holds_one(trigger_words("gross margin|ebitda"), "EBITDA rose"), holds_one(trigger_words("ebitda"), "Sales rose")
    (True, False)
    """
    if not words or len(text) > _LONG:
        return True
    plain = folded(text)
    for word in words:  # noqa: SIM110 - half of what any() with a generator takes, 800 times a question
        if word in plain:
            return True
    return False


def holds_form(forms: Forms, text: str) -> bool:
    """False where a text lacks, of each alternative, all the words of a part; True where nothing is known.

    >>> forms = trigger_forms("(?:gross|net) margins?|ebitda")
    >>> holds_form(forms, "Net sales rose"), holds_form(forms, "NET MARGIN"), holds_form(forms, "EBITDA")
    (False, True, True)
    """
    if not forms or len(text) > _LONG:
        return True
    plain = folded(text)
    for parts in forms:
        for words in parts:
            for word in words:
                if word in plain:
                    break
            else:
                break
        else:
            return True
    return False


_RUN = 3
"""Letters in a row by which a word is told to be absent."""


class WordIndex:
    """Trigger words of many patterns, looked for in a text at once: those alone whose middle letters stand in it.

    To look for 500 words in a sentence one after the other takes 50 µs, by their letters 20.

    >>> sorted(WordIndex(["margin", "ebitda", "毛利"]).held_in("EBITDA margin")), WordIndex(["毛利"]).held_in("毛利率")
    (['ebitda', 'margin'], ['毛利'])
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._by_run: dict[str, list[str]] = {}
        self._short: list[str] = []
        for word in words:
            if len(word) < _RUN and word.isascii():
                self._short.append(word)
            else:
                self._by_run.setdefault(_middle(word), []).append(word)

    def held_in(self, text: str) -> list[str]:
        """Those of the words that stand in a text, in any order."""
        likely = map(self._by_run.__getitem__, self._by_run.keys() & _letter_runs(text))
        return list(filter(folded(text).__contains__, chain(self._short, *likely)))


def _middle(word: str) -> str:
    start = max(0, (len(word) - _RUN + 1) // 2)
    return word[start : start + _RUN]


@lru_cache(maxsize=64)
def _letter_runs(text: str) -> frozenset[str]:
    """All runs of three letters of a folded text; shorter ones, too, where characters may be words by themselves."""
    plain = folded(text)
    lengths = (_RUN,) if plain.isascii() else range(1, _RUN + 1)
    runs = (zip(*(plain[start:] for start in range(length)), strict=False) for length in lengths)
    return frozenset(map("".join, chain.from_iterable(runs)))


class _Reader:
    """Reads a pattern from left to right; gives up where it finds a form that it does not know."""

    def __init__(self, pattern: str) -> None:
        self._tokens = [(match.lastgroup or "", match) for match in _TOKEN.finditer(pattern)]
        self._at = 0

    def forms(self) -> Forms:
        try:
            found = self._alternatives()
        except _UnknownFormError:
            return ()
        closed_too_often = self._at < len(self._tokens)
        return () if closed_too_often else found

    def _alternatives(self) -> Forms:
        """Of all branches up to the closing bracket: one of them matches, so each has to name its words."""
        branches = [self._branch()]
        while self._kind() == "either":
            self._at += 1
            branches.append(self._branch())
        return tuple(branches) if all(branches) else ()

    def _branch(self) -> tuple[Words, ...]:
        """Of parts one behind the other: all of them match. The most telling one comes first."""
        parts: list[Words] = []
        while self._kind() not in ("", "either", "close"):
            part = self._part()
            if self._kind() == "times":
                part = self._repeated(part)
            if part:
                parts.append(part)
        return tuple(sorted(parts, key=_telling, reverse=True)[:_MOST_PARTS])

    def _part(self) -> Words:
        kind, match = self._tokens[self._at]
        self._at += 1
        if kind == "letters":
            return self._letters(match[0])
        if kind in ("open", "around"):
            inner = self._alternatives()
            if self._kind() != "close":
                raise _UnknownFormError
            self._at += 1
            return frozenset().union(*(parts[0] for parts in inner)) if kind == "open" else _NOTHING
        if kind == "unknown":
            raise _UnknownFormError
        return _NOTHING

    def _letters(self, letters: str) -> Words:
        """A quantifier behind letters is of the last one only, which is left out."""
        text = letters
        if self._kind() == "times":
            text = letters[:-1]
            self._at += 1
        return frozenset((text.lower(),)) if _length(text) >= _SHORTEST else _NOTHING

    def _repeated(self, part: Words) -> Words:
        times = self._tokens[self._at][1][0]
        self._at += 1
        return _NOTHING if times.startswith(_MAY_BE_ABSENT) else part

    def _kind(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""


class _UnknownFormError(Exception):
    """A form of the pattern language that is not read here: a condition, flags in the midst, a bracket that is open."""


_CHINESE = "[\u3400-\u4dbf\u4e00-\u9fff]"
_NEEDS_CHINESE = re.compile(rf"\[{_CHINESE}+\]|[^\[]*{_CHINESE}.*", re.DOTALL)
"""A part of a pattern that matches Chinese characters alone."""
_NUMBERED = re.compile(r"(?<!\\)\((?!\?(?:[aimsu-]*:|<?[=!]))")
"""A group that is asked for, or a form that is not read here."""


def ascii_part(pattern: str) -> str:
    """A pattern without the alternatives that need a Chinese character, which no ASCII text has; as it is where groups
    are asked for, which would be numbered anew.

    With case ignored each set of Chinese characters is compared letter by letter: a pattern of 500 characters took 37
    µs a sentence with its Chinese part and takes 7 without.

    >>> ascii_part(r"\\b(?:expects?|guidance)\\b|预[计期]|将(?:增|减)") == r"\\b(?:expects?|guidance)\\b"
    True
    """
    if _NUMBERED.search(pattern):
        return pattern
    return _without_chinese(_TOKEN.finditer(pattern))[0]


def _without_chinese(tokens: Iterator[re.Match[str]]) -> tuple[str, bool]:
    """Alternatives up to their closing bracket; all of them, and True, where each needs a Chinese character."""
    branches: list[list[str]] = [[]]
    places: list[tuple[set[int], set[int]]] = [(set(), set())]  # of parts in the branch, those that need one second
    for token in takewhile(lambda token: token.lastgroup != "close", tokens):
        kind, text = token.lastgroup, token[0]
        if kind == "either":
            branches.append([])
            places.append((set(), set()))
            continue
        needs = _NEEDS_CHINESE.fullmatch(text) is not None
        if kind in ("open", "around"):
            inner, all_need = _without_chinese(tokens)
            text, needs = f"{text}{inner})", all_need & (kind == "open")
        if text.startswith(_MAY_BE_ABSENT):
            places[-1][True].discard(len(branches[-1]) - 1)
        places[-1][needs].add(len(branches[-1]))
        branches[-1].append(text)
    kept = ["".join(branch) for branch, (_, needing) in zip(branches, places, strict=True) if not needing]
    return "|".join(kept or map("".join, branches)), not kept


def _telling(words: Words) -> tuple[int, int]:
    """Long words are rare; of equally long ones few are."""
    return min(map(_length, words), default=0), -len(words)


def _length(text: str) -> int:
    """Bytes: a Chinese character says as much as three letters."""
    return len(text.encode())
