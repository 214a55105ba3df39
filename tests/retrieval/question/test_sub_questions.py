"""Several questions in one are told apart; what is one question stays as it is."""

from dataclasses import replace

import pytest
from support.shelf import Shelf, record

from benchmarks.asking import plan_of

COMPANIES = ("Acme Corporation", "Beta Steel Inc.", "Johnson and Johnson", "四方科技集团股份有限公司")


class Filings(Shelf):
    def documents(self, scope=None):
        return [replace(record(f"{name}.pdf"), companies=(name,), kind="10-K") for name in COMPANIES]


STORE = Filings(**{f"{name}.pdf": f"{name} makes pumps." for name in COMPANIES})


def parts(question: str) -> list[str]:
    return list(plan_of(STORE, question).sub_questions)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("四方科技的董事长和总经理分别是谁？", ["四方科技的董事长是谁？", "四方科技的总经理是谁？"]),
        ("Who supplies Acme and what are the risks?", ["Who supplies Acme?", "What are the risks of Acme?"]),
        ("Who supplies Zeta and what are its risks?", ["Who supplies Zeta?", "What are Zeta's risks?"]),
        ("Who supplies Acme, and who competes with it?", ["Who supplies Acme?", "Who competes with Acme?"]),
        (
            "What was Acme's revenue in 2021? And who audits it? Answer in USD millions.",
            ["What was Acme's revenue in 2021?", "Who audits Acme in 2021? Answer in USD millions."],
        ),
        (
            "What was Acme's revenue in 2021 and how did it change? And its operating margin?",
            ["What was Acme's revenue in 2021 and how did it change?", "Acme's operating margin in 2021?"],
        ),
        (
            "What did Acme spend on capex in 2021? How many plants did it operate?",
            ["What did Acme spend on capex in 2021?", "How many plants did Acme operate in 2021?"],
        ),
        ("Did Acme change its auditor, and why?", ["Did Acme change its auditor?", "Why did Acme change its auditor?"]),
        (
            "Report on Acme's suppliers, litigation and outlook",
            ["What are Acme's suppliers?", "What is Acme's litigation?", "What is Acme's outlook?"],
        ),
        (
            "What are the competitors, properties and risk factors of Acme?",
            [
                "What are the competitors of Acme?",
                "What are properties of Acme?",
                "What are risk factors of Acme?",
            ],
        ),
        (
            "How much did Acme spend on capex, and what in 2020?",
            ["How much did Acme spend on capex?", "How much did Acme spend on capex in 2020?"],
        ),
        ("Who audits Acme and Beta Steel?", ["Who audits Acme?", "Who audits Beta Steel?"]),
        ("What are the risks of Acme and of Zeta?", ["What are the risks of Acme?", "What are the risks of Zeta?"]),
        (
            "Revenue and net income of Acme and Zeta in 2022",
            ["Revenue and net income of Acme in 2022", "Revenue and net income of Zeta in 2022"],
        ),
        (
            "Compare Acme's and Zeta's revenue in 2022",
            ["What was Acme's revenue in 2022", "What was Zeta's revenue in 2022"],
        ),
        (
            "Compare Acme's revenue with Zeta's in 2022",
            ["What was Acme's revenue in 2022", "What was Zeta's revenue in 2022"],
        ),
        ("Compare Acme's revenue with that of Zeta", ["What was Acme's revenue", "What was Zeta's revenue"]),
        ("Compare Acme's revenue and Zeta's?", ["What was Acme's revenue", "What was Zeta's revenue"]),
        ("Acme vs Zeta revenue", ["What was Acme's revenue", "What was Zeta's revenue"]),
        (
            "Who is the CEO of Acme and what is his salary?",
            ["Who is the CEO of Acme?", "What is the CEO of Acme's salary?"],
        ),
        (
            "How does Acme's tax rate in FY2022 compare to FY2021, and has Acme reported legal battles from FY2022?",
            [
                "How does Acme's tax rate in FY2022 compare to FY2021?",
                "Has Acme reported legal battles from FY2022?",
            ],
        ),
        (
            "Are there segments that bring Acme more than 20% of revenue, and are there plants of Acme in Ohio?",
            [
                "Are there segments that bring Acme more than 20% of revenue?",
                "Are there plants of Acme in Ohio?",
            ],
        ),
        ("四方科技的审计机构是谁，主要风险有哪些？", ["四方科技的审计机构是谁", "四方科技主要风险有哪些？"]),
        ("某公司的审计机构是谁，以及主要风险有哪些？", ["某公司的审计机构是谁", "某公司的主要风险有哪些？"]),
        (
            "四方科技的主要客户、供应商和风险是什么？",
            ["四方科技的主要客户是什么？", "四方科技的供应商是什么？", "四方科技的风险是什么？"],
        ),
        (
            "Compare Acme with Zeta on operating margin",
            ["What was Acme's operating margin", "What was Zeta's operating margin"],
        ),
        *(
            (question, [asked.format(name) for name in COMPANIES])
            for question, asked in (
                ("Which companies pay a dividend?", "Does {} pay a dividend?"),
                ("Which companies are exposed to tariffs?", "Is {} exposed to tariffs?"),
                ("Which of the companies have convertible notes?", "Does {} have convertible notes?"),
                ("Which companies have restructured?", "Has {} restructured?"),
                ("Who is the CFO of each company?", "Who is the CFO of {}?"),
                ("What is each company's strategy?", "What is {}'s strategy?"),
                ("各公司的审计机构是谁？", "{}的审计机构是谁？"),
                ("哪些公司分红？", "{}分红？"),
            )
        ),
    ],
)
def test_parts_stand_alone(question, asked):
    assert parts(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue and net income of Acme and of Beta Steel in 2021?",
        "What was Acme's operating income in 2015, and why did it decrease?",
        "Did Acme's gross margin improve in 2022, and why?",
        "What discount rate did Acme use for its pensions in 2022, and what in 2021?",
        "What dividend did Acme declare in Q1 2023, and what in the year-earlier quarter?",
        "How much can Acme repurchase under its program and how much is left?",
        "What are the risks of Johnson and Johnson?",
        "Compare the risks and competitors of Acme and Beta Steel",
        "How are Acme and Beta Steel connected?",
        "When did Acme and Beta Steel sign the agreement?",
        "What price per share did Acme offer for Zeta, and which agency opposed the deal?",
        "What did Acme sell in 2021, and what was the gain?",
        "Do Acme and Beta Steel have the same auditor?",
        "Which company makes pumps and is based in Ohio?",
        "Which companies compete with each other?",
        "Which companies supply Acme?",
        "Which companies are audited by the same firm?",
        "Which companies have the highest margins?",
        "Which companies paid a dividend?",
        "Which companies don't pay a dividend?",
        "Which companies are there?",
        "Which companies were adversely affected by interest rates in 2022?",
        "哪些公司受汇率影响？",
        "Which companies are covered?",
        "Which companies report revenue above $5 billion?",
        "What drove net sales in each of the last three years?",
        "哪些公司的营收最高？",
        "Compare Acme's revenue with International's",
        "What was the revenue of each company in 2022?",
        "What was the revenue of each segment of Acme?",
        "Who is the singer who is known for her voice and who sang in Ohio?",
        "How does Acme manage its customers and suppliers?",
        "What are the terms and conditions of Acme's credit facility?",
        "What total cash returns does Acme expect for 2023, and how are they split?",
        "Has Acme bought back shares, and what are the financial implications of these activities?",
        "How does Acme's spending compare to previous quarters, and what could be the potential impacts?",
        "Which film has the director who died later, What Will You Do When You Catch Me? or School On Fire?",
        "Which risks did Acme name in 2022, and which ones are new?",
        "Report on Acme's management and executive compensation",
        "What base salary was agreed with Mary Dillon at Acme?",
        "Which products came to Acme with Beta Steel?",
        "How many shares did Acme buy back and for how much money?",
        "How and why did Acme's strategy change?",
        "What did Acme acquire from Bayer, and how much did it pay?",
        "What is the largest factory of Acme, and what does it produce?",
        "How much cash did Acme hold in 2021? Please round to two decimals.",
        "四方科技2019年的营业收入是多少，净利润是多少？",
        "四方科技与Acme的研发费用相比哪个更高，差多少？",
        "Acme " + "and Beta Steel " * 200 + "?",
    ],
)
def test_one_question_stays_as_it_is(question):
    assert parts(question) == [question]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Acme auditor", "Who is the auditor of Acme?"),
        ("Acme's CFO?", "Who is the CFO of Acme?"),
        ("chief operating officer of Acme", "Who is the chief operating officer of Acme?"),
        ("Acme revenue", "What was Acme revenue?"),
        ("Acme auditor fees", "Acme auditor fees"),
    ],
)
def test_an_office_alone_asks_who_holds_it(text, asked):
    assert plan_of(STORE, text).asked.trimmed == asked
