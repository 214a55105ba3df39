"""cliquerag report: files, --json, --list, errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag import Workspace

from tests.app.conftest import Run, json_of

TEXT = """Acme Inc. annual report, fiscal year 2022

Acme Inc. makes pumps in Ohio.

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Total revenue | 4,215 | 4,000 |
| Net income | 700 | 600 |
"""


@pytest.fixture
def workspace(private: Path) -> str:
    with Workspace("sqlite:///acme.db") as ws:
        ws.add_text(TEXT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
    return "sqlite:///acme.db"


def test_a_ready_report_is_written_in_three_forms(cli: Run, workspace: str, private: Path) -> None:
    done = cli(
        "report", "--ready", "brief", "--html", "r.html", "--docx", "r.docx", "--md", "r.md", "--workspace", workspace
    )
    assert done.returncode == 0, done.stderr
    assert "USD 4,215 million" in done.stdout or "4,215" in done.stdout
    assert "Written: r.html" in done.stderr
    assert (private / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (private / "r.docx").read_bytes()[:2] == b"PK"
    assert (private / "r.md").read_text(encoding="utf-8").startswith("# Company brief: Acme")


def test_json_has_sections_and_citations(cli: Run, workspace: str) -> None:
    found = json_of(cli("report", "--ready", "brief", "--json", "--workspace", workspace))
    assert found["title"] == "Company brief: Acme" and found["citations"]
    assert "Figures" in [section["title"] for section in found["sections"]]


def test_a_question_is_reported_on_and_an_unknown_topic_is_one_line(cli: Run, workspace: str) -> None:
    done = cli("report", "Report on Acme's revenue and strategy", "--workspace", workspace)
    assert done.returncode == 0 and "1/5 planned" in done.stderr
    found = json_of(cli("report", "Report on Zeta Robotics", "--json", "--workspace", workspace))
    lines = [one["text"] for section in found["sections"] for one in section["paragraphs"]]
    assert lines == ["No document here covers this: Report on Zeta Robotics"] and found["citations"] == []


def test_ready_reports_are_listed(cli: Run, workspace: str) -> None:
    found = json_of(cli("report", "--list", "--json", "--workspace", workspace))
    assert {"brief", "quarter", "peers", "disputes", "diff"} <= {one["name"] for one in found}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--ready", "brief", "--company", "Zeta"], "no document is of 'Zeta'"),
        (["--ready", "nonsense"], "no ready report 'nonsense'"),
        ([], "nothing to report on"),
        (["--ready", "brief", "--html", "r.pdf"], "a report is .html, .docx or .md"),
        (["--ready", "brief", "--html", "nowhere/r.html"], "there is no such folder"),
        (["Report on Acme", "--web", "nope"], "this is no http address"),
    ],
)
def test_wrong_use_is_one_line(cli: Run, workspace: str, arguments: list[str], said: str) -> None:
    done = cli("report", *arguments, "--workspace", workspace)
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr
