"""On which basis a figure is stated: as reported, restated, adjusted or pro forma."""

from __future__ import annotations

import re

from ...core.fact import Basis

_BASES: tuple[tuple[re.Pattern[str], Basis], ...] = (
    (re.compile(r"\brestated\b|调整后|重述", re.IGNORECASE), "restated"),
    (re.compile(r"\bpro[\s-]forma\b|备考", re.IGNORECASE), "pro forma"),
    (re.compile(r"\b(?:non-?gaap|adjusted|as adjusted|core)\b", re.IGNORECASE), "adjusted"),
    (re.compile(r"\breported\b|\bgaap\b", re.IGNORECASE), "reported"),
)
"""The first that is found counts."""


def stated_basis(*texts: str) -> Basis | None:
    """The basis that the first of the texts names which names one; None where none does.

    >>> [stated_basis(text) for text in ("Reported, GAAP Measure", "Core, Non-GAAP Measure", "Operating profit")]
    ['reported', 'adjusted', None]
    >>> stated_basis("2022", "Operating profit, as restated", "Non-GAAP reconciliation")
    'restated'
    """
    for text in texts:
        for pattern, basis in _BASES:
            if pattern.search(text):
                return basis
    return None
