"""What a page draws, as PDFium gives it: rules, boxes and curves, placed as the page is shown."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import field
from itertools import chain, pairwise
from typing import Any

from ...core.anchor import Box
from ...core.records import dataclass
from .backend import (
    MAX_RULES,
    MAX_SHAPES,
    Picture,
    Shape,
    edges_of,
    is_bent,
    is_broad,
)

_DEEPEST = 12
"""Drawings inside drawings."""
_MOST_OBJECTS = 200_000
_TEXT, _PATH, _IMAGE, _FORM = 1, 2, 3, 5
_LINE_TO, _BEZIER_TO, _MOVE_TO = 0, 1, 2
_WHITE = (255, 255, 255)
Matrix = tuple[float, float, float, float, float, float]
_PLAIN: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Place:
    """From the page's own coordinates (up from the bottom) to points from the top left corner as it is shown."""

    left: float
    bottom: float
    right: float
    top: float
    turn: int

    @classmethod
    def of(cls, page: Any) -> Place:
        left, bottom, right, top = page.get_cropbox()
        return cls(left, bottom, right, top, page.get_rotation() % 360)

    def point(self, x: float, y: float) -> tuple[float, float]:
        if self.turn == 90:
            return y - self.bottom, x - self.left
        if self.turn == 180:
            return self.right - x, y - self.bottom
        if self.turn == 270:
            return self.top - y, self.right - x
        return x - self.left, self.top - y

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


@dataclass(slots=True)
class Drawings:
    """Lines, rectangles and pictures of a page, those inside forms at their place."""

    place: Place
    parts: list[tuple[list[tuple[Any, ...]], bool, tuple[int, ...] | None]] = field(default_factory=list)
    """Lines and rectangles of each drawing, whether it is stroked, and the colour it is filled with."""
    bent: list[Box] = field(default_factory=list)
    """Boxes of drawings with curves or slanted lines."""
    pictures: list[Picture] = field(default_factory=list)
    _seen: int = 0

    def walk(self, page: Any) -> None:
        import pypdfium2.raw as raw

        for at in range(raw.FPDFPage_CountObjects(page.raw)):
            thing = raw.FPDFPage_GetObject(page.raw, at)
            kind = raw.FPDFPageObj_GetType(thing)
            if kind != _TEXT:  # most of them
                self._object(raw, thing, kind, _PLAIN, 0)

    def rules(self) -> tuple[Box, ...]:
        """Ruling lines as thin boxes; see the other backend."""
        shades = {fill for items, _, fill in self.parts if any(map(is_broad, items))}
        found: list[Box] = []
        for items, stroked, fill in self.parts:
            if stroked or fill not in shades:
                found.extend(edges_of(items, stroked))
            if len(found) > MAX_RULES:
                return ()
        return tuple(dict.fromkeys(found))

    def shapes(self) -> tuple[Shape, ...]:
        """Broad rectangles, and drawings with curves or slanted lines; what is filled in white alone is none."""
        found = [Shape(box, bent=True) for box in self.bent]
        for items, stroked, fill in self.parts:
            if stroked or (fill is not None and fill[:3] != _WHITE):
                found += [Shape(tuple(item[1]), bent=False) for item in items if is_broad(item)]
            if len(found) > MAX_SHAPES:
                return ()
        return tuple(found)

    def _object(self, raw: Any, thing: Any, kind: int, outer: Matrix, depth: int) -> None:
        self._seen += 1
        if depth > _DEEPEST or self._seen > _MOST_OBJECTS:
            return
        if kind == _PATH:
            self._path(raw, thing, _times(_matrix(raw, thing), outer))
        elif kind == _IMAGE:
            x0, y0 = ctypes.c_float(), ctypes.c_float()
            x1, y1 = ctypes.c_float(), ctypes.c_float()
            if raw.FPDFPageObj_GetBounds(thing, x0, y0, x1, y1):
                a, b = _at(outer, x0.value, y0.value), _at(outer, x1.value, y1.value)
                self.pictures.append(Picture(self.place.box(*a, *b)))
        elif kind == _FORM:
            inner = _times(_matrix(raw, thing), outer)
            for at in range(raw.FPDFFormObj_CountObjects(thing)):
                part = raw.FPDFFormObj_GetObject(thing, at)
                self._object(raw, part, raw.FPDFPageObj_GetType(part), inner, depth + 1)

    def _path(self, raw: Any, thing: Any, matrix: Matrix) -> None:
        fill_mode, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(thing, fill_mode, stroke)
        if not (fill_mode.value or stroke.value):
            return
        subpaths = self._subpaths(raw, thing, matrix)
        items = list(chain.from_iterable(subpath.items() for subpath in subpaths))
        fill = self._fill(raw, thing) if fill_mode.value else None
        self.parts.append((items, bool(stroke.value), fill))
        is_white = not stroke.value and fill is not None and fill[:3] == _WHITE
        if is_white:
            return
        if any(subpath.is_curved for subpath in subpaths) or any(map(is_bent, items)):
            everywhere = chain.from_iterable(subpath.points for subpath in subpaths)
            self.bent.append(_around(list(everywhere)))

    def _subpaths(self, raw: Any, thing: Any, matrix: Matrix) -> list[_Subpath]:
        """What is drawn without lifting the pen, each with its points on the page."""
        found = [_Subpath()]
        for at in range(raw.FPDFPath_CountSegments(thing)):
            segment = raw.FPDFPath_GetPathSegment(thing, at)
            x, y = ctypes.c_float(), ctypes.c_float()
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind == _MOVE_TO:
                found.append(_Subpath())
            points = found[-1].points
            points.append(self.place.point(*_at(matrix, x.value, y.value)))
            found[-1].is_curved |= kind == _BEZIER_TO
            if raw.FPDFPathSegment_GetClose(segment) and points[-1] != points[0]:
                points.append(points[0])
        return found

    def _fill(self, raw: Any, thing: Any) -> tuple[int, ...] | None:
        parts = [ctypes.c_uint() for _ in range(4)]
        return tuple(part.value for part in parts) if raw.FPDFPageObj_GetFillColor(thing, *parts) else None


@dataclass(slots=True)
class _Subpath:
    """A part of a path that is drawn without lifting the pen."""

    points: list[tuple[float, float]] = field(default_factory=list)
    is_curved: bool = False

    def items(self) -> list[tuple[Any, ...]]:
        """One rectangle, or its lines; of a curve none."""
        if self.is_curved or len(self.points) < 2:
            return []
        if self._is_rectangle():
            return [("re", _around(self.points))]
        return [("l", start, end) for start, end in pairwise(self.points)]

    def _is_rectangle(self) -> bool:
        """True where its corners lie on two upright and two level lines."""
        if len(self.points) < 4:
            return False
        across, down = {round(x, 2) for x, _ in self.points}, {round(y, 2) for _, y in self.points}
        return len(across) <= 2 and len(down) <= 2


def _around(points: Sequence[tuple[float, float]]) -> Box:
    """The box around points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _matrix(raw: Any, thing: Any) -> Matrix:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(thing, matrix):
        return _PLAIN
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _times(one: Matrix, other: Matrix) -> Matrix:
    """First one, then the other."""
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f
