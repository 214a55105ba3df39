import pytest
from cliquerag.ingest.tables.lines import text_lines
from support.layouts import line, page


def texts(*words):
    return [[piece.text for piece in one.pieces] for one in text_lines([w for row in words for w in row])]


def test_words_join_over_a_space_and_part_over_a_gap():
    assert texts(line(100, (50, "Net income"), (300, "1,234"))) == [["Net income", "1,234"]]


def test_numbers_close_together_stay_apart_but_groups_of_three_digits_join():
    assert texts(line(100, (50, "12"), (66, "34"))) == [["12", "34"]]
    assert texts(line(100, (50, "1"), (57, "234"), (74, "567"))) == [["1 234 567"]]


def test_a_superscript_belongs_to_its_line():
    words = [*line(100, (50, "Cash")), *line(98, (71, "1"))]
    assert len(text_lines(words)) == 1


def test_words_that_run_upwards_are_left_out_unless_asked_for():
    from cliquerag.ingest.pdf.backend import Word

    words = [Word("sideways", (10, 100, 20, 180)), *line(100, (50, "Cash"))]
    assert [one.text for one in text_lines(words)] == ["Cash"]
    assert sum(len(one.pieces) for one in text_lines(words, upended=True)) == 2


@pytest.mark.parametrize("sign", ["$", "€", "US$", "("])
def test_signs_reach_over_to_their_number(sign):
    ((piece,),) = texts(line(100, (300, sign), (380, "1,234")))
    assert piece.replace(" ", "") == f"{sign}1,234"


def test_indices_point_at_the_words():
    layout = page(line(100, (50, "Net income"), (300, "5")))
    (one,) = text_lines(layout.words)
    assert [[layout.words[i].text for i in piece.words] for piece in one.pieces] == [["Net", "income"], ["5"]]


def test_a_dash_far_from_a_number_is_a_cell_of_its_own_and_no_minus():
    assert texts(line(100, (300, "-"), (380, "1,234"))) == [["-", "1,234"]]
    assert texts(line(100, (300, "-"), (306, "12"))) == [["-12"]]
