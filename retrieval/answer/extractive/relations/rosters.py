"""Complete lists of who a document names in one way: the analysts of a call, those who signed a report.

A list counts only when it is complete, and sentences that a search ranks never are: the whole document is read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from .....core.patterns import LazyPattern
from .....core.records import dataclass
from .....core.rules import load_rules
from .....core.words import search_words
from .....ingest.sentences import split_text
from .....kg.store import DocumentRecord
from ....question.plan import QuestionPlan
from ....question.scope.catalogue import CALL
from ....search.chunk_evidence import chunk_evidence
from ....search.evidence import Evidence
from ....search.retrievers.relational_request import read_request
from ..sentence_scoring import Quote
from .stated_text import Stated

_MOST_DOCUMENTS = 3
"""Documents of which such a list is read; more are no list of one report or call."""
_MOST = 25
"""Names that a list has."""
_BESIDE = 200
"""Characters of the sentence that names somebody, before and behind the name."""


@dataclass(frozen=True, slots=True)
class _Roster:
    """How a list is asked for, in which kinds of document it stands, and how each of it is named there."""

    name: str
    asked: LazyPattern
    within: LazyPattern
    unless: LazyPattern
    kinds: frozenset[str]
    named: re.Pattern[str]
    elsewhere: LazyPattern | None
    """How passages of other kinds of document name one of them; None where all kinds may tell them."""

    def is_asked(self, text: str) -> bool:
        """True for a question that asks for all of them, and not for one or for something about them."""
        is_meant = self.asked.search(text) is not None and self.within.search(text) is not None
        return is_meant and self.unless.search(text) is None


def roster_quotes(plan: QuestionPlan) -> list[Quote]:
    """Each of a list that the question asks for, in the order of the document; empty for any other question.

    Of several reports the last one comes first, and whom only an earlier one lists is told with its period.
    """
    roster = _asked(plan)
    if roster is None:
        return []
    fitting = [record for record in _own_records(plan) if record.kind in roster.kinds and _fits_best(plan, record)]
    if not 0 < len(fitting) <= _MOST_DOCUMENTS:
        return []
    found: dict[str, Quote] = {}
    told: set[tuple[str, ...]] = set()
    for record in sorted(fitting, key=lambda record: reported_last(record.source, plan)):
        listed = _listed(plan, record.source, roster)
        when = f"{record.period.label}: " if record.period is not None and record.companies in told else ""
        for key, quote in listed.items():
            found.setdefault(key, replace(quote, text=when + quote.text))
        told.update(record.companies for _ in listed)
    return list(found.values())[:_MOST]


def names_others(listed: Sequence[Quote], told: Sequence[Stated]) -> bool:
    """True where a list names somebody whom the statements do not tell, by family names."""
    people = [end.name for stated in told for end in stated.relation.ends if end.type == "person"]
    family = set(chain.from_iterable(search_words(name)[-1:] for name in people))
    return any(family.isdisjoint(search_words(quote.text)) for quote in listed)


def reported_last(source: str, plan: QuestionPlan) -> int:
    """Orders documents by the last day of their period, the latest first; those without one behind."""
    record = plan.catalogue.by_source.get(source)
    if record is None or record.period is None:
        return 0
    return -record.period.last_day.toordinal()


def _asked(plan: QuestionPlan) -> _Roster | None:
    """The list that is asked for; None where somebody beside those who file is named: then it is about that one."""
    text, request = plan.asked.trimmed, read_request(plan)
    if request is not None and request.entities:
        return None
    return next((one for one in _rosters() if one.is_asked(text)), None)


def names_no_roster(plan: QuestionPlan, evidence: Sequence[Evidence]) -> bool:
    """True where the analysts of a call are asked for, the company has no document of such a kind, and no passage
    found names one.

    Directors stand in sentences of any document: theirs is no list that only some kinds have.
    """
    roster, own = _asked(plan), _own_records(plan)
    if roster is None or roster.elsewhere is None or not own:
        return False
    if any(record.kind in roster.kinds for record in own):
        return False
    sources = {record.source for record in own}
    return not any(roster.elsewhere.search(item.text) for item in evidence if item.source in sources)


def _own_records(plan: QuestionPlan) -> Sequence[DocumentRecord]:
    """The documents that are surely of the companies that the question names; where it names none, the only call."""
    if plan.companies:
        return plan.catalogue.records_from(plan.selection.certain)
    calls = [record for record in plan.catalogue.records if record.kind == CALL]
    return calls if len(calls) + len(plan.absent) == 1 else []


def _fits_best(plan: QuestionPlan, record: DocumentRecord) -> bool:
    return plan.selection.preference.get(record.source, 0.0) >= 0


def _listed(plan: QuestionPlan, source: str, roster: _Roster) -> dict[str, Quote]:
    """The places of a document that name one of the list each, every name once, by the name."""
    text = plan.store.text(source)
    wants_directors = roster.name == "signers" and re.search(r"\b(?:directors?|board)\b|董事", plan.text, re.I)
    places: dict[str, tuple[int, int]] = {}
    for match in roster.named.finditer(text):
        if _is_nobody(match["name"]) or (wants_directors and not _is_director(match[0])):
            continue
        key = _key(match["name"])
        places.setdefault(key, _place(text, match, roster))
    return dict(zip(places, _quotes(plan, source, text, list(places.values())), strict=True))


def _place(text: str, match: re.Match[str], roster: _Roster) -> tuple[int, int]:
    """Where the sentence stands that names an analyst; of a signature the name and the lines of its office."""
    if roster.name == "signers":
        return match.start(), match.start() + len(match[0].rstrip())
    begin = max(0, match.start() - _BESIDE)
    for span in split_text(text[begin : match.end() + _BESIDE]):
        start, end = begin + span.start, begin + span.end
        if start <= match.start("name") < end:
            spoken = _turn_starts(text)
            said = text[max(start, spoken[bisect_left(spoken, match.end()) - 1]) : end]
            return end - len(said.lstrip()), end
    return match.start(), match.end()


@lru_cache(maxsize=1)
def _turn_starts(text: str) -> Sequence[int]:
    from .....ingest.formats.transcript import spoken_turns  # a reader: loaded with the first roster of a call

    return [0, *(turn.start for turn in spoken_turns(text))]


def _quotes(plan: QuestionPlan, source: str, text: str, places: Sequence[tuple[int, int]]) -> Iterator[Quote]:
    chunks = sorted(plan.store.chunks_of(source), key=lambda chunk: chunk.start) if places else []
    for start, end in places:
        before = [chunk for chunk in chunks if chunk.start <= start] or chunks[:1]
        for chunk in before[-1:]:
            item = replace(chunk_evidence(chunk, 1.0, {"list": 1.0}), text=text[start:end], start=start, end=end)
            yield Quote(item, text[start:end], start, end)


def _key(name: str) -> str:
    """One name however it is written: "Robert J. Roe", "ROBERT ROE"."""
    words = [word.strip(".,").lower() for word in name.split()]
    return f"{words[0]} {words[-1]}" if words else ""


def _is_nobody(name: str) -> bool:
    return re.search(_rows()["signers"]["nobody"], name) is not None


def _is_director(text: str) -> bool:
    return re.search(_rows()["signers"]["director"], text) is not None


@cache
def _rosters() -> tuple[_Roster, ...]:
    return tuple(
        _Roster(
            name,
            LazyPattern(row["asked"]),
            LazyPattern(row["within"]),
            LazyPattern(row["unless"]),
            frozenset(row["kinds"]),
            re.compile(row["named"]),
            LazyPattern(row["elsewhere"]) if "elsewhere" in row else None,
        )
        for name, row in _rows().items()
    )


@cache
def _rows() -> dict[str, Any]:
    return dict(load_rules(__package__, "rosters.toml"))
