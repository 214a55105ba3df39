"""The drivers of a document, by the rules or by the model that reads its relations: sentences that may say why
are numbered and sent, every answer is held against them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from string import Template
from typing import Any, cast, get_args

from ....core.language import language_of
from ....core.names import is_chinese
from ....core.rules import load_rules
from ....core.tokens import estimate_tokens
from ....ingest.chunk import Chunk
from ....ingest.document import Document
from ....ingest.facts.metric_mentions import find_metrics
from ....ingest.model_calls import one_line
from ....models.language import LanguageModel, Message
from ....prompts import load_prompt
from ...drivers import Cause, Direction, Driver, Role
from ...triple import Extractor
from .chinese import chinese_direction
from .document import Found, Line, as_drivers, document_drivers, driver_lines, may_explain, read_sentence, table_drivers
from .effects_en import Form, movements
from .readings import Effect, Reading, make_cause

WINDOW_TOKENS = 2000
"""As for relations: small enough that a model keeps every sentence in view."""
_CONFIDENCE = 0.85

Window = Sequence[tuple[Line, Line | None]]
"""Sentences, each with the one before it in the document."""


def model_drivers(
    document: Document, chunks: Sequence[Chunk], model: LanguageModel, extractor: str
) -> tuple[Driver, ...]:
    """Drivers that a model reads in the sentences, and those that tables state. Raises ModelError where it fails."""
    windows = list(driver_windows(document, chunks))
    requests = list(map(window_messages, windows))
    found: list[Found] = list(table_drivers(document, chunks))
    for index, reply in model.replies(requests, schema=_schema()) if requests else ():
        for row in _rows(reply.data):
            item = _checked(row, windows[index])
            if item is not None:
                found.append(item)
    return as_drivers(document, found, extractor)


def driver_windows(document: Document, chunks: Sequence[Chunk]) -> Iterator[Window]:
    """The sentences that may explain a figure, about 2,000 tokens a window."""
    window: list[tuple[Line, Line | None]] = []
    filled = 0
    before: Line | None = None
    for line in driver_lines(document, chunks):
        if may_explain(line.text):
            size = estimate_tokens(line.text)
            if window and filled + size > WINDOW_TOKENS:
                yield window
                window, filled = [], 0
            window.append((line, before))
            filled += size
        before = line
    if window:
        yield window


def window_messages(window: Window) -> list[Message]:
    """The chat that asks for a window's drivers."""
    language = language_of(window[0][0].text)
    system = Template(load_prompt("drivers", language)).substitute(classes=", ".join(_classes()))
    lines = []
    for number, (line, before) in enumerate(window, 1):
        context = f"({one_line(before.text)}) " if before is not None and not may_explain(before.text) else ""
        lines.append(f"[{number}] {context}{one_line(line.text)}")
    body = "\n".join(lines)
    return [Message("system", system), Message("user", f"<document>\n{body}\n</document>")]


def _checked(row: Mapping[str, Any], window: Window) -> Found | None:
    """One row of the answer; None where its figure or all its causes do not stand where it says."""
    number = row.get("sentence")
    if not isinstance(number, int) or not 1 <= number <= len(window):
        return None
    line, before = window[number - 1]
    effect = _effect(row, line, before)
    causes = _causes(row.get("causes"), line.text)
    if effect is None or not causes:
        return None
    return Found(line.start, line.end, line.chunk, Reading(effect, tuple(causes), _CONFIDENCE))


def _effect(row: Mapping[str, Any], line: Line, before: Line | None) -> Effect | None:
    figure, direction = str(row.get("figure") or ""), row.get("direction")
    place = _place(figure, line.text)
    if place is None and (before is None or _place(figure, before.text) is None):
        return None
    start, end = place or (0, 0)
    mentions = find_metrics(figure)
    segment = str(row.get("segment") or "")
    stands = _place(segment, line.text) or _place(segment, figure)
    effect = Effect(
        label=line.text[start:end] if place else figure,
        start=start,
        end=end,
        direction=cast(Direction, direction) if direction in get_args(Direction) else "",
        metric=mentions[0].metric.name if mentions else "",
        segment=segment if stands else "",
        outlook=row.get("outlook") is True,
    )
    return _with_amounts(effect, line)


