"""Sections put to a language model, one call each; a section without an answer stays with the rules."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError
from ..core.ids import stable_id
from ..core.language import language_of
from ..models.language import Message, Reply, Usage
from ..models.replies import UnreadableError
from ..prompts import load_prompt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..models.language import LanguageModel

MOST_TOKENS = 2_000
"""Tokens of a section that one call holds: small enough that a model keeps every numbered line in view."""
_NUMBER = re.compile(r"[\[(#]?(\d{1,6})(?:\.0)?[\])]?")
_MARKUP = re.compile(r"<[^<>\n]{0,60}>")
"""What could pass for the end of the section."""
_DOCUMENT_MARK = re.compile(r"</?\s?document\s?>", re.IGNORECASE)


def sections(keys: Sequence[Hashable], tokens: Sequence[int], most: int = MOST_TOKENS) -> list[range]:
    """Stretches of items with one key, each of at most ``most`` tokens unless it is one item.

    >>> sections(["a", "a", "a", "b"], [900, 900, 900, 5])
    [range(0, 2), range(2, 3), range(3, 4)]
    """
    found: list[range] = []
    start = filled = 0
    for at, size in enumerate(tokens):
        begins_section = keys[at] != keys[start]
        is_full = filled + size > most
        if at > start and (begins_section or is_full):
            found.append(range(start, at))
            start, filled = at, 0
        filled += size
    return [*found, range(start, len(keys))] if keys else []


def section_chat(task: str, lines: Sequence[str], about: str = "") -> list[Message]:
    """The chat that puts numbered lines to a model: the prompt of the task, then what the section is of, and the lines.

    The lines stand between marks that no document can guess, for they are text to work on and no instructions.
    """
    plain = [_MARKUP.sub(" ", " ".join(line.split())) for line in lines]
    body = "\n".join(f"[{number}] {line}" for number, line in enumerate(plain, 1))
    language = language_of(body)
    tag = f"section-{stable_id(body)[:10]}"
    head = f"{_MARKUP.sub(' ', about)}\n\n" if about else ""
    return [Message("system", load_prompt(task, language)), Message("user", f"{head}<{tag}>\n{body}\n</{tag}>")]


def ask_sections(model: LanguageModel, chats: Sequence[Sequence[Message]], schema: Mapping[str, Any]) -> dict[int, Any]:
    """Place of a chat -> the data of its answer; a chat that was not answered, or not readably, is left out.

    Raises ModelError where nothing was answered because the endpoint fails, and where the budget is spent: a document
    that is stored as if a model had read it would not be read again.
    """
    if not chats:
        return {}
    failures: list[ModelError] = []
    answers = {
        index: reply.data
        for index, reply in model.replies(chats, schema=schema, failed=lambda _, error: failures.append(error))
    }
    broken = [error for error in failures if not isinstance(error, UnreadableError)]
    if broken and not answers:
        raise broken[0]
    return answers


def rows_schema(key: str, **fields: str) -> dict[str, Any]:
    """The JSON schema of a list of rows under a key; closed, so that an endpoint can hold a model to it.

    >>> rows_schema("lines", passage="integer")["properties"]["lines"]["items"]["required"]
    ['passage']
    """
    row = _closed({name: {"type": kind} for name, kind in fields.items()})
    return _closed({key: {"type": "array", "items": row}})


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    names = list(properties)
    return {"type": "object", "properties": dict(properties), "required": names, "additionalProperties": False}


def rows_of(data: Any, key: str) -> list[Any]:
    """The list of an answer, whatever a lenient endpoint made of the schema: under its key, or bare.

    >>> rows_of({"starts": [1, 4]}, "starts"), rows_of([1, 4], "starts"), rows_of("no", "starts")
    ([1, 4], [1, 4], [])
    """
    rows = data.get(key) if isinstance(data, Mapping) else data
    return list(rows) if isinstance(rows, list) else []


def number_of(value: Any) -> int:
    """A number of a line as models write it: 4, "4", "[4]", 4.0; 0 where it is none.

    >>> number_of("[4]"), number_of(4.0), number_of(True), number_of("four")
    (4, 4, 0, 0)
    """
    found = _NUMBER.fullmatch(str(value))
    return int(found[1]) if found else 0


def texts_of(data: Any, key: str, number: str, text: str, count: int) -> list[tuple[int, str]]:
    """(place from 0, text) of each row of an answer that names a line of its section and says something of it.

    >>> rows = [{"line": "2", "text": "a b"}, {"line": 9, "text": "c"}, "odd"]
    >>> texts_of({"lines": rows}, "lines", "line", "text", count=2)
    [(1, 'a b')]
    """
    found: list[tuple[int, str]] = []
    for row in filter(_is_object, rows_of(data, key)):
        place = number_of(row.get(number)) - 1
        words = " ".join(str(row.get(text, "")).split())
        if place in range(count) and words:
            found.append((place, words))
    return found


def _is_object(row: Any) -> bool:
    return isinstance(row, Mapping)


class CountingModel:
    """Stands in for a model to learn what would be asked of it: keeps the chats, answers none of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.usage = Usage()
        self.chats: list[Sequence[Message]] = []

    def reply(self, messages: Sequence[Message], **_: Any) -> Reply:
        """Raises UnreadableError: nothing is asked."""
        self.chats.append(messages)
        raise UnreadableError("not asked: only counted", where=self.name)

    def replies(self, requests: Sequence[Sequence[Message]], **_: Any) -> Iterator[tuple[int, Reply]]:
        """No answers."""
        self.chats.extend(requests)
        return iter(())

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """No answer."""
        self.chats.append(messages)
        return iter(())


def one_line(text: str) -> str:
    """Text of a document for a prompt: without line breaks, and without what looks like the end of the document.

    >>> one_line("Net sales\\n</document> rose")
    'Net sales   rose'
    """
    return _DOCUMENT_MARK.sub(" ", " ".join(text.split()))
