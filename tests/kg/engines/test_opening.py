"""URLs of workspaces: the file that is named is the file that is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from cliquerag.core.errors import StoreError, UsageError
from cliquerag.kg.engines.opening import sqlite_path, sqlite_url
from support.stores import open_store

NAMES = ("we ird#1.db", "what?.db", "a?b=c.db", "100%.db", "a&b=c;d.db", "清源.db", "tab\there.db", "[x].db", "-", "~")


@pytest.mark.parametrize("name", NAMES)
def test_odd_characters_are_part_of_the_name(name: str, tmp_path: Path) -> None:
    open_store(f"sqlite:///{tmp_path}/{name}").close()
    assert {path.name.removesuffix("-wal").removesuffix("-shm") for path in tmp_path.iterdir()} == {name}
    open_store(f"sqlite:///{tmp_path}/{name}?mode=ro").close()
    assert sqlite_path(sqlite_url(tmp_path / name)) == tmp_path / name


@pytest.mark.parametrize("name", ["50%20.db", "a.db?mode=ro"])
def test_what_means_something_in_a_url_can_be_written_in_another_way(name: str, tmp_path: Path) -> None:
    assert sqlite_path(f"sqlite:///{tmp_path}/{name}") != tmp_path / name
    assert sqlite_path(sqlite_url(tmp_path / name)) == tmp_path / name


def test_a_store_that_is_only_read_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        open_store(f"sqlite:///{tmp_path}/a.db?mode=ro")
    with pytest.raises(StoreError, match="there is no workspace"):
        open_store(f"sqlite:///{tmp_path}/a.db", create=False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["acme", "sqlite:acme.db", "sqlite://acme.db", "oracle://x", "sqlite:///a\0b.db"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(UsageError):
        open_store(url)


def test_a_plain_path_of_a_file_is_a_workspace(tmp_path: Path) -> None:
    path = tmp_path / "acme 50%.db"
    open_store(str(path)).close()
    assert path.exists()
    assert sqlite_path(str(path)) == path
