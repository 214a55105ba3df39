"""Questions on small files of kinds that no rule was written for: each stands for a class of texts."""

from __future__ import annotations

import pytest
from cliquerag import Workspace

AIRLINE = """# Aerovia S.A. - March 2025 traffic

| | Mar 2025 | Mar 2024 | YTD Mar 2025 |
|---|---|---|---|
| RPMs (million, scheduled) | | | |
| Domestic | 1,742 | 1,655 | 4,988 |
| Load factor | | | |
| Domestic | 86.6% | 86.9% | 86.0% |
| International | 81.5% | 79.4% | 80.1% |
| Total | 84.6% | 83.8% | 83.6% |
| Passengers (thousand) | 2,514 | 2,405 | 7,206 |
"""
MINE = """# Boroma Gold Limited
Quarterly activities report for the quarter ended 31 March 2025

| | Unit | Sep-24 | Dec-24 | Mar-25 | FY25 YTD |
|---|---|---|---|---|---|
| Sandsong | | | | | |
| Mill throughput | kt | 392 | 370 | 351 | 1,113 |
| Recovery | % | 91.0 | 91.6 | 92.1 | 91.6 |
| Gold produced | oz | 18,610 | 16,950 | 14,870 | 50,430 |
| AISC | A$/oz | 2,395 | 2,610 | 2,874 | 2,613 |
"""
UTILITY = """# Cascadia Power & Gas Company
Annual Report 2024

| $ millions | Electric Distribution | Transmission | Natural Gas | Total |
|---|---|---|---|---|
| Operating income | 462 | 241 | 118 | 821 |
| Rate base at year end | 8,410 | 3,275 | 2,160 | 13,845 |

The figures above are for the year ended December 31, 2024.
"""
FLEET = """# Halcyon Tankers Ltd - Fleet list

| Vessel | Type | Built | Yard | Charter rate (USD/day) |
|---|---|---|---|---|
| Halcyon Spirit | Suezmax | 2018 | Hyundai Samho | 38,500 |
| Halcyon Star | LR2 | 2020 | Daehan | 34,000 |

Halcyon Tankers Ltd has one newbuilding on order, which costs USD 128 million and will be delivered in June 2026.
"""
QUESTIONS = """Fenwick Insurance Holdings - Questions from investors and answers from management

Q1. Why did the combined ratio get worse in 2024?
A. Two hurricanes, Helene and Milton, cost us $184 million net of reinsurance.

Q5. Are you leaving the homeowners market in California?
A. Yes. We stopped writing new policies there in November.
"""
RESTAURANTS = """# Mesquite Grill Holdings, Inc.
Fiscal year 2024 results

Comparable restaurant sales

| | FY 2024 | FY 2023 |
|---|---|---|
| Mesquite Grill | 3.2% | 5.5% |
| Taco Lane | -1.1% | 1.8% |
"""
PROSPECTUS = """# Brightwater Robotics, Inc.

The following table sets forth our capitalization as of March 31, 2025.

| (in thousands) | Actual | As Adjusted |
|---|---|---|
| Term loan | $ 90,000 | $ - |
| Total debt | 125,000 | 35,000 |
| Accumulated deficit | (187,412) | (189,912) |
"""
RESERVES = """# Lonestar Basin Resources, Inc.
10-K for fiscal year 2024

| Proved reserves | Oil (MBbl) | Total (MBoe) |
|---|---|---|
| Balance, December 31, 2022 | 184,210 | 322,624 |
| Extensions and discoveries | 31,400 | 54,020 |
| Balance, December 31, 2023 | 185,500 | 325,984 |
| Purchases of reserves | 40,600 | 70,510 |
| Balance, December 31, 2024 | 201,720 | 354,594 |
"""
BANK = """# Banco Litoral, S.A.
Pillar 3 disclosures

| EUR million | Jun-25 | Mar-25 | Dec-24 |
|---|---|---|---|
| CET1 ratio (%) | 13.4% | 13.3% | 13.2% |
| Liquidity coverage ratio (%) | 168% | 172% | 175% |
"""
HALF_YEAR = """# Castlebrook Life Group plc
Half year results for the six months ended 30 June 2025

| | HY 2025 £m | HY 2024 £m | FY 2024 £m |
|---|---|---|---|
| Operating cash generation | 705 | 648 | 1,403 |
| Profit after tax | 265 | 301 | 588 |
"""
QUARTERS = """# Boroma Gold Limited
Selected quarterly data (in thousands)

| | First | Second | Third | Fourth |
|---|---|---|---|---|
| 2019 | | | | |
| Net sales | $117,625 | $120,684 | $115,651 | $115,040 |
| 2018 | | | | |
| Net sales | $113,530 | $118,021 | $118,859 | $120,073 |
"""
HOTELS = """# Endeavour Hotels Limited

| $ MILLION | F19 53 WEEKS | F18 52 WEEKS |
|---|---|---|
| Sales | 1,671 | 1,612 |
| Cost of sales | 668 | 677 |
| Gross margin (%) | 60.0 | 58.0 |
| Net debt to EBITDA | 0.9 | 0.8 |
"""
SERIES = """# Orrin Tools Corp
Annual report for fiscal year 2024 (in millions)

| Year ended December 31, | 2024 | 2023 | 2022 | 2021 |
|---|---|---|---|---|
| Net sales | 480 | 450 | 400 | 390 |
| Research and development | (48) | (36) | (30) | (25) |
| Net income | 40 | 52 | 31 | 28 |
"""
UNITS = """# Brackley Aero Corp
Annual report for fiscal year 2024

Consolidated Statements of Operations (in millions)

| Year ended December 31, | 2024 | 2023 |
|---|---|---|
| Revenue: | | |
| Subscription | 160 | 140 |
| Products | 340 | 330 |
| Total revenue | 500 | 470 |

In fiscal 2024, subscription revenue was $38 million in the marine business, where prices rose.

BMS revenues consisted of the following (in millions):

| Year ended December 31, | 2024 | 2023 |
|---|---|---|
| Revenue from contracts with customers: | | |
| Commercial | 90 | 80 |
| Government | 70 | 75 |
| Total revenue from contracts with customers | 160 | 155 |
"""
RELEASE = (
    "<html><body><h1>Pinecrest Medical Corp</h1><table>"
    "<tr><th colspan='3'>Condensed Statements of Income (in millions, except per share)</th></tr>"
    "<tr><th></th><th colspan='2'>Three months ended September 30,</th></tr>"
    "<tr><th></th><th>2024</th><th>2023</th></tr>"
    "<tr><td>Net sales</td><td>$412.6</td><td>$376.9</td></tr>"
    "<tr><td>Gross profit</td><td>241.2</td><td>213.7</td></tr></table></body></html>"
)


