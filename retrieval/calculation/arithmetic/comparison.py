"""Which of several companies has the higher or lower figure: the verdict."""

from __future__ import annotations

from collections.abc import Sequence

from ...question.figures.asked import Asked
from ...question.vocabulary.formulas import FormulaList
from ..formatting import Numbering, difference, shown_name
from ..result import Figure

_VERDICT = {
    "higher": ("{company} has the higher {name}, by {by}", "{company}的{name}更高，高{by}"),
    "lower": ("{company} has the lower {name}, by {by}", "{company}的{name}更低，低{by}"),
    "same": ("The {name} is the same", "{name}相同"),
}
"""In English and in Chinese."""


def write_between(figures: Sequence[Figure], asked: Asked, formulas: FormulaList, numbering: Numbering) -> str:
    """The verdict on one figure of each company; "" where they cannot be compared: several, or other currencies."""
    companies = {figure.company for figure in figures}
    if any(figure.value is None for figure in figures) or not 1 < len(companies) == len(figures):
        return ""
    if len({figure.unit for figure in figures}) > 1:
        return ""
    first, second = sorted(figures, key=lambda figure: figure.value or 0, reverse=asked.between == "higher")[:2]
    text = _VERDICT["same" if first.value == second.value else asked.between][asked.chinese].format(
        company=first.company,
        name=_in_a_sentence(shown_name(first, asked, formulas)),
        by=difference(second, first, asked),
    )
    marks = numbering.of(part.fact for figure in figures for part in figure.components)
    return f"{text} {marks}{'。' if asked.chinese else '.'}"


def _in_a_sentence(name: str) -> str:
    return name if name[:2].isupper() else name[:1].lower() + name[1:]
