"""Companies named in a question: by name, everyday name, first words of the name, or ticker; and which of its periods
are asked of each."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import chain, pairwise
from typing import TypeVar

from ....core.chinese import begins_with_business_word, simplified, spellings
from ....core.names import company_key, is_chinese, name_key, strip_legal_form
from ....core.patterns import on_demand, without_parts
from ....core.period_text import PeriodMention, find_periods
from ....core.records import dataclass
from ....core.sequences import grouped, without
from ....kg.store import DocumentRecord
from ..question import Question, read_question
from .name_letters import (
    abbreviations_of,
    begins_in_pinyin,
    is_name_alone,
    is_spelt,
    length_in_chinese,
    scope_words,
    squeezed,
    stands_as_name,
)
from .preference import is_report

T = TypeVar("T")
_TOKEN = on_demand(r"[A-Za-z0-9](?:(?!(?:19|20)\d\d年)(?:[^\W\u3400-\u9fff]|[&.\-]))*")
"""A word in Latin letters, which may stand right before a Chinese one or before "2023年"."""
_POSSESSIVE = on_demand(r"['’](?:s\b)?", re.IGNORECASE)
_FORM = on_demand(r",? (?P<form>[A-Z][A-Za-z]{1,12})(?![A-Za-z])")
_ARTICLE = on_demand(r"^the (?=\S)", re.IGNORECASE)
_LONGEST_NAME = 6
"""Words."""
_CHINESE_PREFIX = 4
"""Characters of a long Chinese name by which it may be called."""
_FEWEST_SPELT = 4
"""Characters that words in pinyin spell which could as well be a place or somebody: "Xiamen Xiangyu"."""
_BEFORE_PLACE = frozenset(("in", "In", "near"))
_CHINESE_PAIR = on_demand(r"(?=(?P<pair>[\u4e00-\u9fff]{2}))")
_RESPECTIVELY = on_demand(r"\brespective(?:ly)?\b|分别|各(?:是|为)", re.IGNORECASE)
_REMEMBERED = 64
"""Texts of which is known what they name."""
Mention = tuple[int, int, str]
"""Start and end of a company's name in a text, and the company's key."""


@dataclass(frozen=True, slots=True)
class CompanyIndex:
    """The companies of a store, by what they may be called.

    ``forms``: name in lower case without blanks -> keys of companies; ``weak`` holds single words that may also be
    ordinary ones: they count when written with a capital. ``chinese`` maps forms found anywhere to keys, ``lengths``
    are theirs, the longest first.
    ``renamed`` maps the key of a company's longer name to the shorter one that it also bears in other years, and that
    of a ticker by which a file is named to the company's own.
    """

    forms: Mapping[str, frozenset[str]]
    weak: frozenset[str]
    tickers: Mapping[str, frozenset[str]]
    chinese: Mapping[str, str]
    renamed: Mapping[str, str]
    lengths: tuple[int, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """Key of a company -> its name as documents print it, without its legal form."""
    full_names: Mapping[str, str] = field(default_factory=dict)
    """Key of a company -> its longest name, in lower case."""
    beginnings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The first two characters of ``chinese`` names -> these names."""
    abbreviated: Mapping[str, str] = field(default_factory=dict)
    """Chinese names of one character a word -> the key: 中钢 for 中国钢铁."""
    in_pinyin: Mapping[str, str] = field(default_factory=dict)
    """Key of a company whose Latin name may be pinyin -> that name in small letters, without its legal form."""
    _read: dict[str, tuple[Mention, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Text -> the companies named in it: a search asks a dozen times what its question names."""

    @classmethod
    def of(cls, records: Iterable[DocumentRecord]) -> CompanyIndex:
        """Index the companies and tickers of documents whose metadata can be relied on."""
        reports = list(filter(is_report, records))
        names = _Names(_renamed(reports) | _called_by_ticker(reports) | _spelt_otherwise(reports))
        for record in reports:
            names.add(record)
        return names.index()

    def keys(self, record: DocumentRecord) -> tuple[str, ...]:
        """The keys of a document's companies."""
        return tuple(dict.fromkeys(self.renamed.get(key, key) for key in map(company_key, record.companies)))

    def find(self, text: str) -> tuple[str, ...]:
        """Keys of the companies named, in order of appearance; see :meth:`mentions`."""
        return tuple(dict.fromkeys(key for *_, key in self.mentions(text)))

    def given(self, names: Iterable[str]) -> tuple[str, ...]:
        """Keys of companies that a user names; of one that is unknown here that of its name, which fits no document."""
        found = (self.find(name) or (company_key(name),) for name in names)
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    def mentions(self, text: str) -> tuple[Mention, ...]:
        """(start, end, key) of each company named, in order.

        A name in lower case that is also an ordinary word counts only where nothing else names a company.
        """
        found = self._read.get(text)
        if found is None:
            if len(self._read) >= _REMEMBERED:
                self._read.clear()
            found = self._read[text] = self._mentions(text)
        return found

    def _mentions(self, text: str) -> tuple[Mention, ...]:
        sure: list[Mention] = []
        for name in self.chinese_names(text):
            for match in re.finditer(re.escape(name), text):
                sure.append((match.start(), match.end(), self.chinese[name]))
        sure += self._abbreviated_in(text)
        sure = sure or [mention for mention in self._spelt_in_chinese(text) if mention[1] > mention[0]]
        perhaps: list[Mention] = []
        tokens = list(_TOKEN.finditer(_POSSESSIVE.sub(lambda match: " " * len(match[0]), text)))
        words = [token[0] for token in tokens]
        at = 0
        while at < len(tokens):
            count, keys = self._longest(words, at)
            named = tokens[at : at + max(1, count)]
            is_weak = count == 1 and words[at][0].islower()
            found = [(named[0].start(), named[-1].end(), key) for key in sorted(keys)]
            (perhaps if is_weak else sure).extend(found)
            at += len(named)
        return tuple(sorted(sure or perhaps))

    def _abbreviated_in(self, text: str) -> list[Mention]:
        """Companies whose Chinese names a text shortens to a character a word, where that stands as a name."""
        found: list[Mention] = []
        for name in filter(text.__contains__, self.abbreviated):
            places = map(re.Match.span, re.finditer(re.escape(name), text))
            found += [(start, end, self.abbreviated[name]) for start, end in places if stands_as_name(text, start, end)]
        return found

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Start and end of each company named, in order."""
        return [(start, end) for start, end, _ in self.mentions(text)]

    def transcribed(self, text: str) -> list[tuple[str, str]]:
        """What a text writes for companies whose documents print their names in another script, or in full, and these
        names."""
        named = [(text[start:end], self.names.get(key, text[start:end])) for start, end, key in self.mentions(text)]
        return [
            (written, name)
            for written, name in named
            if is_chinese(written) != is_chinese(name) or written in self.abbreviated
        ]

    def forms_behind(self, text: str) -> list[str]:
        """What stands behind the companies named and belongs to their names: "Boeing Co", "Adobe Systems' revenue"."""
        found: list[str] = []
        for _, end in self.spans(text):
            following = _FORM.match(text, end)
            if following and following["form"].lower() in scope_words("name_endings"):
                found.append(following["form"])
        return found

    def chinese_names(self, text: str) -> list[str]:
        """Chinese names of companies in a text, the longest at each place."""
        found: list[str] = []
        if text.isascii():
            return found
        for length in self.lengths:  # the longest first
            at = 0
            while at + length <= len(text):
                form = text[at : at + length]
                if form in self.chinese:
                    found.append(form)
                    text = text.replace(form, " ")
                at += 1
        return found

    def _names_in_pinyin(self, tokens: Sequence[str], at: int) -> list[str]:
        """The Chinese names whose first two characters the next words begin with; behind "in" stands a place."""
        words, before = tokens[at : at + 2], tokens[at - 1 : at]
        if not self.beginnings or not _BEFORE_PLACE.isdisjoint(before) or not begins_in_pinyin(words):
            return []
        form = squeezed("".join(words))
        spelt = [names for beginning, names in self.beginnings.items() if form.startswith(spellings(beginning))]
        return list(chain.from_iterable(spelt))

    def _spelt_in_pinyin(self, words: Sequence[str], count: int, names: Sequence[str]) -> frozenset[str]:
        """The companies of Chinese names that the first ``count`` words spell: "Qingyuan" for 清源精密.

        The word behind may say that it is another: Qingyuan Chemicals. Without a word of business a short name has to
        be one word, for "Chen Ming" may be a man.
        """
        behind = "".join(words[count : count + 1])
        if not names or (behind.istitle() and begins_with_business_word(behind.lower())):
            return frozenset()
        form = squeezed("".join(words[:count]))
        fewest = _FEWEST_SPELT if count > 1 or not is_name_alone(form) else 2
        return frozenset(self.chinese[name] for name in names if is_spelt(form, name, fewest))

    def _spelt_in_chinese(self, text: str) -> Iterator[Mention]:
        """Companies of Latin names that a text writes in Chinese: 云河半导体 for Yunhe Semiconductor."""
        if text.isascii() or not self.in_pinyin:
            return
        for match in _CHINESE_PAIR.finditer(text):
            beginnings = spellings(match["pair"])
            for key, name in self.in_pinyin.items():
                if squeezed(name).startswith(beginnings):
                    yield match.start(), match.start() + length_in_chinese(name, text, match.start()), key

    def _longest(self, tokens: list[str], at: int) -> tuple[int, frozenset[str]]:
        names = self._names_in_pinyin(tokens, at)
        for count in range(min(_LONGEST_NAME, len(tokens) - at), 0, -1):
            form = squeezed(" ".join(tokens[at : at + count]))
            if form in self.weak and tokens[at][0].islower():
                continue
            keys = self.forms.get(form, frozenset()) | self._spelt_in_pinyin(tokens[at:], count, names)
            if keys:
                return count, keys
        token = tokens[at].strip(".")
        if len(token) > 1 and token.isupper() and token not in scope_words("not_tickers"):
            return 1, self.tickers.get(token, frozenset())
        return 0, frozenset()


@dataclass(slots=True)
class _Names:
    """What companies may be called, collected document by document: a name -> the keys of those who bear it."""

    renamed: Mapping[str, str]
    printed: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The other way round: a key -> the names of the company as its documents print them."""
    whole: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    first_words: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    tickers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    chinese: dict[str, str] = field(default_factory=dict)
    chinese_tickers: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    chinese_beginnings: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    abbreviations: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, record: DocumentRecord) -> None:
        for company in record.companies:
            self._add_company(company, self._key(company))
        if len(record.companies) == 1:
            self._add_tickers(record.tickers, self._key(record.companies[0]))

    def index(self) -> CompanyIndex:
        """A Chinese form, or first words, that several companies share name none of them."""
        chinese = {**_of_one(self.chinese_beginnings), **_of_one(self.chinese_tickers), **self.chinese}
        beginnings = _of_one(self.first_words)
        weak = beginnings.keys() - self.whole.keys()
        forms = _frozen(self.whole) | {form: frozenset((beginnings[form],)) for form in weak}
        return CompanyIndex(
            forms=forms,
            weak=frozenset(weak) | (forms.keys() & scope_words("generic")),
            tickers=_frozen(self.tickers),
            chinese=chinese,
            renamed=self.renamed,
            beginnings=grouped(chinese, key=_first_two),
            abbreviated={name: key for name, key in _of_one(self.abbreviations).items() if name not in chinese},
            lengths=tuple(sorted(set(map(len, chinese)), reverse=True)),
            names=self._shortest(),
            in_pinyin={key: name_key(name) for key, name in self._shortest().items() if begins_in_pinyin(name.split())},
            full_names={key: max(names, key=len).lower() for key, names in self.printed.items()},
        )

    def _key(self, company: str) -> str:
        key = company_key(company)
        return self.renamed.get(key, key)

    def _add_company(self, company: str, key: str) -> None:
        self.printed[key].append(company)
        _note(self.whole, _full_forms(company), key)
        _note(self.first_words, _first_words(company), key)
        if is_chinese(company):
            self.chinese |= dict.fromkeys(_chinese_forms(company), key)
            _note(self.chinese_beginnings, _chinese_beginnings(company), key)
            _note(self.abbreviations, abbreviations_of(company_key(company)), key)

    def _add_tickers(self, tickers: Iterable[str], key: str) -> None:
        for ticker in tickers:
            known = self.chinese_tickers if is_chinese(ticker) else self.tickers
            known[simplified(ticker.upper())].add(key)

    def _shortest(self) -> dict[str, str]:
        """Key of a company -> the shortest name that its documents print, without the legal form."""
        shortest: dict[str, str] = {}
        for key, names in self.printed.items():
            own = [name for name in names if company_key(name) not in self.renamed]
            bare = filter(None, map(strip_legal_form, own))
            shortest[key] = _ARTICLE.sub("", min(bare, key=len, default=""))
        return {key: name for key, name in shortest.items() if name}


def _note(found: dict[str, set[T]], names: Iterable[str], key: T) -> None:
    for name in names:
        found[name].add(key)


def _first_two(name: str) -> str:
    return name[:2]


def _of_one(found: Mapping[str, set[str]]) -> dict[str, str]:
    """Of names and those who bear them, the names that one company alone has."""
    return {name: min(keys) for name, keys in found.items() if len(keys) == 1}


def _frozen(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(keys) for name, keys in found.items()}


def _renamed(records: Sequence[DocumentRecord]) -> dict[str, str]:
    """Longer name -> shorter name of one company: one begins with the other, and never do both report the same period.

    "Adobe Systems" became "Adobe"; "Apple Hospitality" reports beside "Apple" and is another company.
    """
    reports: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for record in records:
        report = (record.kind, record.period.label if record.period else record.source)
        _note(reports, map(company_key, record.companies), report)
    shorter = {long: _earlier_name(long, reports) for long in reports}
    return {long: name for long, name in shorter.items() if name}


def _called_by_ticker(records: Sequence[DocumentRecord]) -> dict[str, str]:
    """The key of a company that a file is named by, "ZBH_q2_2021" -> the company whose filings bear that ticker."""
    owners: dict[str, set[str]] = defaultdict(set)
    for record in records:
        if len(record.companies) != 1:
            continue
        for ticker in record.tickers:
            if record.companies[0] != ticker:
                owners[ticker].add(company_key(record.companies[0]))
    codes = {record.companies[0] for record in records if record.companies[:1] == record.tickers[:1] != ()}
    return {company_key(code): min(owners[code]) for code in sorted(codes) if len(owners.get(code, ())) == 1}


def _spelt_otherwise(records: Sequence[DocumentRecord]) -> dict[str, str]:
    """The key of a Latin name in pinyin -> that of the one Chinese name that it spells, word of business and all."""
    companies = set(chain.from_iterable(record.companies for record in records))
    chinese = dict.fromkeys(map(company_key, filter(is_chinese, companies)))
    if not chinese:
        return {}
    spelt: dict[str, str] = {}
    for company in sorted(companies):
        form = squeezed(company_key(company))
        if is_chinese(company) or not begins_in_pinyin(company.split()):
            continue
        keys = [key for key in chinese if is_spelt(form, key, _FEWEST_SPELT)]
        if len(keys) == 1:
            spelt[company_key(company)] = keys[0]
    return spelt


def _earlier_name(long: str, reports: Mapping[str, set[tuple[str, str]]]) -> str:
    words = long.split()
    for count in range(1, len(words)):
        name = " ".join(words[:count])
        if name in reports and reports[name].isdisjoint(reports[long]):
            return name
    return ""


@lru_cache(maxsize=1 << 14)
def _full_forms(company: str) -> frozenset[str]:
    """The name whole; in a question "McDonald's" is read as a possessive, so without its "'s" too."""
    names = {company, _POSSESSIVE.sub(" ", company)}
    keys = (*map(name_key, names), *map(company_key, names))
    return frozenset(form for form in map(squeezed, keys) if len(form) > 1)


@lru_cache(maxsize=1 << 14)
def _first_words(company: str) -> frozenset[str]:
    words = name_key(_POSSESSIVE.sub(" ", company)).split()
    forms = {squeezed(" ".join(words[:count])) for count in range(1, len(words))}
    return frozenset(form for form in forms if len(form) > 2 and form not in scope_words("generic"))


def _chinese_forms(company: str) -> set[str]:
    """Also the whole name: the legal form left behind would be searched for, and stands on every page."""
    return {form for form in (simplified(company), name_key(company), company_key(company)) if len(form) > 1}


def _chinese_beginnings(company: str) -> set[str]:
    """What a company is also called where no other begins so: 四方科技 for 四方科技集团股份有限公司."""
    full = name_key(company)
    return {full[:count] for count in range(_CHINESE_PREFIX, len(full))}


def questions_by_company(question: Question, companies: CompanyIndex) -> Mapping[str, Question]:
    """Key of a company -> the question with just the periods that are asked of it; empty where all are asked of all.

    A period belongs to the company beside it where each company has one: after each ("Acme in 2021 and Beta in 2022"),
    before each ("2021 for Acme, 2022 for Beta"), or in the order of the companies where the question says
    "respectively".

    >>> questions_by_company(read_question("What was revenue in 2021?"), CompanyIndex.of(()))
    {}
    """
    text = question.trimmed
    named = _first_mentions(companies.mentions(text))
    mentions = find_periods(text)
    if len(named) < 2 or len({mention.period for mention in mentions}) < 2:
        return {}
    shares = _shares(text, list(named.values()), mentions)
    if not shares:
        return {}
    asked: dict[str, Question] = {}
    for key, own in zip(named, shares, strict=True):
        of_others = without(mentions, own)
        asked[key] = read_question(without_parts(text, of_others))
    return asked


def _first_mentions(mentions: Sequence[tuple[int, int, str]]) -> dict[str, tuple[int, int]]:
    """Where each company is named first, in order."""
    first: dict[str, tuple[int, int]] = {}
    for start, end, key in mentions:
        first.setdefault(key, (start, end))
    return first


def _shares(
    text: str, named: Sequence[tuple[int, int]], mentions: Sequence[PeriodMention]
) -> list[list[PeriodMention]]:
    """The periods of each company; nothing where they are not told apart."""
    starts = [start for start, _ in named]
    after = [_between(mentions, a, b) for a, b in pairwise([*starts, len(text)])]
    if all(after) and mentions[0].start > starts[0]:
        return after
    before = [_between(mentions, a, b) for a, b in pairwise([0, *starts])]
    if all(before) and mentions[-1].start < starts[-1]:
        return before
    if _RESPECTIVELY.search(text) and len(mentions) == len(named):
        return [[mention] for mention in mentions]
    return []


def _between(mentions: Sequence[PeriodMention], start: int, end: int) -> list[PeriodMention]:
    return [mention for mention in mentions if start <= mention.start < end]
