"""Propositions: sentences as statements that are understood alone, each pointing to the sentence that is cited.

Source: Chen et al., "Dense X Retrieval: What Retrieval Granularity Should We Use?", 2023. There a model writes them;
here rules put subject and period in and part clauses where that is safe, and a model may do it, one call a section.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ...core.names import is_chinese
from ...core.patterns import LazyPattern, PatternTable
from ...core.period import label_of
from ...core.period_text import find_periods
from ...core.records import dataclass
from ..document import Document
from ..model_calls import ask_sections, rows_schema, section_chat, sections, texts_of
from .context import about_line

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ...models.language import LanguageModel

_LONGEST_SUBJECT = 60
"""Characters up to which what stands before the first verb is a subject that a second clause may take over."""
_SHORTEST_CLAUSE = {True: 8, False: 20}
"""Characters of a clause that may stand alone, in Chinese and in English."""
_MOST_CLAUSES = 4
_MOST_OF_A_SENTENCE = 8
"""Statements of one sentence that are kept of a model's answer."""
_FIGURE = re.compile(r"\d(?:[\d.,]{0,30}\d)?")
_SCHEMA = rows_schema("statements", sentence="integer", text="string")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence as it is embedded, with the headings it stands under and its tokens."""

    text: str
    headings: Hashable
    tokens: int


def propositions(
    document: Document, sentences: Sequence[Told], model: LanguageModel | None = None
) -> list[tuple[str, ...]]:
    """The statements of each sentence, at least one: by the rules, or as a model writes them where it does.

    A model's statement with a figure that its sentence has not is dropped. Raises ModelError: the endpoint fails.
    """
    period = label_of(document.metadata.period)
    found = [stated(sentence.text, period) for sentence in sentences]
    if model is None:
        return found
    parts = sections([sentence.headings for sentence in sentences], [sentence.tokens for sentence in sentences])
    about = about_line(document)
    chats = [section_chat("propositions", [sentences[at].text for at in part], about) for part in parts]
    for number, data in ask_sections(model, chats, _SCHEMA).items():
        for at, texts in _written(parts[number], sentences, data, period).items():
            found[at] = tuple(texts)
    return found


def stated(sentence: str, period: str = "") -> tuple[str, ...]:
    """The statements of a sentence by the rules, the period before each that names none.

    >>> stated("Acme's sales rose 5% in Europe, and its costs fell by 2% in 2022.", "FY2023")
    ("FY2023: Acme's sales rose 5% in Europe.", 'its costs fell by 2% in 2022.')
    >>> stated("Acme sold its mill to Beta; acquired a port in Oslo.")
    ('Acme sold its mill to Beta.', 'Acme acquired a port in Oslo.')
    """
    statements: list[str] = []
    for clause in _clauses(sentence):
        lacks_period = bool(period) and not find_periods(clause)
        statements.append(f"{period}: {clause}" if lacks_period else clause)
    return tuple(statements)


def _clauses(sentence: str) -> list[str]:
    """The sentence, or its clauses where each says something alone."""
    chinese = is_chinese(sentence)
    rules = _rules(chinese)
    sides = [side.strip() for side in rules.joint.split(sentence) if side.strip()]
    is_one = not 2 <= len(sides) <= _MOST_CLAUSES
    if is_one or any(len(side) < _SHORTEST_CLAUSE[chinese] for side in sides):
        return [sentence]
    subject = _subject(sides[0], rules)
    clauses: list[str] = []
    for side in sides:
        clause = _alone(side, subject, rules)
        if not clause:
            return [sentence]
        clauses.append(_ended(clause, chinese))
    return clauses


def _alone(clause: str, subject: str, rules: _Rules) -> str:
    """The clause with a subject; "" where it has none and none can be put in."""
    verb = rules.verb.search(clause)
    if verb is None or rules.hanging.match(clause):
        return ""
    if clause[: verb.start()].strip():
        return clause
    return f"{subject} {clause}" if subject else ""


def _subject(clause: str, rules: _Rules) -> str:
    """What stands before the first verb, where it is short enough to be a name."""
    verb = rules.verb.search(clause)
    subject = clause[: verb.start()].strip() if verb else ""
    return subject if len(subject) <= _LONGEST_SUBJECT else ""


def _ended(clause: str, chinese: bool) -> str:
    if clause[-1] in ".!?。！？":
        return clause
    return f"{clause}。" if chinese else f"{clause}."


def _written(part: range, sentences: Sequence[Told], data: Any, period: str) -> dict[int, list[str]]:
    """Place of a sentence -> a model's statements of it, without those that hold a figure from elsewhere."""
    dates = figures_in(period) | _figures_of_dates(sentences[part.start : part.stop])
    written: dict[int, list[str]] = {}
    for place, text in texts_of(data, "statements", "sentence", "text", len(part)):
        at = part[place]
        known = figures_in(sentences[at].text) | dates
        if known.issuperset(figures_in(text)):
            written.setdefault(at, []).append(text)
    return {at: texts[:_MOST_OF_A_SENTENCE] for at, texts in written.items()}


def _figures_of_dates(sentences: Sequence[Told]) -> set[str]:
    """Years and quarters of the section: what "the year" of one sentence may stand for."""
    found: set[str] = set()
    for sentence in sentences:
        for mention in find_periods(sentence.text):
            found |= figures_in(sentence.text[mention.start : mention.end])
    return found


def figures_in(text: str) -> set[str]:
    """Every number that a text prints, as printed."""
    return set(_FIGURE.findall(text))


@dataclass(frozen=True, slots=True)
class _Rules:
    joint: LazyPattern
    verb: LazyPattern
    hanging: LazyPattern


@cache
def _rules(chinese: bool) -> _Rules:
    table = PatternTable(__package__, "propositions.toml", "chinese" if chinese else "english")
    joint, verb, hanging = (table.all(name)[0] for name in ("joint", "verb", "hanging"))
    return _Rules(joint, verb, hanging)
