"""Captions and transcripts of speech programs, with speakers and times."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_document
from support.filing_samples import SRT, VTT, WORDS, WRITTEN


def read(folder: Path, name: str, text: str) -> Document:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_document(path, source=name)


def place(document: Document, words: str) -> str:
    start = document.text.index(words)
    return document.anchors(start, start + len(words))[0].place


def test_captions_keep_speakers_times_and_the_halves_of_a_call(tmp_path: Path) -> None:
    document = read(tmp_path, "call.vtt", VTT)
    assert document.metadata.kind == "earnings call"
    assert document.metadata.companies == ("Acme Corp",)
    said = [(segment.speaker.partition(",")[0], segment.part) for segment in document.segments]
    assert said == [
        ("Operator", "remarks"), ("Jane Doe", "remarks"), ("Operator", "question"), ("Bob Roe", "question"),
        ("Jane Doe", "answer"),
    ]  # fmt: skip
    assert "Revenue was $1.2 billion & up 12%. We acquired" in document.text
    assert place(document, "We acquired") == "00:00:08"
    assert place(document, "Margins rose") == "01:01:23"
    assert [fact.anchors[0].place for fact in extract_facts(document) if fact.metric == "revenue"] == ["00:00:04"]


def test_subrip_with_names_before_the_words(tmp_path: Path) -> None:
    document = read(tmp_path, "call.srt", SRT)
    assert [segment.speaker for segment in document.segments] == ["JANE DOE", "公司"]
    assert place(document, "收入") == "00:01:05"


@pytest.mark.parametrize("program", WRITTEN)
def test_json_of_speech_programs_and_providers(program: str, tmp_path: Path) -> None:
    document = read(tmp_path, "call.json", json.dumps(WRITTEN[program]))
    assert document.coverage.reader == "transcript (JSON)"
    for words in WORDS:
        assert words in document.text
    if program not in ("finnhub", "ninjas"):
        assert place(document, "Thank you.") == "00:00:10"
    if program in ("assemblyai", "finnhub", "ninjas"):
        assert document.segments[-1].speaker.startswith("Jane Doe")


def test_a_provider_says_which_call_it_is(tmp_path: Path) -> None:
    assert read(tmp_path, "a.json", json.dumps(WRITTEN["ninjas"])).metadata.title == "ACME Q3 2023 earnings call"


def test_other_json_is_text(tmp_path: Path) -> None:
    for text in ('{"a": [{"b": 1}, {"b": 2}]}', '{"a": ', "[" * 5000 + "]" * 5000, '[{"text": "one"}]'):
        assert read(tmp_path, "a.txt", f"{text}\nwords").coverage.reader == "text"
