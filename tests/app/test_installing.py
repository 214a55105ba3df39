"""cliquerag setup: says what it fetches, asks, and fetches nothing that is there."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from click.testing import CliRunner
from cliquerag.cli import main, setting_up
from cliquerag.core.errors import UsageError

MISSING = setting_up.Part(
    "embedding", ("no-such-thing==1",), ("no_such_thing",), 84, "for search", "用于检索", alone=True
)


def invoke(*arguments: str, answer: str = "") -> Any:
    return CliRunner().invoke(main, ("setup", *arguments), input=answer)


@pytest.fixture
def missing(monkeypatch: pytest.MonkeyPatch) -> list[setting_up.Part]:
    """The embedding model is missing; what would be installed is noted."""
    fetched: list[setting_up.Part] = []
    monkeypatch.setattr(setting_up, "EMBEDDING", MISSING)
    monkeypatch.setattr(setting_up, "PARTS", (MISSING, setting_up.OFFICE))
    monkeypatch.setattr(setting_up, "install", fetched.append)
    return fetched


def test_what_is_there_is_not_fetched() -> None:
    result = invoke("office", "--json")
    rows = json.loads(result.stdout)
    assert [row["name"] for row in rows] == ["embedding", "office"]
    assert all(row["installed"] for row in rows) and result.exit_code == 0


def test_it_says_what_how_large_and_why_and_asks(missing: list[setting_up.Part]) -> None:
    result = invoke(answer="n\n")
    assert "84 MB to download" in result.output and "for search" in result.output and "用于检索" in result.output
    assert "pip install --disable-pip-version-check --no-deps no-such-thing==1" in result.output
    assert "Fetch 84 MB now?" in result.output
    assert (missing, result.exit_code) == ([], 1)
    invoke(answer="y\n")
    assert missing == [MISSING]


def test_a_dry_run_fetches_nothing(missing: list[setting_up.Part]) -> None:
    assert invoke("--dry-run").exit_code == 0
    assert missing == []


def test_what_pip_says_is_passed_on_with_the_command() -> None:
    def failing(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "noise\nERROR: No matching distribution found\n")

    with pytest.raises(UsageError, match=r"No matching distribution.*pip install --no-deps no-such-thing==1"):
        setting_up.install(MISSING, failing)


def test_unknown_parts_are_named() -> None:
    result = invoke("torch")
    assert result.exit_code != 0 and isinstance(result.exception, (UsageError, SystemExit))