def _answer(text: str, question: str) -> str:
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(text, source="file.md")
        return workspace.ask(question).text


@pytest.mark.parametrize(
    ("text", "question", "held", "not_held"),
    [
        # the total of the section that is named
        (AIRLINE, "What was Aerovia's load factor in March 2025?", "Load factor, Total, 2025-03: 84.6 %", "86.6%"),
        (AIRLINE, "What was Aerovia's number of passengers in the first three months of 2025?", "7,206 tho", "2,514"),
        # heads of a month and two digits are quarters; the year to date is none; a unit stands in a column
        (MINE, "What was Sandsong's AISC in the December 2024 quarter?", "2,610 AUD/oz", "2,613"),
        (MINE, "How much gold did Sandsong produce in the March 2025 quarter?", "14,870", "50,430"),
        (BANK, "What was Banco Litoral's CET1 ratio at year end 2024?", "13.2 %", "13.4"),
        (BANK, "What was the liquidity coverage ratio of Banco Litoral in March 2025?", "172 %", "168"),
        # of a row the cell whose column is named
        (UTILITY, "What was the rate base of Cascadia's Transmission business?", "3,275", "8,410"),
        (FLEET, "What is the charter rate of the Halcyon Star?", "34,000 (Charter rate (USD/day))", "38,500"),
        (FLEET, "When was the Halcyon Star built?", "2020 (Built)", "Daehan"),
        # what will happen to a thing does not make its price a forecast
        (FLEET, "How much does Halcyon's newbuilding cost?", "USD 128 million", "Not in these"),
        # an answer need not repeat the words of the question it is given to
        (QUESTIONS, "Why did Fenwick's combined ratio get worse in 2024?", "Two hurricanes", "Not in these"),
        (QUESTIONS, "Is Fenwick leaving the homeowners market in California?", "We stopped writing", "hurricanes"),
        # a percentage that is growth is not grown again
        (RESTAURANTS, "What was comparable restaurant sales growth at Taco Lane in fiscal 2024?", "-1.1 %", "161"),
        # the basis asked, and the day that the sentence over the table names
        (
            PROSPECTUS,
            "What is Brightwater Robotics' total debt as adjusted?",
            "35,000 thousand (",  # the row as adjusted, or the fact that was read of it
            "125,000",
        ),
        (
            PROSPECTUS,
            "What is Brightwater Robotics' total debt on an actual basis?",
            "125,000 thousand (Actual)",
            "35,000",
        ),
        (
            PROSPECTUS,
            "What was Brightwater Robotics' total debt at March 31, 2025?",
            "USD 125,000 thousand",
            "35,000 [",
        ),
        # half years by their short name
        (HALF_YEAR, "What was Castlebrook's operating cash generation in the first half of 2024?", "648", "1,403"),
        (HALF_YEAR, "What was Castlebrook's operating cash generation in 2024?", "1,403", "648"),
        # four quarters by their number alone, over rows that are of a year
        (QUARTERS, "What were Boroma Gold's net sales in Q3 2019?", "115,651", "118,859"),
        (QUARTERS, "How did Boroma Gold's net sales change from Q2 2018 to Q2 2019?", "2,663", "Not in these"),
        # years as Australians write them; a share said twice, the average of shares, all years; what is no money
        (HOTELS, "What were Endeavour Hotels' sales in F18?", "1,612 million", "1,671"),
        (
            HOTELS,
            "What is Endeavour Hotels' proportion of cost of sales as a percentage of sales in 2019?",
            "40 %",
            "Not in these",
        ),
        (
            HOTELS,
            "What is Endeavour Hotels' average ratio of cost of sales to sales across both years?",
            "0.41",
            "Not in these",
        ),
        (HOTELS, "In which year was Endeavour Hotels' net debt to EBITDA larger?", "0.9", "million"),
        (HOTELS, "What was Endeavour Hotels' gross margin in 2018?", "58", "million"),
        # the last years, counted from the report; a cost in parentheses is an amount
        (SERIES, "What was Orrin Tools' average net sales over the last three years?", "443.3", "Not in these"),
        (SERIES, "What was Orrin Tools' net income in each of the past two fiscal years?", "52", "31"),
        (SERIES, "By how much did Orrin Tools' net sales grow over the last two years?", "480 - 400", "450"),
        (
            SERIES,
            "By how much did Orrin Tools' net sales in its annual report grow over the last two years?",
            "480 - 400",
            "450",
        ),
        (SERIES, "In which of the last three years was Orrin Tools' net income highest?", "52", "40"),
        (SERIES, "How did Orrin Tools' net sales develop over the past three years?", "FY2021: USD 390", "R&D"),
        (SERIES, "What was Orrin Tools' R&D as a percentage of net sales in 2024?", "10 %", "-10"),
        (
            SERIES,
            "Margin is defined as net income / net sales. What was the margin of Orrin Tools in all years?",
            "FY2021",
            "Not in these",
        ),
        # a sentence may speak of a part alone, a table of a segment
        (UNITS, "What was Brackley Aero's subscription revenue in 2024?", "USD 160 million", "38 million"),
        (UNITS, "What was Brackley Aero's revenue from government in 2024?", "Government", "Government, revenue"),
        # what moved between two balances is of the year to the second one
        (RESERVES, "What were Lonestar's purchases of reserves of oil in 2024?", "40,600", "31,400"),
    ],
)
def test_a_question_on_a_file_of_a_new_kind(text: str, question: str, held: str, not_held: str) -> None:
    answer = _answer(text, question)
    assert held in answer
    assert not_held not in answer


