"""Companies named as the market does: initials (P&G), blends (BofA, CapOne), tickers, brands, slips of the pen.

What is found is written out in the question, so that the search for words, the graph and the answer know it too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from operator import attrgetter

from ....core.names import is_chinese, name_key
from ....core.patterns import on_demand
from ....core.records import dataclass
from ....core.sequences import overlaps_one
from ....core.words import is_english, search_words
from ....kg.store import DocumentRecord, Store
from ..entity_linking import link_entities
from ..question import rewritten
from ..vocabulary.vocabulary import KnownNames
from .catalogue import Catalogue
from .companies import CompanyIndex
from .name_letters import (
    LEAST_BLEND,
    LEAST_SPELLING,
    LONG_NAME,
    WAYS,
    How,
    is_generic,
    is_near,
    letters_of,
    ordinary_capitals,
)

_TOKEN = on_demand(r"[A-Za-z][A-Za-z0-9]*(?:[&.’'-][A-Za-z0-9]+)*")
_SHORT_NAME = on_demand(r"\b(?=[A-Za-z]{0,10}[a-z])[A-Z][A-Za-z]{0,10}[A-Z][A-Za-z]{0,10}\b")
"""With a small letter and two capitals: "GM" may as well shorten a term."""
_POSSESSIVE = on_demand(r"['’]s?$", re.IGNORECASE)
_CAPITAL_OR_AND = on_demand(r"[A-Z]|&")
_OWNS = "(?:maker|owner|parent|operator|manufacturer|producer|creator|publisher|giant)"
_OWNER_OF = on_demand(rf"\b(?:the |an? )?{_OWNS}(?: company)? (?:of|behind) (?:the )?$", re.IGNORECASE)
_OWNER = on_demand(rf"\A[ -]{_OWNS}\b", re.IGNORECASE)
"""Who makes or owns a thing is the company itself: "the iPhone maker", "the maker of Photoshop"."""
_ARTICLE = on_demand(r"\b(?:the|an?) $", re.IGNORECASE)
_LONGEST_BRAND = 3
"""Words."""
_JOINED_BEFORE = on_demand(r"(?:\b(?:and|or|versus|vs\.?|than|with|to)|[,&])\s{1,2}(?:the )?$", re.IGNORECASE)
_JOINED_BEHIND = on_demand(r"(?:['’]s)?(?:\s(?:and|or|versus|vs\.?|&)\s|,\s)", re.IGNORECASE)
_REACH = 12
"""Characters before a word in which what joins it to another stands."""
_CODES = ("ticker", "initials")
_MOST_RELATIONS = 100
_SEVERAL_WORDS = on_demand(r"\w\W{1,3}\w{2}")
_SAMPLED = 20
"""Chunks with a word that are looked at to see whose word it is."""
_OFTEN = 5
"""Chunks in which the name of a product stands: a competitor's is told of in one or two."""
_MOSTLY = 0.8
"""Share of these chunks that write the word with its capital."""
_NO_PARTS = (
    "company",
    "organization",
    "person",
    "place",
    "regulator",
    "regulation",
    "market",
    "industry",
    "metric",
    "role",
)
"""Types of the graph whose members are no part of the company that writes of them."""


@dataclass(frozen=True, slots=True)
class NameReading:
    """Characters ``start`` to ``end`` of a question, ``written`` there, and the company that they mean."""

    start: int
    end: int
    written: str
    name: str
    how: How


def read_market_names(
    text: str, catalogue: Catalogue, store: Store, known: KnownNames, ordinary: frozenset[str]
) -> list[NameReading]:
    """Names in a question that no document has, each with the one company of the store that it fits, in order.

    ``known`` are the names that the market uses; ``ordinary`` are words in lower case that are no names, such as those
    of metrics.
    """
    index = catalogue.companies
    if not index.names:
        return []
    mentions = index.mentions(text)
    own = {index.names.get(key, "") for *_, key in mentions}  # "Amazon's AWS" asks of a part of the company
    taken = [(start, end) for start, end, _ in mentions]
    found = [reading for reading in _brands(text, index, known, taken) if reading.name not in own]
    taken += [(reading.start, reading.end) for reading in found]
    tokens = [token for token in _candidates(text, ordinary) if not _overlaps(token, taken)]
    if tokens:
        found += [reading for reading in _fitting(tokens, catalogue, store) if reading.name not in own]
    if not taken and not found:
        found = _by_joint_spelling(text, index) or _by_part_of_company(text, tokens, catalogue, store)
    else:
        found += _beside_others(text, tokens, own.union(map(attrgetter("name"), found)), catalogue, store)
    found += _by_alias(text, index, store, taken)
    found += _short_for_others(text, known, store, taken)
    return sorted(found, key=lambda reading: reading.start)


