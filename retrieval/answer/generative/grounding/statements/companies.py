"""Of which company each figure of a sentence is that names several: another one's document does not hold it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ......core.quantity import Quantity

_NOT_ITS_OWN = re.compile(r"\b(?:unlike|(?:compared|relative) (?:with|to)|versus|than)\s(?:the\s)?$", re.IGNORECASE)
"""Before a company with which the one that is spoken of is compared."""
_WORD = re.compile(r"[^\W\d_][\w&-]{2,}")


def owners_of(sentence: str, figures: Sequence[Quantity], companies: Sequence[str]) -> Mapping[int, str]:
    """Where a figure begins -> its company, one of those that the cited documents are of (one a document).

    Where all names stand before the figures, they go in pairs; else a figure is of the last one named before it.
    Nothing where the sentence does not name two of them.

    >>> from ...cells.times import figures_of
    >>> text = "Acme's sales grew 4% whereas Bolt's fell by 2%."
    >>> list(owners_of(text, figures_of(text), ["Acme Inc.", "Bolt plc"]).values())
    ['Acme Inc.', 'Bolt plc']
    >>> text = "Acme outspends Bolt, $5 million against $4 million."
    >>> list(owners_of(text, figures_of(text), ["Acme Inc.", "Bolt plc"]).values())
    ['Acme Inc.', 'Bolt plc']
    """
    named = sorted((match.start(), name) for name in set(companies) for match in _mentions(sentence, name))
    if len({name for _, name in named}) < 2 or not figures:
        return {}
    if named[-1][0] < figures[0].start:
        in_order = [name for at, name in named if not _NOT_ITS_OWN.search(sentence[:at])]
        is_paired = len(set(in_order)) == len(in_order) == len(named) <= len(figures)
        return {figure.start: name for figure, name in zip(figures, in_order, strict=False)} if is_paired else {}
    owners: dict[int, str] = {}
    for figure in figures:
        before = [name for at, name in named if at < figure.start]
        if before:
            owners[figure.start] = before[-1]
    return owners


def _mentions(sentence: str, company: str) -> list[re.Match[str]]:
    """Where the first word of a company's name stands: "Ziff" of "Ziff Davis, Inc."."""
    first = _WORD.search(company)
    return list(re.finditer(rf"\b{re.escape(first[0])}\b", sentence)) if first else []
