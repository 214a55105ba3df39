import pytest
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.extraction.rules.names_en import EnglishNames
from cliquerag.kg.extraction.rules.runs import find_runs
from cliquerag.kg.extraction.rules.surroundings import Surroundings, own_words
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage


def names_of(*sentences: str, given: dict[str, str] | None = None) -> dict[str, str]:
    names = EnglishNames(sentences, given or {})
    return {name.name: name.type for sentence in sentences for name in names.find(sentence)}


@pytest.mark.parametrize(
    ("sentence", "name", "kind"),
    [
        ("Under a commercialization arrangement with Tern we sell it.", "Tern", "company"),
        ("In 2020 we completed the acquisition of Volkar for cash.", "Volkar", "company"),
        ("He was Volkar's Chief Executive Officer until May.", "Volkar", "company"),
        ("We won approval of Zelotor in May.", "Zelotor", "product"),
        ("We filed suits over Zelotor patents in May.", "Zelotor", "product"),
    ],
)
def test_what_stands_beside_a_name_shows_its_type_everywhere(sentence, name, kind):
    other = f"As we said, {name} did well in the year."
    assert names_of(sentence, other)[name] == kind
    assert names_of(other)[name] == "thing"


def test_two_types_shown_alike_show_none():
    shown = Surroundings()
    for sentence in ("an agreement with Tern.", "a launch of Tern."):
        at = sentence.index("Tern")
        shown.see("Tern", sentence, at, at + 4)
    assert shown.type_of("Tern") == ""


def test_only_names_that_are_asked_about_are_looked_around(monkeypatch):
    shown, asked = Surroundings(), []
    sentence = "an agreement with Tern and a launch of Volkar."
    for name in ("Tern", "Volkar"):
        shown.see(name, sentence, sentence.index(name), sentence.index(name) + len(name))
    count = Surroundings._count
    monkeypatch.setattr(Surroundings, "_count", lambda self, name, *at: (asked.append(name), count(self, name, *at)))
    assert shown.type_of("Tern") == shown.type_of("Tern") == "company"
    assert asked == ["Tern"]


def test_a_list_of_three_gives_its_type_to_all_of_it():
    products = "Customers edit in Zelotor®, Ferendo and Quillax every day, says the team."
    assert names_of(products) == {"Zelotor": "product", "Ferendo": "product", "Quillax": "product"}
    people = "The members are Hideaki Omiya, Mari Matsunaga, and John Smith of the board."
    assert names_of(people)["Hideaki Omiya"] == "person"
    assert names_of("It runs with Zelotor® and Ferendo every day.")["Ferendo"] == "thing"


def test_a_word_of_the_name_of_the_firm_is_the_firm():
    text = ["With this background, Volkar develops its business.", *["We at Volkar believe so."] * 5]
    found = EnglishNames(text, {"SEINE VOLKAR CORPORATION": "company"}).find(text[0])
    assert [(name.name, name.type, name.entity) for name in found] == [
        ("Volkar", "company", "SEINE VOLKAR CORPORATION")
    ]
    assert own_words({"General Volkar Inc.": "company"}, {"General": 9, "Volkar": 2}, set()) == {}


@pytest.mark.parametrize(
    ("sentence", "runs"),
    [
        ("due to Bolt Resorts Adjusted Property EBITDAR and the rest", ["Bolt Resorts", "Property"]),
        ("under the Tax Cuts and Jobs Act of 2017", ["Tax Cuts and Jobs Act"]),
        ("the Securities Act and Exchange Act apply", ["Securities Act", "Exchange Act"]),
        ("(Par Value $0.01) BLT New York Stock Exchange", ["Par Value", "BLT", "New York Stock Exchange"]),
        ("We are a United States-based firm", ["United States"]),
        ("an interest for Bolt I mean given its heritage", ["Bolt"]),
        ("signed by Jeffrey S. Roe John W. Doe", ["Jeffrey S. Roe", "John W. Doe"]),
        ("/s/ CRAIG ROE By /s/ ANN DOE", ["CRAIG ROE", "ANN DOE"]),
    ],
)
def test_where_a_name_ends(sentence, runs):
    assert [run.text for run in find_runs(sentence)] == runs


def test_people_with_initials_in_headings_and_signatures():
    found = names_of("It was W. Craig Jelin who signed.", "Jeffrey S. Roe John W. Doe", "/s/ W. CRAIG JELIN")
    assert found == {
        "W. Craig Jelin": "person",
        "Jeffrey S. Roe": "person",
        "John W. Doe": "person",
        "W. CRAIG JELIN": "person",
    }


def test_whoever_is_called_mr_is_the_one_of_that_family_name():
    text = ["Hideaki Omiya joined the board in May.", "Mr. Omiya chairs it."]
    assert names_of(*text) == {"Hideaki Omiya": "person", "Omiya": "person"}


def test_a_branch_of_a_known_company_is_a_company():
    assert names_of("The loss came from Costco China in the year.")["Costco China"] == "company"


def test_the_name_before_a_dash_and_an_office_has_no_other_office():
    text = "Carol Hibbard, Controller David Joyce – Director of the firm signed for Bolt Inc. today."
    passage = Passage(text, subject="Bolt Inc.")
    triples = RulesExtractor(load_schema()).extract([passage])[0].triples
    assert ("David Joyce", "Controller") not in {(t.head, t.metadata.get("role", t.tail)) for t in triples}


def test_an_address_on_the_web_is_no_word_written_small():
    text = ["See www.volkar.com or ask ir@volkar.com today.", "We at Volkar believe so, as said with Tern."]
    assert names_of(*text)["Volkar"] == "thing"
    assert "Volkar" not in names_of("Our volkar is good.", text[1])


def test_capitals_that_stand_for_words_are_no_names():
    text = [
        "Our funds from operations (FFO) and days sales outstanding, or DSO, fell in May.",
        "We saw FFO and DSO rise.",
    ]
    assert names_of(*text) == {}
    found = names_of("We sued New York University (NYU) in May.", "Then NYU sued us in June.")
    assert "NYU" in found


def test_whose_question_it_is():
    text = "The next question comes from the line of Julien Dumoulin-Voss of Bank of America."
    assert names_of(text)["Julien Dumoulin-Voss"] == "person"


def test_any_business_is_no_segment():
    assert "LDC" not in {
        name for name, kind in names_of("On the LDC business, I know it.").items() if kind == "segment"
    }
    assert names_of("We sold our HHI business in May.")["HHI"] == "segment"


def test_words_of_forms_are_no_names():
    text = "We hold Restricted stock, Inventories and Switching rights in Japanese Yen and AAA-rated bonds."
    assert "thing" not in names_of(text).values()


def test_what_a_sentence_says_something_is_shows_its_type() -> None:
    shown = Surroundings()
    sentence = "Tern Flow is a leading nonlinear video editing app used by all."
    shown.see("Tern Flow", sentence, 0, 9)
    assert shown.type_of("Tern Flow") == "product"
