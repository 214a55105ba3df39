"""Entities named in a question: exactly, by an alias, or nearly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from ...core.names import name_key
from ...kg.graph import Entity
from ...kg.store import Store

_LONGEST = 7
_LONGEST_CHINESE = 14
_SIMILAR = 0.87
"""Ratio of Ratcliff and Obershelp from which two names are taken for one."""
_ABBREVIATION = 4
"""Letters up to which a name in capitals is meant only where it is written so."""
_LATIN = r"[^\W\u3400-\u9fff]"
"""A character of a word that is not Chinese: in "Apple的收入" the name ends before the next word."""
_TOKEN = re.compile(rf"[A-Za-z0-9](?:{_LATIN}|[&.’'\-])*")
_CHINESE_RUN = re.compile(r"[\u4e00-\u9fff]{2,}")
_CAPITALS = re.compile(rf"[A-Z](?:{_LATIN}|[&.\-])*(?:\s+(?:of |the |and |& )?[A-Z](?:{_LATIN}|[&.\-])*)*")
_DATED = re.compile(r"(?:FY|CY|Q[1-4]|H[12])[\s\d'/-]*")
_POSSESSIVE = re.compile(r"['’]s?$")
_PLAIN_TYPES = ("metric", "role", "thing")
"""Types whose names are ordinary words: linked only when written with a capital."""


@dataclass(frozen=True, slots=True)
class LinkedEntity:
    """An entity of the graph and the words of the question that name it."""

    entity: Entity
    written: str
    how: Literal["exact", "alias", "similar"]


def link_entities(
    store: Store, question: str, names: Iterable[str] = (), *, similar: bool = True
) -> list[LinkedEntity]:
    """The entities that a question names, in order; ``names`` are names known to be meant (of companies in scope).

    The longest name wins at each place. Words with capitals that match nothing are compared with ``similar`` names.
    """
    spans = [*_spans(question), *((name, -1, -1) for name in names)]
    keyed = [(name_key(written), written, start, end) for written, start, end in spans]
    found = store.find_entities({key for key, *_ in keyed if key})
    by_key = {key: entity for entity in reversed(found) for key in _keys(entity)}
    links: dict[str, LinkedEntity] = {}
    taken: list[tuple[int, int]] = []
    for key, written, start, end in sorted(keyed, key=lambda item: (item[2] - item[3], item[2])):
        entity = by_key.get(key)
        if entity and _is_meant(entity, written) and not any(start < b and a < end for a, b in taken):
            how: Literal["exact", "alias"] = "exact" if key == entity.key else "alias"
            links.setdefault(entity.id, LinkedEntity(entity, written, how))
            taken += [(start, end)] if start >= 0 else []
    for written in _unmatched(question, taken) if similar else ():
        if near := _similar(store, written):
            links.setdefault(near.id, LinkedEntity(near, written, "similar"))
    return sorted(links.values(), key=lambda link: question.find(link.written))


def keys_of(question: str) -> set[str]:
    """The name keys of all that may be a name in a question: what :func:`link_entities` looks up."""
    return {key for written, *_ in _spans(question) if (key := name_key(written))}


def _spans(question: str) -> list[tuple[str, int, int]]:
    tokens = list(_TOKEN.finditer(question))
    spans = []
    for at, token in enumerate(tokens):
        for last in tokens[at : at + _LONGEST]:
            written = question[token.start() : last.end()]
            spans += [(form, token.start(), last.end()) for form in (written, _POSSESSIVE.sub("", written)) if form]
    for run in _CHINESE_RUN.finditer(question):
        text, offset = run.group(), run.start()
        for first in range(len(text)):
            for end in range(first + 2, min(first + _LONGEST_CHINESE, len(text)) + 1):
                spans.append((text[first:end], offset + first, offset + end))
    return spans


def _keys(entity: Entity) -> set[str]:
    return {entity.key, *map(name_key, (entity.name, *entity.aliases))}


def _is_meant(entity: Entity, written: str) -> bool:
    if entity.name.isupper() and entity.name.isascii() and entity.name.isalpha() and not written.isupper():
        return len(entity.name) > _ABBREVIATION  # "Who" is not the WHO
    return not (written.islower() and (entity.type in _PLAIN_TYPES or " " not in written))


def _unmatched(question: str, taken: Sequence[tuple[int, int]]) -> list[str]:
    return [
        run.group()
        for run in _CAPITALS.finditer(question)
        if run.start() > 0
        and len(run.group()) > 4
        and not _DATED.fullmatch(run.group())
        and not any(run.start() < b and a < run.end() for a, b in taken)
    ]


def _similar(store: Store, written: str) -> Entity | None:
    key = name_key(written)
    for entity in store.similar_entities(written, 3):
        if any(SequenceMatcher(None, key, own).ratio() >= _SIMILAR for own in _keys(entity)):
            return entity
    return None


def as_data(links: Sequence[LinkedEntity]) -> list[Mapping[str, str]]:
    """For the trace."""
    return [{"name": k.entity.name, "type": k.entity.type, "written": k.written, "how": k.how} for k in links]
