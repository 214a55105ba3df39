"""Registers of subsidiaries and officers become relations, each pointing at its row."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.ingest.table import Table
from cliquerag.kg.extraction.build import build_graph
from cliquerag.kg.extraction.registers import table_triples
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from support.bundles import bundle

RULES = RulesExtractor(load_schema())

EXHIBIT = (
    ("Legal Name", "Jurisdiction of Incorporation", "Percent Owned"),
    ("Bolt Films B.V.", "The Netherlands", "100%"),
    ("Bolt Studios, LLC (1)", "Delaware", "100%"),
    ("Total", "", "2"),
)
OFFICERS = (
    ("Name", "Age", "Position"),
    ("Jane Q. Roe", "51", "Chairman, President and Chief Executive Officer"),
    ("John Doe", "44", "Chief Financial Officer"),
    ("Vacant", "", "General Counsel"),
)
BOARD = (("姓名", "职务(注)", "性别"), ("黄杰", "董事长、总经理", "男"), ("马进", "独立董事", "男"))
GROUP = (("子公司名称", "主要经营地", "注册地"), ("四方罐储公司", "江苏", "上海"), ("合计", "", ""))


def document_with(rows, headings=(), title="", company="Bolt Inc."):
    lines = ["Before the table.", *("| " + " | ".join(row) + " |" for row in rows)]
    given = bundle("x.txt", "\n".join(lines), company=company)
    start = len(lines[0]) + 1
    table = Table(tuple(rows), title=title, headings=headings, start=start, end=len(given.document.text))
    chunk = replace(given.chunks[0], kind="table")
    return replace(given.document, tables=(table,)), [chunk]


def said(rows, **about):
    document, _ = document_with(rows, **about)
    return {(t.head, t.relation, t.tail) for t in table_triples(document)}


def test_subsidiaries_and_where_they_are_registered():
    assert said(EXHIBIT, headings=("EXHIBIT 21.1", "List of Significant Subsidiaries")) == {
        ("Bolt Films B.V.", "subsidiary_of", "Bolt Inc."),
        ("Bolt Films B.V.", "incorporated_in", "Netherlands"),
        ("Bolt Studios, LLC", "subsidiary_of", "Bolt Inc."),
        ("Bolt Studios, LLC", "incorporated_in", "Delaware"),
    }


def test_officers_by_their_roles():
    found = said(OFFICERS, headings=("Information about our Executive Officers",))
    assert {("Jane Q. Roe", "leads", "Bolt Inc."), ("John Doe", "works_for", "Bolt Inc.")} <= found
    assert ("Jane Q. Roe", "holds_role", "Chairman") in found and not any(head == "Vacant" for head, *_ in found)


def test_chinese_registers():
    board = said(BOARD, title="现任及报告期内离任董事、监事和高级管理人员情况", company="四方科技")
    assert {("黄杰", "leads", "四方科技"), ("马进", "director_of", "四方科技")} <= board
    group = said(GROUP, headings=("1、在子公司中的权益", "(1).企业集团的构成"), company="四方科技")
    assert group == {
        ("四方罐储公司", "subsidiary_of", "四方科技"),
        ("四方罐储公司", "incorporated_in", "上海"),
    }


@pytest.mark.parametrize("headings", [("Segment results",), ()])
def test_other_tables_are_no_registers(headings):
    assert said(EXHIBIT, headings=headings) == set() and said(OFFICERS, headings=headings) == set()


def test_a_row_is_cited_where_it_stands():
    document, chunks = document_with(EXHIBIT, headings=("List of Subsidiaries",))
    part = build_graph(document, chunks, RULES)
    films = next(entity for entity in part.entities if entity.name == "Bolt Films B.V.")
    statement = next(s for s in part.statements if s.head == films.id and s.relation == "subsidiary_of")
    assert document.text[statement.start : statement.end] == statement.text == "| " + " | ".join(EXHIBIT[1]) + " |"
    (mention,) = [m for m in part.mentions if m.entity == films.id]
    assert document.text[mention.start : mention.end] == "Bolt Films B.V."


def test_a_document_of_several_firms_has_no_register_of_one():
    document, _ = document_with(EXHIBIT, headings=("List of Subsidiaries",))
    both = replace(document.metadata, companies=("Bolt Inc.", "Nut Inc."))
    assert list(table_triples(replace(document, metadata=both))) == []
