"""Which names mean the same thing: pure functions that propose merges with a reason, and guards against wrong ones.

A proposal never rests on similarity alone: names meet under one key (``core.names.name_key``), by ticker or stated
alias, or by one mistyped letter; and a guard keeps apart what differs in a digit, a serial letter, a type, a legal
form, a firm. A short name that drops words ("Costco" for "Costco Wholesale") needs a text that says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..core.ids import stable_id
from ..core.names import form_kind, is_chinese, legal_form, name_key
from .graph import Entity, Merge

_LEAST_LETTERS = 7
"""Letters of a word in which one mistyped letter is forgiven."""
_LARGEST_BLOCK = 64
"""Names that share all words but one; a larger block is a form ("Fund ..."), not a misspelling, and is left alone."""


def merges_for(new: Sequence[Entity], candidates: Mapping[str, Sequence[Entity]]) -> list[Merge]:
    """Merges of new entities with stored ones and with each other.

    ``candidates`` gives, by the key of a new entity, the stored entities that may be it: those of the same key, and
    any others that a fuzzy or ticker look-up found. An entity is merged with at most one other, the best: same key
    before ticker before spelling, then the one that was there first. A name that fits two which exclude each other
    fits neither.

    >>> old, new = Entity("1", "Acme Inc.", "company", "acme"), Entity("2", "ACME", "company", "acme")
    >>> [(m.entity, m.into, m.reason) for m in merges_for([new], {"acme": [old]})]
    [('2', '1', 'same name')]
    """
    merges: list[Merge] = []
    seen: dict[str, list[Entity]] = defaultdict(list)
    for entity in new:
        key = entity.key or name_key(entity.name)
        others = [other for other in (*candidates.get(key, ()), *seen[key]) if other.id != entity.id]
        seen[key].append(entity)
        merge = _best(entity, others)
        if merge is not None:
            merges.append(merge)
    return merges


def resolve(entities: Iterable[Entity]) -> list[Merge]:
    """Merges among a whole set of entities; near-linear: names are compared that share a key, or all words but one.

    >>> resolve([Entity("1", "Goldman Sachs", "company"), Entity("2", "Goldmann Sachs", "company")])[0].reason
    'spelling'
    """
    unique = {entity.id: entity for entity in entities}
    by_key: dict[str, list[Entity]] = defaultdict(list)
    for entity in unique.values():
        by_key[entity.key or name_key(entity.name)].append(entity)
    merges = [merge for block in by_key.values() if len(block) > 1 for merge in _within(block)]
    merges += _by_ticker(unique.values())
    merges += _by_spelling(by_key)
    return list({(merge.entity, merge.into): merge for merge in merges}.values())


def conflict(one: Entity, other: Entity) -> str:
    """Why two entities cannot be one, whatever their names look like; empty if nothing speaks against it.

    >>> conflict(Entity("1", "Merck KGaA", "company"), Entity("2", "Merck & Co., Inc.", "company"))
    'legal form'
    >>> conflict(Entity("1", "Windows 10", "product"), Entity("2", "Windows 11", "product"))
    'digit'
    """
    if one.type != other.type:
        return "type"
    first, second = one.key or name_key(one.name), other.key or name_key(other.name)
    if _digits(first) != _digits(second):
        return "digit"
    if _letters(first) != _letters(second):
        return "serial letter"
    if one.type == "company" and _forms_exclude(one.name, other.name):
        return "legal form"
    return _context_conflict(one.context, other.context)


def match(one: Entity, other: Entity) -> tuple[str, float] | None:
    """Reason and score for taking two entities for one; None where there is none or a guard objects."""
    if conflict(one, other):
        return None
    first, second = one.key or name_key(one.name), other.key or name_key(other.name)
    if first == second:
        return "same name", 1.0
    if one.type == "company" and _share_ticker(one, other):
        return "ticker", 0.95
    if first in map(name_key, other.aliases) or second in map(name_key, one.aliases):
        return "alias", 0.95
    return ("spelling", 0.9) if _one_letter_apart(first, second) else None


def _best(entity: Entity, others: Sequence[Entity]) -> Merge | None:
    fitting = [(found, place, other) for place, other in enumerate(others) if (found := match(entity, other))]
    if not fitting or _exclude_each_other([other for _, _, other in fitting]):
        return None
    (reason, score), _, into = min(fitting, key=lambda fit: (-fit[0][1], fit[1]))
    return _merge(entity, into, reason, score)


def _exclude_each_other(others: Sequence[Entity]) -> bool:
    """True where two of them are certainly different: "Merck" fits Merck KGaA and Merck & Co., so it fits neither."""
    return any(conflict(one, other) for place, one in enumerate(others[:8]) for other in others[place + 1 : 8])


def _within(block: Sequence[Entity]) -> Iterator[Merge]:
    """Merges in a block of one key: each with the first that it can be, in order of how much is known of it."""
    ordered = sorted(block, key=lambda entity: (not legal_form(entity.name), not entity.context, entity.id))
    heads: list[Entity] = []
    for entity in ordered:
        merge = _best(entity, heads)
        if merge is not None:
            yield merge
        elif not any(match(entity, head) for head in heads):
            heads.append(entity)


def _by_ticker(entities: Iterable[Entity]) -> Iterator[Merge]:
    named: dict[str, Entity] = {}
    for entity in entities:
        for ticker in dict.fromkeys((entity.context.get("ticker", ""), entity.name if entity.name.isupper() else "")):
            if not ticker:
                continue
            first = named.setdefault(ticker, entity)
            found = match(entity, first) if first is not entity else None
            if found and found[0] == "ticker":
                yield _merge(entity, first, *found)


def _by_spelling(by_key: Mapping[str, Sequence[Entity]]) -> Iterator[Merge]:
    """One mistyped letter in a long word of a name of several words."""
    blocks: dict[str, list[str]] = defaultdict(list)
    for key in by_key:
        words = key.split()
        if len(words) > 1 and not is_chinese(key):
            for place, word in enumerate(words):
                if len(word) >= _LEAST_LETTERS:
                    blocks[" ".join((*words[:place], "\x00" + word[0], *words[place + 1 :]))].append(key)
    for keys in blocks.values():
        if 1 < len(keys) <= _LARGEST_BLOCK:
            yield from _misspelt(keys, by_key)


def _misspelt(keys: Sequence[str], by_key: Mapping[str, Sequence[Entity]]) -> Iterator[Merge]:
    for place, key in enumerate(keys):
        for earlier in keys[:place]:
            found = match(by_key[key][0], by_key[earlier][0])
            if found and found[0] == "spelling":
                yield _merge(by_key[key][0], by_key[earlier][0], *found)


def _merge(entity: Entity, into: Entity, reason: str, score: float) -> Merge:
    return Merge(stable_id("merge", entity.id, into.id), entity.id, into.id, reason, score)


def _digits(key: str) -> list[str]:
    return ["".join(filter(str.isdigit, word)) for word in key.split() if any(char.isdigit() for char in word)]


def _letters(key: str) -> list[str]:
    """Single letters and Roman numbers at the end of a name: share classes, series, generations."""
    words = key.split()
    return [
        word
        for word in words[1:]
        if len(word) == 1 or word in ("ii", "iii", "iv", "vi", "vii", "viii", "ix", "jr", "sr")
    ]


def _forms_exclude(one: str, other: str) -> bool:
    """True where both names state a legal form and the forms are of different kinds."""
    first, second = legal_form(one), legal_form(other)
    return bool(first and second) and form_kind(first) != form_kind(second)


def _context_conflict(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """The first thing that both contexts name differently: a person's firm, a place's country, a ticker."""
    for name in sorted(one.keys() & other.keys()):
        if name_key(one[name]) != name_key(other[name]):
            return name
    return ""


def _share_ticker(one: Entity, other: Entity) -> bool:
    tickers = {one.context.get("ticker"), one.name} & {other.context.get("ticker"), other.name}
    return bool(tickers & {one.context.get("ticker"), other.context.get("ticker")} - {None})


def _one_letter_apart(one: str, other: str) -> bool:
    """One letter more, less or other in one long word; never the first, never the last "s" of a plural."""
    first, second = one.split(), other.split()
    if len(first) != len(second) or len(first) < 2 or is_chinese(one):
        return False
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(pairs) != 1 or min(map(len, pairs[0])) < _LEAST_LETTERS:
        return False
    short, long = sorted(pairs[0], key=len)
    if short[0] != long[0] or long == short + "s" or len(long) - len(short) > 1:
        return False
    same = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]
