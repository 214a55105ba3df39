"""Fonts that do not say which letters they draw: what each of their numbers stands for, learned from a few lines.

A font numbers its letters alike on all pages, and mostly in their order. So the pages with most of its numbers are read
as pictures, their lines are laid beside the numbers printed there, and the other pages are spelled out by what was
learned. Numbers that these pages lack are learned from single lines of others; a page with one that nothing is known of
even then is read as a picture too.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import NamedTuple

from ...core.anchor import Box, bounding_box, holds_middle
from ...core.records import dataclass
from ...core.sequences import without
from ..limits import Deadline
from . import ocr
from .backend import Letter, PdfFile, Word

_AT_A_TIME = 4
"""Ciphered pages that are recognised before the others are tried."""
_LINES_A_NUMBER = 4
"""Lines from which a number is learned that those pages do not tell."""
_LEAST_SEEN = 2
_LEAST_SHARE = 0.7
"""Share of a number's places in which one letter was recognised: slips of recognition are spread over others."""
_FONT_KNOWN = 12
"""Numbers of a font that all stand for themselves, from which its others do as well: the font tells its letters."""
_GAP = 0.25
"""Space between two letters, as a share of their size, from which they belong to two words."""
_UNKNOWN = "\0"
_MOST_UNKNOWN = 0.3
"""Share of a line's letters that may be unknown where it is laid beside a recognised one of another length."""
_DIGITS = frozenset("0123456789")
_ALONE = 0.95
"""Share of a mark's neighbours that are blanks or far away."""
_PRINTED = 0.9
"""Share of the letters and digits seen on a page from which its own letters are the whole of it."""
_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
_MARK = "\u2022"
_EDGE = 2.0
"""Points by which the box of a recognised line may be too narrow."""

Number = tuple[str, str]
"""A font and one of its numbers, given as the character of that number."""


class PrintedNumbers(NamedTuple):
    """The numbers of a line of a page, each once, and where they stand."""

    numbers: frozenset[Number]
    box: Box


