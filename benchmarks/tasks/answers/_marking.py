"""Marks an answer by rule: right, partly, beside, wrong or refused.

A figure is held where a number of the text rounds to it; in what words the rest is said does not matter.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal, get_args

from cliquerag.retrieval.search.evidence import Answer

from ._filings import Question

Mark = Literal["right", "partly", "beside", "wrong", "refused"]
MARKS: tuple[Mark, ...] = get_args(Mark)

_UNIT = r"%|billion|million|thousand"
_FIGURE = re.compile(rf"(?P<sign>-?)(?P<number>\d+(?:\.\d+)?)\s?(?P<unit>{_UNIT})?")
_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3})")
_FALLS = re.compile(r"decreas|declin|decline|fell|lower|down|drop")
_ABSENT = ("not in these documents", "no document ", "nothing was searched")
"""How a refusal begins, and a remark that no document is of the period asked."""
_NOTE = re.compile(r"^Note: .*$", re.MULTILINE)
_ALIKE = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "–": "-", "—": "-", "‐": "-"})


@dataclass(frozen=True, slots=True)
class _Figure:
    """A number with its decimals as printed, and the unit behind it."""

    digits: str
    unit: str
    negative: bool

    @classmethod
    def of(cls, found: re.Match[str]) -> _Figure:
        return cls(found["number"], found["unit"] or "", bool(found["sign"]))

    def rounds_to(self, wanted: _Figure) -> bool:
        """True where it is the wanted one, printed with as many digits or more."""
        if wanted.unit and wanted.unit != self.unit:
            return False
        decimals = len(wanted.digits.partition(".")[2])
        return f"{float(self.digits):.{decimals}f}" == f"{float(wanted.digits):.{decimals}f}"


def mark(question: Question, answer: Answer) -> Mark:
    """What an answer is worth.

    ``refused`` is a refusal, ``right`` holds all that it must, ``partly`` some of it, ``wrong`` states another figure
    as the answer, ``beside`` quotes what does not answer. Where no filing answers, a refusal is ``right``.
    """
    if not question.answerable:
        return _mark_unanswerable(answer)
    if is_refusal(answer):
        return "refused"
    body = _body(answer)
    held = [_holds_any(body, group) for group in question.must]
    taken = any(holds(body, figure) for figure in question.must_not)
    if all(held):
        return "wrong" if _headline_differs(question, answer) else "right"
    if taken or (states_figure(answer) and question.asks_figure):
        return "wrong"
    return "partly" if any(held) else "beside"


def _mark_unanswerable(answer: Answer) -> Mark:
    if is_refusal(answer) or normalised(answer.text).startswith(_ABSENT):
        return "right"
    return "wrong" if states_figure(answer) else "beside"


def is_refusal(answer: Answer) -> bool:
    """True where the answer says that it is not there and quotes nothing."""
    return bool(answer.trace.get("not found"))


def states_figure(answer: Answer) -> bool:
    """True where a figure is given as the answer, looked up or calculated, and not only a sentence or row quoted."""
    return any("numbers" in item.why for item in answer.context.evidence)


def headline(answer: Answer) -> str:
    """The first line."""
    return answer.text.partition("\n")[0]


def _headline_differs(question: Question, answer: Answer) -> bool:
    """True where the figure given first is one that must not be, and the right one only comes after it."""
    if not states_figure(answer):
        return False
    first = normalised(headline(answer))
    taken = any(holds(first, figure) for figure in question.must_not)
    return taken and not any(_holds_any(first, group) for group in question.must)


def _body(answer: Answer) -> str:
    """What is read for the answer: its text without remarks on other values, and what it quotes in full."""
    text = _NOTE.sub("", answer.text)
    quoted = [] if states_figure(answer) else [citation.text for citation in answer.citations]
    return normalised("\n".join([text, *quoted]))


def _holds_any(text: str, group: tuple[str, ...]) -> bool:
    return any(holds(text, alternative) for alternative in group)


def holds(text: str, alternative: str) -> bool:
    """True where the normalised text holds the words, or a number that rounds to the figure (of the same unit, if one
    is given). A negative figure needs its sign, brackets or a word such as "decreased".

    >>> holds(normalised("a share of 18.83 %"), "18.8"), holds(normalised("$1,101 million"), "1.1 billion")
    (True, False)
    """
    plain = normalised(alternative)
    asked = _FIGURE.fullmatch(plain)
    if not asked:
        return plain in text
    wanted = _Figure.of(asked)
    return any(_is_figure(text, found, wanted) for found in _FIGURE.finditer(text))


def _is_figure(text: str, found: re.Match[str], wanted: _Figure) -> bool:
    if not _Figure.of(found).rounds_to(wanted):
        return False
    if not wanted.negative:
        return True
    before = text[: found.start("number")].rstrip()
    return before.endswith(("-", "(")) or bool(_FALLS.search(text))


def normalised(text: str) -> str:
    """Lower case, plain quotes and minus signs, no thousands separators, "%" for "percent".

    >>> normalised("Net sales fell 8 percent to  $1,234.5 million")
    'net sales fell 8% to $1234.5 million'
    """
    plain = unicodedata.normalize("NFKC", text).translate(_ALIKE).lower()
    plain = re.sub(r"\s+", " ", _SEPARATOR.sub("", plain))
    return re.sub(r" ?(?:%|percent\b)", "%", plain)
