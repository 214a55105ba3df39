"""A follow-up question made to stand alone by rules: it keeps the company, the period and the topic asked before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from ....core.names import is_chinese
from ....core.patterns import LazyPattern, on_demand
from ....core.period_text import find_periods, period_places
from ....core.rules import load_rules
from ....models.language import Message
from ..figures.request import read_numbers
from ..question import Question, read_question
from ..scope.companies import CompanyIndex
from ..vocabulary.vocabulary import default_formulas
from .answer_type import expected_answer

_LEAST_WORDS = 3
"""Words of a question that can be answered by itself: "how and why" is one."""
LONGEST = 2_000
"""Characters of an earlier message, and of the question that comes of it: as many as a question may have."""
_MESSAGES = 24
"""The last messages that a follow-up question can go back to ..."""
_TOGETHER = 4_000
"""... as long as those of the user have no more characters together: each is resolved with the one before."""
_POSSESSIVE_NAME = on_demand(r"[A-Z][^ ]*(?: [A-Z][^ ]*)*['’]s? ")
_MARKS = "?？。.!"
_Offsets = tuple[int, int]
"""Start and end of a name in a question."""


def recent(history: Sequence[Message]) -> list[Message]:
    """The messages that a follow-up question can refer to, oldest first: few, and each short.

    A chat program sends everything again with each question, also the document that somebody pasted. What the user
    wrote beyond the length of a question was none and is left out; of a long answer the beginning is kept.
    """
    kept: list[Message] = []
    asked = 0
    for message in reversed(history[-_MESSAGES:]):
        if message.role != "user":
            kept.append(Message(message.role, message.content[:LONGEST]))
            continue
        if len(message.content) > LONGEST:
            continue
        asked += len(message.content)
        if asked > _TOGETHER:
            break
        kept.append(message)
    return kept[::-1]


def stand_alone(question: str, earlier: Sequence[str], companies: CompanyIndex) -> str:
    """The question as it would be asked without the ``earlier`` ones, oldest first; itself where it needs none.

    "And in 2022?" is the question before it with that year, "what about Beta?" with that company; "its", "they" and
    "it" are put in; what names no company or period is about those asked before.
    """
    resolved = ""
    for text in (*earlier, question):
        asked = text.strip()
        resolved = _resolve(asked, resolved, companies) if resolved else asked
        if len(resolved) > LONGEST:  # a short question with many an "its" takes in a name each time
            resolved = asked
    return resolved


def parts_of(question: Question, companies: CompanyIndex) -> list[Question]:
    """The questions that are asked in one, each to be answered by itself; "it" in a later one means the first's topic.

    >>> [part.text for part in parts_of(read_question("Who runs Acme, and why did it close?"), CompanyIndex.of(()))]
    ['Who runs Acme', 'Why did it close?']
    """
    first, *later = (text.strip(" ,，") for text in _rule("joint").split(question.trimmed))
    if not later or not all(map(_is_whole, (first, *later))):
        return [question]
    parts = [read_question(first)]
    for text in later:
        names_company = bool(companies.find(text))
        parts.append(read_question(text if names_company else stand_alone(text, [first], companies)))
    return parts


def _is_whole(text: str) -> bool:
    """True for a question that can be answered by itself, as far as its length tells."""
    return is_chinese(text) or len(text.split()) >= _LEAST_WORDS


def _resolve(question: str, before: str, companies: CompanyIndex) -> str:
    bare = _rule("openers").sub("", question)
    goes_on = bare != question
    refers = any(_rule(name).search(question) for name in ("possessive", "company", "topic"))
    own = companies.find(question)
    if own and not goes_on and not refers:
        return question
    if _is_empty(bare, companies):
        return _with_changed(before, question, companies)
    if not (goes_on or refers or _inherits(question, before, companies)):
        return question
    return _completed(bare if _asks(bare) else question, before, companies, has_company=bool(own))


def _asks(text: str) -> bool:
    if not text:
        return False
    return text[0].isupper() or is_chinese(text) or len(text.split()) > 1


def _inherits(question: str, before: str, companies: CompanyIndex) -> bool:
    """True where no company is named after one was, unless the question is which companies there are."""
    if not companies.find(before):
        return False
    return _rule("office").search(question) is not None or expected_answer(read_question(question)).kind != "name"


def _is_empty(question: str, companies: CompanyIndex) -> bool:
    """True for a question that names another period or company and asks nothing of its own."""
    text = question
    for start, end in sorted((*period_places(text), *companies.spans(text)), reverse=True):
        text = text[:start] + " " + text[end:]
    return text != question and not _rule("empty").sub(" ", text).strip("'’s ")


def _with_changed(before: str, question: str, companies: CompanyIndex) -> str:
    """The question before with the company and the period of this one in place of its own."""
    text = _put_in(before, question, period_places, is_period=True)
    return _put_in(text, question, companies.spans, is_period=False)


def _put_in(before: str, question: str, spans_in: Callable[[str], list[_Offsets]], *, is_period: bool) -> str:
    """The question before with what this one names: all its periods, or its first company, in place of its own."""
    new, old = spans_in(question), spans_in(before)
    if not new:
        return before
    named = question[new[0][0] : new[-1][1]]
    if not old:
        return _with_scope(before, named, is_period=is_period)
    start = old[0][0]
    end = old[-1][1] if is_period else old[0][1]
    return before[:start] + named + before[end:]


def _completed(question: str, before: str, companies: CompanyIndex, *, has_company: bool) -> str:
    """The question with "its", "they" and "it" put in, and with the company and period that it leaves out."""
    text = question
    company = _said(before, companies.spans(before))
    topic = "" if company and _is_of_company(question, before) else _topic(before)
    if topic and _rule("topic").search(text) and not is_chinese(text):
        text = _rule("topic").sub(lambda _: topic, text, count=1)
    elif company and not has_company:
        text = _with_company(text, company, is_it=not topic)
    if company and not companies.find(text):
        text = _with_scope(text, company, is_period=False)
    period = _said(before, period_places(before))
    if period and not find_periods(text):
        text = _with_scope(text, period, is_period=True)
    return text[:1].upper() + text[1:]


def of_company(question: str, company: str) -> str:
    """A question about whom was said before, with its name.

    >>> of_company("how much did it pay for its plants?", "Acme")
    "How much did Acme pay for Acme's plants?"
    """
    text = _with_company(question, company, is_it=True)
    if text == question and is_chinese(question):
        own = "的" if _rule("begins_with_noun").search(question) else ""
        return f"{company}{own}{question}"
    if text == question:
        return f"{company}: {question}"
    return text[:1].upper() + text[1:]


def _with_company(question: str, company: str, *, is_it: bool) -> str:
    """The question with the company in the place of "its" and "they", and of "it" where that is no topic."""
    own = "的" if is_chinese(company) else "'s"
    text = _rule("possessive").sub(lambda _: f"{company}{own}", question)
    text = _rule("company").sub(lambda _: company, text)
    if not is_it or is_chinese(text):
        return text
    return _rule("topic").sub(lambda _: company, text, count=1)


def _is_of_company(question: str, before: str) -> bool:
    """True where "it" is the company, whatever was asked before: "who leads it"; or acts as no figure does."""
    return expected_answer(read_question(question)).kind == "name" or acts_as_company(question, before)


def acts_as_company(question: str, before: str) -> bool:
    """True where "it" does what the figure asked for before does not: "how many stores does it operate".

    >>> acts_as_company("How many does it employ?", "What was Acme's revenue?")
    True
    >>> acts_as_company("How many does it employ?", "What is Acme's largest factory?")
    False
    """
    if _rule("acts").search(question) is None:
        return False
    return read_numbers(read_question(before), (), default_formulas()).names_figure


def _with_scope(text: str, scope: str, *, is_period: bool) -> str:
    """The question with a company or period that it did not name."""
    if is_chinese(text):
        return f"{scope}{text}"
    end = len(text.rstrip(" ?.!"))
    joint = " in " if is_period else " of "
    return f"{text[:end]}{joint}{scope}{text[end:].strip() or '?'}"


def _topic(question: str) -> str:
    """What a question asks about: "What was the net revenue of Acme in 2023?" -> "the net revenue of Acme in 2023".

    Empty where it asks who, when or why: that is no thing to go on about.
    """
    topic = _rule("head").sub("", _without_tail(question), count=1)
    if _rule("no_topic").search(topic):
        return ""
    return topic if _POSSESSIVE_NAME.match(topic) else f"the {topic}"


def _without_tail(question: str) -> str:
    """The question without what follows a comma, or without the marks at its end.

    >>> _without_tail("What was revenue in 2022, and why?"), _without_tail("What was revenue?")
    ('What was revenue in 2022', 'What was revenue')
    """
    text = question.rstrip()
    comma = text.find(",", text.rfind("\n") + 1)
    return text.rstrip(_MARKS).rstrip() if comma < 0 else text[:comma].rstrip()


def _said(text: str, spans: Sequence[_Offsets]) -> str:
    return text[spans[0][0] : spans[0][1]] if spans else ""


@cache
def _rule(name: str) -> LazyPattern:
    return LazyPattern(load_rules(__package__, "conversation.toml")[name])
