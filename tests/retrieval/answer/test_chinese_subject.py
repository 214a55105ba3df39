"""Whom a Chinese question is about."""

import pytest
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.retrieval.answer.extractive.requirements.subject import absent_chinese, chinese_subjects


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("光华电子营业收入多少", ("光华电子",)),
        ("请提供东方矿业股份有限公司2019年的法定代表人。", ("东方矿业",)),
        ("美的集团有哪些主要风险？", ("美的集团",)),
        ("能否查询2020年光华电子为什么毛利率下降？", ("光华电子",)),
        ("公司2019年的营业收入是多少？", ()),
        ("前五名客户的销售额占比是多少？", ()),
        ("2021年动力电池装机量全球第一的是哪家公司？", ()),
        ("董事长是谁？", ()),
        ("富川给光华电子的目标价和评级是什么？", ("富川", "光华电子")),
    ],
)
def test_names_are_told_from_terms(question: str, names: tuple[str, ...]) -> None:
    assert chinese_subjects(question, default_metrics()) == names


class NoWords:
    """A store without any Chinese word."""

    def document_frequency(self, words: set[str]) -> dict[str, int]:
        return {}


def test_no_absent_name_begins_within_a_year() -> None:
    assert absent_chinese(NoWords(), "2021年云业务收入是多少", ()) == ["云业务收入"]
    assert absent_chinese(NoWords(), "与2022年相比，甲公司", ()) == ["甲公司"]


def test_a_word_of_degree_is_no_name() -> None:
    assert absent_chinese(NoWords(), "大幅", ()) == []
