"""Names in a question: runs of words with capitals, and the entities of the graph that they mean, exactly, by an alias,
or nearly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Literal

from ...core.names import name_key
from ...core.patterns import on_demand
from ...core.records import dataclass
from ...ingest.facts.metrics import MetricList
from ...kg.graph import Entity
from ...kg.resolution.people import long_given_name
from ...kg.store import Store
from .wording.answer_type import ordinary_words

_CAPITALISED = on_demand(r"[A-Z](?:(?![\u4e00-\u9fff])[\w&’'.-])*")
_WITHIN_WORD = on_demand(r"[^\W_\u4e00-\u9fff]\Z")
_JOINT = on_demand(r"\.?\s+(?:(?:of|and|&|the|de|[A-Z]\.)\s+)?")
_SENTENCE_START = on_demand(r"(?<!\b[A-Z])(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)[.?!:]\s+$")
"""A full stop, but behind an initial or a form of address."""
GENERATION = on_demand(r" (?:jr|sr|ii|iii|iv)\.?$")
_CAPITAL_NEXT = on_demand(r"\s+[A-Z]")
_LONGEST = 7
_LONGEST_CHINESE = 14
_SIMILAR = 0.87
"""Ratio of Ratcliff and Obershelp from which two names are taken for one."""
_NEAREST, _NEAR = 3, 12
"""Entities with a name like the one written: those that may be a slip of the pen, and those of whose names it may be a
part."""
_OWNS = on_demand(r"['’]s?\b")
_ABBREVIATION = 4
"""Letters up to which a name in capitals is meant only where it is written so."""
_LATIN = r"[^\W\u3400-\u9fff]"
"""A character of a word that is not Chinese: in "Apple的收入" the name ends before the next word."""
_TOKEN = on_demand(rf"[A-Za-z0-9](?:{_LATIN}|[&.’'\-])*")
_CHINESE_RUN = on_demand(r"[\u4e00-\u9fff]{2,}")
_CAPITAL = rf"[A-Z](?:{_LATIN}|[&.\-]|['’](?=[A-Z]))*"
_CAPITALS = on_demand(rf"{_CAPITAL}(?:\s+(?:of |the |and |& )?{_CAPITAL})*")
_SHORT = 4
"""Letters up to which words in capitals are near too many names."""
_OF_SOMETHING = on_demand(r"-(?:related|based|driven|linked|induced|specific|adjusted|era|like|free|wide)$")
"""What makes an adjective of an abbreviation: "COVID-related pressures" names nobody."""
_DATED = on_demand(r"(?:FY|CY|Q[1-4]|H[12])[\s\d'/-]*")
_POSSESSIVE = on_demand(r"['’]s?$")
_ADDRESS = frozenset({"mr", "ms", "mrs", "dr"})
_PLAIN_TYPES = ("metric", "role", "thing")
"""Types whose names are ordinary words: linked only when written with a capital."""


def capitalised_names(text: str, metrics: MetricList) -> list[tuple[str, int, int]]:
    """Runs of capitalised words that are no words of asking or measuring, as (name, start, end).

    >>> from cliquerag.ingest.facts.metrics import default_metrics
    >>> capitalised_names("Did the Bank of Norrland fund Acme's plant?", default_metrics())
    [('Bank Norrland', 8, 24), ('Acme', 30, 34)]
    """
    found: list[tuple[str, int, int]] = []
    for match in _CAPITALISED.finditer(text):
        word = _POSSESSIVE.sub("", match[0].rstrip(".,'’"))
        if not _may_be_name(word, match, metrics):
            continue
        start, end = match.start(), match.start() + len(word)
        if found and _joins(text[found[-1][2] : start]):
            name, start, _ = found.pop()
            word = f"{name} {word}"
        found.append((word, start, end))
    return found


def _joins(between: str) -> bool:
    """True for what stands within one name: "of", "&"; "and" stands between two."""
    return _JOINT.fullmatch(between) is not None and " and " not in between


def _may_be_name(word: str, match: re.Match[str], metrics: MetricList) -> bool:
    """True for a word with a capital that has it for a name, not for its place or its meaning."""
    text, at = match.string, match.start()
    if _WITHIN_WORD.search(text, 0, at):
        return False
    if _is_ordinary(word, metrics):
        return False
    begins_sentence = at == 0 or _SENTENCE_START.search(text[:at]) is not None
    is_owner = word != match[0] or not word[1:].islower()  # "BofA"
    return not begins_sentence or is_owner or _names_owner(text[match.end() :], metrics)


def _names_owner(after: str, metrics: MetricList) -> bool:
    """True where what follows the first word of a question shows it to be a name: "Acme Steel", "Acme net income"."""
    if _CAPITAL_NEXT.match(after):
        return True
    words = after.lower().split()
    beginnings = {" ".join(words[:count]) for count in (1, 2, 3)}
    return not beginnings.isdisjoint(metrics.names)


def _is_ordinary(word: str, metrics: MetricList) -> bool:
    """True for words of asking and measuring, letters, and abbreviations ("EPS", "Qs"), which may be measures."""
    if len(word) < 2 or _OF_SOMETHING.sub("", word).removesuffix("s").isupper():
        return True
    plain = word.lower()
    return plain in ordinary_words() or plain in measure_words(metrics)


@cache
def measure_words(metrics: MetricList) -> frozenset[str]:
    words: set[str] = set()
    for name in metrics.names:
        words.update(name.lower().split())
    return frozenset(filter(str.isascii, words))


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
    outside = (_Span(name, name_key(name)) for name in names)
    spans = [span for span in (*_spans(question), *outside) if span.key]
    links, taken = _named_exactly(store, spans)
    for near in _similar_entities(store, question, taken) if similar else ():
        links = {id: link for id, link in links.items() if link.written not in near.written.split()}
        links.setdefault(near.entity.id, near)
    return sorted(links.values(), key=lambda link: question.find(link.written))


def _named_exactly(store: Store, spans: Sequence[_Span]) -> tuple[dict[str, LinkedEntity], list[_Span]]:
    """The entities that words name by their own name or an alias, and the words that are used up by that."""
    known = _by_key(store.find_entities({span.key for span in spans}))
    links: dict[str, LinkedEntity] = {}
    taken: list[_Span] = []
    for span in sorted(spans, key=_longest_first):
        if span.key not in known or span.overlaps(taken):
            continue
        entity = _best_of(known[span.key], span)
        if _is_meant(entity, span.written):
            how: Literal["exact", "alias"] = "exact" if span.key == entity.key else "alias"
            links.setdefault(entity.id, LinkedEntity(entity, span.written, how))
            if entity.type != "person" or " " in span.written:  # "James" may be a part of "James Murren"
                taken.append(span)
    return links, taken


def keys_of(question: str) -> Iterator[str]:
    """The name keys of all that may be a name in a question, what :func:`link_entities` looks up: worked out when they
    are read, for an engine that reads ahead alone does."""
    for span in _spans(question):
        if span.key:
            yield span.key


@dataclass(frozen=True, slots=True)
class _Span:
    """Words that may be a name, its key, and where they stand in the question; nowhere: at -1."""

    written: str
    key: str
    start: int = -1
    end: int = -1

    def overlaps(self, others: Iterable[_Span]) -> bool:
        return any(self.start < other.end and other.start < self.end for other in others)


def _longest_first(span: _Span) -> tuple[int, int]:
    return span.start - span.end, span.start


def _by_key(entities: Sequence[Entity]) -> dict[str, list[Entity]]:
    known: dict[str, list[Entity]] = {}
    for entity in entities:
        for key in entity.keys:
            known.setdefault(key, []).append(entity)
    return known


def _best_of(namesakes: Sequence[Entity], span: _Span) -> Entity:
    """Of those of one key the one that is called just so ("Acme Ltd." is not "Acme Corp."), by its own name rather than
    by an alias; else the first that the store gives."""
    return max(namesakes, key=lambda entity: (_is_called(entity, span.written), span.key == entity.key))


def _is_called(entity: Entity, written: str) -> bool:
    return written == entity.name or written in entity.aliases


@lru_cache(maxsize=64)
def _spans(question: str) -> tuple[_Span, ...]:
    """All that may be a name in a question, asked for before it is understood and again as it is."""
    return tuple(_all_spans(question))


def _all_spans(question: str) -> Iterator[_Span]:
    tokens = list(_TOKEN.finditer(question))
    for at, token in enumerate(tokens):
        for last in tokens[at : at + _LONGEST]:
            written = question[token.start() : last.end()]
            for form in (written, _POSSESSIVE.sub("", written)):
                yield _Span(form, name_key(form), token.start(), last.end())
    for run in _CHINESE_RUN.finditer(question):
        for start, end in _parts(run.start(), run.end()):
            yield _Span(question[start:end], name_key(question[start:end]), start, end)


def _parts(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Every part of two characters and more, as long as a name may be."""
    for first in range(start, end):
        for last in range(first + 2, min(first + _LONGEST_CHINESE, end) + 1):
            yield first, last


