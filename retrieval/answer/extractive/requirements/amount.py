"""The amount that a question asks for: what is quoted has to hold one, of the kind that the figure asked has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .....core.names import legal_form
from .....core.patterns import on_demand
from .....core.period_text import period_places
from .....core.quantity import Quantity, find_amounts
from .....core.records import dataclass
from .....core.sequences import overlaps_one
from .....core.words import search_words
from .....ingest.facts.metric_mentions import StatedValues, find_metrics
from .....ingest.tables.values import is_number
from ....question.wording.answer_type import asks_amount, asks_yes_or_no, looks_ahead
from ..quotables import cells_of, is_row, row_section, table_head
from .statement import read_attribute

if TYPE_CHECKING:
    from .....ingest.facts.metrics import MetricList
    from ....question.figures.asked import Asked
    from ....question.figures.operands import Operand
    from ....question.plan import QuestionPlan
    from ..sentence_scoring import Quote

_MONEY = on_demand(r"[A-Z]{3}(?:/.{1,20})?")
_REFERENCE = on_demand(r"\b(?:notes?|items?|parts?|forms?|sections?|pages?|rule|topic|ASC|ASU|IFRS|IAS)\W{0,3}$", re.I)
"""Before a number that counts something of the document: "Note 12"."""
_BEFORE = 30
"""Characters before an amount in which it is called a change."""
_CLAUSE_ENDS = (", ", "; ", "，", "；")
_CLAUSE_END = on_demand(r"[,;] |[，；]| and (?=(?:will|would|should|is|are|was|were|has|have|had)\b)")
_HEADS = frozenset(
    ["资产", "负债", "权益", "收入", "支出", "成本", "费用", "利润", "收益", "损益", "票据", "账款", "款项"]
)
"""What the name of a Chinese item of an account ends with, and what it is: 应付票据 is no 应付账款."""
_LABEL = on_demand(r"([^:：。.]{2,40}?)(?:变动|变化)?的?(?:原因)?(?:说明)?[:：]")
_FEWER_WORDS = 0.75
"""Share of the first choice's words that a quotation with an amount holds: with less it is of another thing."""


@dataclass(frozen=True, slots=True)
class AmountAsked:
    """Whether an amount is asked for, and of which kind of metric: "" where any number may be it."""

    applies: bool = False
    kind: str = ""
    is_value: bool = False
    """What it was is asked, not how it moved: "rose by $4 million" does not say it."""
    is_ahead: bool = False
    """What is expected is asked."""
    figures: Sequence[Operand] = ()
    """The known figures that are asked for."""
    metrics: MetricList | None = None
    text: str = ""
    """The question."""

    def is_held(self, quote: Quote) -> bool:
        """True for a fact, a row with a number, and a sentence (or cell) with an amount of the kind asked for."""
        item = quote.evidence
        if item.kind == "fact":
            return not self.is_another(quote.text.partition(":")[0])
        if is_row(item, quote.text):
            if self.is_another(cells_of(quote.text)[0]) or self._is_of_firm_alone(quote):
                return False
            if any(is_number(cell) for cell in cells_of(quote.text)[1:]):
                return True
        if self._names_none(quote.text):
            return False
        times = period_places(quote.text)
        return any(self._suits(quantity, quote.text, times) for quantity in find_amounts(quote.text))

    def choose(self, chosen: Sequence[Quote], others: Sequence[Quote]) -> Sequence[Quote]:
        """``chosen`` where they hold the amount; else those of ``others`` that do and say as much of the question."""
        if not self.applies or not chosen or any(map(self.is_held, chosen)):
            return chosen
        least = _FEWER_WORDS * max(quote.words for quote in chosen)
        return [quote for quote in others if quote.words >= least and self.is_held(quote)]

    def with_values(self, chosen: Sequence[Quote]) -> list[Quote]:
        """Without the rows that hold no amount, where one is asked for."""
        return [
            quote
            for quote in chosen
            if not (self.applies and is_row(quote.evidence, quote.text)) or self.is_held(quote)
        ]

    def is_another(self, label: str) -> bool:
        """True for the name of another known figure that holds the name of none that is asked for."""
        if self._is_of_another_kind(label.strip()):
            return True
        metric = self.metrics.find(label) if self.metrics is not None and self.figures else None
        if metric is None:
            return False
        words = set(search_words(label))
        return not any(
            figure.name == metric.name or words.issuperset(search_words(figure.written)) for figure in self.figures
        )

    def _is_of_firm_alone(self, quote: Quote) -> bool:
        """True for a row that is named by a firm, under heads that say nothing of the figure: what was paid into a
        subsidiary is not its profit."""
        name = cells_of(quote.text)[0]
        if not legal_form(name.replace("公司", "有限公司")):  # a table calls 恒江节能有限公司 恒江节能公司
            return False
        return self._names_none(f"{table_head(quote.evidence)} {row_section(quote.evidence, quote.start)}")

    def _names_none(self, text: str) -> bool:
        """True for a sentence that names none of the known figures asked for, in whatever words."""
        if self.metrics is None or not self.figures:
            return False
        named = {mention.metric.name for mention in find_metrics(text, self.metrics)}
        words = set(search_words(text))
        return not any(
            figure.name in named or words.issuperset(search_words(figure.written)) for figure in self.figures
        )

    def _is_of_another_kind(self, label: str) -> bool:
        """True for a Chinese item that ends with what the question, which names such a thing, does not name."""
        asked = {head for head in _HEADS if head in self.text}
        return bool(asked) and label[-2:] in _HEADS - asked

    def _suits(self, quantity: Quantity, text: str, times: Sequence[tuple[int, int]]) -> bool:
        if overlaps_one(quantity.start, quantity.end, times):
            return False
        if _REFERENCE.search(text[max(0, quantity.start - 12) : quantity.start]):
            return False
        if self.is_value and not self.is_ahead and _is_expected(quantity, text):
            return False
        changes = StatedValues(text).changes(quantity.start, start=max(0, quantity.start - _BEFORE))
        if self.is_value and changes:
            return False
        is_large = quantity.scale > 1 or "," in quantity.text or "." in quantity.text
        is_bare_amount = not quantity.unit and is_large
        if self.kind in ("money", "per share"):
            return is_bare_amount or _MONEY.fullmatch(quantity.unit) is not None
        return True


