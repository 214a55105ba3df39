"""Causes, comparisons and what follows from the sentence before: forms of replies on filings, each true and false."""

from __future__ import annotations

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.citations import Citations
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage
from cliquerag.retrieval.answer.generative.grounding.checked_writer import CheckedWriter
from cliquerag.retrieval.answer.generative.reply_text import is_bare_answer
from cliquerag.retrieval.search.evidence import Evidence

CALL = Passage(
    "Turning to our outlook for the fourth quarter, we now expect net revenue to be between 500 and 520 million. As "
    "a reminder, last year's results included approximately 40 million from our airline launch. "
    "Moving to our retail business, sales decreased approximately 44% in the quarter to $8 million. This decrease "
    "was driven by lower traffic due to the pandemic, partially offset by improved conversion in our stores. Gross "
    "margin in the third quarter increased approximately 10 basis points to 45.4%. Gross margin benefited from our "
    "improved promotional strategies. This was partially offset by higher shipping costs and surcharges. The overall "
    "global e-commerce business is now probably up over 80% as a percent of our total. The new term loan extends our "
    "debt duration. Should the Directors be unable to raise sufficient funds, the Company may be unable to realise its "
    "assets.",
    "Northwind Outfitters | earnings call | Q3 FY2020",
    "call.txt",
)
BANK = Passage(
    "(In thousands)\n\n| | 2022 | 2021 | % Change |\n| --- | --- | --- | --- |\n"
    "| Salaries and employee benefits | 23,801 | 19,305 | 23.29% |\n"
    "| Advertising and marketing | 2,304 | 1,565 | 47.22% |\n"
    "| Outside services | 2,075 | 1,394 | 48.85% |\n| Total deposits | 1,512,889 | 1,411,963 | 7.15% |",
    "Elmwood Bank | annual report | FY2022",
    "bank.pdf",
)
UNITED_KINGDOM = Passage(
    "| | Note | 2022 £’000 | 2021 £’000 |\n| --- | --- | --- | --- |\n| Administrative expenses | | (309) | (330) |\n\n"
    "Expenditure on the Liandu project amounted to £0.468 million (2021: £0.272 million).",
    "Elm Capital Plc | annual report | FY2022",
    "plc.pdf",
)
GROCER = Passage(
    "(in millions)\n\n| | May 7, 2022 | May 1, 2021 | % Change |\n| --- | --- | --- | --- |\n"
    "| Sales | 7,840.8 | 6,920.0 | 13.3% |\n| Gross profit | 2,004.0 | 1,795.7 | 11.6% |\n"
    "| EBITDA | 586.2 | 514.4 | 14.0% |\n| Finance costs, net | 82.0 | 66.7 | 22.9% |\n"
    "| Crombie REIT | 10.7 | 11.8 | |\n| Genstar | 3.3 | 4.4 | |\n\n"
    "Gross profit increased by 11.6% primarily as a result of higher sales. Gross margin decreased due to higher fuel "
    "sales. The decrease was partially offset by the inclusion of Longo’s. Excluding the effect of fuel mix, gross "
    "margin was 17 basis points higher than prior year. Net finance costs increased primarily due to a premium on an "
    "early redemption. Selling expenses increased as a result of retail labour costs. "
    "The biggest factor in the international growth was the reopening of Canadian wholesale. "
    "We appointed Alison Dean, former CFO of iRobot, to the audit committee. Inventory will remain tight.",
    "Elm Grocers | annual report | FY2022",
    "grocer.pdf",
)
TAIWAN = Passage("質抵押資產合計2,862,936仟元。", "中華電信", "tw.pdf")
CHINESE = Passage(
    "单位:元\n| 分地区 | 营业收入 | 毛利率（%） |\n| --- | --- | --- |\n| 境内 | 397,875,535.30 | 29.43 |\n"
    "| 境外 | 737,763,832.75 | 18.42 |\n\n公司拟向全体股东每10股派发现金红利1.88元（含税）。",
    "四方科技 | annual report | 2019",
    "zh.pdf",
)


@pytest.mark.parametrize(
    "passage, sentence",
    [
        (CALL, "Retail sales fell mainly because fewer customers visited the stores during the pandemic."),
        (CALL, "Better conversion in the stores softened the decline."),
        (CALL, "Net revenue is guided to $500–520 million."),
        (CALL, "Excluding the roughly $40 million from the airline launch, revenue is expected to be flat."),
        (CALL, "Global e-commerce is now probably over 80% of total sales."),
        (CALL, "If the money cannot be raised, the company may be unable to realise its assets."),
        (BANK, "Advertising and marketing grew faster than salaries and employee benefits."),
        (BANK, "Salaries and employee benefits were higher than outside services in 2022."),
        (BANK, "Deposits grew to $1,512.9 million in 2022: (1,512.9 - 1,412.0) / 1,412.0 = 7.1%."),
        (UNITED_KINGDOM, "Administrative expenses fell to £309 thousand."),
        (UNITED_KINGDOM, "It spent £0.468 million in 2022, £0.272 million in 2021, £0.740 million over the two years."),
        (GROCER, "Sales rose 13.3%."),
        (GROCER, "Without the effect of fuel, gross margin would have been 17 basis points higher."),
        (GROCER, "The inclusion of Longo's partly cushioned the decline in gross margin."),
        (GROCER, "Finance costs rose because of a premium on an early redemption."),
        (GROCER, "EBITDA rose from $514.4 million to $586.2 million."),
        (GROCER, "Crombie REIT earned more than Genstar in the quarter."),
        (GROCER, "The reopening of Canadian wholesale was the biggest factor in international growth."),
        (GROCER, "Alison Dean, the former CFO of iRobot, was appointed to the audit committee."),
        (GROCER, "This was due to the inclusion of Longo’s."),
        (TAIWAN, "質抵押資產合計約28.63億元。"),
        (CHINESE, "境内毛利率高于境外毛利率。"),
        (CHINESE, "每股派发现金红利0.188元。"),
    ],
)  # fmt: skip
def test_true_forms_pass(passage, sentence):
    assert AnswerChecker([passage]).check(sentence, [0]).passed


