"""Type-checks the tree as it installs: folders are mapped under ``cliquerag``, so mypy needs them assembled."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def packages() -> dict[str, str]:
    """Package -> folder, as pyproject.toml maps them."""
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return dict(project["tool"]["setuptools"]["package-dir"])


def main() -> int:
    """Link the folders into a temporary tree and run mypy on it; its exit code."""
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary) / "cliquerag"
        tree.mkdir()
        for package, folder in packages().items():
            if package.count(".") == 1 and not folder.startswith("app"):
                (tree / package.split(".")[1]).symlink_to(ROOT / folder, target_is_directory=True)
        for path in (ROOT / "app").iterdir():
            if not path.is_symlink():  # those that ``tools.editor`` makes
                (tree / path.name).symlink_to(path)
        for folder in ("benchmarks", "tools"):
            (Path(temporary) / folder).symlink_to(ROOT / folder, target_is_directory=True)
        options = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / ".mypy_cache")]
        command = [sys.executable, "-m", "mypy", *options, "-p", "cliquerag", "-p", "benchmarks", "-p", "tools"]
        return subprocess.run(command, cwd=temporary, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
