"""cliquerag setup: the one step after pip install."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .common import Face, command, console

if TYPE_CHECKING:
    from ..installing import Part


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
    from ..installing import install, wanted_parts

    wanted = wanted_parts(parts)
    missing = [part for part in wanted if not part.installed]
    for part in wanted:
        _say(face, part)
    if missing and not dry_run and (yes or _agreed(missing)):
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
