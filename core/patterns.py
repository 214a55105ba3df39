"""Regular expressions as data: named groups of patterns in the TOML files that ship beside the code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from .chinese import both_scripts
from .rules import load_rules

T = TypeVar("T")


def one_of(*patterns: str) -> str:
    """A part of a pattern that matches the first of these that fits, so that a long list stands line by line.

    >>> one_of("was|were", r"amounted\\s+to")
    '(?:was|were|amounted\\\\s+to)'
    """
    return f"(?:{'|'.join(patterns)})"


def first_found(rules: Iterable[tuple[re.Pattern[str], T]], text: str, default: T) -> T:
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
    """Named groups of patterns of a rule file, compiled when a group is first asked for; case is ignored.

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
        self._compiled: dict[str, tuple[re.Pattern[str], ...]] = {}

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
        for pattern in self.all(name):
            if match := pattern.search(text):
                return match
        return None

    def which(self, text: str) -> str:
        """The name of the first group, in the order of the file, of which a pattern is found; "" where none is."""
        for name in self:
            if self.any(name, text):
                return name
        return ""

    def all(self, name: str) -> tuple[re.Pattern[str], ...]:
        """The patterns of a group. Raises KeyError, with the file's name, for a group that it has not."""
        compiled = self._compiled.get(name)
        if compiled is None:
            compiled = self._compiled[name] = self._compile(name)
        return compiled

    def _compile(self, name: str) -> tuple[re.Pattern[str], ...]:
        if name not in self._groups:
            raise KeyError(f"no patterns called {name!r} in {self._place}")
        group = self._groups[name]
        patterns = [group] if isinstance(group, str) else group
        return tuple(re.compile(both_scripts(pattern), re.IGNORECASE) for pattern in patterns)

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
