"""A folder with every kind of document, added and asked as an analyst would."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner
from cliquerag.cli import main

from tests.ingest.formats.test_filings import COMPANY_FACTS, submission
from tests.ingest.formats.test_subtitles import SRT, VTT, WRITTEN
from tests.support import pdf_samples
from tests.support.office_samples import deck, mail, saved, word_report, workbook, zipped

NOTE = "Acme Corp. acquired Bolt Inc. in 2023. The price was $40 million."


def folder_of_everything(folder: Path) -> None:
    """Files of thirteen kinds."""
    model = saved(workbook())
    files = {
        "report.docx": saved(word_report()),
        "model.xlsx": model,
        "deck.pptx": saved(deck()),
        "mail.eml": mail({"model.xlsx": model}),
        "call.vtt": VTT.encode(),
        "call.srt": SRT.encode(),
        "call.json": json.dumps(WRITTEN["whisper"]).encode(),
        "0000000001-23-000077.txt": submission().encode(),
        "CIK0000000001.json": json.dumps(COMPANY_FACTS).encode(),
        "deal.zip": zipped({"in/note.txt": NOTE}),
        "page.html": f"<html><body><p>{NOTE}</p></body></html>".encode(),
        "notes.md": f"# Acme Corp.\n\n{NOTE}\n".encode(),
        "picture.png": b"\x89PNG",
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    pdf_samples.lines(folder / "report.pdf", ["Acme Corp. annual report 2023", NOTE])


def run(*arguments: str) -> str:
    """What a command prints; what it says beside that is left out with --json."""
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout if "--json" in arguments else result.output


def test_a_folder_of_every_kind_gives_one_table_and_answers_with_places(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    folder_of_everything(docs)
    workspace = ("--workspace", f"sqlite:///{tmp_path}/w.db")
    output = run("add", str(docs), *workspace, "--company", "Acme Corp.")
    assert "Left out, of kinds that are not read: .png 1" in output
    table = output[output.index("read as") :]
    for reader in (
        "PDF", "Word document", "Excel workbook", "PowerPoint deck", "mail message", "captions", "transcript (JSON)",
        "EDGAR submission", "figures (XBRL as JSON)", "text", "HTML", "Markdown",
    ):  # fmt: skip
        assert f"\n{reader}  " in table
    assert table.splitlines()[-1].split()[:2] == ["all", "14"]
    asked = json.loads(run("ask", "What was Acme's gross margin in 2022?", *workspace, "--json"))
    assert "40.9" in asked["text"]
    (citation,) = asked["citations"]
    assert citation["source"].endswith(("mail.eml/model.xlsx", "docs/model.xlsx"))
    assert citation["anchors"][0]["place"] == "Income!C8"
    shown = run("ask", "What was Acme's gross margin in 2022?", *workspace)
    assert "model.xlsx, Income!C8" in shown
    again = json.loads(run("add", str(docs), *workspace, "--company", "Acme Corp.", "--json"))
    assert {report["outcome"] for report in again} == {"unchanged"}
