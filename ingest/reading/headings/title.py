"""What a title looks like, whatever its type."""

from __future__ import annotations

import re

_LONGEST = 130
"""Characters of a heading without a number of its own."""
_LONGEST_LEAD = 60
"""A longer line that ends in a colon leads in what follows."""
_MOST_NUMBERS = 2
_FEWEST_LETTERS = 2
_LETTER_SHARE = 0.5

_BEGINNING = re.compile(
    r"""
    (?! [(（] \d{1,2} [)）] \s* [A-Za-z] )   # no mark of a note: "(1) Includes leases"
    ["'“‘(（《【]? [A-Z0-9\u4e00-\u9fff]
    """,
    re.VERBOSE,
)
_SENTENCE_END = re.compile(r"[.,;，；。]$")
_NUMBER = re.compile(r"(?<![\w.])[$€£¥(]{0,4}\d[\d,.]*[)%]*(?!\w)")


def looks_like_title(text: str) -> bool:
    """True for a short text that begins and ends like a title and is mostly letters.

    >>> looks_like_title("Results of Operations"), looks_like_title("in 2023, sales rose"), looks_like_title("1,200")
    (True, False, False)
    """
    return all(holds(text) for holds in _SIGNS)


def ends_in_sentence(text: str) -> bool:
    """True for a text that ends like a sentence or a part of one, without regard to a colon."""
    return _SENTENCE_END.search(text) is not None


def _has_title_length(text: str) -> bool:
    return 2 <= len(text) <= _LONGEST


def _begins_like_title(text: str) -> bool:
    return _BEGINNING.match(text) is not None


def _ends_like_title(text: str) -> bool:
    return not ends_in_sentence(text)


def _does_not_lead_in(text: str) -> bool:
    return len(text) <= _LONGEST_LEAD or text[-1] not in ":："


def _is_mostly_letters(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    printed = len(text.replace(" ", ""))
    return letters >= max(_FEWEST_LETTERS, _LETTER_SHARE * printed)


def _has_few_numbers(text: str) -> bool:
    return len(_NUMBER.findall(text)) <= _MOST_NUMBERS


_SIGNS = (
    _has_title_length,
    _begins_like_title,
    _ends_like_title,
    _does_not_lead_in,
    _has_few_numbers,
    _is_mostly_letters,
)
"""All of them hold for a title; quick ones come first."""
