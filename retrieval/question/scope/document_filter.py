"""Which documents a search looks at: companies first, then periods and kinds of document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import chain, product
from typing import TypeVar

from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.scope import Scope
from ....core.sequences import among, without
from ....kg.store import DocumentRecord
from ..question import Question
from .catalogue import Catalogue
from .companies import questions_by_company
from .periods import PeriodReading, read_period, says_calendar
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
        return tuple(without(self.sources, self.loose))

    def has_more_than(self, count: int) -> bool:
        """True where surely more documents than so many are certain, told without going through them."""
        longest = max(map(len, self.groups), default=0)
        return longest - len(self.loose) > count

    def beside(self, sources: Iterable[str]) -> Selection:
        """With further documents that are searched but no reports of the companies asked."""
        further = tuple(without(sources, self.sources))
        if not further:
            return self
        first, *others = self.groups
        preference = {**dict.fromkeys(further, _PERHAPS), **self.preference}
        return replace(
            self, groups=((*first, *further), *others), preference=preference, loose=self.loose.union(further)
        )

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """All documents, each once, in order."""
        if self.everything:
            return self.groups[0]
        # Kept in the order of the catalogue until sorted: a set of ten thousand costs three times as much to sort.
        return tuple(sorted(dict.fromkeys(chain.from_iterable(self.groups))))


def select_documents(
    catalogue: Catalogue, question: Question, scope: Scope | None, unnamed: Sequence[str] = ()
) -> Selection:
    """Filter by what ``scope`` gives, read from the question what it leaves open; ``Scope.all()`` leaves none out.

    ``unnamed`` are reports of no certain company whose text names whom the question names.
    """
    if scope is not None and scope.is_open:
        return Selection((catalogue.sources,), notes=("everything is searched, as asked",), everything=True)
    notes: list[str] = []
    within: Sequence[DocumentRecord] | None = None
    if scope is not None:
        within = _filtered(catalogue, scope, notes)
        if scope.sources:
            return Selection((_sources(within),), notes=tuple(notes))
    if within is not None:
        allowed = _sources(within)
        unnamed = among(unnamed, allowed)
    if unnamed:
        notes.append(f"of no certain company, but named there: {', '.join(unnamed)}")
    is_given = scope is not None and bool(scope.companies)
    companies = () if is_given else companies_of(catalogue, question)
    if companies:
        notes.append("companies named: " + ", ".join(companies))
        return _with_unnamed(_by_company(catalogue, companies, question, within, notes), unnamed)
    if unnamed:
        return Selection((tuple(unnamed),), dict.fromkeys(unnamed, 0.0), notes=tuple(notes))
    return _without_company(catalogue, question, within, notes)


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
    fit = Fit(catalogue.by_source, catalogue.newest, question)
    if within is not None:
        return Selection((_sources(within),), fit, (), tuple(notes))
    notes.append("no company named: every company is searched")
    return Selection((catalogue.sources,), fit, (), tuple(notes), everything=True)


def _by_company(
    catalogue: Catalogue,
    companies: tuple[str, ...],
    question: Question,
    within: Sequence[DocumentRecord] | None,
    notes: list[str],
) -> Selection:
    allowed = catalogue.by_source.keys() if within is None else set(_sources(within))
    own_questions = questions_by_company(question, catalogue.companies)
    choice = _Choice(catalogue.newest, notes)
    readings: dict[str, tuple[PeriodReading, ...]] = {}
    for company in companies:
        own = _among(catalogue.by_company.get(company, ()), allowed)
        asked = own_questions.get(company, question)
        if own:
            readings[company] = _readings(own, asked)
            choice.add(own, asked, readings[company])
    loose = _sources(_among(catalogue.loose, allowed))
    return Selection(
        groups=_with_loose(choice.groups, loose),
        preference=dict.fromkeys(loose, _NO_COMPANY) | choice.preference,
        companies=companies,
        notes=tuple(dict.fromkeys(notes)),
        loose=frozenset(loose).difference(choice.preference),
        readings=readings,
    )


def _among(records: Iterable[DocumentRecord], sources: Collection[str]) -> list[DocumentRecord]:
    return [record for record in records if record.source in sources]


def _with_loose(groups: Sequence[tuple[str, ...]], loose: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The groups that hold documents; the loose ones stand with the first."""
    first, others = groups[:1], groups[1:]
    filled = [tuple(dict.fromkeys((*group, *loose))) for group in first]
    return tuple(filter(None, (*filled, *others)))


