"""Questions about a company that no document is of: that is said first, and no other company's page is the answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.search.evidence import Trace
from support.canned_model import Canned

from benchmarks.asking import answer_question, stream_answer

TEXT = """Acme Corp. Annual Report. Acme Corp. is based in Ohio. Revenue was $4,000 million in fiscal 2022.
Net income was $300 million in fiscal 2022. We compete with Starbucks Corporation and with Globex Inc. in all regions.
Acme Corp. acquired Corvana Inc. in 2021. Our products run on software of Microsoft and on the IBM cloud.
We accept Visa cards and close the gap. Qingyuan Precision Co., Ltd. supplies servo drives to Acme Corp.
Medical Devices Manufacturing Co., Ltd. supplies parts to Acme Corp. Waste Management Inc. takes our waste.
We repurchased 2 million shares in 2022. The target price of our units is $12. Globex Inc. opened 12 stores in 2022.
Our square meters grew, and we shell nuts. Restructuring plans for revenue risk are reviewed by the board.
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(TEXT, "acme.txt", company="Acme Corp.", period="FY2022", kind="10-K")
        made.add_text(
            "Pfizer Inc. sold vaccines. Revenue rose in 2022.", "pfizer.txt", company="Pfizer Inc.", kind="10-K"
        )
        yield made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was Starbucks' revenue in 2022?", "No document here is of Starbucks (2 searched"),
        ("Microsoft net income FY2022", "No document here is of Microsoft (2 searched"),
        ("JNJ revenue 2021", "No document here is of Johnson & Johnson"),
        ("CapOne charge-off rate 2021", "No document here mentions CapOne"),
        ("What was IBM's capex in 2022?", "No document here is of International Business Machines (IBM)"),
        ("what was microsoft's net income in 2022?", "No document here is of Microsoft"),
        ("What was Target's revenue in 2022?", "No document here is of Target"),
        ("What was Visa's net revenue in 2022?", "No document here is of Visa"),
        ("Gap net sales 2021", "No document here is of Gap"),
        ("What was Qingyuan's revenue in 2022?", "No document here is of Qingyuan Precision Co., Ltd."),
        ("visa net revenue 2022", "No document here is of Visa"),
        ("Waste Management revenue 2022", "No document here is of Waste Management"),
        ("星巴克2022年的营业收入是多少？", "这里没有文档提到 星巴克"),
    ],
)
def test_a_figure_of_another_company_is_refused_with_who_is_not_there(
    workspace: Workspace, question: str, said: str
) -> None:
    answer = workspace.ask(question)
    assert answer.text.startswith(said)
    assert answer.trace["not found"]
    assert not answer.citations


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was revenue from Boeing in 2022?", "USD 45 million"),
        ("What was the amortization of CRM software in 2022?", "$4 million"),
        ("Target price of our units?", "$12"),
        ("Square meters of our shops?", "square meters grew"),
        ("When does the facility with JPMorgan mature?", "matures in 2026"),
        ("工厂的日产量是多少？", "300吨"),
        ("向华为销售的收入是多少？", "2.1亿元"),
        ("高通胀使成本上升了多少？", "6%"),
    ],
)
def test_what_our_company_has_of_another_and_words_that_look_like_one_are_answered(question: str, said: str) -> None:
    text = (
        "Revenue from Boeing was $45 million in 2022. Amortization of our CRM software was $4 million in 2022. "
        "Our credit facility with JPMorgan matures in 2026. 工厂的日产量为300吨。公司向华为销售的收入为2.1亿元。"
        "高通胀使成本上升了6%。"
    )
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(f"{TEXT}\n{text}", "acme.txt", company="Acme Corp.", period="FY2022", kind="10-K")
        answer = made.ask(question)
    assert said in answer.text
    assert "No document here is of" not in answer.text and "这里没有" not in answer.text


@pytest.mark.parametrize("question", ["What did Ford buy in 2022?", "Who did Moderna sue?"])
def test_no_sentence_that_names_somebody_else_stands_behind_it(workspace: Workspace, question: str) -> None:
    answer = workspace.ask(question)
    assert answer.trace["not found"] and not answer.citations


def test_an_accent_makes_no_other_company() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(
            "Sales were CHF 94 billion in 2022.", "n.txt", company="Nestlé S.A.", period="FY2022", kind="10-K"
        )
        assert "94 billion" in made.ask("What were Nestle's sales in 2022?").text


def test_what_others_say_of_it_is_quoted_only_behind_that(workspace: Workspace) -> None:
    answer = workspace.ask("What did Globex open in 2022?")
    assert answer.text.startswith("No document here is of Globex")
    assert "12 stores" in answer.text


