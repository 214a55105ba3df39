"""Reasoning that open models write into their answer is no part of it: cut out of whole answers and of streams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

MARKS = {
    "<think>": "</think>",  # DeepSeek R1, Qwen 3, GLM
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",  # Gemma, Granite
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "[think]": "[/think]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|begin_of_thought|>": "<|end_of_thought|>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",  # gpt-oss
}
"""Where reasoning begins and ends, in small letters: the case does not count."""

_OPENING = re.compile("|".join(re.escape(mark) for mark in MARKS), re.IGNORECASE)
_LONGEST = max(map(len, MARKS))
_BEGINNINGS = frozenset(chain.from_iterable(accumulate(mark[:-1]) for mark in MARKS))
_CLOSING = re.compile("|".join(re.escape(mark) for mark in MARKS.values()), re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The answer alone. Where only the end of the reasoning is marked, it began with the answer; JSON is left as it is.

    >>> without_thoughts("<think>Is it 4? Yes.</think> 4")
    '4'
    >>> without_thoughts("Is it 4? Yes.</think> 4")
    '4'
    """
    if _is_json(text):
        return text
    closing = closing_of_unopened(text)
    return "".join(visible_parts([text], closing))


def closing_of_unopened(text: str) -> str:
    """The mark that ends a reasoning whose beginning is not there, for the model's template wrote it; else "".

    >>> closing_of_unopened("Is it 4? Yes.</think> 4")
    '</think>'
    """
    closing = _CLOSING.search(text)
    if closing is None or _is_json(text) or _OPENING.search(text, 0, closing.start()):
        return ""
    return closing[0].lower()


def visible_parts(parts: Iterable[str], closing: str = "") -> Iterator[str]:
    """The parts of an answer, without reasoning; ``closing`` is the mark that ends it, where it may begin unmarked.

    Held back is only what may be the beginning of a mark. Reasoning that does not end is dropped where the answer
    begins with it (it is cut off); further on it is text, such as a sentence about these marks.

    >>> list(visible_parts(["<thi", "nk>hm", "m</think>", " 4 is", " it"]))
    ['4 is', ' it']
    """
    reader = _Reader(closing)
    for part in parts:
        if visible := reader.read(part):
            yield visible
    if rest := reader.rest():
        yield rest


def _is_json(text: str) -> bool:
    """Whether it begins as JSON does: a mark in it is then in a string, copied from a document."""
    begin = text.lstrip()
    return begin.startswith(("{", "[")) and not _OPENING.match(begin)


class _Reader:
    """Reads an answer from left to right, in or outside of reasoning."""

    def __init__(self, closing: str) -> None:
        self._closing = closing
        self._held = ""
        """Not yet told: it may be a part of a mark."""
        self._hidden: list[str] = []
        """The reasoning that has not ended."""
        self._begun = False
        """Whether something was visible already."""
        self._opened = False
        """Whether reasoning was seen to begin."""

    def read(self, part: str) -> str:
        """What of the answer becomes visible with this part."""
        self._held += part
        visible = ""
        while True:
            if self._closing and not self._leave():
                return visible
            opening = _OPENING.search(self._held)
            if opening is None:
                sure = len(self._held) - _begun_mark(self._held)
                return visible + self._show(sure)
            visible += self._show(opening.start())
            self._closing = MARKS[opening[0].lower()]
            self._opened = True
            self._hide(len(opening[0]))

    def rest(self) -> str:
        """What was held back when the answer ended."""
        if not self._closing:
            return self._show(len(self._held))
        cut_off = self._opened and not self._begun
        return "" if cut_off else "".join([*self._hidden, self._held])

    def _leave(self) -> bool:
        """Out of the reasoning, where its end has come."""
        end = re.search(re.escape(self._closing), self._held, re.IGNORECASE)
        if end is None:
            self._hide(max(0, len(self._held) - len(self._closing) + 1))
            return False
        self._held = self._held[end.end() :]
        self._hidden.clear()
        self._closing = ""
        return True

    def _hide(self, length: int) -> None:
        self._hidden.append(self._held[:length])
        self._held = self._held[length:]

    def _show(self, length: int) -> str:
        text, self._held = self._held[:length], self._held[length:]
        if not self._begun:
            text = text.lstrip()
        self._begun |= bool(text)
        return text


def _begun_mark(text: str) -> int:
    """How many characters at the end may be the beginning of an opening mark."""
    tail = text[-_LONGEST:].lower()
    return max((len(beginning) for beginning in _BEGINNINGS if tail.endswith(beginning)), default=0)
