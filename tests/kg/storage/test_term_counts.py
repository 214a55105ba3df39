"""Counted terms come back as they were, in as few bytes as they need."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from cliquerag.kg.storage.term_counts import TermCounts, pack_terms, term_number, unpack_terms
from hypothesis import given
from hypothesis import strategies as st
from support.bundles import bundle
from support.stores import open_store


def by_row(counts: TermCounts) -> list[dict[int, int]]:
    found: list[dict[int, int]] = [{} for _ in range(counts.chunks)]
    terms = np.repeat(counts.terms, counts.sizes)
    for term, row, count in zip(terms.tolist(), counts.rows.tolist(), counts.counts.tolist(), strict=True):
        found[row][term] = count
    return found


def expected(text: str) -> dict[int, int]:
    words = text.split()
    return {term_number(word): words.count(word) for word in words}


@given(st.lists(st.lists(st.sampled_from(["cash", "debt", "r&d", "2023", "é"]), max_size=6).map(" ".join), max_size=5))
def test_what_is_packed_comes_back(texts: list[str]) -> None:
    words, headings = unpack_terms(pack_terms(texts, texts[::-1]))
    assert by_row(words) == list(map(expected, texts)) and by_row(headings) == list(map(expected, texts[::-1]))
    assert (np.diff(words.terms.astype(object)) > 0).all()


def test_many_rows_and_counts_are_kept_exactly() -> None:
    texts = ["cash " * 300, *["debt"] * 70_000]
    words, _ = unpack_terms(pack_terms(texts, []))
    assert words.rows.dtype.itemsize == 4 and words.counts.dtype.itemsize == 2
    found = by_row(words)
    assert found[0] == {term_number("cash"): 300} and found[-1] == {term_number("debt"): 1}


def test_a_chinese_pair_counts_for_its_first_character() -> None:
    (row,) = by_row(TermCounts.of(["中国 国人 中心"]))
    assert row[term_number("中")] == 2 and row[term_number("中国")] == 1


@pytest.mark.parametrize("mode", ["rwc", "ro"])
def test_a_workspace_of_before_has_its_terms_too(tmp_path: Path, mode: str) -> None:
    path, texts = tmp_path / "x.db", ("Steel prices rose in Norway", "Copper")
    store = open_store(f"sqlite:///{path}")
    store.put(bundle("a.txt", *texts))
    (now,) = store.chunk_terms(["a.txt"])
    store.close()
    with sqlite3.connect(path) as file:
        file.execute("DELETE FROM part_of_document WHERE name = 'terms'")
        file.execute("PRAGMA user_version = 4")
    store = open_store(f"sqlite:///{path}?mode={mode}")
    (then,) = store.chunk_terms(["a.txt"])
    store.close()
    assert by_row(then.words) == by_row(now.words) and by_row(then.headings) == by_row(now.headings)
    with sqlite3.connect(path) as file:
        (kept,) = file.execute("SELECT count(*) FROM part_of_document WHERE name = 'terms'").fetchone()
    assert kept == (mode == "rwc"), "brought up to date when it may be written"
