"""The fixed table that the benchmark's endpoint answers from: every system gets the same relations, in its own form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from .invented import STATED

Message = dict[str, Any]
_LINE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_ANSWER = "Margins rose on volume and price, and the outlook was kept [1]."
_SUMMARY = "A company that supplies, acquires and sues others, as several calls say."


def answer(messages: Sequence[Message]) -> tuple[str, str]:
    """(kind of call, text) for a chat; what is not known is taken for a question and answered alike."""
    asked = str(messages[-1]["content"])
    for kind, is_meant, give in _KINDS:
        if is_meant(asked, messages):
            return kind, give(asked)
    return "answer", _ANSWER


def stated(text: str) -> list[tuple[str, str, str]]:
    """(head, relation, tail) in order, each once.

    >>> stated("In this quarter Abc Corp supplies Def Corp with cash. Abc Corp supplies Def Corp.")
    [('Abc Corp', 'supplies', 'Def Corp')]
    """
    return list(dict.fromkeys((m[1], m[2], m[3]) for m in STATED.finditer(text)))


def _ours(asked: str) -> str:
    """JSON, a triple with the number of its sentence."""
    rows = [
        {"sentence": int(line[1]), "head": head, "head_type": "company", "relation": relation, "tail": tail,
         "tail_type": "company", "modality": "asserted", "period": "", "value": "", "unit": ""}
        for line in _LINE.finditer(asked)
        for head, relation, tail in stated(line[2])
    ]  # fmt: skip
    return json.dumps({"triples": rows})


def _lightrag(asked: str) -> str:
    """Rows with fields divided by ``<|#|>``: entities, then relations."""
    found = stated(asked.rpartition("---Input Text---")[2])
    rows = [f"entity<|#|>{name}<|#|>Organization<|#|>{_described(name)}" for name in _names(found)]
    rows += [f"relation<|#|>{h}<|#|>{t}<|#|>{r}<|#|>{h} {r} {t} in this quarter." for h, r, t in found]
    return "\n".join([*rows, "<|COMPLETE|>"])


def _graphrag(asked: str) -> str:
    """Tuples with fields divided by ``<|>`` and rows by ``##``, as GraphRAG and what came of it ask for."""
    found = stated(asked.rpartition("Text:")[2])
    rows = [f'("entity"<|>{name.upper()}<|>organization<|>{_described(name)})' for name in _names(found)]
    rows += [f'("relationship"<|>{h.upper()}<|>{t.upper()}<|>{h} {r} {t} in this quarter.<|>5)' for h, r, t in found]
    return "##".join(rows) + "<|COMPLETE|>"


def _report(asked: str) -> str:
    return json.dumps(
        {"title": "Suppliers", "summary": _SUMMARY, "rating": 5.0, "rating_explanation": "Of middling importance.",
         "findings": [{"summary": "Supply", "explanation": _SUMMARY}]}
    )  # fmt: skip


def _keywords(asked: str) -> str:
    names = re.findall(r"[A-Z][a-z]+ Corp", asked)
    return json.dumps({"high_level_keywords": ["margins", "outlook"], "low_level_keywords": names[-1:]})


def _names(found: Sequence[tuple[str, str, str]]) -> list[str]:
    return list(dict.fromkeys(name for head, _, tail in found for name in (head, tail)))


def _described(name: str) -> str:
    return f"{name} is a company that reported on this quarter."


_KINDS: tuple[tuple[str, Callable[[str, Sequence[Message]], bool], Callable[[str], str]], ...] = (
    ("extract", lambda asked, _: "<document>" in asked, _ours),
    ("extract again", lambda asked, _: "last extraction task" in asked, lambda _: "<|COMPLETE|>"),
    ("extract", lambda asked, _: "---Input Text---" in asked, _lightrag),
    ("summary", lambda asked, _: "Description List" in asked, lambda _: _SUMMARY),
    ("keywords", lambda asked, _: "high_level_keywords" in asked, _keywords),
    ("extract again", lambda asked, _: asked.startswith("MANY entities"), lambda _: "<|COMPLETE|>"),
    ("extract again", lambda asked, _: "still entities" in asked, lambda _: "NO"),
    ("extract", lambda asked, _: '("entity"' in asked or "{tuple_delimiter}" in asked, _graphrag),
    ("report", lambda asked, _: "rating_explanation" in asked or "impact severity" in asked.lower(), _report),
    ("summary", lambda asked, _: "comprehensive summary" in asked, lambda _: _SUMMARY),
)
"""Order counts: a later turn of a chat repeats what the first one asked."""
