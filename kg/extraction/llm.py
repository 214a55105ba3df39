"""Extraction by a language model: one call for a window of sentences, every triple tied to a numbered sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING, Any

from ...core.errors import ModelError
from ...core.ids import stable_id
from ...core.patterns import on_demand
from ...core.records import dataclass
from ...core.tokens import estimate_tokens
from ...ingest.model_calls import one_line
from ...ingest.sentences import split_text
from ...models.language import Message, Usage
from ...models.openai_client import RefusedError
from ...models.replies import UnreadableError
from ...prompts import LANGUAGES, load_prompt, prompt_version
from ..schema import Schema
from ..triple import Extraction, Name, Passage, Triple
from .llm_checks import Line, check_row
from .rules import RulesExtractor

if TYPE_CHECKING:
    from ...models.language import LanguageModel

WINDOW_TOKENS = 3000
"""Enough context for "the Company" and "it", small enough that a model keeps every sentence in view.

Rules and examples are 2,100 tokens of every call: windows of 2,000 cost 200 tokens a chunk, of 3,000 about 150.
"""
_REFUSES_WORDS = frozenset({400, 413, 422, 451})
"""HTTP states by which an endpoint refuses what a request says or how long it is: content filters, small contexts."""
_REST = 0.25
"""Share of a window below which the rest of a document gets no call of its own."""

_FIELDS = ("sentence", "head", "head_type", "relation", "tail", "tail_type", "modality", "period", "value")
"""What stands in a row of an answer, in this order; empty ones at its end may be left out."""
_MOST_NAMES = 20
"""Names of the document that a window is told, those that it names most."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of one document that are read in one call, with the name that "we" means."""

    lines: tuple[Line, ...]
    subject: str
    language: str
    about: str = ""
    """Title, kind, period and date of the document."""
    names: tuple[str, ...] = ()
    """Names that the document uses and that this window has: those who read it write them the same way."""
    mentions: int = 0
    """How often the rules find a name in it: what a model will have to say of it grows with that ..."""
    of_itself: int = 0
    """... and with the sentences that speak of the document's company without its name: "we", "the Company"."""


class ModelExtractor:
    """Triples by any chat model, checked against the schema and against the sentence they name.

    What fails a check is kept with its reason. Text of the document is data: it cannot name a sentence that is not
    there, a thing that the document does not name, or a relation outside the schema.
    """

    name = "llm"

    def __init__(self, model: LanguageModel, schema: Schema, window_tokens: int = WINDOW_TOKENS) -> None:
        self._model, self._schema, self._window_tokens = model, schema, window_tokens
        self.version = f"2.{_prompts()}.{model.name}"

    @property
    def usage(self) -> Usage:
        """Calls, tokens and money so far, where the model counts them."""
        return getattr(self._model, "usage", Usage())

    @property
    def language_model(self) -> LanguageModel:
        """The model itself: drivers are asked of it, too."""
        return self._model

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """One extraction for each passage.

        A window whose answer cannot be read is asked in two halves, down to single sentences; what then cannot be
        read is among the rejected, with its reason. Raises :class:`core.errors.ModelError` where the model cannot be
        asked at all.
        """
        found: list[list[Triple]] = [[] for _ in passages]
        windows = self.windows(passages)
        while windows:
            windows = [half for window, error in self._read(windows, found) for half in _halves(window, error, found)]
        return [_extraction(passage, triples) for passage, triples in zip(passages, found, strict=True)]

    def _read(self, windows: Sequence[Window], found: list[list[Triple]]) -> list[tuple[Window, ModelError]]:
        """Put the triples of each window with those of its passages; returns the windows that could not be read."""
        failed: list[tuple[int, ModelError]] = []

        def note(index: int, error: ModelError) -> None:
            failed.append((index, error))

        requests = list(map(self.messages, windows))
        for index, reply in self._model.replies(requests, schema=_schema_of_answer(), failed=note):
            for row in _rows(reply.data):
                checked = check_row(row, windows[index].lines, windows[index].subject, self._schema)
                found[checked.passage].extend((checked.triple, *checked.lost))
        for _, error in failed:
            if not _is_of_this_window(error):
                raise error
        return [(windows[index], error) for index, error in failed]

    def windows(self, passages: Sequence[Passage]) -> list[Window]:
        """The windows of a document, each with the names that the rules find there more than once and that it has."""
        found = RulesExtractor(self._schema).names(passages)
        counted = Counter(name.full for names in found for name in names if name.type in _NAMED)
        names = [name for name, count in counted.most_common() if count > 1]
        told = []
        for window in make_windows(passages, self._window_tokens):
            text = " ".join(line.text for line in window.lines)
            own = tuple(name for name in names if name in text)[:_MOST_NAMES]
            mentions = sum(_mentions(found[line.passage], line) for line in window.lines)
            of_itself = sum(_ITSELF.search(line.text) is not None for line in window.lines)
            about = _about(passages, window)
            told.append(replace(window, about=about, names=own, mentions=mentions, of_itself=of_itself))
        return told

    def messages(self, window: Window) -> list[Message]:
        """The chat that asks for a window's triples: rules, worked examples, then the sentences."""
        system = Template(load_prompt("extract", window.language)).substitute(
            types=", ".join(self._schema.types), relations=_relation_list(self._schema, window.language)
        )
        return [Message("system", system), *_shots(window.language), Message("user", _question(window))]


