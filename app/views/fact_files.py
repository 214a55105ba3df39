"""Facts as a table in a file: CSV, or an Excel workbook whose cells link to the document and page."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path, PurePath
from typing import Any

from ..core.anchor import at_place, place_name
from ..core.errors import UsageError
from ..core.fact import Fact
from ..core.period import label_of, last_day_of
from ..sources import on_disk

COLUMNS = (
    "company", "metric", "as written", "period", "period end", "value", "unit", "scale", "amount", "printed",
    "dimensions", "basis", "consolidation", "document", "page", "table", "row", "column", "confidence",
)  # fmt: skip
_NUMBERS = ("value", "scale", "amount", "page", "table", "row", "column", "confidence")
_LINKED = ("value", "document", "page")
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
_MOST_LINKS = 60_000
"""Excel opens a sheet with at most 65,530 links."""
_WIDTHS = {"company": 26, "as written": 44, "document": 36, "metric": 24, "value": 14, "amount": 18, "printed": 14}


def write_facts(path: Path, facts: Sequence[Fact], locate: Callable[[str], Path]) -> None:
    """Write a CSV or an Excel file, by the ending of its name; ``locate`` gives the file of a document.

    No text becomes a formula, whatever it begins with. Raises UsageError for another ending, and for a workbook
    without the extra ``excel``.
    """
    if path.suffix.lower() == ".csv":
        _write_csv(path, facts)
    elif path.suffix.lower() == ".xlsx":
        _write_workbook(path, facts, locate)
    else:
        raise UsageError(f"{path.suffix or 'no ending'} is not known", where=str(path), hint="End it in .csv or .xlsx")


def _write_csv(path: Path, facts: Sequence[Fact]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # the mark lets Excel read Chinese
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for fact in facts:
            row = _row(fact)
            writer.writerow([_plain(row[name], name) for name in COLUMNS])


def _write_workbook(path: Path, facts: Sequence[Fact], locate: Callable[[str], Path]) -> None:
    workbook = _workbook(path)
    sheet = workbook.add_worksheet("Facts")
    head = workbook.add_format({"bold": True, "bottom": 1})
    for column, name in enumerate(COLUMNS):
        sheet.write_string(0, column, name, head)
        sheet.set_column(column, column, _WIDTHS.get(name, 11))
    formats = {"value": "#,##0.####", "amount": "#,##0.####", "scale": "#,##0"}
    styles = {name: workbook.add_format({"num_format": form}) for name, form in formats.items()}
    linked = {**styles, **dict.fromkeys(_LINKED, workbook.get_default_url_format())}
    for number, fact in enumerate(facts, 1):
        if number * len(_LINKED) <= _MOST_LINKS:
            _write_links(sheet, number, fact, _target(fact, locate))
            _write_row(sheet, number, fact, linked)
        else:
            _write_row(sheet, number, fact, styles)
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(1, len(facts)), len(COLUMNS) - 1)
    workbook.close()


def _write_links(sheet: Any, number: int, fact: Fact, target: str) -> None:
    row = _row(fact)
    tip = at_place(fact.source, fact)
    for name in _LINKED:
        if row[name] is not None:
            sheet.write_url(number, COLUMNS.index(name), target, tip=tip)


def _write_row(sheet: Any, number: int, fact: Fact, styles: Mapping[str, Any]) -> None:
    row = _row(fact)
    for column, name in enumerate(COLUMNS):
        _write_cell(sheet, number, column, row[name], styles.get(name))


def _write_cell(sheet: Any, row: int, column: int, value: object, style: Any) -> None:
    if isinstance(value, str):
        sheet.write_string(row, column, value, style)
    elif value is not None:
        sheet.write_number(row, column, value, style)


def _workbook(path: Path) -> Any:
    try:
        import xlsxwriter
    except ImportError as error:
        hint = "Install it with: pip install 'cliquerag[excel]'; or write a .csv"
        raise UsageError("Excel workbooks need the package xlsxwriter", where=str(path), hint=hint) from error
    return xlsxwriter.Workbook(str(path), {"strings_to_urls": False, "strings_to_formulas": False})


def _target(fact: Fact, locate: Callable[[str], Path]) -> str:
    """The document's address, at the page where viewers know pages, at the cell of a workbook, the slide of a deck.

    xlsxwriter would make a Windows path of "file:"; schemes are read in any case.
    """
    address = fact.source
    if "://" not in address:
        file = on_disk(locate(fact.source))
        address = file.absolute().as_uri().replace("file", "FILE", 1)
    place = _place_in_program(fact)
    return f"{address}#{place}" if place else address


def _place_in_program(fact: Fact) -> str:
    """What follows # in a link: "page=3" for PDF viewers, "Income!B4" for Excel, a slide's number for PowerPoint."""
    suffix = PurePath(fact.source).suffix.lower()
    place = place_name(fact)
    if suffix in (".xlsx", ".xlsm"):
        return place
    if suffix in (".pptx", ".pptm"):
        return str(fact.page)
    return f"page={fact.page}" if fact.page and not place else ""


def _row(fact: Fact) -> dict[str, Any]:
    """The cells by column. A fact that is a text has no value, scale and amount."""
    period = fact.period
    return {
        "company": fact.company,
        "metric": fact.metric,
        "as written": fact.label,
        "period": label_of(period),
        "period end": last_day_of(period),
        "value": _float(fact.value),
        "unit": fact.unit,
        "scale": None if fact.value is None else float(fact.scale),
        "amount": _float(fact.amount),
        "printed": " ".join(fact.text.split()),
        "dimensions": "; ".join(f"{axis}: {member}" for axis, member in fact.dimensions),
        "basis": fact.basis,
        "consolidation": fact.consolidation,
        "document": fact.source,
        "page": fact.page,
        "table": _from_one(fact.table),
        "row": _from_one(fact.row),
        "column": _from_one(fact.column),
        "confidence": round(fact.confidence, 3),
    }


def _float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _from_one(index: int | None) -> int | None:
    return None if index is None else index + 1


def _plain(value: object, name: str) -> object:
    """A cell of CSV: what a spreadsheet would take for a formula begins with an apostrophe."""
    if name in _NUMBERS:
        return "" if value is None else f"{value:.15g}"
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text
