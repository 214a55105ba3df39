"""Lists in a question: several topics of one subject, or several subjects of one topic, each a question of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, filterfalse, pairwise
from typing import TYPE_CHECKING

from ...core.language import Language, language_of
from ...core.patterns import PatternTable, on_demand
from ...core.period_text import find_periods
from ...core.records import dataclass
from .entity_linking import capitalised_names
from .figures.operands import content_words, find_names
from .figures.request import read_numbers, without_times
from .question import read_question
from .scope.catalogue import by_company
from .vocabulary.relation_words import phrases_said

if TYPE_CHECKING:
    from .plan import QuestionPlan

FILE = "sub_questions.toml"
"""Rules of all questions that ask several things."""
ASKS, WHOLE = PatternTable(__package__, FILE, "asks"), PatternTable(__package__, FILE, "whole")
TOPICS, _HEADS = PatternTable(__package__, FILE, "topics"), PatternTable(__package__, FILE, "heads")
_EVERY, _RESPECTIVE = PatternTable(__package__, FILE, "every"), PatternTable(__package__, FILE, "respective")
_PLACES = PatternTable(f"{__package__}.figures", "selection_request.toml")
LISTS, SUBJECTS = PatternTable(__package__, FILE, "lists"), PatternTable(__package__, FILE, "subjects")
MOST_PARTS = 8
"""A list of more is a table that somebody asks for, and each part costs as much as a question."""
_OF_ONE = {"are": ("Is", ""), "were": ("Was", ""), "have": ("Does", " have"), "had": ("Did", " have")}
"""Verb of several companies -> what opens the question about one, and what goes on behind its name."""
MARKS = "?？。.!！"
"""What ends a question."""
_OWNER = on_demand(r"(?:(?:[A-Z][\w&.-]{0,40} ){0,5}[A-Z][\w&.-]{0,40}['’]s?|its|their|the company['’]s) $")
_DETERMINER = on_demand(r"^(?:the|its|their)\s+", re.IGNORECASE)
_OWN = on_demand(r"^['’]s?(?=\W|$)|^\s(?:on|by|in terms of)(?=\s)")
"""Behind a name: "Bolt's" revenue."""
_FIGURES = frozenset({"look-up", "calculation", "mixed"})


@dataclass(frozen=True, slots=True)
class _Span:
    """Characters of the question that name one of several things asked about alike."""

    start: int
    end: int


def listed_topics(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each topic of a list: "what are the competitors, properties and risks of Acme?"."""
    if WHOLE.any(language, text):
        return [text]
    items = _topic_items(text, language, plan)
    if len(items) < 2:
        return [text]
    before, after = text[: items[0].start], text[items[-1].end :]
    head = _head_of_topics(before, language, plan)
    is_whole_noun = language == "zh" or _HEADS.any("after", after)
    if head is None or not is_whole_noun:
        return [text]
    return [_topic_question(head, text[item.start : item.end], after, language) for item in items]


