"""Other ways of putting a question, found by a model: in other words, whose rankings are fused, or part by part.

Without a model one search is enough. Rules cut what people join with "and"; what a broad question ("How did Acme's year
go?") is about they do not know. What the model gives is checked, and the rules' own parts stand where it is of no use.
Most questions cost no call for their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ....core.errors import ModelError
from ....core.language import language_of
from ....core.patterns import on_demand
from ....models.language import Message
from ....prompts import load_prompt
from ...question.plan import NO_KEYWORDS, Keywords
from ...question.sub_questions import may_have_parts
from ...question.wording.conversation import stand_alone
from ...search.evidence import TEXTS, Evidence, Trace
from ...search.weights import reciprocal_rank_fusion
from .prompts import fill

if TYPE_CHECKING:
    from ....models.language import LanguageModel
    from ...question.plan import QuestionPlan
    from ...search.evidence import Trace

_NUMBERING = on_demand(r"^\s*(?:[-*•]|\d+[.)、])\s*")
_LONGEST = 300
"""Characters; what is longer is talk, not a question."""
_LONGEST_PASSAGE = 600
"""Characters of an imagined passage: what the encoder reads of it."""
_FIGURES = on_demand(r"[$€£¥]?\d(?:[\d,.]{0,30}\d)?(?:\s?[%％])?")
_MOST_KEYWORDS, _LONGEST_KEYWORD = 6, 80
"""Names, and themes, that are taken of one reply; characters of each."""
_TEXTS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
_KEYWORDS: Mapping[str, Any] = {
    "type": "object",
    "properties": {"names": _TEXTS, "themes": _TEXTS},
    "required": ["names", "themes"],
}
_OTHER = 0.3
"""Worth of another wording's ranking beside that of the question itself: two that agree do not outvote it."""
_CONSTANT = 10.0
"""The first places of few rankings that are good by themselves count for more than the usual 60 lets them."""


def other_queries(model: LanguageModel | None, question: str, count: int, trace: Trace) -> list[str]:
    """Up to ``count`` - 1 other wordings; none without a model or where it fails. The model's cache keeps them."""
    if model is None or count < 2:
        return []
    asked = fill("queries", language_of(question), count=count - 1)
    try:
        reply = model.reply([Message("system", asked), Message("user", question)])
    except ModelError as error:
        trace.note("queries", {"failed": str(error)})
        return []
    lines = [_NUMBERING.sub("", line).strip() for line in reply.text.splitlines()]
    found = [line for line in dict.fromkeys(lines) if 0 < len(line) <= _LONGEST and line != question][: count - 1]
    trace.note("queries", found)
    return found


def imagined_answer(model: LanguageModel | None, question: str, trace: Trace) -> str:
    """The passage that would answer, as a model imagines it (HyDE); "" without a model or where it fails.

    Its figures are taken out: they are made up, and a search looks for the figures of a question.
    Source: Gao, Ma, Lin and Callan, "Precise Zero-Shot Dense Retrieval without Relevance Labels", 2023.
    """
    if model is None:
        return ""
    asked = fill("hyde", language_of(question))
    try:
        reply = model.reply([Message("system", asked), Message("user", question)])
    except ModelError as error:
        trace.note("hyde", {"failed": str(error)})
        return ""
    passage = " ".join(_FIGURES.sub(" ", reply.text).split())[:_LONGEST_PASSAGE]
    trace.note("hyde", passage)
    return passage


def graph_keywords(model: LanguageModel | None, question: str, trace: Trace) -> Keywords:
    """The names and the themes of a question, as documents would say them; none without a model or where it fails.

    Source: Guo et al., "LightRAG: Simple and Fast Retrieval-Augmented Generation", 2024 (low- and high-level keywords).
    """
    if model is None:
        return NO_KEYWORDS
    asked = [Message("system", fill("keywords", language_of(question))), Message("user", question)]
    try:
        data = model.reply(asked, schema=_KEYWORDS).data
    except ModelError as error:
        trace.note("graph keywords", {"failed": str(error)})
        return NO_KEYWORDS
    given = data if isinstance(data, Mapping) else {}
    found = Keywords(_short_texts(given.get("names")), _short_texts(given.get("themes")))
    trace.note("graph keywords", asdict(found))
    return found


