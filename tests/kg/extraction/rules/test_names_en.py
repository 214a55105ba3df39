import pytest
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.extraction.rules.names_en import EnglishNames
from cliquerag.kg.extraction.rules.runs import find_runs, is_heading
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage


def names_of(*sentences: str, given: dict[str, str] | None = None) -> dict[str, str]:
    names = EnglishNames(sentences, given or {})
    return {name.name: name.type for sentence in sentences for name in names.find(sentence)}


@pytest.mark.parametrize(
    ("sentence", "runs"),
    [
        ("We bought Lyne Laboratories, Inc. in May.", ["Lyne Laboratories, Inc."]),
        ("Pfizer's Comirnaty and McDonald's Big Mac", ["Pfizer", "Comirnaty", "McDonald's Big Mac"]),
        ("Elm competes with Norra Glass Inc. Ann Lee leads it.", ["Elm", "Norra Glass Inc.", "Ann Lee"]),
        ("It rivals Crux Group S.p.A. Display Segment", ["Crux Group S.p.A.", "Display Segment"]),
        ("We bought Be & Cheery last year.", ["Be & Cheery"]),
        ("It sells to Toyota Motor Corp. Australia.", ["Toyota Motor Corp. Australia"]),
        ("and Nut Bank, National Association, as trustee", ["Nut Bank, National Association"]),
        ("It bought FENNICK DRIVES, INC. and BOLT WORKS, LTD. last year", ["FENNICK DRIVES, INC.", "BOLT WORKS, LTD."]),
        ("The Bank of America and Wells Fargo", ["Bank of America", "Wells Fargo"]),
        ("Our Chairman of the Board of Acme Foods", ["Chairman of the Board", "Acme Foods"]),
        ("It is from Goldman Sachs & Co. Please go ahead.", ["Goldman Sachs & Co."]),
        ("sold by Bermuda-based Ironshore Inc. last year", ["Bermuda", "Ironshore Inc."]),
        ("run by Macquarie Group (US) Holdings", ["Macquarie Group (US) Holdings"]),
        ("and Elm (Ningbo) Asset Management Company Limited", ["Elm (Ningbo) Asset Management Company Limited"]),
        ("using Amazon.com, Inc. and 3M Company", ["Amazon.com, Inc.", "3M Company"]),
    ],
)
def test_runs(sentence, runs):
    assert [run.text for run in find_runs(sentence)] == runs


def test_types():
    found = names_of(
        "Acme Corp. hired Jane Smith as Chief Financial Officer in Los Gatos, California.",
        "The U.S. Department of Justice and the FDA cited the Clean Air Act.",
        "Revenue in our Defense Systems segment rose, and Mr. Olafsson joined the NYSE.",
    )
    assert found == {
        "Acme Corp.": "company",
        "Jane Smith": "person",
        "Chief Financial Officer": "role",
        "Los Gatos": "place",
        "California": "place",
        "U.S. Department of Justice": "regulator",
        "FDA": "regulator",
        "Clean Air Act": "regulation",
        "Defense Systems": "segment",
        "Olafsson": "person",
        "NYSE": "market",
    }


def test_numbers_dates_and_filing_words_are_no_names():
    text = (
        "On March 31, 2020 and in Q2 FY24, Note 5 and Item 7 of this Annual Report gave GAAP EPS of $1 under Class A."
    )
    assert names_of(text) == {}


def test_defined_terms_of_contracts_are_no_names():
    found = names_of("Each Eligible Employee of Acme Corp. may defer.", "An eligible person, or an employee, may not.")
    assert "Eligible Employee" not in found


def test_a_sentence_opener_needs_support():
    assert "Customers" not in names_of("Customers bought less.", "Many customers left.")
    assert names_of("Zorvex rose.", "We sold Zorvex tablets.")["Zorvex"] == "product"


def test_aliases_of_the_text_hold_everywhere():
    names = EnglishNames(
        ["Before, 3M sold tape.", 'Minnesota Mining and Manufacturing Company ("3M") was renamed.'], {}
    )
    assert names.find("Before, 3M sold tape.")[0].entity == "Minnesota Mining and Manufacturing Company"


def test_a_part_played_in_a_contract_is_no_alias():
    names = EnglishNames(['Acme Holdings, Inc. (the "Seller") sold it.', "The Seller paid."], {})
    assert names.aliases == {}


def test_tickers_make_companies():
    names = EnglishNames(["Globex (NYSE: GBX) rose."], {})
    assert names.tickers == {"GBX": "Globex"}
    assert names.find("It sold Globex.")[0].type == "company"


def test_surnames_lead_to_the_full_name_unless_two_share_it():
    one = EnglishNames(["Jane Smith spoke.", "Ms. Smith left."], {})
    assert one.find("Ms. Smith left.")[0].entity == "Jane Smith"
    two = EnglishNames(["Jane Smith met John Smith.", "Ms. Smith left."], {})
    assert two.find("Ms. Smith left.")[0].entity == ""


