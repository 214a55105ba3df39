"""A model's summaries of sections: one call each, never with a figure that is not printed there."""

from __future__ import annotations

import json

import pytest
from cliquerag.core.errors import ModelError
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.section_summaries import summarise_sections, summary_author, summary_chats
from support.canned_answers import Answering

LONG = "Freight by sea was dearer than a year before, and ports were full. "


def chunks(*headed: tuple[str, str]) -> list[Chunk]:
    """A chunk of 60 tokens for each heading and text."""
    found: list[Chunk] = []
    for number, (heading, text) in enumerate(headed):
        found.append(Chunk(str(number), "a.md", number, 0, len(text), text, headings=(heading,), tokens=60))
    return found


COSTS = chunks(("Costs", LONG), ("Costs", f"{LONG}Rates rose by 12%."), ("People", LONG), ("People", "Staff grew."))


def test_each_section_is_asked_about_once_with_whose_it_is_and_its_headings():
    asked = summary_chats("Acme | 10-K | FY2023", COSTS)
    assert [part for part, _ in asked] == [range(0, 2), range(2, 4)]
    first = asked[0][1][1].content
    assert first.startswith("Acme | 10-K | FY2023 | Costs") and "Rates rose by 12%." in first
    assert "Staff grew" not in first


def test_a_short_section_is_its_own_summary():
    assert summary_chats("", COSTS[:1]) == []


def test_a_summary_stands_for_the_chunks_of_its_section():
    model = Answering([json.dumps({"summary": f"Logistics cost more: {n}."}) for n in ("rates rose by 12%", "staff")])
    found = summarise_sections("", COSTS, model)
    assert [(row.first, row.last) for row in found] == [(0, 1), (2, 3)]
    assert found[0].text == "Logistics cost more: rates rose by 12%."


def test_a_figure_from_elsewhere_is_not_kept():
    model = Answering([json.dumps({"summary": "Rates rose by 13%."}), json.dumps({"summary": "Staff grew."})])
    assert [row.text for row in summarise_sections("", COSTS, model)] == ["Staff grew."]


@pytest.mark.parametrize("answer", ['{"summary": ""}', '{"summary": ["a"]}', '{"text": "a"}', "[]"])
def test_an_answer_that_says_nothing_leaves_the_section_to_its_own_sentences(answer):
    assert summarise_sections("", COSTS, Answering([answer])) == []


def test_an_endpoint_that_fails_stops_the_document():
    with pytest.raises(ModelError, match="gone"):
        summarise_sections("", COSTS, Answering([ModelError("gone", where="there")]))


def test_the_author_names_model_and_prompts():
    assert summary_author("a/model").startswith("a/model-1-") and summary_author("b") != summary_author("c")
