"""What a cell or an item of a list names: a company, a person, a place, the offices that somebody holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from ....core.language import language_of
from ....core.names import is_chinese, is_company_like, name_key
from ....core.patterns import PatternTable, on_demand
from ....core.sequences import without
from ....core.words import search_words
from ..rules.details import full_role
from ..rules.lexicon import Lexicon, lexicon

Known = Mapping[str, str]
"""Name -> type, of the names that the text of the document holds."""

_CELLS = PatternTable(__package__, "tables.toml", "cells")
_PERSON = on_demand(
    r"(?:[A-ZÀ-ÖØ-Þ][\w.'’-]*\s){1,3}(?:(?:de|del|di|da|dos|van|von|der|la|zu)\s){0,2}[A-ZÀ-ÖØ-Þ][\w'’-]+"
    r"(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?"
    r"|[\u4e00-\u9fff]{2,4}"
)
_RANKS = frozenset({"Senior", "Executive", "Corporate", "Global", "Group", "Interim", "Acting", "Principal", "Co-"})
_OFFICE_ENDS = on_demand(
    r"\s(?:Form 10-|Pursuant\b|[A-Z][\w&]+,? (?:Inc|Corp|Ltd|LLC|PLC)\b|\d{1,3}$|Q[1-4] 20|/s/|Date[d:]|\*)"
    r"|\s[A-Z][a-z]+ \d{1,2}, \d{4}"
)
"""What follows an office below a signature and is no part of it."""
_NOTE_MARK = on_demand(r"(?<=[^\s,])(?:,?\s{0,9}[(（][\w*]{1,3}[)）]){1,4}\s*$|(?<![\s*†‡§¹²³])\s*[*†‡§¹²³]+\s*$")
_FURTHER = (
    r"(?:(?:Senior |Group |Executive )?(?:Managing|Executive|Vice) |Chief |President\b|Chair"
    r"|Audit (?:&|and) Supervisory )"
)
"""How a second office begins behind "Director,": the director of what follows is none of the board."""
_BRACKET_BEHIND = on_demand(r"\s?\([^()]{2,60}\)$")
"""What is said of a holder behind its name: "Acme Trust Bank, Ltd. (trust account)"."""
_CHAIR = on_demand(r"\bChair(?:man|woman|person)\b")
_MOST_WORDS = 8
_MOST_SHOUTED = 2
"""Words in capitals: more are a heading."""
_MOST_CHARACTERS = 12
"""Of a Chinese name without a word of companies."""
_LONGEST_NAME = 90
_LONG = ("text", "role")
"""Kinds of cells that are no names."""


_OFFICE = (
    r"(?P<chief>\bChief [\w&]{2,20}(?: [\w&]{2,20})? Officer|\bC[EFOT]O)"
    r"|(?P<head>(?<!\bVice )\bPresident|\bGeneral Manager|\bManaging Director|\bChair(?:man|woman|person)?)"
)
_NAME = r"(?:the )?(?P<name>(?-i:[A-Z])[\w&/-]{1,20}(?:,? (?:and |& )?(?-i:[A-Z])[\w&/-]{1,20}){0,5})"
_NAMED = on_demand(rf"(?:{_OFFICE})(?:(?P<comma>,)| of| for| and General Manager of)\s(?={_NAME})", re.IGNORECASE)
"""An office with a name behind it: "President, Digital Media", "Chief Financial Officer of Bolt Global Services"."""
_DESCRIBED = on_demand(
    r"\b(?:of|for) (?P<unit>(?:our|its|their|the (?-i:[A-Z])[a-z]{2,14}['’]s) (?:[\w-]{1,20} ){0,3}"
    r"(?:subsidiar(?:y|ies)|divisions?|business(?:es)?|units?|operations|region|segments?|affiliates?|branch))\b",
    re.IGNORECASE,
)
"""A part of the firm that has no name: "President of the Company's Illinois subsidiary"."""
_CHIEF = on_demand(r"\b(?:Chief Executive(?: Officer)?|CEO)\b", re.IGNORECASE)
_THE_FIRM = frozenset(
    [
        "board",
        "company",
        "corporation",
        "registrant",
        "bank",
        "firm",
        "partnership",
        "trust",
        "executive",
        "senior",
        "supervisory",
        "management",
    ]
)
"""Words that begin what is no part of a firm: the firm itself, its board, a further office."""


def clean(cell: str) -> str:
    """A cell on one line, without the marks of notes behind it.

    >>> clean("Bolt Studios,\\n LLC (1)")
    'Bolt Studios, LLC'
    """
    return _NOTE_MARK.sub("", " ".join(cell.split()))


def named(cell: str, kind: str, known: Known) -> str:
    """The name of that kind which a cell holds and nothing else; "" for none.

    >>> named("The Netherlands", "place", {}), named("Total", "company", {})
    ('Netherlands', '')
    >>> named("Reels", "segment", {"Reels": "segment"})
    'Reels'
    """
    text = clean(cell)
    is_too_long = len(text) > _LONGEST_NAME and kind not in _LONG
    if not text or is_too_long or _CELLS.any("nobody", text):
        return ""
    if kind in _READERS:
        return _READERS[kind](text, known)
    return text if _HOLDS[kind](text, known) else ""


def roles_in(text: str) -> list[str]:
    """The offices that a text names, in order, in their long form.

    >>> roles_in("Chairman of the Board since 2020 and CEO")
    ['Chairman', 'Chief Executive Officer']
    """
    found: list[str] = []
    for match in _role_pattern(language_of(text)).finditer(text):
        role = full_role(match[0].lower() if match[0].isascii() else match[0])
        if role not in found:
            found.append(role)
    return found


def offices_in(text: str) -> frozenset[str]:
    """The offices that a text names, whoever holds them: a chairwoman, a chairperson and a chair hold one office.

    >>> sorted(offices_in("Chairwoman and CEO")) == sorted(offices_in("Chair, Chief Executive Officer"))
    True
    """
    return frozenset(_CHAIR.sub("Chair", role) for role in roles_in(text.replace("\u00a0", " ")))


def office_of(text: str) -> str:
    """The words about an office, from the first one that names it up to what ends a signature; "" for none.

    >>> office_of("/s/ Ann Roe Treasurer and Director Form 10-K 22")
    'Treasurer and Director'
    """
    match = _role_pattern(language_of(text)).search(text)
    if match is None:
        return ""
    words = text[match.start() :]
    # "Corporate Vice President", "Executive Chairman": a word in front belongs to the office.
    before = text[: match.start()].rstrip().rpartition(" ")[2]
    if before in _RANKS:
        words = f"{before} {words}"
    return _OFFICE_ENDS.split(words)[0].strip(" ,.|")


def starts_with_role(text: str) -> bool:
    """True where an office is the first thing that a text names."""
    return _role_pattern(language_of(text)).match(text) is not None


def person_before_role(text: str) -> tuple[str, str]:
    """A person's name and what follows it, where that begins with an office; ("", "") else.

    >>> person_before_role("W. Craig Jelinek President and Chief Executive Officer.")
    ('W. Craig Jelinek', 'President and Chief Executive Officer.')
    """
    words = text.split(" ")
    for count in range(2, min(6, len(words))):
        name, rest = " ".join(words[:count]).rstrip(","), " ".join(words[count:])
        if starts_with_role(rest) and is_person(name):
            return name, rest
    return "", ""


def is_person(text: str) -> bool:
    """True for what is written like a person's name and is neither an office, of one or several, nor a company.

    >>> is_person("Ann S. Roe"), is_person("Managing Directors"), is_person("Executive Vice")
    (True, False, False)
    """
    if text.partition(" ")[0] in _RANKS:
        return False
    is_like_one = _PERSON.fullmatch(text) is not None and not is_company_like(text)
    return is_like_one and not roles_in(text) and not roles_in(text.rstrip("s"))


def is_company(text: str) -> bool:
    """True for what its own words or the list of well-known companies show to be one."""
    if is_company_like(text) or _CELLS.any("firm", text):
        return not _CELLS.any("no_company", text)
    known = _lexicon_of(text)
    return known.known.get(text) == "company" or text.startswith(("Bank of ", "The Bank of "))


def names_company(text: str, known: Known) -> bool:
    """The same, also of what the names of the document say to be one."""
    return is_company(text) or known.get(text) == "company"


def is_department(text: str) -> bool:
    """True for words that name a part of a firm or its board, whatever they look like.

    >>> is_department("Human Resources"), is_department("Quaker Foods")
    (True, False)
    """
    departments = lexicon("en").words["departments"]
    words = [word.strip(",.").lower() for word in text.split()]
    return departments.issuperset(without(words, ("of", "and", "&", "the")))


def place_in(text: str) -> str:
    """The place that a text names and nothing else, without its article; "" for none."""
    place = text.removeprefix("The ").removeprefix("the ").removeprefix("State of ").rstrip(".")
    known = _lexicon_of(place).known
    for form in (place, text, text + "."):
        if known.get(form) == "place":
            return form.rstrip(".") if form.count(".") == 1 else form
    return ""


def _company(text: str, known: Known) -> str:
    name = text.rstrip(":")
    for written in (name, _BRACKET_BEHIND.sub("", name)):
        if names_company(written, known):
            return written
    return ""


def _is_name(text: str) -> bool:
    """True for a short text that begins with a capital and is no figure, no line of a statement."""
    if is_chinese(text):
        is_short = len(text) <= _MOST_CHARACTERS
    else:
        is_shouted = text.isupper() and len(text.split()) > _MOST_SHOUTED
        is_short = len(text.split()) <= _MOST_WORDS and text[0].isupper() and not is_shouted
    return is_short and not (_CELLS.any("figure", text) or _CELLS.any("line", text))


_READERS: Mapping[str, Callable[[str, Known], str]] = {
    "company": _company,
    "place": lambda text, known: place_in(text),
    "text": lambda text, known: text,
    "unqualified": lambda text, known: _BRACKET_BEHIND.sub("", text),
}
"""Kind -> the name of that kind in a text; "" for none."""
_HOLDS: Mapping[str, Callable[[str, Known], bool]] = {
    "person": lambda text, known: is_person(text),
    "role": lambda text, known: bool(roles_in(text)),
    "instrument": lambda text, known: _CELLS.any("instrument", text),
    "segment": lambda text, known: known.get(text) == "segment",
    "product": lambda text, known: known.get(text) in ("product", "technology"),
    "name": lambda text, known: _is_name(text),
    "figure": lambda text, known: _CELLS.any("figure", text),
    "share": lambda text, known: _CELLS.any("share", text),
    "currency": lambda text, known: _CELLS.any("currency", text),
}
"""Kinds of which a text that is one is the name as it stands."""


@cache
def _role_pattern(language: str) -> re.Pattern[str]:
    """Any known office, the longest first; "Director of Finance" and "Director, Tax" sit on no board."""
    words = lexicon(language).words
    roles: Sequence[str] = sorted(words["roles"] | words["directing_roles"], key=len, reverse=True)
    known = "|".join(map(re.escape, roles))
    if language == "zh":
        return re.compile(known)
    return re.compile(
        rf"\b(?:chief (?:[\w&]+,? ){{1,5}}?officer|(?:{known}))\b(?!(?<=director)(?: of\b|, (?!{_FURTHER})[A-Z]))",
        re.IGNORECASE,
    )


def same_name(one: str, other: str) -> bool:
    """True where two names are spellings of one."""
    return name_key(one) == name_key(other)


def _lexicon_of(text: str) -> Lexicon:
    return lexicon(language_of(text))


def unit_of(role: str, firm: str, known: Known) -> str:
    """The part of the firm in which words about an office say that it is held; "" where it is the firm's own.

    >>> unit_of("President and Chief Executive Officer, Bolt Global Services", "Bolt Inc.", {})
    'Bolt Global Services'
    >>> unit_of("Chief Scientific Officer, President, Worldwide Research", "Bolt Inc.", {})
    'Worldwide Research'
    >>> unit_of("Chief Financial Officer, Treasurer", "Bolt Inc.", {}), unit_of("CEO of the Company", "Bolt Inc.", {})
    ('', '')
    """
    described = _DESCRIBED.search(role)
    if described is not None:
        return described["unit"]
    for match in _NAMED.finditer(role):
        name = match["name"]
        if _is_unit(match, firm, known) and not _leads_besides(role[: match.start()], match):
            return name
    return ""


def _is_unit(match: re.Match[str], firm: str, known: Known) -> bool:
    """True for a name that is neither the firm's own nor a further office.

    Behind a comma a chief officer's name of a department follows as well ("Chief Financial Officer, Finance"): there
    it has to be a place, a segment, or the firm's name and more.
    """
    name = match["name"]
    words, own = search_words(name), search_words(firm)
    if name.split()[0].lower() in _THE_FIRM or roles_in(name) or set(words) <= set(own):
        return False
    goes_on = words[:1] == own[:1]
    may_be_the_firm = known.get(name) == "company" or _initials(firm) == name
    if may_be_the_firm and not goes_on:
        return False
    is_sure = goes_on or place_in(name) != "" or known.get(name) == "segment"
    return is_sure or match["head"] is not None or match["comma"] is None


def _leads_besides(before: str, match: re.Match[str]) -> bool:
    """True for the chief executive who is the president of a unit as well: "CEO and President, Digital Media"."""
    return match["head"] is not None and _CHIEF.search(before) is not None


def _initials(firm: str) -> str:
    return "".join(word[0] for word in firm.split() if word[:1].isupper())
