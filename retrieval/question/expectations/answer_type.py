"""What kind of answer a question expects (a name, a day, a reason, what is ahead), and whether a sentence holds one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from ....core.names import is_chinese
from ....core.patterns import LazyPattern, PatternTable
from ....core.period_text import find_periods
from ....core.rules import load_rules
from ....core.words import search_words
from ..question import Question
from .roles import RoleAsked, role_asked

_FILE = "answer_type.toml"
_RULES = PatternTable(__package__, _FILE)
_ASKED = PatternTable(__package__, _FILE, "kind", field="asked")
_HELD = PatternTable(__package__, _FILE, "kind", field="held")
_NAME = re.compile(r"(?<![.!?•“\"] )(?<!^)\b[A-Z][\w&.’'-]*[A-Za-z]")
_POSSESSIVE = re.compile(r"['’]s?$")
_COUNTED = re.compile(
    r"\b(?:how many|number of) ((?:[\w-]+ ){0,3}?[\w-]+)"
    r"(?= (?:do|does|did|has|have|had|is|are|was|were|of|in|at|on|for|by|to|can|will|would)\b|[?.,]|$)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\d,.])(?!(?:19|20)\d\d(?![\d,]))\d|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|dozens?)\b",
    re.IGNORECASE,
)
"""A number that is no year."""
_IN_WORDS = frozenset({"highlights", "reason", "extreme", "place", "name", "meaning", "existence"})
"""Kinds that no row of figures answers."""
AHEAD = 0.5
"""Worth of a sentence that looks ahead where an outlook is asked; lost by it where a figure reported is."""
AMOUNT = 0.2
"""Worth of holding an amount where a figure is asked."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The kind of answer; "" where any will do. ``counted`` are the words of what is counted ("how many stores")."""

    kind: str = ""
    asked: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    role: RoleAsked | None = None
    """The office whose holder is asked for."""

    @property
    def in_words(self) -> bool:
        """True where a sentence answers, not a figure."""
        return self.kind in _IN_WORDS

    @property
    def has_signs(self) -> bool:
        """True where a sentence can be told to hold such an answer."""
        return self.kind in _TESTS

    @property
    def is_needed(self) -> bool:
        """True where what does not hold it is no answer: reasons are also given without a word that says so."""
        return self.has_signs and self.kind not in ("reason", "highlights")

    @property
    def words(self) -> frozenset[str]:
        """Search terms of sentences that hold such an answer, where there are any."""
        return self.role.words if self.role else _words_of(self.kind)

    @property
    def most(self) -> int:
        """Sentences that say it: one or two for a day, a place, an amount or an office."""
        return 2 if self.role or self.kind in ("future", "time", "place", "count", "amount") else 4

    def is_held(self, text: str) -> bool:
        """True where a sentence has the signs of such an answer; always for a kind without signs.

        >>> from cliquerag.retrieval.question.question import read_question
        >>> asked = expected_answer(read_question("Who audits the accounts?"))
        >>> asked.is_held("The accounts were audited by Baker Tilly."), asked.is_held("The accounts were audited.")
        (True, False)
        """
        if not self.has_signs:
            return True
        if self.role is not None:
            return self.role.is_held(text)
        return _TESTS[self.kind](self, text)

    def _has_sign(self, text: str) -> bool:
        return _HELD.any(self.kind, text)

    def _tells_when(self, text: str) -> bool:
        return bool(find_periods(text)) or _HELD.any("time", text)

    def _tells_future(self, text: str) -> bool:
        return self._tells_when(text) and _HELD.any("future", text)

    def _tells_count(self, text: str) -> bool:
        words = set(search_words(text))
        return bool(_NUMBER.search(text)) and all(_also(word) & words for word in self.counted)

    def _names_somebody(self, text: str) -> bool:
        return is_chinese(text) or any(map(self._is_new, _NAME.findall(text)))

    def _is_new(self, name: str) -> bool:
        """True for a name that the question does not say itself, and that names somebody."""
        words = set(search_words(name))
        return bool(words - self.asked) and _POSSESSIVE.sub("", name.lower()) not in ordinary_words()


_TESTS: Mapping[str, Callable[[Expected, str], bool]] = {
    "highlights": Expected._has_sign,
    "reason": Expected._has_sign,
    "extreme": Expected._has_sign,
    "time": Expected._tells_when,
    "future": Expected._tells_future,
    "count": Expected._tells_count,
    "place": Expected._names_somebody,
    "name": Expected._names_somebody,
}
"""Kind -> whether a sentence has the signs of it."""


@cache
def _words_of(kind: str) -> frozenset[str]:
    rules = load_rules(__package__, "answer_type.toml")["kind"]
    return frozenset(search_words(next((rule.get("words", "") for rule in rules if rule["name"] == kind), "")))


@cache
def _also(counted: str) -> frozenset[str]:
    """A counted thing by its other names: "people" whom a company employs are its workforce."""
    groups = (frozenset(search_words(group)) for group in load_rules(__package__, "answer_type.toml")["counted_alike"])
    return next((group for group in groups if counted in group), frozenset((counted,)))


def expected_answer(question: Question) -> Expected:
    """Read the kind of answer from the question's words.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> expected_answer(read_question("When does the plant open?")).kind
    'time'
    >>> expected_answer(read_question("How many stores did it run?")).counted
    frozenset({'store'})
    """
    text = question.trimmed
    kind = _ASKED.which(text) or ("amount" if question.numeric else "")
    counted = _COUNTED.search(text) if kind == "count" else None
    return Expected(
        kind,
        frozenset(search_words(text)),
        frozenset(search_words(counted[1].split()[-1]) if counted else ()),
        role_asked(text) if kind == "name" else None,
    )


def without_asking(text: str) -> str:
    """A Chinese question without the words that say what kind of answer it expects.

    >>> without_asking("工厂什么时候投产")
    '工厂 投产'
    """
    for pattern in chain.from_iterable(map(_ASKED.all, _ASKED)):
        text = pattern.sub(" ", text)
    return text


def only_points(text: str) -> bool:
    """True for a sentence that leads elsewhere instead of saying something.

    >>> only_points("For additional information please visit acme.com."), only_points("Sales rose.")
    (True, False)
    """
    plain = " ".join(text.split())
    return _RULES.any("pointers", plain)


@cache
def ordinary_words() -> frozenset[str]:
    """Words that may be written with a capital and name nobody, in lower case."""
    return frozenset(load_rules(__package__, "answer_type.toml")["ordinary"].split())


def form_fit(question: Question, names_figure: bool, text: str) -> float:
    """What a sentence is worth by its form: whether it looks ahead as asked, and holds an amount where one is asked."""
    asks_figure = (question.numeric or names_figure) and not question.explains
    if not question.outlook and not asks_figure:
        return 0.0
    worth = AMOUNT if asks_figure and holds_amount(text) else 0.0
    if not looks_ahead(text):
        return worth
    return worth + AHEAD if question.outlook else worth - AHEAD


@lru_cache(maxsize=1 << 15)
def looks_ahead(text: str) -> bool:
    """True for a sentence that says what is expected; a result held against expectations is none.

    >>> looks_ahead("We expect sales of $5 million."), looks_ahead("Sales were $5 million, above our guidance.")
    (True, False)
    """
    return bool(_pattern("told").search(_pattern("compared").sub(" ", text)))


def holds_amount(text: str) -> bool:
    """True for a sentence with a sum of money, a share or a number with its scale."""
    return bool(_pattern("amount").search(text))


@cache
def _pattern(name: str) -> LazyPattern:
    return LazyPattern("|".join(load_rules(__package__, "outlook.toml")[name]))
