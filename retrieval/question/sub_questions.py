"""The parts of a question that asks several things, each put so that it can be asked alone; most questions have one.

"Who audits Acme, and what are its risks?" joins two questions, "Acme's suppliers, litigation and outlook" lists topics,
"who audits Acme and Bolt?" names two companies. What belongs together stays whole: a comparison, a name with "and", and
figures, which are found and calculated together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ...core.language import Language, language_of
from ...core.patterns import PatternTable
from ...core.period_text import find_periods
from .entity_linking import capitalised_names
from .figures.operands import find_names
from .figures.request import read_numbers
from .question import read_question
from .wording.asking import sentences_of
from .wording.conversation import stand_alone
from .wording.talk import content_of, is_empty_talk

if TYPE_CHECKING:
    from .plan import QuestionPlan

_FILE = "sub_questions.toml"
_JOINTS, _ASKS = PatternTable(__package__, _FILE, "joints"), PatternTable(__package__, _FILE, "asks")
_WHOLE, _HEADS = PatternTable(__package__, _FILE, "whole"), PatternTable(__package__, _FILE, "heads")
_TOPICS, _LISTS = PatternTable(__package__, _FILE, "topics"), PatternTable(__package__, _FILE, "lists")
_SUBJECTS, _BROAD = PatternTable(__package__, _FILE, "subjects"), PatternTable(__package__, _FILE, "broad")
_MOST = 8
"""Parts; a list of more is a table that somebody asks for, and each part costs as much as a question."""
_LEAST_WORDS = 3
"""Words of an English question that can be answered by itself: "how and why" is one question."""
_LONGEST = 1_600
"""Characters of a question with parts: what is longer is somebody's text, and rules should not cut it."""
_MARKS = "?？。.!！"
_OWNER = re.compile(r"(?:(?:[A-Z][\w&.-]{0,40} ){0,5}[A-Z][\w&.-]{0,40}['’]s?|its|their|the company['’]s) $")
_DETERMINER = re.compile(r"^(?:the|its|their)\s+", re.IGNORECASE)
_CHINESE_OWNER = re.compile(r"^[\u4e00-\u9fffA-Za-z]{2,20}?的")
_RELATIVE = re.compile(r"(who|whose|whom|which|where|when)\b", re.IGNORECASE)
_RELATIVE_WITHIN = re.compile(r"(?<=\S )(who|whose|whom|which|where|when)\b", re.IGNORECASE)
_FIGURES = frozenset({"look-up", "calculation", "mixed"})
_TOGETHER = frozenset({"statistics", "comparison"})


@dataclass(frozen=True, slots=True)
class _Span:
    """Characters of the question that name one of several things asked about alike."""

    start: int
    end: int


def sub_questions(plan: QuestionPlan) -> tuple[str, ...]:
    """The questions that are asked in one, each to be asked alone; the question itself where it is one.

    What an earlier part says, a later one is given: its company, its period, what "it" stands for.
    """
    text = plan.text.strip()
    if len(text) > _LONGEST or plan.figures.route in _TOGETHER:
        return (plan.text,)
    asked: list[str] = []
    within: list[_Group] = []
    for group in _groups(text):
        parts = _parts_of_group(group.asked, plan)
        asked.extend(parts)
        within.extend([group] * len(parts))
    if not 2 <= len(asked) <= _MOST or _is_for_figures(asked, plan):
        return (plan.text,)
    alone = _made_alone(asked, plan)
    if alone is None:
        return (plan.text,)
    put = tuple(dict.fromkeys(group.put(part) for group, part in zip(within, alone, strict=True)))
    return put if len(put) > 1 else (plan.text,)


def may_have_parts(plan: QuestionPlan) -> bool:
    """True where a model may tell apart what the rules leave whole: a question that is broad, or names several topics.

    False for what the rules cut (joined questions find both pages as often as the two asked alone), for figures, which
    are found and calculated together, and for what compares: most questions.
    """
    text = plan.text.strip()
    language = language_of(text)
    if len(text) > _LONGEST or plan.figures.route in _TOGETHER or _WHOLE.any(language, text):
        return False
    if len(plan.sub_questions) > 1:
        return False
    if _BROAD.any(language, text):
        return True
    topics = {match[0].lower() for match in _TOPICS.all(language)[0].finditer(text)}
    return len(topics) > 1 and not plan.figures.names_figure and _LISTS.any(language, text)


# --- sentences


@dataclass(frozen=True, slots=True)
class _Group:
    """One sentence that asks, with what is said before and after it that belongs to it."""

    before: str
    asked: str
    after: str

    def put(self, question: str) -> str:
        """Another question in the place of the one that is asked."""
        return " ".join(filter(None, (self.before, question, self.after)))


def _groups(text: str) -> list[_Group]:
    """The sentences that ask, each with those around it: what is said before the first belongs to the first."""
    groups: list[_Group] = []
    waiting: list[str] = []
    for sentence in sentences_of(text):
        is_rest = groups and sentence.startswith("or ")
        if sentence[-1] in "?？" and not is_empty_talk(sentence) and not is_rest:
            groups.append(_Group(" ".join(waiting), sentence, ""))
            waiting = []
        elif groups:
            last = groups[-1]
            groups[-1] = _Group(last.before, last.asked, f"{last.after} {sentence}".strip())
        else:
            waiting.append(sentence)
    return groups or [_Group("", text, "")]


