"""Whom and when a document is about, and how that was found."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from ...core.names import is_chinese
from ...core.period import Period
from ...core.period_text import find_periods
from ..document import Metadata, Segment
from ..formats.content import Evidence
from .clues import Clues, first_found, language_of
from .company import Found, find_company, one
from .company_names import is_company
from .cover_page import HEAD
from .currency import find_currency
from .given import Given
from .kinds import KINDS
from .report_period import (
    annual_period,
    annual_report_period,
    call_period,
    event_date,
    interim_period,
    named_period,
    quarterly_period,
)

_FOCUS = {"Q1": 1, "Q2": 2, "Q3": 3, "Q4": 4}
_INFO_COMPANY = re.compile(r"\bfor\s+(.{3,60}?)\s+filed\s+(\d\d)/(\d\d)/(\d{4})", re.IGNORECASE)
_FILED_ON = re.compile(r"\bfiled\s+on\s+(\d{4})-(\d\d)-(\d\d)", re.IGNORECASE)
_UNTITLED = re.compile(r"\.\w{3,4}$|^untitled|^document\d*$|^[\w.]+-?\d{6,}$", re.IGNORECASE)
_HEADS = 8
"""Running heads that are read as titles, the most frequent first."""
_FORMS = ("10-K", "10-Q", "8-K", "20-F")
"""Kinds whose title is the name of a form."""


def find_metadata(text: str, segments: Sequence[Segment], source: str, given: Given, evidence: Evidence) -> Metadata:
    """Collect the metadata; ``how`` names for each field where it comes from, and under "unsure" what is a guess."""
    clues = Clues.of(text, segments, source, given, evidence)
    period, period_how = first_found(_periods(clues), None)
    company = _with_file_name(find_company(clues), clues, period)
    tickers, ticker_how = first_found(_tickers(clues), ())
    published, published_how = first_found(_dates(clues), None)
    title, title_how = first_found(_titles(clues, company), "")
    how = {
        "companies": company.how, "tickers": ticker_how, "kind": clues.kind_how, "period": period_how,
        "published": published_how, "title": title_how, "language": "text", "currency": _currency(clues),
        **_doubts(company),
    }  # fmt: skip
    found = {name: origin for name, origin in how.items() if origin}
    return Metadata(title, company.companies, tickers, clues.kind, period, published, language_of(text), found)


def _doubts(company: Found) -> Mapping[str, str]:
    """How far the company can be relied on, for ``how``."""
    told = {} if company.confidence is None else {"confidence": f"{company.confidence:.2f}"}
    if company.unsure:
        told["unsure"] = "companies"
        told["candidates"] = "; ".join(company.candidates)
    return told


def _currency(clues: Clues) -> str:
    """The currency and how it was found: "AUD (stated)"."""
    code, how = find_currency(clues.small)
    return f"{code} ({how})" if code else ""


def _with_file_name(found: Found, clues: Clues, period: Period | None) -> Found:
    """Add the name by which a file named "BLOCK_2016_10K" goes when the cover has another (a later name, a brand).

    Only where the file name's kind and year are those of the cover too: then the name is kept with care.
    """
    name = clues.name
    if "cover page" not in found.how or " " in name.company or not is_company(name.company):
        return found
    same_year = name.period is not None and period is not None and name.period.year == period.year
    if name.kind != clues.kind or not same_year:
        return found
    if _is_short_for(name.company, found.companies[0], clues.issuer.ticker):
        return found
    return replace(found, companies=(*found.companies, name.company), how="cover page, file name")


def _tickers(clues: Clues) -> Iterator[tuple[tuple[str, ...], str]]:
    yield one(clues.evidence.dei.get("TradingSymbol", "")), "inline XBRL"
    yield (*one(clues.issuer.ticker), *one(clues.issuer.short)), "cover page"
    short = clues.name.ticker
    if not clues.issuer.company.lower().startswith(short.lower()):  # "NIKE_2018" gives a name, no ticker
        yield one(short), "file name"


def _periods(clues: Clues) -> Iterator[tuple[Period | None, str]]:
    """Forms say their period on the cover; of others a title is surer than the file's name, and that than prose."""
    yield clues.given.period, "argument"
    yield _period_of_dei(clues.evidence.dei), "inline XBRL"
    yield _form_period(clues), "cover page"
    if clues.kind == "8-K":
        day, how = first_found(_dates(clues), None)
        yield Period.instant(day) if day else None, how
    yield _report_period(clues), "titles, closing dates"
    yield named_period("\n".join(clues.title_lines)), "cover page"
    yield clues.name.period, "file name"
    if clues.kind == "earnings call":
        yield call_period(clues.text), "text"
    elif clues.kind != "other":
        yield named_period(clues.text[:HEAD]), "text"


