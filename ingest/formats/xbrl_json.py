"""Figures that are filed as data: the SEC's company facts, xBRL-JSON, financial reports as JSON; straight to facts.

Nothing of it is chunked but a summary: every value is a tagged one, cited by its concept and the filing it stands in.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from itertools import groupby
from typing import Any

from ...core.period import iso_day
from ...core.records import dataclass
from ...core.sequences import grouped
from ..document import Line, TaggedValue
from ..reading.assemble import SegmentBuilder
from .registry import Content, Evidence, FileContent, Reader

_BEGINS = re.compile(r"^\s{0,200}\{")
_COMPANY_FACTS, _COMPANY_CONCEPT = ('"cik"', '"facts"'), ('"cik"', '"tag"', '"units"')
_XBRL_JSON = ('"documentInfo"', '"facts"')
_AS_REPORTED = re.compile(r'"(?:bs|ic|cf)"\s{0,9}:\s{0,9}\[')
_HEAD = 100_000
_STATEMENTS = ("ic", "bs", "cf")
"""Income statement, balance sheet, cash flow."""
_YEAR = range(350, 381)
"""Days of a fiscal year."""
_ANNUAL_FORMS = ("10-K", "20-F", "40-F")
_MOST_VALUES = 1_000_000
_LONGEST_LABEL = 300


@dataclass(frozen=True, slots=True)
class Filed:
    """One value of a filing."""

    concept: str
    """With its prefix: "us-gaap:Revenues"."""
    label: str
    value: str
    """As it stands in the file."""
    unit: str
    first_day: date | None
    last_day: date | None
    form: str = ""
    filed: date | None = None
    accession: str = ""
    dimensions: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What it states, whatever the number."""
        return (self.concept, self.unit, self.first_day, self.last_day, self.dimensions)


@dataclass(frozen=True, slots=True)
class Figures:
    """All values of a file and whose they are."""

    company: str
    cik: str
    symbol: str
    values: Sequence[Filed]


def _recognises(file: FileContent) -> bool:
    if not _BEGINS.match(file.text[:300]):
        return False
    head = file.text[:_HEAD]
    dialects = (_COMPANY_FACTS, _COMPANY_CONCEPT, _XBRL_JSON)
    for keys in dialects:
        if all(key in head for key in keys):
            return True
    return _AS_REPORTED.search(head) is not None


def _read(file: FileContent) -> Content:
    """Raises DocumentError."""
    from ...core.errors import DocumentError

    try:
        figures = _figures(json.loads(file.text))
    except (ValueError, RecursionError, AttributeError, TypeError, KeyError) as error:
        raise DocumentError(
            f"damaged, or no figures as JSON ({type(error).__name__})",
            where=str(file.path),
            hint="Get a fresh copy of the file",
        ) from error
    if not figures.values:
        raise DocumentError("no figures in it", where=str(file.path))
    file.deadline.check()
    return _content(figures)


def _figures(data: Mapping[str, Any]) -> Figures:
    """The values, whichever of the dialects the file is in."""
    if "documentInfo" in data:
        return _of_xbrl_json(data)
    if isinstance(data.get("facts"), dict) or "tag" in data:
        return _of_company_facts(data)
    return _of_reports(data)


# --- the dialects


def _of_company_facts(data: Mapping[str, Any]) -> Figures:
    """data.sec.gov/api/xbrl/companyfacts and companyconcept."""
    facts = data.get("facts") or {data["taxonomy"]: {data["tag"]: data}}
    values: list[Filed] = []
    for taxonomy, concepts in facts.items():
        for tag, concept in concepts.items():
            label = str(concept.get("label") or tag)[:_LONGEST_LABEL]
            for unit, rows in concept["units"].items():
                values += (_company_fact(f"{taxonomy}:{tag}", label, unit, row) for row in rows)
    return Figures(str(data.get("entityName", "")), _cik(data), "", values[:_MOST_VALUES])


def _company_fact(concept: str, label: str, unit: str, row: Mapping[str, Any]) -> Filed:
    return Filed(
        concept=concept,
        label=label,
        value=str(row["val"]),
        unit=unit,
        first_day=iso_day(row.get("start")),
        last_day=iso_day(row.get("end")),
        form=str(row.get("form", "")),
        filed=iso_day(row.get("filed")),
        accession=str(row.get("accn", "")),
    )


