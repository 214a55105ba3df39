"""Questions that words answer, not a figure: several sentences, what follows the best one, and no row of a table."""

from __future__ import annotations

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.extractive.completion import following, introduced, list_items, under_titles
from cliquerag.retrieval.answer.extractive.sentence_scoring import Quote, asks_for_words
from cliquerag.retrieval.question.wording.answer_type import Expected
from cliquerag.retrieval.search.evidence import Evidence
from support.shelf import Shelf, shelf_search

from benchmarks.asking import answer_question, plan_of

COURT = "Beta sued Acme over the pump patent in Ohio. The judge ruled for Acme on nine counts. Beta appealed."
REPORT = """# 恒江装备股份有限公司 2019 年年度报告

## 一、审计意见

我们认为，后附的财务报表在所有重大方面公允反映了公司的财务状况。

## 二、关键审计事项

关键审计事项是我们认为对审计最为重要的事项，我们对审计意见不单独发表意见。
"""


def ask(question: str, **texts: str) -> str:
    return answer_question(Shelf(**texts), None, None, question, search=shelf_search).text


@pytest.mark.parametrize(
    ("question", "in_words"),
    [
        ("How does Acme value its pumps?", True),
        ("Which covenants does Acme's loan contain?", True),
        ("What are Acme's inventories?", False),
        ("How many pumps did Acme sell?", False),
        ("What was the churn rate in 2022?", False),
    ],
)
def test_words_are_asked_for_where_no_figure_is(question: str, in_words: bool) -> None:
    assert asks_for_words(plan_of(Shelf(report=COURT), question)) is in_words


def test_what_somebody_believes_is_told_in_words_though_a_figure_is_named() -> None:
    report = (
        "We believe that our cash is enough to meet our working capital needs. Working capital was $5 million in 2024."
    )
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        workspace.add_text(report, "acme.md", company="Acme Inc.", kind="10-K")
        told = workspace.ask("Does Acme believe its cash will be enough to meet its working capital needs?").text
    assert told.startswith("We believe that our cash is enough")


def test_what_follows_the_sentence_that_names_what_is_asked_is_quoted_with_it() -> None:
    item = Evidence("chunk", COURT, 1.0, "report")
    quotes = [Quote(item, COURT[start:end], start, end) for start, end in ((0, 46), (47, 85), (86, 101))]
    assert following(quotes[0], quotes, Expected()) == quotes[1:]
    assert not following(quotes[0], quotes, Expected("time")), "it holds the kind of answer that is expected"


@pytest.mark.parametrize("question", ["What are Acme's contingent liabilities?", "What risks come with acquisitions?"])
def test_a_figure_named_among_other_words_asks_for_no_amount(question: str) -> None:
    text = "A tax office asks Acme for sales tax, one of its contingent liabilities. Acquisitions bring risks of delay."
    assert "[1]" in ask(question, report=text)


def test_a_row_of_a_table_that_was_read_as_text_is_told_beside_no_sentence() -> None:
    row = "Pump valves of the patent at the end of the year 3,201 1,098 632"
    told = ask("How does the patent protect pump valves?", report=f"The patent protects all pump valves.\n\n{row}")
    assert "The patent protects all pump valves [1]." in told
    assert "3,201" not in told


def test_the_sentence_under_a_title_is_told_in_its_place() -> None:
    text = "Voting by Written Consent\nShareholders vote at a meeting. Bylaws\n1,200"
    item = Evidence("chunk", text, 1.0, "report")
    title, told, last = (
        Quote(item, text[start:end], start, end, score=score)
        for start, end, score in ((0, 25, 2.0), (26, 57, 1.0), (58, 64, 0.5))
    )
    assert [(quote.text, quote.score) for quote in under_titles([title, told, last])] == [
        ("Shareholders vote at a meeting.", 1.8),
        ("Bylaws", 0.5),
    ]


