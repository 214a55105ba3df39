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
from hashlib import blake2b
from itertools import combinations, filterfalse, starmap

from ...core.ids import stable_id
from ...core.names import abbreviations, forms_differ, is_chinese, legal_form, name_key
from ...core.patterns import on_demand
from ...core.sequences import grouped
from ..graph import NOTES, Entity, Merge
from .people import long_given_name, may_be_one

_LEAST_LETTERS = 7
"""Letters of a word in which one mistyped letter is forgiven."""
LARGEST_BLOCK = 64
"""Names that share all words but one; a larger block is a form ("Fund ..."), not a misspelling, and is left alone."""
NEAR_TYPES = frozenset({"company", "organization", "person"})
"""Types whose names are written in many ways; all others meet under their key alone."""
_SERIAL = frozenset({"ii", "iii", "iv", "vi", "vii", "viii", "ix", "jr", "sr"})
_COMPARED = 8
"""Of those that an entity matches, looked at for two that exclude each other."""
REASONS = frozenset(
    {
        *("same name", "ticker", "alias", "spelling", "middle initial"),
        *("blanks, accents or abbreviation", "short form of the given name"),
    }
)
"""All that :func:`match` gives."""
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
        near = {other.id: other for other in candidates.get(key_of(entity), ())}
        for block in blocks(entity):
            for other in seen[block]:
                near[other.id] = other
            seen[block].append(entity)
        near.pop(entity.id, None)
        merge = _best(entity, list(near.values()))
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
        found.append(f"{long_given_name(words[0])} .. {words[-1]}")
    if len(words) > 1:
        found.extend(_mistyped(words))
    return tuple(found)


def _mistyped(words: Sequence[str]) -> Iterator[str]:
    """A name with each long word cut down to what one mistyped letter leaves as it is."""
    for place, word in enumerate(words):
        if len(word) < _LEAST_LETTERS:
            continue
        # One mistyped letter leaves the first four or the last three: seven letters hold both.
        for part in (word[:4], f"{word[0]}-{word[-3:]}"):
            yield " ".join((*words[:place], "\x00" + part, *words[place + 1 :]))


def has_variants(entity: Entity) -> bool:
    """True where a name may be spelt in other ways than those that its key levels."""
    if entity.type not in NEAR_TYPES or is_chinese(entity.name):
        return False
    return len(key_of(entity)) >= _LEAST_SKELETON


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
    by_key = grouped(unique.values(), key=key_of)
    merges: list[Merge] = []
    for namesakes in by_key.values():
        merges.extend(_within(namesakes))
    merges.extend(_by_ticker(unique.values()))
    merges.extend(_by_other_blocks(by_key))
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
    by_type = _CONFLICTS.get(one.type, _serial_letters)(one, other)
    return by_type or _context_conflict(one.context, other.context)


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
    """With the best of those that an entity matches, the first of equals; None where they exclude each other."""
    fitting = [(other, match(entity, other)) for other in others]
    found = [(other, *reason) for other, reason in fitting if reason]
    if not found or _exclude_each_other([other for other, _, _ in found]):
        return None
    into, reason, score = max(found, key=lambda fit: fit[2])
    return _merge(entity, into, reason, score)


def _exclude_each_other(others: Sequence[Entity]) -> bool:
    """True where two of them are certainly different: "Merck" fits Merck KGaA and Merck & Co., so it fits neither."""
    return any(starmap(conflict, combinations(others[:_COMPARED], 2)))


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
    """Each with the first that has the same ticker, stated or written as the name."""
    named: dict[str, Entity] = {}
    for entity in entities:
        for ticker in _tickers(entity):
            first = named.setdefault(ticker, entity)
            found = match(entity, first) if first is not entity else None
            if found and found[0] == "ticker":
                yield _merge(entity, first, *found)


def _tickers(entity: Entity) -> Iterable[str]:
    found = dict.fromkeys([entity.context.get("ticker", "")])
    if entity.name.isupper():
        found[entity.name] = None
    return filter(None, found)


