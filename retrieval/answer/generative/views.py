"""A question told apart into several by a model, in one call, where its words say that it is broad or has parts.

Rules cut what people join with "and"; what a broad question ("How did Acme's year go?") is about they do not know. What
the model gives is checked, and the rules' own parts stand where it is of no use. Most questions cost no call here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ....core.errors import ModelError
from ....core.language import language_of
from ....models.language import Message
from ....prompts import load_prompt
from ...question.sub_questions import may_have_parts
from ...question.wording.conversation import stand_alone

if TYPE_CHECKING:
    from ....models.language import LanguageModel
    from ...question.plan import QuestionPlan
    from ...search.evidence import Trace

MOST_VIEWS = 5
_LONGEST = 300
"""Characters; what is longer is talk, not a question."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
}
_YEAR = re.compile(r"(?:19|20)\d\d")


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
    if not 0 < len(view) <= _LONGEST:
        return False
    companies = set(plan.catalogue.companies.find(view))
    years = set(_YEAR.findall(view))
    return companies <= set(plan.companies) and years <= set(_YEAR.findall(plan.text))


def _with_company(view: str, plan: QuestionPlan) -> str:
    companies = plan.catalogue.companies
    if not plan.companies or companies.find(view):
        return view
    return stand_alone(view, [plan.text], companies)
