"""The dynamic programmes against trying every possible cut."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from cliquerag.ingest.chunk import Span
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunkers.segmentation import cut_by_length, cut_by_similarity, links
from cliquerag.ingest.sentences import split_text
from hypothesis import given, settings
from hypothesis import strategies as st


def _all_cuts(n: int) -> list[list[Span]]:
    cuts = [c for k in range(n) for c in combinations(range(1, n), k)]
    return [[Span(a, b) for a, b in zip((0, *c), (*c, n), strict=True)] for c in cuts]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 150)), min_size=1, max_size=8))
def test_length_cut_is_the_cheapest(rows: list[tuple[float, int]]) -> None:
    costs, tokens = [r[0] for r in rows], [r[1] for r in rows]

    def price(spans: list[Span]) -> float:
        total = sum(costs[s.first] for s in spans[1:])
        for span in spans:
            length = sum(tokens[span.first : span.last])
            if length > 120 and span.last - span.first > 1:
                return float("inf")
            total += ((length - 60) / 60) ** 2 + 2 * max(0, 20 - length) / 20
        return total

    found = cut_by_length(costs, tokens, 60, 20, 120)
    assert price(found) == pytest.approx(min(map(price, _all_cuts(len(rows)))))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(0, 10**6))
def test_similarity_cut_gains_most(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    band = rng.standard_normal((n, 3))
    for k in range(1, 4):
        band[max(0, n - k) :, k - 1] = 0
    tokens = rng.integers(1, 60, n).tolist()

    def gain(spans: list[Span]) -> float:
        if any(s.last - s.first > 1 and sum(tokens[s.first : s.last]) > 120 for s in spans):
            return -float("inf")
        pairs = [(i, j) for s in spans for i in range(s.first, s.last) for j in range(i + 1, min(s.last, i + 4))]
        return sum(band[i, j - i - 1] - 0.3 for i, j in pairs) - 0.5 * len(spans)

    found = cut_by_similarity(band, tokens, 120, 0.3, 0.5)
    assert gain(found) == pytest.approx(max(map(gain, _all_cuts(n))))


@pytest.mark.parametrize(
    ("before", "after", "linked"),
    [
        ("In May, Acme Corp. acquired Beta Ltd.", "The acquisition closed in July for cash.", True),
        ("In May, Acme Corp. acquired Beta Ltd.", "The total purchase consideration was $5 billion.", True),
        ("Beta was sued by Gamma Inc. in Delaware.", "The complaint alleges that patents are used.", True),
        ("In May, Acme Corp. opened a new plant.", "The acquisition of Beta closed in July.", False),
        ("In May, Acme Corp. acquired Beta Ltd.", "Revenue rose by a tenth in the quarter.", False),
        ("公司以现金收购乙公司百分之六十的股权。", "本次收购完成后,乙公司成为控股子公司。", True),
        ("公司报告期内营业收入同比增长百分之八。", "本次收购完成后,乙公司成为控股子公司。", False),
    ],
)
def test_links(before: str, after: str, linked: bool) -> None:
    text = f"{before}\n{after}"
    assert links(text, split_text(text, shortest=0)) == ([1] if linked else [])


def test_a_relation_is_not_cut_in_two() -> None:
    filler = "Weather was mild in all of our regions during the first months of this year. "
    ends = "Acme Corp. acquired Beta Ltd. of Leeds in May of this year. The acquisition adds two plants in the north. "
    text = filler * 4 + ends + filler * 4
    sentences = split_text(text)
    ends_at = next(i for i, s in enumerate(sentences) if text[s.start :].startswith("The acquisition"))
    vectors = np.eye(len(sentences), dtype=np.float32)
    vectors[:ends_at] = vectors[0]
    vectors[ends_at:] = vectors[-1]
    apart = make_chunker("clique", link_weight=0.0).chunk(text, sentences, vectors)
    together = make_chunker("clique", link_weight=1.0).chunk(text, sentences, vectors)
    assert ends_at in [span.first for span in apart]
    assert ends_at not in [span.first for span in together]
