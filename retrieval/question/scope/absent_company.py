"""Companies that a question asks about and that no document is of: what others say of them is no answer of theirs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from ....core.names import is_chinese, strip_legal_form
from ....core.patterns import on_demand
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.words import is_english, search_words
from ....kg.store import Store
from ..entity_linking import LinkedEntity
from ..question import read_question
from ..vocabulary.vocabulary import KnownNames
from ..wording.talk import begins_with_metric, names_metric
from .catalogue import Catalogue
from .name_letters import LEAST_SPELLING, is_generic, scope_words

_TOKEN = on_demand(r"[A-Za-z0-9](?:[A-Za-z0-9]|[&.’'\-](?=[A-Za-z0-9]))*")
_POSSESSIVE = on_demand(r"['’]s?$")
_WORD = on_demand(r"[A-Za-z]+")
_ARTICLE = on_demand(r"^the\s", re.IGNORECASE)
_OWNS = on_demand(r"['’]s?(?![a-z])")
_ACTS = on_demand(r"\b(?:does|did|do|has|had|will|would|can|could)\s(?:the\s)?$", re.IGNORECASE)
_BELONGS_TO = on_demand(
    r"\b(?:of|at|for|about)\s(?:the\s)?(?:(?:[\w.,&’'-]{1,40}\s){0,4}(?:subsidiary|unit)\s)?$", re.IGNORECASE
)
_NOTHING_BEHIND = on_demand(
    r"\W*$|\W*\s(?:subsidiary|unit|in|for|during|at|as|and|over|between|since|by|q[1-4]|fy|\d)", re.IGNORECASE
)
"""Behind "revenue of Acme": not "value of Acme shares", which another company holds."""
_CHINESE_BEFORE = on_demand(r"(?:^|[^\u4e00-\u9fff]|[问查看是])$")
_CHINESE_OWNS = on_demand(r"\s*(?:的|公司|集团|股份|\d|$|[？?])")
_LONGEST_CODE = 4
"""Letters of a ticker or of initials, which may as well shorten a term: "CRM software", "GM" for the gross margin."""
_LONGEST = 4
"""Words of a well-known name."""
_LONGEST_FIGURE = 3
"""Words behind a code among which a figure is named."""
_MOST_RELATIONS = 200
_ONE_COMPANY = frozenset({"formerly_named", "merges_with"})
"""Relations of a company to what it was: figures of the one are those of the other."""


@dataclass(frozen=True, slots=True)
class AbsentCompany:
    """A company that no document is of, and how the question writes it.

    ``is_part``: what is written is a brand or a business of it. ``well_known``: told by the list of names, not by what
    the documents say of it.
    """

    name: str
    written: str
    is_part: bool = False
    well_known: bool = True

    @property
    def spellings(self) -> tuple[str, ...]:
        """What a passage that speaks of it may call it."""
        return tuple(dict.fromkeys((self.written, strip_legal_form(self.name))))


def absent_companies(
    text: str, catalogue: Catalogue, store: Store, known: KnownNames, linked: Iterable[LinkedEntity]
) -> tuple[AbsentCompany, ...]:
    """The companies of a question that names none of the store, in order.

    Told by the list of well-known names, else by ``linked``, the entities of the graph that the question names, where
    one of them owns what is asked for. One that a document of no certain company speaks of is not absent.
    """
    if not catalogue.companies.names:
        return ()
    ours = set(map(_plain, catalogue.companies.names.values()))
    entities = list(linked)
    well_known = [company for company in _well_known(text, known) if _plain(company.name) not in ours]
    well_known = [company for company in well_known if not _is_part_of_ours(company, entities, catalogue, store)]
    beside = _without_names(text, ours)
    strangers = [
        company for link, company in _of_graph(beside, entities) if not _belongs_to_ours(link, catalogue, store)
    ]
    found = well_known or [company for company in strangers if not _goes_by_its_initials(company.name, catalogue)]
    open_sources = [record.source for record in (*catalogue.loose, *catalogue.unnamed)]
    if open_sources:
        found = [company for company in found if not _is_spoken_of(company, store, open_sources)]
    return tuple(found)


def _without_names(text: str, names: Iterable[str]) -> str:
    """The text with blanks for the names: "Epson" within "Seiko Epson" is no other company."""
    for name in filter(None, names):
        text = re.sub(
            rf"(?<!\w){re.escape(name)}(?!\w)", lambda found: " " * len(found.group()), text, flags=re.IGNORECASE
        )
    return text


def _goes_by_its_initials(name: str, catalogue: Catalogue) -> bool:
    """True where a document is known by the initials of the name alone: a call of V.F. Corporation by "VFC"."""
    initials = "".join(word[0] for word in _WORD.findall(name)).upper()
    return len(initials) > 1 and initials in {own.upper() for own in catalogue.companies.names.values()}


def companies_within(
    text: str, catalogue: Catalogue, store: Store, linked: Iterable[LinkedEntity]
) -> tuple[AbsentCompany, ...]:
    """The subsidiaries and purchases of companies of the store that own what is asked for, by ``linked``, the entities
    of the graph that the question names: figures of the whole company are not theirs."""
    asked = _of_graph(_without_names(text, map(_plain, catalogue.companies.names.values())), linked)
    inner = scope_words("belonging") - _ONE_COMPANY
    return tuple(
        replace(company, is_part=True)
        for link, company in asked
        if not catalogue.companies.find(link.entity.name) and _belongs_to_ours(link, catalogue, store, inner)
    )


def _is_spoken_of(company: AbsentCompany, store: Store, sources: Sequence[str]) -> bool:
    words = set(search_words(company.written))
    return bool(words) and bool(store.matching(words, 1, sources))


def _well_known(text: str, known: KnownNames) -> Iterator[AbsentCompany]:
    """The longest well-known name at each place."""
    if is_chinese(text):
        yield from _well_known_chinese(text, known)
    tokens = list(_TOKEN.finditer(text))
    at = 0
    while at < len(tokens):
        count, company = _well_known_at(text, tokens, at, known)
        if company is not None:
            yield company
        at += max(1, count)


def well_known_spans(text: str, known: KnownNames) -> list[tuple[int, int]]:
    """Where a text has the name of a well-known company that owns what is asked, or stands alone."""
    found = [company.written for company in _well_known(text, known)]
    return [(text.find(written), text.find(written) + len(written)) for written in found]


def _well_known_at(
    text: str, tokens: Sequence[re.Match[str]], at: int, known: KnownNames
) -> tuple[int, AbsentCompany | None]:
    """The number of words of the name that begins here, and whose it is."""
    for count in range(min(_LONGEST, len(tokens) - at), 0, -1):
        start, end = tokens[at].start(), tokens[at + count - 1].end()
        for written in dict.fromkeys((text[start:end], _POSSESSIVE.sub("", text[start:end]))):  # "Lowe's" is a name
            key = written.lower()
            name = known.companies.get(key) or known.own_names.get(key, "")
            if name and _is_meant(text, start, start + len(written)):
                return count, AbsentCompany(name, written, is_part=key in known.parts)
    return 0, None


def _is_meant(text: str, start: int, end: int) -> bool:
    """True for a name that owns what is asked, written as one; "revenue from X" is that of somebody else."""
    written = text[start:end]
    figure = " ".join(text[end:].split()[:_LONGEST_FIGURE]) if start == 0 else ""
    if written.lower() in _in_capitals() and not (written.istitle() or written.isupper()):
        return False
    if written.isupper() and len(written) <= _LONGEST_CODE:
        return _OWNS.match(text, end) is not None or names_metric(figure)  # "JNJ revenue 2021"
    if written.lower() in scope_words("words_too"):
        return _OWNS.match(text, end) is not None or _is_word_meant(text, start, end, figure)
    if written.islower() and len(written) < LEAST_SPELLING:
        return False
    return start == 0 or _owns(text, start, end)


def _is_word_meant(text: str, start: int, end: int, figure: str) -> bool:
    """True for an ordinary word that is a name here: "gap net sales 2021", not "gap between sales and costs"."""
    is_before_figure = begins_with_metric(figure) and not read_question(text).outlook
    return (text[start].isupper() or text.islower()) and (_is_owner(text, start, end) or is_before_figure)


def _owns(text: str, start: int, end: int) -> bool:
    """True where the name stands as that of the one asked about: "X's", "of X", "did X"."""
    return _OWNS.match(text, end) is not None or _is_owner(text, start, end)


def _is_owner(text: str, start: int, end: int) -> bool:
    before = text[:start]
    if _ACTS.search(before):
        return True
    return _BELONGS_TO.search(before) is not None and _NOTHING_BEHIND.match(text, end) is not None


def _plain(name: str) -> str:
    """A company's name without its legal form and its accents: "Nestlé S.A." and "Nestle" are one."""
    letters = unicodedata.normalize("NFKD", strip_legal_form(name))
    return "".join(char for char in letters if not unicodedata.combining(char)).lower()