def _parts_of_group(asked: str, plan: QuestionPlan) -> list[str]:
    language = language_of(asked)
    for split in (_joined_questions, _listed_topics, _listed_subjects):
        parts = split(asked, language, plan)
        if len(parts) > 1:
            return parts
    return [asked]


# --- questions joined in one sentence


def _joined_questions(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """The questions that "and" joins in a sentence: "who runs Acme, and why did it close?".

    Within a comparison only what a comma sets apart is a question of its own.
    """
    name = f"{language}_after_comma" if _WHOLE.any(language, text) else language
    pieces = [piece.strip(" ,，;；") for piece in _JOINTS.all(name)[0].split(text)]
    if language == "zh":
        return _asking_clauses(pieces)
    return _english_questions([piece for piece in pieces if piece], text)


def _asking_clauses(pieces: Sequence[str]) -> list[str]:
    """Chinese clauses that ask; one that does not is the beginning of the next, or the end of the last."""
    clauses: list[str] = []
    waiting = ""
    for piece in filter(None, pieces):
        said = f"{waiting}，{piece}" if waiting else piece
        if _ASKS.any("zh", piece):
            clauses.append(said)
            waiting = ""
        else:
            waiting = said
    if waiting and clauses:
        clauses[-1] = f"{clauses[-1]}，{waiting}"
    return clauses


def _english_questions(pieces: Sequence[str], text: str) -> list[str]:
    """The pieces as questions; the text whole where one of them is none by itself."""
    questions: list[str] = []
    for piece in pieces:
        before = questions[-1] if questions else ""
        question = _english_question(piece, before)
        if not question:
            return [text]
        questions.append(question)
    return questions


def _english_question(piece: str, before: str) -> str:
    """A piece as a question of its own behind the one ``before``; "" where it is none."""
    if _ASKS.any("bare_why", piece):
        return _reason_for(before)
    if len(piece.split()) < _LEAST_WORDS or not content_of(piece):
        return ""
    return "" if _goes_on_with(piece, before) else _as_question(piece)


def _goes_on_with(piece: str, before: str) -> bool:
    """True for a clause on the same noun as one before it: "the singer who is known for .. and who sang .."."""
    opening = _RELATIVE.match(piece)
    if opening is None:
        return False
    return opening[1].lower() in (word.lower() for word in _RELATIVE_WITHIN.findall(before))


def _reason_for(question: str) -> str:
    """ "Did revenue fall?" -> "Why did revenue fall?"; "" where the words do not allow it."""
    opening = _ASKS.first("reversible", question)
    if opening is None:
        return ""
    said = question[opening.end() :]
    return f"Why {said[:1].lower()}{said[1:]}"


def _as_question(piece: str) -> str:
    bare = piece.rstrip(_MARKS + " ")
    return f"{bare[:1].upper()}{bare[1:]}?"


# --- topics in a list


def _listed_topics(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each topic of a list: "what are the competitors, properties and risks of Acme?"."""
    if _WHOLE.any(language, text):
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


def _topic_items(text: str, language: Language, plan: QuestionPlan) -> list[_Span]:
    """The longest run of topics and figures with nothing but commas and "and" between them; one topic at least."""
    topics = [_Span(match.start(), match.end()) for match in _TOPICS.all(language)[0].finditer(text)]
    figures = [span for span in _figure_spans(text, plan) if not _overlaps(span, topics)]
    joint = _LISTS.all(language)[0]
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
        is_owner = before.endswith("的") and not _ASKS.any("zh", before)
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
        tail = after if _ASKS.any("zh", after) else f"{after.rstrip(_MARKS)}是什么？"
        return f"{head}{item}{tail}"
    bare = _DETERMINER.sub("", item) if _OWNER.search(head) else item
    verb = ""
    if not _HEADS.any("asks", head):
        verb = "What are " if bare.lower().endswith("s") else "What is "
    return f"{verb}{head}{bare}{after.rstrip(_MARKS + ' ')}?"


# --- companies and periods in a list


def _listed_subjects(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """A question for each company of a list, where words are asked; figures of several companies are found together."""
    names = _names(text, plan)
    if len(names) < 2 or _WHOLE.any(language, text) or _figures_of_all(names, text, plan):
        return [text]
    before, after = text[: names[0].start], text[names[-1].end :]
    act_together = _SUBJECTS.any("together", before) and not _SUBJECTS.any("each", after)
    if act_together or not _are_listed(names, text):
        return [text]
    return [f"{before}{text[name.start : name.end]}{after}" for name in names]


def _figures_of_all(names: Sequence[_Span], text: str, plan: QuestionPlan) -> bool:
    """True where figures are asked of companies that all have documents: they are found in one look-up."""
    takes_figures = plan.figures.route in _FIGURES and plan.figures.names_figure
    return takes_figures and len(plan.catalogue.companies.mentions(text)) == len(names)


def _are_listed(names: Sequence[_Span], text: str) -> bool:
    """True where nothing but commas, "and" and a preposition stands between the names."""
    joined = _SUBJECTS.all("joined")[0]
    return all(joined.fullmatch(text[one.end : other.start]) for one, other in pairwise(names))


def _names(text: str, plan: QuestionPlan) -> list[_Span]:
    """The companies that a text names; beside one that is known, also capitalised names of others."""
    known = [_Span(start, end) for start, end, _ in plan.catalogue.companies.mentions(text)]
    if not known or language_of(text) == "zh":
        return known
    others = [_Span(start, end) for _, start, end in capitalised_names(text, plan.vocabulary.metrics)]
    periods = [_Span(mention.start, mention.end) for mention in find_periods(text)]
    others = [other for other in others if not _overlaps(other, [*known, *periods])]
    return sorted([*known, *others], key=_start)


# --- each part by itself


def _is_for_figures(parts: Sequence[str], plan: QuestionPlan) -> bool:
    """True where all parts ask for figures of one time, or why they moved: one look-up finds and explains them.

    Parts that each name their company are whole questions.
    """
    if plan.figures.route not in _FIGURES or _differ(parts, plan):
        return False
    explains = any(read_question(part).explains for part in parts)
    if not explains and all(plan.catalogue.companies.find(part) for part in parts):
        return False
    return all(_asks_figure(part, plan) for part in parts)


def _differ(parts: Sequence[str], plan: QuestionPlan) -> bool:
    """True where the parts are of several periods, or one is of somebody whom no document is about."""
    periods = {read_question(part).periods for part in parts}
    if len(periods - {()}) > 1:
        return True
    strangers = [part for part in parts if not plan.catalogue.companies.find(part)]
    return any(capitalised_names(part, plan.vocabulary.metrics) for part in strangers)


def _asks_figure(part: str, plan: QuestionPlan) -> bool:
    question = read_question(part)
    figures = read_numbers(question, (), plan.vocabulary.formulas)
    if figures.names_figure and figures.route in _FIGURES:
        return True
    if not question.explains and not question.numeric:
        return False
    return figures.names_figure or _SUBJECTS.any("refers", part)


def _made_alone(parts: Sequence[str], plan: QuestionPlan) -> list[str] | None:
    """The parts with the company, the period and the "it" that another part names.

    None where a part goes on about what another one finds ("how are they split"): such a question is answered whole.
    """
    companies = plan.catalogue.companies
    named = next((part for part in parts if companies.find(part)), "")
    first = parts[0]
    if named and not _names_somebody(first, plan):
        first = stand_alone(first, [named], companies)
    alone = [first]
    for part in parts[1:]:
        about = _about_person(part, first)
        if about is None or _goes_on(about, first, plan):
            return None
        alone.append(_about_same(about, first, plan))
    return alone


def _about_person(part: str, first: str) -> str | None:
    """The part with the office asked about in place of "his"; None where nobody knows who "his" is."""
    refers = _SUBJECTS.first("person", part)
    if refers is None:
        return part
    office = _SUBJECTS.first("office", first)
    if office is None or refers[0].lower() not in ("his", "her"):
        return None
    return f"{part[: refers.start()]}{office['office']}'s{part[refers.end() :]}"


def _goes_on(part: str, first: str, plan: QuestionPlan) -> bool:
    """True for a part that refers to a thing, not to the company: what it is about the first part has to find."""
    if _SUBJECTS.any("thing", part):
        return True
    if not _SUBJECTS.any("subject", part):
        return False
    is_company = _SUBJECTS.any("no_thing", first) or _SUBJECTS.any("of_somebody", part)
    return not (is_company and _names_somebody(first, plan))


def _names_somebody(text: str, plan: QuestionPlan) -> bool:
    return bool(plan.catalogue.companies.find(text) or capitalised_names(text, plan.vocabulary.metrics))


def _about_same(part: str, first: str, plan: QuestionPlan) -> str:
    """The part with the company, the period or the one other name of the first in it, where it has none."""
    companies, metrics = plan.catalogue.companies, plan.vocabulary.metrics
    if companies.find(part):
        return part
    if language_of(part) == "zh":
        owner = _CHINESE_OWNER.match(first)
        if companies.find(first) or owner is None or _CHINESE_OWNER.match(part):
            return stand_alone(part, [first], companies)
        return f"{owner[0]}{part}"
    if capitalised_names(part, metrics):
        return part
    if companies.find(first):
        return stand_alone(part, [first], companies)
    names = [first[start:end] for _, start, end in capitalised_names(first, metrics)]
    return _with_name(part, names[0]) if len(names) == 1 else part


def _with_name(part: str, name: str) -> str:
    refers = _SUBJECTS.first("refers", part)
    if refers is None:
        return f"{part.rstrip(_MARKS)} of {name}?"
    own = f"{name}'s" if refers[0].lower() in ("its", "their") else name
    return f"{part[: refers.start()]}{own}{part[refers.end() :]}"
