"""Parts of the search as flags: on, off, on for a share of sessions, or mixed with their absence to compare both."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..core.errors import UsageError

if TYPE_CHECKING:
    from ..settings import Settings

FLAGS: Mapping[str, str] = {
    "multi_query": "other wordings of the question are searched as well (needs a model)",
    "metadata_weights": "what is known of pages and documents counts: statements, facts, years, period and kind",
    "graph_leg": "relations, facts and reports of the graph stand beside the passages",
    "reranker": "a cross-encoder orders the first passages (where one is configured)",
    "summaries": "reports on groups of entities are among the evidence",
    "menu": "whole sections stand in place of passages, where the mode would be hybrid",
    "pins": "pages that somebody pinned come first",
    "learned": "weights learned from use count in place of the shipped ones",
    "swaps": "one in twenty pairs of neighbours changes places, so that learning can tell liking from standing first",
    "policy": "the experimental policy orders the first passages",
}
"""Name -> what is on where it is on."""
_OFF_UNLESS_SAID = frozenset({"menu", "swaps", "policy"})
_NOT_MIXED = frozenset({"multi_query", "swaps"})
"""What is not a way of ordering evidence: two rankings with and without it cannot be dealt out in turn."""
_RULE = re.compile(r"(on|off|interleave|\d{1,3}(?:\.\d{1,3})?\s?%)")
_WHOLE = 2**64


@dataclass(frozen=True, slots=True)
class Rule:
    """For which sessions a flag is on: a ``share`` of them, from 0 to 1; or mixed with its absence for all."""

    share: float
    is_mixed: bool = False

    @property
    def is_tried(self) -> bool:
        """True where there is something to compare."""
        return self.is_mixed or 0 < self.share < 1


@lru_cache(maxsize=64)
def read_flags(text: str) -> Mapping[str, Rule]:
    """The rules of a setting such as "graph_leg=off, multi_query=20%, reranker=interleave". Raises UsageError.

    >>> read_flags("graph_leg=20%, pins=off")
    {'graph_leg': Rule(share=0.2, is_mixed=False), 'pins': Rule(share=0.0, is_mixed=False)}
    """
    rules: dict[str, Rule] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (side.strip() for side in part.partition("="))
        if name not in FLAGS:
            raise UsageError(f"no flag {name!r}", where="flags", hint=f"There are: {', '.join(FLAGS)}")
        rules[name] = _rule(name, value or "on")
    if sum(rule.is_mixed for rule in rules.values()) > 1:
        raise UsageError("two flags are interleaved", where="flags", hint="Mix one after the other")
    return rules


def _rule(name: str, value: str) -> Rule:
    if not _RULE.fullmatch(value):
        raise UsageError(f"{name} cannot be {value!r}", where="flags", hint="Give on, off, interleave or a share: 20%")
    if value == "interleave":
        if name in _NOT_MIXED:
            raise UsageError(f"{name} cannot be interleaved", where="flags", hint=f"Give it a share: {name}=50%")
        return Rule(1.0, is_mixed=True)
    if value.endswith("%"):
        share = float(value[:-1]) / 100
        if share > 1:
            raise UsageError(f"{value} is more than all sessions", where="flags")
        return Rule(share)
    return Rule(1.0 if value == "on" else 0.0)


@dataclass(frozen=True, slots=True)
class Flags:
    """What is on for one session."""

    values: Mapping[str, bool]
    mixed: str = ""
    """The flag of which both sides are searched and dealt out in turn."""

    def __getitem__(self, name: str) -> bool:
        return self.values[name]

    def turned(self, name: str) -> Flags:
        """With one flag the other way round."""
        return Flags({**self.values, name: not self.values[name]}, self.mixed)


def flags_of(settings: Settings, session: str) -> Flags:
    """What is on for a session: what the setting says of it, else what the other settings ask for."""
    rules = read_flags(settings.flags)
    values = {name: name not in _OFF_UNLESS_SAID for name in FLAGS}
    values["multi_query"] = settings.queries > 1
    for name, rule in rules.items():
        values[name] = place_of_session(name, session) < rule.share
    mixed = next((name for name, rule in rules.items() if rule.is_mixed), "")
    return Flags(values, mixed)


def place_of_session(flag: str, session: str) -> float:
    """Where a session stands between 0 and 1, the same for ever, and for each flag anew.

    >>> place_of_session("pins", "ann") == place_of_session("pins", "ann") != place_of_session("learned", "ann")
    True
    """
    digest = hashlib.blake2b(f"{flag}\0{session}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") / _WHOLE
