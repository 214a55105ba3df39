"""FinGLM statistics: ranks and counts over many companies, compared with gold SQL over the same invented table.

Source: statements that a team of the MetaGLM FinGLM challenge 2023 wrote for its training. Companies, places and
amounts are invented, every place of the questions with several companies, so that only a question that is understood as
the statement says gives the same companies in the same order.
"""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from cliquerag.core.fact import Fact
from cliquerag.core.ids import stable_id
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

FOLDER = "finglm"
_SYSTEM = "CliqueRAG"
_STATISTIC = re.compile(r"\border by\b|\bcount\(|\bavg\(|\bsum\(", re.IGNORECASE)
_PLACE = re.compile(r"注册地址 like '%([^%']{1,200})%'")
_COLUMN = re.compile(r"(?:order by|max\(|min\(|avg\(|sum\()\s*(?:distinct )?([\u4e00-\u9fff]+)", re.IGNORECASE)
_YEARS = (2018, 2019, 2020, 2021)
_OWN = ("公司名称", "股票简称", "注册地址")
_ELSEWHERE = ("拉萨", "三亚")
_COMPANIES = 16
"""Companies a place: more than any question asks for."""

Item = Mapping[str, Any]
Table = list[dict[str, Any]]


def run(folder: Path) -> Report:
    """Ask every statistics question; right where companies and amounts are those of the gold statement."""
    items = [item for item in read_lines(folder / "nl2sql.jsonl") if _STATISTIC.search(item["sql"])]
    table = _invented(items)
    gold = _database(table)
    store = open_store("sqlite://", schema=load_schema())
    try:
        for bundle in _bundles(table):
            store.put(bundle)
        rows = list(_rows(store, gold, items))
    finally:
        store.close()
        gold.close()
    return Report("finglm_statistics", tuple(rows), (f"{len(items)} questions, {len(table)} companies and years.",))


def _rows(store: Store, gold: sqlite3.Connection, items: Sequence[Item]) -> Iterator[Row]:
    right: list[float] = []
    given: list[float] = []
    for item in items:
        try:
            wanted = gold.execute(item["sql"].rstrip("; ")).fetchall()
        except sqlite3.OperationalError:  # it asks for columns in words, which are not invented
            continue
        answer = explain_numbers(store, item["question"]).answer
        right.append(float(answer is not None and agrees(answer, wanted)))
        given += right[-1:] if answer is not None else []
    yield Row.mean(_SYSTEM, "statistics right", right)
    yield Row.mean(_SYSTEM, "statistics precision of given answers", given)
    yield Row(_SYSTEM, "statistics declined", 1 - len(given) / max(1, len(right)), n=len(right), better="neither")


def agrees(answer: NumberAnswer, wanted: Sequence[tuple[Any, ...]]) -> bool:
    """True where the answer names the companies of the rows in their order, or gives their one number."""
    names = [str(cell) for row in wanted for cell in row if isinstance(cell, str)]
    if names:
        return [figure.company for figure in answer.figures] == names
    numbers = [Decimal(str(cell)) for row in wanted for cell in row if cell is not None]
    return len(numbers) == 1 and answer.value is not None and abs(answer.value * answer.scale - numbers[0]) < 1


def _invented(items: Sequence[Item]) -> Table:
    """A wide table as the statements expect it: one row a company and year."""
    rng = random.Random(11)
    places = sorted({place for item in items for place in _PLACE.findall(item["sql"])} | set(_ELSEWHERE))
    columns = sorted({column for item in items for column in _COLUMN.findall(item["sql"])} - {*_OWN})
    table: Table = []
    for n in range(_COMPANIES * len(places)):
        place = places[n % len(places)]
        own = dict(zip(_OWN, (f"甲乙{n:04d}股份有限公司", f"甲乙{n:04d}", f"{place}市中山路{n}号"), strict=True))
        for year in _YEARS:
            amounts = {column: rng.randrange(10**6, 10**10) for column in columns}
            table.append({**own, "年份": f"{year}年", **amounts})
    return table


def _database(table: Table) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    names = list(table[0])
    connection.execute(f"CREATE TABLE big ({', '.join(names)})")
    marks = ", ".join("?" * len(names))
    connection.executemany(f"INSERT INTO big VALUES ({marks})", [tuple(row.values()) for row in table])
    return connection


def _bundles(table: Table) -> Iterator[Bundle]:
    for row in table:
        year = int(row["年份"].rstrip("年"))
        source, period = f"{row['公司名称']}-{year}.txt", Period("year", year, fiscal=True)
        about = Metadata(
            companies=(row["公司名称"], row["股票简称"]),
            kind="annual report",
            period=period,
            language="zh",
            how={"companies": "argument"},
        )
        facts = tuple(
            _fact(row["公司名称"], source, period, key, value)
            for key, value in row.items()
            if key not in ("公司名称", "股票简称", "年份")
        )
        yield Bundle(Document(source, source, (), about, content_hash=source), (), (), (), facts)


def _fact(company: str, source: str, period: Period, key: str, value: object) -> Fact:
    number = isinstance(value, int)
    return Fact(
        company=company,
        metric=metric_of(key),
        label=key,
        period=period,
        text=str(value),
        value=Decimal(str(value)) if number else None,
        unit="CNY" if number else "",
        source_kind="table",
        source=source,
        id=stable_id("fact", source, key),
    )
