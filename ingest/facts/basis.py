"""On which basis a figure is stated: as reported, restated, adjusted or pro forma."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...core.fact import Basis
from ...core.patterns import first_found

_BASES: tuple[tuple[re.Pattern[str], Basis], ...] = (
    (re.compile(r"\brestated\b|调整后|重述", re.IGNORECASE), "restated"),
    (re.compile(r"\bpro[\s-]forma\b|备考", re.IGNORECASE), "pro forma"),
    (re.compile(r"\b(?:non-?gaap|adjusted|as adjusted|core)\b", re.IGNORECASE), "adjusted"),
    (re.compile(r"\breported\b|\bgaap\b", re.IGNORECASE), "reported"),
)
"""The first that is found counts."""


def stated_basis(text: str) -> Basis | None:
    """The basis that a text names; None where it names none.

    >>> [stated_basis(text) for text in ("Reported, GAAP Measure", "Core, Non-GAAP Measure", "Operating profit")]
    ['reported', 'adjusted', None]
    """
    return first_found(_BASES, text, default=None)


def basis_of(*texts: str) -> Basis:
    """The basis that the first of the texts names which names one, else "reported".

    >>> basis_of("2022", "Operating profit, as restated", "Non-GAAP reconciliation"), basis_of("2022")
    ('restated', 'reported')
    """
    named: Iterator[Basis] = filter(None, map(stated_basis, texts))
    return next(named, "reported")
