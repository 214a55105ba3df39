"""What we make is its owner's alone, whatever the umask."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag.core.private_files import create_private_file, make_private_folder, write_private_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o022, 0o277])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def test_files_are_for_their_owner(umask: int, tmp_path: Path) -> None:
    create_private_file(tmp_path / "a.db")
    assert rights(tmp_path / "a.db") == 0o600


def test_folders_are_for_their_owner_those_above_too(umask: int, tmp_path: Path) -> None:
    make_private_folder(tmp_path / "a" / "b" / "c")
    assert [rights(tmp_path / name) for name in ("a", "a/b", "a/b/c")] == [0o700] * 3


def test_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old").chmod(0o755)
    (tmp_path / "old" / "a.db").write_text("kept")
    (tmp_path / "old" / "a.db").chmod(0o644)
    make_private_folder(tmp_path / "old")
    create_private_file(tmp_path / "old" / "a.db")
    assert rights(tmp_path / "old") == 0o755 and rights(tmp_path / "old" / "a.db") == 0o644
    assert (tmp_path / "old" / "a.db").read_text() == "kept"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(FileExistsError):
        make_private_folder(tmp_path / "a")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.bundle"
    write_private_file(path, b"first")
    assert path.read_bytes() == b"first" and path.stat().st_mode & 0o777 == 0o600

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_private_file(path, b"second")
    assert path.read_bytes() == b"first" and list(tmp_path.iterdir()) == [path], "nothing half is left"
