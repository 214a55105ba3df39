"""The wheel in an environment of its own: installed, set up and shown to work, on the oldest and the newest Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.10", "3.14", "3.13", "3.12", "3.11")
"""The oldest that is promised, then the newest first."""

pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("CLIQUERAG_TEST_WHEEL"), reason="fetches 300 MB a Python; CLIQUERAG_TEST_WHEEL=1 runs it"
    ),
    pytest.mark.timeout(1800),
]


def run(*command: str | Path, folder: Path, wanted: bool = True) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("CLIQUERAG_", "PYTHON"))}
    done = subprocess.run([str(part) for part in command], cwd=folder, env=own, capture_output=True, text=True)
    assert not wanted or not done.returncode, f"{done.stdout}\n{done.stderr}"
    return done


def pythons() -> list[Path]:
    """The Python of the oldest version and of the newest that is here; the one that runs the tests counts, too."""
    found = [python for version in VERSIONS if (python := python_of(version))]
    return list(dict.fromkeys([found[0], found[1 if len(found) > 1 else 0]])) if found else [Path(sys.executable)]


def python_of(version: str) -> Path | None:
    """A Python of that version that starts, on the path or among pyenv's."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    named = shutil.which(f"python{version}")
    places = sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)
    for place in [*places, *([Path(named)] if named else [])]:
        done = subprocess.run(
            [place, "-c", "import sys, ssl; print(*sys.version_info[:2])"], capture_output=True, text=True
        )
        if done.stdout.split() == version.split("."):
            return place
    return None


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree, built outside of it."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", ".venv*", "build", "*.egg-info", "__pycache__"))
    pip = (sys.executable, "-m", "pip")
    probe = run(*pip, "download", "--no-deps", "-d", folder, "tomli", folder=folder, wanted=False)
    if probe.returncode:
        pytest.skip("no package index can be reached")
    run(*pip, "wheel", "--no-deps", "-w", folder, tree, folder=folder)
    return next(folder.glob("cliquerag-*.whl"))


@pytest.mark.parametrize("python", pythons(), ids=lambda python: python.parts[-3])
def test_the_demo_runs_from_an_installed_wheel(python: Path, wheel: Path, tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    run(python, "-m", "venv", environment, folder=tmp_path)
    own = environment / "bin"
    run(own / "python", "-m", "pip", "install", "--quiet", wheel, folder=tmp_path)
    assert run(own / "cliquerag", "setup", "--dry-run", folder=tmp_path).stdout.startswith("Not installed: embedding")
    told = run(own / "cliquerag", "setup", "--yes", folder=tmp_path)
    assert "84 MB to download" in told.stderr and "Everything is there" in told.stdout
    assert "torch" not in run(own / "python", "-m", "pip", "list", folder=tmp_path).stdout
    shown = run(own / "cliquerag", "demo", folder=tmp_path)
    assert "ok      embedder" in run(own / "cliquerag", "doctor", folder=tmp_path).stdout
    assert "page" in shown.stdout
