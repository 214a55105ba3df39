"""Full submission files of EDGAR, and figures that are filed as data."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from cliquerag.core.anchor import place_name
from cliquerag.core.errors import DocumentError
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_document
from support.filing_samples import COMPANY_FACTS, annual, submission


def read(folder: Path, name: str, text: str) -> Document:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_document(path, source=name)


def test_a_submission_is_read_part_by_part(tmp_path: Path) -> None:
    document = read(tmp_path, "0000000001-23-000077.txt", submission())
    about = document.metadata
    assert (about.companies, about.kind, about.published) == (("Acme Corp.",), "8-K", date(2023, 8, 3))
    titles = [document.text[s.start : s.end] for s in document.segments if s.kind == "heading" and s.level == 1]
    assert titles == ["8-K", "EX-99.1: Press release", "EX-10.1"]
    assert document.coverage.notes == ("parts that hold data or pictures are not read: GRAPHIC 1, XML 1",)
    revenue = next(fact for fact in extract_facts(document) if fact.text == "$1,234")
    assert (place_name(revenue), document.text[revenue.start : revenue.end]) == ("EX-99.1", "$1,234")
    at = document.text.index("Bolt Inc.")
    assert [(anchor.page, anchor.place) for anchor in document.anchors(at, at + 4)] == [(4, "EX-10.1, page 2")]
    assert document.text[document.tables[0].start :].startswith("| ")


def test_company_facts_become_facts_that_cite_tag_and_accession(tmp_path: Path) -> None:
    document = read(tmp_path, "CIK0000000001.json", json.dumps(COMPANY_FACTS))
    assert (document.metadata.companies, document.metadata.tickers) == (("Acme Corp.",), ())
    facts = {(fact.metric, fact.period.label if fact.period else ""): fact for fact in extract_facts(document)}
    assert len(facts) == 3
    last = facts["revenue", "FY2023"]
    assert (last.amount, last.unit, place_name(last)) == (
        Decimal(1000), "USD", "us-gaap:Revenues in 0000000001-23-000100",
    )  # fmt: skip
    assert document.text[last.start : last.end] == "1,000"
    restated = facts["revenue", "FY2021"]
    assert (restated.amount, place_name(restated)[-20:]) == (Decimal(880), "0000000001-23-000100")
    assert "before: 900 (0000000001-21-000100)" in document.text
    assert facts["diluted earnings per share", "FY2023"].unit == "USD/share"
    assert "1 of them stated otherwise before; 1 said again count once" in document.coverage.notes[0]


def test_values_are_not_cut_into_chunks(tmp_path: Path) -> None:
    from cliquerag.ingest.chunkers import make_chunker
    from cliquerag.ingest.chunking import make_chunks

    document = read(tmp_path, "facts.json", json.dumps(COMPANY_FACTS))
    chunks = make_chunks(document, make_chunker("fixed"), None).chunks
    assert [chunk.text for chunk in chunks if "us-gaap" in chunk.text] == []
    assert "Acme Corp." in chunks[0].text


def test_a_value_stated_again_is_cited_where_it_was_first_stated(tmp_path: Path) -> None:
    twice = {"cik": 1, "taxonomy": "us-gaap", "tag": "Revenues", "entityName": "Acme Corp.", "label": "Revenues"}
    concept = twice | {"units": {"USD": [annual(2021, 900, 2021), annual(2021, 900, 2022)]}}
    (fact,) = extract_facts(read(tmp_path, "concept.json", json.dumps(concept)))
    assert place_name(fact) == "us-gaap:Revenues in 0000000001-21-000100"


def test_xbrl_json_has_periods_that_end_at_midnight(tmp_path: Path) -> None:
    about = {"entity": "scheme:LEI1", "period": "2022-01-01T00:00:00/2023-01-01T00:00:00"}
    name = {"concept": "ifrs-full:NameOfReportingEntityOrOtherMeansOfIdentification"}
    value = {"concept": "ifrs-full:Revenue", "unit": "iso4217:EUR", "ifrs-full:SegmentsAxis": "x:CloudMember"}
    facts = {
        "a": {"value": "Nordic Oy", "dimensions": name | about},
        "b": {"value": "1234", "dimensions": value | about},
    }
    document = read(tmp_path, "esef.json", json.dumps({"documentInfo": {"documentType": "xbrl-json"}, "facts": facts}))
    (fact,) = extract_facts(document)
    assert document.metadata.companies == ("Nordic Oy",)
    assert (fact.amount, fact.unit, fact.period and fact.period.end) == (Decimal(1234), "EUR", date(2022, 12, 31))
    assert fact.dimensions and fact.dimensions[0][1] == "Cloud"


def test_a_financial_report_as_json(tmp_path: Path) -> None:
    statements = {
        "bs": [{"label": "Total assets", "concept": "us-gaap_Assets", "unit": "usd", "value": 500}],
        "ic": [{"label": "Revenues", "concept": "us-gaap_Revenues", "unit": "usd", "value": 90}],
        "cf": [],
    }
    report = {"cik": "3", "symbol": "BOLT", "startDate": "2020-01-01", "endDate": "2020-12-31", "data": statements}
    facts = {fact.metric: fact for fact in extract_facts(read(tmp_path, "report.json", json.dumps(report)))}
    assert facts["revenue"].period and facts["revenue"].period.label == "FY2020"
    assert facts["total assets"].period and facts["total assets"].period.is_instant
    assert place_name(facts["revenue"]) == "us-gaap:Revenues"


def test_damaged_figures_are_refused(tmp_path: Path) -> None:
    for text in ('{"cik": 1, "facts": {"us-gaap": {"A": {"units": {"USD": [{"va', '{"cik": 1, "facts": {"x": 3}}'):
        with pytest.raises(DocumentError, match="damaged"):
            read(tmp_path, "a.json", text)
