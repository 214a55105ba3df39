"""The graph part of a document: ids, offsets, merges, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.core.period import Period
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Document, Line, Metadata
from cliquerag.kg.extraction.build import build_graph, entity_id, extract_text, make_extractor
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import GraphPart

RULES = RulesExtractor(load_schema())

LINES = (
    'Minnesota Mining and Manufacturing Company ("3M") acquired Bolt Inc. on May 3, 2021.',
    "Jane Smith is Chief Executive Officer of Bolt Inc. and 3M competes with Globex Ltd.",
    "Ms. Smith met Bob, who sold $5 million of Class A shares in Q2 2020.",
)


def document(*lines: str, source: str = "a/report.pdf", company: str = "Acme Corp.") -> tuple[Document, list[Chunk]]:
    text, chunks, printed = "", [], []
    for number, line in enumerate(lines):
        start = len(text)
        text += line + "\n"
        chunks.append(
            Chunk(f"c{number}", source, number, start, start + len(line), line, sentences=((start, start + len(line)),))
        )
        printed.append(Line(start, start + len(line), number + 1, (10, 10, 20, 20)))
    about = Metadata(companies=(company,) if company else (), published=date(2022, 2, 1))
    return Document(source, text, (), about, lines=tuple(printed)), chunks


def build(*lines: str, **about: str) -> tuple[Document, GraphPart]:
    made, chunks = document(*lines, **about)
    return made, build_graph(made, chunks, RULES)


def test_mentions_and_statements_point_into_the_document():
    made, part = build(*LINES)
    assert part.extractor == "rules-29"
    assert part.mentions
    for mention in part.mentions:
        assert made.text[mention.start : mention.end] == mention.name
    entities = {entity.id: entity for entity in part.entities}
    statement = next(s for s in part.statements if s.relation == "acquires")
    assert entities[statement.head].name == "Minnesota Mining and Manufacturing Company"
    assert entities[statement.tail].name == "Bolt Inc."
    assert made.text[statement.start : statement.end] == statement.text == LINES[0]
    assert (statement.chunk, statement.page, statement.published) == ("c0", 1, date(2022, 2, 1))
    assert statement.period is not None
    assert statement.period.label == "2021-05-03"
    assert all(s.head in entities and s.tail in entities for s in part.statements)


def test_ids_are_the_same_every_time_and_differ_between_documents():
    one, again, other = build(*LINES)[1], build(*LINES)[1], build(*LINES, source="b/report.pdf")[1]
    assert one == again
    assert {s.id for s in one.statements}.isdisjoint(s.id for s in other.statements)
    assert {e.id for e in one.entities} == {e.id for e in other.entities}


def test_the_texts_own_alias_is_a_merge():
    part = build(*LINES)[1]
    names = {entity.id: entity.name for entity in part.entities}
    assert [(names[m.entity], names[m.into], m.reason) for m in part.merges] == [
        ("3M", "Minnesota Mining and Manufacturing Company", "alias in the text")
    ]


def test_numbers_dates_and_single_given_names_are_no_nodes():
    names = {entity.name for entity in build(*LINES)[1].entities}
    full = "Minnesota Mining and Manufacturing Company"
    assert names == {full, "3M", "Bolt Inc.", "Jane Smith", "Chief Executive Officer", "Globex Ltd."}


def test_a_surname_is_a_mention_of_the_person():
    part = build(*LINES)[1]
    person = next(entity for entity in part.entities if entity.name == "Jane Smith")
    assert {m.name for m in part.mentions if m.entity == person.id} == {"Jane Smith", "Smith"}


def test_namesakes_of_two_firms_are_two_entities():
    first = build("Ann Lee is Chief Executive Officer of Bolt Inc.")[1]
    second = build("Ann Lee is Chief Executive Officer of Nut Ltd.")[1]
    again = build("Ann Lee is Chief Financial Officer of Bolt Corporation.")[1]
    lees = [next(e for e in part.entities if e.name == "Ann Lee") for part in (first, second, again)]
    assert lees[0].id != lees[1].id
    assert lees[0].id == lees[2].id
    assert lees[0].context == {"firm": "Bolt Inc."}


def test_overlapping_chunks_state_a_thing_once():
    made, chunks = document("Acme Corp. acquired Bolt Inc. in 2021.")
    twice = [
        chunks[0],
        Chunk("c1", chunks[0].document, 1, 0, chunks[0].end, chunks[0].text, sentences=chunks[0].sentences),
    ]
    part = build_graph(made, twice, RULES)
    assert len(part.statements) == 1
    assert part.statements[0].chunk == "c0"


def test_tables_are_left_to_the_facts():
    made, chunks = document("Acme Corp. acquired Bolt Inc. in 2021.")
    table = Chunk(
        "t", chunks[0].document, 0, 0, chunks[0].end, chunks[0].text, kind="table", sentences=chunks[0].sentences
    )
    assert build_graph(made, [table], RULES).entities == ()


def test_the_filer_stands_behind_we():
    part = build("We acquired Bolt Inc.")[1]
    assert entity_id("Acme Corp.", "company") in {s.head for s in part.statements}
    assert build("We acquired Bolt Inc.", company="")[1].statements == ()


def test_extract_text_takes_both_languages():
    assert [t.relation for t in extract_text("Acme Inc. acquired Beta Corp. in 2021.", RULES)] == ["acquires"]
    assert [t.relation for t in extract_text("小米集团收购了蓝海科技有限公司。", RULES)] == ["acquires"]
    assert extract_text("", RULES) == []


def test_unknown_extractors_are_named():
    with pytest.raises(UsageError, match="no extractor named 'magic'"):
        make_extractor("magic", load_schema())
    with pytest.raises(UsageError, match="needs a model"):
        make_extractor("llm", load_schema())


def test_one_company_in_capitals_and_in_small_letters_is_one_node():
    _, part = build(
        "HALVERN ROBOTICS, INC. acquired Bolt Inc. in 2021.",
        "Halvern Robotics, Inc. competes with Globex Ltd.",
        company="",
    )
    heads = {statement.head for statement in part.statements if statement.relation in ("acquires", "competes_with")}
    assert len(heads) == 1
    _, other = build("Halvern Robotics, Inc. sued Nut Ltd.", company="", source="b/other.pdf")
    assert {statement.head for statement in other.statements} == heads


def test_guidance_is_of_the_part_of_a_year_that_it_names_without_the_year():
    made, chunks = document("We expect revenue of $5 million to $6 million in the third quarter.")
    about = replace(made.metadata, period=Period("quarter", 2021, 2))
    part = build_graph(replace(made, metadata=about), chunks, RULES)
    assert [(s.relation, str(s.period)) for s in part.statements] == [("guides", "Q3 2021")]
