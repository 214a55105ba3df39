"""Which documents a search looks at: companies first, then periods and kinds of document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TypeVar

from ....core.names import company_key
from ....core.rules import load_rules
from ....core.scope import Scope
from ....kg.store import DocumentRecord
from ..question import Question
from .catalogue import Catalogue
from .period_labels import PeriodReading, read_period
from .periods import questions_by_company
from .preference import Fit, document_year, fits_kind, is_report, last_day, preference

_CUT = 0.3
"""A document of the company that fits so much less than the best one is left out."""
_PERHAPS = -0.1
"""Preference of a report of no certain company whose text names the one asked."""
_OTHER_READING = -0.1
"""Preference of a document that the period asked would be by another reading."""
_SAME_FACET = 0.05
"""A document that fits one of several periods or kinds asked as well as the best one."""
_PARTS_OF_YEAR = ("quarter", "half", "nine months")
_NO_COMPANY = -0.3
"""Preference of a document whose company is not known, or that is news of many, when one is asked for."""


@dataclass(frozen=True)
class Selection:
    """The documents to search. Each group keeps a share of the result.

    ``preference`` is 0 for the best fitting document of a company and less for the others. ``notes`` say in words how
    the scope came about, also where nothing matched and it was widened. ``everything``: no document is left out.
    """

    groups: tuple[tuple[str, ...], ...]
    preference: Mapping[str, float] = field(default_factory=dict)
    companies: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    everything: bool = False
    loose: frozenset[str] = frozenset()
    """Documents of no certain company that are searched beside those of the companies named."""
    readings: Mapping[str, tuple[PeriodReading, ...]] = field(default_factory=dict)
    """Key of a company -> periods asked of it that could be read in several ways."""

    @cached_property
    def certain(self) -> tuple[str, ...]:
        """The documents but the loose ones: news of no one count neither as filings nor as what may be meant."""
        return tuple(source for source in self.sources if source not in self.loose)

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """All documents, each once, in order."""
        # Kept in the order of the catalogue until sorted: a set of ten thousand costs three times as much to sort.
        return tuple(sorted(dict.fromkeys(chain.from_iterable(self.groups))))


def select_documents(
    catalogue: Catalogue, question: Question, scope: Scope | None, unnamed: Sequence[str] = ()
) -> Selection:
    """Filter by what ``scope`` gives, read from the question what it leaves open; ``Scope.all()`` leaves none out.

    ``unnamed`` are reports of no certain company whose text names whom the question names.
    """
    if scope is not None and scope.is_open:
        return Selection((tuple(catalogue.by_source),), notes=("everything is searched, as asked",), everything=True)
    notes: list[str] = []
    within: Sequence[DocumentRecord] | None = None
    if scope is not None:
        within = _filtered(catalogue, scope, notes)
        if scope.sources:
            return Selection((_sources(within),), notes=tuple(notes))
    companies = () if scope is not None and scope.companies else companies_of(catalogue, question)
    if within is not None:
        unnamed = [source for source in unnamed if source in _sources(within)]
    if unnamed:
        notes.append(f"of no certain company, but named there: {', '.join(unnamed)}")
    if not companies:
        if unnamed:
            return Selection((tuple(unnamed),), dict.fromkeys(unnamed, 0.0), notes=tuple(notes))
        return _without_company(catalogue, question, within, notes)
    notes.append("companies named: " + ", ".join(companies))
    return _with_unnamed(_by_company(catalogue, companies, question, within, notes), unnamed)


def _with_unnamed(selection: Selection, unnamed: Sequence[str]) -> Selection:
    """The documents chosen, and reports of no certain company with the first group of them."""
    if not unnamed:
        return selection
    first, *others = selection.groups or ((),)
    groups = (tuple(dict.fromkeys((*first, *unnamed))), *others)
    preference = {**dict.fromkeys(unnamed, _PERHAPS), **selection.preference}
    return replace(selection, groups=groups, preference=preference)


def companies_of(catalogue: Catalogue, question: Question) -> tuple[str, ...]:
    """Keys of the companies that a question names; those that only the words around it name where it names none."""
    return catalogue.companies.find(question.trimmed) or catalogue.companies.find(question.text)


def _without_company(
    catalogue: Catalogue, question: Question, within: Sequence[DocumentRecord] | None, notes: list[str]
) -> Selection:
    if within is None:
        notes.append("no company named: every company is searched")
    sources = tuple(catalogue.by_source) if within is None else _sources(within)
    return Selection(
        (sources,), Fit(catalogue.by_source, catalogue.newest, question), (), tuple(notes), everything=within is None
    )


def _by_company(
    catalogue: Catalogue,
    companies: tuple[str, ...],
    question: Question,
    within: Sequence[DocumentRecord] | None,
    notes: list[str],
) -> Selection:
    allowed = None if within is None else set(_sources(within))
    own_questions = questions_by_company(question, catalogue.companies)
    chosen: dict[str, float] = {}
    groups: list[tuple[str, ...]] = []
    readings: dict[str, tuple[PeriodReading, ...]] = {}
    for company in companies:
        own = [r for r in catalogue.by_company.get(company, ()) if allowed is None or r.source in allowed]
        asked = own_questions.get(company, question)
        if not own:
            continue
        readings[company] = _readings(own, asked)
        fits, parts = _company_groups(own, catalogue, asked, readings[company], notes)
        chosen |= fits
        groups += [part for part in parts if part not in groups]
    loose = [record.source for record in catalogue.loose if allowed is None or record.source in allowed]
    if loose:
        groups = [tuple(dict.fromkeys((*group, *loose))) for group in groups[:1]] + groups[1:]
    preference = dict.fromkeys(loose, _NO_COMPANY) | chosen
    beside = frozenset(loose).difference(chosen)
    filled = tuple(group for group in groups if group)
    told = tuple(dict.fromkeys(notes))
    return Selection(filled, preference, companies, told, loose=beside, readings=readings)


def _readings(records: Sequence[DocumentRecord], question: Question) -> tuple[PeriodReading, ...]:
    found = (read_period(records, asked) for asked in question.periods)
    return tuple(reading for reading in found if reading is not None)


def _company_groups(
    records: Sequence[DocumentRecord],
    catalogue: Catalogue,
    question: Question,
    readings: Sequence[PeriodReading],
    notes: list[str],
) -> tuple[dict[str, float], list[tuple[str, ...]]]:
    """Documents of one company that fit, with their preference, and the groups that share the result."""
    if not question.periods and question.several:
        records = _of_kind(records, question) or records
        notes.append("a development is asked: each document keeps a share")
        return dict.fromkeys(_sources(records), 0.0), [(record.source,) for record in records]
    if not question.periods and question.latest:
        records = _of_kind(records, question) or records
        newest = max(records, key=last_day)
        notes.append(f"the latest is asked: {newest.source}")
        return {newest.source: 0.0}, [(newest.source,)]
    if readings:
        return _groups_of_readings(records, readings, notes)
    facets = _facets(question)
    if len(facets) > 1:
        return _groups_of_facets(records, catalogue, facets, notes)
    fits = {r.source: preference(r, question, catalogue.newest.get(r.source, 0)) for r in records}
    best = max(fits.values(), default=0.0)
    kept = {source: fit - best for source, fit in fits.items() if fit >= best - _CUT}
    groups = [tuple(kept)]
    for source in _for_uncovered_years([r for r in records if r.source in kept], records, question):
        notes.append(f"an earlier year is asked too: {source}")
        groups.append((source,))
        kept[source] = 0.0
    if question.compares and len(groups) == 1:
        groups += _beside(groups[0], records, kept, notes)
    if len(kept) < len(fits):
        notes.append(f"{len(kept)} of {len(fits)} documents fit the period and kind asked")
    return kept, groups


def _groups_of_readings(
    records: Sequence[DocumentRecord], readings: Sequence[PeriodReading], notes: list[str]
) -> tuple[dict[str, float], list[tuple[str, ...]]]:
    """The documents of periods that can be read in several ways: the one taken first, others behind it."""
    kept: dict[str, float] = {}
    groups: list[tuple[str, ...]] = []
    for reading in readings:
        notes.append(f"{reading.asked} is taken by {reading.how}: {', '.join(_sources(reading.taken))}")
        kept |= {record.source: _OTHER_READING for record in reading.others if record.source not in kept}
        kept |= dict.fromkeys(_sources(reading.taken), 0.0)
        groups += [_sources(reading.taken), _sources(reading.others)]
    return kept, [group for group in groups if group]


def _facets(question: Question) -> list[Question]:
    """The question for each kind of document and each part of a year that it names, where it names several.

    Years are none: one annual report prints several.
    """
    kinds = question.kinds_asked if len(question.kinds_asked) > 1 else (question.kinds,)
    parts = [period for period in question.periods if period.unit in _PARTS_OF_YEAR]
    newest_first = sorted(parts, key=lambda period: period.sort_key, reverse=True)
    periods = [(period,) for period in newest_first] if len(parts) > 1 else [question.periods]
    return [replace(question, kinds=kind, periods=period) for kind in kinds for period in periods]


def _groups_of_facets(
    records: Sequence[DocumentRecord], catalogue: Catalogue, facets: Sequence[Question], notes: list[str]
) -> tuple[dict[str, float], list[tuple[str, ...]]]:
    """The documents that fit each facet best: "what changed between the 10-Q and the 10-K" needs both."""
    kept: dict[str, float] = {}
    groups: list[tuple[str, ...]] = []
    for facet in facets:
        fits = {r.source: preference(r, facet, catalogue.newest.get(r.source, 0)) for r in records}
        best = max(fits.values(), default=0.0)
        own = tuple(source for source, fit in fits.items() if fit >= best - _SAME_FACET)
        kept |= dict.fromkeys(own, 0.0)
        groups.append(own)
    distinct = list(dict.fromkeys(groups))
    notes.append(f"{len(distinct)} periods or kinds of document are asked: each keeps a share")
    return kept, distinct


def _beside(
    chosen: Sequence[str], records: Sequence[DocumentRecord], kept: dict[str, float], notes: list[str]
) -> list[tuple[str, ...]]:
    """Where something is compared with another time, the document of the company that lies nearest to the chosen."""
    days = [last_day(record) for record in records if record.source in chosen]
    others = [record for record in records if record.source not in chosen and is_report(record)]
    if not days or not others:
        return []
    nearest = min(others, key=lambda record: (abs((last_day(record) - max(days)).days), record.source))
    notes.append(f"another time is compared: {nearest.source}")
    kept[nearest.source] = 0.0
    return [(nearest.source,)]


def _for_uncovered_years(
    kept: Sequence[DocumentRecord], records: Sequence[DocumentRecord], question: Question
) -> list[str]:
    """For each year asked that no kept document states, the document of that year that fits best."""
    covered = {year for record in kept for year in years_covered(record)}
    found = []
    for year in [y for y in question.years if y not in covered]:
        own = [r for r in records if document_year(r) == year and (not question.kinds or fits_kind(r, question.kinds))]
        if own and not covered.isdisjoint(question.years):
            found.append(min(own, key=lambda r: (r.kind not in {k.kind for k in kept}, r.source)).source)
    return found


def years_covered(record: DocumentRecord) -> range:
    """The years whose figures a document prints: its own and, by its kind, some before."""
    year = document_year(record) or 0
    return range(year - load_rules(__package__, "scope.toml")["years_covered"].get(record.kind, 1), year + 1)


def _of_kind(records: Sequence[DocumentRecord], question: Question) -> list[DocumentRecord]:
    return [record for record in records if fits_kind(record, question.kinds)]


def _filtered(catalogue: Catalogue, scope: Scope, notes: list[str]) -> Sequence[DocumentRecord]:
    """The documents within a scope. What the user gives is never widened: a filter that nothing passes is noted."""
    index, records = catalogue.companies, list(catalogue.records)
    if scope.sources:
        records = [catalogue.by_source[source] for source in scope.sources if source in catalogue.by_source]
        if not records:
            notes.append(f"no document of that source: {', '.join(scope.sources)}")
    keys = {key for name in scope.companies for key in (index.find(name) or (company_key(name),))}
    filters: list[tuple[str, tuple[str, ...], Callable[[DocumentRecord], bool]]] = [
        ("company", scope.companies, lambda record: not keys.isdisjoint(index.keys(record))),
        ("period", tuple(period.label for period in scope.periods), lambda record: _within(record, scope)),
        ("kind", scope.kinds, lambda record: fits_kind(record, scope.kinds)),
    ]
    for name, given, holds in filters:
        kept = [record for record in records if holds(record)] if given else records
        if records and not kept:
            notes.append(f"no document of that {name}: {', '.join(given)}")
        records = kept
    return records


def _within(record: DocumentRecord, scope: Scope) -> bool:
    """True where the document is of an asked period, or prints its figures beside its own, as annual reports do."""
    period, covered = record.period, years_covered(record)
    return period is not None and any(asked.overlaps(period) or asked.year in covered for asked in scope.periods)


def _sources(records: Iterable[DocumentRecord]) -> tuple[str, ...]:
    return tuple(record.source for record in records)


T = TypeVar("T")


def round_robin(lists: Sequence[Sequence[T]]) -> list[T]:
    """One from each list in turn, each item once.

    >>> round_robin([[1, 2, 3], [4], [5, 1]])
    [1, 4, 5, 2, 3]
    """
    longest = max(map(len, lists), default=0)
    return list(dict.fromkeys(items[at] for at in range(longest) for items in lists if at < len(items)))
