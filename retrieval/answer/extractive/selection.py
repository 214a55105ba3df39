"""An answer without a language model: the sentences of the evidence that answer best, quoted and cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from ....core.names import is_chinese
from ....core.period import Period
from ....core.period_text import find_periods
from ....core.quantity_text import find_quantities
from ....core.words import search_words
from ....ingest.sentences import split_text
from ...question.expectations.answer_type import Expected, only_points
from ...question.plan import QuestionPlan
from ...search.evidence import Evidence
from ..citations import Citations, with_marks
from ..prompts import gives_orders
from .quotables import TEXT_KINDS, is_row
from .requirements.documents import OF_TIME, reports_apart
from .rows import readable_row
from .scoring import Quote
from .second_pass import is_beside

if TYPE_CHECKING:
    from ....kg.store import Store

MOST = 4
"""Sentences of an answer with what they refer to: more is reading, not answering."""
LONGEST = 420
"""Characters of a quoted sentence; a longer one is cut at a clause."""
_WORTH = 0.85
"""Share of the best score that a further sentence needs."""
_CASE_WORTH = 0.5
"""Share of the first case's words that a further one holds where any cases are asked for ("any lawsuits?")."""
_SURE_WORTH = 0.5
"""The same where each sentence is known to speak of what is asked: another one names others."""
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
_HOLLOW_WORDS = 0.3
"""A sentence with less of them and with less than some similarity answers nothing, whatever its form."""
_REFERS_BACK = re.compile(
    r"(?:he|she|it|they|his|her|its|their|this|these|those|such|both|the latter|that|several of these|"
    r"in (?:this|that) (?:role|capacity|connection)|as a result|accordingly)\b|(?:其|该|上述|此外?|这些?|他|她|它们?)",
    re.IGNORECASE,
)
_REFERS_WITHIN = re.compile(
    r"\b(?:this|these|such|those) (?!(?:as|that|an?|quarter|year|period|month|report|form|filing|section|note|item|"
    r"table|document|annual|quarterly|agreement|proxy|release|time|date|amount|regard|purpose|respect|matter|case|company|"
    r"means)s?\b)[a-z]+",
    re.IGNORECASE,
)
"""A word for what the sentence before names: "we call this choice a moment of truth"."""
_OPENING = 60
"""Characters of a sentence in which such a word refers back; later on it may refer to the sentence's own words."""
_TAKES_UP = re.compile(r"(?:this|these|such|that|those) (?!is\b|was\b)[a-z]", re.IGNORECASE)
_BEGINS = re.compile(r"the (?P<what>(?:[a-z][\w’'-]+ ){1,2})", re.IGNORECASE)
"""The beginning of a sentence that goes on with what the one before names: "The lawsuit alleges ..."."""
_NEXT = 3
"""Characters between a sentence and the next one."""
_TICK = re.compile(r"[√☑✓✔]\s*(?=[\u4e00-\u9fff])")
_OPEN_BOX = re.compile(r"[□☐]\s*[\u4e00-\u9fff]\S*")
_APPLIES = re.compile(r"[√☑✓✔]\s*适用(?=\s|$)")
_MOST_REPORTS = 4
"""Reports of which each is quoted where all are asked about."""
_REPORT_WORTH = 0.6
"""Share of the best score that the best sentence of each of them has."""
_SERIES, _LONGEST_SERIES = 3, 8
"""Facts that make a development, and as many as are shown."""
_AFTER = 600
"""Characters after a passage that are looked at."""
_OPEN = ("", "meaning")
"""Kinds of question that a sentence alone may only touch: what somebody says, does or means."""
_LOOK_AHEAD = 2
"""Sentences after the best one in which the kind of answer expected is looked for."""


