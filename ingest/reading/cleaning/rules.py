"""Cleaning rules on single lines and paragraphs. Each says what it found; the caller drops or marks, and counts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from ..block import PrintedLine
from .patterns import is_protected, pattern, words

_LEADER = re.compile(r"(\.\s?){4,}|…{2,}|·{4,}|_{5,}\s*\d{1,3}\s*$")
_ENDS_IN_PAGE = re.compile(r"^(?=.*[^\W\d_]{3}).{3,110}?[\s.…·_]([A-Z]-)?\d{1,3}$")
_STEPS = re.compile(r"^[($€£¥-]*\d[\d,.]*\s*[%xX倍)]*$")


def is_symbol_line(text: str) -> bool:
    """True for a line without a letter or digit; check boxes say something and stay.

    >>> is_symbol_line("______"), is_symbol_line("☒"), is_symbol_line("—")
    (True, False, True)
    """
    return not any(map(str.isalnum, text)) and not pattern("exempt_symbol").search(text)


def repeated_lines(lines: Sequence[PrintedLine]) -> list[int]:
    """Positions of lines that say again what the line just before said; numbers may repeat, text seldom does."""
    return [
        at
        for at in range(1, len(lines))
        if lines[at].text == lines[at - 1].text
        and sum(map(str.isalpha, lines[at].text)) >= 8
        and not is_protected(lines[at].text)
    ]


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


def is_caption(text: str) -> bool:
    """True for a chart's caption or source line."""
    return len(text) < 180 and bool(pattern("caption").match(text))


def axis_labels(texts: Sequence[str]) -> list[int]:
    """Positions of a chart's axis labels: four and more lines of single numbers in equal steps; years are none.

    >>> axis_labels(["Sales", "0%", "5%", "10%", "15%", "2021", "2020", "2019", "2018"])
    [1, 2, 3, 4]
    """
    values = [_axis_value(text) for text in texts]
    found: list[int] = []
    start = 0
    for at in range(1, len(values) + 1):
        if at < len(values) and _continues(values, start, at):
            continue
        if at - start >= 4:
            found += range(start, at)
        start = at
    return found


def _axis_value(text: str) -> float | None:
    stripped = text.strip()
    if not _STEPS.match(stripped):
        return None
    digits = re.sub(r"[^\d.]", "", stripped).strip(".")
    if not digits or digits.count(".") > 1 or re.fullmatch(r"(19|20)\d\d", digits):
        return None
    return -float(digits) if stripped[0] in "(-" else float(digits)


def _continues(values: Sequence[float | None], start: int, at: int) -> bool:
    here, before, first = values[at], values[at - 1], values[start]
    if here is None or before is None or first is None or here == before:
        return False
    if at - start < 2:
        return True
    second = values[start + 1]
    step = (second if second is not None else first) - first
    return abs((here - before) - step) <= 1e-6 * max(1.0, abs(step))
