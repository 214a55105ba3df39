"""What a page would cost to draw, reckoned before it is drawn: MuPDF cannot be interrupted once it has begun."""

from __future__ import annotations

import re
from typing import Any

_DRAW = re.compile(rb"/([^\s/<>\[\]()]+)\s+Do\b")
_NAMED_REFERENCE = re.compile(r"/([^\s/<>\[\]()]+)\s+(\d+)\s+0\s+R")
_REFERENCE = re.compile(r"(?<!\d)(\d+)\s+0\s+R")
_PICTURE_HERE = re.compile(rb"BI(?<![^\s]BI)(?![^\s/])")
"""A picture among the operators themselves. Its letters come first, so that a search leaps from one to the next."""
_MASK = re.compile(r"/SMask(?!\s{0,9}/None\b)")

_MAX_PARENTS = 16
_MAX_NESTED = 40

MAX_OPERATORS = 12_000_000
"""Bytes of drawing operators: about 600,000 words, or five seconds of work. A full page of a filing has 50,000."""


class DrawingCosts:
    """Bytes of operators that drawing runs through, a form (a drawing inside a drawing) as often as it is drawn.

    Glyphs that are drawings themselves (Type 3 fonts) count once each. Forms that draw themselves, or nest more than 40
    deep, cost more than any limit. Counting stops above the limit. Kept between pages, for they share forms and fonts.

    ``document`` is a PyMuPDF document; its objects go by their numbers.
    """

    def __init__(self, document: Any, limit: int = MAX_OPERATORS) -> None:
        self._document = document
        self._limit = limit
        self._known: dict[int, int] = {}
        self._may_show_pictures: set[int] = set()
        """Pages and forms that draw a picture, or whose operators hold the beginning of one."""

    def of_page(self, number: int) -> int:
        """The cost of the page whose object has that number."""
        if number not in self._known:
            self._known[number] = self._of_stream(number, self._page_stream(number), ())
        return self._known[number]

    def may_show_pictures(self, number: int) -> bool:
        """False for a page of which :meth:`of_page` saw that its operators and forms draw no picture.

        Looking for pictures runs through all operators once more, 1 to 3 ms a page of a report. Patterns, shades
        and masks are taken for pictures: shades are told as such, the others may hold some.
        """
        return self._known.get(number, 0) > self._limit or number in self._may_show_pictures

    def _of_form(self, number: int, above: tuple[int, ...]) -> int:
        """The cost of a form drawn by the objects ``above``."""
        if number in above or len(above) > _MAX_NESTED:
            return self._limit + 1
        if number not in self._known:
            self._known[number] = self._of_stream(number, self._stream(number), above)
        if number in self._may_show_pictures:
            self._may_show_pictures.update(above)
        return self._known[number]

    def _of_stream(self, number: int, stream: bytes, above: tuple[int, ...]) -> int:
        """The cost of an object's operators and of the forms and fonts that they use."""
        inside = (*above, number)
        if _PICTURE_HERE.search(stream) or self._has_patterns_or_masks(number):
            self._may_show_pictures.update(inside)
        total = len(stream)
        if total <= self._limit and _DRAW.search(stream):
            total += self._of_forms(number, stream, inside)
        if total <= self._limit and b"Tf" in stream:
            fonts = self._named(self._resources(number, "Font"))
            total += sum(self._of_font(font, inside) for font in fonts.values())
        return total

    def _has_patterns_or_masks(self, number: int) -> bool:
        """True where an object paints with patterns or through masks, which are drawings of their own."""
        if any(self._named(self._resources(number, painted)) for painted in ("Pattern", "Shading")):
            return True
        states = self._written(self._resources(number, "ExtGState"))
        each = [self._document.xref_object(int(state)) for _, state in _NAMED_REFERENCE.findall(states)]
        return any(map(_MASK.search, (states, *each)))

    def _of_forms(self, number: int, stream: bytes, above: tuple[int, ...]) -> int:
        """The cost of all forms that the operators draw."""
        forms = self._forms(number)
        total = 0
        for name in _DRAW.findall(stream):
            form = forms.get(name.decode("latin-1"))
            if form is None:  # a picture, or something that is not there
                self._may_show_pictures.update(above)
            else:
                total += self._of_form(form, above)
            if total > self._limit:
                break
        return total

    def _of_font(self, number: int, above: tuple[int, ...]) -> int:
        """The cost of a font whose glyphs are drawn by operators; all others cost nothing."""
        if number in above:
            return self._limit + 1
        if number not in self._known:
            drawn = self._document.xref_get_key(number, "Subtype")[1] == "/Type3"
            self._known[number] = self._of_glyphs(number, above) if drawn else 0
        return self._known[number]

    def _of_glyphs(self, font: int, above: tuple[int, ...]) -> int:
        glyphs = self._named(self._document.xref_get_key(font, "CharProcs"))
        total = 0
        for glyph in glyphs.values():
            stream = self._stream(glyph)
            total += len(stream) + self._of_forms(font, stream, (*above, font))
            if total > self._limit:
                break
        return total

    def _stream(self, number: int) -> bytes:
        return self._document.xref_stream(number) or b""

    def _page_stream(self, number: int) -> bytes:
        kind, value = self._document.xref_get_key(number, "Contents")
        if kind not in ("xref", "array"):
            return b""
        if kind == "xref" and not self._document.xref_is_stream(int(value.split()[0])):
            value = self._written((kind, value))  # a list of streams that is an object of its own
        parts = [self._stream(int(part)) for part in _REFERENCE.findall(value)]
        return b"\n".join(parts)

    def _forms(self, number: int) -> dict[str, int]:
        """Names of the forms an object may draw, with their numbers; pictures are left out."""
        forms: dict[str, int] = {}
        for name, found in self._named(self._resources(number, "XObject")).items():
            if self._document.xref_get_key(found, "Subtype")[1] == "/Form":
                forms[name] = found
        return forms

    def _resources(self, number: int, name: str) -> tuple[str, str]:
        """The dictionary of an object's forms or fonts; a page without one has that of its parents."""
        for _ in range(_MAX_PARENTS):
            kind, value = self._document.xref_get_key(number, f"Resources/{name}")
            parent_kind, parent = self._document.xref_get_key(number, "Parent")
            if kind != "null" or parent_kind != "xref":
                return kind, value
            number = int(parent.split()[0])
        return "null", ""

    def _named(self, dictionary: tuple[str, str]) -> dict[str, int]:
        """Names and numbers of the objects in a dictionary (kind, value), which may itself be an object."""
        return {name: int(number) for name, number in _NAMED_REFERENCE.findall(self._written(dictionary))}

    def _written(self, dictionary: tuple[str, str]) -> str:
        """The text of a dictionary (kind, value), which may itself be an object."""
        kind, value = dictionary
        if kind == "xref":
            value = self._document.xref_object(int(value.split()[0]))
        return value or ""
