"""Lets an editor follow imports in a clone: the folders linked the way in which they install.

`app/` is the package `cliquerag` and its neighbours are its subpackages, which no editor can know: in app/cli,
``from ..core.errors`` names a folder that is not in app/. So the neighbours are linked into app/, and app/ as
``.editor/cliquerag``, where ``extraPaths`` of pyproject.toml finds it. Git leaves the links out, and nothing needs them
to run.

    python -m tools.editor            make the links
    python -m tools.editor --remove   take them away
"""

from __future__ import annotations

import sys
from pathlib import Path

from .typecheck import ROOT, packages


def links() -> dict[Path, Path]:
    """Link -> what it points to, relative to where it lies."""
    made = {ROOT / ".editor" / "cliquerag": Path("../app")}
    for package, folder in packages().items():
        if package.count(".") == 1 and not folder.startswith("app"):
            made[ROOT / "app" / package.split(".")[1]] = Path("..", folder)
    return made


def main() -> int:
    """Make the links, or take them away; 1 where something else has one of their names."""
    removes = "--remove" in sys.argv[1:]
    for link, target in links().items():
        if link.is_symlink():
            link.unlink()
        if removes:
            continue
        if link.exists():
            print(f"{link} is there already and is no link", file=sys.stderr)
            return 1
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(target, target_is_directory=True)
    print("removed" if removes else "linked: open the clone in an editor, with .venv as its interpreter")
    return 0


if __name__ == "__main__":
    sys.exit(main())
