"""Recorded windows of extraction by model: found by their sentences, whatever stands around them."""

from __future__ import annotations

from cliquerag.kg.extraction.llm import ModelExtractor, make_windows
from cliquerag.kg.triple import Passage
from cliquerag.models.language import Message
from cliquerag.models.replies import parse_json
from support.stores import SCHEMA

from benchmarks.tasks._shared import read_lines
from benchmarks.tasks.graph.extraction_reader import _REPLIES, WindowReader, window_key


def test_a_window_is_known_by_its_sentences_alone():
    told = [Message("user", "Names used in it: Acme\n<document>\n[1] We bought Bolt.\n</document>")]
    plain = [Message("system", "Rules"), Message("user", "<document>\n[1] We bought Bolt.\n</document>")]
    other = [Message("user", "<document>\n[1] We sold Bolt.\n</document>")]
    assert window_key(told) == window_key(plain) != window_key(other)


def test_a_recorded_reply_is_read_as_a_model_s_and_other_windows_hold_nothing():
    passage = Passage("We acquired Bolt Inc. on May 3, 2021.", subject="Acme Corp.")
    reader = WindowReader({})
    extractor = ModelExtractor(reader, SCHEMA)
    assert extractor.extract([passage])[0].triples == ()
    (window,) = make_windows([passage])
    reply = '{"triples": [["1", "Acme Corp.", "company", "acquires", "Bolt Inc.", "company"]]}'
    reader.recorded = {window_key(extractor.messages(window)): reply}
    assert [triple.tail for triple in extractor.extract([passage])[0].triples] == ["Bolt Inc."]
    assert len(reader.asked) == 1


def test_every_recorded_reply_can_be_read():
    rows = read_lines(_REPLIES)
    assert len(rows) == len({row["window"] for row in rows}) == 31
    for row in rows:
        data = parse_json(row["reply"])
        assert data.keys() in ({"triples"}, {"drivers"})
