"""Questions on a Chinese annual report: orders to tell, topics that are titles, forms, figures that are not stated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.answer.extractive.requirements.amount import AmountAsked
from cliquerag.retrieval.answer.extractive.sentence_scoring import Quote
from cliquerag.retrieval.question.figures.operands import Operand
from cliquerag.retrieval.search.evidence import Evidence

REPORT = """# 恒江装备股份有限公司 2019 年年度报告

公司代码：603999 公司简称：恒江装备

## 第三节 公司业务概要

### 三、报告期内核心竞争力分析

√适用 □不适用
公司拥有省级工程技术研究中心，研发平台完善。公司的产品通过多项国际认证，海外渠道稳定。

### 四、现金流

√适用 □不适用

| 项目 | 本期金额 | 上期金额 | 变动原因 |
| --- | --- | --- | --- |
| 经营活动产生的现金流量净额 | 369,100,908.49 | 22,934,667.53 | 主要系本期购买商品支付的现金减少所致 |

### 五、费用

财务费用变动原因：主要系本期利息支出增加及汇兑收益减少所致。

## 第五节 重要事项

### 七、重大合同及其履行情况

#### (一) 托管情况

□适用 √不适用

#### (二) 承包情况

□适用 √不适用

### 八、面临终止上市的情况和原因

□适用 √不适用

### 十二、报告期内公司及其控股股东、实际控制人诚信状况的说明

√适用 □不适用
报告期内，公司及控股股东、实际控制人诚信状况良好，不存在未履行法院生效判决的情况。

### 十三、重大资产和股权出售

□适用 √不适用

## 第十一节 财务报告

### 合并利润表

单位：元 币种：人民币

| 项目 | 2019年度 | 2018年度 |
| --- | --- | --- |
| 营业收入 | 1,175,301,034.32 | 1,230,537,200.00 |
| 净利润 | 129,465,020.68 | 182,220,000.00 |

### 合并资产负债表

单位：元 币种：人民币

| 项目 | 2019年12月31日 | 2018年12月31日 |
| --- | --- | --- |
| 其他非流动资产 | 62,022,541.36 | 54,185,336.31 |
| 衍生金融负债 | 1,048,228.81 | 0.00 |
| 应付账款 | 65,042,742.78 | 60,129,000.00 |

### 本企业的母公司情况

本企业最终控制方是黄杰。南通剑桥公司为黄杰之弟所控制的公司。
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(REPORT, source="report.md")
        yield workspace


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("请简要分析恒江装备股份有限公司2019年核心竞争力的情况。", "省级工程技术研究中心"),
        ("请具体描述一下2019年恒江装备公司及其控股股东、实际控制人的诚信状况。", "诚信状况良好"),
        ("根据2019年的年报数据，恒江装备重大资产和股权出售的情况，请做简要分析。", "重大资产和股权出售 不适用"),
        ("概述一下重大资产和股权出售情况，针对恒江装备股份有限公司2019年的年报。", "重大资产和股权出售 不适用"),
        ("您能告诉我恒江装备2019年的净利润是多少元吗?", "129,465,020.68"),
        ("请简要介绍2019年恒江装备的实控人是谁。", "最终控制方是黄杰"),
        ("请简要介绍2019年恒江装备股份有限公司现金流情况。", "经营活动产生的现金流量净额, 369,100,908.49"),
        ("请简要介绍2019年恒江装备股份有限公司重大合同及其履行情况。", "(二) 承包情况 不适用"),
    ],
)
def test_an_order_to_tell_of_a_topic(workspace: Workspace, question: str, held: str) -> None:
    assert held in workspace.ask(question).text


@pytest.mark.parametrize(
    "question",
    ["2019年恒江装备其他非流动金融资产是多少元?", "恒江装备2019年衍生金融资产和其他非流动金融资产分别是多少元?"],
)
def test_another_figure_is_no_answer(workspace: Workspace, question: str) -> None:
    answer = workspace.ask(question).text
    assert "62,022,541" not in answer
    assert "54,185,336" not in answer


@pytest.mark.parametrize(
    ("question", "beside"),
    [
        ("恒江装备股份有限公司在2019年的衍生金融资产总额是多少元?", "1,048,228"),
        ("2019年恒江装备股份有限公司应付票据是多少元？", "65,042,742"),
    ],
)
def test_an_item_that_begins_alike_is_another(workspace: Workspace, question: str, beside: str) -> None:
    assert beside not in workspace.ask(question).text


def test_the_whole_name_of_the_company_is_not_searched_for(workspace: Workspace) -> None:
    [whole, short] = (
        workspace.search(f"请简要介绍2019年{name}现金流情况。") for name in ("恒江装备股份有限公司", "恒江装备")
    )
    assert [hit.text for hit in whole] == [hit.text for hit in short]


def test_the_reason_of_another_figure_is_none(workspace: Workspace) -> None:
    assert "利息支出增加" not in workspace.ask("恒江装备2019年投资收益变动的原因是什么？").text
    assert "利息支出增加" in workspace.ask("恒江装备2019年财务费用变动的原因是什么？").text


def test_a_row_without_a_value_holds_no_amount() -> None:
    table = Evidence("table", "| 长期借款 | | |\n| 短期借款 | 200,222,109.59 | |", 1.0, "report.md")
    rows = [Quote(table, line, 0, len(line)) for line in table.text.splitlines()]
    assert AmountAsked(applies=True).with_values(rows) == rows[1:]
    assert AmountAsked().with_values(rows) == rows


def test_a_row_named_by_a_firm_is_a_figure_of_it_under_heads_that_name_the_figure() -> None:
    metrics = default_metrics()
    profit = Operand("净利润", name="net income", written="净利润")
    asked = AmountAsked(applies=True, kind="money", figures=(profit,), metrics=metrics, text="恒江节能的净利润是多少？")
    for head, is_held in (("被投资单位 | 期初余额 | 本期增加", False), ("公司名称 | 营业收入 | 净利润", True)):
        row = "| 恒江节能公司 | 90,000,000.00 | 41,000,000.00 |"
        table = Evidence("table", f"| {head} |\n| --- | --- | --- |\n{row}", 1.0, "report.md")
        at = table.text.index(row)
        assert asked.is_held(Quote(table, row, at, at + len(row))) is is_held
