"""Whose figure a quotation states: what a parent reports is no figure of a subsidiary, a customer or a rival."""

from __future__ import annotations

from collections.abc import Sequence

from .....core.patterns import PatternTable, on_demand
from .....core.records import dataclass
from ....question.figures.operands import find_names
from ....question.plan import QuestionPlan
from ....question.scope.absent_company import AbsentCompany
from ....question.vocabulary.vocabulary import FormulaList
from ..quotables import table_lead
from ..sentence_scoring import Quote

_PHRASES = PatternTable(__package__, "figure_owner.toml")
_AMOUNT = on_demand(r"(?<![\w.,])(?!(?:19|20)\d\d(?!\d|[.,]\d))[$€£¥]?\d")
"""The first digit of a number that is no year."""


@dataclass(frozen=True, slots=True)
class FigureOwner:
    """The companies without documents of their own whose figure a question asks for, and that figure.

    ``companies`` is empty for any other question: then every quotation may stand. ``figures`` are canonical names of
    metrics.
    """

    companies: tuple[AbsentCompany, ...]
    figures: frozenset[str]
    formulas: FormulaList

    def applies(self) -> bool:
        """True where a figure of such a company is asked for."""
        return bool(self.companies)

    def fitting(self, quotes: list[Quote]) -> list[Quote]:
        """The quotations that may stand: where the figure of such a company is asked, those that state it, else those
        that name the company beside the figure."""
        return (self.stated(quotes) or self.beside(quotes)) if self.applies() else quotes

    def stated(self, quotes: Sequence[Quote]) -> list[Quote]:
        """The quotations that state the figure as that of the company."""
        return [quote for quote in quotes if self._states(quote)]

    def beside(self, quotes: Sequence[Quote]) -> list[Quote]:
        """The quotations that name the company next to the figure, whosever it is."""
        return [quote for quote in quotes if self._is_named(quote.text) and self._marks(quote.text)[1]]

    def _states(self, quote: Quote) -> bool:
        over = " ".join((*quote.evidence.headings, table_lead(quote.evidence)))
        if self._is_named(over) and not self._is_named(quote.text):  # a section or a table of its own
            return bool(self._marks(quote.text)[1])
        if quote.is_figure:
            return self._is_named(quote.text) and bool(self._marks(quote.text)[1])
        masked, places = self._marks(quote.text)
        return any(self._owns(masked, name, place) for name in self._named_at(masked) for place in places)

    def _owns(self, masked: str, name: tuple[int, int], figure: tuple[int, int]) -> bool:
        """True for "NAME had FIGURE of 5" and for "FIGURE of NAME was 5"."""
        if _AMOUNT.search(masked, max(name[1], figure[1])) is None:
            return False
        if name[0] < figure[0]:
            is_circumstance = _PHRASES.any("circumstance", masked[: name[0]])
            return not is_circumstance and not _PHRASES.any("another", masked[name[1] : figure[0]])
        return _PHRASES.any("belongs", masked[figure[1] : name[0]])

    def _marks(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """The text in which marks stand for figures, and the places of the figures asked for."""
        named = find_names(text, self.formulas)
        places: list[tuple[int, int]] = []
        for number, name in enumerate(named.names):
            mark = f"qqm{number}qq"
            start = named.masked.find(mark)
            if name in self.figures:
                places.append((start, start + len(mark)))
        return named.masked, places

    def _named_at(self, text: str) -> list[tuple[int, int]]:
        lowered = text.lower()
        places: list[tuple[int, int]] = []
        for spelling in self._spellings():
            start = lowered.find(spelling)
            if start >= 0:
                places.append((start, start + len(spelling)))
        return places

    def _is_named(self, text: str) -> bool:
        return bool(self._named_at(text))

    def _spellings(self) -> set[str]:
        return {spelling.lower() for company in self.companies for spelling in company.spellings}


def read_figure_owner(plan: QuestionPlan) -> FigureOwner:
    """Of whom the question wants a figure, where that is one whom documents only speak of."""
    formulas = plan.vocabulary.formulas
    figures = frozenset(find_names(plan.asked.trimmed, formulas).names)
    of_graph = [company for company in plan.absent if not company.well_known]
    companies = (*plan.owned_companies, *of_graph) if figures else ()
    return FigureOwner(companies, figures, formulas)
