"""Pk and WindowDiff against the values that nltk's implementation documents, and by hand."""

import pytest
from cliquerag.evaluation.metrics.chunking import pk, window_diff, window_size


def lengths(borders):
    """nltk's notation ("1" where a border follows, one gap fewer than sentences) as segment lengths."""
    return [len(part) + 1 for part in borders.split("1")]


@pytest.mark.parametrize(
    ("reference", "found", "k", "expected"),
    [
        ("000100000010", "000100000010", 3, 0.0),
        ("000000010000", "000000100000", 3, 2 / 10),
        ("000000010000", "100000010000", 3, 1 / 10),
        ("000000010000", "000000000000", 3, 3 / 10),
    ],
)
def test_window_diff_as_in_nltk(reference, found, k, expected):
    assert window_diff(lengths(reference), lengths(found), k) == pytest.approx(expected)


def test_pk_as_documented_by_nltk():
    assert pk(lengths("0100" * 100), lengths("1" * 400), 2) == pytest.approx(0.50, abs=0.01)
    assert pk(lengths("0100" * 100), lengths("0" * 400), 2) == pytest.approx(0.50, abs=0.01)
    assert pk(lengths("0100" * 100), lengths("0100" * 100), 2) == 0


def test_extra_border_costs_window_diff_but_not_always_pk():
    reference, found = [4, 4], [4, 1, 3]
    assert window_diff(reference, found, 2) == 2 / 6
    assert pk(reference, found, 2) == 1 / 6


def test_window_and_errors():
    assert window_size([8, 12]) == 5
    assert window_size([1, 1]) == 2
    with pytest.raises(ValueError, match="cover"):
        pk([3], [4])
