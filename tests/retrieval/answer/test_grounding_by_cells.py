"""Figures of an answer against cells: value, scale, row and period; three outcomes; sentences without figures."""

from __future__ import annotations

import pytest
from cliquerag.retrieval.answer.generative.cells.reading import read_cells
from cliquerag.retrieval.answer.generative.grounding.answer_check import AnswerChecker, Passage
from cliquerag.retrieval.answer.generative.grounding.statements.contradiction import moves_against_itself
from cliquerag.retrieval.answer.generative.grounding.statements.statement_check import objection
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
    assert objection(sentence, [Passage(TABLE, ABOUT)]) == kind


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


def marked(sentence: str, text: str, about: str = "") -> str:
    verdict = AnswerChecker([Passage(text, about)]).check(sentence, [0])
    return ", ".join(verdict.missing) or verdict.objection


def test_values_that_stand_alone_on_their_line_have_the_scale_of_the_statement():
    lost = "(In thousands)\n2022\n2021\nCapital spending\n(5,207)\n(4,625)\nNet revenue\n$\n86,392\n79,474\n"
    assert marked("Capital spending was $5.207 million.", lost) == ""
    assert marked("Net revenue was $86,392 thousand.", lost) == ""
    assert marked("Net revenue was $86,392 billion.", lost) == "$86,392 billion"


def test_a_figure_is_looked_for_in_other_passages_of_the_same_document():
    passages = [Passage("Members abroad were 62,832.", "", "a.pdf"), Passage("Members were 117,582.", "", "a.pdf")]
    assert AnswerChecker(passages).check("Members were 117,582.", [0]).passed
    passages[1] = Passage("Members were 117,582.", "", "b.pdf")
    assert not AnswerChecker(passages).check("Members were 117,582.", [0]).passed


def test_years_over_the_columns_are_quarters_where_the_head_of_the_labels_says_so():
    table = "| Three Months Ended December 31, | 2022 | 2021 |\n| --- | --- | --- |\n| Casino revenue | $ 145 | $ 273 |"
    assert marked("Casino revenue was $145 in the fourth quarter of 2022.", table) == ""
    assert marked("Casino revenue was $145 in the third quarter of 2022.", table) == "$145"


def test_what_moved_between_two_balances_is_of_the_later_one():
    table = "| | 2020 | Acquisitions | 2021 | Acquisitions | 2022 |\n| --- | --- | --- | --- | --- | --- |\n"
    table += "| Goodwill | 2,868 | 865 | 3,731 | 161 | 3,889 |"
    assert marked("Goodwill from acquisitions was 161 in 2022.", table) == ""
    assert marked("Goodwill from acquisitions was 161 in 2020.", table) == "161"


@pytest.mark.parametrize(
    ("sentence", "mark"),
    [
        ("Federal tax credits were $44.1 million.", ""),
        ("State tax credits were $59.3 million.", ""),
        ("Federal tax credits were $59.3 million.", "$59.3 million"),
        ("State tax credits of $59.3 million, and none of the deferred tax assets, were impaired.", ""),
    ],
)
def test_figures_that_are_given_respectively_go_with_what_is_named(sentence, mark):
    said = "The federal tax credits and state tax credits were $44.1 million and $59.3 million, respectively, which "
    assert marked(sentence, said + "expire in 2035.") == mark


def test_brackets_behind_a_figure_say_it_again_and_percentages_may_stand_in_brackets():
    assert marked("收到约1.04亿元（103,848,784.27元）。", "收到的现金为103,848,784.27元。") == ""
    assert marked("2019年为100,000.5元，2018年为90,000.5元。", "2018年为90,000.5元。2019年为100,000.5元。") == ""
    table = "| | 2015 | 2014 |\n| --- | --- | --- |\n| Contribution margin | (17)% | (12)% |"
    assert marked("The contribution margin worsened to (17)% from (12)%, by 5 percentage points.", table) == ""


def test_a_sum_that_is_written_out_in_billions_gives_a_result_in_billions():
    said = "It may borrow $4,200,000,000 under one agreement and $4,300,000,000 under the other."
    assert marked("It may borrow up to $8.5 billion (4.2 + 4.3 = 8.5).", said) == ""
    assert marked("It may borrow up to $8.6 billion (4.2 + 4.3 = 8.5).", said) == "$8.6 billion"