def _beside_others(
    text: str, tokens: Iterable[_Token], named: Collection[str], catalogue: Catalogue, store: Store
) -> list[NameReading]:
    """Readings by a later word of a name that is set beside the companies named."""
    joined = filter(partial(_is_joined, text), tokens)
    return [reading for reading in _by_later_word(joined, catalogue, store) if reading.name not in named]


def _is_joined(text: str, token: _Token) -> bool:
    """True for a word that is set beside another: "TI or Smucker", "than Smucker"."""
    before = _JOINED_BEFORE.search(text, max(0, token.start - _REACH), token.start)
    return before is not None or _JOINED_BEHIND.match(text, token.start + len(token.written)) is not None


def _by_alias(text: str, index: CompanyIndex, store: Store, taken: Sequence[tuple[int, int]]) -> Iterator[NameReading]:
    """Chinese names that documents give a company which files in English: "海文机器人（Halvern Robotics, Inc.）"."""
    for link in link_entities(store, text, similar=False) if is_chinese(text) else ():
        start = text.find(link.written)
        keys = index.find(link.entity.name) if link.how == "alias" and is_chinese(link.written) else ()
        if start < 0 or len(keys) != 1:
            continue
        reading = NameReading(start, start + len(link.written), link.written, index.names[keys[0]], "alias")
        if not _overlaps(reading, taken):
            yield reading


def _short_for_others(
    text: str, known: KnownNames, store: Store, taken: Sequence[tuple[int, int]]
) -> Iterator[NameReading]:
    """ "PwC" for PricewaterhouseCoopers, whom documents name: a short name with capitals within that none prints."""
    for match in _SHORT_NAME.finditer(text):
        key = match[0].lower()
        name = "" if key in known.parts else known.companies.get(key, "")
        reading = NameReading(match.start(), match.end(), match[0], name, "brand")
        if not name or _overlaps(reading, taken):
            continue
        is_printed = any(store.document_frequency(search_words(key)).values())
        if not is_printed and link_entities(store, name, similar=False):
            yield reading


def _by_part_of_company(text: str, tokens: Sequence[_Token], catalogue: Catalogue, store: Store) -> list[NameReading]:
    """Readings by a later word of a company's name, else by its segment, else by its product.

    A word beside another with a capital is a piece of another name: "Realty Income" is not ACRES Commercial Realty,
    nor is the Las Vegas Arena Company a product.
    """
    alone = [token for token in tokens if not any(map(token.is_beside, tokens))]
    return (
        list(_by_later_word(alone, catalogue, store))
        or _by_segment(text, catalogue, store)
        or _by_product(alone, catalogue, store)
    )


def _by_joint_spelling(text: str, index: CompanyIndex) -> list[NameReading]:
    """ "American Watr", "American Waterworks": two words side by side that are nearly the beginning of one name."""
    found: list[NameReading] = []
    for first, second in pairwise(_candidates(text, frozenset())):
        if not first.is_beside(second):
            continue
        end = second.start + len(second.written)
        written = text[first.start : end]
        plain = letters_of(written).lower()
        names = [name for name in index.names.values() if _begins_nearly(name, plain)]
        if len(plain) >= LONG_NAME and len(names) == 1:
            found.append(NameReading(first.start, end, written, names[0], "spelling"))
    return found[:1]


def _begins_nearly(name: str, plain: str) -> bool:
    """True where the first words of a name, two of them or more, are these letters but for one slip."""
    words = name_key(name).split()
    beginnings = ("".join(words[:count]) for count in range(2, len(words) + 1))
    return any(is_near(plain, beginning, 1) for beginning in beginnings)


def _by_later_word(tokens: Iterable[_Token], catalogue: Catalogue, store: Store) -> Iterator[NameReading]:
    """ "Epson" for Seiko Epson: a word within the name of one company alone."""
    for token in tokens:
        plain = token.written.lower()
        if len(plain) < LEAST_BLEND or is_generic(plain):
            continue
        named = catalogue.companies.names.items()
        fitting = [(key, name) for key, name in named if plain in name_key(name).split()[1:]]
        if len(fitting) != 1:
            continue
        ((key, name),) = fitting
        if _stands_only_in(catalogue.by_company[key], token, store):
            yield NameReading(token.start, token.end, token.written, name, "word")


