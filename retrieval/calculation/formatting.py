"""Figures as text: the value in the asked unit, the formula in names and in values, every component cited."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from ...core.fact import Fact
from ...core.names import is_chinese
from ..question.figures.asked import Asked
from ..question.vocabulary.formulas import FormulaList
from ..search.evidence import Citation
from .arithmetic.calculator import common_scale, plain_number
from .result import Figure

_SCALE_WORDS = {Decimal(10) ** 3: "thousand", Decimal(10) ** 6: "million", Decimal(10) ** 9: "billion"}
_SCALE_ZH = {Decimal(10) ** 3: "千", Decimal(10) ** 4: "万", Decimal(10) ** 6: "百万", Decimal(10) ** 8: "亿"}
_UNITS_ZH = {"CNY": "元", "USD": "美元", "HKD": "港元", "EUR": "欧元", "people": "人", "shares": "股", "days": "天",
             "CNY/share": "元/股", "pp": "个百分点"}  # fmt: skip
_MOST_PLACES = 2
"""Decimals of calculated money, one more than its components have."""
_DECIMALS = {"%": 1, "pp": 1, "x": 2, "days": 1}
_VERDICTS = {
    "same": ("The same", "相同"),
    "not the same": ("Not the same", "不相同"),
    "unchanged": ("{name} did not change: {last} ({now}) as before ({then})",
                  "{name}没有变化：{then}与{now}均为{last}"),
    "higher": ("{name} rose by {by}, from {first} ({then}) to {last} ({now})",
               "{name}上升了{by}，从{first}（{then}）到{last}（{now}）"),
    "lower": ("{name} fell by {by}, from {first} ({then}) to {last} ({now})",
              "{name}下降了{by}，从{first}（{then}）到{last}（{now}）"),
}  # fmt: skip
"""In English and in Chinese."""
_BETWEEN = {
    "higher": ("{company} has the higher {name}, by {by}", "{company}的{name}更高，高{by}"),
    "lower": ("{company} has the lower {name}, by {by}", "{company}的{name}更低，低{by}"),
    "same": ("The {name} is the same", "{name}相同"),
}
_CALCULATIONS_ZH = {
    "growth of ": "增长率", "change of ": "变动额", "difference of ": "差额", "average of ": "平均值",
    "sum of ": "合计", "compound annual growth rate of ": "复合年均增长率",
}  # fmt: skip
_ABBREVIATED = re.compile(r"\bebitdar?\b")
_PLAIN = ("people", "shares", "days", "x")


class Numbering:
    """Gives each fact one number, from 1."""

    def __init__(self) -> None:
        self._facts: dict[Fact, int] = {}

    def marks(self, figure: Figure) -> str:
        """ "[1][2]": the facts of a figure."""
        return self.of(part.fact for part in figure.components)

    def of(self, facts: Iterable[Fact]) -> str:
        """ "[1][2]": these facts, each once."""
        return "".join(f"[{self._facts.setdefault(fact, len(self._facts) + 1)}]" for fact in dict.fromkeys(facts))

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
    period = f", {fact.period.label}" if fact.period else ""
    cell = ""
    if fact.table is not None and fact.row is not None and fact.column is not None:
        cell = f" (table {fact.table + 1}, row {fact.row + 1}, column {fact.column + 1})"
    return f"{fact.label.rpartition(' > ')[2]}{period}: {' '.join(fact.text.split())}{cell}"


def write_figure(
    figure: Figure, asked: Asked, formulas: FormulaList, numbering: Numbering, *, several: bool = False
) -> str:
    """The figure's lines: name, period and value; then the formula in names and in values where there is one.

    ``several`` says that the answer is about more than one company.
    """
    chinese = asked.chinese
    marks = numbering.marks(figure)
    name = shown_name(figure, asked, formulas)
    when = f", {figure.period}" if figure.period else ""
    colon = "：" if chinese else ": "
    whose = f"{figure.company}{colon}" if several else ""
    head = f"{whose}{name}{when}{colon}{shown_value(figure, asked)}"
    if not figure.formula:
        return f"{head} {marks}"
    unit = _unit_note(figure, chinese)
    result = shown_value(figure, asked)
    calculation = in_chinese(figure.formula, formulas) if chinese else _titled(figure.formula)
    return f"{head} {marks}\n{calculation}{unit} = {figure.with_values} = {result} {marks}"


def write_verdict(figures: Sequence[Figure], asked: Asked, formulas: FormulaList, numbering: Numbering) -> str:
    """What the figures say together: whether they are the same, by how much the later is higher; "" for others."""
    marks = numbering.of(part.fact for figure in figures for part in figure.components)
    stop = "。" if asked.chinese else "."
    if len({figure.company for figure in figures}) > 1:
        return ""
    if asked.operation == "same":
        alike = len({_comparable(figure) for figure in figures}) == 1
        return f"{_VERDICTS['same' if alike else 'not the same'][asked.chinese]} {marks}{stop}"
    first, last = figures[0], figures[-1]
    if asked.operation != "trend" or len(figures) != 2 or first.value is None or last.value is None:
        return ""
    way = "unchanged" if first.value == last.value else "higher" if last.value > first.value else "lower"
    text = _VERDICTS[way][asked.chinese].format(
        name=shown_name(last, asked, formulas),
        by=difference(first, last, asked),
        first=shown_value(first, asked),
        last=shown_value(last, asked),
        then=first.period,
        now=last.period,
    )
    return f"{text} {marks}{stop}"


def write_between(figures: Sequence[Figure], asked: Asked, formulas: FormulaList, numbering: Numbering) -> str:
    """The verdict on one figure of each company; "" where they cannot be compared: several, or other currencies."""
    companies = {figure.company for figure in figures}
    if any(figure.value is None for figure in figures) or not 1 < len(companies) == len(figures):
        return ""
    if len({figure.unit for figure in figures}) > 1:
        return ""
    first, second = sorted(figures, key=lambda figure: figure.value or 0, reverse=asked.between == "higher")[:2]
    text = _BETWEEN["same" if first.value == second.value else asked.between][asked.chinese].format(
        company=first.company,
        name=_in_a_sentence(shown_name(first, asked, formulas)),
        by=difference(second, first, asked),
    )
    marks = numbering.of(part.fact for figure in figures for part in figure.components)
    return f"{text} {marks}{'。' if asked.chinese else '.'}"


def _in_a_sentence(name: str) -> str:
    return name if name[:2].isupper() else name[:1].lower() + name[1:]


def difference(first: Figure, last: Figure, asked: Asked) -> str:
    """ "2.2 percentage points", "USD 66 million (1.4 %)": always above zero."""
    before, now = first.value or Decimal(0), last.value or Decimal(0)
    unit = "pp" if last.unit == "%" else last.unit
    parts = (*first.components, *last.components)
    apart = replace(last, value=abs(now - before), unit=unit, components=parts, formula="difference")
    by = shown_value(apart, asked, places=_DECIMALS["pp"] + 1 if unit == "pp" else None)
    if unit == "pp" or not before:
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
    places = asked.decimals if asked.decimals is not None else places
    number, scale = shown_number(figure, asked, places=places)
    text = f"{number:,.{places}f}" if places is not None else plain_number(number)
    if _is_currency(figure.unit) and not asked.chinese:
        return " ".join(part for part in (figure.unit, text, _SCALE_WORDS.get(scale, "")) if part)
    return f"{text}{_unit(figure.unit, scale, asked.chinese)}"


def _is_currency(unit: str) -> bool:
    return len(unit) == 3 and unit.isupper()


def shown_number(figure: Figure, asked: Asked, *, places: int | None = None) -> tuple[Decimal, Decimal]:
    """The value as shown, rounded, and the scale it is shown in."""
    value = figure.value or Decimal(0)
    scale = Decimal(1)
    if figure.unit in ("%", "pp"):
        value *= 100
    elif figure.unit not in _PLAIN:
        scale = asked.scale or (Decimal(1) if "/" in figure.unit else common_scale(figure.components))
        value /= scale
    places = asked.decimals if asked.decimals is not None else places
    if places is None:
        places = _usual_places(figure, scale)
    return value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP), scale


def _usual_places(figure: Figure, scale: Decimal) -> int:
    """As printed for what is stated; the usual number for ratios; of the components for calculated money."""
    printed = [_places(part.fact, figure, scale) for part in figure.components]
    if not figure.formula and len(figure.components) == 1:
        return max(printed, default=0)
    if figure.unit == "pp" and all(part.fact.unit == "%" for part in figure.components):
        return min(_MOST_PLACES, max(printed, default=_DECIMALS["pp"]))
    if figure.unit in _DECIMALS:
        return _DECIMALS[figure.unit]
    return min(_MOST_PLACES, 1 + max(printed, default=0))


def _places(fact: Fact, figure: Figure, scale: Decimal) -> int:
    value = fact.value if fact.value is not None else Decimal(0)
    exponent = (value * fact.scale / (scale if figure.unit not in (*_PLAIN, "%", "pp") else 1)).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _unit(unit: str, scale: Decimal, chinese: bool) -> str:
    if unit == "x":
        return ""
    if chinese:
        name = _UNITS_ZH.get(unit, unit)
        return f"{_SCALE_ZH.get(scale, '') if scale != 1 else ''}{name}" if name != "%" else "%"
    if unit == "pp":
        return " percentage points"
    return "".join(f" {word}" for word in (unit, _SCALE_WORDS.get(scale, "")) if word)


def _unit_note(figure: Figure, chinese: bool) -> str:
    """The unit of the money within the calculation."""
    scale = common_scale(figure.components)
    money = next((part.fact.unit for part in figure.components if _is_currency(part.fact.unit)), "")
    if not money or scale == 1:
        return ""
    return f" ({_unit(money, scale, chinese).strip()})"


def shown_name(figure: Figure, asked: Asked, formulas: FormulaList) -> str:
    """What the figure is called in an answer, in its language."""
    written = figure.name
    if written[:1].isdigit() and [part.fact.source_kind for part in figure.components] == ["prose"]:
        written = figure.components[0].fact.metric or written  # its label may be the figure before: "82,500 employees"
    name = in_chinese(written, formulas) if asked.chinese else _titled(written)
    return name[:1].upper() + name[1:]


def in_chinese(text: str, formulas: FormulaList) -> str:
    """Names of metrics, formulas and calculations in Chinese; what a document calls its rows stays as it is printed.

    >>> from cliquerag.retrieval.question.vocabulary.formulas import default_formulas
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
    names: dict[str, str] = {name: formula.zh for name, formula in formulas.formulas.items() if formula.zh}
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
    return plain_number(Decimal(str(value))) if isinstance(value, (int, float)) else " ".join(str(value).split())
