"""Canonical names of metrics: a data file of synonyms, open to a user's own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ...core.chinese import simplified
from ...core.ids import content_hash
from ...core.patterns import on_demand, one_of
from ...core.records import dataclass
from ...core.rules import load_rules, read_rules

_HAN = on_demand(r"[\u4e00-\u9fff]")
_NOTE_MARK = on_demand(
    one_of(
        r"[(（\[]\s*(?:\d{1,2}|[a-zA-Z]{1,2}|notes?\s[^)]{0,120}|附注[^)）]{0,120})\s*[)）\]]",
        "[*†‡¹²³⁽⁾]+",
    ),
    re.IGNORECASE,
)
_BRACKETS = on_demand(r"[(（【\[][^()（）]{0,300}[)）】\]]")
_PUNCTUATION = on_demand(r"[^a-z0-9\u4e00-\u9fff]+")
_ZH_NUMBERING = on_demand(
    "^"
    + one_of(
        "[一二三四五六七八九十]+[、.．]",
        r"[(（][一二三四五六七八九十\d]+[)）]",
        r"\d+(?:\.\d+)*[、.．]",
        "其中[:：]?|[加减][:：]",
        "[①-⑳]",
    )
    + r"+\s*"
)
"""What stands before the name: "一、", "(二)", "1.2、", "其中：", "减：", "①"."""
_ZH_NUMBER_END = on_demand(r"[（(](?:元[/／]?股?|万元|%|％|人|名|股)[)）]$")
_EN_NUMBERING = on_demand(r"^(?:(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)]\s+|\((?:\d{1,2}|[ivx]{1,4}|[a-h])\)\s*)+(?=[a-z])")
"""What stands before the name: "1. ", "(a) ", "IV. "."""
_EN_OPENING = on_demand(
    "^"
    + one_of(
        "less|add|plus|deduct",
        "the|our|its",
        "consolidated",
        "company s",
        "gaap",
    )
    + r"\s+"
)
_EN_CLOSING = on_demand(
    r"\s"
    + one_of(
        r"note \d+|see note \d+",
        "in millions|in thousands",
        "unaudited|as reported|gaap",
    )
    + "$"
)
_NON_GAAP = "non gaap "
_OWN_EQUITY = on_demand(r"total .+ (?:shareholders|stockholders|shareowners) equity")
_DETAILS = on_demand(r"\s(?:less allowances?|net of|less accumulated|at cost|including|excluding|of which)\s")
_ATTRIBUTABLE = on_demand(r"(?:diluted |basic )?(?:net |(?:earnings|income|loss) per ).*attributable to ")
_LOSS_ATTRIBUTABLE = on_demand(r"(?:diluted |basic )?net loss(?:es)? (?:per (?:\w+ ){0,3}share )?attributable to ")
_PROFIT = on_demand(r"income|profit|earning|gain|surplus|收益|利润|盈利|溢利|净利|利益", re.IGNORECASE)
"""In the brackets of a label: "Net loss (income)" names both, and the sign as printed says which it is."""
_PER_SHARE = on_demand(r"\bper (?:\w+ ){0,3}share\b")
_POSSESSIVE = on_demand(r"['’]s?\b")


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric of the list: what its values are, whether they stand at a date, and the metric that is meant by its name
    where only that one is reported."""

    name: str
    kind: str = "money"
    balance: bool = False
    stand_in: str = ""


UNNAMED = Metric("", kind="")
"""What a figure counts that the list has no name for."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricList:
    """Metrics by name, and all their names in plain form."""

    metrics: Mapping[str, Metric]
    names: Mapping[str, str]
    """Plain name -> canonical name."""
    version: str = ""
    """Tells a user's list from the shipped one and from an older state of itself."""
    results: frozenset[str] = frozenset()
    """Canonical names of what can be a profit or a loss: a lower value is worse, also below zero."""
    losses: frozenset[str] = frozenset()
    """Plain names that name the metric's opposite: 520 under "Net loss" is a net income of -520."""

    def find(self, label: str) -> Metric | None:
        """The metric of a label as printed; None where the list has none."""
        metric = self.get(label)
        return metric if metric.name else None

    def get(self, label: str) -> Metric:
        """The metric of a label as printed; :data:`UNNAMED` where the list has none."""
        return _find(self, label)[0]

    def counts_shares(self, name: str) -> bool:
        """True for the canonical name of a number of shares at a day."""
        metric = self.metrics.get(name, UNNAMED)
        return metric.balance and metric.kind == "shares"

    def names_loss(self, label: str) -> bool:
        """True for a label that names only a loss or a deficit: what is printed under it without a sign is negative.

        >>> [default_metrics().names_loss(label) for label in ("Net loss", "Net income (loss)", "Net loss (income)")]
        [True, False, False]
        """
        return _find(self, label)[1]


