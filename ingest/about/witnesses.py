"""What in a document says whom it is about: each place where its company stands is a witness of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice

from ..formats.registry import Evidence
from .company_names import is_full_name, rules
from .cover_page import charter_issuer
from .names_in_print import Name, form_ends, name_after, name_before, name_of_title, without_report_titles
from .vote import Claim

_COVER = 3_000
"""Characters at the beginning in which a title counts as the cover's."""
_LONGEST_TITLE = 110
_BACK, _AHEAD = 160, 40
"""Characters before and after an anchor among which its phrase is looked for."""
_CHARTER = re.compile(r"(?i:exact)\s+(?i:names?\s+of\s+(?:(?:the|each)\s+)?(?:registrant|company|issuer))")
_CHARTER_REACH = 400
"""Characters above a charter line among which the name stands."""
_MOST_CHARTERS = 3
_MOST_ANCHORS = 400
"""Places of one anchor that are looked at; the first ones tell."""
_FORMED_NAMES = 6_000
"""Names with a legal form that are read from one text at most."""
_DOMAIN = re.compile(
    r"(?:www\.|@)([a-z0-9][a-z0-9-]{1,40})\."
    r"(?:com?|net|org|plc|group|bank|inc|io|ai|de|ca|fr|nl|ch|eu|uk|au|nz|jp|cn|hk|tw|sg|in)\b"
)
_REST = re.compile(
    r"(?:\W|\b(?:and|its|consolidated|controlled|wholly|owned|subsidiary|subsidiaries|entities|company|continued|group|a\.?b\.?n|a\.?c\.?n|\d+"
    r"|the|of|for|registered|number|no)\b)*",
    re.IGNORECASE,
)
"""What may stand beside the name in a title: "Acme Inc. and Subsidiaries"."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A turn of phrase beside which the name stands."""

    how: str
    after: bool
    """True where the name follows."""
    anchors: tuple[str, ...]
    form: re.Pattern[str]

    def names_in(self, text: str, small: str) -> Iterator[Name | None]:
        """The name beside each place of the phrase."""
        found = (self.form.search(text, max(0, at - _BACK), at + _BACK + _AHEAD) for at in places(small, self.anchors))
        for match in {match.start(): match for match in filter(None, found)}.values():
            yield name_after(text, match.end()) if self.after else name_before(text, match.start())


def phrases_of(text: str, small: str) -> Iterator[Claim]:
    """Who is named in the auditor's and directors' reports, in signatures, definitions, copyright lines ...

    ``small`` is the text in small letters.
    """
    for phrase in _phrases():
        yield from (Claim(name, phrase.how) for name in phrase.names_in(text, small))


def titles_of(text: str) -> Iterator[Claim]:
    """Names with a legal form in the whole text: alone on a line they are titles, in sentences they are counted."""
    counted: Counter[tuple[str, Name]] = Counter()
    for end in islice(form_ends(text), _FORMED_NAMES):
        name = name_before(text, end)
        if name and name.formed:
            counted[_place_of(name, text, end), name] += 1
    return (Claim(name, how, count) for (how, name), count in counted.items() if how)


def _place_of(name: Name, text: str, end: int) -> str:
    """The kind of witness that a name which ends there is; "" for advisers on the cover."""
    start = text.rfind("\n", 0, end) + 1
    line = text[start : start + _LONGEST_TITLE + 1].partition("\n")[0]
    if len(line) > _LONGEST_TITLE or not _is_title(line, name):
        return "name in the text"
    if end > _COVER:
        return "titles"
    return "" if _is_of_other(text, start) else "cover page"


def type_of(evidence: Evidence) -> Iterator[Claim]:
    """Names in display type, in running heads and in what the file says of itself."""
    properties = (evidence.info.get(key, "") for key in ("title", "author", "subject"))
    yield from (Claim(name_of_title(title), "display type") for title in evidence.large)
    yield from (Claim(name_of_title(head), "running heads", pages) for head, pages in evidence.running.items())
    yield from (Claim(name_of_title(said), "file properties") for said in properties)


def domains_of(text: str) -> Mapping[str, int]:
    """Web addresses and those of letters, by what stands before their ending -> how often."""
    return Counter(match[1].replace("-", "") for match in _DOMAIN.finditer(text))


def charters_in(text: str) -> Iterator[Claim]:
    """The names above "(Exact name of registrant as specified in its charter)", wherever in the text a form begins."""
    for match in islice(_CHARTER.finditer(text), _MOST_CHARTERS):
        around = text[max(0, match.start() - _CHARTER_REACH) : match.end() + _AHEAD]
        issuer = charter_issuer(list(filter(str.strip, around.split("\n"))))
        yield Claim(as_name(issuer.company), issuer.how)


def as_name(text: str) -> Name | None:
    """A name that is known to be one; None for none."""
    return Name(text, is_full_name(text)) if text else None


def _is_title(line: str, name: Name) -> bool:
    """True where a line says the name and what kind of report it is, and nothing else."""
    before, found, after = line.partition(name.text)
    rest = without_report_titles(before) + " " + without_report_titles(after)
    return bool(found) and _REST.fullmatch(rest.strip()) is not None


def _is_of_other(text: str, start: int) -> bool:
    """True where one of the two lines above says that the name is an adviser's, or whom a letter goes to."""
    above = text[max(0, start - 160) : start].rstrip("\n").split("\n")[-2:]
    return any(map(_labels().match, above))


def places(small: str, anchors: Sequence[str]) -> Iterator[int]:
    """Where the anchors stand, the first places of each."""
    return chain.from_iterable(islice(_places_of(small, anchor), _MOST_ANCHORS) for anchor in anchors)


def _places_of(small: str, anchor: str) -> Iterator[int]:
    at = small.find(anchor)
    while at >= 0:
        yield at
        at = small.find(anchor, at + 1)


@cache
def _phrases() -> tuple[Phrase, ...]:
    found = []
    for rule in rules()["phrase"]:
        form = re.compile(rule["pattern"], 0 if rule.get("case") else re.IGNORECASE)
        found.append(Phrase(rule["how"], rule["side"] == "after", tuple(rule["anchors"]), form))
    return tuple(found)


@cache
def _labels() -> re.Pattern[str]:
    return re.compile(rules()["labels"]["others"], re.IGNORECASE)
