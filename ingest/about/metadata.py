"""Whom and when a document is about: from arguments, inline XBRL, cover page or file name, and which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import cache

from ...core.period import Period
from ...core.period_text import find_periods
from ...core.rules import load_rules
from ..document import Language, Metadata, Segment
from ..formats.content import Evidence
from .cover_page import HEAD, Issuer, find_issuer, is_company, written_in_full
from .file_name import NameParts, read_name
from .given import Given
from .report_period import annual_period, call_period, event_date, named_period, quarterly_period
from .spelled_out import spelled_out

KINDS = (
    "10-K", "10-Q", "8-K", "20-F", "annual report", "interim report", "earnings call", "earnings release",
    "presentation", "research", "news", "prospectus", "other",
)  # fmt: skip
"""Kinds of document; a user may give another as an argument."""

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LETTER = re.compile(r"[A-Za-z]")
_CALL_CUES = re.compile(
    r"\b(?:(?:today['’]s|this|our|the) (?:conference )?call|prepared remarks|(?:turn|hand) (?:the call|it|things) over"
    r"|(?:thank you|thanks),? operator|good (?:morning|afternoon|evening)|joined by|joining (?:me|us)|slide \d+)\b",
    re.IGNORECASE,
)
_CALL_HEAD = 6_000
_FULL_NAME = 20_000
"""Characters in which a company's full name is looked for."""
_ENOUGH_CUES = 2
_COVER_LINES = 25
_LONGEST_TITLE_LINE = 160
_FOCUS = {"Q1": 1, "Q2": 2, "Q3": 3, "Q4": 4}
_INFO_COMPANY = re.compile(r"\bfor\s+(.{3,60}?)\s+filed\s+(\d\d)/(\d\d)/(\d{4})", re.IGNORECASE)
_FILED_ON = re.compile(r"\bfiled\s+on\s+(\d{4})-(\d\d)-(\d\d)", re.IGNORECASE)


Finding = tuple[object, str]
"""A value and how it was found."""


def find_metadata(text: str, segments: Sequence[Segment], source: str, given: Given, evidence: Evidence) -> Metadata:
    """Collect the metadata; ``how`` names for each field the first source that had it."""
    return _Search(text, segments, source, given, evidence).result()


