"""Displayed equations become units with their fractions; sentences, notes and tables with an equals sign do not."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from cliquerag.ingest.pdf.equations import is_equation
from cliquerag.ingest.pdf.reader import read_pdf
from support.pdf_samples import paragraph, save, write

PROSE = "Return on capital is what the company earns on all the money that owners and lenders have put into it. " * 4


@pytest.mark.parametrize(
    "text",
    [
        "Return on equity = Net income / Average equity × 100",
        "EPS = (Net income – Preferred dividends) / Shares",
        "净资产收益率 = 净利润 ÷ 平均净资产 × 100%",
        "Free cash flow = Operating cash flow − Capital expenditures",
    ],
)
def test_a_calculation_is_an_equation(text: str) -> None:
    assert is_equation(text)


@pytest.mark.parametrize(
    "text",
    [
        "N/A = Not Applicable",
        "I/O = interest only",
        "= Other comprehensive income/(loss), included in the consolidated statements",
        "Tier 1 capital ≥ 4.0 % of assets",
        "(a) OID = Other (income)/deductions—net, included there",
        "√适用 □不适用",
    ],
)
def test_a_note_or_a_mark_is_none(text: str) -> None:
    assert not is_equation(text)


def test_an_equation_is_a_unit_with_its_fraction_and_its_region(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    paragraph(page, (50, 60, 550, 130), PROSE)
    write(page, 250, 190, "Net income + interest", 10)
    write(page, 120, 200, "Return on capital =", 10)
    write(page, 380, 200, "× 100", 10)
    write(page, 250, 212, "Equity + debt", 10)
    write(page, 120, 260, "Free cash flow = Operating cash flow - Capital expenditures", 10)
    paragraph(page, (50, 300, 550, 380), PROSE)
    content = read_pdf(save(document, tmp_path / "a.pdf"))
    found = [block for block in content.blocks if block.kind == "figure"]
    assert [block.pieces[0].text for block in found] == ["[Equation]", "[Equation]"]
    fraction, flow = found
    assert "Net income + interest" in fraction.text and "Equity + debt" in fraction.text
    assert flow.text.endswith("Free cash flow = Operating cash flow - Capital expenditures")
    box = fraction.pieces[0].box
    assert box is not None and box[0] < 125 and box[1] < 184 and box[3] > 210
    running = [block for block in content.blocks if block.kind != "figure"]
    assert len(running) == 2 and all(PROSE.strip()[:40] in block.text for block in running)


def test_a_line_within_a_paragraph_stays_there(tmp_path: Path) -> None:
    document = pymupdf.open()
    page = document.new_page()
    for at, text in enumerate((PROSE[:90], "as margin = income / sales, which is given for each", PROSE[:90])):
        write(page, 50, 100 + 12 * at, text, 10)
    assert not [block for block in read_pdf(save(document, tmp_path / "a.pdf")).blocks if block.kind == "figure"]