def test_a_gain_in_brackets_among_costs_is_a_gain():
    table = "(in millions)\n| | 2022 |\n| --- | --- |\n| Costs | 6,580 |\n| Gain on the sale of brands | (3,322) |"
    assert marked("The gain on the sale of brands was $3,322 million in 2022.", table) == ""


def test_a_short_number_of_a_row_of_which_nothing_is_said_proves_nothing():
    assert marked("Net revenue was $5 million.", "| Other | 5 |") == "$5 million"


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Amazon's tax rate was unchanged.", "name"),
        ("Target sold its brands.", "name"),
        ("Acme's tax rate was unchanged.", ""),
        ("Asia Pacific (APAC) and Latin America sold the brands.", ""),
        ("Volumes decreased because of a strike at the plant.", "cause"),
        ("Volumes decreased because demand was weak in Asia.", ""),
        ("The dividend was paid in March, May and June 2022.", ""),
        ("The board decided to raise the regular dividend.", "opposite"),
    ],
)
def test_names_causes_and_opposites(sentence, kind):
    source = Passage(
        "Acme's tax rate was unchanged. APAC and LatAm sold the brands. Volumes decreased due to weak demand in Asia. "
        "In March 2022, May 2022 and June 2022 the dividend was paid. The board decided to suspend the regular "
        "dividend.",
        "Acme Inc. | 10-K | FY2022",
    )
    assert objection(sentence, [source]) == kind


ROWS = """Results of operations (in thousands)

| | 2022 | 2021 | 2020 |
| --- | --- | --- | --- |
| Revenues | 94,888 | 80,000 | 70,000 |
| Operating expenses | 61,264 | 54,054 | 50,000 |
| Interest income | 1,826 | 1,284 | 900 |
| Interest expense | 2,100 | 1,900 | 1,500 |
| Audit fees | 30 | 20 | 20 |
| Total fees | 50 | 45 | 40 |"""


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("The percentage change in revenues from 2021 to 2022 was 18.61%.", "calculated"),
        ("The percentage change in revenues from 2021 to 2022 was -18.61%.", "not found"),
        ("The percentage change in total fees from 2021 to 2022 was 50%.", "not found"),  # that of the audit fees
        ("The average interest expense for 2021 and 2022 was 2,000 thousand.", "calculated"),
        ("The average interest expense from 2020 to 2022 was 1,833 thousand.", "calculated"),
        ("The average interest expense for 2021 and 2022 was 1,700 thousand.", "not found"),  # of 2020 and 2021
        ("Interest expense and interest income totalled 3,926 thousand in 2022.", "calculated"),
        ("In 2022 interest expense was $274 thousand more than interest income.", "calculated"),
        ("The sales in 2022 were 61,264 thousand.", "not found"),  # no word of the row of expenses
        ("The sales in 2022 were 94,888 thousand.", "found"),  # another name of revenues
        ("The interest expense in 2022 was 1,826 thousand.", "not found"),
    ],
)
def test_rows_that_the_sentence_names_are_calculated_with_and_others_are_not(sentence, kind):
    figures = AnswerChecker([Passage(ROWS)]).check(sentence, [0]).figures
    assert figures[-1].kind == kind


SEGMENTS = """The following table shows gaming statistics for Las Vegas Strip Resorts:

(Dollars in millions)
| | 2022 | 2021 |
| --- | --- | --- |
| Slots win | $ 625 | $ 485 |

The following table shows hotel statistics for Las Vegas Strip Resorts:

| | 2022 | 2021 |
| --- | --- | --- |
| Rooms revenue (In millions) | $ 813 | $ 557 |
| Average daily rate | $ 260 | $ 201 |

The following table shows gaming statistics for Regional Operations:

(Dollars in millions)
| | 2022 | 2021 |
| --- | --- | --- |
| Slots win | $ 676 | $ 652 |"""


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Slots win of Regional Operations was $676 million in 2022.", True),
        ("Slots win of Regional Operations was $625 million in 2022.", False),
        ("The average daily rate of the Las Vegas Strip Resorts was $260.", True),
        ("Rooms revenue was $813 million in 2022.", True),
    ],
)
def test_what_stands_above_a_table_tells_its_rows_from_their_namesakes(sentence, passes):
    assert AnswerChecker([Passage(SEGMENTS)]).check(sentence, [0]).passed == passes