def _well_known_chinese(text: str, known: KnownNames) -> Iterator[AbsentCompany]:
    names = {**known.own_names, **known.companies}
    for brand in sorted(filter(is_chinese, names), key=len, reverse=True):
        start = text.find(brand)
        if start < 0:
            continue
        owns = _CHINESE_BEFORE.search(text[:start]) and _CHINESE_OWNS.match(text, start + len(brand))
        text = text.replace(brand, " ")
        if owns:
            yield AbsentCompany(names[brand], brand, is_part=brand in known.parts)


def _of_graph(text: str, linked: Iterable[LinkedEntity]) -> Iterator[tuple[LinkedEntity, AbsentCompany]]:
    """Companies that the documents speak of, and that own what is asked for."""
    for link in linked:
        written = _POSSESSIVE.sub("", link.written)
        written = _ARTICLE.sub("", written)
        start = text.find(written)
        if link.entity.type != "company" or not _is_sure(link, written, text) or start < 0:
            continue
        if _owns_what_is_asked(text, start, start + len(written)):
            yield link, AbsentCompany(link.entity.name, written, well_known=False)


def _is_sure(link: LinkedEntity, written: str, text: str) -> bool:
    """True for a name in full; where a figure is asked, which another company would be given for its own, also for its
    first words: "Qingyuan" for Qingyuan Precision, no "Devices" for a firm."""
    if link.how != "similar":
        return True
    words = written.lower().split()
    is_name = not all(is_english(word) or is_generic(word) for word in words)
    return is_name and link.entity.name.lower().startswith(f"{' '.join(words)} ") and names_metric(text)


