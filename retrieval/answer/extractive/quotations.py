"""What of the evidence an extractive answer quotes, for each part of the question: the best sentences that meet what is
required and differ from each other, or none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from decimal import Decimal
from itertools import chain, filterfalse
from operator import attrgetter
from typing import TYPE_CHECKING

from ....core.language import language_of
from ....core.names import is_chinese
from ....core.quantity import find_quantities
from ....core.records import dataclass
from ....core.sequences import first
from ....core.words import search_words
from ...question.plan import QuestionPlan
from ...search.evidence import TEXTS, Evidence
from ..generative.prompts import asks_for_orders
from .completion import following, is_beside, is_loose, look_again, rest_of_pages, under_titles, with_neighbours
from .quotables import ROW, cells_of, is_row
from .requirements.amount import read_amount, without_other_labels
from .requirements.base import OF_TIME, Requirement, SecondSearch, meets, reports_apart, topic_words
from .requirements.figure_owner import read_figure_owner
from .requirements.narrowing import NarrowingRequirement, names_absent_attribute
from .requirements.period import PeriodRequirement
from .requirements.relation import RelationRequirement
from .requirements.statement import (
    OfficeRequirement,
    StatementRequirement,
    TopicRequirement,
    read_attribute,
    read_succession,
)
from .requirements.subject import read_subjects
from .sentence_scoring import Quote, asks_for_words, score_quotes
from .subject_fit import asks_whether

if TYPE_CHECKING:
    from ....models.embedders import Embedder

_LEFT_OUT = 0.2
"""Share of the words of a question that a cause may hold less than the best sentence."""
ALL_WORDS = 500
"""Chunks in which every ordinary word of a question stands somewhere."""


@dataclass(slots=True)
class Quotations:
    """What answers a question.

    ``absent`` are names in it that no document has, ``found_again`` the passages that a second search found.
    """

    chosen: list[Quote] = field(default_factory=list)
    absent: tuple[str, ...] = ()
    found_again: list[Evidence] = field(default_factory=list)


def choose_quotes(
    plan: QuestionPlan,
    embedder: Embedder | None,
    evidence: Sequence[Evidence],
    period: PeriodRequirement,
    relation: RelationRequirement,
    narrowing: NarrowingRequirement,
) -> Quotations:
    """What answers each part of the question, by the requirements of the whole question and of each part."""
    chosen: dict[tuple[str, int, str], Quote] = {}
    found = Quotations()
    evidence = [*evidence, *rest_of_pages(plan.store, evidence)]
    for part in plan.parts:
        succession = read_succession(part)
        requirements = (
            relation,
            succession,
            read_attribute(part),
            OfficeRequirement(part.expected),
            narrowing,
            TopicRequirement(part.expected),
            period,
            StatementRequirement(orders_asked=asks_for_orders(plan.text)),
        )
        more = _found_again(part, requirements, evidence)
        found.found_again += more
        subjects = read_subjects(part, {item.source for item in (*evidence, *more)})
        found.absent += subjects.absent
        scored = [] if subjects.absent else score_quotes(part, embedder, [*evidence, *more], subjects)
        kept = [quote for quote in scored if meets(requirements, quote)]
        kept = without_other_labels(part, read_figure_owner(part).fitting(kept))
        sure = succession.applies() or _is_sure(part, relation, kept)
        if not sure and _asks_the_unknown(part, kept):
            continue
        if part.expected.kind in _TOLD_KINDS and asks_for_words(part):
            kept = under_titles(kept)
        best = best_quotes(part, kept, sure=sure)
        best = _with_amount(part, best, kept)
        if succession.applies():  # told in whatever words: "proposed Jane Roe as my successor"
            best = best or kept[:1]
        for quote in best:
            chosen[quote.evidence.source, quote.start, quote.text] = quote
    found.chosen = list(chosen.values())
    return found


def is_as_telling(
    plan: QuestionPlan, embedder: Embedder | None, quotes: Sequence[Quote], evidence: Sequence[Evidence]
) -> bool:
    """True where one of the quotes holds about as much of what is asked as the best sentence of the evidence does:
    "why no revenue in Japan" is not answered by what moved revenue."""
    subjects = read_subjects(plan, {item.source for item in evidence})
    best_score = max((item.score for item in evidence), default=0.0)
    own = [replace(quote.evidence, score=best_score) for quote in quotes]
    scored = score_quotes(plan, embedder, [*own, *evidence], subjects)
    best = map(attrgetter("words"), scored[:1])
    held = [other.words for other in scored if any(_overlap(other, quote) for quote in quotes)]
    return max(held, default=0.0) > max(best, default=0.0) - _LEFT_OUT


def _with_amount(part: QuestionPlan, best: list[Quote], kept: Sequence[Quote]) -> list[Quote]:
    """The best quotations; where they hold no amount and one is asked for, the best of those that do, or none."""
    amount = read_amount(part)
    chosen = amount.choose(best, kept)
    return amount.with_values(best if chosen is best else best_quotes(part, chosen))


def _found_again(
    part: QuestionPlan, requirements: Sequence[Requirement], evidence: Sequence[Evidence]
) -> list[Evidence]:
    """What a second search finds beside the evidence, each counted as the best passage there."""
    best_score = max((item.score for item in evidence if item.kind in TEXTS), default=0.0)
    seen = {item.id for item in evidence}
    again = look_again(part.store, _second_search(requirements, part))
    return [replace(item, score=best_score) for item in again if item.id not in seen]


def _second_search(requirements: Sequence[Requirement], part: QuestionPlan) -> SecondSearch | None:
    """What to look for beside the first hits: the first requirement that has something to look for says so."""
    searches = (requirement.second_search(part) for requirement in requirements if requirement.applies())
    return first(filter(None, searches), None)


def _is_sure(part: QuestionPlan, relation: RelationRequirement, kept: Sequence[Quote]) -> bool:
    """True where each quotation has been seen to speak of what is asked, be its words as they may."""
    if relation.words or part.expected.role:
        return True
    return part.expected.kind == "highlights" and any(quote.answers for quote in kept)


def _asks_the_unknown(part: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    """True where none of the words asked stands anywhere, or the thing asked of a company nowhere in its documents.

    Documents in another language than the question cannot hold them, and few chunks lack ordinary words too.
    """
    if part.catalogue.chunks < ALL_WORDS:
        return False
    if names_absent_attribute(part, quotes):
        return True
    topic, known = topic_words(part), part.catalogue.by_source
    languages = {known[quote.evidence.source].language for quote in quotes if quote.evidence.source in known}
    if not topic or languages != {language_of(part.text)}:
        return False
    if part.vocabulary.synonyms.expand(part.asked.trimmed).words:
        return False
    if any(not topic.isdisjoint(quote.held) for quote in quotes):
        return False
    return not any(part.store.document_frequency(topic).values())


MOST = 4
"""Sentences of an answer with what they refer to: more is reading, not answering."""
_BEHIND, _SURE_BEHIND = 0.2, 0.7
"""How far behind the best score a further sentence may be; where each is known to speak of what is asked, and another
one names others, it may be further."""
_TOLD, _TOLD_BEHIND = 3, 0.5
"""Sentences that are quoted where words are asked for, and how far behind the best one: of 143 such questions the best
sentence answers .615, one of the best two .734, of three .797 (weights learned on other documents)."""
_TOLD_KINDS = ("", "meaning", "reason")
"""Kinds of answer that several sentences tell; names, places and days are held or not."""
_WORDS_WORTH, _NEW_WORDS = 0.9, 0.1
"""A further sentence holds nearly as much of the question as the best one, or a word that none before it holds."""
_ALIKE = 0.7
"""Share of words in common from which two sentences say the same."""
_LEAST_WORDS = 0.4
"""Share of the question's words that the best sentence needs where there are no vectors."""
_LEAST_SIMILARITY = 0.45
"""Similarity that the best sentence of an answerable question has: on filings 49 in 50 questions are above."""
_LEAST_ALONE = 0.7
"""The same of a sentence in the question's language that shares none of its words but names: such are often covers."""
_MANY_WORDS, _FACT_WORDS, _SOME_SIMILARITY = 0.6, 0.5, 0.35
"""So many of the question's words make up for less similarity: names and measures that the model does not know."""
_CHINESE_WORDS = 0.5
"""Share of a Chinese question's words from which a Chinese sentence is near it, however similar: of 56 questions on 150
reports .7 find an answer, .62 by similarity alone, of 30 that have none 1 and 1; from .3 on 6 do."""
_ALL_WORDS = 0.99
"""Share of the question's words from which a sentence holds them all."""
_NEARLY_ALL_WORDS, _SEVERAL_WORDS = 0.9, 2
"""What holds nearly all words of a question, two at least, is near it in whatever form: rows, and names in a list."""
_MOST_REPORTS = 4
"""Reports of which each is quoted where all are asked about."""
_REPORT_WORTH = 0.6
"""Share of the best score that the best sentence of each of them has."""