def _of_xbrl_json(data: Mapping[str, Any]) -> Figures:
    """xBRL-JSON of XBRL International (Open Information Model): its periods end at midnight after the last day."""
    values: list[Filed] = []
    named: dict[str, str] = {}
    entity = ""
    for fact in data["facts"].values():
        about = dict(fact["dimensions"])
        concept, period = str(about.pop("concept")), str(about.pop("period", ""))
        entity = str(about.pop("entity", entity)).rpartition(":")[2]
        unit = str(about.pop("unit", "")).replace("iso4217:", "").replace("xbrli:", "")
        about.pop("language", None)
        value = fact.get("value")
        if not unit:
            named.setdefault(concept.rpartition(":")[2], str(value))
        if value is None or not unit:
            continue
        first, last = _oim_period(period)
        others = tuple(sorted((axis, str(member)) for axis, member in about.items() if ":" in axis))
        values.append(Filed(concept, concept.rpartition(":")[2], str(value), unit, first, last, dimensions=others))
    company = named.get("EntityRegistrantName") or named.get("NameOfReportingEntityOrOtherMeansOfIdentification", "")
    return Figures(company, entity, named.get("TradingSymbol", ""), values[:_MOST_VALUES])


def _oim_period(text: str) -> tuple[date | None, date | None]:
    """ "2022-01-01T00:00:00/2023-01-01T00:00:00" as its first and last day; an instant has no first."""
    start, mark, end = text.partition("/")
    if not mark:
        return None, _before(start)
    return iso_day(start[:10]), _before(end)


def _before(text: str) -> date | None:
    """The day that a time ends: midnight at the begin of a day is the end of the one before."""
    day = iso_day(text[:10])
    has_time = len(text) > 10
    return day - timedelta(days=1) if day and has_time else day


def _of_reports(data: Mapping[str, Any]) -> Figures:
    """Financial reports as filed, one or several: statements "bs", "ic" and "cf" with concept, label, unit, value."""
    reports = data["data"] if isinstance(data.get("data"), list) else [data]
    values: list[Filed] = []
    for report in reports:
        statements = report.get("report") or report.get("data") or report
        for name in _STATEMENTS:
            for row in statements.get(name) or ():
                values.append(_reported(report, row, name))
    company = str(data.get("name") or data.get("companyName") or "")
    return Figures(company, _cik(data), str(data.get("symbol", "")), values[:_MOST_VALUES])


def _reported(report: Mapping[str, Any], row: Mapping[str, Any], statement: str) -> Filed:
    concept = str(row.get("concept") or row.get("label", "")).replace("_", ":", 1)
    unit = str(row.get("unit") or "usd")
    return Filed(
        concept=concept if ":" in concept else f"us-gaap:{concept}",
        label=str(row.get("label") or concept)[:_LONGEST_LABEL],
        value=str(row.get("value", "")),
        unit=unit.upper() if len(unit) == 3 else unit,
        first_day=None if statement == "bs" else iso_day(report.get("startDate")),
        last_day=iso_day(report.get("endDate")),
        form=str(report.get("form", "")),
        filed=iso_day(report.get("filedDate")),
        accession=str(report.get("accessNumber", "")),
    )


def _cik(data: Mapping[str, Any]) -> str:
    return str(data.get("cik", "")).lstrip("0")


# --- values -> text and tags


def _content(figures: Figures) -> Content:
    """A summary that can be found by words, and below it a line for each value, which only facts point to."""
    current, again, changed = _current(figures.values)
    parts = [_summary(figures, current)]
    length = len(parts[0])
    lines = [Line(0, length, 1, place="summary")]
    tagged: list[TaggedValue] = []
    for filed, before in current:
        number = _number(filed.value)
        if number is None:
            continue
        shown = f"{number:,f}"
        lead = f"\n{filed.label} | {filed.concept} | {_span(filed)} | "
        row = f"{lead}{shown} {filed.unit}{_origin(filed)}{_earlier(before)}"
        start = length + len(lead)
        tagged.append(_tag(filed, number, shown, start))
        lines.append(Line(length + 1, length + len(row), 1, place=_place(filed)))
        parts.append(row)
        length += len(row)
    text = "".join(parts)
    builder = SegmentBuilder(text)
    title, _, rest = parts[0].partition("\n\n")
    builder.add("heading", 0, len(title), level=1)
    builder.add("paragraph", len(title), len(title) + 2 + len(rest))
    notes = (f"{len(tagged):,} values, {changed:,} of them stated otherwise before; {again:,} said again count once",)
    company = {"EntityRegistrantName": figures.company, "TradingSymbol": figures.symbol}
    evidence = Evidence(
        info={"title": title},
        dei={name: value for name, value in company.items() if value},
        published=max((filed.filed for filed in figures.values if filed.filed), default=None),
    )
    return Content(
        text, tuple(builder.segments), lines=tuple(lines), evidence=evidence, tagged=tuple(tagged), notes=notes
    )