def test_headings_do_not_make_names():
    assert is_heading("CONSOLIDATED RESULTS OF OPERATIONS")
    assert is_heading("Management Discussion and Analysis")
    assert not is_heading("Acme sold its Bolt unit to Globex.")
    assert names_of("Critical Widgets And Gadgets Overview") == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "NOW, THEREFORE, the parties agree as follows.",
        "The Holder and each Person may make a Submission in Twelve months.",
        "The results of June Feb were compared.",
        "The reports were sent to Development, LLC and to Bank, N.A. today.",
        "Our Reportable segments are shown in the Operating segment note.",
    ],
)
def test_words_of_contracts_and_parts_of_names_are_no_names(sentence):
    assert EnglishNames([sentence], {}).find(sentence) == []


def test_what_begins_like_a_person_and_ends_like_something_else():
    sentence = "She studied at George Washington University under the Virginia Consumer Data Protection Act."
    assert "person" not in {name.type for name in EnglishNames([sentence], {}).find(sentence)}


def test_a_family_name_that_is_a_term_elsewhere():
    (jane, _) = EnglishNames(["Jane Roe joined Acme Inc."], {}).find("Jane Roe joined Acme Inc.")
    assert (jane.name, jane.type) == ("Jane Roe", "person")


def test_a_line_that_only_names_a_place_is_no_part_of_the_next_name():
    text = "Boca Foods Company\nDelaware\nCairo Foods Company\nEgypt\nCapri Sun, Inc.\nDelaware\n"
    names = RulesExtractor(load_schema()).extract([Passage(text, sentences=((0, len(text)),))])[0].names
    companies = {name.name for name in names if name.type == "company"}
    assert companies == {"Boca Foods Company", "Cairo Foods Company", "Capri Sun, Inc."}


@pytest.mark.parametrize(
    "sentence",
    [
        "Contingencies The Company is subject to legal proceedings.",
        "The Supervisory Board of Bolt Aktiengesellschaft met twice.",
        "We measure Derecognition Financial assets when rights expire.",
        "Gains on Marketable Equity Securities investments were small.",
        "The return of the Comparison Group is shown below.",
        "We are an Emerging Growth Company and report to the Chief Financial function.",
    ],
)
def test_headings_bodies_and_descriptions_are_no_companies(sentence):
    assert "company" not in names_of(sentence).values()


def test_a_word_that_opens_a_sentence_or_is_joined_to_an_adjective_is_no_segment():
    assert "segment" not in names_of("Higher segment profit was due to Interest-bearing business.").values()
    assert names_of("Sales of the Higher Ground segment rose.") == {"Higher Ground": "segment"}


def test_a_family_name_behind_a_title_means_whom_a_heading_names():
    headings = "John Z. Zhang  Senior Vice President & General Manager, Display"
    names = EnglishNames([headings, "Mr. Zhang joined us in 2008.", "Martin J. Curran spoke."], {})
    assert [(n.name, n.entity) for n in names.find("Mr. Zhang joined us in 2008.")] == [("Zhang", "John Z. Zhang")]
    names = EnglishNames(["Kevin J. Martin and Martin J. Curran sit on the board.", "Mr. Martin left."], {})
    assert [n.entity for n in names.find("Mr. Martin left.")] == ["Kevin J. Martin"]


def test_what_ends_a_name_is_no_family_name():
    names = EnglishNames(["Hansel E. Tookes II joined.", "Mr. Tookes left."], {"Hansel E. Tookes II": "person"})
    assert [n.entity for n in names.find("Mr. Tookes left.")] == ["Hansel E. Tookes II"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("A licence of the EU European Union was given.", "European Union"),
        ("Our partner is BMS Bristol-Myers Squibb Company in all of it.", "Bristol-Myers Squibb Company"),
        ("It was signed by Gerry Brett C. Gerry in May.", "Brett C. Gerry"),
        ("We partner with Johnson & Johnson in this.", "Johnson & Johnson"),
    ],
)
def test_a_key_before_its_entry_is_no_part_of_the_name(text, name):
    assert name in {run.text for run in find_runs(text)}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Northern District of California", "regulator"),
        ("Superior Court of Ohio", "regulator"),
        ("Catalyst Building", "facility"),
        ("Anti-Kickback Statute", "regulation"),
        ("Bellagio Venture", "company"),
    ],
)
def test_names_whose_words_show_what_they_are(name, kind):
    text = f"Much of the year was spent on the {name} by all of us."
    assert (name, kind) in {(found.name, found.type) for found in EnglishNames([text], {}).find(text)}


def test_words_that_are_written_small_further_on_make_no_company_at_the_top():
    later = "We sold equity securities, and systems for mobile use."
    assert names_of("Purchases of our Equity Securities 45", "It is called Mobile Systems there.", later) == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "See Board Committees below, for its committees meet; the board sat.",
        "It is a Stage 1 loan, at this stage, as of FY2017.",
        "Our Years Ended December were good years that ended well.",
        "The word of a Governmental Agency decides in Washington, D.C.",
    ],
)
def test_words_of_the_document_and_what_tells_nothing_beside_them_are_no_things(sentence):
    assert set(names_of(sentence)) <= {"Washington"}


def test_a_thing_with_a_word_of_its_own_is_a_name():
    assert names_of("They read the Elm Committees and other committees.") == {"Elm Committees": "thing"}
