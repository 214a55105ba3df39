"""A question as it was understood, once: everything that searches, calculates and answers takes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, wraps
from itertools import chain
from typing import Any, TypeVar

from ...core.language import Language
from ...core.names import is_chinese
from ...core.patterns import on_demand
from ...core.records import dataclass
from ...core.scope import Scope
from ...core.words import search_words
from ...ingest.facts.metrics import MetricList
from ...kg.graph import Relation, Subgraph
from ...kg.store import DocumentRecord, Store
from .entity_linking import LinkedEntity, capitalised_names, link_entities
from .figures.asked import Asked
from .figures.operands import name_spans
from .figures.plain_request import asked_plainly
from .figures.request import read_numbers
from .figures.selection_request import read_between
from .focus import Knowledge, focused
from .question import Question, read_question, without_markup
from .scope.absent_company import AbsentCompany, absent_companies, companies_within, well_known_spans
from .scope.catalogue import Catalogue, by_company, named_in_full, naming, only_document_with, printing, to_look_in
from .scope.companies import questions_by_company
from .scope.document_filter import Selection, companies_of, select_documents
from .scope.market_names import NameReading, read_market_names, written_out
from .scope.periods import by_reports, with_years
from .sub_questions import sub_questions
from .vocabulary.vocabulary import Vocabulary
from .wording.answer_type import Expected, expected_answer, ordinary_words
from .wording.asking import read_wishes
from .wording.conversation import parts_of
from .wording.speech import SpeechRequest, read_speech, without_asker
from .wording.spelling import correct, with_capitals

_ARTICLE = on_demand(r"\bthe $", re.IGNORECASE)
_MOST_RELATIONS = 400
"""Relations that are read around those named."""
_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Keywords:
    """What a model reads a question to be about, for a graph to start from (LightRAG's low and high level)."""

    names: tuple[str, ...] = ()
    """Who and what is meant, as documents name them: "Alphabet" where the question says "Google's owner"."""
    themes: tuple[str, ...] = ()
    """What is asked about them: "antitrust proceedings"."""


NO_KEYWORDS = Keywords()


@dataclass(frozen=True)
class QuestionPlan:
    """What is asked of a store. Made by :func:`understand`; what needs a look-up is worked out when first asked for.

    ``asked`` are the words of the question without the phrases around it, ``scope`` what the caller gives (None: all is
    read from the question), ``selection`` the documents it is about, ``companies`` the keys of those that it names.
    """

    store: Store
    catalogue: Catalogue
    vocabulary: Vocabulary
    asked: Question
    scope: Scope | None
    selection: Selection
    companies: tuple[str, ...]
    typed: str
    taken_for: tuple[NameReading, ...] = ()
    """Names that no document has, and the companies that they were taken for; ``asked`` has these in their place."""
    keywords: Keywords = NO_KEYWORDS
    speech: SpeechRequest | None = None
    """What is wanted of a call; None where nobody's words are asked for, or no call is there."""

    @property
    def text(self) -> str:
        """The question as typed, names of the market written out."""
        return self.asked.text

    @property
    def language(self) -> Language:
        """The language to answer in."""
        return self.asked.language

    @cached_property
    def worked_out(self) -> dict[Callable[..., Any], Any]:
        """What functions told of this plan, see :func:`once_a_plan`."""
        return {}

    @cached_property
    def _read(self) -> dict[tuple[frozenset[str], frozenset[str] | None, frozenset[str]], Subgraph]:
        return {}

    def relations_around(
        self, ids: Collection[str], within: Collection[str] | None = None, kinds: Collection[str] = ()
    ) -> Sequence[Relation]:
        """The best supported relations of the entities with these ids, of the ``kinds`` where any are given; ``within``
        are the documents that may say so.

        Search and answer ask for the same ones up to five times a question, so all kinds are read once. Only where they
        are more than are read, those asked for are read for themselves: a bank with 400 subsidiaries has a board, too.
        """
        around = self._around(ids, within, frozenset())
        if not kinds:
            return around.relations
        if around.truncated:
            return self._around(ids, within, frozenset(kinds)).relations
        return [relation for relation in around.relations if relation.relation in kinds]

    def _around(self, ids: Collection[str], within: Collection[str] | None, kinds: frozenset[str]) -> Subgraph:
        wanted = (frozenset(ids), None if within is None else frozenset(within), kinds)
        if wanted not in self._read:
            self._read[wanted] = self.store.subgraph(list(ids), _MOST_RELATIONS, within, kinds)
        return self._read[wanted]

    @cached_property
    def as_told(self) -> str:
        """The question as the one company that it is about would put it: reports say "the Company", not their name.

        The name would make every sentence that prints it like the question. The question itself where it names none,
        or several, and in Chinese, where reports name themselves.
        """
        text, known = self.asked.trimmed, self.catalogue.companies
        if len(self.selection.companies) != 1 or is_chinese(text):
            return text
        for start, end, key in reversed(known.mentions(text)):
            if key in self.selection.companies:
                text = f"{_ARTICLE.sub('', text[:start])}the company{text[end:]}"
        return text

    @cached_property
    def by_company(self) -> Mapping[str, Question]:
        """Key of a company -> the question with just its periods; empty where all periods are asked of all."""
        return questions_by_company(self.asked, self.catalogue.companies)

    @cached_property
    def expected(self) -> Expected:
        """The kind of answer: a name, a day, a reason."""
        return expected_answer(self.asked)

    @cached_property
    def own_selection(self) -> Selection:
        """The documents that the question itself speaks of, where the caller lets everything be searched."""
        return select_documents(self.catalogue, self.asked, None) if self.selection.everything else self.selection

    @cached_property
    def linked(self) -> Sequence[LinkedEntity]:
        """Entities of the graph that the question names."""
        return link_entities(self.store, self.asked.trimmed)

    @cached_property
    def linked_with_companies(self) -> Sequence[LinkedEntity]:
        """Entities of the graph that the question names, those of the companies that it is about, and those that a
        model reads it to mean."""
        names = [*self._company_names, *self.keywords.names]
        return link_entities(self.store, self.asked.trimmed, names) if names else self.linked

    @cached_property
    def absent(self) -> tuple[AbsentCompany, ...]:
        """Companies that the question asks about and no document is of; none where it names one of the store."""
        if self.companies or self.scope is not None or not self.selection.everything:
            return ()
        return absent_companies(self.text, self.catalogue, self.store, self.vocabulary.names, self.linked)

    @cached_property
    def owned_companies(self) -> tuple[AbsentCompany, ...]:
        """Subsidiaries and purchases of companies of the store that own what the question asks for."""
        return companies_within(self.text, self.catalogue, self.store, self.linked)

    @cached_property
    def company_documents(self) -> frozenset[str]:
        """All documents of the companies named: an older report may say what the newest does not; none where none is
        named. What the user gives as scope stays the border."""
        if self.selection.everything:
            return frozenset()
        if self.scope is not None:
            return frozenset(self.selection.certain)
        return frozenset(record.source for record in self.catalogue.records_about(self.selection.companies))

    @cached_property
    def figure_documents(self) -> Sequence[DocumentRecord]:
        """The documents that figures are taken from; none where too many may be meant."""
        given = self.scope.companies if self.scope else ()
        return named_in_full(to_look_in(self.catalogue, self.selection, given), self.text)

    @property
    def documents_with_names(self) -> Sequence[DocumentRecord]:
        """Where no company is named, the one document that prints the other names of the question: a mine, a fund."""
        if len(self.figure_documents) == 1 or self.scope is not None or self.companies or self.absent:
            return ()
        named = capitalised_names(self.asked.trimmed, self.vocabulary.metrics)
        return only_document_with(self.store, self.catalogue, [name for name, *_ in named])

    @cached_property
    def figure_groups(self) -> Sequence[list[DocumentRecord]]:
        """The documents of figures, company by company."""
        return by_company(self.catalogue, self.figure_documents)

    @cached_property
    def figures(self) -> Asked:
        """The figures asked for: which, of which periods, combined how. Of several companies, which one has more."""
        formulas, names = self.vocabulary.formulas, self._names_of_figures
        asked = read_numbers(self.asked, names, formulas)
        several = len(self.figure_groups) > 1
        between = read_between(self.asked) if several and asked.statistic is None else None
        if between is None:
            return asked if several else self.with_own_periods(asked, next(iter(self.selection.companies), ""))
        bare, order = between
        asked = read_numbers(bare, names, formulas)
        if not asked.names_figure:
            return asked
        return replace(asked, route="calculation", question=self.asked, between=order)

    def with_own_periods(self, asked: Asked, company: str) -> Asked:
        """The figures in the periods as the company itself calls them."""
        readings = self.selection.readings.get(company, ())
        own = {reading.asked: reading.own for reading in readings if reading.own is not None}
        return replace(asked, periods=tuple(own.get(period, period) for period in asked.periods))

    @cached_property
    def parts(self) -> Sequence[QuestionPlan]:
        """The questions asked in one, each understood by itself; this one where it has no parts."""
        parts = parts_of(self.asked, self.catalogue.companies)
        if len(parts) == 1:
            return [self]
        return list(map(self.about, parts))

    @cached_property
    def sub_questions(self) -> tuple[str, ...]:
        """The questions asked in one that each go the whole way to an answer of their own; itself where it is one."""
        return sub_questions(self)

    def about(self, asked: Question | str) -> QuestionPlan:
        """Another question put to the same documents in the same scope."""
        return understand(asked, self.store, self.catalogue, self.vocabulary, self.scope)

    def within(self, scope: Scope) -> QuestionPlan:
        """The same question within a scope."""
        return understand(self.asked, self.store, self.catalogue, self.vocabulary, scope)

    @property
    def _company_names(self) -> list[str]:
        records = self.catalogue.records_about(self.selection.companies)
        return list(dict.fromkeys(chain.from_iterable(record.companies for record in records)))

    @property
    def _names_of_figures(self) -> list[str]:
        """Names of companies that are no part of the name of a figure."""
        records = self.figure_documents
        if not (self.selection.companies or len(records) == 1):
            return []
        names: dict[str, None] = {}
        for record in records:
            names.update(dict.fromkeys((*record.companies, *record.tickers)))
        if not names:
            return []
        companies, text = self.catalogue.companies, self.asked.trimmed
        written = [text[start:end] for start, end in companies.spans(text)]
        return [*names, *written, *companies.chinese_names(text), *companies.forms_behind(text)]


def once_a_plan(function: Callable[[QuestionPlan], _Read]) -> Callable[[QuestionPlan], _Read]:
    """A function that reads a plan once: search and every way to an answer ask for the same."""

    @wraps(function)
    def known(plan: QuestionPlan) -> _Read:
        if function not in plan.worked_out:
            plan.worked_out[function] = function(plan)
        told: _Read = plan.worked_out[function]
        return told

    return known


def understand(
    question: str | Question, store: Store, catalogue: Catalogue, vocabulary: Vocabulary, scope: Scope | None = None
) -> QuestionPlan:
    """Read a question without a model: once for all that comes after.

    ``scope=None`` reads companies, periods and kinds of document from the question; ``Scope.all()`` leaves none out.
    ``catalogue`` are the documents of ``store``.
    """
    readings: list[NameReading] = []
    speech = _speech(question, catalogue)
    if isinstance(question, Question):
        asked, typed = question, question.text
    else:
        typed = question
        ordinary = _no_names(vocabulary.metrics)
        bare = without_asker(without_markup(typed), speech)
        focus = focused(bare, _knowledge(store, catalogue, vocabulary))
        readings = read_market_names(focus.asked, catalogue, store, vocabulary.names, ordinary)
        asked = _read(written_out(focus.asked, readings), store, catalogue, vocabulary, scope)
        asked = replace(asked, wishes=asked.wishes.or_else(read_wishes(focus.form)))
    companies = companies_of(catalogue, asked)
    named = [catalogue.companies.names[key] for key in companies]
    if catalogue.unnamed and not named:
        named = [name for name, _, _ in capitalised_names(asked.trimmed, vocabulary.metrics)]
    unnamed = naming(store, catalogue, named)
    selection = select_documents(catalogue, asked, scope, unnamed)
    if scope is None:
        selection = selection.beside(printing(store, catalogue, asked.trimmed))
    taken_for = tuple(readings)
    return QuestionPlan(
        store, catalogue, vocabulary, asked, scope, selection, companies, typed, taken_for, speech=speech
    )


def _speech(question: str | Question, catalogue: Catalogue) -> SpeechRequest | None:
    """What a question wants of a call, where there is one."""
    text = question.text if isinstance(question, Question) else without_markup(question)
    return read_speech(text) if catalogue.has_calls else None


def _knowledge(store: Store, catalogue: Catalogue, vocabulary: Vocabulary) -> Knowledge:
    """What the words of a question may name here."""

    def strangers(text: str) -> Sequence[tuple[int, int]]:
        return () if catalogue.companies.find(text) else well_known_spans(text, vocabulary.names)

    def figures(text: str) -> Sequence[tuple[int, int]]:
        return [(start, end) for start, end, _ in name_spans(text, vocabulary.formulas)]

    def others(text: str) -> Sequence[tuple[int, int]]:
        if is_chinese(text):
            words = set(search_words(text))
            return [(0, len(text))] if words and words <= set(store.known_words(words)) else []
        found = capitalised_names(text, vocabulary.metrics)
        frequency = store.document_frequency({word for name, *_ in found for word in search_words(name)})
        return [(start, end) for name, start, end in found if all(map(frequency.get, search_words(name)))]

    return Knowledge(catalogue.companies.spans, figures, strangers, others)


def _read(text: str, store: Store, catalogue: Catalogue, vocabulary: Vocabulary, scope: Scope | None) -> Question:
    """The question with capitals and slips of the pen put right; its ``text`` stays as it was."""
    asked = read_question(with_capitals(text, store, catalogue.companies))
    sources = select_documents(catalogue, asked, scope).sources
    corrected = correct(asked.trimmed, store, catalogue, vocabulary.formulas, sources)
    if corrected.text != asked.trimmed:
        anew = read_question(corrected.text)
        asked = replace(
            anew,
            wishes=asked.wishes,
            periods=anew.periods or asked.periods,
            kinds=asked.kinds,
            kinds_asked=asked.kinds_asked,
            taken=corrected.taken,
        )
    plain = asked_plainly(_dated_by_reports(asked, catalogue, scope), catalogue.companies, vocabulary.formulas)
    return replace(plain, text=text)


def _dated_by_reports(asked: Question, catalogue: Catalogue, scope: Scope | None) -> Question:
    """ "The third quarter" of no year is the last one that a report of the company is of; the answer says so."""
    companies = companies_of(catalogue, asked)
    if scope is not None or len(companies) != 1:
        return asked
    records = catalogue.records_about(companies)
    told = with_years(asked.trimmed, records)
    if told != asked.trimmed:
        return replace(read_question(told), text=asked.text, wishes=asked.wishes, taken=asked.taken)
    dated = None if asked.several else by_reports(asked.trimmed, records)
    if dated is None:
        return asked
    text, part, period = dated
    anew = read_question(text)
    return replace(anew, text=asked.text, wishes=asked.wishes, taken=(*asked.taken, (part, period.label)))


@cache
def _no_names(metrics: MetricList) -> frozenset[str]:
    """Words that name no company: those of questions and of figures."""
    words = chain.from_iterable((*name.split(), name.replace(" and ", "&")) for name in metrics.names)
    return ordinary_words() | frozenset(filter(str.isascii, words))