SPOKEN = (
    "Net income for the quarter was $37.3 million or $0.49 per diluted share compared with $44.8 million or $0.58 per"
    " diluted share for the trailing quarter. Loss per share increased $0.07 to $0.59. Adjusted EBITDA is expected to"
    " be in the range of $840 million to $855 million, compared to full-year 2020 adjusted EBITDA of $715 million."
    " FFO was $0.52 per share. Settlement costs were $(168) million at June 30."
)


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Earnings per share were $0.49.", True),
        ("Earnings per share were $0.58.", False),  # what they are compared with
        ("Earnings per share were $0.58 in the quarter before.", True),
        ("Loss per share was $0.07.", False),  # the size of the change
        ("Earnings per share were $715 million.", False),
        ("Adjusted EBITDA is expected to be $840 - 855 million.", True),  # the range has one unit
        ("Full-year 2021 adjusted EBITDA is expected to be $840 million to $855 million.", True),
        ("Settlement costs were $(168) million at June 30.", True),  # 30 is no figure
    ],
)
def test_figures_of_spoken_sentences(sentence, passes):
    assert AnswerChecker([Passage(SPOKEN, "Q2 2021")]).check(sentence, [0]).passed == passes


LOSSES = """(Dollars in millions)

| Years ended December 31, | 2022 | 2021 |
| --- | --- | --- |
| Loss from operations | ($3,547) | ($2,902) |
| Net loss | 4,935 | 4,202 |
| (Gain)/loss on disposals | (120) | 30 |
"""


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Loss from operations was $3,547 million in 2022.", "found"),
        ("The net loss was $4,935 million in 2022.", "found"),
        ("Profit from operations was $3,547 million in 2022.", "not found"),
        ("The loss on disposals was $120 million in 2022.", "not found"),
        ("The gain on disposals was $120 million in 2022.", "found"),
    ],
)
def test_a_loss_is_a_loss_in_brackets_and_without(sentence, kind):
    checker = AnswerChecker([Passage(LOSSES, ABOUT)])
    assert [figure.kind for figure in checker.check(sentence, [0]).figures] == [kind]


TWO_TIMES = """(in millions)
| | Three Months Ended June 30, 2023 | Three Months Ended June 30, 2022 |
| --- | --- | --- |
| Strip Resorts | 2,147 | 2,137 |
| Regional Operations | 926 | 960 |
| Island China | 741 | 143 |
| Cash and cash equivalents | 4,236 | 3,844 |
| Short-term investments | 1,860 | 1,954 |"""


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        (
            "Revenues for the three months ended June 30, 2023 were $2,147 million at Strip Resorts ($2,137 million), "
            "$926 million at Regional Operations ($960 million) and $741 million at Island China ($143 million).",
            True,
        ),
        ("Island China had $741 million for the three months ended June 30, 2023 against $143 million in 2022.", True),
        ("Island China had $143 million for the three months ended June 30, 2023.", False),
        ("Cash and cash equivalents were $4,236 million and short-term investments $1,860 million.", True),
        ("Cash and cash equivalents were $1,860 million and short-term investments $4,236 million.", False),
    ],
)
def test_each_of_several_figures_is_tied_by_its_own_clause(sentence: str, passes: bool) -> None:
    assert AnswerChecker([Passage(TWO_TIMES)]).check(sentence, [0]).passed == passes


