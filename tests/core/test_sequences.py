"""What is done with lists everywhere."""

from cliquerag.core.sequences import among, first, grouped, last, runs, without


def test_what_is_left_out_and_what_is_allowed_keep_their_order():
    assert without(["c", "a", "b", "a"], {"a"}) == ["c", "b"]
    assert among(["c", "a", "b", "a"], {"a", "c"}) == ["c", "a", "a"]


def test_groups_and_their_items_come_in_the_order_of_the_items():
    groups = grouped([3, 1, 4, 6, 5], key=lambda number: number % 2)
    assert list(groups.items()) == [(1, [3, 1, 5]), (0, [4, 6])]


def test_a_missing_group_is_not_made_by_asking_for_it():
    groups = grouped(["a"], key=len)
    assert groups.get(2) is None and list(groups) == [1]


def test_an_item_joins_the_run_before_it_or_starts_the_next():
    near = runs([1, 2, 3, 7, 8], lambda run, item: item - run[-1] < 2)
    assert near == [[1, 2, 3], [7, 8]]


def test_a_run_may_be_judged_by_its_first_item():
    assert runs([0, 2, 4], lambda run, item: item - run[0] <= 2) == [[0, 2], [4]]


def test_nothing_gives_no_runs():
    assert runs([], lambda run, item: True) == []


def test_the_first_and_the_last_of_an_iterator():
    assert first(iter("abc"), "") == "a" and last(iter("abc"), "") == "c"
    assert first((), None) is None and last((), 0) == 0
