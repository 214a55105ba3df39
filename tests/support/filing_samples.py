"""Transcripts, submissions and figures as their programs write them, for tests."""

from __future__ import annotations

from typing import Any

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

TABLE = (
    "<table><tr><td></td><td>2023</td><td>2022</td></tr><tr><td>Revenue</td><td>$1,234</td><td>$1,100</td></tr></table>"
)
PARTS = {
    ("8-K", "8-K"): "<html><body><p>On August 1, 2023 Acme Corp. issued a press release.</p></body></html>",
    ("EX-99.1", "Press release"): f"<html><body><p>Acme Corp. results in millions</p>{TABLE}</body></html>",
    ("EX-10.1", ""): "<PAGE>\nAGREEMENT of Acme Corp.\n<PAGE>\nBolt Inc. supplies valves to Acme Corp.\n",
    ("GRAPHIC", ""): "begin 644 a.jpg\nM_]C_X\n",
    ("XML", "R2.htm"): "<XML>\n<x/>\n</XML>",
}
HEADER = """<SEC-DOCUMENT>0000000001-23-000077.txt : 20230803
<SEC-HEADER>0000000001-23-000077.hdr.sgml : 20230803
CONFORMED SUBMISSION TYPE:	8-K
CONFORMED PERIOD OF REPORT:	20230801
FILED AS OF DATE:		20230803
FILER:
	COMPANY DATA:
		COMPANY CONFORMED NAME:			Acme Corp.
</SEC-HEADER>
"""


def submission() -> str:
    parts = []
    for (kind, title), text in PARTS.items():
        told = f"<DESCRIPTION>{title}\n" if title else ""
        parts.append(f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>1\n{told}<TEXT>\n{text}\n</TEXT>\n</DOCUMENT>\n")
    return HEADER + "".join(parts) + "</SEC-DOCUMENT>"


def annual(year: int, value: float, filed: int) -> dict[str, Any]:
    """A value of the fiscal year that ends in September, in the report of another."""
    return {
        "start": f"{year - 1}-10-01", "end": f"{year}-09-30", "val": value, "fy": filed, "fp": "FY", "form": "10-K",
        "accn": f"0000000001-{filed - 2000}-000100", "filed": f"{filed}-11-03",
    }  # fmt: skip


REVENUE = [annual(2021, 900, 2021), annual(2021, 900, 2022), annual(2021, 880, 2023), annual(2023, 1000, 2023)]
COMPANY_FACTS = {
    "cik": 1,
    "entityName": "Acme Corp.",
    "facts": {
        "us-gaap": {
            "Revenues": {"label": "Revenues", "description": "", "units": {"USD": REVENUE}},
            "EarningsPerShareDiluted": {"label": "EPS", "units": {"USD/shares": [annual(2023, 6.13, 2023)]}},
        }
    },
}
