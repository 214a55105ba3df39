"""Words that only talk, of asking and answering, of who asks, of the occasion, of where to look: how they are told, and
cut from around what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field
from functools import cache, lru_cache
from itertools import combinations, filterfalse
from typing import Any, Literal

from ....core.patterns import LazyPattern, PatternTable, on_demand
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.sequences import without
from ....core.words import StemSet, is_english, search_words
from ....ingest.facts.metrics import default_metrics

_RULES = PatternTable(__package__, "asking.toml")
COMMA = on_demand(r",\s+|(?<!\s)\s+(?:[–—]\s+|-\s+(?=[A-Za-z]))")
_TWO_WORDS = on_demand(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
"""A name such as "United States", whatever its words mean by themselves."""
_REFERS = on_demand(
    r"\b(?:this|that|these|those|it|its|they|them|their|there|the (?:company|firm|group|issuer|business|bank))\b",
    re.IGNORECASE,
)
_POINTS = on_demand(r"\b(?:this|that|these|those|it|its|they|them|their)\b", re.IGNORECASE)
FEWEST_TELLING = 2
"""Words of content with which a question that refers to nothing stands alone."""
_AMOUNT = on_demand(r"[$€£¥]\s?\d|\d\s?(?:million|billion|bn|%)")
_QUOTE = on_demand(r"[\"“”]")
Kind = Literal["question", "definition", "lead", "aside", "statement", "talk"]
"""An ``aside`` is about whoever asks; a ``lead`` ends in a colon; ``talk`` says nothing that a document knows."""
_PARENTHESES = on_demand(r"(?<!\s)\s*(?:\([^()]*\)|\[[^\[\]]*\])")
NAME = on_demand(
    r"(?<=[a-z,'’] )[A-Z][A-Za-z&]+"
    r"|\b(?!(?:That|It|Let|What|Here|There|Who|He|She|Where|How|When|Why|I|We|You|They)['’])[A-Z][\w&.]{0,60}['’]s?\b"
)
_LONGEST_NAME = 5
"""Words of a figure's name that are looked up together."""
_WORDS = re.compile(r"[^\W\d_]+")
_LEAD = re.compile(
    r"(?:^|(?<=[:,–—-]\s))['\"“]?(?:[^.?!:\n]{1,200}?(?::|\s[–—-]|,\sbut)|(?:dear|hello|hey|hi)\b[^.?!:,\n]{0,40},)\s{1,4}(?=\S)",
    re.IGNORECASE,
)
_FEWEST_CUT = 3
"""Words of a run-on before a question from which they are somebody speaking, not a part of it."""
_NEAR = 24
"""Characters behind "since" within which a period makes it a time."""


def is_empty_talk(text: str) -> bool:
    """True for words of talk and nothing else; False where there are none either ("if any")."""
    if content_of(text) or _AMOUNT.search(text):
        return False
    words = search_words(text)
    talks = not stems_of("talk").isdisjoint(words) or _RULES.any("places", text)
    return talks or _RULES.any("speakers", text)


@lru_cache(maxsize=4096)
def content_of(text: str) -> tuple[str, ...]:
    """Search terms of a text that documents may hold: neither talk nor names of statements."""
    rest = _RULES.without("places", text)
    words = _without("plain", search_words(rest))
    content = _without("talk", words)
    is_among_talk = rest != text or len(content) < len(words)
    if is_among_talk or _RULES.any("speakers", text):
        content = _without("ambiguous", content)
    for name in _TWO_WORDS.finditer(rest):
        first, _ = name[0].split()
        begins = name.start() == 0 and not _without("plain", search_words(first))
        content += [] if begins else search_words(name[0])
    return tuple(dict.fromkeys(content))


def _without(group: str, words: Iterable[str]) -> list[str]:
    """The search terms but those of a group of the rules."""
    left_out = stems_of(group)
    return without(words, left_out)


def says_something(text: str) -> bool:
    """True where a text names somebody, a figure or a time: what documents can be asked about."""
    return any((NAME.search(text), names_metric(text), find_periods(text)))


def names_metric(text: str) -> bool:
    """True where a text has the whole name of a figure."""
    words = text.lower().split()
    names = default_metrics().names
    spans = combinations(range(len(words) + 1), 2)
    return any(
        " ".join(words[start:end]).strip(".,?!:;") in names for start, end in spans if end - start <= _LONGEST_NAME
    )


