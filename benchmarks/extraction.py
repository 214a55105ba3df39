"""Precision, recall and coverage of what an extractor found, against gold that gives no offsets of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from cliquerag.core.names import name_key
from cliquerag.evaluation.benchmark import Row
from cliquerag.evaluation.metrics.retrieval import match

_SMALL = frozenset({"and", "of", "the", "for", "in"})


@dataclass(slots=True)
class Tally:
    """Counts of one system: what is right of what was found, what was found of what is gold."""

    right: int = 0
    found: int = 0
    hit: int = 0
    gold: int = 0

    @property
    def precision(self) -> float:
        """Share of what was found that is right."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of the gold that was found."""
        return self.hit / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def rows(self, system: str, prefix: str = "") -> list[Row]:
        """Precision over what was found, recall and F1 over the gold."""
        return [
            Row(system, f"{prefix}precision", self.precision, n=self.found),
            Row(system, f"{prefix}recall", self.recall, n=self.gold),
            Row(system, f"{prefix}F1", self.f1, n=self.gold),
        ]


@dataclass(slots=True)
class ByKind:
    """A tally for each kind (relation, type) and one over all."""

    kinds: dict[str, Tally] = field(default_factory=dict)

    def of(self, kind: str) -> Tally:
        """The tally of that kind."""
        return self.kinds.setdefault(kind, Tally())

    @property
    def total(self) -> Tally:
        """All kinds together."""
        tallies = self.kinds.values()
        return Tally(*(sum(getattr(tally, name) for tally in tallies) for name in ("right", "found", "hit", "gold")))


def count_spans(tally: Tally, found: Iterable[Hashable], gold: Iterable[Hashable]) -> None:
    """Add exact matches, each gold item found at most once."""
    counts = match(found, gold)
    tally.right += counts.right
    tally.hit += counts.right
    tally.found += counts.found
    tally.gold += counts.wanted


def count_overlaps(tally: Tally, found: Sequence[str], gold: Sequence[str]) -> None:
    """Add names that share a word, as often as they occur: "the Monro Inc Earnings Call" holds "Monro"."""
    tally.found += len(found)
    tally.gold += len(gold)
    tally.right += _sharing(found, gold)
    tally.hit += _sharing(gold, found)


def _sharing(names: Sequence[str], others: Sequence[str]) -> int:
    """How many of the names share a word with one of the others; each word lends itself as often as it occurs."""
    supply = Counter(word for other in others for word in name_words(other))
    shared = 0
    for name in names:
        words = [word for word in name_words(name) if supply[word] > 0]
        if words:
            shared += 1
            supply[words[0]] -= 1
    return shared


def name_words(name: str) -> set[str]:
    """The words by which two forms of a name are compared; small words do not count."""
    return {word for word in name_key(name).split() if len(word) > 1 and word not in _SMALL} or {name_key(name)}
