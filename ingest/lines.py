"""Logical lines: printed lines of raw text put together again as paragraphs and as rows of a table."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .chunk import Break

_NEWLINE = re.compile(r"\s*\n\s*")
_ESCAPED = re.compile(r"(?:\s*(?:\\r)?\\n\s*)+|\s*\n\s*")
_RECORD = re.compile(r"(?<=['\"])\s*\},(?=\s*\{['\"])")
"""Between two records of a text dumped as JSON or a Python literal."""
VALUE = re.compile(
    r"[$€£¥￥(（\[+−–—-]*\d[\d,，.]*[)）\]%％x†*]*|[$€£¥￥%％)）—–−-]+|\(\d{1,2}\)|n/?[am]|不适用", re.IGNORECASE
)
"""A word that is a number, a dash or a sign: the content of a cell."""
_ITEM = re.compile(
    r"[•●○▪■◆►*·‣-]\s|\(?[a-z0-9]{1,3}[.)]\s|[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]"
    r"|item\s+\d|note\s+\d|[|#]|第[一二三四五六七八九十\d]+[章节条]",
    re.IGNORECASE,
)
_CJK = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_SENTENCE_END = tuple(".!?。！？:：;；")
_NARROWEST, _WIDEST = 40, 250
"""Widths between which lines are taken for wrapped prose: shorter are cells, longer are whole paragraphs."""
_FULL = 0.75
"""A line this full of its neighbours' width has been wrapped."""
_NEIGHBOURS = 4
_LONGEST_ROW = 300


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """``text[start:end]`` without outer blanks, and what stands before it."""

    start: int
    end: int
    before: Break


def width(text: str) -> int:
    """Printed width: a Chinese character is as wide as two Latin letters.

    >>> width("单位:元"), width("unit")
    (7, 4)
    """
    return len(text) if text.isascii() else len(text) + len(_CJK.findall(text))


def logical_lines(text: str, start: int = 0, end: int | None = None) -> list[LogicalLine]:
    """Join wrapped prose and, to its label, every line of nothing but values; all non-blank characters are kept.

    >>> raw = "Total revenue\\n1,234\\n1,100\\nCost of sales\\n(900)"
    >>> [raw[line.start:line.end].split() for line in logical_lines(raw)]
    [['Total', 'revenue', '1,234', '1,100'], ['Cost', 'of', 'sales', '(900)']]
    """
    printed = _printed_lines(text, start, len(text) if end is None else end)
    if len(printed) < 2:
        return printed
    lines = [text[line.start : line.end] for line in printed]
    widths = [width(line) for line in lines]
    joined = [printed[0]]
    for i in range(1, len(printed)):
        line = printed[i]
        if line.before < Break.PARAGRAPH and (
            _continues_row(lines[i - 1], lines[i], line.end - joined[-1].start) or _continues_prose(lines, widths, i)
        ):
            joined[-1] = LogicalLine(joined[-1].start, line.end, joined[-1].before)
        else:
            joined.append(line)
    return joined


def is_values(line: str) -> bool:
    """True for a line of numbers, dashes and signs only: table cells without their label.

    >>> is_values("$ (1,234) 12.5%"), is_values("Note 5")
    (True, False)
    """
    return all(VALUE.fullmatch(word) for word in line.split())


def _printed_lines(text: str, start: int, end: int) -> list[LogicalLine]:
    lines: list[LogicalLine] = []
    before = Break.PARAGRAPH
    for first, last, after in _line_ends(text, start, end):
        piece = text[first:last]
        stripped = piece.strip()
        if stripped:
            offset = first + piece.index(stripped[0])
            lines.append(LogicalLine(offset, offset + len(stripped), before))
            before = after
        else:
            before = max(before, after)
    return lines


def _line_ends(text: str, start: int, end: int) -> list[tuple[int, int, Break]]:
    """(start, end, break after) of every printed line; escaped line ends stay with the line before them."""
    escaped = text.count("\\n", start, end) > 4 and text.count("\\n", start, end) > 2 * text.count("\n", start, end)
    ends: list[tuple[int, int, Break]] = []
    first = start
    if not escaped:
        for match in _NEWLINE.finditer(text, start, end):
            ends.append((first, match.start(), _break_of(match.group().count("\n"))))
            first = match.end()
    else:
        breaks = _ESCAPED.finditer(text, start, end)
        cuts = [(m.end(), _break_of(m.group().count("\\n") + m.group().count("\n"))) for m in breaks]
        cuts += [(m.end(), Break.PARAGRAPH) for m in _RECORD.finditer(text, start, end)]
        for cut, after in sorted(cuts):
            ends.append((first, cut, after))
            first = cut
    ends.append((first, end, Break.PARAGRAPH))
    return ends


def _break_of(newlines: int) -> Break:
    return Break.LINE if newlines == 1 else Break.PARAGRAPH


def _continues_row(last: str, line: str, length: int) -> bool:
    """True for values under their label; a number after a full stop begins a footnote."""
    return length <= _LONGEST_ROW and not last.endswith((".", "。")) and is_values(line)


def _continues_prose(lines: list[str], widths: list[int], i: int) -> bool:
    """True where line ``i`` goes on with the sentence or paragraph of the line before."""
    last, line = lines[i - 1], lines[i]
    if _ITEM.match(line) or "|" in last or widths[i - 1] > _WIDEST or is_values(last):
        return False
    if line[0].islower() and not last.endswith(_SENTENCE_END) and last[:1].isupper():
        return True
    near = max(widths[max(0, i - _NEIGHBOURS) : i + _NEIGHBOURS])
    return _NARROWEST <= near <= _WIDEST and widths[i - 1] >= max(_NARROWEST, _FULL * near) and not _is_row(last)


def _is_row(line: str) -> bool:
    """True for a label with its values on one line."""
    words = line.split()
    return sum(1 for word in words if VALUE.fullmatch(word)) >= max(2, 0.3 * len(words))
