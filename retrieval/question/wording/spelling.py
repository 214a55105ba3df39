"""Slips of the pen, missing capitals: "deprecation" stands nowhere and is near "depreciation"; "pfizer" is Pfizer."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable
from functools import lru_cache, partial
from string import ascii_lowercase
from typing import Any

from ....core.names import is_chinese
from ....core.patterns import on_demand
from ....core.recent import Recent
from ....core.records import dataclass
from ....core.sequences import overlaps_one
from ....core.words import is_english, search_words
from ....kg.store import FactQuery, Store
from ..entity_linking import link_entities
from ..figures.operands import english_spans
from ..scope.catalogue import Catalogue
from ..scope.companies import CompanyIndex
from ..scope.name_letters import is_within, slips_between
from ..vocabulary.vocabulary import FormulaList

_WORD = on_demand(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")
_FIRST_LETTER = on_demand(r"(?<![\w'’])[a-z]")
_NOT_LETTERS = on_demand(r"[\W_]+")
_MONTH = on_demand(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"(?=[ ,.]*\d|\s+(?:quarter|half|to|through)\b)"
)
_ABBREVIATION = on_demand(r"\b(?:fy|q[1-4]|h[12]|cy)(?=[ '’]?\d|\b)|\b(?:10-[kq]|8-k|ceo|cfo)\b")
_TITLE_WORDS = frozenset(("The", "Of", "In", "To", "For", "By", "At", "On"))
"""Small words that a question in title case writes large: "Why Did Sales Fall In The First Quarter?"."""
_FEWEST = 3
"""Words from which the letters of a question tell anything."""
_SAMPLED = 20
"""Passages that are looked at to see how a word is written ..."""
_MOST_SMALL = 0.2
"""... and the share of them that may write a name in small letters ..."""
_LEAST_NAMED = 0.3
"""... and the share that has to write it with a capital and no other name behind it."""
_SHORTEST_TICKER = 3
_PLAIN_WORD = on_demand(r"(?:(?<![\w'’.&-])|(?<=\b[Nn]on-))[A-Za-z][a-z]{3,}(?![\w’'&-])")
_SHORTEST_WORD = 5
_ROW_WORD = on_demand(r"[a-z]{5,}")
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_TIME_WORDS = frozenset((*_MONTHS, "fiscal", "quarter", "ended", "months", "first", "second", "third", "fourth"))
"""Slips are put right to these too; May is too short, and a verb."""
_LEAST_STANDING = 3
"""Chunks in which a word stands that another is taken for."""
_LONG = 8
"""Letters from which two slips are forgiven; below, one."""
_MOST_DOCUMENTS = 5
"""Documents whose rows are looked through for a word."""
_MOST_FACTS = 20_000


@dataclass(frozen=True, slots=True)
class Corrected:
    """A text with words put right. ``taken`` are those as written, with what each was taken for."""

    text: str
    taken: tuple[tuple[str, str], ...] = ()


def correct(
    text: str, store: Store, catalogue: Catalogue, formulas: FormulaList, sources: Collection[str] = ()
) -> Corrected:
    """Put right what stands nowhere in the store and is near one word of a figure's name, of a row of ``sources``, or
    a company's name written without its apostrophe.

    Words in the middle of a sentence with a capital are names and stay. A store without passages tells no words apart.
    """
    if is_chinese(text):
        return Corrected(text)
    taken: dict[str, str] = {}
    passages = _Passages(store, catalogue.looked_up)
    for word in _unknown(text, passages, formulas):
        plain = word.lower()
        if is_english(plain):
            known = _in_name(plain, text, formulas)
        else:
            words = (_metric_words(formulas) | _TIME_WORDS, _row_words(store, sources))
            known = _in_store(plain, passages) or _meant(plain, *words)
        if known:
            taken[word] = known.capitalize() if word[0].isupper() else known
    for word, known in taken.items():
        text = re.sub(rf"(?<![\w’']){word}(?![\w’'])", known, text)
    return Corrected(_with_apostrophes(text, catalogue.companies), tuple(taken.items()))


def _in_name(word: str, text: str, formulas: FormulaList) -> str:
    """What completes the name of a figure in the place of a word of the language: "capitol expenditures"."""
    known = _nearest(word, _metric_words(formulas))
    meant = text.lower().replace(word, known or word)
    named = [meant[start:end].split() for start, end, _ in english_spans(meant, formulas)]
    return known if any(known in words[:-1] or known in words[1:] for words in named) else ""


def _in_store(word: str, passages: _Passages) -> str:
    """The one word that the documents print and another is a slip of; "" where there is none.

    The slips of a quick hand come first: two letters swapped, one too many, one of a double left out.
    """
    return _printed_one(word, _quick_slips(word), passages) or _printed_one(word, _one_letter_off(word), passages)


def _printed_one(word: str, written: Collection[str], passages: _Passages) -> str:
    stems = {other: search_words(other) for other in written}
    frequency = passages.store.document_frequency({stem for own in stems.values() for stem in own})
    standing = {other: min((frequency.get(stem, 0) for stem in own), default=0) for other, own in stems.items()}
    known = [other for other, count in standing.items() if count >= _LEAST_STANDING and passages.print(other)]
    return _form_of_one_word(word, known)


def _form_of_one_word(word: str, meant: Collection[str]) -> str:
    """Of the forms of one word the one with the number of the slip; "" for none, and for words of different meaning."""
    if len({tuple(search_words(other)) for other in meant}) != 1:
        return ""
    return min(meant, key=lambda other: (other[-1] != word[-1], len(other), other))


def _quick_slips(word: str) -> set[str]:
    """The words that one slip of a quick hand behind the first letter makes a word of."""
    cuts = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    changed = {f"{left}{right[1:2]}{right[:1]}{right[2:]}" for left, right in cuts}
    changed |= {f"{left}{right[1:]}" for left, right in cuts}
    changed |= {f"{left}{left[-1:]}{right}" for left, right in cuts}
    return changed - {word}


def _one_letter_off(word: str) -> set[str]:
    """The words that another or one more letter behind the first makes of a word that is long enough to be told."""
    ends = range(1, len(word) + 1) if len(word) > _SHORTEST_WORD else ()
    tails = [(word[:at], letter, word[at:]) for at in ends for letter in ascii_lowercase]
    return {f"{left}{letter}{right[skip:]}" for left, letter, right in tails for skip in (0, 1)} - {word}


@dataclass(frozen=True, slots=True)
class _Passages:
    """The passages of a store, and what was asked of them since the last write."""

    store: Store
    asked: Recent[Hashable, Any]

    def print(self, word: str) -> bool:
        """True where a passage prints a word just so: many slips have the stem of a word."""
        return bool(self.asked.made(("printed", word), partial(self._print, word)))

    def _print(self, word: str) -> bool:
        hits = self.store.matching(set(search_words(word)), _SAMPLED)
        plain = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
        return any(plain.search(chunk.text) for chunk in self.store.chunks([hit.id for hit in hits]))


def _meant(word: str, metrics: Collection[str], rows: Collection[str]) -> str:
    """The word of a figure's name, or else of a row, that an unknown one is a slip of; "" where it is none."""
    if word in rows:
        return ""
    return _nearest(word, metrics) or _nearest(word, rows)


