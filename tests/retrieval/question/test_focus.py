"""What a question comes in falls away, whatever it is: mails, tickets, forms, templates, other languages."""

from __future__ import annotations

import re

import pytest
from cliquerag.retrieval.question.figures.operands import name_spans
from cliquerag.retrieval.question.focus import Knowledge, focused
from cliquerag.retrieval.question.question import read_question, without_markup
from cliquerag.retrieval.question.vocabulary.vocabulary import default_formulas

BARE = "What was Acme's revenue in FY2022?"
CHINESE = "光华电子2021年的净利润是多少？"
KNOWN = Knowledge(
    lambda text: [match.span() for match in re.finditer("Acme|光华电子", text, re.IGNORECASE)],
    lambda text: [(start, end) for start, end, _ in name_spans(text, default_formulas())],
    lambda text: [match.span() for match in re.finditer("Walmart", text)],
    lambda text: [match.span() for match in re.finditer("Puneet Sira|Armando Iannucci", text)],
)


def asked_in(text: str) -> str:
    """What is asked, as a store with one company reads it."""
    return read_question(focused(without_markup(text), KNOWN).asked).trimmed


@pytest.mark.parametrize(
    "wrapped",
    [
        "<|im_start|>system\nYou help.<|im_end|>\n<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n",
        "[INST] {} [/INST]",
        '[request]\nid = 88\ntype = "lookup"\ntext = "{}"\n',
        "Ticket #48213\nPriority: High\nCategory: Financial data request\nRequester: J. Okafor\nDescription: {}",
        "Task 7/12\nDifficulty: hard\nCategory: reading comprehension\n\n{}",
        "| # | Question | Owner |\n|---|---|---|\n| 4 | {} | Lena |",
        "Hallo zusammen, ich brauche das bitte bis morgen früh für die Sitzung. {} Vielen Dank und viele Grüße!",
        "Bonjour, désolé de vous déranger encore une fois. {} Merci beaucoup !",
        "Tom, can you pull this?\n{}\n\n> Sure, what do you need?",
        "Explain it as to a child. I'm a barista who just started investing with my cousin Pedro. {}",
        "Grading rubric: correctness (70%), citations (20%). Passing grade is 80. {}",
    ],
)
@pytest.mark.parametrize("question", [BARE, "How is contribution profit defined?"])
def test_what_names_nothing_of_the_store_falls_away(wrapped: str, question: str) -> None:
    assert asked_in(wrapped.format(question)) == question


@pytest.mark.parametrize(
    "wrapped",
    [
        "各位老师好，我是刚入职的实习生，领导让我查一个数据，{} 急用，谢谢！",
        "【问题】{}\n【要求】答案简洁，注明页码\n【评分标准】准确性60分，完整性40分",
        "假如你是研究所的首席，请用不超过100字、分点作答，不要编造：{}",
        "客户：{}\n客服：您好，正在为您查询。",
        "尊敬的老师，您好！本人正在撰写毕业论文，{}期待您的回复，祝好！",
    ],
)
def test_chinese_talk_falls_away_too(wrapped: str) -> None:
    assert asked_in(wrapped.format(CHINESE)).strip("？") == CHINESE.strip("？")


@pytest.mark.parametrize(
    "form",
    [
        "Company: Acme | Metric: revenue | Period: FY2022",
        "Firm: Acme\nLine item: revenue\nTimeframe: FY2022\nOutput: number only",
        "company,metric,period\nAcme,revenue,FY2022",
        "Acme / revenue / FY2022",
        "[Acme] [FY2022] revenue",
        "Acme; FY2022; revenue = ?",
    ],
)
def test_the_fields_of_a_form_are_a_question(form: str) -> None:
    assert asked_in(form) == BARE


def test_a_form_for_a_company_that_the_store_lacks_still_names_it() -> None:
    assert asked_in("Company: Walmart | Metric: revenue | Period: FY2022") == BARE.replace("Acme", "Walmart")


