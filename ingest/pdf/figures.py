"""Figures of a page: regions of pictures and of drawings that are no table, with the labels printed in them.

A picture is a region of its own. Drawings are one where they touch: a chart drawn by bars, or by curves and slanted
lines. Tables come first: what a table holds is no figure. Backgrounds, ruled boxes, shaded rows, logos and panels of
running text are left out; what is left becomes a figure if it has labels or is announced (:mod:`.descriptions`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from ...core.anchor import Box, bounding_box, holds_middle
from ...core.records import dataclass
from ...core.sequences import grouped, runs, without
from .backend import PageLayout, Picture, Shape, Word

_CELL = 8.0
"""Points; drawings less than two such cells apart belong together."""
_LEAST_WIDTH, _LEAST_HEIGHT = 80.0, 60.0
"""Points; what is smaller is a logo, an icon or a signature."""
_LEAST_PICTURE = 15_000.0
"""Square points of a picture: the charts of 13 filings begin at 19,600, their logos and signatures end at 20,600."""
_WHOLE_PAGE = 0.6
"""Share of the page from which something is its background."""
_EDGE = 3.0
"""Points from the edge of the page."""
_TILE = 1.0
"""Points between the edges of strips that one picture was cut into."""
_MOST_SHAPES = 20_000
_FEWEST_BENT = 3
_FEWEST_BARS = 2
_WIDEST_BAR = 90.0
"""Points; broader boxes are panels."""
_BAR_GAP = 1.5
_GRID = 60.0
"""Points above the highest bar up to which lines of the grid are looked for."""
_WIDEST_GRID = 0.8
_SMALL_MARK = 8.0
"""Points; smaller curves are bullets."""
_REACH = 12.0
"""Points around drawings in which labels of axes stand."""
_LONG_LINE, _MANY_WORDS = 0.2, 6
"""Share of the page's width and words from which a line is running text, also of one column of several."""
_PROSE = 0.4
"""Share of running text among the words of a region from which it is a panel of text."""
_MOST_LABELS = 250
_OWNED = 0.5
"""Share of a region in a table, or of a picture in another, from which it belongs to that."""


@dataclass(frozen=True, slots=True)
class FigureRegion:
    """Where a figure stands. ``words`` are indices into the page's words, its labels, in the order they are drawn."""

    page: int
    box: Box
    words: tuple[int, ...]
    detail: float | None = None
    """Of a picture, bytes of its PNG a pixel; None of a drawing."""


def figure_regions(page: PageLayout, taken: Collection[int], tables: Sequence[Box]) -> list[FigureRegion]:
    """The regions of one page from top to bottom; ``taken`` are the words of its tables, whose boxes are ``tables``."""
    drawings = [box for box in _drawings(page) if not _belongs_to_one(box, tables)]
    pictures = [picture for picture in pictures_of(page) if not _in_one_of(picture.box, [*tables, *drawings])]
    if not drawings and not pictures:
        return []
    prose = _prose(page)
    free = without(range(len(page.words)), taken)
    regions: list[FigureRegion] = []
    for box, detail in [(box, None) for box in drawings] + list(pictures):
        region = _region(page, box, detail, free, prose)
        if region is not None:
            regions.append(region)
            free = without(free, region.words)
    return sorted(regions, key=lambda region: (region.box[1], region.box[0]))


def label_rows(words: Sequence[Word]) -> list[tuple[str, Box]]:
    """The labels of a figure row by row from the top: words of one printed line together, lines parted by " | "."""
    lines = grouped(words, key=lambda word: (word.block, word.line))
    labels = list(map(_label, lines.values()))
    labels.sort(key=lambda label: (label[1][1] + label[1][3], label[1][0]))
    rows = runs(labels, lambda row, label: _is_level(row[0][1], label[1]))
    return list(map(_row, rows))


def _label(line: Sequence[Word]) -> tuple[str, Box]:
    return " ".join(word.text for word in line), bounding_box(word.box for word in line)


def _row(labels: list[tuple[str, Box]]) -> tuple[str, Box]:
    labels.sort(key=lambda label: label[1][0])
    return " | ".join(text for text, _ in labels), bounding_box(box for _, box in labels)


def _is_level(one: Box, other: Box) -> bool:
    shared = min(one[3], other[3]) - max(one[1], other[1])
    return shared > 0.5 * min(one[3] - one[1], other[3] - other[1])