def best_quotes(plan: QuestionPlan, quotes: Sequence[Quote], *, sure: bool = False) -> list[Quote]:
    """The best sentences that differ from each other, with what they refer to, in the order of reading.

    None where the evidence is weak: the best sentence is about something else, or none has what is asked for.
    ``sure`` says that each of them has been seen to speak of what is asked, be its words as they may.
    """
    found = _surely_answering(plan, quotes) if sure else _near_enough(plan, quotes)
    if plan.expected.is_needed and not any(map(_answers, found)):
        return []
    return found


def _surely_answering(plan: QuestionPlan, quotes: Sequence[Quote]) -> list[Quote]:
    """The best of the quotes that hold the kind of answer expected."""
    return _in_order(_choose(plan, list(filter(_answers, quotes)), sure=True))


def _near_enough(plan: QuestionPlan, quotes: Sequence[Quote]) -> list[Quote]:
    """The best quotes with the sentences beside them that they need; none where the evidence is weak."""
    searched = [quote for quote in quotes if not is_beside(quote.evidence)]
    if _is_weak(searched, is_chinese(plan.text)):
        return []
    chosen = _of_each_report(plan, quotes) or _choose(plan, quotes, sure=False)
    found = list(chain.from_iterable(with_neighbours(plan, quote, quotes) for quote in chosen))
    if len(chosen) == 1 and is_told_in_words(plan, chosen):
        found += following(chosen[0], quotes, plan.expected)[: max(0, _TOLD - len(found))]
    return _in_order(found)


