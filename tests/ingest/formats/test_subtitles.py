"""Captions and transcripts of speech programs, with speakers and times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cliquerag.ingest.document import Document
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.read import read_document

VTT = """WEBVTT

NOTE made by hand

00:00:01.000 --> 00:00:04.000
<v Operator>Good day, and welcome to the Acme Corp. third quarter 2023 earnings call.

2
00:00:04.500 --> 00:00:08.000 align:start
<v Jane Doe>Thank you. Revenue was $1.2 billion &amp; up <i>12%</i>.

00:00:08.500 --> 00:00:12.000
We acquired Bolt Inc. in July.

00:01:08.500 --> 00:01:12.000
<v Operator>We will now begin the question-and-answer session. The first question comes from Bob Roe with Big Bank.

00:01:18.500 --> 00:01:22.000
<v Bob Roe>What about margins?

01:01:23.500 --> 01:01:29.000
<v Jane Doe>Margins rose to 43%.
"""
SRT = """1
00:00:01,000 --> 00:00:04,000
JANE DOE: Acme revenue rose.

2
00:01:05,000 --> 00:01:06,000
公司：收入增长。
"""
WORDS = ("Good morning everybody.", "Acme revenue rose 12% in 2023.", "Thank you.")
TURNS = (("Jane Doe", WORDS[0]), ("Bob Roe", WORDS[1]), ("Jane Doe", WORDS[2]))
TIMES = (0.0, 5.0, 10.0)
SPOKEN = tuple(zip(TIMES, TURNS, strict=True))
WRITTEN: dict[str, Any] = {
    "whisper": {"text": "x", "segments": [{"id": 7, "start": at, "end": at + 4, "text": w} for at, (_, w) in SPOKEN]},
    "assemblyai": {
        "utterances": [
            {"speaker": s, "start": at * 1000, "text": w, "words": [{"text": "a", "start": 1}]} for at, (s, w) in SPOKEN
        ]
    },
    "deepgram": {"results": {"utterances": [{"start": at, "transcript": w, "speaker": 0} for at, (_, w) in SPOKEN]}},
    "rev": {
        "speakers": [{"id": 0, "name": "Jane Doe"}],
        "monologues": [{"speaker": 0, "elements": [{"type": "text", "value": w, "ts": at}]} for at, (_, w) in SPOKEN],
    },
    "finnhub": {
        "symbol": "ACME",
        "title": "Acme Q3 2023 call",
        "participant": [{"name": "Jane Doe", "role": "executive", "description": "CFO"}],
        "transcript": [{"name": s, "speech": [w]} for s, w in TURNS],
    },
    "ninjas": {
        "ticker": "ACME",
        "quarter": "3",
        "year": "2023",
        "transcript_split": [{"speaker": s, "text": w} for s, w in TURNS],
    },
}
"""How each program writes the same words."""


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
