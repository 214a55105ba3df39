"""Tells what is asked from what is said around it: roles, courtesy, occasions, where to look, the form of the answer.

No sentence is known by heart. A clause belongs to the talk where nothing is left of it but words of asking and
answering, or where it speaks to somebody; what stays has to ask, or be needed by what asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import chain
from typing import Any, Literal

from ...core.names import is_chinese
from ...core.period_text import find_periods
from ...core.rules import load_rules
from ...core.words import search_words

Kind = Literal["question", "definition", "lead", "aside", "statement", "talk"]
"""An ``aside`` is about whoever asks; a ``lead`` ends in a colon; ``talk`` says nothing that a document knows."""

_TOLD: tuple[Kind, ...] = ("aside", "statement", "lead")
_SENTENCE_END = re.compile(r"(?<=[.?!;。？！；])[\"”')]*\s+|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:inc|corp|co|ltd|no|nos|vs|mr|mrs|ms|dr|jr|sr|st|approx|incl|excl|fig|dept|est|e\.g|i\.e)|\b[a-z])\.$",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?<=:)\s+")
_COMMA = re.compile(r",\s+|(?<!\s)\s+(?:[–—]\s+|-\s+(?=[A-Za-z]))")
_RUN_ON = re.compile(r"(?:(?<![\w.&'’-])[a-z][\w'’-]*|\d|\))\s+(?=(?:I|A|[A-Z][a-z]+)\b)")
_FIRST_PERSON = re.compile(r"(?:I|We|My|Our)\b")
_PARENTHESES = re.compile(r"(?<!\s)\s*\([^()]*\)")
_CHINESE_WORD = re.compile(r"[\u4e00-\u9fff]")
_FEWEST_CHINESE = 4
_NAME = re.compile(r"(?<=[a-z,'’] )[A-Z][A-Za-z&]+|\b[A-Z][\w&.]{0,60}['’]s?\b")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]+")
_TWO_WORDS = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
"""A name such as "United States", whatever its words mean by themselves."""
_REFERS = re.compile(r"\b(?:this|that|these|those|it|its|they|them|their|there)\b", re.IGNORECASE)
_ENOUGH = 2
"""Words of content with which a question that refers to nothing stands alone."""
_LONGEST_OCCASION = 4
_LONGEST_IDLE = 4
"""Words of content of a clause that a question without a name can do without."""
_NEAR = 24
"""Characters behind "since" within which a period makes it a time."""
_SPEECH = 4
"""Clauses that ask or tell: so many, told ones among them, are somebody speaking, of which each may be needed."""
_AMOUNT = re.compile(r"[$€£¥]\s?\d|\d\s?(?:million|billion|bn|%)")


@dataclass(frozen=True, slots=True)
class Parts:
    """A question taken apart. ``asked`` is what is asked; ``form`` are the words on the answer and on where to look.

    Of a Chinese question ``form`` is the whole, since its unit stands within what is asked ("多少万元").
    """

    asked: str
    form: str = ""


@dataclass(slots=True)
class _Clause:
    """A part of a text. ``cut`` are its words that are no part of what it asks."""

    kind: Kind
    text: str
    cut: list[str] = field(default_factory=list)


def take_apart(text: str) -> Parts:
    """What a text asks, and the words on the form of the answer.

    >>> take_apart("Hi! You are an analyst. How much cash did Acme hold in 2021? Please round to two decimals.")
    Parts(asked='How much cash did Acme hold in 2021?', form='Hi! You are an analyst. Please round to two decimals.')
    >>> take_apart("For our memo, could you tell me Acme's net income in USD millions?").asked
    "What was Acme's net income?"
    """
    if is_chinese(text):
        return _chinese(text)
    clauses = [_Clause(_kind(clause), clause) for clause in _clauses(text)]
    asking = _asking(clauses)
    is_speech = _is_speech(clauses, asking)
    for clause in clauses:
        if clause.kind == "talk":
            clause.cut.append(clause.text)
        elif not is_speech:
            _drop_talk(clause, is_only=len(asking) == 1)
    question = "" if is_speech else " ".join(clause.text for clause in asking)
    kept = [clause for clause in clauses if _is_needed(clause, question)]
    asked = _joined_up(kept)
    if not _content(asked):
        return Parts(_bare(text))
    form = chain.from_iterable(clause.cut for clause in clauses)
    return Parts(_bare(_named_again(kept) or asked), " ".join(form))


def _is_speech(clauses: Iterable[_Clause], asking: Sequence[_Clause]) -> bool:
    """True for somebody speaking at length, of whose clauses each may be needed."""
    told = [clause.kind for clause in clauses if clause.kind in _TOLD]
    return len(told) + len(asking) >= _SPEECH and set(told) - {"lead"} != set()


def _is_needed(clause: _Clause, question: str) -> bool:
    """True for a clause that asks, or without which the question cannot be understood."""
    if clause.kind in _TOLD:
        return not _is_idle(clause, question)
    return clause.kind != "talk"


def _joined_up(clauses: Sequence[_Clause]) -> str:
    """The clauses in a row; a sentence whose beginning was cut off gets a capital, others stay as typed.

    A capital of our own would make a name of any word: "qtrly earnings per share" is about nobody called Qtrly.
    """
    text = ""
    for clause in clauses:
        begins_sentence = not text or text.endswith(("?", ".", "!"))
        text += f" {_capitalised(clause.text) if begins_sentence and clause.cut else clause.text}"
    return text.strip()


def _asking(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses that ask; without any, those that name somebody: "Acme's revenue in 2021"."""
    asking = [clause for clause in clauses if clause.kind == "question"]
    if asking:
        return asking
    asking = [clause for clause in clauses if clause.kind in _TOLD and _NAME.search(clause.text)]
    if any(clause.kind == "lead" for clause in asking):  # "Calculate for Acme in 2022: return on assets"
        asking = [clause for clause in clauses if clause.kind == "statement" or clause in asking]
    for clause in asking:
        clause.kind = "question"
    return asking


