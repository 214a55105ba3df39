"""What filings and reports say alike: disclaimers, cover sentences, contacts."""

from __future__ import annotations

from collections.abc import Sequence

from .patterns import pattern, words


def is_disclaimer(text: str) -> bool:
    """True for a paragraph that limits liability and says nothing about the company."""
    if len(text) <= 60:
        return False
    lower = text.lower()
    return any(word in lower for word in words("disclaimer")) and bool(pattern("disclaimer").search(text))


def is_disclaimer_title(text: str) -> bool:
    """True for a heading whose section is a disclaimer ("Safe Harbor", 免责声明)."""
    return len(text) < 120 and bool(pattern("disclaimer_title").match(text.strip(" :：.•*")))


def is_cover_boilerplate(text: str) -> bool:
    """True for the check-mark sentences on the first pages of SEC filings."""
    return bool(pattern("cover_boilerplate").match(text.strip()))


def contact_block(texts: Sequence[str], start: int, reach: int = 10) -> int:
    """Lines from ``start`` that form a contact block: a title with telephone numbers or addresses below; 0 if none.

    >>> contact_block(["Investor Contact:", "Jane Doe", "jane@acme.com", "Sales rose."], 0)
    3
    """
    if not pattern("contact_title").match(texts[start].strip()):
        return 0
    last = start if pattern("contact_line").search(texts[start]) else -1
    for at in range(start + 1, min(len(texts), start + reach)):
        if len(texts[at]) > 90:
            break
        if pattern("contact_line").search(texts[at]):
            last = at
        elif last >= 0 and at - last > 3:
            break
    return last - start + 1 if last >= start else 0
