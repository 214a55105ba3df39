from __future__ import annotations

import pytest
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.wording.answer_type import expected_answer


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("You are an analyst. How high was capex in FY2018? Answer in USD millions.", "How high was capex in FY2018?"),
        ("How high was capex? Answer in percents and round to one decimal place. Use the income statement.",
         "How high was capex?"),
        ("How much cash did Acme hold? If none is disclosed, then state 0.", "How much cash did Acme hold?"),
        ("四方科技2019年的净利润是多少？请保留两位小数。", "四方科技2019年的净利润是多少？"),
    ],
)  # fmt: skip
def test_role_play_and_forms_of_the_answer_are_cut(asked: str, kept: str) -> None:
    assert read_question(asked).trimmed == kept


@pytest.mark.parametrize(
    "asked",
    [
        "Which film was released earlier, Yonder: The Lost Child or A Bad Dream On Elder Street 4: The Master?",
        "Which report has more pages, Bolt: Annual Review or Crux?",
        "What is the place of birth of the director of film The Midnight After?",
    ],
)
def test_a_colon_or_a_capital_within_a_name_ends_no_question(asked: str) -> None:
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize(
    "asked",
    [
        "Which film came out earlier, My Dear Desperado or Moner Manush?",
        "Which film has the older director, A Wrong Way To Love or Ever Since We Love?",
    ],
)
def test_a_name_that_holds_a_word_of_whoever_asks_is_no_talk(asked: str) -> None:
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Why did Acme's revenue go up in 2022?", "Why did Acme's revenue increase in 2022?"),
        ("Margins went down, why?", "Margins decreased, why?"),
        ("Why have sales plummeted?", "Why have sales decreased?"),
        ("Did cash flow jump from 2021 to 2022?", "Did cash flow increase from 2021 to 2022?"),
    ],
)
def test_lively_words_of_movement_are_read_as_the_plain_ones(asked: str, read: str) -> None:
    assert read_question(asked).trimmed == read


@pytest.mark.parametrize(
    "asked",
    [
        "What is the CEO's view on fees?",
        "What's the CEO of Acme's compensation?",
        "What is the CFO responsible for at Acme?",
        "What is the auditor's opinion on Acme's internal control?",
        "Is Acme growing faster than expected?",
        "Is Acme growing faster than its costs?",
    ],
)
def test_a_question_for_something_else_of_an_officer_or_of_growth_is_kept(asked: str) -> None:
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize(
    "around",
    ["Good morning Sarah, {q}", "Dear John, {q}", "Thanks Tom, {q}", "Acting as a CFA charterholder, {q}"],
)
def test_a_greeting_or_a_role_before_a_question_is_no_part_of_it(around: str) -> None:
    asked = "who supplies Acme?"
    assert read_question(around.format(q=asked)).trimmed.lower() == asked.lower()


@pytest.mark.parametrize("asked", ["Who climbed Mount Everest first?", "Which film is The Great Slump?"])
def test_who_climbs_something_is_no_movement_of_a_figure(asked: str) -> None:
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize("asked", ["qtrly earnings per share", "acme's revenue in 2021, and what drove it?"])
def test_a_question_in_small_letters_stays_so(asked: str) -> None:
    """A capital of our own would make a name of its first word, which no document has."""
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize(
    "asked",
    [
        "It would be great to know Acme's revenue in 2021.",
        "Would it be nice for us to see Acme's revenue in 2021?",
        "Could I trouble you for Acme's revenue in 2021?",
        "Look up Acme's revenue in 2021 for me.",
        "Report Acme's revenue in 2021, if possible. Best regards, Anna",
    ],
)
def test_a_figure_asked_for_politely_is_asked_for(asked: str) -> None:
    assert read_question(asked).trimmed == "What was Acme's revenue in 2021?"


def test_a_question_whose_beginning_was_cut_off_gets_a_capital() -> None:
    assert read_question("please tell me how much cash did acme hold?").trimmed == "How much cash did acme hold?"


def test_a_question_of_nothing_else_is_kept_whole() -> None:
    assert read_question("Please round to two decimal places.").trimmed == "Please round to two decimal places"


def test_periods_give_years_and_quarters() -> None:
    question = read_question("How did sales grow from FY2019 to FY2021, and in Q2'2023?")
    assert question.years == (2019, 2021, 2023)
    assert question.quarters == {2}
    assert read_question("between 2019 and 2021").years == (2019, 2020, 2021)