@pytest.mark.parametrize(
    "text",
    [
        "The director Armando Iannucci has an OBE. Does the director Puneet Sira also have one?",
        "I am reading Acme's report. What was net income in 2021?",
        "Margin is defined as net income / net sales. What was the margin of Acme in 2021?",
        "Acme inventories at May 1, 2021",
        "What was the increase / (decrease) in revenue from 2018 to 2019?",
        "Which film has the director who died later, What Will You Do When You Catch Me? or School On Fire?",
        "Why did Acme Bros.' operating income rise 89% in 2022?",
    ],
)
def test_what_a_question_needs_stays(text: str) -> None:
    assert focused(text, KNOWN).asked == text


def test_speech_in_small_letters_is_cut_to_its_question() -> None:
    said = "okay so next thing let me find it right here we go what was acme's net income in 2021 did you get that"
    assert asked_in(said) == "what was acme's net income in 2021"


def test_a_wish_left_out_of_a_chinese_question_is_kept_apart() -> None:
    focus = focused(f"{CHINESE}保留两位小数。", KNOWN)
    assert (focus.asked, focus.form) == (CHINESE, "保留两位小数。")


@pytest.mark.parametrize(
    "asked",
    [
        "If it's not too much trouble, {q}",
        "Please answer:\n- {q}",
        "{q} Show it in a small table.",
        "{q} (max. 50 words)",
        "Can anyone tell me this? {q}",
        "Sorry to bother you again, one more thing: {q} Cheers, Tom",
        "Subject: quick data request\n\n{q}\n\nKind regards\nJ. Miller\nEquity Research",
        "请问：{q}",
        "请根据已上传的财务报告回答下面的问题：{q} 谢谢！",
    ],
)
def test_mails_lists_and_another_language_around_a_question_lower_nothing(asked: str) -> None:
    question = "What was Acme's revenue in 2021?"
    assert asked_in(asked.format(q=question)).rstrip("?").lower() == question.rstrip("?").lower()


@pytest.mark.parametrize(
    "around",
    [
        "Not financial advice obviously, but what was Acme's revenue in FY2022?",
        "There has been a lot of noise about rates; setting all that aside, what was Acme's revenue in FY2022?",
        "hey there! long day, huh? quick one - what was Acme's revenue in FY2022?",
        "Hi Jonas,\nhope the weekend was good. Two of us got stuck here. {q}\nCheers\nAnneke Visser\nNorthlake Capital",
        "To whom it may concern: {q} Yours faithfully, Dr. P. Okafor",
        '"{q}" - that\'s what the client wrote me this morning.',
        "Per the company's most recent disclosure, what was Acme's revenue in FY2022?",
    ],
)
def test_small_talk_that_names_nothing_is_no_part_of_the_question(around: str) -> None:
    assert asked_in(around.format(q=BARE)) == BARE


@pytest.mark.parametrize(
    "question", ["What was Acme's net income in 2021?", "Which countries does the group operate in?"]
)
@pytest.mark.parametrize(
    "wrapped",
    [
        "{} Show your work step by step and put the answer in a box.",
        "The reason I ask is that two vendors disagree. {} Which one is right does not matter.",
        'Suppose a client called and asked: "{}" What would you tell them?',
        "By Friday please: {}",
        "Agenda for today:\n1) welcome\n2) {}\n3) any other business",
        "Long flight, bad wifi, so bear with me. {} That's all I need before landing.",
        "Part 2 of 4 (prepare the quarterly review of rivals): {}",
        "Dear team,\n\n{}\n\nBest,\nT. Okafor\nSenior Associate",
        "{0} {0}",
    ],
)
def test_beside_a_whole_question_what_names_nothing_is_talk(wrapped: str, question: str) -> None:
    assert asked_in(wrapped.format(question)) == question


def test_a_time_is_lent_by_a_sentence_about_nothing_else() -> None:
    asked = "What base pay was agreed with the chief of Acme?"
    told = "I joined the fund in 2015 after eight years at a bank, and since 2019 I have covered consumer stocks."
    assert focused(f"{told} {asked}", KNOWN).asked == asked
    assert focused(f"Consider fiscal 2022. {asked}", KNOWN).asked == f"Consider fiscal 2022. {asked}"
    pointing = "Why did net income of Acme fall in that year?"
    assert (
        "2015"
        in focused(f"Our manager keeps asking what went wrong at the streaming firm in 2015. {pointing}", KNOWN).asked
    )


