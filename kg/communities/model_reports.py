"""Reports about communities by a model, from the findings of the rules, each claim held against the notes it cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...core.language import language_of
from ...core.records import dataclass
from ...core.tokens import estimate_tokens
from ...ingest.model_calls import one_line
from ...models.language import Message
from ...prompts import load_prompt, prompt_version
from ..graph import Communities, Community, Finding, Place
from ..schema import Schema
from ..store import Store
from .current import current_communities, derive, keep
from .reports import report_text

if TYPE_CHECKING:
    from ...models.language import LanguageModel

ANSWER_TOKENS = 350
"""What a report takes, for the estimate: a title, two sentences and six findings."""
LEAST_FINDINGS = 3
"""A pair of names with one relation between them needs no report."""
_SENTENCE = 400
"""Characters of a note's sentence."""
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_FIELDS: dict[str, Any] = {
    "title": {"type": "string"},
    "summary": {"type": "string"},
    "findings": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"text": {"type": "string"}, "notes": {"type": "array", "items": {"type": "integer"}}},
            "required": ["text", "notes"],
            "additionalProperties": False,
        },
    },
}
ANSWER: dict[str, Any] = {
    "type": "object",
    "properties": _FIELDS,
    "required": list(_FIELDS),
    "additionalProperties": False,
}
Progress = Callable[[int, int], None]
"""Called with reports written and reports to write."""


@dataclass(frozen=True, slots=True)
class ReportEstimate:
    """What reports by a model would take."""

    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    """US dollars; None where the model's price is not known."""


def estimate_reports(store: Store, model: str, schema: Schema, level: int = 0) -> ReportEstimate:
    """Calls, tokens and money for the communities of a level that the model has not written about as they are now."""
    from ...models.language import price

    asked = [_messages(store, community) for community in _waiting(store, author_of(model), schema, level)]
    tokens = sum(estimate_tokens(message.content) for messages in asked for message in messages)
    answers = ANSWER_TOKENS * len(asked)
    return ReportEstimate(len(asked), tokens, answers, price(model, tokens, answers))


def write_model_reports(
    store: Store, model: LanguageModel, schema: Schema, level: int = 0, progress: Progress | None = None
) -> Communities:
    """The communities, those of the level with reports by the model. One that has not changed is not asked again.

    Raises:
        ModelError: the model fails or its budget is used up; what it had answered by then is stored.
    """
    author = author_of(model.name)
    waiting = _waiting(store, author, schema, level)
    found = current_communities(store, schema)
    written: dict[str, Community] = {}
    try:
        for index, reply in model.replies([_messages(store, community) for community in waiting], schema=ANSWER):
            community = waiting[index]
            written[community.id] = read_report(community, reply.data, author, _sentences(store, community.findings))
            if progress:
                progress(len(written), len(waiting))
    finally:
        if written:
            found = replace(found, groups=tuple(written.get(c.id, c) for c in found.groups))
            keep(store, found)
    return found


def read_report(community: Community, data: Any, author: str, sentences: Mapping[Place, str]) -> Community:
    """A model's answer as the community's report; a claim that cites no note, or has a number that no cited note has,
    is left out. The report by rules stays where nothing is left."""
    rows = data.get("findings", []) if isinstance(data, Mapping) else []
    findings = tuple(_findings(rows if isinstance(rows, list) else [], community, sentences))
    if not findings:
        return community
    title, summary = (" ".join(str(data.get(name, "")).split()) for name in ("title", "summary"))
    said = " ".join(finding.text for finding in findings)
    lines = [summary] if summary and _numbers(summary) <= _numbers(said) else []
    language = language_of(said)
    return replace(
        community,
        title=title or community.title,
        report=report_text(lines, findings, language),
        findings=findings,
        author=author,
    )


def author_of(model: str) -> str:
    """Model and version of the prompts: reports of another version are written anew."""
    versions = "".join(prompt_version("community", language)[:4] for language in ("en", "zh"))
    return f"{model}-{versions}"


def _waiting(store: Store, author: str, schema: Schema, level: int) -> list[Community]:
    """Those to write about, with their findings by rules: what a model wrote is no source for another one."""
    done = {community.digest for community in current_communities(store, schema).groups if community.author == author}
    return [
        community
        for community in derive(store, schema)
        if community.level == level and community.digest not in done and len(community.findings) >= LEAST_FINDINGS
    ]


def _messages(store: Store, community: Community) -> list[Message]:
    sentences = _sentences(store, community.findings)
    notes = [_note(number, finding, sentences) for number, finding in enumerate(community.findings, 1)]
    language = language_of(community.title)
    asked = "<document>\n" + "\n".join(notes) + "\n</document>"
    return [Message("system", load_prompt("community", language)), Message("user", asked)]


def _note(number: int, finding: Finding, sentences: Mapping[Place, str]) -> str:
    """ "[1] Acme acquires Bolt (planned): "Acme has agreed to buy Bolt."" on one line, without what ends the notes."""
    quoted = sentences.get(finding.places[0], "")
    said = f'{finding.text}: "{quoted[:_SENTENCE]}"' if quoted else finding.text
    return f"[{number}] " + one_line(said)


def _sentences(store: Store, findings: Sequence[Finding]) -> dict[Place, str]:
    """The text at the first place of each relation."""
    places = [finding.places[0] for finding in findings if finding.kind == "relation"]
    chunks = {chunk.id: chunk for chunk in store.chunks([place.chunk for place in places])}
    return {
        place: chunks[place.chunk].text[place.start - chunks[place.chunk].start : place.end - chunks[place.chunk].start]
        for place in places
        if place.chunk in chunks
    }


def _findings(rows: Sequence[Any], community: Community, sentences: Mapping[Place, str]) -> Iterator[Finding]:
    """What a model says of a community, where it names the notes that it rests on and no number beside theirs."""
    by_number = dict(enumerate(community.findings, 1))
    for row in rows:
        if not isinstance(row, Mapping):
            continue
        text = " ".join(str(row.get("text", "")).split())
        numbers = [number for number in row.get("notes", []) if isinstance(number, int)]
        cited = [by_number[number] for number in numbers if number in by_number]
        if not (text and cited):
            continue
        notes = " ".join(f"{note.text} {sentences.get(note.places[0], '')}" for note in cited)
        if _numbers(text) <= _numbers(notes):
            places = dict.fromkeys(chain.from_iterable(note.places for note in cited))
            yield Finding("summary", text, tuple(places))


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(text)}
