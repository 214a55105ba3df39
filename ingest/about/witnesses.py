"""What in a document says whom it is about: each place where its company stands is a witness of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ..formats.content import Evidence
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


def phrases_of(text: str, small: str) -> Iterator[Claim]:
    """Who is named in the auditor's and directors' reports, in signatures, definitions, copyright lines ...

    ``small`` is the text in small letters.
    """
    for phrase in _phrases():
        seen: set[int] = set()
        for at in places(small, phrase.anchors):
            found = phrase.form.search(text, max(0, at - _BACK), at + _AHEAD + _BACK)
            if found is None or found.start() in seen:
                continue
            seen.add(found.start())
            name = name_after(text, found.end()) if phrase.after else name_before(text, found.start())
            if name is not None:
                yield Claim(name, phrase.how)


def titles_of(text: str) -> Iterator[Claim]:
    """Names with a legal form in the whole text: alone on a line they are titles, in sentences they are counted."""
    said: Counter[Name] = Counter()
    titles: Counter[Name] = Counter()
    for count, end in enumerate(form_ends(text)):
        if count > _FORMED_NAMES:
            break
        name = name_before(text, end)
        if name is None or not name.formed:
            continue
        start, stop = _line_around(text, end)
        if stop - start > _LONGEST_TITLE or not _is_title(text[start:stop], name):
            said[name] += 1
        elif end > _COVER:
            titles[name] += 1
        elif not _is_of_other(text, start):
            yield Claim(name, "cover page")
    yield from (Claim(name, "titles", count) for name, count in titles.items())
    yield from (Claim(name, "name in the text", count) for name, count in said.items())


def type_of(evidence: Evidence) -> Iterator[Claim]:
    """Names in display type, in running heads and in what the file says of itself."""
    for title in evidence.large:
        if name := name_of_title(title):
            yield Claim(name, "display type")
    for head, pages in evidence.running.items():
        if name := name_of_title(head):
            yield Claim(name, "running heads", pages)
    for key in ("title", "author", "subject"):
        if name := name_of_title(evidence.info.get(key, "")):
            yield Claim(name, "file properties")


def domains_of(text: str) -> Mapping[str, int]:
    """Web addresses and those of letters, by what stands before their ending -> how often."""
    return Counter(match[1].replace("-", "") for match in _DOMAIN.finditer(text))


def charters_in(text: str) -> Iterator[Claim]:
    """The names above "(Exact name of registrant as specified in its charter)", wherever in the text a form begins."""
    for match in list(_CHARTER.finditer(text))[:_MOST_CHARTERS]:
        start = max(0, match.start() - _CHARTER_REACH)
        lines = [line for line in text[start : match.end() + _AHEAD].split("\n") if line.strip()]
        if name := charter_issuer(lines).company:
            yield Claim(Name(name, is_full_name(name)), "charter line")


def _line_around(text: str, at: int) -> tuple[int, int]:
    start = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at)
    return start, len(text) if stop < 0 else stop


def _is_title(line: str, name: Name) -> bool:
    """True where a line says the name and what kind of report it is, and nothing else."""
    before, found, after = line.partition(name.text)
    rest = without_report_titles(before) + " " + without_report_titles(after)
    return bool(found) and _REST.fullmatch(rest.strip()) is not None


def _is_of_other(text: str, start: int) -> bool:
    """True where one of the two lines above says that the name is an adviser's, or whom a letter goes to."""
    above = text[max(0, start - 160) : start].rstrip("\n").split("\n")[-2:]
    return any(_labels().match(line) for line in above)


def places(small: str, anchors: Sequence[str]) -> Iterator[int]:
    for anchor in anchors:
        at = small.find(anchor)
        for _ in range(_MOST_ANCHORS):
            if at < 0:
                break
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
