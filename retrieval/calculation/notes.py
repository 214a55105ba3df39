"""Notes on facts that disagree: which value was taken and why, and what else is stated where."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.anchor import Placed, at_place, place_name, short_name
from ...core.fact import Fact
from ...core.language import Language
from ...prompts.messages import message
from ..question.figures.asked import Asked
from ..question.vocabulary.formulas import FormulaList
from .fact_choice.choosing import row_label
from .formatting import in_chinese
from .result import Component, Figure, components_of


def write_notes(figures: Sequence[Figure], asked: Asked, formulas: FormulaList) -> tuple[str, ...]:
    """Where facts disagree: which value was chosen, and what else is stated where."""
    notes: list[str] = []
    for part in components_of(figures):
        other = _told_apart(part)
        if other is not None:
            notes.append(_note(part, other, asked, formulas))
    return tuple(dict.fromkeys(notes))


def _told_apart(part: Component) -> Fact | None:
    """The first fact of another value that has to be named: one stated anew, or one that contradicts."""
    for other in part.others:
        differs = part.anew or _contradicts(other, part.fact)
        if differs and _same_unit(other, part.fact):
            return other
    return None


def _note(part: Component, other: Fact, asked: Asked, formulas: FormulaList) -> str:
    known = (part.fact.source, other.source)
    language = asked.language
    return message(
        "value_taken",
        language,
        name=in_chinese(part.name, formulas) if asked.chinese else part.name,
        text=_on_one_line(part.fact.text),
        here=shown_place(short_name(part.fact.source, known), part.fact, language),
        why=_why(part, other, language),
        there=shown_place(short_name(other.source, known), other, language),
        other=_on_one_line(other.text),
    )


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _contradicts(other: Fact, chosen: Fact) -> bool:
    """True where both say that they are the same figure: a part of it, or a sentence about something near, does not."""
    if _on_one_line(other.text) == _on_one_line(chosen.text):  # the same, read in another scale
        return False
    if other.source_kind == "prose" or row_label(other) != row_label(chosen):
        return False
    return other.dimensions == chosen.dimensions


def _same_unit(one: Fact, other: Fact) -> bool:
    """True where two values can be compared: a share of sales does not contradict sales, nor euros dollars."""
    units = {one.unit, other.unit}
    if len(units) == 1:
        return True
    return "" in units and "%" not in units


def shown_place(source: str, item: Placed, language: Language) -> str:
    """Where something stands in a document of this name: the place, or else the page, that is known of it."""
    if place_name(item):
        return at_place(source, item)
    return message("page_of", language, source=source, page=item.page) if item.page else source


def _why(part: Component, other: Fact, language: Language) -> str:
    chosen = part.fact
    if part.anew and chosen.source != other.source:
        return message("taken_anew", language)
    if chosen.basis != other.basis:
        return message("taken_for_basis", language, basis=chosen.basis, other=other.basis)
    if chosen.consolidation == "consolidated" and other.consolidation != "consolidated":
        return message("taken_consolidated", language)
    if chosen.source != other.source:
        return message("taken_fitting", language)
    if chosen.source_kind != other.source_kind:
        return message(f"taken_from_{chosen.source_kind}", language)
    return message("taken_supported", language)