def _owns_what_is_asked(text: str, start: int, end: int) -> bool:
    if is_chinese(text[start:end]):
        return _CHINESE_BEFORE.search(text[:start]) is not None and _CHINESE_OWNS.match(text, end) is not None
    return text[start].isupper() and (_is_meant(text, start, end) or begins_with_metric(text[end:].strip()))


def _is_part_of_ours(
    company: AbsentCompany, linked: Iterable[LinkedEntity], catalogue: Catalogue, store: Store
) -> bool:
    """True for a well-known brand or business that a company of the store owns: its documents tell of it."""
    named = [link for link in linked if link.how != "similar" and _plain(link.entity.name) == _plain(company.written)]
    return any(_belongs_to_ours(link, catalogue, store) for link in named)


def _belongs_to_ours(
    link: LinkedEntity, catalogue: Catalogue, store: Store, relations: Collection[str] | None = None
) -> bool:
    """True for a subsidiary, a purchase or a brand of a company of the store, by one of the relations: its documents
    tell of it."""
    belonging = scope_words("belonging") if relations is None else relations
    for relation in store.subgraph([link.entity.id], _MOST_RELATIONS).relations:
        other = relation.head if relation.tail.id == link.entity.id else relation.tail
        if relation.relation in belonging and catalogue.companies.find(other.name):
            return True
    return False


@cache
def _in_capitals() -> frozenset[str]:
    return frozenset(load_rules(__package__, "scope.toml")["in_capitals"])