def _with_amounts(effect: Effect, line: Line) -> Effect:
    """The figure with the amounts that the rules read in its sentence: numbers are not left to a model."""
    for reading in read_sentence(line.text):
        read = reading.effect
        return replace(effect, change=read.change, percent=read.percent, level=read.level)
    return effect


def _causes(rows: Any, text: str) -> list[Cause]:
    """The causes whose words stand in the sentence, those behind others put behind them."""
    found: dict[str, Cause] = {}
    behind: dict[str, str] = {}
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, Mapping):
            continue
        words = str(row.get("text") or "")
        place = _place(words, text)
        if place is None:
            continue
        found[words] = _cause(row, text, place)
        behind[words] = str(row.get("behind") or "")
    for words in reversed(list(found)):
        front = behind[words]
        if front in found and front != words:
            cause = found.pop(words)
            found[front] = replace(found[front], causes=(cause, *found[front].causes))
    return list(found.values())


def _cause(row: Mapping[str, Any], text: str, place: tuple[int, int]) -> Cause:
    sign, role, category = row.get("sign"), row.get("role"), row.get("class")
    cause = make_cause(
        text, *place, sign if sign in (1, -1) else 0, cast(Role, role) if role in get_args(Role) else "cause"
    )
    return replace(cause, category=str(category)) if category in _classes() else cause


def _place(words: str, text: str) -> tuple[int, int] | None:
    """Where the words stand in a text, whatever the case; None for none."""
    start = text.lower().find(words.lower()) if words.strip() else -1
    return (start, start + len(words)) if start >= 0 else None


@cache
def _classes() -> tuple[str, ...]:
    return tuple(load_rules(__package__, "categories.toml"))


def _rows(data: Any) -> list[Mapping[str, Any]]:
    """The rows of an answer, whatever a lenient endpoint made of the schema."""
    rows = data.get("drivers", []) if isinstance(data, Mapping) else data
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


@cache
def _schema() -> dict[str, Any]:
    """The JSON schema of an answer; closed, so that endpoints with structured output can hold the model to it."""
    text = {"type": "string"}
    cause = {
        "text": text,
        "sign": {"type": "integer", "enum": [-1, 0, 1]},
        "role": {"type": "string", "enum": list(get_args(Role))},
        "class": {"type": "string", "enum": ["", *_classes()]},
        "behind": text,
    }
    driver = {
        "sentence": {"type": "integer"},
        "figure": text,
        "segment": text,
        "direction": {"type": "string", "enum": list(get_args(Direction))},
        "outlook": {"type": "boolean"},
        "causes": {"type": "array", "items": _closed(cause)},
    }
    return _closed({"drivers": {"type": "array", "items": _closed(driver)}})


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(properties)
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


FORMS: tuple[Form, ...] = ("movement", "noun", "adjective")


def read_drivers(document: Document, chunks: Sequence[Chunk], extractor: Extractor) -> tuple[Driver, ...]:
    """What moved the figures of a document, as its sentences and tables say it."""
    model: LanguageModel | None = getattr(extractor, "language_model", None)
    if model is None:
        return document_drivers(document, chunks, extractor.name)

    return model_drivers(document, chunks, model, extractor.name)


def direction_of(text: str) -> Direction:
    """The way in which a question says that a figure moved; "" where it says none.

    >>> direction_of("Why did revenue fall in 2022?"), direction_of("净利润为什么增长")
    ('down', 'up')
    """
    if is_chinese(text):
        return chinese_direction(text)
    for form in FORMS:
        for _, direction in movements(text, form):
            return direction
    return ""
