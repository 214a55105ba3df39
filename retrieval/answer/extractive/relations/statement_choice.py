"""Which statement of a relation answers a question best: of the years, the office and the words that are asked.

A statement that lacks most of what else the question asks is no answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field

from .....core.names import company_key
from .....core.orders import gives_orders
from .....core.patterns import PatternTable, on_demand
from .....core.records import dataclass
from .....core.words import question_words, search_words, without_numbers
from .....kg.extraction.structure.cells import offices_in
from .....kg.graph import Relation, Statement
from ....question.entity_linking import LinkedEntity
from ....question.plan import QuestionPlan
from ....search.rerankers.page_content import figures_in, without_figures
from ....search.retrievers.asked_relations import OFFICES, AskedRelations, asks_for_all, left_out, named_links
from .relation_history import is_of_other_unit
from .stated_text import MONEY, Stated, is_completed_behind, price_behind

_LEAST_FIT = 0.6
"""Share of what else is asked that a statement holds."""
_RULES = PatternTable(__package__, "stated_relations.toml")
_YEAR = on_demand(r"\b(?:19|20)\d\d\b")
_LAST_YEAR = 2100
_OF_MONTH = on_demand(r"(?<=[a-z]) \d{1,2},(?= \d{4})")
"""The day in "May 1, 2020": who asks for May 2020 means it too."""
_DATE = on_demand(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" (?:\d{1,2}, )?\d{4}|\b(?:19|20)\d\d\b"
)


Place = tuple[str, int, int]
"""Document, start and end of a sentence."""


def told_at(relations: Iterable[Relation]) -> Mapping[Place, int]:
    """How many of the relations each sentence tells."""
    told: Counter[Place] = Counter()
    for relation in relations:
        told.update({place_of(statement) for statement in relation.statements})
    return told


def place_of(statement: Statement) -> Place:
    """The sentence of a statement."""
    return statement.document, statement.start, statement.end


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a statement has to tell: the question or its last step, its other words, and those it has to be about."""

    plan: QuestionPlan
    text: str
    rest: Sequence[frozenset[str]]
    """Search words beside the names, the relation and the period: all of them, or those of each thing of a list, one
    of which is enough (:func:`other_words`)."""
    around: Sequence[LinkedEntity]
    """Those of whom the statement speaks, each of them."""
    figures: frozenset[str] = frozenset()
    """Digits of the figures that the text prints ("95% of the venture"): a statement has to print one of them."""
    told_at: Mapping[Place, int] = field(default_factory=dict)
    """How many of the relations that may answer a sentence tells: one that counts them all up answers best."""

    def asks(self, kind: str) -> bool:
        """True where the text asks in such a way (``stated_relations.toml``)."""
        return _RULES.any(kind, self.text)

    @property
    def onwards(self) -> frozenset[int]:
        """The years from the one since which all there are is asked for; empty where that is not asked, and of an
        office, which may be held since a year."""
        since = _RULES.first("onwards", self.text)
        if since is None or not asks_for_all(self.text) or offices_in(self.text):
            return frozenset()
        return frozenset(range(int(since["year"] or since["from"]), _LAST_YEAR))

    @property
    def years(self) -> frozenset[int]:
        """The years that the text names, all of the question's where the text is the whole of it, and of a list "since
        2020" those that follow; not that of the report that is to tell it."""
        asked = self.plan.asked
        onwards = self.onwards
        if onwards:
            return onwards
        said = _RULES.without("filing", self.text)
        if said == asked.trimmed:
            return frozenset(asked.years)
        return frozenset(year for year in asked.years if str(year) in said)

    @property
    def names_filing(self) -> bool:
        """The question says which report is to tell it: "according to the 2018 10-K"."""
        return _RULES.any("filing", self.text)


@dataclass(frozen=True, slots=True, order=True)
class _Rank:
    """By what the better of two statements is known, the first field first; each is better where it is greater."""

    fit: float
    dates: float
    tells_holder: bool
    """It tells who holds the office asked: an aide to the CEO does not, nor does the CEO of a unit."""
    details_asked: int
    """How many of a price, a share, a time and a term are asked for and told; a day tells more than a year."""
    is_certain: bool
    """Of what is only planned the plan answers whether it has happened; a sentence without a date says neither."""
    told_with: int
    """How many of the relations that may answer its sentence tells."""
    details: int
    reported: str
    """Of an office the day of the report that tells it: the last one says who holds it now."""
    confidence: float
    from_start: int
    """Of like sentences the first one, for every relation that it tells: names are written out there."""
    id: str


def best_statement(relation: Relation, wanted: Wanted) -> Stated | None:
    """The statement of a relation that answers best; None where none does."""
    fitting: list[Stated] = []
    for statement in relation.statements:
        if not _answers(relation, statement, wanted):
            continue
        fit = max(_fit(relation, statement, rest) for rest in wanted.rest)
        if fit >= _LEAST_FIT:
            fitting.append(Stated(relation, statement, fit, _dates_told(statement, wanted)))
    return max(fitting, key=lambda stated: _rank(stated, wanted), default=None)


