"""Whom a document is about: what the user or the file says for certain, else what most of its witnesses say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...core.period import Period
from .chinese_issuer import chinese_titles
from .clues import Clues
from .company_names import is_company, written_in_full
from .names_in_print import Name, speakers_own, spelled_out
from .vote import Claim, Verdict, decide, letters
from .witnesses import as_name, charters_in, domains_of, phrases_of, titles_of, type_of

_FILED_FOR = re.compile(r"\bfor\s{1,9}(.{3,60}?)\s{1,9}filed\s+\d\d/\d\d/\d{4}", re.IGNORECASE)
_FULL_NAME = 20_000
"""Characters in which a company's full name is looked for."""
_SURE = 0.5
"""Confidence from which a company is certain."""
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


def one(name: str) -> tuple[str, ...]:
    """The name as a tuple of one; of none where there is none."""
    name = " ".join(name.split()).strip(" ,#*")
    return (name,) if name else ()


def _claims(clues: Clues) -> Iterator[Claim]:
    """What every witness says."""
    yield Claim(as_name(clues.issuer.company), clues.issuer.how)
    yield from charters_in(clues.text)
    yield from phrases_of(clues.text, clues.small)
    yield from titles_of(clues.text)
    yield from chinese_titles(clues.text)
    yield from type_of(clues.evidence)
    yield from (Claim(Name(name, False), "speaker's words", count) for name, count in speakers_own(clues.text).items())
    yield Claim(as_name(_filed_for(clues)), "file properties")
    yield Claim(as_name("" if _is_ticker(clues) else _trusted_name(clues)), "file name")


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
