"""Notes on facts that disagree: which value was taken and why, and what else is stated where."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.fact import Fact
from ...core.source_names import at_place, place_name, short_name
from ..question.figures.asked import Asked
from ..question.vocabulary.formulas import FormulaList
from .fact_choice.choosing import row_label
from .formatting import in_chinese
from .result import Component, Figure, components_of

_NOTE = (
    "{name}: {text} ({here}) was taken, {why}; {there} has {other}",
    "{name}：取{text}（{here}），{why}；{there}为{other}",
)
"""In English and in Chinese, as everything below."""
_PLACE = ("{source}, page {page}", "{source} 第 {page} 页")
_ANEW = ("as stated anew in the later document", "后出的文件已重述")
_BASIS = ("as {basis} before {other}", "{basis}口径优先于{other}口径")
_CONSOLIDATED = ("from the consolidated statements", "取自合并报表")
_FITTING = ("from the document that fits the period", "取自与期间相符的文件")
_SUPPORTED = ("better supported", "依据更充分")
_KINDS = {
    "table": ("from a table", "取自表格"),
    "xbrl": ("from a tagged value", "取自标记数据"),
    "prose": ("from a sentence", "取自正文"),
}


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
        if _same_unit(other, part.fact) and (part.anew or _contradicts(other, part.fact)):
            return other
    return None


def _note(part: Component, other: Fact, asked: Asked, formulas: FormulaList) -> str:
    known = (part.fact.source, other.source)
    return _NOTE[asked.chinese].format(
        name=in_chinese(part.name, formulas) if asked.chinese else part.name,
        text=_on_one_line(part.fact.text),
        here=_where(part.fact, known, asked.chinese),
        why=_why(part, other, asked.chinese),
        there=_where(other, known, asked.chinese),
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
    return len(units) == 1 or ("" in units and "%" not in units)


def _where(fact: Fact, known: Sequence[str], chinese: bool) -> str:
    source = short_name(fact.source, known)
    if place_name(fact):
        return at_place(source, fact)
    return _PLACE[chinese].format(source=source, page=fact.page) if fact.page else source


def _why(part: Component, other: Fact, chinese: bool) -> str:
    chosen = part.fact
    if part.anew and chosen.source != other.source:
        return _ANEW[chinese]
    if chosen.basis != other.basis:
        return _BASIS[chinese].format(basis=chosen.basis, other=other.basis)
    if chosen.consolidation == "consolidated" and other.consolidation != "consolidated":
        return _CONSOLIDATED[chinese]
    if chosen.source != other.source:
        return _FITTING[chinese]
    if chosen.source_kind != other.source_kind:
        return _KINDS[chosen.source_kind][chinese]
    return _SUPPORTED[chinese]
