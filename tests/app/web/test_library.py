"""The library in a real browser: files dropped, read, corrected, replaced and removed."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cliquerag import Workspace
from cliquerag.web.desk import Desk

from tests.app.web.browsing import ask, reading
from tests.app.web.conftest import Served, serve
from tests.support.openai_server import OpenAIServer, say

REPORT = (
    "Acme Tools Inc.\nAnnual report for fiscal year 2023\n\nAcme Tools Inc. reported revenue of $340 million in 2023.\n"
)
FORM = ".editing:not(.htmx-added)"
"""The row as a form, once its buttons do something: faster than any reader, a test would click before."""


def add(page: Any, *paths: Path) -> None:
    """Choose files, and wait until all are read."""
    page.locator("[data-ready]").first.wait_for(state="attached")
    page.locator("input[data-files]").first.set_input_files([str(path) for path in paths])
    page.locator(".job").first.wait_for()
    page.wait_for_function(
        "n => document.querySelectorAll('.job.done, .job.failed, .sending .warn').length >= n", arg=len(paths)
    )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_file_is_added_and_can_be_asked_at_once(browser: Any, served: Served, tmp_path: Path, language: str) -> None:
    (tmp_path / "Acme 2023.txt").write_text(REPORT)
    with reading(browser, f"{served.url}/library", language) as page:
        add(page, tmp_path / "Acme 2023.txt")
        assert {"en": "Added", "zh": "已添加"}[language] in page.locator(".job").inner_text()
        page.locator("#documents tr", has_text="Acme 2023.txt").wait_for()
        page.goto(served.url)
        assert "$340 million" in ask(page, "What was the revenue of Acme Tools in 2023?").inner_text()
    assert (served.desk.library.folder / "Acme 2023.txt").read_text() == REPORT


@pytest.mark.parametrize(
    ("language", "damaged", "unknown"), [("en", "damaged", "is not read"), ("zh", "已损坏", "不支持读取")]
)
def test_a_bad_file_is_named_and_the_others_go_on(
    browser: Any, served: Served, tmp_path: Path, language: str, damaged: str, unknown: str
) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    (tmp_path / "good.txt").write_text(REPORT)
    (tmp_path / "program.exe").write_bytes(b"MZ")
    with reading(browser, f"{served.url}/library", language) as page:
        add(page, tmp_path / "broken.pdf", tmp_path / "program.exe", tmp_path / "good.txt")
        page.locator(".job.failed", has_text="broken.pdf").wait_for()
        failed = page.locator(".job.failed").inner_text()
        assert damaged in failed and failed.count("broken.pdf") == 1
        assert unknown in page.locator(".sending .warn").inner_text()
        page.locator(".job.done", has_text="good.txt").wait_for()


def test_of_an_archive_all_that_can_be_read_is_added(browser: Any, served: Served, tmp_path: Path) -> None:
    report = served.desk.library.folder / "Halvern_2025_10K.pdf"
    with zipfile.ZipFile(tmp_path / "deal.zip", "w") as archive:
        archive.writestr("notes/Acme 2023.txt", REPORT)
        archive.write(report, "filings/copy.pdf")
        archive.writestr("program.exe", b"MZ")
        archive.writestr("../outside.txt", REPORT)
    with reading(browser, f"{served.url}/library") as page:
        add(page, tmp_path / "deal.zip")
        page.wait_for_function("document.querySelectorAll('.job.done').length === 2")
        assert "not read, of another kind: 1 × .exe" in page.locator("#jobs").inner_text()
        row = page.locator("#documents tr", has_text="copy.pdf")
        row.locator("a").first.click()
        page.locator("#viewer svg image").wait_for()
        with page.expect_download() as waiting:
            page.locator("#viewer a[href^='/file']").click()
        assert Path(waiting.value.path()).read_bytes() == report.read_bytes()
    sources = [record.source for record in served.desk.workspace.documents() if "deal.zip" in record.source]
    assert sorted(sources) == ["documents/deal.zip/filings/copy.pdf", "documents/deal.zip/notes/Acme 2023.txt"]


def test_a_newer_version_takes_the_place_of_the_older(browser: Any, served: Served, tmp_path: Path) -> None:
    path = tmp_path / "note.txt"
    with reading(browser, f"{served.url}/library") as page:
        path.write_text(REPORT)
        add(page, path)
        path.write_text(REPORT.replace("340", "350"))
        add(page, path)
        page.locator(".job.done", has_text="Replaced").wait_for()
        assert page.locator("#documents tr", has_text="note.txt").count() == 1
    assert "350" in served.desk.workspace.store.text("documents/note.txt")


WORDS = {
    "en": ("cover page", "Correct", "given by you", "not a period", "Remove"),
    "zh": ("封面", "更正", "由您指定", "不是期间", "移除"),
}


@pytest.mark.parametrize("language", WORDS)
def test_what_is_known_of_a_document_is_shown_and_corrected(browser: Any, served: Served, language: str) -> None:
    found, correct, given, wrong, _ = WORDS[language]
    with reading(browser, f"{served.url}/library", language) as page:
        row = page.locator("#documents tr", has_text="Norrland_Cell")
        assert found in row.inner_text()
        row.get_by_text(correct).click()
        page.locator(FORM).wait_for()
        page.fill("#edit-period", "FY2024")
        page.locator(".editing .button").click()
        page.locator("#documents tr", has_text=given).wait_for()
        record = next(one for one in served.desk.workspace.documents() if "Norrland" in one.source)
        assert record.period and record.period.label == "FY2024" and record.companies == ("Norrland Cell AB",)
        page.locator("#documents tr", has_text="Norrland_Cell").get_by_text(correct).click()
        page.locator(FORM).wait_for()
        page.fill("#edit-period", "some day")
        page.locator(".editing .button").click()
        page.locator(".editing [role=alert]", has_text=wrong).wait_for()
        assert page.input_value("#edit-period") == "some day"
        assert (
            next(one for one in served.desk.workspace.documents() if "Norrland" in one.source).period == record.period
        )


def test_a_row_that_is_being_corrected_stays_while_files_come_in(browser: Any, served: Served, tmp_path: Path) -> None:
    (tmp_path / "Acme 2023.txt").write_text(REPORT)
    with reading(browser, f"{served.url}/library") as page:
        page.locator("#documents tr", has_text="Norrland_Cell").get_by_text("Correct").click()
        page.locator(FORM).wait_for()
        page.fill("#edit-period", "FY2024")
        add(page, tmp_path / "Acme 2023.txt")
        page.locator(".job.done").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.input_value("#edit-period") == "FY2024"
        page.locator(".editing .button").click()
        page.locator("#documents tr", has_text="given by you").wait_for()
        page.locator("#documents tr", has_text="Acme 2023.txt").wait_for()  # listed once the form is closed


def test_files_and_folders_are_dropped(browser: Any, served: Served, tmp_path: Path) -> None:
    folder = tmp_path / "deal"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "Acme 2023.txt").write_text(REPORT)
    (tmp_path / "Bolt 2023.txt").write_text(REPORT.replace("Acme", "Bolt"))
    with reading(browser, f"{served.url}/library") as page:
        page.locator("[data-drop][data-ready]").wait_for()
        box = page.locator("[data-drop]").bounding_box()
        assert box
        hand = page.context.new_cdp_session(page)
        dragged = {"items": [], "files": [str(folder), str(tmp_path / "Bolt 2023.txt")], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            place = {"type": kind, "x": box["x"] + 40, "y": box["y"] + 40}
            hand.send("Input.dispatchDragEvent", {**place, "data": dragged})
        page.locator(".job.done", has_text="deal/notes/Acme 2023.txt").wait_for()
        page.locator(".job.done", has_text="Bolt 2023.txt").wait_for()
        page.locator("#documents tr", has_text="Acme 2023.txt").wait_for()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_model_would_cost_is_said_before_it_reads(
    browser: Any, stocked: Path, tmp_path: Path, language: str
) -> None:
    (tmp_path / "Acme 2023.txt").write_text(REPORT)
    folder = tmp_path / "desk"
    shutil.copytree(stocked, folder)
    with OpenAIServer(say('{"triples": []}')) as model:
        options = {"embedder": "none", "cache": str(tmp_path / "cache"), "model": "small", "base_url": model.url}
        desk = Desk(Workspace(f"sqlite:///{folder / 'demo.db'}", extractor="llm", **options))
        for served in serve(desk):
            with reading(browser, f"{served.url}/library", language) as page:
                page.locator("[data-ready]").first.wait_for(state="attached")
                page.locator("input[data-files]").first.set_input_files(str(tmp_path / "Acme 2023.txt"))
                asks = page.locator(".job.asks")
                asks.wait_for()
                assert {"en": "A model would read it", "zh": "将由模型读取"}[language] in asks.inner_text()
                assert model.calls == []
                asks.locator("button").click()
                page.locator(".job.done, .job.failed").first.wait_for()
                assert model.calls
        desk.close()
        desk.workspace.close()


@pytest.mark.parametrize("language", WORDS)
def test_a_document_is_removed_after_asking(browser: Any, served: Served, language: str) -> None:
    with reading(browser, f"{served.url}/library", language) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        page.locator("#documents tr", has_text="Norrland_Cell").get_by_text(WORDS[language][-1]).click()
        page.locator("#documents tr", has_text="Norrland_Cell").wait_for(state="detached")
    assert len(served.desk.workspace.documents()) == 4
    assert list(served.desk.library.folder.glob("Norrland*"))
