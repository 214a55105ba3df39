"""Settings: who wins, and what a wrong one says."""

from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.settings import resolve_settings


def test_argument_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    (tmp_path / "cliquerag.toml").write_text('mode = "vector"\nk = 3\nchunker = "fixed"\n')
    environment = {"CLIQUERAG_MODE": "graph", "CLIQUERAG_K": "4"}
    resolved = resolve_settings({"k": 5, "model": None}, environment=environment, folder=tmp_path)
    assert (resolved.settings.k, resolved.settings.mode, resolved.settings.chunker) == (5, "graph", "fixed")
    assert resolved.origins["k"] == "argument"
    assert resolved.origins["mode"] == "environment"
    assert resolved.origins["chunker"] == str(tmp_path / "cliquerag.toml")
    assert resolved.origins["model"] == "default"


def test_an_empty_variable_is_as_good_as_none(tmp_path: Path) -> None:
    assert resolve_settings(environment={"CLIQUERAG_MODE": ""}, folder=tmp_path).settings.mode == "hybrid"


def test_unknown_setting_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "cliquerag.toml").write_text("chunk_size = 3\n")
    with pytest.raises(UsageError, match=r"cliquerag\.toml: unknown setting 'chunk_size'"):
        resolve_settings(environment={}, folder=tmp_path)


def test_broken_file_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "cliquerag.toml").write_text("k = \n")
    with pytest.raises(UsageError, match="line 1"):
        resolve_settings(environment={}, folder=tmp_path)


def test_number_expected(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="k must be a number, not 'ten'"):
        resolve_settings(environment={"CLIQUERAG_K": "ten"}, folder=tmp_path)
