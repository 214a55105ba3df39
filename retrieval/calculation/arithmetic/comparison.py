"""Which of several companies has the higher or lower figure: the question without words of comparing, the verdict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from ....core.rules import load_rules
from ...question.figures.request import Asked
from ...question.question import Question
from ...question.vocabulary.formulas import FormulaList
from ..formatting import Numbering, difference, shown_name
from ..result import Figure

_VERDICT = {
    "higher": ("{company} has the higher {name}, by {by}", "{company}的{name}更高，高{by}"),
    "lower": ("{company} has the lower {name}, by {by}", "{company}的{name}更低，低{by}"),
    "same": ("The {name} is the same", "{name}相同"),
}
"""In English and in Chinese."""


def read_between(question: Question) -> tuple[Question, str] | None:
    """The question for the figure of each company, and "higher" or "lower"; None where no such comparison is asked.

    >>> from cliquerag.retrieval.question.question import read_question
    >>> found = read_between(read_question("Did Acme or Beta have the lower net income in 2021?"))
    >>> found[0].trimmed.split(), found[1]
    (['Acme', 'Beta', 'net', 'income', 'in', '2021?'], 'lower')
    """
    patterns, low, joints = _rules()
    match = next((match for pattern in patterns if (match := pattern.search(question.trimmed))), None)
    if match is None:
        return None
    kept = " ".join(text for name, text in match.groupdict().items() if name != "order" and text)
    rest = f"{question.trimmed[: match.start()]} {kept} {question.trimmed[match.end() :]}"
    text = " ".join(joints.sub(" ", rest).split())
    return replace(question, trimmed=text), "lower" if low.match(match["order"]) else "higher"


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


@cache
def _rules() -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str], re.Pattern[str]]:
    rules = load_rules("cliquerag.retrieval.question.figures", "request.toml")["between"]
    patterns = tuple(re.compile(pattern, re.IGNORECASE) for pattern in rules["patterns"])
    return patterns, re.compile(rules["low"], re.IGNORECASE), re.compile(rules["joints"], re.IGNORECASE)