def _tag(filed: Filed, number: Decimal, shown: str, start: int) -> TaggedValue:
    return TaggedValue(
        concept=filed.concept,
        start=start,
        end=start + len(shown),
        text=shown,
        value=number,
        unit=filed.unit,
        first_day=filed.first_day,
        last_day=filed.last_day,
        dimensions=filed.dimensions,
    )


def _current(values: Iterable[Filed]) -> tuple[list[tuple[Filed, list[Filed]]], int, int]:
    """What is stated last of each figure, by the filing that first stated it so, with what was stated before.

    Also how many values only say a figure again, and how many figures were stated otherwise before.
    """
    by_key = grouped(values, key=lambda filed: filed.key)
    current: list[tuple[Filed, list[Filed]]] = []
    again = 0
    for statements in by_key.values():
        statements.sort(key=lambda filed: filed.filed or date.min)
        distinct = [next(run) for _, run in groupby(statements, key=lambda filed: filed.value)]
        again += len(statements) - len(distinct)
        current.append((distinct[-1], distinct[:-1]))
    return current, again, sum(bool(before) for _, before in current)


def _summary(figures: Figures, current: Sequence[tuple[Filed, list[Filed]]]) -> str:
    """Whose figures these are, from which filings, and when its fiscal years end."""
    values = [filed for filed, _ in current]
    filings = {filed.accession for filed in figures.values if filed.accession}
    concepts = Counter(filed.label for filed in values)
    days = sorted(filed.last_day for filed in values if filed.last_day)
    number = f"CIK {figures.cik}" if figures.cik else "one company"
    name = figures.company or figures.symbol or number
    told = [f"{len(values):,} figures of {name} under {len(concepts):,} names"]
    if filings:
        told.append(f"from {len(filings)} filings")
    if days:
        told.append(f"for periods that ended from {days[0].isoformat()} to {days[-1].isoformat()}")
    lines = [f"Reported figures of {name}", f"{', '.join(told)}."]
    if end := _last_year_end(values):
        lines.append(f"Its last fiscal year ended {end:%B} {end.day}, {end.year}.")
    lines.append(f"Most often: {'; '.join(label for label, _ in concepts.most_common(12))}.")
    return f"{lines[0]}\n\n{' '.join(lines[1:])}"


def _last_year_end(values: Iterable[Filed]) -> date | None:
    """The end of the latest year in an annual report."""
    return max(_year_ends(values), default=None)


def _year_ends(values: Iterable[Filed]) -> Iterator[date]:
    for filed in values:
        if filed.form and not filed.form.startswith(_ANNUAL_FORMS):
            continue
        if not (filed.first_day and filed.last_day):
            continue
        if (filed.last_day - filed.first_day).days in _YEAR:
            yield filed.last_day


def _span(filed: Filed) -> str:
    if filed.first_day is None:
        return filed.last_day.isoformat() if filed.last_day else "no day"
    return f"{filed.first_day.isoformat()} to {filed.last_day.isoformat() if filed.last_day else ''}"


def _origin(filed: Filed) -> str:
    told = " ".join(filter(None, (filed.form, filed.accession)))
    day = f" filed {filed.filed.isoformat()}" if filed.filed else ""
    return f" | {told}{day}" if told else ""


def _earlier(before: Sequence[Filed]) -> str:
    """What earlier filings stated instead."""
    if not before:
        return ""
    return " | before: " + "; ".join(f"{one.value} ({one.accession or one.form})" for one in before)


def _place(filed: Filed) -> str:
    """ "us-gaap:Revenues in 0000320193-23-000106"."""
    return f"{filed.concept} in {filed.accession}" if filed.accession else filed.concept


def _number(value: str) -> Decimal | None:
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 30 else None


XBRL_JSON = Reader("figures (XBRL as JSON)", (".json",), _recognises, _read, rank=33)
