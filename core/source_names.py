"""Names of documents for people to read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from .anchor import Anchor


class Placed(Protocol):
    """Whatever stands somewhere in a document: a citation, a fact, a passage."""

    @property
    def page(self) -> int | None: ...

    @property
    def anchors(self) -> tuple[Anchor, ...]: ...


def short_name(source: str, known: Iterable[str]) -> str:
    """The shortest end of a source's path that no other of the known sources has; addresses stay whole.

    >>> short_name("/reports/acme/10-K.pdf", ["/reports/acme/10-K.pdf", "/reports/beta/10-K.pdf"])
    'acme/10-K.pdf'
    """
    if "://" in source:
        return source
    parts = source.split("/")
    others = [other for other in known if other != source and other.rpartition("/")[2] == parts[-1]]
    ends = ("/".join(parts[-count:]) for count in range(1, len(parts)))
    return next((end for end in ends if not any(f"/{other}".endswith(f"/{end}") for other in others)), source)


def at_page(name: str, page: int | str | None) -> str:
    """A document with the page, or the pages, where there are any.

    >>> at_page("a.pdf", 3), at_page("a.txt", None)
    ('a.pdf, page 3', 'a.txt')
    """
    return f"{name}, page {page}" if page else name


def place_name(item: Placed) -> str:
    """The name of the place on its page where it has one ("Income!B4", "slide 3"), else ""."""
    named = {anchor.page: anchor.place for anchor in reversed(item.anchors)}
    return named.get(item.page, "") if item.page else ""


def at_place(name: str, item: Placed) -> str:
    """A document with the place that is meant in it, as people look it up: cell, slide or time, else the page."""
    place = place_name(item)
    return f"{name}, {place}" if place else at_page(name, item.page)
