"""Reading order of columns, side bars and tables."""

from __future__ import annotations

from dataclasses import dataclass

from cliquerag.core.anchor import Box
from cliquerag.ingest.reading.layout.lines import reading_order

WIDTH = 600.0


@dataclass(frozen=True)
class Run:
    text: str
    box: Box
    size: float = 10.0


def column(name: str, x: float, width: float, top: float, count: int, words: str, pitch: float = 14) -> list[Run]:
    return [Run(f"{name}{n} {words}", (x, top + n * pitch, x + width, top + n * pitch + 10)) for n in range(count)]


def names(regions: list[list[Run]]) -> list[str]:
    return [
        run.text.split()[0] for region in regions for run in sorted(region, key=lambda run: (run.box[1], run.box[0]))
    ]


def test_two_columns_are_read_one_after_the_other_below_the_title() -> None:
    title = Run("Title over both columns of the page", (50, 50, 550, 70), 18)
    left = column("L", 50, 230, 100, 8, "words that make a long line of prose")
    right = column("R", 320, 230, 100, 8, "words that make a long line of prose")
    foot = Run("Foot below both columns of the page", (50, 300, 550, 310))
    order = names(reading_order([*right, foot, *left, title], WIDTH))
    assert order == ["Title", *(f"L{n}" for n in range(8)), *(f"R{n}" for n in range(8)), "Foot"]


def test_a_side_bar_off_the_base_lines_is_apart() -> None:
    main = column("M", 50, 330, 100, 14, "words that make a long line of prose here")
    bar = column("S", 430, 80, 105, 8, "Key", 21)
    order = names(reading_order([*main, *bar], WIDTH))
    assert order == [*(f"M{n}" for n in range(14)), *(f"S{n}" for n in range(8))]


def test_labels_and_values_stay_side_by_side() -> None:
    labels = column("A", 50, 200, 100, 9, "is a long label of a row in it")
    values = [Run(f"{n},234 5,678", (400, 100 + n * 14, 500, 110 + n * 14)) for n in range(9)]
    assert len(reading_order([*labels, *values], WIDTH)) == 1


def test_nothing_is_lost_or_doubled() -> None:
    runs = [
        Run(f"run {n} with several words in it", (50 + 37 * (n % 13), n * 3, 90 + 37 * (n % 13), n * 3 + 9))
        for n in range(200)
    ]
    regions = reading_order(runs, WIDTH)
    assert sorted(run.text for region in regions for run in region) == sorted(run.text for run in runs)
