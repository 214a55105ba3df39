"""Passages by the name in their title: such a passage is the "home" of the name, and passages that mention it link
there.

Two facts of one answer often stand in two passages, of which only one shares words with the question; the other is
mostly one link away. ``rerankers/linked_passages.py`` follows these links.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache

from ....core.names import name_key
from ....core.patterns import on_demand
from ....core.records import dataclass
from ....core.words import question_words
from ....kg.store import DocumentRecord

_MOST_HOMES = 3
"""A title that so many passages share names nothing in particular."""
_LONGEST_HOME = 5_000
"""Tokens of an article: the title of a longer text is no name of each of its sentences. With no limit a file of 740 KB
called "finance.md" was the home of all its passages: of Chroma's excerpts .874 within 1,000 tokens, with it .896."""
_JOINED = 2
"""Words that a key may have less than the name as printed: "The", "Inc."."""
_LONGEST = 9
"""Words of a name."""
_TOKEN = on_demand(r"[^\s,;:!?()\[\]\"“”]+")
_BRACKETS = on_demand(r"(?<!\s)\s*[(（].{0,120}?[)）]")
_POSSESSIVE = on_demand(r"['’]s?$")
_CODE = on_demand(r"[a-z]{0,12}[\s_.-]?\d+$", re.IGNORECASE)
"""A file named by its number: "0012", "doc_12", "p7"."""
_NUMBERED = on_demand(r"^\W*\d+\W*$")


@dataclass(frozen=True, slots=True)
class Homes:
    """Names of titled passages -> their sources, and the other way round."""

    of_name: Mapping[str, tuple[str, ...]]
    names: Mapping[str, tuple[str, ...]]
    beginnings: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """First word of a name -> second word, "" of a single word -> words of the longest that begins so.

    Most words of a text need no closer look: where 17,000 articles have titles, some name begins with every "in" and
    "a", and hardly one goes on as the text does.
    """

    @classmethod
    def of(cls, records: Iterable[DocumentRecord]) -> Homes:
        """The homes among documents: short ones without pages whose title is a name."""
        of_name: dict[str, set[str]] = defaultdict(set)
        for record in records:
            for title in _titles(record):
                of_name[title].add(record.source)
        kept = {name: tuple(sorted(sources)) for name, sources in of_name.items() if len(sources) <= _MOST_HOMES}
        names: dict[str, list[str]] = defaultdict(list)
        for name, sources in kept.items():
            for source in sources:
                names[source].append(name)
        return cls(kept, {source: tuple(own) for source, own in names.items()}, _beginnings(kept))

    def named_in(self, text: str) -> list[str]:
        """Names of homes in a text, the longest at each place; a name has to have a capital or to be Chinese.

        >>> homes = Homes({"steel harbour": ("a",)}, {}, {"steel": {"harbour": 2}})
        >>> homes.named_in("It sails from Steel Harbour.")
        ['steel harbour']
        """
        return [name for name, _ in self._matches(text)]

    def asked_in(self, question: str) -> list[str]:
        """Names in a question that surely are meant: several words, or a capital not at the beginning."""
        return [name for name, at in self._matches(question) if " " in name or at > 0]

    def _matches(self, text: str) -> Iterator[tuple[str, int]]:
        tokens = _TOKEN.findall(text)
        at = 0
        while at < len(tokens):
            count, name = self._longest(tokens, at)
            if name:
                yield name, at
            at += max(1, count)

    def _longest(self, tokens: Sequence[str], at: int) -> tuple[int, str]:
        words = self._most_words(tokens, at)
        for count in range(min(words + _JOINED, len(tokens) - at) if words else 0, 0, -1):
            written = " ".join(tokens[at : at + count])
            if not written.islower():
                for form in (written, _POSSESSIVE.sub("", written)):
                    name = name_key(form)
                    if name in self.of_name:
                        return count, name
        return 0, ""

    def _most_words(self, tokens: Sequence[str], at: int) -> int:
        """Words of the longest name that may begin at a token, by its own first word and the word that follows."""
        most = 0
        for form in _forms(tokens[at]):
            following = self.beginnings.get(form[0])
            if following is None:
                continue
            most = max(most, following.get("", 0))
            seconds = (form[1],) if len(form) > 1 else _next_words(tokens, at)
            for second in seconds:
                most = max(most, following.get(second, 0))
        return most


def _beginnings(names: Iterable[str]) -> dict[str, dict[str, int]]:
    longest: dict[str, dict[str, int]] = defaultdict(dict)
    for name in names:
        first, *others = name.split()
        second = others[0] if others else ""
        known = longest[first].get(second, 0)
        longest[first][second] = max(known, min(1 + len(others), _LONGEST))
    return longest


def _next_words(tokens: Sequence[str], at: int) -> set[str]:
    """How the word behind a token may be written in a key; marks between two words are passed over."""
    for token in tokens[at + 1 :]:
        forms = _forms(token)
        if forms:
            return {form[0] for form in forms}
    return set()


@lru_cache(maxsize=1 << 16)
def _forms(token: str) -> frozenset[tuple[str, ...]]:
    """The words that a token may be in a key, as it stands and without a possessive; none of a mark."""
    forms: set[tuple[str, ...]] = set()
    for form in (token, _POSSESSIVE.sub("", token)):
        words = tuple(name_key(form).split())
        if words:
            forms.add(words)
    return frozenset(forms)


def _titles(record: DocumentRecord) -> set[str]:
    is_article = not record.pages and record.tokens <= _LONGEST_HOME and record.kind in ("", "other", "news")
    if not is_article:
        return set()
    stem = record.source.rsplit("/", 1)[-1].removesuffix(".txt").removesuffix(".md")
    written = {record.title}
    if not record.title or not _CODE.match(stem):
        written.add(stem)
    if record.how.get("companies") == "file name":
        written.update(record.companies)
    forms = {*written, *(_BRACKETS.sub("", title) for title in written)}
    return set(filter(_is_title, map(name_key, forms)))


def _is_title(key: str) -> bool:
    """True for a key that says more than a number or words of every question."""
    return len(key) > 1 and not _NUMBERED.match(key) and bool(question_words(key))