@dataclass(slots=True)
class CipherKey:
    """What the numbers of a file's fonts stand for, as far as pages were recognised."""

    _votes: defaultdict[Number, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _letters: dict[Number, str] = field(default_factory=dict)
    _known_in: dict[str, frozenset[str]] = field(default_factory=dict)
    """Font -> the letters that are known of it."""
    _plain_fonts: set[str] = field(default_factory=set)
    _beside: defaultdict[Number, Counter[Number | None]] = field(default_factory=lambda: defaultdict(Counter))
    """What stands before or behind a number, and how often; None: nothing near."""

    def note(self, printed: Sequence[Letter]) -> list[PrintedNumbers]:
        """The lines of a page; notes what its numbers stand beside."""
        lines: list[PrintedNumbers] = []
        for line in _lines_of(printed):
            numbers = frozenset(letter.key for letter in line)
            lines.append(PrintedNumbers(numbers, bounding_box([letter.box for letter in line])))
            for before, letter in pairwise(line):
                touches = not _is_apart(before, letter)
                self._beside[before.key][letter.key if touches else None] += 1
                self._beside[letter.key][before.key if touches else None] += 1
            self._beside[line[0].key][None] += 1
            self._beside[line[-1].key][None] += 1
        return lines

    def learn(self, printed: Sequence[Letter], recognised: Sequence[Word]) -> None:
        """Lay the recognised lines of a page beside what is printed there, first those that have as many letters."""
        lines: list[tuple[list[Number], str]] = []
        for _, words in groupby(recognised, key=lambda word: word.line):
            line = list(words)
            text = _plain(" ".join(word.text for word in line))
            below = [letter.key for letter in _letters_in(printed, line)]
            if len(below) != len(text):
                lines.append((below, text))
                continue
            for number, letter in zip(below, text, strict=True):
                self._votes[number][letter] += 1
        self._settle()
        for below, text in lines:
            self._learn_between(below, text)
        self._settle()

    def _learn_between(self, below: Sequence[Number], text: str) -> None:
        """What stands between known letters: recognition drops blanks and marks, and puts blanks around others."""
        numbers = [number for number in below if self._meaning(number) != " "]
        said = text.replace(" ", "")
        known = "".join((self._meaning(number) or _UNKNOWN)[0] for number in numbers)
        if known.count(_UNKNOWN) > _MOST_UNKNOWN * len(known):
            return
        for change, start, end, other, last in SequenceMatcher(None, known, said, autojunk=False).get_opcodes():
            if change == "replace" and end - start == last - other:
                for number, letter in zip(numbers[start:end], said[other:last], strict=True):
                    if self._meaning(number) is None:
                        self._votes[number][letter] += 1

    def unknown(self, numbers: Iterable[Number]) -> set[Number]:
        """Those of the numbers of which nothing certain was learned."""
        return {number for number in numbers if self._meaning(number) is None}

    def words(self, printed: Sequence[Letter]) -> tuple[Word, ...]:
        """The words of a page whose numbers are all known, in the order in which they are drawn."""
        found: list[Word] = []
        for line in _lines_of(printed):
            found += map(self._word, self._cut(line))
        return tuple(found)

    def _settle(self) -> None:
        by_font: defaultdict[str, dict[int, Counter[str]]] = defaultdict(dict)
        for (font, number), votes in self._votes.items():
            by_font[font][ord(number)] = votes
        self._letters, self._plain_fonts, self._known_in = {}, set(), {}
        for font, of_font in by_font.items():
            letters = _letters_of(of_font)
            self._letters |= {(font, chr(number)): letter for number, letter in letters.items()}
            self._known_in[font] = frozenset(letters.values())
            if len(letters) >= _FONT_KNOWN and all(chr(number) == letter for number, letter in letters.items()):
                self._plain_fonts.add(font)

    def _meaning(self, number: Number) -> str | None:
        font, code = number
        if font in self._plain_fonts:
            return code
        return self._letters.get(number) or (_MARK if self._is_mark(number) else None)

    def _is_mark(self, number: Number) -> bool:
        """True for a mark before items of a list: it stands alone, in a font whose digits are all known."""
        if not self._known_in.get(number[0], frozenset()) >= _DIGITS:
            return False
        beside = self._beside[number]
        alone = sum(count for one, count in beside.items() if one is None or self._letters.get(one) == " ")
        return alone >= _ALONE * beside.total()

    def _cut(self, letters: Sequence[Letter]) -> Iterator[list[Letter]]:
        """The letters of each word of a line."""
        word: list[Letter] = []
        for letter in letters:
            is_blank = (self._meaning(letter.key) or "").isspace()
            if word and (is_blank or _is_apart(word[-1], letter)):
                yield word
                word = []
            if not is_blank:
                word.append(letter)
        if word:
            yield word

    def _word(self, letters: Sequence[Letter]) -> Word:
        first = letters[0]
        text = "".join(self._meaning(letter.key) or "" for letter in letters)
        box = bounding_box([letter.box for letter in letters])
        return Word(text, box, first.size, first.bold, first.block, first.line, first.italic)


def _lines_of(printed: Sequence[Letter]) -> list[list[Letter]]:
    return [list(line) for _, line in groupby(printed, key=lambda letter: (letter.block, letter.line))]


def _is_apart(before: Letter, letter: Letter) -> bool:
    """True for a letter further on, or back at the left: a mark that is drawn after its line."""
    gap = letter.box[0] - before.box[2]
    return gap > _GAP * letter.size or gap < -letter.size


def _letter_count(words: Sequence[Word]) -> int:
    return sum(map(str.isalnum, "".join(word.text for word in words)))


def _plain(text: str) -> str:
    """Compatibility forms folded, quotation marks straight: recognition gives now one form, now another."""
    return unicodedata.normalize("NFKC", text).translate(_QUOTES)


def _letters_of(votes: Mapping[int, Counter[str]]) -> dict[int, str]:
    """What the numbers of a font stand for: what was recognised often, and what its order leaves no choice about."""
    letters: dict[int, str] = {}
    for number, own in votes.items():
        (letter, count), *_ = own.most_common(1)
        if count >= _LEAST_SEEN and count >= _LEAST_SHARE * own.total():
            letters[number] = letter
    if not _is_in_order(letters):
        return letters
    for number, own in votes.items():
        if number not in letters and len(own) == 1 and _lies_between(number, next(iter(own)), letters):
            letters[number] = next(iter(own))
    return letters | _filled(letters)


def _is_in_order(letters: Mapping[int, str]) -> bool:
    """True for a font that numbers its letters and digits in the order of their codes, as most do."""
    codes = [ord(letter) for _, letter in sorted(letters.items()) if letter.isascii() and letter.isalnum()]
    return len(codes) >= _FONT_KNOWN and all(a < b for a, b in pairwise(codes))


def _lies_between(number: int, letter: str, letters: Mapping[int, str]) -> bool:
    """True for a letter that its place in the order allows: once recognised is enough then."""
    known = [(at, one) for at, one in letters.items() if one.isascii() and one.isalnum()]
    before = max((one for at, one in known if at < number), default="")
    behind = min((one for at, one in known if at > number), default="\x7f")
    return letter.isascii() and before < letter < behind


def _filled(letters: Mapping[int, str]) -> dict[int, str]:
    """The letters of the numbers between two known ones that are as many apart as their letters.

    >>> _filled({5: "a", 8: "d", 9: "f"})
    {6: 'b', 7: 'c'}
    """
    found: dict[int, str] = {}
    known = sorted((number, ord(letter)) for number, letter in letters.items() if letter.isascii())
    for (low, first), (high, last) in pairwise(known):
        if high - low == last - first:
            found |= {number: chr(first + number - low) for number in range(low + 1, high)}
    return found


def most_telling(pages: Mapping[int, set[Number]], count: int) -> list[int]:
    """Up to ``count`` of the pages, each with the most numbers that those chosen before it have not.

    A number counts for as many pages as have it.

    >>> most_telling({1: {("A", "1")}, 2: {("A", "1"), ("A", "2")}, 3: {("A", "3")}}, 2)
    [2, 3]
    """
    left = dict(pages)
    weights = Counter(number for numbers in pages.values() for number in numbers)
    chosen: list[int] = []
    seen: set[Number] = set()

    def new_on(page: int) -> tuple[int, int]:
        return sum(weights[number] for number in left[page] - seen), -page

    while left and len(chosen) < count:
        best = max(left, key=new_on)
        seen |= left.pop(best)
        chosen.append(best)
    return chosen


def _letters_in(printed: Sequence[Letter], line: Sequence[Word]) -> list[Letter]:
    """The letters whose middles lie in the box of a recognised line, from left to right."""
    x0, y0, x1, y1 = bounding_box([word.box for word in line])
    around = (x0 - _EDGE, y0, x1 + _EDGE, y1)
    inside = [letter for letter in printed if holds_middle(around, letter.box)]
    return sorted(inside, key=lambda letter: letter.box[0])


@dataclass(slots=True)
class PagesRead:
    """What was read of pages without words of their own."""

    recognised: ocr.Recognised
    deciphered: dict[int, tuple[Word, ...]] = field(default_factory=dict)
    """Page -> its words, written out by the letters that were learned; some of these pages were recognised as well."""

    @property
    def words(self) -> dict[int, tuple[Word, ...]]:
        """Page -> its words: as deciphered, but for pages that were recognised and print much more in pictures."""
        recognised = self.recognised.words
        spelled = {
            page: words
            for page, words in self.deciphered.items()
            if _PRINTED * _letter_count(recognised.get(page, ())) <= _letter_count(words)
        }
        return recognised | spelled

    @property
    def note(self) -> str:
        """One line for the report."""
        further = len(self.deciphered.keys() - self.recognised.words.keys())
        if not further:
            return self.recognised.note
        return f"{self.recognised.note}; the letters learned there spell out {further} more, whose fonts tell none"


def read_pages(
    file: PdfFile,
    pictures: Sequence[int],
    ciphers: Sequence[int],
    deadline: Deadline,
    done: Callable[[int], None] | None = None,
) -> PagesRead:
    """Recognise pictures, and as many of the ciphered pages as it takes to read the others by their letters.

    ``done`` is called with how many pages are read. Raises DocumentError where the deadline is over.
    """
    key = CipherKey()
    lines = {page: key.note(file.letters(page)) for page in ciphers}
    printed = {page: found for page, found in lines.items() if found}
    recogniser = _Recogniser(file, deadline, done)
    recogniser.read([*pictures, *without(ciphers, printed)])
    _learn(key, printed, recogniser)
    result = PagesRead(recogniser.found)
    for page, found in printed.items():
        if not key.unknown(_numbers_in(found)):
            deadline.check()
            result.deciphered[page] = key.words(file.letters(page))
    if done:
        done(len(pictures) + len(ciphers))
    return result


@dataclass(slots=True)
class _Recogniser:
    """Reads pages of a file as pictures, some at a time, and keeps what it has read."""

    file: PdfFile
    deadline: Deadline
    done: Callable[[int], None] | None
    found: ocr.Recognised = field(default_factory=ocr.Recognised)

    def read(self, pages: Sequence[int]) -> None:
        if not pages:
            return
        before = len(self.found.words)
        done = self.done
        counted = None if done is None else lambda read: done(before + read)
        read = ocr.recognise(self.file, pages, self.deadline, counted)
        self.found.words |= read.words
        self.found.certainty += read.certainty

    def read_lines(self, lines: Mapping[int, Sequence[Box]]) -> dict[int, tuple[Word, ...]]:
        """The words of these lines; what they say of the fonts is kept, not they."""
        return ocr.recognise_lines(self.file, lines, self.deadline)


def _learn(key: CipherKey, printed: Mapping[int, Sequence[PrintedNumbers]], recogniser: _Recogniser) -> None:
    """Have pages and lines recognised until every other page can be read by the key, and the rest as pictures."""
    batch = most_telling({page: _numbers_in(lines) for page, lines in printed.items()}, _AT_A_TIME)
    recogniser.read(batch)
    for page in batch:
        key.learn(recogniser.file.letters(page), recogniser.found.words.get(page, ()))
    waiting = {page: lines for page, lines in printed.items() if page not in batch}
    chooser = LineChooser()
    while waiting := {page: lines for page, lines in waiting.items() if key.unknown(_numbers_in(lines))}:
        chosen = chooser.choose(waiting, key)
        if not chosen:
            break
        for page, words in recogniser.read_lines(chosen).items():
            key.learn(recogniser.file.letters(page), words)
    recogniser.read(list(waiting))


@dataclass(slots=True)
class LineChooser:
    """Chooses lines that tell unknown numbers, each line once."""

    _tried: Counter[Number] = field(default_factory=Counter)
    """Number -> the lines in which it was looked for."""
    _chosen: set[tuple[int, Box]] = field(default_factory=set)

    def choose(self, pages: Mapping[int, Sequence[PrintedNumbers]], key: CipherKey) -> dict[int, list[Box]]:
        """Page -> the boxes of more lines with unknown numbers, up to four of each number over all calls.

        Lines with most of them come first.
        """
        wanted = [(page, line.box, key.unknown(line.numbers)) for page, lines in pages.items() for line in lines]
        found: defaultdict[int, list[Box]] = defaultdict(list)
        for page, box, unknown in sorted(wanted, key=lambda one: -len(one[2])):
            is_new = (page, box) not in self._chosen
            if is_new and any(self._tried[number] < _LINES_A_NUMBER for number in unknown):
                self._chosen.add((page, box))
                self._tried.update(unknown)
                found[page].append(box)
        return dict(sorted(found.items()))


def _numbers_in(lines: Iterable[PrintedNumbers]) -> set[Number]:
    return set().union(*(line.numbers for line in lines))