def _short_texts(given: Any) -> tuple[str, ...]:
    """The first texts of a list that a model gave, each once, white space plain; what is long is talk."""
    if not isinstance(given, list):
        return ()
    texts = (" ".join(text.split()) for text in given if isinstance(text, str))
    return tuple(dict.fromkeys(text for text in texts if 0 < len(text) <= _LONGEST_KEYWORD))[:_MOST_KEYWORDS]


def search_each(search: Callable[[str], list[Evidence]], question: str, others: Sequence[str]) -> list[Evidence]:
    """The rankings of all wordings as one, by reciprocal rank; each piece as the first ranking that has it gives it.

    Pages are fused rather than pieces: two wordings often find two pieces of the page that answers, and would lose it
    to pages of which both find the same piece. Source: Cormack, Clarke and Buettcher 2009.
    """
    rankings = list(map(search, (question, *others)))
    if len(rankings) == 1:
        return rankings[0]
    keyed = list(map(_keyed, rankings))
    by_key = {key: item for ranking in reversed(keyed) for key, item in ranking.items()}
    weights = [1.0, *(_OTHER for _ in others)]
    fused = reciprocal_rank_fusion(list(map(list, keyed)), _CONSTANT, weights)
    return list({_own_key(by_key[key]): by_key[key] for key, _ in fused}.values())


def _keyed(ranking: Sequence[Evidence]) -> dict[str, Evidence]:
    """The first piece of each page under its page, every further one under its own key; in order."""
    keyed: dict[str, Evidence] = {}
    for item in ranking:
        page = f"page {item.page} of {item.source}" if item.page and item.kind in TEXTS else ""
        keyed.setdefault(page if page and page not in keyed else _own_key(item), item)
    return keyed


def _own_key(item: Evidence) -> str:
    return f"{item.kind}:{item.id or item.text}"


MOST_VIEWS = 5
_LONGEST_VIEW = 300
"""Characters; what is longer is talk, not a question."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
}
_YEAR = on_demand(r"(?:19|20)\d\d")


def views_of(model: LanguageModel | None, plan: QuestionPlan, trace: Trace) -> tuple[str, ...]:
    """The questions that are asked in one, by the model where it may do better than the rules.

    The rules' parts stand without a model, where it fails, and where it answers what was not asked. The trace notes
    what it gave.
    """
    by_rules = plan.sub_questions
    if model is None or not may_have_parts(plan):
        return by_rules
    messages = [Message("system", load_prompt("sub_questions", language_of(plan.text))), Message("user", plan.text)]
    try:
        data = model.reply(messages, schema=_SCHEMA).data
    except ModelError as error:
        trace.note("views", {"failed": str(error)})
        return by_rules
    views = _checked(data, plan)
    trace.note("views", list(views))
    return views or by_rules


def _checked(data: Any, plan: QuestionPlan) -> tuple[str, ...]:
    """The model's questions where all can be used, each with the company that is meant; else none.

    One that is left out would be a part of the question that nobody answers.
    """
    given = data.get("questions") if isinstance(data, Mapping) else None
    if not isinstance(given, list) or not all(isinstance(view, str) for view in given):
        return ()
    views = tuple(dict.fromkeys(" ".join(view.split()) for view in given))
    is_right_number = 1 <= len(views) <= MOST_VIEWS
    if not is_right_number or not all(_is_of_question(view, plan) for view in views):
        return ()
    if len(views) == 1:
        return (plan.text,)
    return tuple(_with_company(view, plan) for view in views)


def _is_of_question(view: str, plan: QuestionPlan) -> bool:
    """False for what nobody asked: another company, another year, a text that is no question."""
    if not 0 < len(view) <= _LONGEST_VIEW:
        return False
    companies = set(plan.catalogue.companies.find(view))
    years = set(_YEAR.findall(view))
    return companies <= set(plan.companies) and years <= set(_YEAR.findall(plan.text))


def _with_company(view: str, plan: QuestionPlan) -> str:
    companies = plan.catalogue.companies
    if not plan.companies or companies.find(view):
        return view
    return stand_alone(view, [plan.text], companies)
