"""The section that a question asks for by its title: "Describe the legal proceedings", "核心竞争力的情况".

Its sentences need not repeat what the title says, and a section that does not apply is a mark in a form. It is shown
from its title on, where a topic and nothing more is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ....core.names import is_chinese
from ....core.patterns import on_demand
from ....core.sequences import share
from ....core.words import question_words, search_words
from ...question.plan import QuestionPlan
from ...question.scope.periods import without_periods
from ...question.wording.answer_type import only_points
from ...search.chunk_evidence import chunk_evidence
from ...search.evidence import TEXTS, Evidence
from .completion import is_beside
from .quotables import Span, quotable
from .requirements.base import topic_words
from .sentence_scoring import Quote

if TYPE_CHECKING:
    from ....ingest.chunk import Chunk

_OPEN = ("", "meaning", "existence", "highlights")
"""Kinds of question that a section as a whole may answer."""
_COVERED, _WHOLLY = 0.75, 0.9
"""Share of a title's words that are of the topic, and of the topic's words that it holds, where it is the topic."""
_FEWEST = 2
"""Words of a topic that a title may hold among others: one alone stands in many titles."""
_TELLING_WORDS = 3
"""Words of a question that mean one thing where they stand together: "manufacturing purchase obligations"."""
_MOST = 3
"""Passages of a section that are shown, of English prose sentences."""
_ROWS = 8
"""Rows of a table that are shown."""
_REACH = 3
"""Chunks before and behind the passage that are looked at."""
_NUMBER = on_demand(
    r"^\W{0,3}(?:\d[\d.]{0,8}|[一二三四五六七八九十]{1,4}|第[一二三四五六七八九十]{1,3}[章节条]|Item\s\w{1,3})\W{1,4}",
    re.IGNORECASE,
)
_EMPTY_NOUN = on_demand(r"的?(?:相关|具体|基本|详细|主要|总体)?(?:情况|状况|详情|说明|内容|信息)(?=$|[的如?？])")
_OF_REPORT = on_demand(r"报告期内?|(?<![子母])(?:本|该)?(?:公司|集团)")
"""What every report is about."""
_TOPIC_ASKED = on_demand(
    rf"{_EMPTY_NOUN.pattern}|^\W*(?:describe|discuss|outline|summari[sz]e)\b"
    r"|\bwhat (?:does|do|did|has|have|is|was) [^?]{0,80}"
    r"\b(?:say|said|tell|told|disclosed?|report(?:ed)?|state[ds]?) (?:about|on)\b"
    r"|\bhow (?:does|do|did|is|are) [^?]{1,80}\bdescribed?\b",
    re.IGNORECASE,
)
"""A topic is asked for, and no single thing about it."""
_ASKING = on_demand(
    r"\b(?:describe[ds]?|discuss|outline|summari[sz]e|say|said|tell|told|disclosed?|report(?:ed)?|state[ds]?)\b",
    re.IGNORECASE,
)


def topic_quotes(plan: QuestionPlan, evidence: Sequence[Evidence]) -> list[Quote]:
    """The section whose title is all that is asked for, where a passage found stands in it; else none."""
    asks_topic = _TOPIC_ASKED.search(plan.asked.trimmed) is not None
    if plan.figures.names_figure and not asks_topic:
        return []
    topic = topic_of(plan)
    found = titled_quotes(plan, evidence, topic)
    if found or not asks_topic:
        return found
    return _holding(plan, _passages(plan, evidence)[:1], topic)


def titled_quotes(plan: QuestionPlan, evidence: Sequence[Evidence], *topics: frozenset[str]) -> list[Quote]:
    """The section whose title is one of some topics, as a passage found stands in it; none where no passage does."""
    for item in _passages(plan, evidence):
        for title in item.headings:
            if any(_is_topic(title, topic) for topic in topics):
                return _section(plan, item, title)
    return []


def _passages(plan: QuestionPlan, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The passages found, best first, where a section as a whole may answer the question."""
    if plan.asked.numeric or plan.expected.kind not in _OPEN or plan.expected.role:
        return []
    return [item for item in evidence if item.kind in TEXTS and not is_beside(item)]


def _is_topic(title: str, topic: frozenset[str]) -> bool:
    """True for a title that holds the topic and little more."""
    plain = _NUMBER.sub("", title)
    words = frozenset(question_words(plain) or search_words(plain))
    return bool(topic) and share(topic & words, topic) >= _WHOLLY and share(topic & words, words) >= _COVERED


def _holding(plan: QuestionPlan, best: Sequence[Evidence], topic: frozenset[str]) -> list[Quote]:
    """The section of the best passage, where that is prose and its title holds the topic."""
    for item in best if len(topic) >= _FEWEST else ():
        if item.kind == "chunk" and item.headings and _share_in_title(item.headings[-1], topic) >= _WHOLLY:
            return _section(plan, item, item.headings[-1])
    return []


def topic_of(plan: QuestionPlan) -> frozenset[str]:
    """The words of what is asked about, without company, time and nouns that say nothing."""
    text = plan.asked.trimmed
    for name in sorted(plan.catalogue.companies.chinese_names(text), key=len, reverse=True):
        text = text.replace(name, " ")
    text = _ASKING.sub(" ", _OF_REPORT.sub(" ", _EMPTY_NOUN.sub(" ", without_periods(text))))
    return topic_words(plan) & frozenset(question_words(text))


def _share_in_title(title: str, topic: frozenset[str]) -> float:
    return share(topic.intersection(search_words(title)), topic)


def _section(plan: QuestionPlan, item: Evidence, title: str) -> list[Quote]:
    """The beginning of what stands under a title, as far as it lies near the passage: sentences where it is in English,
    else passages; of a table its first rows."""
    near = plan.store.neighbours([item.id], _REACH).get(item.id, ())
    under = [chunk for chunk in plan.store.chunks([item.id, *near]) if title in chunk.headings]
    under.sort(key=lambda chunk: chunk.start)
    quotes: list[Quote] = []
    for chunk in under[:_MOST]:
        part = chunk_evidence(chunk, item.score, item.why)
        for text, start, end, _ in quotable(part, _units(chunk))[:_ROWS]:
            if text.strip() != title and not only_points(text):
                quotes.append(Quote(part, text, start, end))
    prose = [quote for quote in quotes if not quote.is_figure and not is_chinese(quote.text)]
    return _nearest(prose, title) or quotes


def _nearest(prose: Sequence[Quote], title: str) -> list[Quote]:
    """The first sentences of a section, and the one behind them that says most of its title: "Our policy is to"."""
    named = _words_and_pairs(title)
    first, others = prose[: _MOST - 1], prose[_MOST - 1 :]
    return [*first, *sorted(others, key=lambda quote: -len(named & _words_and_pairs(quote.text)))[:1]]


def _words_and_pairs(text: str) -> set[str | tuple[str, str]]:
    words = search_words(text)
    return {*words, *pairwise(words)}


def _units(chunk: Chunk) -> list[Span]:
    """What of a passage is quoted as one: English prose by its sentences, everything else as a whole."""
    if chunk.kind == "text" and not is_chinese(chunk.text):
        return [(start, end, 0.0) for start, end in chunk.printed]
    return [(chunk.start, chunk.end, 0.0)]


def holds_topic(plan: QuestionPlan, evidence: Sequence[Evidence]) -> bool:
    """True where a passage found holds each of several words of what is asked: it is for the quotations to answer."""
    topic = topic_words(plan)
    if len(topic) < _TELLING_WORDS:
        return False
    return any(topic <= set(search_words(item.text)) for item in evidence)
