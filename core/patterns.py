"""Regular expressions as data: named groups from the TOML files that ship beside the code, compiled when needed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Protocol, TypeVar, cast

from .chinese import both_scripts, simplified
from .rules import load_rules
from .triggers import Forms, WordIndex, Words, ascii_part, holds_form, holds_one, trigger_forms

T = TypeVar("T")
_COSTLY = 40
"""Characters of a pattern from which on its search costs more than to look for its words first: 22 µs against 5 for one
of 500 characters in a sentence. With 200 reading a report took 1.5 % longer."""


class LazyPattern:
    """A regular expression that is compiled when a text first holds words without which it cannot match.

    Used as what ``re.compile`` gives. Of the patterns that a question is read with, a tenth comes near to matching:
    compiling the others took 0.1 s of the 0.7 s of the first question of a process. A wrong pattern is noticed when it
    is compiled; ``now`` compiles at once, for patterns that a user wrote.

    >>> margin = LazyPattern(r"(?:gross|operating)\\s+margin")
    >>> margin.search("What was net income?"), margin.search("the Gross margin").group()
    (None, 'Gross margin')
    """

    __slots__ = ("_ascii", "_compiled", "_flags", "_forms", "pattern")

    def __init__(self, pattern: str, flags: int = re.IGNORECASE, *, now: bool = False) -> None:
        self.pattern = pattern
        self._flags = flags
        self._forms: Forms | None = None
        self._compiled: re.Pattern[str] | None = None
        self._ascii: re.Pattern[str] | None = None
        if now:
            _ = self.compiled

    def __repr__(self) -> str:
        return f"LazyPattern({self.pattern!r})"

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As of ``re``."""
        return self._of(text).search(text, start, end) if self._may_match(text) else None

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As of ``re``."""
        return self._of(text).match(text, start, end) if self._may_match(text) else None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """As of ``re``."""
        return self._of(text).fullmatch(text) if self._may_match(text) else None

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """As of ``re``."""
        return self._of(text).finditer(text, start, end) if self._may_match(text) else iter(())

    def findall(self, text: str) -> list[Any]:
        """As of ``re``."""
        return self._of(text).findall(text) if self._may_match(text) else []

    def sub(self, by: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """As of ``re``."""
        return self._of(text).sub(by, text, count) if self._may_match(text) else text

    def split(self, text: str) -> list[str]:
        """As of ``re``; a pattern with groups gives what these match, None among it, as well."""
        return self._of(text).split(text) if self._may_match(text) else [text]

    @property
    def compiled(self) -> re.Pattern[str]:
        """The regular expression itself. Raises ``re.error`` where it is none."""
        if self._compiled is None:
            self._compiled = re.compile(both_scripts(self.pattern), self._flags)
        return self._compiled

    def _of(self, text: str) -> re.Pattern[str]:
        """The regular expression; for an ASCII text without its Chinese part."""
        if not text.isascii():
            return self.compiled
        if self._ascii is None:
            part = ascii_part(self.pattern)
            self._ascii = self.compiled if part == self.pattern else re.compile(part, self._flags)
        return self._ascii

    @property
    def words(self) -> Words:
        """Its :func:`trigger_words`."""
        return frozenset().union(*(parts[0] for parts in self.forms))

    @property
    def forms(self) -> Forms:
        """Its :func:`trigger_forms`."""
        if self._forms is None:
            self._forms = () if self._flags & re.VERBOSE else trigger_forms(simplified(self.pattern))
        return self._forms

    def _may_match(self, text: str) -> bool:
        if self._compiled is not None and len(self.pattern) < _COSTLY:
            return True
        forms = self._forms
        return holds_form(self.forms if forms is None else forms, text)


class PatternGroup:
    """Patterns that the same texts are held against: each word is looked for once, and those patterns alone are tried
    whose words are there.

    >>> group = PatternGroup(map(LazyPattern, ("net income|profit", "gross margin", "[0-9]{4}")))
    >>> list(group.found_in("the gross margin of 2023")), group.any("Sales rose.")
    ([1, 2], False)
    """

    def __init__(self, patterns: Iterable[LazyPattern]) -> None:
        self._patterns = tuple(patterns)

    def found_in(self, text: str) -> Iterator[int]:
        """The numbers of the patterns that are found in a text, in order."""
        return (at for at in self._near(text) if self._patterns[at].search(text))

    def any(self, text: str) -> bool:
        """True where one of the patterns is found in the text."""
        return self.first(text) is not None

    def first(self, text: str) -> tuple[int, re.Match[str]] | None:
        """The number of the first pattern that is found in the text, and what it matches there; None without one."""
        for at in self._near(text):
            if match := self._patterns[at].search(text):
                return at, match
        return None

    def near(self, text: str) -> list[LazyPattern]:
        """The patterns that may be found in the text, in order."""
        return [self._patterns[at] for at in self._near(text)]

    def _near(self, text: str) -> Sequence[int]:
        near = set(self._numbers[""])
        for word in self._index.held_in(text):
            near.update(self._numbers[word])
        return sorted(near)

    @cached_property
    def _index(self) -> WordIndex:
        return WordIndex(filter(None, self._numbers))

    @cached_property
    def _numbers(self) -> Mapping[str, Sequence[int]]:
        """Word -> the numbers of the patterns that it may be of; "" -> those of patterns of which no word is known."""
        by_word: dict[str, list[int]] = {"": []}
        for number, pattern in enumerate(self._patterns):
            for word in pattern.words or ("",):
                by_word.setdefault(word, []).append(number)
        return by_word


_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


def on_demand(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What ``re.compile`` gives, compiled when it is first used.

    Of the patterns of the modules that answer a question, two thirds are not needed for it: compiling them was a
    seventh of the first question of a process. Once used it costs what ``re.compile`` gives costs.

    >>> year = on_demand("(19|20)[0-9]{2}")
    >>> year.search("in 2023").group()
    '2023'
    """
    return cast("re.Pattern[str]", _OnDemand(pattern, flags))


