"""A question as the search sees it: trimmed, with the periods, kinds of document and intent read from it, and taken
out of what programs and mails put around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from ...core.chinese import simplified, western_years
from ...core.language import Language, language_of
from ...core.names import is_chinese
from ...core.patterns import LazyPattern, PatternTable, on_demand
from ...core.period import Period
from ...core.period_text import PeriodMention, find_periods
from ...core.records import dataclass
from ...core.rules import load_rules
from ...core.words import search_words
from .wording.asking import Wishes, read_wishes, sentences_of, take_apart
from .wording.talk import is_asking

_INTENTS = PatternTable(__package__, "question.toml")
_NAMED_BY_YEAR = on_demand(
    r"\s(?:senior |subordinated |secured |unsecured |convertible |exchangeable ){0,3}"
    r"(?:notes?(?! (?:payable|receivable|to)\b)|bonds|debentures|convertibles)\b",
    re.I,
)
_DUE = on_demand(r"\b(?:due|matur(?:e|es|ing|ity)|expir(?:e|es|ing)|redeemable)(?: (?:in|on|by|until|of))?\s*$", re.I)
_NOT_THESE = on_demand(r"\b(?:not|no|except|instead of|rather than|avoid|without)\b[^.,;]*", re.IGNORECASE)
"""What is not to be used, such as press releases."""
_SOURCE = on_demand(
    r"(?:\b(?:from|in|within|using|use|on|per|according|consult|refer|rely|look|check|read|reading|cite|quote|see)\b"
    r"|[\u4e00-\u9fff])[^.;?!。？！]{0,120}",
    re.IGNORECASE,
)
"""Where to look, said around the question: "before the call starts" says nothing of it."""

_LETTERS = on_demand(r"[^\W\d_]")
_JSON = on_demand(r"\A(?P<before>[^{\[]*)(?P<json>[{\[].*[}\]])", re.DOTALL)
"""From the first bracket to the last one, whatever stands around them."""
_LABEL = on_demand(r"^[^\W\d_][^:：=\n]{0,40}(?::|：|\s=)\s*(?=\S)")
_WRAPPED = 40
"""Characters from which a line that ends without a mark goes on in the next one."""
_MARKS = ".?!:;。？！：；"
_FEWEST_HEADERS = 2
_SPACES = on_demand(r"[ \t]{2,}")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. ``text`` is as typed, ``trimmed`` without what is said around it: all is read from this.

    Periods and kinds of document that only the words around it name count where it names none.
    """

    text: str
    trimmed: str
    whole: str = ""
    """All that was said, without what is not to be used: where to look may be said around the question."""
    wishes: Wishes = Wishes()
    taken: tuple[tuple[str, str], ...] = ()
    """Words with a slip of the pen, and what each was taken for."""
    periods: tuple[Period, ...] = ()
    kinds: tuple[str, ...] = ()
    """Kinds of document named, as stored ("10-K")."""
    kinds_asked: tuple[tuple[str, ...], ...] = ()
    """The same, apart for each kind that the question names."""
    compares: bool = False
    """Something is compared with another time ("since then", "what changed from the quarter before")."""
    latest: bool = False
    several: bool = False
    """A development over time or a comparison of reports is asked."""
    numeric: bool = False
    explains: bool = False
    """A cause is asked for."""
    outlook: bool = False
    """What is expected is asked for, not what was."""

    @property
    def language(self) -> Language:
        """The language to answer in: the one wished for, else that of the question."""
        return self.wishes.language or language_of(self.text)

    @property
    def dated(self) -> str:
        """The words that the periods are read from."""
        return self.trimmed if find_periods(self.trimmed) else self.text

    @property
    def years(self) -> tuple[int, ...]:
        """Years asked, ascending."""
        years: set[int] = set()
        for period in self.periods:
            years.update(range(period.year, period.last_year + 1))
        return tuple(sorted(years))

    @property
    def quarters(self) -> frozenset[int]:
        """Quarters asked; a half or nine months stand for the quarter whose report covers them."""
        return frozenset(filter(None, (period.quarter for period in self.periods)))


@lru_cache(maxsize=4096)
def read_question(text: str) -> Question:
    """Read a question without a model.

    >>> q = read_question("You are an analyst. How much cash is in the 10-K for FY2018? Round to one decimal place.")
    >>> q.trimmed, q.years, q.kinds[0], q.numeric
    ('How much cash is in the 10-K for FY2018?', (2018,), '10-K', True)
    """
    plain = rewritten(western_years(simplified(without_markup(text))))
    parts = take_apart(plain)
    asked = parts.asked
    whole = _NOT_THESE.sub(" ", plain)
    kinds = _kinds(asked) or _kinds(" ".join(_SOURCE.findall(whole)))
    periods = _periods(asked) or _periods(plain)
    return Question(
        text=text,
        trimmed=asked,
        whole=whole,
        wishes=read_wishes(parts.form),
        periods=periods,
        kinds=tuple(dict.fromkeys(chain.from_iterable(kinds))),
        kinds_asked=kinds,
        compares=_INTENTS.any("compares", asked),
        latest=_INTENTS.any("latest", asked if periods else plain),
        several=_INTENTS.any("several", asked),
        numeric=_INTENTS.any("numeric", asked),
        explains=_INTENTS.any("explains", asked),
        outlook=_INTENTS.any("outlook", asked),
    )


