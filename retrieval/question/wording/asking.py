"""Tells what is asked from what is said around it: roles, courtesy, occasions, where to look, the form of the answer.

No sentence is known by heart. A clause belongs to the talk where nothing is left of it but words of asking and
answering, or where it speaks to somebody; what stays has to ask, or be needed by what asks. What is said of the form
of the answer is read as wishes: unit, digits, percent, a number alone, a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from decimal import Decimal
from functools import cache
from itertools import chain, zip_longest
from typing import Any

from ....core.language import Language
from ....core.names import is_chinese
from ....core.patterns import LazyPattern, PatternTable, first_found, on_demand
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.rules import load_rules
from .talk import (
    NAME,
    Clause,
    Kind,
    asking_for,
    asks_within,
    bare,
    begins_with,
    capitalised,
    content_of,
    drop_talk,
    ends_as_question,
    is_asking,
    is_fully,
    is_one_question,
    is_understood,
    opened,
    pattern_of,
    patterns_of,
    refers_back,
    says_something,
    stands_alone,
)

_FORMS = PatternTable(__package__, "wishes.toml", "forms")
_DECIMALS = PatternTable(__package__, "wishes.toml", "decimals")
_TOLD: tuple[Kind, ...] = ("aside", "statement", "lead")
_SENTENCE_END = on_demand(r"(?<=[.?!;。？！；])[\"”')]*\s+|(?<=\s)(?=[¡¿])|\n+")
_ABBREVIATION = on_demand(
    r"(?:\b(?:inc|corp|co|ltd|no|nos|vs|max|min|mr|mrs|ms|dr|jr|sr|st|approx|incl|excl|fig|dept|est|e\.g|i\.e)|\b[a-z])\.$",
    re.IGNORECASE,
)
_COLON = on_demand(r"(?<=:)\s+")
_RUN_ON = on_demand(r"(?:(?<![\w.&'’-])[a-z][\w'’-]*|\d|\))\s+(?=(?:I|A|[A-Z][a-z]+)\b)")
_FIRST_PERSON = on_demand(r"(?:I|We|My|Our)\b")
_CHINESE_WORD = on_demand(r"[\u4e00-\u9fff]")
_FEWEST_CHINESE = 4
_LONGEST_IDLE = 4
"""Words of content of a clause that a question without a name can do without."""
_SPEECH = 4
"""Clauses that ask or tell: so many, told ones among them, are somebody speaking, of which each may be needed."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A question taken apart. ``asked`` is what is asked; ``form`` are the words on the answer and on where to look.

    Of a Chinese question ``form`` is the whole, since its unit stands within what is asked ("多少万元").
    """

    asked: str
    form: str = ""


def take_apart(text: str) -> Parts:
    """What a text asks, and the words on the form of the answer.

    >>> take_apart("Hi! You are an analyst. How much cash did Acme hold in 2021? Please round to two decimals.")
    Parts(asked='How much cash did Acme hold in 2021?', form='Hi! You are an analyst. Please round to two decimals.')
    >>> take_apart("For our memo, could you tell me Acme's net income in USD millions?").asked
    "What was Acme's net income?"
    """
    if is_chinese(text):
        return _chinese(text)
    clauses = [Clause(_kind(clause), clause) for clause in dict.fromkeys(_clauses(text))]
    asking = _asking(clauses)
    is_speech = _is_speech(clauses, asking)
    for clause in clauses:
        if clause.kind == "talk":
            clause.cut.append(clause.text)
        elif not is_speech:
            drop_talk(clause, is_only=len(asking) == 1)
    question = "" if is_speech else " ".join(clause.text for clause in asking)
    kept = [clause for clause in clauses if _is_needed(clause, question)]
    asked = _joined_up(kept)
    if not content_of(asked):
        return Parts(bare(text))
    form = chain.from_iterable(clause.cut for clause in clauses)
    return Parts(bare(_named_again(kept) or asked), " ".join(form))


def _is_speech(clauses: Sequence[Clause], asking: Sequence[Clause]) -> bool:
    """True for somebody speaking at length, of whose clauses each may be needed."""
    told = [clause for clause in clauses if clause.kind in _TOLD]
    if len(told) + len(asking) < _SPEECH:
        return False
    return any(clause.kind != "lead" for clause in told)


def _is_needed(clause: Clause, question: str) -> bool:
    """True for a clause that asks, or without which the question cannot be understood."""
    if clause.kind in _TOLD:
        return not _is_idle(clause, question)
    return clause.kind != "talk"


def _joined_up(clauses: Sequence[Clause]) -> str:
    """The clauses in a row; a sentence whose beginning was cut off gets a capital, others stay as typed.

    A capital of our own would make a name of any word: "qtrly earnings per share" is about nobody called Qtrly.
    """
    text = ""
    for clause in clauses:
        begins_sentence = not text or text.endswith(("?", ".", "!"))
        is_cut = begins_sentence and clause.cut
        text += f" {capitalised(clause.text) if is_cut else clause.text}"
    return text.strip()


def _asking(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses that ask; without any, those that name somebody: "Acme's revenue in 2021"."""
    asking = [clause for clause in clauses if clause.kind == "question"]
    if len(asking) > 1 and is_fully("again", asking[-1].text):  # "I need one figure, namely the margin. What is it?"
        asking.pop().kind = "talk"
    return asking or _telling(clauses)


