"""The parts of a question that asks several things, each put so that it can be asked alone; most questions have one.

"Who audits Acme, and what are its risks?" joins two questions, "Acme's suppliers, litigation and outlook" lists topics,
"who audits Acme and Bolt?" names two companies. What belongs together stays whole: a comparison, a name with "and", and
figures, which are found and calculated together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.language import Language, language_of
from ...core.patterns import PatternTable, on_demand
from ...core.records import dataclass
from ...core.sequences import last
from .entity_linking import capitalised_names
from .figures.request import read_numbers, without_times
from .listed_parts import (
    ASKS,
    FILE,
    LISTS,
    MARKS,
    MOST_PARTS,
    SUBJECTS,
    TOPICS,
    WHOLE,
    are_read_together,
    each_company,
    is_for_figures,
    listed_subjects,
    listed_topics,
    respective_parts,
    which_companies,
)
from .question import read_question
from .wording.asking import sentences_of
from .wording.conversation import acts_as_company, stand_alone
from .wording.talk import content_of, is_empty_talk

if TYPE_CHECKING:
    from .plan import QuestionPlan

_JOINTS, _BROAD = PatternTable(__package__, FILE, "joints"), PatternTable(__package__, FILE, "broad")
_LEAST_WORDS = 3
"""Words of an English question that can be answered by itself: "how and why" is one question."""
_LONGEST = 1_600
"""Characters of a question with parts: what is longer is somebody's text, and rules should not cut it."""
_CHINESE_OWNER = on_demand(r"^[\u4e00-\u9fffA-Za-z]{2,20}?的")
_RELATIVE = on_demand(r"(who|whose|whom|which|where|when)\b", re.IGNORECASE)
_RELATIVE_WITHIN = on_demand(r"(?<=\S )(who|whose|whom|which|where|when)\b", re.IGNORECASE)
_TOGETHER = frozenset({"statistics", "comparison"})


def sub_questions(plan: QuestionPlan) -> tuple[str, ...]:
    """The questions that are asked in one, each to be asked alone; the question itself where it is one.

    What an earlier part says, a later one is given: its company, its period, what "it" stands for.
    """
    text = plan.text.strip()
    is_exchange = plan.speech is not None and plan.speech.kind == "exchange"
    if len(text) > _LONGEST or is_exchange or plan.figures.route in _TOGETHER:
        return (plan.text,)
    asked: list[str] = []
    within: list[_Group] = []
    for group in _groups(text):
        parts = _parts_of_group(group.asked, plan)
        if len(parts) > 1 and (is_for_figures(parts, plan) or _made_alone(parts, plan) is None):
            parts = [group.asked]  # "... and how did it change?": answered with what it goes on about
        asked.extend(parts)
        within.extend([group] * len(parts))
    is_one_look_up = is_for_figures(asked, plan) and are_read_together(asked, plan)
    if is_one_look_up or not 2 <= len(asked) <= MOST_PARTS:
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
    if len(text) > _LONGEST or plan.figures.route in _TOGETHER or WHOLE.any(language, text):
        return False
    if len(plan.sub_questions) > 1:
        return False
    if _BROAD.any(language, text):
        return True
    topics = {match[0].lower() for match in TOPICS.each(language, text)}
    return len(topics) > 1 and not plan.figures.names_figure and LISTS.any(language, text)


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
    for split in (_joined_questions, respective_parts, listed_topics, listed_subjects, each_company, which_companies):
        parts = split(asked, language, plan)
        if len(parts) > 1:
            return parts
    return [asked]


# --- questions joined in one sentence


def _joined_questions(text: str, language: Language, plan: QuestionPlan) -> list[str]:
    """The questions that "and" joins in a sentence: "who runs Acme, and why did it close?".

    Within a comparison only what a comma sets apart is a question of its own.
    """
    name = f"{language}_after_comma" if WHOLE.any(language, text) else language
    pieces = [piece.strip(" ,，;；") for piece in _JOINTS.all(name)[0].split(text)]
    if language == "zh":
        return _asking_clauses(pieces)
    return _english_questions(list(filter(None, pieces)), text)