def _answers(quote: Quote) -> bool:
    return quote.answers


def _is_figure(quote: Quote) -> bool:
    return quote.is_figure


def _of_each_report(plan: QuestionPlan, quotes: Sequence[Quote]) -> list[Quote]:
    """The best of each report where several are asked about and each has a sentence that is good enough; else nothing.

    What they say in the same words is quoted once, unless with other amounts.
    """
    groups = reports_apart(plan)
    if not 1 < len(groups) <= _MOST_REPORTS:
        return []
    of_reports: list[list[Quote]] = []
    for group in groups:
        of_reports.append([quote for quote in quotes if quote.evidence.source in group and not quote.is_talk])
    least = _REPORT_WORTH * quotes[0].score
    if not all(own and own[0].score >= least for own in of_reports):
        return []
    chosen: list[Quote] = []
    for own in of_reports:
        near = [quote for quote in own[: MOST // len(groups)] if quote.score >= own[0].score - _BEHIND]
        new = [quote for quote in near if not _is_said_elsewhere(quote, chosen)]
        chosen.extend(new)
    return chosen


def _is_said_elsewhere(quote: Quote, chosen: Sequence[Quote]) -> bool:
    return any(_repeats(quote, other) for other in chosen)


def _repeats(quote: Quote, other: Quote) -> bool:
    """True where a sentence of another report says the same, and no other amount with a unit."""
    if not _alike(quote, other):
        return False
    amounts = _measured(quote.text)
    return not amounts or amounts == _measured(other.text)


def _measured(text: str) -> set[tuple[Decimal, str]]:
    return {(quantity.amount, quantity.unit) for quantity in find_quantities(text) if quantity.unit}


def _choose(plan: QuestionPlan, quotes: Sequence[Quote], *, sure: bool) -> list[Quote]:
    """The best quote, and those that are nearly as good and add something to it."""
    behind = _SURE_BEHIND if sure and plan.expected.role is None else _BEHIND
    most = plan.expected.most
    chosen = list(quotes[:1])
    is_told = not sure and is_told_in_words(plan, chosen)
    if is_told:
        behind, most = _TOLD_BEHIND, _TOLD
    for quote in quotes[1:]:
        is_good_enough = quote.score >= chosen[0].score - behind
        if not is_good_enough or len(chosen) == most:
            break
        is_telling = not quote.is_talk and not (is_told and is_loose(quote.text))
        adds = is_telling and _adds(quote, chosen, sure=sure, told=is_told)
        if adds and not is_said(quote, chosen):
            chosen.append(quote)
    return chosen


def is_told_in_words(plan: QuestionPlan, chosen: Sequence[Quote]) -> bool:
    """True where words are asked for, more than yes or no, and the best quotation is a sentence."""
    if plan.expected.kind not in _TOLD_KINDS or asks_whether(plan.asked.trimmed):
        return False
    return asks_for_words(plan) and not any(map(_is_figure, chosen))


def is_said(quote: Quote, chosen: Sequence[Quote]) -> bool:
    """True where one of the chosen says the same."""
    return any(_alike(quote, other) for other in chosen)


def _is_weak(quotes: Sequence[Quote], chinese: bool) -> bool:
    """True where no sentence is near enough to the question, or those that are share only its words of time."""
    telling = list(filterfalse(_shares_only_time, quotes))
    if any(quote.similarity for quote in telling):
        return not any(_is_near(quote, chinese) for quote in telling)
    return all(quote.words < _LEAST_WORDS for quote in telling)


def _shares_only_time(quote: Quote) -> bool:
    """True where it holds but words of time, of a question that has others (one for a fiscal year's end has none)."""
    return quote.words < _ALL_WORDS and bool(quote.held) and all(map(OF_TIME.match, quote.held))


def _is_near(quote: Quote, chinese: bool) -> bool:
    """True for a sentence that is similar to the question, or that makes up for it by the words it holds."""
    similarity = quote.similarity / ROW if is_row(quote.evidence, quote.text) else quote.similarity
    holds_most = quote.words >= _NEARLY_ALL_WORDS and len(quote.held) >= _SEVERAL_WORDS
    if holds_most or similarity >= _least(quote, chinese):
        return True
    if chinese and quote.words >= _CHINESE_WORDS and quote.held and is_chinese(quote.text):
        return True
    if quote.evidence.kind in TEXTS:
        return quote.words >= _MANY_WORDS and similarity >= _SOME_SIMILARITY
    return quote.words >= (_FACT_WORDS if quote.evidence.kind == "fact" else _MANY_WORDS)


def _least(quote: Quote, chinese: bool) -> float:
    """The similarity that a quote needs; what stands among the facts is named for what it is."""
    if quote.held or quote.evidence.kind not in TEXTS:
        return _LEAST_SIMILARITY
    is_translated = is_chinese(quote.text) != chinese
    return _LEAST_SIMILARITY if is_translated else _LEAST_ALONE


def _adds(quote: Quote, chosen: Sequence[Quote], *, sure: bool, told: bool = False) -> bool:
    """True where a further sentence says as much about the question as the best one, or about another part of it.

    ``sure`` says that each is known to speak of what is asked: another one names others; ``told`` that words are asked
    for: the sentence that answers need not repeat those of the question.
    A figure that was found in a table or among the facts is not explained by prose that only shares its words, and a
    sentence of another document speaks of the same thing only with the best one's rarest word.
    """
    best = chosen[0]
    if best.is_figure != quote.is_figure or best.answers > quote.answers:
        return False
    if sure:
        return True
    if quote.evidence.source != best.evidence.source:
        rarest = max(best.held, key=best.held.__getitem__, default="")
        if rarest not in quote.held:
            return False
    return told or quote.words >= _WORDS_WORTH * best.words or _says_more(quote, chosen)


def _says_more(quote: Quote, chosen: Sequence[Quote]) -> bool:
    """True for words of the question that no sentence before it holds."""
    said = set(chain.from_iterable(other.held for other in chosen))
    new = sum(map(quote.held.__getitem__, quote.held.keys() - said))
    return new >= _NEW_WORDS * (sum(chosen[0].held.values()) or 1.0)


def _in_order(quotes: Sequence[Quote]) -> list[Quote]:
    """The first of them, those of one piece of evidence together as they stand in it, the best piece first."""
    kept: dict[tuple[str | int, int, int], Quote] = {}
    for quote in quotes:
        kept.setdefault((_piece(quote), quote.start, quote.end), quote)
    first = list(kept.values())[:MOST]
    pieces = list(dict.fromkeys(map(_piece, first)))
    return sorted(first, key=lambda quote: (pieces.index(_piece(quote)), quote.start, quote.end))


def _piece(quote: Quote) -> str | int:
    return quote.evidence.id or id(quote.evidence)


def _amounts(text: str) -> set[Decimal]:
    """The printed numbers of a text, whatever their unit: the same figure is found in prose, tables and facts."""
    return {abs(quantity.value) for quantity in find_quantities(text)}


def _row_name(quote: Quote) -> str:
    """The name of a table's row; "" for all else."""
    return cells_of(quote.text)[0] if is_row(quote.evidence, quote.text) else ""


def _alike(one: Quote, other: Quote) -> bool:
    """True where two quotes say the same: they overlap, share an amount or a row's name, or most of their words."""
    if _overlap(one, other):
        return True
    if one.is_figure:
        return _is_same_figure(one, other)
    return _share_words(one.text, other.text)


def _overlap(one: Quote, other: Quote) -> bool:
    of_one_document = one.evidence.source == other.evidence.source
    return of_one_document and one.start < other.end and other.start < one.end


def _is_same_figure(one: Quote, other: Quote) -> bool:
    """True for rows of one name, or that share an amount; two rows of one table are two figures."""
    name, other_name = _row_name(one), _row_name(other)
    if name and name == other_name:
        return True
    if one.evidence is other.evidence:
        return False
    return not _amounts(one.text).isdisjoint(_amounts(other.text))


def _share_words(one: str, other: str) -> bool:
    first, second = set(search_words(one)), set(search_words(other))
    if not first or not second:
        return one == other
    return len(first & second) >= _ALIKE * min(len(first), len(second))