def _telling(clauses: Sequence[Clause]) -> list[Clause]:
    """Of clauses none of which asks, those that name somebody, else those of a period; they are questions from now."""
    asking = [clause for clause in clauses if clause.kind in _TOLD and NAME.search(clause.text)]
    asking = asking or [clause for clause in clauses if clause.kind == "statement" and find_periods(clause.text)]
    if any(clause.kind == "lead" for clause in asking):  # "Calculate for Acme in 2022: return on assets"
        asking = [clause for clause in clauses if clause.kind == "statement" or clause in asking]
    for clause in asking:
        clause.kind = "question"
    return asking


def _is_idle(told: Clause, question: str) -> bool:
    """True for a clause without which the question can be understood."""
    if told.kind == "lead" and (_narrows(told.text, question) or _is_only_dated(question)):
        return False
    if told.kind == "statement" and find_periods(told.text) and not find_periods(question):
        return False
    if refers_back(question, NAME) and NAME.search(told.text):
        return False
    if NAME.search(question):
        return True
    if stands_alone(question) and len(content_of(told.text)) <= _LONGEST_IDLE:
        return True
    return is_understood(question) and not says_something(told.text)


def _is_only_dated(question: str) -> bool:
    """True for a time and nothing else: what is asked of it stands before ("Acme net sales: Q2 2023")."""
    rest = question
    for mention in reversed(find_periods(question)):
        rest = rest[: mention.start] + rest[mention.end :]
    return not content_of(rest)


def _narrows(lead: str, question: str) -> bool:
    """True for words before a colon that say of what, or when: "For Acme's retail segment:"; a question that names
    somebody needs no other name before it."""
    is_named = ends_as_question(question) and NAME.search(question)
    if find_periods(lead) or (NAME.search(lead) and not is_named):
        return True
    return begins_with("narrowing", lead) and not pattern_of("speakers").search(lead)


def _named_again(kept: Sequence[Clause]) -> str:
    """ "Revenue in 2021: what was it?" asks what revenue was; "" for other questions."""
    by_kind = {clause.kind: clause for clause in kept}
    if len(kept) != 2 or by_kind.keys() != {"question", "lead"}:
        return ""
    if not is_fully("again", by_kind["question"].text):
        return ""
    return asking_for(by_kind["lead"].text)


def _clauses(text: str) -> Iterator[str]:
    """Sentences, and what stands before and after a colon within them; what defines a term stays with its formula."""
    for sentence in sentences_of(text):
        defined = ""
        pieces = [sentence] if is_one_question(sentence, _COLON) else _COLON.split(sentence)
        for piece, following in zip_longest(pieces, pieces[1:], fillvalue=""):
            whole = f"{defined} {piece}".strip()
            defines = pattern_of("defining").search(whole) or pattern_of("arithmetic").match(following)
            if piece.endswith(":") and defines:
                defined = whole
                continue
            yield from _run_on(whole)
            defined = ""
        if defined:
            yield defined


def _run_on(clause: str) -> Iterator[str]:
    """A clause, and an order on the answer that follows without a stop: ".. against Q2 2023 Be concise."."""
    for match in _RUN_ON.finditer(clause):
        rest = clause[match.end() :]
        is_new = not match[0][0].isalpha() and _FIRST_PERSON.match(rest) is not None
        if is_new or _is_order(rest):
            yield clause[: match.end()].rstrip()
            yield rest
            return
    yield clause


def _is_order(rest: str) -> bool:
    """True for words on the answer and an order that names nobody; not for the end of a question."""
    if ends_as_question(rest) and not is_asking(rest):
        return False
    kind = _kind(rest)
    return kind == "talk" or (kind == "aside" and begins_with("answer_orders", rest) and not NAME.search(rest))


