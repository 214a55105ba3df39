"""Who and what a question names: an answer has to speak of it, and a name that no document has is said to be absent.

In a Chinese question the subject is told by its place: before the year, the figure, the office or 的.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, partial
from itertools import chain, filterfalse
from typing import TYPE_CHECKING, Any

from .....core.chinese import simplified
from .....core.names import is_chinese, legal_form
from .....core.patterns import on_demand, without_parts
from .....core.period_text import find_periods
from .....core.records import dataclass
from .....core.rules import load_rules
from .....core.sequences import without
from .....core.words import question_words, search_words
from .....ingest.facts.metrics import MetricList
from ....question.entity_linking import capitalised_names, measure_words
from ....question.plan import QuestionPlan
from ....question.scope.preference import document_year
from ....question.wording.answer_type import ordinary_words, without_asking

if TYPE_CHECKING:
    from .....kg.store import DocumentRecord, Store
    from ....question.scope.catalogue import Catalogue
    from ....question.scope.companies import CompanyIndex

_LETTERS = r"(?:\d[A-Z]|[A-Z][A-Z&])[A-Z&]*"
_OWNER = on_demand(
    rf"(?<!\w)(?P<owner>{_LETTERS}|[a-z]{{3,}})['’]s(?!\w)"
    r"|\b(?:of|at|against|with|from|does|did|do|will|has|had|is|was|audit\w*|suppl\w+|acquir\w+|own\w*|runs?|leads?|heads?)"
    rf" (?P<name>{_LETTERS})(?![\w&'’-])"
)
"""Who owns a figure or is asked about, written as measures ("IBM's", "CEO of 3M") or ordinary words ("tesla's") are."""
_POSSESSIVE_HERE = on_demand(r"^['’]s?")
_ALTERNATIVES = on_demand(r"\b(?:and|or|versus|vs|than)\b|[,/&]")
_TITLES = ("mr", "ms", "mrs", "dr")
_LONGEST_JOINT = 8
_SOMEBODY = frozenset({"company", "person"})
_INTRODUCTION = 1500
"""Characters at the head of a document that say whom all of it is about."""
_RARE = 0.02
"""Share of the chunks up to which a word names something; in a small store three chunks are as many."""


@dataclass(frozen=True, slots=True)
class SubjectRequirement:
    """Names in a question. Of each group of alternatives ("Acme and Beta") an answer has to hold one."""

    groups: tuple[tuple[str, ...], ...] = ()
    """Names as their search words, joined by blanks."""
    absent: tuple[str, ...] = ()
    """Names as written that no document has."""
    own: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Source -> the words of its title, companies, kind and period: they hold for every sentence of it."""
    introduced: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Source -> the words of its first lines, which say whom it is about."""
    said: frozenset[str] = frozenset()
    """The words of all names in the question."""
    years: Mapping[str, int] = field(default_factory=dict)
    """Source -> the year that it is about or was published in."""
    companies: frozenset[str] = frozenset()
    """Keys of the companies of the store that the question names."""
    foreign: frozenset[str] = frozenset()
    """Documents that are not of these companies: only what names one of them speaks of it."""
    index: CompanyIndex | None = None

    def given(self, source: str) -> frozenset[str]:
        """Words of a question that need not stand in a sentence of the document: the document says them of itself."""
        own = self.own.get(source, frozenset())
        given = filter(partial(_is_given, given=own), chain.from_iterable(self.groups))
        return own.union(" ".join(given).split(), self.introduced.get(source, frozenset()) & self.said)

    def are_met(self, source: str, text: str) -> bool:
        """True where a text of that document speaks of what is asked about; a document speaks of its own company."""
        if source in self.foreign and not self._names_company(text):
            return False
        said = f" {' '.join(search_words(text))} " if self.groups else ""
        given = self.own.get(source, frozenset()) | self.introduced.get(source, frozenset())
        return all(_holds_one(group, said, given) for group in self.groups)

    def _names_company(self, text: str) -> bool:
        return self.index is None or not self.companies.isdisjoint(self.index.find(text))


def _holds_one(names: Iterable[str], said: str, given: frozenset[str]) -> bool:
    return any(_is_said(name, said) or _is_given(name, given) or _is_said_in_part(name, said, given) for name in names)


def _is_said_in_part(name: str, said: str, given: frozenset[str]) -> bool:
    """True where the sentence says what the document does not say of itself: "our Honors" in a call of Hilton's for
    "Hilton Honors"."""
    words = name.split()
    rest = [word for word in words if word not in given]
    return 0 < len(rest) < len(words) and f" {' '.join(rest)} " in said


def _is_said(name: str, said: str) -> bool:
    """True where the words stand there, or a person by them: "Mary N. Roe" and "Ms. Roe" for "Mary Roe"."""
    if f" {name} " in said:
        return True
    words = name.split()
    if len(words) == 1:
        return False
    first, last = words[0], words[-1]
    if any(f" {title} {last} " in said for title in _TITLES):
        return True
    stand = said.split()
    return any(
        (before, behind) == (first, last) and len(initial) == 1
        for before, initial, behind in zip(stand, stand[1:], stand[2:], strict=False)
    )


def _is_given(name: str, given: frozenset[str]) -> bool:
    """True where a document says the name of itself."""
    return given.issuperset(name.split())


def read_subjects(plan: QuestionPlan, sources: Collection[str]) -> SubjectRequirement:
    """The names of a question other than companies of the store, and those that are nowhere in the store.

    ``sources`` are the documents of the evidence.
    """
    catalogue, companies = plan.catalogue, frozenset(plan.companies)
    records = catalogue.records_from(sources)
    words, known = catalogue.looked_up.made("words of metadata", partial(_words_of_metadata, catalogue))
    years = {record.source: document_year(record) for record in records}
    foreign = [record.source for record in records if companies.isdisjoint(catalogue.companies.keys(record))]
    requirement = SubjectRequirement(
        own={record.source: words[record.source] for record in records},
        years={source: year for source, year in years.items() if year},
        companies=companies,
        foreign=frozenset(foreign),
        index=catalogue.companies if companies else None,
    )
    read = _chinese_subjects if is_chinese(plan.asked.trimmed) else _english_subjects
    return read(plan, requirement, sources, known)


def _chinese_subjects(
    plan: QuestionPlan, requirement: SubjectRequirement, sources: Collection[str], known: frozenset[str]
) -> SubjectRequirement:
    store = plan.store
    unknown = tuple(absent_chinese(store, without_asking(plan.asked.trimmed), known))
    subjects = chinese_subjects(plan.asked.trimmed, plan.vocabulary.metrics)
    find = plan.catalogue.companies.find
    others = list(filter(lambda name: requirement.companies.isdisjoint(find(name)), subjects))
    nowhere = tuple(name for name in others if not is_written_chinese(store, name, known))
    about = (*((_as_words(name),) for name in others if name not in nowhere), *_absent_groups(plan))
    introduced = _first_words_of(store, sources if about else ())
    return replace(requirement, absent=nowhere or unknown, groups=about, introduced=introduced)


def _english_subjects(
    plan: QuestionPlan, requirement: SubjectRequirement, sources: Collection[str], known: frozenset[str]
) -> SubjectRequirement:
    store = plan.store
    named = _groups(plan.asked.trimmed, plan.vocabulary.metrics)
    said = frozenset(chain.from_iterable(map(search_words, chain.from_iterable(named))))
    frequency = store.document_frequency(said)
    rare = max(3.0, _RARE * int(store.counts().get("chunks", 1)))
    groups: list[tuple[str, ...]] = []
    absent: list[str] = []
    for group in named:
        spellings = list(filterfalse(plan.catalogue.companies.find, group))
        absent.extend(_names_nowhere(spellings, frequency, known))
        telling = [name for name in spellings if _names_somebody(name, frequency, rare)]
        if telling:
            groups.append(tuple(map(_as_words, telling)))
    groups.extend(_firms_beside(plan, list(chain.from_iterable(named))))
    if not requirement.companies:
        absent.extend(_owners_nowhere(plan, known))
    groups.extend(_absent_groups(plan))
    introduced = _first_words_of(store, sources if said else ())
    return replace(requirement, groups=tuple(groups), absent=tuple(absent), introduced=introduced, said=said)


def _firms_beside(plan: QuestionPlan, named: Sequence[str]) -> list[tuple[str, ...]]:
    """Firms and persons of the graph, not of the catalogue, whose names are written as measures are: "GRAIL"."""
    firms = [link.written for link in plan.linked if link.entity.type in _SOMEBODY]
    strangers = filterfalse(plan.catalogue.companies.find, without(filter(str.isupper, firms), named))
    return list(zip(map(_as_words, strangers)))


def _absent_groups(plan: QuestionPlan) -> list[tuple[str, ...]]:
    """The companies that no document is of: only what names one of them speaks of it."""
    return [tuple(map(_as_words, company.spellings)) for company in plan.absent]


def _names_nowhere(spellings: Sequence[str], frequency: Mapping[str, int], known: Collection[str]) -> Sequence[str]:
    """All spellings of a name where no document has one of them: of several one is enough."""
    if any(_is_everywhere(name, frequency, known) for name in spellings):
        return ()
    return spellings


def _is_everywhere(name: str, frequency: Mapping[str, int], known: Collection[str]) -> bool:
    """True where some document has each word of a name."""
    return all(frequency.get(word) or word in known for word in search_words(name))


def _owners_nowhere(plan: QuestionPlan, known: frozenset[str]) -> list[str]:
    written = (match["owner"] or match["name"] for match in _OWNER.finditer(plan.asked.trimmed))
    owners = [name for name in written if not _is_no_owner(name, plan)]
    frequency = plan.store.document_frequency(set(chain.from_iterable(map(search_words, owners))))
    there = {*known, *(word for word, count in frequency.items() if count)}
    return [name for name in owners if there.isdisjoint(search_words(name))]


def _is_no_owner(name: str, plan: QuestionPlan) -> bool:
    """True for an ordinary word, or one that names a measure."""
    vocabulary = plan.vocabulary
    words = ordinary_words() | measure_words(vocabulary.metrics)
    return name.lower() in words or bool(vocabulary.synonyms.expand(name).words)


def names_nobody_here(plan: QuestionPlan) -> bool:
    """True where a question names somebody, but no company of the store, and that name is nowhere in it."""
    subjects = read_subjects(plan, ())
    return not subjects.companies and bool(subjects.absent)


def _as_words(name: str) -> str:
    return " ".join(search_words(name))


def _first_words_of(store: Store, sources: Iterable[str]) -> dict[str, frozenset[str]]:
    """Source -> the words of its first lines."""
    words: dict[str, frozenset[str]] = {}
    for source in sources:
        words[source] = frozenset(search_words(store.text(source)[:_INTRODUCTION]))
    return words


def _words_of_metadata(catalogue: Catalogue) -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """The words of what is known of each document, by its source, and of all: worked out once after a write, for they
    took 5 of the 73 ms of a question to a model over a hundred documents."""
    by_source = {record.source: _metadata_words(record) for record in catalogue.records}
    return by_source, frozenset().union(*by_source.values())


def _metadata_words(record: DocumentRecord) -> frozenset[str]:
    period = [record.period.label, str(record.period.year)] if record.period else []
    said = (record.title, *record.companies, *record.tickers, record.kind, *period)
    return frozenset(search_words(" ".join(said)))


def _groups(text: str, metrics: MetricList) -> list[list[str]]:
    """Runs of capitalised words, those joined by "and" or a comma together; ordinary words are cut off.

    >>> from cliquerag.ingest.facts.metrics import default_metrics
    >>> _groups("Did Acme Steel sue Beta and Gamma Ltd in the Third Quarter?", default_metrics())
    [['Acme Steel'], ['Beta', 'Gamma']]
    """
    groups: list[list[str]] = []
    last = 0
    for name, start, end in capitalised_names(text, metrics):
        if groups and _joins(text[last:start]):
            groups[-1].append(name)
        else:
            groups.append([name])
        last = end
    return groups


def _joins(between: str) -> bool:
    """True for what stands between two names of which an answer has to hold one: "and", a comma."""
    joint = _POSSESSIVE_HERE.sub("", between)
    return len(joint) <= _LONGEST_JOINT and _ALTERNATIVES.fullmatch(joint.strip(" ")) is not None


def _names_somebody(name: str, frequency: Mapping[str, int], rare: float) -> bool:
    """True for several words, or for one that is rare: a common word with a capital may be just that."""
    words = search_words(name)
    if len(words) > 1:
        return True
    return any(frequency.get(word, 0) <= rare for word in words)


_SHORTEST, _LONGEST = 2, 14
_LOOKED_THROUGH = 40
"""Chunks with the characters of a Chinese name among which the name itself is looked for."""
_COMPARED = on_demand(r"(?<=[\s年])(?:相比|相较|对比|比较)(?:之下)?")
_CHINESE_RUN = on_demand(r"[\u4e00-\u9fff]+")
_BEFORE_NAMES = frozenset("在对与向从给由和跟")
"""Characters after which a name may stand; an unknown word elsewhere may be put otherwise in the documents."""
_CHINESE_FUNCTION = frozenset("的在是有了和与及对为于将被把从到由其该这那哪些个吗呢中上下里以所等")


def chinese_subjects(text: str, metrics: MetricList) -> tuple[str, ...]:
    """The names that a Chinese question begins with, but for terms of business (研发人员, 本公司).

    >>> from cliquerag.ingest.facts.metrics import default_metrics
    >>> chinese_subjects("请问光华电子和东山精密2021年的净利润哪个高？", default_metrics())
    ('光华电子', '东山精密')
    >>> chinese_subjects("研发人员的数量是多少？", default_metrics())
    ()
    """
    rules = _patterns(metrics)
    text = rules.lead.sub("", "".join(text.split()))
    boundary = rules.end.search(text)
    if boundary is None:
        return ()
    found: list[str] = []
    for name in rules.joint.split(text[: boundary.start()]):
        bare = name[: len(name) - len(legal_form(name))]
        if not name.isalnum() or rules.term.search(bare):
            continue
        if _SHORTEST <= len(bare) <= _LONGEST:
            found.append(bare)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Patterns:
    """What comes before a name, what ends it, what joins two, and what is no name."""

    lead: re.Pattern[str]
    end: re.Pattern[str]
    joint: re.Pattern[str]
    term: re.Pattern[str]


@cache
def _patterns(metrics: MetricList) -> _Patterns:
    rules: Mapping[str, Any] = load_rules(__package__, "chinese_subject.toml")
    names = [name for name in metrics.names if "\u4e00" <= name[0] <= "\u9fff"]
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return _Patterns(
        lead=re.compile(rules["lead"]),
        end=re.compile(f"{rules['end']}|{known}"),
        joint=re.compile(rules["joint"]),
        term=re.compile(f"{rules['term']}|{known}"),
    )


def is_written_chinese(store: Store, name: str, known: Collection[str]) -> bool:
    """True where a document has the Chinese name, in either script: pairs of characters may come from other words."""
    words = set(search_words(name))
    if words <= set(known):
        return True
    ids = [hit.id for hit in store.matching(words, _LOOKED_THROUGH)]
    plain = simplified(name)
    return any(plain in simplified("".join(chunk.text.split())) for chunk in store.chunks(ids))


def absent_chinese(store: Store, text: str, own: Collection[str]) -> list[str]:
    """Runs of two characters and more that no known pair of characters touches."""
    pairs = set(question_words(text))
    frequency = store.document_frequency(pairs)
    known = {pair for pair in pairs if frequency.get(pair) or pair in own}
    absent: list[str] = []
    for run in _CHINESE_RUN.findall(_manner().sub(" ", _without_periods(text))):
        absent += _untouched(run, known, pairs)
    return absent


@cache
def _manner() -> re.Pattern[str]:
    return re.compile(load_rules(__package__, "chinese_subject.toml")["manner"])


def _without_periods(text: str) -> str:
    """Blanks in place of "2017年" and what compares with it: nobody's name begins with the last character of a year."""
    return _COMPARED.sub(" ", without_parts(text, find_periods(text)))


def _untouched(run: str, known: set[str], asked: set[str]) -> list[str]:
    left = "".join(" " if character in _CHINESE_FUNCTION else character for character in run)
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        is_of_asking = pair not in asked and left[at : at + 2] == pair  # words of asking are not looked for
        if pair in known or is_of_asking:
            left = f"{left[:at]}  {left[at + 2 :]}"
    parts = re.finditer(r"\S{2,}", left)
    return [part[0] for part in parts if part.start() == 0 or run[part.start() - 1] in _BEFORE_NAMES]
