"""Content value: which sentences are high, which are low, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cliquerag.ingest.chunk import Chunk
from cliquerag.ingest.document import Document, Segment
from cliquerag.ingest.pieces.value import HIGH, sentence_value, with_values


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Gross margin fell, due to higher freight costs.", "cause"),
        ("We expect revenue to grow at a mid single digit rate.", "forecast"),
        ("We believe that our brands are a competitive advantage.", "judgement"),
        ("Revenue increased 12% to $3.4 billion.", "change"),
        ("本期毛利率下降,主要系原材料涨价所致。", "cause"),
        ("预计2024年净利润增长10%。", "forecast"),
        ("公司营业收入同比增长8.3%。", "change"),
        ("The registrant is incorporated in Delaware.", ""),
        ("Prices were lower in Asia.", ""),
        (
            "Pursuant to the requirements of Section 13, the registrant has duly caused this report to be signed.",
            "boilerplate",
        ),
        ("本公司董事会保证年度报告内容的真实、准确、完整。", "disclaimer"),
        ("Tel: +1 555 0100", "contact"),
        ("$ 1,234 (98) 12.5 % —", "numbers"),
        ("Net loss (5,053) (4,290) (11,941)", ""),
        ("存货 1,234.50 1,100.00", ""),
    ],
)
def test_reason(text: str, reason: str) -> None:
    value = sentence_value(text)
    assert value.reason == reason
    assert (value.value == 1) == (reason in HIGH)
    assert (value.value < 0.6) == (reason not in ("", *HIGH))


def _chunk(text: str, part: str, kind: str = "text") -> Chunk:
    start = text.index(part)
    span = (start, start + len(part))
    return Chunk(part, "d", 0, *span, part, kind=kind, sentences=(span,))


def test_repetition_lowers_the_second_only() -> None:
    first = "Segment 1 sells compressors to makers of refrigerators."
    second = "Segment 2 sells compressors to makers of refrigerators."
    document = Document("d", f"{first}\n{second}", ())
    valued = with_values([_chunk(document.text, first), _chunk(document.text, second)], document)
    assert [chunk.value for chunk in valued.chunks] == [0.9, 0.4]
    assert valued.low == {"repeated": 1}


def test_disclaimers_are_low_and_tables_are_not() -> None:
    notice, table = "Our broker may hold shares in the company because it trades them.", "| 1 | 2 |"
    text = f"{notice}\n{table}"
    document = Document("d", text, (Segment("disclaimer", 0, len(notice)),))
    valued = with_values([_chunk(text, notice), _chunk(text, table, "table")], document)
    assert [chunk.value for chunk in valued.chunks] == [0.2, 1.0]
    assert valued.low == {"aside": 1}


def _repeated(text: str, times: int, speaker: str = "") -> list[Chunk]:
    return [
        Chunk(str(i), "d", i, i, i + 1, text.format(i), speaker=speaker, sentences=((i, i + 1),)) for i in range(times)
    ]


def test_what_is_printed_on_page_after_page_is_a_running_line() -> None:
    document = Document("d", "x" * 9, ())
    footers = _repeated("Halvern Inc. 2025 Form 10-K {}", 4)
    assert [chunk.value for chunk in with_values(footers, document).chunks] == [0.2] * 4
    assert with_values(footers, document).low == {"running": 4}
    assert not any(chunk.value <= 0.25 for chunk in with_values(footers[:3], document).chunks)
    answers = _repeated("Yes, that is right.", 4, speaker="Bo Berg")
    assert not any(chunk.value <= 0.25 for chunk in with_values(answers, document).chunks), "each answers something"


def test_results_that_follow_a_disclaimer_in_a_speech_are_no_part_of_it() -> None:
    notice, results = "These are forward-looking statements.", "Earnings were $0.26 per diluted share."
    text = f"{notice}\n{results}"
    document = Document("d", text, (Segment("disclaimer", 0, len(text), speaker="Ann Lee"),))
    chunks = [replace(_chunk(text, part), speaker="Ann Lee") for part in (notice, results)]
    assert [chunk.value for chunk in with_values(chunks, document).chunks] == [0.25, 0.3]
