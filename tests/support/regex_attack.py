"""Looks for texts under which a regular expression takes more than linear time.

``python tests/support/regex_attack.py [FOLDER...]`` attacks every pattern of the project (of these folders) and prints,
as JSON, the slow ones and what could not be looked at.
"""

from __future__ import annotations

import json
import random
import re
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # renamed in Python 3.11, but still there
    import sre_constants as codes
    import sre_parse

from patterns import FOLDERS, Found, collect, method_of

LENGTH = 20_000
"""Characters of an attack."""
SLOW = 0.2
"""CPU seconds that no pattern may take for them; most take under 0.01."""
_SCREEN = 2_500
_SCREEN_SLOW = 0.0012
"""What is quadratic and slow at 20,000 characters takes 1/64 of it at 2,500, that is 0.003; the rest is room."""
_LINEAR = 2.8
"""Twice the text takes about twice the time; four times, where the time is quadratic."""
_GIVE_UP = 0.6
_ENDLESS = 60
"""A part that may come more often than this is repeated in attacks."""
_BAD = "\x00"
"""Ends an attack: what was matched so far is in vain, and the engine tries all other ways."""


@dataclass(frozen=True)
class Slow:
    """A pattern with a text that it takes long for, as a Python expression."""

    place: str
    pattern: str
    method: str
    text: str
    seconds: float
    """For :data:`LENGTH` characters; the attack is given up after 0.6."""


@dataclass(frozen=True)
class Attack:
    """A text of any length: a beginning, what is repeated, an end."""

    before: str
    body: str
    after: str = _BAD

    def text(self, length: int) -> str:
        return self.before + self.body * max(1, length // len(self.body)) + self.after

    def __str__(self) -> str:
        return f"{self.before!r} + {self.body!r} * {LENGTH // len(self.body)} + {self.after!r}"


# --- texts made from a pattern's own parts --------------------------------------------------------------------------

_REPEATS = tuple(
    getattr(codes, name) for name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") if hasattr(codes, name)
)
_OF_CATEGORY = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_NOT_DIGIT": "a ",
    "CATEGORY_SPACE": " \n",
    "CATEGORY_NOT_SPACE": "a.",
    "CATEGORY_WORD": "aA1_字",
    "CATEGORY_NOT_WORD": " .",
}
_COMMON = (
    " ",
    "\n",
    ".",
    "1",
    "a",
    "A",
    "字",
    " a",
    "1,",
    ". ",
    "A ",
    "A. ",
    "a, ",
    "1.",
    "(",
    "-",
    "\t",
    "Aa ",
    "of ",
)