def _is_idle(told: _Clause, question: str) -> bool:
    """True for a clause without which the question can be understood."""
    if told.kind == "lead" and _narrows(told.text):
        return False
    if told.kind == "statement" and find_periods(told.text) and not find_periods(question):
        return False
    if _NAME.search(question):
        return True
    return _stands_alone(question) and len(_content(told.text)) <= _LONGEST_IDLE


def _narrows(lead: str) -> bool:
    """True for words before a colon that say of what, or when: "For Acme's retail segment:"."""
    if _NAME.search(lead) or find_periods(lead):
        return True
    return _begins("narrowing", lead) and not _pattern("speakers").search(lead)


def _named_again(kept: Sequence[_Clause]) -> str:
    """ "Revenue in 2021: what was it?" asks what revenue was; "" for other questions."""
    asks = [clause for clause in kept if clause.kind == "question"]
    names = [clause for clause in kept if clause.kind == "lead"]
    if len(asks) == len(names) == 1 and len(kept) == 2 and _fully("again", asks[0].text):
        return _asking_for(names[0].text)
    return ""


# ---------------------------------------------------------------------------------------------------- clauses
def _clauses(text: str) -> Iterator[str]:
    """Sentences, and what stands before and after a colon within them; what defines a term stays with its formula."""
    for sentence in _sentences(text):
        defined = ""
        for piece in _COLON.split(sentence):
            whole = f"{defined} {piece}".strip()
            if piece.endswith(":") and _pattern("defining").search(whole):
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
        if is_new or _kind(rest) == "talk":
            yield clause[: match.end()].rstrip()
            yield rest
            return
    yield clause


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _SENTENCE_END.finditer(text):
        before = text[start : end.start()].strip()
        if _ABBREVIATION.search(before):
            continue
        if before:
            yield before
        start = end.end()
    if rest := text[start:].strip():
        yield rest


def _kind(clause: str) -> Kind:
    begins = _opened(clause)
    if not _content(clause):
        return "question" if _begins("asks_what", begins) else "talk"
    if _is_about_answer(clause, begins):
        return "talk"
    if clause.endswith(":"):
        return "lead"
    asks = _ends_asking(clause) or _begins("question", begins) or _begins("tasks", begins)
    if _pattern("defining").search(clause):
        return "question" if asks else "definition"
    return _kind_of_plain(clause, begins, asks=asks)


def _kind_of_plain(clause: str, begins: str, *, asks: bool) -> Kind:
    """The kind of a clause with content that neither leads to another nor defines anything."""
    asks_within = _asks_within(clause)
    if _begins("given_role", begins) and not asks_within:
        return "talk"
    if asks or asks_within:
        return "question"
    is_of_asker = _pattern("speakers").search(clause) or _begins("settings", begins)
    return "aside" if is_of_asker else "statement"


