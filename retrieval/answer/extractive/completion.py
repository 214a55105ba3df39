"""What stands beside what was found: passages read besides the first hits, and sentences beside a quoted one.

Beside a hit: passages that meet a requirement, and the rest of its page. Beside a quoted sentence: what it refers to,
what goes on with it, the answer that follows it, and the list that it introduces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ....core.orders import gives_orders
from ....core.patterns import on_demand
from ....core.sequences import without
from ....core.words import search_words
from ....ingest.sentences import split_text
from ...question.plan import QuestionPlan
from ...question.wording.answer_type import Expected, only_points
from ...search.chunk_evidence import chunk_evidence
from ...search.evidence import TEXTS, Evidence
from .quotables import is_row, quotable, row_section, table_lead
from .requirements.base import SecondSearch
from .sentence_scoring import Quote

if TYPE_CHECKING:
    from ....ingest.chunk import Chunk
    from ....kg.store import Store

_LOOKED_AT = 150
"""Passages with the words, the best ones first: an office is named in many places, its holder in few."""
_MOST = 8
_BEST_PAGES = 5
"""Pages that are read in full: chunks are short, and the sentence that answers may stand beside the one found."""
_REACH = 8
"""Chunks on each side of a hit that may be of its page."""
_PAGES_WORTH = 1500
"""Characters on each side of a hit that are read of a text without pages."""
_BESIDE = 0.5
"""Share of a hit's score that the other passages of its page have."""
_OF_PAGE = "page"
"""Why such a passage is read."""
_REFERS_BACK = on_demand(
    r"(?:he|she|it|they|his|her|its|their|this|these|those|such|both|the latter|that|several of these|"
    r"in (?:this|that) (?:role|capacity|connection)|as a result|accordingly)\b|(?:其|该|上述|此外?|这些?|他|她|它们?)",
    re.IGNORECASE,
)
_REFERS_WITHIN = on_demand(
    r"\b(?:this|these|such|those) (?!(?:as|that|an?|quarter|year|period|month|report|form|filing|section|note|item|"
    r"table|document|annual|quarterly|agreement|proxy|release|time|date|amount|regard|purpose|respect|matter|case|company|"
    r"means)s?\b)[a-z]+",
    re.IGNORECASE,
)
"""A word for what the sentence before names: "we call this choice a moment of truth"."""
_OPENING = 60
"""Characters of a sentence in which such a word refers back; later on it may refer to the sentence's own words."""
_TAKES_UP = on_demand(r"(?:this|these|such|that|those) (?!is\b|was\b)[a-z]", re.IGNORECASE)
_BEGINS = on_demand(r"the (?P<what>(?:[a-z][\w’'-]+ ){1,2})", re.IGNORECASE)
"""The beginning of a sentence that goes on with what the one before names: "The lawsuit alleges ..."."""
_SHORT_LINE = 60
"""Characters up to which a line that does not end as a sentence is none."""
_ROW_OF_VALUES = on_demand(r"\d\)?\s{1,4}(?:[$€£(]\s?)?\d[\d,.]{0,20}\)?\s{0,3}\Z")
_ENDS = on_demand(r"[.!?…;:,。！？；：，][\]\"”’」)）]{0,3}\s{0,3}\Z")
_TITLE_WORTH = 0.9
"""Worth of a title for the sentence under it: of 254 questions that words answer .587 have theirs first so, .579 with
the title itself (among three .776 and .776)."""
_NEXT = 3
"""Characters between a sentence and the next one."""
_UNFINISHED = on_demand(r"(?:[A-Za-z0-9%’”]|[^\s(]{3}\))\s{0,3},?\s{0,3}\Z")
_GOES_ON = on_demand(r"(?!(?:[a-z]|[ivx]{2,4})[.)]\s|[a-z]{1,3}[A-Z])[a-z]")
"""The end of a sentence's first part and the beginning of its second one, neither of them a mark of a list."""
_LEADS_ON = on_demand(
    r"\b(?:the|an?|our|its|their|of|and|or|in|on|by|to|for|from|with|under|between|that|which|is|are|was|were)\s{0,3}\Z"
)
"""The end of a first part that a name may follow."""
_AFTER = 600
"""Characters after a passage that are looked at."""
_OPEN = ("", "meaning")
"""Kinds of question that a sentence alone may only touch: what somebody says, does or means."""
_INTRODUCES = on_demand(r"(?:[:：]|(?<=[;；.。])\s{0,3}(?P<bullet>[•●○◦▪■◆►‣]))\s{0,3}\Z")
"""The end of a sentence that introduces a list, or that goes to the bullet behind the first item of one."""
_TITLE = on_demand(r"\s*(?=[A-Z“\"])(?:[^\s\d|.!?;:,•]{1,30}(?:[,.](?=\s))?\s{1,4}){0,13}[^\s\d|.!?;:,•]{2,30}\s*\Z")
"""A line with a capital and without figures that does not end as a sentence does."""
_BULLET = r"(?:[•●○◦▪■◆►‣·–*-]|\(?[a-z0-9]{1,3}[.)]|[（(]?[一二三四五六七八九十\d]{1,3}[）)、])\s{0,4}"
_FIRST_ITEM = on_demand(rf"\s{{0,4}}{_BULLET}(?=\S)")
_NEXT_ITEM = on_demand(rf"\n\s{{0,4}}{_BULLET}(?=\S)")
_ITEM_ENDS = on_demand(r"[.;。；](?=\s{0,4}\n)|\n\s{0,4}\n|\Z")
_ITEMS, _ITEM = 10, 500
"""Items of a list that are quoted, and characters in which one ends."""
_LOOK_AHEAD = 2
"""Sentences after the best one in which the kind of answer expected is looked for."""


