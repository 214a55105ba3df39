"""Files named by a ticker belong to the company whose filings bear it."""

from __future__ import annotations

from datetime import datetime

from cliquerag.core.period import Period
from cliquerag.kg.store import DocumentRecord
from cliquerag.retrieval.question.scope.catalogue import Catalogue


def record(source: str, company: str, ticker: str, kind: str, year: int) -> DocumentRecord:
    return DocumentRecord(
        source=source, title="", companies=(company,), tickers=(ticker,), kind=kind, period=Period("year", year),
        published=None, ingested=datetime(2024, 1, 1), language="en", content_hash="", pages=3, chunks=9, tokens=99,
        versions={}, how={"companies": "file name"},
    )  # fmt: skip


def test_a_call_named_by_its_ticker_is_of_the_company_of_that_ticker() -> None:
    filing = record("a.pdf", "Zimmer Biomet Holdings, Inc.", "ZBH", "10-K", 2020)
    call = record("ZBH_q2_2021.txt", "ZBH", "ZBH", "earnings call", 2021)
    catalogue = Catalogue.of([filing, call])
    key = catalogue.companies.keys(filing)[0]
    assert catalogue.companies.keys(call) == (key,)
    assert {own.source for own in catalogue.by_company[key]} == {"a.pdf", "ZBH_q2_2021.txt"}
    assert catalogue.companies.find("ZBH net sales Q2 2021") == (key,)
    assert catalogue.companies.names[key] == "Zimmer Biomet Holdings"


def test_a_ticker_that_two_companies_bear_unites_nobody() -> None:
    filings = [record("a.pdf", "Acme Corp.", "ZZ", "10-K", 2020), record("b.pdf", "Bolt Inc.", "ZZ", "10-K", 2020)]
    call = record("ZZ_q2_2021.txt", "ZZ", "ZZ", "earnings call", 2021)
    assert len(Catalogue.of([*filings, call]).by_company) == 3
