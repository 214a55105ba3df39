"""From what many witnesses say to one company: names are clustered, votes added, and a confidence is given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache, lru_cache

from ...core.names import company_key, name_key
from ...core.records import dataclass
from .names_in_print import Name, role_of_others, rules

_LEAST_PREFIX = 4
"""Letters of an everyday name that stands for a longer one."""
_LEAST_DOMAIN = 3
"""Letters of a web address that may be a name's."""
_OF_OTHERS = 0.15
"""What the vote for an exchange, a registry, an auditor counts: it may be the filer, but has to be named as such."""
_OTHERS = 3
"""Candidates that are named beside the first."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A witness says so many times that the document is of this company; ``how`` is the kind of witness.

    One without a name says nothing.
    """

    name: Name | None
    how: str
    votes: float = 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The company that most speaks for, and how sure that is."""

    name: str = ""
    how: tuple[str, ...] = ()
    """Kinds of witness that name it, the weightiest first."""
    score: float = 0.0
    second: float = 0.0
    """Scores of this company and of the next."""
    formed: bool = False
    """True where it is named with a legal form somewhere."""
    others: tuple[str, ...] = ()
    """The next candidates."""


@dataclass(frozen=True, slots=True)
class _Witness:
    """A kind of witness: what it counts where it names one company only, and has named it often enough."""

    weight: float
    enough: float

    @property
    def a_vote(self) -> float:
        """What one vote counts."""
        return self.weight / self.enough


@dataclass(slots=True)
class _Candidate:
    """The spellings of one company, and how often each kind of witness names it."""

    spellings: Counter[Name] = field(default_factory=Counter)
    """Spelling -> what its votes count."""
    votes: Counter[str] = field(default_factory=Counter)

    @property
    def weight(self) -> float:
        """What all votes together would count, were there no other company."""
        return sum(self.shares(self.votes).values())

    @property
    def formed(self) -> bool:
        """True where it is named with a legal form."""
        return any(name.formed for name in self.spellings)

    @property
    def initials(self) -> set[str]:
        """The first letters of the words of each spelling."""
        return {"".join(re.findall(r"\b\w", company_key(name.text))) for name in self.spellings}

    @property
    def first_words(self) -> set[str]:
        """The first word of each spelling."""
        return {letters(name.text.split()[0]) for name in self.spellings if name.text.split()}

    @property
    def display(self) -> str:
        """The spelling to show: the one that is said most, with its legal form where it is said with one."""
        most = max(self.spellings, key=lambda name: (self.spellings[name], name.formed, name.text))
        same = [name for name in self.spellings if name_key(name.text) == name_key(most.text)]
        return max(same, key=lambda name: (name.formed, self.spellings[name], name.text)).text

    def shares(self, totals: Mapping[str, float]) -> dict[str, float]:
        """Each kind of witness shares its weight out over all that it names."""
        kinds = _witnesses()
        return {
            how: kinds[how].weight * votes / max(totals[how], kinds[how].enough) for how, votes in self.votes.items()
        }

    def take(self, other: _Candidate) -> None:
        """Count what speaks for another spelling as speaking for this one."""
        self.spellings.update(other.spellings)
        self.votes.update(other.votes)


def decide(claims: Iterable[Claim], domains: Mapping[str, int]) -> Verdict:
    """The verdict on all claims. ``domains`` (web address -> how often) speak for a name that they resemble."""
    candidates = _clusters(claims)
    _merge_short_names(candidates)
    _hear_domains(candidates, domains)
    totals = sum((candidate.votes for candidate in candidates.values()), Counter[str]())
    scores = {key: sum(candidate.shares(totals).values()) for key, candidate in candidates.items()}
    ranked = sorted(scores, key=lambda key: -scores[key])[: 1 + _OTHERS]
    if not ranked:
        return Verdict()
    first, second, *_ = (*(scores[key] for key in ranked), 0.0)
    best, *others = (candidates[key] for key in ranked)
    shares = best.shares(totals)
    how = sorted(shares, key=lambda kind: -shares[kind])
    return Verdict(best.display, tuple(how), first, second, best.formed, tuple(other.display for other in others))


@lru_cache(maxsize=1 << 14)
def letters(name: str) -> str:
    """What all spellings of a name share.

    >>> letters("Sea Port Holdings, Inc.") == letters("SEAPORT HOLDINGS") == "seaport"
    True
    """
    return re.sub(r"[\W_]", "", company_key(name))


def _clusters(claims: Iterable[Claim]) -> dict[str, _Candidate]:
    candidates: dict[str, _Candidate] = {}
    for said in claims:
        if said.name is None:
            continue
        candidate = candidates.setdefault(letters(said.name.text), _Candidate())
        votes = said.votes * _trust(said.name)
        candidate.votes.update({said.how: votes})
        candidate.spellings.update({said.name: votes * _witnesses()[said.how].a_vote})
    return candidates


def _trust(name: Name) -> float:
    return _OF_OTHERS if role_of_others(name.text) else 1.0


def _merge_short_names(candidates: dict[str, _Candidate]) -> None:
    """An everyday name without a legal form speaks for the weightiest name that begins with it, if that has more."""
    everyday = [key for key in candidates if not candidates[key].formed]
    for key in sorted(everyday, key=len):
        longer = [other for name, other in candidates.items() if name == key or _begins(name, other, key)]
        best = max(longer, key=lambda candidate: (candidate.formed, candidate.weight))
        if best.weight > candidates[key].weight:
            best.take(candidates.pop(key))


def _begins(name: str, candidate: _Candidate, short: str) -> bool:
    """True for a name that begins with a short one; of few letters ("MGM") that has to be the whole first word, or the
    first letters of all words ("GE")."""
    if len(short) >= _LEAST_PREFIX:
        return name.startswith(short)
    return short in candidate.first_words | candidate.initials


def _hear_domains(candidates: Mapping[str, _Candidate], domains: Mapping[str, int]) -> None:
    for key, candidate in candidates.items():
        own = [count for domain, count in domains.items() if _resembles(domain, key, candidate)]
        candidate.votes["web address"] += sum(own)
        candidate.votes = +candidate.votes  # without the kinds that said nothing


def _resembles(domain: str, key: str, candidate: _Candidate) -> bool:
    """True where a web address is made of the name's first letters, its beginning or its initials."""
    if min(len(domain), len(key)) < _LEAST_DOMAIN:
        return False
    return key.startswith(domain) or domain.startswith(key) or domain in candidate.initials


@cache
def _witnesses() -> dict[str, _Witness]:
    return {rule["how"]: _Witness(rule["weight"], rule["enough"]) for rule in rules()["witness"]}