def _by_other_blocks(by_key: Mapping[str, Sequence[Entity]]) -> Iterator[Merge]:
    """Names of different keys: the same letters, a middle initial, one mistyped letter."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for key, entities in by_key.items():
        for entity in entities:
            for block in blocks(entity)[1:]:
                found[block][key] = None
    for keys in found.values():
        if 1 < len(keys) <= LARGEST_BLOCK:
            yield from _across(list(keys), by_key)


def _across(keys: Sequence[str], by_key: Mapping[str, Sequence[Entity]]) -> Iterator[Merge]:
    """Merges of the entities of each key with those of the keys before it."""
    earlier: list[Entity] = []
    for key in keys:
        for entity in by_key[key]:
            merge = _best(entity, earlier)
            if merge is not None:
                yield merge
        earlier.extend(by_key[key])


def _other_spelling(one: Entity, other: Entity) -> tuple[str, float] | None:
    """Reason and score where the keys differ as two ways of writing one name do.

    Of people more must be known: "Andersen" and "Anderson" of one firm may be one, of no firm they are two.
    """
    if not (has_variants(one) and has_variants(other)):
        return None
    are_people = one.type == "person"
    if are_people and not (one.context.get("firm") and other.context.get("firm")):
        return None
    first, second = key_of(one), key_of(other)
    if _skeleton(first) == _skeleton(second):
        return "blanks, accents or abbreviation", 0.93
    if are_people and _without_initials(first) == _without_initials(second):
        return "middle initial", 0.9
    if are_people and may_be_one(one.name, other.name):
        return "short form of the given name", 0.9
    return ("spelling", 0.9) if _one_letter_apart(first, second) else None


@lru_cache(maxsize=1 << 16)
def _skeleton(key: str) -> str:
    """The letters and digits of a key without blanks and accents, usual abbreviations written out.

    >>> _skeleton("jp morgan"), _skeleton("société générale"), _skeleton("acme intl")
    ('jpmorgan', 'societegenerale', 'acmeinternational')
    """
    words = "".join(abbreviations().get(word, word) for word in key.split())
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", words)))


def _without_initials(key: str) -> list[str]:
    return [word for word in key.split() if len(word) > 1]


def _middle_initials(one: Entity, other: Entity) -> str:
    """An initial that is left out excludes nothing, a generation ("Jr") does."""
    first, second = _letters(key_of(one)), _letters(key_of(other))
    if first == second:
        return ""
    both_have_some = bool(first and second)
    return "middle initial" if both_have_some or max(map(len, (*first, *second))) > 1 else ""


def _serial_letters(one: Entity, other: Entity) -> str:
    return "" if _letters(key_of(one)) == _letters(key_of(other)) else "serial letter"


def _serial_or_form(one: Entity, other: Entity) -> str:
    found = _serial_letters(one, other)
    return found or ("legal form" if forms_differ(one.name, other.name) else "")


_CONFLICTS = {"person": _middle_initials, "company": _serial_or_form}
"""What else tells two names of a type apart; :func:`_serial_letters` for all other types."""


def _merge(entity: Entity, into: Entity, reason: str, score: float) -> Merge:
    return Merge(stable_id("merge", entity.id, into.id), entity.id, into.id, reason, score)


def _digits(key: str) -> list[str]:
    """The digits of each word that has some."""
    found = ["".join(filter(str.isdigit, word)) for word in key.split()]
    return list(filter(None, found))


def _letters(key: str) -> list[str]:
    """Single letters and Roman numbers at the end of a name: share classes, series, generations."""
    return [word for word in key.split()[1:] if len(word) == 1 or word in _SERIAL]


def _context_conflict(one: Mapping[str, str], other: Mapping[str, str]) -> str:
    """The first thing that both contexts name differently: a person's firm, a place's country, a ticker."""
    for name in sorted((one.keys() & other.keys()) - NOTES):
        if name_key(one[name]) != name_key(other[name]):
            return name
    return ""


def _share_ticker(one: Entity, other: Entity) -> bool:
    """True where a ticker of one is the ticker or the name of the other."""
    first, second = one.context.get("ticker"), other.context.get("ticker")
    if first is not None and first in (second, other.name):
        return True
    return second is not None and second == one.name


def _one_letter_apart(one: str, other: str) -> bool:
    """One letter more, less or other in one long word; never the first, never the last "s" of a plural."""
    first, second = one.split(), other.split()
    if len(first) != len(second) or len(first) < 2 or is_chinese(one):
        return False
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(pairs) != 1 or min(map(len, pairs[0])) < _LEAST_LETTERS:
        return False
    short, long = sorted(pairs[0], key=len)
    if short[0] != long[0] or long == short + "s":
        return False
    if len(long) == len(short):
        return sum(a != b for a, b in zip(short, long, strict=True)) == 1
    return any(short == long[:place] + long[place + 1 :] for place in range(len(long)))


_BYTES = 6
"""Of a block's hash: two that meet by chance cost a look, since the names themselves are compared."""


def spelling_blocks(entity: Entity) -> list[int]:
    """The blocks of an entity within its type but the first, its key, which has an index of its own.

    >>> one, other = Entity("1", "Wal-Mart", "company"), Entity("2", "Walmart", "company")
    >>> spelling_blocks(one) == spelling_blocks(other)
    True
    """
    return list(dict.fromkeys(_number(f"{entity.type}\0{block}") for block in blocks(entity)[1:]))


def _number(block: str) -> int:
    return int.from_bytes(blake2b(block.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest(), "big")


_WORD = on_demand(r"[^\W_]+")


def name_grams(name: str) -> list[str]:
    """The words of a name and the trigrams of each (pairs in Chinese), each once.

    >>> name_grams("Acme Inc")
    ['acme', 'acm', 'cme', 'inc']
    >>> name_grams("京东方")
    ['京东方', '京东', '东方']
    """
    grams: dict[str, None] = {}
    for word in _WORD.findall(unicodedata.normalize("NFKC", name).casefold()):
        size = 2 if is_chinese(word) else 3
        grams[word] = None
        grams.update(dict.fromkeys(word[i : i + size] for i in range(len(word) - size + 1)))
    return list(grams)


def likeness(one: str, other: str) -> float:
    """Dice coefficient of the grams of two names, 0 to 1.

    >>> likeness("Acme Inc", "ACME, Inc."), likeness("Acme", "Bolt")
    (1.0, 0.0)
    """
    a, b = set(name_grams(one)), set(name_grams(other))
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