def _by_segment(text: str, catalogue: Catalogue, store: Store) -> list[NameReading]:
    """ "Rotary and Mission Systems" for the company whose segment it is: a name of two words that one company has."""
    found: list[NameReading] = []
    for link in link_entities(store, text, similar=False):
        if link.entity.type != "segment" or not _SEVERAL_WORDS.search(link.written) or link.written.islower():
            continue
        keys: set[str] = set()
        for relation in store.subgraph([link.entity.id], _MOST_RELATIONS).relations:
            if relation.relation == "has_segment" and relation.tail.id == link.entity.id:
                keys.update(catalogue.companies.find(relation.head.name))
        if len(keys) == 1:
            name = catalogue.companies.names[keys.pop()]
            start = text.find(link.written)
            found.append(NameReading(start, start + len(link.written), link.written, name, "part"))
    return found[:1]


def _by_product(tokens: Sequence[_Token], catalogue: Catalogue, store: Store) -> list[NameReading]:
    """ "Comirnaty" for a part of Pfizer: a name that the documents of one company alone hold, and hold often.

    Where two names of a question lead to two companies, neither is taken.
    """
    found: list[NameReading] = []
    for token in tokens:
        words = search_words(token.written)
        if len(token.written) < LEAST_SPELLING or is_generic(token.written.lower()) or len(words) != 1:
            continue
        if store.document_frequency(words).get(words[0], 0) < _OFTEN or _is_no_part(token, store):
            continue
        owner = _only_owner(words, token.written, catalogue, store)
        if owner:
            found.append(NameReading(token.start, token.end, token.written, owner, "part"))
    return found if len({reading.name for reading in found}) == 1 else []


def _is_no_part(token: _Token, store: Store) -> bool:
    """True for somebody of one's own: a competitor or a customer is no part of the company that writes of it."""
    links = link_entities(store, token.written, similar=False)
    return any(link.entity.type in _NO_PARTS for link in links)


def _only_owner(words: Sequence[str], written: str, catalogue: Catalogue, store: Store) -> str:
    """The company whose documents alone hold the word, as a name: with its capital; "" where there is none."""
    hits = store.matching(set(words), _SAMPLED)
    ids = [hit.id for hit in hits]
    if len(ids) < _OFTEN:
        return ""
    sources = frozenset(store.sources_of(ids).values())
    owners = [key for key, own in catalogue.by_company.items() if sources <= {record.source for record in own}]
    if len(owners) != 1 or owners[0] not in catalogue.companies.names:
        return ""
    naming = sum(written in chunk.text for chunk in store.chunks(ids))
    return catalogue.companies.names[owners[0]] if naming >= _MOSTLY * len(ids) else ""


def _stands_only_in(records: Iterable[DocumentRecord], token: _Token, store: Store) -> bool:
    """Whether the chunks that say the word most are all of these documents; "Machines" is a word of many."""
    own = set(map(attrgetter("source"), records))
    hits = store.matching(set(search_words(token.written)), _SAMPLED)
    return own.issuperset(store.sources_of([hit.id for hit in hits]).values())


def _fitting(tokens: Sequence[_Token], catalogue: Catalogue, store: Store) -> Iterator[NameReading]:
    """The words that fit one company each; how often a word stands in the store tells what it may be."""
    terms = [search_words(token.written) for token in tokens]
    frequency = store.document_frequency(set(chain.from_iterable(terms)))
    for token, words in zip(tokens, terms, strict=True):
        standing = max((frequency.get(word, 0) for word in words), default=0)
        fit = _fit(token.written, standing, catalogue.companies)
        if fit is None or (fit[1] in _CODES and standing and _is_of_others(token, fit[0], catalogue, store)):
            continue
        yield NameReading(token.start, token.end, token.written, *fit)


def _is_of_others(token: _Token, name: str, catalogue: Catalogue, store: Store) -> bool:
    """True for letters that only the documents of others print: "FTC" of Amazon's suit is no ticker of Foot Locker, nor
    is Boeing's "BA" Blue Apron."""
    hits = store.matching(set(search_words(token.written)), _SAMPLED)
    chunks = store.chunks([hit.id for hit in hits])
    sources = store.sources_of([chunk.id for chunk in chunks if token.written in chunk.text])
    owners = (key for key, own in catalogue.companies.names.items() if own == name)
    own = {record.source for record in catalogue.records_about(owners)}
    return all((sources, own.isdisjoint(sources.values())))


