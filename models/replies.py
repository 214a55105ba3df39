"""What endpoints answer, checked: a reply of another shape is one clear error, wherever it would have hurt later."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError
from .parsing import load_json, whole_text

if TYPE_CHECKING:
    import numpy as np

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
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
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