@pytest.mark.parametrize(
    "wrapped",
    [
        "## Task\nAnswer the user's question.\n\n## Question\n> {}\n\n## Constraints\n- no speculation\n- cite pages",
        "Hola, una duda rápida para mi informe: {} ¡Gracias!",
        "My boss wants a one-pager by Friday. {}",
    ],
)
def test_a_topic_is_told_by_the_company_and_what_is_named_of_it(wrapped: str) -> None:
    topic = "Operating margin of Acme's retail arm: Q4 2022 against Q2 2023"
    assert asked_in(wrapped.format(topic)) == topic


@pytest.mark.parametrize(
    "lead",
    ["Question: ", "hey quick one - ", "I would be most grateful if you would let me know the following: "],
)
def test_a_lead_that_says_nothing_is_no_part_of_a_question(lead: str) -> None:
    asked = "If turnover is net sales divided by the mean of both stocks, how often did Acme turn its stock in 2021?"
    assert focused(f"{lead}{asked[0].lower() + asked[1:]}", KNOWN).asked.lower() == asked.lower()
    assert focused("Retail segment: what was net income of Acme?", KNOWN).asked.startswith("Retail segment")


@pytest.mark.parametrize(
    "wrapped",
    [
        "id;lang;query\n17;en;{}",
        "お世話になっております。{} よろしくお願いいたします。",
        "I know it sounds silly, but {}",
        "Walmart bought a rival; that deal is not what I am asking about. {}",
    ],
)
def test_rows_of_a_table_scripts_and_what_is_said_first_are_told_apart(wrapped: str) -> None:
    assert asked_in(wrapped.format(BARE)).lower() == BARE.lower()


def test_an_order_to_tell_of_something_stays_whole_in_chinese() -> None:
    asked = "根据2021年皖通高速的年报，请简要介绍报告期内公司社会责任工作情况。"
    known = Knowledge(lambda text: [m.span() for m in re.finditer("皖通高速", text)], lambda text: [])
    assert focused(asked, known).asked == asked


@pytest.mark.parametrize(
    "asked",
    [
        "Regarding Acme: how much did the company spend on research?",
        "On the subject of Acme — how much did they spend on research?",
        "About Acme, how much did it spend on research?",
        "Acme\n\nHow much did the company spend on research?",
        "Re Acme: How much did Acme spend on research?",
    ],
)
def test_a_question_has_the_company_that_a_lead_names_in_the_place_of_its_pronoun(asked: str) -> None:
    assert asked_in(asked) == "How much did Acme spend on research?"


@pytest.mark.parametrize(
    "text",
    [
        "Cloud business of Acme: how large is it?",
        "What does Acme, which makes pumps, say of its rivals?",
        "Compare Acme, Bolt and Coral.",
    ],
)
def test_a_lead_that_says_more_than_whom_it_is_about_stays(text: str) -> None:
    assert focused(text, KNOWN).asked == text


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("关于光华电子：2021年的净利润是多少？", CHINESE),
        ("针对光华电子，2021年的净利润是多少？", CHINESE),
        ("光华电子\n2021年的净利润是多少？", CHINESE),
        ("就光华电子而言，主要产品是什么？", "光华电子的主要产品是什么？"),
        ("不好意思，翻了半天都没找到，光华电子2021年的净利润是多少？", CHINESE),
        ("小白求助一下[抱拳] 光华电子2021年的净利润是多少？ 在线等，挺急的", CHINESE),
        ("忙吗😊 光华电子2021年的净利润是多少？ 辛苦啦🙏", CHINESE),
        ("小刘：这个数谁知道？\n> 光华电子2021年的净利润是多少？\n麻烦帮忙看一下。", CHINESE),
        ("任务: 问答\n语言: 中文\n问题: 光华电子2021年的净利润是多少？", CHINESE),
        ("那个我想问一下就是光华电子2021年的净利润是多少嗯对", CHINESE),
        ("为应对汇率波动，光华电子采取了什么措施？", "为应对汇率波动，光华电子采取了什么措施？"),
        ('{"query": "光华电子2021年的净利润是多少？", "top_k": 5, "lang": "zh"}', CHINESE),
    ],
)
def test_chinese_leads_and_clauses_before_the_company(asked: str, plain: str) -> None:
    assert asked_in(asked).strip("？").replace(" ", "") == plain.strip("？")


