"""Rule files are read once and kept as Python keeps modules."""

from __future__ import annotations

import os
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from cliquerag.core import rules

TOML = 'words = ["net\\\\s+income"]\nscale = 0.5\nasks = true\n[more]\nquote = "it\'s \\"so\\""\n'
READ = {"words": [r"net\s{1,40}income"], "scale": 0.5, "asks": True, "more": {"quote": 'it\'s "so"'}}


@pytest.fixture
def keeping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.mark.usefixtures("keeping")
def test_a_rule_file_is_parsed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, parsed = tmp_path / "words.toml", list[str]()
    parse = rules._parse
    monkeypatch.setattr(rules, "_parse", lambda text: parsed.append(text) or parse(text))
    file.write_text(TOML, encoding="utf-8")
    assert rules._read_kept(file) == rules._read_kept(file) == READ
    assert len(parsed) == 1
    file.write_text(TOML.replace("0.5", "0.25"), encoding="utf-8")
    assert rules._read_kept(file)["scale"] == 0.25


@pytest.mark.usefixtures("keeping")
def test_what_was_kept_by_an_older_reader_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader changes what it reads: blanks without end are bounded."""
    file, reader = tmp_path / "words.toml", tmp_path / "rules.py"
    file.write_text(TOML, encoding="utf-8")
    reader.write_text("", encoding="utf-8")
    monkeypatch.setattr(rules, "__file__", str(reader))
    rules._read_kept(file)
    monkeypatch.setattr(rules, "_parse", lambda text: {"read": "anew"})
    assert rules._read_kept(file) == READ
    later = reader.stat().st_mtime + 10
    os.utime(reader, (later, later))
    assert rules._read_kept(file) == {"read": "anew"}


@pytest.mark.usefixtures("keeping")
def test_what_is_kept_of_rules_and_of_a_module_beside_them_does_not_meet(tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    file.write_text(TOML, encoding="utf-8")
    rules._read_kept(file)
    assert not Path(cache_from_source(str(tmp_path / "words.py"))).exists()


def test_rules_are_read_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "words.toml").write_text(TOML, encoding="utf-8")
    assert rules._read_kept(tmp_path / "words.toml") == READ
    assert [path.name for path in tmp_path.iterdir()] == ["words.toml"]
