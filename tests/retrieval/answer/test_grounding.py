"""Numbers, quotations and calculations against the text they cite."""

import time

import pytest
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage, Verdict
from cliquerag.retrieval.answer.generative.grounding.figure_check import FigureChecker
from cliquerag.retrieval.question.vocabulary.expression import calculate


def check_sentence(sentence: str, source: str) -> Verdict:
    return AnswerChecker([Passage(source)]).check(sentence.replace(" [1]", ""), [0])


SOURCE = (
    "Revenue was $3,412 million, up 12.3 % from $3,038 million. Net loss was (45.6) million. "
    'The chairman said: "We expect demand to stay strong in Asia." Headcount: 1,204 employees.'
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue rose to $3.4 billion [1].",
        "Revenue rose 12 % to $3,412 million [1].",
        "The net loss was 45.6 million [1].",
        'He said "we expect demand to stay strong" [1].',
        "It grew by (3,412 - 3,038) / 3,038 = 12.3% [1].",
        "It grew by 3,412 − 3,038 = 374 million [1].",
        "It had 1,204 people [1].",
        "Revenue rose 12.3 % [1].",
    ],
)
def test_supported(sentence):
    assert check_sentence(sentence, SOURCE).passed


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("Revenue rose to $3.5 billion.", "$3.5 billion"),
        ("Revenue rose 12.4%.", "12.4%"),
        ("Revenue was 3,412 thousand euros or $3,412 billion.", "$3,412 billion"),
        ('He said "we expect demand to fall".', "we expect demand to fall"),
        ("It grew by (3,412 - 3,038) / 3,038 = 14.2%.", "14.2%"),
        ("It had 1,204 %.", "1,204 %"),
    ],
)
def test_unsupported(sentence, missing):
    check = check_sentence(sentence, SOURCE)
    assert not check.passed


def test_digits_of_a_table_count_where_the_scale_stands_elsewhere():
    table = "(in millions)\n| Net revenue | 3,412 | 3,038 |"
    assert check_sentence("Net revenue was $3,412 million.", table).passed
    assert check_sentence("Net revenue was $5 million.", "| Other | 5 |").missing == ("$5 million",)


def test_chinese():
    source = "公司实现营业收入1,175,301,034.32元，同比增长2.5%。董事长表示：“我们预计需求将保持强劲”。"
    assert check_sentence("营业收入为11.75亿元，增长2.5%。", source).passed
    assert check_sentence("他说“我们预计需求将保持强劲”。", source).passed
    assert not check_sentence("营业收入为12.75亿元。", source).passed


@pytest.mark.parametrize(
    ("expression", "value"),
    [("2 + 3 * 4", 14), ("(2 + 3) × 4", 20), ("-2 - -3", 1), ("$1,000 / 4", 250), ("10 ÷ 4", 2.5), ("2 – 5", -3)],
)
def test_arithmetic(expression, value):
    assert float(calculate(expression)) == value


@pytest.mark.parametrize("expression", ["", "2 +", "(2", "2)", "1/0", "__import__('os')", "2 ** 3", "1 2", "(" * 5000])
def test_what_is_no_arithmetic(expression):
    assert calculate(expression) is None


def test_a_passage_of_ten_thousand_numbers_is_checked_soon():
    text = "1 million " * 10_000
    start = time.process_time()
    found = FigureChecker([Passage(text)]).check(text, [0])
    assert time.process_time() - start < 20  # 1.5 on a quiet machine; minutes where each is held against each
    assert len(found) == 10_000 and sum(figure.kind == "not found" for figure in found) == 9_800


def test_what_stands_with_a_scale_is_no_bare_number():
    assert check_sentence("It cost $1,234.", "It had sales of 1,234 million.").missing == ("$1,234",)
    assert check_sentence("It cost $1,234.", "It cost 1,234 and had sales of 5 million.").passed
