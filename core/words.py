"""Search terms: what full-text search compares, the same for texts and for questions."""

from __future__ import annotations

import re
import sys
import threading
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, chain, filterfalse
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

from .chinese import simplified, western_years
from .patterns import on_demand
from .rules import load_rules

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_TERM = on_demand(rf"[^\W_{_CJK}]+(?:[.,]\d+)*|[{_CJK}]+")
_WORD = on_demand(r"[^\W_]+(?:[.,]\d+)*")
_CHINESE = on_demand(rf"[{_CJK}]")
_GLUED = on_demand(r"[.,]\d+[^\W\d]")
"""A number with its unit ("1.5bn"): two terms with nothing between them."""
_YEAR = on_demand(r"(?:19|20)\d\d\Z")
_FISCAL_YEAR = on_demand(r"fy((?:19|20)?\d\d)\Z")
_AMPERSAND = on_demand(r"\b([a-z]{1,2})(?:&| & )([a-z])\b")
_POSSESSIVE = on_demand(r"['’]s\b")
_ACCENTS = on_demand("[\u0300-\u036f]+")
_PARTICLES = frozenset("的了着与和及被把将在从由为是向给对")
"""Chinese characters that stand between words."""
_CACHE_LIMIT = 500_000
_ENDINGS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("d", ""), ("ed", ""), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ly", ""),
    ("r", ""), ("er", ""), ("rs", ""), ("ers", ""), ("y", ""),
)  # fmt: skip
"""Of plain inflections, and what the word has in their place."""


def search_words(text: str) -> list[str]:
    """The terms a text is indexed by: stems, Chinese character pairs, years; no other numbers.

    >>> search_words("R&D expenses rose 12.5% in 2023")
    ['rd', 'expens', 'rise', '2023']
    >>> search_words("营业收入")
    ['营业', '业收', '收入']
    """
    return _terms(_plain(text), _english("index"))


_KEPT_TEXTS = 1 << 13
"""Texts whose words are kept, about 2 KB each."""


@lru_cache(maxsize=_KEPT_TEXTS)
def _tokens_in(text: str) -> frozenset[str]:
    """The words of a text before they are stemmed, remembered: the statements around a company are compared with every
    question."""
    return frozenset(_TERM.findall(_plain(text))) - _english("index")


def question_words(text: str) -> list[str]:
    """The terms a question searches for: as :func:`search_words`, without the words of asking.

    >>> question_words("What is the company's inventory turnover?")
    ['inventori', 'turnov']
    >>> question_words("请问公司2019年的营业收入是多少?")
    ['公司', '2019', '营业', '业收', '收入']
    """
    plain = _chinese_question().sub(" ", _plain(text))
    terms = _terms(plain, _english("index") | _english("question"))
    return [term for term in terms if len(term) > 1 or term.isascii()]  # a lone "年" says nothing and is rare


def word_borders(words: Sequence[str], frequency: Mapping[str, int]) -> frozenset[str]:
    """Pairs of Chinese characters in the terms of a text that are no word but the border of two: each character belongs
    to the pair beside it, which more texts hold, or is a particle.

    >>> word_borders(["主要", "要竞", "竞争", "争对", "对手"], {"主要": 90, "竞争": 9, "对手": 3}) == {"要竞", "争对"}
    True
    """
    pairs = list(filter(_CHINESE.match, words))
    borders = set()
    for before, pair, behind in zip(("", *pairs), pairs, (*pairs[1:], ""), strict=False):
        least = min(_claim(before, pair[0], frequency), _claim(behind, pair[-1], frequency))
        if least > frequency.get(pair, 0):
            borders.add(pair)
    return frozenset(borders)


def _claim(pair: str, character: str, frequency: Mapping[str, int]) -> float:
    """How many texts hold the pair, where the character is of it; a particle is of no pair."""
    if character in _PARTICLES:
        return inf
    return frequency.get(pair, 0) * (character in pair)


def has_digit(text: str) -> bool:
    """True where a figure may stand in the text.

    >>> has_digit("$5 million"), has_digit("five")
    (True, False)
    """
    return any(char.isdigit() for char in text)


def without_numbers(words: Iterable[str]) -> frozenset[str]:
    """The words that are no numbers.

    >>> without_numbers(["income", "2022"])
    frozenset({'income'})
    """
    return frozenset(word for word in words if not word.isdigit())


