"""Files beside a workspace, opened by several at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from cliquerag.side_files import open_private

_AT_ONCE, _FILES = 6, 40
_SCRIPT = "CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY);"


def test_a_new_file_may_be_opened_by_several_at_once(tmp_path: Path) -> None:
    together = Barrier(_AT_ONCE)

    def opened(path: Path) -> str:
        together.wait()
        connection = open_private(path, _SCRIPT, "the file", "")
        with connection:
            connection.execute("INSERT INTO event DEFAULT VALUES")
        connection.close()
        return "done"

    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for number in range(_FILES):
            path = tmp_path / f"{number}.db"
            assert list(threads.map(opened, [path] * _AT_ONCE)) == ["done"] * _AT_ONCE
            assert path.stat().st_mode & 0o077 == 0