def _periods(text: str) -> tuple[Period, ...]:
    mentions = (mention for mention in find_periods(text) if not _is_due(text, mention))
    return tuple(dict.fromkeys(mention.period for mention in mentions))


def find_kinds(text: str) -> list[tuple[int, int, tuple[str, ...]]]:
    """(start, end, kinds as stored) of each kind of document that a text names, in order.

    >>> find_kinds("Compare the 10-K with the annual report")[0]
    (12, 16, ('10-K', '20-F', 'annual report'))
    """
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for asked, kinds in _kind_rules():
        found.extend((match.start(), match.end(), kinds) for match in asked.finditer(text))
    return sorted(found)


def without_markup(text: str) -> str:
    """The text within its markup; as it stands where nothing would be left.

    >>> without_markup('{"query": "What was revenue in 2021?", "top_k": 5}')
    'What was revenue in 2021?'
    >>> without_markup("Q: Capital of France?\\nA: Paris\\n\\nQ: What was revenue?\\nA:")
    'What was revenue?'
    """
    plain = _JSON.sub(lambda found: found["before"] + (_json_texts(found["json"]) or found["json"]), text)
    plain = _without_letterhead(_without_examples(plain))
    for pattern in _INTENTS.all("markup_lines"):
        plain = pattern.sub("\n", plain)
    for pattern in _INTENTS.all("markup_within"):
        plain = pattern.sub("", plain)
    plain = _only("turn").sub("", plain)
    return _tidy(plain) if _LETTERS.search(plain) else text


def _json_texts(text: str) -> str:
    """The texts of several words in JSON, one word being a setting but in Chinese; "" for anything else."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):
        return ""
    texts: list[str] = []
    while waiting:
        value = waiting.pop()
        if isinstance(value, str) and (" " in value or is_chinese(value)):
            texts.append(value)
        elif isinstance(value, dict):
            waiting.extend(reversed(value.values()))
        elif isinstance(value, list):
            waiting.extend(reversed(value))
    return "\n".join(texts)


def _without_examples(text: str) -> str:
    """The text without questions that are answered in it, where another one is left."""
    rest = _INTENTS.without("answered", text, "")
    return rest if "?" in rest else text


def _without_letterhead(text: str) -> str:
    """The text without the lines at the head of a mail and under it."""
    header = _only("mail_header")
    if len(header.findall(text)) >= _FEWEST_HEADERS:
        text = header.sub("", text)
    return _only("mail_signature").sub("", text)


def _tidy(text: str) -> str:
    """The lines without spaces around them, empty ones left out."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.splitlines())
    return "\n".join(filter(None, lines))


def segments_of(text: str) -> Iterator[str]:
    """Lines, fields between bars and in brackets, and the sentences in them."""
    for line in _lines(_INTENTS.without("brackets", text, lambda match: f"\n{match['within']}\n")):
        for part in chain.from_iterable(map(_only("scripts").split, _only("bars").split(line))):
            yield from _chinese_sentences(part) if is_chinese(part) else _sentences(part)


def _lines(text: str) -> Iterator[str]:
    """The lines, one that was wrapped put together again."""
    whole = ""
    for line in map(str.strip, text.splitlines()):
        goes_on = len(whole) > _WRAPPED and line[:1].islower() and whole[-1] not in _MARKS and not _LABEL.match(line)
        if goes_on:
            whole = f"{whole} {line}"
            continue
        if whole:
            yield whole
        whole = line
    if whole:
        yield whole


def _sentences(line: str) -> Iterator[str]:
    """The sentences of a line; behind the mark of a name one goes on in small letters: "Peter Pan Live! won ..."."""
    start = end = 0
    for sentence in sentences_of(line):
        begins = line.index(sentence, end)
        whole = line[start:begins].strip()
        is_rest = whole[-1:] != ";" and sentence[0].islower() and (whole[:1] in tuple('"“') or not is_asking(sentence))
        if whole and not (is_rest and not whole.islower()):
            yield whole
            start = begins
        end = begins + len(sentence)
    if line[start:].strip():
        yield line[start:].strip()


def _chinese_sentences(text: str) -> Iterator[str]:
    for sentence in _INTENTS.all("chinese_sentence")[0].findall(text):
        if sentence.strip():
            yield sentence.strip()


def _only(name: str) -> LazyPattern:
    """The one pattern of that name."""
    return _INTENTS.all(name)[0]


@cache
def calculating_words() -> frozenset[str]:
    """Search terms that say what is to be done with figures, not which."""
    return frozenset(search_words(_rules()["calculating"]))


def rewritten(text: str) -> str:
    """The text with forms and short words made readable: "intl" -> "international"."""
    for pattern, replacement in _rules()["rewrite"].items():
        text = re.sub(pattern, replacement, text)
    return text


def _kinds(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(kinds for asked, kinds in _kind_rules() if asked.search(text))


def _is_due(text: str, mention: PeriodMention) -> bool:
    """True for the year in which something falls due ("notes due 2033", "the 2033 notes"): no document is of it."""
    return bool(_DUE.search(text[: mention.start]) or _NAMED_BY_YEAR.match(text[mention.end :]))


def _rules() -> dict[str, Any]:
    return load_rules(__package__, "question.toml")


@cache
def _kind_rules() -> tuple[tuple[LazyPattern, tuple[str, ...]], ...]:
    return tuple(
        (LazyPattern(rf"(?<![a-z0-9])(?:{rule['asked']})s?(?![a-z])"), tuple(rule["kinds"]))
        for rule in _rules()["kind"]
    )
