"""Whom and when a document is about, and how that was found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeVar

from ...core.names import is_chinese, strip_legal_form
from ...core.patterns import on_demand
from ...core.period import Period
from ...core.period_text import find_periods
from ..document import ALSO_FILE_NAME, GUESSED, Metadata, Segment
from ..formats.registry import Evidence
from .clues import Clues, language_of
from .company import Found, find_company, one
from .cover_page import HEAD, defined_name, title_line
from .currency import find_currency
from .given import DocumentHints
from .kinds import KINDS
from .names_in_print import is_company
from .report_period import (
    annual_period,
    annual_report_period,
    as_defined,
    call_period,
    event_date,
    event_period,
    interim_period,
    joint_quarter,
    named_period,
    names_half,
    quarterly_period,
    told_call_period,
)

_FOCUS = {"Q1": 1, "Q2": 2, "Q3": 3, "Q4": 4}
_FILED_FOR = re.compile(
    r"\bfor\s{1,9}(.{3,60}?)\s{1,9}filed\s+(?P<month>\d\d)/(?P<day>\d\d)/(?P<year>\d{4})", re.IGNORECASE
)
_FILED_ON = re.compile(r"\bfiled\s+on\s+(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)", re.IGNORECASE)
_UNTITLED = re.compile(
    r"\.\w{3,4}$|^untitled|^document\d*$|^[\w.]+(?:-\d{6,}|\d{6})$|^(?!.*[^\W\d_]{3})", re.IGNORECASE
)
"""Titles of a file that are its name, a number, or nothing."""
_TRADED = re.compile(
    r"\bunder\s(?:the|our)\s(?:(?:ticker|trading|stock)\s){0,2}symbol\s[“\"‘']?(?P<symbol>[A-Z]{1,5}(?:\.[A-Z])?)(?![A-Za-z])"
)
_SENTENCE_END = re.compile(r"(?<!\bInc)(?<!\bCorp)(?<!\bLtd)(?<!\bCo)(?<!\bNo)[.!?]\s{1,3}(?=[A-Z“\"])|\n\s{0,9}\n")
_BEFORE_SYMBOL = 300
"""Characters before a symbol in which it is said whose it is."""
_FILER = r"the\s(?:company|registrant|corporation|partnership|trust|fund)"
_SHARES = r"(?:stock|shares?|units?|ADSs?)\b"
_OWN_SHARES = (
    rf"\b(?:our|{_FILER}['’]s|%s(?:,?\s(?:Inc|Corp|Ltd)\b\.?)?(?:['’]s)?)\s(?:[\w$./-]{{1,20}}\s){{0,6}}{_SHARES}"
    rf"|\b{_SHARES}\sof\s(?:{_FILER}|%s)\b"
)
"""The shares of who writes, by whose name both gaps are filled."""
_OF_ANOTHER = re.compile(r"\b(?:whose|parent|its)\b", re.IGNORECASE)
_NO_LETTERS = re.compile(r"[\W_]")
_FORMS = ("10-K", "10-Q", "8-K", "20-F")
"""Kinds whose title is the name of a form."""
_DATED_BY_PERIOD = (*_FORMS[:2], "20-F", "annual report")
"""Kinds on whose cover other days stand than the one on which they were published."""
_OF_NO_PERIOD = ("other", "press release")
"""Kinds whose sentences name the periods of what they tell of: a purchase that is to close in the first quarter."""
_NAMED_BY_TEXT = ("", "other", "news")
"""Kinds of document that their first words may name."""
_HEADS = 8
"""Running heads that are read as titles, the most frequent first."""
_SECTION = on_demand(r"[(（]?第?[一二三四五六七八九十]{1,3}[节章部、)）]|重要提示|(?:目录|释义)$")
"""Begins a section of a Chinese report, and is not the title of the whole."""
_DATED_HEAD, _TITLED_HEAD = 2_500, 1_500
"""Characters in which a date, and a title, are looked for."""

Value = TypeVar("Value")
Places = Sequence[tuple[str, Callable[[Clues], Value]]]
"""Where a value may stand, by the name of the place, the surest first."""


def find_metadata(
    text: str, segments: Sequence[Segment], source: str, given: DocumentHints, evidence: Evidence
) -> Metadata:
    """Collect the metadata; ``how`` names for each field where it comes from, and under "unsure" what is a guess."""
    clues = Clues.of(text, segments, source, given, evidence)
    period, period_how = _first(_PERIODS, clues, None)
    period = as_defined(period, text)
    company = _with_file_name(find_company(clues), clues, period)
    tickers, ticker_how = _first(_TICKERS, clues, one(""))
    published, published_how = _first(_DATES, clues, None)
    title, title_how = _first(_TITLES, clues, "")
    currency, currency_how = find_currency(clues.small)
    how = {
        "companies": company.how, "tickers": ticker_how, "kind": clues.kind_how, "period": period_how,
        "published": published_how, "title": title_how or clues.kind_how, "language": "text",
        "currency": currency and f"{currency} ({currency_how})", "confidence": company.certainty,
        "unsure": company.unsure, "candidates": "; ".join(company.candidates),
    }  # fmt: skip
    title = title or _plain_title(clues)
    found = {name: origin for name, origin in how.items() if origin}
    return Metadata(title, company.companies, tickers, clues.kind, period, published, language_of(text), found)


def _first(places: Places[Value], clues: Clues, nothing: Value) -> tuple[Value, str]:
    """The first value that says anything, and the name of its place."""
    for how, value in places:
        if found := value(clues):
            return found, how
    return nothing, ""


def _with_file_name(found: Found, clues: Clues, period: Period | None) -> Found:
    """Add the name by which a file named "BLOCK_2016_10K" goes when the cover has another (a later name, a brand).

    Only where the file name's kind and year are those of the cover too: then the name is kept with care.
    """
    name = clues.name
    if "cover page" not in found.how or not _is_plain_name(name.company):
        return found
    if name.kind != clues.kind or _year(name.period) != _year(period):
        return found
    if _is_short_for(name.company, found.companies[0], clues.issuer.ticker):
        return found
    return replace(found, companies=(*found.companies, name.company), how=ALSO_FILE_NAME)


def _is_plain_name(name: str) -> bool:
    return " " not in name and is_company(name)


def _year(period: Period | None) -> int | None:
    return period.year if period else None


def _is_short_for(short: str, name: str, ticker: str) -> bool:
    """True where the letters of ``short`` are the ticker or stand, in order, at the beginning of words of ``name``.

    >>> _is_short_for("MGMRESORTS", "MGM Resorts International", "MGM"), _is_short_for("BLOCK", "SQUARE, INC.", "SQ")
    (True, False)
    """
    letters = _NO_LETTERS.sub("", short.lower())
    plain = _NO_LETTERS.sub("", name.lower().removeprefix("the "))
    initials = "".join(word[0] for word in re.findall(r"\w+", name.lower()))
    begins = (plain.startswith(letters), letters.startswith(plain), initials.startswith(letters) and len(letters) > 1)
    return letters == ticker.lower() or any(begins)


# --- places of each field, the surest first


def _given_period(clues: Clues) -> Period | None:
    return clues.given.period


def _tagged_period(clues: Clues) -> Period | None:
    """The fiscal period of inline XBRL."""
    dei = clues.evidence.dei
    year, focus = dei.get("DocumentFiscalYearFocus", ""), dei.get("DocumentFiscalPeriodFocus", "")
    if not re.fullmatch(r"\d{4}", year):
        return None
    end = next((mention.period.end for mention in find_periods(dei.get("DocumentPeriodEndDate", ""))), None)
    if focus == "FY":
        return Period("year", int(year), fiscal=True, end=end)
    return Period("quarter", int(year), _FOCUS[focus], fiscal=True, end=end) if focus in _FOCUS else None


_FORM_PERIODS: Mapping[str, Callable[[str], Period | None]] = {
    "10-K": annual_period, "20-F": annual_period, "10-Q": quarterly_period, "8-K": event_period,
}  # fmt: skip


def _form_period(clues: Clues) -> Period | None:
    """What the cover of a form says."""
    read = _FORM_PERIODS.get(clues.kind)
    return read(clues.text) if read else None


def _report_period(clues: Clues) -> Period | None:
    """The period of a report that is no form; Chinese titles name theirs plainly."""
    if is_chinese(clues.text[:HEAD]):
        return None
    if clues.kind in ("annual report", "10-K", "20-F"):
        running = sorted(clues.evidence.running, key=lambda head: -clues.evidence.running[head])[:_HEADS]
        titles = (*clues.title_lines, *clues.evidence.large, clues.evidence.info.get("title", ""), *running)
        return annual_report_period(clues.small, titles)
    if clues.kind not in ("interim report", "earnings release", "other"):
        return None
    joint = joint_quarter(clues.small)
    if clues.kind == "other" and names_half(clues.small):
        return joint or interim_period(clues.small)
    return interim_period(clues.small) if joint is None and clues.kind == "interim report" else joint


def _day_of_event(clues: Clues) -> Period | None:
    """The day that the file's name or properties give for a report of an event."""
    day = clues.name.day or _filing_day(clues) or _first_day(clues)
    return Period.instant(day) if day and clues.kind == "8-K" else None


