"""The company that a headline names beside other words."""

from __future__ import annotations

import pytest
from cliquerag.ingest.about.headline import headline_issuer
from cliquerag.ingest.read import read_text


@pytest.mark.parametrize(
    ("lines", "company"),
    [
        (["Credit memo: Pellworm Shipping AS", "Date: 3 February 2025"], "Pellworm Shipping AS"),
        (["Ostheim Brauerei AG: Interim Report", "Figures in EUR"], "Ostheim Brauerei AG"),
        (["Subject: Drayton Mining - notes on the report", "Drayton Mining reported 41 kt."], "Drayton Mining"),
        (["Fernhill Research | Equity Research", "Solmar Retail (SLMR)", "Buy"], "Solmar Retail"),
        (["证券研究报告｜公司点评", "明川医疗（688512）", "海外放量"], "明川医疗"),
        (["明川医疗（688512）深度报告：海外放量", "东岭证券研究所"], "明川医疗"),
        (["Mingchuan Medical (688512.SH): margins under pressure", "Ferry Research"], "Mingchuan Medical"),
        (["富川：维持明川医疗(01024.HK)买入评级 目标价140港元", "富川发表研报"], "明川医疗"),
        (["原标题：富川：予明川医疗(76.000,2.50,3.40%)(2318.HK)目标价100港元 评级“增持”"], "明川医疗"),
        (["原标题：明川医疗(8.290,0.02,0.24%)：并购打开空间    来源：东岭时报"], "明川医疗"),
        (["富川：股市料将回落 维持“中性”看法    来源：东岭时报", "富川：股市料将回落 维持“中性”看法"], ""),
        (["明川医疗（688512）与岚川医疗（688513）比较"], ""),
        (["证券代码（688512）公告", "正文"], ""),
        (["Commission File Number (001234)", "x"], ""),
        (["Beijing (100190)", "x"], ""),
        (["Lakemont Water Utilities — Q4 FY2024 investor letter", "Dear owners"], "Lakemont Water Utilities"),
        (["Memorandum", "Company: Oakline Packaging Holdings, Inc."], "Oakline Packaging Holdings, Inc."),
        (["ACME CORPORATION                    PAGE 1", "Sales rose"], "ACME CORPORATION"),
        (["Auditor: KPMG LLP", "Weekly notes - markets fell", "The markets fell."], ""),
        (["Price to Earnings (PE) ratios are low.", "They fell."], ""),
        (["Quarterly Review - what we saw", "In the Quarterly Review we say what we saw."], ""),
    ],
)
def test_headlines(lines: list[str], company: str) -> None:
    assert headline_issuer(lines).company == company


def test_a_short_note_belongs_to_the_company_of_its_headline() -> None:
    text = "# Brightwell Energy Ltd — First Quarter 2025 Call (edited)\n\nProduction averaged 118,400 barrels a day."
    assert read_text(text, source="notes.md").metadata.companies == ("Brightwell Energy Ltd",)


def test_of_names_that_count_the_same_the_one_with_its_legal_form_is_shown() -> None:
    text = "# Brightwell Energy Ltd — First Quarter 2025 Call (edited)\n\nProduction averaged 118,400 barrels a day."
    assert read_text(text, source="brightwell_1q25.md").metadata.companies == ("Brightwell Energy Ltd",)