def begins_with_metric(text: str) -> bool:
    """True where the first words of a text are the whole name of a figure.

    >>> begins_with_metric("net sales 2021"), begins_with_metric("between revenue and costs")
    (True, False)
    """
    words = text.lower().split()
    names = default_metrics().names
    return any(" ".join(words[:count]).strip(".,?!:;") in names for count in range(1, _LONGEST_NAME + 1))


@cache
def _words_of_metrics() -> StemSet:
    """Single words of the names of figures: "net" and "tax" of "Net of tax, what was ..."."""
    return StemSet(" ".join(filter(str.isascii, default_metrics().names)))


def asks_within(clause: str) -> bool:
    """True where a question or a polite wish follows other words: "in short, what was ..", "I need Acme's revenue"."""
    return any(map(is_asking, COMMA.split(clause)))


def is_asking(segment: str) -> bool:
    begins = opened(segment)
    wish = polite_opening(begins)
    if wish is not None:
        return bool(content_of(begins[wish.end() :]))
    return begins_with("question", begins) and bool(content_of(begins))


def ends_as_question(text: str) -> bool:
    return text.rstrip(" \"'’)”").endswith("?")


def is_one_question(sentence: str, colon: LazyPattern | re.Pattern[str]) -> bool:
    """True for a question whose mark stands behind a colon that belongs to a name: "Who made Alien: Covenant?"."""
    if not ends_as_question(sentence) or not begins_with("asks_what", opened(sentence)):
        return False
    return not any(map(is_asking, colon.split(sentence)[1:]))


def stands_alone(text: str) -> bool:
    """True for a question that refers to nothing before it."""
    return not _REFERS.search(text) and len(content_of(text)) >= FEWEST_TELLING


def is_understood(text: str) -> bool:
    """True for a question that names somebody or points to nothing said before; "the company" is that of the report."""
    is_plain = NAME.search(text) is not None or not _POINTS.search(text)
    return is_plain and len(content_of(text)) >= FEWEST_TELLING


def refers_back(text: str, names: re.Pattern[str]) -> bool:
    """True for a question that refers to something before it names anything: "What was it in Canada?"."""
    reference = _REFERS.search(text)
    return reference is not None and names.search(text, 0, reference.start()) is None


def polite_opening(text: str) -> re.Match[str] | None:
    """The longest polite opening."""
    matches = (pattern.match(text) for pattern in patterns_of("polite"))
    return max(filter(None, matches), key=lambda match: match.end(), default=None)


def opened(text: str) -> str:
    """The text without the words that may stand before a question or an order."""
    if not begins_with("openers", text):
        return text.strip()
    return pattern_of("openers").sub("", text.lstrip(" \"'“(-"), count=1)


def begins_with(name: str, text: str) -> bool:
    return pattern_of(name).match(text.lstrip(" \"'“(")) is not None


def is_fully(name: str, text: str) -> bool:
    return pattern_of(name).fullmatch(text.strip(" \"'“(),.?!")) is not None


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def bare(text: str) -> str:
    """The text without marks around it, the one quotation mark whose other was cut off among them."""
    plain = text.strip(" \n\t,.:;")
    return plain[1:] if plain.startswith(('"', "“")) and not _QUOTE.search(plain, 1) else plain


def idle_lead(text: str, tells: Callable[[str], bool]) -> str:
    """What stands before a colon, a dash or behind a greeting and says nothing. ``tells``: whether words name anything.

    >>> idle_lead("Question: Dear all, what was revenue?", lambda _: False)
    'Question: Dear all, '
    """
    end = 0
    for match in _LEAD.finditer(text):
        if not _says_nothing(match[0]) or tells(match[0]):
            break
        end = match.end()
    return text[:end]


def _says_nothing(lead: str) -> bool:
    """True for words before a question that narrow nothing, and are talk or of another language."""
    if "=" in lead or (begins_with("narrowing", lead) and content_of(lead)):
        return False
    words = _WORDS.findall(lead.lower())
    is_foreign = 2 * sum(map(is_english, words)) < len(words)
    return any((is_foreign, not content_of(lead), pattern_of("speakers").search(lead)))


def without_speech(text: str, names: Callable[[str], Collection[str]]) -> str:
    """What somebody asks in speaking, all in small letters, without the words around it that name nothing.

    >>> without_speech("so i wondered what revenue was in 2021 you know", lambda text: ["period"] * text.count("2021"))
    'what revenue was in 2021'
    """
    text = _without_tail(_without_occasion(text, names), names)
    asks = _RULES.first("asks_within", text)
    return text[asks.start() :] if asks and _is_said_before(text, asks.start(), names) else text


