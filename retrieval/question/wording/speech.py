"""What a question wants of a call: whose question is meant, who answers or speaks, and about what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ....core.patterns import PatternTable, on_demand
from ....core.records import dataclass
from ....core.rules import load_rules

_RULES = PatternTable(__package__, "asking.toml", "speech")
_PART = on_demand(r"\{(who|about)\}")
_POSSESSIVE = on_demand(r"['’]s?$")
_KINDS = ("exchange", "asked", "said")
_MAY_SPEAK = on_demand(
    r"\b(?:ask|inquir|rais|press|prob|quer|bring|respon|repl|answer|say|said|comment|mention|not|stat|explain|tell|told|"
    r"think|highlight|emphasi|stress|remark|indicat|suggest|describ|shar|expect|predict|forecast|anticipat|feel|see|view|"
    r"characteri|assess|talk|fram|put|take|thought|opinion|spoke|discuss|according)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """``asker`` and ``speaker`` as the question names them ("" for nobody in particular), and the topic.

    ``kind`` says what is wanted: "exchange" a question with what was answered to it, "asked" a question, "said" what
    somebody said. ``lists`` asks who it was.
    """

    kind: str
    topic: str
    asker: str = ""
    speaker: str = ""
    lists: bool = False

    @property
    def is_of_management(self) -> bool:
        """True where it is no one person who speaks, but whoever speaks for the company."""
        return not self.speaker or _RULES.any("management", self.speaker)

    @property
    def is_of_analysts(self) -> bool:
        """True where it is no one person who asks."""
        return not self.asker or _RULES.any("analysts", self.asker)


def read_speech(question: str) -> SpeechRequest | None:
    """What a question wants of a call; None for a question that asks for nobody's words.

    >>> read_speech("What did Jane Roe of Marlow ask about margins, and how did management respond?")
    SpeechRequest(kind='exchange', topic='margins', asker='Jane Roe of Marlow', speaker='management', lists=False)
    >>> read_speech("What did the CFO say about inventory?")
    SpeechRequest(kind='said', topic='inventory', asker='', speaker='the CFO', lists=False)
    >>> read_speech("What did revenue come to in 2022?") is None
    True
    """
    text = " ".join(question.split())
    if not _MAY_SPEAK.search(text):
        return None
    for kind, frame in _frames():
        match = frame.search(text)
        if match is not None:
            return _request(kind, match.groupdict(default=""))
    return None


def _request(kind: str, said: dict[str, str]) -> SpeechRequest:
    topic = " ".join(filter(None, (said["topic"], said.get("late", ""))))
    asker = _POSSESSIVE.sub("", said.get("asker") or said.get("owner", ""))
    speaker = _POSSESSIVE.sub("", said.get("speaker", ""))
    return SpeechRequest(kind, topic.strip(" ,.?"), asker, speaker, bool(said.get("listed")))


def without_asker(question: str, request: SpeechRequest | None) -> str:
    """The question without the analyst, whose name and firm are those of no company that documents are of.

    >>> text = "What did Jane Roe of Marlow ask about margins?"
    >>> without_asker(text, read_speech(text))
    'What did analysts ask about margins?'
    """
    if request is None or request.is_of_analysts:
        return question
    return " ".join(question.split()).replace(request.asker, "analysts", 1)


@cache
def _frames() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(_compiled())


def _compiled() -> Iterator[tuple[str, re.Pattern[str]]]:
    rules = load_rules(__package__, "asking.toml")["speech"]
    for kind in _KINDS:
        for frame in rules[kind]:
            written = _PART.sub(lambda part: rules[part[1]], frame)
            yield kind, re.compile(written, re.IGNORECASE)