def _asking_clauses(pieces: Sequence[str]) -> list[str]:
    """Chinese clauses that ask; one that does not is the beginning of the next, or the end of the last."""
    clauses: list[str] = []
    waiting = ""
    for piece in filter(None, pieces):
        said = f"{waiting}，{piece}" if waiting else piece
        if ASKS.any("zh", piece):
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
        before = last(questions, "")
        if without_times(before) != before and _says_only_when(piece):
            questions[-1] = f"{before.rstrip(MARKS)}, and {piece}"
            continue
        question = _english_question(piece, before)
        if not question:
            return [text]
        questions.append(question)
    return questions


def _says_only_when(piece: str) -> bool:
    """True for a piece that asks the same of another time: "..., and what in 2021?"."""
    rest = without_times(piece)
    return rest != piece and not content_of(rest)


def _english_question(piece: str, before: str) -> str:
    """A piece as a question of its own behind the one ``before``; "" where it is none."""
    if ASKS.any("bare_why", piece):
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
    opening = ASKS.first("reversible", question)
    if opening is None:
        return ""
    said = question[opening.end() :]
    return f"Why {said[:1].lower()}{said[1:]}"


def _as_question(piece: str) -> str:
    bare = piece.rstrip(MARKS + " ")
    return f"{bare[:1].upper()}{bare[1:]}?"


# --- topics in a list


# --- companies and periods in a list


# --- each part by itself


def _made_alone(parts: Sequence[str], plan: QuestionPlan) -> list[str] | None:
    """The parts with the company, the period and the "it" that another part names.

    None where a part goes on about what another one finds ("how are they split"): such a question is answered whole.
    """
    companies = plan.catalogue.companies
    named = next(filter(companies.find, parts), "")
    first = parts[0]
    if named and not _names_somebody(first, plan):
        first = stand_alone(first, [named], companies)
    alone = [first]
    for part in parts[1:]:
        about = _about_person(_with_figure(part, first, plan), first)
        if about is None or _goes_on(about, first, plan):
            return None
        alone.append(_about_same(about, first, plan))
    return alone


def _with_figure(part: str, first: str, plan: QuestionPlan) -> str:
    """ "What drove the change?" with the figure that the first part names: "What drove the change in revenue?"."""
    language = language_of(part)
    moved = SUBJECTS.first(f"moved_{language}", part)
    operands = read_numbers(read_question(first), (), plan.vocabulary.formulas).operands
    if moved is None or len(operands) != 1 or not operands[0].name:
        return part
    figure = operands[0].written
    if language == "zh":
        return f"{part[: moved.start()]}{figure}{part[moved.start() :]}"
    return f"{part[: moved.end()]} in {figure}{part[moved.end() :]}"


def _about_person(part: str, first: str) -> str | None:
    """The part with the office asked about in place of "his"; None where nobody knows who "his" is."""
    refers = SUBJECTS.first("person", part)
    if refers is None:
        return part
    office = SUBJECTS.first("office", first)
    if office is None or refers[0].lower() not in ("his", "her"):
        return None
    return f"{part[: refers.start()]}{office['office']}'s{part[refers.end() :]}"


def _goes_on(part: str, first: str, plan: QuestionPlan) -> bool:
    """True for a part that refers to a thing, not to the company: what it is about the first part has to find."""
    if SUBJECTS.any("thing", part):
        return True
    if not SUBJECTS.any("subject", part):
        return False
    is_of_somebody = SUBJECTS.any("of_somebody", part) or acts_as_company(part, first)
    is_company = is_of_somebody or SUBJECTS.any("no_thing", first)
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
    refers = SUBJECTS.first("refers", part)
    if refers is None:
        return f"{part.rstrip(MARKS)} of {name}?"
    own = f"{name}'s" if refers[0].lower() in ("its", "their") else name
    return f"{part[: refers.start()]}{own}{part[refers.end() :]}"