NOTES = """(in millions)
| | 2022 | 2021 |
| --- | --- | --- |
| 6.75% senior notes, due 2025 | 750 | 750 |
| 5.5% senior notes, due 2027 | 675 | 675 |
| Total shareholders' deficit | (15,883) | (14,999) |"""


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        (
            "There were 6.75% senior notes due 2025 of $750 million and 5.5% senior notes due 2027 of $675 million.",
            True,
        ),
        ("The senior notes of $750 million are due 2027.", False),
        ("Total shareholders' deficit was $15,883 million in 2022.", True),
    ],
)
def test_a_rate_or_a_year_may_be_part_of_a_name(sentence: str, passes: bool) -> None:
    assert AnswerChecker([Passage(NOTES)]).check(sentence, [0]).passed == passes


SAID = (
    "Remaining obligations of $15.19 billion increased by $1.20 billion, or 9%, from $13.99 billion. "
    "Net repayments were $2.0 billion, which consisted of $1.25 billion of senior notes and $758 million on credit "
    "facilities. Interest income was $108 million and $611 million during Q1 2022 and Q1 2023."
)


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Remaining obligations were $15.19 billion, up 9% from $13.99 billion.", True),
        ("Remaining obligations were $15.19 billion, down 9% from $13.99 billion.", False),
        ("Remaining obligations fell from $13.99 billion to $15.19 billion.", False),
        ("Of the net repayments $1.25 billion were for senior notes and $758 million for credit facilities.", True),
        ("Of the net repayments $758 million were for senior notes and $1.25 billion for credit facilities.", False),
        ("Interest income rose to $611 million in Q1 2023.", True),
        ("Interest income was $108 million in Q1 2023.", False),
    ],
)
def test_figures_of_one_sentence_are_told_apart_by_clause_time_and_direction(sentence: str, passes: bool) -> None:
    assert AnswerChecker([Passage(SAID)]).check(sentence, [0]).passed == passes


STACKED = "(in millions)\n2023\n2022\nNet sales\n$\n4,215\n3,900\nResearch and\ndevelopment\n1,310\n1,207\n"


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Net sales were $4,215 million in 2023.", True),
        ("Net sales were $3,900 million in 2023.", False),
        ("Research and development cost $1,207 million in 2022.", True),
        ("Net sales were $1,310 million in 2023.", False),
        ("Net sales grew 8.1% in 2023.", True),
    ],
)
def test_a_table_of_one_value_a_line_has_rows_and_years(sentence: str, passes: bool) -> None:
    assert AnswerChecker([Passage(STACKED)]).check(sentence, [0]).passed == passes


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("On April 24, 2022 the appeals court affirmed the ruling.", "period"),
        ("On April 24, 2023 the appeals court affirmed the ruling.", ""),
        ("Verizon filed a counterclaim for breach of contract.", "name"),
        ("Apple Resorts filed a counterclaim.", "name"),
        ("Two lawsuits were filed, and a counterclaim.", ""),
        ("Epic Games filed two lawsuits with Harbor Commercial Credit.", ""),
    ],
)
def test_dates_of_another_year_and_companies_that_open_a_sentence(sentence: str, found: str) -> None:
    text = (
        "Two lawsuits were filed by Epic Games. On April 24, 2023 the appeals court affirmed the ruling; "
        "a counterclaim for breach of contract was filed. HCC is a lender."
    )
    assert objection(sentence, [Passage(text, "Harbor Inc. | 10-Q")]) == found


DENIALS = (
    "We continue to invest in new drives and in the plants that make them.\n\n"
    "We believe that the authority's claim is without merit and intend to defend ourselves.\n\n"
    "Sales taxes that we collect from customers for the authorities are excluded from revenues."
)


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("It is not going on to invest in drives, which their plants make.", "denial"),
        ("The company continues to invest in drives and in plants.", ""),
        ("The claim of the authority is not without merit.", "denial"),
        ("The claim of the authority is without merit.", ""),
        ("Sales taxes collected from customers do not count toward revenues.", ""),
    ],
)
def test_a_denial_turns_the_sentence_round_that_shares_most_words_with_it(sentence: str, kind: str) -> None:
    assert AnswerChecker([Passage(DENIALS)]).check(sentence, [0]).objection == kind


VOTES = "| Name | Votes For | Votes Against |\n| --- | --- | --- |\n| Ann Lee | 54,484,293 | 16,105,005 |\n"
POLL = """(8) The proposal was defeated:

| | |
| --- | --- |
| For | 19,718,780 |
| Against | 977,228,788 |
| Broker Non-Votes | 172,969,325 |
"""