def _unknown(text: str, passages: _Passages, formulas: FormulaList) -> list[str]:
    """Words of a text that neither a metric's name nor any document has; none where no word of it stands anywhere."""
    standing = frozenset(passages.store.known_words(set(search_words(text))))
    if not standing:
        return []
    known = _metric_words(formulas)
    unknown: dict[str, None] = {}
    for match in _PLAIN_WORD.finditer(text):
        word = match[0]
        is_name = match.start() > 0 and not word.islower()
        if is_name or len(word) < _SHORTEST_WORD:
            continue
        plain = word.lower()
        if plain not in known and not _stands(plain, standing, passages):
            unknown[word] = None
    return list(unknown)


def _stands(word: str, standing: frozenset[str], passages: _Passages) -> bool:
    """True for a word of the language that stands somewhere by its stems, and for any that a passage prints."""
    if not standing.issuperset(search_words(word)):
        return False
    return is_english(word) or passages.print(word)


@lru_cache(maxsize=8)
def _metric_words(formulas: FormulaList) -> frozenset[str]:
    words: set[str] = set()
    for name in (*formulas.names, *formulas.known.names):
        if name.isascii():
            words.update(name.split())
    return frozenset(word for word in words if len(word) >= _SHORTEST_WORD)


def _row_words(store: Store, sources: Collection[str]) -> frozenset[str]:
    """The words of the rows that documents print figures in."""
    if not 0 < len(sources) <= _MOST_DOCUMENTS:
        return frozenset()
    facts = store.facts(FactQuery(sources=tuple(sources), limit=_MOST_FACTS))
    words: set[str] = set()
    for label in {fact.label for fact in facts}:
        words.update(_ROW_WORD.findall(label.lower()))
    return frozenset(words)


def _nearest(word: str, known: Iterable[str]) -> str:
    """The one known word within reach; "" where there is none, or several of different meaning."""
    most = 2 if len(word) >= _LONG else 1
    slips: dict[str, int] = {}
    for other in known:
        if not is_within(word, other, most):
            continue
        count = slips_between(word, other, most)
        if count <= most and not _is_inflected(word, other):
            slips[other] = count
    least = min(slips.values(), default=0)
    return _form_of_one_word(word, [other for other, count in slips.items() if count == least])


def _is_inflected(word: str, other: str) -> bool:
    """True for two forms of one word: "stated" is no slip of "state"; "incom" is one, for no word looks like a stem."""
    stems = search_words(word)
    return stems == search_words(other) and stems != [word]