def test_a_search_says_so_in_its_trace(workspace: Workspace) -> None:
    trace = Trace()
    workspace.search("What was IBM's revenue in 2022?", trace=trace)
    assert trace.data["absent"] == ["International Business Machines"]
    assert "no document is of International Business Machines" in trace.data["scope"]["notes"]


@pytest.mark.parametrize(
    "question",
    [
        "What was acme's revenue in fiscal 2022?",
        "What was Acme Co revenue in fiscal 2022?",
        "What was Acme's revenue in fiscal 2022 compared with Microsoft's?",
        "How many shares were repurchased in 2022?",
        "What is the target price of the units?",
        "Target revenue 2022",
        "target revenue 2022",
        "square footage of stores 2021",
        "gap between revenue and costs 2021",
        "Gap between revenue and costs 2021",
        "waste management revenue 2022",
        "What was the revenue of Medical in 2022?",
        "When was Corvana acquired?",
    ],
)
def test_nobody_is_absent_where_one_of_the_store_is_asked_about_or_nobody(workspace: Workspace, question: str) -> None:
    assert "No document here is of" not in workspace.ask(question).text


def test_news_of_no_certain_company_may_speak_of_it() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(TEXT, "acme.txt", company="Acme Corp.", period="FY2022", kind="10-K")
        made.add_text("Tesla opened a plant in Texas in 2022. Shares rose.", "story.txt")
        assert "No document here is of" not in made.ask("What did Tesla open in 2022?").text


def test_a_call_that_only_bears_the_ticker_is_found_by_the_name_of_the_company() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(
            "Comp sales were up 6.1% in the third quarter.", "HD_q3_2021.txt", company="HD", kind="earnings call"
        )
        made.add_text(TEXT, "acme.txt", company="Acme Corp.", period="FY2022", kind="10-K")
        answer = made.ask("What did Home Depot say about comp sales?")
        assert "6.1%" in answer.text and "No document here" not in answer.text


REFUSED = "The documents do not provide this information."
QUOTED = "Globex Inc. opened 12 stores in 2022 [1]."


@pytest.mark.parametrize(
    ("text", "is_opened"),
    [(REFUSED, False), (QUOTED, True), (f"{REFUSED} {QUOTED}", True), (f"{QUOTED} {REFUSED}", True)],
)
def test_a_streamed_answer_opens_as_the_plain_one_does(workspace: Workspace, text: str, is_opened: bool) -> None:
    question = "What did Globex open in 2022?"
    plain = answer_question(workspace.store, None, Canned(text), question)
    *pieces, streamed = stream_answer(workspace.store, None, Canned(text), question)
    assert plain.text.startswith("No document here is of Globex") is is_opened
    assert "".join(map(str, pieces)) == getattr(streamed, "text", "") == plain.text


def test_a_brand_that_a_document_counts_among_its_own_is_not_absent() -> None:
    owned = "LinkedIn Corporation, which we acquired in 2021, had revenue of $120 million in 2022.\n\n"
    exhibit = "Exhibit 21\nSubsidiaries of the Registrant\n\n| Name | Jurisdiction |\n| --- | --- |\n"
    exhibit += "| LinkedIn Corporation | Delaware |\n| Harbour Castings AS | Norway |\n"
    question = "What was LinkedIn's revenue in 2022?"
    reply = "LinkedIn had revenue of $120 million in 2022 [1]."
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(f"{TEXT}\n{owned}{exhibit}", "acme.md", company="Acme Corp.", period="FY2022", kind="10-K")
        answer = answer_question(made.store, None, Canned(reply), question)
    assert answer.text == reply


def test_a_call_that_is_known_by_the_initials_of_its_company_is_a_document_of_it() -> None:
    text = (
        "V.F. Corporation opened 12 stores. VF's gross margin was 56.7%, up 260 basis points. "
        "V.F. Corporation acquired Supreme in 2020. Supreme is a subsidiary of V.F. Corporation."
    )
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(text, "VFC_q1_2022.txt", company="VFC", period="Q1 FY2022", kind="earnings call")
        answer = made.ask("What was VF's gross margin in Q1 of fiscal 2022?")
    assert "56.7" in answer.text and "No document" not in answer.text


def test_a_part_of_a_company_s_own_name_is_no_other_company() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        text = (
            "Seiko Epson Corporation. Epson acquired Robustelli Inc. in 2016. Finance costs were $31 million in 2022."
        )
        made.add_text(text, "seiko.txt", company="Seiko Epson Corporation", period="FY2022", kind="10-K")
        assert "of Epson" not in made.ask("What were Seiko Epson's finance costs in 2022?").text