@pytest.mark.parametrize(
    "passage, sentence",
    [
        (CALL, "Retail sales decreased as a result of higher shipping costs and surcharges."),
        (CALL, "Net revenue is guided to $500–540 million."),
        (CALL, "The new term loan shortens the debt duration."),
        (BANK, "Salaries and employee benefits grew faster than outside services."),
        (BANK, "Outside services were higher than advertising and marketing in 2022."),
        (UNITED_KINGDOM, "Administrative expenses rose to £309 thousand."),
        (GROCER, "Sales rose 11.6%."),
        (GROCER, "EBITDA rose 11.6%, while gross profit rose 14.0%."),
        (GROCER, "Sales grew faster than EBITDA."),
        (GROCER, "Genstar earned more than Crombie REIT in the quarter."),
        (GROCER, "Finance costs rose because of retail labour costs."),
        (GROCER, "EBITDA went from $586.2 million to $514.4 million."),
        (GROCER, "The appointment of Alison Dean was the biggest factor in international growth."),
        (GROCER, "Inventory will remain plentiful."),
        (TAIWAN, "質抵押資產合計約2.86億元。"),
        (CHINESE, "境外毛利率高于境内毛利率。"),
        (CHINESE, "每股派发现金红利1.88元。"),
    ],
)
def test_false_forms_are_marked(passage, sentence):
    assert not AnswerChecker([passage]).check(sentence, [0]).passed


def test_a_comparison_is_looked_up_in_another_passage_of_the_document():
    prose = Passage("Non-interest expense increased in 2022.", BANK.about, BANK.source)
    checker = AnswerChecker([prose, BANK])
    assert not checker.check("Salaries and employee benefits grew faster than outside services.", [0]).passed


def test_a_table_without_a_scale_may_have_that_of_its_document():
    cut = Passage("| | 2022 | 2021 |\n| --- | --- | --- |\n| Total deposits | 1,512,889 | 1,411,963 |", "", "bank.pdf")
    said = "Total deposits were $1,512.9 million in 2022."
    assert not AnswerChecker([cut]).check(said, [0]).passed
    other = Passage("(In thousands)\n\n| | 2022 |\n| --- | --- |\n| Loans | 1,579,950 |", "", "bank.pdf")
    assert AnswerChecker([cut, other]).check(said, [0]).passed
    assert not AnswerChecker([cut, other]).check("Total deposits were $15.1 billion in 2022.", [0]).passed


@pytest.mark.parametrize(("said", "passes"), [("72%", True), ("82%", False)])
def test_a_conclusion_is_drawn_from_the_sentence_before(said, passes):
    checker = AnswerChecker([UNITED_KINGDOM])
    checker.check("It spent £0.468 million on Liandu in 2022 and £0.272 million in 2021.", [0])
    assert checker.check(f"Spending thus increased by {said}.", [0]).passed is passes


@pytest.mark.parametrize(("points", "passes"), [("11", True), ("14", False)])
def test_a_difference_names_one_side_alone(points, passes):
    checker = AnswerChecker([CHINESE])
    checker.check("境内收入：3.98亿元，毛利率29.43%", [0])
    checker.check("境外收入：7.38亿元，毛利率18.42%", [0])
    assert checker.check(f"境内毛利率更高，高出约{points}个百分点。", [0]).passed is passes


def test_a_bare_not_clearly_claims_nothing():
    assert is_bare_answer("Not clearly.")


def _written(reply: str, *texts: str) -> str:
    evidence = [Evidence("chunk", text, 1.0, f"{place}.txt", id=str(place)) for place, text in enumerate(texts)]
    with Workspace("sqlite://", embedder="none") as workspace:
        return CheckedWriter(evidence, Citations(workspace.store), "en", about=["Elm | call"] * len(texts)).write(reply)


def test_a_passage_that_says_less_does_not_outweigh_the_one_that_contradicts():
    texts = ("The new term loan extends our debt duration.", "The new term loan and our debt were discussed at length.")
    assert "not supported" in _written("The new term loan shortens the debt duration [1].", *texts)


def test_a_hedge_before_the_answer_is_kept():
    loan = "The new term loan extends our debt duration."
    said = _written("Not clearly. The new term loan extends the debt duration [1].", loan)
    assert said.startswith("Not clearly.")
