"""Captions and labels of axes."""

from __future__ import annotations

from cliquerag.ingest.reading.cleaning import axis_labels, is_caption


def test_captions() -> None:
    assert all(map(is_caption, ["Figure 3: Sales by region", "图 12 收入构成", "Source: Company data, FactSet"]))
    assert not any(map(is_caption, ["Figures are unaudited", "Exhibit 99.1", "Sources of revenue grew"]))


def test_axis_labels_are_steps_but_not_years_or_values() -> None:
    assert axis_labels(["30", "20", "10", "0", "-10"]) == [0, 1, 2, 3, 4]
    assert axis_labels(["2019", "2020", "2021", "2022", "2023"]) == []
    assert axis_labels(["10", "20", "30"]) == []
    assert axis_labels(["120", "95", "310", "42", "7"]) == []
