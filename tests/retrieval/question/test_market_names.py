"""Companies named as the market does: by initials, blends, tickers, brands and with slips of the pen."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import datetime

import pytest
from cliquerag import Workspace
from cliquerag.kg.store import DocumentRecord
from cliquerag.retrieval.question.figures.request import read_numbers
from cliquerag.retrieval.question.plan import understand
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.scope.catalogue import Catalogue
from cliquerag.retrieval.question.vocabulary.vocabulary import default_formulas, known_names, shipped_vocabulary
from cliquerag.retrieval.question.wording.spelling import with_capitals
from support.library import filing, library

from benchmarks.asking import plan_of

COMPANIES = (
    "THE PROCTER & GAMBLE COMPANY", "BANK OF AMERICA CORPORATION", "CAPITAL ONE FINANCIAL CORP",
    "International Business Machines Corporation", "Microsoft Corporation", "NETFLIX, INC.", "Alphabet Inc.",
    "AMERICAN WATER WORKS COMPANY, INC.", "Lockheed Martin Corporation", "Costco Wholesale Corporation",
    "General Motors Company", "General Mills, Inc.", "AT&T INC.", "Atacama Minerals S.A.", "Nova Steel Corp.",
    "Nova Salt Corp.",
)  # fmt: skip


def record(company: str) -> DocumentRecord:
    return DocumentRecord(
        source=company, title="", companies=(company,), tickers=(), kind="10-K", period=None, published=None,
        ingested=datetime(2024, 1, 1), language="en", content_hash="", pages=3, chunks=9, tokens=99, versions={},
        how={"companies": "cover page"},
    )  # fmt: skip


class Words:
    """A store that has some words and nothing else."""

    def __init__(self, **frequency: int) -> None:
        self._frequency = frequency

    def document_frequency(self, words):
        return {word: self._frequency[word] for word in words if word in self._frequency}

    def known_words(self, words):
        return list(self.document_frequency(words))

    def matching(self, *_):
        return []

    def facts(self, _):
        return []

    def find_entities(self, _):
        return []


CATALOGUE = Catalogue.of([record(company) for company in COMPANIES])


def companies(question: str, **frequency: int) -> tuple[str, ...]:
    return understand(question, Words(**frequency), CATALOGUE, shipped_vocabulary()).companies


@pytest.mark.parametrize(
    ("question", "company"),
    [
        ("What was P&G's revenue in 2022?", "procter and gamble"),
        ("PnG gross margin FY21", "procter and gamble"),
        ("What did Procter and Gamble earn?", "procter and gamble"),
        ("How much did BofA earn?", "bank of america"),
        ("BoA's CET1 ratio", "bank of america"),
        ("What is CapOne's net charge-off rate?", "capital one financial"),
        ("Does IBM hedge?", "international business machines"),
        ("What is MSFT's cloud revenue?", "microsoft"),
        ("NFLX subscribers in 2017", "netflix"),
        ("nflx subscribers in 2017", "netflix"),
        ("What is AWK's rate base?", "american water works"),
        ("Google's advertising revenue in 2021", "alphabet"),
        ("What is Microsfot's goodwill?", "microsoft"),
        ("Costcos membership fees in FY2021", "costco wholesale"),
        ("AT&T capital expenditures 2022", "at and t"),
        ("What did Atacama Minerals produce?", "atacama minerals"),
    ],
)
def test_the_one_company_that_fits_is_meant(question: str, company: str) -> None:
    assert companies(question) == (company,)


@pytest.mark.parametrize(
    "question",
    [
        "What did Nestle report?",
        "What is EBITDA?",
        "nova costs in 2017",  # Nova Steel or Nova Salt
        "admin and intl costs in 2017",
        "What was the CAGR of FCF at NS?",  # Nova Steel or Nova Salt
        "How did the CEO explain the GAAP loss?",
        "Who is Mr. Smith?",
    ],
)
def test_what_fits_none_or_several_names_nobody(question: str) -> None:
    assert companies(question) == ()


def test_a_word_that_documents_use_often_is_no_ticker_and_no_slip() -> None:
    assert companies("What are NTLX fees?", ntlx=5000) == ()
    assert companies("Did the Microsfot grow?", microsfot=40) == ()


def test_a_part_of_the_company_named_is_not_taken_for_the_company() -> None:
    plan = understand("What is Alphabet's YouTube revenue?", Words(), CATALOGUE, shipped_vocabulary())
    assert plan.taken_for == () and "YouTube" in plan.text


def test_the_question_is_searched_with_the_name_that_documents_use() -> None:
    plan = understand("What was P&G's revenue?", Words(), CATALOGUE, shipped_vocabulary())
    assert "PROCTER & GAMBLE" in plan.text and plan.typed == "What was P&G's revenue?"


@pytest.mark.parametrize(("ticker", "name"), [("MSI", "Motorola Solutions"), ("PWR", "Quanta Services")])
def test_a_call_that_bears_but_a_ticker_is_found_by_the_company_s_name(ticker: str, name: str) -> None:
    catalogue = Catalogue.of([record(ticker), record("NETFLIX, INC.")])
    plan = understand(f"What was {name}'s revenue?", Words(), catalogue, shipped_vocabulary())
    assert plan.companies == (ticker.lower(),)


def test_a_user_s_own_names_are_known(tmp_path) -> None:
    own = tmp_path / "names.toml"
    own.write_text('[names]\n"Old Ma" = "AT&T"\n', encoding="utf-8")
    known = known_names(own).companies
    assert known["old ma"] == "AT&T" and known["google"] == "Alphabet"
    with Workspace("sqlite://", embedder="none", names=str(own)) as ws:
        ws.add_text("Our churn was 0.9% in 2022.", "t.md", company="AT&T Inc.", period="FY2022", kind="10-K")
        assert "0.9%" in ws.ask("What was Old Ma's churn in 2022?").text


def test_a_chinese_name_in_another_s_report_is_that_of_the_company_that_files_in_english() -> None:
    own = "Acme Robotics, Inc. annual report 2022. Net revenue was $500 million in fiscal 2022. "
    other = "青河股份有限公司2022年年报。公司向海文机器人（Acme Robotics, Inc.）供货，海文机器人为第一大客户。"
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(own * 3, "acme.txt", company="Acme Robotics, Inc.", kind="10-K", period="FY2022")
        workspace.add_text(other, "qinghe.txt", company="青河股份有限公司", kind="annual report", period="FY2022")
        answer = workspace.ask("海文机器人2022年的营业收入是多少？")
    assert "500" in answer.text and "“海文机器人”按Acme Robotics理解" in answer.text


def test_an_answer_says_what_a_name_was_taken_for() -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text("Our goodwill rose to $5 million in 2022.", "m.md", company="Microsoft Corporation", kind="10-K")
        ws.add_text("It rained in Oslo.", "o.md", company="Nova Steel Corp.", kind="10-K")
        answer = ws.ask("What was the goodwill of Microsfot in 2022?").text
        assert "5 million" in answer and "“Microsfot” was taken for Microsoft." in answer


def test_a_later_word_of_one_company_s_name_means_it_where_the_word_is_its_own() -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text("Seiko Epson has 79,944 employees.", "e.md", company="Seiko Epson Corporation", kind="10-K")
        ws.add_text("We have 1,549 employees. Our Quarry opened.", "b.md", company="Blue Apron Holdings", kind="10-K")
        ws.add_text("Our Apron is blue. We have 12 employees.", "q.md", company="Nova Quarry Corp.", kind="10-K")
        answer = ws.ask("How many employees does Epson have?").text
        assert "79,944" in answer and "1,549" not in answer
        catalogue = Catalogue.of(ws.store.documents())
        for question in ("What did Martin Quarry say?", "What is the Quarry worth?", "Who sells the Apron?"):
            assert understand(question, ws.store, catalogue, shipped_vocabulary()).companies == (), question


def test_a_product_of_one_company_alone_leads_to_it_and_a_competitor_does_not() -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        regions = ("Norway", "Spain", "Chile", "Japan", "Kenya", "Peru", "Malta")
        text = "\n\n".join(
            f"# {region}\n\nNordavir sold well in {region}. The vaccine is new there." for region in regions
        )
        ws.add_text(text, "p.md", company="Pharma Nord Inc.", kind="10-K")
        ws.add_text("It rained in Oslo.", "o.md", company="Nova Steel Corp.", kind="10-K")
        catalogue = Catalogue.of(ws.store.documents())

        def scope(question: str) -> tuple[str, ...]:
            return understand(question, ws.store, catalogue, shipped_vocabulary()).companies

        assert scope("What was Nordavir revenue in 2021?") == ("pharma nord",)
        assert scope("How much rain fell on Nova Steel and Nordavir?") == ("nova steel",)
        assert scope("What were Vaccine sales in 2021?") == ()  # documents write it small: no name


@pytest.mark.parametrize(
    "question", ["What was American Watr's net income?", "American Waterworks capex 2021", "Amercian Water goodwill"]
)
def test_two_words_that_are_nearly_the_beginning_of_one_name_mean_it(question: str) -> None:
    assert companies(question) == ("american water works",)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Kraft Hienz operating income 2019", "operating income"),
        ("Kraftheinz operating income 2019", "operating income"),
        ("Kraft Heinz Compnay operating income", "operating income"),
    ],
)
def test_a_name_with_a_slip_is_no_word_of_a_row(question: str, kept: str) -> None:
    asked = read_numbers(read_question(question), ["The Kraft Heinz Company"], default_formulas())
    assert [(operand.name, operand.words) for operand in asked.operands] == [(kept, ())]


@pytest.mark.parametrize(
    ("question", "company"),
    [
        ("D&B revenue in 2020", "dun and bradstreet"),  # a word of many names is left out at the end
        ("UNP operating ratio", "union pacific"),  # beginnings of the words tell more than letters in order
    ],
)
def test_short_names_among_names_that_are_alike(question: str, company: str) -> None:
    names = ("Dun & Bradstreet Holdings, Inc.", "Union Pacific Corporation", "Unum Group", "United Rentals, Inc.")
    catalogue = Catalogue.of([record(name) for name in names])
    (found,) = understand(question, Words(), catalogue, shipped_vocabulary()).companies
    assert found.startswith(company)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("网飞2017年的收入", ("netflix",)),
        ("微软的净利润", ("microsoft",)),
        ("好市多的门店数量", ("costco wholesale",)),
    ],
)
def test_the_chinese_name_of_a_company_with_english_documents(question: str, named: tuple[str, ...]) -> None:
    assert companies(question) == named


@pytest.mark.parametrize("written", ["Netflix Inc", "Netflix Co", "Lockheed Martin Systems'", "Netflix, Corp."])
def test_what_ends_a_name_is_no_part_of_the_figure(written: str) -> None:
    plan = understand(f"What was {written} revenue in 2021?", Words(), CATALOGUE, shipped_vocabulary())
    assert [operand.words for operand in plan.figures.operands] == [()]


@pytest.mark.parametrize(
    "asked", ["What was the YouTube owner's revenue?", "What was the revenue of the maker of YouTube?"]
)
def test_who_owns_a_thing_is_the_company_itself(asked) -> None:
    assert "Alphabet" in (text := understand(asked, Words(), CATALOGUE, shipped_vocabulary()).text)
    assert "YouTube" not in text


def test_letters_that_only_others_print_are_no_ticker() -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text("The FTC filed a suit against us.", "a.md", company="Nova Steel Corp.", kind="10-K")
        ws.add_text("We sell shoes.", "f.md", company="Foot Locker, Inc.", kind="10-K")
        assert "Foot Locker" not in ws.ask("What did the FTC file against Nova Steel?").text


def test_a_quick_hand_swaps_letters_and_doubles_them() -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        for page in "abc":
            text = f"Her base salary of $400,000 on page {page} was agreed."
            ws.add_text(text, f"{page}.md", company="Nova Steel Corp.", kind="10-K")
        assert "400,000" in ws.ask("Which base saalry was agreed at Nova Steel?").text


def test_a_word_of_a_longer_name_is_no_product():
    lines = [
        f"The Dunmore Arena Company paid rent of ${number} million to us. {'It grew. ' * 40}" for number in range(9)
    ]
    question = "Who owns the Dunmore Arena Company?"
    with contextlib.closing(library({"a.txt": filing("Acme Resorts Inc.", 2022, "\n\n".join(lines))})) as store:
        assert plan_of(store, question).text == question


def test_a_word_that_is_some_company_s_ticker_stays_a_word_in_small_letters() -> None:
    companies = Catalogue.of([replace(record("Costco Wholesale Corporation"), tickers=("COST",))]).companies
    assert with_capitals("american airlines fuel cost 2021", Words(), companies) == "american airlines fuel cost 2021"


def test_initials_that_only_the_documents_of_others_print_are_theirs() -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text("We sell meals.", "a.md", company="Blue Apron Holdings, Inc.", kind="10-K")
        ws.add_text("Our shares trade as BA. Our backlog grew.", "b.md", company="Boeing Co", kind="10-K")
        assert "Blue Apron" not in ws.ask("What was BA's backlog?").text


def test_a_question_in_title_case_is_written_small() -> None:
    title = "Why Did The Sales Of Costco Fall In The First Quarter Of 2023?"
    assert with_capitals(title, Words(), CATALOGUE.companies) == (
        "why did the sales of Costco fall in the first quarter of 2023?"
    )
    assert with_capitals("Nova Steel Net Income", Words(), CATALOGUE.companies) == "Nova Steel Net Income"


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who has the higher margin, Acme or Smucker?", {"Acme Corp.", "The J. M. Smucker Company"}),
        ("Smucker R&D", {"The J. M. Smucker Company"}),
    ],
)
def test_a_name_within_a_name_is_read_beside_others_too(question: str, named: set[str]) -> None:
    smucker, acme = "The J. M. Smucker Company", "Acme Corp."
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text("Smucker sold more in 2022.", "a.md", company=smucker, period="FY2022", kind="10-K")
        ws.add_text("We sold less in 2022.", "b.md", company=acme, period="FY2022", kind="10-K")
        plan = plan_of(ws.store, question)
        assert {record.companies[0] for record in plan.catalogue.records_about(plan.companies)} == named
