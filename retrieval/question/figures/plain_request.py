"""A figure named in whatever sentence: "Need Acme's revenue in 2021 for slide 12" asks what Acme's revenue was in 2021.

What a request is about holds together: the company, the figure and the period. What stands before and behind them is
form where it names nothing, hangs on nothing and wants nothing else of the figure.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ....core.names import is_chinese
from ....core.patterns import PatternTable, on_demand
from ....core.period_text import period_places
from ..question import Question, read_question
from ..scope.companies import CompanyIndex
from ..vocabulary.vocabulary import FormulaList
from ..wording.talk import NAME, begins_with, content_of, pattern_of
from .operands import name_spans
from .request import in_english, operation_in, speaks_in_words

_RULES = PatternTable(__package__, "plain_request.toml")
_STOP = on_demand(r"[.?!;:]\s")
_DIGIT = on_demand(r"\d")
_DETERMINER = on_demand(r"\b(?:the|its|their|(?:the |its |their )?total)$", re.IGNORECASE)
_OF = on_demand(r"^['’]s\s{1,3}|\s{1,3}(?:of|at|for)$", re.IGNORECASE)
"""What ties an office to the company whose it is."""
_HEADLINES = "revenue, operating income, net income and diluted earnings per share"
_LONGEST_BEFORE = 7
"""Words."""


def asked_plainly(asked: Question, companies: CompanyIndex, formulas: FormulaList) -> Question:
    """The question for the value of the figure that is named, where the sentence wants nothing else of it."""
    wants_more = (asked.explains, asked.outlook, asked.compares, operation_in(asked.trimmed)[0] != "value")
    plain = "" if any(wants_more) else _plain(asked.trimmed, companies, formulas)
    if plain in ("", asked.trimmed):
        return asked
    anew = read_question(plain)
    return replace(anew, text=asked.text, whole=asked.whole, wishes=asked.wishes, taken=asked.taken)


def _about_company(text: str, companies: CompanyIndex) -> str:
    """ "Who is the auditor of Acme?" for a text of a company and an office alone, and the question for its headline
    figures where its results are asked; "" for any other."""
    own = companies.spans(text)
    if len(own) != 1:
        return ""
    start, end = own[0]
    beside = f"{text[:start]} {text[end:]}".strip(" ?,.-:")
    office = _OF.sub("", beside)
    if _RULES.any("office", office):
        return f"Who is the {office} of {text[start:end]}?"
    times = period_places(beside)
    told = " ".join(beside[at:to] for at, to in times)
    for at, to in reversed(times):
        beside = f"{beside[:at]} {beside[to:]}"
    if not _RULES.any("results", " ".join(beside.split())):
        return ""
    return f"What were {text[start:end]}'s {_HEADLINES} {told}".strip() + "?"


def _plain(text: str, companies: CompanyIndex, formulas: FormulaList) -> str:
    """ "What was Acme's revenue in 2021?" for a text that asks for just that; "" for any other."""
    if is_chinese(text):
        return in_english(text, companies, formulas)
    whole = _about_company(text, companies)
    if whole:
        return whole
    if _STOP.search(text) or speaks_in_words(text):
        return ""
    figures = [(start, end) for start, end, _ in name_spans(text, formulas)]
    own = companies.spans(text)
    spans = [*figures, *own, *period_places(text)]
    if not figures or len(spans) == len(figures):
        return ""
    first, last = min(spans), max(spans, key=lambda span: span[1])
    before, behind = _without_determiner(text[: first[0]]), text[last[1] :].strip(" ,.?!'’=")
    is_closed = first in own or _RULES.any("told_of_us", text[: first[0]].rstrip())
    if not _is_form(before.strip(" ,"), behind, is_closed=is_closed):
        return ""
    return f"What was {text[len(before) : last[1]].strip(' ,')}?"


def _without_determiner(before: str) -> str:
    """What stands before the figure, without the small word that belongs to it."""
    match = _DETERMINER.search(before.rstrip())
    return before[: match.start()] if match else before


def _is_form(before: str, behind: str, *, is_closed: bool) -> bool:
    """True where the words around a figure are about its value. ``is_closed``: the company stands first, or "the"
    behind words of whoever asks, so that no word before can be one of the figure's name ("cloud revenue of Acme")."""
    if _RULES.any("asks_value", before):
        added = _RULES.first("joins", behind)
        return _is_idle(behind) if added else _RULES.any("amounting", behind)
    if _RULES.any("asked_behind", f"{before}{behind}"):
        return True
    return all((_asks_before(before, behind, is_closed=is_closed), _is_idle(behind)))


def _asks_before(before: str, behind: str, *, is_closed: bool) -> bool:
    """True for words before a figure that can only ask for it: "Any chance you can dig up", "Can" with "be found"."""
    content = content_of(before)
    speaks = pattern_of("speakers").search(before)
    wants_other = ["another", "hangs_on" if content else "part_of"]
    wants_other += [] if speaks or behind else ["yes_no"]
    if any(_RULES.any(name, before) for name in wants_other):
        return False
    rest = pattern_of("speakers").sub("", before)
    is_short = len(before.split()) <= _LONGEST_BEFORE
    says = (NAME.search(rest), _DIGIT.search(rest), begins_with("narrowing", rest))
    return all((is_short, is_closed, not any(says))) if content else True


def _is_idle(behind: str) -> bool:
    """True for words behind a figure that say nothing of it: none that a document knows, or words of who asks."""
    if any((_RULES.any("another", behind), NAME.search(behind))):
        return False
    return any((not content_of(behind), pattern_of("speakers").search(behind)))
