"""Whom a Chinese question is about, told by place: what stands before the year, the figure, the office or 的."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from ......core.names import legal_form
from ......core.rules import load_rules
from ......ingest.facts.metrics import MetricList

_SHORTEST, _LONGEST = 2, 14
_SHORTEST_METRIC = 2


def chinese_subjects(text: str, metrics: MetricList) -> tuple[str, ...]:
    """The names that a Chinese question begins with, but for terms of business (研发人员, 本公司).

    >>> from cliquerag.ingest.facts.metrics import default_metrics
    >>> chinese_subjects("请问光华电子和东山精密2021年的净利润哪个高？", default_metrics())
    ('光华电子', '东山精密')
    >>> chinese_subjects("研发人员的数量是多少？", default_metrics())
    ()
    """
    lead, end, joint, term = _patterns(metrics)
    text = lead.sub("", "".join(text.split()))
    boundary = end.search(text)
    names = joint.split(text[: boundary.start()]) if boundary else []
    whole = (name[: len(name) - len(legal_form(name))] if name.isalnum() else "" for name in names)
    return tuple(name for name in whole if _SHORTEST <= len(name) <= _LONGEST and not term.search(name))


@cache
def _patterns(known_metrics: MetricList) -> tuple[re.Pattern[str], ...]:
    """What comes before a name, what ends it, what joins two, and what is no name."""
    rules: Mapping[str, Any] = load_rules(__package__, "chinese.toml")
    metrics = [n for n in known_metrics.names if len(n) >= _SHORTEST_METRIC and "\u4e00" <= n[0] <= "\u9fff"]
    known = "|".join(map(re.escape, sorted(metrics, key=len, reverse=True)))
    return (
        re.compile(rules["lead"]),
        re.compile(f"{rules['end']}|{known}"),
        re.compile(rules["joint"]),
        re.compile(f"{rules['term']}|{known}"),
    )
