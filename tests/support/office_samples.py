"""Office files, messages and archives written by their own libraries, for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from email.message import EmailMessage
from typing import Any

import docx
import openpyxl
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

STATEMENT = (("Revenue", "1,234", "1,100"), ("Net income", "(56)", "78"))


def saved(made: Any) -> bytes:
    """What ``made.save`` writes."""
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def run_of(text: str, tag: str = "w:t") -> Any:
    """A run of a Word document."""
    run, words = OxmlElement("w:r"), OxmlElement(tag)
    words.text = text
    words.set(qn("xml:space"), "preserve")
    run.append(words)
    return run


def changed(kind: str, text: str) -> Any:
    """A tracked change: "w:ins", "w:del", "w:moveFrom" or "w:moveTo"."""
    change = OxmlElement(kind)
    change.set(qn("w:id"), "1")
    change.set(qn("w:author"), "Jane")
    change.append(run_of(text, "w:delText" if kind == "w:del" else "w:t"))
    return change


def word_report() -> Any:
    """A short report: headings, a tracked change, a table whose heads span two columns."""
    made = docx.Document()
    made.add_heading("Acme Corp. annual report 2023", 1)
    made.add_paragraph("Acme Corp. supplies valves to Bolt Inc. The fiscal year ended December 31, 2023.")
    made.add_heading("Results", 2)
    told = made.add_paragraph("Revenue rose by ")
    told._p.append(changed("w:del", "5"))
    told._p.append(changed("w:ins", "12"))
    told.add_run(" percent.")
    table = made.add_table(rows=4, cols=3)
    table.cell(0, 1).merge(table.cell(0, 2)).text = "Year ended December 31,"
    for row, texts in enumerate((("(in millions)", "2023", "2022"), *STATEMENT), 1):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    return made


def workbook() -> Any:
    """A model: an income statement with a hidden row and a formula, a list, a hidden sheet, a cell far away."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Income"
    sheet["A1"] = "Acme Corp. income statement"
    sheet["A2"] = "USD in millions, fiscal year ended December 31"
    rows = (
        ("", 2023, 2022),
        ("Revenue", 1234.5, 1100),
        ("Cost of sales", -700, -650),
        (),
        ("Gross margin", 0.433, 0.409),
    )
    for row, values in enumerate(rows, 4):
        for column, value in enumerate(values, 1):
            if value != "":
                sheet.cell(row, column, value)
    for address in ("B8", "C8"):
        sheet[address].number_format = "0.0%"
    sheet["A9"], sheet["B9"], sheet["C9"] = "Net income", "=B5-B6", 150
    sheet.row_dimensions[6].hidden = True
    data = made.create_sheet("Q1 data")
    data.append(["Segment", "Revenue 2023"])
    for number in range(130):
        data.append([f"Segment {number}", number * 10])
    data["XFD1048576"] = "far away"
    old = made.create_sheet("Old")
    old["A1"] = "kept back"
    old.sheet_state = "hidden"
    return made


def deck() -> Any:
    """Two slides: a title with notes, a table with a chart."""
    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[1])
    first.shapes.title.text = "Acme Corp. Q3 2023 results"
    first.placeholders[1].text = "Revenue up 12%\nMargin of 43%"
    first.notes_slide.notes_text_frame.text = "Mention that Bolt Inc. supplies Acme."
    second = made.slides.add_slide(made.slide_layouts[5])
    second.shapes.title.text = "Revenue by segment"
    table = second.shapes.add_table(3, 3, Inches(1), Inches(1.5), Inches(6), Inches(1)).table
    rows = (("($ in millions)", "Q3 2023", "Q3 2022"), ("Cloud", "120", "100"), ("Total revenue", "500", "480"))
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    data = CategoryChartData(number_format='"$"#,##0')
    data.categories = ["2022", "2023"]
    data.add_series("Revenue", (1100, 1234.5))
    chart = second.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(6), Inches(3), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Acme revenue, $ in millions"
    return made


def mail(attachments: Mapping[str, bytes]) -> bytes:
    """A message with files attached."""
    made = EmailMessage()
    made["From"], made["To"] = "Jane Doe <jane@acme.com>", "desk@example.com"
    made["Date"], made["Subject"] = "Mon, 06 Nov 2023 10:00:00 +0000", "Acme 第三季度"
    made.set_content("Dear all,\n\nAcme Corp. acquired Bolt Inc. in 2023.\n\nJane")
    for name, data in attachments.items():
        made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return made.as_bytes()


def zipped(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def with_parts(office: bytes, parts: Mapping[str, bytes | str]) -> bytes:
    """An office file with these parts in it, or in the place of its own."""
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        own: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    return zipped(own | dict(parts))
