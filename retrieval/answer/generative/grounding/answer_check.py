"""What becomes of each sentence of an answer: its words supported or not, and where its figures come from."""

from __future__ import annotations

from collections.abc import Sequence

from .....core.records import dataclass
from ..reply_text import (
    is_bare_answer,
    is_refusal,
    quoted_words,
    squeeze,
    tells_kind_of_source,
    without_leading_answer,
)
from .figure_check import FigureChecker, FigureOutcome
from .statements.source_sentences import Passage
from .statements.statement_check import objection

__all__ = ["AnswerChecker", "Passage", "Verdict"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one sentence: its figures in order, quotations that stand nowhere, and what speaks against its words."""

    figures: tuple[FigureOutcome, ...] = ()
    lost_quotes: tuple[str, ...] = ()
    objection: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """Figures and quoted words that the source does not hold, as the sentence writes them."""
        lost = (figure.text for figure in self.figures if figure.kind == "not found")
        return (*dict.fromkeys(lost), *self.lost_quotes)

    @property
    def calculated(self) -> tuple[FigureOutcome, ...]:
        """Figures that come from a calculation."""
        return tuple(figure for figure in self.figures if figure.kind == "calculated")

    @property
    def passed(self) -> bool:
        """True where nothing is to be marked."""
        return not self.missing and not self.objection


class AnswerChecker:
    """Checks the sentences of one answer in their order: a later one may go on from the figures of an earlier one.

    >>> table = "(in millions)\\n| | 2022 | 2021 |\\n| --- | --- | --- |\\n| Net sales | 4,215 | 3,900 |"
    >>> checker = AnswerChecker([Passage(table)])
    >>> [figure.kind for figure in checker.check("Net sales were $4.215 billion in 2022.", [0]).figures]
    ['found']
    >>> checker.check("Net sales were $4,215 billion in 2022.", [0]).missing
    ('$4,215 billion',)
    >>> [figure.kind for figure in checker.check("Net sales rose 8.1% in 2022.", [0]).figures]
    ['calculated']
    """

    def __init__(self, passages: Sequence[Passage], question: str = "") -> None:
        self._passages, self._question = passages, question
        self._figures = FigureChecker(passages, question)

    def check(self, sentence: str, cited: Sequence[int], *, stands_alone: bool = False) -> Verdict:
        """Hold a sentence without its marks against the passages with these indices; all where it cites none.

        ``stands_alone``: no other sentence of the answer claims anything, so that a bare "No, it did not." has nothing
        behind it that says what it says, and is checked itself.
        """
        is_bare = is_bare_answer(sentence)
        if is_refusal(sentence) or tells_kind_of_source(sentence) or (is_bare and not stands_alone):
            return Verdict()
        if not is_bare:
            sentence = without_leading_answer(sentence)
        places = list(cited) or list(range(len(self._passages)))
        sources = [self._passages[place] for place in places]
        figures = tuple(self._figures.check(sentence, places))
        everything = squeeze(" ".join(source.text for source in sources))
        lost = tuple(quote for quote in quoted_words(sentence) if squeeze(quote) not in everything)
        against = objection(
            sentence, sources, has_figures=bool(figures), beside=self._beside(places), question=self._question
        )
        return Verdict(figures, lost, against)

    def _beside(self, places: Sequence[int]) -> str:
        """What else is known of the documents that are cited: names may stand there."""
        documents = {self._passages[place].source for place in places} - {""}
        beside = [one for at, one in enumerate(self._passages) if one.source in documents and at not in places]
        return "\n".join(f"{passage.about}\n{passage.text}" for passage in beside)

    def remembered(self) -> int:
        """How many figures were found so far; for :meth:`forget`."""
        return self._figures.remembered()

    def forget(self, count: int) -> None:
        """Forget the figures found after the first ``count``: those of an attempt that was not taken."""
        self._figures.forget(count)
