"""Statements of the graph as lines of an answer: in words, with their details, and the sentence they are from; and the
sentences that say what moved a figure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .....core.language import language_of
from .....core.names import company_key
from .....core.patterns import PatternTable, on_demand
from .....core.records import dataclass
from .....ingest.sentences import split_text
from .....kg.graph import Entity, Relation, Statement
from .....kg.schema import Schema
from ....question.plan import QuestionPlan
from ....search.evidence import Evidence
from ....search.retrievers.asked_relations import OFFICES
from ....search.retrievers.graph import readable, statement_evidence
from ...citations import Citations, with_marks
from ..quote_text import readable as on_one_line
from ..quote_text import write_extract
from ..sentence_scoring import Quote

if TYPE_CHECKING:
    from .....kg.drivers import Driver

_SEVERAL = 2
"""Companies of which each is named where causes are told."""
MONEY = on_demand(r"[$€£¥]\s?\d|\d\s?(?:million|billion)\b|\d\s?[万亿]?元")
_PRICE = on_demand(r"\b(?:consideration|purchase price|paid)\b|对价|价款", re.IGNORECASE)
_BEHIND, _FAR_BEHIND, _REACH = 3, 8, 1_500
"""Sentences of its passage behind a statement in which any amount may be its price; sentences and characters in which
one may stand that is called a price."""
_MOST_TOLD = 6
"""Places that tell a deal, behind which its price is looked for."""
_RULES = PatternTable(__package__, "stated_relations.toml")
_SIGNED = on_demand(r"/s/", re.IGNORECASE)
_MARK = on_demand(r"\(\w{1,3}\)|\W*")
"""A cell that only points to a note, or says nothing."""
_NOTES = {
    "role": ("{}", "{}"),
    "since": ("since {}", "{}起"),
    "until": ("until {}", "至{}"),
    **dict.fromkeys(("value", "share", "agreement", "date"), ("{}", "{}")),
}
"""What of a statement's details is written, in this order, in English and in Chinese."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation that answers, the statement that says so best, and what share of the rest of the question it holds."""

    relation: Relation
    statement: Statement
    fit: float
    dates: float = 1.0
    """Share of the dates asked that it tells."""


def write_stated(found: Sequence[Stated], plan: QuestionPlan, citations: Citations) -> str:
    """The statements as text, a line each, every one with its citation; with the price where one is asked for.

    What one sentence counts up is one line: "Acme competes with Bolt, Crux and Dart".
    """
    schema = plan.vocabulary.schema
    wants_price = _RULES.any("price", plan.asked.trimmed)
    lines: list[str] = []
    for group in _by_sentence(found):
        stated = group[0]
        said = stated.statement
        evidence = as_evidence(stated, schema)
        number = citations.cite(evidence, said.text, said.start, said.end)
        line = with_marks(_told(_in_words(group, schema), said.text), [number])
        priced = price_of(plan, stated, schema) if wants_price and not MONEY.search(said.text) else None
        if priced is not None:
            number = citations.cite(priced, priced.text, priced.start, priced.end)
            line = f"{line} {with_marks(on_one_line(priced.text), [number])}"
        lines.append(line)
    return "\n".join(dict.fromkeys(lines))


def _told(words: str, text: str) -> str:
    """A statement in words and the sentence that says it; of a table's row the cells that say more than the words, of
    a signature nothing more.

    >>> _told("Bolt Europe B.V. is a subsidiary of Bolt", "| Bolt Europe B.V. | (1) | Amsterdam | 100.0 |")
    'Bolt Europe B.V. is a subsidiary of Bolt: Amsterdam, 100.0'
    """
    if _SIGNED.search(text):
        return words
    said = on_one_line(text)
    if text.lstrip().startswith("|"):
        cells = filter(None, map(str.strip, text.split("|")))
        said = on_one_line(", ".join(cell for cell in cells if cell not in words and not _MARK.fullmatch(cell)))
    return f"{words}: {said}" if said else words


def _by_sentence(found: Sequence[Stated]) -> list[list[Stated]]:
    """Statements that one sentence makes of one and the same by one relation together, at the place of the first;
    who holds an office stands alone."""
    by_head = Counter(_same(stated, stated.relation.head) for stated in found)
    groups: dict[tuple[object, ...], list[Stated]] = {}
    for stated in found:
        head, tail = (_same(stated, end) for end in stated.relation.ends)
        together = head if by_head[head] > 1 else tail
        groups.setdefault((*tail, *head) if stated.relation.relation in OFFICES else together, []).append(stated)
    return list(groups.values())


def _same(stated: Stated, end: Entity) -> tuple[object, ...]:
    """What statements have in common that are written as one: the sentence, the relation, its details, and an end."""
    said = stated.statement
    return said.document, said.start, said.end, stated.relation.relation, tuple(sorted(said.metadata.items())), end.id