class _Search:
    """One document's clues, from the surest to the weakest."""

    def __init__(self, text: str, segments: Sequence[Segment], source: str, given: Given, evidence: Evidence) -> None:
        self.text, self.segments, self.given, self.evidence = text, segments, given, evidence
        self.name: NameParts = read_name(source)
        self.head = [line for line in text[:HEAD].split("\n") if line.strip()]
        self.title_lines = _title_lines(self.head)
        self.issuer: Issuer = find_issuer(self.head)
        self.kind, self.kind_how = _first(self._kinds(), "")

    def result(self) -> Metadata:
        companies, company_how = self._with_file_name(*_first(self._companies(), ()))
        tickers, ticker_how = _first(self._tickers(), ())
        period, period_how = _first(self._periods(), None)
        published, published_how = _first(self._dates(), None)
        title, title_how = _first(self._titles(), "")
        how = {
            "companies": company_how, "tickers": ticker_how, "kind": self.kind_how, "period": period_how,
            "published": published_how, "title": title_how, "language": "text",
        }  # fmt: skip
        found = {name: origin for name, origin in how.items() if origin}
        return Metadata(title, companies, tickers, self.kind, period, published, language_of(self.text), found)

    def _with_file_name(self, companies: tuple[str, ...], how: str) -> tuple[tuple[str, ...], str]:
        """Add the name by which a file named "BLOCK_2016_10K" goes when the cover has another (a later name, a brand).

        Only where the file name's kind and year are those of the cover too: then the name is kept with care.
        """
        name, period = self.name, _first(self._periods(), None)[0]
        if how != "cover page" or not name.company or " " in name.company or not is_company(name.company):
            return companies, how
        careful = name.kind == self.kind and name.period and period and name.period.year == period.year
        if not careful or _is_short_for(name.company, companies[0], self.issuer.ticker):
            return companies, how
        return (*companies, name.company), "cover page, file name"

    def _kinds(self) -> Iterator[tuple[str, str]]:
        yield self.given.kind, "argument"
        yield _kind_of_form(self.evidence.dei.get("DocumentType", "")), "inline XBRL"
        if self.evidence.is_call:
            yield "earnings call", "transcript"
        yield _kind_of_cover(self.title_lines), "cover page"
        yield self.name.kind, "file name"
        info = [self.evidence.info.get("title", ""), self.evidence.info.get("subject", "")]
        yield _kind_of_cover(info), "file properties"
        yield "earnings call" if _speaks_like_a_call(self.text) else "", "text"
        yield "other", ""

    def _companies(self) -> Iterator[tuple[tuple[str, ...], str]]:
        yield self.given.companies, "argument"
        yield _one(self.evidence.dei.get("EntityRegistrantName", "")), "inline XBRL"
        yield _one(self.issuer.company), "cover page"
        info = _INFO_COMPANY.search(self.evidence.info.get("title", ""))
        yield _one(info[1] if info else ""), "file properties"
        name = self.name
        if name.ticker == name.company and self.kind == "earnings call":
            yield _one(spelled_out(name.ticker, self.text) if name.ticker else ""), "text"
        named = name.company if name.is_structured and is_company(name.company) else ""
        yield _one(written_in_full(named, self.text[:_FULL_NAME]) if named else ""), "file name"

    def _tickers(self) -> Iterator[tuple[tuple[str, ...], str]]:
        yield _one(self.evidence.dei.get("TradingSymbol", "")), "inline XBRL"
        yield (*_one(self.issuer.ticker), *_one(self.issuer.short)), "cover page"
        short = self.name.ticker
        if not self.issuer.company.lower().startswith(short.lower()):  # "NIKE_2018" gives a name, no ticker
            yield _one(short), "file name"

    def _periods(self) -> Iterator[tuple[Period | None, str]]:
        """Forms say their period on the cover; of others a title is surer than the file's name, and that than prose."""
        yield self.given.period, "argument"
        yield _period_of_dei(self.evidence.dei), "inline XBRL"
        yield self._form_period(), "cover page"
        if self.kind == "8-K":
            day, how = _first(self._dates(), None)
            yield Period.instant(day) if day else None, how
        yield named_period("\n".join(self.title_lines)), "cover page"
        yield self.name.period, "file name"
        if self.kind == "earnings call":
            yield call_period(self.text), "text"
        elif self.kind != "other":
            yield named_period(self.text[:HEAD]), "text"

    def _form_period(self) -> Period | None:
        if self.kind in ("10-K", "20-F"):
            return annual_period(self.text)
        if self.kind == "10-Q":
            return quarterly_period(self.text)
        day = event_date(self.text) if self.kind == "8-K" else None
        return Period.instant(day) if day else None

    def _dates(self) -> Iterator[tuple[date | None, str]]:
        yield self.given.published, "argument"
        if self.kind == "8-K":
            yield event_date(self.text), "cover page"
        yield self.name.day, "file name"
        yield _date_of_info(self.evidence.info), "file properties"
        if self.kind not in ("10-K", "10-Q", "20-F", "annual report"):
            yield _first_date(self.text[:2_500]), "cover page"

    def _titles(self) -> Iterator[tuple[str, str]]:
        yield _clean_title(self.evidence.info.get("title", "")), "file properties"
        heading = next((s for s in self.segments if s.kind == "heading"), None)
        if heading and heading.start < 1_500 and self.kind not in ("10-K", "10-Q", "8-K", "20-F"):
            yield " ".join(self.text[heading.start : heading.end].split())[:200], "text"
        name = (self.given.companies or _one(self.issuer.company) or ("",))[0]
        yield f"{name} {self.kind}".strip() if self.kind != "other" else "", self.kind_how