def best_quotes(plan: QuestionPlan, quotes: Sequence[Quote], *, sure: bool = False) -> list[Quote]:
    """The best sentences that differ from each other, with what they refer to, in the order of reading.

    None where the evidence is weak: the best sentence is about something else, or none has what is asked for.
    ``sure`` says that each of them has been seen to speak of what is asked, be its words as they may.
    """
    expected = plan.expected
    series = _series(quotes) if plan.asked.several and not expected.in_words else []
    if series:
        return series
    if sure:
        quotes = [quote for quote in quotes if quote.answers]
    elif _is_weak([quote for quote in quotes if not is_beside(quote.evidence)], is_chinese(plan.text)):
        return []
    chosen = [] if sure else _of_each_report(plan, quotes)
    chosen = chosen or _choose(plan, quotes, sure=sure)
    if not sure and all(_is_hollow(quote) for quote in chosen):
        return []
    near = chosen if sure else [q for quote in chosen for q in _with_neighbour(plan, quote, quotes)]
    found = _in_order(near, MOST)
    return found if not expected.is_needed or any(quote.answers for quote in found) else []


def _of_each_report(plan: QuestionPlan, quotes: Sequence[Quote]) -> list[Quote]:
    """The best of each report where several are asked about and each has a sentence that is good enough; else nothing.

    What they say in the same words is quoted once, unless with other amounts.
    """
    groups = reports_apart(plan)
    if not 1 < len(groups) <= _MOST_REPORTS or not quotes:
        return []
    most = MOST // len(groups)
    chosen: list[Quote] = []
    for group in groups:
        own = [quote for quote in quotes if quote.evidence.source in group]
        if not own or own[0].score < _REPORT_WORTH * quotes[0].score:
            return []
        near = [quote for quote in own[:most] if quote.score >= _WORTH * own[0].score]
        chosen += [quote for quote in near if not any(_repeats(quote, other) for other in chosen)]
    return chosen


def _repeats(quote: Quote, other: Quote) -> bool:
    """True where a sentence of another report says the same, and no other amount with a unit."""
    amounts = _measured(quote.text)
    return _alike(quote, other) and (not amounts or amounts == _measured(other.text))


def _measured(text: str) -> set[tuple[Decimal, str]]:
    return {(quantity.amount, quantity.unit) for quantity in find_quantities(text) if quantity.unit}


def _choose(plan: QuestionPlan, quotes: Sequence[Quote], *, sure: bool) -> list[Quote]:
    """The best quote, and those that are nearly as good and add something to it."""
    expected = plan.expected
    worth = _SURE_WORTH if sure and expected.role is None else _WORTH
    chosen: list[Quote] = []
    for quote in quotes:
        if len(chosen) == expected.most or (chosen and quote.score < worth * chosen[0].score):
            break
        if not chosen:
            chosen.append(quote)
            continue
        adds = _adds(quote, chosen, sure=sure or _is_another(quote, chosen, expected))
        if adds and not any(_alike(quote, other) for other in chosen):
            chosen.append(quote)
    return chosen


def _is_another(quote: Quote, chosen: Sequence[Quote], expected: Expected) -> bool:
    """True for a further case where any are asked for: it says half as much of the question as the first."""
    return expected.kind == "existence" and quote.words >= _CASE_WORTH * chosen[0].words


def _is_weak(quotes: Sequence[Quote], chinese: bool) -> bool:
    """True where no sentence is near enough to the question, or those that are share only its words of time."""
    quotes = [quote for quote in quotes if not quote.held or any(not OF_TIME.match(word) for word in quote.held)]
    if not any(quote.similarity for quote in quotes):
        return not any(quote.words >= _LEAST_WORDS for quote in quotes)
    return not any(
        quote.similarity >= _least(quote, chinese)
        or (quote.words >= _MANY_WORDS and quote.similarity >= _SOME_SIMILARITY)
        or (quote.words >= _MANY_WORDS and quote.evidence.kind not in TEXT_KINDS)
        or (quote.words >= _FACT_WORDS and quote.evidence.kind == "fact")
        for quote in quotes
    )


def _is_hollow(quote: Quote) -> bool:
    """True for a sentence that is neither near the question nor holds much of it."""
    return not quote.is_figure and 0.0 < quote.similarity < _SOME_SIMILARITY and quote.words < _HOLLOW_WORDS


