"""FinGLM: Chinese questions about annual reports, answered from a table of facts; and the way each one takes.

Source: MetaGLM FinGLM challenge 2023. The facts are the components that the gold answers name, one document a company
and year, so that reading PDFs plays no part. Formula questions have to find the company, year, formula and components
and calculate; look-ups name one or two values, numbers or words. The six ways are told apart by rules.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from cliquerag.core.fact import Fact
from cliquerag.core.ids import content_hash, stable_id
from cliquerag.core.period import Period
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.document import Document, Metadata
from cliquerag.ingest.facts import metric_of
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Bundle, Store
from cliquerag.retrieval.calculation import NumberAnswer

from ...asking import explain_numbers
from .._shared import read_lines

MINUTES = 2
_SYSTEM = "CliqueRAG"
_NO_VALUES = ("ent_short_name", "ent_name", "year", "key_word", "prom_answer", "公式")
_AMOUNT = re.compile(r"\s{0,40}(-?[\d,]{1,40}(?:\.\d{1,40})?)\s{0,40}(元|人|%)?\s{0,40}")
_OF_YEAR = re.compile(r"(20\d\d)年(.+)")
_BEFORE = re.compile(r"上年(.+)")
_RANKING = re.compile(
    r"哪|前\s*[\d一二三四五六七八九十]+|第\s*[\d一二三四五六七八九十]+\s*(?:高|低|名|大|小)|最高|最低|排名|位列|家上市公司"
)
_WAYS = {"2-1": "formula", "2-2": "comparison", "3-1": "report", "3-2": "general"}
_ROUTES = {
    "look-up": "look-up",
    "calculation": "formula",
    "comparison": "comparison",
    "statistics": "rank",
    "text": "report",
    "mixed": "report",
    "general": "general",
}
_TOLERANCE = Decimal("0.0101")


@dataclass(slots=True)
class _Company:
    """What the gold answers say of one company and year."""

    names: tuple[str, ...]
    year: int
    values: dict[tuple[int, str], str] = field(default_factory=dict)


def run(folder: Path) -> Report:
    """Answer the questions whose components are known, and sort all questions into six ways."""
    questions = read_lines(folder / "questions.jsonl")
    store = open_store("sqlite://", schema=load_schema())
    try:
        for company in _companies(questions).values():
            store.put(_bundle(company))
        rows = [*_answer_rows(store, questions), *_route_rows(store, questions)]
        documents = len(store.documents())
    finally:
        store.close()
    return Report("finglm", tuple(rows), (f"{len(questions)} questions, {documents} companies and years.",))


def _answer_rows(store: Store, questions: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    right: dict[str, list[float]] = defaultdict(list)
    given: dict[str, list[float]] = defaultdict(list)
    for question in questions:
        kind = _kind(question)
        if not kind:
            continue
        answer = explain_numbers(store, question["question"]).answer
        found = float(answer is not None and is_right(answer, question, kind))
        right[kind].append(found)
        if answer is not None:
            given[kind].append(found)
    for kind in right:
        yield Row.mean(_SYSTEM, f"{kind} right", right[kind])
        yield Row.mean(_SYSTEM, f"{kind} precision of given answers", given[kind])


def _kind(question: Mapping[str, Any]) -> str:
    """formula, look-up, two look-ups or comparison; "" where the gold holds no value or companies are ranked."""
    gold, kind = question["gold"], question["type"]
    if not gold.get("ent_short_name") or not gold.get("prom_answer") or _ranks(question):
        return ""
    keys = str(gold.get("key_word", "")).split("、")
    if kind in ("1", "1-2") and not all(gold.get(key) for key in keys):
        return ""
    return {"1": "look-up", "1-2": "two look-ups", "2-1": "formula", "2-2": "comparison"}.get(kind, "")


def is_right(answer: NumberAnswer, question: Mapping[str, Any], kind: str) -> bool:
    """True where every value is the gold's to two decimals, words alike but for blanks."""
    gold = question["gold"]
    if kind == "comparison":
        return bool(("不相同" not in answer.text) == (gold["prom_answer"] == "相同"))
    if kind == "formula":
        value = answer.figures[-1].value
        return value is not None and _equal(value, str(gold["prom_answer"]))
    keys = str(gold["key_word"]).split("、")
    if len(keys) != len(answer.figures):
        return False
    return all(
        _equal(figure.value, str(gold[key])) if figure.value is not None else _plain(figure.text) == _plain(gold[key])
        for figure, key in zip(answer.figures, keys, strict=True)
    )