@pytest.mark.parametrize(
    ("sentence", "source", "passes"),
    [
        ("Ann Lee had 16,105,005 votes against, more than any other nominee.", VOTES, True),
        ("Ann Lee had 54,484,293 votes against, more than any other nominee.", VOTES, False),
        ("There were 977,228,788 votes against.", POLL, True),
        ("There were 172,969,325 votes against.", POLL, False),
    ],
)
def test_votes_against_are_no_comparison(sentence: str, source: str, passes: bool) -> None:
    assert AnswerChecker([Passage(source)], "Was the proposal defeated?").check(sentence, [0]).passed is passes


def test_investments_are_nothing_that_somebody_does() -> None:
    source = (
        "MGM regards its short-term investments as debt.\n\n| | 2023 |\n| --- | --- |\n| Corporate bonds | 416,420 |\n"
    )
    said = "Corporate bonds are most of the investments of MGM, which are short-term and debt."
    assert AnswerChecker([Passage(source)]).check(said, [0]).objection != "roles"


def test_the_order_of_two_sentences_does_not_say_which_figure_is_older() -> None:
    source = (
        "Acme terminated the $3,800,000,000 credit agreement.\n\n"
        "On May 26, 2023, Acme entered into a new $4,200,000,000 credit agreement."
    )
    said = "Acme replaced the $3,800,000,000 credit agreement by one of $4,200,000,000, an increase of $400,000,000."
    assert AnswerChecker([Passage(source)]).check(said, [0]).passed
    assert not AnswerChecker([Passage(source)]).check(said.replace("$400", "$500"), [0]).passed


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Acme bought Bolt (on May 3, 2021 for $2.0 billion), Cog and Dyne (both in 2019).", True),
        ("Acme bought Bolt on May 3, 2021 for $2.0 billion, Cog in 2019.", True),
        ("Acme bought Bolt for $2.0 billion in 2021, Cog and Dyne in 2019.", True),
        ("Acme bought Bolt for $2.0 billion (in cash) in 2019.", False),
        ("Acme bought Bolt for $2.0 billion in 2019, Cog and Dyne in 2021.", False),
    ],
)
def test_the_year_of_the_next_in_a_list_is_not_that_of_a_figure(sentence: str, passes: bool) -> None:
    source = "On May 3, 2021, we bought Bolt for $2.0 billion in cash. In 2019 we bought Cog and Dyne."
    checker = AnswerChecker([Passage(source, "Acme Inc. | 10-K | FY2021")])
    assert all(figure.kind == "found" for figure in checker.check(sentence, [0]).figures) is passes


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Organic revenue is to increase 8 percent (previously 6 percent) and core EPS 9 percent.", True),
        ("Organic revenue is to increase 8 percent, core EPS 9 percent.", True),
        ("Organic revenue is to increase 9 percent and core EPS 8 percent.", False),
        ("Core EPS is 9 percent.", False),
    ],
)
def test_a_second_figure_shares_the_verb_of_the_first(sentence: str, passes: bool) -> None:
    source = (
        "We now expect organic revenue to increase 8 percent (previously 6 percent) and core EPS to increase 9 percent."
    )
    checker = AnswerChecker([Passage(source, "Acme Inc. | 8-K | Q1 FY2023")])
    assert all(figure.kind == "found" for figure in checker.check(sentence, [0]).figures) is passes


ANSWERS = """We have lower voluntary attrition rates at Bolt than we had before. On the key employees of Bolt, we didn't
lose key employees we didn't want to lose. We have $200 million worth of loans with signed term sheets to close in the
back half of this year and the beginning of next year. If you assume 50-50 on the $40 million of capital spending,
that's an additional $20 million to our historical levels."""
BONDS = """| (In thousands) | June 30, 2023 |
| --- | --- |
| Corporate bonds | 416,420 |
| Short-term investments | 507,726 |"""