def _least(quote: Quote, chinese: bool) -> float:
    """The similarity that a quote needs; what stands among the facts is named for what it is."""
    of_words = quote.held or quote.evidence.kind not in TEXT_KINDS or is_chinese(quote.text) != chinese
    return _LEAST_SIMILARITY if of_words else _LEAST_ALONE


def _series(quotes: Sequence[Quote]) -> list[Quote]:
    """Where a development is asked: the facts that fit as well as the best one, in order of time."""
    facts = [quote for quote in quotes if quote.evidence.kind == "fact"]
    same = [(quote, period) for quote in facts if quote.words >= facts[0].words and (period := _period(quote))]
    dated = {period.label: (period.last_day, quote) for quote, period in reversed(same)}
    if len(dated) < _SERIES:
        return []
    order = sorted(dated.values(), key=lambda pair: pair[0])
    return [quote for _, quote in order[-_LONGEST_SERIES:]]


def _period(quote: Quote) -> Period | None:
    return next((mention.period for mention in find_periods(quote.text)), None)


def _adds(quote: Quote, chosen: Sequence[Quote], *, sure: bool) -> bool:
    """True where a further sentence says as much about the question as the best one, or about another part of it.

    ``sure`` says that another one of its kind is wanted ("any lawsuits?").
    A figure that was found in a table or among the facts is not explained by prose that only shares its words, and a
    sentence of another document speaks of the same thing only with the best one's rarest word.
    """
    best = chosen[0]
    if best.is_figure != quote.is_figure or (best.answers and not quote.answers):
        return False
    if sure:
        return True
    if (
        quote.evidence.source != best.evidence.source
        and max(best.held, key=best.held.__getitem__, default="") not in quote.held
    ):
        return False
    said = {word for other in chosen for word in other.held}
    new = sum(weight for word, weight in quote.held.items() if word not in said)
    total = sum(best.held.values()) or 1.0
    return quote.words >= _WORDS_WORTH * best.words or new >= _NEW_WORDS * total


def _with_neighbour(plan: QuestionPlan, quote: Quote, quotes: Sequence[Quote]) -> list[Quote]:
    """A sentence with the one before it where it refers to that, or with the one after it that holds the answer."""
    if quote.is_figure:
        return [quote]
    expected = plan.expected
    own = sorted((q for q in quotes if q.evidence is quote.evidence and not q.is_figure), key=lambda q: q.start)
    at = own.index(quote)
    if at and _REFERS_BACK.match(quote.text.strip()):
        return [quote, own[at - 1]]
    if expected.kind in _OPEN and not plan.asked.numeric:
        return _completed(plan.store, quote, own, expected)
    if quote.answers:
        return [quote]
    after = [*own[at + 1 :], *_following(plan.store, quote.evidence, expected)][:_LOOK_AHEAD]
    return [quote, *[other for other in after if other.answers][:1]]


def _completed(store: Store, quote: Quote, own: Sequence[Quote], expected: Expected) -> list[Quote]:
    """A sentence with the one before it that it needs to be understood, or with the one after it that goes on with it.

    ``own`` are the sentences of its passage that may be quoted, in their order.
    """
    at = own.index(quote)
    if at and _REFERS_WITHIN.search(quote.text[:_OPENING]):
        return [quote, own[at - 1]]
    run = [quote]
    for other in [*own[at + 1 :], *_following(store, quote.evidence, expected)][:_LOOK_AHEAD]:
        if not _goes_on(run[-1], other):
            break
        run.append(other)
    return run


def _goes_on(quote: Quote, other: Quote) -> bool:
    """True where the sentence right after the quoted one is the rest of it, or begins with what that one names."""
    text = other.text.lstrip()
    if not 0 <= other.start - quote.end <= _NEXT or not text:
        return False
    if text[0].islower() or _TAKES_UP.match(text):
        return True
    begins = _BEGINS.match(text)
    return begins is not None and not set(search_words(begins["what"])).isdisjoint(search_words(quote.text))


