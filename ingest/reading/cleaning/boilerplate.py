"""What filings and reports say alike: disclaimers, cover sentences, contacts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ....core.rules import load_rules
from .patterns import CLEANING

_SHORTEST_DISCLAIMER = 60
_LONGEST_TITLE = 120
_LONGEST_CONTACT_LINE = 90
_LINES_BETWEEN_CONTACTS = 3
"""Names and addresses may stand between two telephone numbers; more lines than these end the block."""


def boilerplate_rule(text: str, *, on_cover: bool, in_disclaimer: bool = False) -> str:
    """The name of the rule by which a paragraph is boilerplate; "" for one that is not.

    ``on_cover`` is true on the first pages, where filings print their check-mark sentences, ``in_disclaimer`` under
    the title of a disclaimer.
    """
    if on_cover and is_cover_boilerplate(text):
        return "cover boilerplate"
    if in_disclaimer or is_disclaimer(text):
        return "disclaimer"
    return ""


def is_disclaimer(text: str) -> bool:
    """True for a paragraph that limits liability and says nothing about the company."""
    if len(text) <= _SHORTEST_DISCLAIMER:
        return False
    lower = text.lower()
    has_word = any(word in lower for word in _disclaimer_words())
    return has_word and CLEANING.any("disclaimer", text)


@cache
def _disclaimer_words() -> tuple[str, ...]:
    """Words in lower case of which every disclaimer has one: looking for them is quicker than the patterns."""
    return tuple(load_rules(__package__, "cleaning.toml")["disclaimer"]["words"])


def is_disclaimer_title(text: str) -> bool:
    """True for a heading whose section is a disclaimer ("Safe Harbor", 免责声明)."""
    return len(text) < _LONGEST_TITLE and CLEANING.any("disclaimer_title", text.strip(" :：.•*"))


def is_cover_boilerplate(text: str) -> bool:
    """True for the check-mark sentences on the first pages of SEC filings."""
    return CLEANING.any("cover_boilerplate", text.strip())


def contact_block(texts: Sequence[str], start: int, reach: int = 10) -> int:
    """Lines from ``start`` that form a contact block: a title with telephone numbers or addresses below; 0 if none.

    ``reach`` is the most lines that are looked at.

    >>> contact_block(["Investor Contact:", "Jane Doe", "jane@acme.com", "Sales rose."], 0)
    3
    """
    title, *following = texts[start : start + reach]
    if not CLEANING.any("contact_title", title.strip()):
        return 0
    length = int(CLEANING.any("contact_line", title))
    for count, text in enumerate(following, start=2):
        if len(text) > _LONGEST_CONTACT_LINE:
            break
        if CLEANING.any("contact_line", text):
            length = count
        elif length and count - length > _LINES_BETWEEN_CONTACTS:
            break
    return length
