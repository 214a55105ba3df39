"""What the paragraphs of Chinese reports state of the firm that calls itself 公司."""

from __future__ import annotations

import pytest
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage

FIRM = "海源智能装备股份有限公司"


def _read(text: str) -> set[tuple[str, str, str]]:
    passage = Passage(text, subject=FIRM, language="zh")
    triples = RulesExtractor(load_schema()).extract([passage])[0].triples
    return {(triple.head, triple.relation, triple.tail) for triple in triples}


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("公司的主要客户包括比德利汽车、长风动力和宁川时代等知名企业。", ("长风动力", "customer_of", FIRM)),
        ("减速器主要向安藤电机株式会社采购。", ("安藤电机株式会社", "supplies", FIRM)),
        ("公司为晶科半导体提供高纯度光刻胶。", (FIRM, "supplies", "晶科半导体")),
        ("公司为晶科半导体供货，并与中南大学建立了合作关系。", (FIRM, "partners_with", "中南大学")),
        (
            "公司与甲方签署协议，将持有的宁波泰和化工有限公司51%股权转让给华晟投资控股有限公司。",
            (FIRM, "sells_to", "华晟投资控股有限公司"),
        ),
        (
            "公司与甲方签署协议，将持有的宁波泰和化工有限公司51%股权转让给华晟投资控股有限公司。",
            (FIRM, "divests", "宁波泰和化工有限公司"),
        ),
        ("公司申请授信，由控股股东海源集团有限公司提供担保。", ("海源集团有限公司", "lends_to", FIRM)),
        (
            "公司申请授信，由控股股东海源集团有限公司提供担保。",
            ("海源集团有限公司", "owns_stake", FIRM),
        ),
        (
            "公司为控股子公司宁波泰和化工有限公司的8,000万元借款提供担保。",
            (FIRM, "lends_to", "宁波泰和化工有限公司"),
        ),
        (
            "公司为控股子公司宁波泰和化工有限公司的8,000万元借款提供担保。",
            ("宁波泰和化工有限公司", "subsidiary_of", FIRM),
        ),
        ("同日，董事会聘任周建国先生为公司副总经理。", ("周建国", "works_for", FIRM)),
        ("股东大会选举王海峰先生、陈思远女士为公司第四届董事会独立董事。", ("陈思远", "director_of", FIRM)),
        ("李文清女士因个人原因辞去公司董事会秘书职务。", ("李文清", "leaves", FIRM)),
        ("赵立明先生因任期届满不再担任公司董事长。", ("赵立明", "leaves", FIRM)),
        ("公司因违规收到中国证监会浙江监管局出具的警示函。", ("浙江监管局", "regulates", FIRM)),
        (
            "原告恒力机电有限公司就买卖合同纠纷向深圳市中级人民法院起诉公司。",
            ("恒力机电有限公司", "sues", FIRM),
        ),
        ("公司续聘中和信会计师事务所为公司2024年度审计机构。", ("和信会计师事务所", "audits", FIRM)),
        ("公司将审计机构由天衡会计师事务所变更为立德会计师事务所。", ("立德会计师事务所", "audits", FIRM)),
        ("公司推出了新一代协作机器人“灵犀3号”，并自主研发了“云枢”调度平台。", (FIRM, "launches", "灵犀3号")),
        ("公司推出了新一代协作机器人“灵犀3号”，并自主研发了“云枢”调度平台。", (FIRM, "develops", "云枢")),
        (
            "公司拟通过发行股份方式购买成都瑞丰制药有限公司80%的股权。",
            (FIRM, "acquires", "成都瑞丰制药有限公司"),
        ),
        ("原料来自多地，下游客户有国药控股、九州通等大型流通企业。", ("九州通", "customer_of", FIRM)),
        ("公司收到独立董事孙志远先生的书面辞职报告。", ("孙志远", "leaves", FIRM)),
        ("孙志远先生辞职后不再担任公司任何职务。", ("孙志远", "leaves", FIRM)),
        ("公司聘请的审计机构为信达永和会计师事务所。", ("信达永和会计师事务所", "audits", FIRM)),
        ("公司预计2024年上半年实现营业收入8.5亿元左右。", (FIRM, "guides", "营业收入")),
        ("公司旗下拥有“东岭”“晶锐”等品牌。", (FIRM, "owns_brand", "晶锐")),
        (
            "公司预计2023年度归母净利润为2.1亿元至2.4亿元。",
            (FIRM, "guides", "归母净利润"),
        ),
    ],
)
def test_what_a_report_says_of_its_firm(text, stated):
    assert stated in _read(text)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("客户主要向安藤电机株式会社采购减速器。", "supplies"),
        ("公司为晶科半导体提供融资支持。", "supplies"),
        ("公司的主要客户包括学校、医院和政府机构。", "customer_of"),
        ("蓝海电力有限公司的控股子公司宁波泰和化工有限公司停产。", "owns_stake"),
        ("公司推出了“以旧换新”活动。", "launches"),
    ],
)
def test_what_it_does_not_say(text, relation):
    assert relation not in {said for head, said, tail in _read(text) if FIRM in (head, tail)}


def test_no_court_sues_where_somebody_goes_to_court():
    said = _read("原告恒力机电有限公司就买卖合同纠纷向深圳市中级人民法院起诉公司。")
    assert "深圳市中级人民法院" not in {head for head, _, _ in said}


def test_who_is_supplied_partners_with_nobody():
    said = _read("公司为华泽电子、晶科半导体提供高纯度光刻胶，并与中南大学建立了合作关系。")
    assert {head for head, relation, _ in said if relation == "partners_with"} == {FIRM}
