"""Whom a document is about: what the user or the file says for certain, else what most of its witnesses say, the places
in it where its company stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice

from ...core.period import Period
from ...core.records import dataclass
from ..formats.registry import Evidence
from .clues import Clues
from .cover_page import charter_issuer, chinese_titles
from .names_in_print import (
    Name,
    form_ends,
    is_company,
    is_full_name,
    name_after,
    name_before,
    name_of_title,
    rules,
    speakers_own,
    spelled_out,
    without_report_titles,
    written_in_full,
)
from .vote import Claim, Verdict, decide, letters

_FILED_FOR = re.compile(r"\bfor\s{1,9}(.{3,60}?)\s{1,9}filed\s+\d\d/\d\d/\d{4}", re.IGNORECASE)
_FULL_NAME = 20_000
"""Characters in which a company's full name is looked for."""
_SURE = 0.5
"""Confidence from which a company is certain."""
_OF_OTHERS = "research"
"""A kind of document that bears the name of its author in its title, who is not whom it is about."""
_LONG_NOTE = 20_000
"""Characters from which a text that is no known kind of report is asked for its company all the same."""
_LEAST, _MORE, _LONG = 2.5, 4.0, 40_000
"""What has to speak for a company: this much in a note, so much more in a text of that many characters, where a company
that is named in one place only is hardly its author."""
_UNFORMED = 0.6
"""What a name without a legal form counts that one kind of witness alone names: it may be any words with capitals."""
_TOLD = 3
"""Kinds of witness that are named in ``how``."""


@dataclass(frozen=True, slots=True)
class Found:
    """The companies that are certain and how they were found.

    ``unsure`` is "companies" for a document that should have one: ``candidates`` may be meant, the likeliest first.
    """

    companies: tuple[str, ...] = ()
    how: str = ""
    confidence: float | None = None
    unsure: str = ""
    candidates: tuple[str, ...] = ()

    @property
    def certainty(self) -> str:
        """The confidence to two decimals; "" where nobody was asked."""
        return "" if self.confidence is None else f"{self.confidence:.2f}"


def find_company(clues: Clues) -> Found:
    """From arguments, inline XBRL, a vote of all witnesses, or the file's name, in this order."""
    if clues.given.companies:
        return Found(clues.given.companies, "argument")
    if registrant := one(clues.evidence.dei.get("EntityRegistrantName", "")):
        return Found(registrant, "inline XBRL")
    verdict = decide(_claims(clues), domains_of(clues.text))
    confidence = confidence_of(verdict, len(clues.text))
    if confidence >= _SURE:
        return Found(one(_spelling(verdict.name, clues)), _how(verdict), confidence)
    named = _by_file(clues)
    return named if named.companies else _unsure(verdict, confidence, clues)


def confidence_of(verdict: Verdict, length: int) -> float:
    """0..1: how far the company is ahead of the next one, times how much of what is asked for speaks for it."""
    if not verdict.score:
        return 0.0
    asked = _LEAST + _MORE * min(1.0, length / _LONG)
    ahead = 1.0 - verdict.second / verdict.score
    certainty = ahead * min(1.0, verdict.score / asked)
    alone = verdict.how[1:] == () and verdict.how[:1] != ("greeting",)
    return _UNFORMED * certainty if alone and not verdict.formed else certainty


_BESIDE_NAMES = " ,;:#*|•·–—-"
"""What may part a name from the rest of its line."""


def one(name: str) -> tuple[str, ...]:
    """The name as a tuple of one; of none where there is none."""
    name = " ".join(name.split()).strip(_BESIDE_NAMES)
    return (name,) if name else ()


def _claims(clues: Clues) -> Iterator[Claim]:
    """What every witness says."""
    yield Claim(as_name(clues.issuer.company), clues.issuer.how)
    yield Claim(as_name(_listed_without_form(clues)), "listing")
    yield from charters_in(clues.text)
    yield from phrases_of(clues.text, clues.small)
    yield from titles_of(clues.text, () if clues.kind == _OF_OTHERS else clues.title_lines)
    yield from chinese_titles(clues.text)
    yield from type_of(clues.evidence)
    yield from (Claim(Name(name, False), "speaker's words", count) for name, count in speakers_own(clues.text).items())
    yield Claim(as_name(_filed_for(clues)), "file properties")
    yield Claim(as_name("" if _is_ticker(clues) else _trusted_name(clues)), "file name")


