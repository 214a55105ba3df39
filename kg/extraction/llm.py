"""Extraction by a language model: one call for a window of sentences, every triple tied to a numbered sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING, Any

from ...core.ids import stable_id
from ...core.tokens import estimate_tokens
from ...ingest.sentences import split_text
from ...models.language import Message, Usage
from ...prompts import LANGUAGES, load_prompt, prompt_version
from ..schema import Schema
from ..triple import Extraction, Name, Passage, Triple
from .llm_checks import Line, check_row

if TYPE_CHECKING:
    from ...models.language import LanguageModel

WINDOW_TOKENS = 2000
"""Enough context for "the Company" and "it", small enough that a model keeps every sentence in view."""
_REST = 0.25
"""Share of a window below which the rest of a document gets no call of its own."""

_FIELDS = ("head", "head_type", "relation", "tail", "tail_type", "modality", "period", "value", "unit")


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of one document that are read in one call, with the name that "we" means."""

    lines: tuple[Line, ...]
    subject: str
    language: str


class ModelExtractor:
    """Triples by any chat model, checked against the schema and against the sentence they name.

    What fails a check is kept with its reason. Text of the document is data: it cannot name a sentence that is not
    there, a thing that the document does not name, or a relation outside the schema.
    """

    name = "llm"

    def __init__(self, model: LanguageModel, schema: Schema, window_tokens: int = WINDOW_TOKENS) -> None:
        self._model, self._schema, self._window_tokens = model, schema, window_tokens
        self.version = f"1.{_prompts()}.{model.name}"

    @property
    def usage(self) -> Usage:
        """Calls, tokens and money so far, where the model counts them."""
        return getattr(self._model, "usage", Usage())

    @property
    def language_model(self) -> LanguageModel:
        """The model itself: drivers are asked of it, too."""
        return self._model

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """One extraction for each passage. Raises :class:`core.errors.ModelError` where the model fails."""
        windows = list(make_windows(passages, self._window_tokens))
        triples: list[list[Triple]] = [[] for _ in passages]
        requests = [self.messages(window) for window in windows]
        for index, reply in self._model.replies(requests, schema=_schema_of_answer(self._schema)):
            for row in _rows(reply.data):
                checked = check_row(row, windows[index].lines, windows[index].subject, self._schema)
                triples[checked.passage].append(checked.triple)
        return [_extraction(passage, found) for passage, found in zip(passages, triples, strict=True)]

    def messages(self, window: Window) -> list[Message]:
        """The chat that asks for a window's triples: rules, worked examples, then the sentences."""
        system = Template(load_prompt("extract", window.language)).substitute(
            types=", ".join(self._schema.types), relations=_relation_list(self._schema)
        )
        return [Message("system", system), *_shots(window.language), Message("user", _question(window))]


def make_windows(passages: Sequence[Passage], tokens: int = WINDOW_TOKENS) -> Iterator[Window]:
    """Cut passages into runs of sentences of about ``tokens``; a new speaker's firm or language begins a new run.

    What is left at the end of a run and is small goes with the window before it: every call carries the rules again.
    """
    for about, lines in groupby(_lines(passages), key=lambda found: found[0]):
        waiting = [(line, estimate_tokens(line.text) + 3) for _, line in lines]
        left = sum(size for _, size in waiting)
        window: list[Line] = []
        filled = 0
        for line, size in waiting:
            if window and filled + size > tokens and left > _REST * tokens:
                yield Window(tuple(window), *about)
                window, filled = [], 0
            window.append(line)
            filled, left = filled + size, left - size
        yield Window(tuple(window), *about)


def _lines(passages: Sequence[Passage]) -> Iterator[tuple[tuple[str, str], Line]]:
    """Every sentence with the subject and the language of its passage."""
    for index, passage in enumerate(passages):
        for start, end in passage.sentences or [(s.start, s.end) for s in split_text(passage.text)]:
            text = passage.text[start:end]
            line = Line(index, start, end, text, passage.speaker, passage.language)
            yield (passage.subject, str(passage.language)), line


def _question(window: Window) -> str:
    chinese = window.language == "zh"
    about = "“我们”“本公司”指:" if chinese else '"We", "our" and "the Company" mean: '
    unknown = "未知" if chinese else "not known"
    text = "\n".join(
        f"[{number}] " + (f"({line.speaker}) " if line.speaker else "") + _one_line(line.text)
        for number, line in enumerate(window.lines, 1)
    )
    return f"{about}{_one_line(window.subject) or unknown}\n<document>\n{text}\n</document>"


def _one_line(text: str) -> str:
    """Without line breaks and without anything that looks like the end of the document."""
    return re.sub(r"</?\s*document\s*>", "", " ".join(text.split()), flags=re.IGNORECASE)


@cache
def _prompts() -> str:
    """Changes with any prompt text of this task."""
    parts = (
        prompt_version(task, language) for task in ("extract", "extract_shots", "drivers") for language in LANGUAGES
    )
    return stable_id(*parts)[:8]


@cache
def _shots(language: str) -> tuple[Message, ...]:
    parts = re.split(r"^### (user|assistant)\n", load_prompt("extract_shots", language), flags=re.MULTILINE)[1:]
    return tuple(
        Message("user" if role == "user" else "assistant", text.strip())
        for role, text in zip(parts[::2], parts[1::2], strict=True)
    )


def _relation_list(schema: Schema) -> str:
    return "\n".join(
        f"   {r.name}: {'|'.join(sorted(r.heads))} -> {'|'.join(sorted(r.tails))}" for r in schema.relations.values()
    )


def _schema_of_answer(schema: Schema) -> dict[str, Any]:
    """The JSON schema of an answer; closed, so that endpoints with structured output can hold the model to it."""
    fields: dict[str, Any] = {"sentence": {"type": "integer"}, **{name: {"type": "string"} for name in _FIELDS}}
    fields["relation"] = {"type": "string", "enum": list(schema.relations)}
    fields["modality"] = {"type": "string", "enum": ["asserted", "negated", "possible", "planned"]}
    row = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    rows = {"type": "array", "items": row}
    return {
        "type": "object",
        "properties": {"triples": rows},
        "required": ["triples"],
        "additionalProperties": False,
    }


def _rows(data: Any) -> list[Mapping[str, Any]]:
    """The rows of an answer, whatever a lenient endpoint made of the schema."""
    rows = data.get("triples", []) if isinstance(data, Mapping) else data
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _extraction(passage: Passage, triples: Sequence[Triple]) -> Extraction:
    good: dict[tuple[str, str, str, int], Triple] = {}
    rejected: list[Triple] = []
    names: set[Name] = set()
    for triple in triples:
        if triple.reason:
            rejected.append(triple)
            continue
        key = (triple.head, triple.relation, triple.tail, triple.start)
        if key not in good:
            good[key] = triple
            names.update(_names(passage, triple))
    ordered = sorted(names, key=lambda name: (name.start, name.end, name.name))
    return Extraction(tuple(ordered), tuple(good.values()), tuple(rejected))


def _names(passage: Passage, triple: Triple) -> Iterator[Name]:
    """Where the ends of a triple are named in its sentence, if they are named there in full."""
    for name, kind in ((triple.head, triple.head_type), (triple.tail, triple.tail_type)):
        start = passage.text.find(name, triple.start, triple.end)
        if start >= 0 and kind != "metric":
            yield Name(name, kind, start, start + len(name))