def metric_of(label: str) -> str:
    """The canonical name of a metric by any of its names; "" where the list has none.

    >>> metric_of("Total net revenues(1)"), metric_of("PP&E, net"), metric_of("一、营业总收入"), metric_of("Weather")
    ('revenue', 'property plant and equipment', 'revenue', '')
    """
    return default_metrics().get(label).name


@cache
def default_metrics() -> MetricList:
    """The metrics that ship with the package."""
    return _metric_list(load_rules(__package__, "metrics.toml")["metrics"])


def load_metrics(path: Path) -> MetricList:
    """The shipped metrics with a user's own, of the same form, which go first. Raises UsageError.

    A metric that ships gains the user's names and takes the user's kind.
    """
    own: dict[str, dict[str, Any]] = read_rules(path).get("metrics", {})
    shipped = load_rules(__package__, "metrics.toml")["metrics"]
    rules = {name: _extended(shipped.get(name, {}), rule) for name, rule in own.items()}
    for name, rule in shipped.items():
        rules.setdefault(name, rule)
    return _metric_list(rules, _digest(own))


_NAMED_IN = ("en", "zh", "losses")
"""The lists of names that a metric of the data file has."""


def _extended(shipped: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    names = {language: [*own.get(language, ()), *shipped.get(language, ())] for language in _NAMED_IN}
    return {**shipped, **own, **names}


def _digest(rules: Mapping[str, Any]) -> str:
    return content_hash(json.dumps(rules, sort_keys=True).encode())[:8]


def plain_label(label: str) -> str:
    """A label without case, note marks, parentheses, numbering and punctuation, as the list spells names.

    >>> plain_label("Less: Net loss (income) attributable to noncontrolling interests (Note 5)")
    'net loss attributable to noncontrolling interests'
    """
    text = _NOTE_MARK.sub(" ", label.strip())
    if _HAN.search(text):
        text = _BRACKETS.sub("", _ZH_NUMBERING.sub("", _ZH_NUMBER_END.sub("", simplified(text))))
        return _PUNCTUATION.sub("", text.lower())
    text = _BRACKETS.sub(" ", _EN_NUMBERING.sub("", text.lower()).replace("&", " and "))
    text = _PUNCTUATION.sub(" ", _POSSESSIVE.sub("", text)).strip()
    return _EN_CLOSING.sub("", _EN_OPENING.sub("", text))


@lru_cache(maxsize=50_000)
def _find(metrics: MetricList, label: str) -> tuple[Metric, bool]:
    """The metric of a label, and whether the label names only its opposite, a loss."""
    whole = plain_label(label)
    for plain in _variants(whole):
        name = metrics.names.get(plain)
        if name:
            is_loss = plain in metrics.losses or _LOSS_ATTRIBUTABLE.match(whole) is not None
            return metrics.metrics[name], is_loss and not _names_profit_too(label)
    return UNNAMED, False


def _names_profit_too(label: str) -> bool:
    return any(map(_PROFIT.search, _BRACKETS.findall(label)))


def _variants(plain: str) -> list[str]:
    """The plain name, and shorter ones that mean the same."""
    variants = [plain, plain.removeprefix("total "), plain.removesuffix(" net"), plain.removesuffix(" expense")]
    if plain.startswith(_NON_GAAP):
        variants.append(f"adjusted {plain.removeprefix(_NON_GAAP)}")
    if _ATTRIBUTABLE.match(plain):
        variants += _attributable(plain)
    if _OWN_EQUITY.fullmatch(plain):
        variants.append("equity attributable to shareholders")
    variants.append(_DETAILS.split(plain)[0])
    if _HAN.search(plain):
        variants += [plain.removesuffix(end) for end in ("合计", "总计", "净额", "金额") if plain.endswith(end)]
    return list(dict.fromkeys(variants))


def _attributable(plain: str) -> list[str]:
    """ "Net income attributable to Acme per common share - diluted": whose it is, and whether it is one share's."""
    owner = plain.partition("attributable to ")[2]
    if _PER_SHARE.search(plain):
        kinds = {"diluted": "dilut", "basic": "basic"}
        return [f"{kind} earnings per share" for kind, word in kinds.items() if word in plain]
    others = "noncontrolling" in owner or "non controlling" in owner
    return [] if others else ["net income attributable to shareholders"]


def _metric_list(rules: Mapping[str, Mapping[str, Any]], version: str = "") -> MetricList:
    metrics = {
        name: Metric(name, rule.get("kind", "money"), rule.get("balance", False), rule.get("stand_in", ""))
        for name, rule in rules.items()
    }
    names: dict[str, str] = {}
    for name in rules:
        names.setdefault(plain_label(name), name)
    for name, rule in rules.items():
        for other in (name for language in _NAMED_IN for name in rule.get(language, ())):
            names.setdefault(plain_label(other), name)
    losses = frozenset(plain_label(other) for rule in rules.values() for other in rule.get("losses", ()))
    results = frozenset(name for name, rule in rules.items() if rule.get("losses"))
    return MetricList(metrics, names, version, results, losses)