_ITSELF = on_demand(r"\b(?:we|our|us|the (?:company|group))\b", re.IGNORECASE)
_NAMED = frozenset({"company", "person", "segment", "product", "organization"})


def _mentions(names: Sequence[Name], line: Line) -> int:
    return sum(line.start <= name.start < line.end for name in names)


def _about(passages: Sequence[Passage], window: Window) -> str:
    return passages[window.lines[0].passage].about


def _is_of_this_window(error: ModelError) -> bool:
    """True where the model answers, but not this: what it said is unreadable, or it refuses these words."""
    if isinstance(error, UnreadableError):
        return True
    return isinstance(error, RefusedError) and error.status in _REFUSES_WORDS


def _halves(window: Window, error: ModelError, found: list[list[Triple]]) -> list[Window]:
    """The window in two; one of a single sentence is given up, and the sentence noted as unread."""
    lines = window.lines
    if len(lines) > 1:
        middle = len(lines) // 2
        return [replace(window, lines=lines[:middle]), replace(window, lines=lines[middle:])]
    line = lines[0]
    reason = f"could not be read by the model: {error}"
    found[line.passage].append(Triple("", "", "", "", "", line.text, line.start, line.end, reason=reason))
    return []


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
        for number, (start, end) in enumerate(
            passage.sentences or [(s.start, s.end) for s in split_text(passage.text)]
        ):
            text = passage.text[start:end]
            speaker = passage.speakers[number] if passage.speakers else passage.speaker
            line = Line(index, start, end, text, speaker, passage.language, passage.period, passage.headings)
            yield (passage.subject, str(passage.language)), line


def _question(window: Window) -> str:
    """What a window is: its document, whom "we" means, names that the document uses, then the numbered sentences."""
    words = _WORDS[window.language == "zh"]
    head = [f"{words['document']}{one_line(window.about)}"] if window.about else []
    head.append(f"{words['subject']}{one_line(window.subject) or words['unknown']}")
    if window.names:
        head.append(f"{words['names']}{one_line('; '.join(window.names))}")
    lines: list[str] = []
    headings: tuple[str, ...] = ()
    speaking = ""
    for number, line in enumerate(window.lines, 1):
        if line.headings and line.headings != headings:
            lines.append(f"({words['section']}{one_line(' > '.join(line.headings[-2:]))})")
        is_new = line.speaker and line.speaker != speaking
        headings, speaking = line.headings, line.speaker
        speaker = f"({one_line(line.speaker)}) " if is_new else ""
        lines.append(f"[{number}] {speaker}{one_line(line.text)}")
    text = "\n".join(lines)
    return "\n".join((*head, f"<document>\n{text}\n</document>"))


_WORDS = (
    {
        "document": "Document: ",
        "subject": '"We", "our" and "the Company" mean: ',
        "unknown": "not known",
        "names": "Names used in it: ",
        "section": "Section: ",
    },
    {
        "document": "文件:",
        "subject": "“我们”“本公司”指:",
        "unknown": "未知",
        "names": "文件中的名称:",
        "section": "章节:",
    },
)
"""What heads the sentences, in English and in Chinese."""


@cache
def _prompts() -> str:
    """Changes with any prompt text of this task."""
    parts = (
        prompt_version(task, language)
        for task in ("extract", "extract_shots", "extract_glosses", "drivers")
        for language in LANGUAGES
    )
    return stable_id(*parts)[:8]


@cache
def _shots(language: str) -> tuple[Message, ...]:
    parts = re.split(r"^### (user|assistant)\n", load_prompt("extract_shots", language), flags=re.MULTILINE)[1:]
    return tuple(
        Message("user" if role == "user" else "assistant", text.strip())
        for role, text in zip(parts[::2], parts[1::2], strict=True)
    )


def _relation_list(schema: Schema, language: str) -> str:
    """Each relation with what it leads from and to, and what it says of them."""
    glosses = dict(line.split(": ", 1) for line in load_prompt("extract_glosses", language).splitlines())
    lines = []
    for relation in schema.relations.values():
        ends = f"{'|'.join(sorted(relation.heads))} -> {'|'.join(sorted(relation.tails))}"
        lines.append(f"   {relation.name}: {ends}: {glosses.get(relation.name, relation.label(language))}")
    return "\n".join(lines)


def _schema_of_answer() -> dict[str, Any]:
    """The JSON schema of an answer: rows of texts, for objects repeat ten names a row and cost twice as much."""
    rows = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
    return {
        "type": "object",
        "properties": {"triples": rows},
        "required": ["triples"],
        "additionalProperties": False,
    }


def _rows(data: Any) -> list[Mapping[str, Any]]:
    """The rows of an answer, whatever a lenient endpoint made of the schema: arrays, or objects by field."""
    rows = data.get("triples", []) if isinstance(data, Mapping) else data
    if not isinstance(rows, list):
        return []
    found: list[Mapping[str, Any]] = []
    for row in rows:
        if isinstance(row, Mapping):
            found.append(row)
        elif isinstance(row, list) and row:
            found.append(dict(zip(_FIELDS, row, strict=False)))
    return found


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
