from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from cliquerag.core.period import Period
from cliquerag.ingest.document import Document, Metadata, Page, Segment
from cliquerag.ingest.facts import extract_facts
from cliquerag.ingest.facts.metric_mentions import find_metrics
from support.fact_documents import brief, document, facts_of

SENTENCES = {
    "Revenue rose 12 % to $3.4 billion in fiscal 2023.": [("revenue", "FY2023", 3_400_000_000, "USD")],
    "Net income was $5 million in 2021 compared with $4 million in 2020.": [
        ("net income", "FY2021", 5_000_000, "USD"),
        ("net income", "FY2020", 4_000_000, "USD"),
    ],
    "Net loss was $5 million in 2021 compared with $4 million in 2020.": [
        ("net income", "FY2021", -5_000_000, "USD"),
        ("net income", "FY2020", -4_000_000, "USD"),
    ],
    "2023年公司实现净利润3.2亿元，比2022年的2.9亿元增长10.3%。": [("net income", "FY2023", 320_000_000, "CNY")],
    "2023年公司净亏损为5.2亿元。": [("net income", "FY2023", -520_000_000, "CNY")],
    "In fiscal 2021, capital expenditures totaled $1.2 billion.": [
        ("capital expenditures", "FY2021", 1_200_000_000, "USD")
    ],
    "Net income was $17 million and $22 million for fiscal 2022 and 2021, respectively.": [
        ("net income", "FY2022", 17_000_000, "USD"),
        ("net income", "FY2021", 22_000_000, "USD"),
    ],
    "We had approximately 79,100 and 82,500 employees as of December 31, 2023 and 2022, respectively.": [
        ("employees", "2023-12-31", 79_100, "people"),
        ("employees", "2022-12-31", 82_500, "people"),
    ],
    "In 2021, we spent $3,588 on capital expenditures, and intend to spend $3,800 to $4,200 during fiscal 2022.": [],
    "Capital expenditures rose from $3.6 million in 2020 to $4.2 million in 2021.": [
        ("capital expenditures", "FY2021", 4_200_000, "USD")
    ],
    "We expect revenue of $5.0 billion in fiscal 2024.": [],
    "As expected, revenue was $5.0 billion in fiscal 2024.": [("revenue", "FY2024", 5_000_000_000, "USD")],
    "2023年公司实现营业收入4亿元，2024年计划实现营业收入5亿元。": [("revenue", "FY2023", 400_000_000, "CNY")],
    "预计2024年营业收入为45亿元，净利润为5亿元。": [],
    "2023年公司虚拟现实业务营业收入为5.2亿元。": [("revenue", "FY2023", 520_000_000, "CNY")],
    "业绩不及预期，2023年营业收入为5亿元。": [("revenue", "FY2023", 500_000_000, "CNY")],
    "In a transition that will take years, revenue was $5 million in 2022.": [("revenue", "FY2022", 5_000_000, "USD")],
    "We do not expect this to recur, but net income was $12 million in 2022.": [
        ("net income", "FY2022", 12_000_000, "USD")
    ],
    "Revenue in Europe and in Asia was $50 million and $30 million in 2022, more than in 2021.": [
        ("revenue", "FY2022", 50_000_000, "USD")
    ],
    "公司业绩超预期，2024年营业收入为45亿元。": [("revenue", "FY2024", 4_500_000_000, "CNY")],
    "As of December 31, 2022 and 2021, our total workforce was approximately 156,000 and 142,000 with 13% abroad.": [
        ("employees", "2022-12-31", 156_000, ""),
        ("employees", "2021-12-31", 142_000, ""),
    ],
    "As of December 31, 2022, we employed 1,549 full- and part-time employees, of which a little over 80% in Ohio.": [
        ("employees", "2022-12-31", 1_549, "people")
    ],
    "A waiver is granted where the applicant employs fewer than 500 employees, including those of affiliates.": [],
    "In 2023 we had 79,100 and 82,500 employees at home and abroad, respectively.": [],
    "2021年、2022年和2023年，公司营业收入分别为1.2亿元、1.3亿元和1.5亿元，同比增长5%。": [
        ("revenue", "FY2021", 120_000_000, "CNY"),
        ("revenue", "FY2022", 130_000_000, "CNY"),
        ("revenue", "FY2023", 150_000_000, "CNY"),
    ],
    "截至2023年12月31日和2022年12月31日，公司员工人数分别为79,100人和82,500人。": [
        ("employees", "2023-12-31", 79_100, "people"),
        ("employees", "2022-12-31", 82_500, "people"),
    ],
    "2023年公司营业收入和净利润分别为1.3亿元和1.5亿元。": [],
    "As of December 31, 2021, inventory was $2.5 million.": [("inventory", "2021-12-31", 2_500_000, "USD")],
    "As of December 31, 2018, we had approximately 55,000 full-time and 17,000 part-time employees.": [],
    "As of December 31, 2022, we employed 29,239 people.": [("employees", "2022-12-31", 29_239, "people")],
    "Diluted EPS was $3.10 in fiscal 2022.": [("diluted earnings per share", "FY2022", Decimal("3.10"), "USD/share")],
    "Diluted EPS was $3.10 per share in 2022.": [
        ("diluted earnings per share", "FY2022", Decimal("3.10"), "USD/share")
    ],
    "In 2022 our clients added to their $20 billion of backlog.": [],
    "The effective tax rate was 21.5 % in 2022.": [("effective tax rate", "FY2022", Decimal("21.5"), "%")],
}


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items())
def test_sentences(sentence, expected):
    assert [brief(f) for f in facts_of(prose=sentence)] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Revenue increased by $5 million in 2022.",
        "Cash was lower than net income in 2017 primarily due to the higher payments for content of $5 million.",
        "Revenue growth was 5 % in 2022.",
        "The allowance for sales returns was $8,240 thousand in 2022.",
        "Free cash flow was $2,578.6 million lower than net income in 2022.",
        "Royalties of $5 million were recorded in cost of revenue in 2022.",
        "Net income was lower; cash of $5 million was paid in 2022.",
        "The tax rate and revenue are discussed in Note 12.",
    ],
)
def test_changes_and_loose_ends_are_no_facts(sentence):
    assert facts_of(prose=sentence) == []


