"""Finds benchmarks by name, finds their data, runs them."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import cast

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Benchmark, Report

from . import tasks
from .results import DOCS, kept_reports, regressions, write_report

__all__ = ["available", "check", "data_folder", "has_data", "run_benchmark", "write_report"]

DATA_VARIABLE = "CLIQUERAG_BENCH_DATA"


def available(data_root: str | Path | None = None) -> dict[str, str]:
    """Name -> what it measures and how long it takes, in alphabetical order; says what is absent.

    >>> available()["multihop_hotpotqa"].startswith("HotpotQA")
    True
    """
    return {name: " ".join(filter(None, _told(name, data_root))) for name in names()}


def runnable(data_root: str | Path | None = None) -> list[str]:
    """Names of the benchmarks that could run now, the short ones first."""
    found = [name for name in names() if has_data(name, data_root) and not missing_packages(name)]
    return sorted(found, key=lambda name: (minutes(name), name))


def minutes(name: str) -> float:
    """How long a benchmark takes on two cores with the vectors of its texts cached."""
    return float(getattr(_module(name), "MINUTES", 1))


def missing_packages(name: str) -> list[str]:
    """Packages that a benchmark needs and that are not installed."""
    return [package for package in getattr(_module(name), "NEEDS", ()) if not find_spec(package)]


def run_benchmark(name: str, data_root: str | Path | None = None, size: int | None = None) -> Report:
    """Run a benchmark on its folder under ``data_root`` (else under the folder that ``CLIQUERAG_BENCH_DATA`` names).

    ``size`` is for those that make their own data in any size.

    Raises:
        UsageError: no such benchmark, its data are not there, or it comes in one size only.
    """
    if name not in names():
        raise UsageError(f"no benchmark {name!r}", hint=f"There are: {', '.join(names())}")
    if packages := missing_packages(name):
        hint = getattr(_module(name), "INSTALL", f"pip install {' '.join(packages)}")
        raise UsageError(f"{name} needs {', '.join(packages)}", where="not installed", hint=hint)
    run, folder_name = _entry(name)
    if size is not None:
        if "size" not in signature(run).parameters:
            raise UsageError(f"the benchmark {name!r} comes in one size", where="--size")
        run = partial(cast("Callable[..., Report]", run), size=size)
    if not folder_name:
        with tempfile.TemporaryDirectory(prefix="cliquerag-bench-") as scratch:
            return _timed(run, Path(scratch))
    return _timed(run, data_folder(folder_name, data_root))


def data_folder(name: str, data_root: str | Path | None = None) -> Path:
    """Folder of a data set; UsageError says what to do when it is absent."""
    root = data_root or os.environ.get(DATA_VARIABLE)
    if not root:
        raise UsageError(
            f"the data set {name!r} is needed", hint=f"Set {DATA_VARIABLE} to the folder that holds {name!r}"
        )
    folder = Path(root) / name
    if not folder.is_dir():
        raise UsageError(f"no data set {name!r} here", where=str(root), hint=f"Expected the folder {folder}")
    return folder


def has_data(name: str, data_root: str | Path | None = None) -> bool:
    """True where the benchmark could run now."""
    _, folder_name = _entry(name)
    try:
        return not folder_name or data_folder(folder_name, data_root).is_dir()
    except UsageError:
        return False


def check(
    names: Sequence[str] = (),
    data_root: str | Path | None = None,
    docs: Path = DOCS,
    say: Callable[[str], None] = lambda text: None,
) -> list[str]:
    """Run benchmarks again and say what got worse beyond noise; without names, those that are kept and can run."""
    kept = kept_reports(docs)
    unknown = [name for name in names if name not in kept]
    if unknown or not kept:
        hint = f"Kept: {', '.join(kept) or 'none'}. `python -m benchmarks NAME --write {docs}` keeps a result"
        raise UsageError(f"nothing kept of {', '.join(unknown) or 'any benchmark'}", where=str(docs), hint=hint)
    chosen = names or [name for name in kept if name in runnable(data_root)]
    found = []
    for number, name in enumerate(chosen, 1):
        say(f"{number}/{len(chosen)}  {name}")
        worse = regressions(kept[name].report, run_benchmark(name, data_root))
        found += worse
        say(f"{len(worse)} worse" if worse else "no worse")
    return found


def _told(name: str, data_root: str | Path | None) -> Iterator[str]:
    yield _summary(_module(name))
    yield f"({max(1, round(minutes(name)))} min)"
    yield "" if has_data(name, data_root) else "[data absent]"
    packages = missing_packages(name)
    yield f"[not installed: {', '.join(packages)}]" if packages else ""


def names() -> list[str]:
    """All benchmarks, whether they can run here or not."""
    return sorted(_modules())


@cache
def _modules() -> dict[str, str]:
    """The module of each benchmark by its name, in whichever folder of ``tasks`` it lies."""
    modules: dict[str, str] = {}
    for found in walk_packages(tasks.__path__, f"{tasks.__name__}."):
        name = found.name.rpartition(".")[2]
        if found.ispkg or name.startswith("_"):
            continue
        if name in modules:
            raise ValueError(f"two benchmarks are called {name!r}: {modules[name]} and {found.name}")
        modules[name] = found.name
    return modules


def _entry(name: str) -> tuple[Benchmark, str]:
    """The function and the name of its folder; "" for a benchmark that makes its own data."""
    module = _module(name)
    run: Callable[[Path], Report] = module.run
    return run, getattr(module, "FOLDER", name)


def _module(name: str) -> ModuleType:
    return import_module(_modules()[name])


def _summary(module: ModuleType) -> str:
    return (module.__doc__ or "").strip().partition("\n")[0]


def _timed(run: Benchmark, folder: Path) -> Report:
    began = time.perf_counter()
    report = run(folder)
    return report if report.seconds else replace(report, seconds=time.perf_counter() - began)
