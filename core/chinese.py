"""Traditional and simplified Chinese in one comparable form, the years of Taiwan's calendar in the common one, and
names in Latin letters beside the Chinese ones that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache, partial
from itertools import accumulate, islice, product

from .records import dataclass
from .rules import load_rules

_HAN = re.compile(r"[\u4e00-\u9fff\uff05\uff0d\uff0e\uff10-\uff19]")
_OF_FIGURES = {ord(wide): plain for wide, plain in zip("０１２３４５６７８９．－％", "0123456789.-%", strict=True)}
"""What figures are written with, as wide as a Chinese character."""
_MINGUO = 1911
"""What a year of the Republic (民國) lacks to the common era: 112 is 2023."""
_MINGUO_YEAR = re.compile(
    r"(?:民[國国]\s{0,3}(\d{2,3})(?=\s{0,3}年)|(?<![\d.,])(1[0-4]\d)(?=\s{0,3}年\s{0,3}(?:度|底|末|第|前|上半|下半|\d{1,2}\s{0,3}月)))"
)
"""A year of three digits is one only where a date or a reporting period follows: "100 年歷史" is a length of time."""
_SYLLABLES = re.compile(
    r"(?=.{4})(?:(?:[zcs]h|[bpmfdtnlgkhjqxrzcsyw])(?:i?(?:ang?|ao)|i?ong|[ei]ng?|u?ang?|uai|u[ino]|[ae]i|i[aeu]|[iuaoe]|ou|ua|ue)|"
    r"[ln]ve?|[ae]i|ao|ou|[ae]ng?|er|[aoe]){2,4}"
)
"""Two syllables of Mandarin or more, four letters ("Anta") at least."""
_PARTS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\]){0,1000}\]|[^\\\[]+|\[", re.DOTALL)
"""A regular expression as escapes, sets and what is between."""
_LONGEST_BRAND = 8
"""Characters of a Chinese name that may be spelt in pinyin."""


def simplified(text: str) -> str:
    """The text in simplified characters, one for one, so that places in it stay; other text comes back as it is.

    For comparing only: which of several traditional characters was meant is lost. Wide figures become narrow ones.

    >>> simplified("營業收入４．２億"), simplified("Revenue")
    ('营业收入4.2亿', 'Revenue')
    """
    if text.isascii() or not _HAN.search(text):
        return text
    return text.translate(_plain_forms())


def both_scripts(pattern: str) -> str:
    """A regular expression that finds what is written in either script, from one in simplified characters.

    >>> both_scripts("营业[收利]"), both_scripts("net sales")
    ('[营營][业業][收利]', 'net sales')
    """
    if pattern.isascii():
        return pattern
    return "".join(_widened(part) for part in _PARTS.findall(pattern))


def western_years(text: str) -> str:
    """The text with the years of Taiwan's calendar as those of the common era.

    >>> western_years("民國112年及111年9月30日"), western_years("100年歷史")
    ('2023年及2022年9月30日', '100年歷史')
    """
    return _MINGUO_YEAR.sub(_western, text) if "年" in text else text


_SPACED_OUT = re.compile(
    r"(?:(?:[\u4e00-\u9fff]|\d{1,3}|[\d\u4e00-\u9fff]{2})[ \u3000]{1,9}){4,60}[\d\u4e00-\u9fff]{1,2}"
)
_FEWEST_APART = 4
"""Characters set apart of a line that is spaced out: fewer may be heads of columns."""


def closed_up(line: str) -> str:
    """A line whose Chinese characters are set apart by blanks, as titles of statements are, without these.

    >>> closed_up("長 榮 海 運 股 份 有 限 公 司"), closed_up("1 1 1 年7 月1 日"), closed_up("資 產 負 債")
    ('長榮海運股份有限公司', '111年7月1日', '資 產 負 債')
    """
    text = line.strip()
    if not _SPACED_OUT.fullmatch(text):
        return line
    parts = text.split()
    apart = sum(len(part) == 1 for part in parts)
    return "".join(parts) if apart >= _FEWEST_APART else line


def _western(match: re.Match[str]) -> str:
    return str(int(match[1] or match[2]) + _MINGUO)


@lru_cache(maxsize=4096)
def _widened(part: str) -> str:
    """A part of a regular expression: in a set the other forms are added, elsewhere a character becomes a set."""
    variants = _variants()
    if part.startswith("\\"):
        return part
    if not part.startswith("["):
        return "".join(f"[{char}{variants[char]}]" if char in variants else char for char in part)
    inside = part[1:-1]
    added = "".join(variants.get(char, "") for char in inside)
    return f"[{inside}{added}]"


@cache
def _to_simplified() -> dict[int, str]:
    rules = load_rules(__package__, "chinese.toml")
    traditional, simple = ("".join(rules[script].split()) for script in ("traditional", "simplified"))
    return {ord(one): other for one, other in zip(traditional, simple, strict=True)}


@cache
def _plain_forms() -> dict[int, str]:
    return _to_simplified() | _OF_FIGURES


@cache
def _variants() -> dict[str, str]:
    """Simplified character -> the traditional ones that it stands for."""
    variants: dict[str, str] = {}
    for code, simple in _to_simplified().items():
        variants[simple] = variants.get(simple, "") + chr(code)
    return variants


@dataclass(frozen=True, slots=True)
class Transcription:
    """How much of a Latin name and of a Chinese one, both from their beginning, say the same.

    ``pinyin`` letters spell the first characters; with the words of business behind them ("Precision", 精密) it is
    ``letters`` and ``characters``.
    """

    pinyin: int
    letters: int
    characters: int


def may_be_pinyin(word: str) -> bool:
    """True for small letters that may be two syllables of Chinese or more; to look before pinyin is read.

    >>> may_be_pinyin("qingyuan"), may_be_pinyin("halvern"), may_be_pinyin("bolt")
    (True, False, False)
    """
    return _SYLLABLES.fullmatch(word) is not None


def transcription(latin: str, chinese: str) -> Transcription | None:
    """What a Latin name (small letters, no blanks) and a Chinese one have in common; None without two characters whose
    pinyin begins the Latin one.

    A character counts in each of its readings, and words of business in their translation.

    >>> transcription("qingyuanprecision", "清源精密股份")
    Transcription(pinyin=8, letters=17, characters=4)
    >>> transcription("hongyuanlithium", "弘源建材"), transcription("halvern", "哈文")
    (Transcription(pinyin=8, letters=8, characters=2), None)
    """
    return max(_transcriptions(latin, chinese), key=lambda fit: (fit.letters, fit.characters), default=None)


@lru_cache(maxsize=1 << 14)
def spellings(chinese: str) -> tuple[str, ...]:
    """All that a few Chinese characters may be in pinyin, to look before names are compared.

    >>> sorted(spellings("长江"))
    ['changjiang']
    """
    return tuple(map("".join, product(*_readings(chinese))))


def begins_with_business_word(latin: str) -> bool:
    """True for letters that begin with a word of business as names of companies have it: "precision"."""
    return latin.startswith(tuple(english for english, _ in _business_words()))


def _transcriptions(latin: str, chinese: str) -> Iterator[Transcription]:
    spelt = accumulate(_readings(chinese[:_LONGEST_BRAND]), partial(_next_ends, latin), initial=frozenset({0}))
    for characters, ends in islice(enumerate(spelt), 2, None):
        for end in ends:
            yield Transcription(end, *_translated(latin, end, chinese, characters))


def _next_ends(latin: str, starts: frozenset[int], readings: frozenset[str]) -> frozenset[int]:
    """Where a character ends in the Latin name that may begin at these places."""
    spelt = product(starts, readings)
    return frozenset(start + len(reading) for start, reading in spelt if _spells(latin, start, reading))


def _spells(latin: str, start: int, reading: str) -> bool:
    """True for a reading as it is or with "u" for ü: Lvdi and Ludi are both 绿地."""
    return latin.startswith((reading, reading.replace("v", "u")), start)


def _translated(latin: str, letters: int, chinese: str, characters: int) -> tuple[int, int]:
    """How far words of business go on saying the same in both names."""
    for english, word in _business_words():
        if latin.startswith(english, letters) and chinese.startswith(word, characters):
            return _translated(latin, letters + len(english), chinese, characters + len(word))
    return letters, characters


@lru_cache(maxsize=1 << 14)
def _readings(chinese: str) -> tuple[frozenset[str], ...]:
    """The pinyin of each character without tones (ü is v), in all its readings but where a known word decides."""
    from pypinyin import Style, pinyin  # .13 s of processor time, which few questions need

    return tuple(map(frozenset, pinyin(chinese, style=Style.NORMAL, heteronym=True)))


@cache
def _business_words() -> tuple[tuple[str, str], ...]:
    """English and Chinese words that say one thing in names of companies, the longest first."""
    found: list[tuple[str, str]] = []
    for pair in load_rules(__package__, "names.toml")["business_words"]["pairs"].split(";"):
        english, word = "".join(pair.split()).split(":")
        found += [(english, word), (f"{english}s", word)]
    return tuple(sorted(found, key=lambda pair: (-len(pair[0]), -len(pair[1]))))
