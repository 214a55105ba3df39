"""What was understood of a question, and the words of it that say so: a reader takes them off, or puts others there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..core.period_text import find_periods
from ..core.records import dataclass
from ..core.rules import load_rules
from ..core.scope import Scope
from ..retrieval.question.question import find_kinds

if TYPE_CHECKING:
    from ..retrieval.question.plan import QuestionPlan
    from ..retrieval.search.evidence import Answer
    from ..workspace import Workspace
    from .notebook import Options

_SHOWN_SOURCES = 12
"""Documents that are named where nothing answers."""
_LONGEST_INITIALS = 4
"""Letters of a word in capitals that are initials rather than a name: IBM, AT&T."""
_YEAR = "年"


@dataclass(frozen=True, slots=True)
class Chip:
    """A company, a period or a kind of document that a search was restricted to.

    ``how`` is "set" by the reader or "read" from the question. ``before`` and ``after`` are the question around the
    words that say it, for another name in their place, ``without`` the question that does not say it; all three are
    empty where no words of the question do.
    """

    kind: str
    text: str
    how: str
    before: str = ""
    after: str = ""
    without: str = ""


def understanding(
    workspace: Workspace, question: str, options: Options, answer: Answer, scope: Scope | None
) -> Mapping[str, Any]:
    """The chips of a question, what it was read as, and how many documents were searched."""
    from ..retrieval.search.pipeline import plan_question

    asked = str(answer.trace.get("searched for") or question)
    plan = plan_question(workspace.store, asked, workspace.vocabulary, workspace.sources.stored_scope(scope))
    return {
        "asked": asked if asked != question else "",
        "chips": [*_set_chips(options), *_read_chips(plan, asked, options)],
        "documents": len(plan.selection.sources),
        "of": len(plan.catalogue.records),
        "searched": list(plan.selection.sources[:_SHOWN_SOURCES]),
    }


def _set_chips(options: Options) -> Iterator[Chip]:
    for kind, names in (("company", options.companies), ("period", options.periods), ("kind", options.kinds)):
        for name in names:
            yield Chip(kind, name, "set")


def _read_chips(plan: QuestionPlan, asked: str, options: Options) -> Iterator[Chip]:
    """What was read from the question, but for what is set already."""
    if not options.companies:
        yield from _companies_read(plan, asked)
    if not options.periods:
        yield from _periods_read(plan, asked)
    if not options.kinds:
        yield from _kinds_read(plan, asked)


def _companies_read(plan: QuestionPlan, asked: str) -> Iterator[Chip]:
    index = plan.catalogue.companies
    mentions = index.mentions(asked)
    for key in plan.selection.companies:
        spans = [(start, end) for start, end, named in mentions if named == key]
        yield _chip("company", readable_name(index.names.get(key, key)), asked, spans)


def _periods_read(plan: QuestionPlan, asked: str) -> Iterator[Chip]:
    found = find_periods(asked)
    for period in plan.asked.periods:
        spans = [(mention.start, mention.end) for mention in found if mention.period == period]
        yield _chip("period", period.label, asked, spans)


def _kinds_read(plan: QuestionPlan, asked: str) -> Iterator[Chip]:
    """Of several kinds that a word may mean, the first of which there is a document."""
    there = {record.kind for record in plan.catalogue.records}
    for start, end, kinds in find_kinds(asked):
        stored = [kind for kind in kinds if kind in there]
        yield _chip("kind", (stored or kinds)[0], asked, [(start, end)])


def _chip(kind: str, text: str, asked: str, spans: list[tuple[int, int]]) -> Chip:
    if not spans:
        return Chip(kind, text, "read")
    start, end = spans[0]
    if asked[start:end].endswith(_YEAR):  # "2025年": the other year is typed as a number
        end -= len(_YEAR)
    return Chip(kind, text, "read", asked[:start], asked[end:], without_words(asked, spans))


def with_words(before: str, words: str, after: str) -> str:
    """A question with other words in the place of those that were understood.

    >>> with_words("清源精密", "2024年", "年的毛利率是多少？")
    '清源精密2024年的毛利率是多少？'
    """
    return f"{before}{words.removesuffix(_YEAR) if after.startswith(_YEAR) else words}{after}"


def without_words(question: str, spans: list[tuple[int, int]]) -> str:
    """The question without some of its words, and without what only joins them to the others.

    >>> without_words("What was Boeing's revenue in fiscal 2022?", [(29, 40)])
    "What was Boeing's revenue?"
    >>> without_words("What was Boeing's revenue in fiscal 2022?", [(9, 15)])
    'What was revenue in fiscal 2022?'
    >>> without_words("清源精密2025年的毛利率是多少？", [(4, 9)])
    '清源精密毛利率是多少？'
    """
    for start, end in sorted(spans, reverse=True):
        before, after = question[:start], question[end:]
        rest = _pattern("after").sub("", after, count=1)
        joined = _pattern("joins_before").search(before)
        if joined:
            before = before[: joined.start()]
        else:
            rest = _pattern("joins_after").sub("", rest, count=1)
            before = _pattern("before").sub("", before, count=1)
        before, rest = before.rstrip(), rest.lstrip()
        are_words = before[-1:].isascii() and rest[:1].isalnum()
        question = f"{before}{' ' if are_words else ''}{rest}"
    return question.strip()


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(load_rules(__package__, "understanding.toml")[name], re.IGNORECASE)


def readable_name(name: str) -> str:
    """A company's name as people write it: covers of filings print it in capitals and with "The".

    >>> readable_name("THE BOEING"), readable_name("MGM Resorts"), readable_name("IBM"), readable_name("ADOBE")
    ('Boeing', 'MGM Resorts', 'IBM', 'Adobe')
    """
    words = name.split(" ")
    if len(words) > 1 and words[0].lower() == "the":
        words = words[1:]
    if name.isupper():
        words = [word.capitalize() if len(word) > _LONGEST_INITIALS else word for word in words]
    return " ".join(words)
