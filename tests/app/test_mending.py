"""What is not certain of a document is shown, and what the user says of it lasts."""

from __future__ import annotations

from pathlib import Path

import cliquerag
import pytest
from cliquerag.core.errors import UsageError

from tests.app.conftest import Run, json_of

REPORT = "Annual Report 2022\n\n" + "The year went as was expected of it at its beginning. " * 500
REPORT += "\n\nRevenue was $5.2 million in 2022. We sold parts to Acme Inc. and to Beta Corp. and Gamma Ltd.\n"
SOURCE = "8f5e29eea4f4a3e944707c71148439ca1fd4b2d8.txt"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / SOURCE
    path.write_text(REPORT, encoding="utf-8")
    return path


def _companies(workspace: cliquerag.Workspace) -> set[str]:
    return {fact.company for fact in workspace.facts(sources=[SOURCE])}


def test_an_unsure_document_is_shown_and_mended(cli: Run, file: Path) -> None:
    added = cli("add", str(file))
    assert "its company is not certain" in added.stdout
    assert "docs --set" in cli("docs").stdout
    assert [row["source"] for row in json_of(cli("docs", "--unsure", "--json"))] == [SOURCE]
    done = cli("docs", "--set", SOURCE, "--company", "Zeta Parts Inc.", "--period", "FY2022")
    assert done.returncode == 0 and "Zeta Parts Inc." in done.stdout
    row = json_of(cli("docs", "--json"))[0]
    assert row["companies"] == ["Zeta Parts Inc."]
    assert (row["how"]["companies"], row["how"]["period"]) == ("given", "given")
    assert "unsure" not in row["how"]
    assert json_of(cli("docs", "--unsure", "--json")) == []


def test_facts_and_questions_follow(file: Path) -> None:
    with cliquerag.Workspace("sqlite://") as workspace:
        workspace.add(file)
        source = workspace.documents()[0].source
        assert {fact.company for fact in workspace.facts(sources=[source])} == {""}
        workspace.set_about(source, company="Zeta Parts Inc.")
        assert {fact.company for fact in workspace.facts(company="Zeta Parts")} == {"Zeta Parts Inc."}
        assert workspace.search("What was the revenue of Zeta Parts?")[0].source == source


def test_what_is_mended_stays_with_a_newer_version_of_the_file(file: Path) -> None:
    with cliquerag.Workspace("sqlite://") as workspace:
        workspace.add(file)
        source = workspace.documents()[0].source
        workspace.set_about(source, company="Zeta Parts Inc.", kind="annual report")
        assert workspace.add(file).outcome == "unchanged"
        file.write_text(REPORT + "\nOne more line.\n", encoding="utf-8")
        report = workspace.add(file)
        assert (report.outcome, report.metadata.companies) == ("replaced", ("Zeta Parts Inc.",))
        assert report.metadata.how["companies"] == "given"
        workspace.add(file, company="Eta SE")
        assert workspace.documents()[0].companies == ("Eta SE",)


def test_a_text_without_a_file_keeps_its_words_and_takes_the_company_over() -> None:
    with cliquerag.Workspace("sqlite://") as workspace:
        workspace.add_text(REPORT, source="note-17")
        before = workspace.facts(sources=["note-17"])
        workspace.set_about("note-17", company="Zeta Parts Inc.")
        after = workspace.facts(sources=["note-17"])
        assert [fact.text for fact in after] == [fact.text for fact in before]
        assert {fact.company for fact in after} == {"Zeta Parts Inc."}
        assert workspace.search("Zeta Parts revenue")[0].source == "note-17"


def test_wrong_use_is_said(cli: Run, file: Path) -> None:
    cli("add", str(file))
    assert cli("docs", "--company", "Acme").returncode == 2
    assert cli("docs", "--set", "no-such.pdf", "--company", "Acme").returncode == 2
    with cliquerag.Workspace("sqlite://") as workspace, pytest.raises(UsageError):
        workspace.set_about("x")


def test_a_document_of_nobody_and_a_guessed_quarter_are_listed_too(cli: Run, tmp_path: Path) -> None:
    note = tmp_path / "shopping.txt"
    note.write_text("Milk, stamps and paper are to be bought.", encoding="utf-8")
    call = tmp_path / "doc7.txt"
    turns = (
        "Earnings Conference Call",
        "Operator: Good day and welcome to the earnings conference call.",
        "Jane Roe -- Chief Executive Officer: Sales rose against the second quarter of 2020. We had a good quarter.",
        "Operator: Our first question comes from John Poe with Redfern.",
        "John Poe -- Redfern -- Analyst: How is demand?",
        "Jane Roe -- Chief Executive Officer: Demand is good.",
    )
    call.write_text("\n\n".join(turns), encoding="utf-8")
    cli("add", str(note), str(call))
    shown = cli("docs", "--unsure").stdout
    assert "no company is known of it" in shown and "is a guess from the text" in " ".join(shown.split())
    rows = json_of(cli("docs", "--unsure", "--json"))
    assert {row["source"] for row in rows} == {"shopping.txt", "doc7.txt"}
