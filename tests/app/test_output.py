"""What a command prints: one JSON document where asked, whatever went wrong and whatever the terminal can show."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.cli.common import Face, reported_errors

from tests.app.conftest import Run, json_of

TEXT = "Acme Inc. acquired Beta Corp. in 2021."


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["docs", "--workspace", "sqlite:///nowhere.db"], 1),
        (["docs", "--workspace", "oracle://x"], 2),
        (["ask", ""], 2),
        (["ask"], 2),
        (["nonsense"], 2),
        (["mcp", "--workspace", "sqlite:///nowhere.db"], 1),
        (["serve", "--workspace", "sqlite:///nowhere.db"], 1),
    ],
)
def test_an_error_is_json_too(cli: Run, arguments: list[str], code: int) -> None:
    done = cli(*arguments, "--json")
    assert done.returncode == code, done.stderr
    assert set(json_of(done)["error"]) == {"what", "where", "hint"}


@pytest.mark.parametrize("group", [[], ["graph"]])
def test_the_list_of_commands_says_each_in_one_whole_line(cli: Run, group: list[str]) -> None:
    _, _, listed = cli(*group, "--help", env={**os.environ, "COLUMNS": "80"}).stdout.partition("Commands:\n")
    rows = listed.splitlines()
    assert len(rows) > 7 and not [row for row in rows if row.endswith("...") or not row[2:].partition(" ")[0]]


def test_a_defect_of_ours_is_told_in_json_and_not_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError), reported_errors(Face(as_json=True)):
        _ = 1 / 0
    assert "ZeroDivisionError" in json.loads(capsys.readouterr().out)["error"]["what"]


def test_a_terminal_without_the_letters_gets_all_the_others(cli: Run) -> None:
    with Workspace("sqlite:///cliquerag.db") as workspace:
        workspace.add_text(TEXT, source="年度报告 2021.txt")
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    assert json_of(cli("docs", "--json", env=env))[0]["source"] == "年度报告 2021.txt"
    done = cli("docs", env=env)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "???? 2021.txt")


def test_a_file_name_that_is_not_utf_8_costs_no_other_file(cli: Run, private: Path) -> None:
    folder = private / "reports"
    folder.mkdir()
    try:
        (folder / "year\udcff.txt").write_text(TEXT)
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes no such name")
    (folder / "good.txt").write_text(TEXT)
    done = cli("add", "reports", "--json")
    outcomes = {row["source"]: row["outcome"] for row in json_of(done)}
    assert done.returncode == 1 and "not in UTF-8" in done.stderr
    assert outcomes == {"reports/good.txt": "added", "reports/year\udcff.txt": "failed"}
    assert cli("add", "reports").returncode == 1
