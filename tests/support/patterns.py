"""Every regular expression of the project: those compiled at import, by loaders, by use, and those in TOML rules.

Has to run in a fresh process: patterns are noticed as they are compiled.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = ("core", "models", "ingest", "kg", "retrieval", "evaluation", "app", "benchmarks")
SEARCHES = ("search", "sub", "subn", "split", "findall", "finditer")
NO_PATTERNS = ("formulas.toml",)
"""Rules in which brackets stand for other things."""
_TEMPLATE = re.compile(r"\{\w+(?:\}|\*?:)")
"""What a loader puts into a pattern, "{head:company}": the pattern that it makes is noticed when it is compiled."""
_SPECIAL = re.compile(r"[\\\[(*+?{|]")


@dataclass(frozen=True)
class Found:
    """A pattern and where it is from: "ingest/lines.py:10" or "kg/rules/lexicon.toml"."""

    place: str
    pattern: str
    flags: int
    binary: bool = False


@dataclass(frozen=True)
class Collected:
    """All patterns, and what could not be looked at."""

    patterns: list[Found]
    not_imported: list[str]
    never_compiled: list[str]
    """Calls of ``re`` ("file: function") whose pattern is put together and was not needed."""


class Recorder:
    """Notices every pattern that is compiled from our code while it is entered, and from which line."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str, int], Found] = {}
        self.lines: set[tuple[str, int]] = set()

    def __enter__(self) -> Recorder:
        self._original = re._compile  # type: ignore[attr-defined]

        def compile_and_note(pattern: Any, flags: int) -> Any:
            compiled = self._original(pattern, flags)
            self._note(compiled)
            return compiled

        re._compile = compile_and_note  # type: ignore[attr-defined]
        self._patterns: Any = import_module("cliquerag.core.patterns")
        self._on_demand = self._patterns.on_demand
        self._patterns.on_demand = re.compile  # modules imported from here on compile theirs where they stand
        return self

    def __exit__(self, *error: object) -> None:
        re._compile = self._original  # type: ignore[attr-defined]
        self._patterns.on_demand = self._on_demand

    def _note(self, compiled: re.Pattern[Any]) -> None:
        frame = sys._getframe(2)
        while frame.f_code.co_filename == re.__file__:
            assert frame.f_back
            frame = frame.f_back
        path = Path(frame.f_code.co_filename)
        if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in FOLDERS:
            return
        place = path.relative_to(ROOT).as_posix()
        binary = isinstance(compiled.pattern, bytes)
        text = compiled.pattern.decode("latin-1") if binary else compiled.pattern
        self.lines.add((place, frame.f_lineno))
        found = Found(f"{place}:{frame.f_lineno}", text, compiled.flags & ~re.UNICODE, binary)
        self.found.setdefault((text, place, found.flags), found)


def collect(*uses: Callable[[], None]) -> Collected:
    """Import everything, call every loader without arguments, then ``uses``, which compile what is put together."""
    not_imported: list[str] = []
    with Recorder() as recorder:
        for name in sorted(set(_modules())):
            try:
                import_module(name)
            except ImportError as error:
                not_imported.append(f"{name}: {error}")
        for loader in sorted(_loaders(), key=lambda loader: loader.__qualname__):
            loader()
        for use in uses:
            use()
    patterns = list(recorder.found.values())
    built = "\0".join(found.pattern for found in patterns)
    patterns += [found for found in _rule_patterns() if found.pattern not in built]
    never_compiled: set[str] = set()
    loaded = {getattr(module, "__file__", None): vars(module) for module in list(sys.modules.values())}
    for call in _compiling_calls():
        if any((call.place, line) in recorder.lines for line in range(call.first, call.last + 1)):
            continue
        pattern = _value(call.pattern, loaded.get(str(ROOT / call.place), {}))
        if pattern is None:
            never_compiled.add(f"{call.place}: {call.function}")
        else:
            patterns.append(Found(f"{call.place}:{call.first}", pattern, call.flags))
    return Collected(patterns, not_imported, sorted(never_compiled))


def _value(node: ast.expr, names: dict[str, Any]) -> str | None:
    """What an expression gives with a module's names; None where it needs others."""
    try:
        value = eval(compile(ast.Expression(node), "pattern", "eval"), dict(names))
    except NameError:
        return None
    return value if isinstance(value, str) else None


