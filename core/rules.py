"""Rules as data: the TOML files that ship beside the code, read once a process."""

from __future__ import annotations

import re
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any

from .errors import UsageError

_BLANKS = re.compile(r"(?P<other>\\[^s]|\[\^?\]?(?:\\.|[^\]\\])*(?:\]|\Z))|\\s(?P<times>[*+])")
"""Blanks without end in a regular expression; in a set ("[\\s*]") they are something else."""
_MOST_BLANKS = 40


@cache
def load_rules(package: str, name: str) -> dict[str, Any]:
    """The content of a rule file of ours, shared: treat it as read-only.

    >>> "index" in load_rules("cliquerag.core", "words.toml")["english"]
    True
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no package called {package!r}", name=package)
    return _read_kept(Path(spec.origin).with_name(name))


def _read_kept(file: Path) -> dict[str, Any]:
    """The content of a rule file, from what was kept of it where it has not changed since."""
    found: dict[str, Any] = {}
    code = _RuleFile(file.name, f"{file}{_SOURCE}").get_code(file.name)
    assert code is not None
    exec(code, found)
    rules: dict[str, Any] = found["RULES"]
    return rules


_SOURCE = ".py"


class _RuleFile(SourceFileLoader):
    """A rule file as a module, so that Python keeps what was read of it beside the code, as it does with modules:
    reading the TOML files of a question takes 35 ms, and what is kept of them 2.

    Its path ends in ".py", for ``words.toml`` and ``words.py`` are not to be kept in one file.
    """

    def path_stats(self, path: str) -> dict[str, Any]:
        """What is kept is stale where the rules or this module, which reads them, were written since."""
        rules, reader = (super(_RuleFile, self).path_stats(one) for one in (path.removesuffix(_SOURCE), __file__))
        return {**rules, "mtime": max(rules["mtime"], reader["mtime"])}

    def get_data(self, path: str) -> bytes:
        """The TOML, or what was kept of it."""
        return super().get_data(path.removesuffix(_SOURCE))

    def source_to_code(self, data: Any, path: Any, *, _optimization: int = -1) -> CodeType:  # type: ignore[override]
        """One assignment of what the TOML says."""
        return compile(f"RULES = {_with_bounded_blanks(_parse(data.decode()))!r}", path, "exec", dont_inherit=True)


def bounded_blanks(pattern: str) -> str:
    """A regular expression whose ``\\s*`` and ``\\s+`` stand for at most 40 blanks.

    Words that are further apart say nothing together, and a text with thousands of blanks in a row would be searched in
    quadratic time.

    >>> print(bounded_blanks(r"net\\s+income\\s*[\\s*]"))
    net\\s{1,40}income\\s{0,40}[\\s*]
    """
    return _BLANKS.sub(_bounded, pattern)


def _bounded(match: re.Match[str]) -> str:
    if match["other"]:
        return match["other"]
    least = 1 if match["times"] == "+" else 0
    return rf"\s{{{least},{_MOST_BLANKS}}}"


def _with_bounded_blanks(value: Any) -> Any:
    """The same for all texts in a table or list of rules; nothing but regular expressions has ``\\s``."""
    if isinstance(value, str):
        return bounded_blanks(value)
    if isinstance(value, dict):
        return {key: _with_bounded_blanks(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_with_bounded_blanks(part) for part in value]
    return value


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
