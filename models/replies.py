"""What endpoints answer, checked: a reply of another shape is one clear error, wherever it would have hurt
later; the JSON in a model's answer is read where it is fenced or wrapped in prose, and never half of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError
from ..core.patterns import on_demand
from ..core.records import dataclass

if TYPE_CHECKING:
    import numpy as np

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

_THOUGHT_OPENS = on_demand("|".join(re.escape(mark) for mark in MARKS), re.IGNORECASE)
_LONGEST = max(map(len, MARKS))
_BEGINNINGS = frozenset(chain.from_iterable(accumulate(mark[:-1]) for mark in MARKS))
_THOUGHT_CLOSES = on_demand("|".join(re.escape(mark) for mark in MARKS.values()), re.IGNORECASE)


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
    closing = _THOUGHT_CLOSES.search(text)
    if closing is None or _is_json(text) or _THOUGHT_OPENS.search(text, 0, closing.start()):
        return ""
    return closing[0].lower()


def visible_parts(parts: Iterable[str], closing: str = "") -> Iterator[str]:
    """The parts of an answer, without reasoning; ``closing`` is the mark that ends it, where it may begin unmarked.

    Held back is only what may be the beginning of a mark. Reasoning that does not end is dropped where the answer
    begins with it (it is cut off); further on it is text, such as a sentence about these marks.

    >>> list(visible_parts(["<thi", "nk>hm", "m</think>", " 4 is", " it"]))
    ['4 is', ' it']
    """
    reader = _ThoughtReader(closing)
    for part in parts:
        if visible := reader.read(part):
            yield visible
    if rest := reader.rest():
        yield rest


def _is_json(text: str) -> bool:
    """Whether it begins as JSON does: a mark in it is then in a string, copied from a document."""
    begin = text.lstrip()
    return begin.startswith(("{", "[")) and not _THOUGHT_OPENS.match(begin)


class _ThoughtReader:
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
            opening = _THOUGHT_OPENS.search(self._held)
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


_STRING = r'"(?:\\.|[^"\\])*(?:"|\\?\Z)'
"""Up to its end; of an answer that is cut off in a string, all the rest."""
_BRACKET = on_demand(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_OPENING = on_demand(r"[{\[]")
_HALF = on_demand(r"\\u[dD][89a-fA-F]")
_TRAILING_COMMA = on_demand(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
}


class NoJSONError(ValueError):
    """An answer in prose only: the endpoint ignores how JSON is asked for."""


def load_json(text: str | bytes) -> Any:
    r"""The value of a JSON text, with line breaks in strings, and with halves of characters (surrogates) replaced.

    Raises:
        ValueError: it is no JSON, or nested deeper than Python reads.

    >>> load_json(r'"half a smile: \ud83d"')
    'half a smile: �'
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    try:
        value = json.loads(text, strict=False)
        if not _HALF.search(text):
            return value
        return json.loads(whole_text(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def whole_text(text: str) -> str:
    """The text with � for each half of a character, which no file and no request can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def parse_json(text: str) -> Any:
    """The first JSON object or array in ``text``.

    Raises:
        ValueError: there is none, or it is cut off. The whole parts of a cut-off answer are not it.

    >>> parse_json('Here it is: ```json {"names": ["Acme", "Beta",],} ```')
    {'names': ['Acme', 'Beta']}
    >>> parse_json('{"names": [{"id": 1}, {"id": 2')
    Traceback (most recent call last):
    ValueError: the JSON is cut off
    """
    if text.lstrip().startswith(("{", "[")):
        with suppress(ValueError):  # nothing but JSON, as most answers are: a tenth of what it takes to look for it
            return load_json(text)
    position = 0
    while opening := _OPENING.search(text, position):
        start = opening.start()
        end = _closing(text, start)
        try:
            return load_json(_TRAILING_COMMA.sub(r"\1", text[start:end]))
        except ValueError:
            position = end
    raise NoJSONError("there is no JSON in it")


def _closing(text: str, start: int) -> int:
    """The end of the bracket that opens at ``start``."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]":
            depth -= 1
            if depth == 0:
                return match.end()
    raise ValueError("the JSON is cut off")


def check_shape(value: Any, schema: Mapping[str, Any]) -> None:
    """Raises ValueError where ``value`` is not of the schema's outer shape: its type and its required keys.

    The parts inside are the caller's to judge: one odd item must not cost the whole answer.
    """
    expected = str(schema.get("type"))
    if not isinstance(value, _TYPES.get(expected, object)):
        raise ValueError(f"it is not of the type {expected}")
    if isinstance(value, dict):
        missing = [key for key in schema.get("required", ()) if key not in value]
        if missing:
            raise ValueError(f"it lacks {', '.join(missing)}")


MOST_TOKENS = 10**9
"""What an endpoint counts beyond it is no count."""

_NAMES = {
    dict: "an object",
    list: "a list",
    str: "text",
    int: "a number",
    float: "a number",
    bool: "a truth value",
    type(None): "nothing",
}
_CONTROL = on_demand(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Signs that steer a terminal instead of being shown: all but tabs and line ends."""


class BadReplyError(ModelError):
    """A reply that is not what the protocol says. Another attempt may bring a good one."""


class UnreadableError(ModelError):
    """An answer that cannot be read at any attempt: of this request; others may well be answered."""


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer as it came. ``whole`` is False where it stopped at a token limit; None: the endpoint did not count."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """One event of a stream. ``finish`` is why the answer ends with it; empty while it goes on."""

    text: str
    finish: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


def read_json(content: bytes) -> Any:
    """The value of a reply's body. Raises BadReplyError."""
    try:
        return load_json(content)
    except ValueError as error:
        raise BadReplyError(f"the reply is no JSON ({error})"[:200]) from None


def read_completion(reply: Any) -> Completion:
    """The answer in a reply of ``POST /chat/completions``. Raises BadReplyError."""
    choices = _part(reply, "choices", list)
    if not choices:
        raise BadReplyError("the reply has no choices")
    message = _part(choices[0], "message", dict)
    asked, given = _read_usage(reply)
    return Completion(_read_content(message), asked, given, whole=choices[0].get("finish_reason") != "length")


def read_part(event: Any) -> Part:
    """What an event of a stream adds; the last one may have the usage and no choices. Raises BadReplyError."""
    choices = _part(event, "choices", list)
    asked, given = _read_usage(event)
    if not choices:
        return Part("", "", asked, given)
    delta = _part(choices[0], "delta", dict)
    finish = choices[0].get("finish_reason")
    return Part(_read_content(delta), str(finish or ""), asked, given)


def read_vectors(reply: Any, count: int) -> np.ndarray:
    """The float32 (count, dim) vectors in a reply of ``POST /embeddings``, in the order of the texts.

    Raises:
        BadReplyError: not one vector a text, or one that is empty, zero or not finite.
    """
    import numpy as np

    items = _in_order(_part(reply, "data", list), count, "vectors")
    rows = [_part(item, "embedding", list) for item in items]
    try:
        with np.errstate(over="ignore"):  # it is looked at below
            vectors = np.array(rows, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise BadReplyError("the vectors are of different lengths, or not of numbers") from None
    if vectors.ndim != 2 or vectors.shape[1] == 0:
        raise BadReplyError("the vectors are empty, or not of numbers")
    lengths = np.linalg.norm(vectors, axis=1)
    usable = np.isfinite(lengths) & (lengths > 0)
    if not usable.all():
        raise BadReplyError("a vector is zero or not finite")
    return vectors


def read_scores(reply: Any, count: int) -> list[float]:
    """The scores in a reply of ``POST /rerank``, in the order of the passages. Raises BadReplyError."""
    key = "results" if isinstance(reply, dict) and "results" in reply else "data"
    items = _in_order(_part(reply, key, list), count, "scores")
    return [_read_score(item) for item in items]


def _read_score(item: dict[str, Any]) -> float:
    name = "relevance_score" if "relevance_score" in item else "score"
    score = float(_part(item, name, (int, float)))
    if not math.isfinite(score):
        raise BadReplyError(f"{name} is {score}")
    return score


def _in_order(items: list[Any], count: int, things: str) -> list[dict[str, Any]]:
    """The items as their ``index`` says: one each of 0 to ``count`` - 1."""
    by_index = {_part(item, "index", int): item for item in items}
    if len(items) != count or set(by_index) != set(range(count)):
        raise BadReplyError(f"the reply has {len(items)} {things} for {count} texts, not one each")
    return [by_index[index] for index in range(count)]


def _part(value: Any, key: str, kind: type | tuple[type, ...]) -> Any:
    """``value[key]``, which has to be there and of that kind; a truth value is no number."""
    if not isinstance(value, dict):
        raise BadReplyError(f"{_name(value)} is where an object with {key} should be")
    found = value.get(key)
    if found is None:
        raise BadReplyError(f"{key} is missing")
    if not isinstance(found, kind) or isinstance(found, bool):
        wanted = _NAMES[kind[0] if isinstance(kind, tuple) else kind]
        raise BadReplyError(f"{key} is {_name(found)}, not {wanted}")
    return found


def _name(value: Any) -> str:
    return _NAMES[type(value)]


def _read_content(message: dict[str, Any]) -> str:
    """The text of a message; of one in parts, as some endpoints send reasoning and answer, the parts that are text."""
    content = message.get("content")
    if content is None:
        return ""
    if isinstance(content, str):
        return _shown(content)
    pieces: list[str] = []
    for part in _part(message, "content", list):
        if _part(part, "type", str) == "text":
            pieces.append(_shown(_part(part, "text", str)))
    return "".join(pieces)


def _shown(text: str) -> str:
    return _CONTROL.sub("", whole_text(text))


def _read_usage(reply: dict[str, Any]) -> tuple[int | None, int | None]:
    """Tokens asked and given; None where the endpoint does not say, or says what cannot be: answers need no count."""
    usage = reply.get("usage")
    if not isinstance(usage, dict):
        return None, None
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def _count(value: Any) -> int | None:
    plausible = type(value) is int and 0 <= value <= MOST_TOKENS
    return value if plausible else None