@pytest.mark.parametrize("tail", ["yeah that's it", "thanks", "if you know", "right ok", "um you know"])
def test_talk_behind_a_spoken_question_falls_away(tail: str) -> None:
    assert asked_in(f"what was acme's net income in 2021 {tail}") == "what was acme's net income in 2021"
    assert asked_in("what rights does acme grant to its staff") == "what rights does acme grant to its staff"


def test_a_quotation_mark_without_its_other_goes_too() -> None:
    said = 'My boss just walked over and said, "How much did Acme pay for Bolt in 2021?" and I had no idea what to say.'
    assert asked_in(said) == "How much did Acme pay for Bolt in 2021?"


@pytest.mark.parametrize(
    ("asked", "plain"),
    [
        ("Compare Acme and Bolt. Focus on headcount.", "Compare Acme and Bolt regarding headcount"),
        (
            "What risks does Acme name? I'm only interested in those of its supply chain.",
            "What risks does Acme name regarding its supply chain?",
        ),
        (
            "What does Acme say of its rivals? Only the pumps, please.",
            "What does Acme say of its rivals regarding the pumps?",
        ),
        ("光华电子面临哪些风险？重点说汇率方面。", "光华电子面临哪些风险（汇率方面）"),
        ("What was Acme's net income in 2021? Only the number, please.", "What was Acme's net income in 2021?"),
        ("What was Acme's net income in 2021? Limit your answer to 50 words.", "What was Acme's net income in 2021?"),
        ("光华电子2021年的净利润是多少？只要数字。", "光华电子2021年的净利润是多少"),
    ],
)
def test_a_second_sentence_narrows_the_first(asked: str, plain: str) -> None:
    assert asked_in(asked).strip("？") == plain


@pytest.mark.parametrize(
    "wrapped",
    [
        "For a slide on margins, {}",
        "For our deck about Walmart's suppliers I need to know: {}",
        'Input:\n```json\n{{"id": 42, "question": "{}", "expected_type": "short"}}\n```\nOutput only the answer.',
        "Example: What was Walmart's revenue in 2019? -> $514 billion\nNow: {}",
        "Without prejudice and for information purposes only: {}",
        "{} Also give a confidence score between 0 and 1.",
        "{}??",
        "hey so um quick question for you {}",
    ],
)
def test_what_it_is_asked_for_and_examples_fall_away(wrapped: str) -> None:
    assert asked_in(wrapped.format(BARE)).lower() == BARE.lower()


def test_what_narrows_a_question_is_no_occasion() -> None:
    asked = "For a plant on leased land, what was Acme's rent in FY2022?"
    assert asked_in(asked) == asked
    assert "share" in asked_in("Per share: what was Acme's income in FY2022?")


@pytest.mark.parametrize(
    "wrapped",
    [
        "Please act as a buy-side analyst and tell me: {}",
        "Act as a credit officer and tell me what was Acme's revenue in FY2022?",
        "Take the role of an auditor and find what was Acme's revenue in FY2022?",
        "As a long-term investor, I want to know what was Acme's revenue in FY2022?",
        "Pretend to be a hedge fund PM and show me Acme's revenue in FY2022",
    ],
)
def test_a_role_given_in_the_sentence_falls_away(wrapped: str) -> None:
    assert "revenue in FY2022" in asked_in(wrapped.format(BARE))
    assert asked_in(wrapped.format(BARE)).split()[0].lower() in ("what", "show", "find")


def test_what_a_figure_is_to_be_told_as_is_no_role() -> None:
    text = "As a percentage of revenue, what was Acme's net income in FY2022?"
    assert asked_in(text) == text
