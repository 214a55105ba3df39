"""Sentences that ready reports quote by rules, in both languages; what is only feared or generic stays away."""

import pytest
from cliquerag.reports import wording
from cliquerag.reports.parts import Numbering
from cliquerag.workspace import Workspace

REPORT = """# Acme Corporation Annual Report 2023

## Business
Acme Corporation is one of the largest makers of pumps and provides services to mines. Culture is important to Acme.

## Legal proceedings
From time to time we may be sued in federal court for $1 million. In March 2023 Zeta Pumps sued Acme in the
District Court for Delaware, alleging that our valves infringe two U.S. patents.

## Outlook
We expect revenue of $4.1 billion in fiscal 2024. Revenue could fall by 10% in 2024. We expect to recognize the cost of
awards of $3 million in 2024 in earnings.

## Dividends
In May 2023 the Board of Directors declared a dividend of $0.40 per share. In 2011 we declared a dividend of $0.10 per
share. Awards of $5 million may be paid in shares and dividends.

## Debt
In June 2023 we issued $500 million of senior notes due 2030. We were in compliance with the covenants of our credit
agreement, which limits the ratio of debt to capital.

## Competition
We compete with Bolt Foundry and others, and our industry is highly competitive, with competitors such as Zeta Pumps.
"""
CALL = """Acme Corporation (NYSE: ACM)
Q2 2023 Earnings Conference Call
July 25, 2023, 8:00 a.m. ET

Company Participants
Jane Roe - Chief Executive Officer

Conference Call Participants
Bob Ray - Bolt Securities - Analyst

Operator
Good morning. I will now turn the call over to Jane Roe.

Jane Roe -- Chief Executive Officer
Revenue grew 8% in the quarter and we had strong momentum in all segments of the business.

Operator
We will now begin the question-and-answer session. Our first question comes from Bob Ray with Bolt Securities.

Bob Ray -- Bolt Securities -- Analyst
Good morning. I am concerned about the weak orders and the pressure on prices in Europe. {asked} How should we think
about the margin in the second half of the year?

Jane Roe -- Chief Executive Officer
We are confident. We think the margin could improve, depending on volumes. {answered}
""".format(
    asked="You said in the spring that mines in Chile order pumps by the year. " * 8,
    answered="Our plants in Ohio make pumps of steel and brass for mines and for towns. " * 8,
)
CHINESE = """# 四方科技股份有限公司2019年年度报告

## 公司业务概要
公司主要从事冷链装备的研发、生产与销售，主要产品包括速冻设备和罐式集装箱。

## 重大诉讼
2019年3月，公司向南通市中级人民法院提起诉讼，要求被告支付货款1,200万元。

公司可能面临其他诉讼和仲裁风险，可能对公司的经营业绩造成影响。

## 未来展望
2020年公司力争实现营业收入13亿元，同比增长10%。
"""


@pytest.fixture
def workspace(tmp_path):
    with Workspace(f"sqlite:///{tmp_path / 'w.db'}", embedder="none") as made:
        made.add_text(REPORT, "acme.md", "Acme Corporation", "FY2023", "10-K")
        made.add_text(CHINESE, "sifang.md", "四方科技股份有限公司", "FY2019")
        made.add_text(CALL, "call.txt", "Acme Corporation", "Q2 2023")
        yield made


def quotes(workspace, name, source):
    records = [record for record in workspace.documents() if record.source == source]
    found = wording.quoted(workspace.store, name, records, Numbering())
    return "\n".join(paragraph.text for paragraph in found)


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [
        ("business", "one of the largest makers of pumps", "Culture"),
        ("proceedings", "Zeta Pumps sued Acme", "From time to time"),
        ("outlook", "$4.1 billion in fiscal 2024", "awards"),
        ("payouts", "dividend of $0.40", "Awards"),
        ("borrowing", "$500 million of senior notes", "covenants"),
        ("covenants", "in compliance with the covenants", "issued"),
        ("competition", "competitors such as Zeta Pumps", "sued"),
    ],
)
def test_a_group_quotes_what_is_stated(workspace, name, said, unsaid):
    text = quotes(workspace, name, "acme.md")
    assert said in " ".join(text.split()) and unsaid not in text
    assert "could fall" not in text


@pytest.mark.parametrize(
    ("name", "said", "unsaid"),
    [("business", "冷链装备", "诉讼"), ("proceedings", "南通市中级人民法院", "可能"), ("outlook", "13亿元", "诉讼")],
)
def test_the_same_in_chinese(workspace, name, said, unsaid):
    text = quotes(workspace, name, "sifang.md")
    assert said in text and unsaid not in text


def test_what_is_recent_goes_before_what_is_old(workspace):
    assert quotes(workspace, "payouts", "acme.md").index("$0.40") >= 0
    assert wording._timeliness("declared in 2011", 2023) < wording._timeliness("declared", 2023)
    assert wording._timeliness("declared in May 2023", 2023) > 0


def test_questions_of_a_call_and_how_they_sound(workspace):
    records = [record for record in workspace.documents() if record.source == "call.txt"]
    (asked,) = wording.call_questions(workspace.store, records, Numbering(), "en")
    assert [row[0].text for row in asked.rows] == ["Bob Ray, Analyst, Bolt Securities"]
    assert "margin in the second half" in asked.rows[0][1].text and asked.rows[0][1].citations
    (tone,) = wording.tone(workspace.store, records, Numbering(), "en")
    counted = {row[0].text: (row[1].text.split()[0], row[2].text.split()[0]) for row in tone.rows}
    assert counted == {"caution": ("0", "3"), "concern": ("3", "0"), "confidence": ("0", "2")}
    concern = tone.rows[1][3]
    assert "concerned about the weak orders" in concern.text and concern.citations


def test_a_filing_has_no_questions(workspace):
    records = [record for record in workspace.documents() if record.source == "acme.md"]
    assert wording.call_questions(workspace.store, records, Numbering(), "en") == []
    assert wording.tone(workspace.store, records, Numbering(), "en") == []