def written_out(text: str, readings: Sequence[NameReading]) -> str:
    """The question with the names that documents use; a part of a company keeps its own beside the company's.

    >>> written_out("How large is AWS?", [NameReading(13, 16, "AWS", "Amazon.com", "part")])
    "How large is Amazon.com's AWS?"
    """
    for reading in sorted(readings, key=lambda reading: -reading.start):
        before, behind = text[: reading.start], text[reading.end :]
        owns = any((_OWNER_OF.search(before), _OWNER.match(behind)))
        if owns and reading.how == "part":
            owner_before, owner_behind = _OWNER_OF.sub("", before), _OWNER.sub("", behind, count=1)
            text = f"{_ARTICLE.sub('', owner_before)}{reading.name}{owner_behind}"
        else:
            text = f"{before}{_in_full(reading)}{behind}"
    return text


def _in_full(reading: NameReading) -> str:
    if reading.how != "part":
        return reading.name
    whose = "的" if is_chinese(reading.written) else "'s "
    return f"{reading.name}{whose}{reading.written}"


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of the question that may name a company."""

    start: int
    end: int
    written: str

    def is_beside(self, other: _Token) -> bool:
        """True where one blank or mark stands between the two."""
        return other.start == self.end + 1 or other.start == self.start - 1 - len(other.written)


def _candidates(text: str, ordinary: frozenset[str]) -> Iterator[_Token]:
    """Words that may name a company: those with a capital; where none has one, codes ("nflx revenue 2017")."""
    is_small = text.islower()
    for match in _TOKEN.finditer(text.upper() if is_small else text):
        written = _POSSESSIVE.sub("", match[0]).rstrip(".")
        plain = written.lower()
        if len(written) < 2 or plain in ordinary or written in ordinary_capitals():
            continue
        if _is_code(plain) if is_small else _CAPITAL_OR_AND.search(written):
            yield _Token(match.start(), match.start() + len(written), written)


def _is_code(word: str) -> bool:
    """True for a word that is no English and short for nothing: "intl" is no ticker of Intel's."""
    return len(word) >= LEAST_BLEND and not is_english(word) and rewritten(word) == word


def _overlaps(part: _Token | NameReading, taken: Iterable[tuple[int, int]]) -> bool:
    return overlaps_one(part.start, part.end, taken)


def _brands(
    text: str, index: CompanyIndex, known: KnownNames, taken: Sequence[tuple[int, int]]
) -> Iterator[NameReading]:
    """Well-known names whose company has documents here; the longest at each place."""
    if is_chinese(text):
        yield from _chinese_brands(text, index, known, taken)
    tokens = list(_TOKEN.finditer(text))
    at = 0
    while at < len(tokens):
        reading = _brand_at(text, tokens, at, index, known)
        if reading is None or _overlaps(reading, taken):
            at += 1
            continue
        yield reading
        at += 1 + reading.written.count(" ")


def _brand_at(
    text: str, tokens: Sequence[re.Match[str]], at: int, index: CompanyIndex, known: KnownNames
) -> NameReading | None:
    for count in range(min(_LONGEST_BRAND, len(tokens) - at), 0, -1):
        start = tokens[at].start()
        written = _POSSESSIVE.sub("", text[start : tokens[at + count - 1].end()])
        if written[:1].islower() and count == 1 and len(written) < LEAST_SPELLING:
            continue  # "cat", "tide"
        company = known.companies.get(written.lower()) or known.own_names.get(written.lower(), "")
        name = company_here(company, index, known)
        if name:
            return NameReading(start, start + len(written), written, name, _kind_of(written, known))
    return None


def _chinese_brands(
    text: str, index: CompanyIndex, known: KnownNames, taken: Sequence[tuple[int, int]]
) -> Iterator[NameReading]:
    for brand, company in known.companies.items():
        start = text.find(brand)
        if start < 0 or not is_chinese(brand):
            continue
        reading = NameReading(
            start, start + len(brand), brand, company_here(company, index, known), _kind_of(brand, known)
        )
        if reading.name and not _overlaps(reading, taken):
            yield reading


def _kind_of(written: str, known: KnownNames) -> How:
    return "part" if written.lower() in known.parts else "brand"


def company_here(company: str, index: CompanyIndex, known: KnownNames) -> str:
    """The name that documents have for a company by its own name or its ticker; "" where there are none of it."""
    codes = (name.upper() for name in known.short_names.get(company, ()) if name.isascii())
    for called in (company, *codes):
        keys = index.find(called)
        if len(keys) == 1:
            return index.names.get(keys[0], "")
    return ""


def _fit(written: str, standing: int, index: CompanyIndex) -> tuple[str, How] | None:
    """The one company that a word fits, and how; ``standing`` is the number of chunks that have the word."""
    for way in WAYS:
        if standing > way.most_standing or not way.may_be(written):
            continue
        names = [name for key, name in index.names.items() if way.fits(written, name, index.full_names[key])]
        if len(names) == 1:
            return names[0], way.how
    return None
