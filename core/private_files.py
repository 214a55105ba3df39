"""Files and folders that only their owner may read: what a workspace holds is often not public yet."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def create_private_file(path: Path) -> None:
    """Make an empty file that its owner alone may read and write, whatever the umask; one there stays as it is."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE)
    except FileExistsError:
        return
    os.close(descriptor)
    path.chmod(PRIVATE_FILE)  # a umask can only have taken rights away, from the owner too


def make_private_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone; what is there stays as it is.

    Raises FileExistsError where a file has the name.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
        folder.chmod(PRIVATE_FOLDER)
    if not missing:
        path.mkdir(exist_ok=True)


def write_private_file(path: Path, data: bytes, ending: str = ".part") -> None:
    """Write a file whole or not at all, for its owner alone; an older one is replaced.

    It comes under its name in one step when all of it is on the disk: who sees the name sees the whole, also after
    ``kill -9`` or a power cut. Until then it is a hidden file whose name has this ``ending``.
    """
    waiting = path.with_name(f".{path.name}.{secrets.token_hex(4)}{ending}")
    create_private_file(waiting)
    try:
        with waiting.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        waiting.replace(path)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise
