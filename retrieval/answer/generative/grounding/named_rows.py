"""Which rows and columns of a table a sentence speaks of, by the words that it shares with their labels."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .....core.sequences import share
from .....ingest.facts.metrics import metric_of
from ..cells.cell import RATES, Cell
from ..cells.times import same_time
from ..wording import terms
from .claims import Claim
from .prose_match import metrics_in

_CLEARLY = 0.4
"""By how much the head of another column has to be named better than that of the cell's own."""
_BETTER = 0.05
"""By how much the row of another cell has to be named better."""
_LEAST_FIT = 0.6
"""How well a sentence has to name a row for a figure to be calculated from it."""
OF_TOTALS = terms("total subtotal 合计 总计 小计")
"""Words of rows that add up others."""
OF_NO_ROW = OF_TOTALS | terms("change balance amount net other beginning ending opening closing")
"""Words that name no row: what stands above the table does."""
_OF_TITLE = 0.7
_HARDLY = 0.5
"""Share of the words of a row up to which it is hardly named: "machinery and equipment" of "all equipment"."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_TELLING = 4
"""Digits of a number that stands in a text once."""
_MOST_ROWS = 12
"""Rows of one piece of evidence that a figure may be calculated from."""


def row_fit(wanted: frozenset[str], cell: Cell) -> float:
    """How well words name the row: the harmonic mean of the shares of both that are shared."""
    others = wanted - cell.heads - cell.section
    precision = share(others & cell.words, others, none=1.0)
    recall = share(wanted & cell.words, cell.words)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _total_of_title(wanted: frozenset[str], cell: Cell) -> float:
    """How well words name a row such as "Total": by what stands above its table."""
    is_named_by_title = cell.words <= OF_NO_ROW and len(wanted & cell.title) > 1
    return _OF_TITLE if is_named_by_title else 0.0


def _row_of_time(wanted: frozenset[str], cell: Cell) -> float:
    """How well words name the column of a cell whose row is a period: the row has no words of its own."""
    return 0.0 if cell.words else head_fit(wanted, cell)


def head_fit(wanted: frozenset[str], cell: Cell) -> float:
    """The share of the words over its column that are wanted."""
    return share(wanted & cell.heads, cell.heads)


def names_of(cell: Cell) -> frozenset[str]:
    """The words that say what the figure is of; where its row has a name such as "Total", the table's title, too."""
    names = cell.words | cell.heads | cell.section
    return names | cell.title if cell.words <= OF_NO_ROW else names