class Sampler:
    """Texts that a pattern, or a part of it, matches; assertions are taken for granted."""

    def __init__(self, pattern: str, flags: int, seed: int) -> None:
        self.random = random.Random(seed)
        self._tree = sre_parse.parse(pattern, flags)
        self._groups: dict[int, str] = {}

    def whole(self) -> str:
        return self._text(self._tree)

    def repeats(self) -> list[tuple[str, list[str]]]:
        """For every part that may repeat without end: a text that leads to it, and texts that it repeats."""
        found: list[tuple[str, list[str]]] = []
        self._find_repeats(self._tree, "", found)
        return found

    def alphabet(self) -> list[str]:
        """Letters that some part of the pattern matches."""
        letters: list[str] = []
        self._find_letters(self._tree, letters)
        return list(dict.fromkeys(letters))

    def _find_repeats(self, items: Any, before: str, found: list[tuple[str, list[str]]]) -> None:
        for item in items:
            for part in _parts(item):
                self._find_repeats(part, before, found)
            if item[0] in _REPEATS and item[1][1] > _ENDLESS:
                found.append((before, [self._text(item[1][2]) or " " for _ in range(4)]))
            before += self._text([item])

    def _find_letters(self, items: Any, letters: list[str]) -> None:
        for item in items:
            if item[0] in (codes.LITERAL, codes.IN, codes.NOT_LITERAL, codes.ANY):
                letters += [self._text([item]) for _ in range(3)]
            for part in _parts(item):
                self._find_letters(part, letters)

    def _text(self, items: Any) -> str:
        return "".join(self._one(code, value) for code, value in items)

    def _one(self, code: Any, value: Any) -> str:
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.NOT_LITERAL:
            return "a" if value != ord("a") else "b"
        if code is codes.ANY:
            return self.random.choice("a1 .")
        if code is codes.IN:
            return self._member(value)
        if code is codes.BRANCH:
            return self._text(self.random.choice(value[1]))
        if code is codes.SUBPATTERN:
            self._groups[value[0]] = self._text(value[-1])
            return self._groups[value[0]]
        if code is codes.GROUPREF:
            return self._groups.get(value, "")
        if code in _REPEATS:
            low, high, body = value
            times = max(low, 1) if high else 0
            return "".join(self._text(body) for _ in range(min(times, 40)))
        if code is codes.GROUPREF_EXISTS:
            return self._text(value[1])
        if str(code) == "ATOMIC_GROUP":
            return self._text(value)
        return ""  # an assertion

    def _member(self, members: Any) -> str:
        if members[0][0] is codes.NEGATE:
            letters = "a1 .-,\n\t(/字x$Z|<'\""
            for letter in self.random.sample(letters, len(letters)):
                if not any(_is_in(letter, *member) for member in members[1:]):
                    return letter
            return "\x01"
        code, value = self.random.choice(members)
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.RANGE:
            return chr(self.random.choice((value[0], value[1], (value[0] + value[1]) // 2)))
        return self.random.choice(_OF_CATEGORY[str(value)])


def _is_in(letter: str, code: Any, value: Any) -> bool:
    if code is codes.LITERAL:
        return ord(letter) == value
    if code is codes.RANGE:
        return bool(value[0] <= ord(letter) <= value[1])
    is_of = {"DIGIT": letter.isdigit(), "SPACE": letter.isspace(), "WORD": letter.isalnum() or letter == "_"}
    category = str(value)
    return is_of[category.rpartition("_")[2]] is not ("NOT" in category)


def _parts(item: Any) -> list[Any]:
    """The sub-patterns of one part of a pattern, also those of assertions."""
    code, value = item
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.SUBPATTERN:
        return [value[-1]]
    if code in _REPEATS:
        return [value[2]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    if code is codes.GROUPREF_EXISTS:
        return [part for part in value[1:] if part]
    if str(code) == "ATOMIC_GROUP":
        return [value]
    return []


def attacks(pattern: str, flags: int, seed: int = 7) -> Iterator[Attack]:
    """Attacks on a pattern: its repeats, its matches cut short, its letters and common ones, and mixtures of these."""
    sampler = Sampler(pattern, flags, seed)
    repeats = sampler.repeats()
    for before, bodies in repeats:
        for body in dict.fromkeys(bodies):
            yield Attack(before, body)
            if before:
                yield Attack("", before + body)
    for _ in range(4):
        whole = sampler.whole()
        for cut in sorted({len(whole) - 1, len(whole) * 2 // 3, len(whole) // 2, len(whole)}):
            if cut > 0:
                yield Attack("", whole[:cut])
    alphabet = sampler.alphabet()
    sampler.random.shuffle(alphabet)
    letters = list(dict.fromkeys((*_COMMON, *alphabet[:12])))
    for letter in letters:
        yield Attack("", letter)
    lead = min((before for before, _ in repeats if before), key=len, default="")
    for letter in letters[:8] if lead else ():
        yield Attack(lead, letter)
        yield Attack("", lead + letter * 3)
    for _ in range(6):
        length = sampler.random.randrange(2, 6)
        yield Attack("", "".join(sampler.random.choice(letters) for _ in range(length)))


# --- the attack -----------------------------------------------------------------------------------------------------


class _GivenUpError(Exception):
    pass


def _give_up(*signals: object) -> None:
    raise _GivenUpError


def _seconds(match: Callable[[Any], Any], text: str, binary: bool) -> float:
    """CPU seconds; the engine looks for signals, so that it can be stopped."""
    subject: Any = text.encode("latin-1", "replace") if binary else text
    signal.setitimer(signal.ITIMER_VIRTUAL, _GIVE_UP)
    start = time.process_time()
    try:
        try:
            match(subject)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except _GivenUpError:  # also where time runs out just as the clock is stopped
        return _GIVE_UP
    return time.process_time() - start


def slowest(found: Found) -> Slow | None:
    """The first attack found under which the pattern is slow, or None."""
    subject: Any = found.pattern.encode("latin-1") if found.binary else found.pattern
    compiled: re.Pattern[Any] = re.compile(subject, found.flags)
    method = method_of(found)

    def match(text: Any) -> None:
        if method == "search":
            for _ in compiled.finditer(text):
                pass
        else:
            getattr(compiled, method)(text)

    for attack in attacks(found.pattern, found.flags):
        short = _seconds(match, attack.text(_SCREEN), found.binary)
        if short < _SCREEN_SLOW:
            continue
        short = min(short, _seconds(match, attack.text(_SCREEN), found.binary))
        double = min(_seconds(match, attack.text(2 * _SCREEN), found.binary) for _ in range(2))
        if double < min(_GIVE_UP, _LINEAR * short):
            continue
        seconds = _seconds(match, attack.text(LENGTH), found.binary)
        more_than_linear = seconds > 2 * _LINEAR * double  # four times the text
        if seconds >= _GIVE_UP or (seconds > SLOW and more_than_linear):
            return Slow(found.place, found.pattern, method, str(attack), round(seconds, 2))
    return None


def attack_all(patterns: Iterable[Found]) -> list[Slow]:
    """The slow ones among the patterns."""
    signal.signal(signal.SIGVTALRM, _give_up)
    return [slow for slow in map(slowest, patterns) if slow]


# --- so that patterns that are put together are put together ----------------------------------------------------------


def load_rule_tables() -> None:
    """Loaders that take the name of a table or a language."""
    from cliquerag.ingest.about import kinds
    from cliquerag.ingest.pieces import value
    from cliquerag.kg.extraction.rules import patterns as relations
    from cliquerag.kg.extraction.structure import frames

    kinds._cover_kinds()
    frames._frames("Acme")
    for level in ("high", "low"):
        value._patterns(level, True)
        value._patterns(level, False)
    for language in ("en", "zh"):
        for rule in relations._rules(language):
            for pattern in rule.patterns:
                relations._regex(pattern.source)


def add_and_ask() -> None:
    """A few texts, a few questions."""
    from cliquerag import Workspace

    with tempfile.TemporaryDirectory() as folder, Workspace(f"sqlite:///{folder}/x.db", embedder="none") as workspace:
        for name, text in _TEXTS.items():
            workspace.add_text(text, source=name)
        for question in _QUESTIONS:
            workspace.ask(question)


_SPEECH = "We sold more pumps in every region and margins held up well. "
_TEXTS: dict[str, str | list[str]] = {
    "Acme 10-K 2023.txt": [
        "FORM 10-K\nFor the fiscal year ended December 31, 2023\nACME CORP\n"
        "(Exact name of registrant as specified in its charter)\nDelaware\n",
        "Item 1. Business\nAcme Corp acquired Beta Inc. in May 2023 for $40 million. Jane Doe became chief executive "
        "officer. Beta supplies gears to Gamma Holdings plc. Acme was sued by Delta LLC.\n",
        "CONSOLIDATED BALANCE SHEETS\n(in millions)\n2023 2022\nCash and cash equivalents $ 120 $ 100\n"
        "Total assets $ 1,200 $ 1,100\nTotal liabilities 700 650\n",
        "CONSOLIDATED STATEMENTS OF OPERATIONS\n(in millions)\n2023 2022\nRevenue $ 900 $ 800\nNet income 90 80\n"
        "Note 1. Revenue was $900 million in 2023, up 12.5% from $800 million in 2022.\n",
    ],
    "call.txt": "Acme Corp Q3 2023 Earnings Call\n\nOperator\n\nGood morning and welcome to the call of Acme Corp.\n\n"
    f"Jane Doe -- Chief Executive Officer\n\n{_SPEECH * 5}\n\nOperator\n\nWe will now begin the question-and-answer "
    "session. Our first question comes from Tom Lee with Goldman Sachs.\n\nTom Lee -- Goldman Sachs -- Analyst\n\n"
    f"What about prices next year?\n\nJane Doe -- Chief Executive Officer\n\nPrices will rise. {_SPEECH}\n",
    "report.md": "# Acme report 2022\n\n(in millions)\n\n| | 2022 | 2021 |\n|---|---|---|\n| Revenue | $800 | $700 |\n",
    "page.html": "<html><body><h1>Acme</h1><p>Acme Corp sold Zeta Ltd. to Eta AG in 2021.</p></body></html>",
    "四方科技2019年年报.txt": [
        "四方科技集团股份有限公司 2019年年度报告\n第一节 释义\n",
        "公司2019年实现营业收入12.5亿元，同比增长8.3%。公司收购了南通冷冻设备有限公司。董事长黄杰先生。\n"
        "单位：万元\n项目 2019年 2018年\n营业收入 125,000 115,000\n净利润 20,000 18,000\n",
    ],
}
_QUESTIONS = (
    "What was the revenue of Acme in 2023?",
    "What was the reveune of Acme in 2022?",
    "How much did revenue grow from 2022 to 2023?",
    "Who acquired Beta?",
    "How is Acme connected to Gamma?",
    "What are the main risks of Acme?",
    "What was the average net income over the last two years?",
    "Which company has the highest revenue?",
    "What is the current ratio?",
    "What did Jane Doe say about prices?",
    "2019年营业收入是多少?",
    "谁是董事长?",
)


def main() -> None:
    folders = tuple(sys.argv[1:]) or FOLDERS
    collected = collect(load_rule_tables, add_and_ask)
    chosen = [found for found in collected.patterns if found.place.startswith(folders)]
    report = {
        "patterns": len(chosen),
        "not_imported": collected.not_imported,
        "never_compiled": collected.never_compiled,
        "slow": [asdict(slow) for slow in attack_all(chosen)],
        "seconds": round(time.process_time(), 1),
    }
    print(json.dumps(report, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