def _following(store: Store, item: Evidence, expected: Expected) -> list[Quote]:
    """The first sentences after a passage: chunks are short, and a reason often stands in the next one."""
    document = store.document(item.source) if item.kind in TEXT_KINDS else None
    if document is None:
        return []
    text = document.text[item.end : item.end + _AFTER]
    spans = [(item.end + span.start, item.end + span.end) for span in split_text(text)][:_LOOK_AHEAD]
    said = [(document.text[start:end], start, end) for start, end in spans]
    return [
        Quote(item, words, start, end, answers=expected.is_held(words))
        for words, start, end in said
        if not gives_orders(words) and not only_points(words)
    ]


def _in_order(quotes: Sequence[Quote], most: int) -> list[Quote]:
    """The first ``most``, those of one piece of evidence together as they stand in it, the best piece first."""
    kept = list(dict.fromkeys((quote.evidence.id or id(quote.evidence), quote.start, quote.end) for quote in quotes))[
        :most
    ]
    pieces = list(dict.fromkeys(piece for piece, _, _ in kept))
    first = {(q.evidence.id or id(q.evidence), q.start, q.end): q for q in quotes}
    return [first[key] for key in sorted(kept, key=lambda key: (pieces.index(key[0]), key[1]))]


def write_extract(store: Store, quotes: Sequence[Quote], citations: Citations, years: Sequence[int] = ()) -> str:
    """The quotes as text, a line each, every one with its citation."""
    lines = []
    for quote in quotes:
        number = citations.cite(quote.evidence, quote.text, quote.start, quote.end)
        row = is_row(quote.evidence, quote.text)
        lines.append(with_marks(readable_row(store, quote, years) if row else readable(quote.text), [number]))
    return "\n".join(lines)


def readable(sentence: str) -> str:
    """A sentence on one line, cut at a clause where it is long.

    >>> readable("Revenue\\n rose.")
    'Revenue rose.'
    """
    text = ticked(" ".join(sentence.split()))
    if len(text) <= LONGEST:
        return text
    cut = max(text.rfind(mark, LONGEST // 2, LONGEST) for mark in ",;:，；：")
    return text[: cut if cut > 0 else LONGEST].rstrip(",;:，；： ") + " …"


def ticked(text: str) -> str:
    """A Chinese form's boxes read: what is ticked stays, what is not goes, "applicable" says nothing.

    >>> ticked("√适用 □不适用 收入减少5%。"), ticked("□本年度有重大诉讼 √本年度无重大诉讼")
    ('收入减少5%。', '本年度无重大诉讼')
    """
    if not (_TICK.search(text) and _OPEN_BOX.search(text)):
        return text
    return " ".join(_TICK.sub("", _APPLIES.sub(" ", _OPEN_BOX.sub(" ", text))).split())


def _amounts(text: str) -> set[Decimal]:
    """The printed numbers of a text, whatever their unit: the same figure is found in prose, tables and facts."""
    return {abs(quantity.value) for quantity in find_quantities(text)}


def _row_name(quote: Quote) -> str:
    """The name of a table's row; "" for all else."""
    return quote.text.strip().strip("|").partition("|")[0].strip() if is_row(quote.evidence, quote.text) else ""


def _alike(one: Quote, other: Quote) -> bool:
    if one.evidence.source == other.evidence.source and one.start < other.end and other.start < one.end:
        return True
    if one.is_figure and one.evidence is other.evidence and _row_name(one) != _row_name(other):
        return False  # two rows of one table
    if one.is_figure:
        if _row_name(one) and _row_name(one) == _row_name(other):
            return True
        return not _amounts(one.text).isdisjoint(_amounts(other.text))
    first, second = set(search_words(one.text)), set(search_words(other.text))
    return len(first & second) >= _ALIKE * min(len(first), len(second)) if first and second else one.text == other.text