def _form_period(clues: Clues) -> Period | None:
    if clues.kind in ("10-K", "20-F"):
        return annual_period(clues.text)
    if clues.kind == "10-Q":
        return quarterly_period(clues.text)
    day = event_date(clues.text) if clues.kind == "8-K" else None
    return Period.instant(day) if day else None


def _report_period(clues: Clues) -> Period | None:
    """The period of a report that is no form; Chinese titles name theirs plainly."""
    if is_chinese(clues.text[:HEAD]):
        return None
    if clues.kind in ("annual report", "10-K", "20-F"):
        running = sorted(clues.evidence.running, key=lambda head: -clues.evidence.running[head])[:_HEADS]
        titles = (*clues.title_lines, *clues.evidence.large, clues.evidence.info.get("title", ""), *running)
        return annual_report_period(clues.small, titles)
    return interim_period(clues.small) if clues.kind == "interim report" else None


def _dates(clues: Clues) -> Iterator[tuple[date | None, str]]:
    yield clues.given.published, "argument"
    if clues.kind == "8-K":
        yield event_date(clues.text), "cover page"
    yield clues.name.day, "file name"
    yield _date_of_info(clues.evidence.info), "file properties"
    if clues.kind not in ("10-K", "10-Q", "20-F", "annual report"):
        yield _first_date(clues.text[:2_500]), "cover page"


def _titles(clues: Clues, company: Found) -> Iterator[tuple[str, str]]:
    yield _clean_title(clues.evidence.info.get("title", "")), "file properties"
    if clues.kind not in _FORMS:
        yield _first_heading(clues), "text"
    name = (clues.given.companies or one(clues.issuer.company) or ("",))[0]
    yield f"{name} {clues.kind}".strip() if clues.kind != "other" else "", clues.kind_how


def _first_heading(clues: Clues) -> str:
    heading = next((segment for segment in clues.segments if segment.kind == "heading"), None)
    if heading is None or heading.start >= 1_500:
        return ""
    return " ".join(clues.text[heading.start : heading.end].split())[:200]


def _is_short_for(short: str, name: str, ticker: str) -> bool:
    """True where the letters of ``short`` are the ticker or stand, in order, at the beginning of words of ``name``.

    >>> _is_short_for("MGMRESORTS", "MGM Resorts International", "MGM"), _is_short_for("BLOCK", "SQUARE, INC.", "SQ")
    (True, False)
    """
    letters = re.sub(r"[\W_]", "", short.lower())
    plain = re.sub(r"[\W_]", "", name.lower().removeprefix("the "))
    if letters == ticker.lower() or plain.startswith(letters) or letters.startswith(plain):
        return True
    initials = "".join(word[0] for word in re.findall(r"\w+", name.lower()))
    return len(letters) > 1 and initials.startswith(letters)


def _period_of_dei(dei: Mapping[str, str]) -> Period | None:
    year, focus = dei.get("DocumentFiscalYearFocus", ""), dei.get("DocumentFiscalPeriodFocus", "")
    if not re.fullmatch(r"\d{4}", year):
        return None
    ends = [mention.period.end for mention in find_periods(dei.get("DocumentPeriodEndDate", ""))]
    end = ends[0] if ends else None
    if focus in _FOCUS:
        return Period("quarter", int(year), _FOCUS[focus], fiscal=True, end=end)
    return Period("year", int(year), fiscal=True, end=end) if focus == "FY" else None


def _date_of_info(info: Mapping[str, str]) -> date | None:
    """The filing date that EDGAR converters write into a PDF's properties."""
    text = f"{info.get('subject', '')} {info.get('title', '')}"
    if filed := _FILED_ON.search(text):
        return date(int(filed[1]), int(filed[2]), int(filed[3]))
    if filed := _INFO_COMPANY.search(text):
        return date(int(filed[4]), int(filed[2]), int(filed[3]))
    return None


def _first_date(text: str) -> date | None:
    days = (mention.period for mention in find_periods(text) if mention.period.unit == "day")
    return next((day.end for day in days if day.end), None)


def _clean_title(title: str) -> str:
    """A stored title, unless it is a file name, a number or "Microsoft Word - ..."."""
    title = re.sub(r"^Microsoft \w+ - ", "", " ".join(title.split()))
    useless = not re.search(r"[^\W\d_]{3}", title) or _UNTITLED.search(title)
    return "" if useless else title


__all__ = ["KINDS", "find_metadata"]
