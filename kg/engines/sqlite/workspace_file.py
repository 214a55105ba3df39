"""The file of an embedded workspace before it is opened: whether it is there, and made for its owner alone.

Loads nothing else, so that a file that is not there is said at once.
"""

from __future__ import annotations

from pathlib import Path

from ....core.errors import StoreError
from ....core.private_files import create_private_file


def prepare_file(path: Path, *, create: bool) -> None:
    """Make the file where it is missing and ``create`` says so; SQLite gives its log the same rights.

    Raises StoreError: a folder has that name, its own folder is missing, or, without ``create``, the file.
    """
    if path.is_dir():
        raise StoreError("the workspace is a folder, not a file", where=str(path))
    if not path.parent.is_dir():
        raise StoreError("the folder does not exist", where=str(path.parent), hint="Create it first")
    if path.exists():
        return
    if not create:
        raise StoreError("there is no workspace", where=str(path), hint="Add a document to create it")
    try:
        create_private_file(path)
    except OSError as error:
        raise StoreError(
            "the workspace cannot be opened", where=str(path), hint="Check the folder and its permissions"
        ) from error
