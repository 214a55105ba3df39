"""Which of several companies has more: the question without its words of comparing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from ....core.rules import load_rules
from ..question import Question


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


@cache
def _rules() -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str], re.Pattern[str]]:
    rules = load_rules(__package__, "request.toml")["between"]
    patterns = tuple(re.compile(pattern, re.IGNORECASE) for pattern in rules["patterns"])
    return patterns, re.compile(rules["low"], re.IGNORECASE), re.compile(rules["joints"], re.IGNORECASE)