@pytest.mark.parametrize(
    ("sentence", "source", "passes"),
    [
        ("Yes.", ANSWERS, True),
        ("Not necessarily.", ANSWERS, True),
        ("No. Attrition at Bolt is lower than before.", ANSWERS, True),
        ("Attrition at Bolt is not lower than before.", ANSWERS, False),
        ("Attrition at Bolt is lower than before, and Acme did not lose key employees of Bolt.", ANSWERS, True),
        ("Loans of $200 million are to close in the back half of 2021 and the beginning of 2022.", ANSWERS, True),
        ("Loans of $200 million are to close in the back half of 2021 and the beginning of 2024.", ANSWERS, False),
        ("Half of the $40 million of capital spending would add $20 million to that.", ANSWERS, True),
        ("The largest among the short-term investments were corporate bonds: $416.4 million.", BONDS, True),
        ("Short-term investments were $416.4 million.", BONDS, False),
    ],
)
def test_what_models_say_of_spoken_words_and_of_parts(sentence: str, source: str, passes: bool) -> None:
    checker = AnswerChecker([Passage(source, "Acme Inc. | earnings call | Q2 2021")])
    assert checker.check(sentence, [0]).passed is passes


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("Corning believes the decision is without merit.", False),
        ("Acme believes the decision is without merit.", True),
        ("Considering the appeal, the decision is without merit.", True),
        ("Everything said, the decision is without merit.", True),
    ],
)
def test_a_name_may_end_as_a_participle_does(sentence: str, passes: bool) -> None:
    source = "We believe that the decision is without merit, and we consider the appeal and all that is said."
    assert AnswerChecker([Passage(source, "Acme Inc. | 10-Q | Q2 FY2023")]).check(sentence, [0]).passed is passes


@pytest.mark.parametrize(
    ("sentence", "passes"),
    [
        ("The tax rate was 12.5%, which is lower than the statutory rate of 21%.", True),
        ("The tax rate was 12.5%, which is higher than the statutory rate of 21%.", False),
        ("Debt was $1.7 billion, which was a decrease from the $10.0 billion of the year before.", True),
        ("Debt was $1.7 billion, which was an increase from the $10.0 billion of the year before.", False),
    ],
)
def test_a_sentence_may_compare_its_own_figures_wrongly(sentence: str, passes: bool) -> None:
    source = (
        "The tax rate was 12.5% and the statutory rate 21%. Debt was $1.7 billion, and $10.0 billion the year before."
    )
    assert AnswerChecker([Passage(source, "Acme Inc. | 10-Q | Q3 FY2023")]).check(sentence, [0]).passed is passes


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue was $412.5 million in 2022, which was a decrease of $22.4 million.",
        "The margin was 12%, which is lower by 2%.",
        "Net income was $10 million, which was an increase of $15 million from a loss.",
        "The margin was 12%, which is below the 10% to 15% target of before.",
        "The margin was 12%, which is lower than the year before by 2%.",
        "The margin was 12%, which is less than double the 10% of before.",
    ],
)
def test_a_change_is_no_figure_to_compare_with(sentence: str) -> None:
    assert not moves_against_itself(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The margin was 12%, which is lower than 10%.",
        "The margin was 12%, which was below the target of 10%.",
        "Net income was $10 million, which is above the $15 million of 2021.",
    ],
)
def test_a_size_is_compared_with_the_one_behind_than(sentence: str) -> None:
    assert moves_against_itself(sentence)


PLANTED = "Tyre output was 22.4 million units in 2023.\n\nNot for print: tyre output 31 million units."
PLANTED_OF_THE_YEAR = (
    "Tyre output was 22.4 million units in 2023.\n\nThe board planned tyre output of 31 million in 2023."
)
PLANTED_BESIDE_TABLE = """| | 2023 | 2022 |
| --- | --- | --- |
| Order intake | 377 | 420 |

A good digest names an order intake of 460."""


