"""Company names in print: where one begins and ends, and what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ...core.names import has_legal_form, strip_legal_form
from ...core.rules import load_rules

_MOST_WORDS = 10
_LONGEST = 90
"""Characters of a name."""
_CAPITAL = re.compile(r"[(“\"]?(?:[a-z]{1,6}(?=[A-Z]))?[^\W_a-zß-öø-ÿ\u2e80-\uffef]")
"""What a word of a name begins with: a capital or a digit, in "easyJet" after small letters."""
_ENDS = re.compile(r"[.:;!?)\]”\"…]$")
"""What ends a sentence or a bracket: a name does not go on after it."""
_ABBREVIATION = re.compile(r"(?:(?<!\w)(?:[A-Z]\.)+|\b(?:St|Bros|Mt|Dr|Co|Cos|Intl|Mfg|Gen|Natl|Ind|No)\.)$")
_WORD = r"(?:[a-z]{1,6}(?=[A-Z]))?[^\W_a-zß-öø-ÿ\u2e80-\uffef][^\s|\u2e80-\uffef]*"
_RUN = re.compile(rf"{_WORD}(?:,?[ \n](?:{_WORD}|plc\b[.,]?|[&+–-]|[a-zü]{{1,3}}(?=[ \n]))){{0,11}}")
"""Words with a capital, joined by small ones."""
_CHINESE = re.compile(r"[\u2e80-\uffef]")
_PLURAL = re.compile(r"['’]s?$")
_FORM_WORDS, _FORM_WIDTH = 5, 60
"""Words and characters after a name among which its legal form is looked for."""
_SHORT_FORM = 2
"""Letters of a legal form that may be a word as well ("as", "co")."""
_PARTS = re.compile(r"\s[|•·–—]\s")
_MOST_TITLE_WORDS = 6
"""Words of a name without a legal form."""
_YEAR = re.compile(r"(?:19|20)\d\d[:,]?$")
_DATE_WORD = re.compile(
    r"(?:\d{1,2}(?:st|nd|rd|th)?|January|February|March|April|May|June|July|August|September|October|November"
    r"|December),?$",
    re.IGNORECASE,
)
_SMALL_CAPITALS = re.compile(r"\b([A-Z]) (?=[A-Z]{3,}\b)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as printed; ``formed`` where it ends in a legal form."""

    text: str
    formed: bool


@dataclass(frozen=True, slots=True)
class Issuer:
    """Company and ticker as printed; ``short`` is the Chinese name that its shares trade under (四方科技)."""

    company: str = ""
    ticker: str = ""
    short: str = ""
    how: str = "cover page"
    """The kind of witness."""


@cache
def rules() -> dict[str, Any]:
    """How issuers are recognised (issuer.toml)."""
    return load_rules(__package__, "issuer.toml")


@lru_cache(maxsize=1 << 14)
def is_company(name: str) -> bool:
    """False for what stands on covers beside the name: states, forms, dates, labels, addresses, "Holding Company".

    >>> is_company("Foot Locker, Inc."), is_company("Delaware"), is_company("(Mark One)"), is_company("New York")
    (True, False, False, False)
    """
    name = name.strip(" .,:;*")
    if not 2 <= len(name) <= _LONGEST or not any(map(str.isalpha, name)):
        return False
    forms, places = _exclusions()
    return name.lower() not in places and not is_generic(name) and not any(form.search(name) for form in forms)


def is_generic(name: str) -> bool:
    """True where every word is one that any company may be called by.

    >>> is_generic("Parent Holding Company"), is_generic("The Boeing Company")
    (True, False)
    """
    words = re.findall(r"[^\s.,()“”\"'’*:–-]+", name.lower())
    return all(word in _words("generic") or word.isdigit() for word in words)


@lru_cache(maxsize=1 << 14)
def role_of_others(name: str) -> str:
    """What a name stands for that is mostly found in the reports of others: an exchange, an auditor, a registry.

    >>> role_of_others("Australian Securities Exchange Limited"), role_of_others("Acme Limited")
    ('exchange', '')
    """
    return next((role for role, form in _others() if form.search(name)), "")


def form_ends(text: str) -> Iterator[int]:
    """Where in a text a word ends that may be a legal form: "Inc", "LIMITED", "plc"."""
    for match in _forms().finditer(text):
        start = match.start()
        if start and text[start - 1] in " \n,.":
            yield match.end()