def _answers(relation: Relation, statement: Statement, wanted: Wanted) -> bool:
    if not _can_answer(statement, wanted) or not _is_the_office(relation, statement, wanted):
        return False
    return is_about(wanted.around, relation, statement, wanted.plan)


def _can_answer(statement: Statement, wanted: Wanted) -> bool:
    """True for a statement of the years asked, planned or done as the question says, that holds no orders."""
    if statement.modality == "negated" or gives_orders(statement.text):
        return False
    if statement.metadata.get("until") and wanted.asks("now"):
        return False
    if wanted.names_filing and statement.document not in wanted.plan.own_selection.sources:
        return False
    if not _is_done_as_asked(statement, wanted) or not _prints_a_figure(statement, wanted):
        return False
    return not wanted.years or not wanted.years.isdisjoint(years_of(statement, wanted.plan))


def _prints_a_figure(statement: Statement, wanted: Wanted) -> bool:
    """True for a statement that prints a figure asked, itself or in the sentence of its price; and where none is."""
    if not wanted.figures:
        return True
    price = price_behind(wanted.plan, statement)
    told = " ".join((statement.text, *statement.metadata.values(), price.text if price else ""))
    return any(figure.digits in wanted.figures for figure in figures_in(told))


def _is_done_as_asked(statement: Statement, wanted: Wanted) -> bool:
    """True for what is planned where the question asks for plans, and has happened where it asks for that."""
    if wanted.asks("whether"):
        return True
    if wanted.asks("planned"):
        return statement.modality in ("planned", "possible")
    if wanted.asks("happened"):
        return statement.modality == "asserted" or is_completed_behind(wanted.plan, statement)
    return True


def _is_the_office(relation: Relation, said: Statement, wanted: Wanted) -> bool:
    """False for an office that the question does not ask for: the CEO is no answer to "Who is the general counsel?"."""
    if relation.relation not in OFFICES:
        return True
    if not _RULES.any("whom", wanted.plan.asked.trimmed) and not wanted.asks("term"):
        return True
    # One sentence may tell several offices, each with its own statement.
    held = f"{said.metadata.get('role') or said.text} {relation.tail.name}"
    role = wanted.plan.expected.role
    asked = _offices_asked(wanted.text, named_links(wanted.plan))
    if role is None and not asked:
        return True
    is_whole = wanted.text == wanted.plan.asked.trimmed
    if is_whole and is_of_other_unit(said, wanted.text):
        return False
    return role.is_named(held) if role is not None else not asked.isdisjoint(offices_in(held))


def tells_term(said: Statement) -> bool:
    """True for a statement that says since when or until when, or whose sentence names a date."""
    return not {"since", "until"}.isdisjoint(said.metadata) or _DATE.search(said.text) is not None


def tells_holder(said: Statement, wanted: Wanted) -> bool:
    """False for a statement that does not say who holds the office asked.

    True where none is asked, or in the last of two steps: "Who runs the business that Jane Roe led?".
    """
    role = wanted.plan.expected.role
    is_last_step = wanted.text != wanted.plan.asked.trimmed
    return role is None or is_last_step or role.is_held(said.text)


def _offices_asked(text: str, links: Sequence[LinkedEntity]) -> frozenset[str]:
    """The offices that a question asks for, by their names or by a verb ("Who chairs Acme's board?"); one that stands
    before a name only says who is meant ("its new director Jane Roe")."""
    titles, chairs = _RULES.all("title")[0], _RULES.all("chairs")[0]
    for link in links:
        if link.entity.type == "person":
            before, name, behind = text.partition(link.written)
            text = titles.sub(" ", before) + name + behind
    return offices_in(chairs.sub("chair", text))


def _rank(stated: Stated, wanted: Wanted) -> _Rank:
    said = stated.statement
    period = said.period
    told = {
        "price": "value" in said.metadata or MONEY.search(said.text) is not None,
        "share": "share" in said.metadata,
        "times": ("since" in said.metadata or said.period is not None) + (period is not None and period.unit == "day"),
        "term": "since" in said.metadata,
    }
    is_dated = said.period is not None or not wanted.asks("whether")
    return _Rank(
        fit=stated.fit,
        dates=stated.dates,
        tells_holder=tells_holder(said, wanted),
        details_asked=sum(times for kind, times in told.items() if wanted.asks(kind)),
        is_certain=said.modality == "asserted" and is_dated,
        told_with=wanted.told_at.get(place_of(said), 1),
        details=len(said.metadata),
        reported=str(said.published or "") if said.relation in OFFICES else "",
        confidence=said.confidence,
        from_start=-said.start,
        id=said.id,
    )