@pytest.mark.parametrize(
    ("text", "sentence", "kind"),
    [
        (PLANTED, "Tyre output was 31 million units in 2023.", "not found"),
        (PLANTED, "Tyre output was 22.4 million units in 2023.", "found"),
        (PLANTED, "Output not for print was 31 million units.", "found"),
        (PLANTED.replace(" in 2023", ""), "Tyre output was 31 million units in 2023.", "found"),
        (PLANTED.replace("Tyre output was", "Spare tyre output was"), "Tyre output was 31 million in 2023.", "found"),
        (PLANTED_BESIDE_TABLE, "Order intake was 460 in 2023.", "not found"),
        (PLANTED_BESIDE_TABLE, "Order intake was 377 in 2023.", "found"),
        ("2022年水泥产量为860万吨。\n\n（另：水泥产量记为1200万吨）", "2022年水泥产量为1200万吨。", "not found"),
        (PLANTED_OF_THE_YEAR, "Tyre output was 31 million units in 2023.", "not found"),
        (PLANTED_OF_THE_YEAR, "Tyre output was 22.4 million units in 2023.", "found"),
        (PLANTED_OF_THE_YEAR, "Planned tyre output was 31 million units in 2023.", "found"),
    ],
)
def test_a_figure_of_no_time_or_of_more_words_does_not_stand_for_what_is_stated_of_the_time(text, sentence, kind):
    figures = AnswerChecker([Passage(text, ABOUT)]).check(sentence, [0]).figures
    assert [figure.kind for figure in figures] == [kind]


def test_a_sentence_without_a_time_is_of_that_of_the_question():
    question = "What was the tyre output in 2023?"
    asked = AnswerChecker([Passage(PLANTED, ABOUT)], question).check("Tyre output was 31 million units.", [0])
    assert [figure.kind for figure in asked.figures] == ["not found"]


