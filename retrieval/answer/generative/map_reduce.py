"""The broadest questions with a model: each group of the graph is read by itself, then one answer is written of all.

One call a group chooses the notes that answer and says what each is worth; the call that writes the answer gets the
chosen notes of all groups instead of the few that one ranking would have had room for. What is cited is always a note
with its place, never what a model said of it. Source: Edge et al. 2024 (GraphRAG), section 3.1.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....core.errors import ModelError
from ....core.language import language_of
from ....models.language import Message
from ...search.evidence import Evidence, Trace
from ..planted_text import defuse, without_orders
from .prompts import fill, note_tag

if TYPE_CHECKING:
    from ....models.language import LanguageModel

FOUND = 240
"""Notes that the search gives for the groups to choose from."""
_MOST_GROUPS = 8
"""Groups that are read, and so calls; the largest and best fitting come first."""
_MOST_NOTES = 40
"""Notes of a group that a call reads: about 3,000 tokens."""
_LEAST_NOTES = 2
"""A group of one note needs no reading."""
_BEST = 10
"""What a note is worth at most; 0 says that it does not answer."""
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"note": {"type": "integer"}, "worth": {"type": "integer"}},
                "required": ["note", "worth"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["notes"],
    "additionalProperties": False,
}

Group = Sequence[Evidence]


def chosen_of_groups(model: LanguageModel, question: str, notes: Sequence[Evidence], trace: Trace) -> list[Evidence]:
    """The notes of community reports that answer a question, best first, those of every group in turn.

    A group whose call fails, or whose reply is of no use, keeps its notes in the order of the search. The trace says
    how many groups were read and what came of each.
    """
    groups = _groups(notes)
    requests = [_messages(question, group) for group in groups]
    chosen: dict[int, list[tuple[int, Evidence]]] = {}
    failed: dict[int, str] = {}

    def report(index: int, error: ModelError) -> None:
        failed[index] = str(error)

    for index, reply in model.replies(requests, schema=_SCHEMA, failed=report):
        chosen[index] = _read(reply.data, groups[index])
    ranked: list[Sequence[tuple[int, Evidence]]] = [
        chosen.get(index) or [(0, note) for note in group] for index, group in enumerate(groups)
    ]
    trace.note("groups read", {"groups": len(groups), "chosen": list(map(len, ranked)), "failed": failed})
    return _in_turn(ranked)


def _groups(notes: Sequence[Evidence]) -> list[Group]:
    """The notes by their community, in the order found."""
    by_title: dict[str, list[Evidence]] = {}
    for note in notes:
        if note.kind == "community" and note.headings:
            by_title.setdefault(note.headings[0], []).append(note)
    groups: list[Group] = [own[:_MOST_NOTES] for own in by_title.values() if len(own) >= _LEAST_NOTES]
    return groups[:_MOST_GROUPS]


def _messages(question: str, group: Group) -> list[Message]:
    """The chat that asks which notes of a group answer."""
    language = language_of(question)
    tag = note_tag(question, group)
    lines = [f"[{number}] {defuse(without_orders(note.text))}" for number, note in enumerate(group, 1)]
    title = defuse(without_orders(group[0].headings[0]))
    asked = fill("group_question", language, tag=tag, title=title, notes="\n".join(lines), question=question)
    return [Message("system", fill("group_notes", language, tag=tag, best=_BEST)), Message("user", asked)]


def _read(data: Any, group: Group) -> list[tuple[int, Evidence]]:
    """The notes that a reply names, with what they are worth; numbers that are none of the group's are left out."""
    rows = data.get("notes", []) if isinstance(data, Mapping) else []
    worth: dict[int, int] = {}
    for row in rows if isinstance(rows, list) else []:
        number, value = (row.get("note"), row.get("worth")) if isinstance(row, Mapping) else (None, None)
        if isinstance(number, int) and isinstance(value, int) and 1 <= number <= len(group) and value > 0:
            worth[number] = max(worth.get(number, 0), min(value, _BEST))
    ordered = sorted(worth, key=lambda number: (-worth[number], number))
    return [(worth[number], group[number - 1]) for number in ordered]


def _in_turn(groups: Sequence[Sequence[tuple[int, Evidence]]]) -> list[Evidence]:
    """The best note of each group, then the second of each; in a round the best first."""
    rounds = max(map(len, groups), default=0)
    chosen: list[Evidence] = []
    for place in range(rounds):
        row = [group[place] for group in groups if place < len(group)]
        row.sort(key=lambda pair: -pair[0])
        chosen.extend(note for _, note in row)
    return chosen