def sentences_of(text: str) -> Iterator[str]:
    """The sentences of a question, without their line breaks."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        before = text[start : end.start()].strip()
        if _ABBREVIATION.search(before):
            continue
        if before:
            yield before
        start = end.end()
    rest = text[start:].strip()
    if rest:
        yield rest


def _kind(clause: str) -> Kind:
    begins = opened(clause)
    if not content_of(clause):
        return "question" if begins_with("asks_what", begins) and not clause.endswith(":") else "talk"
    if _is_about_answer(clause, begins):
        return "talk"
    if clause.endswith(":"):
        return "lead"
    asks = _asks(clause, begins)
    if pattern_of("defining").search(clause):
        return "question" if asks else "definition"
    return _kind_of_plain(clause, begins, asks=asks)


def _asks(clause: str, begins: str) -> bool:
    """True for a question, and for an order to find something out."""
    if ends_as_question(clause):
        return True
    return begins_with("question", begins) or begins_with("tasks", begins)


def _kind_of_plain(clause: str, begins: str, *, asks: bool) -> Kind:
    """The kind of a clause with content that neither leads to another nor defines anything."""
    if asks or asks_within(clause):
        return "question"
    if pattern_of("speakers").search(clause) or begins_with("settings", begins):
        return "aside"
    return "statement"


def _is_about_answer(clause: str, begins: str) -> bool:
    """True for a clause that says how to answer, or under what condition."""
    if begins_with("answering", begins):
        return True
    return not clause.endswith("?") and begins_with("conditions", begins)


def _chinese(text: str) -> Parts:
    """Chinese is cut by patterns; a question of which little is left was not understood and is kept whole."""
    kept = text
    for pattern in patterns_of("chinese_trim"):
        kept = pattern.sub(" ", kept)
    kept = _with_report_first(" ".join(kept.split()).strip(" ,.:;。，；："))
    if len(_CHINESE_WORD.findall(kept)) < _FEWEST_CHINESE:
        return Parts(text, text)
    return Parts(kept, text)


def _with_report_first(text: str) -> str:
    """The text that begins with whose report of when is to be read: "根据2019年的年报，光华电子的客户"."""
    for pattern in patterns_of("chinese_setting"):
        if match := pattern.search(text):
            text = f"{match['of']}{text[: match.start()]}{text[match.end() :].lstrip()}"
    return text


@dataclass(frozen=True, slots=True)
class Wishes:
    """How an answer is to look; None or False where the question leaves it open.

    ``scale`` is the factor of the unit (10^9 for billions), ``decimals`` the digits after the point.
    """

    scale: Decimal | None = None
    decimals: int | None = None
    percent: bool = False
    only_number: bool = False
    currency: str = ""
    language: Language | None = None

    def or_else(self, other: Wishes) -> Wishes:
        """These wishes, and the others where these leave something open."""
        own = ((entry.name, getattr(self, entry.name)) for entry in fields(self))
        return replace(other, **{name: value for name, value in own if value not in (None, False, "")})


def read_wishes(form: str) -> Wishes:
    """The wishes in the words on the form of the answer.

    >>> wishes = read_wishes("(in USD billions) Round to one decimal place. Respond with just a number.")
    >>> wishes.scale, wishes.decimals, wishes.only_number, wishes.currency
    (Decimal('1000000000'), 1, True, 'USD')
    """
    languages: dict[str, Language] = _rules()["languages"]
    return Wishes(
        scale=_scale(form),
        decimals=_decimals(form),
        percent=_FORMS.any("percent", form),
        only_number=_FORMS.any("number", form),
        currency=_first(_rules()["currencies"], form, ""),
        language=_first(languages, form, None),
    )


def _scale(form: str) -> Decimal | None:
    factor = _first(_rules()["scales"], form, None)
    return None if factor is None else Decimal(factor)


def _decimals(form: str) -> int | None:
    match = _DECIMALS.first("patterns", form)
    if match is None:
        return None
    word = next(filter(None, match.groups())).lower()
    return int(word) if word.isdigit() else _rules()["decimals"]["words"].get(word)


def _first(rules: dict[str, Any], form: str, default: Any) -> Any:
    return first_found(((_pattern(pattern), value) for pattern, value in rules.items()), form, default)


@cache
def _pattern(text: str) -> LazyPattern:
    return LazyPattern(text)


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "wishes.toml")
