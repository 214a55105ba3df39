"""A question as it was understood, once: everything that searches, calculates and answers takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ...core.language import Language, language_of
from ...core.scope import Scope
from ...kg.store import DocumentRecord, Store
from .conversation import parts_of
from .entity_linking import LinkedEntity, link_entities
from .expectations.answer_type import Expected, expected_answer
from .figures.asked import Asked
from .figures.comparison_request import read_between
from .figures.request import read_numbers
from .letters import with_capitals
from .question import Question, read_question
from .scope.catalogue import Catalogue
from .scope.document_filter import Selection, companies_of, select_documents
from .scope.figure_documents import by_company, named_in_full, to_look_in
from .scope.periods import questions_by_company
from .spelling import correct
from .vocabulary.vocabulary import Vocabulary


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

    @property
    def text(self) -> str:
        """The question as typed."""
        return self.asked.text

    @property
    def language(self) -> Language:
        """The language to answer in."""
        return self.asked.wishes.language or language_of(self.text)

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
        """Entities of the graph that the question names, and those of the companies that it is about."""
        return link_entities(self.store, self.asked.trimmed, self._company_names)

    @cached_property
    def figure_documents(self) -> Sequence[DocumentRecord]:
        """The documents that figures are taken from; none where too many may be meant."""
        given = self.scope.companies if self.scope else ()
        return named_in_full(to_look_in(self.catalogue, self.selection, given), self.text)

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
            return asked
        bare, order = between
        asked = read_numbers(bare, names, formulas)
        if not any(operand.name for operand in asked.operands):
            return asked
        return replace(asked, route="calculation", question=self.asked, between=order)

    @cached_property
    def parts(self) -> Sequence[QuestionPlan]:
        """The questions asked in one, each understood by itself; this one where it has no parts."""
        parts = parts_of(self.asked, self.catalogue.companies)
        if len(parts) == 1:
            return [self]
        return [self.about(part) for part in parts]

    @property
    def first_company(self) -> str:
        """The first company named; "" without one."""
        return next(iter(self.companies), "")

    def about(self, asked: Question | str) -> QuestionPlan:
        """Another question put to the same documents in the same scope."""
        return understand(asked, self.store, self.catalogue, self.vocabulary, self.scope)

    def within(self, scope: Scope) -> QuestionPlan:
        """The same question within a scope."""
        return understand(self.asked, self.store, self.catalogue, self.vocabulary, scope)

    @property
    def _company_names(self) -> list[str]:
        records = (record for key in self.selection.companies for record in self.catalogue.by_company.get(key, ()))
        return list(dict.fromkeys(name for record in records for name in record.companies))

    @property
    def _names_of_figures(self) -> list[str]:
        """Names of companies that are no part of the name of a figure."""
        records = self.figure_documents
        if not (self.selection.companies or len(records) == 1):
            return []
        names = [name for record in records for name in (*record.companies, *record.tickers)]
        names = list(dict.fromkeys(names))
        return names + self.catalogue.companies.chinese_names(self.asked.trimmed) if names else []


def understand(
    question: str | Question, store: Store, catalogue: Catalogue, vocabulary: Vocabulary, scope: Scope | None = None
) -> QuestionPlan:
    """Read a question without a model: once for all that comes after.

    ``scope=None`` reads companies, periods and kinds of document from the question; ``Scope.all()`` leaves none out.
    ``catalogue`` are the documents of ``store``.
    """
    asked = question if isinstance(question, Question) else _read(question, store, catalogue, vocabulary, scope)
    selection = select_documents(catalogue, asked, scope)
    companies = companies_of(catalogue, asked)
    return QuestionPlan(store, catalogue, vocabulary, asked, scope, selection, companies)


def _read(text: str, store: Store, catalogue: Catalogue, vocabulary: Vocabulary, scope: Scope | None) -> Question:
    """The question with capitals and slips of the pen put right; its ``text`` stays as typed."""
    asked = read_question(with_capitals(text, store, catalogue.companies))
    sources = select_documents(catalogue, asked, scope).sources
    corrected = correct(asked.trimmed, store, catalogue.companies, vocabulary.formulas, sources)
    if corrected.text != asked.trimmed:
        anew = read_question(corrected.text)
        asked = replace(anew, wishes=asked.wishes, periods=asked.periods, kinds=asked.kinds, taken=corrected.taken)
    return replace(asked, text=text)
