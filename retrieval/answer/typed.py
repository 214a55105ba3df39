"""Answers of one kind that a program reads: a number with unit and period, yes or no, names, a date, or N/A."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, get_args

from ...core.errors import UsageError
from ...core.language import language_of
from ...core.period_text import periods_in
from ...core.quantity import Quantity, find_quantities, parse_quantity, scale_power
from ...core.records import dataclass
from ...core.sequences import first, without
from ...core.words import question_words, search_words
from ...ingest.sentences import split_text
from ...models.language import Message
from ...prompts import load_prompt
from ..question.entity_linking import capitalised_names
from ..search.evidence import Expected, TypedValue
from .generative.cell_expression import NumberedCell, cell_lines, evaluate_expression, number_cells
from .generative.cells.times import figures_of
from .generative.grounding.answer_check import AnswerChecker, Passage
from .generative.grounding.statements.contradiction import is_denied_near
from .generative.prompts import answer_context, fill
from .generative.reply_text import is_refusal
from .generative.wording import terms

if TYPE_CHECKING:
    from ..calculation import NumberAnswer
    from ..question.plan import QuestionPlan
    from ..question.vocabulary.vocabulary import FormulaList
    from ..search.evidence import Answer, Citation, Context, Evidence

_BY_CELL = re.compile(r"/[\s(]{0,9}(?:abs\()?\s{0,9}\[")
_HUNDRED = re.compile(r"(?<![\w.])100(?![\w.])")
_ABSENT = re.compile(
    r"\s{0,9}(?:n/?a\.?|not available|none|null|unknown|not found|not_found|无|未披露|不适用)\s{0,9}", re.IGNORECASE
)
_YES = re.compile(r"\s{0,9}(?:true|yes|1|是|有)\b|^\s{0,9}(?:是|有)", re.IGNORECASE)
_NO = re.compile(r"\s{0,9}(?:false|no|0|否|没有|无)\b|^\s{0,9}(?:否|没有|无|不)", re.IGNORECASE)
_SCALES = {"thousand": 3, "million": 6, "billion": 9}
_CHANGE = re.compile(
    r"\b(?:chang|amend|revis|modif|increas|decreas|rais|cut|suspend|replac|introduc)\w{0,6}\b|变更|变动|调整|修订", re.I
)
_MOST_CHANGED = 2
"""Words behind "changes to" that say what is changed: "its dividend policy"."""
_MOST_NAMES = 3
"""Names that quotations may hold where names are asked: of more nobody knows without a model which are meant."""
_LONGEST_EXPRESSION = 400
_MARK = re.compile(r"\[(\d{1,3})\]")
_FIELDS = ("reason", "value", "scale", "unit", "period", "evidence", "calculation")
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in _FIELDS},
        "evidence": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["value"],
    "additionalProperties": False,
}


def expected_named(name: str) -> Expected:
    """A kind of answer by its name. Raises UsageError for what is none.

    >>> expected_named("number")
    'number'
    """
    known: dict[str, Expected] = {kind: kind for kind in get_args(Expected)}
    if name not in known:
        raise UsageError(f"no kind of answer {name!r}", where="expect", hint=f"There are: {', '.join(known)}")
    return known[name]


# --- without a model


def read_typed(expected: Expected, plan: QuestionPlan, number: NumberAnswer | None, answer: Answer) -> TypedValue:
    """The value that an extractive answer gives; not available where it refuses or holds nothing of the kind."""
    pages = _pages(answer.citations)
    refused = "not found" in answer.trace
    if expected == "number":
        return _typed_number(number, pages)
    if expected == "boolean":
        return _typed_boolean(plan.text, answer, pages, refused=refused)
    if refused:
        return TypedValue(expected)
    value = _value_in(expected, answer, plan)
    return TypedValue(expected, value, pages=pages, checked=True) if value else TypedValue(expected)


def _value_in(expected: Expected, answer: Answer, plan: QuestionPlan) -> str | tuple[str, ...] | None:
    """The day or the names that the cited sentences hold, or the answer itself; None where they hold none."""
    if expected == "text":
        return answer.text
    cited = "\n".join(citation.text for citation in answer.citations)
    if expected == "date":
        days = [period for period in periods_in(cited) if period.is_instant]
        return days[0].label if days else None
    names = _names_in(cited, plan)
    return _one_or_all(expected, names) if 0 < len(names) <= _MOST_NAMES else None


def _typed_number(number: NumberAnswer | None, pages: tuple[tuple[str, int], ...]) -> TypedValue:
    """The figure of the facts; no other number of a text is believed to be the one that is asked."""
    if number is None or number.value is None or len(number.figures) > 1:
        return TypedValue("number")
    periods = [figure.period.label for figure in number.figures if figure.period]
    return TypedValue(
        kind="number",
        value=number.value,
        unit=number.unit,
        scale=number.scale,
        period=first(periods, ""),
        pages=_pages(number.citations) or pages,
        checked=True,
    )


def _typed_boolean(question: str, answer: Answer, pages: tuple[tuple[str, int], ...], *, refused: bool) -> TypedValue:
    """What the answer says at its beginning; else yes where a cited sentence states what is asked, and no where none.

    One that denies it ("We have no legal proceedings") states the opposite; a question after a change needs a sentence
    that speaks of one.
    """
    if _NO.match(answer.text):
        return TypedValue("boolean", False, pages=pages, checked=True)
    if _YES.match(answer.text):
        return TypedValue("boolean", True, pages=pages, checked=True)
    if refused or not answer.citations:
        return TypedValue("boolean", False)
    asked = terms(question)
    stating = [citation for citation in answer.citations if _states(citation.text, question, asked)]
    if stating:
        return TypedValue("boolean", True, pages=_pages(stating), checked=True)
    return TypedValue("boolean", False, pages=pages, checked=True)


def _states(text: str, question: str, asked: frozenset[str]) -> bool:
    """True where a sentence says that what is asked is so."""
    if is_denied_near(text, asked & terms(text)):
        return False
    change = _CHANGE.search(question)
    if change is None:
        return True
    changed = set(question_words(question[change.end() :])[:_MOST_CHANGED])
    is_of_it = not changed or not changed.isdisjoint(search_words(text))
    return is_of_it and _CHANGE.search(text) is not None


def _names_in(text: str, plan: QuestionPlan) -> list[str]:
    """Capitalised names of a text that the question does not hold."""
    asked = plan.text.lower()
    found = [name for name, _, _ in capitalised_names(text, plan.vocabulary.metrics)]
    return [name for name in dict.fromkeys(found) if name.lower() not in asked]


def _one_or_all(expected: Expected, names: Sequence[str]) -> str | tuple[str, ...]:
    return names[0] if expected == "name" else tuple(names)


def _pages(found: Iterable[Citation | Evidence]) -> tuple[tuple[str, int], ...]:
    return tuple(dict.fromkeys((item.source, item.page) for item in found if item.page))


# --- by a model


class TypedReader:
    """Asks a model for a value of one kind, and checks what it says against the evidence."""

    def __init__(
        self,
        expected: Expected,
        question: str,
        context: Context,
        about: Sequence[str],
        formulas: FormulaList | None = None,
    ) -> None:
        self._expected = expected
        self._question = question
        self._evidence = context.evidence
        self._texts = [item.text for item in context.evidence]
        self._about = about
        self._context = context
        self.cells: list[NumberedCell] = number_cells(self._texts, question, formulas) if expected == "number" else []

    schema = _SCHEMA
    """Of the model's answer."""

    def messages(self) -> list[Message]:
        """The chat that asks; cells of tables stand under the evidence where a number is asked."""
        language = language_of(self._question)
        kinds = dict(line.split(": ", 1) for line in load_prompt("typed_kinds", language).splitlines())
        blocks, tag = answer_context(self._question, self._context, self._about)
        if self.cells:
            blocks = f"{blocks}\n\n<{tag}>\n" + "\n".join(cell_lines(self.cells)) + f"\n</{tag}>"
        rules = fill("typed", language, kind=kinds[self._expected], absent=kinds["absent"], tag=tag)
        asked = fill("question", language, context=blocks, question=self._question)
        return [Message("system", rules), Message("user", asked)]

    def read(self, data: object) -> tuple[TypedValue, str, list[int]]:
        """The value, the reason in words, and the indices of the evidence that it rests on."""
        said = _Reply.of(data)
        places = [number - 1 for number in said.numbers if 1 <= number <= len(self._evidence)]
        if self._expected == "number" and said.calculation:
            value, cells = self._calculated(said)
            return value, said.reason, list(dict.fromkeys((*(cell.evidence for cell in cells), *places)))
        return self._stated(said, places), said.reason, places

    def _calculated(self, said: _Reply) -> tuple[TypedValue, tuple[NumberedCell, ...]]:
        try:
            stated = [figure.value for text in (*self._texts, self._question) for figure in figures_of(text)]
            found = evaluate_expression(said.calculation[:_LONGEST_EXPRESSION], self.cells, self._question, stated)
        except ValueError as error:
            return TypedValue("number", note=str(error)), ()
        is_share = said.unit == "%" and not found.unit and _is_bare_ratio(said.calculation)
        value = TypedValue(
            kind="number",
            value=found.value * 100 if is_share else found.value,
            unit=said.unit or found.unit,
            period=said.period,
            pages=_pages([self._evidence[cell.evidence] for cell in found.cells]),
            checked=True,
            note=found.shown,
        )
        return value, found.cells

    def _stated(self, said: _Reply, places: Sequence[int]) -> TypedValue:
        if said.is_absent:
            return TypedValue(self._expected)
        pages = _pages([self._evidence[place] for place in places])
        if self._expected == "boolean":
            return self._boolean(said, pages)
        if self._expected == "number":
            return self._number(said, places, pages)
        if self._expected in ("name", "names"):
            return self._names(said.value, pages)
        if self._expected == "date":
            return self._date(said, places, pages)
        return self._text(said.text, places, pages)

    def _date(self, said: _Reply, places: Sequence[int], pages: tuple[tuple[str, int], ...]) -> TypedValue:
        """A day as 2022-09-01, as it comes without a model; checked where what is cited states it."""
        given = first(periods_in(said.text), None)
        cited = "\n".join(self._texts[place] for place in places)
        if given is None or given not in periods_in(cited):
            return TypedValue("date", said.text, pages=pages, note=f"not in the evidence: {said.text}")
        return TypedValue("date", given.label, pages=pages, checked=True)

    def _text(self, text: str, places: Sequence[int], pages: tuple[tuple[str, int], ...]) -> TypedValue:
        """A text, checked sentence by sentence as an answer is."""
        checker = AnswerChecker(list(map(Passage, self._texts)), self._question)
        verdicts = [checker.check(text[one.start : one.end], list(places)) for one in split_text(text)]
        is_checked = all(verdict.passed for verdict in verdicts)
        return TypedValue("text", text, pages=pages, checked=is_checked)

    def _boolean(self, said: _Reply, pages: tuple[tuple[str, int], ...]) -> TypedValue:
        if _YES.match(said.text):
            return TypedValue("boolean", True, pages=pages, checked=bool(pages))
        if _NO.match(said.text):
            return TypedValue("boolean", False, pages=pages, checked=True)
        return TypedValue("boolean")

    def _number(self, said: _Reply, places: Sequence[int], pages: tuple[tuple[str, int], ...]) -> TypedValue:
        """The number, checked as a figure of a sentence would be."""
        quantity = _quantity_in(said.text)
        if quantity is None:
            return TypedValue("number", note=f"no number: {said.text}")
        unit = said.unit or quantity.unit
        return TypedValue(
            kind="number",
            value=quantity.value,
            unit=unit,
            scale=said.scale or quantity.scale,
            period=said.period,
            pages=pages,
            checked=self._is_found(quantity.value, said.scale_word, unit, places),
        )

    def _is_found(self, amount: Decimal, scale_word: str, unit: str, places: Sequence[int]) -> bool:
        """True where the evidence states the number."""
        written = f"{amount:,f}"
        printed = " ".join(filter(None, (written, scale_word, "%" if unit == "%" else "")))
        checker = AnswerChecker(list(map(Passage, self._texts)))
        verdict = checker.check(f"{self._question.rstrip('?？')}: {printed}", list(places))
        found = [one for one in verdict.figures if one.text.strip().startswith(written[:3])]
        return bool(found) and found[-1].kind != "not found"

    def _names(self, value: object, pages: tuple[tuple[str, int], ...]) -> TypedValue:
        """Names that stand in the evidence; what does not is left out."""
        given = value if isinstance(value, list) else re.split(r"[;；]", str(value))
        everything = " ".join(self._texts).lower()
        names = [str(name).strip() for name in given if str(name).strip()]
        found = [name for name in names if name.lower() in everything]
        if not found:
            return TypedValue(self._expected, note=f"not in the evidence: {', '.join(names)}")
        lost = ", ".join(without(names, found))
        note = f"not in the evidence: {lost}" if lost else ""
        return TypedValue(self._expected, _one_or_all(self._expected, found), pages=pages, checked=True, note=note)