def test_a_title_over_all_columns_is_no_part_of_the_company_and_its_exception_no_unit(tmp_path) -> None:
    path = tmp_path / "release.html"
    path.write_text(RELEASE, encoding="utf-8")
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add(str(path))
        assert "USD 412.6 million" in workspace.ask("What were Pinecrest's net sales in Q3 2024?").text
        assert "58.5 %" in workspace.ask("What was Pinecrest's gross margin in Q3 2024?").text


def test_a_measure_that_only_others_print_is_no_company() -> None:
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(AIRLINE.replace("Aerovia S.A.", "AEROVIA S.A.B. de C.V."), source="aerovia.md")
        workspace.add_text(MINE, source="boroma.md")
        answer = workspace.ask("What was Sandsong's AISC in the December 2024 quarter?").text
    assert "2,610 AUD/oz" in answer
    assert "taken for" not in answer


def test_the_rest_of_a_text_without_pages_is_read() -> None:
    """The sentence that answers stands in a chunk that the search, which shows the best of a document, left out."""
    filler = "\n\n".join(f"Restaurants of Mesquite Grill Holdings in region {n} were busy." for n in range(30))
    text = f"# Mesquite Grill Holdings, Inc.\n\n{filler}\n\nFor 2025 management expects 30 to 35 new restaurants."
    assert "30 to 35" in _answer(text, "How many new restaurants will Mesquite Grill Holdings open in 2025?")
