"""What kind of answer a question expects (a name, the holder of an office, a day, a reason, what is ahead), and whether
a sentence holds one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, filterfalse, takewhile
from typing import Any

from ....core.names import is_chinese, name_key
from ....core.patterns import LazyPattern, PatternTable, on_demand
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.words import search_words
from ..question import Question

_FILE = "answer_type.toml"
_RULES = PatternTable(__package__, _FILE)
_ASKED = PatternTable(__package__, _FILE, "kind", field="asked")
_HELD = PatternTable(__package__, _FILE, "kind", field="held")
_NAME = on_demand(r"(?<![.!?•“\"] )(?<!^)\b[A-Z][\w&.’'-]*[A-Za-z]")
_POSSESSIVE = on_demand(r"['’]s?$")
_COUNTED = on_demand(
    r"\b(?:how many|number of) ((?:[\w-]+ ){0,3}?[\w-]+)"
    r"(?= (?:do|does|did|has|have|had|is|are|was|were|of|in|at|on|for|by|to|can|will|would|a|an|per|each|every)\b"
    r"|[?.,]|$)",
    re.IGNORECASE,
)
_NUMBER = on_demand(
    r"(?<![\d,.$€£¥(])(?<![$€£¥] )(?!(?:19|20)\d\d(?![\d,]))\d"
    r"|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|dozens?)\b",
    re.IGNORECASE,
)
"""A number that is no year, no amount of money and no mark of a note."""
_BEHIND_NUMBER = on_demand(
    r"[\d.,]*+(?! ?%|-[A-Za-z])(?: (?:thousand|million|billion|dozen|hundred)s?\b)?(?P<said>(?: [a-z][\w-]*){0,5})",
    re.IGNORECASE,
)
"""The words right behind a number, among which is what it counts, if it counts anything that is named there."""
_SAID_OF = on_demand(
    r"(?P<noun>[a-z][\w-]{1,30})(?::| (?:is|are|was|were|of|totall?ed|numbered|reached|stood at|came to))"
    r"(?: (?:approximately|about|around|over|nearly|almost|some|roughly|more than|a total of)){0,2} ?$",
    re.IGNORECASE,
)
"""Words before a number by which it is said of a noun: "employees were about 5,000"."""
_SAID_WITHIN = 80
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
        """True for a number of what is counted: "815 membership warehouses", "a workforce of 156,000"; not "our
        warehouses contained 118.9 million square feet: 83.2 in the U.S."."""
        words = set(search_words(text))
        if not all(_also(word) & words for word in self.counted):
            return False
        return any(not noun or self._is_thing(noun) for noun in _nouns_counted(text))

    def _is_thing(self, noun: str) -> bool:
        """True for words that say what is counted."""
        said = set(search_words(noun))
        return all(_also(word) & said for word in self.counted)

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


def _nouns_counted(text: str) -> Iterator[str]:
    """What each number of a text counts: the words behind it, and those of which it is said ("employees were 5,000");
    where none stand behind it those of the number before it, "" for none.

    >>> list(_nouns_counted("On August 29, 2021 we ran 815 membership warehouses, 564 in the U.S., in 12 countries"))
    ['membership warehouses', 'membership warehouses', 'countries']
    >>> list(_nouns_counted("Our employees totaled 6,100 full-time equivalents globally"))
    ['employees full-time equivalents']
    """
    days = [(mention.start, mention.end) for mention in find_periods(text)]
    noun = ""
    for number in _NUMBER.finditer(text):
        behind = _BEHIND_NUMBER.match(text, number.end())
        if behind is not None and not any(start <= number.start() < end for start, end in days):
            before = _SAID_OF.search(text, max(0, number.start() - _SAID_WITHIN), number.start())
            said = " ".join(takewhile(_goes_on, behind["said"].split()))
            noun = f"{before['noun']} {said}" if said and before else said or noun
            yield noun


def _goes_on(word: str) -> bool:
    return word.lower() not in _ends_noun()


@cache
def _ends_noun() -> frozenset[str]:
    return frozenset(load_rules(__package__, _FILE)["ends_noun"].split())


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


@lru_cache(maxsize=1 << 14)
def only_points(text: str) -> bool:
    """True for a sentence that leads elsewhere instead of saying something.

    >>> only_points("For additional information please visit acme.com."), only_points("Sales rose.")
    (True, False)
    """
    plain = " ".join(text.split())
    return _RULES.any("pointers", plain)


def asks_yes_or_no(text: str) -> bool:
    """True for a question that yes or no answers.

    >>> asks_yes_or_no("Did Acme pay a dividend?"), asks_yes_or_no("What dividend did Acme pay?")
    (True, False)
    """
    return _RULES.any("yes_or_no", text)


def asks_amount(text: str) -> bool:
    """True for a question that names the amount it asks for by a noun: a rate, a profit, a price.

    >>> asks_amount("What was the churn rate in 2022?"), asks_amount("What was the reason?")
    (True, False)
    """
    return _RULES.any("amount", text)


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


