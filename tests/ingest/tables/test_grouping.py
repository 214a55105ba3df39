from cliquerag.ingest.tables.grouping import grouped


def test_an_item_joins_the_group_before_it_or_starts_the_next():
    near = grouped([1, 2, 3, 7, 8], lambda group, item: item - group[-1] < 2)
    assert near == [[1, 2, 3], [7, 8]]


def test_a_group_may_be_judged_by_its_first_item():
    assert grouped([0, 2, 4], lambda group, item: item - group[0] <= 2) == [[0, 2], [4]]


def test_nothing_gives_no_groups():
    assert grouped([], lambda group, item: True) == []