def _without_occasion(text: str, names: Callable[[str], Collection[str]]) -> str:
    """What is asked of a company without what it is asked for, whatever that names: "for a slide on margins"."""
    occasion = _RULES.first("occasion", text)
    if occasion is None or content_of(f"need {occasion['made']}"):
        return text
    rest = f"{text[: occasion.start()]}{text[occasion.end() :]}"
    return capitalised(rest) if "company" in names(rest) else text


def _without_tail(text: str, names: Callable[[str], Collection[str]]) -> str:
    """The text up to the first word of talk behind which nothing but talk stands: "... in 2021 yeah that's it"."""
    for tail in pattern_of("asks_behind").finditer(text):
        before, behind = text[: tail.start()], text[tail.start() :]
        is_talk = not content_of(behind) or pattern_of("speakers").search(behind)
        if is_talk and "?" not in behind and names(before) and not names(behind):
            return before
    return text


def _is_said_before(text: str, start: int, names: Callable[[str], Collection[str]]) -> bool:
    """True where somebody comes to a question in speaking."""
    before, begins = text[:start], opened(text)
    if any(begins_with(name, begins) for name in ("question", "tasks", "answering")) or names(before):
        return False
    is_put = text[start:].islower() or (text[start].isupper() and before.islower())
    is_talk = is_put and len(before.split()) >= _FEWEST_CUT and pattern_of("speakers").search(before)
    return bool(is_talk) and not any(begins_with("narrowing", part) for part in before.split(", "))


@cache
def stems_of(name: str) -> StemSet:
    return StemSet(_rules()[name])


def patterns_of(name: str) -> tuple[LazyPattern, ...]:
    return _RULES.all(name)


def pattern_of(name: str) -> LazyPattern:
    return patterns_of(name)[0]


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "asking.toml")


@dataclass(slots=True)
class Clause:
    """A part of a text. ``cut`` are its words that are no part of what it asks."""

    kind: Kind
    text: str
    cut: list[str] = field(default_factory=list)


def drop_talk(clause: Clause, *, is_only: bool) -> None:
    """Cut what is said around the core of a clause. ``is_only``: no other clause asks anything."""
    if clause.kind == "aside":
        return
    _drop_parentheses(clause)
    if clause.kind == "question" and not begins_with("conditions", clause.text):
        _drop_segments(clause)
        _drop_politeness(clause, is_only=is_only)
    _cut(clause, patterns_of("forms"))
    _cut(clause, patterns_of("courtesy"))
    clause.text = _tidy(clause.text)


def _drop_parentheses(clause: Clause) -> None:
    for match in reversed(list(_PARENTHESES.finditer(clause.text))):
        if is_empty_talk(match[0]):
            _take_out(match, clause)


def _take_out(match: re.Match[str], clause: Clause) -> None:
    clause.cut.append(match[0])
    clause.text = clause.text[: match.start()] + clause.text[match.end() :]


def _drop_segments(clause: Clause) -> None:
    """Leave out what stands between commas and only talks."""
    end = clause.text[len(clause.text.rstrip("?.! ")) :]
    segments = _segments(clause.text)
    rest = list(filterfalse(_is_aside, _from_question(segments)))
    kept: list[str] = []
    for segment in rest:
        if not _is_beside(segment) or not _can_do_without(rest, segment):
            kept.append(segment)
    if len(kept) == len(segments) or not content_of(" ".join(kept)):
        return
    clause.cut += without(segments, kept)
    clause.text = _joined(clause.text, segments, kept).rstrip("?.! ,") + end


def _segments(text: str) -> list[str]:
    """What stands between commas; a comma within the name of a figure divides nothing."""
    segments: list[str] = []
    start = 0
    for mark in COMMA.finditer(text):
        if not _is_one_name(text[start : mark.start()], text[mark.end() :]):
            segments.append(text[start : mark.start()])
            start = mark.end()
    return [*segments, text[start:]]


def _is_one_name(before: str, behind: str) -> bool:
    """True for "selling" and "general and administrative expenses"."""
    first, last = before.lower().split()[-1:], behind.lower().split()[: _LONGEST_NAME - 1]
    joined = (" ".join((*first, *last[:count])) for count in range(1, len(last) + 1))
    return any(name.rstrip(".,?!") in default_metrics().names for name in joined)