def pictures_of(page: PageLayout) -> list[Picture]:
    """Pictures large enough to show something, once each: layers of one picture are drawn over each other."""
    kept: list[Picture] = []
    clipped = _joined_strips([picture._replace(box=_clipped(picture.box, page)) for picture in page.pictures])
    for picture in sorted(clipped, key=lambda picture: _area(picture.box), reverse=True):
        box = picture.box
        is_figure = _is_large_enough(box) and _area(box) >= _LEAST_PICTURE and not _is_design(box, page)
        if is_figure and not _in_one_of(box, [other.box for other in kept]):
            kept.append(picture)
    return kept


def _joined_strips(pictures: Sequence[Picture]) -> list[Picture]:
    """Pictures as wide as each other that stand on top of each other without a gap are one picture."""
    joined: list[Picture] = []
    for picture in sorted(pictures, key=lambda picture: (picture.box[0], picture.box[2], picture.box[1])):
        if joined and _is_next_strip(joined[-1].box, picture.box):
            above = joined.pop()
            picture = Picture(bounding_box([above.box, picture.box]))
        joined.append(picture)
    return joined


def _is_next_strip(above: Box, box: Box) -> bool:
    is_as_wide = abs(above[0] - box[0]) <= _TILE and abs(above[2] - box[2]) <= _TILE
    return is_as_wide and abs(above[3] - box[1]) <= _TILE


def _drawings(page: PageLayout) -> list[Box]:
    """Boxes of drawings that touch, where they hold bars or curves."""
    if not page.shapes or len(page.shapes) > _MOST_SHAPES:
        return []
    shapes = [shape for shape in page.shapes if not _is_background(shape.box, page)]
    groups = _bars(shapes)
    if sum(shape.bent for shape in shapes) < _FEWEST_BENT and not groups:
        return []
    for bars in groups:  # the room between them belongs to them
        shapes.append(Shape(_with_grid(bounding_box(bars), page), bent=False))
    found: list[Box] = []
    for group in _touching(shapes, page):
        box = _clipped(bounding_box(shape.box for shape in group), page)
        if _is_design(box, page) or not _is_large_enough(box):
            continue
        if _is_chart(group):
            found.append(box)
    return found


def _with_grid(bars: Box, page: PageLayout) -> Box:
    """The box of bars with the level lines of the grid that they stand before."""
    lines = [rule for rule in page.rules if _is_grid_line(rule, bars, page)]
    return bounding_box([bars, *lines])


def _is_grid_line(rule: Box, bars: Box, page: PageLayout) -> bool:
    """True for a level rule behind or above the bars that runs as far as they do, but not over the whole page."""
    is_level = rule[3] - rule[1] <= 1
    is_beside = bars[1] - _GRID <= rule[1] <= bars[3] + 1
    if not (is_level and is_beside):
        return False
    runs_past = rule[0] <= bars[0] + 1 and rule[2] >= bars[2] - 1
    return runs_past and rule[2] - rule[0] < _WIDEST_GRID * page.width


def _is_chart(shapes: Sequence[Shape]) -> bool:
    bent = [shape for shape in shapes if shape.bent and max(_sides(shape.box)) >= _SMALL_MARK]
    return len(bent) >= _FEWEST_BENT or bool(_bars(shapes))


def _bars(shapes: Iterable[Shape]) -> list[list[Box]]:
    """Groups of bars: rectangles side by side on one base line, as wide as each other but not as high; or lying ones.

    The shaded rows and cells of a table are as long as each other, or lie in each other.
    """
    standing: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    lying: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for shape in shapes:
        if not shape.bent:
            width, height = _sides(shape.box)
            standing[round(shape.box[3]), round(width)].append(shape.box)
            lying[round(shape.box[0]), round(height)].append(shape.box)
    groups = [group for group in standing.values() if _are_bars(group, across=0)]
    return groups + [group for group in lying.values() if _are_bars(group, across=1)]


def _are_bars(boxes: Sequence[Box], across: int) -> bool:
    """Whether the boxes stand beside each other and differ in length; ``across`` is the axis on which they are apart.

    Upright bars of two series touch in pairs. What lies and touches is a column of shaded cells.
    """
    if len(boxes) < _FEWEST_BARS:
        return False
    ordered = sorted(boxes, key=lambda box: box[across])
    is_broad = _sides(ordered[0])[across] > _WIDEST_BAR
    lengths = {round(_sides(box)[1 - across]) for box in boxes}
    if is_broad or len(lengths) == 1:
        return False
    gaps = [other[across] - one[across + 2] for one, other in pairwise(ordered)]
    touching = sum(gap < _BAR_GAP for gap in gaps)
    most_touching = 0 if across else len(gaps) / 2
    return min(gaps) > -1 and touching <= most_touching


