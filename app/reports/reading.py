"""Reads the menu for sub-questions: which rows are relevant, what their sections say; all of it kept as it comes.

Rows are judged for all sub-questions in one call, and a section is read once for all that it helps to answer, several
sections a call: a report costs as many calls as it has thousands of words to read, not one a section and question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from math import ceil
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError
from ..core.ids import stable_id
from ..core.records import dataclass
from ..core.tokens import estimate_tokens
from ..core.words import question_words, search_words
from ..models.language import LanguageModel, Message
from ..prompts import prompt_version
from ..retrieval.answer.generative.prompts import NOT_FOUND, defuse, fill, without_orders

if TYPE_CHECKING:
    from ..core.language import Language
    from ..retrieval.question.vocabulary.vocabulary import Synonyms
    from ..retrieval.search.evidence import Evidence
    from .menu import Menu, MenuRow

MOST_RELEVANT = 5
"""Sections that are read for a sub-question: with eight, five sub-questions would give a report of 900 words some 6,000
words to be written from."""
READ_TOKENS = 6_000
"""Tokens of the sections that are read in one call, a longer section apart: a small model still follows the rules."""
DIGESTS_A_CALL = 8
"""Digests of one call, for its answer's length: about 2,200 tokens."""
ENTRIES_A_CALL = 40
"""Rows of one relevance check."""
_LEAST_HELD = 1 / 2
"""Share of a sub-question's words that a section has to hold where no model judges."""
_LEAST_SYNONYMS = 2
"""Of the words that filings use for it, so many show that a section is about it."""
_NUMBER: Mapping[str, Any] = {"type": "integer"}
_NUMBERS: Mapping[str, Any] = {"type": "array", "items": _NUMBER}


