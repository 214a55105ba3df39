"""What stands around a Chinese question and is no part of it: where to look, as who, why it is asked, how to answer."""

from __future__ import annotations

import re

import pytest
from cliquerag.core.period_text import period_places
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.answer.extractive.requirements.subject import chinese_subjects
from cliquerag.retrieval.question.focus import Knowledge, focused

KNOWN = Knowledge(
    lambda text: [match.span() for match in re.finditer("岚川医疗", text)],
    lambda text: [match.span() for match in re.finditer("营业收入|成本", text)],
    others=lambda text: [match.span() for match in re.finditer("汇率", text)],
)
QUESTION = "岚川医疗的主要风险是什么？"


@pytest.mark.parametrize(
    "form",
    [
        "根据公开披露的信息，{}",
        "参照该公司定期报告中的相关章节，{}",
        "从基本面研究的角度出发，{}",
        "站在债权人的立场，{}",
        "由于内部合规要求，{}",
        "{}（请注明所在页码）",
        "{}（只要结论，不要推导）",
    ],
)
def test_talk_falls_away(form: str) -> None:
    assert focused(form.format(QUESTION), KNOWN).asked == QUESTION


def test_a_headline_that_asks_of_nothing_known_stays_whole() -> None:
    headline = "底部信号？百亿级私募大手笔自购"
    assert focused(headline, KNOWN).asked == headline
    assert focused("我在写周报。疫情之下奢侈品为什么热销？", KNOWN).asked == "疫情之下奢侈品为什么热销？"


def test_a_remark_in_brackets_that_documents_print_stays() -> None:
    assert focused(f"{QUESTION}（汇率方面）", KNOWN).asked == f"{QUESTION}（汇率方面）"


@pytest.mark.parametrize("lead", ["为应对汇率波动，", "从成本的角度看，", "根据2022年年报，"])
def test_what_narrows_stays(lead: str) -> None:
    assert focused(f"{lead}{QUESTION}", KNOWN).asked == f"{lead}{QUESTION}"


def test_a_reason_of_asking_is_no_name() -> None:
    assert chinese_subjects("由于合规要求，岚川医疗的净利润是多少？", default_metrics()) == ("岚川医疗",)
    assert period_places("根据2022年年报")
