"""The figures of sentences as cells, with the time that each is of; values that stand alone on their line, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from .....core.period_text import find_periods
from .....core.quantity import Quantity
from .....core.words import search_words
from .....ingest.sentences import split_text
from .cell import Cell
from .figures import figures_of
from .stacked_cells import places_of, stacked_cells
from .table_scale import scale_of_lines
from .times import FigureTime, times_of_figures

_WHOLE_AMOUNT = re.compile(r"[$€£]\d{1,3}(?:,\d{3}){0,2}(?![\d.,]*\d)")
_SCALED_AMOUNT = re.compile(r"[$€£]\s?\d[\d,.]{0,20}\s(?:thousand|million|billion)\b", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_WORDS_OF_LAST = 2
_AND = re.compile(r",?\s(?:and|&)\s|,\s|、|和|及")


@dataclass(frozen=True, slots=True)
class _Apart:
    own: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()


def prose_cells(text: str, scale: Decimal | None = None) -> Iterator[Cell]:
    """The figures of a text without tables, in order; ``scale`` is that of the tables which stood there."""
    stacked = list(stacked_cells(text))
    taken = places_of(stacked)
    yield from stacked
    scale_is_left_out = _leaves_out_scale(text)
    said_scale = scale or scale_of_lines((), "", text)[0] if scale_is_left_out else None
    for sentence in split_text(text, shortest=0, longest=10_000):
        said = text[sentence.start : sentence.end]
        figures = figures_of(said)
        apart = _told_apart(said, figures)
        words = frozenset(search_words(said)) if figures else frozenset()
        for figure, time, named in zip(figures, times_of_figures(said, figures), apart, strict=True):
            start = sentence.start + figure.start
            if start + len(figure.text) in taken:  # "$" may stand on a line of its own
                continue
            cell = _said_cell(figure, start, said, words, time, named)
            is_amount = cell.scale == 1 and _WHOLE_AMOUNT.fullmatch(figure.text) is not None
            yield replace(cell, scale=said_scale) if scale_is_left_out and is_amount else cell


def _leaves_out_scale(text: str) -> bool:
    """True for notes "in millions" whose sentences say "$4,059": none of their amounts has a scale of its own."""
    return _WHOLE_AMOUNT.search(text) is not None and _SCALED_AMOUNT.search(text) is None


def _said_cell(figure: Quantity, start: int, said: str, words: frozenset[str], time: FigureTime, named: _Apart) -> Cell:
    is_row = " | " in said  # a row of a table that is quoted alone, without its head
    is_plain = figure.scale == 1 and (is_row or not figure.unit)
    return Cell(
        figure.value, None if is_plain else figure.scale, figure.unit, figure.text, start, start + len(figure.text),
        said, words, periods=time.periods, is_stacked=is_row, own=named.own, others=named.others, time=time,
    )  # fmt: skip


def _told_apart(said: str, figures: Sequence[Quantity]) -> list[_Apart]:
    """Of "A and B were 5 and 7, respectively": for each figure the words that only it is said of, and the others' own.

    The words behind the last thing named are of all: "federal and state tax credits were".
    """
    nothing = [_Apart() for _ in figures]
    if len(figures) < 2 or not _RESPECTIVELY.search(said):
        return nothing
    parts = _AND.split(said[: figures[0].start])[-len(figures) :]
    if len(parts) != len(figures) or find_periods(" ".join(parts)):
        return nothing
    parts[-1] = " ".join(parts[-1].split()[:_WORDS_OF_LAST])
    named = [frozenset(search_words(part)) for part in parts]
    shared = frozenset.intersection(*named)
    found = []
    for own in named:
        rest = frozenset().union(*named) - own
        found.append(_Apart(own - shared, rest))
    return found