def language_of(text: str) -> Language:
    """ "zh" where Chinese characters outweigh Latin words, else "en".

    >>> language_of("公司2019年实现营业收入 11.8 亿元"), language_of("Revenue of 腾讯 rose")
    ('zh', 'en')
    """
    sample = text[:50_000]
    return "zh" if len(_HAN.findall(sample)) * 3 > len(_LETTER.findall(sample)) else "en"


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


def _first(found: Iterable[tuple[object, str]], nothing: object) -> tuple:  # type: ignore[type-arg]
    return next(((value, how) for value, how in found if value), (nothing, ""))


def _one(name: str) -> tuple[str, ...]:
    name = " ".join(name.split()).strip(" ,")
    return (name,) if name else ()


@cache
def _cover_kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rules = load_rules(__package__, "metadata.toml")["cover"]
    return tuple((rule["kind"], re.compile(rule["pattern"], re.IGNORECASE)) for rule in rules)


def _title_lines(head: Sequence[str]) -> list[str]:
    """The first lines that are no sentences: titles and labels of a cover."""
    first = [line.strip() for line in head[:_COVER_LINES]]
    return [line for line in first if len(line) <= _LONGEST_TITLE_LINE and not line.endswith((".", "。", "?", ","))]


def _speaks_like_a_call(text: str) -> bool:
    """True for the words of a call without its speakers' names: several turns of phrase of hosts near the beginning."""
    head = text[:_CALL_HEAD]
    cues = {match.group().lower() for match in _CALL_CUES.finditer(head)}
    of_a_call = any("call" in cue or "operator" in cue or "remarks" in cue for cue in cues)
    return of_a_call and len(cues) >= _ENOUGH_CUES and bool(re.search(r"\bquarter\b", head, re.IGNORECASE))


def _kind_of_cover(lines: Sequence[str]) -> str:
    """The first kind named in the first lines; the earlier line wins over the order of the rules."""
    head = " ".join(" ".join(lines).split())[:2_500]
    best, best_at = "", len(head) + 1
    for kind, form in _cover_kinds():
        match = form.search(head)
        if match and match.start() < best_at:
            best, best_at = kind, match.start()
    return best


def _kind_of_form(form: str) -> str:
    form = form.upper().removesuffix("/A")
    return {"40-F": "20-F", "6-K": "8-K", "10-KT": "10-K", "10-QT": "10-Q"}.get(form, form if form in KINDS else "")


def _period_of_dei(dei: object) -> Period | None:
    facts = dict(dei)  # type: ignore[call-overload]
    year, focus = facts.get("DocumentFiscalYearFocus", ""), facts.get("DocumentFiscalPeriodFocus", "")
    if not re.fullmatch(r"\d{4}", year):
        return None
    ends = [m.period.end for m in find_periods(facts.get("DocumentPeriodEndDate", ""))]
    end = ends[0] if ends else None
    if focus in _FOCUS:
        return Period("quarter", int(year), _FOCUS[focus], fiscal=True, end=end)
    return Period("year", int(year), fiscal=True, end=end) if focus == "FY" else None


def _date_of_info(info: object) -> date | None:
    """The filing date that EDGAR converters write into a PDF's properties."""
    facts = dict(info)  # type: ignore[call-overload]
    text = f"{facts.get('subject', '')} {facts.get('title', '')}"
    if filed := _FILED_ON.search(text):
        return date(int(filed[1]), int(filed[2]), int(filed[3]))
    if filed := _INFO_COMPANY.search(text):
        return date(int(filed[4]), int(filed[2]), int(filed[3]))
    return None


def _first_date(text: str) -> date | None:
    return next((m.period.end for m in find_periods(text) if m.period.unit == "day" and m.period.end), None)


def _clean_title(title: str) -> str:
    """A stored title, unless it is a file name, a number or "Microsoft Word - ..."."""
    title = " ".join(title.split())
    title = re.sub(r"^Microsoft \w+ - ", "", title)
    useless = not re.search(r"[^\W\d_]{3}", title) or re.search(
        r"\.\w{3,4}$|^untitled|^document\d*$|^[\w.]+-?\d{6,}$", title, re.IGNORECASE
    )
    return "" if useless else title