def is_english(word: str) -> bool:
    """True for a word of the language in small letters, or a plain inflection of one: no slip of the pen.

    >>> is_english("planes"), is_english("jumpers"), is_english("revenu")
    (True, True, False)
    """
    forms = [f"{word[: -len(ending)]}{last}" for ending, last in _ENDINGS if word.endswith(ending)]
    return not _english_words().isdisjoint((word, *forms))


@cache
def _english_words() -> frozenset[str]:
    lines = Path(__file__).with_name("words_en.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(lines[1:]).split())


@lru_cache(maxsize=64)
def sought(terms: frozenset[str]) -> Sought:
    """The same terms are looked for in many texts of a search, and asked again."""
    return Sought(terms)


_NONE: frozenset[str] = frozenset()


class Sought:
    """Search terms looked for in many short texts: only words that may be one of them are stemmed.

    >>> sorted(Sought(["expens", "2023", "loss"]).found_in("Expenses rose in FY23."))
    ['2023', 'expens']
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = frozenset(terms)
        self._known: dict[str, frozenset[str]] = {}
        self._held: dict[str, frozenset[str]] = {}
        self._seen: set[str] = set()
        self._telling: set[str] = set()
        """Of the tokens seen those that stand for one of the terms."""
        begins = {form for term in self._terms for form in _beginnings(term, max(2, len(term) - 1))}
        begins |= {form for form, verb in _irregular().items() if self._terms.intersection(_terms_of(verb))}
        begins |= {"fy"} if any(map(_YEAR.match, self._terms)) else set()
        self._begins = tuple(begins)

    def found_in(self, text: str) -> set[str]:
        """Those of the terms that are among the :func:`search_words` of a text."""
        plain = _plain(text)
        if _is_joined(plain):
            return set(self._terms.intersection(_stems(_TERM.findall(plain), _english("index"))))
        return set().union(*(self._terms_of(token) for _, token in self._tokens_near(plain)))

    def found_in_each(self, texts: Sequence[str]) -> list[set[str]]:
        """:meth:`found_in` of the sentences of a chunk, read in one go.

        >>> Sought(["loss"]).found_in_each(["Sales rose.", "Losses fell."])
        [set(), {'loss'}]
        """
        found = [set[str]() for _ in texts]
        plain = _plain("\n".join(text.replace("\n", " ") for text in texts))
        if _is_joined(plain):
            return [self.found_in(text) for text in texts]
        lines = list(accumulate((len(line) + 1 for line in plain.split("\n")), initial=0))
        for at, token in self._tokens_near(plain):
            found[bisect_right(lines, at) - 1] |= self._terms_of(token)
        return found

    def held_in(self, text: str) -> frozenset[str]:
        """As :meth:`found_in`, of a text that many questions meet: its words are remembered, and those that may be no
        term are not stemmed. The statements around a company name two others each, whose stems nobody asked for.

        >>> sorted(Sought(["expens", "2023", "loss"]).held_in("Expenses of Bababaxon Corp rose in FY23."))
        ['2023', 'expens']
        """
        held = self._held.get(text)
        if held is None:
            held = self._held[text] = self._told_by(_tokens_in(text))
        return held

    def _told_by(self, tokens: frozenset[str]) -> frozenset[str]:
        """The terms that some tokens stand for."""
        for token in tokens - self._seen:
            may_be_one = token.startswith(self._begins) or not (token.isascii() and token.isalpha())
            if may_be_one and self._terms_of(token):
                self._telling.add(token)
            self._seen.add(token)
        told = tokens & self._telling
        return frozenset().union(*map(self._known.__getitem__, told)) if told else _NONE

    def _tokens_near(self, plain: str) -> Iterator[tuple[int, str]]:
        """Where tokens begin as the terms do: most texts have none, which is told without a look at their words."""
        for begin in self._begins:
            at = plain.find(begin)
            while at >= 0:
                is_beginning = at == 0 or not plain[at - 1].isalnum()
                if is_beginning and (word := _WORD.match(plain, at)):
                    yield at, word[0]
                at = plain.find(begin, at + 1)

    def _terms_of(self, token: str) -> frozenset[str]:
        """Those of the terms that a token stands for, remembered: the texts of a search repeat few words."""
        terms = self._known.get(token)
        if terms is None:
            terms = self._terms.intersection(_stems((token,), _english("index")))
            self._known[token] = terms
        return terms


class StemSet:
    """The :func:`search_words` of a list of words, of which few are ever looked up: a word is stemmed when a term that
    begins like it is.

    Stemming the lists of words that a question is compared with took 20 ms of the first question of a process.

    >>> filler = StemSet("reported amounts bought")
    >>> "amount" in filler, "buy" in filler, "profit" in filler
    (True, True, False)
    """

    def __init__(self, words: str) -> None:
        self._tokens: dict[str, list[str]] = {}
        self._stop = _english("index")
        for token in _TERM.findall(_plain(words)):
            for begin in _begins(token):
                self._tokens.setdefault(begin, []).append(token)

    def __contains__(self, term: str) -> bool:
        return any(term in _stems(self._tokens.get(begin, ()), self._stop) for begin in _beginnings(term, 2))

    def isdisjoint(self, terms: Iterable[str]) -> bool:
        """True where none of the terms is among the words'."""
        return not any(term in self for term in terms)


def _begins(token: str) -> set[str]:
    """How the terms of a token begin, found without stemming it."""
    if token.isascii() and token.isalpha():
        return {_irregular().get(token, token)[:2]}
    return {term[:2] for term in _terms_of(token)}


def _beginnings(term: str, letters: int) -> tuple[str, ...]:
    """How words begin whose stem the term may be: as it does, the last letter aside ("happi"), which holds for each of
    a million words; only "dying" and its like become "die"."""
    begin = term[:letters]
    return (begin, begin.replace("i", "y")) if len(begin) == 2 and "i" in begin else (begin,)


def _is_joined(plain: str) -> bool:
    """True where terms may stand with nothing between them."""
    return bool(_GLUED.search(plain) or (not plain.isascii() and _CHINESE.search(plain)))


def characters_of(term: str) -> str:
    """The characters of a Chinese pair, for short forms take one of each word; of other terms none.

    >>> characters_of("央行"), characters_of("bank")
    ('央行', '')
    """
    return term if len(term) == 2 and term[0] >= "\u3400" else ""


def _plain(text: str) -> str:
    """Lower case, compatibility forms and accents folded, Chinese simplified, "R&D" as one word."""
    if not text.isascii():
        text = western_years(simplified(_ACCENTS.sub("", unicodedata.normalize("NFKD", text))))
    text = text.lower()
    if "'" in text.replace("’", "'"):  # a tenth of what the search for a possessive takes
        text = _POSSESSIVE.sub("", text)
    return _AMPERSAND.sub(r"\1\2", text) if "&" in text else text


def _terms(plain: str, stop: frozenset[str]) -> list[str]:
    return _stems(_TERM.findall(plain), stop)


def _stems(tokens: Iterable[str], stop: frozenset[str]) -> list[str]:
    """One call of C after the other: a page has some 700 tokens, and is read three times."""
    return list(chain.from_iterable(map(_terms_of, filterfalse(stop.__contains__, tokens))))


_LOCK = threading.Lock()


class _Known(dict[str, tuple[str, ...]]):
    """Token -> its terms, worked out where it was not met before: the stemmer serves one thread at a time."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        with _LOCK:  # the pure Python stemmer keeps the word it works on as state
            if len(self) >= _CACHE_LIMIT:
                self.clear()
            return self.setdefault(token, _token_terms(token))


_TOKENS = _Known()
_terms_of = _TOKENS.__getitem__


def _token_terms(token: str) -> tuple[str, ...]:
    if token[0] >= "\u3400":
        return tuple(token[i : i + 2] for i in range(len(token) - 1)) or (token,)
    if fiscal := _FISCAL_YEAR.match(token):
        return (fiscal[1] if len(fiscal[1]) == 4 else f"20{fiscal[1]}",)
    if token[0].isdigit() and not any(c.isalpha() for c in token):
        return (token,) if _YEAR.match(token) else ()
    return (_stemmer().stemWord(_irregular().get(token, token)),)


@cache
def _stemmer() -> Any:
    """Snowball's stemmer of English alone: its package imports those of thirty languages, 25 ms of a first question."""
    package = ModuleType("cliquerag_snowball")
    spec = find_spec("snowballstemmer")
    package.__path__ = list(spec.submodule_search_locations or ()) if spec else []
    sys.modules[package.__name__] = package
    return import_module(f"{package.__name__}.english_stemmer").EnglishStemmer()


@cache
def _english(kind: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "words.toml")["english"][kind].split())


@cache
def _irregular() -> dict[str, str]:
    """Past form -> verb."""
    verbs = load_rules(__package__, "words.toml")["english"]["irregular"]
    return {form: verb for verb, forms in verbs.items() for form in forms.split()}


@cache
def _chinese_question() -> re.Pattern[str]:
    phrases = sorted(load_rules(__package__, "words.toml")["chinese"]["question"], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, phrases)))