def _is_meant(entity: Entity, written: str) -> bool:
    name = entity.name
    is_in_capitals = name.isupper() and name.isascii() and name.isalpha()
    if is_in_capitals and not written.isupper():
        return len(name) > _ABBREVIATION  # "Who" is not the WHO
    if not written.islower():
        return True
    return " " in written and entity.type not in _PLAIN_TYPES


def _similar_entities(store: Store, question: str, taken: Sequence[_Span]) -> Iterator[LinkedEntity]:
    """What words with capitals that name nothing exactly may mean."""
    for run in _CAPITALS.finditer(question):
        span = _Span(run[0], name_key(run[0]), run.start(), run.end())
        is_name = len(run[0]) > _SHORT and not _DATED.fullmatch(run[0])
        is_more = span.start > 0 or " " in run[0] or _OWNS.match(question, span.end)
        if is_more and is_name and not span.overlaps(taken):
            entity = _similar(store, span)
            if entity is not None:
                yield LinkedEntity(entity, span.written, "similar")


def _similar(store: Store, span: _Span) -> Entity | None:
    """What is spelt nearly so, else the one that a part of its name stands for."""
    near = store.similar_entities(_with_long_name(span.written), _NEAR)
    for entity in near[:_NEAREST] if span.start > 0 else ():
        if any(SequenceMatcher(None, span.key, own).ratio() >= _SIMILAR for own in entity.keys):
            return entity
    meant = [entity for entity in near if _stands_for(span.key, entity)]
    is_clear = len({entity.key for entity in meant}) == 1  # namesakes are told apart by what is asked of them
    return meant[0] if is_clear and span.key not in ordinary_words() else None


