"""The two ends of a relation are found and not cut apart."""

from __future__ import annotations

import numpy as np
import pytest
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.cohesion.links import links
from cliquerag.ingest.sentences import split_text


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
