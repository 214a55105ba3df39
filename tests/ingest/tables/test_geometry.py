import pytest
from cliquerag.core.anchor import bounding_box
from cliquerag.ingest.tables.lines import Interval, interval_around


def test_intervals_that_only_touch_do_not_overlap():
    column = Interval(100, 200)
    assert column.overlaps(Interval(150, 300))
    assert not column.overlaps(Interval(199, 300))
    assert column.shared_with(Interval(230, 300)) == -30


def test_an_interval_holds_what_has_its_middle_in_it():
    column = Interval(100, 200)
    assert column.holds_middle_of(Interval(180, 220))
    assert not column.holds_middle_of(Interval(180, 240))


def test_boxes_and_intervals_around_several():
    assert interval_around([Interval(5, 9), Interval(1, 3)]) == Interval(1, 9)
    assert bounding_box([(5, 1, 9, 2), (1, 4, 3, 8)]) == (1, 1, 9, 8)
    with pytest.raises(ValueError):
        bounding_box([])
