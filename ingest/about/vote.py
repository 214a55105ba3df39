"""From what many witnesses say to one company: names are clustered, votes added, and a confidence is given."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from ...core.names import company_key, name_key
from .company_names import role_of_others, rules
from .names_in_print import Name

_LEAST_PREFIX = 4
"""Letters of an everyday name that stands for a longer one."""
_OF_OTHERS = 0.15
"""What the vote for an exchange, a registry, an auditor counts: it may be the filer, but has to be named as such."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A witness says so many times that the document is of this company; ``how`` is the kind of witness."""

    name: Name
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


@dataclass(slots=True)
class _Candidate:
    spellings: Counter[Name] = field(default_factory=Counter)
    votes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        return sum(self.scores.values())

    @property
    def weight(self) -> float:
        """What all votes together would count, were there no other company."""
        return sum(_weights()[how][0] * min(1.0, votes / _weights()[how][1]) for how, votes in self.votes.items())

    @property
    def formed(self) -> bool:
        return any(name.formed for name in self.spellings)

    def take(self, other: _Candidate) -> None:
        """Count what speaks for another spelling as speaking for this one."""
        self.spellings.update(other.spellings)
        for how, votes in other.votes.items():
            self.votes[how] += votes


def decide(claims: Iterable[Claim], domains: Mapping[str, int]) -> Verdict:
    """The verdict on all claims. ``domains`` (web address -> how often) speak for a name that they resemble."""
    candidates = _clusters(claims)
    _merge_short_names(candidates)
    _hear_domains(candidates, domains)
    _score(candidates)
    ranked = sorted(candidates.values(), key=lambda candidate: -candidate.score)
    if not ranked or not ranked[0].score:
        return Verdict()
    best, *rest = ranked
    how = sorted(best.scores, key=lambda kind: -best.scores[kind])
    others = tuple(_display(candidate) for candidate in rest[:3] if candidate.score)
    second = rest[0].score if rest else 0.0
    return Verdict(_display(best), tuple(how), best.score, second, best.formed, others)


def letters(name: str) -> str:
    """What all spellings of a name share.

    >>> letters("Sea Port Holdings, Inc.") == letters("SEAPORT HOLDINGS") == "seaport"
    True
    """
    return re.sub(r"[\W_]", "", company_key(name))


def _clusters(claims: Iterable[Claim]) -> dict[str, _Candidate]:
    candidates: dict[str, _Candidate] = defaultdict(_Candidate)
    for said in claims:
        weight = said.votes * (_OF_OTHERS if role_of_others(said.name.text) else 1.0)
        candidate = candidates[letters(said.name.text)]
        candidate.votes[said.how] += weight
        candidate.spellings[said.name] += weight  # type: ignore[assignment]
    return dict(candidates)


def _merge_short_names(candidates: dict[str, _Candidate]) -> None:
    """An everyday name without a legal form speaks for the weightiest name that begins with it, if that has more."""
    for key in sorted(candidates, key=len):
        short = candidates[key]
        if short.formed or len(key) < _LEAST_PREFIX:
            continue
        longer = [candidates[k] for k in candidates if k != key and k.startswith(key)]
        best = max(longer, key=lambda candidate: (candidate.formed, candidate.weight), default=short)
        if best.weight > short.weight:
            best.take(candidates.pop(key))


def _hear_domains(candidates: Mapping[str, _Candidate], domains: Mapping[str, int]) -> None:
    for domain, count in domains.items():
        for key, candidate in candidates.items():
            if _resembles(domain, key, candidate):
                candidate.votes["web address"] += count


def _resembles(domain: str, key: str, candidate: _Candidate) -> bool:
    """True where a web address is made of the name's first letters, its beginning or its initials."""
    if len(domain) < 3 or len(key) < 3:
        return False
    if key.startswith(domain) or domain.startswith(key):
        return True
    return any(domain == _initials(name.text) for name in candidate.spellings)


def _initials(name: str) -> str:
    return "".join(word[0] for word in re.findall(r"\w+", company_key(name)))


def _score(candidates: Mapping[str, _Candidate]) -> None:
    """Each kind of witness shares its weight out over those that it names."""
    totals: Counter[str] = Counter()
    for candidate in candidates.values():
        totals.update(candidate.votes)
    for candidate in candidates.values():
        for how, votes in candidate.votes.items():
            weight, enough = _weights()[how]
            candidate.scores[how] = weight * votes / max(totals[how], enough)


def _display(candidate: _Candidate) -> str:
    """The spelling to show: the one that is said most, with its legal form where it is said with one."""
    most = max(candidate.spellings, key=lambda name: (candidate.spellings[name], name.text))
    same = [name for name in candidate.spellings if name_key(name.text) == name_key(most.text)]
    return max(same, key=lambda name: (name.formed, candidate.spellings[name], name.text)).text


@cache
def _weights() -> dict[str, tuple[float, float]]:
    return {rule["how"]: (rule["weight"], rule["enough"]) for rule in rules()["witness"]}
