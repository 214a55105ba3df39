"""Whom, why and what of a Chinese annual report in text: sentences in words of their own, sections, cells of prose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace
from cliquerag.core.words import question_words, word_borders

REPORT = """岚川医疗股份有限公司 2023年年度报告
公司代码：688933　公司简称：岚川医疗

第一节 释义
公司、本公司、岚川医疗 指 岚川医疗股份有限公司
报告期 指 2023年1月1日至2023年12月31日

第三节 管理层讨论与分析
二、报告期内核心竞争力分析
1、监护仪平台优势。公司拥有自主的血氧算法，装机量居全国前列。
2、渠道优势。公司的产品销往四十多个国家。
公司的主要竞争对手为海岳医学。

第四节 公司治理
2023年8月29日，朱启辉因工作调动辞去公司总裁职务，董事会聘任高永年为公司总裁。

第六节 重要事项
公司与西陵矿业有限公司设备纠纷一案，2023年11月，湖北省高级人民法院判决西陵矿业有限公司向公司支付违约金4,600万元。

| 项目 | 说明 |
| --- | --- |
| 担保情况说明 | 本公司为子公司岚川罐储公司取得的短期贷款2亿元提供连带担保责任。 |

第七节 股份变动及股东情况
岚川控股集团有限公司为公司控股股东。顾远之持有岚川控股集团有限公司65%的股权，为公司实际控制人。
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text(REPORT, source="岚川医疗股份有限公司2023年年度报告.txt")
        yield ws


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("岚川医疗有哪些核心竞争力？", "血氧算法"),
        ("岚川医疗的主要竞争对手是谁？", "海岳医学"),
        ("岚川医疗现任总裁是谁？", "聘任高永年"),
        ("岚川医疗与西陵矿业的诉讼结果如何？", "4,600万元"),
        ("岚川医疗为岚川罐储提供了多少担保？", "2亿元"),
        ("岚川医疗的实际控制人是谁？", "顾远之"),
    ],
)
def test_what_a_report_says_in_words_of_its_own(workspace: Workspace, question: str, held: str) -> None:
    assert held in workspace.ask(question).text


def test_a_section_is_not_the_title_of_the_report(workspace: Workspace) -> None:
    (record,) = workspace.documents()
    assert "释义" not in record.title


def test_pairs_between_two_words_are_none() -> None:
    words = question_words("与西陵矿业的诉讼结果")
    known = {"西陵": 2, "陵矿": 1, "矿业": 2, "诉讼": 3, "结果": 3}
    assert word_borders(words, known) >= {"与西", "讼结", "陵矿"}
    assert word_borders(words, known).isdisjoint({"西陵", "矿业", "诉讼", "结果"})
    assert word_borders(["rd", "expens"], {"expens": 9}) == frozenset()


FIGURES = """岚川半导体股份有限公司 2024年半年度报告
股票简称：岚川半导体   股票代码：301666

主要财务数据
单位：万元 币种：人民币
项目 本报告期 上年同期 本报告期比上年同期增减
营业收入 １２８，６４０．３５ ９８，２１０．６６ ３０．９８％
归属于上市公司股东的净利润 １５，３０８．７７ １９，４４０．１２ －２１．２５％

公司SiC MOSFET产品实现收入４．２１亿元，占营业收入的３２．７３％。
"""


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    path = tmp_path_factory.mktemp("report") / "岚川半导体2024年半年报.txt"
    path.write_text(FIGURES, encoding="utf-8")
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add(path)
        yield ws


def test_a_table_one_blank_apart_in_wide_figures_states_facts(figures: Workspace) -> None:
    assert "128,640.35" in figures.ask("岚川半导体2024年上半年营业收入是多少？").text.translate(str.maketrans(WIDE))


WIDE = dict(zip("０１２３４５６７８９．，", "0123456789.,", strict=True))