@dataclass(frozen=True, slots=True)
class _Reply:
    """What a model says, field by field; a field that it leaves out or gives in another form is ""."""

    value: object = None
    reason: str = ""
    calculation: str = ""
    scale_word: str = ""
    unit: str = ""
    period: str = ""
    numbers: tuple[int, ...] = ()
    """Of the evidence, from 1, as named in "evidence" or in the reason."""

    @classmethod
    def of(cls, data: object) -> _Reply:
        said: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        text = {name: str(said.get(name) or "") for name in _FIELDS}
        given = said.get("evidence")
        listed = given if isinstance(given, list) else [given]
        marks = [str(one).strip("[] ") for one in (*listed, *_MARK.findall(text["reason"]))]
        numbers = dict.fromkeys(int(mark) for mark in marks if mark.isdecimal())
        return cls(
            value=said.get("value"),
            reason=text["reason"],
            calculation=text["calculation"].strip(),
            scale_word=text["scale"].lower(),
            unit=text["unit"],
            period=text["period"],
            numbers=tuple(numbers),
        )

    @property
    def text(self) -> str:
        """The value as text, whatever its form."""
        return str(self.value)

    @property
    def is_absent(self) -> bool:
        """True where it says that the documents do not say."""
        if isinstance(self.value, str):
            return _is_absent(self.value)
        return self.value is None or self.value == []

    @property
    def scale(self) -> Decimal | None:
        """The factor of its scale word; None without one."""
        power = _SCALES.get(self.scale_word, scale_power(self.scale_word)) if self.scale_word else 0
        return Decimal(10) ** power if power else None


def _quantity_in(text: str) -> Quantity | None:
    """The number that a value begins with, or holds; None where it holds none."""
    quantity = parse_quantity(text.strip()) or next(iter(find_quantities(text)), None)
    if quantity is not None:
        return quantity
    try:
        return Quantity(text, Decimal(text.replace(",", "").strip()))
    except InvalidOperation:
        return None


def _is_bare_ratio(expression: str) -> bool:
    """True for "[c1] / [c2]": a cell divides, and nothing makes a percentage of it yet."""
    return _BY_CELL.search(expression) is not None and _HUNDRED.search(expression) is None


def _is_absent(value: str) -> bool:
    return not value.strip() or _ABSENT.fullmatch(value) is not None or is_refusal(value)