def _list_of(name: str, **fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The JSON schema of an object that holds a list of objects with these fields."""
    item = {"type": "object", "properties": fields, "required": list(fields)}
    return {"type": "object", "properties": {name: {"type": "array", "items": item}}, "required": [name]}


_RELEVANT = _list_of("relevant", question=_NUMBER, entries=_NUMBERS)
_DIGESTS = _list_of("digests", section=_NUMBER, question=_NUMBER, digest={"type": "string"})
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sub-question, a row that is relevant to it, and the section that the row points to."""

    question: str
    row: MenuRow
    section: Evidence


@dataclass(frozen=True, slots=True)
class Digest:
    """What a section says about a sub-question; ``text`` is "" where it says nothing about it."""

    question: str
    row: MenuRow
    text: str


@dataclass(slots=True)
class _Reading:
    """What one call reads: the digests that are wanted, those of one section side by side."""

    wanted: list[Wanted] = field(default_factory=list)
    tokens: int = 0


@dataclass(slots=True)
class Reader:
    """Judges rows and digests sections by a model; what was judged or digested before is taken from the menu."""

    menu: Menu
    model: LanguageModel
    language: Language

    # --- which rows are relevant

    def relevant(self, found: Sequence[tuple[str, Sequence[MenuRow]]]) -> list[list[MenuRow]]:
        """For each sub-question with its rows those whose sections can be expected to answer it, best first."""
        keys = [self._verdict_key(question, rows) for question, rows in found]
        unjudged = [at for at, key in enumerate(keys) if found[at][1] and self.menu.made(key) is None]
        for batch in _batches_of_rows(found, unjudged):
            for at, numbers in self._verdicts(found, batch).items():
                self.menu.keep(keys[at], "relevant", numbers)
        kept: list[list[MenuRow]] = []
        for (_, rows), key in zip(found, keys, strict=True):
            judged: list[int] = self.menu.made(key) or []
            kept.append([rows[place] for place in judged if place < len(rows)])
        return kept

    def _verdicts(
        self, found: Sequence[tuple[str, Sequence[MenuRow]]], batch: Sequence[int]
    ) -> Mapping[int, list[int]]:
        """Index of a sub-question -> indices of its rows that are relevant, by one call for all of the batch."""
        entries: dict[str, tuple[int, MenuRow]] = {}
        for at in batch:
            for row in found[at][1]:
                entries.setdefault(row.section, (len(entries) + 1, row))
        tag = f"entry-{stable_id(*entries)[:10]}"
        questions = "\n".join(f"{number}. {found[at][0]}" for number, at in enumerate(batch, 1))
        listed = "\n\n".join(_entry(number, row, tag) for number, row in entries.values())
        rules = fill("report_relevant", self.language, tag=tag, most=MOST_RELEVANT)
        asked = [Message("system", rules), Message("user", f"{questions}\n\n{listed}")]
        reply = self.model.reply(asked, schema=_RELEVANT).data
        verdicts: dict[int, list[int]] = {at: [] for at in batch}
        for item in _items(reply, "relevant"):
            asked_for = _at(batch, item.get("question"))
            if asked_for is None:
                continue
            places = {entries[row.section][0]: place for place, row in enumerate(found[asked_for][1])}
            named = [places[number] for number in _whole_numbers(item.get("entries")) if number in places]
            verdicts[asked_for] = list(dict.fromkeys(named))[:MOST_RELEVANT]
        return verdicts

    def _verdict_key(self, question: str, rows: Sequence[MenuRow]) -> str:
        parts = [part for row in rows for part in (row.id, row.summary)]
        return self._key("report_relevant", question, *parts)

    # --- what their sections say

    def digests(self, wanted: Sequence[Wanted], told: Told | None = None) -> list[Digest]:
        """A digest of each section for its sub-question, in this order; each is on disk before the next is waited for.

        Raises:
            ModelError: some could not be made; those that could are kept, and the same report goes on from them.
        """
        missing = [one for one in wanted if self.menu.made(self._digest_key(one)) is None]
        readings = list(_readings(missing))
        failures: list[ModelError] = []
        done = len(wanted) - len(missing)
        requests = [self._digest_messages(reading) for reading in readings]
        replies = self.model.replies(requests, schema=_DIGESTS, failed=lambda _, error: failures.append(error))
        for index, reply in replies:
            own = readings[index].wanted
            for one, text in _said_of(readings[index], reply.data):
                self.menu.keep(self._digest_key(one), "digest", text)
            done += len(own)
            if told:
                told(done, len(wanted))
        if failures:
            hint = f"{done} of {len(wanted)} digests are kept: the same command goes on from there"
            raise ModelError(failures[0].what, where=failures[0].where, hint=hint) from failures[0]
        return [Digest(one.question, one.row, _said(self.menu.made(self._digest_key(one)))) for one in wanted]

    def _digest_messages(self, reading: _Reading) -> list[Message]:
        sections = _numbered(one.row.section for one in reading.wanted)
        questions = _numbered(one.question for one in reading.wanted)
        tag = f"section-{stable_id(*sections, *questions)[:10]}"
        lines = [f"{number}. {question}" for question, number in questions.items()]
        for section, number in sections.items():
            own = [one for one in reading.wanted if one.row.section == section]
            listed = ", ".join(str(questions[one.question]) for one in own)
            head = defuse(without_orders(_about(own[0].row)))
            text = defuse(without_orders(own[0].section.text))
            lines.append(f"\n[{number}] {head} ({listed})\n<{tag}>\n{text}\n</{tag}>")
        rules = fill("report_digest", self.language, tag=tag)
        return [Message("system", rules), Message("user", "\n".join(lines))]

    def _digest_key(self, one: Wanted) -> str:
        return self._key("report_digest", one.question, one.row.section)

    def _key(self, task: str, *parts: str) -> str:
        """Changes with the model, the prompt, the question and the section's text."""
        return stable_id(task, prompt_version(task, self.language), self.model.name, *parts)


def calls_for(found: Sequence[tuple[str, Sequence[MenuRow]]], wanted: Sequence[Wanted]) -> tuple[int, int]:
    """The most calls that relevance checks and digests of these can cost."""
    return len(list(_batches_of_rows(found, range(len(found))))), len(list(_readings(wanted)))


def _batches_of_rows(found: Sequence[tuple[str, Sequence[MenuRow]]], wanted: Sequence[int]) -> Iterator[list[int]]:
    """Sub-questions that are judged in one call, by the rows that they bring together."""
    batch: list[int] = []
    sections: set[str] = set()
    for at in wanted:
        own = {row.section for row in found[at][1]}
        if batch and len(sections | own) > ENTRIES_A_CALL:
            yield batch
            batch, sections = [], set()
        batch.append(at)
        sections |= own
    if batch:
        yield batch


def _readings(wanted: Sequence[Wanted]) -> Iterator[_Reading]:
    """What is wanted, section by section, in calls of a bearable length."""
    by_section: dict[str, list[Wanted]] = {}
    for one in wanted:
        by_section.setdefault(one.row.section, []).append(one)
    reading = _Reading()
    for own in by_section.values():
        tokens = estimate_tokens(own[0].section.text)
        is_long = reading.tokens + tokens > READ_TOKENS
        is_much = len(reading.wanted) + len(own) > DIGESTS_A_CALL
        if reading.wanted and (is_long or is_much):
            yield reading
            reading = _Reading()
        reading.wanted.extend(own)
        reading.tokens += tokens
    if reading.wanted:
        yield reading


def _said_of(reading: _Reading, data: Any) -> Iterator[tuple[Wanted, str]]:
    """The digests of a reply with what each is of; one that it leaves out is asked for again by the next report."""
    sections = _numbered(one.row.section for one in reading.wanted)
    questions = _numbered(one.question for one in reading.wanted)
    places: dict[tuple[Any, Any], Wanted] = {}
    for one in reading.wanted:
        places[sections[one.row.section], questions[one.question]] = one
    for item in _items(data, "digests"):
        read = places.get((item.get("section"), item.get("question")))
        text = item.get("digest")
        if read is not None and isinstance(text, str):
            yield read, text.strip()


def _numbered(values: Iterator[str]) -> dict[str, int]:
    """Each value once, in order, with its number from 1."""
    return {value: number for number, value in enumerate(dict.fromkeys(values), 1)}


def _items(data: Any, name: str) -> list[Mapping[str, Any]]:
    """The objects of a list in a model's JSON; what is not of that shape is left out."""
    found = data.get(name) if isinstance(data, Mapping) else None
    return [item for item in found if isinstance(item, Mapping)] if isinstance(found, list) else []


def _whole_numbers(value: Any) -> list[int]:
    return [number for number in value if isinstance(number, int)] if isinstance(value, list) else []


def _at(batch: Sequence[int], number: Any) -> int | None:
    """What stands at a number from 1; None where nothing does."""
    is_there = isinstance(number, int) and 1 <= number <= len(batch)
    return batch[number - 1] if is_there else None


def _about(row: MenuRow) -> str:
    return " | ".join(filter(None, (row.company, row.period, row.title)))


def _entry(number: int, row: MenuRow, tag: str) -> str:
    said = defuse(without_orders(f"{_about(row)}\n{row.summary}"))
    return f"[{number}]\n<{tag}>\n{said}\n</{tag}>"


def _said(text: str | None) -> str:
    is_said = text is not None and not text.strip("*. ").startswith(NOT_FOUND)
    return text if text and is_said else ""


def holds_words(question: str, subject: str, section: Evidence, synonyms: Synonyms) -> bool:
    """Without a model: true where a section holds enough of what is asked, the company's own name left aside.

    Words that filings use for what is asked ("legal proceedings" for litigation) count too.
    """
    asked = set(question_words(question)) - set(search_words(subject))
    if not asked:
        return True
    held = set(search_words(" ".join((section.text, *section.headings))))
    meant = synonyms.expand(question).words
    if any(len(held.intersection(search_words(words))) >= _LEAST_SYNONYMS for words in meant):
        return True
    return len(asked & held) >= ceil(_LEAST_HELD * len(asked))
