"""What a sentence speaks of, next to what is asked: the part of a company, the figure explained, the time, a denial.

A part has two forms of its name: those that a document defines, "Network and Edge (NEX)"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ....core.patterns import on_demand
from ....core.period import Period
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.words import question_words, search_words
from ...question.figures.operands import find_names
from ...question.plan import QuestionPlan
from ...question.vocabulary.vocabulary import FormulaList

_SHORT = on_demand(r"\(\s*(?:the )?[“\"‘']?(?P<short>[A-Z][A-Z&]{1,5})[”\"’']?\s*\)")
_BEFORE = 90
"""Characters before a short name in which its long form stands."""
_LONG = on_demand(r"(?:[A-Z][\w&’'-]{0,90}(?: (?:and|of|for|the|&)){0,4}(?:[ \n]{1,20}|$)){1,30}$")
_LEAST_WORDS = 2
_UNITED_STATES = on_demand(r"\bU\. ?S\.(?: ?A\.)?|\bUSA?\b")
_NAMED = r"[\w’'&/,() -]{2,70}?"
_DEFINES = on_demand(
    rf"\A\W{{0,4}}(?:(?:the (?:term|measure)|the|our|an?) )?[“\"]?({_NAMED})[”\"]?(?:,? \([^)]{{1,40}}\),?)?"
    r"(?::|\s(?:is|are|means?|represents?|refers? to|consists? of|comprises?|reflects?|equals?)\s)"
    r"|\A\W{0,4}(?:\w+ ){0,3}?(?:define|calculate|compute|determine|measure)s? "
    rf"(?:the |our )?({_NAMED}) (?:as|by)\b",
    re.IGNORECASE,
)
"""What a sentence tells the meaning of: "Free cash flow is cash from operations less ...", "We define churn as ..."."""
_ASKS_MEANING = frozenset(search_words("define defined definition mean means meaning calculate compute determine"))
HEAD = 80
"""Characters in which a sentence that explains something names it: later on it is one of many things."""
_MOST_DOCUMENTS = 3
"""Documents whose short names are read: those of the best passages."""
_WHETHER = on_demand(
    r"(?:^|[,;:] )(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b"
    r"|是否|是不是|有没有|吗\s*[?？]?$",
    re.IGNORECASE,
)
_ASKS_IN_WORDS = on_demand(r"\b(?:how|what|why|which|when|where|who\w*)\b", re.IGNORECASE)
_DENIED = on_demand(
    r"\b(?:(?:no|none|neither|nor)((?:\W+[\w’'-]+){1,4})|(?:not|never)((?:\W+[\w’'-]+){1,2}))", re.IGNORECASE
)
_COMPARED = on_demand(r"\b(?:compared (?:to|with)|from|than|versus|vs\.?|over|since|against) [^.,;]*", re.IGNORECASE)
"""What a sentence compares with says nothing of the time it is about."""


@dataclass(frozen=True, slots=True)
class DefinedName:
    """A short name as a search term, and the search terms of what it stands for."""

    short: str
    words: frozenset[str]

    def is_named(self, terms: Collection[str]) -> bool:
        """True where a text with these search terms has one of the forms."""
        return self.short in terms or self.words.issubset(terms)


def spelled_out(text: str) -> str:
    """The text with the United States written in full: "U.S." has no search term of its own.

    >>> spelled_out("U.S. inventories")
    'United States inventories'
    """
    return _UNITED_STATES.sub("United States", text)


def defined_names(text: str) -> frozenset[DefinedName]:
    """The short names that a text defines, with the words that they stand for.

    >>> names = defined_names("Our segments are Client Computing (CCG), Network and Edge (NEX) and others (“others”).")
    >>> sorted((name.short, sorted(name.words)) for name in names)
    [('ccg', ['client', 'comput']), ('nex', ['edg', 'network'])]
    """
    found = set()
    for match in _SHORT.finditer(text):
        words = _long_form(text[max(0, match.start() - _BEFORE) : match.start()], match["short"])
        short = search_words(match["short"])
        if len(words) >= _LEAST_WORDS and len(short) == 1:
            found.add(DefinedName(short[0], words))
    return frozenset(found)


def _long_form(before: str, short: str) -> frozenset[str]:
    """The capitalised words right before a short name, from the one that begins with its first letter."""
    match = _LONG.search(before.rstrip())
    if match is None:
        return frozenset()
    words = match[0].split()
    starts = [at for at, word in enumerate(words) if word[0] == short[0]]
    fitting = [words[at:] for at in starts if _second_letter(words[at:]) == short[1]]
    if not fitting:
        return frozenset()
    closest = min(fitting, key=lambda name: abs(_capitals(name) - len(short)))
    return frozenset(search_words(" ".join(closest)))


def _second_letter(words: list[str]) -> str:
    capitalised = [word[0] for word in words if word[0].isupper()]
    return capitalised[1] if len(capitalised) > 1 else ""


def _capitals(words: Iterable[str]) -> int:
    return sum(word[0].isupper() for word in words)


@dataclass(frozen=True, slots=True)
class SubjectFit:
    """What a question is about, beyond its words."""

    asks_whether: bool = False
    years: tuple[int, ...] = ()
    figures: frozenset[str] = frozenset()
    """Names of the figures in the question, as the list of metrics spells them."""
    formulas: FormulaList | None = None
    parts: frozenset[DefinedName] = frozenset()
    """Parts of the company that the question names."""
    term: frozenset[str] = frozenset()
    """Search terms of what is to be defined; empty where no meaning is asked."""

    def defined_share(self, text: str) -> float:
        """How nearly what a sentence says the meaning of is what is asked, 0..1: the words that both have.

        >>> SubjectFit(term=frozenset(["free", "cash", "flow"])).defined_share("Free cash flow is cash less capex.")
        1.0
        """
        if not self.term:
            return 0.0
        told = map("".join, _DEFINES.findall(text))
        named = set(search_words(" ".join(told)))
        return len(named & self.term) / max(1, len(named | self.term))

    def terms(self, text: str) -> set[str]:
        """The search terms of a text; one of the forms of a name stands for the other too."""
        found = set(search_words(spelled_out(text)))
        for part in self.parts:
            if part.is_named(found):
                found |= {part.short, *part.words}
        return found

    def signs(self, text: str, held: Mapping[str, float]) -> dict[str, float]:
        """What tells whether a sentence has the subject asked; ``held`` are the words of the question that it holds."""
        found = {
            "denial": float(self.asks_whether and denies(text, held)),
            "other time": float(self.is_of_other_time(text)),
        }
        named = set(find_names(text[:HEAD], self.formulas).names) if self.figures and self.formulas else set()
        if named:
            found["other figure" if named.isdisjoint(self.figures) else "same figure"] = 1.0
        return found

    def is_of_other_time(self, text: str) -> bool:
        """True where years are asked for and a sentence names periods, but none of these years."""
        if not self.years:
            return False
        own = _COMPARED.sub(" ", text)
        named: set[int] = set()
        for mention in find_periods(own):
            named.update(_years(mention.period))
        return bool(named) and named.isdisjoint(self.years)


def read_subject_fit(plan: QuestionPlan, sources: Sequence[str]) -> SubjectFit:
    """What the question is about; ``sources`` are the documents found, best first."""
    text = plan.asked.trimmed
    explains = plan.expected.kind == "reason"
    asked = set(search_words(text))
    names: set[DefinedName] = set()
    for source in dict.fromkeys(sources[:_MOST_DOCUMENTS]):
        names |= defined_names(plan.store.text(source))
    parts = frozenset(name for name in names if name.is_named(asked))
    formulas = plan.vocabulary.formulas
    own = set(search_words(" ".join(plan.companies)))
    term = set(question_words(text)) - own - _ASKS_MEANING if plan.expected.kind == "meaning" else set()
    return SubjectFit(
        asks_whether=asks_whether(text),
        years=() if plan.asked.compares or plan.asked.several else plan.asked.years,
        figures=frozenset(find_names(text, formulas).names) if explains else frozenset(),
        formulas=formulas,
        parts=parts,
        term=frozenset(term),
    )


def asks_whether(text: str) -> bool:
    """True for a question that is answered by yes or no.

    >>> asks_whether("At year-end, had Acme drawn on its credit line?"), asks_whether("What did Acme do?")
    (True, False)
    """
    found = _WHETHER.search(text)
    return found is not None and _ASKS_IN_WORDS.search(text[: found.start()]) is None


def denies(text: str, held: Mapping[str, float]) -> bool:
    """True where a sentence says "no" or "not" right before a word that the question has.

    >>> denies("There were no repurchases in the quarter.", {"repurchas": 1.0})
    True
    >>> denies("We may repurchase shares, with no fixed expiration.", {"repurchas": 1.0})
    False
    """
    denied = [match[1] or match[2] for match in _DENIED.finditer(text)]
    return any(not set(search_words(words)).isdisjoint(held) for words in denied)


def _years(period: Period) -> range:
    return range(period.year, max(period.end_year, period.year) + 1)
