"""Who and what a question names: an answer has to speak of it, and a name that no document has is said to be absent."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ......core.names import is_chinese
from ......core.words import question_words, search_words
from ......ingest.facts.metrics import MetricList
from .....question.expectations.answer_type import ordinary_words, without_asking
from .....question.expectations.names import capitalised_names, measure_words
from .....question.plan import QuestionPlan
from .....question.scope.preference import document_year
from .chinese import chinese_subjects

if TYPE_CHECKING:
    from ......kg.store import DocumentRecord, Store
    from .....question.scope.companies import CompanyIndex

_LETTERS = r"(?:\d[A-Z]|[A-Z][A-Z&])[A-Z&]*"
_OWNER = re.compile(
    rf"(?<!\w)(?P<owner>{_LETTERS}|[a-z]{{3,}})['’]s(?!\w)"
    r"|\b(?:of|at|against|with|from|does|did|do|will|has|had|is|was|audit\w*|suppl\w+|acquir\w+|own\w*|runs?|leads?|heads?)"
    rf" (?P<name>{_LETTERS})(?![\w&'’-])"
)
"""Who owns a figure or is asked about, written as measures ("IBM's", "CEO of 3M") or ordinary words ("tesla's") are."""
_POSSESSIVE_HERE = re.compile(r"^['’]s?")
_POSSESSIVE = re.compile(r"['’]s?$")
_ALTERNATIVES = re.compile(r"\b(?:and|or|versus|vs|than)\b|[,/&]")
_TITLES = ("mr", "ms", "mrs", "dr")
_LONGEST_JOINT = 8
_INTRODUCTION = 1500
"""Characters at the head of a document that say whom all of it is about."""
_RARE = 0.02
"""Share of the chunks up to which a word names something; in a small store three chunks are as many."""
_LOOKED_THROUGH = 40
"""Chunks with the characters of a Chinese name among which the name itself is looked for."""
_CHINESE_RUN = re.compile(r"[\u4e00-\u9fff]+")
_BEFORE_NAMES = frozenset("在对与向从给由和跟")
"""Characters after which a name may stand; an unknown word elsewhere may be put otherwise in the documents."""
_CHINESE_FUNCTION = frozenset("的在是有了和与及对为于将被把从到由其该这那哪些个吗呢中上下里以所等")


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
        by_ticker = {word for group in self.groups for name in group if _is_given(name, own) for word in name.split()}
        return own | by_ticker | (self.introduced.get(source, frozenset()) & self.said)

    def are_met(self, source: str, text: str) -> bool:
        """True where a text of that document speaks of what is asked about; a document speaks of its own company."""
        if self.index and source in self.foreign and self.companies.isdisjoint(self.index.find(text)):
            return False
        if not self.groups:
            return True
        said = f" {' '.join(search_words(text))} "
        given = self.own.get(source, frozenset()) | self.introduced.get(source, frozenset())
        return all(any(_is_said(name, said) or _is_given(name, given) for name in group) for group in self.groups)


def _is_said(name: str, said: str) -> bool:
    """True where the words stand there, or a person by them: "Mary N. Roe" and "Ms. Roe" for "Mary Roe"."""
    if f" {name} " in said:
        return True
    words = name.split()
    if len(words) == 1:
        return False
    first, last = words[0], words[-1]
    return any(f" {title} {last} " in said for title in _TITLES) or bool(re.search(rf" {first} \w {last} ", said))


def _is_given(name: str, given: frozenset[str]) -> bool:
    """True where a document says the name of itself, or bears its initials as its ticker."""
    words = name.split()
    return given.issuperset(words) or (len(words) > 1 and "".join(word[0] for word in words) in given)


def read_subjects(plan: QuestionPlan, sources: Collection[str]) -> SubjectRequirement:
    """The names of a question other than companies of the store, and those that are nowhere in the store.

    ``sources`` are the documents of the evidence.
    """
    catalogue, companies = plan.catalogue, frozenset(plan.companies)
    records = [catalogue.by_source[source] for source in sources if source in catalogue.by_source]
    known = frozenset(word for record in catalogue.records for word in _metadata_words(record))
    requirement = SubjectRequirement(
        own={record.source: _metadata_words(record) for record in records},
        years={record.source: year for record in records if (year := document_year(record))},
        companies=companies,
        foreign=frozenset(r.source for r in records if companies.isdisjoint(catalogue.companies.keys(r))),
        index=catalogue.companies if companies else None,
    )
    if is_chinese(plan.asked.trimmed):
        return _chinese_subjects(plan, requirement, sources, known)
    return _english_subjects(plan, requirement, sources, known)


def _chinese_subjects(
    plan: QuestionPlan, requirement: SubjectRequirement, sources: Collection[str], known: frozenset[str]
) -> SubjectRequirement:
    store = plan.store
    unknown = tuple(_absent_chinese(store, without_asking(plan.asked.trimmed), known))
    subjects = chinese_subjects(plan.asked.trimmed, plan.vocabulary.metrics)
    subjects = tuple(name for name in subjects if not plan.catalogue.companies.find(name))
    nowhere = tuple(name for name in subjects if not _is_written(store, name, known))
    about = tuple((" ".join(search_words(name)),) for name in subjects if name not in nowhere)
    introduced = {source: _first_words(store, source) for source in sources} if about else {}
    return replace(requirement, absent=nowhere or unknown, groups=about, introduced=introduced)


def _english_subjects(
    plan: QuestionPlan, requirement: SubjectRequirement, sources: Collection[str], known: frozenset[str]
) -> SubjectRequirement:
    store = plan.store
    named = _groups(plan.asked.trimmed, plan.vocabulary.metrics)
    said = frozenset(word for group in named for name in group for word in search_words(name))
    frequency = store.document_frequency(said)
    rare = max(3.0, _RARE * int(store.counts().get("chunks", 1)))
    groups: list[tuple[str, ...]] = []
    absent: list[str] = []
    for group in named:
        spellings = [name for name in group if not plan.catalogue.companies.find(name)]
        absent.extend(_names_nowhere(spellings, frequency, known))
        telling = [name for name in spellings if _names_somebody(name, frequency, rare)]
        if telling:
            groups.append(tuple(" ".join(search_words(name)) for name in telling))
    if not requirement.companies:
        absent.extend(_owners_nowhere(plan, known))
    introduced = {source: _first_words(store, source) for source in sources} if said else {}
    return replace(requirement, groups=tuple(groups), absent=tuple(absent), introduced=introduced, said=said)


def _names_nowhere(spellings: Sequence[str], frequency: Mapping[str, int], known: Collection[str]) -> Sequence[str]:
    """All spellings of a name where no document has one of them: of several one is enough."""
    is_there = any(_is_everywhere(name, frequency, known) for name in spellings)
    return () if is_there else spellings


def _is_everywhere(name: str, frequency: Mapping[str, int], known: Collection[str]) -> bool:
    """True where some document has each word of a name."""
    return all(frequency.get(word) or word in known for word in search_words(name))


def _owners_nowhere(plan: QuestionPlan, known: Collection[str]) -> list[str]:
    written = (match["owner"] or match["name"] for match in _OWNER.finditer(plan.asked.trimmed))
    owners = [name for name in written if name.lower() not in ordinary_words() and not _is_measure(name, plan)]
    frequency = plan.store.document_frequency({word for name in owners for word in search_words(name)})
    return [name for name in owners if not any(frequency.get(w) or w in known for w in search_words(name))]


def _is_measure(name: str, plan: QuestionPlan) -> bool:
    vocabulary = plan.vocabulary
    return name.lower() in measure_words(vocabulary.metrics) or bool(vocabulary.synonyms.expand(name).words)


def names_nobody_here(plan: QuestionPlan) -> bool:
    """True where a question names somebody, but no company of the store, and that name is nowhere in it."""
    subjects = read_subjects(plan, ())
    return not subjects.companies and bool(subjects.absent)


def _is_written(store: Store, name: str, known: Collection[str]) -> bool:
    """True where a document has the Chinese name: its pairs of characters alone may come from other words."""
    words = set(search_words(name))
    if words <= set(known):
        return True
    hits = store.matching(words, _LOOKED_THROUGH)
    return any(name in "".join(chunk.text.split()) for chunk in store.chunks([hit.id for hit in hits]))


def _first_words(store: Store, source: str) -> frozenset[str]:
    document = store.document(source)
    return frozenset(search_words(document.text[:_INTRODUCTION]) if document else ())


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
    last = None
    for name, start, end in capitalised_names(text, metrics):
        between = "" if last is None else _POSSESSIVE_HERE.sub("", text[last:start])
        if last is not None and len(between) <= _LONGEST_JOINT and _ALTERNATIVES.fullmatch(between.strip(" ")):
            groups[-1].append(name)
        else:
            groups.append([name])
        last = end
    return groups


def _names_somebody(name: str, frequency: Mapping[str, int], rare: float) -> bool:
    """True for several words, or for one that is rare: a common word with a capital may be just that."""
    words = search_words(name)
    return len(words) > 1 or any(frequency.get(word, 0) <= rare for word in words)


def _absent_chinese(store: Store, text: str, own: Collection[str]) -> list[str]:
    """Runs of two characters and more that no known pair of characters touches."""
    pairs = set(question_words(text))
    frequency = store.document_frequency(pairs)
    known = {pair for pair in pairs if frequency.get(pair) or pair in own}
    absent: list[str] = []
    for run in _CHINESE_RUN.findall(text):
        absent += _untouched(run, known, pairs)
    return absent


def _untouched(run: str, known: set[str], asked: set[str]) -> list[str]:
    free = [character not in _CHINESE_FUNCTION for character in run]
    for at in range(len(run) - 1):
        pair = run[at : at + 2]
        if pair in known or (pair not in asked and free[at] and free[at + 1]):  # words of asking are not looked for
            free[at] = free[at + 1] = False
    text = "".join(c if is_free else " " for c, is_free in zip(run, free, strict=True))
    parts = [(match[0], match.start()) for match in re.finditer(r"\S{2,}", text)]
    return [part for part, at in parts if at == 0 or run[at - 1] in _BEFORE_NAMES]
