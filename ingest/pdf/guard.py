"""What a page would cost to draw, reckoned before it is drawn: MuPDF cannot be interrupted once it has begun."""

from __future__ import annotations

import re
from typing import Any

_DRAW = re.compile(rb"/([^\s/<>\[\]()]+)\s+Do\b")
_REFERENCE = re.compile(r"/([^\s/<>\[\]()]+)\s+(\d+)\s+0\s+R")

_MAX_PARENTS = 16

MAX_OPERATORS = 12_000_000
"""Bytes of drawing operators: about 600,000 words, or five seconds of work. A full page of a filing has 50,000."""


def drawing_cost(
    document: Any, xref: int, page: bool, limit: int = MAX_OPERATORS, known: dict[int, int] | None = None
) -> int:
    """Bytes of operators that drawing object ``xref`` runs through, a form counted as often as it is drawn.

    Glyphs that are drawings themselves (Type 3 fonts) count once each. Forms that draw themselves, or nest more than 40
    deep, cost more than any limit. ``known`` keeps the cost of what pages share.
    """
    return _cost(document, xref, page, limit, {} if known is None else known, ())


def _cost(document: Any, xref: int, page: bool, limit: int, known: dict[int, int], above: tuple[int, ...]) -> int:
    if xref in above or len(above) > 40:
        return limit + 1
    if xref not in known:
        stream = _page_stream(document, xref) if page else (document.xref_stream(xref) or b"")
        total = len(stream)
        if total <= limit and b" Do" in stream:
            total += _forms_cost(document, xref, stream, limit, known, (*above, xref))
        if total <= limit and b"Tf" in stream:
            fonts = _references(document, *_resource(document, xref, "Font"))
            total += sum(_font_cost(document, font, limit, known, (*above, xref)) for font in fonts.values())
        known[xref] = total
    return known[xref]


def _font_cost(document: Any, xref: int, limit: int, known: dict[int, int], above: tuple[int, ...]) -> int:
    """Of a font whose glyphs are drawn by operators; all others cost nothing."""
    if xref in above:
        return limit + 1
    if xref not in known:
        known[xref] = 0
        if document.xref_get_key(xref, "Subtype")[1] == "/Type3":
            glyphs = _references(document, *document.xref_get_key(xref, "CharProcs")).values()
            for stream in (document.xref_stream(glyph) or b"" for glyph in glyphs):
                known[xref] += len(stream) + _forms_cost(document, xref, stream, limit, known, (*above, xref))
                if known[xref] > limit:
                    break
    return known[xref]


def _forms_cost(
    document: Any, xref: int, stream: bytes, limit: int, known: dict[int, int], above: tuple[int, ...]
) -> int:
    forms = _forms(document, xref)
    total = 0
    for name in _DRAW.findall(stream):
        form = forms.get(name.decode("latin-1"))
        if form is not None:
            total += _cost(document, form, False, limit, known, above)
        if total > limit:
            break
    return total


def _page_stream(document: Any, xref: int) -> bytes:
    kind, value = document.xref_get_key(xref, "Contents")
    if kind not in ("xref", "array"):
        return b""
    parts = (int(number) for number in re.findall(r"(\d+)\s+0\s+R", value))
    return b"\n".join(document.xref_stream(part) or b"" for part in parts)


def _forms(document: Any, xref: int) -> dict[str, int]:
    """Names of the forms an object may draw, with their numbers; pictures are left out."""
    found = _references(document, *_resource(document, xref, "XObject"))
    return {name: number for name, number in found.items() if document.xref_get_key(number, "Subtype")[1] == "/Form"}


def _references(document: Any, kind: str, value: str) -> dict[str, int]:
    """Names and numbers of the objects in a dictionary, which may itself be an object."""
    if kind == "xref":
        value = document.xref_object(int(value.split()[0]))
    return {name: int(number) for name, number in _REFERENCE.findall(value or "")}


def _resource(document: Any, xref: int, name: str) -> tuple[str, str]:
    """The dictionary of an object's forms or fonts; a page without one has that of its parents."""
    for _ in range(_MAX_PARENTS):
        kind, value = document.xref_get_key(xref, f"Resources/{name}")
        parent_kind, parent = document.xref_get_key(xref, "Parent")
        if kind != "null" or parent_kind != "xref":
            return kind, value
        xref = int(parent.split()[0])
    return "null", ""
