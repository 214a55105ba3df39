"""Company, ticker, kind, period, date: found, with their origin, and not taken from what only looks like them."""

from __future__ import annotations

from datetime import date

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.core.period import Period
from cliquerag.ingest.about.cover_page import find_issuer, is_company, written_in_full
from cliquerag.ingest.about.file_name import read_name
from cliquerag.ingest.about.given import DocumentHints
from cliquerag.ingest.about.metadata import KINDS, find_metadata
from cliquerag.ingest.about.report_period import annual_period, fiscal_year, quarterly_period
from cliquerag.ingest.document import ALSO_FILE_NAME, Metadata
from cliquerag.ingest.formats.registry import Evidence
from cliquerag.ingest.read import read_text

NOTHING = DocumentHints()
COVER_10K = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549
FORM 10-K
(Mark One)
☒ ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934
For the fiscal year ended December 31, 2022
Acme Pumps, Inc.
(Exact name of registrant as specified in its charter)
Delaware
(State or other jurisdiction of incorporation)
Title of each class
Trading Symbol(s)
Name of each exchange on which registered
Common Stock
APMP
New York Stock Exchange
"""


def metadata(text: str, source: str = "x", given: DocumentHints = NOTHING, **evidence: object) -> Metadata:
    return find_metadata(text, (), source, given, Evidence(**evidence))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("source", "company", "kind", "label"),
    [
        ("3M_2018_10K", "3M", "10-K", "FY2018"),
        ("PEPSICO_2023Q1_EARNINGS", "PEPSICO", "earnings release", "Q1 FY2023"),
        ("2020 Q3 AAPL.pdf", "AAPL", "", "Q3 FY2020"),
        ("四方科技集团股份有限公司2019年年度报告.pdf", "四方科技集团股份有限公司", "annual report", "2019"),
        ("docs/acme/Acme Corp Q2 2024 Earnings Call Transcript.txt", "Acme Corp", "earnings call", "Q2 FY2024"),
        ("贵州茅台2020年半年度报告.pdf", "贵州茅台", "interim report", "H1 2020"),
        ("Siemens_AnnualReport2023.pdf", "Siemens", "annual report", "2023"),
        (r"C:\files\BOEING_2022_10K.pdf", "BOEING", "10-K", "FY2022"),
    ],
)
def test_file_names(source: str, company: str, kind: str, label: str) -> None:
    parts = read_name(source)
    assert (parts.company, parts.kind, parts.period and parts.period.label) == (company, kind, label)


def test_dates_in_file_names() -> None:
    parts = read_name("FOOTLOCKER_2022_8K_dated-2022-05-20.pdf")
    assert (parts.company, parts.kind, parts.day) == ("FOOTLOCKER", "8-K", date(2022, 5, 20))


@pytest.mark.parametrize(
    "source",
    ["document (3).pdf", "scan0001.pdf", "final_v2.pdf", "d3b07384d113edec49eaa6238ad5ff00.pdf", "10-K.pdf", "2022.pdf",
     "0000012927-23-000007.txt", "annual report 2023 final.pdf", "_.pdf", "", "x.txt", "untitled"],
)  # fmt: skip
def test_file_names_that_name_no_company(source: str) -> None:
    assert read_name(source).company == ""


def test_a_cover_page_says_it_all() -> None:
    found = metadata(COVER_10K)
    assert (found.companies, found.tickers, found.kind) == (("Acme Pumps, Inc.",), ("APMP",), "10-K")
    assert found.period == Period("year", 2022, fiscal=True, end=date(2022, 12, 31))
    assert found.how["companies"] == found.how["kind"] == found.how["period"] == "cover page"


def test_arguments_stand_above_all() -> None:
    given = DocumentHints.of(["Acme", "Beta"], "Q2 2021", "memo", "2021-08-01")
    found = metadata(COVER_10K, "OTHER_2019_10Q.pdf", given)
    assert (found.companies, found.kind, found.published) == (("Acme", "Beta"), "memo", date(2021, 8, 1))
    assert found.period is not None and found.period.label == "Q2 2021"
    assert {found.how[name] for name in ("companies", "kind", "period", "published")} == {"argument"}


def test_inline_xbrl_stands_above_the_cover() -> None:
    dei = {
        "EntityRegistrantName": "ACME HOLDINGS",
        "DocumentFiscalYearFocus": "2021",
        "DocumentFiscalPeriodFocus": "Q3",
    }
    found = metadata(COVER_10K, dei=dei)
    assert found.companies == ("ACME HOLDINGS",)
    assert found.period is not None and found.period.label == "Q3 FY2021"


def test_the_file_name_fills_what_the_text_leaves_open() -> None:
    found = metadata("Some notes without a name.", "ACME_2022_10K.txt")
    assert (found.companies, found.kind) == (("ACME",), "10-K")
    assert found.how["companies"] == "file name"


def test_another_name_of_the_company_is_kept_beside_the_cover_s() -> None:
    assert metadata(COVER_10K, "FLOWCO_2022_10K").companies == ("Acme Pumps, Inc.", "FLOWCO")
    assert metadata(COVER_10K, "ACMEPUMPS_2022_10K").companies == ("Acme Pumps, Inc.",)
    assert metadata(COVER_10K, "notes about 2022").companies == ("Acme Pumps, Inc.",)
    assert metadata(COVER_10K, "FLOWCO_2019_10K").companies == ("Acme Pumps, Inc.",), "the year does not agree"


def test_without_any_clue_nothing_is_made_up() -> None:
    found = metadata("Just a few words.", "notes.txt")
    assert (found.companies, found.tickers, found.kind, found.period, found.published) == ((), (), "other", None, None)


@pytest.mark.parametrize(
    "name", ["Delaware", "New York", "(Mark One)", "FORM 10-K", "May 3, 2023", "1-3619", "Exhibit 99.1", "N/A"]
)
def test_what_stands_on_covers_and_is_no_company(name: str) -> None:
    assert not is_company(name)


@pytest.mark.parametrize(
    ("lines", "company"),
    [
        (["Delaware", "ADOBE INC.", "_____", "(Exact name of registrant as specified in its charter)"], "ADOBE INC."),
        (
            ["AMERICAN WATER WORKS", "COMPANY, INC.", "(Exact name of registrant", "x"],
            "AMERICAN WATER WORKS COMPANY, INC.",
        ),
        (["MGM R ESORTS I NTERNATIONAL", "(Exact name of registrant as specified)"], "MGM RESORTS INTERNATIONAL"),
        (["PURCHASE, N.Y. - April 25, 2023 - PepsiCo, Inc. (NASDAQ: PEP) today reported results"], "PepsiCo, Inc."),
        (
            ["公司代码：603339  公司简称：四方科技", "四方科技集团股份有限公司", "2019 年年度报告"],
            "四方科技集团股份有限公司",
        ),
        (
            ["Good day and welcome to the third quarter 2020 Pilgrim's Pride Earnings Conference Call."],
            "Pilgrim's Pride",
        ),
        (["Welcome to the second quarter results teleconference for Travelers. We ask"], "Travelers"),
        (["Delaware", "(State of incorporation)", "nothing else"], ""),
    ],
)
def test_issuers_on_first_pages(lines: list[str], company: str) -> None:
    assert find_issuer(lines).company == company


def test_fiscal_years_that_end_in_winter_go_by_the_text() -> None:
    assert fiscal_year(date(2023, 1, 28), "In fiscal 2022 and fiscal 2022 sales rose") == 2022
    assert fiscal_year(date(2023, 1, 29), "fiscal 2023 was good, fiscal 2023 and fiscal 2022") == 2023
    assert fiscal_year(date(2023, 1, 28), "") == 2022
    assert fiscal_year(date(2022, 12, 2), "fiscal 2021, fiscal 2021") == 2022


def test_quarters_are_counted_by_the_year_to_date() -> None:
    head = "For the quarterly period ended June 25, 2022\n"
    period = quarterly_period(head + "Three and nine months\nNine Months Ended June 25, 2022\n")
    assert period == Period("quarter", 2022, 3, fiscal=True, end=date(2022, 6, 25))
    first = quarterly_period(
        "For the quarterly period ended December 31, 2022\nthe fiscal year ends September 30, 2023"
    )
    assert first is not None and first.label == "Q1 FY2023"


def test_annual_periods() -> None:
    assert annual_period("FOR THE FISCAL YEAR ENDED May 31, 2018") == Period(
        "year", 2018, fiscal=True, end=date(2018, 5, 31)
    )
    assert annual_period("no such date") is None


def test_reports_of_events_go_by_their_day() -> None:
    text = "FORM 8-K\nCURRENT REPORT\nDate of Report (Date of earliest event reported): May 3, 2023\n"
    found = metadata(text)
    assert (found.kind, found.period, found.published) == ("8-K", Period.instant(date(2023, 5, 3)), date(2023, 5, 3))


def test_a_release_names_its_quarter() -> None:
    found = metadata(
        "MGM REPORTS FOURTH QUARTER AND FULL YEAR 2022 FINANCIAL AND OPERATING RESULTS\nLas Vegas, February 8, 2023"
    )
    assert (found.kind, found.published) == ("earnings release", date(2023, 2, 8))
    assert found.period is not None and found.period.label == "Q4 FY2022"


def test_chinese_reports() -> None:
    found = metadata("公司代码：603339\n四方科技集团股份有限公司\n2019 年年度报告\n" + "公司实现营业收入。" * 9)
    assert (found.companies, found.tickers, found.kind) == (("四方科技集团股份有限公司",), ("603339",), "annual report")
    assert found.period is not None and found.period.year == 2019
    assert found.language == "zh"


@pytest.mark.parametrize("label", ["公司简称：四方科技", "证券简称: 四方科技 公告编号：2020-001"])
def test_a_chinese_report_states_the_short_name_of_its_shares(label: str) -> None:
    found = metadata(
        f"证券代码：603339 {label}\n四方科技集团股份有限公司\n2019 年年度报告\n" + "公司实现营业收入。" * 9
    )
    assert (found.companies, found.tickers) == (("四方科技集团股份有限公司",), ("603339", "四方科技"))


def test_kinds_found_are_known_kinds() -> None:
    assert metadata(COVER_10K).kind in KINDS and metadata("x").kind in KINDS


@pytest.mark.parametrize(("period", "published"), [("soon", None), (None, "yesterday")])
def test_arguments_that_cannot_be_read_are_wrong_use(period: str | None, published: str | None) -> None:
    with pytest.raises(UsageError):
        DocumentHints.of(None, period, None, published)


@pytest.mark.parametrize(
    "name",
    [
        "Oracle Corporation",
        "ANDERSONS, INC.",
        "Check Point Software",
        "ZipRecruiter, Inc.",
        "ORI",
        "United States Steel",
        "Washington Federal",
        "Charter Communications",
    ],
)
def test_names_that_begin_like_labels_are_companies(name: str) -> None:
    assert is_company(name)


def test_a_sentence_with_a_name_in_it_is_no_issuer() -> None:
    assert (
        find_issuer(["As always, we appreciate your interest in Central Pacific Financial Corporation."]).company == ""
    )
    assert find_issuer(["Central Pacific Financial Corporation"]).company == "Central Pacific Financial Corporation"


def test_the_words_of_a_call_without_speakers_are_known() -> None:
    text = (
        "Good morning. On today's call we discuss the quarter. We will make prepared remarks first. Sales rose by 5 %."
    )
    assert metadata(text).kind == "earnings call"
    assert metadata("Good morning. The quarter was fine. We are joined by friends.").kind == "other"


def test_somebody_who_speaks_of_quarters_is_on_a_call_and_an_article_that_quotes_is_not() -> None:
    spoken = (
        "Let me start with the quarter. I'm pleased. In the first quarter we're up. I'd like to thank you. We've won."
    )
    assert metadata(f"{spoken} The second quarter was fine.").kind == "earnings call"
    assert (
        metadata("Sales rose in the quarter. [Operator Instructions] First question, please.").kind == "earnings call"
    )
    article = (
        'The quarter was good. "I\'m pleased," she said. "We\'re up." "I\'d say so." "Thank you." Quarter by quarter.'
    )
    assert metadata(article).kind == "other"


def test_a_quarter_in_the_file_name_stands_above_prose() -> None:
    found = metadata("Sales in fiscal 2019 were low. In 2022 they rose.", "AAN_q3_2021")
    assert found.companies == ("AAN",) and found.tickers == ("AAN",)
    assert found.period is not None and found.period.label == "Q3 FY2021"


@pytest.mark.parametrize(
    ("text", "source", "company", "ticker"),
    [
        ("Acme Inc. Q2 2024 Earnings Call\n\nRevenue rose.", "acme_call.txt", "Acme Inc.", ""),
        ("Acme Robotics, Inc. (ACMR)\nQ4 2025 Earnings Call", "x.txt", "Acme Robotics, Inc.", "ACMR"),
        ("Nordby Cell AB expands in Skelleftea\n\nNordby Cell builds.", "x.htm", "Nordby Cell AB", ""),
        ("Why Acme Inc. fell\n\nAcme fell.", "x.htm", "", ""),
        (
            "We grew.\n\nSince 1990 Nordby Cell AB makes cells.",
            "Nordby_Cell_2025-11-18_results.txt",
            "Nordby Cell AB",
            "",
        ),
        ("Good day and welcome to the Acme third quarter 2024 earnings call. Acme, Inc. grew.", "x", "Acme, Inc.", ""),
        ("How we sell as a service\n\nText.", "x", "", ""),
        ("The company we keep\n\nText.", "x", "", ""),
    ],
)
def test_a_company_is_named_as_the_text_writes_it_in_full(text: str, source: str, company: str, ticker: str) -> None:
    found = metadata(text, source)
    assert (found.companies, found.tickers) == ((company,) if company else (), (ticker,) if ticker else ())


def test_a_full_name_ends_before_the_dot_of_the_sentence() -> None:
    assert written_in_full("Acme", "He left Acme AB. She did not.") == "Acme AB"
    assert written_in_full("Acme", "He left Acme Inc. yesterday.") == "Acme Inc."
    assert written_in_full("Acme", "acme inc fell") == "Acme"


@pytest.mark.parametrize(
    ("opening", "company"),
    [
        ("Good morning and welcome to the Best Buy first quarter earnings conference call.", "Best Buy"),
        ("Welcome to Best Buy's First Quarter Fiscal 2022 Earnings Conference Call.", "Best Buy"),
        ("Thank you for standing by. Welcome to the Q3 2021 Lazard earnings conference call.", "Lazard"),
        ("Thank you for joining us on Textron's fourth quarter 2021 earnings call.", "Textron"),
        ("Good morning. This is the Union Pacific second quarter earnings call.", "Union Pacific"),
        ("Welcome to the Acme Health second quarter financial results conference call.", "Acme Health"),
        ("Welcome to the Third Quarter Conference Call. This is a recorded call.", "BBY"),
        ("Thanks for joining us today. This is John Smith. Earnings rose.", "BBY"),
    ],
)
def test_a_spoken_greeting_names_the_company(opening: str, company: str) -> None:
    text = f"{opening} " + "The quarter was good for all of us and sales rose. " * 9
    found = read_text(text, source="BBY_q1_2022.txt", hints=DocumentHints(kind="earnings call")).metadata
    assert (found.companies[:1], found.tickers) == ((company,), ("BBY",))


@pytest.mark.parametrize(
    ("news", "companies"),
    [
        ("光华电子：拟20亿元投建工厂\n\n光华电子公告，拟由公司的控股子公司东方新能源科技有限公司投资。", ("光华电子",)),
        ("光华电子：2021年净利预增\n\n光华电子(300123)预计净利润增长。", ("光华电子",)),
        ("国务院：落实申报义务\n\n国务院公告，将落实东方科技有限公司的义务。", ()),
        ("中原证券：市场向好\n\n中原证券研报指出，市场向好。", ()),
        ("新公司成立\n\n天眼查显示，1月17日，北京东方新能源科技有限公司成立，注册资本1亿元。", ()),
        ("光华电子股份有限公司关于投资的公告\n\n本公司拟投资东方科技有限公司。", ("光华电子股份有限公司",)),
    ],
)
def test_chinese_news_are_of_whom_announces_them_or_of_nobody(news: str, companies: tuple[str, ...]) -> None:
    assert read_text(news, source="news/17.txt").metadata.companies == companies


@pytest.mark.parametrize(
    ("text", "company"),
    [
        ("At Best Buy we sell. Best Buy grew. Best Buy's team and Best Buy members are proud.", "Best Buy"),
        ("At Best Buy we sell. Best Buy grew.", "BBY"),  # said too seldom
        ("At Bobby we sell. Bobby rose, as Bobby does. Bobby's bobby pins sell. " * 2, "BBY"),  # a word of the language
        ("At Acme we sell. Acme grew. Acme's team and Acme members are proud.", "BBY"),
    ],
)
def test_a_ticker_is_spelled_out_where_a_call_often_says_its_name(text: str, company: str) -> None:
    found = read_text(text, source="BBY_q1_2022.txt", hints=DocumentHints(kind="earnings call")).metadata
    assert (found.companies, found.tickers) == ((company,), ("BBY",))


def test_people_who_speak_in_turn_hold_a_call_only_where_they_speak_of_a_company() -> None:
    said = "We sold more pumps in every region than in spring. "
    turns = "".join(f"MS. {name}: {said * 3}{{0}}\n\n" for name in ("DOE", "ROE") * 4)
    call, speech = (read_text(turns.format(more), source="a.txt") for more in ("Our margins rose.", "We shall see."))
    assert {segment.speaker for segment in speech.segments} == {segment.speaker for segment in call.segments} != {""}
    assert (call.metadata.kind, speech.metadata.kind) == ("earnings call", "other")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Steel Harbour\nIt is a port of the north, and it was built in 1902.", "Steel Harbour"),
        ("Steel Harbour (1902 to 1950) was a port of the north.", "Steel Harbour"),
        ("The Battle of Hastings was the last one.", "The Battle of Hastings"),
        ("钢港\n钢港位于北方，建于一九〇二年，是一个大港。", "钢港"),
        ("We went to the port.\nIt was shut.", ""),
        ("Revenue of 2022 was higher than that of 2021.", ""),
        ("| a | b |\n| 1 | 2 |\n| 3 | 4 |", ""),
        ("Steel Harbour\nIt is a port. " + "It was built in 1902. " * 600, ""),
    ],
)
def test_a_short_text_is_named_by_its_first_words(text: str, title: str) -> None:
    found = metadata(text, "doc_0012.txt")
    assert found.title == title
    assert found.how.get("title", "") == ("" if not title else "first line" if "\n" in text else "first words")


@pytest.mark.parametrize(
    "text",
    [
        "Towers are leased by each wireless operator, with rents that rise every quarter.",
        "The auditors will be present and be pleased to answer any questions. Fourth quarter sales rose.",
        "The plant is run by an operator, that this quarter was sold.",
        "Dear fellow shareholders,\n\nThank you. We've had a good quarter. I'm proud. We're ahead in each quarter. I'd "
        "like to thank our people. This quarter we're larger. I am happy to take your questions at our meeting. Thank "
        "you for joining us.",
    ],
)
def test_reports_and_letters_that_speak_of_questions_and_operators_are_no_calls(text: str) -> None:
    assert metadata(text).kind == "other"


@pytest.mark.parametrize(
    "text",
    [
        "Sales rose in the quarter. Operator, please open the line.",
        "The quarter was fine. With that, operator, we can take the first one.",
        "Good morning. The quarter was fine. We are now happy to take your questions.",
        "The quarter was fine. We open the call for questions now. We will be happy to answer your questions.",
    ],
)
def test_hosts_who_hand_over_to_those_who_ask_are_on_a_call(text: str) -> None:
    assert metadata(text).kind == "earnings call"


def test_the_firm_of_a_cover_page_files_also_where_the_file_goes_by_another_name() -> None:
    both = Metadata(companies=("SQUARE, INC.", "BLOCK"), how={"companies": ALSO_FILE_NAME})
    assert both.filer == "SQUARE, INC."
    assert not Metadata(companies=("Acme Power Corp.", "Acme Gas Corp."), how={"companies": "cover page"}).filer
    assert not Metadata().filer


def test_the_symbol_under_which_shares_trade_is_the_ticker() -> None:
    traded = "Our common stock trades on the New York Stock Exchange\nunder the symbol “APMP”. "
    cover = COVER_10K.replace("APMP\n", "")
    assert metadata(cover + traded).tickers == ("APMP",)
    of_two = f"{cover}{traded}Our units are traded on Nasdaq under the trading symbol APMU."
    assert metadata(of_two).tickers == ()


@pytest.mark.parametrize(
    ("sentence", "tickers"),
    [
        ("In May we bought Bolt Corp., whose shares traded under the ticker symbol “BOLT”.", ()),
        ("The common stock of our parent, Acme Energy Corp., trades on the NYSE under the symbol “ACME”.", ()),
        ("Bolt Corp. and its common stock trades under the symbol “BOLT”.", ()),
        ("Bolt Corp. shares trade on Nasdaq under the symbol “BOLT”. Our common stock does not trade.", ()),
        ("We pay no dividends on our stock. Shares of Bolt Corp. trade under the symbol “BOLT”.", ()),
        ("The Company’s Class A common stock trades on Nasdaq under the symbol “APMP”.", ("APMP",)),
        ("Common stock of the registrant is listed on the NYSE under the trading symbol “APMP”.", ("APMP",)),
        ("Acme Pumps, Inc. common stock is listed on the NYSE under the symbol “APMP”.", ("APMP",)),
        ("Shares of Acme Pumps trade on the NYSE under the ticker symbol “APMP”.", ("APMP",)),
    ],
)
def test_the_symbol_of_another_company_is_no_ticker(sentence: str, tickers: tuple[str, ...]) -> None:
    assert metadata(f"{COVER_10K.replace(chr(10) + 'APMP', '')}\n{sentence}").tickers == tickers


SPEECH = "The company makes pumps in many countries and expects demand to hold. " * 6


@pytest.mark.parametrize(
    ("text", "company", "kind"),
    [
        (
            "Northgate Securities\nEquity Research | Industrials\n12 March 2024\nHalden Pumps (HLDN)\nRating: Buy"
            "    Price target: $64\nWe raise our price target after Halden Pumps reported. Rivals include Xylem.\n"
            "Northgate Securities Ltd may seek business with companies in this report.",
            "Halden Pumps",
            "research",
        ),
        (
            "FOR IMMEDIATE RELEASE\n\nOsprey Air to Acquire Lakeland Carriers for $310 Million\n\nDENVER--(BUSINESS "
            "WIRE)--Osprey Air Holdings Corp. (NYSE: OSPR) today announced a deal to acquire Lakeland Carriers LLC."
            " It is expected to close in the first quarter of 2025. Kirkland & Ellis LLP is counsel.",
            "Osprey Air Holdings Corp.",
            "press release",
        ),
        (
            "2024 PROXY STATEMENT\nand Notice of Annual Meeting of Shareholders\nCorinth Energy\n\nDear Fellow "
            "Shareholders,\nOn behalf of the Board of Directors of Corinth Energy, Inc., I invite you to our meeting. "
            "Proposal 3: ratification of KPMG LLP.\nSincerely,\nAnn Webb\nChair, Corinth Energy, Inc.\n",
            "Corinth Energy, Inc.",
            "proxy statement",
        ),
        (
            "Ardent Solar\nThird Quarter 2023 Earnings Presentation\nSafe Harbor Statement\n"
            "This presentation contains forward-looking statements about Ardent Solar, Inc.\n",
            "Ardent Solar, Inc.",
            "presentation",
        ),
        (
            "Morland & Pryce Capital Markets\nEquity Research: European Chemicals\nWe upgrade BASF SE to Buy, keep "
            "Arkema S.A. at Hold and cut Brask Chemicals N.V. to Sell. Price target raised.",
            "",
            "research",
        ),
    ],
)
def test_notes_releases_and_proxies_are_of_whom_they_are_about(text: str, company: str, kind: str) -> None:
    found = metadata(text + SPEECH, "doc1.txt")
    assert (" ".join(found.companies), found.kind) == (company, kind)
    assert kind != "press release" or found.period is None  # what it tells of is to close in a quarter to come