def test_a_list_whose_first_item_is_part_of_the_sentence_ends_where_another_begins() -> None:
    text = "Rates differed due to:\n• foreign earnings;\n•\ntax credits.\nIn 2020 rates differed due to:\n• losses.\n"
    shelf = Shelf(report=text)
    end = text.index("tax credits") - 1
    quote = Quote(Evidence("chunk", text[:end], 1.0, "report"), text[:end], 0, end)
    assert [item.text for item in introduced(shelf, quote)] == ["tax credits."]
    assert len(list(list_items(text, text.index("\n•")))) == 2


@pytest.mark.parametrize(
    "question",
    [
        "What does Acme say about its competition?",
        "Describe Acme's competition.",
        "How does Acme describe its competition?",
    ],
)
def test_a_section_called_what_is_asked_begins_with_its_first_sentences(question: str) -> None:
    sentences = [f"Rivals of kind {letter} sell pumps in many markets" for letter in "ABCDE"]
    report = (
        f"# Acme Inc. annual report\n\n## Our Competition\n\n{'. '.join(sentences)}.\n\n## Staff\n\nWe employ many.\n"
    )
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        workspace.add_text(report, "acme.md", company="Acme Inc.", kind="10-K")
        told = workspace.ask(question).text
    assert [sentence in told for sentence in sentences] == [True, True, True, False, False]


def test_a_section_is_shown_with_the_sentence_that_says_its_title() -> None:
    report = (
        "# Acme Inc. annual report\n\n## Dividend Policy\n\nWe seek growth. We pay from profits. We invest first.\n"
    )
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        workspace.add_text(f"{report}Our dividend policy is to pay twice a year.", "acme.md", company="Acme Inc.")
        assert "twice a year" in workspace.ask("What is Acme's dividend policy?").text


def test_a_section_is_shown_whose_title_a_chinese_question_asks_for() -> None:
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(REPORT, source="report.md")
        assert "公允反映" in workspace.ask("恒江装备的审计意见是什么？").text


CHINESE_FORM = """岚川医疗股份有限公司2023年年度报告

第一节 重要提示

东信会计师事务所为本公司出具了标准无保留意见的审计报告。

第二节 审计报告

我们按照中国注册会计师审计准则的规定执行了审计工作。我们的目标是出具包含审计意见的审计报告。

第三节 可能面对的风险

√适用 □不适用

原材料价格波动风险：钢材价格上涨会提高成本。

第四节 重要事项

公司股票自2024年4月30日起被实施其他风险警示。若净资产继续为负，公司股票可能被终止上市。
"""


@pytest.mark.parametrize(
    ("question", "told", "not_told"),
    [
        ("岚川医疗2023年度审计意见是什么？", "标准无保留意见", "我们的目标"),
        ("岚川医疗会被退市吗？", "可能被终止上市", "钢材"),
        ("岚川医疗面临的主要风险是什么？", "钢材价格上涨", "适用"),
    ],
)
def test_an_audit_opinion_a_delisting_and_a_form_in_chinese(question: str, told: str, not_told: str) -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as ws:
        ws.add_text(CHINESE_FORM, "r.txt", company="岚川医疗股份有限公司", period="FY2023", kind="annual report")
        answer = ws.ask(question)
    assert told in answer.text and not_told not in answer.text


def test_a_row_is_no_reason_where_a_sentence_tells_one() -> None:
    report = (
        "Acme had no sales in 2022 as its business was only to invest in mines.\n\n"
        "| | 2022 | 2021 |\n| --- | --- | --- |\n| Sales of listed mines, no other sales | 89 | 152 |"
    )
    assert ask("Why did Acme have no sales in 2022?", report=report).startswith("Acme had no sales in 2022 as its")


def test_what_a_sentence_refers_to_may_stand_in_the_passage_before() -> None:
    report = (
        "Acme pays its lenders from further sales of shares that nobody has promised to buy.\n\n"
        "These factors cast doubt on whether Acme can go on."
    )
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        workspace.add_text(report, source="acme.txt", company="Acme Inc.")
        answer = workspace.ask("What casts doubt on whether Acme can go on?")
    assert "further sales of shares" in answer.text