def price_of(plan: QuestionPlan, stated: Stated, schema: Schema) -> Evidence | None:
    """The sentence that says what was paid: one behind the statement, or what another statement of the deal says."""
    told_at = [stated.statement, *(said for said in stated.relation.statements if said.id != stated.statement.id)]
    for said in told_at[:_MOST_TOLD]:
        behind = price_behind(plan, said)
        if behind is not None:
            told = as_evidence(replace(stated, statement=said), schema)
            return replace(told, start=behind.start, end=behind.end, text=behind.text)
    others = [said for said in stated.relation.statements if "value" in said.metadata]
    if not others:
        return None
    said = max(others, key=lambda other: (other.modality == "asserted", other.confidence, other.id))
    return replace(as_evidence(replace(stated, statement=said), schema), text=said.text)


def is_completed_behind(plan: QuestionPlan, said: Statement) -> bool:
    """True where one of the sentences behind a plan tells that it was carried out: "The transaction closed in May"."""
    text = plan.store.text(said.document)[said.end : said.end + _REACH]
    behind = (text[span.start : span.end] for span in split_text(text)[:_BEHIND])
    return any(_RULES.any("completed", sentence) for sentence in behind)


@dataclass(frozen=True, slots=True)
class PriceTold:
    """A sentence that says what was paid; offsets are in the document's text."""

    start: int
    end: int
    text: str


def price_behind(plan: QuestionPlan, said: Statement) -> PriceTold | None:
    """The sentence with an amount among the next ones, or of a price among those further behind.

    A deal is told first, then what was bought, then what was paid.
    """
    text = plan.store.text(said.document)[said.end : said.end + _REACH]
    passage_ends = max((chunk.end for chunk in plan.store.chunks([said.chunk])), default=said.end)
    for number, span in enumerate(split_text(text)[:_FAR_BEHIND]):
        behind = text[span.start : span.end]
        is_beside = number < _BEHIND and said.end + span.end <= passage_ends
        if MONEY.search(behind) and (is_beside or _PRICE.search(behind)):
            return PriceTold(said.end + span.start, said.end + span.end, behind)
    return None


def as_evidence(stated: Stated, schema: Schema) -> Evidence:
    """A stated relation as the evidence that its citation points to."""
    return statement_evidence(stated.fit, stated.relation, stated.statement, schema)


def _in_words(group: Sequence[Stated], schema: Schema) -> str:
    """Statements that differ in one end as one, with their details behind it."""
    stated = group[0]
    details, is_english = stated.statement.metadata, language_of(stated.statement.text) == "en"
    notes = {name: forms[not is_english].format(details[name]) for name, forms in _NOTES.items() if details.get(name)}
    if ";" in details.get("value", ""):  # all amounts of the sentence, which stands behind: none is the one of the rest
        del notes["value"]
    relation = _joined([member.relation for member in group])
    words = readable(relation, stated.statement, schema)
    if relation.relation in OFFICES and is_english and "role" in notes:
        verb = schema.relations[relation.relation].label("en")
        words = words.replace(f" {verb} ", f", {notes.pop('role')} of ", 1)
    said = "; ".join(note for name, note in notes.items() if name == "role" or details[name] not in words)
    return f"{words} [{said}]" if said else words


def _joined(relations: Sequence[Relation]) -> Relation:
    """Relations that differ in one end as one whose end has all names."""
    first = relations[0]
    heads = list(dict.fromkeys(relation.head.name for relation in relations))
    tails = list(dict.fromkeys(relation.tail.name for relation in relations))
    head, tail = replace(first.head, name=", ".join(heads)), replace(first.tail, name=", ".join(tails))
    return replace(first, head=head, tail=tail)


# --- what moved a figure


def write_causes(plan: QuestionPlan, drivers: Sequence[Driver], citations: Citations) -> str:
    """The sentences of drivers as text, each with its citation; of several companies with whom it is about."""
    quotes = cause_quotes(plan, drivers)
    companies = {company_key(driver.company) for driver in drivers}
    if len(companies) < _SEVERAL and plan.companies:
        return write_extract(plan.store, quotes, citations)
    of_chunk = {driver.chunk: driver.company for driver in drivers}
    lines = []
    for quote in quotes:
        company = of_chunk[quote.evidence.id]
        lines.append(f"{company}: {write_extract(plan.store, [quote], citations)}")
    return "\n".join(lines)


def cause_quotes(plan: QuestionPlan, drivers: Sequence[Driver]) -> list[Quote]:
    """The sentences of drivers, each as a part of its passage."""
    ids = [driver.chunk for driver in drivers]
    passages = {chunk.id: chunk for chunk in plan.store.chunks(ids)}
    quotes: list[Quote] = []
    for driver in drivers:
        chunk = passages.get(driver.chunk)
        if chunk is None:
            continue
        item = Evidence(
            kind="chunk" if chunk.kind == "text" else chunk.kind,
            text=chunk.text,
            score=driver.confidence,
            source=driver.document,
            id=chunk.id,
            page=driver.page,
            anchors=driver.anchors,
            start=chunk.start,
            end=chunk.end,
            headings=chunk.headings,
        )
        quotes.append(Quote(item, driver.text, driver.start, driver.end))
    return quotes