class _OnDemand:
    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet; then the methods of the compiled expression are its own."""
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def one_of(*patterns: str) -> str:
    """A part of a pattern that matches the first of these that fits, so that a long list stands line by line.

    >>> one_of("was|were", r"amounted\\s+to")
    '(?:was|were|amounted\\\\s+to)'
    """
    return f"(?:{'|'.join(patterns)})"


def first_found(rules: Iterable[tuple[re.Pattern[str] | LazyPattern, T]], text: str, default: T) -> T:
    """What stands beside the first pattern that is found in the text; ``default`` where none is.

    >>> statements = ((re.compile("cash flows?"), "cash flow"), (re.compile("balance sheets?"), "balance sheet"))
    >>> first_found(statements, "Consolidated balance sheets", default="")
    'balance sheet'
    """
    for pattern, meaning in rules:
        if pattern.search(text):
            return meaning
    return default


class PatternTable:
    """Named groups of patterns of a rule file, each compiled when a text comes near to matching it; case is ignored.

    A group is one pattern or a list of them under a name. Without ``section`` the groups are the top level of the
    file, with it those of that table ("statistics" for ``[statistics]``, "cover.title" for ``[cover.title]``).
    Where each group is a table of its own (``[name]``, or ``[[section]]`` with a ``name``), ``field`` is the key under
    which its patterns stand. A part that has to heed case is written ``(?-i:HKD)``. Chinese stands there in simplified
    characters and is found in both scripts.

    Making one costs nothing: neither the file is read nor a pattern compiled before one is needed.

    >>> scales = PatternTable("cliquerag.core", "units.toml", "scale_pattern")
    >>> scales.any("6", "(in millions, except per share data)"), scales.any("3", "(in millions)")
    (True, False)
    >>> scales.which("in US$'000"), scales.first("3", "in US$'000").group()
    ('3', "'000")
    """

    def __init__(self, package: str, file: str, section: str | None = None, *, field: str | None = None) -> None:
        self._package, self._file, self._section, self._field = package, file, section, field
        self._compiled: dict[str, tuple[LazyPattern, ...]] = {}
        self._words: dict[str, Words] = {}

    def __repr__(self) -> str:
        return f"PatternTable({self._place})"

    def __iter__(self) -> Iterator[str]:
        """The names of the groups, in the order of the file."""
        return iter(self._groups)

    def any(self, name: str, text: str) -> bool:
        """True where a pattern of the group is found in the text."""
        return self.first(name, text) is not None

    def first(self, name: str, text: str) -> re.Match[str] | None:
        """What the first pattern of the group that is found anywhere in the text matches there; None without one."""
        patterns = self.all(name)
        if len(patterns) > 1 and not holds_one(self._words_of(name), text):
            return None
        for pattern in patterns:
            if match := pattern.search(text):
                return match
        return None

    def each(self, name: str, text: str) -> Iterator[re.Match[str]]:
        """All that the patterns of the group match in the text, one pattern after the other."""
        return chain.from_iterable(pattern.finditer(text) for pattern in self.all(name))

    def without(self, name: str, text: str, by: str | Callable[[re.Match[str]], str] = " ") -> str:
        """The text with ``by`` in place of whatever the patterns of the group match, one pattern after the other.

        >>> PatternTable("cliquerag.core", "units.toml", "scale_pattern").without("3", "in thousands of dollars", "")
        'in  of dollars'
        """
        for pattern in self.all(name):
            text = pattern.sub(by, text)
        return text

    def which(self, text: str) -> str:
        """The name of the first group, in the order of the file, of which a pattern is found; "" where none is."""
        for name in self:
            if self.any(name, text):
                return name
        return ""

    def all(self, name: str) -> tuple[LazyPattern, ...]:
        """The patterns of a group. Raises KeyError, with the file's name, for a group that it has not."""
        compiled = self._compiled.get(name)
        if compiled is None:
            compiled = self._compiled[name] = self._compile(name)
        return compiled

    def _words_of(self, name: str) -> Words:
        """The trigger words of all patterns of a group: without them none has to be tried."""
        words = self._words.get(name)
        if words is None:
            each = [pattern.words for pattern in self.all(name)]
            words = self._words[name] = frozenset().union(*each) if all(each) else frozenset()
        return words

    def _compile(self, name: str) -> tuple[LazyPattern, ...]:
        if name not in self._groups:
            raise KeyError(f"no patterns called {name!r} in {self._place}")
        group = self._groups[name]
        patterns = [group] if isinstance(group, str) else group
        return tuple(map(LazyPattern, patterns))

    @cached_property
    def _groups(self) -> Mapping[str, Any]:
        """Name -> its pattern or patterns as the file has them."""
        rules: Any = load_rules(self._package, self._file)
        for key in self._section.split(".") if self._section else ():
            rules = rules[key]
        if isinstance(rules, list):
            rules = self._by_name(rules)
        if self._field is None:
            return dict(rules)
        return {name: rule[self._field] for name, rule in rules.items() if self._field in rule}

    def _by_name(self, rules: list[dict[str, Any]]) -> dict[str, Any]:
        named = {rule["name"]: rule for rule in rules}
        if len(named) < len(rules):
            raise ValueError(f"a name occurs twice in {self._place}")
        return named

    @property
    def _place(self) -> str:
        section = f" [{self._section}]" if self._section else ""
        return f"{self._package}/{self._file}{section}"