def years_of(statement: Statement, plan: QuestionPlan) -> set[int]:
    """The years that a statement speaks of, the first and last of a term and those between; else when it was made."""
    told = _years_in(" ".join((*statement.metadata.values(), statement.text)))
    term = [*_years_in(statement.metadata.get("since", "")), *_years_in(statement.metadata.get("until", ""))]
    if len(term) > 1:
        told.update(range(min(term), max(term) + 1))
    if statement.period is not None:
        return {statement.period.year, *told} if term else {statement.period.year}
    if told:
        return told
    record = plan.catalogue.by_source.get(statement.document)
    if record is None or not record.published:
        return set()
    return {record.published.year}


def _years_in(text: str) -> set[int]:
    return set(map(int, _YEAR.findall(text)))


def _dates_told(statement: Statement, wanted: Wanted) -> float:
    """Share of the dates in a question ("August 2017") that a statement tells, in its term where it has one."""
    asked = _DATE.findall(wanted.text)
    if not asked or wanted.onwards:
        return 1.0
    details = statement.metadata
    told = list(details.values())
    if "since" not in details and "until" not in details:
        told.append(statement.text)
    tells = " ".join(told)
    tells = f"{tells} {_OF_MONTH.sub('', tells)}"
    return sum(date in tells for date in asked) / len(asked)


def is_about(links: Sequence[LinkedEntity], relation: Relation, said: Statement, plan: QuestionPlan) -> bool:
    """True for a statement of, beside, or in a document of each of those named.

    Of several that have documents one is enough: each writes of itself.
    """
    told = f" {' '.join(search_words(said.text))} "
    record = plan.catalogue.by_source.get(said.document)
    own = set(map(company_key, record.companies)) if record else set()
    of_filers: list[bool] = []
    of_others: list[bool] = []
    for link in links:
        is_filer = company_key(link.entity.name) in plan.catalogue.by_company
        same_kind = of_filers if is_filer else of_others
        same_kind.append(_is_told_of(link, relation, told, own))
    if len(of_filers) > 1:
        return all(of_others) and any((*of_filers, *of_others))
    return all(of_filers) and all(of_others)


def _is_told_of(link: LinkedEntity, relation: Relation, told: str, own: Collection[str]) -> bool:
    """True where one of those named is an end of a statement, stands beside it, or has the document written."""
    is_end = any(end.id == link.entity.id or end.key == link.entity.key for end in relation.ends)
    is_beside = f" {' '.join(search_words(link.written))} " in told
    return is_end or is_beside or company_key(link.entity.name) in own


def _fit(relation: Relation, statement: Statement, rest: frozenset[str]) -> float:
    """Share of what else is asked that a statement holds."""
    if not rest:
        return 1.0
    told = " ".join((relation.head.name, relation.tail.name, statement.text, *statement.metadata.values()))
    return len(rest.intersection(search_words(told))) / len(rest)


def other_words(plan: QuestionPlan, asked: AskedRelations, text: str) -> list[frozenset[str]]:
    """The search words of the question beside those named, the relation and the period.

    Of things that it lists ("battery cells and servo drives") each may have a statement of its own: the words with one
    of them at a time.
    """
    of_names: set[str] = set()
    text = _RULES.without("degree", text)
    for link in (*named_links(plan), *left_out(plan)):
        if link.written in text:
            text = text.replace(link.written, " ")
        else:  # a company in another form than the question gives it: "Acme" for "Acme Holdings, Inc."
            of_names.update(search_words(link.written))
    for said in asked.said:
        text = said.sub(" ", text)
    listed = _RULES.first("listed", text)
    if listed is None or _RULES.any("clause", listed[0]):
        return [_plain_words(text) - of_names]
    around = f"{text[: listed.start()]} {text[listed.end() :]}"
    return [_plain_words(f"{around} {item}") - of_names for item in _RULES.all("between")[0].split(listed[0])]


def _plain_words(text: str) -> frozenset[str]:
    return without_numbers(question_words(_RULES.without("beside", without_figures(text))))


def only_says_who(link: LinkedEntity, plan: QuestionPlan) -> bool:
    """True for Acme in "Acme's chief Ann Lee": it says which Ann Lee is meant, and asks for nothing of Acme."""
    people = (re.escape(other.written) for other in named_links(plan) if other.entity.type == "person")
    described = rf"{re.escape(link.written)}['’]s (?:[\w-]{{1,20}} ){{0,4}}(?:{'|'.join(people) or '(?!)'})"
    return re.search(described, plan.asked.trimmed) is not None


def of_the_relation_said(found: list[Stated], asked: AskedRelations) -> list[Stated]:
    """Those of a relation that the question names, where there are such: in "rivals of its products" what else a word
    may ask for is beside it."""
    own = [stated for stated in found if stated.relation.relation in asked.said_itself]
    return own or found


def who_moved(found: list[Stated], text: str) -> list[Stated]:
    """Of who joined or left those that are told to: who has held an office all along is no answer."""
    if not _RULES.any("comes_or_goes", text):
        return found
    return [stated for stated in found if _RULES.any("came_or_went", stated.statement.text)]
