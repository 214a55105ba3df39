"""Names of documents for people to read."""

from __future__ import annotations

from collections.abc import Iterable


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
