"""Formulas that a question defines itself: "X is defined as: 365 * average of a / (b + change in c)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ....core.names import is_chinese
from ....core.patterns import LazyPattern, PatternTable, on_demand
from ....core.period_text import find_periods
from ....core.records import dataclass
from ....core.rules import load_rules
from ..vocabulary.expression import Call, Name, Node, Number, components, parse_expression
from ..vocabulary.vocabulary import FormulaList
from .operands import Operand

_FILE = "defined_formula.toml"
_RULES = PatternTable(__package__, _FILE)
_BEFORE, _UNITS = PatternTable(__package__, _FILE, "before"), PatternTable(__package__, _FILE, "units")
_SYNTAX = on_demand(r"(\baverage\(|\bbefore\(|\babs\(|[-+*/^(),]|(?<![\w.])\d+(?:\.\d+)?(?![\w.%]))")
_HYPHEN = on_demand(r"(?<=[^\W_])-(?=[^\W_])")
_HIDDEN = "\ue000"
"""Stands for the hyphen of a name, such as "year-end", which is no minus."""
_BETWEEN = on_demand(
    r"\b(?:between|from) (?:the )?(?:fiscal |financial |FY ?|years? |end of )*(?:19|20)\d\d(?: year[- ]ends?)?"
    r" (?:and|to|through) (?:the )?(?:fiscal |financial |FY ?|years? |end of )*(?:19|20)\d\d(?: year[- ]ends?)?",
    re.IGNORECASE,
)
_YEAR = on_demand(r"(?:19|20)\d\d")
_YEARS_BESIDE = on_demand(
    r"\(\s{0,4}(?:FY ?)?(?:19|20)\d\d(?:\s{0,4}(?:and|to|,|&|-|–)\s{0,4}(?:FY ?)?(?:19|20)\d\d)?\s{0,4}\)"
)
"""The years of an average in brackets: "average inventories (2018 and 2019)"."""
_ABOUT = on_demand(r"\s(?:for|in|at|during)\b.*$", re.IGNORECASE)
"""Of whom and when a formula is asked, behind its name."""
_FEWEST = 2
"""Operands below which words name a figure."""
_DAYS = (360, 365, 366, 90, 91, 91.25, 30)


@dataclass(frozen=True, slots=True)
class DefinedFormula:
    """A formula in the question's own words: ``operands`` are its components by the names that stand in ``node``."""

    name: str
    node: Node
    operands: Mapping[str, Operand]
    unit: str


ReadOperand = Callable[[str], Operand | None]
"""The words of a component -> the operand; None where they name nothing."""


def read_definition(text: str, formulas: FormulaList, read_operand: ReadOperand) -> tuple[DefinedFormula, str] | None:
    """The formula that a question defines, and the question without the definition; None for other questions."""
    if is_chinese(text):
        return None
    for pattern in _RULES.all("definitions"):
        match = pattern.search(text)
        if match is None or not _RULES.any("calculates", match["formula"]):
            continue
        rest = " ".join(f"{text[: match.start()].rstrip(' ,')} {text[match.end() :]}".split())
        name = _ABOUT.sub("", match.groupdict().get("name") or "").strip()
        if formula := _read(name, match["formula"], rest, formulas, read_operand):
            return formula, rest.replace(" ?", "?")
    return None


def _read(name: str, words: str, rest: str, formulas: FormulaList, read_operand: ReadOperand) -> DefinedFormula | None:
    operands: dict[str, Operand] = {}
    expression = _expression(words, operands, read_operand)
    if expression is None:
        return None
    try:
        node = parse_expression(expression)
    except ValueError:
        return None
    if len(set(components(node))) < _FEWEST:
        return None
    return DefinedFormula(name, node, operands, _unit(node, name or rest, formulas))


def _expression(words: str, operands: dict[str, Operand], read_operand: ReadOperand) -> str | None:
    """The formula in the grammar of expressions, its operands collected by name; None where one names nothing."""
    text = f" {words.strip(' .,:;')} "
    for pattern, sign in _operators():
        text = pattern.sub(sign, text)
    text = _HYPHEN.sub(_HIDDEN, text)
    last = max(map(int, _YEAR.findall(words)), default=0)
    written: list[str] = []
    for piece in _SYNTAX.split(_without_years(text, last)):
        if not piece.strip():
            continue
        if _SYNTAX.fullmatch(piece):
            written.append(piece)
            continue
        part = _part(piece.replace(_HIDDEN, "-"), operands, read_operand)
        if part is None:
            return None
        written.append(part)
    return " ".join(written)


def _without_years(text: str, last: int) -> str:
    """Periods cut out; a year before the formula's last one is the period before."""
    text = _YEARS_BESIDE.sub(" ", text)
    text = _BETWEEN.sub(" ", text) if len(find_periods(text)) > 1 else text
    for mention in reversed(find_periods(text)):
        is_earlier = mention.period.unit != "span" and mention.period.last_day.year < last
        said = " prior year " if is_earlier else " "
        text = text[: mention.start] + said + text[mention.end :]
    return text


def _part(words: str, operands: dict[str, Operand], read_operand: ReadOperand) -> str | None:
    """ "[name]" of one operand, of the period before where its words say so."""
    before = _BEFORE.without("patterns", words)
    plain = _BEFORE.without("now", before)
    operand = read_operand(plain.strip(" ,.:;"))
    if operand is None:
        return None
    key = operand.name if operand.name and not operand.words else " ".join(operand.text.split())
    key = key.replace("[", "(").replace("]", ")")
    operands[key] = operand
    return f"before([{key}])" if before != words else f"[{key}]"


def _unit(node: Node, name: str, formulas: FormulaList) -> str:
    known = formulas.find(name)
    if known is not None:
        return known.unit
    kind = _kind(node)
    if kind == "money":
        return kind
    return _UNITS.which(name) or kind


def _kind(node: Node) -> str:
    """What the value is: "money", "x" for a pure number, "days"."""
    if isinstance(node, Number):
        return "days" if float(node.value) in _DAYS else "x"
    if isinstance(node, Name):
        return "money"
    if isinstance(node, Call):
        return _kind(node.arguments[0])
    left, right = _kind(node.left), _kind(node.right)
    if node.sign in "+-":
        return left
    if node.sign == "/":
        return _divided(left, right)
    return right if left == "x" else left


def _divided(left: str, right: str) -> str:
    if right != "money":
        return left
    return "x" if left == "money" else left


@cache
def _operators() -> tuple[tuple[LazyPattern, str], ...]:
    return tuple((_compiled(rule["words"]), rule["sign"]) for rule in _rules()["operator"])


@cache
def _compiled(text: str) -> LazyPattern:
    return LazyPattern(text)


def _rules() -> Any:
    return load_rules(__package__, "defined_formula.toml")
