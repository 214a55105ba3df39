"""Which names mean the same thing: pure functions that propose merges with a reason, and guards against wrong ones.

A proposal never rests on similarity alone: names meet under one key (``core.names.name_key``), by ticker or stated
alias, by the same letters with other blanks or accents, by a middle initial, or by one mistyped letter; and a guard
keeps apart what differs in a digit, a serial letter, a type, a legal form, a firm. A short name that drops words
("Costco" for "Costco Wholesale") needs a text that says so.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from ...core.ids import stable_id
from ...core.names import abbreviations, form_kind, is_chinese, legal_form, name_key
from ..graph import NOTES, Entity, Merge

_LEAST_LETTERS = 7
"""Letters of a word in which one mistyped letter is forgiven."""
LARGEST_BLOCK = 64
"""Names that share all words but one; a larger block is a form ("Fund ..."), not a misspelling, and is left alone."""
NEAR_TYPES = frozenset({"company", "organization", "person"})
"""Types whose names are written in many ways; all others meet under their key alone."""
_LEAST_SKELETON = 6
"""Letters of a name that may be written with other blanks: "US A" is not "USA"."""


def merges_for(new: Sequence[Entity], candidates: Mapping[str, Sequence[Entity]]) -> list[Merge]:
    """Merges of new entities with stored ones and with each other.

    ``candidates`` gives, by the key of a new entity, the stored entities that may be it: those of the same key, and
    others that :func:`blocks` of. An entity is merged with at most one other, the best: same key before ticker before
    spelling, then the one that was there first. A name that fits two which exclude each other fits neither.

    >>> old, new = Entity("1", "Acme Inc.", "company", "acme"), Entity("2", "ACME", "company", "acme")
    >>> [(m.entity, m.into, m.reason) for m in merges_for([new], {"acme": [old]})]
    [('2', '1', 'same name')]
    """
    merges: list[Merge] = []
    seen: dict[str, list[Entity]] = defaultdict(list)
    for entity in new:
        own = blocks(entity)
        near = [*candidates.get(key_of(entity), ()), *(other for block in own for other in seen[block])]
        others = list({other.id: other for other in near if other.id != entity.id}.values())
        for block in own:
            seen[block].append(entity)
        merge = _best(entity, others)
        if merge is not None:
            merges.append(merge)
    return merges


def key_of(entity: Entity) -> str:
    """The name key, also of an entity that was made without one."""
    return entity.key or name_key(entity.name)


def blocks(entity: Entity) -> tuple[str, ...]:
    """What two entities share that may be one, by their names: the key first, then keys of other spellings.

    >>> set(blocks(Entity("1", "Wal-Mart", "company"))) & set(blocks(Entity("2", "Walmart", "company")))
    {'=walmart'}
    """
    key = key_of(entity)
    if not has_variants(entity):
        return (key,) if key else ()
    words = key.split()
    found = [key, "=" + _skeleton(key)]
    if entity.type == "person":
        found.append(f"{words[0]} .. {words[-1]}")
    for place, word in enumerate(words):
        if len(words) > 1 and len(word) >= _LEAST_LETTERS:
            # One mistyped letter leaves the first four or the last three: seven letters hold both.
            for part in (word[:4], f"{word[0]}-{word[-3:]}"):
                found.append(" ".join((*words[:place], "\x00" + part, *words[place + 1 :])))
    return tuple(found)


def has_variants(entity: Entity) -> bool:
    """True where a name may be spelt in other ways than those that its key levels."""
    return entity.type in NEAR_TYPES and len(key_of(entity)) >= _LEAST_SKELETON and not is_chinese(entity.name)


def near_ones(new: Iterable[Entity], found: Iterable[Entity]) -> list[Entity]:
    """Of entities that a look-up by likeness found, those that share a block with a new one."""
    wanted = {block for entity in new for block in blocks(entity)}
    return [entity for entity in found if not wanted.isdisjoint(blocks(entity))]


def resolve(entities: Iterable[Entity]) -> list[Merge]:
    """Merges among a whole set of entities; near-linear: names are compared that share a key, or all words but one.

    >>> resolve([Entity("1", "Goldman Sachs", "company"), Entity("2", "Goldmann Sachs", "company")])[0].reason
    'spelling'
    """
    unique = {entity.id: entity for entity in entities}
    by_key: dict[str, list[Entity]] = defaultdict(list)
    for entity in unique.values():
        by_key[key_of(entity)].append(entity)
    merges = [merge for block in by_key.values() if len(block) > 1 for merge in _within(block)]
    merges += _by_ticker(unique.values())
    merges += _by_other_blocks(by_key)
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
    first, second = key_of(one), key_of(other)
    if _digits(first) != _digits(second):
        return "digit"
    if one.type != "person" and _letters(first) != _letters(second):
        return "serial letter"
    if one.type == "person" and _initials_exclude(first.split(), second.split()):
        return "middle initial"
    if one.type == "company" and _forms_exclude(one.name, other.name):
        return "legal form"
    return _context_conflict(one.context, other.context)


def match(one: Entity, other: Entity) -> tuple[str, float] | None:
    """Reason and score for taking two entities for one; None where there is none or a guard objects."""
    if conflict(one, other):
        return None
    first, second = key_of(one), key_of(other)
    if first == second:
        return "same name", 1.0
    if one.type == "company" and _share_ticker(one, other):
        return "ticker", 0.95
    if first in map(name_key, other.aliases) or second in map(name_key, one.aliases):
        return "alias", 0.95
    return _other_spelling(one, other)


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


def _by_other_blocks(by_key: Mapping[str, Sequence[Entity]]) -> Iterator[Merge]:
    """Names of different keys: the same letters, a middle initial, one mistyped letter."""
    found: dict[str, list[str]] = defaultdict(list)
    for key, entities in by_key.items():
        for block in {block for entity in entities for block in blocks(entity)[1:]}:
            found[block].append(key)
    for keys in found.values():
        if 1 < len(keys) <= LARGEST_BLOCK:
            yield from _across(keys, by_key)


def _across(keys: Sequence[str], by_key: Mapping[str, Sequence[Entity]]) -> Iterator[Merge]:
    for place, key in enumerate(keys):
        for entity in by_key[key]:
            merge = _best(entity, [other for earlier in keys[:place] for other in by_key[earlier]])
            if merge is not None:
                yield merge


def _other_spelling(one: Entity, other: Entity) -> tuple[str, float] | None:
    """Reason and score where the keys differ as two ways of writing one name do.

    Of people more must be known: "Andersen" and "Anderson" of one firm may be one, of no firm they are two.
    """
    if not (has_variants(one) and has_variants(other)):
        return None
    first, second = key_of(one), key_of(other)
    if one.type == "person" and not (one.context.get("firm") and other.context.get("firm")):
        return None
    if _skeleton(first) == _skeleton(second):
        return "blanks, accents or abbreviation", 0.93
    if one.type == "person" and _without_initials(first) == _without_initials(second):
        return "middle initial", 0.9
    return ("spelling", 0.9) if _one_letter_apart(first, second) else None


@lru_cache(maxsize=1 << 16)
def _skeleton(key: str) -> str:
    """The letters and digits of a key without blanks and accents, usual abbreviations written out.

    >>> _skeleton("jp morgan"), _skeleton("société générale"), _skeleton("acme intl")
    ('jpmorgan', 'societegenerale', 'acmeinternational')
    """
    words = "".join(abbreviations().get(word, word) for word in key.split())
    return "".join(char for char in unicodedata.normalize("NFKD", words) if not unicodedata.combining(char))


def _without_initials(key: str) -> list[str]:
    return [word for word in key.split() if len(word) > 1]


def _initials_exclude(one: Sequence[str], other: Sequence[str]) -> bool:
    """True where both have initials or generations and they differ; an initial left out excludes nothing."""
    first, second = _letters(" ".join(one)), _letters(" ".join(other))
    generations = {word for word in (*first, *second) if len(word) > 1}
    return bool(first and second and first != second) or bool(generations and first != second)


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
    for name in sorted((one.keys() & other.keys()) - NOTES):
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
