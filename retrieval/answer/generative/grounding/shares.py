"""Amounts for several shares at once: "every 10 shares receive 1.88", of which one share receives a tenth."""

from __future__ import annotations

import re
from decimal import Decimal

from ..cells.cell import Cell
from .claims import Claim

_FOR_SEVERAL = re.compile(
    r"每\s?(?P<number>\d{1,4})\s?股"
    r"|\b(?:per|every|for each)\s(?P<count>\d{1,4})\s(?:ordinary\s|common\s)?(?:shares|ADSs)\b",
    re.IGNORECASE,
)
_FOR_ONE = re.compile(r"每股|\b(?:per|a|each)\s(?:\w+\s){0,2}(?:share|ADS)\b", re.IGNORECASE)


def is_part_for_one_share(claim: Claim, cell: Cell) -> bool:
    """True where a claim gives for one share what the cell gives for several.

    >>> from ..cells.reading import prose_cells
    >>> from .claims import claims_of
    >>> ten = [cell for cell in prose_cells("每10股派发现金红利1.88元。") if "1.88" in cell.text]
    >>> is_part_for_one_share(claims_of("每股派现0.188元。", "")[0], ten[0])
    True
    """
    shares = _shares_of(cell) if _FOR_ONE.search(claim.clause) else Decimal(1)
    return shares > 1 and abs(abs(cell.amount) / shares - abs(claim.figure.amount)) <= claim.tolerance


def is_for_as_many_shares(claim: Claim, cell: Cell) -> bool:
    """False for a claim about one share and a cell for several."""
    return not _FOR_ONE.search(claim.clause) or _shares_of(cell) == 1


def _shares_of(cell: Cell) -> Decimal:
    """For how many shares a cell is, by the head of its column or the words before it; 1 where nothing is said."""
    said = f"{cell.head} {cell.label}" if cell.table >= 0 else cell.label[: max(0, cell.label.find(cell.text))]
    numbers = [match["number"] or match["count"] for match in _FOR_SEVERAL.finditer(said)]
    return Decimal(numbers[-1]) if numbers else Decimal(1)
