"""A model's own way of writing, brought into one form: marks of citations, refusals in words, rows of tables."""

from __future__ import annotations

import re

from ....core.patterns import PatternTable, on_demand
from ....core.quantity import find_quantities

_FORMS = PatternTable(__package__, "reply.toml")
_NUMBERS = on_demand(r"(\d{1,3})(?:\s{0,3}[–-]\s{0,3}(\d{1,3}))?")
_MOST_IN_RANGE = 20
_RULE = on_demand(r"\|?[\s:|-]{3,}\|?")
_QUOTED = on_demand(r"[\"“「『]([^\"“”「」『』]{3,300})[\"”」』]")
_CHINESE = on_demand(r"[\u4e00-\u9fff]")
_LEAST_WORDS, _LEAST_CHARACTERS = 3, 5
"""Of a quotation; what is shorter is a term."""
_MARKS = on_demand(r"\[\d{1,3}\]")


def with_plain_marks(text: str) -> str:
    """The text with every mark of a citation as [number], whatever form the model gave it.

    >>> with_plain_marks("Sales rose 【4†report】. Costs fell [1-2]. Cash [Evidence 3, 5] (source 2).")
    'Sales rose [4]. Costs fell [1][2]. Cash [3][5] [2].'
    """
    return _FORMS.without("mark", text, _plain_marks)


def _plain_marks(match: re.Match[str]) -> str:
    numbers: list[int] = []
    for first, last in _NUMBERS.findall(match["numbers"]):
        start, end = int(first), int(last or first)
        if end - start > _MOST_IN_RANGE:
            return match[0]
        numbers.extend(range(start, end + 1))
    return "".join(f"[{number}]" for number in numbers)


def is_refusal(sentence: str) -> bool:
    """True where a sentence says that the documents do not answer, and gives no figure of its own.

    >>> is_refusal("The evidence does not contain that information."), is_refusal("Revenue did not grow.")
    (True, False)
    """
    bare = _MARKS.sub("", sentence)
    return _FORMS.any("refusal", bare) and not find_quantities(bare)


def is_indirect(refusal: str) -> bool:
    """True for "does not state the margin directly": what follows may be the answer, calculated or in other words."""
    return _FORMS.any("indirect", refusal)


def claims_nothing(sentence: str) -> bool:
    """True for "Yes.", the head of a list, a title: they need no source."""
    return _FORMS.any("no_claim", sentence.strip())


def is_bare_answer(sentence: str) -> bool:
    """True for "Yes." and "Not necessarily.", also with a citation: what they say stands in the sentences behind them.

    >>> is_bare_answer("Yes, it does [2]."), is_bare_answer("No revenue was recorded.")
    (True, False)
    """
    return _FORMS.any("bare_answer", _MARKS.sub("", sentence).strip())


def tells_kind_of_source(sentence: str) -> bool:
    """True where a sentence says of its source only of what kind it is: no source says so of itself.

    >>> tells_kind_of_source("This is management's own view."), tells_kind_of_source("This is the best year so far.")
    (True, False)
    """
    return _FORMS.any("of_its_kind", _MARKS.sub("", sentence).strip())


def without_leading_answer(sentence: str) -> str:
    """The sentence without the "No" that answers the question and denies nothing of what follows.

    >>> without_leading_answer("No. Attrition is lower."), without_leading_answer("No sales were made.")
    ('Attrition is lower.', 'No sales were made.')
    """
    return _FORMS.without("leading_answer", sentence, "")


def is_table_row(line: str) -> bool:
    """True for a line of a Markdown table."""
    bare = line.strip()
    return len(bare) > 2 and bare.startswith("|") and bare.endswith("|")


def is_table_rule(line: str) -> bool:
    """True for the line under the head of a Markdown table.

    >>> is_table_rule("| --- | :-: |"), is_table_rule("| Sales | 5 |")
    (True, False)
    """
    return is_table_row(line) and _RULE.fullmatch(line.strip()) is not None


def quoted_words(text: str) -> list[str]:
    """What stands in quotation marks and is long enough to be a quotation, not a term.

    >>> quoted_words('He said "we expect strong demand". The "Notes" are due.')
    ['we expect strong demand']
    """
    return list(filter(_is_long, _QUOTED.findall(text)))


def squeeze(text: str) -> str:
    """Lower case without white space and marks: how two printings of the same words are compared."""
    return re.sub(r"[\W_]+", "", text.lower())


def _is_long(quote: str) -> bool:
    return len(quote.split()) >= _LEAST_WORDS or len(_CHINESE.findall(quote)) >= _LEAST_CHARACTERS