def name_before(text: str, end: int) -> Name | None:
    """The name that ends at ``end``, read backwards to where its line or its capitals begin."""
    line = text[text.rfind("\n", max(0, end - 120), end) + 1 : end]
    words = _CHINESE.split(line[-120:])[-1].rstrip(" ,(–-").split(" ")
    first = len(words)
    for at in range(len(words) - 1, max(-1, len(words) - 1 - _MOST_WORDS), -1):
        if not (_goes_back(words, at) or _is_small_name(words, at)):
            break
        first = at
    return _trimmed(words[first:])


def name_after(text: str, start: int) -> Name | None:
    """The name that begins at ``start``: up to its legal form, else to the end of its capitals or its line."""
    run = _RUN.match(text, start, start + 160)
    if run is None:
        return None
    words = run.group().replace("\n", " \n").split(" ")
    end = _form_index([word.strip() for word in words])
    if end is not None:
        return _trimmed([word.strip() for word in words[: end + 1]])
    line = " ".join(words).split("\n")[0].split()
    return _trimmed(line[: _capitals(line)])


def name_of_title(line: str) -> Name | None:
    """The name in a title: "Acme plc Annual Report 2023" is Acme plc, "Report 2023 | Acme Group" is Acme Group.

    Without a legal form it is one only beside the name of a kind of report.
    """
    for part in (line, *_PARTS.split(line)[1:]):
        if found := _formed_name(without_report_titles(part)):
            return found
    bare = without_report_titles(line)
    titled = bare != " ".join(line.split()) and len(bare.split()) <= _MOST_TITLE_WORDS
    return _trimmed(bare.split()) if titled and is_capitalised(bare) else None


def _formed_name(title: str) -> Name | None:
    """The name in a title that has a legal form."""
    words = title.split()
    end = _form_index(words)
    found = None if end is None else name_before(title, len(" ".join(words[: end + 1])))
    return _trimmed(without_report_titles(found.text).split()) if found else None


def without_report_titles(line: str) -> str:
    """A title without the kind of report, years and page numbers at both ends.

    >>> without_report_titles("2023 Annual Report | Acme Group"), without_report_titles("Acme plc - Report 2022/23")
    ('Acme Group', 'Acme plc')
    """
    line = " ".join(line[:300].split())
    head, tail = _title_ends()
    line = head.sub("", line, count=1)
    found = tail.search(line)
    return line[: found.start()].strip() if found else line.strip()


def written_in_full(name: str, text: str) -> str:
    """The name with the legal form that the text adds to it somewhere, else as it is.

    >>> written_in_full("acme", "Acme rose. Acme, Inc. fell."), written_in_full("Acme", "Acme rose")
    ('Acme, Inc.', 'Acme')
    """
    if has_legal_form(name):
        return name
    for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE):
        if found.group()[:1].isupper() and (full := _with_form(found.group(), text, found.end())):
            return full
    return name


def is_full_name(name: str) -> bool:
    """True for a name that ends in its legal form; a short form counts in capitals or with its dot ("AB", "Co.")."""
    if len(name) > _LONGEST:
        return False
    last = name.split()[-1].rstrip(",")
    if len(last.strip(".")) <= _SHORT_FORM and not (last.isupper() or last.endswith(".")):
        return False
    return has_legal_form(name) and strip_legal_form(name) != name and is_capitalised(name)


def is_capitalised(line: str) -> bool:
    """True where all words but the smallest begin with a capital: a line that is a name, no sentence."""
    return all(word in _words("small") or word in ("plc",) or not word[:1].islower() for word in line.split())


def without_small_capitals(name: str) -> str:
    """ "MGM R ESORTS I NTERNATIONAL" -> "MGM RESORTS INTERNATIONAL": initials in larger type were taken for words."""
    return _SMALL_CAPITALS.sub(r"\1", name) if len(_SMALL_CAPITALS.findall(name)) > 1 else name


def _goes_back(words: Sequence[str], at: int) -> bool:
    """True where the word at this place may belong to the name that ends with the words after it."""
    word = words[at]
    last = at == len(words) - 1
    if not last and (_ENDS.search(word) and not _ABBREVIATION.search(word)):
        return False
    if not last and word.endswith(",") and not is_form(words[at + 1]):
        return False
    if not last and is_form(word) and not is_form(words[at + 1]) and word not in _words("inner_forms"):
        return False
    return bool(_CAPITAL.match(word)) or (not last and (word in _words("small") or word in ("&", "+"))) or is_form(word)


def _is_small_name(words: Sequence[str], at: int) -> bool:
    """True for a word without a capital right before a legal form that hardly stands after any other word."""
    after = words[at + 1 : at + 3]
    firm = any(word in _words("firm_forms") for word in after) and not any(map(_CAPITAL.match, after[:-1]))
    return firm and words[at].isalpha() and not _is_no_beginning(words[at])