def _modules() -> Iterator[str]:
    """Every module of the project, by the name it is imported with."""

    def below(name: str, paths: Iterable[str]) -> Iterator[str]:
        for module in iter_modules(paths):
            if module.name != "__main__":
                yield f"{name}.{module.name}"
            if module.ispkg:
                yield from below(f"{name}.{module.name}", import_module(f"{name}.{module.name}").__path__)

    sys.path.append(str(ROOT))  # benchmarks are not installed
    for package in ("cliquerag", *(f"cliquerag.{folder}" for folder in FOLDERS[:-2]), "benchmarks"):
        yield package
        yield from below(package, import_module(package).__path__)


def _loaders() -> set[Any]:
    """Cached functions without arguments: what they load is loaded once."""
    loaders: set[Any] = set()
    for name, module in list(sys.modules.items()):
        for value in vars(module).values() if name.startswith("cliquerag") else ():
            ours = isinstance(value, _lru_cache_wrapper) and value.__module__.startswith("cliquerag")
            if ours and not inspect.signature(value).parameters:
                loaders.add(value)
    return loaders


def _rule_patterns() -> Iterator[Found]:
    """Every string of a TOML file that is a regular expression and not just words, as it is loaded."""
    from cliquerag.core.rules import bounded_blanks, read_rules

    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.toml")):
            if path.name in NO_PATTERNS:
                continue
            for text in sorted(set(_strings(read_rules(path)))):
                if not _SPECIAL.search(text) or _TEMPLATE.search(text):
                    continue
                try:
                    re.compile(text)
                except re.error:  # words for people, or a part of a pattern that is put together
                    continue
                yield Found(path.relative_to(ROOT).as_posix(), bounded_blanks(text), int(re.IGNORECASE))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)


@dataclass(frozen=True)
class _Call:
    """``re.compile(...)``, ``re.search(...)`` ...: its lines, the function around it, its arguments."""

    place: str
    first: int
    last: int
    function: str
    pattern: ast.expr
    flags: int


def _compiling_calls() -> Iterator[_Call]:
    """Every call in the project that takes a pattern."""
    for place in _sources():
        yield from _calls(_tree(place), place, "")


def _calls(node: ast.AST, place: str, function: str) -> Iterator[_Call]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        function = node.name
    if isinstance(node, ast.Call) and takes_pattern(node):
        flags = 0
        for argument in [*node.args[1:], *(keyword.value for keyword in node.keywords)]:
            for name in re.findall(r"\bre\.([A-Z]+)\b", ast.unparse(argument)):
                flags |= int(getattr(re, name))
        yield _Call(place, node.lineno, node.end_lineno or node.lineno, function, node.args[0], flags)
    for child in ast.iter_child_nodes(node):
        yield from _calls(child, place, function)


def takes_pattern(node: ast.Call) -> bool:
    """True for a call of a function of ``re`` with a pattern, and of ours."""
    function = node.func
    if isinstance(function, ast.Name):
        return function.id == "on_demand"
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    return function.value.id == "re" and function.attr in ("compile", "match", "fullmatch", *SEARCHES)


def method_of(found: Found) -> str:
    """How a pattern is used: "search" unless every use in the code is a ``match`` or a ``fullmatch``.

    These begin at one place of the text only, a search at each.
    """
    place, _, line = found.place.partition(":")
    name = _name(place, int(line)) if line else ""
    if not name:
        return "search"
    everywhere = not name.startswith("_")
    methods: set[str] = set()
    for source, text in _sources().items():
        if name not in text or not (everywhere or source == place):
            continue
        methods.update(re.findall(rf"\b{name}(?:\([^()]*\))?(?:\[[^\]]*\])?\.(\w+)\b", text))
        called = len(re.findall(rf"\b{name}(?:\([^()]*\))?(?:\[[^\]]*\])?\.(?:full)?match\b", text))
        named = len(re.findall(rf"^(?:from .*|import .*|{name} = .*|def {name}\(.*|    {name},?)$", text, re.MULTILINE))
        if len(re.findall(rf"\b{name}\b", text)) > called + named:  # handed on, or searched with
            return "search"
    if not methods or not methods <= {"match", "fullmatch"}:
        return "search"
    return "match" if "match" in methods else "fullmatch"


@cache
def _sources() -> dict[str, str]:
    """The text of every module, by its place."""
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def _tree(place: str) -> ast.Module:
    return ast.parse(_sources()[place])


def _name(place: str, line: int) -> str:
    """The constant that the pattern of that line is put into, or the function that returns it."""
    for node in _tree(place).body:
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            plain = isinstance(node.value, ast.Call) and takes_pattern(node.value)
            return node.targets[0].id if plain else ""
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.returns or node).startswith("re.Pattern"):
            return node.name
    return ""
