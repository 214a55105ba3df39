"""Figures of an answer against cells: value, scale, row and period; three outcomes; sentences without figures."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.generative.answer_check import AnswerChecker, Passage
from cliquerag.retrieval.answer.generative.cells import read_cells
from cliquerag.retrieval.answer.generative.statement_check import Source, objection
from support.canned_model import Canned
from support.shelf import Shelf, shelf_search

from benchmarks.asking import answer_question

TABLE = """Consolidated statements of income (in millions)

| | 2022 | 2021 |
| --- | --- | --- |
| Net sales | $ 4,215 | $ 3,900 |
| Cost of sales | 2,530 | 2,379 |
| Gross profit | 1,685 | 1,521 |
| Interest expense | (76) | (81) |
| Net income (loss) | (120) | 310 |
| Gross margin (percent) | 40.3% | 39.0% |

Headcount was 12,480 at the end of 2022. We acquired Bolt GmbH in May 2021 and did not sell any business."""
ABOUT = "Acme Inc. | 10-K | FY2022"


def kinds(*sentences: str, question: str = "") -> list[list[str]]:
    checker = AnswerChecker([Passage(TABLE, ABOUT)], question)
    return [[figure.kind for figure in checker.check(sentence, [0]).figures] for sentence in sentences]


@pytest.mark.parametrize(
    "sentence",
    [
        "Net sales were $4.215 billion in 2022.",
        "Net sales were $4,215 million in fiscal 2022.",
        "Net sales were about $4.2 billion in 2022.",
        "Interest expense was $76 million in 2022.",
        "Acme made a net loss of $120 million in 2022.",
        "The gross margin was 40.3 percent in 2022.",
        "Net sales were $4,215 million and $3,900 million in 2022 and 2021, respectively.",
        "Acme had 12,480 employees.",
    ],
)
def test_found(sentence):
    assert set(kinds(sentence)[0]) == {"found"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Net sales rose 8.1% in 2022.",
        "Net sales rose by $315 million in 2022.",
        "The gross margin rose by 1.3 percentage points in 2022.",
        "The gross margin improved 130 basis points in 2022.",
        "Net sales grew ($4,215 million - $3,900 million) / $3,900 million = 8.1%.",
        "Cost of sales was 60.0% of net sales in 2022 (2,530 / 4,215 = 60.0%).",
    ],
)
def test_calculated(sentence):
    assert kinds(sentence)[0][-1] == "calculated" and "not found" not in kinds(sentence)[0]


@pytest.mark.parametrize(
    "sentence",
    [
        "Net sales were $4,215 billion in 2022.",
        "Net sales were $4,215 thousand in 2022.",
        "Net sales were $4,215 million in 2021.",
        "Net sales were $3,900 million in 2022.",
        "Net sales were $3,900 million and $4,215 million in 2022 and 2021, respectively.",
        "Gross profit was $2,530 million in 2022.",
        "Acme made a net income of $120 million in 2022.",
        "Net sales fell 8.1% in 2022.",
        "The gross margin fell by 1.3 percentage points in 2022.",
        "Net sales grew (4,215 - 3,900) / 3,900 = 9.1%.",
        "Net sales grew (4,215 - 3,800) / 3,800 = 10.9%.",
        "Net sales were €4,215 million in 2022.",
    ],
)
def test_not_found(sentence):
    assert "not found" in kinds(sentence)[0]


def test_a_result_may_be_said_again_further_on():
    assert kinds("It was 2,530 / 4,215 = 60.0% of sales.", "So 60.0% went into costs.")[1] == ["calculated"]


def test_numbers_of_the_question_are_free():
    asked = "Was the cost of sales above 58.5% of net sales?"
    assert kinds("The cost of sales was above 58.5%.", question=asked) == [[]]
    assert kinds("The cost of sales was above 58.5%.")[0] == ["not found"]


def test_a_scale_is_that_of_the_own_table_and_not_of_numbers_of_shares():
    text = "(Tabular amounts in millions)\n\n(shares in thousands)\n\n| | 2022 |\n| --- | --- |\n| Net sales | 4,215 |"
    assert int(read_cells(text)[0].amount) == 4_215_000_000


def test_in_chinese():
    table = (
        "单位：万元\n\n| 项目 | 2022年 | 2021年 |\n| --- | --- | --- |\n"
        "| 营业收入 | 421,500 | 390,000 |\n| 营业成本 | 253,000 | 237,900 |"
    )
    checker = AnswerChecker([Passage(table)])
    assert checker.check("2022年营业收入为42.15亿元。", [0]).passed
    assert not checker.check("2021年营业收入为42.15亿元。", [0]).passed
    assert not checker.check("2022年营业收入为42.15万元。", [0]).passed
    assert not checker.check("2022年营业成本为42.15亿元。", [0]).passed


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Acme acquired Bolt GmbH in May 2021.", ""),
        ("Acme did not sell any business.", ""),
        ("Acme sold a business.", "denial"),
        ("Acme acquired Nut Ltd in May 2021.", "name"),
        ("Acme acquired Bolt GmbH in 2018.", "period"),
        ("Bolt GmbH was acquired in 2021.", ""),
        ("Bolt GmbH acquired Acme in May 2021.", "roles"),
        ("Net sales decreased in 2022.", "figures"),
        ("The board approved a dividend for shareholders.", "words"),
    ],
)
def test_sentences_without_figures(sentence, kind):
    assert objection(sentence, [Source(TABLE, ABOUT)]) == kind


def test_what_is_marked_how():
    table = "Net sales (in millions)\n| | 2022 | 2021 |\n| --- | --- | --- |\n| Net sales | 4,215 | 3,900 |"
    said = (
        "Net sales were $4,215 million in 2022 [1]. Net sales rose 8.1% in 2022 [1]. "
        "Net sales were $9 million in 2022 [1]. Net sales decreased in 2022 [1]."
    )
    question = "How did net sales develop?"
    answer = answer_question(Shelf(report=table), None, Canned(said), question, search=shelf_search)
    assert answer.text == (
        "Net sales were $4,215 million in 2022 [1]. Net sales rose 8.1% in 2022 (calculated from [1]). "
        "Net sales were $9 million in 2022. (not found in the source: $9 million) [1] "
        "Net sales decreased in 2022. (not supported by the source) [1]"
    )
    assert [(f["figure"], f["outcome"], f["citations"]) for f in answer.trace["figures"]] == [
        ("$4,215 million", "found", (1,)),
        ("8.1%", "calculated", (1,)),
        ("$9 million", "not found", ()),
    ]