def _with_apostrophes(text: str, companies: CompanyIndex) -> str:
    """ "Pfizers net income" is Pfizer's, where no company is named otherwise."""
    if companies.find(text):
        return text
    return re.sub(r"\b([A-Z]\w{2,})s(?= )", lambda match: _possessive(match, companies), text)


def _possessive(match: re.Match[str], companies: CompanyIndex) -> str:
    return f"{match[1]}'s" if companies.find(match[1]) else match[0]


def with_capitals(text: str, store: Store, companies: CompanyIndex) -> str:
    """The text with the capitals of companies, tickers and entities of the graph, where its letters are all alike.

    In a text with letters of both kinds only companies get their capitals.
    """
    if is_chinese(text):
        return text
    if not _are_all_alike(text):
        return _with_company_capitals(text, store, companies)
    plain = _ABBREVIATION.sub(lambda match: match[0].upper(), text.lower())
    plain = _MONTH.sub(lambda match: match[0].title(), plain)
    named = _companies_in(plain, companies)
    for start, end in named:
        plain = plain[:start] + _titled(plain[start:end]) + plain[end:]
    if not named:
        plain = _WORD.sub(lambda match: _as_company(match[0], companies), plain)
    for link in link_entities(store, plain, similar=False):
        plain = _as_known(plain, link.written, (link.entity.name, *link.entity.aliases))
    return plain


def _with_company_capitals(text: str, store: Store, companies: CompanyIndex) -> str:
    """ "What was pfizer's margin?": the companies named in small letters, with a capital.

    The first word of a name counts where it names the only company, and where the documents write it as a name.
    """
    spans = companies.spans(text)
    if not spans:
        perhaps = companies.mentions(_FIRST_LETTER.sub(lambda match: match[0].upper(), text))
        named = {key for *_, key in perhaps}
        spans = [(start, end) for start, end, _ in perhaps if _is_written_as_name(text[start:end], store)]
        if len(named) != 1:
            return text
    for start, end in spans:
        if text[start].islower():
            text = text[:start] + _titled(text[start:end]) + text[end:]
    return text


def _is_written_as_name(word: str, store: Store) -> bool:
    """True where the passages that have the word write it as a name, which stands by itself: "costco", but not "foot"
    of Foot Locker and of square foot."""
    hits = store.matching(set(search_words(word)), _SAMPLED)
    texts = [chunk.text for chunk in store.chunks([hit.id for hit in hits])]
    plain = re.compile(rf"(?<![\w@./]){re.escape(word.lower())}(?![\w.])")
    alone = re.compile(
        rf"(?<!\w){re.escape(_titled(word.lower()))}(?!\w| [A-Z])|(?<!\w){re.escape(word.upper())}(?!\w)"
    )
    small = sum(plain.search(text) is not None for text in texts)
    named = sum(alone.search(text) is not None for text in texts)
    return small <= _MOST_SMALL * len(texts) and named >= _LEAST_NAMED * len(texts) > 0


def _are_all_alike(text: str) -> bool:
    """True where the letters of a text tell nothing: enough words, all in capitals, in title case or without."""
    words = _WORD.findall(text)
    if len(words) < _FEWEST:
        return text.islower() and len(words) > 1
    is_title = not any(map(str.islower, words)) and not _TITLE_WORDS.isdisjoint(words[1:])
    return is_title or all(map(str.isupper, words)) or all(map(str.islower, words))


def _companies_in(text: str, companies: CompanyIndex) -> list[tuple[int, int]]:
    """Where companies are named; a word that may also be an ordinary one counts if it names the only company."""
    sure = set(companies.spans(text))
    perhaps = companies.mentions(_FIRST_LETTER.sub(lambda match: match[0].upper(), text))
    for start, end, _ in perhaps:
        is_whole_name = _NOT_LETTERS.sub("", text[start:end]) not in companies.weak
        if is_whole_name and not overlaps_one(start, end, sure):
            sure.add((start, end))
    if not sure and len({key for *_, key in perhaps}) == 1:
        sure = {(start, end) for start, end, _ in perhaps}
    return sorted(sure)


def _titled(name: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in name.split(" "))


def _as_company(word: str, companies: CompanyIndex) -> str:
    """A ticker in capitals, "cost" and "key" being words; a name with the s of its owner ("pfizers") with a capital."""
    if len(word) >= _SHORTEST_TICKER and word.upper() in companies.tickers and not is_english(word):
        return word.upper()
    may_be_owner = word.endswith("s") and len(word) > _SHORTEST_TICKER
    return word.title() if may_be_owner and companies.find(word[:-1].title()) else word


def _as_known(text: str, written: str, spellings: Iterable[str]) -> str:
    """The text with a name as the graph spells it."""
    known = next((name for name in spellings if name.lower() == written.lower()), written)
    return text.replace(written, known)