def test_a_half_year_stands_in_the_report_of_its_last_quarter() -> None:
    assert read_question("cash flow in H1 2023").quarters == {2}


@pytest.mark.parametrize(
    "around",
    ["{q} A one-line answer is enough.", "{q} Quote the page you took it from.", "We disagree about this one. {q}"],
)
def test_words_around_a_topic_without_a_question_mark_are_told_from_it(around: str) -> None:
    topic = "Nova net interest income 2021"
    assert read_question(around.format(q=topic)).trimmed == topic


def test_a_name_at_the_end_is_not_taken_for_a_signature() -> None:
    assert read_question("What was the 2021 revenue of Best Buy?").trimmed == "What was the 2021 revenue of Best Buy?"
    assert "腾讯" in read_question("腾讯's revenue in 2021 was what?").trimmed


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("in its 10K", "10-K"),
        ("the annual report", "10-K"),
        ("2019年年报", "annual report"),
        ("on the earnings call", "earnings call"),
    ],
)
def test_kinds_of_document(text: str, kind: str) -> None:
    assert kind in read_question(f"What was said {text}?").kinds


def test_no_kind_is_read_into_other_words() -> None:
    assert read_question("How much did Acme recall?").kinds == ()


def test_intents() -> None:
    assert read_question("What was the margin in the latest 10-Q?").latest
    assert read_question("How has revenue changed over time?").several
    assert read_question("近三年营业收入的变化趋势如何？").several
    assert not read_question("What effects did currency fluctuations have in the latest 10-Q?").several
    assert read_question("How much debt is due?").numeric
    assert not read_question("Who leads the company?").numeric


def test_a_reason_for_another_case_is_no_reason_asked():
    question = "Does Acme have an improving gross margin as of FY2022?"
    other = "If gross margin is not a useful metric for such a company, then state that and explain why."
    assert not read_question(f"{question} {other}").explains
    assert read_question("Why does Acme have an improving gross margin?").explains


@pytest.mark.parametrize(
    "question",
    [
        "Costco's membership renewal rate is closely watched. What was it in fiscal 2021 in the US and Canada?",
        "I'm looking at Costco's fiscal 2021 10-K. How much did the company spend on capital expenditures?",
    ],
)
def test_what_a_question_refers_back_to_stays(question: str) -> None:
    assert "Costco" in read_question(question).trimmed


def test_what_moved_a_figure_asks_for_a_cause():
    assert read_question("What increased Acme's technology costs in 2022?").explains
    assert not read_question("What increased more, sales or costs?").explains


@pytest.mark.parametrize(
    "question",
    [
        "What weighed on Acme's margin?",
        "What pulled Acme's gross margin down?",
        "What made Acme's advertising bill grow in 2018?",
        "What casts doubt on whether Acme can stay in business?",
    ],
)
def test_a_cause_is_asked_for_by_whatever_verb(question: str) -> None:
    read = read_question(question)
    assert read.explains and expected_answer(read).kind == "reason"
    assert not read_question("What hit the most countries?").explains


def test_a_year_in_the_name_of_notes_is_no_time() -> None:
    assert read_question("What did Acme do with the money from its 2025 notes?").periods == ()
    assert read_question("How high were Acme's 2025 notes payable?").years == (2025,)


def test_how_plainly_to_answer_is_no_part_of_the_question() -> None:
    read = read_question("In plain terms, why were Acme's inventories so high?")
    assert read.trimmed == "Why were Acme's inventories so high?"


def test_where_to_look_is_no_part_of_the_question() -> None:
    text = "Looking only at the primary financial statements, what was Acme's net income in 2022?"
    assert read_question(text).trimmed == "What was Acme's net income in 2022?"


BARE = "What was Acme's revenue in FY2022?"


@pytest.mark.parametrize("narrowing", ["Net of tax", "In Europe", "Unlike Bolt", "Before special items", "For 2021"])
def test_what_narrows_the_question_before_it_stays(narrowing: str) -> None:
    assert narrowing in read_question(f"{narrowing}, what was Acme's income from licences?").trimmed


def test_an_occasion_names_no_kind_of_document() -> None:
    assert not read_question(f"Before the call starts: {BARE}").kinds
    assert "10-K" in read_question(f"{BARE} Take it from the 10-K.").kinds


