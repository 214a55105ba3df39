"""Which files of a folder are added: links that lead out of it only when asked."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from cliquerag.cli import main
from cliquerag.sources import find_files, readable_files
from cliquerag.workspace import Workspace

TEXT = "Acme Inc. acquired Beta Corp. in 2021. Revenue was $4,215 million."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file, a link to it, and links to a file and a folder outside."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place in (inside, outside, outside / "deep"):
        place.mkdir()
    for path in (inside / "own.txt", outside / "secret.txt", outside / "deep" / "more.txt"):
        path.write_text(TEXT, encoding="utf-8")
    (inside / "again.txt").symlink_to("own.txt")
    (inside / "secret.txt").symlink_to(outside / "secret.txt")
    (inside / "linked").symlink_to(outside / "deep")
    (inside / "broken.txt").symlink_to(outside / "nowhere.txt")
    (outside / "deep" / "back").symlink_to(inside)
    return inside


def _names(paths: list[Path], folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in paths]


def test_links_out_of_a_folder_are_left_out(folder: Path) -> None:
    assert _names(readable_files([folder]), folder) == ["again.txt", "own.txt"]
    assert _names(find_files([folder]).links_out, folder) == ["linked", "secret.txt"]


def test_they_are_followed_when_asked_but_not_for_ever(folder: Path) -> None:
    found = readable_files([folder], follow_links=True)
    assert _names(found, folder) == ["again.txt", "linked/more.txt", "own.txt", "secret.txt"]


def test_a_link_that_is_named_is_read(folder: Path) -> None:
    assert readable_files([folder / "secret.txt"]) == [folder / "secret.txt"]
    assert _names(readable_files([folder / "linked"]), folder) == ["linked/more.txt"]


def test_a_workspace_leaves_them_out(folder: Path) -> None:
    with Workspace("sqlite://", embedder="none") as workspace:
        added = {Path(report.source).name for report in workspace.add_all([folder])}
    assert added == {"again.txt", "own.txt"}


def test_the_command_says_what_it_leaves_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["add", str(folder), "--dry-run", "--workspace", f"sqlite:///{folder.parent}/a.db"])
    said = capsys.readouterr()
    assert "secret" not in said.out
    assert "linked and 1 more" in said.err and "--follow-links" in said.err
    with pytest.raises(SystemExit):
        main(["add", str(folder), "--dry-run", "--follow-links", "--workspace", f"sqlite:///{folder.parent}/a.db"])
    said = capsys.readouterr()
    assert "secret.txt" in said.out and "Left out" not in said.err


def test_an_archive_above_the_limit_is_not_opened_to_see_what_it_holds(tmp_path: Path) -> None:
    archive = tmp_path / "filings.zip"
    with ZipFile(archive, "w") as file:
        file.writestr("acme.md", "Acme Inc. makes turbines.\n" * 100)
    with Workspace("sqlite://", embedder="none", max_file_mb=0.000_1) as workspace:
        assert workspace.files([tmp_path]) == [archive]
        (report,) = workspace.add_all([tmp_path])
        assert "max_file_mb" in str(report.error)
    with Workspace("sqlite://", embedder="none") as workspace:
        assert workspace.files([tmp_path]) == [archive / "acme.md"]
