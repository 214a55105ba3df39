"""What a report on a question searches for: keywords in six aspects, and the sub-questions that it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import Template
from typing import TYPE_CHECKING, Any

from ..core.language import Language, language_of
from ..core.patterns import PatternTable, without_parts
from ..core.records import dataclass
from ..core.rules import load_rules
from ..models.language import LanguageModel, Message
from ..prompts import load_prompt
from ..retrieval.search.pipeline import plan_question
from .parts import spoken_name

if TYPE_CHECKING:
    from ..core.scope import Scope
    from ..retrieval.question.plan import QuestionPlan
    from ..workspace import Workspace

_LIST = PatternTable(__package__, "aspects.toml", "list")
ASPECTS = ("field", "subject", "inputs", "methods", "policy", "means")
_MOST_KEYWORDS, _MOST_QUESTIONS = 24, 8
_FEWEST_QUESTIONS = 2
_LONGEST = 300
"""Characters of a keyword or sub-question; what is longer is talk."""
_STRINGS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "keywords": {"type": "object", "properties": dict.fromkeys(ASPECTS, _STRINGS)},
        "questions": _STRINGS,
    },
    "required": ["keywords", "questions"],
}


@dataclass(frozen=True, slots=True)
class ReportPlan:
    """Keywords with the aspect that each is of, and the sub-questions, each to be understood alone."""

    keywords: tuple[tuple[str, str], ...]
    """(aspect, phrase)"""
    questions: tuple[str, ...]
    language: Language
    subject: str
    """The company that it is about, as the question names it; the topic where it names none."""
    companies: tuple[str, ...] = ()
    """All companies that the question names and documents are of."""


def plan_report(workspace: Workspace, question: str, scope: Scope | None, model: LanguageModel | None) -> ReportPlan:
    """Keywords and sub-questions by one call of a model, or by rules without one, or where it answers nonsense."""
    plan = plan_question(workspace.store, question, workspace.vocabulary, scope)
    by_rules = _by_rules(plan, question, scope)
    if model is None:
        return by_rules
    language = language_of(question)
    messages = [Message("system", load_prompt("report_views", language)), Message("user", question)]
    reply = model.reply(messages, schema=_SCHEMA)
    return _checked(reply.data, by_rules)


def _checked(data: Any, by_rules: ReportPlan) -> ReportPlan:
    """The model's plan where it is of use: phrases of a bearable length, at least two questions; else that of rules."""
    if not isinstance(data, Mapping):
        return by_rules
    given = data.get("keywords")
    keywords = [(aspect, text) for aspect in ASPECTS for text in _texts(given, aspect)]
    questions = tuple(_texts(data, "questions"))[:_MOST_QUESTIONS]
    if len(questions) < _FEWEST_QUESTIONS:
        questions = by_rules.questions
    kept = tuple(dict.fromkeys([*(("question", text) for text in questions), *keywords]))[:_MOST_KEYWORDS]
    return replace(by_rules, keywords=kept, questions=questions)


def _texts(data: Any, name: str) -> list[str]:
    """The texts of a list in a model's answer; none where it is no list, and none that is too long."""
    found = data.get(name) if isinstance(data, Mapping) else None
    if not isinstance(found, list):
        return []
    texts = [text.strip() for text in found if isinstance(text, str)]
    return [text for text in texts if 0 < len(text) <= _LONGEST]


def _by_rules(plan: QuestionPlan, question: str, scope: Scope | None) -> ReportPlan:
    """The parts of the question; of one that names nothing but its subject, a question for each aspect."""
    language = plan.language
    subject = spoken_name(_subject(plan, scope))
    aspects = load_rules(__package__, "aspects.toml")["aspect"]
    companies = tuple(plan.catalogue.companies.names[key] for key in plan.companies)
    questions = plan.sub_questions
    if len(questions) < _FEWEST_QUESTIONS:
        questions = _listed(question, companies or ((subject,) if subject else ()), language)
    if len(questions) < _FEWEST_QUESTIONS:
        is_broad = bool(subject) and _says_nothing_else(plan, subject)
        views = [Template(aspect["question"][language]).substitute(subject=subject) for aspect in aspects]
        questions = tuple(views) if is_broad else (question,)
    keywords = [("question", text) for text in questions]
    topic = subject or plan.asked.trimmed
    for aspect in aspects:
        keywords.extend((aspect["name"], Template(text).substitute(topic=topic)) for text in aspect[language])
    return ReportPlan(tuple(keywords[:_MOST_KEYWORDS]), questions, language, topic, companies)


def _listed(question: str, companies: Sequence[str], language: Language) -> tuple[str, ...]:
    """The topics of "report on Acme's debt, leases and cash in 2023", each with the company and the period.

    Of several companies a question each, with all topics: what is said of one is not mixed with another.
    """
    from ..core.period_text import find_periods

    wish = _LIST.first(f"{language}_wish", question)
    if wish is None or not companies:
        return ()
    wished = question[wish.end() :]
    head, colon, listed = wished.partition("：" if language == "zh" else ":")
    topics = (listed if colon else head).strip(" .。?？!！")
    mention = next(iter(find_periods(question)), None)
    period = f" {question[mention.start : mention.end]}" if mention else ""
    if len(companies) > 1:
        return tuple(f"{spoken_name(company)} {topics}{period}" for company in companies)
    items = _items(topics, companies[0], language)
    if len(items) < 2:
        return ()
    name = spoken_name(companies[0])
    return tuple(f"{name} {item}{period}" for item in items)


def _items(topics: str, company: str, language: Language) -> list[str]:
    """The items of a list of topics, in the words that documents use for them, without company and periods."""
    from ..core.period_text import find_periods

    topics = without_parts(topics, find_periods(topics), by="")
    meant = load_rules(__package__, "aspects.toml")["meant"][language]
    named = (_own_topic(item, company, language) for item in _LIST.all(f"{language}_joint")[0].split(topics))
    return [meant.get(item, item) for item in named if item]


def _own_topic(item: str, company: str, language: Language) -> str:
    """ "Acme's planned acquisitions" -> "planned acquisitions"."""
    from ..core.words import search_words

    own = set(search_words(company))
    words: list[str] = []
    for word in item.split():
        meant = set(search_words(word.replace("’s", "").replace("'s", "")))
        if not meant or meant - own:
            words.append(word)
    bare = " ".join(words) if language == "en" else item.replace(company, "")
    opening = _LIST.first(f"{language}_own", bare)
    bare = bare[opening.end() :] if opening else bare
    return bare.removesuffix(" in").removesuffix(" of").strip()


def _subject(plan: QuestionPlan, scope: Scope | None) -> str:
    """The first company named in the question or the scope; "" without one."""
    if plan.companies:
        return plan.catalogue.companies.names[plan.companies[0]]
    return scope.companies[0] if scope and scope.companies else ""


def _says_nothing_else(plan: QuestionPlan, subject: str) -> bool:
    """True for "report on Acme": beside the company, its period and words of reporting nothing is said."""
    from ..core.period_text import find_periods
    from ..core.words import question_words

    text = without_parts(plan.text, find_periods(plan.text))
    rest = set(question_words(text)) - set(question_words(subject))
    for start, end, _ in plan.catalogue.companies.mentions(plan.text):
        rest -= set(question_words(plan.text[start:end]))
    return rest <= _reporting_words(plan.language)


def _reporting_words(language: Language) -> set[str]:
    from ..core.words import search_words

    words: Sequence[str] = load_rules(__package__, "words.toml")[language]["reporting"].split()
    return {term for word in words for term in search_words(word)}