def respective_parts(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each thing, or each company, of which one asks in turn: "A的董事长和总经理分别是谁？"."""
    found = _RESPECTIVE.first(language, text)
    if found is None:
        return [text]
    owner, asks = found["owner"], found["asks"]
    named = plan.catalogue.companies.mentions(owner)
    if len(plan.catalogue.companies.find(owner)) > 1:
        before, after = owner[: named[0][0]], owner[named[-1][1] :]
        return [f"{before}{owner[start:end]}{after}{found['items']}{asks}" for start, end, _ in named]
    return [f"{owner}{item}{asks}" for item in filter(None, LISTS.all(language)[0].split(found["items"]))]


def _topic_items(text: str, language: Language, plan: QuestionPlan) -> list[_Span]:
    """The longest run of topics and figures with nothing but commas and "and" between them; one topic at least."""
    topics = [_Span(match.start(), match.end()) for match in TOPICS.each(language, text)]
    figures = [span for span in _figure_spans(text, plan) if not _overlaps(span, topics)]
    joint = LISTS.all(language)[0]
    longest: list[_Span] = []
    run: list[_Span] = []
    for span in sorted([*topics, *figures], key=_start):
        goes_on = run and joint.fullmatch(text[run[-1].end : span.start])
        if not goes_on:
            run = []
        run = [*run, span]
        if len(run) > len(longest):
            longest = run
    return longest if not set(topics).isdisjoint(longest) else []


def _start(span: _Span) -> int:
    return span.start


def _figure_spans(text: str, plan: QuestionPlan) -> list[_Span]:
    spans: list[_Span] = []
    at = 0
    for written in find_names(text, plan.vocabulary.formulas).written:
        start = text.find(written, at)
        if start < 0:
            continue
        at = start + len(written)
        spans.append(_Span(start, at))
    return spans


def _overlaps(span: _Span, others: Sequence[_Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def _head_of_topics(before: str, language: Language, plan: QuestionPlan) -> str | None:
    """What stands before each topic of the list; None where it is more than a head and whose topics they are."""
    if language == "zh":
        is_owner = before.endswith("的") and not ASKS.any("zh", before)
        return before if is_owner or _HEADS.any("zh", before) else None
    owner, asking = _owner(before)
    if _HEADS.any("question", asking):
        return before
    return owner or "the " if _HEADS.any("wish", asking) else None


def _owner(before: str) -> tuple[str, str]:
    """ "Report on Acme's " -> ("Acme's ", "Report on "): the words that say whose topics they are, and the rest."""
    match = _OWNER.search(before)
    return (before[match.start() :], before[: match.start()]) if match else ("", before)


def _topic_question(head: str, item: str, after: str, language: Language) -> str:
    if language == "zh":
        tail = after if ASKS.any("zh", after) else f"{after.rstrip(MARKS)}是什么？"
        return f"{head}{item}{tail}"
    bare = _DETERMINER.sub("", item) if _OWNER.search(head) else item
    verb = ""
    if not _HEADS.any("asks", head):
        verb = "What are " if bare.lower().endswith("s") else "What is "
    return f"{verb}{head}{bare}{after.rstrip(MARKS + ' ')}?"


def listed_subjects(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each company of a list, where words are asked; figures of several companies are found together."""
    names = _names(text, plan)
    lacks_a_side = _lacks_a_side(names, text, plan)
    if lacks_a_side and (sides := _sides_apart(names, text)):
        return sides
    is_whole = WHOLE.any(language, text) and not lacks_a_side
    if len(names) < 2 or is_whole or _figures_of_all(names, text, plan):
        return [text]
    before, after = text[: names[0].start], text[names[-1].end :]
    act_together = SUBJECTS.any("together", before) and not SUBJECTS.any("each", after)
    if act_together or not _are_listed(names, text):
        return [text]
    before = SUBJECTS.without("compared", before, "What was")
    return [f"{before}{text[name.start : name.end]}{after}" for name in names]


def _takes_figures(plan: QuestionPlan) -> bool:
    """True where the question as a whole is read as one for figures."""
    return plan.figures.route in _FIGURES and plan.figures.names_figure


def asks_of_each(text: str, language: Language) -> bool:
    """True where the same is asked of every company: "the margin of each company"."""
    return _EVERY.any(f"{language}_each", text)


def each_company(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each company there is, where words are asked of each: "Who is the CFO of each company?"."""
    each = _EVERY.first(f"{language}_each", text)
    if each is None or _takes_figures(plan):
        return [text]
    before, after = text[: each.start()], text[each.end() :]
    return [f"{before}{name}{after}" for name in _names_in_scope(text, plan)] or [text]


def which_companies(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each company there is, where it is asked which do something: "Which companies pay a dividend?".

    What the graph tells of several at once ("which companies compete") stays whole, as do figures.
    """
    which = _EVERY.first(f"{language}_which", text)
    if which is None or _takes_figures(plan) or _is_of_two_companies(text, plan):
        return [text]
    after = text[which.end() :]
    return [_of_one(name, which, after, language) for name in _names_in_scope(text, plan)] or [text]


def _is_of_two_companies(text: str, plan: QuestionPlan) -> bool:
    """True where the text says a relation that companies have with one another."""
    schema = plan.vocabulary.schema
    said = {phrase.relation for phrase in phrases_said(text, schema)}
    return any("company" in schema.relations[relation].tails for relation in said)


def _names_in_scope(text: str, plan: QuestionPlan) -> list[str]:
    """The companies that may be meant; none where the text names somebody, a name is not certain, or they are many."""
    if plan.catalogue.companies.find(text) or capitalised_names(text, plan.vocabulary.metrics):
        return []
    groups = by_company(plan.catalogue, plan.catalogue.records_from(plan.selection.sources))
    names = [name for group in groups for name in group[0].companies[:1]]
    return names if len(names) == len(groups) <= MOST_PARTS else []


def _of_one(name: str, which: re.Match[str], rest: str, language: Language) -> str:
    """ "Which companies pay a dividend?" -> "Does Acme pay a dividend?"."""
    if language == "zh":
        return f"{name}{rest}"
    verb = which["verb"]
    opening, infinitive = _OF_ONE.get(verb, ("Does", f" {verb}"))
    if infinitive == " have" and _EVERY.any("participle", rest):
        opening, infinitive = "Has", ""
    return f"{opening} {name}{infinitive}{rest}"


def _lacks_a_side(names: Sequence[_Span], text: str, plan: QuestionPlan) -> bool:
    """True where figures are to be compared and one of the companies has no document: the others are told."""
    is_told = plan.figures.names_figure and SUBJECTS.any("compared", text)
    return is_told and 0 < len(plan.catalogue.companies.mentions(text)) < len(names)


def _sides_apart(names: Sequence[_Span], text: str) -> list[str]:
    """A question for the figure of each of two companies where it stands between their names, or behind both:
    "Compare Acme's revenue with Bolt's", "Acme vs Bolt revenue"; none for other forms."""
    if len(names) != 2:
        return []
    first, second = names
    before, between, after = text[: first.start], text[first.end : second.start], text[second.end :]
    found = SUBJECTS.first("apart", between)
    if found is None or SUBJECTS.without("compared", before).strip():
        return []
    figure, behind = found.groupdict("")["figure"], _OWN.sub("", after)
    if bool(figure) == bool(content_words(without_times(behind))):  # told twice, or not at all
        return []
    asked = f"{figure}{behind}".rstrip(MARKS + " ").strip()
    return [f"What was {text[name.start : name.end]}'s {asked}" for name in names]


def _figures_of_all(names: Sequence[_Span], text: str, plan: QuestionPlan) -> bool:
    """True where figures are asked of companies that all have documents: they are found in one look-up."""
    return _takes_figures(plan) and len(plan.catalogue.companies.mentions(text)) == len(names)


def _are_listed(names: Sequence[_Span], text: str) -> bool:
    """True where nothing but commas, "and" and a preposition stands between the names."""
    joined = SUBJECTS.all("joined")[0]
    return all(joined.fullmatch(text[one.end : other.start]) for one, other in pairwise(names))


def _names(text: str, plan: QuestionPlan) -> list[_Span]:
    """The companies that a text names; beside one that is known, also capitalised names of others."""
    known = [_Span(start, end) for start, end, _ in plan.catalogue.companies.mentions(text)]
    if not known or language_of(text) == "zh":
        return known
    others = [_Span(start, end) for _, start, end in capitalised_names(text, plan.vocabulary.metrics)]
    periods = [_Span(mention.start, mention.end) for mention in find_periods(text)]
    others = [
        other
        for other in others
        if not (_overlaps(other, [*known, *periods]) or _PLACES.any("places", text[other.start : other.end]))
    ]
    return sorted([*known, *others], key=_start)


def is_for_figures(parts: Sequence[str], plan: QuestionPlan) -> bool:
    """True where all parts ask for figures of one time, or why they moved: one look-up finds and explains them.

    Parts that each name their company are whole questions.
    """
    if plan.figures.route not in _FIGURES or _differ(parts, plan):
        return False
    explains = any(read_question(part).explains for part in parts)
    if not explains and all(map(plan.catalogue.companies.find, parts)):
        return False
    return all(_asks_figure(part, plan) for part in parts)


def are_read_together(parts: Sequence[str], plan: QuestionPlan) -> bool:
    """True where the question as a whole is read as one for all figures that its parts name."""
    formulas = plan.vocabulary.formulas
    read = {operand.name for operand in plan.figures.operands}
    asked = chain.from_iterable(read_numbers(part, (), formulas).operands for part in map(read_question, parts))
    return read.issuperset(filter(None, (operand.name for operand in asked)))


def _differ(parts: Sequence[str], plan: QuestionPlan) -> bool:
    """True where the parts are of several periods, or one is of somebody whom no document is about."""
    periods = {read_question(part).periods for part in parts}
    if len(periods - {()}) > 1:
        return True
    strangers = list(filterfalse(plan.catalogue.companies.find, parts))
    return any(capitalised_names(part, plan.vocabulary.metrics) for part in strangers)


def _asks_figure(part: str, plan: QuestionPlan) -> bool:
    question = read_question(part)
    figures = read_numbers(question, (), plan.vocabulary.formulas)
    if figures.names_figure and figures.route in _FIGURES:
        return True
    if not question.explains and not question.numeric:
        return False
    return figures.names_figure or SUBJECTS.any("refers", part)
