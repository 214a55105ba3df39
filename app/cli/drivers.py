"""cliquerag graph drivers: what moved a figure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import Face, as_of_option, command

if TYPE_CHECKING:
    from datetime import date

    from rich.console import Console

    from ..kg.drivers import Cause, Driver

_ARROWS: Mapping[str, str] = {"up": "▲", "down": "▼", "flat": "▬", "": "·"}
_SIGNS = {1: "+", -1: "−", 0: "·"}


@command(
    click.argument("company", default=""),
    click.option("--metric", multiple=True, help="Only this figure (revenue, gross margin); repeat for several."),
    click.option("--period", multiple=True, help="Only this period (FY2022, Q2 2024); repeat for several."),
    click.option("--cause", multiple=True, help="Only with a cause of this class (currency, price, volume ...)."),
    click.option("--source", multiple=True, help="Only this document; repeat for several."),
    click.option("--limit", type=click.IntRange(min=1), default=40, show_default=True, help="Drivers at most."),
    click.option("--html", type=click.Path(path_type=Path), help="Draw them into this file, with waterfalls."),
    as_of_option,
    name="drivers",
)
def drivers(
    face: Face,
    company: str,
    metric: tuple[str, ...],
    period: tuple[str, ...],
    cause: tuple[str, ...],
    source: tuple[str, ...],
    limit: int,
    html: Path | None,
    as_of: date | None,
) -> None:
    """What moved a figure: causes with sign and class.

    COMPANY may be left out: "whom did currency hurt?" is `drivers --cause currency`.
    """
    from ..core.errors import UsageError

    with face.workspace() as workspace:
        try:
            found = workspace.drivers(
                company or None, metric, period, category=cause, sources=source or None, as_of=as_of, limit=limit
            )
        except ValueError as error:
            raise UsageError(str(error), where="--period") from error
        names = workspace.sources.short_names({driver.document for driver in found})
        if html:
            from ..views.drivers_page import drivers_html

            title = " ".join(filter(None, ("Drivers", company, *metric, *period, *cause)))
            html.write_text(drivers_html(found, title), encoding="utf-8")
            face.say(f"Written: {html}")

    def render(out: Console) -> None:
        for driver in found:
            _print_driver(out, driver, names)
        if not found:
            out.print("No drivers: no sentence says what moved such a figure.")

    face.show(found, render)


def _print_driver(out: Console, driver: Driver, names: Mapping[str, str]) -> None:
    amounts = [quantity.text for quantity in (driver.change, driver.percent, driver.level) if quantity]
    about = [driver.company, str(driver.period or ""), *amounts, "expected" if driver.outlook else ""]
    head = f"{_ARROWS[driver.direction]} {driver.label}  ({', '.join(filter(None, about))})"
    out.print(head, style="bold", markup=False)
    for cause in driver.causes:
        _print_cause(out, cause, depth=1)
    place = names.get(driver.document, driver.document)
    page = f" p. {driver.page}" if driver.page else ""
    out.print(f"    {' '.join(driver.text.split())}", style="dim", markup=False)
    out.print(f"    {place}{page}\n", style="dim", markup=False)


def _print_cause(out: Console, cause: Cause, depth: int) -> None:
    from ..kg.extraction.drivers.readings import category_name

    kinds = [category_name(cause.category).lower(), cause.role if cause.role != "cause" else ""]
    chips = ", ".join(filter(None, kinds))
    line = f"{'    ' * depth}{_SIGNS[cause.sign]} {' '.join(cause.text.split())}"
    out.print(f"{line}  [{chips}]" if chips else line, markup=False)
    for behind in cause.causes:
        _print_cause(out, behind, depth + 1)
