from __future__ import annotations

from datetime import date, datetime

import pytest
from cliquerag.core.period import Period
from cliquerag.core.scope import Scope
from cliquerag.kg.store import DocumentRecord
from cliquerag.retrieval.question.question import read_question
from cliquerag.retrieval.question.scope.catalogue import Catalogue
from cliquerag.retrieval.question.scope.document_filter import Selection, round_robin, select_documents


def record(
    source: str,
    company: str,
    kind: str,
    period: str | None,
    ticker: str = "",
    how: str = "cover page",
    published: date | None = None,
) -> DocumentRecord:
    return DocumentRecord(
        source=source,
        title="",
        companies=(company,) if company else (),
        tickers=(ticker,) if ticker else (),
        kind=kind,
        period=Period.parse(period) if period else None,
        published=published,
        ingested=datetime(2024, 1, 1),
        language="en",
        content_hash="",
        pages=3,
        chunks=9,
        tokens=99,
        versions={},
        how={"companies": how},
    )


RECORDS = [
    record("acme-2020", "Acme Corporation", "10-K", "FY2020", "ACM"),
    record("acme-2021", "Acme Corporation", "10-K", "FY2021", "ACM"),
    record("acme-2022", "ACME CORPORATION", "10-K", "FY2022", "ACM"),
    record("acme-q1", "Acme Corporation", "10-Q", "Q1 FY2023", "ACM"),
    record("acme-q2", "Acme Corporation", "10-Q", "Q2 FY2023", "ACM"),
    record("acme-event", "Acme Corporation", "8-K", "2023-05-26", "ACM", published=date(2023, 5, 30)),
    record("steel-2022", "American Steel Works Company, Inc.", "10-K", "FY2022"),
    record("nova-old", "Nova Systems Inc.", "10-K", "FY2016"),
    record("nova-new", "Nova Inc.", "10-K", "FY2022"),
    record("光华-2022", "光华电子股份有限公司", "annual report", "2022"),
    record("burger-2023", "McBURGER’S CORPORATION", "10-K", "FY2023"),
    record("pride-2023", "Pilot's Pride Farms Inc.", "10-K", "FY2023"),
    record("Acme Corporation", "Acme Corporation", "other", None, how="file name"),
]
CATALOGUE = Catalogue.of(RECORDS)


def select(text: str, scope: Scope | None = None) -> Selection:
    return select_documents(CATALOGUE, read_question(text), scope)


def reports(selection: Selection) -> set[str]:
    return set(selection.sources) - {"Acme Corporation"}


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("What was Acme's revenue in FY2020?", {"acme-2020", "acme-2021"}),
        ("What were ACM's assets in FY2022?", {"acme-2022", "acme-q1", "acme-q2", "acme-event"}),
        ("What did Acme report for Q2 2023?", {"acme-q2"}),
        ("How much did Acme borrow on May 26, 2023?", {"acme-event"}),
        ("What is acme's growth from FY2020 to FY2022 in the 10-K?", {"acme-2022"}),
        ("American Steel's profit in 2022", {"steel-2022"}),
        ("光华电子2022年的营业收入", {"光华-2022"}),
        ("What was the margin in Acme's latest 10-Q?", {"acme-q2"}),
        ("How many restaurants did McBurger's have in 2023?", {"burger-2023"}),
        ("What does Pilot’s Pride Farms's report of 2023 say?", {"pride-2023"}),
    ],
)
def test_company_period_and_kind_are_read_from_the_question(text: str, sources: set[str]) -> None:
    assert reports(select(text)) == sources


def test_an_ordinary_word_of_a_name_is_no_company() -> None:
    assert select("What do american buyers want?").companies == ()


def test_a_company_is_found_under_its_older_name() -> None:
    assert reports(select("What was Nova's revenue in FY2016?")) == {"nova-old"}
    assert reports(select("What was Nova's revenue in FY2022?")) == {"nova-new"}


def test_a_chinese_company_is_called_by_the_name_that_its_shares_trade_under() -> None:
    names = {"无锡路通视信网络股份有限公司": "路通视信", "常柴股份有限公司": "苏常柴", "四方科技集团股份有限公司": ""}
    catalogue = Catalogue.of([record(name, name, "annual report", "2022", short) for name, short in names.items()])
    for asked, name in zip(("路通视信", "苏常柴", "四方科技"), names, strict=True):
        chosen = select_documents(catalogue, read_question(f"{asked}2022年的营业收入是多少？"), None)
        assert chosen.sources == (name,)


def test_documents_whose_company_is_a_guess_stay_behind() -> None:
    selection = select("What was Acme's revenue in FY2022?")
    assert selection.preference["Acme Corporation"] < selection.preference["acme-2022"] == 0


def test_a_later_report_restates_the_year_and_stays_behind() -> None:
    selection = select("What were ACM's assets in FY2022?")
    assert selection.preference["acme-2022"] == 0 > selection.preference["acme-q1"]


def test_each_of_two_companies_keeps_a_share() -> None:
    groups = select("Compare Acme and Nova in FY2022").groups
    assert ["acme-2022" in group for group in groups] == [True, False]
    assert ["nova-new" in group for group in groups] == [False, True]


def test_a_development_hears_every_report() -> None:
    groups = select("How has Acme's cash changed over time in the 10-Qs?").groups
    assert [group[0] for group in groups] == ["acme-q1", "acme-q2"]


def test_a_year_that_no_chosen_report_covers_gets_a_share() -> None:
    catalogue = Catalogue.of(
        [record("q1-2020", "Acme", "10-Q", "Q1 2020"), record("q1-2023", "Acme", "10-Q", "Q1 2023")]
    )
    groups = select_documents(catalogue, read_question("Acme's cash in Q1 2020 and Q1 2023"), None).groups
    assert groups == (("q1-2023",), ("q1-2020",))


def test_without_year_the_newest_are_preferred() -> None:
    selection = select("Who are Acme's customers?")
    assert "acme-2020" not in selection.sources
    assert selection.preference["acme-q2"] > selection.preference["acme-2022"]


def test_without_company_everything_is_searched_and_the_fitting_year_preferred() -> None:
    selection = select("Which company grew in 2022?")
    assert selection.everything and len(selection.sources) == len(RECORDS)
    assert selection.preference["nova-new"] > selection.preference["nova-old"]


def test_a_given_scope_is_never_widened_and_what_nothing_passes_is_said() -> None:
    assert reports(select("anything", Scope(companies=("Nova",), periods=("FY2016",)))) == {"nova-old"}
    empty = select("anything", Scope(companies=("Nova",), kinds=("8-K",)))
    assert reports(empty) == set()
    assert any("no document of that kind: 8-K" in note for note in empty.notes)


def test_scope_all_reads_nothing() -> None:
    selection = select("What was Acme's revenue in FY2020?", Scope.all())
    assert len(selection.sources) == len(RECORDS) and not selection.preference


def test_round_robin_takes_turns() -> None:
    assert round_robin([["a", "b"], [], ["c", "a", "d"]]) == ["a", "c", "b", "d"]


def test_news_of_no_certain_company_is_searched_too_but_told_apart() -> None:
    news = [record(f"news-{n}", "", "", None, how="") for n in range(50)]
    chosen = select_documents(Catalogue.of([*RECORDS, *news]), read_question("Acme's revenue in FY2022?"), None)
    assert chosen.loose >= {item.source for item in news} and chosen.loose < set(chosen.sources)
    assert chosen.certain and set(chosen.certain) == set(chosen.sources) - chosen.loose