def _listed_without_form(clues: Clues) -> str:
    """A title's name without a legal form that is a company's, since a ticker stands beside it: "Acme Pumps (ACME)"."""
    issuer = clues.issuer
    return issuer.company if issuer.ticker and not is_full_name(issuer.company) else ""


def _by_file(clues: Clues) -> Found:
    """What the file's own name or properties say where the text leaves it open."""
    for how, name in _FILE_PLACES:
        if found := one(name(clues)):
            return Found(found, how)
    return Found()


def _cover_of_named(clues: Clues) -> str:
    """The cover's own name, where the file has a name that says something."""
    return clues.issuer.company if clues.name.company else ""


def _filed_for(clues: Clues) -> str:
    """The name in titles that converters of filings write: "Form 10-K for Acme Inc. filed 02/01/2023"."""
    found = _FILED_FOR.search(clues.evidence.info.get("title", ""))
    return found[1] if found else ""


def _spelled_out(clues: Clues) -> str:
    return spelled_out(clues.name.ticker, clues.text) if _is_ticker(clues) else ""


def _in_full(clues: Clues) -> str:
    return written_in_full(_trusted_name(clues), clues.text[:_FULL_NAME])


_FILE_PLACES: tuple[tuple[str, Callable[[Clues], str]], ...] = (
    ("cover page", _cover_of_named),
    ("file properties", _filed_for),
    ("text", _spelled_out),
    ("file name", _in_full),
)


def _trusted_name(clues: Clues) -> str:
    name = clues.name
    named = len(name.ticker) > 1 or is_company(name.company)
    return name.company if name.is_structured and named else ""


def _is_ticker(clues: Clues) -> bool:
    """True where the file of a call has only a ticker for a name; a call that is none by its words is of a quarter."""
    is_call = clues.kind == "earnings call" or (clues.kind == "other" and _is_of_quarter(clues.name.period))
    return is_call and bool(clues.name.ticker) and clues.name.ticker == clues.name.company


def _is_of_quarter(period: Period | None) -> bool:
    return period is not None and period.unit == "quarter"


def _spelling(name: str, clues: Clues) -> str:
    """The name as the cover spells it, where it does."""
    cover = clues.issuer.company
    return cover if cover and letters(cover) == letters(name) else name


def _unsure(verdict: Verdict, confidence: float, clues: Clues) -> Found:
    """No company; a report, or whatever is as long as one, is marked, for notes and news may be anybody's."""
    if clues.kind in ("other", "news") and len(clues.text) < _LONG_NOTE:
        return Found()
    candidates = (_spelling(verdict.name, clues), *verdict.others) if verdict.name else ()
    return Found(confidence=confidence, unsure="companies", candidates=candidates)


def _how(verdict: Verdict) -> str:
    kinds = ("cover page" if kind == "charter line" else kind for kind in verdict.how)
    return ", ".join(list(dict.fromkeys(kinds))[:_TOLD])


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
    r"(?:www\.|@|\b(?:ir|investors?)\.|\bwebsite,? at )(?!ir\.|investors?\.|www\.)([a-z0-9][a-z0-9-]{1,40})\."
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


def titles_of(text: str, first_lines: Sequence[str] = ()) -> Iterator[Claim]:
    """Names with a legal form in the whole text: alone on a line they are titles, in sentences they are counted.

    One of the ``first_lines`` may have the name without its form: "Acme Solar" over what speaks of Acme Solar, Inc.
    """
    counted: Counter[tuple[str, Name]] = Counter()
    for end in islice(form_ends(text), _FORMED_NAMES):
        name = name_before(text, end)
        if name and name.formed:
            counted[_place_of(name, text, end), name] += 1
    yield from (Claim(name, how, count) for (how, name), count in counted.items() if how)
    lines = set(map(letters, first_lines))
    yield from (Claim(name, "cover page") for _, name in counted if letters(name.text) in lines)


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
