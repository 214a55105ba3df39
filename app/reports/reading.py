"""Reads the menu for sub-questions: which rows are relevant, what their sections say; all of it kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from ..core.errors import ModelError
from ..core.ids import stable_id
from ..core.words import question_words, search_words
from ..models.language import LanguageModel, Message
from ..prompts import prompt_version
from ..retrieval.answer.generative.prompts import NOT_FOUND, fill
from ..retrieval.answer.planted_text import defuse, without_orders

if TYPE_CHECKING:
    from ..core.language import Language
    from ..retrieval.question.vocabulary.vocabulary import Synonyms
    from ..retrieval.search.evidence import Evidence
    from .menu import Menu, MenuRow

BATCH = 8
"""Rows of one relevance check."""
_LEAST_HELD = 1 / 2
"""Share of a sub-question's words that a section has to hold where no model judges."""
_LEAST_SYNONYMS = 2
"""Of the words that filings use for it, so many show that a section is about it."""
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"relevant": {"type": "array", "items": {"type": "integer"}}},
    "required": ["relevant"],
}
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Digest:
    """What a section says about a sub-question; ``text`` is "" where it says nothing about it."""

    question: str
    row: MenuRow
    text: str


@dataclass(slots=True)
class Reader:
    """Judges rows and digests sections by a model; what was judged or digested before is taken from the menu."""

    menu: Menu
    model: LanguageModel
    language: Language

    def relevant(self, question: str, rows: Sequence[MenuRow]) -> list[MenuRow]:
        """The rows whose sections can be expected to answer, judged in batches."""
        kept: list[MenuRow] = []
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            kept.extend(batch[number - 1] for number in self._verdict(question, batch))
        return kept

    def _verdict(self, question: str, batch: Sequence[MenuRow]) -> list[int]:
        key = self._key("report_relevant", question, *(row.id for row in batch), *(row.summary for row in batch))
        known = self.menu.made(key)
        if known is None:
            tag = f"entry-{key[:10]}"
            entries = "\n\n".join(_entry(number, row, tag) for number, row in enumerate(batch, 1))
            asked = [
                Message("system", fill("report_relevant", self.language, tag=tag)),
                Message("user", f"{question}\n\n{entries}"),
            ]
            known = self.model.reply(asked, schema=_SCHEMA).data
            known = known.get("relevant") if isinstance(known, Mapping) else None
            known = known if isinstance(known, list) else []
            self.menu.keep(key, "relevant", known)
        numbers = [number for number in known if isinstance(number, int) and 1 <= number <= len(batch)]
        return sorted(dict.fromkeys(numbers))

    def digests(self, wanted: Sequence[tuple[str, MenuRow, Evidence]], told: Told | None = None) -> list[Digest]:
        """A digest of each section for its sub-question, in this order; each is on disk before the next is waited for.

        Raises:
            ModelError: some could not be made; those that could are kept, and the same report goes on from them.
        """
        keys = [self._key("report_digest", question, row.section) for question, row, _ in wanted]
        known = {key: self.menu.made(key) for key in keys}
        missing = [at for at, key in enumerate(keys) if known[key] is None]
        requests = [self._digest_messages(wanted[at][0], wanted[at][2]) for at in missing]
        failures: list[ModelError] = []
        done = len(keys) - len(missing)
        for index, reply in self.model.replies(requests, failed=lambda _, error: failures.append(error)):
            key = keys[missing[index]]
            known[key] = reply.text.strip()
            self.menu.keep(key, "digest", known[key])
            done += 1
            if told:
                told(done, len(keys))
        if failures:
            hint = f"{done} of {len(keys)} digests are kept: the same command goes on from there"
            raise ModelError(failures[0].what, where=failures[0].where, hint=hint) from failures[0]
        pairs = zip(wanted, keys, strict=True)
        return [Digest(question, row, _said(known[key])) for (question, row, _), key in pairs]

    def _digest_messages(self, question: str, section: Evidence) -> list[Message]:
        tag = f"section-{stable_id(question, section.id)[:10]}"
        text = f"<{tag}>\n{defuse(without_orders(section.text))}\n</{tag}>"
        head = " > ".join(section.headings)
        return [
            Message("system", fill("report_digest", self.language, tag=tag)),
            Message("user", f"{question}\n\n{defuse(without_orders(head))}\n{text}"),
        ]

    def _key(self, task: str, *parts: str) -> str:
        """Changes with the model, the prompt, the question and the section's text."""
        return stable_id(task, prompt_version(task, self.language), self.model.name, *parts)


def _entry(number: int, row: MenuRow, tag: str) -> str:
    about = " | ".join(filter(None, (row.company, row.period, row.title)))
    said = defuse(without_orders(f"{about}\n{row.summary}"))
    return f"[{number}]\n<{tag}>\n{said}\n</{tag}>"


def _said(text: str) -> str:
    return "" if text.strip("*. ").startswith(NOT_FOUND) else text


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