def is_unnamed(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> bool:
    """True for a cell of a table none of whose names the sentence or the question shares, where it names another row.

    Words that name no row at all ("tied up in stock" of inventories) are no evidence against one.
    A number of many digits proves itself: nobody meets it by chance.

    Its row may be called otherwise where both are names of one metric: "sales" of "Total net revenues".
    """
    said = claim.all_words | claim.asked
    names = names_of(cell)
    if names <= OF_NO_ROW or said & names or _is_telling(claim, cell):
        return False
    if metric_of(cell.label) in metrics_in(claim.sentence):
        return False
    return any(other.table >= 0 and said & other.words and _are_alike(cell, other) for other in cells)


def _is_telling(claim: Claim, cell: Cell) -> bool:
    """True for a number of four digits or more that both print, such as 5,128 and not 5,000."""
    numbers = (cell.value, claim.figure.value)
    return all(len(number.as_tuple().digits) >= _TELLING and number % 1000 for number in numbers)


def namesakes_meant(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> list[Cell]:
    """The cells of rows of this name in other tables whose titles the sentence names: those of another segment."""
    if not cell.title:
        return []
    namesakes = [other for other in cells if other.table not in (cell.table, -1) and other.words == cell.words]
    return [other for other in namesakes if _is_its_title_meant(claim, other, cell)]


def _is_its_title_meant(claim: Claim, rival: Cell, own: Cell) -> bool:
    """True where the sentence has words of the rival's title, and neither it nor the question any of the own one's."""
    said_of_own = (claim.all_words | claim.asked) & ((own.title | own.section) - rival.title)
    return not said_of_own and bool(claim.all_words & (rival.title - own.title))


def is_named_elsewhere(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> bool:
    """True where the clause of the claim names nothing of the cell, and the whole of another row of the text."""
    if claim.own_words & names_of(cell):
        return False
    rows = [other for other in cells if other.table >= 0 and other.words <= claim.own_words]
    named = [other for other in rows if not other.words <= OF_NO_ROW]
    return any(_are_alike(cell, other) and same_time(claim.periods, other.periods) for other in named)


def names_another_row(claim: Claim, used: Iterable[Cell], cells: Iterable[Cell]) -> bool:
    """True where a sentence names the whole of a row, and what it is calculated from are rows beside that one.

    "Buildings are 77% of all property" of the share that machinery has.
    """
    said = claim.all_words
    operands = [cell for cell in used if cell.table >= 0 and _has_name(cell)]
    rows = {(cell.table, cell.row) for cell in operands}
    strangers = {cell.table for cell in operands if _is_hardly_named(cell, said)}
    beside = (cell for cell in cells if cell.table in strangers and (cell.table, cell.row) not in rows)
    return any(_has_name(cell) and cell.words <= claim.own_words for cell in beside)


def _is_hardly_named(cell: Cell, said: frozenset[str]) -> bool:
    return cell.words.isdisjoint(OF_TOTALS) and share(cell.words & said, cell.words) <= _HARDLY


def _has_name(cell: Cell) -> bool:
    return not cell.words <= OF_NO_ROW


def is_of_another_metric(claim: Claim, cell: Cell) -> bool:
    """True where a sentence about one metric would rest on the row of another: "interest expense" on interest income.

    A row of whose label the sentence has most is meant all the same.
    """
    said = claim.all_words | claim.asked
    if 2 * len(cell.words & said) > len(cell.words):
        return False
    metric = metric_of(cell.label)
    named = metrics_in(claim.sentence)
    return bool(metric and named) and metric not in named


def is_meant_rather(claim: Claim, rival: Cell, own: Cell) -> bool:
    """True where a claim names the row or column of the rival rather than those of the other cell."""
    vocabulary = own.words | own.heads | rival.words | rival.heads
    return _is_meant_rather(_words_for(claim, vocabulary) & vocabulary, rival, own)


def rivals_of(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> list[Cell]:
    """The cells of the same table whose row or column the sentence names rather than those of this cell."""
    table = [other for other in cells if other.table == cell.table and _are_alike(cell, other)]
    vocabulary = frozenset(word for other in table for word in other.words | other.heads)
    wanted = _words_for(claim, vocabulary) & vocabulary
    years = set(_YEAR.findall(claim.sentence)) & set(_YEAR.findall(cell.label))  # "notes due 2030"
    if years:
        table = [other for other in table if not years.isdisjoint(_YEAR.findall(other.label))]
    return [rival for rival in table if _is_meant_rather(wanted, rival, cell)]


def rivals_in_list(claim: Claim, cell: Cell, cells: Iterable[Cell]) -> list[Cell]:
    """The same of a list whose columns a PDF lost: rows of which the clause itself has two words or more."""
    rows = [other for other in cells if other.is_stacked and len(other.words & claim.words) > 1]
    return [other for other in rows if _are_alike(cell, other) and _names_better(claim.words, other, cell)]


def _are_alike(one: Cell, other: Cell) -> bool:
    """True where both may be amounts, or both are rates: "$" is often printed on the first row alone."""
    return one.unit == other.unit or RATES.isdisjoint((one.unit, other.unit))


def named_cells(claim: Claim, cells: Iterable[Cell]) -> list[Cell]:
    """The cells of the rows that the sentence names best, for calculations; a row that it names whole goes first.

    "Net sales" shares "net" with a sentence about net income: it is not meant where there is a row of net income.
    """
    wanted = claim.all_words if claim.words else claim.all_words | claim.asked
    rows = list(filter(_holds_amount_of_row, cells))
    fits: dict[tuple[int, int], float] = {}
    names: dict[tuple[int, int], frozenset[str]] = {}
    for cell in rows:
        fit = _fit_of_row(wanted, cell)
        if fit >= _LEAST_FIT:
            fits[cell.table, cell.row] = fit
            names[cell.table, cell.row] = cell.words
    whole = [words for words in names.values() if words <= wanted]
    meant = [row for row in fits if not any(names[row] & wanted < other for other in whole)]
    best = set(sorted(meant, key=lambda row: -fits[row])[:_MOST_ROWS])
    return [cell for cell in rows if (cell.table, cell.row) in best]


def _holds_amount_of_row(cell: Cell) -> bool:
    return cell.table >= 0 and cell.column > 0 and not cell.is_change


def _fit_of_row(wanted: frozenset[str], cell: Cell) -> float:
    """How well words name the row of a cell, from 0 to 1: by its label, its time, or as the total of its table."""
    by_label = row_fit(wanted & (cell.words | cell.heads), cell) or _row_of_time(wanted, cell)
    return max(by_label, _total_of_title(wanted, cell))


def _words_for(claim: Claim, vocabulary: frozenset[str]) -> frozenset[str]:
    """The words that say what the claim is of: of its clause, else of the sentence, else of the question too."""
    for words in (claim.words, claim.ahead, claim.all_words):
        if words & vocabulary:
            return words
    return claim.all_words | claim.asked


def _is_meant_rather(wanted: frozenset[str], rival: Cell, own: Cell) -> bool:
    """True where words name the row of the rival, or its column, rather than those of the cell itself."""
    if rival.column == own.column:
        return _names_better(wanted, rival, own)
    if rival.row == own.row:
        named = wanted - own.words
        if own.heads < rival.heads <= named:  # "votes against" beside "votes"
            return True
        return head_fit(named, rival) > head_fit(named, own) + _CLEARLY
    return False


def _names_better(wanted: frozenset[str], rival: Cell, own: Cell) -> bool:
    """True where the words name the row of the rival: all of its label, or more of it than of the cell's own.

    Words of the column are of both rows. A rival is named by a word that the other label lacks, or is the other without
    something: "net revenues" beside "same-store net revenues".
    """
    wanted = wanted - (own.heads - own.words)
    is_told_apart = rival.words < own.words or wanted & (rival.words - own.words)
    if not own.words or not is_told_apart:  # "For" beside "Against": its words are in every text
        return False
    own_shared, rival_shared = len(wanted & own.words), len(wanted & rival.words)
    is_own_whole = own_shared == len(own.words)
    is_rival_whole = 0 < rival_shared == len(rival.words)
    if is_own_whole:
        return is_rival_whole and rival_shared > own_shared
    if is_rival_whole:
        return rival_shared >= max(1, own_shared)
    if own.words <= OF_NO_ROW:  # "Total": named by what stands above
        return False
    return rival_shared > own_shared and row_fit(wanted, rival) > row_fit(wanted, own) + _BETTER
