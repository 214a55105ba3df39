"""The people of the firm as reports present them: a name as a heading, below it the office, the age and since when."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ....core.period_text import first_period
from ...triple import Triple
from ..rules.details import DAY
from .cells import is_person, office_of, roles_in, starts_with_role
from .filing import LONGEST_TITLE, Filing
from .offices import other_firm
from .tables import BY_ROLE, with_roles

_TITLE = re.compile(r"^(?:(?:Mr|Ms|Mrs|Dr|Prof|Sir|Dame|Lord|Baroness)\.? ){1,2}")
_NOTE = re.compile(r"(?<=[a-zß-ÿ])\d{1,2}$")
"""The mark of a note behind a name: "Uwe Roe1"."""
_AGE = re.compile(r"^[Aa]ged?:? (?P<age>[2-9]\d)[,.;:]?\s")
_SINCE = re.compile(
    r"\b(?:since|appointed(?: to the board)?(?: (?:on|in|as of))?:?|joined(?: the board)?(?: (?:on|in))?)\s"
    rf"(?P<since>{DAY})\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"\b(?:former(?:ly)?|previous(?:ly)?|prior to|until)\b", re.IGNORECASE)
_LONGEST_OFFICE = 160
"""Characters at the beginning of a paragraph in which it says what somebody is."""
_OTHER_SEATS = re.compile(r"\b(?:seats|mandates|memberships?|directorships) (?:on|in|of|held|at)\b", re.IGNORECASE)
"""A heading above people whose offices elsewhere are listed."""
_OF_OTHER = re.compile(r"\b(?:of|at|for) (?!(?:Managing|Management|Directors|Supervisory|Executive)\b)(?=[A-Z])")
_NEXT_OFFICE = re.compile(r", (?=[A-Z])")
_SENTENCE_END = re.compile(r"(?<=[a-z\d)])\.(?=\s|$)")


def profiles(filing: Filing) -> Iterator[Triple]:
    """The offices of whoever a heading names, from the words that the paragraph below begins with."""
    for heading, below in pairwise(filing.document.segments):
        is_short = heading.kind == "heading" and heading.end - heading.start <= LONGEST_TITLE
        is_elsewhere = any(_OTHER_SEATS.search(title) for title in below.headings)
        if not is_short or below.kind != "paragraph" or is_elsewhere:
            continue
        name = _NOTE.sub("", _TITLE.sub("", " ".join(filing.text[heading.start : heading.end].split())))
        told = " ".join(filing.text[below.start : below.end][: 2 * _LONGEST_OFFICE].split())
        place = (heading.start, min(below.end, below.start + _LONGEST_OFFICE))
        if is_person(name):
            yield from _presented(filing, name, told, place)


def _presented(filing: Filing, name: str, told: str, place: tuple[int, int]) -> Iterator[Triple]:
    """The offices that a paragraph below a name begins with, in the firm or in another that it names."""
    age = _AGE.match(told)
    office = _office_in(told[age.end() :] if age else told)
    says_office = roles_in(office) if age else starts_with_role(office)
    if not says_office or not _is_called(name, filing.text):
        return
    other = other_firm(office, filing.known)
    if not other and _names_other(office, has_age=age is not None):
        return
    since = _SINCE.search(told)
    term = _SINCE.search(office)
    details = {"role": office_of(office[: term.start()] if term else office)}
    details |= {"age": age["age"]} if age else {}
    details |= {"since": since["since"]} if since else {}
    period = first_period(since["since"]) if since else None
    firm = (other, "company") if other else filing.firm
    yield from with_roles(filing.said((name, "person"), BY_ROLE, firm, place, details, period), office)
    if not other:
        held = filing.said((name, "person"), "holds_role", ("", "role"), place, details, period)
        yield from with_roles(held, office)


def _is_called(name: str, text: str) -> bool:
    """True for a name whose last word is no word of the text: "Signature Title Date" heads a list."""
    return f" {name.split()[-1].lower()} " not in text


def _names_other(office: str, *, has_age: bool) -> bool:
    """True where the words tell of an office elsewhere, or in a part of the firm: "Partner, Roe Ventures"; without an
    age also where they tell more than offices."""
    if _OF_OTHER.search(office):
        return True
    offices = sum(len(role.split()) for role in roles_in(office))
    is_all = all(map(starts_with_role, _NEXT_OFFICE.split(office))) and 2 * offices > len(office.split())
    return not has_age and not is_all


def _office_in(told: str) -> str:
    """The words on what somebody is, up to the first term: what follows it, or was before, is held elsewhere."""
    sentence = _BEFORE.split(_SENTENCE_END.split(told)[0])[0]
    since = _SINCE.search(sentence)
    return sentence[: since.end() if since else _LONGEST_OFFICE]
