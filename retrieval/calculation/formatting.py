"""Figures as text: the value in the asked unit, the formula in names and in values, every component cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from operator import attrgetter

from ...core.fact import Fact
from ...core.names import is_chinese
from ...core.patterns import on_demand
from ...core.quantity import SCALE_WORDS, decimals, is_currency
from ...prompts.messages import message
from ..question.figures.asked import Asked
from ..question.vocabulary.vocabulary import FormulaList
from ..search.evidence import Citation
from .calculator import common_scale, plain_number
from .result import Figure, facts_of

_SCALE_ZH = {
    Decimal(10) ** 3: "千", Decimal(10) ** 4: "万", Decimal(10) ** 5: "十万", Decimal(10) ** 6: "百万",
    Decimal(10) ** 7: "千万", Decimal(10) ** 8: "亿", Decimal(10) ** 9: "十亿",
}  # fmt: skip
"""As :data:`SCALE_WORDS`, in Chinese."""
_UNITS_ZH = {"CNY": "元", "USD": "美元", "HKD": "港元", "EUR": "欧元", "people": "人", "shares": "股", "days": "天",
             "CNY/share": "元/股", "pp": "个百分点", "x": ""}  # fmt: skip
_UNITS = {"pp": "percentage points", "x": ""}
_MOST_PLACES = 2
"""Decimals of calculated money, one more than its components have."""
_DECIMALS = {"%": 1, "pp": 1, "x": 2, "days": 1}
_CALCULATIONS_ZH = {
    "growth of ": "增长率", "change of ": "变动额", "difference of ": "差额", "average of ": "平均值",
    "sum of ": "合计", "compound annual growth rate of ": "复合年均增长率",
}  # fmt: skip
_ABBREVIATED = on_demand(r"\bebitdar?\b")
_PLAIN = ("people", "shares", "days", "x")
_PERCENTAGES = ("%", "pp")


class Numbering:
    """Gives each fact one number, from 1."""

    def __init__(self) -> None:
        self._facts: dict[Fact, int] = {}

    def marks(self, figure: Figure) -> str:
        """ "[1][2]": the facts of a figure."""
        return self.of(part.fact for part in figure.components)

    def of(self, facts: Iterable[Fact]) -> str:
        """ "[1][2]": these facts, each once."""
        numbers = [self._facts.setdefault(fact, len(self._facts) + 1) for fact in dict.fromkeys(facts)]
        return "".join(f"[{number}]" for number in numbers)

    def citations(self) -> tuple[Citation, ...]:
        """One for each fact: what it says and where."""
        return tuple(
            Citation(number, fact.source, describe_cell(fact), fact.page, fact.anchors, fact.start, fact.end)
            for fact, number in self._facts.items()
        )


def describe_cell(fact: Fact) -> str:
    """A cell with its name, period and place.

    >>> describe_cell(Fact("Acme", "revenue", "Sales > Total", None, "5", table=0, row=2, column=1))
    'Total: 5 (table 1, row 3, column 2)'
    """
    name = f"{fact.own_label}, {fact.period.label}" if fact.period else fact.own_label
    return f"{name}: {' '.join(fact.text.split())}{_cell(fact)}"


def _cell(fact: Fact) -> str:
    """Where a fact stands in a table, counted from 1; "" for one that no cell states."""
    if fact.table is None or fact.row is None or fact.column is None:
        return ""
    return f" (table {fact.table + 1}, row {fact.row + 1}, column {fact.column + 1})"


def write_figure(
    figure: Figure, asked: Asked, formulas: FormulaList, numbering: Numbering, *, several: bool = False
) -> str:
    """The figure's lines: name, period and value; then the formula in names and in values where there is one.

    ``several`` says that the answer is about more than one company.
    """
    chinese = asked.chinese
    marks = numbering.marks(figure)
    colon = message("colon", asked.language)
    head = shown_name(figure, asked, formulas)
    if several:
        head = f"{figure.company}{colon}{head}"
    if figure.period:
        head = f"{head}, {figure.period}"
    result = shown_value(figure, asked)
    if not figure.formula:
        return f"{head}{colon}{result} {marks}"
    calculation = in_chinese(figure.formula, formulas) if chinese else _titled(figure.formula)
    unit = _unit_note(figure, chinese)
    return f"{head}{colon}{result} {marks}\n{calculation}{unit} = {figure.with_values} = {result} {marks}"


def write_verdict(figures: Sequence[Figure], asked: Asked, formulas: FormulaList, numbering: Numbering) -> str:
    """What the figures say together: the same or not, positive or not, by how much the later is higher; else ""."""
    if len(set(map(attrgetter("company"), figures))) > 1:
        return ""
    if asked.operation == "same":
        alike = len(set(map(_comparable, figures))) == 1
        text = message("figures_same" if alike else "figures_not_same", asked.language)
    elif asked.operation == "trend" and len(figures) == 2:
        text = _trend(figures[0], figures[1], asked, formulas)
    elif asked.operation == "sign" and len(figures) == 1:
        text = _sign(figures[0], asked, formulas)
    else:
        return ""
    return _closed(text, figures, asked, numbering) if text else ""


def _sign(figure: Figure, asked: Asked, formulas: FormulaList) -> str:
    """Whether a figure is above or below nought; "" where it is no number, or nought."""
    if not figure.value:
        return ""
    side = "positive" if figure.value > 0 else "negative"
    return message(f"sign_{side}", asked.language, name=shown_name(figure, asked, formulas), when=figure.period)


def _trend(first: Figure, last: Figure, asked: Asked, formulas: FormulaList) -> str:
    """How a figure moved; "" where one of the two is no number."""
    if first.value is None or last.value is None:
        return ""
    if first.value == last.value:
        way = "unchanged"
    elif last.value > first.value:
        way = "higher"
    else:
        way = "lower"
    return message(
        f"trend_{way}",
        asked.language,
        name=shown_name(last, asked, formulas),
        by=difference(first, last, asked),
        first=shown_value(first, asked),
        last=shown_value(last, asked),
        then=first.period,
        now=last.period,
    )


def _closed(text: str, figures: Sequence[Figure], asked: Asked, numbering: Numbering) -> str:
    """A sentence on all figures, with their citations and its full stop."""
    return f"{text} {numbering.of(facts_of(figures))}{message('stop', asked.language)}"


def write_between(figures: Sequence[Figure], asked: Asked, formulas: FormulaList, numbering: Numbering) -> str:
    """The verdict on one figure of each company; "" where they cannot be compared: several, or other currencies."""
    companies = set(map(attrgetter("company"), figures))
    is_one_of_each = 1 < len(companies) == len(figures)
    units = set(map(attrgetter("unit"), figures))
    if not is_one_of_each or len(units) > 1 or any(figure.value is None for figure in figures):
        return ""
    ordered = sorted(figures, key=lambda figure: figure.number, reverse=asked.between == "higher")
    first, second = ordered[:2]
    way = "same" if first.value == second.value else asked.between
    text = message(
        f"between_{way}",
        asked.language,
        company=first.company,
        name=_in_a_sentence(shown_name(first, asked, formulas)),
        by=difference(second, first, asked),
    )
    return _closed(text, figures, asked, numbering)


def _in_a_sentence(name: str) -> str:
    return name if name[:2].isupper() else name[:1].lower() + name[1:]


def difference(first: Figure, last: Figure, asked: Asked) -> str:
    """ "2.2 percentage points", "USD 66 million (1.4 %)": always above zero."""
    before, now = first.number, last.number
    in_points = last.unit in _PERCENTAGES
    apart = replace(
        last,
        value=abs(now - before),
        unit="pp" if in_points else last.unit,
        components=(*first.components, *last.components),
        formula="difference",
    )
    if in_points:
        return shown_value(apart, asked, places=_DECIMALS["pp"] + 1)
    by = shown_value(apart, asked)
    if not before:
        return by
    return f"{by} ({abs(now - before) / abs(before) * 100:.1f} %)"


def _comparable(figure: Figure) -> str:
    return str(figure.value) if figure.value is not None else "".join(figure.text.split()).casefold()


def shown_value(figure: Figure, asked: Asked, *, places: int | None = None) -> str:
    """The value with its unit, rounded as asked: "34.6 %", "USD 59,268 million", "1,234.50 万元".

    ``places`` are the decimals where the question leaves them open.
    """
    if figure.value is None:
        return " ".join(figure.text.split())
    if asked.decimals is not None:
        places = asked.decimals
    number, scale = shown_number(figure, asked, places=places)
    text = plain_number(number) if places is None else f"{number:,.{places}f}"
    if asked.chinese or not is_currency(figure.unit):
        return f"{text}{_unit(figure.unit, scale, asked.chinese)}"
    amount = f"{figure.unit} {text}"
    return f"{amount} {SCALE_WORDS[scale]}" if scale in SCALE_WORDS else amount


def shown_number(figure: Figure, asked: Asked, *, places: int | None = None) -> tuple[Decimal, Decimal]:
    """The value as shown, rounded, and the scale it is shown in."""
    value, scale = figure.number, Decimal(1)
    if figure.unit in _PERCENTAGES:
        value *= 100
    elif figure.unit not in _PLAIN:
        scale = asked.scale or _usual_scale(figure)
        value /= scale
    if asked.decimals is not None:
        places = asked.decimals
    if places is None:
        places = _usual_places(figure, scale)
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP), scale


def _usual_scale(figure: Figure) -> Decimal:
    """As its components are printed; amounts per share are given in full."""
    if "/" in figure.unit:
        return Decimal(1)
    return common_scale(figure.components)


def _usual_places(figure: Figure, scale: Decimal) -> int:
    """As printed for what is stated; the usual number for ratios; of the components for calculated money."""
    is_scaled = figure.unit not in (*_PLAIN, *_PERCENTAGES)
    shown_in = scale if is_scaled else Decimal(1)
    printed = [_places(part.fact, shown_in) for part in figure.components]
    if not figure.formula and len(printed) == 1:
        return printed[0]
    if figure.unit == "pp" and all(part.fact.unit == "%" for part in figure.components):
        return min(_MOST_PLACES, max(printed, default=_DECIMALS["pp"]))
    if figure.unit in _DECIMALS:
        return _DECIMALS[figure.unit]
    most = max(printed, default=0)
    return max(most, _MOST_PLACES) if "/" in figure.unit else min(_MOST_PLACES, 1 + most)


def _places(fact: Fact, scale: Decimal) -> int:
    """Decimals of a fact's amount in a scale."""
    return decimals((fact.value or Decimal(0)) * fact.scale / scale)