def _with_long_name(written: str) -> str:
    """ "Timothy Cook" for "Tim Cook"; what begins with no short form of a given name as it is."""
    first, blank, rest = written.partition(" ")
    given = long_given_name(first.lower())
    return written if given == first.lower() or not blank else f"{given.capitalize()} {rest}"


def _stands_for(key: str, entity: Entity) -> bool:
    """True for the first words of a company's name, for the first and last of a person's, and for "Mr. Lee"; the first
    also in its short form: "Tim" for "Timothy".

    >>> _stands_for("vexel", Entity("1", "Vexel Automation SE", "company", "vexel automation"))
    True
    >>> _stands_for("ann lee", Entity("2", "Ann Marie Lee III", "person", "ann marie lee iii"))
    True
    """
    if entity.type == "company":
        return any(own.startswith(f"{key} ") for own in entity.keys)
    first, _, last = key.rpartition(" ")
    if entity.type != "person" or not first or " " in first:
        return False
    given = {""} if first in _ADDRESS else {f"{first} ", f"{long_given_name(first)} "}
    names = [GENERATION.sub("", own) for own in entity.keys]
    return any(own.startswith(tuple(given)) and own.endswith(f" {last}") for own in names)


def as_data(links: Sequence[LinkedEntity]) -> list[Mapping[str, str]]:
    """For the trace."""
    return [{"name": k.entity.name, "type": k.entity.type, "written": k.written, "how": k.how} for k in links]