def _titled_period(clues: Clues) -> Period | None:
    return named_period("\n".join(clues.title_lines))


def _guessed_period(clues: Clues) -> Period | None:
    return call_period(clues.text) if clues.kind == "earnings call" else None


def _named_by_file(clues: Clues) -> Period | None:
    return clues.name.period


def _told_period(clues: Clues) -> Period | None:
    """What a call says of itself, or the first paragraphs of a report."""
    if clues.kind == "earnings call":
        return told_call_period(clues.text)
    return named_period(clues.text[:HEAD]) if clues.kind not in _OF_NO_PERIOD else None


_PERIODS: Places[Period | None] = (
    ("argument", _given_period),
    ("inline XBRL", _tagged_period),
    ("cover page", _form_period),
    ("titles, closing dates", _report_period),
    ("published", _day_of_event),
    ("cover page", _titled_period),
    ("file name", _named_by_file),
    ("text", _told_period),
    (GUESSED, _guessed_period),
)


def _tagged_symbol(clues: Clues) -> tuple[str, ...]:
    return one(clues.evidence.dei.get("TradingSymbol", ""))


def _printed_symbols(clues: Clues) -> tuple[str, ...]:
    return (*one(clues.issuer.ticker), *one(clues.issuer.short))


def _symbol_of_file(clues: Clues) -> tuple[str, ...]:
    """The ticker in the file's name: "NIKE_2018" gives a name, no ticker."""
    short = clues.name.ticker
    is_name = clues.issuer.company.lower().startswith(short.lower())
    return () if is_name or short == "CIK" else one(short)  # "CIK0000320193.json" is named by the SEC


