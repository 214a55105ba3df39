"""cliquerag doctor and config."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .common import Face, command, lines

if TYPE_CHECKING:
    from rich.console import Console


@command(click.option("--model", help="Check this language model."))
def doctor(face: Face, model: str | None) -> None:
    """Check the installation: store, embedder, endpoint, extras. Exit code 1 if something that is configured fails."""
    from .doctor import check_all

    checks = check_all(face.url, model)
    face.failed = any(check.state == "failed" for check in checks)

    def render(out: Console) -> None:
        colours = {"ok": "green", "absent": "yellow", "failed": "red"}
        for check in checks:
            out.print(f"{check.state:7}", style=colours[check.state], end=" ")
            out.print(f"{check.name:16} {check.detail}", markup=False)

    face.show(checks, render)


@command()
def config(face: Face) -> None:
    """Every setting, its value and where the value comes from."""
    from dataclasses import asdict

    from ..core.redaction import without_credentials
    from ..settings import resolve_settings

    resolved = resolve_settings({"workspace": face.url})
    rows: dict[str, dict[str, object]] = {}
    for name, value in asdict(resolved.settings).items():
        shown = without_credentials(value) if isinstance(value, str) else value
        rows[name] = {"value": shown, "from": resolved.origins[name]}

    face.show(rows, lines(f"{name:14} {row['value']!r:34} {row['from']}" for name, row in rows.items()))
