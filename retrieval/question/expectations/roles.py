"""Questions for the holder of an office ("Who is the CEO of Acme?"), and whether a sentence names one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse
from typing import Any

from ....core.names import is_chinese, name_key
from ....core.rules import load_rules
from ....core.words import search_words

_NEAR = 90
"""Characters between a person's name and the office."""
_SHARED = 2
"""Pairs of characters that two mentions of a Chinese firm share; one pair may be its trade (科技)."""
_CAPITAL = "[A-ZÀ-ÖØ-Þ]"
_PERSON = re.compile(
    rf"(?=\b((?:Mr|Ms|Mrs|Dr)\.? {_CAPITAL}[\w’'-]{{1,40}}"
    rf"|{_CAPITAL}(?:[^\W\d_]|[’'-]){{1,40}}(?:,? [A-Z]\.){{0,4}}(?: (?:de|van|von|der|di))?"
    rf" {_CAPITAL}[\w’'-]{{1,40}}))"
)
"""Two words with capitals, also within a longer run of them."""
_LINK = re.compile(
    r"^(?:(?:\s*,)?\s+and (?:(?:our|its|the) )?(?:co-?)?(?:founder|chair(?:man|woman|person)?|president|director)\b)?"
    r"\s*(?:[,:–—-]\s*)?(?:(?:is|was|being)\s+)?"
)
_OF_WHAT = re.compile(
    r"\s*(?:,|\bof\b|\bfor\b|\bat\b|[–—-])\s*(?:the\s+)?(?P<name>[A-Z][\w&.’'-]*(?:\s+(?:and\s+|&\s+)?[A-Z][\w&.’'-]*)*)"
)
_WHOSE = re.compile(r"(?P<name>[A-Z][\w&.-]{0,60})['’]s?\s+(?:[A-Z][\w ]{0,80}\band\s+)?$")


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
        return any(self._names_holder(text, match) for match in self.held.finditer(text))

    def _names_holder(self, text: str, match: re.Match[str]) -> bool:
        before, rules = text[: match.start()], _rules()
        said = before[-_NEAR:]
        said = said[max(map(said.rfind, (". ", "; ", "。", "”", '"'))) + 1 :]
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
    role = next((role for role in rules["role"] if role[0].search(text)), None)
    return RoleAsked(role[1], frozenset(search_words(text)), role[2]) if role else None


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
