"""Data files that ship inside the package: word lists, rules and schemas in TOML."""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def parse_toml(text: str) -> dict[str, Any]:
    """Read TOML. Raises ``ValueError`` with line and column where it is malformed."""
    return tomllib.loads(text)


@cache
def load_toml(package: str, name: str) -> dict[str, Any]:
    """Read ``name`` from a package of ours, once; callers must not change what they get.

    >>> "en" in load_toml("cliquerag.core", "names.toml")["legal_suffixes"]
    True
    """
    return parse_toml(files(package).joinpath(name).read_text(encoding="utf-8"))
