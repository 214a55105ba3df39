"""Names of companies, people and things in one comparable form."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from .chinese import simplified
from .patterns import on_demand
from .rules import load_rules

_APOSTROPHES = on_demand(r"['’‘`´]")
_DOMICILE = on_demand(r"(?<!\s)\s*/[a-z]{2,3}/\s*$")
_LETTER_DOTS = on_demand(r"\b((?:[^\W\d_]\.)+[^\W\d_])(?:\.|\b)")
_OTHER = on_demand(r"[^\w%+$#\x00]+")
_CHINESE = on_demand(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_CHINESE_BRACKETS = on_demand(r"[(（]([\u4e00-\u9fff]{1,8})[)）]")
_MARKS = (
    ("/", _DOMICILE, ""),
    (")", _CHINESE_BRACKETS, r"\1"),
    ("）", _CHINESE_BRACKETS, r"\1"),
    ("", _APOSTROPHES, ""),
    ("&", on_demand("&"), " and "),
    (".", _LETTER_DOTS, lambda match: match[1].replace(".", "")),
    (",", on_demand(r"(?<=\d),(?=\d)"), ""),
    (".", on_demand(r"(?<=\d)\.(?=\d)"), "\x00"),
    ("_", on_demand("_"), " "),
)
"""A mark, without which a text is left as it is, what it may be part of, and what stands for that in a key: whole
sentences are folded to look for names in them."""
_LONGEST_FORM = 4
_LONGEST_NAME = 1_000
"""Characters; forms are taken off one by one, and what is longer is no name: "Inc. Inc. Inc." without end."""
_MOST_STRIPPED, _MOST_CHINESE_STRIPPED = 12, 40
"""Words, or Chinese characters, at the end of a name that may be its legal form and marks around it."""
_SHORTEST_CHINESE = 2
"""Characters of a name without its form."""
_BLANK_BY_CHINESE = on_demand(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


def is_chinese(text: str) -> bool:
    """True where the text has a Chinese character.

    >>> is_chinese("京东方A"), is_chinese("BOE")
    (True, False)
    """
    return _CHINESE.search(text) is not None


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> str:
    """The form under which two spellings of one name meet; idempotent.

    Case, width, accents' composition, Chinese script, punctuation, a leading "The" and legal forms are normalised.
    Digits, periods and share classes always stay: "Q1 FY2024" and "Q2 FY2024", "Class A" and "Class B" never meet.

    >>> name_key("The Coca-Cola Company"), name_key("AT&T Inc."), name_key("J.P. Morgan")
    ('coca cola', 'at and t', 'jp morgan')
    >>> name_key("顺丰控股股份有限公司"), name_key("順豐控股"), name_key("Class B common stock")
    ('顺丰控股', '顺丰控股', 'class b common stock')
    """
    key = _fold(name)
    while len(key) <= _LONGEST_NAME and (shorter := _shorten(key)) != key:
        key = shorter
    return key


@lru_cache(maxsize=1 << 16)
def company_key(name: str) -> str:
    """A looser key that finds a company by its everyday name; for looking up, never a reason to merge.

    >>> company_key("Acme Holdings, Inc.") == company_key("ACME Group") == "acme"
    True
    >>> company_key("美的集团股份有限公司")
    '美的'
    """
    key = name_key(name)
    while len(key) <= _LONGEST_NAME and (shorter := _without_group_word(key)) != key:
        key = shorter
    return key


@lru_cache(maxsize=1 << 14)
def has_legal_form(name: str) -> bool:
    """True where the name ends in a legal form ("Inc.", "有限公司").

    >>> has_legal_form("Acme Inc."), has_legal_form("Acme")
    (True, False)
    """
    return legal_form(name) != ""


def is_company_like(name: str) -> bool:
    """True where the name's own words say that it is a company.

    >>> is_company_like("Acme, Inc."), is_company_like("First National Bank"), is_company_like("John Smith")
    (True, True, False)
    """
    if has_legal_form(name):
        return True
    key = _fold(name)
    if is_chinese(key):
        return key.endswith(_chinese_endings("company_words"))
    head, _, last = key.rpartition(" ")
    return bool(head) and last in _words("company_words", "en")


def strip_legal_form(name: str) -> str:
    """The name as written without its legal form, for display.

    >>> strip_legal_form("Amcor plc"), strip_legal_form("Foot Locker, Inc."), strip_legal_form("Inc.")
    ('Amcor', 'Foot Locker', 'Inc.')
    """
    key = name_key(name)
    words = name.split(" ")
    for count in range(max(1, len(words) - _MOST_STRIPPED), len(words)):
        candidate = " ".join(words[:count]).rstrip(" ,，(&")
        if name_key(candidate) == key:
            return candidate
    if not is_chinese(name):
        return name
    for length in range(max(_SHORTEST_CHINESE, len(name) - _MOST_CHINESE_STRIPPED), len(name)):
        if name_key(name[:length]) == key:
            return name[:length]
    return name


def legal_form(name: str) -> str:
    """The legal form that a name ends in, folded; empty where there is none.

    >>> legal_form("Merck KGaA"), legal_form("Merck & Co., Inc."), legal_form("Merck")
    ('kgaa', 'inc', '')
    """
    return _form_at_end(_fold(name))


def form_kind(form: str) -> str:
    """The kind of company that a folded legal form stands for, or the form itself where it is a kind of its own.

    >>> form_kind("inc") == form_kind("corporation"), form_kind("inc") == form_kind("llc")
    (True, False)
    """
    kinds = load_rules(__package__, "names.toml")["form_kinds"]
    for kind, forms in kinds.items():
        if form in forms:
            return str(kind)
    return form


def forms_differ(one: str, other: str) -> bool:
    """True where both names state a legal form and the forms are of different kinds.

    >>> forms_differ("Merck KGaA", "Merck & Co., Inc."), forms_differ("Merck Inc.", "Merck")
    (True, False)
    """
    first, second = legal_form(one), legal_form(other)
    return bool(first and second) and form_kind(first) != form_kind(second)


@cache
def abbreviations() -> Mapping[str, str]:
    """Short forms of words in names: "intl" stands for "international"."""
    return dict(load_rules(__package__, "names.toml")["abbreviations"])


@cache
def _words(table: str, key: str) -> frozenset[str]:
    return frozenset(load_rules(__package__, "names.toml")[table][key])


@cache
def _chinese_endings(table: str) -> tuple[str, ...]:
    return tuple(sorted(_words(table, "zh"), key=len, reverse=True))


@lru_cache(maxsize=1 << 14)
def _fold(name: str) -> str:
    """Case folded, composed, one blank between words, punctuation gone except where it carries meaning."""
    text = _normal(name)
    for mark, pattern, by in _MARKS:
        if mark in text:
            text = pattern.sub(by, text)
    text = _OTHER.sub(" ", text).replace("\x00", ".").strip()
    return text if text.isascii() else _BLANK_BY_CHINESE.sub("", text)


def _normal(text: str) -> str:
    """NFKC and case folding to their common fixed point, in simplified Chinese; one pass alone is not stable for a few
    characters."""
    while (folded := unicodedata.normalize("NFKC", text).casefold()) != text:
        text = folded
    return simplified(text)


def _without_group_word(key: str) -> str:
    head, _, last = key.rpartition(" ")
    if head and last in _words("group_words", "en"):
        return name_key(head)
    ending = _chinese_ending(key, "group_words")
    return name_key(key.removesuffix(ending)) if ending else key


def _shorten(key: str) -> str:
    """One step towards the key: the article or one legal form less, spelling normal again."""
    if key.startswith("the ") and len(key) > 4:
        key = key[4:]
    form = _form_at_end(key)
    if not form and key.isascii() and "." not in key:
        return key  # folded before, and nothing in it folds again
    return _fold(key[: len(key) - len(form)])


def _form_at_end(key: str) -> str:
    """The longest legal form at the end of a folded name, unless it is the whole name or follows "class"."""
    words = key.rsplit(maxsplit=_LONGEST_FORM + 1)
    for count in range(min(_LONGEST_FORM, len(words) - 1), 0, -1):
        form = " ".join(words[-count:])
        known = form in _words("legal_suffixes", "en") or form in _words("legal_suffixes", "foreign")
        if known and words[-count - 1] not in _words("designators", "words"):
            return form
    return _chinese_ending(key, "legal_suffixes")


def _chinese_ending(key: str, table: str) -> str:
    """The longest word of the table that a name ends in, unless it is the whole name but for a character."""
    endings = () if key.isascii() else _chinese_endings(table)
    for ending in endings:
        if key.endswith(ending) and len(key) - len(ending) >= _SHORTEST_CHINESE:
            return ending
    return ""