def test_a_part_of_the_company_is_a_dimension():
    (fact,) = facts_of(prose="Cloud revenue was $4 million in fiscal 2022.")
    assert fact.dimensions == (("segment", "Cloud"),)


def test_a_chinese_sentence():
    facts = facts_of(prose="2019年度，公司实现营业收入11.75亿元，同比下降4.49%。", period="2019年度", language="zh")
    assert [brief(f) for f in facts] == [("revenue", "FY2019", 1_175_000_000, "CNY")]


def test_a_fact_points_at_its_sentence():
    prose = "It was a year. Revenue was $5 million in 2022. More words."
    (fact,) = facts_of(prose=prose)
    assert prose[fact.start : fact.end] == "Revenue was $5 million in 2022."
    assert fact.source_kind == "prose" and fact.confidence < 0.9


def test_without_a_period_the_documents_own_is_assumed_and_trusted_less():
    (fact,) = facts_of(prose="Revenue was $5 million.", period="FY2020")
    (stated,) = facts_of(prose="Revenue was $5 million in 2020.", period="FY2020")
    assert fact.period.label == "FY2020"
    assert fact.confidence < stated.confidence


def test_a_year_named_after_the_calendar_year_before_keeps_its_name():
    ends = "Fiscal 2022 ended January 28, 2023. Fiscal 2021 ended January 29, 2022. Fiscal 2020 ended January 30, 2021."
    ends += " The year ended January 28, 2023 had 52 weeks."
    facts = facts_of(prose=f"{ends} In fiscal 2022, revenue was $5 million and inventory was $2 million.")
    assert [brief(f) for f in facts] == [
        ("revenue", "FY2022", 5_000_000, "USD"),
        ("inventory", "2023-01-28", 2_000_000, "USD"),
    ]


def test_raw_page_text_has_facts_too():
    head = "Consolidated Statements of Income\n(in millions)\nYears ended December 31,\n2022\n2021\n"
    page = head + "Net sales\n$\n1,200\n$\n1,100\nNet income\n80\n70\nOther\n1\n2\n"
    doc = Document("acme", page, (), Metadata(companies=("Acme",)), (Page(1, 0, len(page)),))
    facts = extract_facts(doc)
    assert ("revenue", "FY2021", Decimal(1_100_000_000), "USD") in [brief(f) for f in facts]
    assert all(doc.text[f.start : f.end].startswith(("Net", "Other")) for f in facts)