def _ends_asking(clause: str) -> bool:
    return clause.rstrip(" \"')”").endswith("?")


def _is_about_answer(clause: str, begins: str) -> bool:
    """True for a clause that says how to answer, or under what condition."""
    is_condition = not clause.endswith("?") and _begins("conditions", begins)
    return is_condition or _begins("answering", begins)


def _asks_within(clause: str) -> bool:
    """True where a question or a polite wish follows other words: "in short, what was ..", "I need Acme's revenue"."""
    return any(_asks(segment) for segment in _COMMA.split(clause))


def _asks(segment: str) -> bool:
    begins = _opened(segment)
    wish = _polite(begins)
    if wish is not None:
        return bool(_content(begins[wish.end() :]))
    return _begins("question", begins) and bool(_content(begins))


def _stands_alone(text: str) -> bool:
    """True for a question that refers to nothing before it."""
    return not _REFERS.search(text) and len(_content(text)) >= _ENOUGH


# ------------------------------------------------------------------------------------------- within a clause
def _drop_talk(clause: _Clause, *, is_only: bool) -> None:
    """Cut what is said around the core of a clause. ``is_only``: no other clause asks anything."""
    if clause.kind == "aside":
        return
    _drop_parentheses(clause)
    if clause.kind == "question" and not _begins("conditions", clause.text):
        _drop_segments(clause)
        _drop_politeness(clause, is_only=is_only)
    _cut(clause, _patterns("forms"))
    _cut(clause, _patterns("courtesy"))
    _drop_occasion(clause)
    clause.text = _tidy(clause.text)


def _drop_parentheses(clause: _Clause) -> None:
    for match in reversed(list(_PARENTHESES.finditer(clause.text))):
        if _is_empty_talk(match[0]):
            clause.cut.append(match[0])
            clause.text = clause.text[: match.start()] + clause.text[match.end() :]


def _drop_segments(clause: _Clause) -> None:
    """Leave out what stands between commas and only talks."""
    end = clause.text[len(clause.text.rstrip("?.! ")) :]
    segments = _COMMA.split(clause.text)
    rest = [segment for segment in segments if not _is_aside(segment)]
    kept = [segment for segment in rest if not (_is_beside(segment) and _can_do_without(rest, segment))]
    if len(kept) == len(segments) or not _content(" ".join(kept)):
        return
    clause.cut += [segment for segment in segments if segment not in kept]
    clause.text = _joined(segments, kept).rstrip("?.! ,") + end


def _joined(segments: Sequence[str], kept: Sequence[str]) -> str:
    """The segments kept, a comma only between those that stood side by side."""
    text = ""
    before: str | None = None
    for at, segment in enumerate(segments):
        if segment not in kept:
            continue
        beside = before is not None and segments[at - 1] == before
        text += (", " if beside else " ") + segment
        before = segment
    return text.strip(" ,")


def _is_aside(segment: str) -> bool:
    """True for a segment that is nothing but talk, speaks of those who ask, or gives a role."""
    begins = _opened(segment)
    if _begins("asks_what", begins):
        return False
    if _is_empty_talk(segment):
        return True
    if _asks(segment):
        return False
    is_order = _begins("given_role", begins) or _fully("answering", begins)
    if is_order or _fully("greeting", segment) or _names_role(begins):
        return True
    return _begins("joins", segment) and _pattern("speakers").search(segment) is not None


def _names_role(segment: str) -> bool:
    """ "As a potential investor in chips": whoever asks, or is to answer."""
    if not _begins("perspective", segment) or _CAPITALISED.search(segment, 1):
        return False
    return not _stems("roles").isdisjoint(search_words(segment))


def _is_beside(segment: str) -> bool:
    """True for a segment that gives a reason for asking, or speaks of those who ask and answer."""
    if _asks(segment):
        return False
    if _pattern("speakers").search(segment):
        return True
    reason = _pattern("reasons").match(segment)
    return reason is not None and not find_periods(segment[reason.end() : reason.end() + _NEAR])


def _can_do_without(segments: Sequence[str], left_out: str) -> bool:
    """True where what is left still asks, and can be understood."""
    rest = [segment for segment in segments if segment != left_out]
    text = ", ".join(rest)
    return _NAME.search(text) is not None or (_stands_alone(text) and any(_asks(segment) for segment in rest))


