from __future__ import annotations

from cliquerag.core import words
from cliquerag.core.words import Sought, question_words, search_words
from hypothesis import given
from hypothesis import strategies as st


def test_stems_years_and_numbers() -> None:
    assert search_words("Inventories of $1,234.5 million (2021: 987)") == ["inventori", "million", "2021"]


def test_abbreviations_with_ampersand_are_one_word() -> None:
    assert search_words("SG&A, R & D, AT&T") == ["sga", "rd", "att"]


def test_fiscal_year_is_its_year() -> None:
    assert search_words("FY2018 FY19") == ["2018", "2019"]


def test_product_names_keep_their_digits() -> None:
    assert search_words("3M sold 5G phones") == ["3m", "sell", "5g", "phone"]


def test_accents_width_and_case_do_not_matter() -> None:
    assert search_words("Nestlé") == search_words("ＮＥＳＴＬＥ") == ["nestl"]


def test_chinese_runs_become_pairs() -> None:
    assert search_words("净利润2020年") == ["净利", "利润", "2020", "年"]


def test_question_loses_the_words_of_asking_only() -> None:
    assert question_words("How much did the company's revenue grow?") == ["revenu", "grow"]
    assert question_words("请问研发费用是多少？") == search_words("研发费用")
    assert "compani" in search_words("the company's revenue")


def test_same_word_same_term_in_text_and_question() -> None:
    text = "Revenues from geographic segments, 分部收入"
    assert question_words(text) == [w for w in search_words(text) if w not in ("from",)]


def test_irregular_past_forms_meet_their_verb() -> None:
    assert search_words("sales rose, margins fell, it bought") == search_words("sales rise, margins fall, it buy")


WORDS = [
    "Expenses",
    "dying",
    "happily",
    "sensibilities",
    "rose",
    "bought",
    "1.5bn",
    "FY24",
    "AT&T's",
    "café",
    "2024",
    "R&D",
    "营业收入",
    "a_b",
    "x,5b",
]


@given(
    st.lists(st.sampled_from(WORDS)),
    st.sets(st.sampled_from([*map(str.lower, WORDS), "the skies are lying", "happiness is sensible"])),
)
def test_terms_sought_are_those_of_all_the_words(words: list[str], asked: set[str]) -> None:
    text, terms = " ".join(words), {term for one in asked for term in search_words(one)}
    assert Sought(terms).found_in(text) == terms.intersection(search_words(text))


@given(st.lists(st.lists(st.sampled_from([*WORDS, "\n"]))), st.sets(st.sampled_from(["dying", "r&d", "2024", "café"])))
def test_terms_of_sentences_read_in_one_go_are_those_of_each(sentences: list[list[str]], asked: set[str]) -> None:
    texts = [" ".join(words) for words in sentences]
    sought = Sought(term for one in asked for term in search_words(one))
    assert sought.found_in_each(texts) == [sought.found_in(text) for text in texts]


def test_stems_of_many_threads_at_once_are_those_of_one():
    """The stemmer keeps the word it works on as state: two threads in it mix their words up."""
    from concurrent.futures import ThreadPoolExecutor

    from cliquerag.core import words as module

    terms = [
        f"{a}{b}"
        for a in ("acquir", "continu", "establish", "organiz", "operat")
        for b in ("ing", "ed", "ation", "ers", "ement")
    ]
    expected = [sorted(module.Sought([term]).found_in(f"{term} it")) for term in terms]
    module._TOKENS.clear()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda term: sorted(module.Sought([term]).found_in(f"{term} it")), terms * 40))
    assert found == expected * 40
    assert {term: module._TOKENS[term] for term in terms} == {term: module._token_terms(term) for term in terms}


def test_terms_held_are_those_found() -> None:
    asked = Sought(["expens", "2023", "loss", "营业", "rise"])
    for text in ("Expenses rose in FY23 to $1.5bn.", "营业收入增长", "Nothing of it.", "The losses' causes"):
        assert asked.held_in(text) == asked.found_in(text)
        assert asked.held_in(text) == asked.found_in(text)  # now from memory


def test_words_that_may_be_no_term_are_not_stemmed() -> None:
    assert Sought(["loss"]).held_in("Bababaxonia zuxeties Bibebixonia") == set()
    assert not {"bababaxonia", "zuxeties", "bibebixonia"} & words._TOKENS.keys()
