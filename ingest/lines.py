"""Logical lines: printed lines of raw text put together again as paragraphs and as rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core.patterns import on_demand
from ..core.records import dataclass
from .chunk import Break

_NEWLINE = on_demand(r"\n\s*")
_ESCAPED = on_demand(r"(?:\n|(?:\\r)?\\n)\s*(?:(?:\\r)?\\n\s*)*")
_RECORD = on_demand(r"(?<=['\"])\s*\},(?=\s*\{['\"])")
"""Between two records of a text dumped as JSON or a Python literal."""
VALUE = on_demand(
    r"[$€£¥￥(（\[+−–—-]*\d[\d,，.]*[)）\]%％x†*]*|[$€£¥￥%％)）—–−-]+|\(\d{1,2}\)|n/?[am]|不适用", re.IGNORECASE
)
"""A word that is a number, a dash or a sign: the content of a cell."""
_ITEM = on_demand(
    r"[•●○▪■◆►*·‣-]\s|\(?[a-z0-9]{1,3}[.)]\s|[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]"
    r"|item\s+\d|note\s+\d|[|#]|第[一二三四五六七八九十\d]+[章节条]",
    re.IGNORECASE,
)
_CJK = on_demand("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
_SENTENCE_END = tuple(".!?。！？:：;；")
_NARROWEST, _WIDEST = 40, 250
"""Widths between which lines are taken for wrapped prose: shorter are cells, longer are whole paragraphs."""
_FULL = 0.75
"""A line this full of its neighbours' width has been wrapped."""
_NEIGHBOURS = 4
_LONGEST_ROW = 300


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """``text[start:end]`` without outer blanks, and the break before it."""

    start: int
    end: int
    before: Break


def width(text: str) -> int:
    """Printed width: a Chinese character is as wide as two Latin letters.

    >>> width("单位:元"), width("unit")
    (7, 4)
    """
    if text.isascii():
        return len(text)
    return len(text) + len(_CJK.findall(text))


def logical_lines(text: str, start: int = 0, end: int | None = None) -> list[LogicalLine]:
    """Join wrapped prose and, to its label, every line of nothing but values; all non-blank characters are kept.

    >>> raw = "Total revenue\\n1,234\\n1,100\\nCost of sales\\n(900)"
    >>> [raw[line.start:line.end].split() for line in logical_lines(raw)]
    [['Total', 'revenue', '1,234', '1,100'], ['Cost', 'of', 'sales', '(900)']]
    """
    printed = _printed_lines(text, start, len(text) if end is None else end)
    lines = [text[line.start : line.end] for line in printed]
    widths = list(map(width, lines))
    joined = printed[:1]
    for i in range(1, len(printed)):
        line, last = printed[i], joined[-1]
        length = line.end - last.start
        may_join = line.before < Break.PARAGRAPH
        if may_join and (_continues_row(lines[i - 1], lines[i], length) or _continues_prose(lines, widths, i)):
            joined[-1] = LogicalLine(last.start, line.end, last.before)
        else:
            joined.append(line)
    return joined


def is_values(line: str) -> bool:
    """True for a line of numbers, dashes and signs only: table cells without their label.

    >>> is_values("$ (1,234) 12.5%"), is_values("Note 5")
    (True, False)
    """
    return all(map(VALUE.fullmatch, line.split()))


def _printed_lines(text: str, start: int, end: int) -> list[LogicalLine]:
    lines: list[LogicalLine] = []
    before = Break.PARAGRAPH
    for first, last, after in _line_ends(text, start, end):
        piece = text[first:last]
        words = piece.strip()
        if not words:
            before = max(before, after)
            continue
        offset = first + piece.index(words[0])
        lines.append(LogicalLine(offset, offset + len(words), before))
        before = after
    return lines


def _line_ends(text: str, start: int, end: int) -> list[tuple[int, int, Break]]:
    """(start, end, break after) of every printed line; escaped line ends stay with the line before them."""
    line_ends = _escaped_line_ends if _is_escaped(text, start, end) else _plain_line_ends
    ends: list[tuple[int, int, Break]] = []
    first = start
    for last, following, after in line_ends(text, start, end):
        ends.append((first, last, after))
        first = following
    ends.append((first, end, Break.PARAGRAPH))
    return ends


def _is_escaped(text: str, start: int, end: int) -> bool:
    """True where most line ends are written as a backslash and an n."""
    written = text.count("\\n", start, end)
    return written > max(4, 2 * text.count("\n", start, end))


def _plain_line_ends(text: str, start: int, end: int) -> Iterator[tuple[int, int, Break]]:
    """(end of a line, start of the next, break between them)."""
    for match in _NEWLINE.finditer(text, start, end):
        yield match.start(), match.end(), _break_of(match.group().count("\n"))


def _escaped_line_ends(text: str, start: int, end: int) -> Iterator[tuple[int, int, Break]]:
    """The same; a line ends with what escapes its end."""
    cuts: list[tuple[int, Break]] = []
    for match in _ESCAPED.finditer(text, start, end):
        newlines = match.group().count("\\n") + match.group().count("\n")
        cuts.append((match.end(), _break_of(newlines)))
    for match in _RECORD.finditer(text, start, end):
        cuts.append((match.end(), Break.PARAGRAPH))
    for cut, after in sorted(cuts):
        yield cut, cut, after


def _break_of(newlines: int) -> Break:
    return Break.LINE if newlines == 1 else Break.PARAGRAPH


def _continues_row(last: str, line: str, length: int) -> bool:
    """True for values under their label; a number after a full stop begins a footnote."""
    if length > _LONGEST_ROW or last.endswith((".", "。")):
        return False
    return is_values(line)


def _continues_prose(lines: list[str], widths: list[int], i: int) -> bool:
    """True where line ``i`` goes on with the sentence or paragraph of the line before."""
    last, line = lines[i - 1], lines[i]
    if _ITEM.match(line) or "|" in last:
        return False
    if widths[i - 1] > _WIDEST or is_values(last):
        return False
    return _continues_sentence(last, line) or _is_wrapped(lines, widths, i - 1)


def _continues_sentence(last: str, line: str) -> bool:
    """True where a line begins in lower case and the one before has no end."""
    unfinished = not last.endswith(_SENTENCE_END)
    return unfinished and last[0].isupper() and line[0].islower()


def _is_wrapped(lines: list[str], widths: list[int], i: int) -> bool:
    """True for a line of prose that is about as wide as the widest near it: it ends there for lack of room."""
    widest_near = max(widths[max(0, i + 1 - _NEIGHBOURS) : i + 1 + _NEIGHBOURS])
    if not _NARROWEST <= widest_near <= _WIDEST:
        return False
    full = max(_NARROWEST, _FULL * widest_near)
    return widths[i] >= full and not _is_row(lines[i])


def _is_row(line: str) -> bool:
    """True for a label with its values on one line."""
    words = line.split()
    values = list(filter(VALUE.fullmatch, words))
    return len(values) >= max(2, 0.3 * len(words))