def _readings(records: Sequence[DocumentRecord], question: Question) -> tuple[PeriodReading, ...]:
    by_calendar = says_calendar(question)
    return tuple(filter(None, (read_period(records, asked, by_calendar=by_calendar) for asked in question.periods)))


@dataclass(slots=True)
class _Choice:
    """The documents chosen, company by company: each with its preference, in groups that share the result."""

    newest: Mapping[str, int]
    """Source -> the last year of its company's documents."""
    notes: list[str]
    preference: dict[str, float] = field(default_factory=dict)
    groups: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, records: Sequence[DocumentRecord], question: Question, readings: Sequence[PeriodReading]) -> None:
        """Choose among the documents of one company; a group that another company has already is none anew."""
        groups = self._groups_of_company(records, question, readings)
        self.groups += without(groups, self.groups)

    def _groups_of_company(
        self, records: Sequence[DocumentRecord], question: Question, readings: Sequence[PeriodReading]
    ) -> list[tuple[str, ...]]:
        asks_for_some = question.several or question.latest
        if asks_for_some and not question.periods:
            return self._without_period(records, question)
        if readings:
            return self._of_readings(readings)
        facets = _facets(question)
        if len(facets) > 1:
            return self._of_facets(records, facets)
        return self._of_fitting(records, question)

    def _kept(self, sources: Iterable[str]) -> tuple[str, ...]:
        """A group of documents that fit best."""
        group = tuple(sources)
        self.preference |= dict.fromkeys(group, 0.0)
        return group

    def _without_period(self, records: Sequence[DocumentRecord], question: Question) -> list[tuple[str, ...]]:
        """A development over all reports, or the newest of them."""
        records = _of_kind(records, question) or records
        if question.several:
            self.notes.append("a development is asked: each document keeps a share")
            return [self._kept((record.source,)) for record in records]
        newest = max(records, key=last_day)
        self.notes.append(f"the latest is asked: {newest.source}")
        return [self._kept((newest.source,))]

    def _of_readings(self, readings: Sequence[PeriodReading]) -> list[tuple[str, ...]]:
        """The documents of periods that can be read in several ways: the one taken first, others behind it."""
        groups: list[tuple[str, ...]] = []
        fits: dict[str, float] = {}
        for reading in readings:
            taken, others = _sources(reading.taken), _sources(reading.others)
            self.notes.append(f"{reading.asked} is taken by {reading.how}: {', '.join(taken)}")
            fits = dict.fromkeys(others, _OTHER_READING) | fits | dict.fromkeys(taken, 0.0)
            groups += filter(None, (taken, others))
        self.preference |= fits
        return groups

    def _of_facets(self, records: Sequence[DocumentRecord], facets: Iterable[Question]) -> list[tuple[str, ...]]:
        """The documents that fit each facet best: "what changed between the 10-Q and the 10-K" needs both."""
        groups = dict.fromkeys(self._kept(self._fitting(records, facet, _SAME_FACET)) for facet in facets)
        self.notes.append(f"{len(groups)} periods or kinds of document are asked: each keeps a share")
        return list(groups)

    def _of_fitting(self, records: Sequence[DocumentRecord], question: Question) -> list[tuple[str, ...]]:
        """The documents that fit the period and kind, with those of other years or times that are asked too."""
        fits = self._fitting(records, question, _CUT)
        self.preference |= fits
        kept = _among(records, fits)
        groups = [tuple(fits)]
        for source in _for_uncovered_years(kept, records, question):
            self.notes.append(f"an earlier year is asked too: {source}")
            groups.append(self._kept((source,)))
        if question.compares and len(groups) == 1:
            nearest = _nearest(kept, records)
            if nearest is not None:
                self.notes.append(f"another time is compared: {nearest.source}")
                groups.append(self._kept((nearest.source,)))
        count = len(set(chain.from_iterable(groups)))
        if count < len(records):
            self.notes.append(f"{count} of {len(records)} documents fit the period and kind asked")
        return groups

    def _fitting(self, records: Sequence[DocumentRecord], question: Question, cut: float) -> dict[str, float]:
        """The documents at most ``cut`` worse than the best one, each with how much worse."""
        fits: dict[str, float] = {}
        for record in records:
            fits[record.source] = preference(record, question, self.newest.get(record.source, 0))
        best = max(fits.values(), default=0.0)
        return {source: fit - best for source, fit in fits.items() if fit >= best - cut}