def _touching(shapes: Sequence[Shape], page: PageLayout) -> list[list[Shape]]:
    """Shapes in groups: each covers cells of a grid, and cells that touch are one group. Linear in the cells."""
    import numpy as np
    from scipy.ndimage import label

    across, down = int(page.width / _CELL) + 1, int(page.height / _CELL) + 1
    covered = np.zeros((down, across), dtype=bool)
    places = []
    for shape in shapes:
        x0, y0, x1, y1 = _clipped(shape.box, page)
        place = slice(int(y0 / _CELL), int(y1 / _CELL) + 1), slice(int(x0 / _CELL), int(x1 / _CELL) + 1)
        covered[place] = True
        places.append(place)
    marks, _ = label(covered, structure=np.ones((3, 3)))
    groups: defaultdict[int, list[Shape]] = defaultdict(list)
    for shape, (rows, columns) in zip(shapes, places, strict=True):
        if rows.start < down and columns.start < across:
            groups[int(marks[rows.start, columns.start])].append(shape)
    return list(groups.values())


def _region(
    page: PageLayout, box: Box, detail: float | None, free: Sequence[int], prose: Collection[int]
) -> FigureRegion | None:
    """The region with its labels; None where it is a panel of running text."""

    def words_in(area: Box) -> list[int]:
        return [index for index in free if holds_middle(area, page.words[index].box)]

    inside = words_in(box)
    running = sum(index in prose for index in inside)
    is_panel = len(inside) > _MOST_LABELS or running > _PROSE * len(inside)
    if inside and is_panel:
        return None
    if detail is None:  # the labels of its axes stand beside the drawing
        inside = words_in(_grown(box, _REACH))
    labels = without(inside, prose)
    if detail is None:
        box = bounding_box([box, *(page.words[index].box for index in labels)])
    return FigureRegion(page.number, box, tuple(labels), detail)


def _prose(page: PageLayout) -> set[int]:
    """Indices of the words that stand in long lines."""
    lines = grouped(range(len(page.words)), key=lambda index: (page.words[index].block, page.words[index].line))
    prose: set[int] = set()
    for line in lines.values():
        width = page.words[line[-1]].box[2] - page.words[line[0]].box[0]
        if len(line) >= _MANY_WORDS and width > _LONG_LINE * page.width:
            prose.update(line)
    return prose


def _in_one_of(box: Box, others: Iterable[Box]) -> bool:
    return any(_shared(box, other) > _OWNED * min(_area(box), _area(other)) for other in others)


def _shared(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def _belongs_to_one(box: Box, tables: Sequence[Box]) -> bool:
    """True for what stands in a table, or shades the heads of one."""
    return _in_one_of(box, tables) or _is_head_of_one(box, tables)


def _is_head_of_one(box: Box, tables: Iterable[Box]) -> bool:
    """True for a shape as wide as the table right below it: the shade of its heads."""
    for table in tables:
        is_right_below = abs(table[1] - box[3]) <= _REACH
        across = min(box[2], table[2]) - max(box[0], table[0])
        if is_right_below and across > _OWNED * (box[2] - box[0]):
            return True
    return False


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _clipped(box: Box, page: PageLayout) -> Box:
    """The part of a box on the page; an empty one at its edge where there is none."""
    x0, x1 = (min(max(0.0, x), page.width) for x in (box[0], box[2]))
    y0, y1 = (min(max(0.0, y), page.height) for y in (box[1], box[3]))
    return x0, y0, x1, y1


def _is_large_enough(box: Box) -> bool:
    width, height = _sides(box)
    return width >= _LEAST_WIDTH and height >= _LEAST_HEIGHT


def _is_background(box: Box, page: PageLayout) -> bool:
    return _area(box) > _WHOLE_PAGE * page.width * page.height


def _is_design(box: Box, page: PageLayout) -> bool:
    """True for what takes most of the page or reaches its edge."""
    if _is_background(box, page):
        return True
    from_edge = min(box[0], box[1], page.width - box[2], page.height - box[3])
    return from_edge < _EDGE


def _sides(box: Box) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]


def _area(box: Box) -> float:
    width, height = _sides(box)
    return max(0.0, width) * max(0.0, height)
