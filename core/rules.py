"""Rules as data: the TOML files that ship beside the code, read once a process."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from .errors import UsageError


@cache
def load_rules(package: str, name: str) -> dict[str, Any]:
    """The content of a rule file of ours, shared: treat it as read-only.

    >>> "index" in load_rules("cliquerag.core", "words.toml")["english"]
    True
    """
    return _parse(files(package).joinpath(name).read_text(encoding="utf-8"))


def read_rules(path: Path) -> dict[str, Any]:
    """The content of a user's own rule file; UsageError names the file and what is wrong with it."""
    try:
        return _parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(
            f"cannot read the rules: {error}", where=str(path), hint="It has to be a TOML file in UTF-8"
        ) from error


def _parse(text: str) -> dict[str, Any]:
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib
    rules: dict[str, Any] = tomllib.loads(text)
    return rules
