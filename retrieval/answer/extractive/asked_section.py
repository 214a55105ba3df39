"""The section that a question asks for by its title: "Describe the legal proceedings", "核心竞争力的情况".

Its sentences need not repeat what the title says, and a section that does not apply is a mark in a form. It is shown
from its title on: before all else where a topic and nothing more is asked for, else where no sentence answers alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....core.patterns import on_demand
from ....core.sequences import share
from ....core.words import question_words, search_words
from ...question.plan import QuestionPlan
from ...question.scope.periods import without_periods
from ...search.chunk_evidence import chunk_evidence
from ...search.evidence import Evidence
from .completion import is_beside
from .quotables import TEXT_KINDS
from .requirements.base import topic_words
from .sentence_scoring import Quote

_OPEN = ("", "meaning", "existence", "highlights")
"""Kinds of question that a section as a whole may answer."""
_BEST = 3
"""Passages, best first, among whose titles the one asked for is looked for."""
_COVERED, _WHOLLY = 0.75, 0.9
"""Share of the topic's words that the title holds; the same of a title that is the topic."""
_FEWEST = 2
"""Words of a topic: one alone stands in many titles."""
_MOST = 3
"""Passages of a section that are shown."""
_REACH = 3
"""Chunks behind the first one of a section that are looked at."""
_EMPTY_NOUN = on_demand(r"的?(?:相关|具体|基本|详细|主要|总体)?(?:情况|状况|详情|说明|内容|信息)(?=$|[的如?？])")
_OF_REPORT = on_demand(r"报告期内?|(?<![子母])(?:本|该)?(?:公司|集团)")
"""What every report is about."""
_TOPIC_ASKED = on_demand(rf"{_EMPTY_NOUN.pattern}|^\W*(?:describe|discuss|outline|summari[sz]e)\b", re.IGNORECASE)
"""A topic is asked for, and no single thing about it."""


def topic_quotes(plan: QuestionPlan, evidence: Sequence[Evidence]) -> list[Quote]:
    """The section of the best passage where its title is the topic asked for; none for any other question."""
    return _quotes(plan, evidence, 1, _WHOLLY) if _TOPIC_ASKED.search(plan.asked.trimmed) else []


def section_quotes(plan: QuestionPlan, evidence: Sequence[Evidence]) -> list[Quote]:
    """The passages of the section asked for, in their order; none where no title is what the question asks about."""
    return _quotes(plan, evidence, _BEST, _COVERED)


def _quotes(plan: QuestionPlan, evidence: Sequence[Evidence], most: int, least: float) -> list[Quote]:
    if plan.asked.numeric or plan.expected.kind not in _OPEN or plan.expected.role:
        return []
    topic = _topic(plan)
    if len(topic) < _FEWEST:
        return []
    searched = [item for item in evidence if item.kind in TEXT_KINDS and not is_beside(item)][:most]
    for item in searched:
        if item.kind == "chunk" and item.headings and _share_in_title(item.headings[-1], topic) >= least:
            return [Quote(part, part.text, part.start, part.end) for part in _section(plan, item)]
    return []


def _topic(plan: QuestionPlan) -> frozenset[str]:
    """The words of what is asked about, without company, time and nouns that say nothing."""
    text = plan.asked.trimmed
    for name in sorted(plan.catalogue.companies.chinese_names(text), key=len, reverse=True):
        text = text.replace(name, " ")
    text = _OF_REPORT.sub(" ", _EMPTY_NOUN.sub(" ", without_periods(text)))
    return topic_words(plan) & frozenset(question_words(text))


def _share_in_title(title: str, topic: frozenset[str]) -> float:
    return share(topic.intersection(search_words(title)), topic)


def _section(plan: QuestionPlan, item: Evidence) -> list[Evidence]:
    """The passage and those behind it that stand under the same title."""
    ids = plan.store.neighbours([item.id], _REACH).get(item.id, ())
    behind = [chunk for chunk in plan.store.chunks(ids) if chunk.start >= item.end and chunk.kind != "table"]
    behind.sort(key=lambda chunk: chunk.start)
    under = [chunk for chunk in behind if item.headings[-1] in chunk.headings]
    return [item, *(chunk_evidence(chunk, item.score, item.why) for chunk in under)][:_MOST]