def _is_expected(quantity: Quantity, text: str) -> bool:
    """True for an amount that its clause says to be expected."""
    return looks_ahead(_clause_of(quantity, text))


def _clause_of(quantity: Quantity, text: str) -> str:
    """The words from the comma before an amount to the one behind it, or to another verb: "and will open in June"."""
    start = max(text.rfind(mark, 0, quantity.start) for mark in _CLAUSE_ENDS)
    end = _CLAUSE_END.search(text, quantity.end)
    return text[max(0, start) : end.start() if end else len(text)]


def read_amount(plan: QuestionPlan) -> AmountAsked:
    """Whether the question asks for an amount; not where it is answered by yes or no, by words, or by a reason."""
    figures, asked = plan.figures, plan.asked
    if plan.expected.kind not in ("", "amount") or asked.explains or asks_yes_or_no(asked.trimmed):
        return AmountAsked()
    if read_attribute(plan).applies():  # an age, a salary: told by words of its own
        return AmountAsked()
    known = plan.vocabulary.metrics
    kinds = {_kind_of(operand, known) for operand in figures.operands}
    names_figure = _asks_for_known(figures) and not _is_among_words(plan)
    if not names_figure and not asked.numeric and not asks_amount(asked.trimmed):
        return AmountAsked()
    is_value = figures.operation == "value" and not asked.wishes.percent
    kind = kinds.pop() if is_value and len(kinds) == 1 else ""
    return AmountAsked(
        True, kind, is_value, asked.outlook, _named(figures) if names_figure else (), known, asked.trimmed
    )


def _asks_for_known(figures: Asked) -> bool:
    return figures.sure and figures.names_figure and figures.route in ("look-up", "calculation")


def _is_among_words(plan: QuestionPlan) -> bool:
    """True for a figure's name among other words, of no period: "What are the contingent liabilities?"; what falls due
    of an amount is not the amount."""
    if plan.figures.due:
        return True
    return not plan.asked.years and any(operand.words for operand in plan.figures.operands)


def without_other_labels(plan: QuestionPlan, quotes: Sequence[Quote]) -> list[Quote]:
    """Of reasons those that no label in front gives to another figure: "财务费用变动原因：…", "Tax rate: …"."""
    figures = _named(plan.figures)
    if not (plan.asked.explains and figures):
        return list(quotes)
    asked = AmountAsked(figures=figures, metrics=plan.vocabulary.metrics, text=plan.asked.trimmed)
    labels = (_LABEL.match(quote.text) for quote in quotes)
    return [quote for quote, label in zip(quotes, labels, strict=True) if not (label and asked.is_another(label[1]))]


def _named(figures: Asked) -> tuple[Operand, ...]:
    return tuple(operand for operand in figures.operands if operand.name)


def _kind_of(operand: Operand, metrics: MetricList) -> str:
    """The kind of the metric that an operand names, else of the last one that a word of it names: "segment profit"."""
    named = metrics.metrics.get(operand.name)
    of_words = (metrics.find(word.strip("?.,")) for word in reversed(operand.text.split()))
    named = named or next(filter(None, of_words), None)
    return named.kind if named is not None else ""