_NEAR = 90
"""Characters between a person's name and the office."""
_SHARED = 2
"""Pairs of characters that two mentions of a Chinese firm share; one pair may be its trade (科技)."""
_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_PERSON = on_demand(
    rf"(?=\b((?:Mr|Ms|Mrs|Dr)\.? {_CAPITAL}[\w’'-]{{1,40}}"
    rf"|{_CAPITAL}(?:[^\W\d_]|[’'-]){{1,40}}(?:,? [A-Z]\.){{0,4}}(?: (?:de|van|von|der|di))?"
    rf" {_CAPITAL}[\w’'-]{{1,40}}))"
)
"""Two words with capitals, also within a longer run of them."""
_LINK = on_demand(
    r"^(?:(?:\s*,)?\s+and (?:(?:our|its|the) )?(?:co-?)?(?:founder|chair(?:man|woman|person)?|president|director)\b)?"
    r"\s*(?:[,:–—-]\s*)?(?:(?:is|was|being)\s+)?"
)
_OF_WHAT = on_demand(
    r"\s*(?:,|\bof\b|\bfor\b|\bat\b|[–—-])\s*(?:the\s+)?(?P<name>[A-Z][\w&.’'-]*(?:\s+(?:and\s+|&\s+)?[A-Z][\w&.’'-]*)*)"
)
_WHOSE = on_demand(r"(?P<name>[A-Z][\w&.-]{0,60})['’]s?\s+(?:[A-Z][\w ]{0,80}\band\s+)?$")


@dataclass(frozen=True, slots=True)
class RoleAsked:
    """An office whose holder is asked for; ``asked`` are the search words of the question."""

    held: re.Pattern[str]
    asked: frozenset[str]
    words: frozenset[str] = frozenset()
    """Search terms of what the office is called."""

    def is_held(self, text: str) -> bool:
        """True where a text names somebody who holds the office now, in the firm that the question is about.

        >>> ceo = role_asked("Who is the CEO of Acme?")
        >>> ceo.is_held("Jane Roe is Chief Executive Officer."), ceo.is_held("It is certified by our CEO.")
        (True, False)
        >>> ceo.is_held("Before that, Jane Roe was Beta's CEO."), ceo.is_held("Jane Roe, CEO, Robot Division.")
        (False, False)
        """
        plain = text.replace("\u00a0", " ")
        return any(self._names_holder(plain, match) for match in self.held.finditer(plain))

    def is_named(self, text: str) -> bool:
        """True where a text names the office, whoever holds it."""
        return self.held.search(text.replace("\u00a0", " ")) is not None

    def _names_holder(self, text: str, match: re.Match[str]) -> bool:
        before, rules = text[: match.start()], _rules()
        said = before[-_NEAR:]
        said = said[max(map(said.rfind, (". ", "; ", "。", "，", "”", '"'))) + 1 :]
        if rules["past"].search(f"{said}{match[0]}"):
            return False
        after = text[match.end() :]
        named = _PERSON.match(_LINK.sub("", after))
        follows = named is not None and self._is_person(named[1])
        if rules["object"].search(said):
            return follows
        if is_chinese(text):
            elsewhere = rules["elsewhere"].search(before)
            return not elsewhere or self._is_own(before[: elsewhere.end()])
        if any(map(self._is_person, _PERSON.findall(before[-_NEAR:]))):
            return not self._of_another(before, after)
        return follows

    def _of_another(self, before: str, after: str) -> bool:
        """True for an office elsewhere: "Jane Roe, Chief Executive Officer, Robot Division"; "Beta's CEO"."""
        words: list[str] = []
        for found in (_OF_WHAT.match(after), _WHOSE.search(before)):
            if found is not None:
                words.extend(name_key(found["name"]).split())
        others = list(filterfalse(_is_title, words))
        return not all(set(search_words(word)) <= self.asked for word in others)

    def _is_own(self, before: str) -> bool:
        """True where a Chinese firm named last is the one asked about: several characters of its name in a row."""
        firm = re.split(r"[，。；、|\s]", before)[-1]
        return len(self.asked.intersection(search_words(firm))) >= _SHARED

    def _is_person(self, name: str) -> bool:
        first, *others = name.replace(",", " ").split()
        is_abbreviated = "." in name[:4]
        if any(map(_is_title, others)) or (_is_title(first) and not is_abbreviated):
            return False
        return set(search_words(first)).isdisjoint(self.asked)


def role_asked(text: str) -> RoleAsked | None:
    """The office whose present holder a question asks for."""
    rules = _rules()
    if not rules["asked"].search(text) or rules["changes"].search(text):
        return None
    return role_said(text)


def role_said(text: str) -> RoleAsked | None:
    """The office that a question names, whatever it asks of it: "the finance chief" is the chief financial officer."""
    role = next((role for role in _rules()["role"] if role[0].search(text)), None)
    return RoleAsked(role[1], frozenset(search_words(text)), role[2]) if role else None


def office_patterns() -> tuple[re.Pattern[str], ...]:
    """How sentences call each office, one pattern an office."""
    return tuple(held for _, held, _ in _rules()["role"])


def tells_of_change_in_office(text: str) -> bool:
    """True where a text speaks of who comes into an office or leaves it, or held it before."""
    return bool(_rules()["changes"].search(text) or _rules()["past"].search(text))


def words_of_titles() -> frozenset[str]:
    """Words of offices, in small letters: they are written with capitals and name nobody."""
    return frozenset(_rules()["titles"])


def _is_title(word: str) -> bool:
    return word.strip(".,").lower() in _rules()["titles"]


@cache
def _rules() -> dict[str, Any]:
    rules = load_rules(__package__, "roles.toml")
    compiled: dict[str, Any] = {
        name: re.compile(rules[name], re.IGNORECASE) for name in ("asked", "changes", "past", "object", "elsewhere")
    }
    compiled["titles"] = frozenset(rules["titles"].split())
    compiled["role"] = [
        (
            re.compile(rule["asked"], re.IGNORECASE),
            re.compile(rule["held"], re.IGNORECASE),
            frozenset(search_words(rule["words"])),
        )
        for rule in rules["role"]
    ]
    return compiled