def ends_of(pattern: re.Pattern[str] | LazyPattern, text: str, start: int = 0, end: int = sys.maxsize) -> list[int]:
    """Where the matches of a pattern end."""
    return [match.end() for match in pattern.finditer(text, start, end)]


def until(pattern: re.Pattern[str] | LazyPattern, text: str, start: int = 0) -> int:
    """Where the first match begins; the end of the text without one.

    >>> until(re.compile(";"), "costs; prices"), until(re.compile(";"), "costs")
    (5, 5)
    """
    match = pattern.search(text, start)
    return match.start() if match else len(text)


def stretches(matches: Sequence[re.Match[str]], end: int) -> Iterator[tuple[re.Match[str], int]]:
    """Each match with where the next one begins; the last one with ``end``.

    >>> [(match[0], stop) for match, stop in stretches(list(re.finditer("[A-Z]", "Ab Cde")), 6)]
    [('A', 3), ('C', 6)]
    """
    return zip(matches, [*(match.start() for match in matches[1:]), end], strict=False)  # of no matches nothing


def between(pattern: re.Pattern[str] | LazyPattern, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of a text between the matches of a pattern, from the first to the last, empty ones too.

    >>> list(between(re.compile(", "), "a, bc", 0, 5))
    [(0, 1), (3, 5)]
    """
    for match in pattern.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


class _Part(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def without_parts(text: str, parts: Sequence[_Part], by: str = " ") -> str:
    """The text with ``by`` in place of each of some parts of it, which do not overlap and are in order."""
    for part in reversed(parts):
        text = f"{text[: part.start]}{by}{text[part.end :]}"
    return text