def look_again(store: Store, search: SecondSearch | None) -> list[Evidence]:
    """Passages of the documents with one of the search terms in which a sentence or row holds the answer.

    A search ranks by the words of the whole question; what is rare in a filing, such as the name of an officer beside
    the office, may stand behind its first hits.
    """
    if search is None or not search.words or not search.documents:
        return []
    hits = store.matching(search.words, _LOOKED_AT, search.documents)
    chunks = store.chunks([hit.id for hit in hits])
    items = ((chunk_evidence(chunk, 0.0, {"second look": 1.0}), chunk) for chunk in chunks)
    found = (item for item, chunk in items if any(map(search.holds, _said(item, chunk))))
    return list(islice(found, _MOST))


def rest_of_pages(store: Store, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The prose of the best pages that the search did not give, each piece after the hit that its page is read for."""
    hits = _best_of_pages(evidence)
    beside = store.neighbours([hit.id for hit in hits], _REACH)
    known = {item.id for item in evidence}
    found: list[Evidence] = []
    for hit in hits:
        others = without(beside.get(hit.id, ()), known)
        for chunk in store.chunks(others):
            if chunk.kind != "table" and _is_of_page(chunk, hit):
                known.add(chunk.id)
                found.append(chunk_evidence(chunk, _BESIDE * hit.score, {_OF_PAGE: 1.0}))
    return found


def _is_of_page(chunk: Chunk, hit: Evidence) -> bool:
    """True for a chunk of the hit's page, or, in a text without pages, within a page's worth of it."""
    if hit.page:
        return chunk.page == hit.page
    return chunk.start < hit.end + _PAGES_WORTH and hit.start - _PAGES_WORTH < chunk.end


def _best_of_pages(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The best hit of each of the best pages, and of each of the best texts without pages."""
    hits: dict[tuple[str, int | None], Evidence] = {}
    for item in evidence:
        if item.kind in TEXTS:
            hits.setdefault((item.source, item.page), item)
    return list(hits.values())[:_BEST_PAGES]


def is_beside(item: Evidence) -> bool:
    """True for a passage that is read for its page alone: it does not show that the documents answer."""
    return _OF_PAGE in item.why


def _said(item: Evidence, chunk: Chunk) -> Iterator[str]:
    """Each sentence, and each row with what stands over it."""
    lead = table_lead(item)
    for text, start, *_ in quotable(item, _spans(chunk)):
        yield f"{lead} {row_section(item, start)} {text}" if is_row(item, text) else f"{lead} {text}"


def _spans(chunk: Chunk) -> list[tuple[int, int, float]]:
    return [(start, end, 0.0) for start, end in chunk.printed]


def with_neighbours(plan: QuestionPlan, quote: Quote, quotes: Sequence[Quote]) -> list[Quote]:
    """A sentence with the one before it where it refers to that, or with the one after it that holds the answer."""
    if quote.is_figure:
        return [quote]
    expected = plan.expected
    own = [other for other in quotes if other.evidence is quote.evidence and not other.is_figure]
    own.sort(key=lambda other: other.start)
    at = own.index(quote)
    if _REFERS_BACK.match(quote.text.strip()):
        before = own[:at] or _right_before(plan.store, quote)
        if before:
            return [quote, before[-1]]
    if expected.kind in _OPEN and not plan.asked.numeric:
        return _completed(plan.store, quote, own, expected)
    if quote.answers:
        return [quote]
    for other in _after(plan.store, quote, own[at + 1 :], expected):
        if other.answers:
            return [quote, other]
    return [quote]


def following(quote: Quote, quotes: Sequence[Quote], expected: Expected) -> list[Quote]:
    """The sentences behind a quoted one in its passage: where it alone stands out, it may only name what they tell.

    None behind one that holds the kind of answer expected, or that introduces a list, whose items are quoted with it.
    """
    is_whole = expected.has_signs and quote.answers
    if is_whole or _INTRODUCES.search(quote.text):
        return []
    own = [other for other in quotes if other.evidence is quote.evidence and other.start >= quote.end]
    told = (other for other in own if not (other.is_figure or other.is_talk) and not is_loose(other.text))
    return sorted(told, key=lambda other: other.start)


def is_loose(text: str) -> bool:
    """True for a title, and for a row of a table that was read as text: neither tells anything beside a sentence.

    >>> is_loose("Sales rose."), is_loose("Depreciation 1,364 1,290"), is_loose("Trucks that were sold to the")
    (False, True, False)
    """
    if _ENDS.search(text) or _LEADS_ON.search(text):
        return False
    return len(text) < _SHORT_LINE or _ROW_OF_VALUES.search(text) is not None


def under_titles(quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes with the sentence that stands under a title in its place, as good as the better of the two: a title
    tells what is told there. One under which no sentence stands stays."""
    begins = {(quote.evidence.source, quote.start): quote for quote in quotes if not _TITLE.match(quote.text)}
    best: dict[tuple[str, int], Quote] = {}
    for quote in quotes:
        told = quote
        if _TITLE.match(quote.text):
            behind = (begins.get((quote.evidence.source, quote.end + gap)) for gap in range(_NEXT + 1))
            told = next(filter(None, behind), quote)
        if told is not quote:
            score = max(told.score, _TITLE_WORTH * quote.score)
            told = replace(told, score=score, similarity=max(told.similarity, _TITLE_WORTH * quote.similarity))
        key = (told.evidence.source, told.start)
        if key not in best or best[key].score < told.score:
            best[key] = told
    return sorted(best.values(), key=lambda quote: -quote.score)


def introduced(store: Store, quote: Quote) -> list[Quote]:
    """The items of the list that a quoted sentence introduces ("We are exposed to changes in:"), which says nothing
    without them; nothing of any other sentence."""
    introduces = _INTRODUCES.search(quote.text)
    document = store.document(quote.evidence.source) if introduces else None
    if introduces is None or document is None or quote.is_figure:
        return []
    items: list[Quote] = []
    at = quote.start + introduces.start("bullet") if introduces["bullet"] else quote.end
    for start, end in islice(list_items(document.text, at), _ITEMS):
        text = document.text[start:end]
        if not gives_orders(text):
            items.append(Quote(quote.evidence, text, start, end))
    return items


def list_items(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Where the items of the list stand, without their bullets, that a text goes on with at a place.

    >>> text = "Changes in:\\n•\\nprices of raw\\nmaterials;\\n• rates.\\nWe hedge."
    >>> [text[start:end] for start, end in list_items(text, 11)]
    ['prices of raw\\nmaterials;', 'rates.']
    """
    bullet = _FIRST_ITEM.match(text, at)
    while bullet is not None:
        start = bullet.end()
        bullet = _NEXT_ITEM.search(text, start, start + _ITEM)
        ends = _ITEM_ENDS.search(text, start, bullet.start() if bullet else start + _ITEM)
        end = ends.end() if ends else start
        yield start, end
        if bullet and text[end : bullet.start()].rstrip().endswith((":", "：")):  # another list begins
            bullet = None


def parts_of_sentence(store: Store, quote: Quote) -> list[Quote]:
    """A quoted sentence with its other parts, which borders of pages and columns or its own length part from it."""
    begins = quote.start > quote.evidence.start and not _GOES_ON.match(quote.text)
    is_whole = begins and not _UNFINISHED.search(quote.text)
    if is_whole or quote.is_figure or not quote.evidence.id or quote.evidence.kind not in TEXTS:
        return [quote]
    around = _around(store, quote)
    before = [other for other in around if other.end <= quote.start]
    behind = [other for other in around if other.start >= quote.end]
    parts = [quote]
    while before and _is_parted(before[-1], parts[0]):
        parts.insert(0, before.pop())
    while behind and _is_parted(parts[-1], behind[0]):
        parts.append(behind.pop(0))
    return parts


def _is_parted(first: Quote, second: Quote) -> bool:
    """True for two parts of one sentence."""
    if first.is_figure or second.is_figure or not _UNFINISHED.search(first.text):
        return False
    return bool(_GOES_ON.match(second.text) or _LEADS_ON.search(first.text))


def _around(store: Store, quote: Quote) -> list[Quote]:
    """The sentences of the passage of a quoted one, and of those beside it, in their order."""
    near = store.neighbours([quote.evidence.id]).get(quote.evidence.id, ())
    found: list[Quote] = []
    for chunk in sorted(store.chunks([quote.evidence.id, *near]), key=lambda chunk: chunk.start):
        item = chunk_evidence(chunk, quote.evidence.score, quote.evidence.why)
        found += [Quote(item, text, start, end) for text, start, end, _ in quotable(item, _spans(chunk))]
    return found


def _right_before(store: Store, quote: Quote) -> list[Quote]:
    """The sentences before a quoted one, in the passages beside its own too."""
    around = _around(store, quote)
    return [other for other in around if other.end <= quote.start and not is_loose(other.text)]


def _after(store: Store, quote: Quote, rest: Sequence[Quote], expected: Expected) -> list[Quote]:
    """The few sentences after a quoted one: the rest of its passage, and what follows that."""
    return [*rest, *_following(store, quote.evidence, expected)][:_LOOK_AHEAD]


def _completed(store: Store, quote: Quote, own: Sequence[Quote], expected: Expected) -> list[Quote]:
    """A sentence with the one before it that it needs to be understood, or with the one after it that goes on with it.

    ``own`` are the sentences of its passage that may be quoted, in their order.
    """
    at = own.index(quote)
    if at and _REFERS_WITHIN.search(quote.text[:_OPENING]):
        return [quote, own[at - 1]]
    run = [quote]
    for other in _after(store, quote, own[at + 1 :], expected):
        if not _goes_on(run[-1], other):
            break
        run.append(other)
    return run


def _goes_on(quote: Quote, other: Quote) -> bool:
    """True where the sentence right after the quoted one is the rest of it, or begins with what that one names."""
    text = other.text.lstrip()
    is_next = 0 <= other.start - quote.end <= _NEXT
    if not is_next:
        return False
    if text[:1].islower() or _TAKES_UP.match(text):
        return True
    begins = _BEGINS.match(text)
    if begins is None:
        return False
    return not set(search_words(begins["what"])).isdisjoint(search_words(quote.text))


def _following(store: Store, item: Evidence, expected: Expected) -> list[Quote]:
    """The first sentences after a passage: chunks are short, and a reason often stands in the next one."""
    document = store.document(item.source) if item.kind in TEXTS else None
    if document is None:
        return []
    text = document.text[item.end : item.end + _AFTER]
    found: list[Quote] = []
    for span in split_text(text)[:_LOOK_AHEAD]:
        start, end = item.end + span.start, item.end + span.end
        words = document.text[start:end]
        if not gives_orders(words) and not only_points(words):
            found.append(Quote(item, words, start, end, answers=expected.is_held(words)))
    return found
