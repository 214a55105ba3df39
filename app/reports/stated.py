"""Tables of what documents state: what moved a figure, and relations, each row with the sentence that says so."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.patterns import PatternTable
from .parts import Cell, Grid, word

if TYPE_CHECKING:
    from ..core.language import Language
    from ..kg.drivers import Driver
    from ..kg.graph import Relation, Statement
    from ..workspace import Workspace
    from .parts import Numbering

_MOST_DRIVERS, _MOST_RELATIONS = 12, 15
_SUBGRAPH = 400
_ARROWS: Mapping[str, str] = {"up": "▲", "down": "▼", "flat": "▬", "": "·"}
_LONGEST = 300
"""Characters of a sentence in a table; its citation has all of it."""
_LONGEST_NAME = 9
"""Words of the name of a figure; what has more is a clause."""
_SURE = PatternTable(__package__, "stated.toml", "sure")
_WORD = re.compile(r"\w+")


# --- what moved a figure


def driver_grid(drivers: Sequence[Driver], numbering: Numbering, language: Language) -> Grid | None:
    """What moved figures, the latest and the largest first; None where there is nothing to show."""
    kept = [driver for driver in drivers if driver.causes and names_a_figure(driver)]
    kept.sort(key=_importance)
    rows = [_driver_row(driver, numbering, language) for driver in _once(kept)[:_MOST_DRIVERS]]
    head = tuple(word(name, language) for name in ("figure", "period", "moved", "causes", "sentence"))
    return Grid("", head, tuple(rows)) if rows else None


def _once(drivers: Sequence[Driver]) -> list[Driver]:
    """Without those that say again what one before them says: management repeats itself segment by segment."""
    chosen: list[Driver] = []
    said: set[tuple[str, ...]] = set()
    for driver in drivers:
        period = driver.period.label if driver.period else ""
        causes = "; ".join(cause.text for cause in driver.causes)
        amount = driver.change or driver.percent
        keys: set[tuple[str, ...]] = {("causes", period, causes)}
        if amount is not None:
            keys.add(("amount", period, driver.label.lower(), amount.text))
        if said.isdisjoint(keys):
            chosen.append(driver)
        said |= keys
    return chosen


def names_a_figure(driver: Driver) -> bool:
    """True where what is said to have moved is a figure that the sentence names before it says why.

    "... was driven by revenues from Comirnaty" is no movement of these revenues, and "higher net income adjusted for
    non-cash items, a" is a piece of a list.
    """
    label = driver.label
    if not label or len(label.split()) > _LONGEST_NAME or _SURE.any("no_figure", label):
        return False
    at = driver.text.find(label)
    because = _SURE.first("because", driver.text)
    is_named_late = at >= 0 and because is not None and because.end() <= at
    return not is_named_late and not _SURE.any("unfinished", driver.causes[0].text)


def _importance(driver: Driver) -> tuple[int, bool, bool, int, int]:
    """The latest period first, then known metrics and what has an amount, then the whole before its parts."""
    day = driver.period.last_day.toordinal() if driver.period else 0
    has_amount = driver.change is not None or driver.percent is not None
    return -day, not driver.metric, not has_amount, len(_WORD.findall(driver.label)), driver.start


def _driver_row(driver: Driver, numbering: Numbering, language: Language) -> tuple[Cell, ...]:
    number = numbering.place(driver.document, driver.text, driver.start, driver.end, driver.anchors, driver.page)
    causes = "; ".join(" ".join(cause.text.split()) for cause in driver.causes)
    period = driver.period.label if driver.period else ""
    sentence = Cell(shortened(driver.text), (number,))
    return Cell(_figure_name(driver)), Cell(period), Cell(_moved(driver, language)), Cell(shortened(causes)), sentence


def _figure_name(driver: Driver) -> str:
    """The figure as the sentence names it, with what it leaves out: "revenues, excluding Comirnaty"."""
    without = _SURE.first("without", driver.text)
    return f"{driver.label}, {without[0][:1].lower()}{without[0][1:]}" if without else driver.label


def _moved(driver: Driver, language: Language) -> str:
    """ "▲ $785 million", "▼ to 36.2%": by how much, else to what it moved."""
    arrow = _ARROWS[driver.direction]
    amount = driver.change or driver.percent
    if amount is not None:
        said = amount.text if driver.change or "%" in amount.text else f"{amount.text}%"
        if f" to {said}" in driver.text:
            return f"{arrow} {word('level', language)} {said}"
        if _is_level(driver, said):
            return arrow
        # A cash outflow that fell by a quarter is printed as -24.60: the sign of the print stands alone.
        return said if said.startswith("-") and driver.direction == "up" else f"{arrow} {said}"
    if driver.level is not None and driver.direction:
        return f"{arrow} {word('level', language)} {driver.level.text}"
    return arrow


def _is_level(driver: Driver, amount: str) -> bool:
    """True for "the loss of $3,544 million decreased": so much it was, and not by so much it moved."""
    begin = driver.text.find(driver.label) + len(driver.label)
    end = driver.text.find(f" of {amount}", begin)
    return end >= begin and not _SURE.any("moved", driver.text[begin:end])


# --- relations


def relation_grid(
    workspace: Workspace,
    companies: Sequence[str],
    names: Sequence[str],
    sources: Collection[str],
    numbering: Numbering,
    language: Language,
) -> Grid | None:
    """The relations of companies that a document asserts; None where there are none."""
    rows: list[tuple[Cell, ...]] = []
    for company in companies:
        own = [relation for relation in _own_relations(workspace, company) if relation.relation in names]
        own.sort(key=lambda relation: (names.index(relation.relation), -relation.support))
        for relation in own[:_MOST_RELATIONS]:
            best = _best_statement(relation, sources)
            if best is not None:
                rows.append(_relation_row(workspace, relation, best, numbering, language))
    head = tuple(word(name, language) for name in ("relation", "sentence"))
    return Grid("", head, tuple(rows)) if rows else None


def _own_relations(workspace: Workspace, company: str) -> Sequence[Relation]:
    from ..kg.entity_names import look_up

    try:
        entity = look_up(workspace.store, company)
    except UsageError:  # nothing is said of it but in its documents' heads
        return ()
    found = workspace.store.subgraph([entity.id], _SUBGRAPH).relations
    return [relation for relation in found if entity.id in (relation.head.id, relation.tail.id)]


def _best_statement(relation: Relation, sources: Collection[str]) -> Statement | None:
    """The surest sentence that asserts the relation: none that only fears or plans it, or tells it of a part."""
    said = [statement for statement in relation.statements if statement.modality == "asserted"]
    if sources:
        said = [statement for statement in said if statement.document in sources]
    sure = [statement for statement in said if not _SURE.any("hedged", statement.text)]
    if relation.relation == "leads":
        sure = [statement for statement in sure if not _SURE.any("office_of_part", statement.text)]
    return max(sure, key=lambda statement: statement.confidence, default=None)


def _relation_row(
    workspace: Workspace, relation: Relation, best: Statement, numbering: Numbering, language: Language
) -> tuple[Cell, ...]:
    number = numbering.place(best.document, best.text, best.start, best.end, best.anchors, best.page)
    verb = workspace.vocabulary.schema.relations[relation.relation].label(language)
    return Cell(f"{relation.head.name} {verb} {relation.tail.name}"), Cell(shortened(best.text), (number,))


def shortened(text: str) -> str:
    """A sentence for a cell of a table."""
    plain = " ".join(text.split())
    boxes = _SURE.first("boxes", plain)
    plain = plain[boxes.end() :] if boxes else plain
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST].rpartition(' ')[0]} …"
