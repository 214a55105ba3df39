"""Notes on facts that disagree: which value was taken and why, and what else is stated where."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.fact import Fact
from ...core.source_names import at_place, place_name, short_name
from ...ingest.facts.metrics import plain_label
from ..question.figures.asked import Asked
from ..question.vocabulary.formulas import FormulaList
from .formatting import in_chinese
from .result import Component, Figure

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
    for part in dict.fromkeys(part for figure in figures for part in figure.components):
        comparable = [other for other in part.others if _same_unit(other, part.fact)]
        for other in [other for other in comparable if part.anew or _contradicts(other, part.fact)][:1]:
            known = (part.fact.source, other.source)
            notes.append(
                _NOTE[asked.chinese].format(
                    name=in_chinese(part.name, formulas) if asked.chinese else part.name,
                    text=" ".join(part.fact.text.split()),
                    here=_where(part.fact, known, asked.chinese),
                    why=_why(part, other, asked.chinese),
                    there=_where(other, known, asked.chinese),
                    other=" ".join(other.text.split()),
                )
            )
    return tuple(dict.fromkeys(notes))


def _contradicts(other: Fact, chosen: Fact) -> bool:
    """True where both say that they are the same figure: a part of it, or a sentence about something near, does not."""
    names = {plain_label(fact.label.rpartition(" > ")[2]) for fact in (other, chosen)}
    if " ".join(other.text.split()) == " ".join(chosen.text.split()):  # the same, read in another scale
        return False
    return len(names) == 1 and other.source_kind != "prose" and other.dimensions == chosen.dimensions


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
    if chosen.consolidation == "consolidated" != other.consolidation:
        return _CONSOLIDATED[chinese]
    if chosen.source != other.source:
        return _FITTING[chinese]
    if chosen.source_kind != other.source_kind:
        return _KINDS[chosen.source_kind][chinese]
    return _SUPPORTED[chinese]
