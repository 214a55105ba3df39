"""Two filings of one company held against each other: risk factors, figures stated anew, relations, guidance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.plain import first_words
from ..core.records import dataclass
from ..core.words import search_words
from .parts import Cell, Grid, Numbering, Paragraph, word

if TYPE_CHECKING:
    from ..core.fact import Fact
    from ..core.language import Language
    from ..ingest.chunk import Chunk
    from ..kg.graph import Entity, Statement
    from ..workspace import Workspace

_RISKS = re.compile(r"risk\s{1,4}factors|风险因素|可能面对的风险|重大风险", re.IGNORECASE)
_SAME, _ALIKE = 0.95, 0.6
"""Shares of words that two risk factors have in common: the same, and the same one rewritten."""
_SHORTEST = 4
"""Words of a heading that states a risk; shorter ones only group them ("Risks Related to Our Business")."""
_STRUCTURE = frozenset({"incorporated_in", "operates_in", "subject_to", "formerly_named", "listed_on"})
"""Relations that a filing states in passing: that one does not is no news."""
_MOST = 60
_SHOWN = 260
_LEAD = 90
"""Characters shown before the words that differ."""


@dataclass(frozen=True, slots=True)
class Risk:
    """A risk factor: its heading, all text under it, and the first passage, which is cited."""

    title: str
    text: str
    first: Chunk

    @property
    def words(self) -> frozenset[str]:
        return frozenset(search_words(self.text))


def compare_filings(
    workspace: Workspace, what: str, sources: Sequence[str], numbering: Numbering, language: Language
) -> tuple[list[Grid], list[Paragraph]]:
    """One comparison of an older with a newer filing (``sources`` in this order) as tables and remarks."""
    if len(sources) != 2:
        raise UsageError("two documents are compared", where="--source", hint="Name both, the older one first")
    comparison = _Comparison(workspace, sources[0], sources[1], numbering, language)
    if what == "risks":
        return comparison.risks()
    if what == "facts":
        return comparison.facts(), []
    if what == "relations":
        return comparison.relations(), []
    return comparison.guidance(), []


@dataclass(slots=True)
class _Comparison:
    workspace: Workspace
    older: str
    newer: str
    numbering: Numbering
    language: Language

    # --- risk factors

    def risks(self) -> tuple[list[Grid], list[Paragraph]]:
        """Risk factors added, dropped and rewritten; how many stand in both is said in a sentence."""
        before, after = self._risks_of(self.older), self._risks_of(self.newer)
        pairs = matched_risks(before, after)
        rows = [self._risk_row("added", None, risk) for risk in after if risk.title not in pairs.values()]
        rows += [self._risk_row("dropped", risk, None) for risk in before if risk.title not in pairs]
        by_title = {risk.title: risk for risk in after}
        same = 0
        for risk in before:
            other = by_title.get(pairs.get(risk.title, ""))
            if other is None:
                continue
            if _likeness(risk.text, other.text) >= _SAME:
                same += 1
            else:
                rows.append(self._risk_row("changed", risk, other))
        head = tuple(word(name, self.language) for name in ("change", "risk", "older", "newer"))
        grids = [Grid("", head, tuple(rows[:_MOST]))] if rows else []
        return grids, [Paragraph(word("kept", self.language, count=same))] if same else []

    def _risks_of(self, source: str) -> list[Risk]:
        return risks_in(self.workspace.store.chunks_of(source))

    def _risk_row(self, change: str, before: Risk | None, after: Risk | None) -> tuple[Cell, ...]:
        named = after or before
        title = named.title if named else ""
        return (
            Cell(word(change, self.language)),
            Cell(title),
            self._risk_cell(self.older, before, after),
            self._risk_cell(self.newer, after, before),
        )

    def _risk_cell(self, source: str, risk: Risk | None, other: Risk | None) -> Cell:
        """The beginning of a risk factor, or of one rewritten the sentence that the other does not have."""
        if risk is None:
            return Cell("")
        chunk = risk.first
        text = _first_difference(risk.text, other.text) if other else chunk.text
        number = self.numbering.place(source, chunk.text, chunk.start, chunk.end, chunk.anchors, chunk.page)
        return Cell(first_words(text, _SHOWN), (number,))

    # --- figures, relations, guidance

    def facts(self) -> list[Grid]:
        """Figures of the same metric and period that the two state differently."""
        before, after = self._facts_of(self.older), self._facts_of(self.newer)
        rows: list[tuple[Cell, ...]] = []
        for key in sorted(before.keys() & after.keys()):
            old, new = before[key], after[key]
            if old.amount == new.amount:
                continue
            metric, period = key
            rows.append((Cell(metric), Cell(period), self._fact_cell(old), self._fact_cell(new)))
        head = tuple(word(name, self.language) for name in ("figure", "period", "older", "newer"))
        return [Grid("", head, tuple(rows[:_MOST]))] if rows else []

    def _facts_of(self, source: str) -> Mapping[tuple[str, str], Fact]:
        """The surest total of each metric and period in the tables of a document."""
        found: dict[tuple[str, str], Fact] = {}
        for fact in sorted(self.workspace.facts(sources=[source], limit=100_000), key=lambda one: one.confidence):
            is_total = bool(fact.metric) and fact.source_kind != "prose" and not fact.dimensions
            if is_total and fact.period and fact.amount is not None and fact.basis not in ("adjusted", "forecast"):
                found[fact.metric, fact.period.label] = fact
        return found

    def _fact_cell(self, fact: Fact) -> Cell:
        said = f"{fact.label}: {fact.text}"
        number = self.numbering.place(fact.source, said, fact.start, fact.end, fact.anchors, fact.page)
        return Cell(f"{fact.text} ({fact.label})", (number,))

    def relations(self) -> list[Grid]:
        """Relations that only one of the two states: ended, or new; what both state is left out."""
        old, new = self._statements(self.older), self._statements(self.newer)
        rows = [self._relation_row("ended", old[key]) for key in old if key not in new]
        rows += [self._relation_row("new", new[key]) for key in new if key not in old]
        head = tuple(word(name, self.language) for name in ("change", "relation", "sentence"))
        return [Grid("", head, tuple(rows[:_MOST]))] if rows else []

    def _statements(self, source: str) -> dict[tuple[str, str, str], tuple[Entity, Statement, Entity]]:
        known = {entity.id: entity for part in self.workspace.store.parts(source) for entity in part.entities}
        found: dict[tuple[str, str, str], tuple[Entity, Statement, Entity]] = {}
        for part in self.workspace.store.parts(source):
            for said in part.statements:
                head, tail = known.get(said.head), known.get(said.tail)
                is_told = said.modality == "asserted" and said.relation not in _STRUCTURE
                if head and tail and is_told:
                    found.setdefault((head.key, said.relation, tail.key), (head, said, tail))
        return found

    def _relation_row(self, change: str, stated: tuple[Entity, Statement, Entity]) -> tuple[Cell, ...]:
        head, said, tail = stated
        number = self.numbering.place(said.document, said.text, said.start, said.end, said.anchors, said.page)
        verb = self.workspace.vocabulary.schema.relations[said.relation].label(self.language)
        return (
            Cell(word(change, self.language)),
            Cell(f"{head.name} {verb} {tail.name}"),
            Cell(first_words(said.text, _SHOWN), (number,)),
        )

    def guidance(self) -> list[Grid]:
        """What each filing expects, figure by figure: the sentences that give guidance."""
        rows: list[tuple[Cell, ...]] = []
        for name, source in (("older", self.older), ("newer", self.newer)):
            for driver in self.workspace.drivers(sources=[source], limit=10_000):
                if not driver.outlook:
                    continue
                number = self.numbering.place(
                    source, driver.text, driver.start, driver.end, driver.anchors, driver.page
                )
                rows.append(
                    (
                        Cell(word(name, self.language)),
                        Cell(driver.label),
                        Cell(first_words(driver.text, _SHOWN), (number,)),
                    )
                )
        head = (word("change", self.language), word("figure", self.language), word("sentence", self.language))
        return [Grid("", head, tuple(rows[:_MOST]))] if rows else []


# --- risk factors as text


def risks_in(chunks: Sequence[Chunk]) -> list[Risk]:
    """The risk factors of a filing, in order: what stands under each heading of its section on risks."""
    texts: dict[str, list[str]] = {}
    first: dict[str, Chunk] = {}
    for chunk in chunks:
        title = _risk_title(chunk.headings)
        if not title:
            continue
        texts.setdefault(title, []).append(chunk.text)
        first.setdefault(title, chunk)
    return [Risk(title, " ".join(said), first[title]) for title, said in texts.items()]


def _risk_title(headings: Sequence[str]) -> str:
    """The heading that states a risk, below that of the section; "" elsewhere and for headings that only group."""
    at = next((place for place, heading in enumerate(headings) if _RISKS.search(heading)), None)
    if at is None or at + 1 >= len(headings):
        return ""
    title = " ".join(headings[-1].split())
    return title if len(search_words(title)) >= _SHORTEST else ""


def matched_risks(before: Sequence[Risk], after: Sequence[Risk]) -> dict[str, str]:
    """Title of an older risk factor -> that of the newer one that says the same, each used once."""
    titles = {risk.title for risk in after}
    pairs = {risk.title: risk.title for risk in before if risk.title in titles}
    taken = set(pairs.values())
    for risk in before:
        if risk.title in pairs:
            continue
        rest = [(_shared(risk, other), other.title) for other in after if other.title not in taken]
        score, title = max(rest, default=(0.0, ""))
        if score >= _ALIKE:
            pairs[risk.title] = title
            taken.add(title)
    return pairs


def _shared(one: Risk, other: Risk) -> float:
    """Share of the words of the two that both have (Jaccard)."""
    union = one.words | other.words
    return len(one.words & other.words) / len(union) if union else 0.0


def _likeness(one: str, other: str) -> float:
    """Share of the words that stand in both in the same order."""
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio() if one != other else 1.0


_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


def _first_difference(text: str, other: str) -> str:
    """The first sentence that the other text does not have, from a little before the words that differ."""
    theirs = [" ".join(sentence.split()) for sentence in _SENTENCE.split(other)]
    for written in _SENTENCE.split(text):
        sentence = " ".join(written.split())
        if sentence in theirs:
            continue
        same = max((_same_beginning(sentence, known) for known in theirs), default=0)
        if same <= _LEAD:
            return sentence
        return f"… {sentence[same - _LEAD :].partition(' ')[2]}"
    return text


def _same_beginning(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))
