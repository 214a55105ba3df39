"""Tickers and short names of the firm that a document is from, through the builder."""

from __future__ import annotations

from dataclasses import replace

from cliquerag.kg.entity_names import first_place, ticker_name
from cliquerag.kg.extraction.build import build_graph
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from support.bundles import bundle

RULES = RulesExtractor(load_schema())


def graph_of(*lines: str, company: str):
    given = bundle("x.txt", *lines, company=company)
    chunks = [replace(chunk, sentences=((chunk.start, chunk.end),)) for chunk in given.chunks]
    part = build_graph(given.document, chunks, RULES)
    names = {entity.id: entity.name for entity in part.entities}
    return part, {(names[m.entity], names[m.into], m.reason) for m in part.merges}


def test_the_first_words_of_the_filer_are_the_filer():
    lines = ["Costco Wholesale Corporation sells food.", "At Costco, Costco Travel Inc. sells trips."]
    _, merges = graph_of(*lines, company="Costco Wholesale Corporation")
    assert ("Costco", "Costco Wholesale Corporation", "short name of the filer") in merges
    assert not any("Travel" in one or "Travel" in other for one, other, _ in merges)


def test_a_chinese_firm_goes_by_the_short_name_that_its_report_states():
    given = bundle("x.txt", "昨日,路通视信收购了嘉里物流有限公司。", company="无锡路通视信网络股份有限公司")
    document = replace(given.document, metadata=replace(given.document.metadata, tickers=("路通视信",), language="zh"))
    chunks = [replace(chunk, sentences=((chunk.start, chunk.end),)) for chunk in given.chunks]
    part = build_graph(document, chunks, RULES)
    names = {entity.id: entity.name for entity in part.entities}
    full = "无锡路通视信网络股份有限公司"
    assert [(names[m.entity], names[m.into]) for m in part.merges] == [("路通视信", full)]
    assert [(names[s.head], s.relation) for s in part.statements] == [(full, "acquires")]


def test_a_ticker_stands_where_the_text_gives_it():
    part, merges = graph_of("Bolt Corp. (NYSE: BLT) bought Nut Ltd.", company="Bolt Corp.")
    assert ("BLT (ticker)", "Bolt Corp.", "ticker") in merges
    ticker = next(entity for entity in part.entities if entity.name == "BLT (ticker)")
    (mention,) = [m for m in part.mentions if m.entity == ticker.id]
    assert (mention.name, mention.start) == ("BLT", 18)


def test_another_firm_of_the_tickers_letters_stays_another():
    _, merges = graph_of("Amazon.com, Inc. bought MGM Holdings, Inc.", company="Amazon.com, Inc.")
    assert not any(reason == "ticker" for *_, reason in merges)
    assert ticker_name("MGM") != "MGM"


def test_a_ticker_is_a_word_of_its_own():
    chunks = bundle("x.txt", "CATALOGUE of goods", "the symbol CAT").chunks
    chunk, start = first_place("CAT", chunks)
    assert (chunk.ordinal, start) == (1, len("CATALOGUE of goods\nthe symbol "))
    assert first_place("DOG", chunks) is None
