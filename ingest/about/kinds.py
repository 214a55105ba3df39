"""What kind of document it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ...core.patterns import PatternTable
from ...core.rules import load_rules
from ..formats.registry import Evidence

KINDS = (
    "10-K", "10-Q", "8-K", "20-F", "annual report", "interim report", "earnings call", "earnings release",
    "press release", "presentation", "proxy statement", "research", "news", "prospectus", "other",
)  # fmt: skip
"""Kinds of document; a user may give another as an argument."""

_CALL_CUES = re.compile(
    r"\b(?:(?:today['’]s|this|our|the) (?:conference )?call|prepared remarks|(?:turn|hand) (?:the call|it|things) over"
    r"|(?:thank you|thanks),? operator|good (?:morning|afternoon|evening)|joined by|joining (?:me|us)|slide \d+)\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(r"\bquarter\b", re.IGNORECASE)
_OF_A_CALL = re.compile(r"call|operator|remarks")
_QUOTED = re.compile(r"[“\"](?=\w)")
_RELEASED = re.compile(
    r"\bfor immediate release\b|\((?:business|globe|globe ?news|pr ?news|ac+es+) ?wire\)|\brns number\b"
    r"|\btrading (?:update|statement)\b",
    re.IGNORECASE,
)
_OF_QUARTERS, _OF_SPEECH = 3, 4
"""Mentions of a quarter, and turns of speech, that make a call of a text without a host."""
_FEW_QUOTED = 3
"""Turns of speech for each quotation mark that opens: an article quotes what was spoken."""
_CALL_HEAD = 6_000
_OPENING = 600
"""Characters in which a letter says to whom it is."""
_ENOUGH_CUES = 2
_HEAD = 2_500
"""Characters of titles in which a kind is looked for."""


def find_kind(text: str, titles: Sequence[str], of_name: str, given: str, evidence: Evidence) -> tuple[str, str]:
    """The kind and how it was found; "other" where nothing tells."""
    found = _kinds(text, titles, of_name, given, evidence)
    return next((kind, how) for kind, how in found if kind)


def _kinds(text: str, titles: Sequence[str], of_name: str, given: str, evidence: Evidence) -> Iterator[tuple[str, str]]:
    yield given, "argument"
    yield _kind_of_form(evidence.dei.get("DocumentType", "")), "inline XBRL"
    yield "earnings call" if evidence.is_call and _speaks_of_a_company(text) else "", "transcript"
    yield kind_of_titles(titles), "cover page"
    yield of_name, "file name"
    yield kind_of_titles([evidence.info.get("title", ""), evidence.info.get("subject", "")]), "file properties"
    yield kind_of_titles(_usual_heads(evidence)), "running heads"
    yield "earnings call" if _speaks_like_a_call(text) else "", "text"
    yield "press release" if _RELEASED.search(text[:_OPENING]) else "", "text"
    yield "other", ""


def kind_of_titles(lines: Sequence[str]) -> str:
    """The first kind named in the first lines; the earlier line wins over the order of the rules."""
    head = " ".join(" ".join(lines).split())[:_HEAD]
    places = [(match.start(), kind) for kind, form in _cover_kinds() if (match := form.search(head))]
    return min(places, key=lambda place: place[0], default=(0, ""))[1]


def _usual_heads(evidence: Evidence) -> list[str]:
    """Running heads, those that stand on the most pages first."""
    return sorted(evidence.running, key=lambda head: -evidence.running[head])[:10]


def _speaks_of_a_company(text: str) -> bool:
    """True where people who speak in turn name what every call with investors names; not for a speech in parliament."""
    return PatternTable(__package__, "metadata.toml", "call").any("of_a_company", text)


def _speaks_like_a_call(text: str) -> bool:
    """True for the words of a call without its speakers' names: several turns of phrase of hosts near the beginning."""
    rules = PatternTable(__package__, "metadata.toml", "call")
    if any(rules.any("letter", line) for line in text[:_OPENING].splitlines()):
        return False
    quarters = len(_QUARTER.findall(text))
    if quarters and _hands_over(text, rules):
        return True
    if quarters >= _OF_QUARTERS and _is_spoken(text, rules):
        return True
    head = text[:_CALL_HEAD]
    cues = {match.group().lower() for match in _CALL_CUES.finditer(head)}
    return all((len(cues) >= _ENOUGH_CUES, _OF_A_CALL.search(" ".join(cues)), _QUARTER.search(head)))


def _hands_over(text: str, rules: PatternTable) -> bool:
    """True where questions are opened as only an operator does, or in other words and something else is of a call."""
    if rules.any("opens_questions", text):
        return True
    ways = sum(pattern.search(text) is not None for pattern in rules.all("may_open_questions"))
    is_of_a_call = _CALL_CUES.search(text) is not None
    return ways + is_of_a_call >= _ENOUGH_CUES


def _is_spoken(text: str, rules: PatternTable) -> bool:
    """True for somebody who speaks, and is not quoted as an article quotes: "I'd like to", "let me turn to"."""
    spoken = sum(1 for _ in rules.each("spoken", text))
    quoted = len(_QUOTED.findall(text))
    return spoken >= _OF_SPEECH and quoted * _FEW_QUOTED <= spoken


def _kind_of_form(form: str) -> str:
    form = form.upper().removesuffix("/A")
    return {"40-F": "20-F", "6-K": "8-K", "10-KT": "10-K", "10-QT": "10-Q"}.get(form, form if form in KINDS else "")


@cache
def _cover_kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rules = load_rules(__package__, "metadata.toml")["cover"]
    return tuple((rule["kind"], re.compile(rule["pattern"], re.IGNORECASE)) for rule in rules)