def _drop_politeness(clause: _Clause, *, is_only: bool) -> None:
    """ "Could you tell me how much ..": the question itself; "Give me Acme's revenue": what it was."""
    begins = _opened(clause.text)
    wish = _polite(begins)
    if wish is None:
        return
    rest = begins[wish.end() :].strip(" ,:")
    asks = bool(wish.groupdict().get("verb")) or _begins("question", rest)
    if not _content(rest) or not (asks or is_only):
        return
    clause.cut.append(wish[0])
    clause.text = _capitalised(rest) if asks else _asking_for(rest)


def _asking_for(topic: str) -> str:
    """A question for what is only named."""
    bare = topic.strip(" ,.:?!")
    if _begins("question", bare) or re.match(r"(?:whether|if|that|about)\b", bare, re.IGNORECASE):
        return f"{_capitalised(bare)}?"
    return f"What was {bare}?"


def _polite(text: str) -> re.Match[str] | None:
    """The longest polite opening."""
    found = [match for pattern in _patterns("polite") if (match := pattern.match(text))]
    return max(found, key=lambda match: match.end(), default=None)


def _drop_occasion(clause: _Clause) -> None:
    match = _pattern("occasion").search(clause.text)
    if match and not _content(match[0]) and len(match["what"].split()) <= _LONGEST_OCCASION:
        clause.cut.append(match[0])
        clause.text = clause.text[: match.start()] + clause.text[match.end() :]


def _cut(clause: _Clause, patterns: Iterable[re.Pattern[str]]) -> None:
    for pattern in patterns:
        clause.cut += [match[0].strip(" ,") for match in pattern.finditer(clause.text)]
        clause.text = pattern.sub("", clause.text)


def _tidy(text: str) -> str:
    text = re.sub(r" ([.,?])", r"\1", " ".join(text.split()))
    return _opened(text.strip(" ,"))


def _bare(text: str) -> str:
    return text.strip(" \n\t,.:;")


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


# ------------------------------------------------------------------------------------------------------ words
def _is_empty_talk(text: str) -> bool:
    """True for words of talk and nothing else; False where there are none either ("if any")."""
    if _content(text) or _AMOUNT.search(text):
        return False
    words = search_words(text)
    talks = not _stems("talk").isdisjoint(words) or any(place.search(text) for place in _patterns("places"))
    return talks or _pattern("speakers").search(text) is not None


@lru_cache(maxsize=4096)
def _content(text: str) -> tuple[str, ...]:
    """Search terms of a text that documents may hold: neither talk nor names of statements."""
    rest = text
    for place in _patterns("places"):
        rest = place.sub(" ", rest)
    words = [word for word in search_words(rest) if word not in _stems("plain")]
    content = [word for word in words if word not in _stems("talk")]
    if rest != text or len(content) < len(words) or _pattern("speakers").search(text):
        content = [word for word in content if word not in _stems("ambiguous")]
    names = [word for name in _TWO_WORDS.findall(rest) for word in search_words(name)]
    return tuple(dict.fromkeys((*content, *names)))


def speaks_of_asking(word: str) -> bool:
    """True for an ordinary word of asking and answering."""
    return not _content(word)


def _opened(text: str) -> str:
    """The text without the words that may stand before a question or an order."""
    return _pattern("openers").sub("", text.lstrip(" \"'“(-"), count=1) if _begins("openers", text) else text.strip()


def _begins(name: str, text: str) -> bool:
    return _pattern(name).match(text.lstrip(" \"'“(")) is not None


def _fully(name: str, text: str) -> bool:
    return _pattern(name).fullmatch(text.strip(" \"'“(),.?!")) is not None


def _chinese(text: str) -> Parts:
    """Chinese is cut by patterns; a question of which little is left was not understood and is kept whole."""
    kept = text
    for pattern in map(_compiled, _rules()["chinese"]["trim"]):
        kept = pattern.sub(" ", kept)
    kept = " ".join(kept.split()).strip(" ,.:;。，；：")
    if len(_CHINESE_WORD.findall(kept)) < _FEWEST_CHINESE:
        return Parts(text, text)
    return Parts(kept, text)


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(search_words(_rules()[name]))


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    rule = _rules()[name]
    return tuple(map(_compiled, [rule] if isinstance(rule, str) else rule))


def _pattern(name: str) -> re.Pattern[str]:
    return _patterns(name)[0]


@cache
def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "asking.toml")