def test_the_latest_is_asked_for_around_a_question_without_a_time() -> None:
    assert read_question("Per its latest report, how many plants does Acme run?").latest


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ("What was Acme's op income in FY22 Q3?", "What was Acme's operating income in Q3 FY22?"),
        ("What were Acme's admin costs in the year that ended in June 2022?",
         "What were Acme's administrative costs in the year ended June 2022?"),
    ],
)  # fmt: skip
def test_short_words_and_turned_periods_are_written_out(asked: str, kept: str) -> None:
    assert read_question(asked).trimmed == kept


def test_a_span_of_years_stays_one_where_talk_before_it_is_cut() -> None:
    text = "Going by the income statement, what is the FY2019 - FY2021 average operating margin of Acme?"
    assert read_question(text).trimmed == "What is the FY2019 - FY2021 average operating margin of Acme?"


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("What does Boeing owe?", "what was Boeing total debt?"),
        ("How much debt is MGM Resorts carrying?", "what was MGM Resorts total debt?"),
        ("How much cash is Apple sitting on?", "what was Apple cash and cash equivalents?"),
        ("How big is Acme's cash pile?", "How big is Acme's cash and cash equivalents?"),
        ("How leveraged is Costco?", "what was Costco debt to equity?"),
        ("How heavily is Costco taxed?", "what was Costco effective tax rate?"),
        ("What did Acme hand out in dividends in 2021?", "what was Acme dividends paid in 2021?"),
        ("Did Netflix burn cash in 2017?", "was Netflix free cash flow positive or negative in 2017?"),
        ("Is Acme's retail business in the red?", "was Acme's retail operating income positive or negative?"),
        ("How highly taxed was Nike in 2023?", "what was Nike effective tax rate in 2023?"),
        ("Who's the boss at Nike?", "who is the chief executive of Nike?"),
        ("What does the new boss of Acme earn?", "What does the new chief executive of Acme earn?"),
        ("How many staff does Netflix have?", "how many employees does Netflix have?"),
        ("Where does Costco make most of its money?", "which region had the highest revenue at Costco?"),
        ("What was Pfizer's best-selling drug in 2021?", "which product had the highest revenue at Pfizer in 2021?"),
        ("What was Pfizer's R&D bill in 2021?", "What was Pfizer's R&D expense in 2021?"),
    ],
)  # fmt: skip
def test_what_is_said_at_a_desk_is_the_name_of_a_figure(spoken: str, written: str) -> None:
    assert read_question(spoken).trimmed == written


@pytest.mark.parametrize(
    "asked",
    [
        "How much does Netflix owe for content?", "What do customers owe Boeing?", "Who owns the cash register?",
        "How full are the order books?", "How much cash did Verizon burn on capex in 2022?",
        "Did the plant burn coal?",
    ],
)  # fmt: skip
def test_what_names_something_else_is_no_figure(asked: str) -> None:
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize(
    "asked", ["Acme net sales: Q2 2023", "Acme margins: fiscal 2021", "Acme net sales: Q2 2023 versus Q2 2022"]
)
def test_what_stands_before_a_time_is_asked_for(asked: str) -> None:
    assert read_question(asked).trimmed == asked


@pytest.mark.parametrize(
    "asked",
    [
        "What was Acme's net income in 2021? Why?",
        "What was Acme's net income in 2021? Describe the Northern plant.",
        "The plant in Ohio burnt down. What did it cost?",
        "What was Acme's net income in 2021? And in 2022?",
    ],
)
def test_a_second_question_and_what_a_question_points_to_stay(asked: str) -> None:
    kept = read_question(asked).trimmed
    assert all(word in kept for word in asked.replace("And ", "").rstrip(".?").split() if word[0].isupper())


def test_whether_a_company_grows_is_a_question_of_its_revenue() -> None:
    assert read_question("Is Acme growing?").trimmed == "did the revenue of Acme increase or decrease?"
    assert "revenue" not in read_question("Is Acme growing wheat in Ohio?").trimmed


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("恒江装备2019年冷柜卖了多少台？", "恒江装备2019年冷柜的销售量是多少台？"),
        ("恒江装备2020年上半年亏了多少？", "恒江装备2020年上半年的净亏损是多少？"),
        ("恒江装备2020年赚了多少钱？", "恒江装备2020年的净利润是多少？"),
        ("恒江装备亏损了多少年？", "恒江装备亏损了多少年？"),
    ],
)
def test_plain_chinese_words_for_figures(asked: str, read: str) -> None:
    assert read_question(asked).trimmed == read
