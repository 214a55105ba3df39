"""Calculated figures as evidence for a model and as lines of an extractive answer, every input cited."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.fact import Fact
from ..core.ids import stable_id
from .citing import Citations, with_marks
from .evidence import Evidence
from .formulas import Computation


def figure_evidence(figure: Computation) -> Evidence:
    """The calculation as a piece of the graph leg, standing where its first input stands."""
    first = figure.facts[0]
    return Evidence(
        kind="fact",
        text=f"{figure.text} ({', '.join(_named(fact) for fact in figure.facts)})",
        score=1.0,
        source=first.source,
        id=stable_id("figure", first.source, figure.name, figure.period.label),
        page=first.page,
        anchors=first.anchors,
        start=first.start,
        end=first.end,
        highlights=tuple((fact.start, fact.end) for fact in figure.facts),
        why={"formula": 1.0},
    )


def write_figures(figures: Sequence[Computation], citations: Citations) -> str:
    """A line a year, each with the cells that went into it; then the change where two years follow each other."""
    lines = []
    for figure in figures:
        evidence = figure_evidence(figure)
        numbers = [citations.cite(evidence, _named(fact), fact.start, fact.end) for fact in figure.facts]
        lines.append(with_marks(figure.text, numbers))
    return "\n".join(lines)


def _named(fact: Fact) -> str:
    """A cell with its name and period."""
    when = f", {fact.period}" if fact.period else ""
    return f"{fact.label.rpartition(' > ')[2]}{when}: {fact.text}"