def _unit(unit: str, scale: Decimal, chinese: bool) -> str:
    if chinese:
        return f"{_SCALE_ZH.get(scale, '')}{_UNITS_ZH.get(unit, unit)}"
    words = [_UNITS.get(unit, unit), SCALE_WORDS.get(scale, "")]
    return "".join(f" {word}" for word in words if word)


def _unit_note(figure: Figure, chinese: bool) -> str:
    """The unit of the money within the calculation."""
    scale = common_scale(figure.components)
    currencies = [part.fact.unit for part in figure.components if is_currency(part.fact.unit)]
    if not currencies or scale == 1:
        return ""
    return f" ({_unit(currencies[0], scale, chinese).strip()})"


def shown_name(figure: Figure, asked: Asked, formulas: FormulaList) -> str:
    """What the figure is called in an answer, in its language."""
    name = in_chinese(figure.name, formulas) if asked.chinese else _titled(figure.name)
    return name[:1].upper() + name[1:]


def in_chinese(text: str, formulas: FormulaList) -> str:
    """Names of metrics, formulas and calculations in Chinese; what a document calls its rows stays as it is printed.

    >>> from cliquerag.retrieval.question.vocabulary.vocabulary import default_formulas
    >>> in_chinese("growth of net income", default_formulas())
    '净利润增长率'
    """
    for words, zh in _CALCULATIONS_ZH.items():
        if text.startswith(words):
            return f"{in_chinese(text.removeprefix(words), formulas)}{zh}"
    pattern, names = _chinese_names(formulas)
    return pattern.sub(lambda match: names[match[0].lower()], text)


@lru_cache(maxsize=8)
def _chinese_names(formulas: FormulaList) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Every canonical name with its usual Chinese one, and a pattern of them all, the longest first."""
    names: dict[str, str] = {}
    for name, formula in formulas.formulas.items():
        if formula.zh:
            names[name] = formula.zh
    for plain, name in formulas.known.names.items():
        if is_chinese(plain):
            names.setdefault(name, plain)
    longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![A-Za-z])(?:{longest})(?![A-Za-z])", re.IGNORECASE), names


def _titled(text: str) -> str:
    return _ABBREVIATED.sub(lambda match: match[0].upper(), text)


def as_printed(value: object) -> str:
    """A value of a row of SQL for people.

    >>> as_printed(1234.5), as_printed(3), as_printed("Acme")
    ('1,234.5', '3', 'Acme')
    """
    if isinstance(value, (int, float)):
        return plain_number(Decimal(str(value)))
    return " ".join(str(value).split())
