"""The figures that a question names: by the canonical name of a metric, by further words, or by words alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from ....core.names import is_chinese
from ....core.patterns import on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import without
from ....core.words import StemSet, question_words
from ..scope.name_letters import ordinary_capitals
from ..vocabulary.vocabulary import FormulaList

_WORD = on_demand(r"[A-Za-z]+|&")
_BREAK = on_demand(r"[.?!;:()]")
_POSSESSIVE = on_demand(r"['’]s\b")
_LONGEST = 12
_MARK = on_demand(r"qqm(\d+)qq")
_SHORTEST_ZH = 2
_JOINED = on_demand(r"(?:(?<!\s)\s+)?(?:,|;|、|，|\band\b|&|和|及|与|以及)\s*")
_TOTAL = on_demand(r"\btotal\s+$", re.IGNORECASE)
_PART = on_demand(
    r"(?P<name>\b[A-Z][\w&’'-]{0,40}) (?:(?:operating|reportable|reporting|business|geographic) )?"
    r"(?:segments?|divisions?|regions?|business unit)\b"
)
"""The name of a part of a company, with the word for what it is: a table prints the name alone."""
_TELLING = on_demand(
    r"\b(?:other|non|excluding|before|after|per|current(?! (?:year|period|quarter))|state|local|federal|foreign"
    r"|united (?:states|kingdom)|(?<=[a-z] )(?<!the )(?<!a )(?<!what )(?<!which )ratio(?! (?:of|between|to)\b))\b",
    re.IGNORECASE,
)
"""Words that are common elsewhere but tell one row from another."""
_AT_END = on_demand(
    r"\b(?:at|as of|as at|by|on) (?:the )?(?:(?:fiscal|financial|calendar) )?"
    r"(?:(?:year|quarter|half|period|month)[ -]?end\b"
    r"|end of (?:the )?(?:fiscal |financial )?(?:year|quarter|half|period)\b)",
    re.IGNORECASE,
)
"""When it was, and no word of a row: "at year end"."""


_PREDICATE = on_demand(
    r"\b(?:did|does|do|has|have|had|will)\s{1,3}(?!pa(?:y|id)\b|collect|receiv|repa|redeem|own\b)[a-z]{2,20}"
    r"(?=\s{0,3}(?:[?.,;]|$|(?:in|for|at|during|from|to|as|on|over|by|per|between)\b))"
)
"""What the company does with the figure, its name left out: "what dividend per share did | declare"."""


@dataclass(frozen=True, slots=True)
class Named:
    """A question in which ``qqm0qq`` stands for ``names[0]``, the canonical name of what was written there."""

    masked: str
    names: tuple[str, ...]
    written: tuple[str, ...]

    def marks(self, text: str) -> list[int]:
        """The marks within a part of the masked question, in order."""
        return list(map(int, _MARK.findall(text)))

    def unmasked(self, text: str) -> str:
        """The part as it was written."""
        return _MARK.sub(lambda match: self.written[int(match[1])], text)


def without_marks(text: str) -> str:
    """What is left beside the names.

    >>> without_marks("cloud qqm0qq")
    'cloud  '
    """
    return _MARK.sub(" ", text)


def find_names(text: str, formulas: FormulaList) -> Named:
    """Mask every name, the longest first where several begin at one place."""
    spans = name_spans(text, formulas)
    masked, at = "", 0
    for number, (start, end, _) in enumerate(spans):
        masked += f"{text[at:start]}qqm{number}qq"
        at = end
    names = tuple(name for _, _, name in spans)
    return Named(masked + text[at:], names, tuple(text[start:end] for start, end, _ in spans))


def name_spans(text: str, formulas: FormulaList) -> list[tuple[int, int, str]]:
    """(start, end, canonical name) of each name in a text, in its language."""
    return _chinese(text, formulas) if is_chinese(text) else english_spans(text, formulas)


def english_spans(text: str, formulas: FormulaList) -> list[tuple[int, int, str]]:
    """The same of the English names alone."""
    plain = _POSSESSIVE.sub(lambda match: " " * len(match[0]), text)
    words: list[_Word] = []
    for match in _WORD.finditer(plain):
        written = "and" if match[0] == "&" else match[0].lower()
        words.append(_Word(written, match.start(), match.end()))
    finder = _NameFinder(plain, words, _index(formulas))
    spans: list[tuple[int, int, str]] = []
    at = 0
    while at < len(words):
        count, name = finder.longest(at)
        if name:
            spans.append((words[at].start, words[at + count - 1].end, name))
        at += count or 1
    return spans


@dataclass(frozen=True, slots=True)
class _Word:
    """A word in lower case and where it stands in the text."""

    written: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _NameFinder:
    """Finds the names of an English text that is cut into words; ``index`` are the names by their first word."""

    text: str
    words: Sequence[_Word]
    index: Mapping[str, Mapping[tuple[str, ...], str]]

    def longest(self, at: int) -> tuple[int, str]:
        """The longest name that begins at a word: how many words it has, and its canonical form; (0, "") without."""
        known = self.index.get(self.words[at].written)
        if not known:
            return 0, ""
        for count in range(min(_LONGEST, len(self.words) - at), 0, -1):
            own = self.words[at : at + count]
            name = known.get(tuple(word.written for word in own))
            if not name or self._is_broken(own) or self._lists_another(at, count):
                continue
            if own[0].written == "total" and at + 1 + self.longest(at + 1)[0] > at + count:
                return 0, ""  # "total | goodwill impairment", not "total goodwill | impairment"
            return count, name
        return 0, ""

    def _is_broken(self, words: Sequence[_Word]) -> bool:
        """True where a sentence ends, or parentheses begin, between the words."""
        return _BREAK.search(self.text, words[0].end, words[-1].start) is not None

    def _lists_another(self, at: int, count: int) -> bool:
        """True where a comma within begins the next name of a list: "revenue, net | income"."""
        for after in range(at + 1, at + count):
            between = self.text[self.words[after - 1].end : self.words[after].start]
            if "," in between and after + self.longest(after)[0] > at + count:
                return True
        return False


def _chinese(text: str, formulas: FormulaList) -> list[tuple[int, int, str]]:
    pattern, names = _chinese_names(formulas)
    return [(m.start(), m.end(), names[m[0].lower()]) for m in pattern.finditer(text)]


@lru_cache(maxsize=8)
def _index(formulas: FormulaList) -> Mapping[str, Mapping[tuple[str, ...], str]]:
    """First word -> (words of a name -> canonical name); formulas go before metrics."""
    index: dict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
    for plain, name in (*formulas.names.items(), *formulas.known.names.items()):
        words = tuple(re.findall(r"[a-z]+", plain))
        if plain.isascii() and words:
            index[words[0]].setdefault(words, name)
    return index


@lru_cache(maxsize=8)
def _chinese_names(formulas: FormulaList) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """All Chinese names, with and without the particle 的."""
    names: dict[str, str] = {}
    for plain, name in (*formulas.names.items(), *formulas.known.names.items()):
        if not plain.isascii() and len(plain) >= _SHORTEST_ZH:
            names.setdefault(plain, name)
            names.setdefault(plain.replace("的", ""), name)
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE), names


_LATIN_NAME = on_demand(r"(?<![A-Za-z])(?!F?Y\d)[A-Z][A-Za-z]{2,}(?![A-Za-z\d])")
"""A product or a firm in a Chinese question; shorter ones are kinds of shares, quarters and units."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A figure named in the question. ``name`` is canonical, empty where no list has it.

    ``words`` are the further words that the row has to hold: what narrows the metric, or, without a name, names it.
    """

    text: str
    name: str = ""
    words: tuple[str, ...] = ()
    written: str = ""
    """The name as the question writes it."""
    due: bool = False
    """It is asked what falls due of it."""


def content_words(text: str) -> tuple[str, ...]:
    """The words of a text that tell rows apart, as stems: without words of asking, of time and of reporting.

    >>> content_words("the reported amount of Cloud services revenue in the balance sheet")
    ('cloud', 'servic', 'revenu')
    >>> content_words("SiC MOSFET模块的多少")
    ('模块', 'sic', 'mosfet')
    """
    text = _AT_END.sub(" ", text)
    if is_chinese(text):
        named = without(_LATIN_NAME.findall(text), ordinary_capitals())
        return (*(part for part in _zh_filler().split(text) if len(part) > 1), *map(str.lower, named))
    words = without(question_words(text), _en_filler())
    telling = [word.lower() for word in _TELLING.findall(text)]
    return tuple(dict.fromkeys((*words, *telling)))


def read_operand(named: Named, text: str) -> Operand | None:
    """The one figure that a part of the question names: its longest name, all other words narrowing it."""
    text = _PART.sub(lambda match: match["name"], text)
    marks = named.marks(text)
    whole = " ".join(named.unmasked(text).split())
    if not marks:
        words = content_words(without_marks(text))
        says_something = bool(words) or len(whole) > 1
        return Operand(whole, words=words) if says_something else None
    text = _PREDICATE.sub(" ", text)
    best = max(marks, key=lambda mark: len(named.written[mark]))
    name, written = named.names[best], named.written[best]
    others = [named.written[mark] for mark in marks if named.names[mark] != name]
    words = content_words(" ".join((without_marks(text), *others)))
    if _TOTAL.search(text[: text.find(f"qqm{best}qq")]):
        written = f"total {written}"
    return Operand(whole, name, words, written)


def read_each(named: Named, parts: Sequence[str]) -> tuple[Operand, ...]:
    """The figures of parts of the question; parts that name none are left out."""
    operands = (read_operand(named, part) for part in parts)
    return tuple(filter(None, operands))


def read_operands(named: Named, text: str, *, split: bool = True) -> tuple[Operand, ...]:
    """Figures joined by "and" or commas, if each part names one; else a single one.

    ``split`` also takes parts for figures of which no list has the name.
    """
    parts = [part for part in _JOINED.split(text) if part and _names_something(named, part)]
    with_names = list(filter(named.marks, parts))
    several = len(parts) > 1
    if several and len(with_names) == len(parts):
        return read_each(named, parts)
    marks = named.marks(text)
    if is_chinese(text) and len(marks) > 1:
        return tuple(_of_mark(named, mark) for mark in marks)
    if several and split and not with_names:
        return read_each(named, parts)
    return read_each(named, [text])


def _names_something(named: Named, part: str) -> bool:
    return bool(named.marks(part) or content_words(without_marks(part)))


def _of_mark(named: Named, mark: int) -> Operand:
    written = named.written[mark]
    return Operand(written, named.names[mark], written=written)


@cache
def _en_filler() -> StemSet:
    return StemSet(_filler()["en"])


@cache
def _zh_filler() -> re.Pattern[str]:
    words = sorted(_filler()["zh"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)) + r"|[^\u4e00-\u9fff]+")


def _filler() -> Any:
    return load_rules(__package__, "request.toml")["filler"]