def _equal(value: Decimal, gold: str) -> bool:
    match = _AMOUNT.fullmatch(gold)
    if match is None:
        return False
    wanted = Decimal(match[1].replace(",", ""))
    return abs(round(value * 100 if match[2] == "%" else value, 2) - round(wanted, 2)) <= _TOLERANCE


def _plain(text: str) -> str:
    return "".join(text.split()).lower()


def _route_rows(store: Store, questions: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    gold = [_WAYS.get(q["type"]) or ("rank" if _ranks(q) else "look-up") for q in questions]
    found = [_ROUTES[explain_numbers(store, question["question"]).asked.route] for question in questions]
    yield Row.mean(_SYSTEM, "route accuracy (6 ways)", [float(a == b) for a, b in zip(gold, found, strict=True)])
    yield Row(_SYSTEM, "route macro F1", _macro_f1(gold, found), n=len(gold))


def _macro_f1(gold: Sequence[str], found: Sequence[str]) -> float:
    """Mean over the classes of the gold of the harmonic mean of precision and recall."""
    scores = []
    for name in sorted(set(gold)):
        hits = sum(a == b == name for a, b in zip(gold, found, strict=True))
        scores.append(2 * hits / (gold.count(name) + found.count(name)))
    return sum(scores) / len(scores)


def _ranks(question: Mapping[str, Any]) -> bool:
    if question["type"] not in ("1", "1-2"):
        return False
    text = question["question"]
    named = bool(question["gold"].get("ent_short_name")) and "上市公司" not in text
    return _RANKING.search(text) is not None and not named


def _companies(questions: Sequence[Mapping[str, Any]]) -> dict[tuple[str, int], _Company]:
    found: dict[tuple[str, int], _Company] = {}
    for question in questions:
        gold = question["gold"]
        year = str(gold.get("year", ""))
        if question["type"][0] in "12" and gold.get("ent_name") and year.isdigit() and not _ranks(question):
            names = tuple(dict.fromkeys((gold["ent_name"], gold["ent_short_name"] or gold["ent_name"])))
            company = found.setdefault((gold["ent_name"], int(year)), _Company(names, int(year)))
            for key, value in gold.items():
                if key not in _NO_VALUES and value not in (None, "", "nan"):
                    company.values.setdefault(_placed(key, int(year)), str(value))
    return found


def _placed(key: str, year: int) -> tuple[int, str]:
    """Year and name of a component: "2020年法定代表人", "上年净利润"."""
    if match := _OF_YEAR.fullmatch(key):
        return int(match[1]), match[2]
    if match := _BEFORE.fullmatch(key):
        return year - 1, match[1]
    return year, key


def _bundle(company: _Company) -> Bundle:
    source = f"{company.names[0]}-{company.year}.txt"
    period = Period("year", company.year, fiscal=True)
    metadata = Metadata(
        companies=company.names, kind="annual report", period=period, language="zh", how={"companies": "argument"}
    )
    text = "\n".join(f"{key}：{value}" for (_, key), value in company.values.items())
    document = Document(source, text, (), metadata, content_hash=content_hash(text.encode()))
    facts = tuple(_fact(company, source, key, year, value) for (year, key), value in company.values.items())
    return Bundle(document, (), (), (), facts)


def _fact(company: _Company, source: str, key: str, year: int, text: str) -> Fact:
    match = _AMOUNT.fullmatch(text)
    metric = metric_of(key)
    number = match and not _is_text(metric)
    return Fact(
        company=company.names[0],
        metric=metric,
        label=key,
        period=Period("year", year, fiscal=True),
        text=text,
        value=Decimal(match[1].replace(",", "")) if match and number else None,
        unit={"元": "CNY", "人": "people", "%": "%"}.get(match[2] or "", "") if match and number else "",
        source_kind="table",
        source=source,
        id=stable_id("fact", source, key, year),
    )


def _is_text(metric: str) -> bool:
    """True for a metric whose values are words: a stock code is not a number."""
    from cliquerag.ingest.facts.metrics import default_metrics

    found = default_metrics().metrics.get(metric)
    return found is not None and found.kind == "text"