def _is_of_filer(traded: re.Match[str], own: re.Pattern[str]) -> bool:
    """True where the sentence names the filer's shares, and those of nobody else, before it names the symbol."""
    before = traded.string[max(0, traded.start() - _BEFORE_SYMBOL) : traded.start()]
    sentence = _SENTENCE_END.split(before)[-1]
    last = next(reversed(list(own.finditer(sentence))), None)
    return last is not None and _OF_ANOTHER.search(sentence, last.start()) is None


def _traded_symbol(clues: Clues) -> tuple[str, ...]:
    """The one symbol under which the text says that shares trade, as a report does that has none on its cover."""
    name = re.escape(strip_legal_form(clues.issuer.company)) or _FILER
    own = re.compile(_OWN_SHARES % (name, name), re.IGNORECASE)
    symbols = {found["symbol"] for found in _TRADED.finditer(clues.text) if _is_of_filer(found, own)}
    return one(symbols.pop()) if len(symbols) == 1 else ()


_TICKERS: Places[tuple[str, ...]] = (
    ("inline XBRL", _tagged_symbol),
    ("cover page", _printed_symbols),
    ("text", _traded_symbol),
    ("file name", _symbol_of_file),
)


def _given_day(clues: Clues) -> date | None:
    return clues.given.published


def _own_day(clues: Clues) -> date | None:
    """The day on which a message was sent or a filing accepted."""
    return clues.evidence.published


def _reported_day(clues: Clues) -> date | None:
    return event_date(clues.text) if clues.kind == "8-K" else None


def _day_of_file(clues: Clues) -> date | None:
    return clues.name.day


def _filing_day(clues: Clues) -> date | None:
    """The filing date that EDGAR converters write into a PDF's properties."""
    text = f"{clues.evidence.info.get('subject', '')} {clues.evidence.info.get('title', '')}"
    filed = _FILED_ON.search(text) or _FILED_FOR.search(text)
    return date(int(filed["year"]), int(filed["month"]), int(filed["day"])) if filed else None


def _first_day(clues: Clues) -> date | None:
    """The first day named at the beginning."""
    if clues.kind in _DATED_BY_PERIOD:
        return None
    periods = (mention.period for mention in find_periods(clues.text[:_DATED_HEAD]))
    return next((period.end for period in periods if period.unit == "day"), None)


_DATES: Places[date | None] = (
    ("argument", _given_day),
    ("file itself", _own_day),
    ("cover page", _reported_day),
    ("file name", _day_of_file),
    ("file properties", _filing_day),
    ("cover page", _first_day),
)


def _stored_title(clues: Clues) -> str:
    """The title among the file's properties, unless it is a file name, a number or "Microsoft Word - ..."."""
    title = re.sub(r"^Microsoft \w+ - ", "", " ".join(clues.evidence.info.get("title", "").split()))
    return "" if _UNTITLED.search(title) else title


def _first_heading(clues: Clues) -> str:
    """The first heading, if it stands near the beginning of a document that is no form."""
    headings = (segment for segment in clues.segments if segment.kind == "heading")
    first = next(headings, None)
    if first is None or first.start >= _TITLED_HEAD or clues.kind in _FORMS:
        return ""
    title = " ".join(clues.text[first.start : first.end].split())[:200]
    is_of_report = clues.kind in (*_DATED_BY_PERIOD, "interim report")
    return "" if is_of_report and _SECTION.match(title) else title


def _title_line(clues: Clues) -> str:
    """The line above a short text: an article or note is named by it, however its file is."""
    return "" if clues.kind not in _NAMED_BY_TEXT else title_line(clues.text)


def _defined_name(clues: Clues) -> str:
    """What the first sentence of a short text says what it is."""
    return "" if clues.kind not in _NAMED_BY_TEXT else defined_name(clues.text)


_TITLES: Places[str] = (
    ("file properties", _stored_title),
    ("text", _first_heading),
    ("first line", _title_line),
    ("first words", _defined_name),
)


def _plain_title(clues: Clues) -> str:
    """Company and kind, where a document has no title of its own."""
    name = next(iter(clues.given.companies or one(clues.issuer.company)), "")
    return f"{name} {clues.kind}".strip() if clues.kind != "other" else ""


__all__ = ["KINDS", "find_metadata"]