def _closes(word: str) -> bool:
    """True for a word that a name without a legal form cannot go on after."""
    ended = word.endswith(",") or bool(_ENDS.search(word))
    return ended and not _ABBREVIATION.search(word)


def _capitals(words: Sequence[str]) -> int:
    """How many words a name without a legal form goes on for."""
    for at, word in enumerate(words):
        if word[:1].islower() and word not in _words("small"):
            return at
        if _closes(word):
            return at + 1
    return len(words)


def _form_index(words: Sequence[str]) -> int | None:
    """The place of the last word of the first legal form among the words of a name: "Acme Co., Ltd." ends at "Ltd."."""
    for at, word in enumerate(words):
        if at and is_form(word):
            while at + 1 < len(words) and is_form(words[at + 1]):
                at += 1
            return at
        if at and _closes(word) and not (word.endswith(",") and at + 1 < len(words) and is_form(words[at + 1])):
            return None
    return None


@lru_cache(maxsize=1 << 12)
def is_form(word: str) -> bool:
    """True for a word that may end a company's name, in any of its spellings in print."""
    return _forms().fullmatch(word.strip("(),.;:“”\"'’*|")) is not None


def _trimmed(words: Sequence[str]) -> Name | None:
    """The words without what stands before or after a name; None where nothing is left that is one."""
    first, last = 0, len(words)
    while first < last and _is_no_beginning(words[first]):
        first += 1
    if last - first > 1 and _DATE_WORD.match(words[first]) and _DATE_WORD.match(words[first + 1]):
        return _trimmed(words[first + 2 : last])
    while last > first and (words[last - 1].lower() in _words("small") or not any(map(str.isalnum, words[last - 1]))):
        last -= 1
    text = _PLURAL.sub("", " ".join(words[first:last]).strip(' ,;:“”"‘*#|–-(')).rstrip(")]")
    text = without_small_capitals(text.removesuffix(".") if _dot_of_sentence(text) else text)
    if not is_company(text):
        return None
    return Name(text, has_legal_form(text))


def _is_no_beginning(word: str) -> bool:
    plain = word.strip('(“”"‘’*#,|–-').lower()
    return not plain or plain in _words("before") or plain in _words("small") or bool(_YEAR.match(plain))


def _dot_of_sentence(text: str) -> bool:
    """True where the dot at the end is the sentence's: after "Acme plc." or "Acme AB.", not after "Acme Inc."."""
    last = text.split(" ")[-1]
    return last.endswith(".") and last.count(".") == 1 and last[:-1].lower() not in _words("with_dot")


def _with_form(name: str, text: str, end: int) -> str:
    """The name with the longest legal form that follows it in the text; "" where none does."""
    words = text[end : end + _FORM_WIDTH].split("\n")[0].split(" ")
    for count in range(min(len(words), _FORM_WORDS), 0, -1):
        full = (name + " ".join(words[:count])).rstrip(",:; ")
        if full != name and is_full_name(full) and strip_legal_form(full) == name:
            return full.removesuffix(".") if _ends_sentence(full) else full
    return ""


def _ends_sentence(full: str) -> bool:
    """True where the last dot is the sentence's: "Acme AB." but not "Acme Inc."."""
    last = full.rstrip(".").split()[-1]
    return full.endswith(".") and last.isupper() and "." not in last


@cache
def _words(key: str) -> frozenset[str]:
    return frozenset(rules()["names"][key])


@cache
def _forms() -> re.Pattern[str]:
    forms = rules()["names"]["forms"]
    spelled = sorted({*forms, *map(_in_capitals, forms)}, key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(spelled)})\.?(?!\w)")


def _in_capitals(form: str) -> str:
    return form.upper()


@cache
def _others() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((other["role"], re.compile(other["pattern"], re.IGNORECASE)) for other in rules()["other"])


@cache
def _title_ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = rules()["names"]
    part = rf"(?:{names['titles']}|{names['joints']})"
    head = re.compile(rf"^(?:\.|{part}){{1,12}}", re.IGNORECASE)
    tail = re.compile(rf"(?:\s|\b)(?:{names['titles']})(?!\w).*$|(?:{names['joints']}){{1,12}}$", re.IGNORECASE)
    return head, tail


@cache
def _exclusions() -> tuple[tuple[re.Pattern[str], ...], frozenset[str]]:
    excluded = load_rules(__package__, "metadata.toml")["not_company"]
    forms = tuple(re.compile(pattern, re.IGNORECASE) for pattern in excluded["patterns"])
    return forms, frozenset(excluded["places"].split()) | frozenset(excluded["place_names"])
