"""Sentences without figures: offices, causes, opposites and strangers that the source has otherwise."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage
from cliquerag.retrieval.answer.generative.grounding.statements.statement_check import objection

ABOUT = "Harrow Instruments, Inc. | 10-K | FY2023"
OFFICERS = (
    "Ann Roe has served as our Chief Executive Officer since 2019. Bo Lee, age 50, is Executive Vice President and "
    "Chief Financial Officer."
)
ROSTER = (
    "| Name | Age | Position |\n| --- | --- | --- |\n| Ann B. Roe | 55 | Chairman and Chief Executive Officer |\n"
    "| Bo Lee | 50 | Chief Financial Officer |"
)
SIGNED = "/s/ ANN B. ROE\nAnn B. Roe\nChief Executive Officer\n\n/s/ BO LEE\nBo Lee\nChief Financial Officer"
CAUSES = (
    "The plant in Leeds could not deliver all orders in the third quarter because complicated devices take more "
    "machine capacity. Wages rose due to inflation. The fair value of the notes fell due to these factors."
)
DIVIDEND = (
    "The Board expects to approve a one-time special dividend to our shareholders, contingent upon the closing of the "
    "merger with Quill. Our shareholders will be eligible only if they own shares on the record date. Quill "
    "stockholders will not be entitled to receive the special dividend."
)
NOTES = (
    "子公司甲保險為配合組織資源之調整，決議與子公司乙保險合併，合併後乙保險為消滅公司。"
    "子公司丙資訊於112年8月購入丁科技股權。本公司銷售之國產車均係向國瑞購入。"
)


def passes(sentence: str, *texts: str) -> bool:
    """Whether nothing of a sentence is marked that is held against these texts of one document."""
    passages = [Passage(text, ABOUT, "document") for text in texts]
    return AnswerChecker(passages).check(sentence, [0]).passed


@pytest.mark.parametrize("source", [OFFICERS, ROSTER, SIGNED])
@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ann Roe is the CEO of Harrow.", True),
        ("Harrow's chief financial officer is Bo Lee.", True),
        ("Ann Roe serves as CEO, and Bo Lee as CFO.", True),
        ("Ann Roe is the CFO of Harrow.", False),
        ("Bo Lee is Harrow's Chief Executive Officer.", False),
    ],
)
def test_an_office_is_that_of_the_person_named_next_to_it(source: str, sentence: str, expected: bool) -> None:
    assert passes(sentence, source) is expected


def test_who_holds_an_office_may_stand_in_another_passage() -> None:
    assert passes("Ann Roe is the CEO of Harrow.", "Ann Roe opened the meeting of Harrow.", OFFICERS)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Wages rose because of inflation.", True),
        ("Wages rose because of a strike.", False),
        ("The fair value of the notes fell due to these factors.", True),
        ("Not all orders were delivered because the devices need more machine capacity.", True),
        ("Not all orders were delivered because customers cancelled them during the pandemic.", False),
    ],
)
def test_a_cause_of_one_word_and_one_that_is_told_nowhere(sentence: str, expected: bool) -> None:
    assert passes(sentence, CAUSES) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Quill stockholders will not be entitled to the special dividend.", True),
        ("Quill stockholders will be entitled to the special dividend, too.", False),
        ("The dividend is only paid if the merger closes, and Quill shareholders will be entitled to it too.", False),
    ],
)
def test_a_denial_is_held_against_the_sentence_with_the_rarest_words(sentence: str, expected: bool) -> None:
    assert passes(sentence, DIVIDEND) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("合併後乙保險為消滅公司。", True),
        ("合并后乙保险为存续公司。", False),
        ("丙資訊於112年8月購入丁科技股權。", True),
        ("丙資訊於112年8月出售丁科技股權。", False),
        ("國產車均向國瑞購入。", True),
        ("國產車均向和泰購入。", False),
        ("国产车均向第三方购入。", True),  # nobody in particular
    ],
)
def test_an_opposite_and_a_stranger_in_chinese(sentence: str, expected: bool) -> None:
    assert passes(sentence, NOTES) is expected


MOVES = (
    "Research expenses fell as more engineering costs were capitalized in 2022. General expenses decreased due to "
    "lower office rent expense and fewer legal fees. Our goodwill impairment in 2022 was generated from the Media "
    "segment. Our goodwill impairment in 2021 was generated from the Martech segment."
)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Research expenses declined since more engineering costs were capitalized.", True),
        ("Research expenses declined since fewer engineering costs were capitalized.", False),
        ("General expenses went down thanks to lower office rent.", True),
        ("General expenses went down although office rent was paid.", True),
        ("General expenses went down because of higher office rent.", False),
        ("The goodwill impairment of 2021 came from the Martech segment.", True),
        ("The goodwill impairment of 2022 came from the Martech segment.", False),
    ],
)
def test_what_moved_the_other_way_and_what_is_said_of_another_year(sentence: str, expected: bool) -> None:
    assert passes(sentence, MOVES) is expected


def test_lines_of_a_page_end_within_chinese_words() -> None:
    page = "合併公司於112年4月完成向賀利氏工業集團購\n買高階溫度感測器事業部之交易。"
    assert passes("合併公司於112年4月完成向賀利氏購買高階溫度感測器事業部。", page)
    assert not passes("合併公司於112年4月完成向賀利氏出售高階溫度感測器事業部。", page)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Acme did not pay any cash dividends.", True),
        ("Acme paid cash dividends.", False),
        ("Acme does not operate a refinery of its own.", True),
        ("Acme operates a refinery of its own.", False),
    ],
)
def test_a_denial_is_of_both_words_that_or_joins(sentence: str, expected: bool) -> None:
    said = "We have not declared or paid any cash dividends, and we have no present intention of paying dividends."
    assert (
        passes(sentence, f"{said} We do not own or operate a refinery, and no partner of ours operates one.")
        is expected
    )


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Harrow did not buy back any shares in the quarter ended July 1, 2023.", True),
        ("Harrow bought back shares in the quarter ended July 1, 2023.", False),
        ("There were no sales to related parties in the year.", True),
        ("Harrow cannot predict the outcome of the claims; some of them could require it to pay damages.", True),
    ],
)
def test_a_denial_may_stand_elsewhere_and_a_figure_of_zero_is_one(sentence: str, expected: bool) -> None:
    text = (
        "No shares were repurchased during the quarter ending July 1, 2023. Sales to related parties were $0 in the "
        "year. Harrow cannot predict with certainty how any claim ends. The outcome of some of these claims and "
        "contingencies could require us to pay damages, adversely affecting our results."
    )
    assert passes(sentence, text) is expected


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Acme did not pay a dividend in 2022.", "Acme paid a dividend of $2 per share in 2022, against $0 in 2021."),
        (
            "Acme did not renew its contract with Bolt.",
            "Acme renewed its contract with Bolt and did not change the terms of the contract.",
        ),
        ("The company has no outstanding loans.", "The company has outstanding loans with 0% interest."),
        (
            "The plaintiffs did not settle the lawsuit with Acme.",
            "Acme did not admit liability when the plaintiffs settled the lawsuit.",
        ),
    ],
)
def test_a_denial_of_something_else_and_a_zero_beside_another_figure_deny_nothing(sentence: str, said: str) -> None:
    assert objection(sentence, [Passage(said)])


def test_two_letters_of_a_text_make_no_name_known() -> None:
    text = "GM rose by 140 basis points. Distribution in the three countries is to be taken over by Grupo Axo."
    assert passes("Distribution in the three countries is to be taken over by Grupo Axo.", text)
    assert not passes("Distribution in the three countries is to be taken over by Grupo Mundo.", text)


def test_what_kind_of_source_it_is_no_source_says() -> None:
    text = "We may not realize the anticipated benefits of acquisitions."
    assert passes("This is management's own view.", text)
    assert not passes("This is the largest mine in Peru.", text)
