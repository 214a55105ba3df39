"""Pages of printed contents: titles followed by page numbers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from .patterns import pattern

_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|·{4,}|_{5,}\s*\d{1,3}\s*$")
_ENDS_IN_PAGE = re.compile(r"^(?=.*[^\W\d_]{3}).{3,110}?[\s.…·_]([A-Z]-)?\d{1,3}$")


def is_contents_page(texts: Sequence[str]) -> bool:
    """True for a page whose lines are mostly titles followed by page numbers.

    More than half of the lines with letters end in a page number or carry dot leaders, six at least; a page that calls
    itself "Table of Contents" needs a third.
    """
    words = [text for text in texts if any(map(str.isalpha, text))]
    entries = sum(is_contents_entry(text) for text in words)
    leaders = sum(bool(_LEADER.search(text)) for text in words)
    titled = any(pattern("contents_title").match(text.strip()) for text in texts[:12])
    needed = 0.3 if titled else 0.55
    return leaders >= max(4, 0.4 * len(words)) or (
        entries >= 6 and entries >= needed * len(words) and _ascending(words)
    )


def is_raw_contents_page(texts: Sequence[str]) -> bool:
    """The same for raw page text, in which titles and page numbers stand on lines of their own.

    >>> is_raw_contents_page("Contents|Item 1.|Business|3|Item 2.|Sites|9|Item 3.|Legal|9|Item 4.|Mines|9".split("|"))
    True
    """
    numbers = [int(text) for text in texts if re.fullmatch(r"\d{1,3}", text.strip())]
    falls = sum(after < before for before, after in itertools.pairwise(numbers))
    if len(numbers) < 4 or falls > max(1, 0.15 * len(numbers)):
        return False
    items = sum(bool(re.match(r"(item|part|note)\s+\w{1,3}\b", text.strip(), re.IGNORECASE)) for text in texts)
    titled = any(pattern("contents_title").match(text.strip()) for text in texts[:12])
    return len(numbers) >= (0.15 if titled else 0.25) * len(texts) and items >= (2 if titled else 6)


def is_contents_entry(text: str) -> bool:
    """True for a title with a page number at its end.

    >>> [is_contents_entry(text) for text in ("Item 1A. Risk Factors 17", "第一节 释义 ........ 4", "17")]
    [True, True, False]
    """
    return bool(_ENDS_IN_PAGE.match(text.strip()))


def _ascending(texts: Sequence[str]) -> bool:
    """True where the numbers at the ends of lines hardly ever fall: page numbers do, values do not."""
    numbers = [int(match[1]) for text in texts if (match := re.search(r"(\d{1,3})$", text.strip()))]
    falls = sum(after < before for before, after in itertools.pairwise(numbers))
    return falls <= max(1, 0.15 * len(numbers))