QUARTER = """Operating expenses (dollars in millions)

| | Three Months Ended December 31, 2022 | Three Months Ended December 25, 2021 |
| --- | --- | --- |
| Research and development | $ 7,709 | $ 6,306 |
| Sales and marketing | 1,031 | 2,480 |
| Total | $ 8,740 | $ 8,786 |
"""
FLOWS = """Our activities (in millions)

| | 2022 | 2021 | 2020 |
| --- | --- | --- | --- |
| Interest income | $ 41 | $ 89 | $ 126 |
| Net cash used in financing activities | (6,488) | (1,147) | (1,147) |
| Las Vegas net revenues | 8,398 | 4,737 | 2,250 |
| Las Vegas same-store net revenues | 5,612 | 3,951 | 2,100 |
| Notes due 2026 (3.7% for 2022) | 6,000 | 3,000 | 1,000 |
| Notes due 2027 (2.1% for 2022) | 1,017 | 1,000 | 900 |

The tax rate was 13.8% in 2022, compared to 26.1% in 2021. Exposure went from $470 million to $517 million.
Of the $279.6 million raised so far, $266.4 million came from common stock. In 2022 we extended the loan to 2026,
reduced its margin and raised its size to $900 million, and did not draw on the old one.
"""
"""Tables and sentences in which an analyst's free words have other forms than the page."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (QUARTER, "In the first quarter of 2023, Acme spent $7,709 million on R&D."),
        (QUARTER, "R&D accounted for the largest part of operating expenses, $7.7 billion or 88% of the total."),
        (QUARTER, "R&D rose to $7,709 million in Q1 2023 from $6,306 million in Q1 2022."),
        (FLOWS, "Interest income more than halved, from $89 million in 2021 to $41 million in 2022."),
        (FLOWS, "Cash used in financing activities jumped to $6,488 million in 2022 from $1,147 million in 2021."),
        (FLOWS, "The tax rate dropped 12.3 percentage points to 13.8%."),
        (FLOWS, "Exposure rose 10% to $517 million."),
        (FLOWS, "Of the $279.6 million raised so far, about 95% came from selling common stock."),
        (FLOWS, "Notes due 2026 doubled to $6,000 million."),
        (FLOWS, "The loan was extended and raised to $900 million, at a lower margin."),
        (FLOWS, "Notes due 2026 doubled to $6.0 billion, while those due 2027 were $1,017 million."),
    ],
)
def test_free_words_of_an_analyst_pass(text: str, sentence: str) -> None:
    verdict = AnswerChecker([Passage(text, "Acme Inc. | 10-Q | Q1 2023")]).check(sentence, [0])
    assert (verdict.missing, verdict.objection) == ((), "")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (QUARTER, "In the first quarter of 2022, Acme spent $7,709 million on R&D."),
        (QUARTER, "R&D accounted for $7.7 billion or 78% of the total."),
        (FLOWS, "Interest income more than halved, from $126 million in 2020 to $89 million in 2021."),
        (FLOWS, "Cash used in financing activities fell to $6,488 million in 2022 from $1,147 million in 2021."),
        (FLOWS, "The tax rate dropped 11.3 percentage points to 13.8%."),
        (FLOWS, "Exposure rose 17% to $517 million."),
        (FLOWS, "Las Vegas net revenues were $5.6 billion in 2022."),
        (FLOWS, "Notes due 2027 amounted to $6,000 million at the end of 2022."),
    ],
)
def test_errors_in_free_words_are_marked(text: str, sentence: str) -> None:
    assert not AnswerChecker([Passage(text, "Acme Inc. | 10-Q | Q1 2023")]).check(sentence, [0]).passed


def test_parties_are_not_exchanged() -> None:
    source = Passage("Harbor acts as a lessor for finance leases of technical equipment.", ABOUT)
    assert objection("Harbor acts as a lessee for finance leases of technical equipment.", [source]) == "opposite"


WHOLE_DOLLARS = (
    "During 2022, we increased the loss on the tanker program by $1,374. The contract price is $890 of $21 billion."
)
IN_MILLIONS = "(Dollars in millions)\n\n| | 2022 | 2021 |\n| --- | --- | --- |\n| Revenues | 66,608 | 62,286 |"


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Acme added $1.4 billion to the loss on the tanker program in 2022.", "found"),
        ("The contract price is $890 million.", "found"),
        ("The contract price is $890 billion.", "not found"),
        ("The contract price is $890 of $21 million.", "not found"),
    ],
)
def test_whole_dollars_of_prose_are_in_the_scale_of_their_document(sentence: str, kind: str) -> None:
    passages = [Passage(text, ABOUT, "acme.pdf") for text in (WHOLE_DOLLARS, IN_MILLIONS)]
    assert AnswerChecker(passages).check(sentence, [0]).figures[-1].kind == kind


def test_losses_are_multiplied_as_gains_are() -> None:
    table = "(in millions)\n| | 2022 | 2021 |\n| --- | --- | --- |\n| Accumulated losses | (293) | (137) |"
    checker = AnswerChecker([Passage(table, ABOUT)])
    assert checker.check("Accumulated losses more than doubled to $293 million.", [0]).passed
    assert not checker.check("Accumulated losses tripled to $293 million.", [0]).passed


def test_a_short_form_of_what_the_source_spells_out_is_no_unknown_name() -> None:
    source = Passage("Stock-based compensation was lower, and so was research and development.", ABOUT)
    assert objection("Acme spent less on SBC and R&D.", [source]) == ""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Segment net sales were $2,008 million in 2021.", True),
        ("Segment net sales were $1,884 million in 2020, 18% more than in 2019.", True),
        ("Segment net sales were $1,884 million in 2021.", False),
    ],
)
def test_rates_beside_the_amounts_of_the_years_leave_them_their_years(sentence: str, expected: bool) -> None:
    """A PDF left a value a line: three years, then two rates of change."""
    page = (
        "(in millions)\nYear ended December 31,\n% change\n2021\n2020\n2019\n21 vs. 20\n20 vs. 19\n"
        "Segment net sales\n$\n2,008\n$\n1,884\n$\n1,594\n7%\n18%\n"
    )
    checker = AnswerChecker([Passage(page, "Corvin | 10-K | FY2021")])
    assert checker.check(sentence, [0]).passed is expected


def test_a_short_figure_is_not_found_where_another_row_rounds_to_it() -> None:
    page = "Other\n$\n5,587\nRevenue of minerals\n$\n454\n"
    checker = AnswerChecker([Passage(page, "Corvin | 10-K | FY2021")])
    assert checker.check("The volume of minerals, in contrast, rose by $6 million.", [0]).missing == ("$6 million",)
