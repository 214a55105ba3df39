"""Who serves the firm: the auditor by the signature of the report, auditors, registrars and bankers by their labels.

The forms are data: ``advisers.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from ....core.patterns import PatternTable
from ....core.records import dataclass
from ....core.rules import load_rules
from ...triple import Triple
from .cells import clean, is_company
from .filing import LONGEST_TITLE, Filing, lines_of
from .table_rules import Claim

_AUDITOR = PatternTable(__package__, "advisers.toml", "auditor")
_REPORT = 6000
"""Characters before its signature in which an auditor's report says what was audited."""
_BEHIND = 220
"""Characters behind the signature in which the same may stand: "served as auditor since"."""
_LONGEST_LABEL = 50
"""Characters of a label."""
_LONGEST_SIGNED = 6000
"""Characters of a paragraph that can hold a signature."""


_Line = tuple[str, int]
"""Without blanks around it, and its offset."""


@dataclass(frozen=True, slots=True)
class _Label:
    label: re.Pattern[str]
    claim: Claim
    part: str


def advisers(filing: Filing) -> Iterator[Triple]:
    """Who signed the auditor's report, and the companies that stand below a label."""
    lines = list(_short_lines(filing))
    yield from _auditors(filing, lines)
    yield from _labelled(filing, lines)


def _auditors(filing: Filing, lines: Sequence[_Line]) -> Iterator[Triple]:
    """Who signed the auditor's report, and since when they audit."""
    since = _AUDITOR.first("since", filing.text)
    details = {"since": since["since"]} if since else {}
    for (line, start), (below, _) in pairwise([*lines, ("", 0)]):
        name = _signed(line, below)
        if name and _AUDITOR.any("audits", filing.text[max(0, start - _REPORT) : start + _BEHIND]):
            yield filing.said((name, "company"), "audits", filing.firm, (start, start + len(line)), details)


def _signed(line: str, below: str) -> str:
    """The accounting firm that a line is the signature of; "" for none."""
    if len(line) > LONGEST_TITLE:
        return ""
    match = _AUDITOR.first("signed", line)
    if match is None and _AUDITOR.any("designated", below):
        match = _AUDITOR.first("named", line)
    name = match["name"].strip(" ,") if match else ""
    return "" if _AUDITOR.any("no_name", name) else name


def _labelled(filing: Filing, lines: Sequence[_Line]) -> Iterator[Triple]:
    """The companies that stand below what they are to the firm: "Registrar", and a trust company on the next line."""
    for (line, _), (below, start) in pairwise(lines):
        rule = _label_of(line)
        name = clean(below) if rule else ""
        if rule and is_company(name):
            details = {"part": rule.part} if rule.part else {}
            yield rule.claim.of_item(filing, name, start, start + len(below), details)


def _label_of(line: str) -> _Label | None:
    """The label that a line is; None for other lines."""
    if len(line) > _LONGEST_LABEL:
        return None
    return next((rule for rule in _labels() if rule.label.search(line)), None)


def _short_lines(filing: Filing) -> Iterator[_Line]:
    """The lines of the text outside of tables, each with its offset."""
    for segment in filing.document.segments:
        if segment.kind != "table" and segment.end - segment.start < _LONGEST_SIGNED:
            yield from lines_of(filing.text, segment.start, segment.end)


@cache
def _labels() -> tuple[_Label, ...]:
    rules = load_rules(__package__, "advisers.toml")["labels"]
    return tuple(
        _Label(re.compile(rule["label"], re.IGNORECASE), Claim.parse(rule["says"]), rule.get("part", ""))
        for rule in rules
    )
