"""The library in a real browser: files dropped, read, corrected, replaced and removed."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.app.web.browsing import ask, reading
from tests.app.web.conftest import Served

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


def test_a_bad_file_is_named_and_the_others_go_on(browser: Any, served: Served, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and then nothing")
    (tmp_path / "good.txt").write_text(REPORT)
    (tmp_path / "program.exe").write_bytes(b"MZ")
    with reading(browser, f"{served.url}/library") as page:
        add(page, tmp_path / "broken.pdf", tmp_path / "program.exe", tmp_path / "good.txt")
        page.locator(".job.failed", has_text="broken.pdf").wait_for()
        assert "damaged" in page.locator(".job.failed").inner_text()
        assert "is not read" in page.locator(".sending .warn").inner_text()
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


def test_what_is_known_of_a_document_is_shown_and_corrected(browser: Any, served: Served) -> None:
    with reading(browser, f"{served.url}/library") as page:
        row = page.locator("#documents tr", has_text="Norrland_Cell")
        assert "cover page" in row.inner_text()
        row.get_by_text("Correct").click()
        page.locator(FORM).wait_for()
        page.fill("#edit-period", "FY2024")
        page.locator(".editing .button").click()
        page.locator("#documents tr", has_text="given by you").wait_for()
        record = next(one for one in served.desk.workspace.documents() if "Norrland" in one.source)
        assert record.period and record.period.label == "FY2024" and record.companies == ("Norrland Cell AB",)
        page.locator("#documents tr", has_text="Norrland_Cell").get_by_text("Correct").click()
        page.locator(FORM).wait_for()
        page.fill("#edit-period", "some day")
        page.locator(".editing .button").click()
        page.locator(".editing [role=alert]").wait_for()
        assert page.input_value("#edit-period") == "some day"
        assert (
            next(one for one in served.desk.workspace.documents() if "Norrland" in one.source).period == record.period
        )


def test_a_document_is_removed_after_asking(browser: Any, served: Served) -> None:
    with reading(browser, f"{served.url}/library") as page:
        page.on("dialog", lambda dialog: dialog.accept())
        page.locator("#documents tr", has_text="Norrland_Cell").get_by_text("Remove").click()
        page.locator("#documents tr", has_text="Norrland_Cell").wait_for(state="detached")
    assert len(served.desk.workspace.documents()) == 4
    assert list(served.desk.library.folder.glob("Norrland*"))
