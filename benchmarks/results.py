"""Keeps what benchmarks found, a JSON file each and one Markdown page of all, and finds what got worse since."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row, as_markdown, number
from cliquerag.evaluation.statistics import paired_bootstrap

DOCS = Path("docs")
COST_NOISE = 0.25
"""Times vary from run to run; a quarter more is taken for real."""
_KEPT_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """A report with the circumstances it was made in."""

    report: Report
    date: str
    machine: str
    commit: str


def write_report(report: Report, docs: Path = DOCS) -> Path:
    """Keep the report as ``docs/benchmarks/NAME.json`` and write ``docs/benchmarks.md`` anew from all that is kept."""
    folder = docs / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{report.name}.json"
    path.write_text(_to_json(Kept(report, today(), machine(), commit(docs))), encoding="utf-8")
    (docs / "benchmarks.md").write_text(as_document(kept_reports(docs)), encoding="utf-8")
    return path


def kept_reports(docs: Path = DOCS) -> dict[str, Kept]:
    """Name -> the kept report, in alphabetical order."""
    files = sorted((docs / "benchmarks").glob("*.json"))
    return {path.stem: _from_json(path.read_text(encoding="utf-8")) for path in files}


def as_document(kept: dict[str, Kept]) -> str:
    """All kept reports as one Markdown page."""
    parts = [
        "# Benchmarks",
        "Written by `python -m benchmarks --write`, never by hand. Brackets hold 95 % bootstrap intervals over the "
        "questions; a difference counts where its paired interval leaves out zero. The best value of a column is bold.",
    ]
    for name, item in kept.items():
        parts += [f"## {name}", *item.report.notes, as_markdown(item.report), _circumstances(item)]
    return "\n\n".join(parts) + "\n"


def regressions(kept: Report, now: Report) -> list[str]:
    """What got worse beyond noise, one sentence each.

    Pair by pair over the questions where both hold a value a question; else where the value leaves the kept interval;
    costs (times, bytes) where they grew by a quarter.

    >>> regressions(Report("x", (Row("a", "hit@5", .9, .85, .95),)), Report("x", (Row("a", "hit@5", .8),)))
    ['x: hit@5 of a fell from 0.900 to 0.800']
    """
    today = {(row.system, row.metric): row for row in now.rows}
    found = []
    for old in kept.rows:
        if old.better == "neither":
            continue
        new = today.get((old.system, old.metric))
        if new is None:
            found.append(f"{now.name}: {old.metric} of {old.system} is no longer measured")
        elif _worse(old, new):
            moved = "rose" if new.value > old.value else "fell"
            found.append(
                f"{now.name}: {old.metric} of {old.system} {moved} from {number(old.value)} to {number(new.value)}"
            )
    return found


def today() -> str:
    """The date that results are kept under."""
    return datetime.now(timezone.utc).date().isoformat()


def machine() -> str:
    """Processor, cores, system and Python in one line."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else 0
    size = f", {memory:.0f} GiB" if memory else ""
    return f"{_processor()}, {os.cpu_count()} cores{size}, {platform.system()}, Python {platform.python_version()}"


def commit(folder: Path) -> str:
    """Short hash of the checkout that ``folder`` is in, "+" behind it when files differ from it; "" outside git.

    The kept results themselves may differ: they are what is being written.
    """
    where = folder if folder.is_dir() else Path()
    kept = (":/", ":(exclude)*benchmarks.md", ":(exclude)*benchmarks/*.json")
    try:
        short = _git(where, "rev-parse", "--short=10", "HEAD")
        return short + ("+" if _git(where, "status", "--porcelain", "--untracked-files=no", "--", *kept) else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()


def _worse(old: Row, new: Row) -> bool:
    loss = new.value - old.value if old.lower_is_better else old.value - new.value
    if loss <= 0:
        return False
    if old.values and len(old.values) == len(new.values):
        _, low, high = paired_bootstrap(new.values, old.values)
        return low > 0 if old.lower_is_better else high < 0
    if old.low is not None and old.high is not None:
        return not old.low <= new.value <= old.high
    return loss > COST_NOISE * abs(old.value) if old.lower_is_better else loss > 0.01 * abs(old.value)


def _circumstances(item: Kept) -> str:
    settings = "".join(f", {key} {value}" for key, value in item.report.settings.items())
    made = f" at commit {item.commit}" if item.commit else ""
    return f"<sub>{item.date}{made}; {item.machine}; {item.report.seconds:.0f} s{settings}</sub>"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _to_json(kept: Kept) -> str:
    """One line a row, so that a later run shows as a small difference."""
    head = asdict(kept)
    report = head.pop("report")
    rows = [json.dumps(_compact(row), ensure_ascii=False) for row in report.pop("rows")]
    text = json.dumps({**head, **report, "rows": []}, ensure_ascii=False, indent=1)
    before, _, after = text.rpartition("[]")
    return before + "[\n  " + ",\n  ".join(rows) + "\n ]" + after + "\n"


def _compact(row: dict[str, Any]) -> dict[str, Any]:
    """Without defaults, numbers to five digits."""
    short = {key: round(value, _KEPT_DIGITS) if isinstance(value, float) else value for key, value in row.items()}
    short["values"] = [int(v) if v == int(v) else round(v, _KEPT_DIGITS) for v in row["values"]]
    return {key: value for key, value in short.items() if value not in (None, "", []) and (key, value) != ("n", 0)}


def _from_json(text: str) -> Kept:
    data = json.loads(text)
    known = {field.name for field in fields(Row)}
    rows = tuple(
        Row(**{**{k: v for k, v in row.items() if k in known}, "values": tuple(row.get("values", ()))})
        for row in data["rows"]
    )
    report = Report(data["name"], rows, tuple(data["notes"]), data["seconds"], data["settings"])
    return Kept(report, data["date"], data["machine"], data["commit"])