@pytest.mark.parametrize(
    ("sentence", "part"),
    [
        ("Revenue from Boeing was $45.2 million in 2022.", "Boeing"),
        ("Sales to Apple Inc. were $10 million in 2022.", "Apple Inc"),
        ("Revenue was $45.2 million in 2022.", ""),
        ("Revenue from January to March 2022 was $90 million.", ""),
        ("Revenue from continuing operations was $90 million in 2022.", ""),
    ],
)
def test_what_comes_from_somebody_is_no_total(sentence: str, part: str) -> None:
    (mention,) = find_metrics(sentence)
    assert mention.part == part


def test_the_rows_of_a_table_are_no_sentences():
    page = "Consolidated Statements of Income\n(in thousands)\nYears ended December 31,\n2022\n2021\n"
    page += "Net sales\n$\n1,200,400\n$\n1,100,300\nNet income\n80,000\n70,000\n"
    segments = (Segment("paragraph", 0, len(page)),)
    about = Metadata(companies=("Acme",), period=Period("year", 2022, fiscal=True))
    found = extract_facts(Document("acme", page, segments, about, (Page(1, 0, len(page)),)))
    assert {fact.source_kind for fact in found} == {"table"}


def test_an_assumed_year_that_ends_in_january_keeps_the_name_that_the_report_has():
    own = Period("year", 2023, fiscal=True, end=date(2024, 2, 3))
    prose = "Net sales were $2,418.6 million. At February 3, 2024 goodwill was $74 million."
    about = Metadata(companies=("Acme",), period=own)
    doc = Document("acme", prose, (Segment("paragraph", 0, len(prose)),), about)
    assert [brief(fact)[:2] for fact in extract_facts(doc)] == [("revenue", "FY2023"), ("goodwill", "2024-02-03")]


def test_a_period_with_a_value_of_its_own_is_not_that_of_the_value_before_it():
    (fact,) = facts_of(prose="The group employed 4,870 people (2022: 4,712).", period="FY2023")
    assert fact.value == 4870 and fact.period.label == "2023-12-31"


@pytest.mark.parametrize(
    ("sentence", "owner"),
    [
        ("Dunmore Glass had revenue of $41.5 million in 2024.", "Dunmore Glass"),
        ("In 2024, Vexel's net revenue was $7.2 million.", "Vexel"),
        ("Dunmore reported revenue of $389.0 million in 2024.", ""),
        ("The Company's revenue was $389.0 million in 2024.", ""),
        ("In March 2024 Dunmore Group's revenue was $389.0 million.", ""),
        ("DG's revenue was $389.0 million in 2024.", ""),
    ],
)
def test_a_figure_that_a_sentence_gives_to_another_is_a_part_of_the_company_s(sentence, owner):
    metadata = Metadata(companies=("Dunmore Group plc",), period=Period("year", 2024))
    text = Segment("paragraph", 0, len(sentence))
    (fact,) = extract_facts(Document(source="report.txt", text=sentence, segments=(text,), metadata=metadata))
    assert fact.dimensions == ((("segment", owner),) if owner else ())


def test_the_lower_end_of_a_range_is_no_figure():
    for text in (
        "Capital expenditure of £130m to £150m is planned.",
        "Revenue of $470 million - $480 million in FY2023.",
    ):
        assert not extract_facts(document(prose=text)), text
    (fact,) = extract_facts(document(prose="Revenue rose from $470 million to $480 million in FY2022."))[:1]
    assert fact.text == "$480 million"


def test_who_asks_in_a_call_states_nothing_for_the_company():
    said = document(prose="Revenue was $5 million in 2021, right? Revenue was $6 million in 2021.")
    half = said.text.index("Revenue", 5)
    asked = Segment("paragraph", 0, half, speaker="Tom Lee, Analyst, Citi", part="question")
    told = Segment("paragraph", half, len(said.text), speaker="Jane Roe, CEO", part="answer")
    assert [fact.text for fact in extract_facts(replace(said, segments=(asked, told)))] == ["$6 million"]


def test_values_of_two_periods_that_stand_right_behind_them():
    text = (
        "The effective tax rate was 13.8% and 22.1% for the three and six months ended June 30, 2022, respectively, "
        "compared to 26.1% and 25.0% for the three and six months ended June 30, 2021, respectively."
    )
    found = {(fact.period.label, fact.text) for fact in facts_of(prose=text, period="Q2 FY2022")}
    assert {("Q2 FY2022", "13.8%"), ("H1 FY2022", "22.1%")} <= found


def test_a_part_behind_the_name_of_a_figure_narrows_it():
    text = "Total backlog in our defense segments was $71.9 billion on December 31, 2022."
    assert [fact.dimensions for fact in facts_of(prose=text)] == [(("segment", "defense"),)]