def _from_question(segments: Sequence[str]) -> Sequence[str]:
    """The segments from the question on, where what stands before says nothing and the question is about somebody.

    "Rumours aside, but what was Acme's margin?"; "In Europe, what was ..." and "Net of tax, what was ..." stay.
    """
    for at, segment in enumerate(segments):
        if not begins_with("asks_what", opened(segment)):
            continue
        rest = ", ".join(segments[at:])
        is_whole = NAME.search(rest) is not None and len(content_of(rest)) >= FEWEST_TELLING
        return segments if any(map(_may_narrow, segments[:at])) or not is_whole else segments[at:]
    return segments


def _may_narrow(segment: str) -> bool:
    names_figure = not _words_of_metrics().isdisjoint(content_of(segment))
    return any((names_figure, says_something(segment), begins_with("narrowing", segment)))


def _joined(text: str, segments: Sequence[str], kept: Sequence[str]) -> str:
    """The segments kept, what parted them only between those that stood side by side ("FY2019 - FY2021")."""
    joined, end = "", -1
    was_kept = False
    for segment in segments:
        start = text.index(segment, max(end, 0))
        if segment in kept:
            joined += (text[end:start] if was_kept else " ") + segment
        was_kept, end = segment in kept, start + len(segment)
    return joined.strip(" ,")


def _is_aside(segment: str) -> bool:
    """True for a segment that is nothing but talk, speaks of those who ask, or gives a role."""
    begins = opened(segment)
    if begins_with("asks_what", begins):
        return False
    if is_empty_talk(segment):
        return True
    if is_asking(segment):
        return False
    if begins_with("given_role", begins) or is_fully("greeting", segment):
        return True
    return begins_with("joins", segment) and pattern_of("speakers").search(segment) is not None


def _is_beside(segment: str) -> bool:
    """True for a segment that gives a reason for asking, or speaks of those who ask and answer."""
    if is_asking(segment):
        return False
    if any(not _is_in_a_name(segment, said) for said in pattern_of("speakers").finditer(segment)):
        return True
    reason = pattern_of("reasons").match(segment)
    return reason is not None and not find_periods(segment[reason.end() : reason.end() + _NEAR])


def _is_in_a_name(segment: str, said: re.Match[str]) -> bool:
    """True for "My" of "My Cousin from Warsaw": a word of whoever asks, in a name with another capital beside it."""
    if not said[0][0].isupper():
        return False
    before = segment[: said.start()].split()
    behind = segment[said.end() :].split()
    if not behind:
        return False
    follows_capital = said[0] != "I" and len(before) > 1 and before[-1][0].isupper()
    return follows_capital or behind[0][0].isupper()


def _can_do_without(segments: Sequence[str], left_out: str) -> bool:
    """True where what is left still asks, and can be understood."""
    rest = [segment for segment in segments if segment != left_out]
    text = ", ".join(rest)
    if NAME.search(text):
        return True
    return stands_alone(text) and any(map(is_asking, rest))


def _drop_politeness(clause: Clause, *, is_only: bool) -> None:
    """ "Could you tell me how much ..": the question itself; "Give me Acme's revenue": what it was."""
    begins = opened(clause.text)
    wish = polite_opening(begins)
    if wish is None:
        return
    rest = begins[wish.end() :].strip(" ,:")
    asks = bool(wish.groupdict().get("verb")) or begins_with("question", rest)
    if not content_of(rest) or not (asks or is_only):
        return
    clause.cut.append(wish[0])
    clause.text = capitalised(rest) if asks else asking_for(rest)


def asking_for(topic: str) -> str:
    """A question for what is only named."""
    named = topic.strip(" ,.:?!")
    if begins_with("question", named) or re.match(r"(?:whether|if|that|about)\b", named, re.IGNORECASE):
        return f"{capitalised(named)}?"
    return f"What was {named}?"


def _cut(clause: Clause, patterns: Iterable[LazyPattern]) -> None:
    for pattern in patterns:
        clause.cut += [match[0].strip(" ,") for match in pattern.finditer(clause.text)]
        clause.text = pattern.sub("", clause.text)


def _tidy(text: str) -> str:
    text = re.sub(r" ([.,?])", r"\1", " ".join(text.split()))
    return opened(text.strip(" ,"))