def _facets(question: Question) -> list[Question]:
    """The question for each kind of document and each part of a year that it names, where it names several.

    Years are none: one annual report prints several.
    """
    kinds = question.kinds_asked if len(question.kinds_asked) > 1 else (question.kinds,)
    parts = [period for period in question.periods if period.unit in _PARTS_OF_YEAR]
    newest_first = sorted(parts, key=lambda period: period.sort_key, reverse=True)
    periods = list(zip(newest_first)) if len(parts) > 1 else [question.periods]
    return [replace(question, kinds=kind, periods=period) for kind, period in product(kinds, periods)]


def _nearest(chosen: Sequence[DocumentRecord], records: Iterable[DocumentRecord]) -> DocumentRecord | None:
    """Where something is compared with another time, the document of the company that lies nearest to the chosen."""
    if not chosen:
        return None
    day = max(map(last_day, chosen))
    others = [record for record in records if is_report(record) and record not in chosen]
    return min(others, key=lambda record: (abs((last_day(record) - day).days), record.source), default=None)


def _for_uncovered_years(
    kept: Sequence[DocumentRecord], records: Sequence[DocumentRecord], question: Question
) -> list[str]:
    """For each year asked that no kept document states, the document of that year that fits best."""
    covered = set(chain.from_iterable(map(years_covered, kept)))
    if covered.isdisjoint(question.years):
        return []
    kinds = {record.kind for record in kept}
    found: list[str] = []
    for year in question.years:
        if year in covered:
            continue
        own = [record for record in records if _is_of_year(record, year, question.kinds)]
        if own:
            best = min(own, key=lambda record: (record.kind not in kinds, record.source))
            found.append(best.source)
    return found


def _is_of_year(record: DocumentRecord, year: int, kinds: Sequence[str]) -> bool:
    if document_year(record) != year:
        return False
    return not kinds or fits_kind(record, kinds)


def years_covered(record: DocumentRecord) -> range:
    """The years whose figures a document prints: its own and, by its kind, some before."""
    year = document_year(record) or 0
    before = load_rules(__package__, "scope.toml")["years_covered"].get(record.kind, 1)
    return range(year - before, year + 1)


def _of_kind(records: Sequence[DocumentRecord], question: Question) -> list[DocumentRecord]:
    return [record for record in records if fits_kind(record, question.kinds)]


def _filtered(catalogue: Catalogue, scope: Scope, notes: list[str]) -> Sequence[DocumentRecord]:
    """The documents within a scope. What the user gives is never widened: a filter that nothing passes is noted."""
    index, records = catalogue.companies, list(catalogue.records)
    if scope.sources:
        records = catalogue.records_from(scope.sources)
        if not records:
            notes.append(f"no document of that source: {', '.join(scope.sources)}")
    keys = set(index.given(scope.companies))
    filters: list[tuple[str, tuple[str, ...], Callable[[DocumentRecord], bool]]] = [
        ("company", scope.companies, lambda record: not keys.isdisjoint(index.keys(record))),
        ("period", tuple(period.label for period in scope.periods), lambda record: _within(record, scope)),
        ("kind", scope.kinds, lambda record: fits_kind(record, scope.kinds)),
    ]
    for name, given, holds in filters:
        if not given or not records:
            continue
        records = list(filter(holds, records))
        if not records:
            notes.append(f"no document of that {name}: {', '.join(given)}")
    return records


def _within(record: DocumentRecord, scope: Scope) -> bool:
    """True where the document is of an asked period, or prints its figures beside its own, as annual reports do."""
    period = record.period
    if period is None:
        return False
    covered = years_covered(record)
    return any(asked.overlaps(period) or asked.year in covered for asked in scope.periods)


def _sources(records: Iterable[DocumentRecord]) -> tuple[str, ...]:
    return tuple(record.source for record in records)


T = TypeVar("T")


def round_robin(lists: Sequence[Sequence[T]]) -> list[T]:
    """One from each list in turn, each item once.

    >>> round_robin([[1, 2, 3], [4], [5, 1]])
    [1, 4, 5, 2, 3]
    """
    dealt: dict[T, None] = {}
    for at in range(max(map(len, lists), default=0)):
        dealt.update((items[at], None) for items in lists if at < len(items))
    return list(dealt)
